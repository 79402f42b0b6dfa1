"""What the rest of the course asks of a game and of an agent: the contracts that everything here is written against.

`Mock5` is a game, and so is connect four (in `mock5check.ch01`): the readable searches, the referee and matches
take either. An agent is at least a function from a game to a move. What it can do beyond that it says by having the
method, and whoever needs it asks `isinstance(agent, ManyBoards)` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Game(Protocol):
    """Two players in turn, everything visible. Moves are whole numbers from 0."""

    player: int  # who moves next, 1 or 2

    @property
    def winner(self) -> int | None:
        """None while the game goes on, 0 for a draw, else the player who won."""

    def legal_moves(self) -> Sequence[int]:
        """The moves that may be played; none once the game is over."""

    def apply(self, move: int) -> None:
        """Play a move. Raises ValueError, and changes nothing, if it is not legal."""

    def undo(self) -> object:
        """Take the last move back."""

    def copy(self) -> Game:
        """The same position; what is played on one does not touch the other."""


@runtime_checkable
class PlayoutMoves(Protocol):
    """A game in which a random playout should not try every legal move: in Go, no own eyes, and no early pass."""

    def playout_moves(self) -> Sequence[int]:
        """The moves that a playout draws from, all of them legal; at least one while the game goes on."""


class Agent(Protocol):
    """A function from a game, which it may change, to a move: a whole number, (row, column), or None to resign.

    Whatever an agent raises, it loses that game by. It may have a `name`; see `agent_name`.
    """

    def __call__(self, game: Any) -> Any:
        """The move."""


@runtime_checkable
class ManyBoards(Protocol):
    """An agent that answers many games at once, faster than one by one: a net in one batch, a search in threads."""

    def moves(self, games: list) -> Sequence:
        """A move for each game. The games are left as they are."""


@runtime_checkable
class Searcher(Protocol):
    """An agent that searches, and can say what it found."""

    def think(self, game: Any) -> Any:
        """The root's visits, values and policy: a `mock5lib.search.result.SearchResult`."""


@runtime_checkable
class KeepsTree(Protocol):
    """An agent that carries something from move to move."""

    def forget(self) -> None:
        """Drop it: a new game begins."""


@runtime_checkable
class Deadline(Protocol):
    """An agent that can be told when its answer is due."""

    def move_by(self, game: Any, deadline: float, clock: Callable[[], float]) -> Any:
        """Its best move when `clock` reaches `deadline`, in seconds, or before if its search is done."""

    def warm_up(self, game: Any) -> None:
        """Load and compile what a move needs, before a clock starts, and forget it."""


@runtime_checkable
class BoundedMemory(Protocol):
    """An agent whose tree can be bounded."""

    def limit_memory(self, nbytes: int, points: int) -> None:
        """Let the tree take at most so many bytes on a board of so many points."""


@runtime_checkable
class HasProcess(Protocol):
    """An agent that lives in a process of its own, as a foreign engine does.

    One that keeps its seconds itself says so by `own_clock = True`; else whoever asks looks at the clock.
    """

    def close(self) -> None:
        """End the process; the next question starts another."""


class AgentFailure(RuntimeError):
    """Why an agent gave no move, as the end of a sentence that begins with its name: "died (exit code -9)"."""


def agent_name(agent: object) -> str:
    """The agent's `name`, or its function name, or its class name."""
    return str(getattr(agent, "name", None) or getattr(agent, "__name__", None) or type(agent).__name__)


def moves_of(agent: Agent, games: list) -> list:
    """The agent's answer to each game: all at once if it can, else one by one, each on a copy."""
    if isinstance(agent, ManyBoards):
        return list(agent.moves(games)) if games else []
    return [agent(game.copy()) for game in games]

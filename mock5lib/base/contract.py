"""What the rest of the course asks of a game and of an agent: the contracts that everything here is written against.

`Mock5` is a game, and so is connect four (in `mock5check.ch01`): the readable searches, the referee and matches
take either. An agent is at least a function from a game to a move. What either can do beyond that it says by having the
method; whoever needs it asks `hasattr`.

    game.playout_moves()        the legal moves that a random playout draws from: in Go no own eyes, no early pass
    game.actions, …             what searches over many games, nets and records ask of it: see `game.kit`
    agent.moves(games)          a move for each of many games, which are left as they are: a net in one batch
    agent.think(game)           what it found: a `mock5lib.search.result.SearchResult`
    agent.forget()              drop what was carried from move to move: a new game begins
    agent.move_by(game, deadline, clock)   its best move when `clock` reaches `deadline`, in seconds, or before
    agent.warm_up(game)         load and compile what a move needs, before a clock starts, and forget it
    agent.limit_memory(nbytes, points)     bound the tree, on a board of so many points
    agent.close()               end the process that it lives in; the next question starts another
    agent.refuses(game)         why it can't play this game, as the end of a sentence that begins with its name, or ""
    agent.own_clock             True: it keeps its seconds itself; else whoever asks looks at the clock
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable


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


class Agent(Protocol):
    """A function from a game, which it may change, to a move: a whole number, (row, column), or None to resign.

    Whatever an agent raises, it loses that game by. It may have a `name`; see `agent_name`.
    """

    def __call__(self, game: Any) -> Any:
        """The move."""


class Named:
    """An agent that prints as its name: `<uct:1000>`."""

    def __repr__(self) -> str:
        return f"<{agent_name(self)}>"


class AgentFailure(RuntimeError):
    """Why an agent gave no move, as the end of a sentence that begins with its name: "died (exit code -9)"."""


def check_game(game: object) -> None:
    """A TypeError unless something is a game, as far as its looks tell; a ValueError if its players aren't 1 and 2."""
    needed = ("legal_moves", "apply", "copy", "winner", "player")
    missing = [name for name in needed if not hasattr(game, name)]
    if missing:
        lacks = f"; it has no `{'`, no `'.join(missing)}`" if len(missing) < len(needed) else ""
        raise TypeError(f"A game is wanted, such as Mock5(9, 9); got {game!r}{lacks}.")
    if isinstance(game, type):
        raise TypeError(f"A game is wanted; {game.__name__} is a class, {game.__name__}() is one.")
    for name in ("legal_moves", "apply", "undo", "copy"):
        if not callable(getattr(game, name, print)):  # `undo` is missed only where it is needed
            raise TypeError(f"{type(game).__name__}.{name} must be a method, got {getattr(game, name)!r}.")
    if game.player not in (1, 2):  # type: ignore[attr-defined]
        raise ValueError(f"The player to move is 1 or 2, got {game.player!r}.")  # type: ignore[attr-defined]


def agent_name(agent: object) -> str:
    """The agent's `name`, or its function name, or its class name."""
    return str(getattr(agent, "name", None) or getattr(agent, "__name__", None) or type(agent).__name__)


def refusal(agent: object, game: object) -> str:
    """Why an agent can't play a game, in a sentence; "" if it can, or does not say."""
    refuses = getattr(agent, "refuses", None)
    why = refuses(game) if callable(refuses) else ""
    return f"{agent_name(agent)} {why}." if why else ""


def moves_of(agent: Agent, games: list) -> list:
    """The agent's answer to each game: all at once if it can, else one by one, each on a copy."""
    if hasattr(agent, "moves"):
        return list(agent.moves(games)) if games else []
    return [agent(game.copy()) for game in games]


class Recipe(NamedTuple):
    """How to make an agent anew: what a match needs to give each part of it fresh agents, in any process.

    `make` is a function from a seed to an agent. For other processes it must be one that pickle can name: a function
    or class of a module, or a `functools.partial` of one. `print` tells whether it is still the same agent, "" if
    nobody knows: a tournament keeps it with the games.
    """

    name: str
    make: Callable[[int], object]
    print: str = ""

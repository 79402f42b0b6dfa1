"""A game that a person plays against an agent: turns, undo, change of sides, and games lost off the board.

The board in a notebook (`show.play.PlayPanel`) and the one in the terminal (`mock5 play`) show it; what may happen in
it stands here. Works for any game of the course's contract that can `undo()` and has a `history`.
"""

from __future__ import annotations

from mock5lib.game.referee import NO_ANSWER, answer_of, play_answer


def ended(why: str) -> str:
    """Why a game was lost off the board, as the end of a sentence: a question keeps its mark."""
    return why if why.endswith("?") else f"{why.rstrip('.')}."


class Session:
    """A game under way, between a person and an agent or between two agents.

    Args:
        start: the first position; it is copied. agents: player → agent, or None for the person.

    Attributes:
        game: the position. forfeit: why the game ended off the board, "" if it did not. loser: who lost by it, or 0.
    """

    def __init__(self, start, agents: dict):
        self.start, self.agents = start, dict(agents)
        self.have_played: list = []  # the agents that have answered with a move, in this game or one before
        self.new()

    def new(self) -> None:
        """Begin again from the first position."""
        self.game = self.start.copy()
        self.forfeit, self.loser = "", 0

    @property
    def result(self) -> int | None:
        """The winner: 1, 2, 0 for a draw, None while the game runs."""
        return 3 - self.loser if self.forfeit else self.game.winner

    @property
    def agent(self):
        """The agent to move; None if it is the person's turn, or if the game is over."""
        return self.agents[self.game.player] if self.result is None else None

    def ask(self, name: str) -> str:
        """Let the agent to move, called `name`, play; one that fails loses. Returns why, or ""."""
        agent = self.agent
        answer = answer_of(agent, self.game.copy())
        known = any(one is agent for one in self.have_played)
        if fault := play_answer(self.game, NO_ANSWER if answer is None and not known else answer):
            self.lose(f"{name} {fault}")
        elif not known:
            self.have_played.append(agent)
        return fault

    def lose(self, why: str) -> None:
        """The player to move loses off the board."""
        self.forfeit, self.loser = why, self.game.player

    def can_undo(self) -> bool:
        """Whether the person has a move to take back."""
        return bool(self._own_turns())

    def undo(self) -> bool:
        """Take back to the last position in which the person was to move; False if there is none."""
        turns = self._own_turns()
        if not turns:
            return False
        self.forfeit, self.loser = "", 0
        while len(self.game.history) > turns[-1]:
            self.game.undo()
        return True

    def swap(self) -> None:
        """Exchange the players' sides; in a new game once this one is over."""
        over = self.result is not None
        self.agents = {1: self.agents[2], 2: self.agents[1]}
        if over:
            self.new()

    def _own_turns(self) -> list[int]:
        """Numbers of moves after which the person was to move, this position apart."""
        first = len(getattr(self.start, "history", ()))
        players = (self.start.player, 3 - self.start.player)
        played = range(first, len(getattr(self.game, "history", ())))
        return [number for number in played if self.agents[players[(number - first) % 2]] is None]

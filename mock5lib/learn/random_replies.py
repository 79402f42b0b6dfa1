"""Tic-tac-toe against an opponent who plays at random, worked out exactly: chapter 3 checks its gradients by it.

We play Black in every other game. What follows a move of ours is known for every position: the game is over, or each of
the opponent's replies is equally likely and ends it or leads to our next turn. So the mean result of a policy needs no
games, and neither does its gradient (Sutton and Barto 2018, section 13.2).
"""

from __future__ import annotations

import numpy as np

from mock5lib.game.board import Mock5
from mock5lib.game.oracle import tic_tac_toe


class RandomReplies:
    """All of tic-tac-toe, seen by a player whose opponent moves at random. S = 4,520 positions still run.

    A policy `pi` is (S, 9), the probability of each move in each position.

    Attributes:
        positions: the S positions. number: {bytes of a board: its position's row}. legal: (S, 9), empty points.
    """

    def __init__(self):
        self.positions = tic_tac_toe().positions()
        self.number = {bytes(game.board): s for s, game in enumerate(self.positions)}
        self.legal = np.array([[point == 0 for point in game.board] for game in self.positions])
        size = len(self.positions)
        self._next = np.full((size, 9, 8), size)  # row after a move and each reply; `size`: the game is over
        self._chance = np.zeros((size, 9, 8))  # of that reply
        self._gain = np.zeros((size, 9))  # mean result of the games that end right here
        for s, game in enumerate(self.positions):
            for move in game.legal_moves():
                for j, (chance, later, z) in enumerate(self._what_follows(game, move)):
                    self._next[s, move, j], self._chance[s, move, j] = later, chance
                    self._gain[s, move] += chance * z
        self._stones = (~self.legal).sum(axis=1)
        # Our first move is on the empty board in half of the games, else on one of nine boards with one stone.
        self._start = np.where(self._stones == 0, 1 / 2, np.where(self._stones == 1, 1 / 18, 0))

    def _what_follows(self, game: Mock5, move: int) -> list:
        """After our move and each reply: [(chance, row or S if the game is over, z)]."""
        after = game.copy()
        after.apply(move)
        if after.winner is not None:
            return [(1.0, len(self.positions), result(after.winner, game.player))]
        replies, ends = after.legal_moves(), []
        for reply in replies:
            later = after.copy()
            later.apply(reply)
            row = self.number[bytes(later.board)] if later.winner is None else len(self.positions)
            ends.append((1 / len(replies), row, result(later.winner or 0, game.player)))
        return ends

    def values(self, pi: np.ndarray) -> tuple:
        """V (S,): what a game is worth on average in each position, and Q (S, 9): after each move."""
        return self._values(lambda here, q: (pi[here] * q).sum(axis=1))

    def _values(self, value_of) -> tuple:
        """V and Q, from the fullest boards backward; value_of(rows, their Q) is V of these rows."""
        V, Q = np.zeros(len(self.positions) + 1), np.zeros((len(self.positions), 9))  # the last V stays 0: over
        for level in range(8, -1, -1):
            here = np.flatnonzero(self._stones == level)
            Q[here] = self._gain[here] + (self._chance[here] * V[self._next[here]]).sum(axis=2)
            V[here] = value_of(here, Q[here])
        return V[:-1], Q

    def mean_result(self, pi: np.ndarray) -> float:
        """J: the mean result of all games of a policy."""
        return float(self._start @ self.values(pi)[0])

    def best_result(self) -> float:
        """The mean result of a player who always takes a move of the greatest Q."""
        values, _ = self._values(lambda here, q: np.where(self.legal[here], q, -np.inf).max(axis=1))
        return float(self._start @ values)

    def visits(self, pi: np.ndarray) -> np.ndarray:
        """d (S,): how often per game each position comes up with us to move."""
        d = np.append(self._start, 0.0)
        for level in range(9):  # from the empty board on: what comes in goes out again
            here = np.flatnonzero(self._stones == level)
            goes_on = (d[here, None] * pi[here])[:, :, None] * self._chance[here]
            np.add.at(d, self._next[here], goes_on)
        return d[:-1]


def result(winner: int, player: int) -> float:
    """z: what a result is worth to a player; 1 for a win, −1 for a loss, 0 for a draw."""
    return 0.0 if winner == 0 else 1.0 if winner == player else -1.0

"""AlphaGo's fast policy: a linear softmax over local patterns, and playouts that it plays itself.

The logit of a point is a sum over the stones and the walls around it, each weighted by what it is (own stone,
opponent's stone, off the board) and by where it stands; a softmax over the empty points gives the probabilities
(Silver et al. 2016, Methods, "Rollout policy"). One wide convolution computes the same, so the weights can be
trained in Keras (`alphago.nets.fast_policy`). What makes it fast is that a new stone only *adds* to the logits
around it: a move costs about a microsecond.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mock5lib.alphago.rollout_policy_compiled import OFF, new_rollout, play_rollouts
from mock5lib.game.board_compiled import WALL
from mock5lib.game.five_compiled import fives_of


class FastPolicy:
    """A policy with weights for own stones, opponent's stones and points off the board.

    Args:
        weights: (2 · reach + 1, 2 · reach + 1, 3) finite numbers: `weights[reach + row, reach + col, what]` is what a
            point `row` rows below and `col` columns right of a move adds to the move's logit.
        name: shown in matches.

    Attributes:
        weights: float32. reach: how far it sees.
    """

    def __init__(self, weights, name: str = "fast policy"):
        self.weights, self.name = np.asarray(weights, dtype=np.float32), name
        self.reach = reach = len(self.weights) // 2
        if reach < 1 or self.weights.shape != (2 * reach + 1, 2 * reach + 1, 3):
            raise ValueError(f"Weights have shape (2r + 1, 2r + 1, 3) for a reach r from 1, got {self.weights.shape}.")
        self._fields: dict[tuple[int, int], Field] = {}

    def __call__(self, game) -> np.ndarray:
        """Probabilities of the moves, (H * W,) float64, 0 on occupied points."""
        return self.scores([game])[0]

    def scores(self, games) -> np.ndarray:
        """Probabilities (B, H * W) of games on one board size."""
        probabilities = np.zeros((len(games), len(games[0].cells)))
        fives_of(games)  # their checks: compiled code trusts them
        for row, game in zip(probabilities, games):
            empty = np.flatnonzero(game.cells == 0)
            if len(empty):
                field = self.field(game.height, game.width)
                logits = new_rollout(game.cells, field).logits[game.player - 1, field.points].astype(np.float64)
                weights = np.exp(logits[empty] - logits[empty].max())
                row[empty] = weights / weights.sum()
        return probabilities

    def rollouts(self, games, rollouts: int = 1, limit: int | None = None, *, seed=None) -> np.ndarray:
        """Mean outcomes of B running games, or stacked positions, played on: (B,) float32 for the player to move.

        Args:
            rollouts: games from each. limit: a game still running after so many moves is a draw; None for no limit.
            seed: a whole number, a numpy Generator, or None. Results don't depend on the number of threads.
        """
        p = fives_of(games)
        limit = p.height * p.width if limit is None else int(limit)  # no game is longer
        field = self.field(p.height, p.width)
        return play_rollouts(p.board, p.players, p.k, p.exact, field, limit, int(rollouts), stream_of(seed))

    def field(self, height: int, width: int) -> Field:
        """What all positions on boards of one size share."""
        if (height, width) not in self._fields:
            walls = np.pad(np.zeros((height, width), np.int8), self.reach, constant_values=WALL)
            around = np.lib.stride_tricks.sliding_window_view(walls == WALL, self.weights.shape[:2])
            blank = np.zeros(walls.shape, np.float32)
            blank[walls == 0] = (around * self.weights[:, :, OFF]).sum(axis=(2, 3)).reshape(-1)
            # A stone at q adds weights[reach + q − p] to point p: turned round, the rows of an update lie in order.
            turned = np.ascontiguousarray(self.weights[::-1, ::-1].transpose(2, 0, 1))
            points = np.flatnonzero(walls == 0).astype(np.int32)
            self._fields[height, width] = Field(
                walls.shape[1], self.reach, turned, points, walls.reshape(-1), blank.reshape(-1)
            )
        return self._fields[height, width]


class Field(NamedTuple):
    """A board size and the weights for it. P points, the margin of walls included."""

    stride: int  # length of a padded row
    reach: int
    turned: np.ndarray  # (3, 2 · reach + 1, 2 · reach + 1) float32: what a stone adds to the points around it
    points: np.ndarray  # (H * W,) int32: the padded index of each point
    walls: np.ndarray  # (P,) int8: the empty padded board
    blank: np.ndarray  # (P,) float32: logits on the empty board


# Shared with other games' fast policies ----------------------------------------------------------------------------


def stream_of(seed) -> int:
    """The number that the random streams of a batch of rollouts are made of."""
    return int(np.random.default_rng(seed).integers(2**62))

"""AlphaGo's fast policy: a linear softmax over local patterns, and playouts that it plays itself.

The logit of a point is a sum over the stones and the walls around it, each weighted by what it is (own stone,
opponent's stone, off the board) and by where it stands; a softmax over the empty points gives the probabilities
(Silver et al. 2016, Methods, "Rollout policy"). One wide convolution computes the same, so the weights can be
trained in Keras (`alphago.nets.fast_policy`). What makes it fast is that a new stone only *adds* to the logits
around it: a move costs about a microsecond.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numba as nb
import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import WALL, drawn, seeded, wins_at_padded
from mock5lib.game.position import fives_of

OWN, OTHER, OFF = 0, 1, 2


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


# Shared with the fast policy of Go --------------------------------------------------------------------------------


def stream_of(seed) -> int:
    """The number that the random streams of a batch of rollouts are made of."""
    return int(np.random.default_rng(seed).integers(2**62))


# Kernels --------------------------------------------------------------------------------------------------------


@compiled(inline="always")
def add_stone(logits, field, at, stone):
    """Add to both players' logits (2, P) what a stone of `stone` at padded index `at` changes around it."""
    side = 2 * field.reach + 1
    for row in range(side):
        start = at + (row - field.reach) * field.stride - field.reach
        for col in range(side):
            logits[stone - 1, start + col] += field.turned[OWN, row, col]
            logits[2 - stone, start + col] += field.turned[OTHER, row, col]


@compiled(inline="always")
def draw(logits, empties, field, weights, count, state):
    """Draw a place in `empties[:count]` from the softmax of the logits (P,)."""
    highest = np.float32(-np.inf)
    for i in range(count):
        highest = max(highest, logits[field.points[empties[i]]])
    total = 0.0
    for i in range(count):
        weights[i] = exp(logits[field.points[empties[i]]] - highest)
        total += weights[i]
    return drawn(weights, count, total, state)


class Rollout(NamedTuple):
    """One game under way. Points are 0 to A − 1 but in `padded` and `logits`."""

    padded: np.ndarray  # (P,) int8
    logits: np.ndarray  # (2, P) float32, for black and for white
    empties: np.ndarray  # (A,) int16: the empty points, in any order, then rubbish
    weights: np.ndarray  # (A,) float64: scratch for a draw


@compiled(nogil=True, parallel=True)
def play_rollouts(boards, players, k, exact, field, limit, rollouts, seed):
    """`FastPolicy.rollouts`; board b uses random stream b of `seed`."""
    values = np.empty(len(boards), dtype=np.float32)
    for b in nb.prange(len(boards)):
        state = np.empty(1, dtype=np.uint64)
        state[0] = seeded(seed, b)
        start, game = new_rollout(boards[b], field), new_rollout(boards[b], field)
        count, total = (boards[b] == 0).sum(), 0
        for _ in range(rollouts):
            begin(game, start)
            winner = play_on(game, field, count, players[b], k, exact, limit, state)
            total += 0 if winner == 0 else 1 if winner == players[b] else -1
        values[b] = total / rollouts
    return values


@compiled
def new_rollout(board, field):
    """The position of a board (A,) int8 as a `Rollout`."""
    padded = field.walls.copy()
    logits, empties = np.empty((2, len(padded)), dtype=np.float32), np.empty(len(board), dtype=np.int16)
    logits[0], logits[1] = field.blank, field.blank
    count = 0
    for point in range(len(board)):
        stone = board[point]
        if stone == 0:
            empties[count] = point
            count += 1
        else:
            padded[field.points[point]] = stone
            add_stone(logits, field, field.points[point], stone)
    return Rollout(padded, logits, empties, np.empty(len(board)))


@compiled
def begin(game, start):
    """Set `game` back to `start`. (Inlined into the parallel loop, numba hoists these copies out of it.)"""
    game.padded[:], game.logits[:], game.empties[:] = start.padded, start.logits, start.empties


@compiled
def play_on(game, field, count, player, k, exact, limit, state):
    """Play until the game ends, or for `limit` moves; `count` points are empty. Returns the winner, 0 for none."""
    for _ in range(min(limit, count)):
        pick = draw(game.logits[player - 1], game.empties, field, game.weights, count, state)
        point = game.empties[pick]
        count -= 1
        game.empties[pick] = game.empties[count]
        at = field.points[point]
        game.padded[at] = player
        if wins_at_padded(game.padded, field.stride, k, exact, at, player):
            return player
        add_stone(game.logits, field, at, player)
        player = 3 - player
    return 0

"""The playouts of `rollout_policy.py`, compiled by numba: a new stone only adds to the logits around it."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numba as nb
import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import drawn, seeded, wins_at_padded

OWN, OTHER, OFF = 0, 1, 2


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

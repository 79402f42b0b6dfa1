"""The patterns and rollouts of `rollout_policy.py`, compiled by numba."""

from __future__ import annotations

from math import exp

import numba as nb
import numpy as np

from mock5go import board_compiled as go
from mock5go.board_compiled import state_at
from mock5go.groups_compiled import COLOR, EMPTIES, EMPTY_COUNT, HEAD, PLAYER, PLY, WHEN, in_atari
from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import drawn, padded_point, seeded

CAPTURES, SAVES, NEAR = 0, 1, 2  # numbers of the other features; the eight from NEAR on tell where the last move was


# Compiled -------------------------------------------------------------------------------------------------------


@compiled(inline="always")
def pattern_at(points, stride, player, at):
    """The number of the 3×3 pattern around a point."""
    number = 0
    for step in (-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1):
        color = points[COLOR, at + step]
        number = 4 * number + (3 - color if player == 2 and (color == 1 or color == 2) else color)
    return number


@compiled
def last_move(position):
    """The padded point of the last move; 0 if it was a pass or there is none."""
    for move in range(position.size * position.size):
        at = padded_point(move, position.size)
        if position.points[COLOR, at] != 0 and position.points[WHEN, at] == position.counts[PLY]:
            return at
    return 0


@compiled(inline="always")
def features_at(points, stride, player, at, last):
    """Whether a move captures, whether it saves a group, and its direction from the last move (0 to 7, else −1)."""
    captures, threatened, gains = False, False, False
    for step in (-stride, -1, 1, stride):
        color = points[COLOR, at + step]
        if color == 0:
            gains = True
        elif color == 1 or color == 2:
            atari = in_atari(points, points[HEAD, at + step])
            captures |= atari and color != player
            threatened |= atari and color == player
            gains |= not atari and color == player
    direction, number = -1, 0
    for step in (-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1):
        if last != 0 and at == last + step:
            direction = number
        number += 1
    return captures, threatened and (captures or gains), direction


@compiled(nogil=True)
def fill_features(positions, planes):
    """Fill planes (B, 12, size²), zeros so far, of stacked positions; see `GoFastPlanes`."""
    for b in range(len(planes)):
        fill_one(state_at(positions, b), planes[b])


@compiled(nogil=True)
def fill_one(position, planes):
    """Fill planes (12, size²) of one position."""
    points, stride, player = position.points, position.size + 1, position.counts[PLAYER]
    last = last_move(position)
    for move in range(position.size * position.size):
        at = padded_point(move, position.size)
        if go.is_eye(position, at) or not go.is_legal_at(position, at):
            planes[1, move] = 1
            continue
        planes[0, move] = pattern_at(points, stride, player, at)
        captures, saves, direction = features_at(points, stride, player, at, last)
        planes[2 + CAPTURES, move], planes[2 + SAVES, move] = captures, saves
        if direction >= 0:
            planes[2 + NEAR + direction, move] = 1


@compiled(nogil=True)
def draw(position, last, patterns, features, weights, state):
    """Draw a move by the softmax of its logits; `last` is the padded point of the last move, 0 for none."""
    points, stride, player = position.points, position.size + 1, position.counts[PLAYER]
    count, total = position.counts[EMPTY_COUNT], 0.0
    for i in range(count):
        at = points[EMPTIES, i]
        weights[i] = 0.0
        if go.is_eye(position, at) or not go.may_stand(position, at):
            continue
        logit = patterns[pattern_at(points, stride, player, at)]
        captures, saves, direction = features_at(points, stride, player, at, last)
        if captures:
            logit += features[CAPTURES]
        if saves:
            logit += features[SAVES]
        if direction >= 0:
            logit += features[NEAR + direction]
        weights[i] = exp(logit)
        total += weights[i]
    while total > 0:
        place = drawn(weights, count, total, state)
        if place < 0:
            break
        if go.is_new(position, points[EMPTIES, place]):  # costly, so it is asked of the drawn one alone
            return points[EMPTIES, place]
        total -= weights[place]
        weights[place] = 0.0
    return go.PASS


@compiled(nogil=True, parallel=True)
def play_rollouts(states, patterns, features, rollouts, limit, seed):
    """`GoFastPolicy.rollouts`; position b uses random stream b of `seed`."""
    values = np.empty(len(states.points), np.float32)
    for b in nb.prange(len(values)):
        random = np.empty(1, np.uint64)
        random[0] = seeded(seed, b)
        start = state_at(states, b)
        work, weights, total = go.copy_of(start), np.empty(states.size * states.size), 0.0
        for _ in range(rollouts):
            go.copy_into(work, start)
            last, moves = last_move(start), 0
            while moves < limit and not go.is_over(work):
                last = draw(work, last, patterns, features, weights, random)
                go.play_at(work, last)
                moves += 1
            lead = go.lead_of(work) * (1 if start.counts[PLAYER] == 1 else -1)
            total += 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
        values[b] = total / rollouts
    return values

"""`planes.py` compiled by numba: the numbers of the planes, and the kernels that fill them."""

from __future__ import annotations

import numpy as np

from mock5go import ladders_compiled
from mock5go.board_compiled import copy_into, copy_of, is_eye, is_legal_at, is_over, play_at, state_at
from mock5go.groups_compiled import COLOR, HEAD, PLAYER, PLY, STONES, WHEN, in_atari, list_liberties
from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import padded_point
from mock5lib.game.points import BLACK

OWN, OTHER, EMPTY, ONES = range(4)
SINCE, LIBERTIES, CAPTURES, SELF_ATARI, LIBERTIES_AFTER = 4, 12, 20, 28, 36
LADDER_CAPTURE, LADDER_ESCAPE, SENSIBLE, ZEROS, BLACK_TO_MOVE = range(44, 49)
MOST = 8  # the greatest number that has a plane of its own


# Compiled -------------------------------------------------------------------------------------------------------


@compiled(nogil=True)
def fill_planes(position, planes):
    """Fill planes (48 or 49, size²), zeros so far, of one position; see `GoPlanes`."""
    points, counts, size = position.points, position.counts, position.size
    player, stride, found = counts[PLAYER], size + 1, np.empty(MOST, np.int32)
    planes[ONES] = 1
    if len(planes) > BLACK_TO_MOVE:
        planes[BLACK_TO_MOVE] = player == BLACK
    work, escapes = copy_of(position), np.zeros(points.shape[1], np.bool_)
    over = is_over(position)
    if not over:
        ladders_compiled.mark_escapes(position, work, escapes)
    for move in range(size * size):
        at = padded_point(move, size)
        stone = points[COLOR, at]
        if stone != 0:
            planes[OWN if stone == player else OTHER, move] = 1
            planes[SINCE + min(counts[PLY] - points[WHEN, at] + 1, MOST) - 1, move] = 1
            planes[LIBERTIES + list_liberties(points, stride, points[HEAD, at], found) - 1, move] = 1
            continue
        planes[EMPTY, move] = 1
        if over or not is_legal_at(position, at):
            continue
        planes[CAPTURES + min(captured_by(position, at), MOST - 1), move] = 1
        planes[SENSIBLE, move] = not is_eye(position, at)
        planes[LADDER_CAPTURE, move] = ladders_compiled.captures_in_ladder(position, at, work)
        planes[LADDER_ESCAPE, move] = escapes[at]
        copy_into(work, position)
        play_at(work, at)
        head = work.points[HEAD, at]
        liberties = list_liberties(work.points, stride, head, found)
        planes[LIBERTIES_AFTER + liberties - 1, move] = 1
        if liberties == 1:
            planes[SELF_ATARI + min(work.points[STONES, head], MOST) - 1, move] = 1


@compiled(nogil=True)
def fill_batch(positions, planes):
    """`fill_planes` for stacked positions."""
    for b in range(len(planes)):
        fill_planes(state_at(positions, b), planes[b])


@compiled
def captured_by(position, at):
    """How many stones a legal move captures."""
    points, stride, count = position.points, position.size + 1, 0
    for step in (-stride, -1, 1, stride):
        beside = at + step
        if points[COLOR, beside] != 3 - position.counts[PLAYER] or not in_atari(points, points[HEAD, beside]):
            continue
        new = True
        for earlier in (-stride, -1, 1, stride):
            if earlier == step:
                break
            same = points[COLOR, at + earlier] == points[COLOR, beside]
            new &= not (same and points[HEAD, at + earlier] == points[HEAD, beside])
        if new:
            count += points[STONES, points[HEAD, beside]]
    return count

"""`planes.py` compiled by numba: the numbers of the planes, and the kernels that fill them."""

from __future__ import annotations

import numba as nb
import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.gomoku import forced_wins as vcf
from mock5lib.gomoku import forced_wins_compiled
from mock5lib.gomoku.lines_compiled import load, new_position

OWN, OTHER, EMPTY, ONES, ZEROS, SENSIBLE = range(6)
SINCE, LEVEL, LEVEL_OTHER, SECOND, SECOND_OTHER = 6, 14, 22, 30, 38
WIN_STARTS, REFUTES, BLACK_TO_MOVE = 46, 47, 48
AGES = 8
DEPTH = vcf.DEPTH  # fours that planes 46 and 47 read ahead
REMEMBERED = 1 << 9  # positions that one board's reading remembers


@compiled(nogil=True, parallel=True)
def fill_batch(boards, players, recent, lines, tables, planes):
    """Fill planes (B, 48 or 49, A) float32 of boards (B, A) int8; see `AlphaGoPlanes`."""
    for b in nb.prange(len(boards)):
        fill_one(boards[b], players[b], recent[b], lines, tables, planes[b])


@compiled(nogil=True)
def fill_one(board, player, recent, lines, tables, planes):
    """Fill planes (48 or 49, A) of one board."""
    planes[:] = 0
    planes[ONES] = 1
    if len(planes) > BLACK_TO_MOVE:
        planes[BLACK_TO_MOVE] = player == 1
    position = new_position(lines, tables)
    load(position, board, -1)
    fours = fill_points(board, player, position, planes)
    fill_ages(board, recent, planes)
    if fours:
        reading, mask = (
            forced_wins_compiled.make_reading(position, False, DEPTH, REMEMBERED),
            np.empty(len(board), dtype=np.bool_),
        )
        forced_wins_compiled.mark_starts(reading, player, DEPTH, mask)
        planes[WIN_STARTS] = mask
        forced_wins_compiled.mark_refutations(reading, player, DEPTH, mask)
        planes[REFUTES] = mask


@compiled(inline="always")
def rank_of(level):
    """A level's place in `threats.PRECEDENCE`; and back, for it is its own inverse."""
    return 7 - level if level == 3 or level == 4 else level


@compiled
def fill_points(board, player, position, planes):
    """Stones, sensible moves and threat levels. Returns whether anyone can make a four or more."""
    own_shift, other_shift = 4 * (player - 1), 4 * (2 - player)
    fours = False
    for point in range(len(board)):
        if board[point] != 0:
            planes[OWN if board[point] == player else OTHER, point] = 1
            continue
        planes[EMPTY, point] = 1
        best = second = best_other = second_other = life = 0
        levels = np.int64(position.levels[position.lines.points[point]])
        for direction in range(4):
            entry = levels >> 8 * direction
            life |= entry & 0x88
            rank = rank_of((entry >> own_shift) & 7)
            second = max(second, min(best, rank))
            best = max(best, rank)
            rank = rank_of((entry >> other_shift) & 7)
            second_other = max(second_other, min(best_other, rank))
            best_other = max(best_other, rank)
        planes[SENSIBLE, point] = life != 0
        planes[LEVEL + rank_of(best), point] = 1
        planes[LEVEL_OTHER + rank_of(best_other), point] = 1
        planes[SECOND + rank_of(second), point] = 1
        planes[SECOND_OTHER + rank_of(second_other), point] = 1
        fours |= best >= 4 or best_other >= 4
    return fours


@compiled
def fill_ages(board, recent, planes):
    """How many turns ago each stone was played; stones that are not among the last seven moves go to the last plane."""
    for point in range(len(board)):
        planes[SINCE + AGES - 1, point] = board[point] != 0
    for ago in range(AGES - 1):
        if recent[ago] >= 0 and board[recent[ago]] != 0:
            planes[SINCE + AGES - 1, recent[ago]] = 0
            planes[SINCE + ago, recent[ago]] = 1

"""The lines through each point of a board, kept up to date stone by stone, for five in a row. Compiled by numba.

What a stone on an empty point would make along one direction depends on the five points to each side alone. These
ten points, two bits each (0 empty, 1 black, 2 white, 3 off the board), are the point's *line code*; a table gives the
threat level for each code. A new stone therefore changes codes, levels and scores of at most forty points, five to
each side along four lines, and only these are worked out again. Threats, forced wins, planes and heuristics read them.

A game lives on a padded board: five columns of walls right of each row and five rows of walls above and below, so
that a walk of five steps needs no look at the edges. Point (row, col) has the padded index
(row + 5) * (width + 5) + col + 5. Only k = 5 makes sense here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import WALL

REACH = 5  # points to each side that count
NOWHERE = -1e30  # the score of an occupied point or a wall


class Lines(NamedTuple):
    """What all games on boards of one size share. P is the size of the padded board."""

    height: int
    width: int
    stride: int  # length of a padded row
    points: np.ndarray  # (H * W,) int32: the padded index of each point
    walls: np.ndarray  # (P,) int8: the empty padded board
    codes: np.ndarray  # (P, 4) int32: line codes of the empty board
    center: np.ndarray  # (P,) float64: 1 + distance center to corner − distance to center; NOWHERE on walls


class Tables(NamedTuple):
    """What a stone makes and is worth, by the byte that holds both colors' levels in one direction."""

    classes: np.ndarray  # (2, 1024, 2) int32, `threats.side_classes`
    threats: np.ndarray  # (64 * 64,) uint8, `threats.level_table`; both fit into a core's first cache
    values: np.ndarray  # (S, 256) int32: scaled score of a byte; S is 0 where only levels are asked for
    units: np.ndarray  # (S,) float64: 1 / scale
    slots: np.ndarray  # (2, 6) int64: which of the S scores serves [color − 1, kind], −1 for none
    greedy: np.ndarray  # (2, 256) int32: greedy's values for both colors, by which mistakes are drawn


class LineBoard(NamedTuple):
    """One game under way. S is the number of scores kept, one for each (color, scoring) that is asked for."""

    lines: Lines
    tables: Tables
    board: np.ndarray  # (P,) int8
    codes: np.ndarray  # (P, 4) int32: the line code of each point in each direction
    levels: np.ndarray  # (P,) uint32: one byte per direction, black's level in its low half, white's in its high
    base: np.ndarray  # (P,) float64: `Lines.center`, and NOWHERE on occupied points
    sums: np.ndarray  # (S, P) int32: the scaled part of the score that comes from threats
    scores: np.ndarray  # (S, P) float64
    weights: np.ndarray  # (H * W,) float64: scratch for drawing a point
    row_tops: np.ndarray  # (H,) float64: scratch for finding the highest score


# Set-up ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def lines_of(height: int, width: int) -> Lines:
    """The shared arrays for boards of this size."""
    stride = width + REACH
    size = (height + 2 * REACH) * stride + REACH
    rows, cols = np.divmod(np.arange(height * width), width)
    points = ((rows + REACH) * stride + cols + REACH).astype(np.int32)
    walls = np.full(size, WALL, dtype=np.int8)
    walls[points] = 0
    codes = np.zeros((size, 4), dtype=np.int32)
    for direction in range(4):
        for offset in range(-REACH, REACH + 1):
            beside = walls[points + offset * step_along(stride, direction)].astype(np.int32)
            codes[points, direction] |= beside << code_shift(offset)  # at 0 there is no wall
    center = np.full(size, NOWHERE)
    center[points] = centrality(height, width)
    return Lines(height, width, stride, points, walls, codes, center)


@compiled(inline="always")
def code_shift(offset):
    """The bit position, in a line code, of the point `offset` steps away (−5 … −1, 1 … 5)."""
    return 2 * (offset + REACH) if offset < 0 else 2 * (offset + REACH - 1)


@compiled(inline="always")
def step_along(stride, direction):
    """What one step along a direction adds to a padded index: row, column, right-down, left-down."""
    return 1 if direction == 0 else stride + direction - 1 if direction < 3 else stride - 1


def centrality(height: int, width: int) -> np.ndarray:
    """1 + distance from the center to a corner − distance from the center, per point, shape (height * width,)."""
    center_row, center_col = (height - 1) / 2, (width - 1) / 2
    rows, cols = np.divmod(np.arange(height * width), width)
    return 1 + np.hypot(center_row, center_col) - np.hypot(rows - center_row, cols - center_col)


# One position ---------------------------------------------------------------------------------------------------


@compiled(nogil=True)
def new_position(lines, tables):
    """Room for one game; `clear` makes it an empty board."""
    size, scores = len(lines.walls), len(tables.units)
    return LineBoard(
        lines,
        tables,
        np.empty(size, dtype=np.int8),
        np.empty((size, 4), dtype=np.int32),
        np.empty(size, dtype=np.uint32),
        np.empty(size, dtype=np.float64),
        np.empty((scores, size), dtype=np.int32),
        np.empty((scores, size), dtype=np.float64),
        np.empty(lines.height * lines.width, dtype=np.float64),
        np.empty(lines.height, dtype=np.float64),
    )


@compiled(nogil=True)
def clear(position):
    """Take all stones off: no point makes anything, so only the distance to the center tells points apart."""
    lines, tables = position.lines, position.tables
    position.board[:] = lines.walls
    position.codes[:] = lines.codes
    position.levels[:] = 0
    position.base[:] = lines.center
    for slot in range(len(tables.units)):
        nothing = 4 * tables.values[slot, 0]
        position.sums[slot] = nothing
        for at in range(len(lines.walls)):
            position.scores[slot, at] = lines.center[at] + nothing * tables.units[slot]


@compiled(inline="always")
def levels_byte(tables, code):
    """Both colors' levels for a line code, black's in the low half of a byte."""
    left, right = code & 1023, code >> 10
    black = tables.threats[tables.classes[0, left, 0] << 6 | tables.classes[1, right, 0]]
    white = tables.threats[tables.classes[0, left, 1] << 6 | tables.classes[1, right, 1]]
    return np.uint32(black) | np.uint32(white) << np.uint32(4)


@compiled(inline="always")
def enter(position, at, direction, code):
    """Give point `at` a new line code along one direction, and with it a new level and new scores."""
    tables = position.tables
    position.codes[at, direction] = code
    levels, shift = position.levels[at], np.uint32(8 * direction)
    old, new = (levels >> shift) & np.uint32(255), levels_byte(tables, code)
    if new != old:
        position.levels[at] = levels ^ ((old ^ new) << shift)
        for slot in range(len(tables.units)):
            total = position.sums[slot, at] + tables.values[slot, new] - tables.values[slot, old]
            position.sums[slot, at] = total
            position.scores[slot, at] = position.base[at] + total * tables.units[slot]


@compiled(nogil=True)
def place(position, at, stone):
    """Put a stone on padded point `at`: up to forty points along four lines are worked out again.

    Putting it there once more takes it out of its neighbors' lines; `board[at] = 0` then takes it off.
    """
    position.board[at] = stone
    position.base[at] = NOWHERE
    for slot in range(len(position.tables.units)):
        position.scores[slot, at] = NOWHERE
    for direction in range(4):
        step = step_along(position.lines.stride, direction)
        for offset in range(1, REACH + 1):
            near = at + offset * step
            if position.board[near] == WALL:
                break
            enter(position, near, direction, position.codes[near, direction] ^ (stone << code_shift(-offset)))
        for offset in range(1, REACH + 1):
            near = at - offset * step
            if position.board[near] == WALL:
                break
            enter(position, near, direction, position.codes[near, direction] ^ (stone << code_shift(offset)))


@compiled(inline="always")
def level_at(levels, direction, color):
    """One color's level in one direction, out of the four bytes of a point; a table may use the bit above it."""
    return (levels >> np.uint32(8 * direction + 4 * (color - 1))) & np.uint32(7)


@compiled(inline="always")
def is_five(level, exact):
    """Whether a stone of this level wins: five, or an overline where that wins too."""
    return level == 6 or (level == 7 and not exact)


@compiled(inline="always")
def completes_five(levels, color, exact):
    """Whether a stone of `color` on a point with these levels wins, in any direction."""
    found = levels & (levels << np.uint32(1))  # bit 2 of a half-byte that has bits 2 and 1, so level 6 or 7
    if exact:
        found &= ~(levels << np.uint32(2))  # but not bit 0
    return found & (np.uint32(0x04040404) << np.uint32(4 * (color - 1))) != 0


@compiled(nogil=True)
def load(position, board, slot):
    """Set up a whole board of (H * W,) stones; of the scores only number `slot` (−1: none). Returns the stones."""
    lines, tables = position.lines, position.tables
    position.board[:] = lines.walls
    position.codes[:] = lines.codes
    position.base[:] = lines.center
    stones = 0
    for point in range(len(board)):
        if board[point] != 0:
            stamp(position, lines.points[point], board[point])
            stones += 1
    for at in lines.points:
        levels, total = np.uint32(0), 0
        for direction in range(4):
            byte = levels_byte(tables, position.codes[at, direction])
            levels |= byte << np.uint32(8 * direction)
            total += tables.values[slot, byte] if slot >= 0 else 0
        position.levels[at] = levels
        if slot >= 0:
            position.scores[slot, at] = position.base[at] + total * tables.units[slot]
    return stones


@compiled(nogil=True)
def stamp(position, at, stone):
    """Put a stone on the board and into its neighbors' line codes; levels and scores wait for `load`."""
    position.board[at] = stone
    position.base[at] = NOWHERE
    for direction in range(4):
        step = step_along(position.lines.stride, direction)
        for offset in range(1, REACH + 1):
            position.codes[at + offset * step, direction] ^= stone << code_shift(-offset)
            position.codes[at - offset * step, direction] ^= stone << code_shift(offset)


@compiled(inline="always")
def point_at(position, at):
    """The point, row * width + col, of a padded one."""
    stride, width = position.lines.stride, position.lines.width
    return (at // stride - REACH) * width + at % stride - REACH


@compiled(nogil=True)
def threat_levels(lines, tables, board):
    """The levels of a board of (H * W,) stones, (2, 4, H * W) uint8: [color − 1, direction, point], 0 on stones."""
    position, levels = new_position(lines, tables), np.zeros((2, 4, len(board)), dtype=np.uint8)
    load(position, board, -1)
    for point in range(len(board)):
        if board[point] == 0:
            for direction in range(4):
                for color in (1, 2):
                    found = level_at(position.levels[lines.points[point]], direction, color)
                    levels[color - 1, direction, point] = found
    return levels

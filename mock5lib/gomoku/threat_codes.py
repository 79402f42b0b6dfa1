"""What a stone would make on each point and line, compiled: the fast twin of `threats.py`, on flat int8 arrays.

What a stone on an empty point would make along one direction depends on the five points to each side alone. These
ten points, two bits each (0 empty, 1 black, 2 white, 3 off the board), are the point's *line code*. A table gives
the threat level for each code, and a new stone changes the codes of at most forty points. Defined for k = 5.
"""

from __future__ import annotations

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import WALL

REACH = 5


@compiled(inline="always")
def code_shift(offset):
    """The bit position, in a line code, of the point `offset` steps away (−5 … −1, 1 … 5)."""
    return 2 * (offset + REACH) if offset < 0 else 2 * (offset + REACH - 1)


@compiled
def window_rank(line, first, colour):
    """The rank of what the five points from `first` give to the middle of `line` (11 points); see `threats.py`.

    Ranks are the levels in order of precedence: 3 is an open three, 4 a four.
    """
    stones, nearest = 0, 0
    for at in range(first, first + 5):
        if line[at] == colour:
            stones += 1
            nearest = at if stones == 1 else nearest
        elif line[at] != 0:
            return 0
    here, last = REACH, first + 4
    free_before, free_after = line[first - 1] == 0, line[last + 1] == 0
    if stones == 4:
        return 7 if line[first - 1] == colour or line[last + 1] == colour else 6
    if stones == 3:
        opens_left = here > first and line[first] == 0 and free_after
        opens_right = here < last and line[last] == 0 and free_before
        return 5 if opens_left or opens_right else 4
    if stones == 2:
        return 3 if opens_three(line, first, here - first, free_before, free_after) else 2
    if stones == 1:
        return 1 if abs(here - nearest) <= 2 else 0
    return 0


@compiled(inline="always")
def opens_three(line, first, place, free_before, free_after):
    """Whether a third stone at `place` (0 to 4 in the window) makes an open three, as the original package reads it."""
    if line[first] != 0 or line[first + 4] != 0:
        return False
    if line[first + 1] == 0:  # the two stones stand in the right half
        return (free_before and place <= 1) or (free_after and place == 1)
    if line[first + 3] == 0:  # in the left half
        return (free_after and place >= 3) or (free_before and place == 3)
    if free_before:  # one each side of the middle
        return place == 0 or place == 2
    return free_after and (place == 2 or place == 4)


@compiled
def half_index(half, colour):
    """One side of a line code (five points, ten bits) as a base-3 number: 0 empty, 1 of `colour`, 2 blocked."""
    index = 0
    for slot in range(REACH):
        stone = (half >> (2 * slot)) & 3
        index = 3 * index + (0 if stone == 0 else 1 if stone == colour else 2)
    return index


@compiled
def levels_of_one_colour():
    """The level by the two sides' `half_index`, shape (243, 243): all that one colour can meet."""
    levels = np.zeros((3**REACH, 3**REACH), dtype=np.uint8)
    line = np.zeros(2 * REACH + 1, dtype=np.int8)
    for left in range(3**REACH):
        for right in range(3**REACH):
            for slot in range(REACH):
                power = 3 ** (REACH - 1 - slot)
                line[slot] = left // power % 3
                line[REACH + 1 + slot] = right // power % 3
            rank = 0
            for first in range(1, REACH + 1):
                rank = max(rank, window_rank(line, first, 1))
            # A four outranks an open three but has the smaller level.
            levels[left, right] = 7 - rank if rank == 3 or rank == 4 else rank
    return levels


@compiled
def fill_threat_table(table):
    levels = levels_of_one_colour()
    halves = np.empty((2, 1 << (2 * REACH)), dtype=np.int64)
    for half in range(halves.shape[1]):
        for colour in (1, 2):
            halves[colour - 1, half] = half_index(half, colour)
    for code in range(len(table)):
        left, right = code & (halves.shape[1] - 1), code >> (2 * REACH)
        black = levels[halves[0, left], halves[0, right]]
        white = levels[halves[1, left], halves[1, right]]
        table[code] = black | white << 4


_tables: dict[str, np.ndarray] = {}


def threat_table() -> np.ndarray:
    """Threat levels by line code, shape (2**20,) uint8: black's level in the low four bits, white's in the high."""
    if "threats" not in _tables:
        table = np.empty(1 << (4 * REACH), dtype=np.uint8)
        fill_threat_table(table)
        _tables["threats"] = table
    return _tables["threats"]


@compiled(nogil=True)
def empty_codes(height, width, codes):
    """Fill `codes`, shape (4, H * W) int32, with the line codes of an empty board: only walls."""
    directions = ((0, 1), (1, 0), (1, 1), (1, -1))
    for d in range(4):
        d_row, d_col = directions[d]
        for move in range(height * width):
            row, col, code = move // width, move % width, 0
            for offset in range(-REACH, REACH + 1):
                r, c = row + offset * d_row, col + offset * d_col
                if offset != 0 and not (0 <= r < height and 0 <= c < width):
                    code |= WALL << code_shift(offset)
            codes[d, move] = code


@compiled(nogil=True)
def place_in_codes(codes, height, width, move, stone):
    """Enter a stone at `move` into the line codes of its neighbours; entering it a second time takes it out."""
    directions = ((0, 1), (1, 0), (1, 1), (1, -1))
    row, col = move // width, move % width
    for d in range(4):
        d_row, d_col = directions[d]
        for offset in range(-REACH, REACH + 1):
            r, c = row + offset * d_row, col + offset * d_col
            if offset != 0 and 0 <= r < height and 0 <= c < width:
                codes[d, r * width + c] ^= stone << code_shift(-offset)


@compiled(nogil=True)
def line_codes(board, height, width, codes):
    """Fill `codes`, shape (4, H * W) int32, for a whole board."""
    empty_codes(height, width, codes)
    for move in range(height * width):
        if board[move] != 0:
            place_in_codes(codes, height, width, move, board[move])


@compiled(nogil=True)
def threat_levels(board, height, width, table, levels):
    """Fill `levels`, shape (2, 4, H * W) uint8: [colour − 1, direction, point], 0 on occupied points."""
    codes = np.empty((4, height * width), dtype=np.int32)
    line_codes(board, height, width, codes)
    for d in range(4):
        for move in range(height * width):
            packed = table[codes[d, move]] if board[move] == 0 else 0
            levels[0, d, move] = packed & 15
            levels[1, d, move] = packed >> 4

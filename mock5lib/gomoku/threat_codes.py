"""Line codes: what compiled code knows of the lines through each point, on flat int8 arrays.

What a stone on an empty point would make along one direction depends on the five points to each side alone. These
ten points, two bits each (0 empty, 1 black, 2 white, 3 off the board), are the point's *line code*. A table gives
the threat level for each code (`threats.threat_table`), and a new stone changes the codes of at most forty points.
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

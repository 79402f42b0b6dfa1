"""The points of a board: what they hold, how they are written, and the lines through them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

EMPTY, BLACK, WHITE = 0, 1, 2
STONES = ".OX"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # row, column, right-down, left-down
MAX_SIDE = len(DIGITS)


def typed_point(text: str, height: int, width: int) -> tuple[int, int] | None:
    """The (row, column) that somebody types; None if it is no point of the board.

    As the printed board names it, 4a, `4 a` or `a 4`: row, then column, both from 0. Or as players say it, h8 or H8: a
    letter for the column, then a number for the row, both from 1 and the rows from the bottom. A letter and a number
    without a space between them are always the latter, though the rows of large boards have letters, too.
    """
    words = text.upper().replace(",", " ").split()
    if len(words) == 1 and (said := re.fullmatch(r"([A-Z])(\d{1,2})", words[0])):
        row, col = height - int(said[2]), DIGITS.index(said[1]) - 10
    else:
        words = list(words[0]) if len(words) == 1 and len(words[0]) == 2 else words
        if len(words) != 2:
            return None
        row, col = (int(word) if word.isdecimal() else DIGITS.find(word) if len(word) == 1 else -1 for word in words)
    return (row, col) if 0 <= row < height and 0 <= col < width else None


class Cells(bytearray):
    """The points of a board, one byte each: fast as a bytearray, but it prints and compares like a list."""

    def __repr__(self) -> str:
        return repr(list(self))

    def __eq__(self, other: object) -> bool:
        return bytes(self) == bytes(other) if isinstance(other, (bytes, bytearray)) else list(self) == other

    __hash__ = None


def play_history(game: Any, history: Any) -> None:
    """Play the moves that a new board was given, if any; a TypeError, ValueError or IndexError names a wrong one."""
    if not isinstance(history, Iterable | None):
        raise TypeError(f"history must be a list of moves, got {history!r}.")
    for number, move in enumerate(history if history is not None else (), start=1):
        try:
            game.apply(move)
        except (TypeError, ValueError, IndexError) as problem:
            raise type(problem)(f"Move {number} of the history: {problem}") from None


def checked_stones(board: Any, height: int, width: int) -> bytes:
    """The stones that a game is to start from, as bytes (all empty for None), or a ValueError."""
    size = height * width
    if board is None:
        return bytes(size)
    stones = list(board) if isinstance(board, (bytes, bytearray)) else np.asarray(board).reshape(-1).tolist()
    if len(stones) != size:
        raise ValueError(f"A {height}×{width} board has {size} points, got {len(stones)}.")
    for stone in stones:
        if stone not in (EMPTY, BLACK, WHITE):
            raise ValueError(f"A point of the board is 0 (empty), 1 (black) or 2 (white), got {stone}.")
    return bytes(map(int, stones))


@lru_cache(maxsize=64)
def rays(height: int, width: int, reach: int) -> list:
    """Where the lines through each point go: `rays[point]` holds four pairs (one way, the other way) of index lists.

    Each list starts next to the point and stops at the edge or after `reach` points.
    """

    def walk(row: int, col: int, d_row: int, d_col: int) -> tuple[int, ...]:
        points = []
        for _ in range(reach):
            row, col = row + d_row, col + d_col
            if not (0 <= row < height and 0 <= col < width):
                break
            points.append(row * width + col)
        return tuple(points)

    return [
        [(walk(row, col, dr, dc), walk(row, col, -dr, -dc)) for dr, dc in DIRECTIONS]
        for row in range(height)
        for col in range(width)
    ]

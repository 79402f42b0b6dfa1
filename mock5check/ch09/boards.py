"""Boards of Go as flat lists, for chapter 9's checks, and pictures of them.

A board holds size² numbers in row-major order: 0 empty, 1 black, 2 white. A picture shows black as O, white as X.
"""

from __future__ import annotations

STONES = ".OX"


def board_of(text: str) -> tuple[list[int], int]:
    """(board, size) of rows such as ".OX ..O XX."."""
    rows = text.split()
    return [STONES.index(letter) for row in rows for letter in row], len(rows)


def picture(board, size: int) -> str:
    """The rows of a board."""
    return "\n".join(" ".join(STONES[stone] for stone in board[row * size : (row + 1) * size]) for row in range(size))

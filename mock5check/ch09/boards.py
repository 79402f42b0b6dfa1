"""Boards of Go as flat lists, for chapter 9's checks: pictures of them, random ones, and chases of a group.

A board holds size² numbers in row-major order: 0 empty, 1 black, 2 white. A picture shows black as O, white as X.
"""

from __future__ import annotations

import numpy as np

from mock5check.answers import NO_RETURN, Members
from mock5check.core import Refused
from mock5go.board import Go

STONES = ".OX"


def board_of(text: str) -> tuple[list[int], int]:
    """(board, size) of rows such as ".OX ..O XX."."""
    rows = text.split()
    return [STONES.index(letter) for row in rows for letter in row], len(rows)


def picture(board, size: int) -> str:
    """The rows of a board."""
    return "\n".join(" ".join(STONES[stone] for stone in board[row * size : (row + 1) * size]) for row in range(size))


def random_games(rng, count=12):
    """Games of Go after some random moves, with captures."""
    for size, moves in zip(rng.integers(2, 8, count), rng.integers(3, 60, count)):
        game = Go(int(size), 0.5)
        for _ in range(moves):
            if len(choices := game.playout_moves()):
                game.apply(int(rng.choice(choices)))
        yield game


def members(answer, kinds: tuple, wanted: str) -> Members:
    """The points in an answer of one of these kinds; if it is none, it is refused with the sentence `wanted`."""
    if answer is None:
        raise Refused(NO_RETURN)
    whole = isinstance(answer, kinds) and all(
        isinstance(one, (int, np.integer)) and not isinstance(one, bool) for one in answer
    )
    if not whole:
        raise Refused(wanted)
    return Members(sorted(map(int, answer)))


def call_on_board(name):
    return lambda board, size, *rest: (
        f"{name}(board, {', '.join(map(str, (size, *rest)))}), where board is\n{picture(board, size)}"
    )


LADDER = [".........", ".........", "...XX....", "..XO.....", ".........", ".........", "........."]
CHASES = (  # the board, who is to move, a stone of the prey
    ("OX.. .... .... ....", 1, 0),  # a stone in atari in the corner
    (".OXO. OX.O. .XOX. ..X.. .....", 1, 12),  # a hunter in atari beside the prey
    ("..... ..... ..X.. .XO.. .....", 2, 17),  # a prey on the edge, and the hunter to move
    ("..OXX X.X.O X.XOX XOOO. O.XOO", 2, 14),  # a long row of hunters in atari
    ("X.OX O.X. ...O OXXO", 1, 13),  # hunters in atari in two places
    (" ".join([*LADDER, *["." * 9] * 2]), 2, 30),  # a ladder on a free board
    (" ".join([*LADDER[:6], "......O..", *["." * 9] * 2]), 2, 30),  # a ladder, and a breaker on its way
)

"""Boards of Go as flat lists, for chapter 9's checks: neighbours, groups, moves, scores, and pictures of them.

A board holds size² numbers in row-major order: 0 empty, 1 black, 2 white. A picture shows black as O, white as X.
Keywords make the mistakes that the checks know.
"""

from __future__ import annotations

import numpy as np

from mock5lib.go.board import Go

STONES = ".OX"


def board_of(text: str) -> tuple[list[int], int]:
    """(board, size) of rows such as ".OX ..O XX."."""
    rows = text.split()
    return [STONES.index(letter) for row in rows for letter in row], len(rows)


def picture(board, size: int) -> str:
    """The rows of a board."""
    return "\n".join(" ".join(STONES[stone] for stone in board[row * size : (row + 1) * size]) for row in range(size))


def neighbours(size: int, point: int, *, wraps: str = "") -> list[int]:
    """The two to four points beside one; `wraps`: as if the rows' "left" or "right" ends, or "both", went on."""
    row, col = divmod(point, size)
    if wraps:
        beside = [point - size, point + size]
        beside += [point - 1] if col or wraps != "right" else []
        beside += [point + 1] if col < size - 1 or wraps != "left" else []
        return [point for point in beside if 0 <= point < size * size]
    beside = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
    return [r * size + c for r, c in beside if 0 <= r < size and 0 <= c < size]


def corners(size: int, point: int) -> list[int]:
    """The one, two or four points diagonally beside one."""
    row, col = divmod(point, size)
    beside = [(row + dr, col + dc) for dr in (-1, 1) for dc in (-1, 1)]
    return [r * size + c for r, c in beside if 0 <= r < size and 0 <= c < size]


def group_of(board, size: int, point: int, *, wraps="", diagonal=False, one_step=False, alone=False):
    """(stones of the group, its liberties), two sets."""
    stones, waiting, colour = {point}, [point], board[point]
    while waiting:
        at = waiting.pop()
        for beside in neighbours(size, at, wraps=wraps) + (corners(size, at) if diagonal else []):
            if board[beside] == colour and beside not in stones:
                stones.add(beside)
                if not one_step:
                    waiting.append(beside)
    breathing = {point} if alone else stones
    return stones, {b for stone in breathing for b in neighbours(size, stone, wraps=wraps) if board[b] == 0}


def played(
    board, size: int, point: int, player: int, *, takes=True, takes_one=False, suicide=False, first=False, lonely=False
):
    """The board after a move, or None if it is occupied or suicide.

    takes: are captured stones taken off? takes_one: one group only. suicide: is it allowed, with the own stones taken
    off? first: is it looked at before the captures? lonely: must the stone have an empty point beside it, whatever it
    is connected with?
    """
    if board[point]:
        return None
    after = list(board)
    after[point] = player
    if first and not group_of(after, size, point)[1]:
        return None
    taken = 0
    for beside in neighbours(size, point):
        stones, liberties = group_of(after, size, beside)
        if takes and after[beside] == 3 - player and not liberties and not (takes_one and taken):
            taken += 1
            for stone in stones:
                after[stone] = 0
    stones, liberties = group_of(after, size, point)
    if suicide and not liberties:
        return [0 if at in stones else stone for at, stone in enumerate(after)]
    if lonely:
        liberties = [b for b in neighbours(size, point) if after[b] == 0]
    return after if liberties else None


def regions_of(board, size: int):
    """(points of an empty region, colours that it touches), one after the other."""
    left = {point for point, stone in enumerate(board) if stone == 0}
    while left:
        region, _ = group_of(board, size, left.pop())
        left -= region
        yield region, {board[b] for point in region for b in neighbours(size, point)} - {0}


def areas_of(board, size: int) -> tuple[int, int]:
    """The area of black and of white."""
    counts = [0, board.count(1), board.count(2)]
    for region, colours in regions_of(board, size):
        if len(colours) == 1:
            counts[colours.pop()] += len(region)
    return counts[1], counts[2]


def lead_of(board, size: int, komi: float) -> float:
    """Black's area less white's area and komi."""
    black, white = areas_of(board, size)
    return float(black - white - komi)


def is_eye(board, size: int, point: int, player: int, *, edge=0, middle=1, cornered=True) -> bool:
    """Whether an empty point is an own eye: `edge` and `middle` say how many corners the opponent may hold.

    cornered=False: do not look at the corners.
    """
    if board[point] or any(board[b] != player for b in neighbours(size, point)):
        return False
    across = corners(size, point)
    held = sum(board[corner] == 3 - player for corner in across)
    return not cornered or held <= (middle if len(across) == 4 else edge)


def playout_moves_of(game: Go, *, both=False, pass_too=False, **rules) -> list[int]:
    """Legal points that are no own eyes; a pass where there is none. both: no eyes of the opponent, too."""
    players = (1, 2) if both else (game.player,)
    moves = [
        move
        for move in game.legal_moves()[:-1]
        if not any(is_eye(game.board, game.size, move, player, **rules) for player in players)
    ]
    if game.over:
        return []
    return moves + [game.pass_move] if pass_too or not moves else moves


def planes_after(game: Go, *, most=8, shift=1, before="", alone=False) -> np.ndarray:
    """(8, size, size) float32: plane n − 1 is 1 where a legal move leaves its group n liberties, the last n ≥ 8.

    before: captured stones stay, and a stone without a liberty then gets "none" of the planes, that of "one" liberty,
    or the "last". alone: the stone's own liberties only.
    """
    planes = np.zeros((8, game.size**2), np.float32)
    for move in game.legal_moves()[:-1]:
        after = list(game.board)
        after[move] = game.player
        if not before:
            after = played(game.board, game.size, move, game.player)
        liberties = len(group_of(after, game.size, move, alone=alone)[1])
        if liberties == 0 and before == "one":
            liberties = 1
        if liberties or before == "last":
            planes[min(min(liberties, most) - shift, 7), move] = 1
    return planes.reshape(8, game.size, game.size)

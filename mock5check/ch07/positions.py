"""Positions for the agent of chapter 7's capstone: quiet ones, and those in which five in a row decides."""

from functools import cache

import numpy as np

from mock5lib import Mock5
from mock5lib.search.puct import immediate_wins

IDEAS = {
    "own": "It can make five in a row at once, and that wins.",
    "other": "The opponent threatens to make five in a row at one point, which must be taken.",
    "both": "It can make five in a row at once, and that wins, whatever the opponent threatens.",
    "edge": "The opponent threatens to make five in a row at one point, which must be taken. (Four stones are "
    "not a row if it goes off the board on one side and comes in again on the other.)",
}


class Position:
    """What an agent may use of a game, and nothing else."""

    def __init__(self, game):
        self.board, self.height, self.width, self.player = list(game.board), game.height, game.width, game.player

    def __repr__(self) -> str:
        return f"a position of {self.height}×{self.width}, player {self.player} to move: {self.board}"


@cache
def quiet() -> tuple:
    """Unfinished positions on boards of several sizes, the emptiest and the fullest among them."""
    rng, found = np.random.default_rng(70), [Mock5(9, 9), Mock5(20, 20), Mock5(9, 13), Mock5(5, 12), Mock5(12, 5)]
    for height, width, stones in ((9, 9, 20), (15, 15, 41), (7, 10, 33), (9, 9, 60), (5, 5, 24), (20, 20, 120)):
        game = None
        while game is None or game.winner is not None:
            game = _filled(rng, height, width, [0] * (height * width), stones)
        found.append(game)
    return tuple(found)


@cache
def tactics() -> tuple:
    """((game, moves that are right, what it is about), …), both players to move."""
    rng, found = np.random.default_rng(71), []
    while len(found) < 80:
        kind = tuple(IDEAS)[len(found) % 4]
        height, width = [(9, 9), (15, 15), (9, 11), (5, 12), (12, 5)][len(found) // 4 % 5]
        mover = 1 + len(found) // 4 % 2
        board = [0] * (height * width)
        if kind != "other":
            _plant(rng, board, mover, _row(rng, height, width, flat=kind == "edge"))
        if kind != "own":
            _plant(rng, board, 3 - mover, _row(rng, height, width))
        game = _filled(rng, height, width, board, 12 + (mover == 2))
        own, other = immediate_wins(game, mover), immediate_wins(game, 3 - mover)
        fits = {"own": own and not other, "both": own and set(other) - set(own)}
        if fits.get(kind, not own and len(other) == 1):
            found.append((game, own or other, IDEAS[kind]))
    ways, steps = (1, 15, 16, 14), (-4, -2, -1, 1, 3)
    star = [112 + step * way for way in ways for step in steps]
    fours = [110, 111, 113, 114, 82, 97, 127, 142]  # in the row and in the column of the middle
    for kind, own, theirs in (("other", star, ()), ("both", (), fours)):  # sixteen threes or two fours, at one point
        board = [1 if i in own else 2 if i in theirs else 0 for i in range(225)]
        board[0] = board[15] = board[30] = board[45] = 1 if kind == "both" else 2
        found.append((_filled(rng, 15, 15, board, 48), [60], IDEAS[kind]))
    return tuple(found)


def _row(rng, height: int, width: int, flat: bool = False) -> list:
    """Five or six points in a row; none if it leaves the board. flat: only their numbers are equally far apart."""
    down, right = [(0, 1), (1, 0), (1, 1), (1, -1)][int(rng.integers(4))]
    row, column, length = int(rng.integers(height)), int(rng.integers(width)), int(rng.integers(5, 7))
    points = [(row + i * down, column + i * right) for i in range(length)]
    inside = all(0 <= r < height and (flat or 0 <= c < width) and r * width + c < height * width for r, c in points)
    return [r * width + c for r, c in points] if inside else []


def _plant(rng, board: list, player: int, points: list) -> None:
    """A stone on all of these points but one, where they are empty."""
    gap = rng.integers(len(points) or 1)
    for i, point in enumerate(points):
        board[point] = board[point] or player * (i != gap)


def _filled(rng, height: int, width: int, board: list, stones: int):
    """A game that puts these stones, and others anywhere until there are as many, unless somebody wins before."""
    free = rng.permutation([point for point, stone in enumerate(board) if not stone]).tolist()
    planted = {player: [point for point, stone in enumerate(board) if stone == player] for player in (1, 2)}
    game = Mock5(height, width)
    while len(game.history) < stones and game.winner is None:
        game.apply((planted[game.player] or free).pop())
    return game

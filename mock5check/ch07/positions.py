"""Positions for the agent of chapter 7's capstone: quiet ones, and those in which five in a row decides."""

from functools import cache

import numpy as np

from mock5lib import Mock5
from mock5lib.search.puct.tree import immediate_wins

IDEAS = {
    "own": "It can make five in a row at once, and that wins.",
    "other": "The opponent threatens to make five in a row at one point, which must be taken.",
    "both": "It can make five in a row at once, and that wins, whatever the opponent threatens.",
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
    for height, width, stones in (
        (9, 9, 20),
        (15, 15, 41),
        (7, 10, 33),
        (10, 7, 12),
        (9, 9, 60),
        (5, 5, 24),
        (20, 20, 120),
    ):
        game = None
        while game is None or game.winner is not None or len(game.history) < stones:
            game = Mock5(height, width)
            for move in rng.permutation(height * width)[:stones].tolist():
                if game.winner is None:
                    game.apply(move)
        found.append(game)
    return tuple(found)


@cache
def tactics() -> tuple:
    """[(game, moves that are right, what it is about)]: a five to make, one to prevent, and both at once."""
    rng, found = np.random.default_rng(71), []
    while len(found) < 100:
        kind = ("own", "other", "own", "other", "both")[len(found) % 5]
        height, width = [(9, 9), (15, 15), (9, 11), (5, 12), (12, 5)][len(found) // 5 % 5]
        mover = 1 + len(found) % 2
        fours = {"own": [mover], "other": [3 - mover], "both": [1, 2]}[kind]
        game = _planted(rng, height, width, fours, mover)
        if game is not None:
            own, other = immediate_wins(game, mover), immediate_wins(game, 3 - mover)
            fits = {
                "own": own and not other,
                "other": not own and len(other) == 1,
                "both": own and set(other) - set(own),
            }
            if fits[kind]:
                found.append((game, own or other, IDEAS[kind]))
    return (*found, *_crosses(), *(_round_the_edge(step, theirs) for step in (1, 10, 8) for theirs in (False, True)))


def _crosses() -> list:
    """A four of either player's, while elsewhere one point lies in sixteen threes of the one color or the other."""
    rng, found = np.random.default_rng(74), []
    cross = [(7 + i * dr) * 15 + 7 + i * dc for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)) for i in (-4, -2, -1, 1, 3)]
    four = [0, 15, 30, 45]
    far = [r * 15 + c for r in range(14) for c in range(1, 14) if max(abs(r - 7), abs(c - 7)) > 4 and r != c != 14 - r]
    for own, theirs in ((cross, four), ([], four + cross), (four + cross, []), (four, cross)):
        free = [move for move in rng.permutation(far).tolist() if move // 15 != 7 != move % 15]
        text = (
            f"{IDEAS['own' if four[0] in own else 'other']} Nothing else counts then, not even a point in many threes."
        )
        own, theirs = own + free[: 24 - len(own)], theirs + free[24 : 48 - len(theirs)]
        game = Mock5(15, 15, history=[move for pair in zip(own, theirs) for move in pair])
        found.append((game, immediate_wins(game, 1) or immediate_wins(game, 2), text))
    return found


def _round_the_edge(step: int, theirs: bool) -> tuple:
    """On 9×9 four stones, the mover's or `theirs`, stand `step` apart, but over an edge; the opponent has a real four.

    step: 1 for a row, 10 and 8 for the two diagonals, as the numbers of points go.
    """
    first = {1: 33, 10: 24, 8: 27}[step]  # (3, 6), (2, 6) and (3, 0)
    apart, four, quiet = [first + i * step for i in range(4)], [72, 73, 74, 75], [0, 3, 5, 9, 17, 19, 80, 62]
    own, other = (quiet, apart + four) if theirs else (apart, four)
    text = f"{IDEAS['other']} (Four stones whose numbers are {step} apart are no row if it leaves the board at one "
    text += "side and comes in again at the other.)"
    return Mock5(9, 9, history=[move for pair in zip(own, other) for move in pair]), [76], text


def _planted(rng, height: int, width: int, fours: list, mover: int):
    """A position with four of five points in a row of each player in `fours`; None where it did not work out."""
    stones, free = {1: [], 2: []}, rng.permutation(height * width).tolist()
    for player in fours:
        down, right = [(0, 1), (1, 0), (1, 1), (1, -1)][int(rng.integers(4))]
        row, column = int(rng.integers(height - 4 * down)), int(rng.integers(4 * (right < 0), width - 4 * (right > 0)))
        points = [(row + i * down) * width + column + i * right for i in range(5)]
        if not set(points) <= set(free):
            return None
        stones[player] = points
        stones[player].pop(int(rng.integers(5)))
        free = [point for point in free if point not in stones[player]]
    game, turns = Mock5(height, width), 12 + (mover == 2)
    for turn in range(turns):
        player = 1 + turn % 2
        game.apply(stones[player].pop() if stones[player] else free.pop())
        if game.winner is not None:
            return None
    return game

"""Positions for the agent of chapter 7's capstone: quiet ones, and those in which one move alone is right."""

from functools import cache

import numpy as np

from mock5lib import Mock5
from mock5lib.search.puct.tree import immediate_wins

SIXTY = (0, 9, 10, 28, 20, 37, 30, 55)  # on 6×10 four in a column, which 40 completes; on 10×6 nothing of the kind


@cache
def positions() -> tuple:
    """Unfinished positions on boards of several sizes, the emptiest and the fullest among them."""
    rng, found = np.random.default_rng(70), [Mock5(9, 9), Mock5(15, 15), Mock5(7, 10), Mock5(9, 13), Mock5(5, 12)]
    found.append(Mock5(12, 5))
    found.append(Mock5(10, 6, history=SIXTY))
    found += [Mock5(9, 9, history=[move]) for move in (0, 4, 8, 36, 40, 41, 44, 49, 72, 80)]
    for height, width, stones in [
        (9, 9, 20),
        (15, 15, 41),
        (7, 10, 33),
        (10, 7, 12),
        (9, 9, 60),
        (19, 19, 30),
        (5, 5, 24),
    ]:
        for _ in range(2):
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
    ideas = {
        "own": "It can make five in a row at once, and that wins.",
        "other": "The opponent threatens to make five in a row at one point, which must be taken.",
        "both": "It can make five in a row at once, and that wins, whatever the opponent threatens.",
    }
    while len(found) < 60:
        kind = ("own", "other", "own", "other", "both")[len(found) % 5]
        height, width = [(9, 9), (15, 15), (9, 11)][len(found) % 3]
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
                found.append((game, own or other, ideas[kind]))
    found += [
        (_turned(game), [_turned_move(move, game) for move in right], idea) for game, right, idea in found[2:18:3]
    ]
    found += _crowded(ideas["both"])
    second = ideas["other"] + " Rows of three of its own, however many, come second."
    found += [(_star(3, own=True), [4], second), (_star(4, own=False), [4], ideas["both"])]
    corner = [1, 2, 3, 4], [5, 40, 60, 70]  # point 0 alone is right
    six = [114, 115, 116, 81, 93, 105], [36, 37, 39, 40, 41, 143]  # a row of six holds a five
    text = "Points with the same numbers lie otherwise on a board of another shape: 6×10 is not 10×6."
    found.append((Mock5(6, 10, history=SIXTY), [40], f"{ideas['own']} ({text})"))
    found += [_round_the_edge(step, ideas["other"]) for step in (1, 10, 8)]
    for size, own, other, right, idea in (
        (9, *corner, 0, "own"),
        (9, *corner[::-1], 0, "other"),
        (12, *six, 38, "other"),
        (12, *six[::-1], 38, "own"),
    ):
        history = [move for pair in zip(own, other) for move in pair]
        found.append((Mock5(size, size, history=history), [right], ideas[idea]))
    return tuple(found)


def _round_the_edge(step: int, idea: str) -> tuple:
    """On 9×9 four stones of the mover's stand `step` apart, but over an edge; the opponent has a real four.

    step: 1 for a row, 10 and 8 for the two diagonals, as the numbers of points go.
    """
    first = {1: 33, 10: 24, 8: 27}[step]  # (3, 6), (2, 6) and (3, 0)
    own, other = [first + i * step for i in range(4)], [72, 73, 74, 75]
    text = f"{idea} (Four stones whose numbers are {step} apart are no row if it leaves the board at one side and "
    text += "comes in again at the other.)"
    return Mock5(9, 9, history=[move for pair in zip(own, other) for move in pair]), [76], text


def _turned_move(move: int, game) -> int:
    """A move on the board whose rows are the columns of `game`."""
    return move % game.width * game.height + move // game.width


def _turned(game):
    """The same game on a board of as many points, with rows for columns."""
    moves = [_turned_move(move, game) for move in game.history]
    return Mock5(game.width, game.height, history=moves)


def _crowded(idea: str) -> list:
    """A five to make at 4, while elsewhere one point lies in many fours and threes of the opponent."""
    own = [0, 1, 2, 3, 67, 71, 79]
    cases = []
    for theirs in ([5, 37, 38, 39, 41, 42, 43], [37, 38, 39, 41, 42, 43, 31], [38, 39, 41, 42, 22, 31, 58]):
        order = [move for pair in zip(own, theirs) for move in pair]
        cases.append((Mock5(9, 9, history=order), [4], idea))
    return cases


def _star(stones: int, own: bool):
    """Player 1 is to move on 17×17: rows of one player meet at (8, 8), and five can be made in row 0, at 4.

    own: the rows are player 1's, and the five would be player 2's; else the other way round. stones: 3, in each of 20
    windows through the middle; or 4, in each of 15. The stone at 5 is of the same player.
    """
    steps, count = {3: ((-3, -2, -1, 2, 3, 4), 4), 4: ((-4, -3, -2, -1, 1, 2, 3, 4), 3)}[stones]
    ways = [(0, 1), (1, 0), (1, 1), (1, -1)][:count]
    star = [(8 + k * dr) * 17 + 8 + k * dc for dr, dc in ways for k in steps]
    four = [0, 1, 2, 3]
    star.append(5)  # not a five at 4 and one at 5
    far = [r * 17 + c for r in (2, 14, 16, 6, 10) for c in range(17) if c % 3 == r // 2 % 3]
    lines = {(8 + k * dr) * 17 + 8 + k * dc for dr, dc in ways for k in range(-5, 6)}
    four += [point for point in far if point not in lines][: len(star) - len(four)]
    first, second = (star, four) if own else (four, star)
    return Mock5(17, 17, history=[move for pair in zip(first, second, strict=True) for move in pair])


def _planted(rng, height: int, width: int, fours: list, mover: int):
    """A position with four of five points in a row of each player in `fours`; None where it did not work out."""
    stones, free = {1: [], 2: []}, rng.permutation(height * width).tolist()
    for player in fours:
        dr, dc = [(0, 1), (1, 0), (1, 1), (1, -1)][int(rng.integers(4))]
        r, c = int(rng.integers(height)), int(rng.integers(width))
        row = [(r + i * dr, c + i * dc) for i in range(5)]
        if not all(0 <= a < height and 0 <= b < width and a * width + b in free for a, b in row):
            return None
        stones[player] = [a * width + b for a, b in row]
        stones[player].pop(int(rng.integers(5)))
        free = [point for point in free if point not in stones[player]]
    game, turns = Mock5(height, width), 12 + (mover == 2)
    for turn in range(turns):
        player = 1 + turn % 2
        game.apply(stones[player].pop() if stones[player] else free.pop())
        if game.winner is not None:
            return None
    return game

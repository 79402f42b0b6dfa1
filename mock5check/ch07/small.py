"""The small exercises of chapter 7, each declared by its solution."""

import math
import re

import numpy as np

from mock5check.answers import NO_RETURN, Outcome, is_number, show
from mock5check.core import Refused
from mock5check.spec import exercise


def tournaments(rng):
    """(names, openings)"""
    for names, openings in (("AB", ["o"]), ("ABC", ["o", "p"]), ("WXYZ", [0, 1, 2]), ("A", ["o"]), ("AB", [])):
        yield list(names), openings
    yield from ((["greedy", "uct"], [[0, 1], [4]]), (["B", "A"], [[], [12]]), (["uct", "uct2"], [(40, 41, 31)]))


def in_order(solution, names, openings):
    """The games, sorted: any order is right."""
    games = solution(names, openings)
    if not isinstance(games, (list, tuple)) or not all(isinstance(game, (list, tuple)) for game in games):
        raise Refused(NO_RETURN if games is None else "Return a list of games.")
    if wrong := [game for game in games if len(game) != 3]:
        raise Refused(f"A game should be (black, white, opening). One of yours is {show(wrong[0])}.")
    return sorted((tuple(game) for game in games), key=repr)


@exercise(
    cases=tournaments,
    observe=in_order,
    why="Every two players meet twice from every opening, once with each color. (The games are shown in order.)",
)
def schedule(names, openings):
    """All games of a fair round robin."""
    games = []
    for black in names:
        for white in names:
            if black != white:
                games += [(black, white, opening) for opening in openings]
    return games


def newcomers(rng):
    """(ratings, points)"""
    yield from (([0.0], 0.5), ([100.0, 100.0], 1.5), ([0.0, 800.0], 1.0), ([1500, 1700], 0.5), ([0.0, 200.0], 2))
    yield from (([300.0], 0.0), ([0.0, 1000.0, 1000.0], 1.0), ([0.0] * 100, 99.5), ([0.0] * 2000, 0.5))
    yield from (([0, 0, 0, 5000], 3.0), ([0, 10_000], 1.5), ([5200.0] * 4, 2.0), ([0.0] * 10_000, 0.5))  # far away
    for opponents in rng.integers(1, 8, 20):
        ratings = rng.normal(0, 300, opponents).round().tolist()
        yield ratings, float(rng.integers(1, 2 * opponents + 1)) / 2


def to_a_hundredth(solution, ratings, points):
    """The right rating for one that is at most 0.01 off; any other as it is."""
    rating = solution(ratings, points)
    right = performance.solution(ratings, points)
    return right if is_number(rating) and abs(float(rating) - right) <= 0.01 else rating


@exercise(
    cases=newcomers,
    observe=to_a_hundredth,
    long=4.0,
    why=lambda ratings, points: (
        f"At the right rating r the expected points, the sum of 1 / (1 + 10^((o − r) / 400)) over the opponents' o, "
        f"are {points:g}. With every point it's math.inf, with none −math.inf. An error of 0.01 is fine."
    ),
)
def performance(ratings, points):
    """The rating whose expected points against these opponents are the points made."""
    if points == 0:
        return -math.inf
    if points == len(ratings):
        return math.inf
    low, high = min(ratings) - 4000, max(ratings) + 4000
    for _ in range(60):
        middle = (low + high) / 2
        if sum(1 / (1 + 10 ** ((rating - middle) / 400)) for rating in ratings) < points:
            low = middle
        else:
            high = middle
    return middle


def tests_so_far(rng):
    """(pairs, s0, s1, alpha, beta)"""
    yield from (([], 0.5, 0.55, 0.05, 0.05), ([0.5] * 30, 0.5, 0.55, 0.05, 0.05), ([0.75], 0.5, 0.6, 0.1, 0.1))
    yield from (([1, 0.5] * 10, 0.5, 0.6, 0.05, 0.05), ([0, 0.5] * 10, 0.5, 0.6, 0.05, 0.05))
    yield from (([0.25, 0.75], 0.25, 0.75, 0.5, 0.5), ([1.0, 0.75], 0.5, 0.6, 0.05, 0.1))  # at the bounds; few pairs
    yield [1.0] * 9 + [0.5] * 3, 0.5, 0.58, 0.001, 0.2  # between ln 0.8/0.001 and ln 1/0.001
    yield [0.5] * 4 + [0.25] * 4, 0.5, 0.58, 0.2, 0.001  # between ln 0.001 and ln 0.001/0.8
    yield [0.5] * 99 + [0.75], 0.5, 0.58, 0.05, 0.05  # a small variance is no variance of 0
    for number in range(150):
        s0, s1 = ((0.5, 0.58), (0.42, 0.5), (0.55, 0.65))[number % 3]
        alpha, beta = ((0.05, 0.05), (0.001, 0.2), (0.2, 0.001), (0.2, 0.1))[number % 4]
        pairs = np.clip(np.rint(4 * rng.normal(rng.uniform(0.4, 0.7), 0.25, rng.integers(2, 41))) / 4, 0, 1)
        yield pairs if number % 2 else pairs.tolist(), s0, s1, alpha, beta


def in_words(solution, *case):
    """None is an answer like the others here."""
    answer = solution(*case)
    return Outcome("None" if answer is None else repr(str(answer)))


@exercise(
    cases=tests_so_far,
    observe=in_words,
    why="While all pairs are equal, the answer is None. After that the ratio decides: ln((1 − β) / α) or more is "
    "'stronger', ln(β / (1 − α)) or less is 'not stronger', and anything between is None.",
    shows={"ratio": "the log-likelihood ratio"},
)
def verdict(pairs, s0, s1, alpha, beta):
    """What a sequential test says after these pairs."""
    pairs = np.asarray(pairs, dtype=float)
    if len(pairs) == 0 or np.ptp(pairs) == 0:
        return None
    ratio = len(pairs) * (s1 - s0) * (2 * pairs.mean() - s0 - s1) / (2 * pairs.var())
    if ratio >= np.log((1 - beta) / alpha):
        return "stronger"
    if ratio <= np.log(beta / (1 - alpha)):
        return "not stronger"
    return None


LINES = """3,4|0,0| 7 , 2 \\r\\n|3 ,4|3, 4|\\t5,5\\n|14,8|0,8|-0,3|03,4|15,0|0,9|-1,3|3,-1|99,99|9,14|100,4||   |OK
DEBUG 3,4|MESSAGE best 3,4|3,4,1|three,four|3;4|12|,|3,|,3|SUGGEST 5,5|x3,4|3,4!|3 4|3.0,4|3,4.5|3,4 5|1 2,3|3,4,|--1,3
+3,4|1_0,3|- 1,3|3e0,4|ERROR no move|error 3,4|  Error|\\tERROR|ERRORS everywhere|ERR 5|NOERROR so far|no ERROR here
3,4 ERROR|MESSAGE error 12|ERROR|eRRor: x|UNKNOWN command|MESSAGE 3,4|3  ,  4|\\t 3,4\\t \\n|100000,4|-10000,4|3,4\\t
7.,2|3-,4|1-2,3|3,-|12345678901,3|15,8|14,9|0x3,4"""


def lines(rng):
    """(line, width, height)"""
    for line in LINES.replace("\n", "|").split("|"):
        yield line.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t"), 15, 9
    yield from (("8,14", 9, 15), ("19,19", 20, 20), ("14,8", 9, 15), ("120,3", 200, 4), (f"3,{'9' * 25}", 15, 9))


def returned_or_raised(solution, line, width, height):
    try:
        answer = solution(line, width, height)
    except ValueError:
        return Outcome("a ValueError, raised")
    if answer is None:
        return Outcome("None")
    if not isinstance(answer, (tuple, list)) or len(answer) != 2 or not all(map(is_number, answer)):
        raise Refused("Return a pair of whole numbers, (row, column), or None.")
    return Outcome(f"({answer[0]}, {answer[1]})")


@exercise(
    cases=lines,
    observe=returned_or_raised,
    lets_through=(ValueError,),
    why="A line that begins with ERROR raises a ValueError, and so does a move off the board. A line that isn't just a "
    "move gives None. Otherwise return (row, column); the line has the column first.",
)
def read_move(line, width, height):
    """The move of one line of an engine, or None."""
    if line.strip().upper().startswith("ERROR"):
        raise ValueError(f"the engine says {line.strip()!r}")
    found = re.fullmatch(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", line)
    if not found:
        return None
    column, row = int(found[1]), int(found[2])
    if not (0 <= column < width and 0 <= row < height):
        raise ValueError(f"{column},{row} is off the {width}x{height} board")
    return row, column

"""The mistakes that are often made in the exercises of chapter 7, and the right answers that they go by.

Each table lists (function that makes the mistake, its cause), the more frequent first.
"""

import re
from math import inf

import numpy as np

from mock5check.answers import is_number

# The right answers ------------------------------------------------------------------------------------------------


def expected(difference: float) -> float:
    """The score that a player expects who is so many Elo stronger."""
    return 1 / (1 + 10 ** (-difference / 400))


def interval_of(points) -> tuple[float, float]:
    """The right answer to `pair_interval`."""
    return clipped(pairs_of(points), 1.96)


def clipped(scores, quantile: float, ddof: int = 0, per_item: float = 1) -> tuple[float, float]:
    """The normal interval of a mean, within 0 and 1."""
    low, high = unclipped(scores, quantile, ddof, per_item)
    return max(low, 0.0), min(high, 1.0)


def unclipped(scores, quantile: float, ddof: int = 0, per_item: float = 1) -> tuple[float, float]:
    """The normal interval of a mean; `per_item` times as many items are counted as there are."""
    half = quantile * scores.std(ddof=ddof) / np.sqrt(per_item * len(scores))
    return float(scores.mean() - half), float(scores.mean() + half)


def pairs_of(points) -> np.ndarray:
    """Mean scores of the pairs."""
    return np.reshape(np.asarray(points, dtype=float), (-1, 2)).mean(axis=1)


def performance_of(ratings, points) -> float:
    """The right answer to `performance`."""
    if points <= 0 or points >= len(ratings):
        return -inf if points <= 0 else inf
    low, high = min(ratings) - 4000.0, max(ratings) + 4000.0
    for _ in range(100):
        middle = (low + high) / 2
        short = sum(expected(middle - rating) for rating in ratings) < points
        low, high = (middle, high) if short else (low, middle)
    return round((low + high) / 2, 9) + 0.0  # no −0


def to_a_hundredth(answer, right):
    """The right number, or tuple of numbers, where the answer is at most 0.01 off; else the answer itself."""
    if isinstance(right, tuple):
        alike = isinstance(answer, tuple) and len(answer) == len(right)
        return type(right)(*map(to_a_hundredth, answer, right)) if alike else answer
    return right if is_number(answer) and abs(float(answer) - right) <= 0.01 + 1e-6 else answer


def from_the_mean(ratings, points) -> float:
    """As if all opponents had the mean rating."""
    return performance_of([sum(ratings) / len(ratings)] * len(ratings), points)


def verdict_of(pairs, s0, s1, alpha, beta) -> str | None:
    """The right answer to `verdict`."""
    pairs = np.asarray(pairs, dtype=float)
    if len(pairs) == 0 or np.ptp(pairs) == 0:  # `var` of equal numbers need not be 0: nine times 0.7 leaves 1e-32
        return None
    ratio = len(pairs) * (s1 - s0) * (2 * pairs.mean() - s0 - s1) / (2 * pairs.var())
    return word(ratio, np.log(beta / (1 - alpha)), np.log((1 - beta) / alpha))


def word(ratio: float, low: float, high: float) -> str | None:
    """What a ratio says between its bounds."""
    return "stronger" if ratio >= high else "not stronger" if ratio <= low else None


# The mistakes -----------------------------------------------------------------------------------------------------


def other_sign(pairs, s0, s1, alpha, beta):
    """The bounds exchanged."""
    return {"stronger": "not stronger", "not stronger": "stronger"}.get(verdict_of(pairs, s0, s1, alpha, beta))


INTERVAL_SLIPS = [
    (lambda points: clipped(np.asarray(points, dtype=float), 1.96), "That is the interval over games, not over pairs."),
    (
        lambda points: clipped(np.reshape(np.asarray(points, float), (2, -1)).mean(axis=0), 1.96),
        "The games of a pair stand next to each other: rows of two.",
    ),
    (lambda points: unclipped(pairs_of(points), 1.96), "A score is never below 0 nor above 1: cut the ends there."),
    (
        lambda points: unclipped(np.asarray(points, dtype=float), 1.96),
        "That is the interval over games, not over pairs; and a score is never below 0 nor above 1.",
    ),
    (lambda points: unclipped(pairs_of(points), 1.96, 0, 2), "P is the number of pairs, not of games."),
    (lambda points: clipped(pairs_of(points), 1.96, 0, 2), "P is the number of pairs, not of games."),
    (lambda points: clipped(pairs_of(points), 1.96, 0, len(points) / 2), "Divide by the square root of P, not by P."),
    (lambda points: clipped(pairs_of(points), 1.96, 0, 2 / len(points)), "The factor 1 / √P is missing."),
    (
        lambda points: (max(unclipped(pairs_of(points), 1.96)[0], 0.0), unclipped(pairs_of(points), 1.96)[1]),
        "No score is above 1: cut the upper end there.",
    ),
    (
        lambda points: (unclipped(pairs_of(points), 1.96)[0], min(unclipped(pairs_of(points), 1.96)[1], 1.0)),
        "No score is below 0: cut the lower end there.",
    ),
    (
        lambda points: clipped(pairs_of(points), 1.96 * pairs_of(points).std()),
        "σ is the standard deviation, the root of the variance.",
    ),
    (lambda points: clipped(pairs_of(points), 2.0), "It is 1.96 here, not 2."),
    (lambda points: interval_of(points)[::-1], "The lower end comes first."),
    (
        lambda points: (pairs_of(points).mean(), 1.96 * pairs_of(points).std() / np.sqrt(len(points) / 2)),
        "That is the mean, and half the width; the two ends are wanted.",
    ),
    (
        lambda points: clipped(np.reshape(points, (-1, 2)).mean(axis=0), 1.96),
        "That is the mean of each column: of all first games, and of all second ones. Take the mean of each row.",
    ),
    (
        lambda points: 1.96 * pairs_of(points).std() / np.sqrt(len(points) / 2),
        "That is half the width; the two ends are wanted.",
    ),
    (lambda points: clipped(pairs_of(points), 1.96, 1), "Divide by P, not by P − 1."),
    (lambda points: clipped(np.reshape(points, (-1, 2)).sum(axis=1), 1.96), "Mean scores of the pairs, not sums."),
    (lambda points: clipped(pairs_of(points), 1.0), "1.96 standard errors, not one."),
]
PERFORMANCE_SLIPS = [
    (from_the_mean, "The mean rating is not enough: a weak and a strong opponent are not two middling ones."),
    (
        lambda r, p: sum(r) / len(r) + 400 * (2 * p - len(r)) / len(r) if 0 < p < len(r) else performance_of(r, p),
        "That is the rule of thumb, 400 for each win more. Find the rating whose EXPECTED points are the points made.",
    ),
    (lambda r, p: performance_of(r, len(r) - p) if 0 < p < len(r) else performance_of(r, p), "The sign is turned."),
    (lambda r, p: performance_of(r, p * len(r)) if p < 1 else inf, "`points` are points, not their share."),
]
PERFORMANCE_SLIPS += [
    (lambda r, p, width=width: in_a_range(r, p, width), "Is the range wide enough for the answer?")
    for width in (0, 100, 200, 400, 500, 800, 1000, 1200, 1500, 2000, 3000)
]
PERFORMANCE_SLIPS += [
    (lambda r, p, digits=digits: round(performance_of(r, p), digits), "Do not round so coarsely: 0.01 at most.")
    for digits in (0, 1)
]
PERFORMANCE_SLIPS += [
    (
        lambda r, p, near=near: until_near(r, p, near),
        "Where no opponent is near, the expected points agree long before the rating does. Halve the range until IT is "
        "narrow enough.",
    )
    for near in (1e-9, 1e-8, 1e-6)
]


def until_near(ratings, points, near: float) -> float:
    """`performance_of`, which stops where the expected points are as near as that (times their number)."""
    right = performance_of(ratings, points)
    low, high = min(ratings) - 4000, max(ratings) + 4000
    while abs(right) < inf:
        right = (low + high) / 2
        made = sum(expected(right - rating) for rating in ratings)
        if abs(made - points) <= near * points or high - low < 1e-6:
            break
        low, high = (right, high) if made < points else (low, right)
    return right


def in_a_range(ratings, points, width: float) -> float:
    """`performance_of`, searched in too narrow a range."""
    right = performance_of(ratings, points)
    return right if abs(right) == inf else float(np.clip(right, min(ratings) - width, max(ratings) + width))


VERDICT_SLIPS = [
    (other_sign, "The two verdicts are exchanged."),
    (
        lambda *args: "weaker" if verdict_of(*args) == "not stronger" else verdict_of(*args),
        'The test knows "stronger" and "not stronger": whoever is not stronger may still be as strong.',
    ),
    (
        lambda pairs, s0, s1, alpha, beta: verdict_of([score for score in pairs for _ in "12"], s0, s1, alpha, beta),
        "The ratio is twice what it should be: is the 2 of 2σ² missing, or does N count the games?",
    ),
    (lambda pairs, s0, s1, alpha, beta: verdict_of(pairs, s0, s1, beta, alpha), "α and β are exchanged."),
]


def sequential(pairs, s0, s1, alpha, beta, low=None, high=None, ddof=0, least=2, times=1.0, power=1.0, mean=2):
    """`verdict_of` with other bounds, another ratio or a least number of pairs.

    times: a factor of the ratio. power: of the variance. mean: how often the mean counts.
    """
    pairs = np.asarray(pairs, dtype=float)
    if len(pairs) < least or np.ptp(pairs) == 0:
        return None
    ratio = len(pairs) * (s1 - s0) * (mean * pairs.mean() - s0 - s1) / (2 * pairs.var(ddof=ddof) ** power)
    ratio *= times(pairs) if callable(times) else times
    low = np.log(beta / (1 - alpha)) if low is None else low(alpha, beta)
    return word(ratio, low, np.log((1 - beta) / alpha) if high is None else high(alpha, beta))


VERDICT_SLIPS += [
    (
        lambda *a: sequential(*a, ddof=1),
        "An N − 1 too many: N stands before the fraction, and the variance is divided by N, too, as np.var does.",
    ),
    (lambda *a: sequential(*a, least=5), "A few pairs may be enough: only where all are equal nothing can be said."),
    (lambda *a: sequential(*a, low=lambda x, y: -np.log((1 - y) / x)), "The lower bound is ln(β / (1 − α))."),
    (lambda *a: sequential(*a, high=lambda x, y: np.log(1 / x)), "The upper bound is ln((1 − β) / α)."),
    (lambda *a: sequential(*a, low=lambda x, y: np.log(y)), "The lower bound is ln(β / (1 − α))."),
    (lambda *a: sequential(*a, power=0.5), "σ² is the variance: `std` gives σ, its root."),
    (lambda *a: sequential(*a, power=0.0), "The variance σ² is missing from the ratio."),
    (lambda *a: sequential(*a, mean=1), "The mean counts twice: 2m − s0 − s1."),
    (lambda *a: sequential(*a, times=-1.0), "The sign of the ratio is turned round."),
    (
        lambda *a: sequential(*a, times=0.5),
        "The ratio is half of what it should be: 2m − s0 − s1 stands above the line and 2σ² below, each 2 once.",
    ),
    (lambda *a: sequential(*a, times=lambda pairs: 1 / len(pairs)), "The factor N is missing from the ratio."),
    (lambda p, s0, s1, x, y: verdict_of(p, s0, s1, x, x), "Both bounds depend on α and on β; β is not used."),
    (lambda p, s0, s1, x, y: verdict_of(p, s0, s1, y, y), "Both bounds depend on α and on β; α is not used."),
    (
        lambda p, s0, s1, x, y: verdict_of(p, s0, s1, 0.05, 0.05),
        "These are the bounds of α = β = 0.05. Work them out from the α and the β that are handed in.",
    ),
    (
        lambda *a: sequential(*a, low=lambda x, y: np.log10(y / (1 - x)), high=lambda x, y: np.log10((1 - y) / x)),
        "ln is the natural logarithm: np.log, not np.log10.",
    ),
]


MOVE = r"\s*(-?\d+)\s*,\s*(-?\d+)\s*"


def read_of(line, width, height, pattern=MOVE, error=lambda text: text.startswith("ERROR"), how=re.fullmatch):
    """The right answer to `read_move`; the options make it wrong."""
    if error(line.strip().upper()):
        raise ValueError(line)
    found = how(pattern, line)
    if not found:
        return None
    column, row = int(found[1]), int(found[2])
    if not (0 <= column < width and 0 <= row < height):
        raise ValueError(line)
    return row, column


def _anywhere(line, width, height):
    found = re.search(r"(-?\d+)\s*,\s*(-?\d+)", line)
    return read_of(found[0] if found else line, width, height) if "ERROR" not in line.upper() else read_of(line, 9, 9)


def _lenient(line, width, height):
    """As `int` reads numbers: with a plus sign, and with underscores."""
    if line.strip().upper().startswith("ERROR"):
        raise ValueError(line)
    try:
        column, row = map(int, line.split(","))
    except ValueError:
        return None
    return read_of(f"{column},{row}", width, height)


MOVE_SLIPS = [  # of line, width, height
    (lambda *a: found[::-1] if (found := read_of(*a)) else None, "The column comes first in the line."),
    (lambda *a: read_of(*a, how=re.search), "Look at the WHOLE line: a comment may hold numbers. `re.fullmatch` does."),
    (lambda *a: read_of(*a, how=re.match), "`re.match` looks at the beginning only, `re.fullmatch` at the whole line."),
    (_anywhere, "Look at the WHOLE line: a comment may hold numbers."),
    (lambda *a: read_of(*a, pattern=r"(-?\d+),(-?\d+)"), "There may be spaces around the numbers."),
    (
        lambda line, *a: read_of(line.strip(), *a, pattern=r"(-?\d+),(-?\d+)"),
        "There may be spaces around the comma, too.",
    ),
    (_lenient, "`int` reads more than digits: `+3`, and `1_0` as 10. Those lines are no moves."),
    (
        lambda *a: read_of(*a, pattern=r"\s*(\d+)\s*,\s*(\d+)\s*"),
        "A minus sign belongs to the number: `-1,3` is a move, and off the board.",
    ),
    (lambda line, w, h: read_of(line, h, w), "Columns are counted by the width, rows by the height."),
    (lambda line, w, h: read_of(line, w + 1, h + 1), "Counted from 0, the last column is width − 1."),
    (lambda *a: read_of(*a, error=lambda text: "ERROR" in text), "Only a line that BEGINS with ERROR is an error."),
    (lambda *a: read_of(*a, error=lambda text: False), "A line that begins with ERROR should raise a ValueError."),
]

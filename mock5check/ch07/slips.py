"""The mistakes that are often made in the exercises of chapter 7, and the right answers that they go by.

Each table lists (function that makes the mistake, its cause), the more frequent first.
"""

import re
from math import inf

import numpy as np

# The right answers ------------------------------------------------------------------------------------------------


def expected(difference: float) -> float:
    """The score that a player expects who is so many Elo stronger."""
    return 1 / (1 + 10 ** (-difference / 400))


def interval_of(points) -> tuple[float, float]:
    """The right answer to `pair_interval`."""
    return clipped(pairs_of(points), 1.96)


def clipped(scores, quantile: float, ddof: int = 0) -> tuple[float, float]:
    """The normal interval of a mean, within 0 and 1."""
    low, high = unclipped(scores, quantile, ddof)
    return max(low, 0.0), min(high, 1.0)


def unclipped(scores, quantile: float, ddof: int = 0, per_item: int = 1) -> tuple[float, float]:
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
    return (low + high) / 2


def from_the_mean(ratings, points) -> float:
    """As if all opponents had the mean rating."""
    return performance_of([sum(ratings) / len(ratings)] * len(ratings), points)


def verdict_of(pairs, s0, s1, alpha, beta) -> str | None:
    """The right answer to `verdict`."""
    pairs = np.asarray(pairs, dtype=float)
    if len(pairs) == 0 or pairs.var() == 0:
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
VERDICT_SLIPS = [
    (other_sign, "The two verdicts are exchanged."),
    (
        lambda *args: "weaker" if verdict_of(*args) == "not stronger" else verdict_of(*args),
        'The test knows "stronger" and "not stronger": whoever is not stronger may still be as strong.',
    ),
    (
        lambda pairs, s0, s1, alpha, beta: verdict_of([score for score in pairs for _ in "12"], s0, s1, alpha, beta),
        "N is the number of pairs, not of games.",
    ),
    (lambda pairs, s0, s1, alpha, beta: verdict_of(pairs, s0, s1, beta, alpha), "α and β are exchanged."),
]


def sequential(pairs, s0, s1, alpha, beta, low=None, high=None, ddof=0, least=2):
    """`verdict_of` with other bounds, another variance or a least number of pairs."""
    pairs = np.asarray(pairs, dtype=float)
    if len(pairs) < least or pairs.var() == 0:
        return None
    ratio = len(pairs) * (s1 - s0) * (2 * pairs.mean() - s0 - s1) / (2 * pairs.var(ddof=ddof))
    low = np.log(beta / (1 - alpha)) if low is None else low(alpha, beta)
    return word(ratio, low, np.log((1 - beta) / alpha) if high is None else high(alpha, beta))


VERDICT_SLIPS += [
    (lambda *a: sequential(*a, ddof=1), "The variance is divided by N, as np.var does, not by N − 1."),
    (lambda *a: sequential(*a, least=5), "A few pairs may be enough: only where all are equal nothing can be said."),
    (lambda *a: sequential(*a, low=lambda x, y: -np.log((1 - y) / x)), "The lower bound is ln(β / (1 − α))."),
    (lambda *a: sequential(*a, high=lambda x, y: np.log(1 / x)), "The upper bound is ln((1 − β) / α)."),
]


def read_of(line, width, height, pattern=r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", error=lambda text: text.startswith("ERROR")):
    """The right answer to `read_move`; the options make it wrong."""
    if error(line.strip().upper()):
        raise ValueError(line)
    found = re.fullmatch(pattern, line)
    if not found:
        return None
    column, row = int(found[1]), int(found[2])
    if not (0 <= column < width and 0 <= row < height):
        raise ValueError(line)
    return row, column


def _anywhere(line, width, height):
    found = re.search(r"(-?\d+)\s*,\s*(-?\d+)", line)
    return read_of(found[0] if found else line, width, height) if "ERROR" not in line.upper() else read_of(line, 9, 9)


MOVE_SLIPS = [  # of line, width, height
    (lambda *a: found[::-1] if (found := read_of(*a)) else None, "The column comes first in the line."),
    (_anywhere, "Look at the WHOLE line: a comment may hold numbers."),
    (lambda *a: read_of(*a, pattern=r"(-?\d+),(-?\d+)"), "There may be spaces around the numbers."),
    (lambda *a: read_of(*a, error=lambda text: "ERROR" in text), "Only a line that BEGINS with ERROR is an error."),
    (lambda *a: read_of(*a, error=lambda text: False), "A line that begins with ERROR should raise a ValueError."),
]

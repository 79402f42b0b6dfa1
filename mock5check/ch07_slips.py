"""The mistakes that are often made in the exercises of chapter 7, and the right answers that they go by.

Each table lists (function that makes the mistake, its cause), the more frequent first.
"""

import re

import numpy as np

from mock5check.slips import NO_RETURN

# The right answers ------------------------------------------------------------------------------------------------


def expected(difference: float) -> float:
    """The score that a player expects who is so many Elo stronger."""
    return 1 / (1 + 10 ** (-difference / 400))


def update_of(rating, opponent, score, k) -> tuple[float, float]:
    """The right answer to `elo_update`."""
    change = k * (score - expected(rating - opponent))
    return rating + change, opponent - change


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


def ladder_of(points, rounds) -> np.ndarray:
    """The right answer to `ladder`."""
    rating = 400 * np.log10(strengths(points, points + points.T, rounds))
    return rating - rating[-1]


def strengths(points, games, rounds) -> np.ndarray:
    """Zermelo's iteration from 1."""
    strength = np.ones(len(points))
    for _ in range(rounds):
        strength = points.sum(axis=1) / (games / (strength[:, None] + strength)).sum(axis=1)
    return strength


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


def move_of(line, width, height) -> tuple[int, int] | None:
    """The right answer to `read_move`, for lines that raise nothing."""
    found = re.fullmatch(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", line)
    return (int(found[2]), int(found[1])) if found else None


def one_by_one(points, rounds) -> np.ndarray:
    """Zermelo's iteration, each player seeing what those before it have become in the same round."""
    games, strength = points + points.T, np.ones(len(points))
    for _ in range(rounds):
        for player in range(len(points)):
            strength[player] = points[player].sum() / (games[player] / (strength[player] + strength)).sum()
    return 400 * np.log10(strength / strength[-1])


# The mistakes -----------------------------------------------------------------------------------------------------


def other_sign(pairs, s0, s1, alpha, beta):
    """The bounds exchanged."""
    return {"stronger": "not stronger", "not stronger": "stronger"}.get(verdict_of(pairs, s0, s1, alpha, beta))


UPDATE_SLIPS = [
    (lambda r, o, s, k: update_of(r, o, 1 - s, k), "The score was taken for the opponent's."),
    (lambda r, o, s, k: (r - k * (s - expected(r - o)), o + k * (s - expected(r - o))), "The sign is wrong."),
    (lambda r, o, s, k: (r + k * (s - expected(o - r)), o - k * (s - expected(o - r))), "E is the opponent's."),
    (lambda r, o, s, k: (update_of(r, o, s, k)[0], o), "The opponent's rating changes too."),
    (lambda r, o, s, k: (r + k * (s - 0.5), o - k * (s - 0.5)), "The expected score depends on both ratings."),
    (lambda r, o, s, k: (r + k * s, o - k * s), "E is missing: only what was not expected moves a rating."),
    (lambda *args: tuple(map(round, update_of(*args))), "Ratings are not rounded."),
    (lambda *args: update_of(*args)[0], "Both new ratings are wanted, as a pair."),
    (lambda *args: None, NO_RETURN),
]
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
    (lambda *args: None, NO_RETURN),
]
LADDER_SLIPS = [
    (lambda points, rounds: -ladder_of(points, rounds), "Rows are those who made the points: W is the sum over a row."),
    (lambda points, rounds: ladder_of(points, rounds) - ladder_of(points, rounds)[0], "The last player is at 0."),
    (one_by_one, "All players at once: a round works with the strengths that all had at its beginning."),
    (lambda points, rounds: ladder_of(points, 1), "Only one round was made."),
    (
        lambda points, rounds: 400 * np.log10(strengths(points, points + points.T, rounds)),
        "The ratings are not yet moved so that the last player has 0.",
    ),
    (lambda points, rounds: ladder_of(points, rounds) / np.log10(np.e), "log10, not the natural logarithm."),
    (lambda *args: None, NO_RETURN),
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
MOVE_SLIPS = [
    (lambda line, width, height: move_of(line, width, height)[::-1], "The column comes first in the line."),
    (lambda line, width, height: tuple(map(int, re.findall(r"\d+", line)[:2]))[::-1], "Look at the whole line."),
]

"""When has a match shown enough? A sequential test on pairs of games.

The generalised sequential probability ratio test of chess engines' test farms: after each pair it compares how well
two hypotheses about the score explain the pairs so far, each at its best fit to the five scores that a pair can have
(0, ½, 1, 1½ or 2 of 2), and stops when one explains them so much better that the error rates allow it.
Sources: Wald (1945), "Sequential tests of statistical hypotheses"; M. Van den Bergh, notes on the GSPRT for pairs of
games (2019).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from mock5lib.arena.elo import expected_score

PAIR_SCORES = np.arange(5) / 4  # mean score of a pair of games
UNSEEN = 1e-3  # imaginary count of each result, so that one never seen keeps a chance


@dataclass(frozen=True)
class SequentialTest:
    """Is the first agent at least `elo1` stronger than the second, or at most `elo0`?

    Args:
        elo0, elo1: the two hypotheses, elo0 below elo1. Between them either verdict may come.
        alpha: chance to say "stronger" where elo0 is true. beta: chance to say "not stronger" where elo1 is.

    Raises:
        ValueError: elo0 is not below elo1, or a chance not between 0 and 0.5.
    """

    elo0: float = 0.0
    elo1: float = 50.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self):
        if not -np.inf < self.elo0 < self.elo1 < np.inf:
            raise ValueError(f"elo0 is below elo1, got {self.elo0} and {self.elo1}.")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} is a chance between 0 and 0.5, got {getattr(self, name)}.")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which the test ends: "not stronger" at or below, "stronger" at or above."""
        return float(np.log(self.beta / (1 - self.alpha))), float(np.log((1 - self.beta) / self.alpha))

    def ratio(self, pair_scores) -> float:
        """The log-likelihood ratio of elo1 against elo0 after pairs with these mean scores."""
        counts = np.bincount(np.rint(4 * np.asarray(pair_scores, dtype=float)).astype(int), minlength=5)
        return log_likelihood_ratio(counts, PAIR_SCORES, expected_score(self.elo0), expected_score(self.elo1))

    def verdict(self, pair_scores) -> str | None:
        """ "stronger", "not stronger", or None while the match should go on."""
        low, high = self.bounds
        ratio = self.ratio(pair_scores)
        return "stronger" if ratio >= high else "not stronger" if ratio <= low else None


def log_likelihood_ratio(counts, scores, score0: float, score1: float) -> float:
    """log of how much better mean score1 explains the counts than score0, each by its most likely distribution.

    Args:
        counts: (R,) how often each result was seen. scores: (R,) the score of each, from 0 to 1.
    """
    counts = np.where(np.asarray(counts) > 0, counts, UNSEEN).astype(float)
    if np.max(counts) < 1:
        return 0.0
    shares = counts / counts.sum()
    best0, best1 = (most_likely(shares, np.asarray(scores), score) for score in (score0, score1))
    return float((counts * np.log(best1 / best0)).sum())


def most_likely(shares, scores, mean: float) -> np.ndarray:
    """The distribution on `scores` with this mean that makes results with these shares most likely.

    It is shares / (1 + t·(scores − mean)), with t such that the mean comes out (Owen 1988, empirical likelihood). The
    sum that t makes 0 falls from plus to minus infinity between two poles.
    """
    distance = scores - mean
    low, high = -1 / distance.max(), -1 / distance.min()
    margin = 1e-12 * (high - low)

    def slope(t: float) -> float:
        return (shares * distance / (1 + t * distance)).sum()

    t = brentq(slope, low + margin, high - margin, xtol=1e-15, rtol=1e-14)
    return shares / (1 + t * distance)

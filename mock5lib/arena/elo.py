"""Ratings from games: the model of Bradley and Terry (1952), by maximum likelihood, on Elo's scale.

A player rated d Elo above its opponent scores 1 / (1 + 10^(−d / 400)) on average; who moves first gets an advantage of
its own, in Elo, which is estimated too. A draw is half a win and half a loss.

Only differences of ratings mean anything. They are shown with one player, the anchor, at 0. An interval is that of a
player against the mean of all, in which each counts by how much its games tell: against the anchor alone, all would be
as uncertain as the anchor is, which may have lost every game.

Games are not independent, and the likelihood alone doesn't know it. Draws scatter less than wins and losses would, so
its intervals are too wide among players who draw. And games from one opening go the same way, in all pairings that
play it, so they are too narrow where openings are few. So the profile likelihood gives an interval its form, and what
`Scatter` measures between whole openings its width. Simulated round robins are in `tests/test_elo.py`.

`SequentialTest` tells when a match has shown enough. It is the generalized sequential probability ratio test of chess
engines' test farms: after each pair it compares how well two hypotheses about the score explain the pairs so far, each
at its best fit to the five scores that a pair can have (0, ½, 1, 1½ or 2 of 2), and stops when one explains them so
much better that the error rates allow it. Sources: Wald (1945), "Sequential tests of statistical hypotheses"; M. Van
den Bergh, notes on the GSPRT for pairs of games (2019).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, log, log10, sqrt

import numpy as np
from scipy.optimize import brentq, minimize, root
from scipy.special import expit, ndtr
from scipy.stats import t as student

SCALE = 400 / log(10)  # Elo for a factor e in the odds
CHI_95 = 3.841458820694124  # 95% quantile of chi-squared with one degree of freedom
FEW = 4  # openings: an interval from fewer is flagged


@dataclass
class Ratings:
    """Ratings of N players.

    Attributes:
        names: N names, the strongest first. elo, low, high: (N,) with 95% intervals; the anchor's elo is 0.
        games, scores: (N,) of each player. first_move: advantage of the first move in Elo with its interval, or zeros
            where it was not estimated. model: what was fitted, with its best point and its weights.
        rough: names whose intervals rest on fewer than four openings, and are to be taken as rough guesses.
    """

    names: list[str]
    elo: np.ndarray
    low: np.ndarray
    high: np.ndarray
    games: np.ndarray
    scores: np.ndarray
    first_move: tuple[float, float, float]
    model: Model = field(repr=False)
    rough: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<Ratings: {', '.join(f'{name} {elo:.0f}' for name, elo in zip(self.names, self.elo))}>"

    def __getitem__(self, name: str) -> float:
        """A player's rating."""
        return float(self.elo[self._index(name)])

    def interval(self, name: str) -> tuple[float, float]:
        """A player's 95% interval."""
        return float(self.low[self._index(name)]), float(self.high[self._index(name)])

    def superiority(self, one: str, other: str) -> float:
        """Likelihood of superiority: the chance, seen from the games, that the first player is the stronger one.

        From the signed root of the likelihood ratio between the best ratings and the best with both players equal.
        """
        return self.model.superiority(one, other)

    def difference(self, one: str | list[str], other: str | list[str]) -> tuple[float, float, float]:
        """Rating of one player less that of another, with its 95% interval; a list stands for its mean.

        What two players have in common, the same opponents and the same doubt about the anchor, cancels, so this
        interval says more than a look at both players' own ones.
        """
        contrast = self.model.contrast(*([names] if isinstance(names, str) else list(names) for names in (one, other)))
        return self.model.estimate(contrast)

    @property
    def anchor(self) -> str:
        """Who stands at 0."""
        return self.names[int(np.argmin(np.abs(self.elo)))]

    def __str__(self) -> str:
        wide = max(len(name) for name in self.names)
        lines = [f"{'':{wide}}    Elo    95% interval    games  score"]
        for row in zip(self.names, self.elo, self.low, self.high, self.games, self.scores):
            name, elo, low, high, games, scores = row
            lines.append(f"{name:{wide}}  {elo:5.0f}  {low:6.0f} to {high:5.0f}  {games:6.0f}  {scores / games:5.3f}")
        lines += [f"Fewer than four openings tell of {', '.join(self.rough)}: a rough interval."] if self.rough else []
        return "\n".join(lines)

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"There is no player {name!r}; there are {', '.join(self.names)}.")
        return self.names.index(name)


def ratings(
    games: Iterable[tuple],
    anchor: str | None = None,
    *,
    prior: float = 1.0,
    first_move: bool = True,
    openings: Iterable | None = None,
) -> Ratings:
    """Rate players by their games.

    Args:
        games: tuples (who moved first, who moved second, score of the first: 1, 0.5 or 0), or with a fourth entry,
            the number of games that the score is the sum of.
        anchor: who gets 0; default: the weakest.
        prior: imaginary drawn games of each player, spread over the opponents it has met. They keep ratings finite
            where somebody won or lost all games. 0 gives plain maximum likelihood.
        first_move: estimate the advantage of the first move; otherwise it is 0.
        openings: for each of the games a label of the opening it began with, the same in all pairings: a tuple of
            moves, or a number. Intervals then know what games have in common; without them, games are taken as
            independent ones. They can't go with sums of games.

    Raises:
        ValueError: no games, openings that are not as many as games or that go with sums, a player against itself, a
            score out of range, an unknown anchor, players that never met the others even through third ones, or, with
            prior 0, games that no finite ratings fit best.
    """
    games = list(games)
    totals = total_scores(games)
    model = Model(totals, prior, first_move)
    if openings is not None:
        model.scatter = Scatter(model, games, list(openings))
    if anchor is not None and anchor not in model.names:
        raise ValueError(f"The anchor {anchor!r} has played no game; there are {', '.join(model.names)}.")
    strengths = SCALE * model.best[:-1]
    mean, zero = model.weights @ strengths, strengths.min() if anchor is None else strengths[model.names.index(anchor)]
    order = np.argsort(-strengths, kind="stable")
    names = [model.names[player] for player in order]
    bounds = np.array([model.estimate(model.against_mean(name))[1:] for name in names]) + mean - zero
    played, points = np.zeros((2, len(names)))
    for (first, second), (count, score) in totals.items():
        for name, scored in ((first, score), (second, count - score)):
            played[names.index(name)] += count
            points[names.index(name)] += scored
    advantage = model.estimate(np.eye(len(names) + 1)[-1]) if first_move else (0.0, 0.0, 0.0)
    rough = [name for name in names if model.scatter and model.scatter.openings(model.against_mean(name)) < FEW]
    return Ratings(names, strengths[order] - zero, *bounds.T, played, points, advantage, model, rough)


def expected_score(elo: float) -> float:
    """The score from 0 to 1 that a player so many Elo stronger expects: 1 / (1 + 10^(−elo / 400)) (Elo 1978)."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of(score: float) -> float:
    """How many Elo above its opponent a player is that scores this, from 0 to 1; infinite at the ends."""
    return -inf if score == 0 else inf if score == 1 else 400 * log10(score / (1 - score))


# The likelihood -------------------------------------------------------------------------------------------------


class Model:
    """The likelihood of N strengths and the first-move advantage, all in units of SCALE, given games.

    A point of its space is x, shape (N + 1,): strengths and advantage. Row m of `design` (M, N + 1) takes x to the
    log-odds of one kind of game, who against whom; `counts` and `scores` (M,) are its games and the sum of scores.
    Only differences of strengths count, and a column of zeros holds the advantage at 0.

    Attributes:
        best: the most likely x. weights: (N,) Fisher information of each strength alone, as shares.
        scatter: what games have in common, or None if they are taken as independent.
    """

    scatter: Scatter | None = None

    def __init__(self, totals: dict[tuple[str, str], tuple[float, float]], prior: float, first_move: bool):
        self.names = names = sorted({name for pair in totals for name in pair})
        rows = [(*pair, *total) for pair, total in sorted(totals.items())] + imaginary_draws(totals, prior)
        self.counts, self.scores = np.array([row[2:] for row in rows], dtype=float).T
        self.design = np.zeros((len(rows), len(names) + 1))
        for row, (first, second, *_) in enumerate(rows):
            self.design[row, names.index(first)], self.design[row, names.index(second)] = 1, -1
        if np.linalg.matrix_rank(self.design) < len(names) - 1:
            raise ValueError("Some players never met the others, not even through third ones: nothing compares them.")
        self.design[:, -1] = first_move
        self.best = self.fit(self.design)
        self.information = self.bend(self.best, self.design)
        if np.linalg.matrix_rank(self.information, tol=1e-6) < len(names) - 1 + first_move:
            raise ValueError("There are no finite ratings for these games; a prior above 0 gives some.")
        told = np.diag(self.information)[:-1]
        self.weights = told / told.sum()

    def loss(self, x, design) -> float:
        """The negative log-likelihood: −Σ scores · log p + (games − scores) · log(1 − p)."""
        odds = design @ x
        return float(self.scores @ np.logaddexp(0, -odds) + (self.counts - self.scores) @ np.logaddexp(0, odds))

    def slope(self, x, design) -> np.ndarray:
        """Its first derivatives: what is expected less what was scored."""
        return design.T @ (self.counts * expit(design @ x) - self.scores)

    def bend(self, x, design) -> np.ndarray:
        """Its second derivatives, the Fisher information."""
        chance = expit(design @ x)
        return design.T @ ((self.counts * chance * (1 - chance))[:, None] * design)

    def fit(self, design) -> np.ndarray:
        """The most likely x, where everybody scores what is expected."""
        return root(self.slope, np.zeros(design.shape[1]), design, "lm", self.bend, options={"ftol": 1e-15}).x

    def deviance_if_equal(self, one: str, other: str) -> float:
        """Twice the log-likelihood that is lost at best where two players are one and the same."""
        merged = self.design.copy()
        merged[:, self.names.index(one)] += merged[:, self.names.index(other)]
        merged[:, self.names.index(other)] = 0
        return max(2 * (self.loss(self.fit(merged), merged) - self.loss(self.best, self.design)), 0.0)

    def superiority(self, one: str, other: str) -> float:
        """The chance that one strength is above another, the more careful one of `Scatter`'s two."""
        contrast = self.contrast([one], [other])
        deviation = sqrt(self.deviance_if_equal(one, other)) * (1 if contrast @ self.best > 0 else -1)
        if self.scatter is None:
            return float(ndtr(deviation))
        openings, draws, freedom = self.scatter.of(contrast)
        chances = student.cdf(deviation / sqrt(openings), freedom), ndtr(deviation / sqrt(draws))
        return float(min(chances, key=lambda chance: abs(chance - 0.5)))

    def loss_allowed(self, contrast) -> float:
        """Twice the log-likelihood that the edges of a contrast's interval may lose."""
        if self.scatter is None:
            return CHI_95
        openings, draws, freedom = self.scatter.of(contrast)
        return max(openings * student.ppf(0.975, freedom) ** 2, draws * CHI_95)

    # Contrasts: linear functions of x that do not change when all strengths rise alike

    def contrast(self, some: list[str], others: list[str]) -> np.ndarray:
        """The mean strength of some players less that of others."""
        contrast = np.zeros(len(self.names) + 1)
        for group, sign in ((some, 1), (others, -1)):
            for name in group:
                contrast[self.names.index(name)] += sign / len(group)
        return contrast

    def against_mean(self, name: str) -> np.ndarray:
        """One strength less the weighted mean of all."""
        contrast = np.append(-self.weights, 0.0)
        contrast[self.names.index(name)] += 1
        return contrast

    def estimate(self, contrast) -> tuple[float, float, float]:
        """The most likely value of a contrast, in Elo, and its 95% profile-likelihood interval."""
        return tuple(
            float(SCALE * value) for value in (contrast @ self.best, self.edge(contrast, -1), self.edge(contrast, 1))
        )

    def edge(self, contrast, side: int) -> float:
        """The lowest (side −1) or highest (1) value of a contrast at any x that loses no more than it may.

        The search begins where the edge would be if the likelihood were Gaussian.
        """
        allowed = self.loss_allowed(contrast)
        most, step = self.loss(self.best, self.design) + allowed / 2, self.reach(contrast)
        found = minimize(
            lambda x: -side * (contrast @ x),
            self.best + side * sqrt(allowed / (contrast @ step)) * step,
            jac=lambda x: -side * contrast,
            method="SLSQP",
            constraints={
                "type": "ineq",
                "fun": lambda x: most - self.loss(x, self.design),
                "jac": lambda x: -self.slope(x, self.design),
            },
            options={"ftol": 1e-8},
        )
        return float(contrast @ found.x)

    def reach(self, contrast) -> np.ndarray:
        """The inverse of the information times a contrast, and so where x goes as the contrast grows."""
        return np.linalg.lstsq(self.information, contrast, rcond=1e-12)[0]


class Scatter:
    """How much more, or less, estimates scatter than those from independent games without draws would.

    All games from an opening, in all pairings that played it, are one cluster, and clusters are independent (Liang and
    Zeger 1986). Where one side wins nearly all, few clusters differ and their scatter says too little: there what is
    known of draws is the floor.

    Args:
        model: fitted to the games. games: (first, second, score) each. labels: of their openings.
    """

    def __init__(self, model: Model, games: list[tuple], labels: list):
        if len(labels) != len(games) or any(len(game) != 3 for game in games):
            raise ValueError(f"openings are one for each single game, got {len(labels)} for {len(games)} games.")
        kinds = {kind: number for number, kind in enumerate(sorted({game[:2] for game in games}))}
        self.model, self.rows = model, model.design[: len(kinds)]  # the imaginary draws come after them
        self.kind = np.array([kinds[game[:2]] for game in games])
        numbers: dict = {}
        self.opening = np.array([numbers.setdefault(label, len(numbers)) for label in labels])
        scores, chance = np.array([game[2] for game in games], dtype=float), expit(self.rows @ model.best)
        self.missed, self.variance = scores - chance[self.kind], chance * (1 - chance)
        drawn = np.bincount(self.kind, scores == 0.5)
        self.left_by_draws = np.maximum(np.bincount(self.kind) * self.variance - drawn / 4, 0)

    def openings(self, contrast) -> float:
        """The number of openings that tell of a contrast; those that tell little count in part."""
        told = self._told(self.rows @ self.model.reach(contrast))
        return float(told.sum() ** 2 / (told**2).sum())

    def of(self, contrast) -> tuple[float, float, float]:
        """A contrast's variance by openings, and that of draws, as multiples of the model's; degrees of freedom.

        With a single opening there is nothing to compare: it is (1, 1, ∞), as if games were independent.
        """
        reach = self.model.reach(contrast)
        pull, claimed, openings = self.rows @ reach, contrast @ reach, self.openings(contrast)
        if openings < 1.5:
            return 1.0, 1.0, inf
        moved = np.bincount(self.opening, pull[self.kind] * self.missed)  # how far each opening has moved the estimate
        between = (moved**2).sum() * openings / (openings - 1)
        tiny = 1e-9  # so that chances can be worked out where all openings agree
        return max(between / claimed, tiny), max(pull**2 @ self.left_by_draws / claimed, tiny), openings - 1

    def _told(self, pull) -> np.ndarray:
        """How much the games from each opening tell, (openings,)."""
        return np.bincount(self.opening, (pull**2 * self.variance)[self.kind])


def total_scores(games) -> dict[tuple[str, str], tuple[float, float]]:
    """(first, second) → (games, sum of the first's scores)."""
    totals: dict[tuple[str, str], tuple[float, float]] = {}
    for first, second, score, *more in games:
        count = more[0] if more else 1
        if first == second:
            raise ValueError(f"{first} cannot be rated by games against itself.")
        if not (count > 0 and 0 <= score <= count):
            raise ValueError(f"{first} against {second}: a score of {score!r} in {count!r} games is not possible.")
        before = totals.get((first, second), (0.0, 0.0))
        totals[first, second] = (before[0] + count, before[1] + score)
    if not totals:
        raise ValueError("There are no games to rate players by.")
    return totals


def imaginary_draws(totals, prior: float) -> list[tuple]:
    """Rows of imaginary draws: each player's share of `prior` for each opponent it met, both colors alike."""
    met: dict[str, set[str]] = {}
    for first, second in totals:
        met.setdefault(first, set()).add(second)
        met.setdefault(second, set()).add(first)
    rows = []
    for one, others in sorted(met.items()) if prior else ():
        for other in sorted(others):
            share = prior / 2 * (1 / len(met[one]) + 1 / len(met[other])) / 2
            rows.append((one, other, share, share / 2))
    return rows


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

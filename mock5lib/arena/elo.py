"""Ratings from games: the model of Bradley and Terry (1952), by maximum likelihood, on Elo's scale.

A player rated d Elo above its opponent scores 1 / (1 + 10^(−d / 400)) on average; who moves first gets an advantage of
its own, in Elo, which is estimated too. A draw is half a win and half a loss. That makes intervals too wide rather than
too narrow where many games are drawn.

Only differences of ratings mean anything. They are shown with one player, the anchor, at 0. An interval is that of a
player against the mean of all, in which each counts by how much its games tell: against the anchor alone, all would be
as uncertain as the anchor is, which may have lost every game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import erf, inf, log, sqrt

import numpy as np
from scipy.optimize import brentq

from mock5lib.base import ranges

SCALE = 400 / log(10)  # Elo for a factor e in the odds
CHI_95 = 3.841458820694124  # 95 % quantile of chi-squared with one degree of freedom
PRIOR_DRAWS = 1.0
FARTHEST = 25.0  # in units of SCALE, about 4,300 Elo: farther away is infinite


@dataclass
class Ratings:
    """Ratings of N players.

    Attributes:
        names: N names, the strongest first. elo, low, high: (N,) with 95 % intervals; the anchor's elo is 0.
        games, scores: (N,) of each player. first_move: advantage of the first move in Elo with its interval, or zeros
            where it was not estimated. model: what was fitted, with its best point and its weights.
    """

    names: list[str]
    elo: np.ndarray
    low: np.ndarray
    high: np.ndarray
    games: np.ndarray
    scores: np.ndarray
    first_move: tuple[float, float, float]
    model: Model = field(repr=False)

    def __getitem__(self, name: str) -> float:
        """A player's rating."""
        return float(self.elo[self._index(name)])

    def interval(self, name: str) -> tuple[float, float]:
        """A player's 95 % interval."""
        return float(self.low[self._index(name)]), float(self.high[self._index(name)])

    def superiority(self, one: str, other: str) -> float:
        """Likelihood of superiority: the chance, seen from the games, that the first player is the stronger one.

        Φ of the signed root of the likelihood ratio between the best ratings and the best with both players equal.
        """
        difference = self[one] - self[other]
        contrast = self.model.difference(one, other)
        root = sqrt(max(self.model.deviance(contrast, 0.0), 0.0))
        return normal_cdf(root if difference > 0 else -root)

    def difference(self, one: str | list[str], other: str | list[str]) -> tuple[float, float, float]:
        """Rating of one player less that of another, with its 95 % interval; a list stands for its mean.

        What two players have in common, the same opponents and the same doubt about the anchor, cancels, so this
        interval says more than a look at both players' own ones.
        """
        contrast = self.model.mean_difference(as_list(one), as_list(other))
        low, high = self.model.interval(contrast)
        return SCALE * float(contrast @ self.model.best), SCALE * low, SCALE * high

    @property
    def anchor(self) -> str:
        """Who stands at 0."""
        return self.names[int(np.argmin(np.abs(self.elo)))]

    def expected(self, one: str, other: str) -> float:
        """The score that the first player expects against the second, over both colours."""
        difference = self[one] - self[other]
        return (expected_score(difference + self.first_move[0]) + expected_score(difference - self.first_move[0])) / 2

    def __str__(self) -> str:
        wide = max(len(name) for name in self.names)
        lines = [f"{'':{wide}}    Elo   95 % interval    games  score"]
        for row in zip(self.names, self.elo, self.low, self.high, self.games, self.scores):
            name, elo, low, high, games, scores = row
            lines.append(f"{name:{wide}}  {elo:5.0f}  {low:6.0f} to {high:5.0f}  {games:6.0f}  {scores / games:5.3f}")
        return "\n".join(lines)

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise ValueError(f"There is no player {name!r}; there are {', '.join(self.names)}.")
        return self.names.index(name)


def ratings(
    games: Iterable[tuple], anchor: str | None = None, *, prior: float = PRIOR_DRAWS, first_move: bool = True
) -> Ratings:
    """Rate players by their games.

    Args:
        games: tuples (who moved first, who moved second, score of the first: 1, 0.5 or 0), or with a fourth entry,
            the number of games that the score is the sum of.
        anchor: who gets 0; default: the weakest.
        prior: imaginary drawn games of each player, spread over the opponents it has met. They keep ratings finite
            where somebody won or lost all games. 0 gives plain maximum likelihood.
        first_move: estimate the advantage of the first move; otherwise it is 0.

    Raises:
        ValueError: no games, a player against itself, a score out of range, an unknown anchor, players that never met
            the others even through third ones, or, with prior 0, a group that won or lost all games against the rest.
    """
    model = Model.of(games, prior, first_move)
    best = model.fit()
    strengths = best[: len(model.names)]
    order = np.argsort(-strengths, kind="stable")
    if anchor is not None and anchor not in model.names:
        raise ValueError(f"The anchor {anchor!r} has played no game; there are {', '.join(model.names)}.")
    zero = strengths[model.names.index(anchor)] if anchor is not None else strengths.min()
    shift = zero - model.weights @ strengths
    bounds = np.array([model.interval(model.against_mean(model.names[player])) for player in order])
    advantage = (float(best[-1]), *model.interval(model.first_move_alone())) if first_move else (0.0, 0.0, 0.0)
    return Ratings(
        [model.names[player] for player in order],
        SCALE * (strengths[order] - zero),
        SCALE * (bounds[:, 0] - shift),
        SCALE * (bounds[:, 1] - shift),
        model.games_of()[order],
        model.scores_of()[order],
        tuple(SCALE * value for value in advantage),
        model,
    )


def as_list(names: str | list[str]) -> list[str]:
    """One name as a list of one."""
    return [names] if isinstance(names, str) else list(names)


def expected_score(elo: float) -> float:
    """The score from 0 to 1 that a player so many Elo stronger expects: 1 / (1 + 10^(−elo / 400)) (Elo 1978)."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def elo_of(score: float) -> float:
    """How many Elo above its opponent a player is that scores this, from 0 to 1; infinite at the ends."""
    ranges.share(score=score)
    return -inf if score == 0 else inf if score == 1 else 400 * float(np.log10(score / (1 - score)))


def likelihood_of_superiority(wins: int, losses: int) -> float:
    """The chance that the winner of a match is the stronger one: Φ((wins − losses) / √(wins + losses)).

    Draws do not count; 0.5 without decided games.
    """
    ranges.at_least(0, wins=wins, losses=losses)
    return normal_cdf((wins - losses) / sqrt(wins + losses)) if wins + losses else 0.5


def normal_cdf(x: float) -> float:
    """Φ(x)."""
    return (1 + erf(x / sqrt(2))) / 2


# The likelihood -------------------------------------------------------------------------------------------------


class Model:
    """The likelihood of N strengths and the first-move advantage, all in units of SCALE, given games.

    A point of its space is x, shape (N + 1,): strengths and advantage. Row m of `design` (M, N + 1) takes x to the
    log-odds of one kind of game, who against whom; `counts` and `scores` (M,) are its games and the sum of scores.
    The last strength is held at 0, since only differences count.
    """

    def __init__(self, names, design, counts, scores, real, first_move):
        self.names, self.design, self.counts, self.scores = names, design, counts, scores
        self.real = real  # which rows are real games
        fixed = [len(names) - 1] + ([] if first_move else [len(names)])
        self.free = np.delete(np.eye(len(names) + 1), fixed, axis=1)  # columns: directions in which x may move
        self.best = None

    @classmethod
    def of(cls, games, prior: float, first_move: bool) -> Model:
        """The model of some games, see `ratings`."""
        ranges.at_least(0, prior=prior)
        totals = counted(games)
        names = sorted({name for pair in totals for name in pair})
        if prior == 0:
            check_beaten(totals, names)
        rows = [(*pair, count, scores, True) for pair, (count, scores) in sorted(totals.items())]
        rows += imaginary(totals, prior)
        design = np.zeros((len(rows), len(names) + 1))
        for row, (first, second, *_) in enumerate(rows):
            design[row, names.index(first)], design[row, names.index(second)], design[row, -1] = 1, -1, 1
        if np.linalg.matrix_rank(design[:, :-1]) < len(names) - 1:
            raise ValueError("Some players never met the others, not even through third ones: nothing compares them.")
        counts, scores, real = (np.array([row[i] for row in rows]) for i in (2, 3, 4))
        return cls(names, design, counts.astype(float), scores.astype(float), real, first_move)

    def log_likelihood(self, x) -> float:
        """Σ scores · log p + (games − scores) · log(1 − p)."""
        odds = self.design @ x
        lost = self.counts - self.scores
        return float(-(self.scores * np.logaddexp(0, -odds) + lost * np.logaddexp(0, odds)).sum())

    def maximum(self, start, directions) -> np.ndarray:
        """The most likely x among start + directions @ z: Newton's method, with shorter steps where one overshoots."""
        x, height = start, self.log_likelihood(start)
        for _ in range(200):
            chance = 1 / (1 + np.exp(-(self.design @ x)))
            slope = directions.T @ (self.design.T @ (self.scores - self.counts * chance))
            moved = self.design @ directions
            bend = moved.T @ ((self.counts * chance * (1 - chance))[:, None] * moved)
            step = directions @ np.linalg.lstsq(bend, slope, rcond=None)[0]
            step *= min(1.0, 5 / max(np.abs(step).max(), 1e-300))
            while self.log_likelihood(x + step) < height - 1e-12 * abs(height) and np.abs(step).max() > 1e-12:
                step = step / 2
            x, height = x + step, self.log_likelihood(x + step)
            if np.abs(step).max() < 1e-10:
                break
        return x

    def fit(self) -> np.ndarray:
        """The most likely x."""
        self.best = self.maximum(np.zeros(len(self.names) + 1), self.free)
        if np.abs(self.best).max() > FARTHEST:
            raise ValueError("There are no finite ratings for these games; a prior above 0 gives some.")
        self.top = self.log_likelihood(self.best)
        chance = 1 / (1 + np.exp(-(self.design @ self.best)))
        told = (self.design[:, :-1] ** 2).T @ (self.counts * chance * (1 - chance))
        self.weights = told / told.sum()  # (N,) Fisher information of each strength alone, as shares
        return self.best

    # Contrasts: linear functions of x that do not change when all strengths rise alike

    def difference(self, one: str, other: str) -> np.ndarray:
        """One strength less another."""
        return self.mean_difference([one], [other])

    def mean_difference(self, some: list[str], others: list[str]) -> np.ndarray:
        """The mean strength of some players less that of others."""
        contrast = np.zeros(len(self.names) + 1)
        for group, sign in ((some, 1), (others, -1)):
            unknown = [name for name in group if name not in self.names]
            if unknown or not group:
                raise ValueError(
                    f"There is no player {unknown[0] if unknown else ''!r}; there are {', '.join(self.names)}."
                )
            for name in group:
                contrast[self.names.index(name)] += sign / len(group)
        if not contrast.any():
            raise ValueError(f"A difference is that of two players, got {', '.join(some)} twice.")
        return contrast

    def against_mean(self, name: str) -> np.ndarray:
        """One strength less the weighted mean of all."""
        contrast = np.append(-self.weights, 0.0)
        contrast[self.names.index(name)] += 1
        return contrast

    def first_move_alone(self) -> np.ndarray:
        """The first-move advantage."""
        return np.append(np.zeros(len(self.names)), 1.0)

    def deviance(self, contrast, value: float) -> float:
        """Twice the log-likelihood that is lost at best where the contrast has this value."""
        along = self.free.T @ contrast
        gap = value - contrast @ self.best
        start = self.best + self.free @ along * (gap / (along @ along))
        others = np.linalg.svd(along[None, :])[2][1:].T  # directions that leave the contrast alone
        return 2 * (self.top - self.log_likelihood(self.maximum(start, self.free @ others)))

    def interval(self, contrast) -> tuple[float, float]:
        """The values of a contrast that lose less than the 95 % quantile: its profile-likelihood interval."""
        return self.edge(contrast, -1), self.edge(contrast, 1)

    def edge(self, contrast, side: int) -> float:
        """Where the deviance reaches the quantile, going down (side −1) or up (1) from the best value.

        The root of the deviance is nearly straight, so few steps find it.
        """
        middle = float(contrast @ self.best)

        def excess(distance):
            return sqrt(max(self.deviance(contrast, middle + side * distance), 0.0)) - sqrt(CHI_95)

        far = 0.25
        while excess(far) < 0:
            far *= 2
            if far > FARTHEST:
                return side * inf
        return middle + side * brentq(excess, 0.0, far, xtol=1e-9)

    # Totals

    def games_of(self) -> np.ndarray:
        """Real games of each player, (N,)."""
        return np.abs(self.design[self.real, :-1]).T @ self.counts[self.real]

    def scores_of(self) -> np.ndarray:
        """Points of each player in real games, (N,)."""
        design, counts, scores = self.design[self.real, :-1], self.counts[self.real], self.scores[self.real]
        return (design > 0).T @ scores + (design < 0).T @ (counts - scores)


def counted(games) -> dict[tuple[str, str], tuple[float, float]]:
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


def imaginary(totals, prior: float) -> list[tuple]:
    """Rows of imaginary draws: each player's share of `prior` for each opponent it met, both colours alike."""
    met: dict[str, set[str]] = {}
    for first, second in totals:
        met.setdefault(first, set()).add(second)
        met.setdefault(second, set()).add(first)
    rows = []
    for one, others in sorted(met.items()) if prior else ():
        for other in sorted(others):
            share = prior / 2 * (1 / len(met[one]) + 1 / len(met[other])) / 2
            rows.append((one, other, share, share / 2, False))
    return rows


def check_beaten(totals, names: list[str]) -> None:
    """Raise unless everybody scored, directly or through others, from everybody (Ford 1957).

    It is the condition for finite ratings without a prior.
    """
    took: dict[str, set[str]] = {name: set() for name in names}
    for (first, second), (count, score) in totals.items():
        if score > 0:
            took[first].add(second)
        if score < count:
            took[second].add(first)
    for start in names:
        reached, edge = {start}, [start]
        while edge:
            fresh = took[edge.pop()] - reached
            reached |= fresh
            edge += fresh
        if len(reached) < len(names):
            rest = ", ".join(name for name in names if name not in reached)
            raise ValueError(
                f"{', '.join(sorted(reached))} took no point from {rest}: ratings by maximum likelihood "
                f"are infinite; a prior above 0 gives finite ones."
            )

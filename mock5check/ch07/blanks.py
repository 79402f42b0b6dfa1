"""What the reader of chapter 7 types: the interval over pairs, Elo's formula, ratings and how far they scatter."""

import numpy as np

from mock5check.spec import exercise


def matches(rng):
    """(points,)"""
    for points in ([1, 0, 1, 0, 0, 1, 1, 0], [1] * 7 + [0], [0] * 5 + [1], [0, 0, 1, 1], [1] * 4):
        yield (points,)
    yield (np.array([1.0, 0.5, 0.5, 0.5, 0.0, 1.0]),)
    for pairs in rng.integers(2, 9, 30):  # one pair has no spread, whatever one divides by
        yield (rng.choice([0, 0.5, 1], 2 * pairs).tolist(),)


@exercise(
    cases=matches,
    why="Take the mean score of each pair. The interval is the mean of these ± 1.96 · σ / √P, cut off at 0 and 1; σ is "
    "their standard deviation (divided by P), and P the number of pairs.",
    shows={"pairs": "the pairs' mean scores", "half": "half of the interval"},
)
def pair_interval(points):
    """The 95% interval of the score, worked out over pairs."""
    pairs = np.asarray(points, dtype=float).reshape(-1, 2).mean(axis=1)
    half = 1.96 * pairs.std() / np.sqrt(len(pairs))
    return max(pairs.mean() - half, 0.0), min(pairs.mean() + half, 1.0)


def differences(rng):
    """(d,): a number or an array of any shape."""
    yield from ((0,), (200,), (-200,), (400.0,), (800,), (-1000.0,), (np.array([0.0, 100.0, -100.0]),))
    yield from ((d,) for d in rng.integers(-900, 900, 10).tolist())
    yield from ((rng.integers(-500, 500, shape).astype(float),) for shape in (1, 4, (2, 3)))


@exercise(cases=differences, why="1 / (1 + 10^(−d/400)).")
def expected(d):
    """The score to expect of a player who is d Elo stronger."""
    return 1 / (1 + 10 ** (-d / 400))


def tables(rng):
    """(totals,): everybody has met everybody, in equally many games or not, and has won something."""
    yield (np.array([[0.0, 15.0], [5.0, 0.0]]),)
    yield (np.array([[0.0, 12.0, 14.0], [8.0, 0.0, 13.0], [6.0, 7.0, 0.0]]),)
    yield (np.array([[0.0, 10.0, 3.0], [10.0, 0.0, 1.0], [1.0, 3.0, 0.0]]),)
    for players in (2, 3, 4, 5, 6):
        games = np.triu(rng.integers(5, 50, (players, players)), 1)
        won = np.rint(games * rng.uniform(0.2, 0.8, games.shape) * 2) / 2
        yield (won + (games - won).T,)


@exercise(
    cases=tables,
    close=1e-5,
    why="Start with γ = 1 for everybody and repeat Zermelo's step `rounds` times. The ratings are 400 · log10 γ, "
    "minus the first player's.",
)
def bradley_terry(totals, rounds=500):
    """Most likely ratings in Elo, the first player at 0."""
    games = totals + totals.T
    strength = np.ones(len(totals))
    for _ in range(rounds):
        sums = strength[:, None] + strength
        strength = totals.sum(axis=1) / (games / sums).sum(axis=1)
    rating = 400 * np.log10(strength)
    return rating - rating[0]


def resampled(rng):
    """(points, samples): what i made against j from each opening, 0 to 2; the openings of each new tournament."""
    for players, openings in ((2, 3), (3, 4), (4, 6), (5, 8)):
        made = rng.choice([0.5, 1.0, 1.5], (players, players, openings))
        upper = np.triu(np.ones((players, players)), 1)[:, :, None]
        points = made * upper + (2 - made).transpose(1, 0, 2) * upper.transpose(1, 0, 2)
        yield from ((points, rng.integers(openings, size=(times, openings))) for times in (3, 8))


@exercise(
    cases=resampled,
    close=1e-4,
    why="For each row of samples, add up the points from the openings it names (one named twice counts twice) and "
    "fit ratings to the sums. The answer is 1.96 standard deviations (np.std) of each player's ratings.",
)
def resampled_width(points, samples):
    """How far each rating scatters over resampled tournaments: 1.96 σ, in Elo."""
    found = [bradley_terry(points[:, :, sample].sum(axis=2)) for sample in samples]
    return 1.96 * np.std(found, axis=0)

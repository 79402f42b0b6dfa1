"""The small exercises of chapter 2, each declared by its solution."""

import numpy as np

from mock5check.answers import SMALL
from mock5check.core import Refused
from mock5check.sampled import alone_and_in_pairs, sampled
from mock5check.spec import exercise


def policies(rng):
    """(chances, temperature)"""
    for chances, temperature in (
        ([0.5, 0.3, 0.2], 1.0),
        ([0.5, 0.3, 0.2], 0.5),
        ([0.5, 0.3, 0.2], 0.0),
        ([0.4, 0.4, 0.2, 0.0], 0.0),
        ([0.7, 0.3, 0.0], 100.0),  # 0 stays 0
        ([0.011, 0.01, 0.979], 0.002),  # powers that are 0 to a computer
        ([0.500001, 0.499999], 0.0),
        ([0.500001, 0.499999], 1e-5),
        ([0.9, 0.05, 0.05], 0.001),
        ([1 - 1e-9, 1e-9], 5.0),
    ):
        yield np.array(chances), temperature
    for points in rng.integers(1, 7, 30):
        yield rng.dirichlet(np.ones(points)).round(3), round(float(rng.choice([0.1, 0.25, 1.5, 4.0, 0.003])), 3)


@exercise(
    cases=policies,
    close=1e-7,
    fresh=True,
    why="At T = 0 the highest chances share equally. Otherwise divide every chance by the largest, raise it to the "
    "power 1/T, and divide by the sum.",
    shows={"scaled": "the chances, divided by the largest", "weights": "to the power 1/T"},
)
def tempered(chances, temperature):
    """The policy at a temperature: p^(1/T), summing to 1; equal shares of the highest at T = 0."""
    scaled = chances / chances.max()
    if temperature == 0:
        weights = (scaled == 1).astype(float)
    else:
        weights = scaled ** (1 / temperature)
    return weights / weights.sum()


def games_of(rng):
    """(lengths, fraction)"""
    for lengths, fraction in (
        ([3, 5], 0.5),
        ([2, 4, 3], 0.3),
        ([3, 1, 4, 1, 5], 0.5),  # Python's round: 2.5 is 2
        ([3, 2, 4, 1], 0.7),  # and 2.8 is 3
        ([3, 2, 4, 1], 0.0),  # at least one
        ([3, 2, 4, 1], 1.0),  # at most all but one
        ([2, 40, 3, 3, 20, 2, 5, 9, 30, 4], 0.3),
    ):
        yield np.array(lengths), fraction


def number_held_out(lengths, fraction) -> int:
    return min(max(round(fraction * len(lengths)), 1), len(lengths) - 1)


def chances_of_games(lengths, fraction):
    """That each game is held out, and each pair of games."""
    games, count = len(lengths), number_held_out(lengths, fraction)
    chances = alone_and_in_pairs([count / games] * games)
    chances[games:] = count * (count - 1) / games / (games - 1)
    return chances


def games_held_out(mask, lengths, fraction):
    if not isinstance(mask, np.ndarray) or mask.shape != (lengths.sum(),):
        raise Refused(f"Return a NumPy array of booleans, one for each POSITION: {lengths.sum()} in all.")
    parts = np.split(mask, np.cumsum(lengths)[:-1])
    if any(part.any() != part.all() for part in parts):
        raise Refused("Some positions of a game are held out and others aren't. Choose whole GAMES.")
    chosen = np.array([part.all() for part in parts])
    if chosen.sum() != number_held_out(lengths, fraction):
        raise Refused(
            f"{chosen.sum()} of {len(lengths)} games are held out; it should be {number_held_out(lengths, fraction)}, "
            f"which is round({fraction} · {len(lengths)}), but at least 1 and at most all but one."
        )
    return alone_and_in_pairs(chosen)


@sampled(
    cases=games_of,
    chances=chances_of_games,
    happened=games_held_out,
    event="game",
    why="Every game should have the same chance of being held out, and so should every pair of games.",
)
def held_out(lengths, fraction, rng):
    """Which positions belong to the games that are held out."""
    games = len(lengths)
    count = min(max(round(fraction * games), 1), games - 1)
    chosen = np.zeros(games, dtype=bool)
    chosen[rng.permutation(games)[:count]] = True
    return np.repeat(chosen, lengths)


def boards(rng):
    """(scores, empty, epsilon)"""
    for scores, empty, epsilon in (
        ([1, 0, 3, 0], [1, 1, 1, 1], 0.0),
        ([5, 1, 3, 0], [0, 1, 1, 1], 1.0),
        ([9, 2, 2, 4, 0, 0], [0, 1, 0, 1, 1, 1], 0.3),
        ([7, 0, 0, 0], [0, 1, 1, 1], 0.0),  # no score on an empty point
        ([3e-30, 0, 1e-30, 5], [1, 1, 1, 0], 0.0),
        ([6, 1, 0, 3, 2, 9, 5], [1, 1, 1, 1, 1, 0, 1], 0.25),
        ([1, *[0] * 39], [1] * 40, 0.04),
        ([1, *[0.0004] * 80], [1] * 81, 0.0),  # small chances count
        ([100, 0, 0], [1, 1, 1], 0.5),
        ([1, *[0] * 26], [1, *[0] * 12] * 2 + [1], 0.5),  # few points are empty
    ):
        yield np.array(scores, float), np.array(empty, bool), epsilon
    yield np.array([3, 1, 0]), np.ones(3, bool), 0.0  # whole numbers


def chances_of_points(scores, empty, epsilon):
    weights, even = np.where(empty, scores, 0.0), empty / empty.sum()
    return even if not weights.any() else (1 - epsilon) * weights / weights.sum() + epsilon * even


@sampled(
    cases=boards,
    chances=chances_of_points,
    event="point",
    why="Among the empty points, choose in proportion to the scores. With chance epsilon, or if all these scores are "
    "0, choose evenly.",
)
def choose(scores, empty, epsilon, rng):
    """A move: in proportion to the scores, or, with chance epsilon, any empty point."""
    points = np.flatnonzero(empty)
    weights = scores[points]
    if weights.sum() == 0 or rng.random() < epsilon:
        return int(rng.choice(points))
    return int(rng.choice(points, p=weights / weights.sum()))


def mixtures(rng):
    """(parts, weights)"""
    yield np.array([[[0.5, 0.5, 0.0]]]), np.array([1.0])
    yield np.array([[[1.0, 0.0]], [[0.0, 1.0]]]), np.array([0.4, 0.6])
    yield np.array([[[0.6, 0.4, 0], [1, 0, 0]], [[0.2, 0.1, 0.7], [0, 0, 1]]]), np.array([0.5, 0.5])
    for agents, positions, points in rng.integers(1, [4, 4, 5], (40, 3)):
        if agents * positions * points <= SMALL:  # a larger array would be shown by its shape only
            yield rng.dirichlet(np.full(points, 0.3), (agents, positions)).round(3), rng.dirichlet(np.ones(agents))


@exercise(
    cases=mixtures,
    why="In each position, mix the agents' chances with the die's weights and take the likeliest point's. Then take "
    "the mean over the positions.",
    shows={"mixture": "the mixture"},
)
def ceiling(parts, weights):
    """The best possible share of right guesses."""
    mixture = np.tensordot(weights, parts, axes=1)  # (S, N)
    return mixture.max(axis=1).mean()

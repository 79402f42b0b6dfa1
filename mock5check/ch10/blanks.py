"""What the reader of chapter 10 types: what so few nets can show at all, and how often luck shows as much."""

from itertools import combinations

import numpy as np

from mock5check.spec import exercise


def imagined(rng):
    """(effect, scatter, draws): Elo, Elo, (T, 2, nets) from a normal distribution."""
    for experiments, nets in ((2, 1), (4, 2), (6, 3), (40, 2), (40, 3), (40, 4)):
        for effect, scatter in ((0, 50), (100, 50), (150.0, 100.0), (60, 20)):
            yield effect, scatter, rng.standard_normal((experiments, 2, nets)).round(2)


@exercise(
    cases=imagined,
    why="In each experiment the changed nets end at scatter · draws[t, 0] − effect and the unchanged ones at scatter · "
    "draws[t, 1]. It shows the effect if the strongest changed net is weaker than the weakest unchanged one.",
    shows={"changed": "the changed nets", "unchanged": "the unchanged nets"},
)
def chance_to_see(effect, scatter, draws):
    """Share of imagined experiments with every changed net below every unchanged."""
    changed = scatter * draws[:, 0] - effect
    unchanged = scatter * draws[:, 1]
    return float(np.mean(changed.max(axis=1) < unchanged.min(axis=1)))


def two_groups(rng):
    """(weaker, stronger): whole ratings."""
    yield from (([0], [1]), ([3], [1]), ([1, 2], [3, 4]), ([1, 4], [2, 3]), ([5, 5], [5, 5]))
    yield from (([-200, -150, -170], [0, 20, -60]), ([-90, 10, -30], [0, 20, -60]))
    for nets in (2, 3, 3, 4):
        for _ in range(6):
            yield rng.integers(-30, 10, nets).tolist(), rng.integers(-20, 20, nets).tolist()
    yield from (([-5, 2], [1, 8, 3]), ([4, -1, 0], [6]))


@exercise(
    cases=two_groups,
    why="List all ways to choose as many ratings as `weaker` has from both groups together, and count those whose sum "
    "is at most that of `weaker`. The real groups are one of the ways.",
    shows={"deals": "the ways"},
)
def by_luck(weaker, stronger):
    """Share of all deals into two such groups whose first is at least as weak."""
    deals = list(combinations([*weaker, *stronger], len(weaker)))
    return sum(sum(deal) <= sum(weaker) for deal in deals) / len(deals)

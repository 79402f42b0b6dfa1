"""The small exercises of chapter 4, each declared by its solution."""

import numpy as np

from mock5check.spec import exercise


def scores(rng):
    """(scores,)"""
    for boards in (
        [[[0.0, 1.0], [2.0, 3.0]]],
        [[[0, 1], [2, 0]], [[1, 1], [0, 3]]],
        [[[1000.0, 1001.0], [999.0, 0.0]]],
        [[[1000.0, 999.0]], [[0.0, 1.0]]],
        [[[-2000.0, -2001.0]], [[60.0, 61.0]]],
        [[[1000.0, -2000.0, 0.0]]],
    ):
        yield (np.array(boards),)
    for shape in rng.integers(1, 5, (25, 3)):
        yield (rng.normal(0, 2, shape).round(2),)


@exercise(
    cases=scores,
    why="All points of one board share one sum. e^1000 is too large for a computer and e^−1000 is 0: first subtract "
    "each board's own greatest score.",
    shows=["weights"],
)
def board_softmax(scores):
    """(B, H, W) → (B, H·W): a distribution over the points of each board."""
    flat = scores.reshape(len(scores), -1)
    weights = np.exp(flat - flat.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def children(rng):
    """(priors, visits, totals, parent_visits, c)"""
    for priors, visits, totals, parent_visits, c in (
        ([0.5, 0.5], [10, 1], [4.0, -0.4], 12, 1.0),
        ([0.2, 0.5, 0.3], [0, 0, 0], [0.0, 0.0, 0.0], 1, 5.0),
        ([0.2, 0.8], [0, 0], [0.0, 0.0], 0, 2.0),  # all are equal: the first
        ([0.999, 0.001], [10, 0], [5.0, 0.0], 11, 0.5),
        ([0.5, 0.0], [0, 1], [0.0, -1.0], 4, 1.0),  # equal: one by its prior, the other by its Q
        ([0.0, 0.5], [1, 0], [-1.0, 0.0], 4, 1.0),
        ([0.1, 0.2], [1, 0], [-0.3, 0.0], 2, 1.0),  # the root of 2 is no whole number
        ([0.5, 0.1], [0, 1], [0.0, -0.55], 2, 1.0),
        ([1, 0], [4, 4], [-1, -3], 9, 0.1),  # whole numbers
        ([0.5, 0.5, 0.0], [2, 3, 4], [2.0, 3.0, 4.0], 10, 0.0),  # all are lost
    ):
        yield np.array(priors), np.array(visits), np.array(totals), parent_visits, c
    for count in rng.integers(2, 7, 150):
        visits = rng.integers(0, 20, count) * (rng.random(count) < 0.7)
        totals = (visits * rng.uniform(-1, 1, count)).round(1)
        priors = (rng.dirichlet(np.ones(count)) * rng.choice([1, 1.3])).round(2)
        yield priors, visits, totals, int(visits.sum() + rng.integers(0, 4)), float(rng.choice([0.5, 1, 2, 5]))


@exercise(cases=children, why="The index of the greatest Q + u, the first of equal ones.", shows=["q", "u"])
def select(priors, visits, totals, parent_visits, c):
    """The index of the child with the greatest Q + u."""
    q = np.where(visits > 0, -totals / np.maximum(visits, 1), 0)
    u = c * priors * np.sqrt(parent_visits) / (1 + visits)
    return int(np.argmax(q + u))

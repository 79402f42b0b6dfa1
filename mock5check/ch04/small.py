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
    why="All points of a board share one sum. To a computer e^1000 is infinite and e^−1000 is 0, so first subtract "
    "each board's own greatest score.",
    shows={"weights": "e to the power of (score − its board's greatest)"},
)
def board_softmax(scores):
    """(B, H, W) → (B, H·W): a distribution over the points of each board."""
    flat = scores.reshape(len(scores), -1)
    weights = np.exp(flat - flat.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)

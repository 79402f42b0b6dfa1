"""Experts for tests of the searches: functions from planes (B, 3, H, W) to log-priors (B, H * W) and values (B,)."""

import numpy as np
from games import random_game


def weights_of(net) -> np.ndarray:
    """All weights of a net of PyTorch, in one row."""
    return np.concatenate([weights.detach().numpy().ravel() for weights in net.parameters()])


def uniform_expert(planes):
    """Knows nothing: equal priors, value 0."""
    return np.zeros((len(planes), planes.shape[2] * planes.shape[3]), np.float32), np.zeros(len(planes), np.float32)


def constant_expert(value):
    """Equal priors, and the same value for whoever is to move."""

    def expert(planes):
        return uniform_expert(planes)[0], np.full(len(planes), value, np.float32)

    return expert


def hashed_expert(seed=0, sharpness=3.0, uniform=False):
    """Says something arbitrary but fixed about every position up to 15×15, alone or in a batch."""
    keys = np.random.default_rng(seed).normal(size=(3 * 15 * 15, 15 * 15 + 1))

    def expert(planes):
        flat = planes.reshape(len(planes), -1).astype(np.float64)
        points = flat.shape[1] // 3
        # One row at a time: a matrix product over the batch may round differently from row to row.
        mixed = np.stack([(row[:, None] * keys[: flat.shape[1]]).sum(axis=0) for row in flat])
        log_priors = np.zeros((len(flat), points)) if uniform else sharpness * np.sin(7 * mixed[:, :points])
        return log_priors.astype(np.float32), np.sin(5 * mixed[:, -1]).astype(np.float32)

    return expert


def positions(count, seed=0, shapes=((3, 3, 3), (4, 6, 4), (6, 6, 4), (7, 5, 5), (9, 9, 5))):
    """Running games on several boards, from empty ones to ones with a move or two left."""
    rng, games = np.random.default_rng(seed), []
    while len(games) < count:
        height, width, k = shapes[len(games) % len(shapes)]
        game = random_game(height, width, k, bool(rng.integers(2)), rng.integers(height * width), rng.integers(2**32))
        if game.winner is None:
            games.append(game)
    return games


# What an expert must not answer, with a word of the message that says so
BAD_ANSWERS = {
    "no pair": (lambda planes: uniform_expert(planes)[0], TypeError, "pair"),
    "log-priors of the wrong shape": (lambda p: (np.zeros((len(p), 3)), np.zeros(len(p))), ValueError, "shape"),
    "values of the wrong shape": (lambda p: (uniform_expert(p)[0], np.zeros((len(p), 1))), ValueError, "shape"),
    "NaN among the log-priors": (lambda p: (uniform_expert(p)[0] * np.nan, np.zeros(len(p))), ValueError, "nan"),
    "NaN among the values": (lambda p: (uniform_expert(p)[0], np.full(len(p), np.nan)), ValueError, "nan"),
    "a log-prior of plus infinity": (lambda p: (uniform_expert(p)[0] + np.inf, np.zeros(len(p))), ValueError, "infin"),
    "a value above 1": (lambda p: (uniform_expert(p)[0], np.full(len(p), 1.01)), ValueError, "1.01"),
    "a value below -1": (lambda p: (uniform_expert(p)[0], np.full(len(p), -2.0)), ValueError, "-2"),
}

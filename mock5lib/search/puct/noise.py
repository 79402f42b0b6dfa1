"""Dirichlet noise in the priors of a root (Silver et al. 2017, Methods, "Self-play"). Compiled by numba."""

from __future__ import annotations

from math import cos, log, pi, sqrt

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import random_unit


@compiled
def mix_noise(t, g, total):
    """Mix Dirichlet noise into the priors of root g: each of its n moves has concentration total / n."""
    root, edges, weight = t.nodes[g, 0], t.edges[g, 0], t.games[g].noise
    draws, drawn = np.empty(root.legal), 0.0
    for slot in range(root.legal):
        draws[slot] = gamma_variate(total / root.legal, t.states[g])
        drawn += draws[slot]
    root.tried = 0.0
    for slot in range(root.legal):
        share = draws[slot] / drawn if drawn > 0.0 else 1.0 / root.legal
        edges[slot].prior = np.float32((1.0 - weight) * edges[slot].prior + weight * share)
        if slot < root.opened:
            t.nodes[g, edges[slot].child].prior = edges[slot].prior
            root.tried += edges[slot].prior
    root.fetched = 0


@compiled
def gamma_variate(shape, state):
    """A gamma number of that shape and scale 1 (Marsaglia and Tsang 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - random_unit(state)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / sqrt(9.0 * d)
    while True:
        x = normal_variate(state)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and log(1.0 - random_unit(state)) < 0.5 * x * x + d * (1.0 - v + log(v)):
            return boost * d * v


@compiled
def normal_variate(state):
    """A standard normal number (Box and Muller 1958)."""
    radius = sqrt(-2.0 * log(1.0 - random_unit(state)))
    return radius * cos(2.0 * pi * random_unit(state))

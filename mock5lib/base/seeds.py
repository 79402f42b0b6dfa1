"""Random generators from seeds."""

from __future__ import annotations

import numpy as np


def generator_of(seed) -> np.random.Generator:
    """A NumPy generator: the one given, or one made from an int or from the system's entropy (None)."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        hint = " Make the agent first, such as agents.greedy(seed=0), then call it with a game."
        raise TypeError(f"A seed is a whole number from 0, a numpy Generator or None, got {seed!r}.{hint}") from None

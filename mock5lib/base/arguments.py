"""Settings and checks of arguments: each check raises one sentence that names the value and its range, or passes it.

A seed becomes a random generator here, too.
"""

from __future__ import annotations

import math
from dataclasses import field, fields

import numpy as np


def setting(default, meaning: str, **limits):
    """A field of a dataclass of settings, with what the command line says of its option, and what it must be.

    Args:
        limits: `at_least`, `above` or `one_of`, see the functions of these names; None as a value is in range.
    """
    return field(default=default, metadata={"help": meaning, "limits": limits})


def check_settings(settings) -> None:
    """A ValueError that names the first field of a dataclass of settings that is out of its range."""
    for one in fields(settings):
        value = getattr(settings, one.name)
        for limit, of in one.metadata["limits"].items():
            if limit == "one_of":
                one_of(one.name, value, of)
            elif value is not None:
                (at_least if limit == "at_least" else above)(of, **{one.name: value})


def whole(name: str, value, low: int, high: int | None = None) -> int:
    """A whole number of at least `low` and at most `high`.

    Raises:
        TypeError: no whole number. ValueError: out of range.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, got {value!r}.")
    if value < low or (high is not None and value > high):
        limits = f"at least {low}" if high is None else f"between {low} and {high}"
        raise ValueError(f"{name} must be {limits}, got {value}.")
    return int(value)


def at_least(low, **values) -> None:
    """Finite numbers of at least `low`, each given by its name."""
    for name, value in values.items():
        if not low <= value < math.inf:
            raise ValueError(f"{name} must be at least {low}, got {value!r}.")


def above(low, **values) -> None:
    """Finite numbers above `low`, each given by its name."""
    for name, value in values.items():
        if not low < value < math.inf:
            raise ValueError(f"{name} must be a number above {low}, got {value!r}.")


def share(**values) -> None:
    """Shares and chances: numbers from 0 to 1, each given by its name."""
    for name, value in values.items():
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}.")


def split_fraction(value) -> None:
    """The fraction of games that a split keeps apart: neither none nor all."""
    if not 0 < value < 1:
        raise ValueError(f"A split fraction must be between 0 and 1, both excluded, got {value!r}.")


def even(**values) -> None:
    """Raise unless each value is even: every opening is played with both colors."""
    for name, value in values.items():
        if value % 2:
            raise ValueError(f"{name} must be even, as each opening is played with both colours, got {value!r}.")


def one_of(name: str, value, choices) -> None:
    """One of some words or numbers."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(str, choices))}, got {value!r}.")


def generator_of(seed) -> np.random.Generator:
    """A NumPy generator: the one given, or one made from an int or from the system's entropy (None)."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        hint = " Make the agent first, such as agents.greedy(seed=0), then call it with a game."
        raise TypeError(f"A seed is a whole number from 0, a numpy Generator or None, got {seed!r}.{hint}") from None

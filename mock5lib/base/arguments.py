"""Settings and checks of arguments: each check raises one sentence that names the value and its range, or passes it.

A seed becomes a random generator here, too.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import Field, field, fields
from numbers import Integral, Real
from typing import Any, cast

import numpy as np


def setting(default, meaning: str, **limits):
    """A field of a dataclass of settings: what the command line says of its option, and what its value must be.

    Args:
        limits: `at_least`, `at_most`, `above` or `one_of`. Numbers are finite, unless `at_most` is infinity; None is in
            range where the type has it.
    """
    return field(default=default, metadata={"help": meaning, "limits": limits})


def check_settings(settings) -> None:
    """Raise a sentence that names the first field of a dataclass of settings whose type or value is wrong."""
    for one in declared(type(settings)):
        check_setting(one, getattr(settings, one.name))


def declared(kind: type) -> list[Field]:
    """The fields of a dataclass that are declared by `setting`."""
    return [one for one in fields(kind) if "limits" in one.metadata]


def check_setting(one: Field, value) -> None:
    """A TypeError or ValueError that names a field whose type or limits a value does not meet."""
    kinds, limits = types_of(one), one.metadata["limits"]
    if value is None and "None" in kinds:
        return
    numbers = {"int": Integral, "float": Real}
    wanted: Any = tuple(numbers.get(kind, SIMPLE.get(kind, object)) for kind in kinds if kind != "None")
    if not isinstance(value, wanted) or (isinstance(value, (bool, np.bool_)) and "bool" not in kinds):
        raise TypeError(f"{one.name} must be {in_words(one)}, got {value!r}.")
    is_number = isinstance(value, Real) and "bool" not in kinds
    if is_number and not in_limits(value, limits):
        limit = said_limits(limits) or "finite"
        raise ValueError(f"{one.name} must be {limit}, got {value!r}.")
    if "one_of" in limits:
        one_of(one.name, value, limits["one_of"])


def read_setting(one: Field, text: str):
    """The value of a field that somebody typed; raises as `check_setting`."""
    kinds, value = types_of(one), cast(Any, text)
    if "None" in kinds and text.lower() == "none":
        value = None
    elif "bool" in kinds:
        value = {"true": True, "false": False}.get(text.lower(), text)
    else:
        for kind, read in (("int", int), ("float", float)):
            with suppress(ValueError):
                value = read(text) if kind in kinds and value is text else value
    check_setting(one, value)
    return value


def in_limits(value, limits: dict) -> bool:
    """Whether a number is finite and meets its limits."""
    low, high = limits.get("at_least", -math.inf), limits.get("at_most", math.inf)
    finite = math.isfinite(value) or limits.get("at_most") == value
    return finite and low <= value <= high and value > limits.get("above", -math.inf)


def in_words(one: Field) -> str:
    """What the value of a field must be: "a whole number from 1 to 64", "true or false"."""
    kinds, limits = types_of(one), one.metadata["limits"]
    if "one_of" in limits:
        return "one of " + ", ".join(map(str, limits["one_of"]))
    words = {"int": "a whole number", "float": "a number", "bool": "true or false", "str": "a text"}
    said, limit = " or ".join(words[kind] for kind in kinds if kind in words), said_limits(limits)
    said += f", {limit}" if limit.startswith("at least") else f" {limit}" if limit else ""
    return said + (" or none" if "None" in kinds else "")


def said_limits(limits: dict) -> str:
    """The limits of a number: "from 0 to 1", "at least 2", "above 0", or "" for none."""
    if "at_least" in limits and "at_most" in limits:
        high = "infinity" if limits["at_most"] == math.inf else limits["at_most"]
        return f"from {limits['at_least']} to {high}"
    if "at_least" in limits:
        return f"at least {limits['at_least']}"
    if "above" not in limits:
        return ""
    return f"above {limits['above']}" + (f", at most {limits['at_most']}" if "at_most" in limits else "")


def types_of(one: Field) -> list[str]:
    """The names of the types that a field takes, as in `float | None`."""
    text = one.type if isinstance(one.type, str) else getattr(one.type, "__name__", str(one.type))
    return [part.strip() for part in text.split("|")]


SIMPLE = {"bool": (bool, np.bool_), "str": str}


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


def number(name: str, value) -> None:
    """A TypeError unless a value is a number, whatever its size."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}.")


def at_least(low, **values) -> None:
    """Finite numbers of at least `low`, each given by its name."""
    for name, value in values.items():
        number(name, value)
        if not low <= value < math.inf:
            raise ValueError(f"{name} must be at least {low}, got {value!r}.")


def above(low, **values) -> None:
    """Finite numbers above `low`, each given by its name."""
    for name, value in values.items():
        number(name, value)
        if not low < value < math.inf:
            raise ValueError(f"{name} must be a number above {low}, got {value!r}.")


def at_most(high, **values) -> None:
    """Numbers of at most `high`, each given by its name."""
    for name, value in values.items():
        if value > high:
            raise ValueError(f"{name} must be at most {high:,}, got {value!r}.")


def share(**values) -> None:
    """Shares and chances: numbers from 0 to 1, each given by its name."""
    for name, value in values.items():
        number(name, value)
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}.")


def temperatures(**values) -> None:
    """Numbers from 0 to infinity, where all that can be drawn is equally likely; each given by its name."""
    for name, value in values.items():
        number(name, value)
        if not value >= 0:
            raise ValueError(f"{name} must be a number from 0 to infinity, got {value!r}.")


def split_fraction(value) -> None:
    """The fraction of games that a split keeps apart: neither none nor all."""
    if not 0 < value < 1:
        raise ValueError(f"A split fraction must be between 0 and 1, both excluded, got {value!r}.")


def even(**values) -> None:
    """Raise unless each value is even: every opening is played with both colors."""
    for name, value in values.items():
        if value % 2:
            raise ValueError(f"{name} must be even, as each opening is played with both colors, got {value!r}.")


def one_of(name: str, value, choices) -> None:
    """One of some words or numbers."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(str, choices))}, got {value!r}.")


def generator_of(seed) -> np.random.Generator:
    """A NumPy generator: the one given, or one made from an int or from the system's entropy (None)."""
    try:
        return np.random.default_rng(seed)
    except (TypeError, ValueError):
        made_first = " Make the agent first, such as agents.greedy(seed=0), then call it with a game."
        hint = made_first if hasattr(seed, "legal_moves") else ""
        raise TypeError(f"A seed is a whole number from 0, a numpy Generator or None, got {seed!r}.{hint}") from None

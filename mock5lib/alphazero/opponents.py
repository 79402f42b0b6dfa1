"""The fixed opponents against which a run of self-play is measured, each by its name."""

from __future__ import annotations

from mock5lib import names
from mock5lib.gomoku.heuristics import Heuristic


def opponent_named(name: str, k: int, seed: int):
    """A fixed opponent, any agent of `mock5lib.names`, such as "uct:1000" or "random"; None for "past".

    Raises:
        ValueError: there is no such opponent, or it does not play this k.
    """
    if name == "past":
        return None
    try:
        opponent = names.agent(name, seed)
    except ValueError as problem:
        raise ValueError(f"opponents: {problem}") from None
    if isinstance(opponent, Heuristic) and k != 5 and opponent.kind != "random":
        raise ValueError(f"Of the opponents, {name!r} is defined for five in a row only, this game has k = {k}.")
    return opponent

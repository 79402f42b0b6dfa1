"""The fixed opponents against which a run of self-play is measured, each by its name."""

from __future__ import annotations

from mock5lib.gomoku import heuristics_fast as fast
from mock5lib.gomoku.heuristics import by_name as heuristic_by_name
from mock5lib.search.uct.compiled import FastUCT


def opponent_named(name: str, k: int, seed: int):
    """A fixed opponent: "mcts:N", "random" or another heuristic; None for "past".

    Raises:
        ValueError: there is no such opponent, or it does not play this k.
    """
    kind, _, number = name.partition(":")
    if kind == "mcts" and number.isdigit() and int(number) > 0:
        return FastUCT(int(number), seed=seed, keep_tree=False)
    if name in fast.KINDS:
        if k != 5 and name != "random":
            raise ValueError(f"Of the opponents, {name!r} is defined for five in a row only, this game has k = {k}.")
        return heuristic_by_name(name, seed)
    if name == "past":
        return None
    raise ValueError(f"opponents are 'mcts:N', {', '.join(map(repr, fast.KINDS))} or 'past', got {name!r}.")

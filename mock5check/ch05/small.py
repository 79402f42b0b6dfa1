"""The small exercises of chapter 5, each declared by its solution."""

import numpy as np

from mock5check.answers import Outcome
from mock5check.spec import exercise


def edges(rng):
    """(priors, visits, totals, value, c, reduction)"""
    for priors, visits, totals, *numbers in (
        ([0.5, 0.3, 0.2], [3, 0, 0], [1.5, 0, 0], 0.4, 1.4, 0.2),
        ([0.6, 0.4], [0, 0], [0.0, 0], -0.5, 1.4, 0.2),  # nothing was tried
        ([0.5, 0.5], [3, 0], [-3.0, 0], -0.95, 1.4, 0.4),  # Q may fall below −1
        ([2.0, 2.0], [1, 0], [0.0, 0], 0.0, 1.0, 0.5),  # priors are taken as they are
        ([0.5, 0.5], [3, 0], [2, 0], 0.4, 1.0, 0.2),  # totals that are whole numbers
    ):
        yield np.array(priors), np.array(visits), np.array(totals), *numbers
    for moves in rng.integers(1, 10, 30):
        visits = rng.integers(0, 9, moves) * (rng.random(moves) < 0.6)
        totals = (visits * rng.uniform(-1, 1, moves)).round(2)
        numbers = rng.uniform([-1, 0.5, 0], [1, 3, 1]).round(2).tolist()
        yield rng.dirichlet(np.ones(moves)).round(3), visits, totals, *numbers


@exercise(
    cases=edges,
    why="Q is W/n; for a move without a visit it's v − r · √(the sum of the tried moves' priors). N is 1 + the sum of "
    "all visits.",
    shows={"first": "an untried move's q", "q": "q"},
)
def puct_scores(priors, visits, totals, value, c, reduction):
    """The PUCT score of each move, with first-play urgency."""
    tried = visits > 0
    first = value - reduction * np.sqrt(priors[tried].sum())
    q = np.where(tried, totals / np.maximum(visits, 1), first)
    return q + c * priors * np.sqrt(1 + visits.sum()) / (1 + visits)


def proofs(rng):
    """(children,)"""
    for children in ([-1], [1], [0], [None], [None, -1], [1, None], [0, None], [1, 0, 1], [1, 1], [-1, 1, None]):
        yield (children,)
    for moves in rng.integers(2, 6, 40):
        yield ([[-1, 0, 1, None][i] for i in rng.integers(0, 4, moves)],)


def why_proven(children):
    if -1 in children:
        return "One child is −1: there the opponent is to move and has lost. We go there, and win."
    if None in children:
        return "No child is −1, but about some nothing is proven. One of those may still be −1."
    return "Every child is proven. The best one for us is the worst for the opponent."


def what_is_said(function, children):
    """The answer in words: None is an answer like the others here."""
    answer = function(children)
    return Outcome(next((str(value) for value in (1, 0, -1) if answer == value), repr(answer)))


@exercise(cases=proofs, observe=what_is_said, why=why_proven)
def proven_value(children):
    """1, 0 or −1 for the player to move, if the children prove it, else None."""
    if -1 in children:
        return 1
    if None in children:
        return None
    return max(-value for value in children)

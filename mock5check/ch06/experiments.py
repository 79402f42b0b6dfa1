"""The check of the experiment of chapter 6, whose outcome is told beforehand."""

from math import erfc, sqrt

import numpy as np

from mock5check.core import graded

# 5. An experiment: the gate ---------------------------------------------------------------------------------------


def false_pass_of(games, gate, draws) -> float:
    """The right answer to `false_pass`."""
    chances = np.array([1.0])
    for _ in range(games):
        chances = np.convolve(chances, [(1 - draws) / 2, draws, (1 - draws) / 2])
    points = np.arange(2 * games + 1) / 2
    return float(chances[points > gate * games + 1e-9].sum())


def _no_margin(games, gate, draws):
    chances = np.array([1.0])
    for _ in range(games):
        chances = np.convolve(chances, [(1 - draws) / 2, draws, (1 - draws) / 2])
    return float(chances[np.arange(2 * games + 1) / 2 > gate * games].sum())


def _of_other_games(more: int):
    """As many games more, with the points that `games` ask for."""
    return lambda games, gate, draws: false_pass_of(games + more, gate * games / max(games + more, 1), draws)


def _bell(room: float):
    """The normal approximation, with so many points added to the gate's."""

    def approximate(games, gate, draws):
        spread = sqrt(max((1 - draws) / 4 * games, 1e-12))
        return 0.5 * erfc(((gate - 0.5) * games + room) / spread / sqrt(2))

    return approximate


FALSE_SLIPS = [
    (_of_other_games(-1), "One game is missing."),
    (_of_other_games(1), "That is one game too many."),
    (_bell(0.0), "That is the normal approximation; wanted is the EXACT chance."),
    (_bell(0.25), "That is the normal approximation; wanted is the EXACT chance."),
    (lambda n, g, d: false_pass_of(n, g - 1e-6, d), "The gate must be EXCEEDED: a score just at it does not pass."),
    (lambda n, g, d: false_pass_of(n, g, 0.0), "Draws are not counted: each counts one half."),
    (_no_margin, "0.58 · 50 is 28.999999999999996 to a computer: compare with a little room for rounding."),
    (lambda n, g, d: 1 - false_pass_of(n, g, d), "That is the chance NOT to pass."),
]


@graded
def false_pass(trial, function) -> None:
    """Check `false_pass(games, gate, draws)`: the chance that an equal net scores more than the gate."""
    cases = [(1, 0.5, 0.0), (2, 0.5, 0.0), (2, 0.5, 0.5), (1, 0.4, 1.0), (10, 0.5, 1.0), (10, 0.55, 0.5)]
    cases += [
        (20, 0.55, 0.5),
        (40, 0.55, 0.8),
        (100, 0.55, 0.2),
        (60, 0.5, 0.9),
        (50, 0.58, 0.2),
        (9, 0.5, 0.3),
        (200, 0.55, 0.2),
        (7, 0.57, 0.2),
        (33, 0.515, 0.2),
        (333, 0.503, 0.2),  # half a point above 166.5 + 0.999
        (100, 0.5499999, 0.3),  # the gate lies a little below 55 points
        (30, 0.3, 0.2),
        (300, 0.565, 0.2),  # 0.565 · 300 is 169.49999999999997
        (8, 0.0, 0.4),
        (1000, 0.51, 0.4),
    ]

    def why(games, gate, draws):
        lost = (1 - draws) / 2
        return (
            f"A game gives 0, ½ or 1 point with chances {lost:g}, {draws:g}, {lost:g}; what counts is the exact "
            f"chance of more points than {gate * games:g} in {games} game{'s' if games > 1 else ''}."
        )

    trial.compare(function, cases, right=false_pass_of, why=why, slips=FALSE_SLIPS, close=1e-7, long=8.0)

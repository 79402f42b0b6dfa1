"""The check of the experiment of chapter 6, whose outcome is told beforehand."""

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


FALSE_SLIPS = [
    (lambda n, g, d: false_pass_of(n, g - 1e-6, d), "The gate must be EXCEEDED: a score just at it does not pass."),
    (lambda n, g, d: false_pass_of(n, g, 0.0), "Draws are not counted: each counts one half."),
    (_no_margin, "0.58 · 50 is 28.999999999999996 to a computer: compare with a little room for rounding."),
    (lambda n, g, d: 1 - false_pass_of(n, g, d), "That is the chance NOT to pass."),
]


@graded
def false_pass(trial, function) -> None:
    """Check `false_pass(games, gate, draws)`: the chance that an equal net scores more than the gate."""
    cases = [(1, 0.5, 0.0), (2, 0.5, 0.0), (2, 0.5, 0.5), (1, 0.4, 1.0), (10, 0.5, 1.0), (10, 0.55, 0.5)]
    cases += [(20, 0.55, 0.5), (40, 0.55, 0.8), (100, 0.55, 0.2), (60, 0.5, 0.9), (50, 0.58, 0.2), (9, 0.5, 0.3)]

    def why(games, gate, draws):
        lost = (1 - draws) / 2
        return (
            f"A game gives 0, ½ or 1 point with chances {lost:g}, {draws:g}, {lost:g}; it passes with more than "
            f"{gate * games:g} points."
        )

    trial.compare(function, cases, right=false_pass_of, why=why, slips=FALSE_SLIPS, close=1e-7)

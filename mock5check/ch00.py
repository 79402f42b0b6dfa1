"""Chapter 0 shows with this one check how checks talk."""

import numpy as np

from mock5check.core import graded

SCORE_SLIPS = [
    (
        lambda w, d, n: w / (w + d + n),
        "The draws are in the number of games, but they earn nothing. Each is half a point.",
    ),
    (lambda w, d, n: (w + d) / (w + d + n), "Here a draw is worth as much as a win. It is half a point."),
    (lambda w, d, n: w / (w + n), "The drawn games are left out. They were played, and each is half a point."),
    (lambda w, d, n: w / max(1, w + n), "The drawn games are left out. They were played, and each is half a point."),
    (lambda w, d, n: (w - n) / (w + d + n), "This is wins minus losses. A loss earns 0; it does not cost a point."),
    (lambda w, d, n: w + d / 2, "These are the points. The share is the points divided by the number of games."),
    (lambda w, d, n: 100 * (w + d / 2) / (w + d + n), "This is in percent. The share is a number from 0 to 1."),
]


@graded
def score(trial, function) -> None:
    """Check `score(wins, draws, losses)`: the share of the points, 0 to 1; a draw is half a point to each side."""
    rng = np.random.default_rng(0)
    cases = [(5, 4, 1), (3, 0, 1), (0, 6, 0), (0, 0, 7), (2, 0, 0), (0, 1, 3)]
    cases += [tuple(row) for row in rng.integers(0, 40, (20, 3)).tolist() if sum(row)]

    def why(wins, draws, losses):
        points = wins + draws / 2
        return (
            f"Points for wins: {wins}. For draws: {draws}/2 = {draws / 2:g}. For losses: 0. "
            f"Together {points:g} of {wins + draws + losses} possible."
        )

    trial.compare(function, cases, right=lambda w, d, n: (w + d / 2) / (w + d + n), why=why, slips=SCORE_SLIPS)

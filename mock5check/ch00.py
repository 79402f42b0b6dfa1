"""Chapter 0 shows with this one check how checks talk."""

import numpy as np

from mock5check.core import Trial
from mock5check.slips import likely

SCORE_SLIPS = [
    (
        lambda w, d, n: w / (w + d + n),
        "The draws are in the number of games, but they earn nothing. Each is half a point.",
    ),
    (lambda w, d, n: (w + d) / (w + d + n), "Here a draw is worth as much as a win. It is half a point."),
    (lambda w, d, n: w / (w + n), "The drawn games are left out. They were played, and each is half a point."),
    (lambda w, d, n: (w - n) / (w + d + n), "This is wins minus losses. A loss earns 0; it does not cost a point."),
    (lambda w, d, n: w + d / 2, "These are the points. The share is the points divided by the number of games."),
    (lambda w, d, n: 100 * (w + d / 2) / (w + d + n), "This is in percent. The share is a number from 0 to 1."),
    (lambda w, d, n: None, "It returned nothing. Is a `return` missing?"),
]


def score(function) -> None:
    """Check `score(wins, draws, losses)`: the share of the points, 0 to 1; a draw is half a point to each side."""
    trial = Trial("score")
    rng = np.random.default_rng(0)
    counts = [(5, 4, 1), (3, 0, 1), (0, 6, 0), (0, 0, 7), (2, 0, 0), (0, 1, 3)]
    counts += [tuple(row) for row in rng.integers(0, 40, (20, 3)).tolist() if sum(row)]
    for wins, draws, losses in counts:
        games, points = wins + draws + losses, wins + draws / 2
        trial.expect(
            function,
            *(wins, draws, losses),
            right=points / games,
            why=f"Points for wins: {wins}. For draws: {draws}/2 = {draws / 2:g}. For losses: 0. "
            f"Together {points:g} of {games} possible.",
            likely=likely(SCORE_SLIPS, wins, draws, losses),
        )
    trial.passed()

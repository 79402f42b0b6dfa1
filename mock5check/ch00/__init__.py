"""Chapter 0 shows with this one check how checks talk, and has one blank."""

import numpy as np

from mock5check.ch00 import blanks
from mock5check.core import graded
from mock5check.your_turn import turns_of

your_turn = turns_of(blanks)

SCORE_SLIPS = [
    (
        lambda w, d, n: w / (w + d + n),
        "The draws are in the number of games but add nothing to the sum. Each counts one half.",
    ),
    (lambda w, d, n: (w + d) / (w + d + n), "Here a draw counts as much as a win. It counts one half."),
    (lambda w, d, n: w / (w + n), "The drawn games are left out. They were played, and each counts one half."),
    (lambda w, d, n: w / max(1, w + n), "The drawn games are left out. They were played, and each counts one half."),
    (lambda w, d, n: (w - n) / (w + d + n), "This is wins minus losses. A loss counts 0, not −1."),
    (lambda w, d, n: w + d / 2, "This is the sum of the scores. Divide it by the number of games."),
    (lambda w, d, n: 100 * (w + d / 2) / (w + d + n), "This is a percentage. The score is a number from 0 to 1."),
]


@graded
def score(trial, function) -> None:
    """Check `score(wins, draws, losses)`: the mean score of the games, 0 to 1; a draw counts one half for each side."""
    rng = np.random.default_rng(0)
    cases = [(5, 4, 1), (3, 0, 1), (0, 6, 0), (0, 0, 7), (2, 0, 0), (0, 1, 3)]
    cases += [tuple(row) for row in rng.integers(0, 40, (20, 3)).tolist() if sum(row)]

    def why(wins, draws, losses):
        total = wins + draws / 2
        return (
            f"The wins count {wins}, the draws {draws}/2 = {draws / 2:g}, the losses 0. "
            f"That makes {total:g} out of a possible {wins + draws + losses}."
        )

    trial.compare(function, cases, right=lambda w, d, n: (w + d / 2) / (w + d + n), why=why, slips=SCORE_SLIPS)

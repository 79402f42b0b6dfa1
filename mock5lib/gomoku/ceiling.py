"""How well can a net predict a heuristic's moves at best? The exact chance of each move, position by position.

The heuristics break ties by lot, and the mixed one also draws which rule it follows. No predictor can be right more
often than by naming the most probable move each time: the mean of that chance is the *ceiling* of top-1 accuracy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mock5lib.game.records import Records
from mock5lib.gomoku.heuristics import by_name


class Ceiling(NamedTuple):
    """The limits of prediction on a set of positions."""

    top1: float  # mean chance of the most probable move: no predictor's expected accuracy is higher
    top3: float  # mean chance of the three most probable moves together
    positions: int


def prediction_ceiling(records: Records, agent: str = "mixed") -> Ceiling:
    """The ceiling for predicting the moves of records whose both players were the heuristic `agent`.

    Positions in which the generator put a random move are left out, as training does by default.
    """
    teacher, highest = by_name(agent), []
    for number in range(len(records)):
        game = records.game(number, 0)
        for place in range(records.offsets[number], records.offsets[number + 1]):
            if records.mistakes is None or not records.mistakes[place]:
                highest.append(np.sort(teacher.distribution(game))[-3:])
            game.apply(int(records.moves[place]))
    if not highest:
        raise ValueError("There are no positions to find a ceiling for.")
    chances = np.array(highest)
    return Ceiling(float(chances[:, -1].mean()), float(chances.sum(axis=1).mean()), len(chances))

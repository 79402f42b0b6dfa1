"""A move in time: an agent's full search where time allows, part of it where it does not, and never no move at all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from mock5lib.gomoku.heuristics import Heuristic


class TimedAgent:
    """An agent that answers within a given time.

    It is asked in a thread of its own, and told when its answer is due if it has `move_by`. If it is late all the same,
    a greedy move is played in its stead, and it is not asked again before it has come to its end.
    """

    def __init__(self, agent, clock: Callable[[], float] = time.perf_counter):
        self.agent, self.clock = agent, clock
        self._thinking = threading.Thread()

    def move(self, game, seconds: float):
        """(the agent's answer, whether it came in time)."""
        if self._thinking.is_alive():
            self._thinking.join(seconds)
            if self._thinking.is_alive():
                return quick_move(game), False
        answer: list = []
        self._thinking = threading.Thread(target=self._think, args=(game.copy(), seconds, answer), daemon=True)
        self._thinking.start()
        self._thinking.join(seconds)
        if not answer:
            return quick_move(game), False
        if isinstance(answer[0], Exception):
            raise answer[0]
        return answer[0], True

    def _think(self, game, seconds: float, answer: list) -> None:
        try:
            if hasattr(self.agent, "move_by"):
                deadline = self.clock() + 0.8 * seconds  # the last chunk may take longer than the rate so far says
                answer.append(self.agent.move_by(game, deadline, self.clock))
            else:
                answer.append(self.agent(game))
        except Exception as problem:  # noqa: BLE001 - handed to who waits for the answer
            answer.append(problem)


def quick_move(game) -> int:
    """A greedy move, or the first legal one where greedy has no rule."""
    return Heuristic("greedy", 0)(game) if game.k == 5 else game.legal_moves()[0]

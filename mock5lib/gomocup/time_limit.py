"""A move in time: an agent's full search where time allows, part of it where it does not, and never no move at all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from mock5lib.gomoku.heuristics import Heuristic
from mock5lib.search.puct.arrays import EDGE, NODE
from mock5lib.search.uct.kernels import MIN_SLOTS, SLOT

FIRST_CHUNK = 16  # simulations before the first look at the clock
SAFETY = 0.7  # share of the time left that the next chunk may fill by the rate so far


class Pacer:
    """An agent that answers within a given time.

    A search that keeps its tree is run in chunks, until all its simulations are done or time is up. Any other agent is
    asked in a thread of its own; if it is late, a greedy move is played in its stead, and it is not asked again before
    it has come to its end.
    """

    def __init__(self, agent, clock: Callable[[], float] = time.perf_counter):
        self.agent, self.clock = agent, clock
        self._thinking: threading.Thread | None = None

    def warm_up(self, game) -> None:
        """Load and compile what a move needs, and leave the agent as if nothing was asked."""
        if isinstance(getattr(self.agent, "simulations", None), int) and hasattr(self.agent, "forget"):
            wanted, self.agent.simulations = self.agent.simulations, 1
            try:
                self.agent(game.copy())
            finally:
                self.agent.simulations = wanted
                self.agent.forget()

    def move(self, game, seconds: float | None = None):
        """(the agent's answer, whether it came in time).

        Raises:
            Exception: whatever the agent raises.
        """
        if seconds is None:
            return self.agent(game.copy()), True
        if self._thinking is not None and self._thinking.is_alive():
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
            deadline = self.clock() + 0.8 * seconds  # the last chunk may take longer than the rate so far says
            answer.append(search_until(self.agent, game, deadline, self.clock))
        except Exception as problem:  # noqa: BLE001 - handed to who waits for the answer
            answer.append(problem)

    def limit_memory(self, nbytes: int, points: int) -> None:
        """Let trees take at most half of so many bytes; the other half is for everything else.

        Args:
            points: of the board.
        """
        if hasattr(self.agent, "max_slots"):
            self.agent.max_slots = max(MIN_SLOTS, min(self.agent.max_slots, nbytes // 2 // SLOT.itemsize))
        if hasattr(self.agent, "nodes"):
            each = NODE.itemsize + points * EDGE.itemsize
            self.agent.nodes = max(2, min(self.agent.nodes, nbytes // 2 // each))
            self.agent.forget()


def search_until(agent, game, deadline: float, clock: Callable[[], float]):
    """The agent's answer; one that searches does as much of its search as it can before the deadline."""
    if getattr(agent, "seconds", None) is not None:
        return with_setting(agent, "seconds", max(min(agent.seconds, deadline - clock()), 1e-3), game)
    keeps = getattr(agent, "keep_tree", False) or getattr(agent, "reuse", False)
    if not (keeps and isinstance(getattr(agent, "simulations", None), int)):
        return agent(game)
    done, chunk = 0, FIRST_CHUNK
    while True:
        chunk = min(chunk, agent.simulations - done)
        began = clock()
        answer = with_setting(agent, "simulations", chunk, game)
        done, now = done + chunk, clock()
        fits = int(SAFETY * (deadline - now) * chunk / max(now - began, 1e-6))
        if done >= agent.simulations or fits < 1:
            return answer
        chunk = min(4 * chunk, fits)


def with_setting(agent, name: str, value, game):
    """The agent's answer with one attribute changed for the moment."""
    kept = getattr(agent, name)
    setattr(agent, name, value)
    try:
        return agent(game)
    finally:
        setattr(agent, name, kept)


def quick_move(game) -> int:
    """A greedy move, or the first legal one where greedy has no rule."""
    return Heuristic("greedy", 0)(game) if game.k == 5 else game.legal_moves()[0]

"""An answer by a deadline: a search that keeps its tree runs in chunks until it is done or the time is up."""

from __future__ import annotations

import time
from collections.abc import Callable

from mock5lib.base.contract import Named

FIRST_CHUNK = 16  # simulations before the first look at the clock
SAFETY = 0.7  # share of the time left that the next chunk may fill by the rate so far


class AnswersByDeadline(Named):
    """What UCT and searches with an expert share: `move_by` and `warm_up`, which a match on the clock calls.

    It needs the agent's `simulations` (None with a budget in seconds), `seconds` and `keep_tree`, `forget()`, and a
    call that takes `simulations` or `seconds` in place of the agent's own.
    """

    seconds: float | None = None

    def move_by(self, game, deadline: float, clock: Callable[[], float] = time.perf_counter):
        """The move, with as much of the search as fits in before the deadline; a tree that isn't kept can't wait."""
        if self.seconds is not None:
            return self(game, seconds=max(min(self.seconds, deadline - clock()), 1e-3))
        if not self.keep_tree:
            return self(game)
        done, chunk = 0, FIRST_CHUNK
        while True:
            chunk = min(chunk, self.simulations - done)
            began = clock()
            move = self(game, simulations=chunk)
            done, now = done + chunk, clock()
            fits = int(SAFETY * (deadline - now) * chunk / max(now - began, 1e-6))
            if done >= self.simulations or fits < 1:
                return move
            chunk = min(4 * chunk, fits)

    def warm_up(self, game) -> None:
        """Load and compile what a move needs, and leave the agent as if nothing had been asked."""
        self(game.copy(), **({"simulations": 1} if self.seconds is None else {"seconds": 1e-3}))
        self.forget()

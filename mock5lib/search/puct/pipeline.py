"""Two forests in turns: while the expert works for one, the trees of the other are walked. For experts on a GPU.

A `Timeline` notes who worked when: `mock5lib.show.timeline.plot_timeline` draws it.
"""

from __future__ import annotations

import operator
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import NamedTuple

from mock5lib.search.puct.forest import Forest


class Span(NamedTuple):
    """Somebody at work, from start to end, in seconds since the timeline began."""

    lane: str
    start: float
    end: float


class Timeline:
    """Who worked when, in the order in which they were done. Several threads may note at once."""

    def __init__(self):
        self.spans: list[Span] = []
        self._began = time.perf_counter()

    def watch(self, lane: str, function: Callable) -> Callable:
        """The same function, with each of its calls noted."""

        def watched(*arguments):
            start = time.perf_counter() - self._began
            try:
                return function(*arguments)
            finally:
                self.spans.append(Span(lane, start, time.perf_counter() - self._began))

        return watched

    def share(self, lane: str) -> float:
        """How much of the time from the first start to the last end this lane was at work, from 0 to 1."""
        if not self.spans:
            raise ValueError("The timeline is empty: nothing was noted.")
        whole = max(span.end for span in self.spans) - min(span.start for span in self.spans)
        return sum(span.end - span.start for span in self.spans if span.lane == lane) / whole


def search_in_turns(
    forests: list[Forest],
    expert,
    simulations,
    noise=None,
    *,
    timeline: Timeline | None = None,
    worker: ThreadPoolExecutor | None = None,
) -> None:
    """`Forest.search` for several forests at once; each comes out as if searched alone.

    The expert runs in a thread of its own, for one forest at a time. On a CPU, where it needs the same cores as the
    trees, one forest of all games is faster.

    Args:
        forests: two, of half the games each, are enough to keep both sides busy.
        expert: as in `Forest.search`.
        simulations, noise: likewise, the same for all forests; or a list with one entry for each forest.
        timeline: notes the lane "net", and "trees" or, of several forests, "trees 1", "trees 2", …
        worker: the thread for the expert, of a pool with one; default: a new one.
    """
    each = [part if isinstance(part, list) else [part] * len(forests) for part in (simulations, noise)]
    for forest, wanted, weight in zip(forests, *each, strict=True):
        forest.begin(expert, wanted, weight)
    answer = operator.call
    walks = [(forest.select, forest.back_up) for forest in forests]
    if timeline is not None:
        lanes = ["trees"] if len(forests) == 1 else [f"trees {number}" for number in range(1, len(forests) + 1)]
        walks = [tuple(timeline.watch(lane, part) for part in walk) for lane, walk in zip(lanes, walks)]
        answer = timeline.watch("net", answer)
    try:
        with nullcontext(worker) if worker else ThreadPoolExecutor(1) as worker:
            asked = deque((walk, None) for walk in walks)
            while asked:
                (select, back_up), answered = asked.popleft()
                if answered is not None:
                    back_up(answered.result())
                question = select()
                if question is not None:
                    asked.append(((select, back_up), worker.submit(answer, question)))
    except BaseException:
        for forest in forests:
            forest.forget()
        raise

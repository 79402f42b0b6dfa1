"""Two forests in turns: while the expert works for one, the trees of the other are walked. For experts on a GPU."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor

from mock5lib.search.forest import Forest


def search_in_turns(forests: list[Forest], expert, simulations, noise=None) -> None:
    """`Forest.search` for several forests at once; each comes out as if searched alone.

    The expert runs in a thread of its own, for one forest at a time. On a CPU, where it needs the same cores as the
    trees, one forest of all games is faster.

    Args:
        forests: two, of half the games each, are enough to keep both sides busy.
        expert: as in `Forest.search`.
        simulations, noise: likewise, the same for all forests; or a list with one entry for each forest.

    Raises:
        ValueError: as in `Forest.search`; then the trees of all forests start afresh.
    """
    each = [part if isinstance(part, list) else [part] * len(forests) for part in (simulations, noise)]
    for forest, wanted, weight in zip(forests, *each, strict=True):
        forest.begin(wanted, weight)
    try:
        with ThreadPoolExecutor(1) as worker:
            asked = deque()
            for forest in forests:
                ask(forest, expert, worker, asked)
            while asked:
                forest, answer = asked.popleft()
                forest.back_up(answer.result())
                ask(forest, expert, worker, asked)
    except BaseException:
        for forest in forests:
            forest.forget()
        raise


def ask(forest: Forest, expert, worker: ThreadPoolExecutor, asked: deque) -> None:
    """Gather the forest's next leaves and send them to the expert, if its search is not over."""
    planes = forest.select()
    if planes is not None:
        asked.append((forest, worker.submit(expert, planes)))

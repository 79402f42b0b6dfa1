"""The slow cluster of chapter 8, declared by its solution: its clock shows how well the work was handed out."""

from typing import NamedTuple

import numpy as np

from mock5check.answers import show
from mock5check.ch08.cluster import Cluster, Promise
from mock5check.core import Refused
from mock5check.spec import exercise

WEIGHTS = np.random.default_rng(8).random(500_000)  # 4 MB, 0.4 s to send


def lengths(rng):
    """(workers, seconds of each task)"""
    yield from (
        (1, [1.0, 2.0, 0.5]),
        (8, [1.0] * 3),
        (2, [3.0, 1.0, 1.0, 1.0]),
        (4, [1.0] * 12),
        (4, [8.0, 1.0, 1.0, 1.0] * 4),
        (4, [8.0] * 3 + [1.0] * 9),
        (4, [1.0] * 9 + [8.0] * 3),
        (12, [1.0, 2.0, 3.0] * 10),
    )
    for tasks in rng.integers(1, 25, 20):
        yield int(rng.integers(1, 9)), (rng.integers(1, 13, tasks) / 2).tolist()


def games_of(task, weights):
    """What a worker answers."""
    return f"games of {task}" + (" with other weights" if not np.array_equal(weights, WEIGHTS) else "")


class Collected(NamedTuple):
    results: list
    tasks_as_they_were_handed_out: list
    times_that_the_weights_went_out: int
    seconds: float


def by_the_clock(solution, workers, seconds):
    """What a new cluster says after the work; its seconds are the best ones if they are near enough."""
    yours, ours = (Cluster(workers, lambda task: seconds[task], games_of) for _ in range(2))
    tasks = list(range(len(seconds)))
    collect.solution(ours, WEIGHTS, tasks)
    results = solution(yours, WEIGHTS, tasks)
    if isinstance(results, list) and any(isinstance(result, Promise) for result in results):
        raise Refused("Some results are still promises. `cluster.get(promise)` returns the answer.")
    clock = ours.clock if yours.clock <= 1.12 * ours.clock else yours.clock
    return Collected(results, yours.played, -(-yours.sent // WEIGHTS.nbytes), round(clock, 2))


def call(workers, seconds):
    told = show(list(range(len(seconds))))
    took = ", ".join(f"{length:g}" for length in seconds)
    return f"collect(Cluster(workers={workers}), weights, {told})\nThe tasks take {took} s."


@exercise(
    cases=lengths,
    observe=by_the_clock,
    call=call,
    may_change=(0,),
    why="Send the weights out once, which takes 0.4 s. Give each worker its next task, in the order of the list, as "
    "soon as it's free. (Up to 12% more seconds are fine.)",
)
def collect(cluster, weights, tasks):
    """The results of all tasks in order, as fast as the cluster can."""
    ref, running, results = cluster.put(weights), {}, [None] * len(tasks)
    following = iter(enumerate(tasks))

    def hand_out(worker):
        for place, task in following:
            running[cluster.play(worker, ref, task)] = place, worker
            return

    for worker in range(cluster.workers):
        hand_out(worker)
    while running:
        for promise in cluster.wait(running)[0]:
            place, worker = running.pop(promise)
            results[place] = cluster.get(promise)
            hand_out(worker)
    return results

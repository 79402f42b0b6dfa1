"""The check of exercise 5: a cluster whose clock shows how well the work was handed out."""

from __future__ import annotations

import numpy as np

from mock5check.ch08.cluster import Cluster, Promise
from mock5check.core import Trial, graded

LENGTHS = [  # workers, seconds of each task in turn
    (4, [1.0] * 12),
    (4, [8.0, 1.0, 1.0, 1.0] * 4),
    (1, [1.0, 2.0, 0.5]),
    (8, [1.0] * 3),
    (3, [0.5, 3.0, 0.5, 0.5, 3.0, 0.5, 0.5, 3.0, 0.5]),
    (2, []),
    (12, [1.0, 2.0, 3.0] * 10),
    (4, [8.0] * 3 + [1.0] * 9),
    (4, [1.0] * 9 + [8.0] * 3),
    (4, [float(seconds) for seconds in range(1, 13)]),
    (5, np.random.default_rng(5).uniform(0.5, 6, 30).round(1).tolist()),
]


@graded
def collect(trial, function) -> None:
    """Check `collect(cluster, weights, tasks)`: the results of all tasks in order, as fast as the cluster can."""
    weights = np.random.default_rng(8).random(500_000)  # 4 MB, 0.4 s to send
    for workers, seconds in LENGTHS:
        one_cluster(trial, function, weights, workers, [f"t{place}" for place in range(len(seconds))], seconds)
    one_cluster(trial, function, weights, 2, ["a", "b", "a", "a", "b"], [1.0, 2.0, 1.0, 1.0, 2.0])
    one_cluster(trial, function, weights, 3, [[0, 1], [2, 3], [4], [0, 1]], [1.0, 2.0, 0.5, 1.0])
    for tasks in ([None, "a", "b"], [0, "", "c", []], ["a", "b", None, "c"]):
        one_cluster(trial, function, weights, 2, tasks, [1.0, 2.0, 1.0, 1.0][: len(tasks)])
    one_cluster(trial, function, 2 * weights, 4, ["a", "b", "c"], [1.0, 2.0, 1.0])  # another net, and another ref
    one_cluster(trial, function, weights, 2, list(NOTHING), [1.0, 2.0, 1.0, 3.0, 1.0], lambda task, _: NOTHING[task])


NOTHING = {"a": "games of a", "b": None, "c": 0, "d": "", "e": "games of e"}  # what tasks may have to tell


def one_cluster(trial: Trial, function, weights, workers: int, tasks: list, seconds: list, result=None) -> None:
    """One call; `seconds` says how long each task takes, `result` what comes of it."""
    took = {repr(task): length for task, length in zip(tasks, seconds)}
    yours, ours = (Cluster(workers, lambda task: took[repr(task)], result) for _ in range(2))
    told = f"{tasks[:4]}".rstrip("]") + ", …]" if len(tasks) > 4 else f"{tasks}"
    call = f"collect(Cluster(workers={workers}), weights, {told})"
    if tasks:
        call += f"\nThe {len(tasks)} tasks take {', '.join(f'{length:g}' for length in seconds)} s."
    if result:
        call += f" Their results are {[result(task, weights) for task in tasks]}."
    answer = trial.call(function, yours, weights, tasks, may_change=(0,), shown=call)
    right = best_collect(ours, weights, tasks)
    check_results(trial, answer, right, yours, tasks, call)
    in_turn = [repr(task) for task in yours.played] == [repr(task) for task in tasks]
    trial.require(in_turn, "Hand the tasks out in the order of the list: the first one first.", call=call)
    check_speed(trial, yours, ours, weights, sum(seconds), call)


def check_results(trial: Trial, answer, right: list, cluster: Cluster, tasks: list, call: str) -> None:
    """All tasks' results, in the tasks' order, each played once."""
    if answer is None:
        trial.fail("It returned nothing. Is a `return` missing?", call=call)
    if not isinstance(answer, (list, tuple)):
        trial.fail("Return a list with the result of each task.", call=call, answer=answer)
    if [(type(one), one) for one in answer] != [(type(one), one) for one in right]:
        trial.fail(what_is_wrong(list(answer), right) + _special(tasks), call=call, answer=answer, right=right)
    trial.require(
        sorted(map(repr, cluster.played)) == sorted(map(repr, tasks)),
        f"{len(tasks)} tasks were to be played once each; {len(cluster.played)} were handed out.{_special(tasks)}",
        call=call,
    )


def _special(tasks: list) -> str:
    """What is unusual about these tasks."""
    if len(set(map(repr, tasks))) < len(tasks):
        return " Equal tasks are different ones: tell them apart by their places. (`tasks.index` finds the first.)"
    if not all(tasks):
        return " None, 0 and '' are tasks like all others; `if task` and `next(…, None)` take them for the end."
    return ""


def what_is_wrong(answer: list, right: list) -> str:
    """How the results differ from the right ones, in a sentence."""
    if any(isinstance(result, Promise) for result in answer):
        return "There are promises among the results. `cluster.get(promise)` gives the answer."
    if len(answer) != len(right):
        return f"There are {len(right)} tasks, and each has a result; {len(answer)} came back."
    if sorted(map(repr, answer)) == sorted(map(repr, right)):
        return "The results must stand in the order of the tasks, whoever was ready first."
    if not all(isinstance(result, str) for result in [*answer, *right]):
        return "Each result is what `cluster.get` gave for its task. Was every task handed out, and its answer fetched?"
    played, asked = ([result.split(", played")[0] for result in results] for results in (answer, right))
    if played == asked:
        return "The tasks were played with other weights than those that were given."
    return "The right result of each task stands at the task's place."


def check_speed(trial: Trial, yours: Cluster, ours: Cluster, weights, work: float, call: str) -> None:
    """The weights went out once, and the clock stands hardly later than ours."""
    times = yours.sent / weights.nbytes
    trial.require(
        times <= 1,
        f"The weights ({weights.nbytes / 1e6:.0f} MB, {weights.nbytes / 1e7:.1f} s) went out {times:.0f} times. Once "
        "is enough, if all workers know where they lie.",
        call=call,
    )
    share = work / max(yours.clock * yours.workers, 1e-9)
    trial.require(
        yours.clock <= 1.12 * ours.clock + 0.01,
        f"It took {yours.clock:.1f} s; {ours.clock:.1f} s are enough if each worker gets its next task as soon as it "
        f"is free. Your {yours.workers} workers were busy for {share:.0%} of the time, with "
        f"{', '.join(f'{seconds:.1f}' for seconds in yours.busy)} s of work each.",
        call=call,
    )


def best_collect(cluster: Cluster, weights, tasks: list) -> list:
    """Every worker gets its next task as soon as it is free."""
    ref, results, running, following = cluster.put(weights), {}, {}, 0
    while len(results) < len(tasks):
        idle = set(range(cluster.workers)) - {worker for _, worker in running.values()}
        for worker in sorted(idle):
            if following < len(tasks):
                running[cluster.play(worker, ref, tasks[following])] = following, worker
                following += 1
        for promise in cluster.wait(running)[0]:
            results[running.pop(promise)[0]] = cluster.get(promise)
    return [results[place] for place in range(len(tasks))]

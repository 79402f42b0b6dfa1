"""The check of exercise 5: a cluster whose clock shows how well the work was handed out."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from mock5check.ch08.cluster import Cluster, Promise, result_of
from mock5check.core import Trial, graded
from mock5check.watch import EndlessLoop, learners_line, meaning

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
    for tasks in (["a", "a", "b", "a"], [1, 1, 2, 1]):
        one_cluster(trial, function, weights, 2, tasks, [3.0, 1.0, 1.0, 1.0], EachPlay)
    one_cluster(trial, function, weights, 3, [[0, 1], [2, 3], [4], [0, 1]], [1.0, 2.0, 0.5, 1.0])
    for tasks in ([None, "a", "b"], [0, "", "c", []], ["a", "b", None, "c"]):
        one_cluster(trial, function, weights, 2, tasks, [1.0, 2.0, 1.0, 1.0][: len(tasks)])
    one_cluster(trial, function, 2 * weights, 4, ["a", "b", "c"], [1.0, 2.0, 1.0])  # another net, and another ref
    one_cluster(trial, function, weights, 2, long_tasks(), [2.0, 1.0], Sums, LONG, "[x, y]")
    one_cluster(trial, function, weights, 2, list(NOTHING), [1.0, 2.0, 1.0, 3.0, 1.0], Telling, NONE)
    used_again(trial, function, weights)


NOTHING = {"a": "games of a", "b": None, "c": 0, "d": "", "e": "games of e"}  # what tasks may have to tell
NONE = (
    " A result may be None, 0 or ''; here None is that of task 'b'. So None does not say that an answer is missing: "
    "what one waits for is a promise."
)
LONG = (
    " x is np.ones(2000), and y is the same with y[1000] = 5. Different tasks may look alike as texts: keep results "
    "by place, not by the task's text."
)
PLACES = (
    " Equal tasks are different ones, and each play has a result of its own: keep results by place, not by the task, "
    "its text or its id. (`tasks.index` finds the first.)"
)
KEYS = (
    " Not every task can be a key of a dictionary, and equal tasks may come twice: keep results by place, that is, by "
    "the number of the task in the list."
)
TWO_LISTS = " `cluster.wait` gives two lists, (ready, others): go through the first one, promise by promise."
ENDLESS = (
    " Is each promise that is ready taken out of those that are waited for? `cluster.wait` gives (ready, others), in "
    "this order."
)
AGAIN = (
    " A cluster may be used again, and the weights may have changed by then, even in the same array: `put` them in "
    "each call."
)
STOPPED = (ArithmeticError, LookupError, TypeError, ValueError, EndlessLoop)  # explained by what the cluster was asked


class Playing(Cluster):
    """The cluster of most cases: equal tasks take equally long and have equal results."""

    def __init__(self, workers: int, tasks: list, seconds: list):
        took = {repr(task): length for task, length in zip(tasks, seconds)}
        super().__init__(workers, lambda task: took[repr(task)], self.tell)

    def tell(self, task, weights):
        """The result of a task."""
        return result_of(task, weights)


class EachPlay(Playing):
    """Here each play has a length and a result of its own, also if its task is equal to another one."""

    def __init__(self, workers: int, tasks: list, seconds: list):
        Cluster.__init__(self, workers, lambda task: seconds[len(self.played) % len(seconds)], self.tell)

    def tell(self, task, weights):
        """Which game it is."""
        return f"game {len(self.played)}, of task {task}"


class Sums(Playing):
    """Here a task is an array, and its result the sum."""

    def tell(self, task, weights):
        """The sum of a task."""
        return float(np.sum(task))


class Telling(Playing):
    """Here tasks may have nothing to tell."""

    def tell(self, task, weights):
        """What it has to tell."""
        return NOTHING[task]


def long_tasks() -> list:
    """Two arrays that differ at one place and have one text."""
    tasks = [np.ones(2000), np.ones(2000)]
    tasks[1][1000] = 5
    return tasks


def one_cluster(
    trial: Trial, function, weights, workers: int, tasks: list, seconds: list, kind=Playing, special=None, told=None
) -> None:
    """One call; `seconds` says how long each task takes. special: what is unusual here. told: the tasks as a text."""
    yours, ours = (kind(workers, tasks, seconds) for _ in range(2))
    told = told or (f"{tasks[:4]}".rstrip("]") + ", …]" if len(tasks) > 4 else f"{tasks}")
    special = _special(tasks) if special is None else special
    call = f"collect(Cluster(workers={workers}), weights, {told})"
    if tasks:
        call += f"\nThe {len(tasks)} tasks take {', '.join(f'{length:g}' for length in seconds)} s."
    right = best_collect(ours, weights, tasks)
    if kind is not Playing:
        call += f" Their results are {right}."
    answer = asked(trial, function, yours, weights, tasks, call, special)
    check_results(trial, answer, right, call, special)
    trial.require(
        sorted(map(repr, yours.played)) == sorted(map(repr, tasks)),
        f"{len(tasks)} tasks were to be played once each; {len(yours.played)} were handed out.{special}",
        call=call,
    )
    in_turn = [repr(task) for task in yours.played] == [repr(task) for task in tasks]
    trial.require(in_turn, "Hand the tasks out in the order of the list: the first one first.", call=call)
    check_speed(trial, yours, ours, weights, sum(seconds), call)


def asked(trial: Trial, function, cluster: Cluster, weights, tasks: list, call: str, special: str = ""):
    """What `function` returns; what stops it is explained by what it was asked for."""
    try:
        return trial.call(function, cluster, weights, tasks, may_change=(0,), shown=call, lets_through=STOPPED)
    except STOPPED as error:
        endless, unhashable = isinstance(error, EndlessLoop), "unhashable" in str(error)
        if unhashable and not all(isinstance(task, Hashable) for task in tasks):
            special = KEYS
        elif unhashable and "'list'" in str(error):
            special = TWO_LISTS
        said = f"It did not end after {error}." if endless else meaning(error)
        trial.fail(said + (special or (ENDLESS if endless else "")), call=call, line=learners_line(error))


def used_again(trial: Trial, function, weights) -> None:
    """Two calls with one cluster; in between, the weights change."""
    yours, ours, weights = Cluster(2), Cluster(2), weights.copy()
    calls = ["cluster = Cluster(workers=2)"]
    for tasks in (["a", "b"], ["a", "c", "b"]):
        calls.append(f"collect(cluster, weights, {tasks})")
        call = "\n".join(calls)
        answer = asked(trial, function, yours, weights, tasks, call, AGAIN)
        check_results(trial, answer, best_collect(ours, weights, tasks), call, AGAIN)
        check_speed(trial, yours, ours, weights, float(len(yours.played)), call)
        weights *= 2
        calls.append("weights *= 2")
    played = len(yours.played)
    trial.require(played == 5, f"In all, 5 tasks were to be played; {played} were handed out.{AGAIN}", call=call)


def check_results(trial: Trial, answer, right: list, call: str, special: str) -> None:
    """All tasks' results, in the tasks' order."""
    if answer is None:
        trial.fail("It returned nothing. Is a `return` missing?", call=call)
    if not isinstance(answer, (list, tuple)):
        trial.fail("Return a list with the result of each task.", call=call, answer=answer)
    if [(type(one), one) for one in answer] != [(type(one), one) for one in right]:
        trial.fail(what_is_wrong(list(answer), right) + special, call=call, answer=answer, right=right)


def _special(tasks: list) -> str:
    """What is unusual about these tasks."""
    if len(set(map(repr, tasks))) < len(tasks):
        return PLACES
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
        yours.sent <= max(ours.sent, weights.nbytes),
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

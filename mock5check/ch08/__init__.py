"""Checks of chapter 8's exercises: bigger machines."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from mock5check.ch08.cluster import Cluster
from mock5check.ch08.slips import (
    ACCEPT_SLIPS,
    BUSY_SLIPS,
    SERVE_SLIPS,
    SERVER_SLIPS,
    SPEED_UP_SLIPS,
    RightServer,
    accepted,
    answers_of,
    batches_of,
    share_of,
    times_as_fast,
)
from mock5check.core import Trial, graded

__all__ = ["Cluster", "accept", "busy_share", "collect", "generator_for", "parameter_server", "serve", "speed_up"]


# 1. The part that stays serial --------------------------------------------------------------------------------------


@graded
def speed_up(trial, function) -> None:
    """Check `speed_up(serial, workers, talk)`: how many times as fast so many workers are."""
    cases = [(0.0, 1, 0.0), (0.0, 8, 0.0), (1.0, 8, 0.0), (0.1, 10, 0.0), (0.05, 1000, 0.0), (0.5, 2, 0.0)]
    cases += [(0.0, 8, 0.01), (0.1, 1, 0.3), (0.1, 4, 0.02), (0.02, 64, 0.001), (0.0, 2, 0.5), (0, 3, 0.25)]

    def why(serial, workers, talk):
        shared, said = (1 - serial) / workers, talk * (workers - 1)
        return (
            f"Of one second, {serial:g} stay as they are, {1 - serial:g} are shared by {workers} and take "
            f"{shared:.4g}, and talking to {workers - 1} others takes {said:.4g}: {serial + shared + said:.4g} in all."
        )

    trial.compare(function, cases, right=times_as_fast, why=why, slips=SPEED_UP_SLIPS)


# 2. How busy was it? ------------------------------------------------------------------------------------------------


@graded
def busy_share(trial, function) -> None:
    """Check `busy_share(spans, lane)`: the share of the time in which a lane was at work."""
    simple = [("trees", 0.0, 1.0), ("net", 1.0, 3.0), ("trees", 3.0, 4.0)]
    late = [("net", 10.0, 11.0), ("trees", 11.0, 13.0), ("net", 13.0, 14.0)]
    overlap = [("net", 0.0, 4.0), ("net", 2.0, 6.0), ("trees", 6.0, 8.0)]
    nested = [("net", 0.0, 5.0), ("net", 1.0, 2.0), ("net", 3.0, 4.0), ("trees", 5.0, 10.0)]
    mixed = [("trees", 7.0, 9.0), ("net", 5.0, 6.0), ("net", 0.0, 1.0), ("net", 0.5, 2.0), ("trees", 2.0, 5.0)]
    touching = [("net", 0.0, 1.0), ("net", 1.0, 2.0), ("trees", 1.5, 4.0)]
    twice = [("net", 1.0, 2.0), ("net", 1.0, 2.0), ("trees", 0.0, 4.0)]
    long_first = [("net", 0.0, 9.0), ("net", 1.0, 2.0), ("net", 8.0, 10.0), ("trees", 10.0, 20.0)]
    found = (simple, late, overlap, nested, mixed, touching, twice, long_first)
    cases = [(spans, lane) for spans in found for lane in ("net", "trees")] + [(simple, "gradients")]

    def why(spans, lane):
        own = sorted((start, end) for name, start, end in spans if name == lane)
        first, last = min(start for _, start, _ in spans), max(end for _, _, end in spans)
        return f"The whole time is from {first:g} to {last:g}. {lane!r} was at work in {own}; overlaps count once."

    trial.compare(function, cases, right=share_of, why=why, slips=BUSY_SLIPS)


# 3. Each packet once, and none too old --------------------------------------------------------------------------------


@graded
def accept(trial, function) -> None:
    """Check `accept(seen, packets, now, oldest)`: the games of the packets that count; `seen` gets their names."""
    cases = [
        (set(), [("a-1", 5, ["g1", "g2"])], 5, 0),
        (set(), [("a-1", 5, ["g1"]), ("b-1", 5, ["g2"])], 5, 0),
        ({"a-1"}, [("a-1", 5, ["g1"]), ("b-1", 5, ["g2"])], 5, 2),
        (set(), [("a-1", 5, ["g1"]), ("a-1", 5, ["g1"])], 6, 2),
        (set(), [("a-1", 3, ["g1"]), ("b-1", 4, ["g2"]), ("c-1", 5, ["g3"])], 6, 2),
        ({"c-9"}, [], 7, 1),
        (set(), [("a-1", 2, ["old"]), ("a-1", 6, ["new"])], 6, 1),
        ({"b-2"}, [("b-2", 0, ["g1"]), ("d-1", 8, []), ("d-1", 8, ["g2"]), ("e-1", 9, ["g3", "g4"])], 9, 1),
        (set(), [("a-2", 4, ["x", "y"]), ("b-2", 3, ["z"]), ("a-2", 4, ["x", "y"])], 4, 3),
    ]

    def why(seen, packets, now, oldest):
        told = [
            f"{name}: seen before or too old (age {now - version})"
            if name in seen or now - version > oldest
            else f"{name}: counts, the first time (age {now - version})"
            for name, version, _ in packets
        ]
        return (
            "; ".join(told) + f". At most {oldest} rounds old. `seen` must hold exactly the names that counted so far."
        )

    def observe(solution, seen, packets, now, oldest):
        return solution(seen, packets, now, oldest), sorted(seen)

    trial.compare(
        function, cases, right=accepted, why=why, slips=ACCEPT_SLIPS, observe=observe, may_change=(0,), fresh=True
    )


# 4. A seed of its own -------------------------------------------------------------------------------------------------


@graded
def generator_for(trial, function) -> None:
    """Check `generator_for(seed, worker, number)`: random numbers of its own for each worker and each round."""
    drawn = {}
    triples = [(seed, worker, number) for seed in (0, 1, 7) for worker in range(12) for number in range(12)]
    triples += [(0, 1, 23), (0, 12, 3), (0, 1, 100), (1, 0, 100), (10, 0, 0), (0, 10, 0), (0, 0, 10), (100, 1, 0)]
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    for triple in triples:
        generator, call = trial.call(function, *triple), f"generator_for{triple}"
        trial.require(
            isinstance(generator, np.random.Generator),
            f"Return a numpy Generator, as np.random.default_rng makes one; this is {type(generator).__name__}.",
            call=call,
        )
        drawn[triple] = generator.integers(2**62, size=4).tolist()
    trial.require(
        (np.random.get_state()[1] == before).all(),  # noqa: NPY002
        "It changed NumPy's global random numbers. Make a generator of its own.",
    )
    for triple in triples[::17]:
        again = trial.call(function, *triple).integers(2**62, size=4).tolist()
        trial.require(
            again == drawn[triple],
            "The same seed, worker and round must give the same numbers each time, or a round that is played again "
            "brings other games.",
            call=f"generator_for{triple}, twice",
        )
    by_numbers: dict[tuple, tuple] = {}
    for triple, numbers in drawn.items():
        other = by_numbers.setdefault(tuple(numbers), triple)
        trial.require(
            other == triple, f"It draws the same numbers as generator_for{other}.", call=f"generator_for{triple}"
        )


# 5. A slow cluster ------------------------------------------------------------------------------------------------


@graded
def collect(trial, function) -> None:
    """Check `collect(cluster, weights, tasks)`: the results of all tasks in order, as fast as the cluster can."""
    weights = np.arange(500_000, dtype=np.float64)  # 4 MB, 0.4 s to send
    lengths = [
        (4, [1.0] * 12),
        (4, [8.0, 1.0, 1.0, 1.0] * 4),
        (1, [1.0, 2.0, 0.5]),
        (8, [1.0] * 3),
        (3, [0.5, 3.0, 0.5, 0.5, 3.0, 0.5, 0.5, 3.0, 0.5]),
        (2, []),
    ]
    for workers, seconds in lengths:
        tasks = [f"t{place}" for place in range(len(seconds))]
        took = dict(zip(tasks, seconds))
        call = f"collect(Cluster(workers={workers}), weights, {tasks[:3]}{' …' if len(tasks) > 3 else ''})"
        yours, ours = Cluster(workers, took.get), Cluster(workers, took.get)
        answer = trial.call(function, yours, weights, tasks, may_change=(0,), shown=call)
        right = best_collect(ours, weights, tasks)
        check_results(trial, answer, right, yours, tasks, call)
        check_speed(trial, yours, ours, weights, sum(seconds), call)


def check_results(trial: Trial, answer, right: list, cluster: Cluster, tasks: list, call: str) -> None:
    """All tasks' results, in the tasks' order, each played once."""
    if not isinstance(answer, (list, tuple)):
        trial.fail("Return a list with the result of each task.", call=call, answer=answer)
    if list(answer) != right:
        trial.fail(
            "The results must stand in the order of the tasks, whoever was ready first.",
            call=call,
            answer=answer,
            right=right,
        )
    trial.require(
        sorted(cluster.played) == sorted(tasks),
        f"{len(tasks)} tasks were to be played once each; {len(cluster.played)} were handed out.",
        call=call,
    )


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
        f"It took {yours.clock:.1f} s; {ours.clock:.1f} s are enough. Your {yours.workers} workers were busy for "
        f"{share:.0%} of the time, with {', '.join(f'{seconds:.1f}' for seconds in yours.busy)} s of work each.",
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


# 6. A batch server --------------------------------------------------------------------------------------------------


def fixed(batch: int) -> float:
    """Seconds for a batch: 1 for the launch, and an eighth for each request."""
    return 1 + batch / 8


def growing(batch: int) -> float:
    """Seconds for a batch that gains nothing from company."""
    return 0.5 * batch


SHOWN = {fixed: "1 + b / 8", growing: "0.5 * b"}


@graded
def serve(trial, function) -> None:
    """Check `serve(arrivals, most, deadline, seconds_of)`: when each request is answered."""
    rng = np.random.default_rng(8)
    cases = [
        ([0.0], 4, 2.0, fixed),
        ([], 4, 1.0, fixed),
        ([0.0, 0.5, 1.0, 1.5], 4, 10.0, fixed),
        ([0.0, 0.5, 1.0, 1.5], 4, 1.0, fixed),
        ([0.0, 0.5, 1.0, 1.5], 4, 0.0, fixed),
        ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 3, 5.0, fixed),
        ([3.0, 3.0, 3.0, 9.0], 2, 1.0, fixed),
        ([0.0, 1.0, 2.0, 3.0, 50.0], 2, 0.5, growing),
        ([1.0, 1.0, 1.0], 1, 7.0, growing),
        ([0.0, 2.0, 2.0, 2.0], 8, 2.0, fixed),
        ([0.0, 5.0, 5.5, 6.0, 30.0], 2, 4.0, fixed),
    ]
    cases += [
        (np.sort(np.round(rng.random(40) * span, 2)).tolist(), most, deadline, seconds_of)
        for span, most, deadline, seconds_of in (
            (10.0, 8, 0.3, fixed),
            (60.0, 8, 1.0, fixed),
            (60.0, 4, 5.0, fixed),
            (20.0, 3, 0.2, growing),
        )
    ]

    def why(arrivals, most, deadline, seconds_of):
        if not arrivals:
            return "Without requests there are no answers."
        batches = batches_of(arrivals, most, deadline, seconds_of)
        told = "; ".join(f"{taken} at {start:g}, answered at {end:g}" for start, taken, end in batches[:4])
        return (
            f"A batch starts when the server is free and {most} requests wait, or the first of them has waited "
            f"{deadline:g} s. Here that is: {told}{'; …' if len(batches) > 4 else ''}."
        )

    def call(arrivals, most, deadline, seconds_of):
        shown = f"[{', '.join(f'{at:g}' for at in arrivals[:6])}{', …' if len(arrivals) > 6 else ''}]"
        return f"serve({shown}, most={most}, deadline={deadline:g}, seconds_of=lambda b: {SHOWN[seconds_of]})"

    trial.compare(function, cases, right=answers_of, why=why, slips=SERVE_SLIPS, call=call)


# 7. A parameter server ---------------------------------------------------------------------------------------------


@graded
def parameter_server(trial, server_class) -> None:
    """Check the class `ParameterServer(weights, rate, oldest)` with `pull()` and `push(version, gradient)`."""
    nan, one = np.array([math.nan, 1.0]), np.ones(2)
    cases = [
        ([1.0, 2.0], 0.1, 0, ["pull"]),
        ([1.0, 2.0], 0.1, 0, [(0, one), "pull", (1, one), "pull"]),
        ([1.0, 2.0], 0.5, 0, [(0, one), (0, one), "pull"]),
        ([1.0, 2.0], 0.5, 2, [(0, one), (0, one), (0, one), (0, one), "pull"]),
        ([1.0, 2.0], 0.5, 9, [(0, np.array([3.0, -1.0])), (0, one), (2, one), "pull"]),
        ([0.0, 0.0], 1.0, 3, [(0, nan), "pull", (0, one), "pull"]),
        ([0.0, 0.0], 1.0, 3, [(0, np.array([math.inf, 0.0])), (0, -one), "pull"]),
        ([0.0, 0.0], 1.0, 3, [(1, one), (5, one), "pull", (0, one), (1, one), "pull"]),
        ([5, 6], 0.25, 1, [(0, np.array([1, 2])), "pull", (0, np.array([1, 2])), "pull"]),
        ([1.0, -1.0], 0.2, 4, ["pull", (0, one), (0, 2 * one), (1, one), "pull", (3, one), (0, one), "pull"]),
    ]

    def observe(build, weights, rate, oldest, script):
        given = np.array(weights)
        server = build(given, rate, oldest)
        kept, found = given.tolist(), []
        overwrite(given)
        for step in script:
            if isinstance(step, str):
                found.append(trial.call(partial(pull_and_spoil, server), shown="server.pull()"))
            else:
                found.append(trial.call(server.push, *step, shown=f"server.push({step[0]}, {step[1].tolist()})"))
        return found, kept

    def call(weights, rate, oldest, script):
        steps = ["pull()" if isinstance(step, str) else f"push({step[0]}, {step[1].tolist()})" for step in script]
        return f"ParameterServer({weights}, rate={rate}, oldest={oldest}): {', '.join(steps)}"

    def why(weights, rate, oldest, script):
        version, told = 0, []
        for given, gradient in (step for step in script if not isinstance(step, str)):
            age = version - given
            counts = 0 <= age <= oldest and np.isfinite(gradient).all()
            told.append(f"age {age}: {f'counts by {rate:g} / {1 + age}' if counts else 'refused'}")
            version += bool(counts)
        return (
            "Shown are the answers in turn, and the array that the server was made with. "
            + (f"The pushes have {'; '.join(told)}. " if told else "")
            + "After each pull the check writes 99 into the weights that it got, and into the array that the server "
            "was made with: the server's own weights must not notice."
        )

    trial.compare(
        server_class, cases, right=RightServer, why=why, slips=SERVER_SLIPS, observe=observe, call=call, close=1e-7
    )


def pull_and_spoil(server):
    """What the server gives; its weights as a copy, for the array itself is written into."""
    answer = server.pull()
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        return answer
    version, weights = answer
    kept = weights.copy() if isinstance(weights, np.ndarray) else weights
    overwrite(weights)
    return version, kept


def overwrite(weights) -> None:
    """What a caller may do with an array of its own."""
    if isinstance(weights, np.ndarray) and weights.flags.writeable:
        weights[...] = 99

"""The small exercises of chapter 8, each declared by its solution."""

import builtins
import math
from typing import NamedTuple
from unittest import mock

import numpy as np

from mock5check.answers import NO_RETURN, Outcome, show
from mock5check.core import Refused
from mock5check.spec import exercise


def teams(rng):
    """(serial, workers, talk)"""
    yield from ((0.0, 1, 0.0), (0.0, 8, 0.0), (1.0, 8, 0.05), (0.1, 10, 0.0), (0, 3, 0.25), (0.1, 1, 0.3))
    for serial, workers, talk in zip(rng.random(20), rng.integers(1, 200, 20), rng.random(20) / 10):
        yield round(float(serial), 2), int(workers), round(float(talk), 3)


def why_seconds(serial, workers, talk):
    return (
        f"{serial:g} s can't be shared; the other {1 - serial:g} s are shared by {workers}; talking takes "
        f"{workers - 1} · {talk:g} s. One worker needs 1 s."
    )


@exercise(cases=teams, why=why_seconds, shows={"seconds": "seconds that all of them together need"})
def speed_up(serial, workers, talk):
    """How many times as fast so many workers are as one."""
    seconds = serial + (1 - serial) / workers + talk * (workers - 1)
    return 1 / seconds


def timelines(rng):
    """(spans, lane)"""
    for spans in (
        [("net", 0.5, 2.0), ("trees", 2.0, 2.5)],
        [("net", 10.0, 11.0), ("trees", 11.0, 13.0), ("net", 13.0, 14.0)],
        [("net", 0.0, 4.0), ("net", 2.0, 6.0), ("trees", 6.0, 8.0)],  # overlapping
        [("net", 0.0, 5.0), ("net", 1.0, 2.0), ("net", 3.0, 4.0), ("trees", 5.0, 10.0)],  # one within the other
        [("net", -3.0, -2.0), ("trees", -2.5, -1.0), ("net", -1.0, 1.0)],
        [("net", 1.7e9, 1.7e9 + 2), ("net", 1.7e9 + 1, 1.7e9 + 3), ("trees", 1.7e9, 1.7e9 + 6)],  # by the clock
    ):
        yield from ((spans, lane) for lane in ("net", "trees", "gradients"))
    yield [(0, 0.0, 1.0), (1, 0.0, 2.0)], 0  # a lane may be a number
    alike = [("net", 0.0, 1.0), ("net 1", 1.0, 3.0), ("n", 3.0, 7.0)]
    yield from ((alike, lane) for lane in ("net", "n"))
    for count in rng.integers(1, 8, 80):
        starts, lengths = rng.integers(-6, 20, count) / 2, rng.integers(1, 10, count) / 2
        lanes = rng.choice(["net", "trees"], count).tolist()
        yield list(zip(lanes, starts.tolist(), (starts + lengths).tolist())), "net"


@exercise(
    cases=timelines,
    why="The whole time runs from the first start to the last end of ALL spans. Where spans of the lane overlap, count "
    "the time once.",
    shows={"whole": "the whole time", "busy": "the lane's busy time"},
)
def busy_share(spans, lane):
    """The share of the whole time in which this lane was at work."""
    whole = max(end for _, _, end in spans) - min(start for _, start, _ in spans)
    busy, until = 0.0, -math.inf
    own = sorted((start, end) for name, start, end in spans if name == lane)
    for start, end in own:
        busy += max(0.0, end - max(start, until))
        until = max(until, end)
    return busy / whole


def arrivals(rng):
    """(seen, packets, now, oldest)"""
    yield set(), [("a-1", 5, ["g1", "g2"])], 5, 0
    yield set(), [("a-1", 4, ["g1"]), ("b-1", 5, ["g2"])], 5, 0
    yield {"a-1"}, [("a-1", 5, ["g1"]), ("b-1", 5, ["g2"])], 5, 2
    yield set(), [("a-1", 5, ["g1"]), ("a-1", 5, ["g1"])], 6, 2
    yield set(), [("a-1", 2, ["old"]), ("a-1", 6, ["new"])], 6, 1  # a name that was refused has not been counted
    yield set(), [("a-1", 9, ["g1"]), ("b-1", 6, ["g2"])], 6, 1  # a worker that is ahead
    yield {"b-2"}, [("b-2", 0, ["g1"]), ("d-1", 8, []), ("d-1", 8, ["g2"]), ("e-1", 9, ["g3", "g4"])], 9, 1
    yield set(), [("a-1", 5, ["g", "g"]), ("b-1", 5, ["g"])], 5, 1  # equal games
    yield set(), [(0, 5, ["g1"]), (1, 5, ["g2"]), (0, 5, ["g1"])], 5, 1
    for count in rng.integers(1, 5, 40):
        names, ages = rng.integers(0, 4, count), rng.integers(-1, 4, count)
        packets = [(f"w-{name}", int(7 - age), [f"g{i}"]) for i, (name, age) in enumerate(zip(names, ages))]
        yield {f"w-{name}" for name in rng.integers(0, 6, 1)}, packets, 7, int(rng.integers(0, 3))


class Accepted(NamedTuple):
    games: list
    seen_afterwards: list


def games_and_names(solution, seen, packets, now, oldest):
    answer = solution(seen, packets, now, oldest)
    if not isinstance(answer, (list, tuple)):
        raise Refused(NO_RETURN if answer is None else "Return a list of games.")
    if any(answer is games for _, _, games in packets):
        raise Refused("It returned a packet's own list, so adding to it would change the packet. Return a new list.")
    return Accepted(list(answer), sorted(map(str, seen)))


@exercise(
    cases=arrivals,
    observe=games_and_names,
    may_change=(0,),
    fresh=True,
    why="A packet counts if its name isn't in `seen` and its age, now − version, is at most `oldest`. Only then does "
    "its name go into `seen`.",
)
def accept(seen, packets, now, oldest):
    """The games of the packets that count; their names go into `seen`."""
    taken = []
    for name, version, games in packets:
        if name not in seen and now - version <= oldest:
            seen.add(name)
            taken += games
    return taken


FIRST = 2000  # numbers that are looked at of all streams of a case together, 2 of each at least


def runs(rng):
    """(triples,)"""
    yield ([(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)],)
    yield ([(seed, worker, number) for seed in (0, 1, 2, 7) for worker in range(12) for number in range(12)],)
    large = [*(2**power for power in range(17)), *(10**power for power in range(1, 5)), 99_999]  # worker × 1,000, …
    yield ([(0, 0, 0), *(tuple(np.roll((0, 0, many), place).tolist()) for place in range(3) for many in large)],)
    yield ([(seed, worker, 0) for seed in (0, 2**31, 2**32 - 1) for worker in (0, 1)],)
    yield ([(4 * 10**9, worker, number) for worker in (0, 999) for number in (0, 999)],)


def tomorrow(value, hash=hash):
    """`hash` in a new Python, which gives other numbers to the same texts."""
    text = any(isinstance(part, (str, bytes)) for part in (value if isinstance(value, tuple) else [value]))
    return hash((value, "tomorrow")) if text else hash(value)


def apart(solution, triples):
    """Which streams meet, which are not the same when they are asked for again, backwards or in a new Python."""
    found, owner = {}, {}
    first = max(2, FIRST // len(triples))
    generator = solution(*triples[0])
    if not isinstance(generator, np.random.Generator):
        raise Refused(f"Return a generator, made by np.random.default_rng; yours is {show(generator)}.")
    for triple in triples:
        generator = solution(*triple)
        found[triple] = generator.integers(2**62, size=first).tolist()
        other = next((owner[number] for number in found[triple] if number in owner), None)
        if other:
            return Outcome(f"generator_for{triple} draws numbers that generator_for{other} draws, too")
        owner |= dict.fromkeys(found[triple], triple)
    for triple in triples[::-7]:
        if solution(*triple).integers(2**62, size=first).tolist() != found[triple]:
            return Outcome(f"generator_for{triple} draws different numbers when it's made again")
    with mock.patch.object(builtins, "hash", tomorrow):
        if solution(*triple).integers(2**62, size=first).tolist() != found[triple]:
            return Outcome(
                f"generator_for{triple} draws different numbers in a new Python, where texts have different hashes"
            )
    return Outcome("different streams for all triples, the same every time")


@exercise(
    cases=runs,
    observe=apart,
    long=60.0,
    call=lambda triples: f"generator_for(seed, worker, number) for {triples[:6]}{', …' if len(triples) > 6 else ''}",
    why="Each triple should have numbers of its own, and the same ones every time. NumPy takes a whole list as a seed.",
)
def generator_for(seed, worker, number):
    """Random numbers of its own for each run, worker and round."""
    return np.random.default_rng([seed, worker, number])

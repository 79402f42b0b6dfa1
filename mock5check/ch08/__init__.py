"""Checks of chapter 8's exercises: bigger machines."""

from __future__ import annotations

import numpy as np

from mock5check.ch08.cluster import Cluster
from mock5check.ch08.collecting import collect
from mock5check.ch08.server import parameter_server
from mock5check.ch08.slips import (
    ACCEPT_SLIPS,
    BUSY_SLIPS,
    SERVE_SLIPS,
    SPEED_UP_SLIPS,
    Afterwards,
    accepted,
    answers_of,
    batches_of,
    share_of,
    times_as_fast,
)
from mock5check.ch08.streams import generator_for
from mock5check.core import graded

__all__ = ["Cluster", "accept", "busy_share", "collect", "generator_for", "parameter_server", "serve", "speed_up"]


# 1. The part that stays serial --------------------------------------------------------------------------------------


@graded
def speed_up(trial, function) -> None:
    """Check `speed_up(serial, workers, talk)`: how many times as fast so many workers are."""
    cases = [
        (0.0, 1, 0.0),
        (0.0, 8, 0.0),
        (1.0, 8, 0.0),
        (1.0, 8, 0.05),
        (0.1, 10, 0.0),
        (0.05, 1000, 0.0),
        (0.5, 2, 0.0),
        (0.0, 5000, 0.0),
    ]
    cases += [
        (0.0, 8, 0.01),
        (0.1, 1, 0.3),
        (0.1, 4, 0.02),
        (0.02, 64, 0.001),
        (0.0, 2, 0.5),
        (0, 3, 0.25),
        (0.5, 100, 0.1),
    ]

    def why(serial, workers, talk):
        shared, said = (1 - serial) / workers, talk * (workers - 1)
        return (
            f"{serial:g} s stay serial; {1 - serial:g} s, shared by {workers}, take {shared:.4g} s; talking takes "
            f"{workers - 1} · {talk:g} = {said:.4g} s. That is {serial + shared + said:.4g} s in all, instead of 1 s."
        )

    trial.compare(function, cases, right=times_as_fast, why=why, slips=SPEED_UP_SLIPS)


# 2. How busy was it? ------------------------------------------------------------------------------------------------


@graded
def busy_share(trial, function) -> None:
    """Check `busy_share(spans, lane)`: the share of the time in which a lane was at work."""
    halves = [("net", 0.5, 2.0), ("trees", 2.0, 2.5)]
    simple = [("trees", 0.0, 1.0), ("net", 1.0, 3.0), ("trees", 3.0, 4.0)]
    late = [("net", 10.0, 11.0), ("trees", 11.0, 13.0), ("net", 13.0, 14.0)]
    overlap = [("net", 0.0, 4.0), ("net", 2.0, 6.0), ("trees", 6.0, 8.0)]
    nested = [("net", 0.0, 5.0), ("net", 1.0, 2.0), ("net", 3.0, 4.0), ("trees", 5.0, 10.0)]
    mixed = [("trees", 7.0, 9.0), ("net", 5.0, 6.0), ("net", 0.0, 1.0), ("net", 0.5, 2.0), ("trees", 2.0, 5.0)]
    touching = [("net", 0.0, 1.0), ("net", 1.0, 2.0), ("trees", 1.5, 4.0)]
    twice = [("net", 1.0, 2.0), ("net", 1.0, 2.0), ("trees", 0.0, 4.0)]
    long_first = [("net", 0.0, 9.0), ("net", 1.0, 2.0), ("net", 8.0, 10.0), ("trees", 10.0, 20.0)]
    before_zero = [("net", -3.0, -2.0), ("trees", -2.5, -1.0), ("net", -1.0, 1.0)]
    sevenths = [("net", 1 / 7, 3 / 7), ("trees", 2 / 7, 8 / 7), ("net", 5 / 7, 1.0), ("net", 6 / 7, 15 / 14)]
    quick = [
        ("net", 0.0, 0.004),
        ("trees", 0.004, 0.009),
        ("net", 0.0095, 0.012),
        ("net", 0.0122, 0.0125),
        ("trees", 0.013, 0.02),
    ]
    longer_first = [("net", 0.0, 4.0), ("net", 0.0, 2.0), ("trees", 4.0, 8.0)]
    three_at_once = [("net", 0.0, 3.0), ("net", 1.0, 3.0), ("net", 2.0, 4.0), ("trees", 0.0, 8.0)]
    bridge_last = [("net", 0.0, 1.0), ("net", 2.0, 3.0), ("net", 0.5, 2.5), ("trees", 3.0, 6.0)]
    through_zero = [("net", -2.0, 0.0), ("net", -1.0, 1.0), ("trees", 1.0, 2.0)]
    below_zero = [("net", -2.0, 0.0), ("net", -3.0, -1.0)]
    far_below = [("net", -5e9, -4e9), ("trees", -4e9, -3e9)]
    all_below = [("net", -4.0, -3.0), ("trees", -3.0, -2.0)]
    by_the_clock = [("net", 1.7e9, 1.7e9 + 2), ("net", 1.7e9 + 1, 1.7e9 + 3), ("trees", 1.7e9, 1.7e9 + 6)]
    found = (
        halves,
        bridge_last,
        through_zero,
        below_zero,
        all_below,
        far_below,
        by_the_clock,
        longer_first,
        three_at_once,
        simple,
        late,
        overlap,
        nested,
        mixed,
        touching,
        twice,
        long_first,
        before_zero,
        sevenths,
        quick,
    )
    found += (random_spans(),)
    cases = [(spans, lane) for spans in found for lane in ("net", "trees")] + [(simple, "gradients")]
    cases += [([(0, 0.0, 1.0), (1, 0.0, 2.0)], lane) for lane in (0, 1)]  # a lane may be a number
    cases += [([("1", 0.0, 1.0), (1, 1.0, 2.0), ("1", 2.0, 4.0)], lane) for lane in (1, "1")]  # nor is "1" 1
    alike = [("net", 0.0, 1.0), ("net 1", 1.0, 3.0), ("n", 3.0, 7.0), ("net 2", 7.0, 15.0)]
    cases += [(alike, "".join(list(lane))) for lane in ("net", "n", "net 2")]  # equal names need not be one object

    def why(spans, lane):
        own = sorted((start, end) for name, start, end in spans if name == lane)
        first, last = min(start for _, start, _ in spans), max(end for _, _, end in spans)
        told = ", ".join(f"{start:.10g} to {end:.10g}" for start, end in own[:6]) + (", …" if len(own) > 6 else "")
        busy = share_of(spans, lane) * (last - first)
        return (
            f"The whole time is from {first:.10g} to {last:.10g}. {lane!r} was at work "
            f"{f'from {told}' if own else 'never'}; overlaps count once: {busy:.6g} s of {last - first:.6g} s."
        )

    trial.compare(function, cases, right=share_of, why=why, slips=BUSY_SLIPS)


def random_spans() -> list:
    """Spans at times that lie on no grid."""
    starts, lengths = np.random.default_rng(5).uniform(-4, 4, 14), np.random.default_rng(6).uniform(0, 1, 14)
    return [
        ("net" if place % 2 else "trees", float(start), float(start + length))
        for place, (start, length) in enumerate(zip(starts, lengths))
    ]


# 3. Each packet once, and none too old --------------------------------------------------------------------------------


@graded
def accept(trial, function) -> None:
    """Check `accept(seen, packets, now, oldest)`: the games of the packets that count; `seen` gets their names."""
    cases = [
        (set(), [("a-1", 5, ["g1", "g2"])], 5, 0),
        (set(), [("a-1", 5, ["g1"]), ("b-1", 5, ["g2"])], 5, 0),
        (set(), [("a-1", 4, ["g1"]), ("b-1", 5, ["g2"])], 5, 0),
        (set(), [("a-1", 4, ["g1"]), ("a-1", 5, ["g2"])], 5, 1),  # two versions under one name
        (set(), [("a-1", 0, ["g1"]), ("b-1", 1, ["g2"])], 1, 0),
        (set(), [("a-1", 0, ["g1"]), ("b-1", 5, ["g2"])], 0, 1),
        ({f"w-{number}" for number in range(2000)}, [("w-7", 5, ["g1"])], 5, 1),
        (set(), [("a-1", 5, [0, [], "x"]), ("b-1", 5, [[1, 2], [3, 4, 5], (6, 7)])], 5, 1),  # games of all kinds
        (set(), [(1, 5, ["g1"]), ("1", 5, ["g2"])], 5, 1),
        ({1}, [(0, 5, ["g1"]), (1, 5, ["g2"]), (0, 5, ["g1"]), ("", 5, ["g3"])], 5, 1),
        ({"a-1"}, [("a-1", 5, ["g1"]), ("b-1", 5, ["g2"])], 5, 2),
        (set(), [("a-1", 5, ["g1"]), ("a-1", 5, ["g1"])], 6, 2),
        (set(), [("a-1", 3, ["g1"]), ("b-1", 4, ["g2"]), ("c-1", 5, ["g3"])], 6, 2),
        ({"c-9"}, [], 7, 1),
        (set(), [("a-1", 2, ["old"]), ("a-1", 6, ["new"])], 6, 1),
        ({"b-2"}, [("b-2", 0, ["g1"]), ("d-1", 8, []), ("d-1", 8, ["g2"]), ("e-1", 9, ["g3", "g4"])], 9, 1),
        (set(), [("a-2", 4, ["x", "y"]), ("b-2", 3, ["z"]), ("a-2", 4, ["x", "y"])], 4, 3),
        (set(), [("a-1", 5, ["g", "g"]), ("b-1", 5, ["g"])], 5, 1),
        ({"a-10"}, [("a-1", 5, ["g1"]), ("a-100", 5, ["g2"]), ("1", 5, ["g3"])], 5, 1),
        (set(), [("a-1", 9, ["g1"]), ("b-1", 6, ["g2"])], 6, 1),
        ({f"w-{number}" for number in range(150)}, [("a-1", 5, ["g1"]), ("w-7", 5, ["g2"])], 5, 1),
    ]

    def why(seen, packets, now, oldest):
        known, told = set(seen), []
        for name, version, _ in packets:
            age = now - version
            young = age <= oldest
            told.append(
                f"{name!r}: age {age}, " + (NAMED[name in known] if young else "too old, so its name is not noted")
            )
            known |= {name} if young else set()
        each = "; ".join(told) or "There are no packets"
        return f"{each}. The greatest age that counts is {oldest}; all games of those that count are wanted, in order."

    def observe(solution, seen, packets, now, oldest):
        answer = solution(seen, packets, now, oldest)
        check_list(trial, answer, packets)
        return Afterwards(list(answer), set(seen))

    trial.compare(
        function, cases, right=accepted, why=why, slips=ACCEPT_SLIPS, observe=observe, may_change=(0,), fresh=True
    )


NAMED = {True: "but its name has been counted before", False: "and its name is new: it counts"}


def check_list(trial, answer, packets: list) -> None:
    """A list of games, and none that belongs to a packet."""
    if not isinstance(answer, (list, tuple)):
        text = "It returned nothing. Is a `return` missing?" if answer is None else "Return a list of games."
        trial.fail(text, call=trial.last_call, **({} if answer is None else {"answer": answer}))
    for name, _, games in packets:
        if answer is games:
            trial.fail(
                f"The answer IS the list of packet {name}: whoever adds games to it later changes the packet. "
                "Return a new list.",
                call=trial.last_call,
            )


# 6. A batch server --------------------------------------------------------------------------------------------------


def fixed(batch: int) -> float:
    """Seconds for a batch: 1 for the launch, and an eighth for each request."""
    return 1 + batch / 8


def growing(batch: int) -> float:
    """Seconds for a batch that gains nothing from company."""
    return 0.5 * batch


def in_steps(batch: int) -> float:
    """Seconds for a batch that fits into one pass, or does not."""
    return 1 if batch <= 4 else 3


def from_a_table(batch: int) -> float:
    """Seconds that were measured for batches of one and of two; there are no others."""
    return {1: 2.0, 2: 3.0}[batch]


SHOWN = {fixed: "1 + b / 8", growing: "0.5 * b", in_steps: "1 if b <= 4 else 3", from_a_table: "{1: 2.0, 2: 3.0}[b]"}


@graded
def serve(trial, function) -> None:
    """Check `serve(arrivals, most, deadline, seconds_of)`: when each request is answered."""
    rng = np.random.default_rng(8)
    cases = [
        ([0.0], 4, 2.0, fixed),
        ([0.0, 0.0008], 4, 0.0, fixed),
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
        ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 4.0], 8, 1.0, in_steps),
        ([1.7e9], 2, 1.0, fixed),
        ([float(second) for second in range(3000)], 1, 0.0, fixed),
        ([0.0, 1.0000005], 3, 1.0, fixed),
        ([0, 1, 2], 2, 5, fixed),  # whole numbers, and answers that are none
        ([0.0, 0.0, 1.0], 2, 1.0, from_a_table),
        ([third / 3 for third in (0, 1, 2, 4, 5, 7, 8, 20, 22)], 3, 2 / 3, in_steps),
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
        told = "; ".join(f"{taken} at {start:.6g}, answered at {end:.6g}" for start, taken, end in batches[:4])
        return (
            f"A batch starts when the server is free and {most} {'waits' if most == 1 else 'wait'}, or the first has "
            f"waited {deadline:.4g} s. Here that is: {told}{'; …' if len(batches) > 4 else ''}."
        )

    def call(arrivals, most, deadline, seconds_of):
        shown = f"[{', '.join(f'{at:.4g}' for at in arrivals[:6])}{', …' if len(arrivals) > 6 else ''}]"
        return f"serve({shown}, most={most}, deadline={deadline:.4g}, seconds_of=lambda b: {SHOWN[seconds_of]})"

    def observe(solution, *case):
        answer = solution(*case)
        if isinstance(answer, np.ndarray):
            text = "Return a list: an array has no `count`, and other methods that the next cell needs."
            trial.fail(text, call=trial.last_call, answer=answer)
        if isinstance(answer, list) and None in answer and len(answer) == len(case[0]):
            text = "gets no answer: None. (Several may come at one moment; `arrivals.index` finds the first of these.)"
            trial.fail(f"Request {answer.index(None)} {text}", call=trial.last_call, answer=answer)
        return answer

    trial.compare(function, cases, right=answers_of, why=why, slips=SERVE_SLIPS, call=call, observe=observe, long=20.0)

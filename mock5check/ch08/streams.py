"""The check of exercise 4: a seed of its own for every worker, so that no two draw the same random numbers."""

from __future__ import annotations

import math
import time
from unittest import mock

import numpy as np

from mock5check.core import graded
from mock5check.frozen import right_when_new
from mock5check.watch import bounded

MOST = (2**32, 10_000, 10_000)  # seeds, workers and rounds of a large run
FAR = 2_200_000  # numbers of one stream among which its neighbours may not begin
FIRST = 110_000  # numbers of each stream that are compared; a round of self-play may draw as many


@graded
def generator_for(trial, function) -> None:
    """Check `generator_for(seed, worker, number)`: random numbers of its own for each worker and each round."""
    drawn, made, triples = {}, {}, all_triples()
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    for triple in ((0, 0, 1), (0, 1, 0), (1, 0, 0)):
        check_order(trial, function, triple)
    for triple in triples:
        made[triple] = generator = trial.call(function, *triple)
        trial.require(
            isinstance(generator, np.random.Generator),
            f"Return a numpy Generator, as np.random.default_rng makes one; this is {type(generator).__name__}.",
            call=f"generator_for{triple}",
        )
        drawn[triple] = first_of(generator)
    trial.require(
        (np.random.get_state()[1] == before).all(),  # noqa: NPY002
        "It changed NumPy's global random numbers. Make a generator of its own.",
    )
    for triple in triples[::17]:
        check_again(trial, function, triple, made[triple], drawn[triple])
    by_numbers: dict[tuple, tuple] = {}
    for triple, numbers in drawn.items():
        other = by_numbers.setdefault(tuple(numbers), triple)
        trial.require(
            other == triple, f"It draws the same numbers as generator_for{other}.", call=f"generator_for{triple}"
        )
    check_sums(trial, function)
    check_overlap(trial, function)
    check_enough_seeds(trial, function)


def all_triples() -> list:
    """(seed, worker, number): a grid, and single ones that collide where a large number is to keep them apart."""
    triples = [(seed, worker, number) for seed in (0, 1, 2, 7) for worker in range(22) for number in range(22)]
    triples += [(0, 1, 23), (0, 12, 3), (10, 0, 0), (100, 1, 0), (104_729, 0, 0), (0, 7_919, 0)]
    factors = (100, 128, 200, 256, 300, 365, 500, 512, 999, 1000, 1001, 1024, 4096, 10_000, 20_000, 50_000, 99_999)
    for factor in factors:
        triples += [(0, 0, factor), (0, factor, 0), (factor, 0, 0), (1, 0, factor)]
    triples += [(4 * 10**9, worker, number) for worker in range(4) for number in range(4)]
    triples += [(0, worker, number) for worker in (200, 201, 5000, 5001) for number in range(4)]
    triples += [(0, 2**power, 0) for power in range(5, 17)] + [(0, 0, 2**power) for power in range(5, 17)]
    triples += [(seed, 0, 0) for seed in (10**5, 10**6, 10**9, 2**24 + 1, 2**31 - 1, 2**31 + 1, 2**32 - 1)]
    triples += [(2**power, 0, 0) for power in range(3, 32)]
    return list(dict.fromkeys(triples))


def first_of(generator) -> list:
    """The first numbers that a new generator draws."""
    return generator.integers(2**62, size=4).tolist()


def when_new(function, triple: tuple) -> list | None:
    """The first numbers for a triple, once what the function keeps is emptied; None if it keeps nothing."""
    found = []
    right_when_new(function, triple, lambda generator: found.append(first_of(generator)))
    return found[0] if found else None


def check_order(trial, function, triple: tuple) -> None:
    """In a Python that was just started: does it matter whether another triple was asked for before this one?"""
    alone = [when_new(function, triple) for _ in range(2)]
    steady = alone[0] is not None and alone[0] == alone[1]
    trial.require(
        not steady
        or not right_when_new(function, (0, 0, 0), lambda _: first_of(bounded(function)(*triple)) != alone[0]),
        f"Once Python was started anew, it draws other numbers for {triple} if (0, 0, 0) was asked for before. A run "
        "that is resumed asks in another order: make the generator from the three numbers alone.",
        call=f"generator_for(0, 0, 0), generator_for{triple}",
    )


def check_again(trial, function, triple: tuple, earlier, numbers: list) -> None:
    """A round that is played again, an hour later."""
    call, now = f"generator_for{triple}, twice", time.time() + 3600
    with mock.patch("time.time", lambda: now), mock.patch("time.time_ns", lambda: int(now * 1e9)):
        again = trial.call(function, *triple)
    trial.require(
        again is not earlier,
        "The second call gives the very object of the first, and that has moved on. Make a new one in each call.",
        call=call,
    )
    trial.require(
        isinstance(again, np.random.Generator) and first_of(again) == numbers,
        "The same seed, worker and round must give the same numbers each time, or a round that is played again "
        "brings other games.",
        call=call,
    )
    emptied = when_new(function, triple)
    with mock.patch("builtins.hash", elsewhere):
        other = trial.call(function, *triple)
        same = when_new(function, triple) == emptied
    trial.require(
        first_of(other) == numbers and same,
        "`hash` of a text, or of a tuple that holds one, differs from one start of Python to the next, so a run that "
        "is resumed draws other numbers.",
        call=call,
    )


def elsewhere(value, here=hash) -> int:
    """What `hash` might give in another process: where there is a text, it begins anew with each start of Python."""
    return here(("another process", value) if holds_text(value) else value)


def holds_text(value) -> bool:
    """Is it a text, or does it hold one, however deep?"""
    if isinstance(value, (tuple, frozenset)):
        return any(map(holds_text, value))
    return isinstance(value, (str, bytes))


def parts_of(trial, function, triple: tuple) -> list[int]:
    """The numbers that a generator was made from; [] if it does not tell."""
    sequence = getattr(trial.call(function, *triple).bit_generator, "seed_seq", None)
    entropy, key = getattr(sequence, "entropy", None), getattr(sequence, "spawn_key", ())
    return [] if entropy is None else [*map(int, np.atleast_1d(np.array(entropy, object))), *key]


def check_sums(trial, function) -> None:
    """If it is a sum, each of the three numbers times a factor: which triples have the same sum?"""
    parts = [parts_of(trial, function, triple) for triple in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))]
    if any(len(row) != 1 for row in parts):
        return
    steps = [row[0] - parts[0][0] for row in parts[1:]]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        common = math.gcd(steps[one], steps[other]) or 1
        there, here = [0, 0, 0], [0, 0, 0]
        opposite = steps[one] * steps[other] < 0  # then both together change nothing
        there[one], (there if opposite else here)[other] = abs(steps[other]) // common, abs(steps[one]) // common
        if there != here and all(n < most for triple in (there, here) for n, most in zip(triple, MOST)):
            drawn = [trial.call(function, *triple).integers(2**62, size=4).tolist() for triple in (there, here)]
            text = f"It draws the same numbers as generator_for{tuple(here)}: both are made from one number."
            trial.require(drawn[0] != drawn[1], text, call=f"generator_for{tuple(there)}")
    if same_sum := collision(*steps):
        there, here = same_sum
        drawn = [trial.call(function, *triple).integers(2**62, size=4).tolist() for triple in same_sum]
        text = (
            f"It draws the same numbers as generator_for{here}: both are made from one number. Prime "
            "factors don't prevent that; give NumPy the three numbers in a list."
        )
        trial.require(drawn[0] != drawn[1], text, call=f"generator_for{there}")


def collision(seed: int, worker: int, number: int) -> tuple | None:
    """Two triples with the same sum, if each of the three is multiplied by its factor; the seeds are 0 to 3."""
    for more in range(4):
        for fewer in range(0 if more else 1, MOST[1]):
            for sign in (1, -1):
                rest = more * seed + sign * fewer * worker
                rounds = -rest // number if number and rest % number == 0 else MOST[2]
                if abs(rounds) < MOST[2]:
                    there, here = [more, 0, 0], [0, 0, 0]
                    (there if sign > 0 else here)[1] = fewer
                    (there if rounds > 0 else here)[2] = abs(rounds)
                    return tuple(there), tuple(here)
    return None


def check_enough_seeds(trial, function) -> None:
    """For one round there are 2³² · 10,000 runs and workers. Are all made from one number that has fewer values?"""
    rng = np.random.default_rng(4)
    for fixed in (2, 1):  # of the three numbers
        triples = [[int(rng.integers(most)) for most in MOST] for _ in range(100)]
        for triple in triples:
            triple[fixed] = 5
        parts = [parts_of(trial, function, tuple(triple)) for triple in triples]
        alike = len({len(row) for row in parts}) == 1
        varied = [column for column in zip(*parts) if len(set(column)) > 1] if alike else []
        few = len(varied) == 1 and max(varied[0]) < 2**40
        what = ("seed", "worker", "number")[fixed]
        trial.require(
            not few,
            f"With {what} = 5 throughout, each of 100 large triples got one of only 2³² seeds or so. Among 100,000 "
            "triples two will have the same: give NumPy all three numbers.",
            call=f"generator_for{tuple(triples[0])}, and others",
        )


def check_overlap(trial, function) -> None:
    """No stream goes on with the numbers of a neighbour's."""
    first = trial.call(function, 0, 0, 0).integers(2**63, size=FAR)
    for triple in ((0, 0, 1), (0, 1, 0), (1, 0, 0)):
        begun = trial.call(function, *triple).integers(2**63, size=3)
        trial.require(
            not np.isin(first, begun).any(),
            f"generator_for{triple} begins with numbers that generator_for(0, 0, 0) draws among its first {FAR:,}: the "
            "one is the other, moved on.",
            call=f"generator_for(0, 0, 0), generator_for{triple}",
        )
    triples = [(0, 0, number) for number in range(8)] + [(seed, worker, 0) for seed in (0, 1) for worker in (1, 2)]
    drawn = np.stack([trial.call(function, *triple).integers(2**63, size=FIRST) for triple in triples])
    order = np.argsort(drawn, axis=None)
    same = np.flatnonzero(np.diff(drawn.ravel()[order]) == 0)
    if len(same):
        one, other = sorted(triples[place // FIRST] for place in order[same[0] : same[0] + 2])
        trial.fail(
            f"Among the first {FIRST:,} numbers of generator_for{one} and of generator_for{other} is the same one, at "
            "another place: the one stream is the other, moved on.",
            call=f"generator_for{one}, generator_for{other}",
        )
    trial.cases += len(triples)

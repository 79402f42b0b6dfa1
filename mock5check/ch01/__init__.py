"""The checks of the exercises of chapter 1, UCT: `check.name(what the learner wrote)`."""

from collections import namedtuple
from operator import attrgetter

import numpy as np

from mock5check.ch01.batches import virtual_loss
from mock5check.ch01.connect_four import connect_four
from mock5check.ch01.own_uct import my_uct
from mock5check.ch01.trees import backup, reroot
from mock5check.core import graded
from mock5check.watch import EndlessLoop

__all__ = ["backup", "connect_four", "final_move", "my_uct", "reroot", "search_for", "virtual_loss"]


# The final move ----------------------------------------------------------------------------------------------


class Child:
    """A child of the root as far as the choice of the final move needs it."""

    def __init__(self, move: int, wins: float, visits: int):
        self.move, self.wins, self.visits = move, wins, visits

    def __repr__(self) -> str:
        return f"move {self.move}: {self.wins:.10g}/{self.visits}"


_visits, _wins, _best = attrgetter("visits"), attrgetter("wins"), attrgetter("visits", "wins")


def _average(child: Child) -> float:
    return child.wins / child.visits


FINAL_SLIPS = [  # of the children
    (lambda c: max(c, key=_best), "This is the child. Return its .move."),
    (lambda c: max(c, key=_average).move, "This is the greatest w/v. Most VISITS decides."),
    (lambda c: max(c, key=_visits).move, "Among children with equally many visits the greater w/v decides."),
    (lambda c: max(c, key=lambda child: (child.visits, round(_average(child), 2))).move, "Compare w/v unrounded."),
    (lambda c: max(c, key=_wins).move, "This has the most points, and not the most visits."),
    (lambda c: min(c, key=_visits).move, "This one has the FEWEST visits."),
    (lambda c: max(c, key=lambda child: (child.visits, -child.wins)).move, "Of equal visits the GREATER w/v."),
    (lambda c: max(reversed(c), key=_best).move, "Of children that are equal in both, the FIRST is wanted."),
    (lambda c: c.index(max(c, key=_best)), "This is the child's place in the list. Return its .move."),
    (lambda c: c[0].move, "This is the first child of the list."),
    (lambda c: max(map(_visits, c)), "This is a number of visits. Return the child's .move."),
]


@graded
def final_move(trial, function) -> None:
    """Check `final_move(children)`: the move of most visits; of equal ones the greater w/v; then the first."""
    rng = np.random.default_rng(3)
    tables = [
        [(2, 150, 395), (4, 450, 600), (7, 4, 5), (8, 455, 599), (3, 0, 2)],  # every slip chooses another one
        [(4, 450, 600), (7, 4, 5), (2, 150, 395)],
        [(7, 4, 5), (2, 500, 900), (4, 450, 600)],
        [(3, 10, 40), (8, 25, 40), (6, 5, 9)],
        [(3, 10, 40), (6, 5, 9), (8, 25, 40), (5, 30, 39)],
        [(5, 8, 20), (1, 12, 20), (0, 12, 20), (9, 3, 4)],
        [(6, 0, 1)],
        [(8, 0.5, 3), (2, 0.5, 3)],
        [(3, 600.5, 1000), (5, 601, 1000), (1, 600, 1000)],  # equal to two digits, and to three
        [(3, 0, 7), (5, 0.5, 7), (0, 0, 7)],
        [(5, 900, 999), (2, 500, 1000)],  # one visit more is more
        [(0, 3, 10), (4, 2, 10)],  # move 0 counts as false
        [(4, 2, 10), (0, 3, 10)],
        [(7, 4, 5), (4, 10, 20), (3, 12, 20)],  # the best w/v first, with few visits
        [(3, 1_000_000, 2_000_000), (5, 1_000_000.5, 2_000_000)],  # equal to six digits
        [(3, 10_000_000, 20_000_000), (5, 10_000_000.5, 20_000_000)],  # equal in single precision
        [(1, 0, 2001), (2, 2000, 2000)],  # more points than a thousandth of the visits
    ]
    for _ in range(40):
        size = int(rng.integers(1, 7))
        visits = rng.integers(1, 5, size)
        points = [int(rng.integers(0, 2 * v + 1)) / 2 for v in visits]
        tables.append(list(zip(rng.permutation(25)[:size].tolist(), points, visits.tolist())))
    cases = [([Child(*numbers) for numbers in table],) for table in tables]
    trial.compare(function, cases, right=lambda c: max(c, key=_best).move, why=_final_why, slips=FINAL_SLIPS)


def _final_why(children: list) -> str:
    most = max(map(_visits, children))
    equal = [child for child in children if child.visits == most]
    right = max(equal, key=_wins).move
    if len(equal) == 1:
        return f"Move {right} has the most visits, {most}."
    moves = ", ".join(str(child.move) for child in equal)
    best = max(map(_wins, equal))
    text = f"Moves {moves} have the most visits, {most} each. Of these the greatest w/v is {best:.10g}/{most}"
    tied = [child.move for child in equal if child.wins == best]
    if len(tied) == 1:
        return f"{text}, move {right}."
    return f"{text}, moves {', '.join(map(str, tied))}; the first of them is {right}."


# A time budget -----------------------------------------------------------------------------------------------

Budget = namedtuple("Budget", "count_returned simulations_run")


MOST = 3000  # simulations; a right answer runs fewer


class FakeClock:
    """A clock that moves on only when a simulation runs, so that the check knows what is right."""

    def __init__(self, start: float, costs):
        self.now, self.costs = start, costs
        self.simulations = self.reads = 0

    def __call__(self) -> float:
        """The time in seconds."""
        self.reads += 1
        return self.now

    def simulate(self) -> None:
        """One simulation: it costs time."""
        self.now += self.costs[self.simulations % len(self.costs)]
        self.simulations += 1
        if self.simulations > MOST:
            unread = ". It never called `clock()`, and no other clock shows when this time is up"
            raise EndlessLoop(f"{MOST:,} simulations" + (", far past the deadline" if self.reads else unread))


def budget_case(search, seconds: float, start: float, costs: list, why: str = "") -> Budget:
    """Run a `search_for` with a clock that starts at `start`."""
    clock = FakeClock(start, costs)
    answer = search(clock.simulate, seconds, clock)
    return Budget(answer, clock.simulations)


def search_of(simulate, seconds, clock, least=1, deadline=None, past=lambda now, deadline: now >= deadline):
    """The right answer to `search_for`; the options make it wrong."""
    deadline = clock() + seconds if deadline is None else deadline
    count = 0
    while count < least or not past(clock(), deadline):
        simulate()
        count += 1
    return count


def _late_start(simulate, seconds, clock):
    """For a deadline that is worked out after the first simulation."""
    simulate()
    return search_of(simulate, seconds, clock, least=0) + 1


BUDGET_SLIPS = [
    (_late_start, "Read the clock before anything runs: the deadline is `seconds` after the call."),
    (lambda s, t, c: search_of(s, t, c, past=lambda now, end: now > end), "At the deadline itself it is too late."),
    (lambda s, t, c: search_of(s, t, c, least=0), "At least one simulation must run, whatever the clock says."),
    (lambda s, t, c: search_of(s, t, c, least=2), "Look at the clock after the first simulation already."),
    (lambda s, t, c: search_of(s, t, c, deadline=t), "A clock need not start at 0: the deadline is clock() + seconds."),
    (lambda s, t, c: search_of(s, t, c) - 1, "One simulation is not counted."),
    (lambda s, t, c: search_of(s, t, c) + 1, "One simulation too many is counted."),
]


@graded
def search_for(trial, function) -> None:
    """Check `search_for(simulate, seconds, clock)`: as many simulations as fit."""
    cases = [
        (1.0, 0.0, [0.25], "Four simulations of 0.25 seconds fill 1 second."),
        (1.0, 5000.0, [0.25], "The clock starts at 5000, so the deadline is 5001. A clock need not start at 0."),
        (1.0, 64.0, [0.375], "The third simulation starts after 0.75 seconds, before the deadline, and may finish."),
        (1.0, 64.0, [0.5], "Two simulations of 0.5 seconds. At the deadline itself no new one starts."),
        (0.125, 64.0, [8.0], "One simulation takes longer than the budget. It runs all the same: we need a move."),
        (0.0, 64.0, [0.25], "No time at all, but one simulation runs all the same: a move must be found."),
        (4.0, 1.0, [0.25, 1.5, 0.5], "The simulations take 0.25, 1.5, 0.5, 0.25, 1.5 seconds: 4 seconds in all."),
        (20.0, 3.0, [0.125], "160 simulations of 0.125 seconds fill 20 seconds."),
        (150.0, 3.0, [0.0625], "2,400 simulations of 0.0625 seconds fill 150 seconds."),
        (1.0, 5.75, [0.25], "The clock starts at 5.75, so the deadline is 6.75."),
        (-0.5, 64.0, [0.25], "The time was over before the call. One simulation runs all the same."),
        (0.75, -10.0, [0.0625], "12 simulations of 0.0625 seconds fill 0.75 seconds. This clock starts at −10."),
        (
            1.0,
            64.0,
            [0.99609375],
            "The first simulation ends 0.004 seconds before the deadline, so another one starts.",
        ),
        (2**-9, 0.0, [2**-12], "Eight simulations of 1/4096 seconds fill 1/512 seconds."),
        (0.0, 64.0, [2**-10], "No time at all, but one simulation runs all the same, however short it is."),
        (1.0, 1.7e9, [0.125], "Eight simulations of 0.125 seconds. A computer's clock shows such large numbers."),
        (1e-7, 1.7e9, [0.125], "Hardly any time: clock() + seconds is clock() itself. One runs all the same."),
        (2.0, -0.5, [4.0, 0.25], "The first simulation takes 4 seconds and is finished; no other starts."),
    ]
    trial.compare(
        function,
        cases,
        right=search_of,
        why=lambda seconds, start, costs, why: why,
        slips=BUDGET_SLIPS,
        observe=budget_case,
        call=lambda seconds, start, costs, why: (
            f"search_for(simulate, {seconds:g}, clock), where clock() starts at {start:g}, simulations cost {costs} s"
        ),
    )

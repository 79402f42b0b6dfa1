"""The checks of the exercises of chapter 1, UCT: `check.name(what the learner wrote)`."""

from math import inf, log, log2, log10, sqrt
from operator import attrgetter

import numpy as np

from mock5check.bounded import bounded
from mock5check.ch01_trees import backup, reroot, virtual_loss
from mock5check.connect_four import judge
from mock5check.core import Trial
from mock5check.slips import NO_RETURN, likely

__all__ = [
    "backup",
    "connect_four",
    "final_move",
    "points_and_visits",
    "reroot",
    "search_for",
    "uct_value",
    "virtual_loss",
]


# The formula -------------------------------------------------------------------------------------------------

UCT_SLIPS = [  # of the child's points and visits, its parent's visits, and c
    (lambda w, v, n, c: None, NO_RETURN),
    (lambda w, v, n, c: inf, "Only a child with v = 0 is infinite; this one was visited."),
    (lambda w, v, n, c: w / v, "This is w/v alone. The exploration term is missing."),
    (lambda w, v, n, c: c * sqrt(log(n) / v), "This is the exploration term alone. Add w/v."),
    (lambda w, v, n, c: w / v - c * sqrt(log(n) / v), "The terms are added: a little-known move gets a bonus."),
    (lambda w, v, n, c: w / v + sqrt(log(n) / v), "c is not used."),
    (lambda w, v, n, c: w / v + sqrt(2) * sqrt(log(n) / v), "Use the c that is handed in; here it is not √2."),
    (lambda w, v, n, c: w / v + c * sqrt(2 * log(n) / v), "The 2 is counted twice: c = √2 holds it already."),
    (lambda w, v, n, c: w / v + c * log(n) / v, "The square root is missing."),
    (lambda w, v, n, c: w / v + c * sqrt(log(n)) / v, "The division by v belongs under the square root too."),
    (lambda w, v, n, c: w / v + sqrt(c * log(n) / v), "c stands in front of the square root, not under it."),
    (lambda w, v, n, c: w / v + c * sqrt(n / v), "The logarithm is missing: it is ln of the parent's visits."),
    (lambda w, v, n, c: w / v + c * sqrt(log10(n) / v), "This is the logarithm to base 10. Use math.log."),
    (lambda w, v, n, c: w / v + c * sqrt(log2(n) / v), "This is the logarithm to base 2. Use math.log."),
    (lambda w, v, n, c: w / v + c * sqrt(log(v) / n), "Visits swapped: it is ln of the parent's, over the child's."),
    (lambda w, v, n, c: w / v + c * sqrt(log(v) / v), "The logarithm is of the PARENT's visits."),
    (lambda w, v, n, c: w / n + c * sqrt(log(n) / v), "The average is w / v, over the child's own visits."),
    (lambda w, v, n, c: w + c * sqrt(log(n) / v), "w must be divided by v: we compare averages, not sums."),
]


def uct_value(function) -> None:
    """Check `uct_value(w, v, parent_visits, c)`: w/v + c·√(ln parent_visits / v), infinite for an unvisited child."""
    trial = Trial("uct_value")
    rng = np.random.default_rng(1)
    cases = [(3, 4, 10, 1.5), (3, 4, 10, 0.0), (0, 1, 15, sqrt(2)), (6, 10, 15, sqrt(2)), (1, 1, 1, 2.0)]
    for _ in range(30):
        v = int(rng.integers(1, 200))
        w, n = int(rng.integers(0, 2 * v + 1)) / 2, v + int(rng.integers(0, 900))
        cases.append((w, v, n, round(float(rng.uniform(0, 3)), 2)))
    for w, v, n, c in cases:
        bonus = c * sqrt(log(n) / v)
        why = f"w/v = {w}/{v} = {w / v:.3f}, and c·√(ln {n} / {v}) = {c:.3f} · √({log(n):.3f} / {v}) = {bonus:.3f}."
        trial.expect(function, w, v, n, c, right=w / v + bonus, why=why, likely=likely(UCT_SLIPS, w, v, n, c))
    for n, c in [(1, 1.0), (500, sqrt(2)), (3, 0.0)]:
        _expect_infinite(trial, function, n, c)
    trial.passed()


def _expect_infinite(trial: Trial, function, n: int, c: float) -> None:
    """A child without visits comes before all others, whatever the others have."""

    def with_no_visits(*args):
        try:
            return function(*args)
        except ZeroDivisionError:
            trial.fail(
                "A child that was never visited divides by zero. Treat v == 0 first: such a child must be tried before "
                "all others, so its value is infinite.",
                call=f"{getattr(function, '__name__', 'your function')}(0, 0, {n}, {c})",
                hint="math.inf is greater than every other number.",
            )

    why = "v = 0: nothing at all is known of this child, so it is tried before all others. Its value is math.inf."
    slips = {
        0: "0 would make it the LAST to be tried.",
        -inf: "−∞ would make it the last to be tried.",
        None: NO_RETURN,
    }
    with_no_visits.__name__ = getattr(function, "__name__", "your function")
    trial.expect(with_no_visits, 0, 0, n, c, right=inf, why=why, likely=slips)


# Points and visits -------------------------------------------------------------------------------------------

RESULT_SLIPS = [  # of the numbers of wins, draws and losses
    (lambda w, d, n: None, NO_RETURN),
    (lambda w, d, n: (w, w + d + n), "Draws earn nothing here. A draw is half a point."),
    (lambda w, d, n: (w + d, w + d + n), "A draw is half a point, not a whole one."),
    (lambda w, d, n: (w + d // 2, w + d + n), "Half a point is lost in rounding. Divide with /, not //."),
    (lambda w, d, n: (w + d / 2, w + n), "Drawn playouts are visits too: v counts every playout."),
    (lambda w, d, n: (w, w + n), "Drawn playouts are left out. Each is a visit and half a point."),
    (lambda w, d, n: (w + d / 2, w), "v counts every playout, won or not."),
    (lambda w, d, n: (n + d / 2, w + d + n), "These are the points of the OTHER player."),
    (lambda w, d, n: (w - n, w + d + n), "A loss earns 0; it does not cost a point."),
    (lambda w, d, n: (w + d + n, w + d / 2), "The order is w, then v."),
    (lambda w, d, n: (w + d / 2) / (w + d + n), "This is the average w/v. Return the two numbers (w, v)."),
]


def points_and_visits(function) -> None:
    """Check `points_and_visits(winners, player)`: (w, v) of a list of results, each 0, 1 or 2."""
    trial = Trial("points_and_visits")
    rng = np.random.default_rng(2)
    mixed = [1, 2, 0, 1, 0, 1, 1]  # every slip gives another wrong answer
    cases = [(mixed, 1), (mixed, 2), ([1, 0, 0, 0, 2], 1), ([0], 1), ([0], 2), ([2, 2], 1), ([2, 2], 2), ([], 1)]
    cases += [(rng.integers(0, 3, rng.integers(1, 15)).tolist(), int(rng.integers(1, 3))) for _ in range(30)]
    for winners, player in cases:
        wins, draws = winners.count(player), winners.count(0)
        losses = len(winners) - wins - draws
        why = (
            f"For player {player}: {wins} won, {draws} drawn, {losses} lost. "
            f"w = {wins} + {draws}·½ = {wins + draws / 2:g}, and v counts all {len(winners)}."
        )
        slips = likely(RESULT_SLIPS, wins, draws, losses)
        trial.expect(function, list(winners), player, right=(wins + draws / 2, len(winners)), why=why, likely=slips)
    trial.passed()


# The final move ----------------------------------------------------------------------------------------------


class Child:
    """A child of the root as far as the choice of the final move needs it."""

    def __init__(self, move: int, wins: float, visits: int):
        self.move, self.wins, self.visits = move, wins, visits

    def __repr__(self) -> str:
        return f"move {self.move}: {self.wins:g}/{self.visits}"


_visits, _wins, _best = attrgetter("visits"), attrgetter("wins"), attrgetter("visits", "wins")


def _average(child: Child) -> float:
    return child.wins / child.visits


FINAL_SLIPS = [  # of the children
    (lambda c: None, NO_RETURN),
    (lambda c: max(c, key=_best), "This is the child. Return its .move."),
    (lambda c: max(c, key=_average).move, "This is the greatest w/v. Most VISITS decides."),
    (lambda c: max(c, key=_visits).move, "Another child has as many visits, and the better w/v."),
    (lambda c: max(c, key=_wins).move, "This has the most points, and not the most visits."),
    (lambda c: min(c, key=_visits).move, "This one has the FEWEST visits."),
    (lambda c: max(c, key=lambda child: (child.visits, -child.wins)).move, "Of equal visits the GREATER w/v."),
    (lambda c: max(reversed(c), key=_best).move, "An earlier child is equal in both; the first of them is wanted."),
    (lambda c: c.index(max(c, key=_best)), "This is the child's place in the list. Return its .move."),
    (lambda c: c[0].move, "This is the first child of the list."),
    (lambda c: max(map(_visits, c)), "This is a number of visits. Return the child's .move."),
]


def final_move(function) -> None:
    """Check `final_move(children)`: the move of most visits; of equal ones the greater w/v; then the first."""
    trial = Trial("final_move")
    rng = np.random.default_rng(3)
    cases = [
        [(2, 150, 395), (4, 450, 600), (7, 4, 5), (8, 455, 599), (3, 0, 2)],  # every slip chooses another one
        [(4, 450, 600), (7, 4, 5), (2, 150, 395)],
        [(7, 4, 5), (2, 500, 900), (4, 450, 600)],
        [(3, 10, 40), (8, 25, 40), (6, 5, 9)],
        [(3, 10, 40), (6, 5, 9), (8, 25, 40), (5, 30, 39)],
        [(5, 8, 20), (1, 12, 20), (0, 12, 20), (9, 3, 4)],
        [(6, 0, 1)],
        [(8, 0.5, 3), (2, 0.5, 3)],
    ]
    for _ in range(40):
        size = int(rng.integers(1, 7))
        visits = rng.integers(1, 5, size)
        points = [int(rng.integers(0, 2 * v + 1)) / 2 for v in visits]
        cases.append(list(zip(rng.permutation(25)[:size].tolist(), points, visits.tolist())))
    for case in cases:
        children = [Child(*numbers) for numbers in case]
        most = max(child.visits for child in children)
        equal = [child for child in children if child.visits == most]
        right = max(equal, key=lambda child: child.wins).move
        why = _final_why(equal, most, right)
        trial.expect(function, children, right=right, why=why, likely=likely(FINAL_SLIPS, children))
    trial.passed()


def _final_why(equal: list, most: int, right: int) -> str:
    if len(equal) == 1:
        return f"Move {right} has the most visits, {most}."
    moves = ", ".join(str(child.move) for child in equal)
    best = max(child.wins for child in equal)
    text = f"Moves {moves} have the most visits, {most} each. Of these the greatest w/v is {best:g}/{most}"
    tied = [child.move for child in equal if child.wins == best]
    if len(tied) == 1:
        return f"{text}, move {right}."
    return f"{text}, moves {', '.join(map(str, tied))}; the first of them is {right}."


# A time budget -----------------------------------------------------------------------------------------------


class FakeClock:
    """A clock that moves on only when a simulation runs, so that the check knows what is right."""

    def __init__(self, trial: Trial, call: str, start: float, costs):
        self.trial, self.call, self.now, self.costs = trial, call, start, costs
        self.reads = self.simulations = 0
        self.first_read = None  # how many simulations had run when the clock was first read

    def __repr__(self) -> str:
        return "clock"

    def __call__(self) -> float:
        """The time in seconds."""
        self.reads += 1
        self.first_read = self.simulations if self.first_read is None else self.first_read
        return self.now

    def simulate(self) -> None:
        """One simulation: it costs time."""
        self.now += self.costs[self.simulations % len(self.costs)]
        self.simulations += 1
        if self.simulations > 1000:
            self.trial.fail(
                "1,000 simulations have run, far past the deadline. The loop does not stop.",
                call=self.call,
                hint="Read the clock that you were given, clock(), anew before each simulation. "
                f"Times it was read: {self.reads}.",
            )


class Simulation:
    """What a learner's function calls to run one simulation."""

    def __init__(self, clock: FakeClock):
        self.clock = clock

    def __repr__(self) -> str:
        return "simulate"

    def __call__(self) -> None:
        self.clock.simulate()


def search_for(function) -> None:
    """Check `search_for(simulate, seconds, clock)`: as many simulations as fit."""
    trial = Trial("search_for")
    cases = [
        (1.0, 0.0, [0.25], "Four simulations of 0.25 seconds fill 1 second."),
        (1.0, 5000.0, [0.25], "The clock starts at 5000, so the deadline is 5001. A clock need not start at 0."),
        (1.0, 64.0, [0.375], "The third simulation starts after 0.75 seconds, before the deadline, and may finish."),
        (1.0, 64.0, [0.5], "Two simulations of 0.5 seconds. At the deadline itself no new one starts."),
        (0.125, 64.0, [8.0], "One simulation takes longer than the budget. It runs all the same: we need a move."),
        (0.0, 64.0, [1.0], "No time at all, but one simulation runs all the same: a move must be found."),
        (4.0, 1.0, [0.25, 1.5, 0.5], "The simulations take 0.25, 1.5, 0.5, 0.25, 1.5 seconds: 4 seconds in all."),
        (20.0, 3.0, [0.125], "160 simulations of 0.125 seconds fill 20 seconds."),
        (0.75, -10.0, [0.0625], "12 simulations of 0.0625 seconds fill 0.75 seconds. This clock starts at −10."),
    ]
    for seconds, start, costs, why in cases:
        _one_budget(trial, function, seconds, start, costs, why)
    trial.passed()


def _one_budget(trial: Trial, function, seconds: float, start: float, costs: list, why: str) -> None:
    spent, right = costs[0], 1
    while spent < seconds:
        spent, right = spent + costs[right % len(costs)], right + 1
    call = f"search_for(simulate, {seconds:g}, clock), where clock() starts at {start:g}, simulations cost {costs} s"
    clock = FakeClock(trial, call, start, costs)
    answer = trial.call(bounded(function), Simulation(clock), seconds, clock)
    if clock.simulations != right:
        why = f"{why} Right: {right}. Yours ran {clock.simulations}."
        trial.fail(why, call=call, hint=_budget_hint(clock, right))
    slips = {None: NO_RETURN, right - 1: "One of them is not counted.", right + 1: "One too many is counted."}
    if answer != right or isinstance(answer, bool):
        hint = slips.get(answer) if isinstance(answer, int | None) else None
        trial.fail("Return how many simulations ran.", call=call, answer=answer, right=right, hint=hint)
    trial.cases += 1


def _budget_hint(clock: FakeClock, right: int) -> str:
    if clock.reads == 0:
        return "The clock was never read. Use the clock that you were given: clock()."
    if clock.first_read > 0:
        return "The deadline counts from the call: read the clock before the first simulation."
    if clock.simulations == 0:
        return "At least one must run, whatever the clock says; and the clock need not start at 0."
    if clock.simulations == right + 1 == 2:
        return "Look at the clock after the first simulation already."
    if clock.simulations > right:
        return "A simulation may start only while the time is LESS than the deadline; at the deadline it is too late."
    return "It stopped too early. The deadline is the time at the start plus `seconds`; before it one more may start."


# Connect four -------------------------------------------------------------------------------------------------


def connect_four(game_class) -> None:
    """Check the class `ConnectFour`: the contract of a game, two thousand random games, and UCT as its player."""
    judge(game_class, Trial("connect_four"))

"""The checks of the exercises of chapter 7, the ladder, each named after the function that the learner writes."""

from functools import partial
from math import inf

import numpy as np

from mock5check.answers import Outcome, describe_call, kind_problem, show
from mock5check.ch07.capstone import ladder_agent
from mock5check.ch07.slips import (
    INTERVAL_SLIPS,
    MOVE_SLIPS,
    PERFORMANCE_SLIPS,
    VERDICT_SLIPS,
    expected,
    interval_of,
    performance_of,
    read_of,
    to_a_hundredth,
    verdict_of,
)
from mock5check.core import Trial, graded
from mock5check.frozen import right_when_new

__all__ = ["ladder_agent", "pair_interval", "performance", "read_move", "schedule", "verdict"]

# 1. A schedule --------------------------------------------------------------------------------------------------


@graded
def schedule(trial, function) -> None:
    """Check `schedule(names, openings)`: all games of a fair round robin."""
    cases = [
        ("AB", "o"),
        ("ABC", "op"),
        ("WXYZ", [0, 1, 2]),
        ("A", "o"),
        ("AB", []),
        (["greedy", "uct"], [[0, 1], [4]]),
    ]
    cases += [("ABC", [(40, 41, 31)]), ("BA", [[], [12]]), (["uct", "uct2"], "o")]
    for names, openings in cases:
        names, openings = list(names), list(openings)
        call = f"schedule({names}, {openings})"
        games = _entries(trial, trial.call(function, names, openings, shown=call), call)
        for black, white, opening in games:
            known = black in names and white in names and opening in openings
            trial.require(
                known, f"{show((black, white, opening))} has a player or an opening that was not given.", call=call
            )
            trial.require(black != white, f"{black} is to play against itself.", call=call)
        for black in names:
            for white in names:
                for opening in openings if black != white else ():
                    found = sum(game == (black, white, opening) for game in games)
                    trial.require(
                        found == 1,
                        f"{black} should play black against {white} from opening {opening!r} exactly once; it does "
                        f"{found} times.",
                        call=call,
                        hint=_kept_games(function, names, openings) if found > 1 else None,
                    )


def _kept_games(function, names: list, openings: list) -> str | None:
    """What to say where only the games of earlier calls are too many."""
    many = len(names) * (len(names) - 1) * len(openings)
    alone = right_when_new(function, (names, openings), lambda games: len(games) == many)
    return "The games of an earlier call are in it: begin with a new list in each call." if alone else None


def _entries(trial: Trial, answer, call: str) -> list[tuple]:
    """The learner's games as triples, or a failure."""
    if not isinstance(answer, (list, tuple)) or not all(isinstance(game, (list, tuple)) for game in answer):
        trial.fail("Return a list of games (black, white, opening).", call=call, answer=answer)
    wrong = [game for game in answer if len(game) != 3]
    if wrong:
        trial.fail(f"A game is (black, white, opening). One of yours is {show(wrong[0])}.", call=call)
    return [tuple(game) for game in answer]


# 2. An interval -------------------------------------------------------------------------------------------------


@graded
def pair_interval(trial, function) -> None:
    """Check `pair_interval(points)`: (low, high), worked out over pairs."""
    rng = np.random.default_rng(3)
    cases = [[1, 0, 1, 0, 0, 1, 1, 0], [1, 1, 0, 0, 1, 0, 0.5, 0.5], [1, 1, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0.5]]
    cases += [[1, 0], [1, 1, 1, 0], [1, 1, 1, 1], [0.5, 1, 0, 0], [0, 0, 1, 1]]
    cases += [rng.choice([0, 0.5, 1], size=2 * pairs).tolist() for pairs in (5, 40, 101)]
    cases += [np.array([1.0, 0.5, 0.5, 0.5, 0.0, 1.0])]

    def why(points):
        pairs = np.reshape(points, (-1, 2)).mean(axis=1)
        count = f"{len(pairs)} pair{'s' * (len(pairs) > 1)}"
        return (
            f"{count} with mean {pairs.mean():.4f} and standard deviation {pairs.std():.4f}: half the "
            f"width is 1.96 · {pairs.std():.4f} / √{len(pairs)}; both ends stay within 0 and 1."
        )

    trial.compare(function, [(points,) for points in cases], right=interval_of, why=why, slips=INTERVAL_SLIPS)


# 3. A newcomer's rating --------------------------------------------------------------------------------------------


@graded
def performance(trial, function) -> None:
    """Check `performance(ratings, points)`: the rating whose expected points are the points made."""
    rng = np.random.default_rng(4)
    cases = [
        ([0.0], 0.5),
        ([100.0, 100.0], 1.5),
        ([0.0, 800.0], 1.0),
        ([0.0, 1000.0, 1000.0], 1.0),
        ([1500, 1700], 0.5),
    ]
    cases += [([0.0, 200.0], 2), ([0.0, 200.0], 0), ([300.0], 0.0), ([300.0], 1), ([-400.0, 0.0, 400.0], 2.5)]
    cases += [([0.0] * 100, 99.5), ([0.0] * 100, 0.5), ([2000.0, 2600.0] * 10, 10.5)]
    cases += [([0.0, 0.0, 2000.0], 2.0), ([0.0, 3864.0], 1.5), ([12_000.0], 0.5)]
    cases += [([0.0] * 20, 15.0), ([0.0] * 20, 10.5), ([0.0] * 192, 60.0), ([0.0] * 2000, 0.5)]
    cases += [([0, 0, 0, 5000], 3.0), ([0, 0, 4400], 2), ([0.0] * 3000, 2999.5)]
    cases += [([0, 6000], 1.5), ([0, 10_000], 1.5)]  # a range about the mean does not reach so far
    cases += [([0.0] * 400, 0.5), ([0.0] * 400, 399.5), ([5200.0] * 4, 2.0), ([2400, 500], 1.5)]
    for opponents in (3, 8, 20):
        ratings = rng.normal(0, 300, opponents).round().tolist()
        cases.append((ratings, float(rng.integers(1, 2 * opponents)) / 2))

    def why(ratings, points):
        right = performance_of(ratings, points)
        if abs(right) == inf:
            every, high = ("Every", "high") if right > 0 else ("No", "low")
            return f"{every} point was made: however {high} a rating, its expected points are not as extreme."
        made = " + ".join(f"{expected(right - rating):.3f}" for rating in ratings[:5]) + (
            " + …" if len(ratings) > 5 else ""
        )
        return f"A player rated {right:.2f} expects {made} = {points:g} points. At most 0.01 off is asked for."

    def observe(solution, ratings, points):
        return to_a_hundredth(solution(ratings, points), performance_of(ratings, points))

    trial.compare(function, cases, right=performance_of, why=why, slips=PERFORMANCE_SLIPS, observe=observe, long=4.0)


# 4. May we stop? ------------------------------------------------------------------------------------------------


@graded
def verdict(trial, function) -> None:
    """Check `verdict(pairs, s0, s1, alpha, beta)`: what a sequential test says."""
    rng = np.random.default_rng(5)
    cases = [([], 0.5, 0.55, 0.05, 0.05), ([0.5] * 30, 0.5, 0.55, 0.05, 0.05), ([1.0] * 9, 0.5, 0.55, 0.05, 0.05)]
    cases += [
        ([1, 0.5] * 10, 0.5, 0.6, 0.05, 0.05),
        ([0, 0.5] * 10, 0.5, 0.6, 0.05, 0.05),
        ([0.75], 0.5, 0.6, 0.1, 0.1),
    ]
    cases += [([1.0, 0.75, 1.0], 0.5, 0.58, 0.05, 0.05), ([0.0, 0.25], 0.5, 0.58, 0.05, 0.05)]
    cases += [([1.0, 0.75], 0.5, 0.6, 0.05, 0.1), ([0.5, 0.25, 0.5, 0.25], 0.5, 0.6, 0.05, 0.05)]
    cases += [([1.0] * 9 + [0.5] * 3, 0.5, 0.58, 0.001, 0.2)]  # between ln 0.8/0.001 and ln 1/0.001
    cases += [([0.5] * 4 + [0.25] * 4, 0.5, 0.58, 0.2, 0.001)]  # between ln 0.001 and ln 0.001/0.8
    for alpha, beta in ((0.05, 0.05), (0.001, 0.2), (0.2, 0.001)):
        for mean in (0.46, 0.5, 0.53, 0.56, 0.6, 0.66):
            for count in (6, 12, 40, 120):
                pairs = np.clip(np.rint(4 * rng.normal(mean, 0.25, count)) / 4, 0, 1).tolist()
                cases.append((pairs, 0.5, 0.58, alpha, beta))
    for s0, s1 in ((0.42, 0.5), (0.55, 0.65)):
        for mean in (0.4, 0.47, 0.6, 0.7):
            cases.append((np.clip(np.rint(4 * rng.normal(mean, 0.25, 40)) / 4, 0, 1).tolist(), s0, s1, 0.05, 0.05))
    cases += [([0.5] * 100 + [0.75], 0.5, 0.58, 0.05, 0.05), ([0.5] * 999 + [0.75], 0.5, 0.58, 0.05, 0.05)]
    cases += [([0.5] * 69_999 + [0.75], 0.5, 0.55, 0.05, 0.05)]  # a small variance is no variance of 0
    cases += [([0.5] * 44 + [0.75], 0.5, 0.52, 0.05, 0.05)]  # with 1e-6 more below the line it says nothing
    near = [0, 1, 0.25, 0.75, 0, 0.5, 0.5, 0.25, 1, 0, 0.75, 0, 0, 0.25, 0.5, 1, 0.75, 0.5, 0, 0.5, 0, 1, 0.5, 0.5, 1]
    cases += [([*near, 0.25, 0.5], 0.5, 0.6, 0.2, 0.1)]  # the ratio lies next to a bound
    near = [0.25, 0, 0.5, 0.25, 0.5, 0.5, 0.5, 0.5, 0, 0.75, 0.75, 0.25, 0, 0.75, 0.25, 0.75]
    cases += [(near, 0.5, 0.57, 0.2, 0.1)]
    near = [0.5, 0.5, 0, 0.5, 0.75, 1, 0, 0.25, 0.75, 0.75, 0, 1, 0.5, 1, 1, 0.25, 1, 0.75, 0.75]
    cases += [([*near, 0.25, 0.5, 0.25, 1], 0.45, 0.55, 0.2, 0.1)]
    cases += [(np.array([]), 0.5, 0.55, 0.05, 0.05), (np.array([1, 0, 1, 1]), 0.5, 0.6, 0.1, 0.1)]
    cases = [(np.array(pairs), *rest) if place % 2 else (pairs, *rest) for place, (pairs, *rest) in enumerate(cases)]

    def why(pairs, s0, s1, alpha, beta):
        if not len(pairs) or np.ptp(pairs) == 0:
            return "Without any spread among the pairs nothing can be said yet, and the answer is None."
        ratio = len(pairs) * (s1 - s0) * (2 * np.mean(pairs) - s0 - s1) / (2 * np.var(pairs))
        low, high = np.log(beta / (1 - alpha)), np.log((1 - beta) / alpha)
        return f"The log-likelihood ratio is {ratio:.3f}; the bounds are {low:.3f} and {high:.3f}."

    def observe(solution, *case):
        answer = solution(*case)
        return Outcome("None") if answer is None else str(answer) if isinstance(answer, str) else answer

    def call(pairs, *rest):
        if not isinstance(pairs, np.ndarray):
            return describe_call(function, (pairs, *rest))
        shown = describe_call(function, (pairs.tolist(), *rest)).replace("a list of", "an array of")
        return shown.replace("([", "(np.array([").replace("],", "]),")

    trial.compare(function, cases, right=verdict_of, why=why, slips=VERDICT_SLIPS, observe=observe, call=call)
    at_the_bound = [0.25, 0.75], 0.25, 0.75, 0.5, 0.5
    trial.require(
        trial.call(function, *at_the_bound) == "stronger",
        "Here the ratio is exactly 0, and so are both bounds, ln(0.5 / 0.5). AT a bound the test stops, and where both "
        'are reached it says "stronger".',
        call=f"verdict{at_the_bound}",
    )


# 5. The engine's line -------------------------------------------------------------------------------------------


@graded
def read_move(trial, function) -> None:
    """Check `read_move(line, width, height)`: (row, column), None, or a ValueError."""
    lines = [
        "3,4",
        "0,0",
        " 7 , 2 \r\n",
        "14,8",
        "",
        "   ",
        "OK",
        "DEBUG 3,4",
        "MESSAGE best 3,4",
        "3,4,1",
        "3 ,4",
        "3, 4",
    ]
    lines += [
        "three,four",
        "3;4",
        "12",
        ",",
        "3,",
        "SUGGEST 5,5",
        "x3,4",
        "3,4!",
        "0,8",
        "14,0",
        "3 4",
        "3  ,  4",
        "   7,2",
        "3.0,4",
        "3,4.5",
    ]
    lines += ["MESSAGE error 12", "no ERROR here", "3,4 ERROR", "DEBUG ERROR 3,4", "10,8", "\t5,5\n", "3,4 5", "1 2,3"]
    lines += ["15,0", "0,9", "-1,3", "3,-1", "99,99", "9,14", "ERROR no move", "error 3,4", "  Error", "100,4", "4,100"]
    lines += ["ERROR", "ERRORS everywhere", "-3,-4", "15,9", "15,8", "14,9", "100000,4", "3,100000", "-10000,4"]
    lines += [
        "03,4",
        "-0,3",
        "3,-00",
        "7,2.",
        "7.,2",
        "12345678901,3",
        f"3,{'9' * 25}",
        f"-{'1' * 400},3",
        "eRRor: x",
        "ErRoR",
        "7\t,\t2",
        "ERR 5",
        "3,4,",
        ",3,4",
        "--1,3",
        "- 1,3",
        "3,-",
        "1_0,3",
        "+3,4",
        "3,+4",
        "3,,4",
        "3e0,4",
        "0x3,4",
        "\tERROR no move",
        " \t error: 3,4",
        "3-,4",
        "1-2,3",
        "²,3",
        "½,3",
        "NOERROR so far",
        "MESSAGE 3,4",
        "UNKNOWN command",
        "UNKNOWN 3,4",
        "3,4\t",
        "3,4 \r\n",
        "\t 3,4\t \n",
    ]
    cases = [(line, 15, 9) for line in lines] + [("8,14", 9, 15), ("19,19", 20, 20), ("14,8", 9, 15), ("120,3", 200, 4)]

    trial.compare(
        function,
        cases,
        right=read_of,
        why=_why_read,
        slips=MOVE_SLIPS,
        observe=partial(_outcome, trial),
        lets_through=(ValueError,),
    )


NO_MOVE, RAISED = Outcome("None"), Outcome("a ValueError, raised")


def _outcome(trial, solution, *case) -> Outcome:
    """What a solution makes of a line; a failure where that is none of the three."""
    try:
        answer = solution(*case)
    except ValueError:
        return RAISED
    except (IndexError, RuntimeError) as error:
        if _outcome(trial, read_of, *case) is RAISED:
            why = f"It raised {type(error).__name__}. Asked for is a ValueError: `raise ValueError(line)`."
            trial.fail(why, call=trial.last_call)
        raise
    if answer is None:
        return NO_MOVE
    problem = kind_problem(answer, (0, 0))
    if problem:
        problem = f"{problem[0].upper()}{problem[1:]} The answer is a pair of whole numbers, or None."
        trial.fail(problem, call=trial.last_call, answer=answer)
    return Outcome(f"({answer[0]}, {answer[1]})")


def _why_read(line, width, height) -> str:
    """Which outcome is right, and why."""
    try:
        right = read_of(line, width, height)
    except ValueError:
        if line.strip().upper().startswith("ERROR"):
            return "The line begins with ERROR: raise a ValueError."
        return f"That is off a board of {width} columns, {height} rows: raise a ValueError."
    if right is None:
        blank = not line.strip()
        return f"{'The line is empty' if blank else 'The line as a whole is no move, nor an error'}: return None."
    spaces = " Spaces, and the end of the line, do not matter." if line != line.replace(" ", "").strip() else ""
    return f"Column {right[1]} of {width} comes first, then row {right[0]} of {height}, counted from 0.{spaces}"

"""An exercise whose answer is drawn: is each answer possible, as often as it should be, and the same for the same rng?

    @sampled(cases=boards, chances=shares, why="In proportion to the scores.")
    def choose(scores, empty, epsilon, rng):
        ...

The solution's last argument is the generator. What is counted is *events*: `happened(answer, *case)` says of each
whether the answer has it, and `chances(*case)` how likely it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache, partial, wraps
from itertools import combinations

import numpy as np

from mock5check.answers import describe_call, kind_problem, same, show
from mock5check.core import Crashed, Refused, _quiet, graded, once, plain
from mock5check.spec import _source, edited, slips_of

SIGMAS = 5  # how far a count may lie from what is expected: a right solution is refused once in a million counts


def that_number(answer, *case) -> np.ndarray:
    """The events of an answer that is an index: it is 0, it is 1, …; as many as the first argument is long."""
    if not 0 <= answer < len(case[0]):
        raise Refused(f"{show(answer)} is not an index: they run from 0 to {len(case[0]) - 1}.")
    return np.arange(len(case[0])) == answer


def alone_and_in_pairs(parts) -> np.ndarray:
    """The events that each part has, and that each pair of parts has: whether they happened, or how likely it is."""
    parts = np.asarray(parts, float)
    one, other = np.triu_indices(len(parts), 1)
    return np.append(parts, parts[one] * parts[other])


def name_of(word: str, event: int, parts: int) -> str:
    """An event in words: "game 3", or "games 0 and 2 together" for a pair."""
    if event < parts:
        return f"{word} {event}"
    one, other = list(combinations(range(parts), 2))[event - parts]
    return f"{word}s {one} and {other} together"


def sampled(
    *,
    cases: Callable[[np.random.Generator], Iterable[tuple]],
    chances: Callable[..., np.ndarray],
    why: str,
    happened: Callable[..., np.ndarray] = that_number,
    event: str = "answer",
    draws: int = 2500,
) -> Callable:
    """Make a check of the right solution that stands below.

    cases: as in `exercise`, without the rng. chances(*case): the chance of each event. happened(answer, *case): has the
    answer this event, for each; raises `Refused` with a sentence where no right answer looks so. event: what an entry
    of the first argument is called; events are of these, and after them of pairs of these, if there are more.
    """

    def declare(solution: Callable) -> Callable:
        source = _source(solution)

        def counted(function, *case, seed=0):
            return _counts(lambda *args: _often(function, *args), case, happened, seed, draws // 3)

        @cache
        def known() -> tuple:
            """(cases, slips, what is counted of our solutions): worked out once."""
            wrong = [(*edited(source, old, new, solution), cause) for old, new, cause in slips_of(solution)]
            return list(cases(np.random.default_rng(0))), wrong, once(counted)

        @graded
        @wraps(solution)
        def check(trial, function):
            all_cases, wrong, ours = known()
            for number, case in enumerate(all_cases):
                call, mine = describe_call(function, case)[:-1] + ", rng)", deepcopy(case)
                tried = [case, *all_cases]  # that one first: it tells most slips apart

                def hint(tried=tried) -> str | None:
                    return _the_one_that_draws_alike(function, wrong, tried, counted, ours)

                _contract(trial, function, solution, mine, number, call, hint)
                counts = _counts(_watched(trial, function, call, len(case)), mine, happened, number, draws)
                if isinstance(counts, Refused):
                    trial.fail(str(counts), call=call, hint=hint())
                expected = draws * chances(*case)
                far = abs(counts - expected) / np.sqrt(np.maximum(expected * (1 - expected / draws), 1))
                worst = int(far.argmax())
                if far[worst] > SIGMAS or counts[expected == 0].any():
                    worst = int((counts * (expected == 0)).argmax()) if counts[expected == 0].any() else worst
                    which = name_of(event, worst, len(case[0]))
                    trial.fail(
                        f"{why} In {draws:,} calls with one rng, {which} came up {counts[worst]:g} times; about "
                        f"{expected[worst]:.0f} were expected.",
                        call=call,
                        hint=hint(),
                    )
                trial.cases += 1

        def answers(function: Callable | None = None) -> list:
            """What a function, or the right solution, returns in each case, one after the other."""
            return [_quiet(plain, function or solution, (*case, np.random.default_rng(0))) for case in known()[0]]

        check.solution, check.source, check.cases, check.answers = solution, source, cases, answers
        check.slips = slips_of(solution)
        return check

    return declare


def _contract(trial, function, solution, case, seed, call, hint) -> None:
    """One answer is of the right kind, changes nothing, and comes again from an equal generator."""
    place = len(case)
    rounds = []
    for _ in range(2):
        rng = np.random.default_rng(seed)
        rounds.append([trial.call(function, *case, rng, shown=call, may_change=(place,)) for _ in range(10)])
    problem = kind_problem(rounds[0][0], solution(*case, np.random.default_rng(seed)))
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call, answer=rounds[0][0], hint=hint())
    text = "With a generator of the same seed it answered differently. Draw from `rng` and from nothing else."
    trial.require(all(map(same, *rounds)), text, call=call)


def _watched(trial, function, call, place):
    """Many calls as one, at full speed."""

    def draw(*args):
        return trial.call(_often, function, *args, shown=call, may_change=(place + 1,), long=True)

    return draw


def _often(function, *args):
    *case, rng, draws = args
    return [function(*case, rng) for _ in range(draws)]


def _counts(draw, case, happened, seed, draws):
    """How often each event happened; what is refused, if an answer is."""
    try:
        return np.sum([happened(answer, *case) for answer in draw(*case, np.random.default_rng(seed), draws)], axis=0)
    except Refused as problem:
        return problem


def _the_one_that_draws_alike(function, wrong, cases, counted, ours) -> str | None:
    """The cause of the one slip that draws in every case as the learner's function does, but for luck."""
    alike = list(wrong)
    for case in cases:
        mine = _quiet(partial(counted, seed=1), function, case)
        alike = [(slip, cause) for slip, cause in alike if _near(ours(slip, case), mine)]
    causes = {cause for _, cause in alike}
    return causes.pop() if len(causes) == 1 else None


def _near(one, other) -> bool:
    """Are two counts the same but for luck, or refused with the same words?"""
    refused = [isinstance(part, (Crashed, Refused)) for part in (one, other)]
    if any(refused):
        return all(refused) and str(one) == str(other)
    return bool((abs(one - other) <= SIGMAS * np.sqrt(one + other + 1)).all())

"""An exercise from one declaration: the right solution, the cases it is tried on, and the mistakes that people make.

    def boards(rng):                                  # some cases by hand, the rest drawn; the shortest are tried first
        yield [1, 2, 1], 1, 0.5
        ...

    @exercise(cases=boards, why="The winner's positions are worth +1.", shows={"sign": "the signs"})
    def outcomes(players, winner, gamma):
        ...                                           # word for word the cell in solutions/

The mistakes, *slips*, stand in a text file beside the module, `parts.slips` for `parts.py`: an edit of the solution's
text (⏎ is a new line), and what is said to somebody who wrote that.

    # outcomes
    player == winner → winner == 1
        That is Black's result in every position.

A learner who answers every case as one of them does is told its sentence. The tests hand in each as a wrong solution.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from functools import cache, wraps
from pathlib import Path
from textwrap import dedent
from types import FunctionType

import numpy as np

from mock5check.answers import describe_call, show
from mock5check.core import _quiet, graded, once, plain

SHOWN = 6  # values of one variable


def exercise(
    *,
    cases: Callable[[np.random.Generator], Iterable[tuple]],
    why: str | Callable[..., str],
    shows: dict[str, str] | None = None,
    uses: Iterable[Callable] = (),
    observe: Callable = plain,
    call: Callable[..., str] | None = None,
    **rules,
) -> Callable:
    """Make a check of the right solution that stands below.

    cases: from a generator of random numbers, the arguments of each call. why: a sentence or two that derive the right
    answer, or a function of a case that gives them. shows: {a variable of the solution: words for it}; its values are
    told under these words, as the learner's function has no such name.
    uses: its helpers, functions or classes, which slips may edit, too. observe, call, others: as in `Trial.compare`.
    """

    def declare(solution: Callable) -> Callable:
        source = "\n\n\n".join(_source(part) for part in (*uses, solution))

        @cache
        def known() -> tuple:
            """(cases, the right solution, slips, what is observed of our solutions): worked out once."""
            all_cases = sorted(cases(np.random.default_rng(0)), key=lambda case: len(describe_call(solution, case)))
            right = FunctionType(solution.__code__, names_of(solution), solution.__name__, solution.__defaults__)
            wrong = [(*edited(source, old, new, solution), cause) for old, new, cause in slips_of(solution)]
            return all_cases, right, wrong, once(observe)

        @graded
        @wraps(solution)
        def check(trial, function):
            all_cases, right, wrong, ours = known()

            def because(*case):
                said = why(*case) if callable(why) else why
                return said + workings(right, case, observe, shows, uses)

            options = {"observe": observe, "call": call, "ours": ours, **rules}
            trial.compare(function, all_cases, right=right, why=because, slips=wrong, **options)

        def answers(function: Callable | None = None) -> list:
            """What a function, or the right solution, returns in each case, one after the other."""
            all_cases, right, *_ = known()
            given = []

            def tapped(*args):
                given.append((function or right)(*args))
                return given[-1]

            for case in all_cases:
                _quiet(observe, tapped, case)
            return given

        check.solution, check.source, check.cases, check.answers = solution, source, cases, answers
        check.slips = slips_of(solution)
        return check

    return declare


def together(*parts: Callable) -> Callable:
    """Make one check of several functions, each declared by itself: `check.night(remember, opponent)` for

    @together(remember, opponent)
    def night(remember, opponent):
        "Check the two functions of a night of training."
    """

    def declare(named: Callable) -> Callable:
        @graded
        @wraps(named)
        def check(trial, *functions):
            for part, function in zip(parts, functions, strict=True):
                trial.stage(part.solution.__name__)
                part.__wrapped__(trial, function)

        check.parts, check.slips = parts, [slip for part in parts for slip in part.slips]
        check.source = "\n\n\n".join(part.source for part in parts)
        return check

    return declare


def slips_of(solution: Callable) -> list[tuple[str, str, str]]:
    """(text in the solution, what a mistake has in its place, what is said of it) for each slip of this solution."""
    return _slips_in(Path(inspect.getsourcefile(solution)).with_suffix(".slips")).get(solution.__name__, [])


@cache
def _slips_in(path: Path) -> dict:
    """{name of a solution: its slips} of a file."""
    found = {}
    for part in f"\n{path.read_text(encoding='utf-8')}".split("\n# ")[1:]:
        name, *lines = part.rstrip("\n").splitlines()
        edits = [line.replace("⏎", "\n").partition(" →") for line in lines[::2]]
        causes = [line.strip() for line in lines[1::2]]
        found[name] = [(old, new.removeprefix(" "), cause) for (old, _, new), cause in zip(edits, causes, strict=True)]
    return found


def edited(source: str, old: str, new: str, *parts: Callable) -> tuple:
    """The functions and classes of a source with a slip in it. ValueError if it does not edit just one place."""
    if source.count(old) != 1:
        raise ValueError(f"{old!r} occurs {source.count(old)} times in {parts[-1].__name__}; a slip edits one place")
    names = names_of(parts[0])
    exec(compile(source.replace(old, new), f"<{parts[-1].__name__} with {new!r}>", "exec"), names)
    return tuple(names[part.__name__] for part in parts)


def names_of(part: Callable) -> dict:
    """The names that a solution finds: those of its module, with the solutions of other exercises for their checks."""
    names = getattr(part, "__globals__", None) or vars(sys.modules[part.__module__])
    return {name: getattr(value, "solution", value) for name, value in names.items()}


def _source(function: Callable) -> str:
    """The text of a function, or a class, without its decorators."""
    lines = dedent(inspect.getsource(function)).splitlines()
    return "\n".join(lines[next(i for i, line in enumerate(lines) if line.startswith(("def ", "class "))) :])


def workings(
    solution: Callable, case: tuple, observe: Callable, shows: dict[str, str] | None, uses: Iterable[Callable]
) -> str:
    """What the right solution came to on its way: "In this case, the points left: [0, 1, 2], then [1, 0]"."""
    if not shows:
        return ""
    seen, codes = {name: [] for name in shows}, {getattr(part, "__code__", None) for part in (solution, *uses)}

    def look(frame, event, argument):
        if frame.f_code not in codes:
            return None
        for name in seen:
            text = show(frame.f_locals.get(name))
            if name in frame.f_locals and seen[name][-1:] != [text]:
                seen[name].append(text)
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        _quiet(observe, solution, case)
    finally:
        sys.settrace(before)
    told = [
        f"{shows[name]}: {', then '.join(texts[:SHOWN])}{', …' if len(texts) > SHOWN else ''}"
        for name, texts in seen.items()
        if texts
    ]
    return f"\nIn this case, {'; '.join(told)}." if told else ""

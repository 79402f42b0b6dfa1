"""How a check speaks: it calls the learner's function, and either says "passed" or explains what is wrong.

    @graded
    def uct_value(trial, function):
        "Check `uct_value(w, v, parent_visits, c)`: w/v + c·√(ln parent_visits / v)."
        trial.compare(
            function,
            [(3, 4, 10, 1.0), (0, 1, 15, 1.4)],                      # the arguments of each call
            right=lambda w, v, n, c: w / v + c * sqrt(log(n) / v),   # a right solution
            why=lambda w, v, n, c: f"w/v is {w}/{v}.",
            slips=[(lambda w, v, n, c: w / v, "The exploration term is missing.")],
        )

What `Trial` does for every check: the arguments must stay as they were, earlier answers too; an answer must be of the
right kind; a loop without end is stopped; a crash is shown with the learner's own line; and a hint is given only where
exactly one known slip answers as the learner's function does, in every case.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable
from copy import deepcopy

import numpy as np

from mock5check.answers import (
    SMALL,
    WIDTH,
    describe_call,
    difference,
    is_number,
    is_observed,
    kind_problem,
    nearly,
    same,
    show,
    show_both,
)
from mock5check.frozen import Photograph, hands_back, shared_name
from mock5check.watch import SECONDS, EndlessLoop, bounded, learners_functions, learners_line, meaning, within

KEPT = 300  # answers that are looked at again at the end
AGAIN = 12  # cases that are tried once more at the end
KEEPS = (
    "This was right the first time, and now it isn't. What does one call leave behind for the next: a global, a "
    "default argument, a cache?"
)
BLANK = "your code here"  # what a blank raises


class Crashed:
    """What stands for the answer of a function that raised."""

    def __init__(self, error: BaseException):
        self.kind, self.text = type(error), str(error)

    def __str__(self) -> str:
        return self.text


class CheckFailed(AssertionError):
    """A check's verdict, with an explanation for the learner. Notebooks show the explanation and no traceback.

    Its `verdict` is "blank" or "endless" where that is the whole story.
    """

    verdict = ""

    def _render_traceback_(self) -> list:
        return str(self).splitlines()


class Refused(Exception):
    """What `observe` raises where an answer is nothing that it could look into; its text is what the learner reads."""


def graded(check: Callable) -> Callable:
    """A check as the learner calls it, from one that takes a Trial first. It never ends in a traceback of its own."""

    @functools.wraps(check)
    def run(*functions):
        trial = Trial(check.__name__)
        try:
            check(trial, *functions)
        except CheckFailed:
            raise
        except Exception as error:
            if "allow_unused" in str(error):
                trial.fail("No gradient finds its way back. Calculate in torch throughout.", call=trial.last_call)
            trial.fail(
                f"The check couldn't make sense of what came back ({type(error).__name__}: {error}). "
                "Is it the kind of thing that the text asks for?",
                call=trial.last_call,
            )
        trial.passed()

    # What `help` and an editor show: the parameters without the trial.
    run.__signature__ = inspect.Signature(list(inspect.signature(check, follow_wrapped=False).parameters.values())[1:])
    return run


def plain(function: Callable, *case):
    """The usual way to observe a function: what it returns."""
    return function(*case)


def once(observe: Callable) -> Callable:
    """(solution, case) → what `observe` makes of one of ours, worked out once for each; they have to be kept."""
    known = {}

    def answer(solution: Callable, case: tuple):
        key = id(solution), id(case)
        if key not in known:
            known[key] = _quiet(observe, solution, case)
        return known[key]

    return answer


class Trial:
    """One run of a check: counts the cases that were right and explains the first that is not.

    name: the exercise's check, as the learner calls it (`check.name`).
    """

    def __init__(self, name: str):
        self.name = name
        self.cases = 0
        self.last_call = None
        self._stages = 0
        self._kept = []  # (function, call, answer, photograph of the answer)

    # Calling ------------------------------------------------------------------------------------------------------

    def call(
        self,
        function,
        *args,
        may_change=(),
        fresh: bool = False,
        shown=None,
        lets_through=(),
        seconds=SECONDS,
        long: bool = False,
    ):
        """What the learner's function returns.

        may_change: the positions of arguments that the text tells to change. fresh: is a new object wanted?
        shown: the call as the learner will read it. lets_through: exceptions that the text asks for. seconds: how
        long it may run. long: it has much to do, so it runs at full speed and its steps are not counted.
        Raises CheckFailed where the function is blank, can't be called, raises, does not end, or changes an argument.
        """
        if not callable(function):
            self.fail(f"Give the check the function itself, not {show(function)}.")
        call = self.last_call = shown or describe_call(function, args)  # before the call: it may change its arguments
        photographs = {i: Photograph(value) for i, value in enumerate(args) if i not in may_change}
        answer = self._run(function, args, call, lets_through, seconds, long)
        for place, photograph in photographs.items():
            if photograph.has_changed():
                self.fail(
                    f"It changed {_name_of(function, place)}, which belongs to the caller. Work on a copy, or make "
                    "something new.",
                    call=call,
                )
        if fresh and hands_back(answer, args):
            self.fail("It returned what it was given, or a view of it. Return something new.", call=call)
        changing = isinstance(answer, (list, dict, set, np.ndarray))
        if fresh and changing and hands_back(answer, [kept for _, _, kept, _ in self._kept]):
            self.fail("It returned the same object as an earlier call. Make a new one in each call.", call=call)
        if isinstance(answer, (list, tuple, dict, np.ndarray)) and len(self._kept) < KEPT:
            self._kept.append((function, call, answer, Photograph(answer, objects=False)))
        return answer

    def _run(self, function, args: tuple, call: str, lets_through: tuple, seconds: float, long: bool):
        """Run it, with whatever it raises explained."""
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return (within if long else bounded)(function, seconds=seconds)(*args)
        except lets_through:
            raise
        except (CheckFailed, Refused):
            raise
        except EndlessLoop as error:
            self.fail(
                f"It was stopped after {error}. If there is a loop, does each pass change what its condition looks at? "
                "If every loop ends, this is too much work: look for a shorter way.",
                call=call,
                line=learners_line(error, function),
                verdict="endless",
            )
        except SystemExit as error:
            self.fail("It ended the program, by `exit` or `quit`.", call=call, line=learners_line(error, function))
        except Exception as error:
            line = learners_line(error, function)
            if not isinstance(error, NotImplementedError) or BLANK not in str(error):
                self.fail(meaning(error), call=call, line=line)
            *callers, blank = learners_functions(error) or [None]
            self.fail(
                f"{f'`{blank}`, which `{callers[-1]}` calls,' if callers else 'It'} is still blank: "
                "replace the line that raises NotImplementedError with your code.",
                call=call,
                line=None if callers else line,
                verdict="" if callers else "blank",
            )

    # Comparing ----------------------------------------------------------------------------------------------------

    def compare(
        self,
        function,
        cases: Iterable[tuple],
        *,
        right: Callable,
        why: Callable | str,
        slips: Iterable = (),
        observe: Callable = plain,
        call: Callable | None = None,
        close: float = 1e-9,
        may_change=(),
        fresh: bool = False,
        lets_through=(),
        long: float = 0,
        ours: Callable | None = None,
    ) -> None:
        """Call `function` on each case and compare with what `right`, a right solution, makes of it.

        why: (a function of a case that gives) one or two sentences that derive the right answer.
        slips: [(a wrong solution, its cause)].
        observe: observe(f, *case) runs a solution f and returns what is compared, where that is not its answer.
        call: a function of a case that gives the call as text. close: how far numbers may lie from the right ones.
        may_change, fresh, lets_through: as in `call`. long: run each call at full speed, for at most so many seconds.
        ours: what is observed of our solutions, `once(observe)` of a check that keeps them and the cases.
        """
        cases, passed, ours = list(cases), [], ours or once(observe)
        run = functools.partial(within, seconds=long) if long else bounded

        def watched(*args, shown=None):
            rules = {"may_change": may_change, "fresh": fresh, "lets_through": lets_through}
            rules |= {"long": True, "seconds": long} if long else {}
            return self.call(function, *args, shown=shown, **rules)

        def hint_at(case) -> str | None:
            # That case first: it tells most slips apart.
            return the_one_slip(function, [case, *cases], slips, observe, close, passed, run, ours)

        for case in cases:
            shown = call(*case) if call else describe_call(function, case)
            try:
                answer = observe(functools.partial(watched, shown=shown), *deepcopy(case))
            except Refused as problem:
                self.fail(str(problem), call=shown, hint=hint_at(case))
            except CheckFailed as failed:
                if not failed.verdict and (hint := hint_at(case)):
                    raise CheckFailed(f"{failed}\n  hint:     {_indent(hint)}") from None
                raise
            wanted = ours(right, case)
            problem = None if _is_another_number(answer, wanted) else kind_problem(answer, wanted)
            if problem or not same(answer, wanted, close):
                because = problem[0].upper() + problem[1:] if problem else why(*case) if callable(why) else why
                hint = hint_at(case)
                if not hint and not problem:
                    hint = nearly(answer, wanted)
                shown_right = {} if problem else {"right": wanted}
                self.fail(because, call=shown, hint=hint, answer=answer, close=close, **shown_right)
            passed.append((case, wanted))
            self.cases += 1
        for case, wanted in passed[: -AGAIN - 1 : -1]:
            shown = call(*case) if call else describe_call(function, case)
            answer = observe(functools.partial(watched, shown=shown), *deepcopy(case))
            if not same(answer, wanted, close):
                self.fail(KEEPS, call=shown, answer=answer, right=wanted, close=close)

    def require(self, condition, explanation: str, *, call: str | None = None, hint: str | None = None) -> None:
        """Count a case that must hold, for what is no single answer; CheckFailed with the explanation if not."""
        if not condition:
            self.fail(explanation, call=call, hint=hint)
        self.cases += 1

    def stage(self, what: str) -> None:
        """Say what is looked at now, in a check of several stages, so that nobody has to wonder while it takes time."""
        self._stages += 1
        print(f"  {self._stages}. {what}", flush=True)

    # The verdict --------------------------------------------------------------------------------------------------

    def fail(
        self, explanation: str, *, call=None, hint=None, line=None, close: float = 1e-9, verdict: str = "", **values
    ) -> None:
        """Raise CheckFailed. `values` may hold `answer` and `right`, to be shown side by side."""
        lines = [f"check.{self.name}: not yet."]
        if call:
            lines.append(f"  called:   {_indent(call)}")
        if line:
            lines.append(f"  stopped:  {_indent(line)}")
        if "answer" in values:
            lines += (
                _compared(values["answer"], values["right"], close)
                if "right" in values
                else [f"  returned: {_indent(show(values['answer']))}"]
            )
        lines.append(f"  why:      {_indent(explanation)}")
        if hint:
            lines.append(f"  hint:     {_indent(hint)}")
        failed = CheckFailed("\n".join(lines))
        failed.verdict = verdict
        raise failed from None

    def passed(self) -> None:
        """Say in one line that every case was right, and that no earlier answer has changed since."""
        for function, call, answer, photograph in self._kept:
            if photograph.has_changed():
                name = shared_name(function, [answer])
                which = f"`{name}`" if name else "the same object"
                self.fail(
                    f"The answer to this call changed when the function was called again: all calls return {which}. "
                    "Make a new one in each call.",
                    call=call,
                )
        print(f"check.{self.name}: passed, {self.cases} {'case' if self.cases == 1 else 'cases'}.")


def the_one_slip(
    function,
    cases,
    slips: Iterable,
    observe: Callable = plain,
    close: float = 1e-9,
    passed: Iterable = (),
    run: Callable = bounded,
    ours: Callable | None = None,
) -> str | None:
    """The cause of the one known slip that answers every case as the learner's function does; else None.

    passed: [(case, answer)] that it had right before. If it no longer has, that is the cause: a call leaves something.
    run: how the function is kept from running for ever. ours: as in `Trial.compare`.
    """
    ours = ours or once(observe)
    for case, answer in list(passed)[:3]:
        if not _alike(_quiet(observe, run(function), case), answer, close):
            return KEEPS
    alike, crashes = list(slips), True
    for case in cases:
        if not alike:
            return None
        answer = _quiet(observe, run(function), case)
        crashes = crashes and isinstance(answer, Crashed)
        alike = [(slip, cause) for slip, cause in alike if _alike(answer, ours(slip, case), close)]
    if crashes:  # whatever it is called with: only the same words tell that the reason is the same
        alike = [(slip, cause) for slip, cause in alike if ours(slip, case).text == answer.text]
    causes = {cause for _, cause in alike}
    return causes.pop() if len(causes) == 1 else None


def _alike(answer, other, close: float) -> bool:
    if isinstance(answer, Crashed) or isinstance(other, Crashed):
        return getattr(answer, "kind", 0) is getattr(other, "kind", 1)
    return same(answer, other, close)


def _quiet(observe: Callable, solution: Callable, case: tuple):
    """What a solution makes of a case, without warnings; Crashed if it raises."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return observe(solution, *deepcopy(case))
    except (Exception, EndlessLoop, SystemExit) as error:
        return Crashed(error)


def _is_another_number(answer, wanted) -> bool:
    """Is it a whole number, though perhaps of the wrong type, but not the right one?"""
    return is_number(answer) and is_number(wanted) and float(answer).is_integer() and float(answer) != float(wanted)


def _compared(answer, right, close: float) -> list[str]:
    """The lines that set an answer beside the right one: both, where they are short, and else where they differ."""
    where = difference(answer, right, close)
    differs = [f"  differs:  {_indent(where)}"] if where else []
    arrays = isinstance(answer, np.ndarray) and isinstance(right, np.ndarray) and answer.shape == right.shape
    if differs and (is_observed(right) or arrays and right.size > SMALL):
        return differs
    both = show_both(answer, right)
    if differs and isinstance(right, (list, tuple)) and (both[0] == both[1] or any("\n" in text for text in both)):
        return differs
    lines = [f"  returned: {_indent(both[0])}", f"  expected: {_indent(both[1])}"]
    short = all(len(text) < WIDTH // 2 and not any(part in text for part in ("\n", "…", "an array")) for text in both)
    return lines if short else lines + differs


def _name_of(function, place: int) -> str:
    """The name of an argument, as the learner's function has it."""
    try:
        names = list(inspect.signature(function).parameters)
        return f"`{names[place]}`"
    except (TypeError, ValueError, IndexError):
        return f"argument {place + 1}"


def _indent(text: str) -> str:
    """Lines after the first stand under it."""
    return text.rstrip("\n").replace("\n", "\n" + " " * 12)

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

from mock5check.answers import SMALL, describe_call, difference, is_number, kind_problem, nearly, same, show
from mock5check.frozen import Photograph, hands_back, shared_name
from mock5check.watch import SECONDS, EndlessLoop, bounded, learners_functions, learners_line, meaning, within

KEPT = 300  # answers that are looked at again at the end
KEEPS = "Asked once more what it had right before, it answers otherwise. What does one call leave to the next?"
CRASHED = object()  # what stands for the answer of a function that raised


class CheckFailed(AssertionError):
    """A check's verdict, with an explanation for the learner. Notebooks show the explanation and no traceback."""

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
            trial.fail(
                f"The check could not make sense of what came back ({type(error).__name__}: {error}). "
                "Is it of the kind that the text asks for?",
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
            self.fail(f"Hand the function itself to the check, not {show(function)}.")
        call = self.last_call = shown or describe_call(function, args)  # before the call: it may change its arguments
        photographs = {i: Photograph(value) for i, value in enumerate(args) if i not in may_change}
        answer = self._run(function, args, call, lets_through, seconds, long)
        for place, photograph in photographs.items():
            if photograph.has_changed():
                self.fail(
                    f"It changed {_name_of(function, place)}, which belongs to the caller. Leave it as it is: "
                    "work on a copy, or make something new.",
                    call=call,
                )
        if fresh and hands_back(answer, args):
            self.fail("It handed back what it was given (or a view of it). Return something new.", call=call)
        changing = isinstance(answer, (list, dict, set, np.ndarray))
        if fresh and changing and hands_back(answer, [kept for _, _, kept, _ in self._kept]):
            self.fail("It handed out the object of an earlier call once more. Return something new.", call=call)
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
        except NotImplementedError as error:
            *callers, blank = learners_functions(error) or [None]
            self.fail(
                f"{f'`{blank}`, which `{callers[-1]}` calls,' if callers else 'It'} is still blank: "
                "replace the line that raises NotImplementedError with your code.",
                call=call,
                line=None if callers else learners_line(error),
            )
        except EndlessLoop as error:
            self.fail(
                f"It did not end after {error}. If there is a loop: does each turn change what its condition looks at? "
                "If it surely ends: does it do far more than is needed?",
                call=call,
                line=learners_line(error),
            )
        except CheckFailed:
            raise
        except Exception as error:
            self.fail(meaning(error), call=call, line=learners_line(error))

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
        for case in cases:
            shown = call(*case) if call else describe_call(function, case)

            def watched(*args, shown=shown):
                rules = {"may_change": may_change, "fresh": fresh, "lets_through": lets_through}
                rules |= {"long": True, "seconds": long} if long else {}
                return self.call(function, *args, shown=shown, **rules)

            try:
                answer, wanted = observe(watched, *deepcopy(case)), ours(right, case)
            except Refused as problem:
                self.fail(str(problem), call=shown)
            problem = None if _is_another_number(answer, wanted) else kind_problem(answer, wanted)
            if problem or not same(answer, wanted, close):
                because = problem[0].upper() + problem[1:] if problem else why(*case) if callable(why) else why
                run = functools.partial(within, seconds=long) if long else bounded
                first = [case, *cases]  # it tells most slips apart
                hint = (
                    None if answer is None else the_one_slip(function, first, slips, observe, close, passed, run, ours)
                )
                if not hint and not problem:
                    hint = nearly(answer, wanted)
                shown_right = {} if problem else {"right": wanted}
                self.fail(because, call=shown, hint=hint, answer=answer, close=close, **shown_right)
            passed.append((case, wanted))
            self.cases += 1
        if fresh and cases:  # what is kept from the first call is handed out now
            watched = functools.partial(
                self.call, function, may_change=may_change, fresh=True, lets_through=lets_through
            )
            observe(watched, *deepcopy(cases[0]))

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

    def fail(self, explanation: str, *, call=None, hint=None, line=None, close: float = 1e-9, **values) -> None:
        """Raise CheckFailed. `values` may hold `answer` and `right`, to be shown side by side."""
        lines = [f"check.{self.name}: not yet."]
        if call:
            lines.append(f"  called:   {_indent(call)}")
        if line:
            lines.append(f"  stopped:  {line}")
        if "answer" in values:
            lines.append(f"  returned: {_indent(show(values['answer']))}")
        if "right" in values:
            where = difference(values.get("answer"), values["right"], close)
            if not (where and _only_shapes(values.get("answer"), values["right"])):
                lines.append(f"  right is: {_indent(show(values['right']))}")
            lines += [f"  differs:  {where}"] if where else []
        lines.append(f"  why:      {_indent(explanation)}")
        if hint:
            lines.append(f"  hint:     {_indent(hint)}")
        raise CheckFailed("\n".join(lines)) from None

    def passed(self) -> None:
        """Say in one line that every case was right, and that no earlier answer has changed since."""
        for function, call, answer, photograph in self._kept:
            if photograph.has_changed():
                name = shared_name(function, [answer])
                which = f"`{name}`" if name else "one object"
                self.fail(
                    f"This call's answer changed later, when the function was called again: all calls hand out "
                    f"{which}. Make a new one in each call.",
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
    alike = list(slips)
    for case in cases:
        if not alike:
            return None
        answer = _quiet(observe, run(function), case)
        alike = [(slip, cause) for slip, cause in alike if _alike(answer, ours(slip, case), close)]
    causes = {cause for _, cause in alike}
    return causes.pop() if len(causes) == 1 else None


def _alike(answer, other, close: float) -> bool:
    if answer is CRASHED or other is CRASHED:
        return answer is other
    return same(answer, other, close)


def _quiet(observe: Callable, solution: Callable, case: tuple):
    """What a solution makes of a case, without warnings; CRASHED if it raises."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return observe(solution, *deepcopy(case))
    except (Exception, EndlessLoop):
        return CRASHED


def _is_another_number(answer, wanted) -> bool:
    """Is it a whole number, though perhaps of the wrong type, but not the right one?"""
    return is_number(answer) and is_number(wanted) and float(answer).is_integer() and float(answer) != float(wanted)


def _only_shapes(answer, right) -> bool:
    """Would both be shown by nothing but the same shape, and a precision that does not count?"""
    arrays = isinstance(answer, np.ndarray) and isinstance(right, np.ndarray)
    return arrays and answer.shape == right.shape and right.size > SMALL


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

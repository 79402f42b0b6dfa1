"""How a check speaks: it calls the learner's function, and either says "passed" or explains what is wrong.

def uct_value(function):
    "The check of the exercise on the UCT formula."
    trial = Trial("uct_value")
    trial.expect(
        function, 3, 4, 10, 1.0,
        right=0.75 + math.sqrt(math.log(10) / 4),
        why="w/v is 3/4, and the second term is c·√(ln 10 / 4).",
        likely={0.75: "The exploration term is missing."},
    )
    trial.passed()
"""

from __future__ import annotations

import numbers
from collections.abc import Mapping

import numpy as np

WIDTH = 100  # characters of one shown value


class CheckFailed(AssertionError):
    """A check's verdict, with an explanation for the learner. Notebooks show the explanation and no traceback."""

    def _render_traceback_(self) -> list:
        return str(self).splitlines()


class Trial:
    """One run of a check: counts the cases that were right and explains the first that is not.

    name: the exercise's check, as the learner calls it (`check.name`).
    """

    def __init__(self, name: str):
        self.name = name
        self.cases = 0

    def expect(self, function, *args, right, why: str, likely: Mapping | None = None, close: float = 1e-9, **kwargs):
        """Call `function(*args, **kwargs)`, compare with `right`, and return what came back.

        right: the right answer: a number, string, sequence, array or None.
        why: one or two sentences that derive it.
        likely: {wrong answer: its cause}, for the mistakes that are often made.
        close: how far numbers may lie from the right ones.
        Raises CheckFailed with what was called, what came back, what is right and why.
        """
        call = describe_call(function, args, kwargs)  # before the call: it may change its arguments
        answer = self.call(function, *args, **kwargs)
        if not same(answer, right, close):
            causes = [cause for wrong, cause in (likely or {}).items() if same(answer, wrong, close)]
            self.fail(why, call=call, answer=answer, right=right, hint=causes[0] if causes else None)
        self.cases += 1
        return answer

    def call(self, function, *args, **kwargs):
        """`function(*args, **kwargs)`; CheckFailed if it is still blank, can't be called, or raises."""
        if not callable(function):
            self.fail(f"Hand the function itself to the check, not {show(function)}.")
        call = describe_call(function, args, kwargs)
        try:
            return function(*args, **kwargs)
        except NotImplementedError:
            self.fail("It is still blank: replace the line that raises NotImplementedError with your code.", call=call)
        except CheckFailed:
            raise
        except Exception as error:
            self.fail(f"It raised {type(error).__name__}: {error}", call=call)

    def require(self, condition, explanation: str, *, call: str | None = None, hint: str | None = None) -> None:
        """Count a case that must hold, for what is no single answer; CheckFailed with the explanation if not."""
        if not condition:
            self.fail(explanation, call=call, hint=hint)
        self.cases += 1

    def fail(self, explanation: str, *, call=None, hint=None, **values) -> None:
        """Raise CheckFailed. `values` may hold `answer` and `right`, to be shown side by side."""
        lines = [f"check.{self.name}: not yet."]
        if call:
            lines.append(f"  called:   {_indent(call)}")
        if "answer" in values:
            lines.append(f"  returned: {_indent(show(values['answer']))}")
        if "right" in values:
            lines.append(f"  right is: {_indent(show(values['right']))}")
        lines.append(f"  why:      {_indent(explanation)}")
        if hint:
            lines.append(f"  hint:     {_indent(hint)}")
        raise CheckFailed("\n".join(lines)) from None

    def passed(self) -> None:
        """Say in one line that every case was right."""
        print(f"check.{self.name}: passed, {self.cases} {'case' if self.cases == 1 else 'cases'}.")


def same(answer, right, close: float = 1e-9) -> bool:
    """Is `answer` the same as `right`: numbers within `close`, sequences and arrays item by item?

    An int is as good as an equal float, a list as good as an equal tuple or array; True is not 1.
    """
    if answer is None or right is None:
        return answer is right
    truths = [isinstance(value, (bool, np.bool_)) for value in (answer, right)]
    if any(truths):
        return all(truths) and bool(answer) == bool(right)
    if isinstance(right, numbers.Number):
        # A number of NumPy or a tensor of one item counts as a number.
        try:
            return np.ndim(answer) == 0 and bool(np.isclose(float(answer), float(right), rtol=close, atol=close))
        except (TypeError, ValueError):
            return False
    if isinstance(right, (list, tuple, np.ndarray)):
        try:
            length = len(answer)
        except TypeError:
            return False
        if isinstance(answer, (str, Mapping)) or length != len(right):
            return False
        return all(same(a, r, close) for a, r in zip(answer, right))
    return type(answer) is type(right) and bool(answer == right)


def show(value) -> str:
    """A value as a learner can read it: a board as its picture, an array with its shape, the rest cut short."""
    if hasattr(value, "legal_moves"):
        return f"the game\n{value}"
    if isinstance(value, np.ndarray) and value.size > 9:
        return f"array of shape {value.shape}: {_short(np.array2string(value.ravel(), threshold=8, precision=4))}"
    return _short(repr(value))


def describe_call(function, args: tuple, kwargs: Mapping | None = None) -> str:
    """The call as text; a game among the arguments is named, and its board stands below."""
    boards, shown = [], []
    for name, value in [*(("", arg) for arg in args), *(kwargs or {}).items()]:
        if hasattr(value, "legal_moves"):
            boards.append(f"where game is\n{value}")
            text = "game"
        else:
            text = show(value)
        shown.append(f"{name}={text}" if name else text)
    call = f"{getattr(function, '__name__', show(function))}({', '.join(shown)})"
    return "\n".join([call, *boards])


def _short(text: str) -> str:
    return text if len(text) <= WIDTH else text[: WIDTH - 2] + " …"


def _indent(text: str) -> str:
    """Lines after the first stand under it."""
    return text.rstrip("\n").replace("\n", "\n" + " " * 12)

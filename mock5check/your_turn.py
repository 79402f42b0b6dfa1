"""A blank in a chapter: the reader's function from there on once it is right, ours until then.

    from mock5check.ch01 import your_turn

    @your_turn
    def backup(node, winner, score=score):
        raise NotImplementedError("your code here")

The function is judged at once, by the exercise that is declared under its name. Whatever is typed, the chapter goes on.
Ours is executed in the notebook's names, so that it uses the chapter's classes and what the reader wrote before.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from html import escape
from io import StringIO
from types import ModuleType

import numpy as np

from mock5check.answers import is_number
from mock5check.core import CheckFailed


class Verdict:
    """What the cell of a blank shows: a sentence, and our code in a fold where the chapter goes on with it."""

    def __init__(self, text: str, ours: str = ""):
        self.text, self.ours = text, ours

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        fold = f"<details><summary>Ours</summary><pre>{escape(self.ours)}</pre></details>" if self.ours else ""
        return f"<pre>{escape(self.text)}</pre>{fold}"


def turns_of(declared: ModuleType, show: Callable | None = None) -> Callable:
    """The decorator `your_turn` for a chapter whose blanks a module declares. show: what displays a `Verdict`."""

    def your_turn(function: Callable) -> Callable:
        from IPython.display import display

        name, shows = getattr(function, "__name__", None), show or display
        if not isinstance(name, str):
            raise TypeError(f"`@your_turn` stands above a function, `def …`, and not above {function!r}")
        names = getattr(inspect.unwrap(function), "__globals__", None) or sys._getframe(1).f_globals
        check = vars(declared).get(name)
        if not hasattr(check, "source"):
            raise NameError(f"this chapter has no blank named {name}; leave the function's name as it is")

        def ours() -> Callable:
            exec(compile(check.source, f"<ours: {name}>", "exec"), names)
            return names[name]

        before = names.get(name)
        names[name] = function  # it may call itself while it is judged
        try:
            with redirect_stdout(StringIO()):
                check(function)
                accepted = names[name] = in_our_form(check, function)
        except CheckFailed as problem:
            said = f"`{name}` is still blank"
            if problem.verdict != "blank":
                said = f"{problem}\n\n`{name}` is not right yet"
            shows(Verdict(f"{said}: the chapter goes on with ours.", check.source))
            return ours()
        except (
            BaseException
        ):  # the reader has pressed Stop: what nobody has judged is not what the chapter goes on with
            names[name] = before if callable(before) else ours()
            raise
        shows(Verdict(f"`{name}`: yours, from here on."))
        return accepted

    return your_turn


def in_our_form(check: Callable, function: Callable) -> Callable:
    """An accepted function as the chapter needs it: it takes our parameters' names, and its answers are of our kinds.

    The check lets a tuple pass for a list, and float64 for float32. What comes after need not.
    """
    given, mine = check.answers(), check.answers(function)
    like = next((answer for answer in given if answer is not None), None)
    signature = inspect.signature(check.solution)
    other_names = [*inspect.signature(function).parameters] != [*signature.parameters]
    if not other_names and all(converted(answer, right) is answer for answer, right in zip(mine, given)):
        return function

    @functools.wraps(function)
    def in_form(*args, **named):
        try:
            args, named = signature.bind(*args, **named).args, {}
        except TypeError:  # it calls itself, with arguments of its own
            return function(*args, **named)
        return converted(function(*args), like)

    return in_form


def converted(answer, like):
    """`answer` as the kind of thing that `like` is, if it can be; the very same object where it is one already."""
    if answer is None or like is None:
        return answer
    if isinstance(like, np.ndarray) and isinstance(answer, (np.ndarray, list, tuple)):
        return np.asarray(answer, like.dtype)
    if hasattr(like, "detach") and hasattr(answer, "detach"):
        return answer.to(like.dtype)
    if isinstance(like, (list, tuple)) and isinstance(answer, (list, tuple, np.ndarray)):
        alike = like if isinstance(like, tuple) and len(like) == len(answer) else [*like[:1]] * len(answer)
        parts = [converted(part, one) for part, one in zip(answer, alike)] if alike else [*answer]
        same = type(answer) is type(like) and all(new is old for new, old in zip(parts, answer))
        return answer if same else type(like)(parts)
    one = isinstance(like, (bool, int, float)) and (is_number(answer) or isinstance(answer, (bool, np.bool_)))
    if (one or isinstance(like, set) and isinstance(answer, frozenset)) and type(answer) is not type(like):
        return type(like)(answer)
    return answer

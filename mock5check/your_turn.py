"""A blank in a chapter: the reader's function from there on once it is right, ours until then.

    from mock5check.ch01 import your_turn

    @your_turn
    def backup(node, winner, score=score):
        raise NotImplementedError("your code here")

The function is judged at once, by the exercise that is declared under its name. Whatever is typed, the chapter goes on.
Ours is executed in the notebook's names, so that it uses the chapter's classes and what the reader wrote before.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stdout
from html import escape
from io import StringIO
from types import ModuleType

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

        name, shows = function.__name__, show or display
        check = vars(declared).get(name)
        if not hasattr(check, "source"):
            raise NameError(f"this chapter has no blank named {name}; leave the function's name as it is")
        function.__globals__[name] = function  # it may call itself while it is judged
        try:
            with redirect_stdout(StringIO()):
                check(function)
        except CheckFailed as problem:
            blank = "still blank" in str(problem)
            said = f"`{name}` is still blank" if blank else f"{problem}\n\n`{name}` is not right yet"
            shows(Verdict(f"{said}: the chapter goes on with ours.", check.source))
            exec(compile(check.source, f"<ours: {name}>", "exec"), function.__globals__)
            return function.__globals__[name]
        shows(Verdict(f"`{name}`: yours, from here on."))
        return function

    return your_turn

"""A stop for loops without end: a check must answer, also when the learner's loop never does."""

import functools
import sys

LINES = 100_000  # a right answer to an exercise needs a few hundred


class EndlessLoop(RuntimeError):
    """More lines have run than any right answer needs."""


def bounded(function, lines: int = LINES):
    """`function`, but with an EndlessLoop raised inside it once one call has run so many lines of Python.

    Lines are counted, not seconds, so that a slow machine is no reason to fail. What can't be called comes back as it
    is; so does everything while a debugger is at work, because there is room for one tracer only.
    """
    if not callable(function):
        return function

    @functools.wraps(function)
    def call(*args, **kwargs):
        if sys.gettrace() is not None:
            return function(*args, **kwargs)
        sys.settrace(_line_counter(lines))
        try:
            return function(*args, **kwargs)
        finally:
            sys.settrace(None)

    return call


def _line_counter(lines: int):
    """A trace function for `sys.settrace` that raises EndlessLoop after so many lines."""
    left = lines

    def trace(frame, event, argument):
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise EndlessLoop(
                f"more than {lines:,} lines have run, and no end is in sight. "
                "Does each turn of the loop change what the loop's condition looks at?"
            )
        return trace

    return trace

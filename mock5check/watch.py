"""Running a learner's function: it is stopped if it does not end, and if it crashes we find the learner's own line."""

from __future__ import annotations

import ctypes
import functools
import gc
import inspect
import linecache
import sys
import sysconfig
import threading
import time
import traceback
from pathlib import Path

import mock5lib

STEPS = 1_000_000  # lines of the learner's and calls; a right answer to an exercise needs thousands
SECONDS = 20.0  # for code whose single lines are slow

_NOT_LEARNERS = tuple(
    {str(Path(sysconfig.get_paths()[kind])) for kind in ("stdlib", "platstdlib", "purelib", "platlib")}
    | {str(Path(mock5lib.__file__).parent), str(Path(__file__).parent)}
)


class EndlessLoop(BaseException):
    """More has run than any right answer needs. No Exception: a learner's `except Exception` must not eat it."""


@functools.lru_cache(maxsize=4096)
def is_learners(file: str) -> bool:
    """Is this the code of a learner: neither of Python, nor of a library, nor of the course's packages?"""
    return not file.startswith((*_NOT_LEARNERS, "<frozen", "<__array_function__")) and not file.endswith(".pyx")


def bounded(function, steps: int = STEPS, seconds: float = SECONDS):
    """`function`, but with an EndlessLoop raised inside it once one call has taken so many steps, or so long.

    Steps are counted first, so that a slow machine is no reason to fail. What can't be called comes back as it is; so
    does everything while a debugger is at work, because there is room for one tracer only.
    """
    if not callable(function):
        return function

    @functools.wraps(function)
    def call(*args, **kwargs):
        if sys.gettrace() is not None:
            return function(*args, **kwargs)
        callbacks, gc.callbacks[:] = gc.callbacks[:], []  # Python drops what is raised in one, and the tracer with it
        sys.settrace(_counter(steps, seconds))
        try:
            return function(*args, **kwargs)
        finally:
            sys.settrace(None)
            gc.callbacks[:] = callbacks

    return call


def _counter(steps: int, seconds: float):
    """A trace function for `sys.settrace` that raises EndlessLoop after so many steps, or seconds."""
    left, clock = steps, time.perf_counter
    end = clock() + seconds

    def count(frame, event, argument):
        nonlocal left
        left -= 1
        if (left < 0 or clock() > end) and not is_swallowed(frame, event):
            raise EndlessLoop(f"{steps:,} steps" if left < 0 else f"{seconds:g} seconds")
        return count if is_learners(frame.f_code.co_filename) else None

    return count


def is_swallowed(frame, event: str) -> bool:
    """Would Python drop what is raised here, and the tracer with it: is a generator closed, whose rest nobody wants?"""
    return bool(frame.f_code.co_flags & inspect.CO_GENERATOR) and event in ("call", "exception", "return")


def within(function, seconds: float):
    """`function` at full speed, untraced, but with an EndlessLoop raised inside it after so many seconds."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        here, lock, done = threading.get_ident(), threading.Lock(), threading.Event()

        def stop():
            done.wait(seconds)
            with lock:
                if not done.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(here), ctypes.py_object(EndlessLoop))

        threading.Thread(target=stop, daemon=True).start()
        try:
            return function(*args, **kwargs)
        except EndlessLoop as error:
            error.args = error.args or (f"{seconds:g} seconds",)
            raise
        finally:
            with lock:
                done.set()

    return call


def learners_line(error: BaseException) -> str | None:
    """The learner's own line in which the error arose: "line 3 of your cell:  return w / v", or None."""
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        if is_learners(file):
            text = linecache.getline(file, number, frame.f_globals).strip()
            return f"line {number} of your cell:  {text}" if text else f"line {number} of your cell"
    return None


def learners_functions(error: BaseException) -> list[str]:
    """The names of the learner's functions in which the error arose, from the first that was called to the last."""
    codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    names = [code.co_name for code in codes if is_learners(code.co_filename) and not code.co_name.startswith("<")]
    return [name for name, before in zip(names, [None, *names]) if name != before]


_MEANINGS = {  # the first that fits
    UnboundLocalError: "A variable is used before the function gave it a value.",
    NameError: "A name is used that neither the function nor a cell above it defines.",
    ZeroDivisionError: "Something is divided by zero.",
    IndexError: "An index lies outside of what it looks into.",
    KeyError: "A dict is asked for a key that it does not have, or a set for an element.",
    OverflowError: "A number is too large for its type, such as 10.0 ** 400 for a float.",
    RecursionError: "The function calls itself without end, or deeper than Python allows, some 1,000 times.",
    AttributeError: "Something is asked for an attribute or a method that it does not have.",
    StopIteration: "`next` found nothing more; it takes a second argument, which it then gives instead.",
    MemoryError: "Something grows without end.",
}


def meaning(error: BaseException) -> str:
    """The error in a sentence, with Python's own words."""
    if isinstance(error, TypeError) and "positional argument" in str(error) and learners_line(error) is None:
        return f"The function does not take the arguments that the text names: {error}."
    said = f"{type(error).__name__}: {error}".rstrip(".: ")
    sentence = next((text for kind, text in _MEANINGS.items() if isinstance(error, kind)), None)
    return f"{sentence} ({said}.)" if sentence else f"It raised {said}."

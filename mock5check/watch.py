"""Running a learner's function: it is stopped if it does not end, and if it crashes we find the learner's own line."""

from __future__ import annotations

import ctypes
import dis
import functools
import gc
import inspect
import linecache
import sys
import sysconfig
import threading
import time
import traceback
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import mock5lib

STEPS = 1_000_000  # lines of the learner's and calls; a right answer to an exercise needs thousands
SECONDS = 20.0  # for code whose single lines are slow

_NOT_LEARNERS = tuple(
    {str(Path(sysconfig.get_paths()[kind])) for kind in ("stdlib", "platstdlib", "purelib", "platlib")}
    | {str(Path(mock5lib.__file__).parent), str(Path(__file__).parent)}
    | {str(Path(find_spec("mock5go").origin).parent)}
)


class EndlessLoop(BaseException):
    """More has run than any right answer needs. No Exception: a learner's `except Exception` must not eat it."""


@functools.lru_cache(maxsize=4096)
def is_learners(file: str) -> bool:
    """Is this the code of a learner: neither of Python, nor of a library, nor of the course's packages?"""
    return not file.startswith((*_NOT_LEARNERS, "<frozen", "<__array_function__")) and not file.endswith(".pyx")


@contextmanager
def callbacks_at_rest():
    """No callback of the collector runs: Python drops what is raised in one, and so the end of an endless loop."""
    callbacks, gc.callbacks[:] = gc.callbacks[:], []
    try:
        yield
    finally:
        gc.callbacks[:] = callbacks


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
        stopper = _Stopper()
        return _guarded(function, args, kwargs, stopper, _counter(steps, seconds, stopper.stop))

    return call


class _Stopper:
    """After `stop(seconds, why)` the thread that made it gets an EndlessLoop after so many seconds, from another one.

    While it goes on it gets twenty more a second, until one comes where nothing catches it: a bare `except:` eats
    those that arrive inside its `try`, nine in ten of them (measured; one in 200 such loops ate fifty).
    """

    def __init__(self):
        self.thread = ctypes.c_ulong(threading.get_ident())
        self.lock, self.done, self.over, self.why = threading.Lock(), threading.Event(), False, ""

    def stop(self, seconds: float, why: str):
        self.why = why
        threading.Thread(target=self._insist, args=(seconds,), daemon=True).start()

    def _insist(self, seconds):
        while not (self.done.wait(seconds) or self.over):
            with self.lock:
                if not self.over:
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(self.thread, ctypes.py_object(EndlessLoop))
            seconds = 0.05

    def end(self):
        """After `over` is True: what has been raised and has not come yet comes in here, and is dropped."""
        while True:
            try:
                with self.lock:
                    pass  # whoever was about to raise has done it, or never will
                self.done.set()
                return
            except EndlessLoop:
                pass


def _guarded(function, args, kwargs, stopper, tracer=None, seconds=None):
    """What `function` returns, under a stopper: called by the tracer, or after so many seconds."""
    try:
        with callbacks_at_rest():
            try:
                if seconds is not None:
                    stopper.stop(seconds, f"{seconds:g} seconds")
                if tracer is not None:
                    sys.settrace(tracer)
                return function(*args, **kwargs)
            finally:
                stopper.over = True  # first, and no call: an EndlessLoop may come in the midst of a call
                if tracer is not None:
                    sys.settrace(None)
                stopper.end()
    except EndlessLoop as error:
        error.args = error.args or (stopper.why,)
        raise


def _counter(steps: int, seconds: float, stop):
    """A trace function for `sys.settrace` that raises EndlessLoop after so many steps, or seconds."""
    left, clock = steps, time.perf_counter
    end = clock() + seconds

    def count(frame, event, argument):
        nonlocal left
        left -= 1
        if (left < 0 or clock() > end) and not is_swallowed(frame, event):
            why = f"{steps:,} steps" if left < 0 else f"{seconds:g} seconds"
            stop(0.2, why)  # Python ends the tracing once it has raised
            raise EndlessLoop(why)
        if not is_learners(frame.f_code.co_filename):
            return None
        if event == "call" and loops_on_one_line(frame.f_code):
            frame.f_trace_opcodes = True
        return count

    return count


@functools.lru_cache(maxsize=4096)
def loops_on_one_line(code) -> bool:
    """Is there a `while True: pass`, which never comes to a new line? (A `for`, which ends, jumps back to FOR_ITER.)"""
    steps = {step.offset: step for step in dis.get_instructions(code)}
    jumps = [(step, steps[step.argval]) for step in steps.values() if "JUMP_BACKWARD" in step.opname]
    return any(to.opname != "FOR_ITER" and to.positions.lineno == jump.positions.lineno for jump, to in jumps)


def is_swallowed(frame, event: str) -> bool:
    """Would Python drop what is raised here, and the tracer with it: is a generator closed, whose rest nobody wants?"""
    return bool(frame.f_code.co_flags & inspect.CO_GENERATOR) and event in ("call", "exception", "return")


def within(function, seconds: float):
    """`function` at full speed, untraced, but with an EndlessLoop raised inside it after so many seconds."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        return _guarded(function, args, kwargs, _Stopper(), seconds=seconds)

    return call


def learners_line(error: BaseException, judged=None) -> str | None:
    """Where the error arose, in the learner's own words: "in `half`, line 3 of your cell:  return w / v", or None.

    judged: the function that was called. Where the error arose in another cell's function, both lines are told.
    """
    file = getattr(getattr(inspect.unwrap(judged) if callable(judged) else None, "__code__", None), "co_filename", None)
    frames = [(f, n) for f, n in traceback.walk_tb(error.__traceback__) if is_learners(_file_of(f))]
    # Where a call is only begun, by a recursion too deep or one step too many, the line is that of its `def`.
    told = [(f, n) for f, n in frames if n > f.f_code.co_firstlineno or f.f_code.co_name[0] == "<"] or frames
    if not told:
        return None
    inside = [(f, n) for f, n in told if _file_of(f) == file]
    if not inside or inside[-1][0] is told[-1][0]:
        return _line_of(*told[-1], "your cell")
    below = _line_of(*told[-1], "an earlier cell").removeprefix("in ")
    return f"{_line_of(*inside[-1], 'your cell')}\nwhich leads to {below}"


def _file_of(frame) -> str:
    return frame.f_code.co_filename


def _line_of(frame, number: int, cell: str) -> str:
    text = linecache.getline(_file_of(frame), number, frame.f_globals).strip()
    names = [name for name in frame.f_code.co_qualname.split(".") if not name.startswith("<")]  # no <listcomp>
    where = f"in `{names[-1]}`, line {number} of {cell}" if names else f"line {number} of {cell}"
    return f"{where}:  {text}" if text else where


def learners_functions(error: BaseException) -> list[str]:
    """The names of the learner's functions in which the error arose, from the first that was called to the last."""
    codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    names = [code.co_name for code in codes if is_learners(code.co_filename) and not code.co_name.startswith("<")]
    return [name for name, before in zip(names, [None, *names]) if name != before]


_MEANINGS = (  # the first that fits: the kind of error, what its text has in it, the sentence
    (UnboundLocalError, "", "A variable is used before the function has given it a value."),
    (NameError, "", "A name is used that neither the function nor a cell above defines."),
    (ZeroDivisionError, "", "Something is divided by zero."),
    (IndexError, "pop from", "There is nothing left to `pop`."),
    (IndexError, "", "An index is out of range."),
    (KeyError, "", "A dict is asked for a key that it doesn't have, or a set for an element."),
    (OverflowError, "", "A number is too large for its type, such as 10.0 ** 400 for a float."),
    (RecursionError, "", "The function keeps calling itself, deeper than Python allows (about 1,000 calls)."),
    (AttributeError, "'NoneType'", "What stands before the dot is None."),
    (AttributeError, "", "Something is asked for an attribute or method that it doesn't have."),
    (TypeError, "'NoneType'", "Something is None here, where a value is needed. Is a `return` missing somewhere?"),
    (NotImplementedError, "not implemented for 'Long'", "torch does this with floats only: use `.float()` first."),
    (ValueError, "math domain error", "The logarithm of 0 or the root of a negative number was asked for."),
    (ValueError, "contain NaN", "`rng.choice` was given chances that are NaN. Is something divided by 0?"),
    (ValueError, "a cannot be empty", "`rng.choice` has nothing to choose from. Is a list empty?"),
    (ValueError, "high <= 0", "`rng.integers(0)` has nothing to choose from. Is a list empty?"),
    (ValueError, "empty sequence", "`max` or `min` was given an empty list."),
    (ValueError, "inhomogeneous", "NumPy can't make an array of things of different shapes."),
    (StopIteration, "", "`next` found nothing. Its second argument is what it gives instead."),
    (MemoryError, "", "Something grows without end."),
)


def meaning(error: BaseException) -> str:
    """The error in a sentence, with Python's own words."""
    said = f"{type(error).__name__}: {error}".rstrip(".: ")
    if isinstance(error, TypeError) and "positional argument" in str(error) and learners_line(error) is None:
        forgotten = " Is `self` missing?" * ("takes" in str(error) and "." in str(error).partition("(")[0])
        return f"The function doesn't take the arguments that the text names: {error}.{forgotten}"
    fitting = (text for kind, has, text in _MEANINGS if isinstance(error, kind) and has in str(error))
    sentence = next(fitting, None)
    return f"{sentence} Python says: {said}." if sentence else f"It raised {said}."

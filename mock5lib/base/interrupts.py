"""Ctrl-C, wherever it finds the program: the command stops within half a second, and nothing crashes.

The package imports this module first, and it imports nothing heavy, so that a command hears Ctrl-C from its start on.
"""

from __future__ import annotations

import _thread
import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 0.2  # seconds from Ctrl-C to the end, if nothing ends before
FAREWELL = 0.1  # seconds that the last words may take: nobody may be reading
STOPPED = 130  # exit code of what Ctrl-C has ended
LAST: list[Callable[[], None]] = []  # what `before_the_end` has announced


def is_command() -> bool:
    """Whether this process is the `mock5` command, and not a program or a notebook that uses the package."""
    name = os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else ""  # set before a module is looked for
    return name.removesuffix(".exe") == "mock5" or name == "-m" and "mock5lib.cli" in sys.orig_argv


def leave(_number=None, _frame=None) -> None:
    """End a command that is still being loaded: nothing has begun, so there is nothing to unwind.

    An exception would come up inside an import, and libraries make errors of their own of it.
    """
    os.write(2, b"\nmock5: stopped. Nothing had begun; the same command starts again.\n")
    os._exit(STOPPED)


def finish(code: int) -> None:
    """End a command whose work is done, at once: Python's own end takes a second where torch is loaded."""
    try:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except BrokenPipeError:  # nobody reads any more
        pass
    finally:
        os._exit(code)


@contextmanager
def stoppable(farewell: Callable[[], None]) -> Iterator[None]:
    """Within the block Ctrl-C raises KeyboardInterrupt, and `PATIENCE` later the process has ended, whatever it does.

    - Numba takes an exception that comes up while it hands over a result for a fault of its own (SystemError), or
      crashes. There the interrupt waits for some milliseconds.
    - A long compiled call, or a thread that is waited for, does not notice. Then the process ends all the same, with
      all that it started. Files are written whole, so nothing is lost that a clean end would keep.

    - Libraries make errors of their own of an exception that comes up while they are imported. Then the end is at once.

    `farewell()` is called before the end. A block that ends by itself in the meantime has ended as it wanted. Does
    nothing in other threads, and where a program has its own way. In a command Ctrl-C means nothing after the block.
    """
    import socket

    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) not in (signal.default_int_handler, leave):
        yield
        return
    heard, over = threading.Event(), threading.Event()

    def on_interrupt(_number, frame):
        if is_loading(frame):
            end()
        if is_deaf(frame):
            threading.Timer(0.005, _thread.interrupt_main).start()
            return
        heard.set()
        raise KeyboardInterrupt

    def end():
        try:
            speaker = threading.Thread(target=farewell, daemon=True)
            speaker.start()
            speaker.join(FAREWELL)
            kill_children()
            for clear in LAST:
                clear()
        finally:  # whatever is wrong with the terminal
            os._exit(STOPPED)

    def watch():
        while byte := reader.recv(1):
            if byte[0] == signal.SIGINT and not over.wait(PATIENCE):
                end()

    reader, writer = socket.socketpair()
    writer.setblocking(False)
    threading.Thread(target=watch, daemon=True).start()
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    after = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    except BaseException:
        if heard.is_set():  # whatever became of the interrupt on its way
            end()
        raise
    finally:
        over.set()
        signal.signal(signal.SIGINT, signal.SIG_IGN if after is leave else after)
        signal.set_wakeup_fd(before)
        writer.close()


@contextmanager
def before_the_end(clear: Callable[[], None]) -> Iterator[None]:
    """While the block runs, an interrupt calls `clear()`, maybe twice: for what must be kept or cleared by then."""
    LAST.append(clear)
    try:
        yield
    except KeyboardInterrupt:
        clear()
        raise
    finally:
        LAST.remove(clear)


def is_loading(frame) -> bool:
    """Whether a frame belongs to an import."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def is_deaf(frame) -> bool:
    """Whether an exception raised in this frame would be lost or do harm: it is numba's, or an object's end."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(("numba.", "llvmlite.")) or frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


def came_from_interrupt(problem: BaseException | None) -> bool:
    """Whether an exception is a KeyboardInterrupt or was made of one: numba makes a SystemError of it."""
    while problem is not None and not isinstance(problem, KeyboardInterrupt):
        problem = problem.__cause__ or problem.__context__
    return problem is not None


def raise_interrupt(problem: BaseException) -> None:
    """Raise KeyboardInterrupt if an exception came from one: that is not what the code that was called did wrong."""
    if came_from_interrupt(problem):
        raise KeyboardInterrupt from None


@contextmanager
def children_deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started within the block don't hear Ctrl-C, which goes to all of a terminal's processes.

    Who started them hears it, and ends them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # whoever starts it opens the ears again, for the first child, too
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def kill_children(but=()) -> None:
    """Kill the processes that this one started by `multiprocessing`, but for those of `but`."""
    import multiprocessing

    children = set(multiprocessing.active_children()) - set(but)
    for child in children:
        child.kill()
    for child in children:
        child.join(0.1)


if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, leave)

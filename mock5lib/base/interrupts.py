"""Ctrl-C, wherever it finds the program: the command stops within half a second, and nothing crashes."""

from __future__ import annotations

import _thread
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 0.2  # seconds from Ctrl-C to the end, if nothing ends before
STOPPED = 130  # exit code of what Ctrl-C has ended
LAST: list[Callable[[], None]] = []  # what `before_the_end` has announced


@contextmanager
def stoppable(farewell: Callable[[], None]) -> Iterator[None]:
    """Within the block Ctrl-C raises KeyboardInterrupt, and `PATIENCE` later the process has ended, whatever it does.

    - Numba takes an exception that comes up while it hands over a result for a fault of its own (SystemError), or
      crashes. There the interrupt waits for some milliseconds.
    - A long compiled call, or a thread that is waited for, does not notice. Then the process ends all the same, with
      all that it started. Files are written whole, so nothing is lost that a clean end would keep.

    `farewell()` is called before the end. Does nothing in other threads, and where a program has its own way.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    heard = threading.Event()

    def on_interrupt(_number, frame):
        if is_deaf(frame):
            threading.Timer(0.005, _thread.interrupt_main).start()
            return
        heard.set()
        raise KeyboardInterrupt

    def end():
        try:
            farewell()
            kill_children()
            for clear in LAST:
                clear()
        finally:  # whatever is wrong with the terminal
            os._exit(STOPPED)

    def watch():
        while byte := reader.recv(1):
            if byte[0] == signal.SIGINT:
                time.sleep(PATIENCE)
                end()

    reader, writer = socket.socketpair()
    writer.setblocking(False)
    threading.Thread(target=watch, daemon=True).start()
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    except KeyboardInterrupt:
        if heard.is_set():  # not one that a test has raised; Python's own end takes a second where torch is loaded
            end()
        raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.set_wakeup_fd(before)
        writer.close()


@contextmanager
def before_the_end(clear: Callable[[], None]) -> Iterator[None]:
    """While the block runs, an end by `stoppable` calls `clear()`: for what the system does not clear away itself."""
    LAST.append(clear)
    try:
        yield
    finally:
        LAST.remove(clear)


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
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def kill_children(but=()) -> None:
    """Kill the processes that this one started by `multiprocessing`, but for those of `but`."""
    children = set(multiprocessing.active_children()) - set(but)
    for child in children:
        child.kill()
    for child in children:
        child.join(0.1)

"""Ctrl-C ends a command within two seconds, whatever it is doing: exit code 130, one sentence, no traceback.

A thread of its own hears it, says what is kept, and ends the process with all that it started. Nothing is unwound:
files are written whole. The package imports this module first, and it imports nothing heavy, so that a command hears
Ctrl-C from its start on. A program or a notebook that uses the package keeps Python's own KeyboardInterrupt.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 1.0  # seconds from Ctrl-C to the end, whatever is in the way
STOPPED = 130  # exit code of what Ctrl-C has ended
SHOW_CURSOR = "\x1b[?25h"  # a spinner hides it
LAST: list[Callable[[], object]] = []  # what `before_the_end` has announced
STARTING = threading.RLock()  # held while processes are started: one that is half started can't be ended in silence


def kept() -> str:
    """What there is when Ctrl-C comes, and how to go on; each command puts its own function here."""
    return "Nothing had begun; the same command starts again."


def is_command() -> bool:
    """Whether this process is the `mock5` command, and not a program or a notebook that uses the package."""
    name = os.path.basename(sys.argv[0]) if getattr(sys, "argv", None) else ""  # set before a module is looked for
    return (
        name.removesuffix(".exe") == "mock5"
        or name == "-m"
        and not {"mock5lib", "mock5lib.cli"}.isdisjoint(sys.orig_argv)
    )


def listen() -> None:
    """Let Ctrl-C end this process from now on."""
    try:
        errors = os.dup(2)  # what goes to 2 itself is not seen while TensorFlow is loaded
    except OSError:  # it is closed
        errors = 2
    reader, writer = socket.socketpair()
    writer.setblocking(False)

    def wait() -> None:
        while reader.recv(1)[0] != signal.SIGINT:
            continue
        end(errors)

    signal.signal(signal.SIGINT, leave_it_to_the_thread)
    signal.set_wakeup_fd(writer.detach(), warn_on_full_buffer=False)
    threading.Thread(target=wait, daemon=True).start()


def leave_it_to_the_thread(_number, _frame) -> None:
    """Python's own handler; it has its turn only after a compiled call, and an exception there would do harm."""


def stop_listening() -> None:
    """The command has said its last word: from now on Ctrl-C means nothing."""
    if signal.getsignal(signal.SIGINT) is leave_it_to_the_thread:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def end(errors: int) -> None:
    """Say what is kept, end what this process has started, and the process itself."""
    import multiprocessing
    from multiprocessing import util

    threading.Timer(PATIENCE, os._exit, (STOPPED,)).start()  # whoever should read the last words may be asleep
    try:
        text = f"{SHOW_CURSOR if os.isatty(errors) else ''}\nmock5: stopped. {kept()}\n"
        os.write(errors, text.encode(errors="replace"))
        sys.stdout.flush()
        util._run_finalizers(0)  # type: ignore[attr-defined]  # semaphores, of which Python's own helper process would complain
        STARTING.acquire(timeout=PATIENCE)
        for clear in LAST:
            clear()
        for child in multiprocessing.active_children():  # last: who waits for them would begin others
            child.kill()
    finally:
        os._exit(STOPPED)


@contextmanager
def before_the_end(clear: Callable[[], object]) -> Iterator[None]:
    """While the block runs, Ctrl-C calls `clear()`, in a thread of its own, before it ends the command."""
    LAST.append(clear)
    try:
        yield
    finally:
        LAST.remove(clear)


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
        with STARTING:
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


if is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    listen()

"""What somebody sees who waits: a progress bar (a widget in a notebook, text elsewhere), and that a compiler runs.

Numba compiles a kernel at its first call and keeps it on disk, see `compiled.py`. `tools.compile` calls most of them at
set-up. What is compiled later (in Colab, on another processor, after an edit) can take half a minute, and says so.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core import event

COMPILING = "compiling, once …"
UNSEEN = 10.0  # seconds between two lines of a bar that goes to a file


def is_watched() -> bool:
    """Whether a bar is on a terminal or in a notebook; else each change of it is a line in somebody's file."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


@contextmanager
def progress_bar(total: int, progress: bool, unit: str):
    """A tqdm bar over so many units, hidden unless `progress`."""
    if progress:
        from tqdm.auto import tqdm
    else:
        from tqdm import tqdm  # tqdm.auto warns where a notebook lacks its widgets
    with tqdm(total=total, unit=unit, disable=not progress, mininterval=0.1 if is_watched() else UNSEEN) as bar:
        with while_compiling(lambda runs: bar.set_postfix_str(COMPILING if runs else "")):
            yield bar


@contextmanager
def while_compiling(tell: Callable[[bool], object]) -> Iterator[None]:
    """Call `tell(True)` when numba begins to compile inside the block, and `tell(False)` when it has finished.

    A kernel that is read from the disk is not compiled. Nothing is told of other processes.
    """
    with event.install_listener("numba:compile", Compilations(tell)):
        yield


def once(say: Callable[[str], object]) -> Callable[[bool], object]:
    """For `while_compiling`: a line at the first compilation, and none where outputs are compared with stored ones."""
    waiting = [] if "MOCK5_COMPARED" in os.environ else ["compiling, once: this can take a minute …"]
    return lambda runs: say(waiting.pop()) if runs and waiting else None


@functools.cache
def announce_compiling(say: Callable[[str], object]) -> None:
    """As `while_compiling(once(say))`, from here to the end of the process."""
    event.register("numba:compile", Compilations(once(say)))


class Compilations(event.Listener):
    """Tells of the kernels that are called, not of those that are compiled on the way, since they are called by them.

    One thread at a time can be here: numba holds its lock.
    """

    def __init__(self, tell: Callable[[bool], object]):
        self.tell, self.depth = tell, 0

    def on_start(self, _) -> None:
        self.depth += 1
        if self.depth == 1:
            self.tell(True)

    def on_end(self, _) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.tell(False)

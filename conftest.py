"""For every test, of the package and of the notebooks: fixed conditions, and an order that finds faults early."""

import os
import signal

from tools.conditions import FIXED

os.environ.update(FIXED)  # before NumPy, numba or torch is imported; notebook kernels inherit it
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in a shell's background; children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


LONGEST = "test_exercises.py"  # a third of all the work; it needs few of the compiled kernels


def pytest_collection_modifyitems(items):
    """The longest file, fast tests, notebooks, then what needs a browser or an environment of its own.

    With two workers the longest file keeps one of them busy while the other compiles the kernels: begun side by side,
    the fast tests compile most of them twice.
    """

    def turn(item) -> int:
        if item.path.name == LONGEST:
            return 0
        return 3 if item.get_closest_marker("slow") else 1 + (item.path.suffix == ".ipynb")

    items.sort(key=turn)

"""For every test, of the package and of the notebooks: fixed conditions, and an order that finds faults early."""

import os
import signal

from tools.conditions import FIXED

os.environ.update(FIXED)  # before NumPy, numba or torch is imported; notebook kernels inherit it
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in a shell's background; children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


LONGEST = "test_exercises.py"  # a third of all the work; it needs few of the compiled kernels
LONG = ("test_workers.py", "test_hammer.py", "test_book_site.py", "test_interrupts.py")  # a minute each, or two


def pytest_collection_modifyitems(items):
    """The longest file, fast tests, notebooks, then what needs a browser or an environment of its own.

    With two workers the longest file keeps one of them busy while the other compiles the kernels: begun side by side,
    the fast tests compile most of them twice. In the end the long files go first, so that both end together.
    """

    def turn(item) -> tuple:
        name = item.path.name
        if name == LONGEST:
            return (0,)
        if item.get_closest_marker("slow"):
            return 3, LONG.index(name) if name in LONG else len(LONG)
        return (1 + (item.path.suffix == ".ipynb"),)

    items.sort(key=turn)

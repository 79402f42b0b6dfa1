"""For every test, of the package and of the notebooks: fixed conditions, and an order that finds faults early."""

import os
import signal

from tools.conditions import FIXED

os.environ.update(FIXED)  # before NumPy, numba or torch is imported; notebook kernels inherit it
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in a shell's background; children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Fast tests first, then notebooks, then what needs a browser or an environment of its own."""
    items.sort(key=lambda item: 2 if item.get_closest_marker("slow") else int(item.path.suffix == ".ipynb"))

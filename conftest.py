"""For every test, of the package and of the notebooks: fixed conditions, and an order that finds faults early."""

import os
import signal

import pytest

from tools.conditions import FIXED

os.environ.update(FIXED)  # before NumPy, numba or torch is imported; notebook kernels inherit it
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in a shell's background; children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    """What stays on one worker: the cells of a notebook; the tests of a file, which share fixtures and kernels;
    the solutions of an exercise, as their file says.
    """
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.name))
    items.sort(key=turn)


def turn(item) -> int:
    """The sample of the gate comes first: it keeps one worker busy with little to compile while the other compiles the
    kernels. Last come the solutions of single exercises, many small groups, so that both workers end together.
    """
    if item.path.name == "test_gate.py":
        return 3 if item.get_closest_marker("slow") else 0
    return 2 if item.path.suffix == ".ipynb" else 1

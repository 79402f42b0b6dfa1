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
    """What runs together: the cells of a notebook, one after another; the tests of a file, which share fixtures and
    compiled kernels; the solutions of an exercise, as their file says. In turn: notebooks come last, and long ones
    begin before short ones, so that two workers end together.
    """
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.name))
    items.sort(key=turn)


def turn(item) -> tuple:
    return (item.path.suffix == ".ipynb",)

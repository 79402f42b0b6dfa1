"""For every test, of the package and of the notebooks: fixed conditions, and an order in which no worker waits."""

import os
import signal

import pytest

from tools.conditions import CAN_BE_OLDER, FIXED, WANTS_OLDER

os.environ.update(FIXED)  # before NumPy, numba or torch is imported; notebook kernels inherit it
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in a shell's background; children would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure():
    if WANTS_OLDER and not CAN_BE_OLDER:
        pytest.exit("An older processor is imitated only on Linux with an x86-64 processor: skipped.", returncode=0)


def pytest_collection_modifyitems(items):
    items.sort(key=turn)


def turn(item) -> int:
    """The sample of the gate comes first: it keeps one worker busy with little to compile while the other compiles the
    kernels. A notebook stays on one worker, so notebooks come before what is small: both workers end together.
    """
    if item.path.name == "test_gate.py":
        return 3 if item.get_closest_marker("slow") else 0
    return 1 if item.path.suffix == ".ipynb" else 2

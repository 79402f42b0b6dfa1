"""How many threads the commands that play use."""

from __future__ import annotations

import os


def few_threads() -> None:
    """One thread for nets, and waiting threads that sleep, unless the user has said otherwise.

    Searches have threads of their own. Two sets of threads that wait by spinning took turns on the same two cores, and
    a match took 40 times as long. To be called before torch and numba are imported.
    """
    for name, value in (("OMP_NUM_THREADS", "1"), ("MKL_NUM_THREADS", "1"), ("OMP_WAIT_POLICY", "passive")):
        os.environ.setdefault(name, value)

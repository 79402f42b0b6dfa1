"""Rates (the best of several runs, which other load disturbs least), rows of a table, and what they depend on."""

import os
import platform
import time
from importlib.metadata import distributions

LIBRARIES = {"mock5lib", "numpy", "numba", "torch", "tensorflow", "tensorflow-cpu", "open-spiel"}


def best_rate(work, seconds: float, runs: int = 5) -> float:
    """Units a second of `work()`, which returns how many units it has done; called for about `seconds` in all."""
    work()  # compiles and warms up
    best = 0.0
    for _ in range(runs):
        done, start = 0, time.perf_counter()
        while (passed := time.perf_counter() - start) < seconds / runs:
            done += work()
        best = max(best, done / passed)
    return best


def row(name, rate, unit, against=None, other=None, note="") -> dict:
    """A row of a benchmark's table; `other` is the rate of `against`."""
    ratio = rate / other if other else None
    return {"name": name, "rate": rate, "unit": unit, "against": against, "ratio": ratio, "note": note}


def stored(rate: float, figure: float) -> str:
    """A note on a figure of the original package, which was measured elsewhere."""
    return f"the original: {figure:,g}, a stored figure; {rate / figure:,.3g}×"


def machine() -> dict:
    """What the figures depend on: processors, Python, libraries, threads. Nothing that names a machine."""
    found = {one.name: one.version for one in distributions()}
    return {
        "cpu_count": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "libraries": {name: found[name] for name in sorted(LIBRARIES & set(found))},
        "threads": {name: value for name, value in os.environ.items() if name.endswith("_NUM_THREADS")},
    }

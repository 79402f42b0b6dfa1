"""How often something is done in a second: the best of several runs, which other load disturbs least."""

import time


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


def stored(rate: float, figure: float, what: str = "the original") -> str:
    """A note on a figure that was measured elsewhere."""
    times = rate / figure
    digits = 0 if times >= 100 else 2
    return f"{what}: {figure:,g}, a stored figure; {times:,.{digits}f}×"

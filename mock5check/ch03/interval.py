"""The capstone of chapter 3: is the interval of `gain` what it says?"""

import numpy as np

from mock5check.answers import is_number


def spread(before, after) -> float:
    """The standard error of the difference of two means."""
    return float(np.sqrt(np.var(before) / len(before) + np.var(after) / len(after)))


def check_interval(trial, gain) -> None:
    rng, ends = np.random.default_rng(1), []
    for chances, sizes in [
        (((0.5, 0.2, 0.3), (0.2, 0.2, 0.6)), (400, 400)),
        (((0.5, 0.0, 0.5), (0.02, 0.0, 0.98)), (100, 900)),
        (((0.1, 0.8, 0.1), (0.4, 0.1, 0.5)), (900, 120)),
        (((0.03, 0.0, 0.97), (0.01, 0.0, 0.99)), (300, 400)),
        (((1.0, 0.0, 0.0), (0.3, 0.3, 0.4)), (200, 200)),
        (((0.2, 0.3, 0.5), (0.5, 0.3, 0.2)), (300, 250)),
        (((0.35, 0.3, 0.35), (0.0, 0.05, 0.95)), (900, 100)),
        (((0.95, 0.05, 0.0), (0.35, 0.3, 0.35)), (100, 900)),
    ]:
        kind = {300: np.int8, 400: float, 100: float}.get(sizes[0], int)
        before, after = (rng.choice([-1, 0, 1], size, p=p).astype(kind) for p, size in zip(chances, sizes))
        low, middle, high = three_numbers(trial, gain, before, after)
        call = f"gain(before, after), results of {sizes[0]} and of {sizes[1]} games"
        right = float(after.mean() - before.mean())
        text = f"The means are {before.mean():.4f} before and {after.mean():.4f} after: the gain is {right:.4f}"
        trial.require(abs(middle - right) < 1e-6, f"{text}, not {middle:.4f}.", call=call)
        text = f"The interval goes from {low:.4f} to {high:.4f}; its middle should be about the gain, {right:.4f}."
        about = abs((low + high) / 2 - right) < 0.15 * (high - low)
        trial.require(low <= right <= high and about, text, call=call)
        wanted = 1.96 * spread(before, after)
        text = (
            f"Half its width is {(high - low) / 2:.4f}. Each mean has a variance of its own, that of its results "
            f"divided by the number of its games; the two add up, and 1.96 standard deviations are {wanted:.4f}."
        )
        trial.require(0.9 * wanted < (high - low) / 2 < 1.12 * wanted, text, call=call)
        ends.append(((right - low) / wanted, (high - right) / wanted))
    for what, mean in zip(("low", "high"), np.mean(ends, axis=0)):
        text = (
            f"On average over these cases `{what}` lies {1.96 * mean:.2f} standard deviations from the gain, not 1.96."
        )
        trial.require(0.93 < mean < 1.08, text)
    _covers(trial, gain, rng)


def _covers(trial, gain, rng) -> None:
    """Of many intervals, about 95 % hold the true gain."""
    held, often = 0, 300
    for _ in range(often):
        before = rng.choice([-1, 0, 1], 150, p=(0.5, 0.2, 0.3))
        after = rng.choice([-1, 0, 1], 250, p=(0.25, 0.2, 0.55))
        low, _, high = three_numbers(trial, gain, before, after)
        held += low <= 0.5 <= high
    text = f"Of {often} intervals {held} held the true gain. Of 95 % intervals about {round(0.95 * often)} do."
    trial.require(0.91 * often <= held <= 0.99 * often, text)


def three_numbers(trial, gain, before, after) -> tuple:
    """The three numbers of one answer."""
    call = f"gain(before, after), results of {len(before)} and of {len(after)} games"
    answer = trial.call(gain, before, after, shown=call)
    triple = isinstance(answer, (tuple, list, np.ndarray)) and len(answer) == 3 and all(map(is_number, answer))
    if not triple:
        trial.fail("Return three numbers (low, gain, high).", call=call, answer=answer)
    return tuple(map(float, answer))

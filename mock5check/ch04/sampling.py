"""The check of `shuffled`, a part of the night of training in chapter 4."""

import numpy as np

from mock5check.answers import show


def check_shuffled(trial, function) -> None:
    seen, neighbours, orders = np.zeros((6, 6)), 0, set()
    for seed in range(300):
        size = 6 if seed else 1
        results = np.arange(size) + 0.5
        planes = results[:, None, None] * 10 + np.ones((size, 2, 2))
        call = f"shuffled(planes, results, rng), with {counted(size, 'example')}"
        answer = trial.call(function, planes, results, np.random.default_rng(seed), fresh=True, shown=call)
        text = "Return two new arrays: the planes and the results."
        trial.require(isinstance(answer, (tuple, list)) and len(answer) == 2, text, call=call)
        new_planes, new_results = answer
        kinds = " and ".join(type(part).__name__ for part in answer)
        arrays = all(isinstance(part, np.ndarray) for part in answer)
        trial.require(arrays, f"{text} These are of type {kinds}.", call=call)
        fits = new_planes.shape == planes.shape and new_results.shape == results.shape
        trial.require(fits, f"{text} They keep their shapes.", call=call)
        kinds = [part.dtype.kind for part in answer] == ["f", "f"]
        now = f"Planes and results were floats; now they hold {new_planes.dtype} and {new_results.dtype}."
        trial.require(kinds, now, call=call)
        fresh = not any(np.shares_memory(new, old) for new, old in zip(answer, (planes, results)))
        trial.require(fresh, f"{text} These are views of the given ones.", call=call)
        whole = sorted(new_results.ravel().tolist()) == results.tolist()
        trial.require(whole, f"Every example comes once. The results are now {show(new_results)}.", call=call)
        first = new_planes[:, 0, 0]
        text = f"Each example keeps its result: results {show(new_results)} now stand beside planes {show(first)}."
        trial.require(np.array_equal(first, new_results * 10 + 1), text, call=call)
        again = trial.call(function, planes, results, np.random.default_rng(seed), shown=call)
        text = "Equal generators should shuffle equally: use `rng` and nothing else."
        trial.require(np.array_equal(new_results, again[1]), text, call=f"{call}, twice")
        if size == 6:
            seen[np.arange(6), new_results.astype(int)] += 1
            neighbours += int((np.diff(new_results) == 1).sum())
            orders.add(tuple(new_results))
    rng, swapped = np.random.default_rng(5), 0
    for _ in range(800):
        call = "shuffled(planes, results, rng), with 2 examples, 800 times"
        pair = trial.call(function, np.ones((2, 2, 2)), np.array([0.5, 1.5]), rng, shown=call)
        swapped += pair[1][0] == 1.5
    text = f"Two examples changed places {swapped} times in 800 calls; about 400 times is expected."
    trial.require(329 < swapped < 471, text, call=call)
    _three_examples(trial, function)
    text = "299 calls with 299 generators gave one and the same order: draw it from the `rng` that is given."
    trial.require(len(orders) > 1, text)
    text = (
        f"In 299 calls with 6 examples one example came to one place {int(seen.max())} times, and another one to some "
        f"place {counted(int(seen.min()), 'time')}; with equal chances each comes to each place about 50 times."
    )
    trial.require(seen.min() > 20 and seen.max() < 90, text)
    text = (
        f"In 299 calls with 6 examples, one was followed by its old neighbour {neighbours} times; 250 are expected. "
        "Put every example into a new place of its own."
    )
    trial.require(150 < neighbours < 400, text)


def _three_examples(trial, function) -> None:
    """All six orders of three examples come up alike: swaps with any place, and keys that may be equal, are uneven."""
    often, call = 12_000, "shuffled(planes, results, rng), with 3 examples, 12,000 times"
    planes, results = np.ones((3, 2, 2)), np.array([0.5, 1.5, 2.5])

    def orders(planes, results, rng):
        return np.stack([function(planes, results, rng)[1] for _ in range(often)])

    found = trial.call(orders, planes, results, np.random.default_rng(6), shown=call, long=True)
    counts = np.unique(found @ np.array([9.0, 3.0, 1.0]), return_counts=True)[1].tolist()
    trial.require(
        len(counts) == 6 and max(abs(count - often / 6) for count in counts) < 195,
        f"The six orders came up so often: {counts}; with equal chances each comes {often // 6:,} times. "
        "`rng.permutation` gives every order the same chance.",
        call=call,
    )


def counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"

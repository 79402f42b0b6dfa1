"""The first part of chapter 6's capstone: a ring of examples, by what it gives back."""

import numpy as np

from mock5check.answers import kind_problem, same

CHANGED = -99  # what is written into arrays after they were added


def _example(number: int) -> tuple:
    """An example that carries its number in each of its parts."""
    planes, policies, outcomes = _examples(np.array([number]))
    return planes[0], policies[0], float(outcomes[0])


def _examples(numbers: np.ndarray) -> tuple:
    """Those of many numbers: arrays (N, 3, 5, 5), (N, 25) and (N,)."""
    planes, policies = np.empty((len(numbers), 3, 5, 5), np.float32), np.empty((len(numbers), 25))
    planes[:], policies[:] = numbers[:, None, None, None] + 0.25, numbers[:, None] / 100
    return planes, policies, numbers / 100 - 0.5


def _numbers(trial, answer, size: int, call: str) -> np.ndarray:
    """The numbers of the examples in a sample; its shapes must be right, and its parts must belong together."""
    right = np.zeros((size, 3, 5, 5)), np.zeros((size, 25)), np.zeros(size)
    problem = kind_problem(answer, right)
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call)
    planes, policies, outcomes = (np.asarray(part, float) for part in answer)
    numbers = planes[:, 0, 0, 0].round().astype(int)
    if not all(same(part, own, 1e-5) for part, own in zip((planes, policies, outcomes), _examples(numbers))):
        trial.fail(_apart(planes, policies, outcomes), call=call)
    trial.cases += 1
    return numbers


def _apart(planes, policies, outcomes) -> str:
    """What is wrong with a sample whose parts do not belong together."""
    if (planes == CHANGED).any() or (policies == CHANGED).any():
        what = "planes" if (planes == CHANGED).any() else "policies"
        return (
            f"`add` must keep COPIES: after each add the check wrote {CHANGED} into the arrays that it had handed "
            f"over, and now the ring's {what} hold it. (np.asarray makes no copy where the type is right already.)"
        )
    if (~planes.any(axis=(1, 2, 3)) & ~policies.any(axis=1)).any():
        return (
            "A row of zeros came back, and none was added: only as many rows as were added may be drawn, `len(ring)`, "
            "not `capacity`."
        )
    number = int(planes[0].flat[0].round())
    others = [_example(other) for other in range(1, 20) if other != number]
    for what, part, place in (("planes", planes[0], 0), ("policy", policies[0], 1), ("outcome", outcomes[:1], 2)):
        given = np.atleast_1d(np.asarray(_example(number)[place], float))
        mixed_up = any(same(part, np.atleast_1d(np.asarray(other[place], float)), 1e-5) for other in others)
        if 1 <= number < 20 and not mixed_up and not same(part, given, 1e-5):
            came = part.flat[abs(part - given).argmax()]
            return f"Of example {number} the {what} came back as {came:.7g}, and {given.flat[0]:.7g} went in."
    if all(
        same(part, own, 2e-3) for part, own in zip((planes, policies, outcomes), _examples(planes[:, 0, 0, 0].round()))
    ):
        return (
            "What comes back agrees with what went in in the first digits only. Is it kept in half precision (float16)?"
        )
    return "Planes, policy and outcome of one row must come from one example, unchanged."


def check_ring(trial, Ring) -> None:
    ring, other = trial.call(Ring, 7), trial.call(Ring, 3)
    trial.require(_length(trial, ring) == 0, "A new ring is empty: len(ring) is 0.", call="Ring(7)")
    call = "ring = Ring(7), then ring.add(planes, policy, outcome) {} times"
    for number in range(1, 20):
        planes, policy, outcome = _example(number)
        answer = trial.call(ring.add, planes, policy, outcome, shown=call.format(number))
        trial.require(answer is None, "add returns nothing.", call=call.format(number))
        planes[:], policy[:] = CHANGED, CHANGED  # the caller uses its arrays again
        held = min(number, 7)
        trial.require(
            _length(trial, ring) == held,
            f"len(ring) is {_length(trial, ring)}; it holds {held}.",
            call=call.format(number),
        )
        if number in (1, 6, 7, 8, 14, 19):
            shown = call.format(number) + ", ring.sample(1600, rng)"
            numbers = _numbers(
                trial, trial.call(ring.sample, 1600, np.random.default_rng(number), shown=shown), 1600, shown
            )
            wanted = set(range(number - held + 1, number + 1))
            expected = 1600 / held
            trial.require(
                np.bincount(numbers).max() < expected + 5.5 * expected**0.5,
                f"Each of the {held} has the same chance; in 1,600 draws one came {np.bincount(numbers).max()} times.",
                call=shown,
            )
            trial.require(
                set(numbers.tolist()) == wanted,
                f"The samples are examples {sorted(set(numbers.tolist()))}; the ring holds the last {held}, "
                f"{sorted(wanted)}, and each of them comes in 1,600 draws.",
                call=shown,
            )
    _draws(trial, ring)
    _one_after_another(trial, ring)
    _equal_ones(trial, Ring)
    _large(trial, Ring)
    trial.require(_length(trial, other) == 0, "What goes into one ring must not appear in another.", call="Ring(3)")


def _one_after_another(trial, ring) -> None:
    """Two samples of one size: the second one leaves the first as it was."""
    call, rng = "ring.sample(4, rng), twice", np.random.default_rng(9)
    first = trial.call(ring.sample, 4, rng, shown=call)
    kept = [np.array(part) for part in first]
    second = trial.call(ring.sample, 4, rng, shown=call)
    apart = not any(np.shares_memory(one, other) for one, other in zip(first, second))
    text = "The second sample was written over the first one. Return new arrays each time."
    trial.require(apart and all(map(np.array_equal, first, kept)), text, call=call)


def _equal_ones(trial, Ring) -> None:
    """An example that comes again is another example, and so is one that differs in a single part."""
    ring, call = (
        trial.call(Ring, 5),
        "ring = Ring(5), then ring.add with the same planes four times, outcomes 0, 0, 1, −1",
    )
    planes, policy = np.zeros((3, 5, 5), np.float32), np.full(25, 0.04)
    for outcome in (0.0, 0.0, 1.0, -1.0):
        trial.call(ring.add, planes, policy, outcome, shown=call)
    trial.require(_length(trial, ring) == 4, f"len(ring) is {_length(trial, ring)}; it holds 4.", call=call)
    outcomes = np.asarray(
        trial.call(ring.sample, 400, np.random.default_rng(1), shown=f"{call}, ring.sample(400, rng)")[2]
    )
    counts = [int((outcomes == outcome).sum()) for outcome in (0, 1, -1)]
    trial.require(
        abs(np.array(counts) - [200, 100, 100]).max() < 50,
        f"In 400 draws the outcomes 0, 1 and −1 came {counts} times; some 200, 100 and 100 are expected.",
        call=call,
    )


def _large(trial, Ring) -> None:
    """The first examples of a large ring are no more likely than the last ones."""
    call, capacity, draws = "ring = Ring(20_000), full, then ring.sample(20_000, rng)", 20_000, 20_000
    ring, (planes, policy, _) = trial.call(Ring, capacity), _example(1)

    def fill():
        for number in range(capacity):
            ring.add(planes, policy, float(number))

    trial.call(fill, shown="ring.add, 20,000 times", long=True)
    drawn = np.asarray(trial.call(ring.sample, draws, np.random.default_rng(8), shown=call, long=True)[2])
    counts = np.bincount((drawn * 12 // capacity).astype(int), minlength=12)
    trial.require(
        abs(counts - draws / 12).max() < 220,
        f"Each example has the same chance. Of the 12 twelfths of the ring, in the order in which they were put in, "
        f"{draws:,} draws took {counts.tolist()}; some {draws // 12} of each are expected.",
        call=call,
    )


def _length(trial, ring) -> int:
    return trial.call(lambda ring: len(ring), ring, may_change=(0,), shown="len(ring)")


def _draws(trial, ring) -> None:
    """Every example is as likely as any other, draws are made with `rng`, and a sample is no view of the ring."""
    call = "ring.sample(7000, rng), a ring of seven examples"
    first = trial.call(ring.sample, 7000, np.random.default_rng(1), shown=call)
    numbers = _numbers(trial, first, 7000, call)
    counts = np.bincount(numbers)[13:]
    trial.require(
        abs(counts - 1000).max() < 180, f"Each has the same chance; here they came {counts} times.", call=call
    )
    trial.require(len(set(map(tuple, numbers[:40].reshape(-1, 2)))) > 8, "Draw each row by itself.", call=call)
    again = _numbers(trial, trial.call(ring.sample, 7000, np.random.default_rng(1), shown=call), 7000, call)
    trial.require(
        (again == numbers).all(), "The same rng must give the same sample: draw with it, and only it.", call=call
    )
    other = _numbers(trial, trial.call(ring.sample, 7000, np.random.default_rng(2), shown=call), 7000, call)
    trial.require((other != numbers).any(), "Another rng must give another sample.", call=call)
    few = [trial.call(ring.sample, 5, np.random.default_rng(seed), shown="ring.sample(5, rng)") for seed in range(12)]
    trial.require(
        any(len(set(_numbers(trial, sample, 5, "ring.sample(5, rng)").tolist())) < 5 for sample in few),
        "Of seven examples five were drawn, twelve times, and never did one come twice in a sample. Each row is drawn "
        "by itself, from all of them.",
        call="ring.sample(5, rng), a ring of seven examples",
    )
    small = [
        np.array(part) for part in trial.call(ring.sample, 2, np.random.default_rng(3), shown="ring.sample(2, rng)")
    ]
    taken = [
        part
        for size in (60, *[1] * 30)
        for part in trial.call(ring.sample, size, np.random.default_rng(4 + size), shown=f"ring.sample({size}, rng)")
    ]
    trial.require(len(small[2]) == 2, "sample(2, rng) has two rows.", call="ring.sample(2, rng)")
    trial._kept.clear()  # those of this stage are about to be written into
    for part in taken:
        part[...] = -7
    _numbers(
        trial, trial.call(ring.sample, 60, np.random.default_rng(5)), 60, "ring.sample, after a sample was changed"
    )

"""The first part of chapter 6's capstone, a ring of examples: a script, and how often each example is drawn."""

import numpy as np

from mock5check.answers import kind_problem, same
from mock5check.script import script

CHANGED = -99  # what is written into arrays after they were added


class Ring:
    """The last `capacity` examples (planes, policy, outcome)."""

    def __init__(self, capacity):
        self.capacity, self.kept, self.oldest = capacity, [], 0

    def __len__(self):
        return len(self.kept)

    def add(self, planes, policy, outcome):
        example = np.array(planes, np.float32), np.array(policy, float), float(outcome)
        if len(self.kept) < self.capacity:
            self.kept.append(example)
        else:
            self.kept[self.oldest] = example
            self.oldest = (self.oldest + 1) % self.capacity

    def sample(self, size, rng):
        drawn = [self.kept[i] for i in rng.integers(len(self.kept), size=size)]
        planes, policies, outcomes = zip(*drawn)
        return np.stack(planes), np.stack(policies), np.array(outcomes)


def put(ring, number: int) -> None:
    """Add an example that carries its number in each of its parts; then the caller uses its arrays again."""
    planes, policy = np.full((3, 5, 5), number, np.float32), np.full(25, number / 100)
    if ring.add(planes, policy, number / 100) is not None:
        raise ValueError("`add` should return nothing.")
    planes[:], policy[:] = CHANGED, CHANGED / 100


def drawn(ring, size: int, rng) -> list:
    """The examples of a sample, each by its number, or by what its parts hold where they do not belong together."""
    sample = ring.sample(size, rng)
    problem = kind_problem(sample, (np.zeros((size, 3, 5, 5)), np.zeros((size, 25)), np.zeros(size)), "the sample")
    if problem:
        raise ValueError(problem)
    planes, policies, outcomes = (np.asarray(part, float).reshape(size, -1) for part in sample)
    names = []
    for parts in zip(planes, policies * 100, outcomes * 100):
        numbers = [round(float(part[0])) if np.ptp(part) < 1e-3 else "a mixture" for part in parts]
        together = f"{numbers[0]}" if len(set(numbers)) == 1 else "planes of {}, policy of {}, outcome of {}"
        names.append(together.format(*numbers))
    return names


def held(ring) -> list:
    """Which examples come in a large sample."""
    return sorted(set(drawn(ring, 60 * len(ring), np.random.default_rng(0))))


def rings(rng):
    for capacity, adds in ((1, 3), (3, 8), (5, 4)):
        yield [f"ring = Ring({capacity})", *(f"put(ring, {number})" for number in range(1, adds + 1))]
    yield ["ring = Ring(3)", "other = Ring(3)", "put(other, 1)"]


def as_often(trial, Ring) -> None:
    """Each example has the same chance, in each row anew, by the generator that was given alone."""
    ring, call = trial.call(Ring, 7), "ring.sample(700, rng), a ring of seven examples"
    for number in range(1, 10):
        trial.call(put, ring, number, shown="ring.add", may_change=(0,))
    one, again, other = (
        trial.call(drawn, ring, 700, np.random.default_rng(seed), shown=call, may_change=(0,)) for seed in (1, 1, 2)
    )
    counts = np.unique(one, return_counts=True)[1]
    text = f"All seven should come up about equally often; they came up {counts} times."
    trial.require(abs(counts - 100).max() < 50, text, call=call)
    trial.require(same(one, again) and one != other, "Sample with `rng`, and with nothing else.", call=call)
    first = trial.call(ring.sample, 5, np.random.default_rng(1), shown=call, fresh=True)
    trial.call(ring.sample, 5, np.random.default_rng(2), shown=call, fresh=True)
    few = [one[place : place + 5] for place in range(0, 700, 5)]
    again = any(len(set(five)) < 5 for five in few)
    trial.require(len(first[2]) == 5 and again, "Sample each row by itself.", call=call)


ring = script(
    "ring",
    Ring,
    cases=rings,
    given={"put": put, "held": held},
    looks=lambda names: ["len(ring)", *["held(ring)"] * bool(len(names["ring"]))],
    why="The ring holds copies of the last `capacity` examples. Here put(ring, i) adds example i and then overwrites "
    f"its arrays with {CHANGED}; held(ring) tells which examples come up in a large sample.",
    after=as_often,
)

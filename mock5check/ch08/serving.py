"""The batch server of chapter 8, declared by its solution."""

import math

from mock5check.spec import exercise


class Formula:
    """A function of the size of a batch that shows what it calculates."""

    def __init__(self, text: str):
        self.text, self.value = text, eval(f"lambda b: {text}")

    def __call__(self, batch: int) -> float:
        return self.value(batch)

    def __repr__(self) -> str:
        return f"lambda b: {self.text}"


LAUNCH, SINGLY, STEPS = map(Formula, ("1 + b / 8", "b / 2", "1 if b <= 4 else 3"))


def requests(rng):
    """(arrivals, most, deadline, seconds_of)"""
    yield [0.0], 4, 2.0, LAUNCH
    yield [], 4, 1.0, LAUNCH
    for deadline in (0.0, 1.0, 10.0):
        yield [0.0, 0.5, 1.0, 1.5], 4, deadline, LAUNCH
    yield [3.0, 3.0, 3.0, 9.0], 2, 1.0, LAUNCH  # several at once
    yield [0.0, 2.0, 2.0, 2.0], 8, 2.0, LAUNCH  # at the very moment of the start
    yield [0.0, 5.0, 5.5, 6.0, 30.0], 2, 4.0, LAUNCH
    yield [0.0, 1.0, 2.0, 3.0, 50.0], 2, 0.5, SINGLY
    yield [float(second) for second in range(1500)], 1, 0.0, LAUNCH  # as many as the next cell has
    for count in rng.integers(1, 12, 60):
        arrivals = sorted((rng.integers(0, 16, count) / 2).tolist())
        seconds_of = (LAUNCH, SINGLY, STEPS)[rng.integers(3)]
        yield arrivals, int(rng.integers(1, 6)), float(rng.choice([0.0, 0.5, 1.0, 4.0])), seconds_of


@exercise(
    cases=requests,
    why="A batch starts when the server is free and either `most` requests are waiting or the oldest has waited "
    "`deadline` seconds. It takes the requests that have arrived by then, and answers all of them at its end.",
    shows={"start": "batches start at", "free": "the server is free again at"},
)
def serve(arrivals, most, deadline, seconds_of):
    """When each request is answered."""
    answers, free, first = [], 0.0, 0
    while first < len(arrivals):
        full = arrivals[first + most - 1] if first + most <= len(arrivals) else math.inf
        start = max(free, min(full, arrivals[first] + deadline))
        last = first
        while last < len(arrivals) and last - first < most and arrivals[last] <= start:
            last += 1
        free = start + seconds_of(last - first)
        answers += [free] * (last - first)
        first = last
    return answers

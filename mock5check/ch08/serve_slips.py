"""Right answers for the check of the batch server, and the slips that it recognises."""

from __future__ import annotations

import functools
import math


def _full(arrivals, most, first):
    """When a batch that begins with request `first` is full; infinite if it never will be."""
    return arrivals[first + most - 1] if first + most <= len(arrivals) else math.inf


def _start(arrivals, most, deadline, first, free):
    """When that batch starts."""
    return max(free, min(_full(arrivals, most, first), arrivals[first] + deadline))


def _end_of_batch(arrivals, most, first, start):
    """The first request that does not go along."""
    last = first
    while last < len(arrivals) and last - first < most and arrivals[last] <= start:
        last += 1
    return last


def batches_of(arrivals, most, deadline, seconds_of, *, start=_start, end=_end_of_batch):
    """The batches in turn: (start, requests, end); learners write other rules for `start` and `end`."""
    batches, free, first = [], 0.0, 0
    while first < len(arrivals):
        begun = start(arrivals, most, deadline, first, free)
        last = max(first + 1, end(arrivals, most, first, begun))
        free = begun + seconds_of(last - first)
        batches.append((begun, last - first, free))
        first = last
    return batches


def answers_of(arrivals, most, deadline, seconds_of, **rules):
    """When each request is answered, batch by batch."""
    batches = batches_of(arrivals, most, deadline, seconds_of, **rules)
    return [end for _, requests, end in batches for _ in range(requests)]


def _by(**rules):
    """A server with other rules."""
    return functools.partial(answers_of, **rules)


def _starting(rule):
    """A batch starts at rule(when it is full, its first arrival, the deadline, when the server is free)."""
    return _by(
        start=lambda arrivals, most, deadline, first, free: rule(
            _full(arrivals, most, first), arrivals[first], deadline, free
        )
    )


def _telling(tell):
    """A right server that tells tell(start, requests, end, seconds_of) for each batch."""

    def slip(arrivals, most, deadline, seconds_of):
        batches = batches_of(arrivals, most, deadline, seconds_of)
        return [told for batch in batches for told in tell(*batch, seconds_of)]

    return slip


def _taking(most_taken, arrived=lambda at, start: at <= start):
    """A batch takes at most most_taken(most) of those that have arrived."""

    def end(arrivals, most, first, start):
        last = first
        while last < len(arrivals) and last - first < most_taken(most) and arrived(arrivals[last], start):
            last += 1
        return last

    return _by(end=end)


def _full_time(arrivals, most, deadline, seconds_of):
    return answers_of(arrivals, most, deadline, lambda batch: seconds_of(most))


def _singly(arrivals, most, deadline, seconds_of):
    return answers_of(arrivals, most, deadline, lambda batch: batch * seconds_of(1))


def _alone(arrivals, most, deadline, seconds_of):
    return answers_of(arrivals, 1, deadline, seconds_of)


def _durations(arrivals, most, deadline, seconds_of):
    return [end - at for end, at in zip(answers_of(arrivals, most, deadline, seconds_of), arrivals)]


def _off_by(more, *, whole_too):
    """A batch counts as full with so many requests more than `most`. whole_too: only if `most` are still to come."""

    def start(arrivals, most, deadline, first, free):
        number = max(first, first + most - 1 + more)
        if whole_too:
            number = min(number, len(arrivals) - 1)
        comes = number < len(arrivals) and (not whole_too or first + most <= len(arrivals))
        return max(free, min(arrivals[number] if comes else math.inf, arrivals[first] + deadline))

    return _by(start=start)


def _from_last(arrivals, most, deadline, first, free):
    last = arrivals[min(first + most, len(arrivals)) - 1]
    return max(free, min(_full(arrivals, most, first), last + deadline))


def _from_newest(arrivals, most, deadline, first, free):
    last = first
    while last + 1 < len(arrivals) and last + 1 - first < most and arrivals[last + 1] <= arrivals[last] + deadline:
        last += 1
    return max(free, min(_full(arrivals, most, first), arrivals[last] + deadline))


def _all_there(arrivals, most, deadline, first, free):
    return max(free, arrivals[min(first + most, len(arrivals)) - 1])


def _taken_before_the_wait(full_starts):
    """Only those are taken who are there when the server is free. full_starts: may a later one fill the batch?"""

    def slip(arrivals, most, deadline, seconds_of):
        answers, free, first = [], 0.0, 0
        while first < len(arrivals):
            last = _end_of_batch(arrivals, most, first, max(free, arrivals[first]))
            start = max(free, arrivals[first] + (deadline if last - first < most else 0))
            if full_starts:
                start = _start(arrivals, most, deadline, first, free)
            free = start + seconds_of(last - first)
            answers += [free] * (last - first)
            first = last
        return answers

    return slip


FROM_FIRST = "The deadline counts from the ARRIVAL of the oldest request that waits, {}."
AT_MOST = "A batch has at most `most` requests; the others wait for the next one."
ONE_END = "A batch is worked on as a whole: it takes `seconds_of(its size)`, and all of its answers come at its end."
NOT_FULL = "A batch that is not full starts once its first request has waited `deadline`; it need not get full."
AT_START = "Whoever arrives while a batch waits goes along: count the requests at its START."
IS_FULL = "A batch is full with `most` requests, when number `first + most - 1` arrives."

SERVE_SLIPS = [
    (
        _starting(lambda full, at, deadline, free: max(free, at)),
        "A batch that is not full waits for company, until its first request has waited `deadline`.",
    ),
    (
        _starting(lambda full, at, deadline, free: max(free, at + deadline)),
        "A batch that is full has nothing to wait for: it starts at once if the server is free.",
    ),
    (
        _starting(lambda full, at, deadline, free: min(max(full, free), max(free, at) + deadline)),
        FROM_FIRST.format("not from the moment at which the server is free"),
    ),
    (
        _starting(lambda full, at, deadline, free: max(at, free, min(full, free + deadline))),
        FROM_FIRST.format("not from the moment at which the server is free"),
    ),
    (_by(start=_from_last), FROM_FIRST.format("not of the newest")),
    (_by(start=_from_newest), FROM_FIRST.format("not of the newest")),
    (_starting(lambda full, at, deadline, free: max(free, full)), NOT_FULL),
    (_by(start=_all_there), NOT_FULL),
    (
        _starting(lambda full, at, deadline, free: min(full, at + deadline)),
        "One batch at a time: it starts no earlier than the server is free, that is, at the end of the batch before.",
    ),
    *[(_off_by(more, whole_too=whole), IS_FULL) for more in (1, -1) for whole in (False, True)],
    (_full_time, "A batch takes `seconds_of` of its own size, which may be less than `most`."),
    (_singly, ONE_END),
    (_telling(lambda start, requests, end, seconds_of: [start + seconds_of(1 + i) for i in range(requests)]), ONE_END),
    (
        _telling(lambda start, requests, end, seconds_of: [start + (1 + i) * seconds_of(1) for i in range(requests)]),
        ONE_END,
    ),
    (_alone, "All requests that have arrived by the start go along, up to `most`: here each one is a batch alone."),
    (_taking(lambda most: most, lambda at, start: True), "A batch takes only requests that have arrived by its start."),
    (_taken_before_the_wait(False), AT_START),
    (_taken_before_the_wait(True), AT_START),
    (_taking(lambda most: math.inf), AT_MOST),
    (_taking(lambda most: most + 1), AT_MOST),
    (
        _taking(lambda most: most, lambda at, start: at < start),
        "One that arrives at the very moment of the start goes along: `<=`, not `<`.",
    ),
    (
        _telling(lambda start, requests, end, seconds_of: [end]),
        "Each REQUEST has an answer: a batch of b tells its end b times.",
    ),
    (
        _telling(lambda start, requests, end, seconds_of: [start] * requests),
        "The answers come at the END of a batch: its start plus `seconds_of(b)`.",
    ),
    (_durations, "Return the TIME of each answer, not how long the request has waited."),
]

"""Right answers for chapter 8's checks, and the slips that they recognise."""

from __future__ import annotations

import math

import numpy as np

# 1


def times_as_fast(serial, workers, talk):
    """1 / (serial + (1 − serial) / workers + talk · (workers − 1)); Amdahl (1967), with talking."""
    return 1 / (serial + (1 - serial) / workers + talk * (workers - 1))


SPEED_UP_SLIPS = [
    (
        lambda s, n, t: s + (1 - s) / n + t * (n - 1),
        "This is the time that is left; the question is how many times as fast.",
    ),
    (lambda s, n, t: 1 / (s + (1 - s) / n), "Talking to the other workers takes time too."),
    (lambda s, n, t: 1 / (s + (1 - s) / n + t * n), "Nobody talks to itself: one worker talks to none."),
    (lambda s, n, t: 1 / (s + 1 / n + t * (n - 1)), "Only the part 1 − serial is shared."),
]

# 2


def share_of(spans, lane):
    """The share of the whole time in which the lane has at least one span."""
    whole = max(end for _, _, end in spans) - min(start for _, start, _ in spans)
    busy, until = 0.0, -math.inf
    for start, end in sorted((start, end) for name, start, end in spans if name == lane):
        busy += max(0.0, end - max(start, until))
        until = max(until, end)
    return busy / whole


def _sum_share(spans, lane):
    whole = max(end for _, _, end in spans) - min(start for _, start, _ in spans)
    return sum(end - start for name, start, end in spans if name == lane) / whole


def _from_zero(spans, lane):
    whole = max(end for _, _, end in spans)
    return share_of([*spans, ("?", 0.0, whole)], lane)


BUSY_SLIPS = [
    (_sum_share, "Two spans of one lane may overlap. That time counts once."),
    (_from_zero, "The time begins with the first start, which need not be 0."),
]

# 3


def accepted(seen, packets, now, oldest):
    """The games of new packets that are young enough; their names go into `seen`."""
    taken = []
    for name, version, games in packets:
        if name not in seen and now - version <= oldest:
            seen.add(name)
            taken += games
    return taken


def _old_are_seen(seen, packets, now, oldest):
    taken = []
    for name, version, games in packets:
        if name not in seen and now - version <= oldest:
            taken += games
        seen.add(name)
    return taken


def _never_noted(seen, packets, now, oldest):
    return [game for name, version, games in packets if name not in seen and now - version <= oldest for game in games]


ACCEPT_SLIPS = [
    (_old_are_seen, "A packet that was refused for its age has not been counted, so its name is not noted."),
    (_never_noted, "Note the name of each packet that counts, in `seen`, or it counts once more next time."),
]

# 6


def batches_of(arrivals, most, deadline, seconds_of, *, full_starts=True):
    """The batches in turn: (start, requests, end). With `full_starts` false a full batch waits out its deadline too."""
    batches, free, first = [], 0.0, 0
    while first < len(arrivals):
        full = arrivals[first + most - 1] if full_starts and first + most <= len(arrivals) else math.inf
        start = max(free, min(full, arrivals[first] + deadline))
        last = first
        while last < len(arrivals) and last - first < most and arrivals[last] <= start:
            last += 1
        free = start + seconds_of(last - first)
        batches.append((start, last - first, free))
        first = last
    return batches


def answers_of(arrivals, most, deadline, seconds_of, **how):
    """When each request is answered, batch by batch."""
    return [
        end for _, requests, end in batches_of(arrivals, most, deadline, seconds_of, **how) for _ in range(requests)
    ]


def _without_deadline(arrivals, most, deadline, seconds_of):
    return answers_of(arrivals, most, 0.0, seconds_of)


def _until_full(arrivals, most, deadline, seconds_of):
    return answers_of(arrivals, most, deadline, seconds_of, full_starts=False)


SERVE_SLIPS = [
    (_without_deadline, "A batch that is not full waits for company, until its first request has waited `deadline`."),
    (_until_full, "A batch that is full has nothing to wait for: it starts at once if the server is free."),
]

# 7


class RightServer:
    """A parameter server."""

    def __init__(self, weights, rate, oldest):
        self.weights = np.array(weights, dtype=float)
        self.rate, self.oldest, self.version = rate, oldest, 0

    def pull(self):
        """(version, weights)."""
        return self.version, self.weights.copy()

    def push(self, version, gradient) -> bool:
        """Whether the gradient counted."""
        age = self.version - version
        if not 0 <= age <= self.oldest or not np.isfinite(gradient).all():
            return False
        self.weights -= self.rate / (1 + age) * np.asarray(gradient)
        self.version += 1
        return True


class _Undamped(RightServer):
    def push(self, version, gradient) -> bool:
        if not 0 <= self.version - version <= self.oldest or not np.isfinite(gradient).all():
            return False
        self.weights -= self.rate * np.asarray(gradient)
        self.version += 1
        return True


class _AnyAge(RightServer):
    def push(self, version, gradient) -> bool:
        self.oldest = math.inf
        return super().push(version, gradient)


SERVER_SLIPS = [
    (_Undamped, "An old gradient counts less: divide it by 1 + its age."),
    (_AnyAge, "A gradient that is older than `oldest` versions is refused."),
]

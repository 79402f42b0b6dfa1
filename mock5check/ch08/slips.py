"""Right answers for chapter 8's checks, and the slips that they recognise."""

from __future__ import annotations

import math

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
    first, last = min(start for _, start, _ in spans), max(end for _, _, end in spans)
    return share_of(spans, lane) * (last - first) / last


def _last_end(spans, lane):
    """Counted until the last span's end, even if an earlier one ends later."""
    whole = max(end for _, _, end in spans) - min(start for _, start, _ in spans)
    busy, until = 0.0, -math.inf
    for start, end in sorted((start, end) for name, start, end in spans if name == lane):
        busy += max(0.0, end - max(start, until))
        until = end
    return busy / whole


def _unsorted(spans, lane):
    whole = max(end for _, _, end in spans) - min(start for _, start, _ in spans)
    busy, until = 0.0, -math.inf
    for start, end in [(start, end) for name, start, end in spans if name == lane]:
        busy += max(0.0, end - max(start, until))
        until = max(until, end)
    return busy / whole


def _own_time(spans, lane):
    own = [span for span in spans if span[0] == lane]
    return share_of(own, lane) if own else 0.0


BUSY_SLIPS = [
    (_sum_share, "Two spans of one lane may overlap. That time counts once."),
    (_from_zero, "The time begins with the first start, which need not be 0."),
    (_last_end, "A span may lie within another one: what was counted up to is the LATEST end so far, not the last."),
    (_unsorted, "The spans come in any order. Sort the lane's by their start first."),
    (_own_time, "The whole time is that of ALL spans, not only of this lane's."),
    (lambda spans, lane: 1 - share_of(spans, lane), "That is the share in which the lane was idle."),
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


def _accepting(young, *, first_note=True, fits_all=False):
    """Slips of one kind: which ages count; are names noted at once?"""

    def slip(seen, packets, now, oldest):
        taken, names = [], set()
        for name, version, games in packets:
            if name not in seen and young(now - version, oldest):
                (seen if first_note else names).add(name)
                taken += [games] if fits_all else games
        seen |= names
        return taken

    return slip


def _stops_at_the_first(seen, packets, now, oldest):
    taken = []
    for name, version, games in packets:
        if name in seen or now - version > oldest:
            break
        seen.add(name)
        taken += games
    return taken


def _another_set(seen, packets, now, oldest):
    return accepted(set(seen), packets, now, oldest)


def _different_games(seen, packets, now, oldest):
    return list(dict.fromkeys(accepted(seen, packets, now, oldest)))


def _at_most(age, oldest):
    return age <= oldest


ACCEPT_SLIPS = [
    (_old_are_seen, "A packet that was refused for its age has not been counted, so its name is not noted."),
    (_never_noted, "Note the name of each packet that counts, in `seen`, or it counts once more next time."),
    (_accepting(lambda age, oldest: age < oldest), "A packet that is exactly `oldest` versions old counts."),
    (_accepting(lambda age, oldest: 0 <= age <= oldest), "A packet from ahead has an age below 0, and it counts."),
    (_accepting(lambda age, oldest: abs(age) <= oldest), "A packet from ahead has an age below 0, and it counts."),
    (_accepting(lambda age, oldest: True), "Packets that are too old do not count."),
    (_accepting(_at_most, first_note=False), "One name may come twice in one list: note it at once, not at the end."),
    (_accepting(_at_most, fits_all=True), "This is a list of lists. Add the games one by one: `+=` or `extend`."),
    (_stops_at_the_first, "A packet that is refused does not end the loop: those after it may count."),
    (_another_set, "The names went into a new set. Change the caller's own: `seen.add(name)`."),
    (_different_games, "Two games may be equal; both count. Only the names of packets must be new."),
]


class Afterwards:
    """What came back, and the names in `seen` after the call; shown side by side."""

    def __init__(self, taken: list, seen: set):
        self.taken, self.seen = taken, sorted(seen, key=repr)

    def __eq__(self, other) -> bool:
        return self.taken == other.taken and self.seen == other.seen

    __hash__ = None

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.seen)) if len(self.seen) < 9 else f"{len(self.seen)} names"
        return f"{self.taken!r}, and seen = {f'{{{names}}}' if names else 'set()'} afterwards"


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

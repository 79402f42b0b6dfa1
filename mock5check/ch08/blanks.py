"""What the reader of chapter 8 types: virtual loss, a padded batch, a round, and one that survives a lost worker."""

import math

import numpy as np

from mock5check.core import Refused
from mock5check.spec import exercise


def counts(rng):
    """(w, v, in_flight, parent_visits, parent_in_flight, c)"""
    yield from ((6.0, 10, 0, 40, 0, 1.4), (6.0, 10, 3, 40, 3, 1.4), (0.0, 0, 1, 0, 2, 1.4), (6.0, 10, 3, 40, 8, 0.0))
    for v, in_flight, others, busy in rng.integers(0, 12, (40, 4)):
        w, lone = float(rng.integers(0, 2 * v + 1)) / 2, int(v == 0)  # a child without visits has a playout in flight
        c = float(rng.choice([0.5, 1.4]))
        case = w, int(v), int(in_flight) + lone, int(v + others), int(in_flight + busy) + lone, c
        if case[3] + case[4] > 0:
            yield case


@exercise(
    cases=counts,
    why="A playout in flight counts as a visit, of the child and of its parent, and as a loss: it adds nothing to w.",
)
def shared_value(w, v, in_flight, parent_visits, parent_in_flight, c):
    """The UCT value of a child; playouts in flight count as lost until they land."""
    visits = v + in_flight
    return w / visits + c * math.sqrt(math.log(parent_visits + parent_in_flight) / visits)


def batches(rng):
    """(planes, size)"""
    for boards, size in ((1, 4), (3, 4), (4, 4), (1, 1), (5, 16), (2, 3)):
        yield rng.integers(0, 2, (boards, 3, 2, 2)).astype(np.float32), size


def asked(solution, planes, size):
    """What comes back, and the shape of the one batch that the net was asked about."""
    shapes = []

    def net(batch):
        if not isinstance(batch, np.ndarray):
            raise Refused("The net takes an array of planes.")
        shapes.append(batch.shape)
        numbers = batch.reshape(len(batch), -1) @ np.arange(1.0, 13.0) if batch.shape[1:] == planes.shape[1:] else []
        return np.outer(numbers, [1.0, -2.0, 3.0, 0.5]), np.asarray(numbers) / 100

    answer = solution(net, planes, size)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise Refused("Return two arrays: the log-priors and the values.")
    return *answer, shapes


@exercise(
    cases=batches,
    observe=asked,
    call=lambda planes, size: f"padded_answers(net, planes of {len(planes)} boards, {size})",
    why="The net is asked once, about a batch of `size` boards, ours first; of its answers only ours come back.",
)
def padded_answers(net, planes, size):
    """A net's answers for these boards, asked in one batch padded to `size`."""
    batch = np.zeros((size, *planes.shape[1:]), planes.dtype)
    batch[: len(planes)] = planes
    log_priors, values = net(batch)
    return log_priors[: len(planes)], values[: len(planes)]


def teams(rng):
    """(workers, the round's number): how many workers there are"""
    yield from ((2, 1), (1, 1), (1, 5), (2, 7), (4, 3))


def with_a_diary(solution, workers, number):
    """The packets, and what was done in turn; answers that are fetched one after the other are one entry."""
    diary = []

    def put(value):
        diary.append("weights stored")
        return "ref", value

    class Worker:
        def __init__(self, place):
            self.place, self.play = place, self

        def remote(self, weights, number):
            how = "" if weights == ("ref", "weights") else " without what `put` returned"
            diary.append(f"worker {self.place} asked for round {number}{how}")
            return f"promise of {self.place}"

    def get(promises):
        if diary[-1:] != ["answers fetched"]:
            diary.append("answers fetched")
        one = isinstance(promises, str)
        return promises.replace("promise", "games") if one else [get(promise) for promise in promises]

    return solution([Worker(place) for place in range(workers)], "weights", number, put, get), diary


@exercise(
    cases=teams,
    observe=with_a_diary,
    call=lambda workers, number: f"played_round({workers} workers, the weights, {number}, put, get)",
    why="The weights are stored once, every worker is asked, in order, and only then are the answers fetched.",
)
def played_round(workers, state, number, put, get):
    """The packets of a round: weights stored once, all asked, then all fetched."""
    weights = put(state)
    asked = [worker.play.remote(weights, number) for worker in workers]
    return get(asked)


class Lost(Exception):
    """What `get` raises where a worker has gone."""


def rounds(rng):
    """(workers, lost): how many there are, and which of them are gone"""
    yield from ((1, ()), (2, ()), (1, (0,)), (2, (0,)), (3, (2,)), (3, (0, 2)), (4, (0, 1, 2, 3)))


def with_losses(solution, workers, lost):
    """The packets, and who was asked again."""
    again, references = [], [f"reference {place}" for place in range(workers)]

    def get(reference):
        if reference in [references[place] for place in lost]:
            raise Lost
        return f"games of {reference}"

    def ask_again(place):
        again.append(place)
        return f"{place}, asked again"

    return solution(references, get, ask_again, Lost), again


@exercise(
    cases=rounds,
    observe=with_losses,
    call=lambda workers, lost: f"collected(references of {workers} workers, get, ask_again, gone), lost: {list(lost)}",
    why="A packet from each worker, in order. Where `get` raises `gone`, that place, and no other, is asked again.",
)
def collected(references, get, ask_again, gone):
    """The packets of a round; where a worker is gone, its place is asked again."""
    packets = []
    for place, reference in enumerate(references):
        try:
            packets.append(get(reference))
        except gone:
            packets.append(get(ask_again(place)))
    return packets

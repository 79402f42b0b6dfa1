"""What the reader of chapter 8 types: virtual loss, a padded batch, a round, and one that survives a lost worker."""

import math

import numpy as np

from mock5check.answers import NO_RETURN, Facts, show
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
    why="w / (v + o) + c · √(ln(V + O) / (v + o)). The playouts in flight, o below the child and O below its parent, "
    "count as visits that won nothing.",
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
    if answer is None:
        raise Refused(NO_RETURN)
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise Refused("Return two arrays: the log-priors and the values.")
    told = {"batches the net was asked about": " and ".join(map(str, shapes)) or "none"}
    return Facts(told | {"log-priors": _as_is(answer[0]), "values": _as_is(answer[1])})


def _as_is(part):
    return part if isinstance(part, np.ndarray) else show(part)


@exercise(
    cases=batches,
    observe=asked,
    call=lambda planes, size: f"padded_answers(net, planes, {size}), with {len(planes)} board{'s' * (len(planes) > 1)}",
    why="Ask the net once, about a batch of `size` boards with ours first. Return only the answers about ours.",
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


IDLE = 1  # of three workers or more, this one has finished no game: its packet is None


def packet_of(place: int, workers: int, said: str):
    """What a worker sends."""
    return None if place == IDLE and workers > 2 else said


def listed(references) -> list:
    """What `ray.get` takes, beside a single reference."""
    if not isinstance(references, list):
        raise Refused(f"`get` takes a reference or a list of them. This is of type {type(references).__name__}.")
    return references


def all_of(workers: int) -> str:
    """How many workers there are, in words."""
    idle = f", of which number {IDLE} has finished no game, so that its packet is None" if workers > 2 else ""
    return f"{workers} worker{'s' * (workers > 1)}{idle}"


def with_a_diary(solution, workers, number):
    """The packets, and what was done, step by step; answers that are fetched one after the other are one step."""
    diary = []

    def put(value):
        diary.append("the weights were stored")
        return f"reference to the {value}"

    class Worker:
        def __init__(self, place):
            self.place, self.play = place, self

        def __call__(self, *_):
            raise Refused("A worker's method is started by `.remote(…)`: worker.play.remote(weights, number).")

        def remote(self, weights, number):
            how = "" if weights == "reference to the weights" else ", but not with what `put` returned"
            diary.append(f"worker {self.place} was asked for round {number}{how}")
            return f"promise of worker {self.place}"

    def get(promises):
        if diary[-1:] != ["answers were fetched"]:
            diary.append("answers were fetched")
        if not isinstance(promises, str):
            return [get(promise) for promise in listed(promises)]
        if not promises.startswith("promise"):
            raise Refused("`get` is for the packets. Hand the workers what `put` returned, as it is.")
        return packet_of(int(promises.split()[-1]), workers, promises.replace("promise", "games"))

    packets = solution([Worker(place) for place in range(workers)], "weights", number, put, get)
    if not isinstance(packets, (list, tuple)):
        raise Refused(NO_RETURN if packets is None else "Return a list, with a packet of each worker.")
    steps = {f"step {place}": step for place, step in enumerate(diary, 1)}
    return Facts(steps | {"the packets": ", ".join(map(str, packets))})


@exercise(
    cases=teams,
    observe=with_a_diary,
    call=lambda workers, number: f"played_round(workers, state, {number}, put, get), with {all_of(workers)}",
    why="Store the weights once, then ask every worker, in order, and only then fetch the answers.",
)
def played_round(workers, state, number, put, get):
    """The packets of a round: weights stored once, all asked, then all fetched."""
    weights = put(state)
    asked = [worker.play.remote(weights, number) for worker in workers]
    return get(asked)


class Lost(Exception):
    """What `get` raises where a worker has gone."""


class Bug(Exception):
    """What `get` raises where a worker has a bug."""


def rounds(rng):
    """(workers, lost): how many there are, and which of them are gone"""
    yield from ((1, ()), (2, ()), (1, (0,)), (2, (0,)), (3, (2,)), (3, (0, 2)), (4, (0, 1, 2, 3)))
    yield 2, (BUG,)


BUG = -1  # in place of a lost worker: the last one's packet can't be read, for a reason that isn't a loss


def with_losses(solution, workers, lost):
    """The packets, and who was asked again."""
    again, references = [], [f"promise of worker {place}" for place in range(workers)]
    without_answer = [references[place] for place in lost]

    def get(reference):
        if not isinstance(reference, str):
            return [get(one) for one in listed(reference)]
        if reference in without_answer:
            raise Bug if BUG in lost else Lost
        return packet_of(int(reference.split()[3]), workers, reference.replace("promise", "games"))

    def ask_again(place):
        if place not in range(workers):
            raise Refused(f"`ask_again` takes a worker's place, 0, 1, …, and this is {show(place)}.")
        again.append(place)
        return f"promise of worker {place} when asked again"

    try:
        packets = solution(references, get, ask_again, Lost)
    except Bug:
        packets = ["it raised the worker's Bug"]
    if not isinstance(packets, (list, tuple)):
        raise Refused(NO_RETURN if packets is None else "Return a list, with a packet of each worker.")
    told = {"places asked again": ", ".join(map(str, again)) or "none"}
    return Facts(told | {"the packets": ", ".join(map(str, packets))})


@exercise(
    cases=rounds,
    observe=with_losses,
    lets_through=(Bug,),
    call=lambda workers, lost: (
        f"collected(references, get, ask_again, gone), with {all_of(workers)}; "
        + ("the last makes `get` raise another error, Bug" if BUG in lost else f"these are gone: {list(lost)}")
    ),
    why="Return a packet from each worker, in order. Where `get` raises `gone`, ask that place again, and no other. "
    "Any other error is a bug: let it through.",
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

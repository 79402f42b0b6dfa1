"""The check of virtual loss: every node is looked at after each `fly` and each `land`, also with several in flight."""

import numpy as np

from mock5check.answers import show
from mock5check.core import graded, the_one_slip
from mock5check.watch import bounded

SEED = 5


class Node:
    """What the exercises' trees are made of."""

    def __init__(self, visits=0, value_sum=0.0):
        self.visits, self.value_sum = visits, value_sum

    def __repr__(self):
        return f"Node(visits={self.visits}, value_sum={self.value_sum:g})"


def pair_of(
    *,
    loss=1,
    back=None,
    root=(0, 0),
    visits=1,
    again=0,
    flip=-1,
    leaf=1,
    from_root=False,
    on=lambda up: True,
    swing=None,
) -> tuple:
    """The right (fly, land); the options make them wrong. on: which nodes, by plies above the leaf, get the value."""
    back = loss if back is None else back

    def signed(place, length):
        return {None: 1, "root": (-1) ** (place - 1), "leaf": (-1) ** (length - 1 - place)}[swing]

    def fly(path):
        for place, node in enumerate(path):
            node.visits += visits
            node.value_sum += loss * signed(place, len(path)) if place else root[0]

    def land(path, value):
        for place, node in enumerate(path):
            up = len(path) - 1 - place
            node.visits += again
            node.value_sum -= back * signed(place, len(path)) if place else root[1]
            node.value_sum += on(up) * leaf * value * flip ** (place if from_root else up)

    return fly, land


VIRTUAL_LOSS = "A node's value_sum belongs to who moves THERE. A loss for the player who chose it is a win there: +1."
NOT_THE_ROOT = "Nobody chose the root: it gets the visit, and no loss."
FLIGHT_SLIPS = [
    (pair_of(loss=-1), VIRTUAL_LOSS),
    (pair_of(loss=-1, back=1), VIRTUAL_LOSS),
    (pair_of(loss=0), "The loss is missing: below the root fly adds 1 to value_sum."),
    (pair_of(loss=0, back=1), "The loss is missing: below the root fly adds 1 to value_sum."),
    (pair_of(root=(1, 1)), NOT_THE_ROOT),
    (pair_of(root=(1, 0)), NOT_THE_ROOT),
    (pair_of(root=(0, 1)), "fly gives the root no loss, so land has none to take off there."),
    (pair_of(root=(-1, -1), loss=-1), VIRTUAL_LOSS + " And nobody chose the root: no loss there."),
    (pair_of(visits=0), "The visits are missing: fly counts one for every node."),
    (pair_of(visits=0, again=1), "The visit is counted in fly, while the leaf waits, and not in land."),
    (pair_of(again=1), "fly has counted the visit already: land must not count it again."),
    (pair_of(again=-1), "land takes the losses back, not the visits: the leaf was visited."),
    (pair_of(back=0), "land must first take off what fly added: 1 at every node below the root."),
    (pair_of(back=-1), "land ADDS the loss once more. Take off what fly added."),
    (pair_of(back=2), "land takes off more than fly added."),
    (pair_of(flip=1), "The value changes its sign from ply to ply: what is good for one player is bad for the other."),
    (pair_of(from_root=True), "The value belongs to the player to move at the LEAF: begin there and go up."),
    (
        pair_of(leaf=-1),
        "The leaf gets the value as it is: it belongs to the player to move there. Its parent gets minus.",
    ),
    (pair_of(on=lambda up: up > 0), "The leaf itself gets no value."),
    (pair_of(on=lambda up: up == 0), "Only the leaf gets the value: back it up to the root."),
    (pair_of(on=lambda up: False), "The value is never entered."),
    (pair_of(swing="root"), "Every node below the root was lost by whoever chose it: +1 in each, no change of sign."),
    (pair_of(swing="leaf"), "Every node below the root was lost by whoever chose it: +1 in each, no change of sign."),
]


def flights() -> list:
    """[(what it is, the nodes' (visits, value_sum), paths as places of nodes, landings as (path, value))]."""
    rng, found = np.random.default_rng(SEED), []
    for depth in (1, 2, 3, 5):
        start = [(int(rng.integers(1, 20)), float(rng.integers(-8, 9)) / 2) for _ in range(depth)]
        found.append(("one path", start, [tuple(range(depth))], [(0, float(rng.integers(-4, 5)) / 4)]))
    nodes = [(5, 1.0), (2, -1.0), (1, 0.5), (3, 0.5)]
    return found + [
        ("two leaves of one parent", nodes, [(0, 1), (0, 2)], [(1, 0.5), (0, -1.0)]),
        ("two leaves, and the first lands first", nodes, [(0, 1), (0, 2, 3)], [(0, 0.5), (1, -1.0)]),
        ("the same leaf twice", nodes, [(0, 1), (0, 1)], [(0, 0.25), (1, 0.25)]),
        ("a node and its child", nodes, [(0, 1), (0, 1, 2)], [(1, -0.5), (0, 1.0)]),
        ("two leaves that share a child of the root", nodes, [(0, 1, 2), (0, 1, 3)], [(1, 0.5), (0, 0.75)]),
        ("three times the same leaf", nodes, [(0, 1, 2)] * 3, [(2, 1.0), (0, 0.0), (1, -1.0)]),
    ]


def state_of(nodes: list) -> list:
    """[(visits, value_sum), …]"""
    return [(node.visits, node.value_sum) for node in nodes]


def observed(pair, what, start, paths, landings) -> list:
    """What the nodes hold after each step: the flights in their order, then the landings."""
    nodes, states = [Node(*numbers) for numbers in start], []
    steps = [(pair[0], path) for path in paths] + [(pair[1], paths[which], value) for which, value in landings]
    for function, path, *value in steps:
        function([nodes[i] for i in path], *value)
        states.append(state_of(nodes))
    return states


@graded
def virtual_loss(trial, fly, land) -> None:
    """Check `fly(path)` and `land(path, value)`: a lost visit while the leaf waits, and no trace of it afterwards."""
    for flight in flights():
        _one_flight(trial, fly, land, *flight)


def _one_flight(trial, fly, land, what: str, start: list, paths: list, landings: list) -> None:
    """Take the steps one by one and look at every node after each."""
    rights = observed(pair_of(), what, start, paths, landings)
    nodes, done = [Node(*numbers) for numbers in start], []
    steps = [("fly", path, None) for path in paths] + [("land", paths[which], value) for which, value in landings]
    for (name, places, value), right in zip(steps, rights):
        path = [nodes[i] for i in places]
        kept, args = list(path), (path,) if name == "fly" else (path, value)
        done.append(f"fly({list(places)})" if name == "fly" else f"land({list(places)}, {value:g})")
        call = (
            f"{', then '.join(done)}\n{what}; a path is shown by the numbers of its nodes, and 0 is the root.\n"
            f"At first their (visits, value_sum) were {show(start)}."
        )
        answer = trial.call(fly if name == "fly" else land, *args, may_change=(0,), shown=call)
        trial.require(answer is None, "It changes the nodes and returns nothing.", call=call)
        _path_is_whole(trial, path, kept, call)
        for i, (mine, theirs) in enumerate(zip(state_of(nodes), right)):
            if not np.allclose(mine, theirs):
                trial.fail(
                    f"Node {i} now has visits {mine[0]:g} and value_sum {mine[1]:g}; right is {theirs[0]:g} and "
                    f"{theirs[1]:g}. {_why(name, i, places, value)}",
                    call=call,
                    hint=the_one_slip((bounded(fly), bounded(land)), flights(), FLIGHT_SLIPS, observed),
                )
            trial.cases += 1


def _path_is_whole(trial, path: list, kept: list, call: str) -> None:
    """The list itself must be as it was."""
    if len(path) != len(kept):
        trial.fail("The path itself lost or gained a node. Only the nodes change.", call=call)
    if any(mine is not theirs for mine, theirs in zip(path, kept)):
        how = "reversed" if all(mine is theirs for mine, theirs in zip(path, kept[::-1])) else "changed"
        trial.fail(f"The path itself was {how}. Only the nodes change: `reversed(path)` leaves the list.", call=call)


def _why(name: str, node: int, places: tuple, value) -> str:
    """What this step means for this node."""
    if node not in places:
        text = "It is not on this path, so nothing happens to it"
        return f"{text}." if name == "fly" else f"{text}: its own loss stays until its own answer is in."
    if name == "fly":
        return (
            "The root gets a visit; nobody chose it."
            if node == 0
            else "It gets a visit, and a loss for the player who chose it."
        )
    up = len(places) - 1 - places.index(node)
    text = f"It is {up} {'ply' if up == 1 else 'plies'} above the leaf" if up else "It is the leaf"
    taken = "; the loss of this one flight goes, any other stays" if node else ""
    return f"{text}, so the value counts {value * (-1) ** up:+g} here{taken}."

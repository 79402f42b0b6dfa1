"""Virtual loss, declared as a script: flights and landings, and every node on their paths after each."""

from mock5check.script import script


class Node:
    """What the exercises' trees are made of."""

    def __init__(self, visits=0, value_sum=0.0):
        self.visits, self.value_sum = visits, value_sum


def flights(rng):
    """One leaf or several at once, whose answers come in any order."""
    nodes = "root, a, b, c = Node(5, 1.0), Node(2, -1.0), Node(1, 0.5), Node(3, 0.5)"
    for one, two, *steps in (
        ("[root]", "[root, a]", "fly(one)", "land(one, 0.25)"),
        ("[root, a]", "[root, b]", "fly(one)", "land(one, 0.75)"),
        ("[root, a, c]", "[root, b]", "fly(one)", "land(one, 0.75)", "fly(one)", "land(one, -0.5)"),
        ("[root, a]", "[root, b]", "fly(one)", "fly(two)", "land(two, -1.0)", "land(one, 0.5)"),
        ("[root, a]", "[root, b, c]", "fly(one)", "fly(two)", "land(one, 0.5)", "land(two, -1.0)"),
        ("[root, a]", "[root, a, b]", "fly(one)", "fly(two)", "land(two, -0.5)", "land(one, 1.0)"),
        ("[root, a, b]", "[root, a, c]", "fly(one)", "fly(two)", "land(two, 0.5)", "land(one, 0.75)"),
        ("[root, a, b]", "[root]", "fly(one)", "fly(one)", "fly(one)", "land(one, 1.0)", "land(one, 0.0)"),
    ):
        yield [nodes, f"one = {one}", f"two = {two}", *steps]


def paths_in(names: dict) -> list[str]:
    """The lines that show each path's nodes."""
    paths = [name for name, value in names.items() if isinstance(value, list)]
    return [f"[(node.visits, node.value_sum) for node in {name}]" for name in paths]


def fly(path):
    """Count a visit, and a loss for whoever chose each node, while the leaf waits."""
    path[0].visits += 1
    for node in path[1:]:
        node.visits += 1
        node.value_sum += 1


def land(path, value):
    """Take the virtual loss back and enter the true value."""
    for node in path[1:]:
        node.value_sum -= 1
    for node in reversed(path):
        node.value_sum += value
        value = -value


virtual_loss = script(
    "virtual_loss",
    fly,
    land,
    cases=flights,
    given={"Node": Node},
    looks=paths_in,
    why="Nodes are shown as (visits, value_sum), from the root to the leaf. `fly` adds a visit to all of them, and 1 "
    "to the value_sum of those below the root. `land` takes this flight's 1 back and enters the value: as it is at the "
    "leaf, with a minus at its parent, and so on up. Other flights' losses stay.",
)

"""Virtual loss, declared: batches of leaves, whose losses stand while they wait and are gone afterwards."""

from mock5check import answers
from mock5check.answers import Outcome, show
from mock5check.ch01.grown import grown_tree, in_words, places
from mock5check.script import script
from mock5lib.search.uct import Node, expand, player_into, select, take_back


def points_for(node, winner):
    """The score of the player who moved into `node`: 1 win, 1/2 draw, 0 loss."""
    return 0.5 if winner == 0 else float(winner == player_into(node))


def select_leaves(root, game, batch, loss):
    """Select and expand `batch` leaves, each with a virtual loss of `loss` visits from it up to the root."""
    leaves = []
    for _ in range(batch):
        leaf = expand(select(root, game), game, None)
        leaves.append(leaf)
        node = leaf
        while node is not None:
            node.visits += loss
            node = node.parent
        take_back(leaf, root, game)
    return leaves


def finish(leaf, winner, loss):
    """Take the leaf's virtual loss back and enter its result, up to the root."""
    node = leaf
    while node is not None:
        node.visits += 1 - loss
        node.wins += points_for(node, winner)
        node = node.parent


class Changes:
    """What has changed in a tree since it was last asked: {which node: "w/v → w/v"}."""

    def __init__(self, root):
        self.root, self.seen = root, {}
        self()

    def __call__(self) -> dict:
        before, self.seen = (
            self.seen,
            {moves: f"{node.wins:g}/{node.visits}" for moves, node in places(self.root).items()},
        )
        changed = sorted((moves for moves in self.seen if self.seen[moves] != before.get(moves)), key=len)
        told = {in_words(moves): f"{before.get(moves, 'new')} → {self.seen[moves]}" for moves in changed}
        return answers.Changes(told)


def moves_to(leaf):
    """The moves from the root to a leaf."""
    if not isinstance(leaf, Node):
        return Outcome(f"{show(leaf)}, which isn't a node")
    moves = []
    while leaf.parent is not None:
        moves, leaf = [leaf.move, *moves], leaf.parent
    return moves


def batches(rng):
    """Batches from a fresh tree, from grown ones, and where one leaf of a finished game comes again and again."""
    some = [([0, 4, 8], 30, 1, 1), ([0, 4, 8], 30, 4, 1), ([], 60, 8, 1), ([4], 40, 6, 3), ([0, 4], 200, 8, 2)]
    some += [([0, 4, 8, 2], 120, 12, 1), ([], 0, 3, 1), ([0, 1, 2, 4, 3, 5, 7, 6], 3, 8, 1), ([0, 3, 1, 4, 2], 3, 4, 2)]
    for history, simulations, batch, loss in some:
        steps = [f"root, game = grown_tree({history}, {simulations})", "changes = Changes(root)"]
        for _ in range(2):
            steps += [f"leaves = select_leaves(root, game, {batch}, {loss})", "[moves_to(leaf) for leaf in leaves]"]
            steps += ["len(game.history)", "changes()"]
            for number in rng.permutation(batch).tolist():
                steps += [f"finish(leaves[{number}], {rng.integers(3)}, {loss})", "changes()"]
        yield steps


WORDS = (
    "\n(grown_tree(moves, n): a tree of n simulations after these moves. moves_to(leaf): the moves from the root to "
    "it. changes(): which nodes have changed since the last look.)"
)


def because(line: str, names: dict) -> str:
    """What is said of a line on which they differ."""
    return reason(line) + WORDS


def reason(line: str) -> str:
    if line.startswith("[moves_to"):
        return (
            "When a leaf is selected, each one before it counts as lost: `loss` more visits and no points, from that "
            "leaf up to the root itself. List the leaves in order; one that is selected twice is in the list twice."
        )
    if line == "changes()":
        return (
            "While a leaf waits, it and every node above it have `loss` more visits. When the result comes, these go "
            "and it is entered."
        )
    return "After each leaf, put the game back to the root." if "history" in line else "It should return nothing."


virtual_loss = script(
    "virtual_loss",
    select_leaves,
    finish,
    cases=batches,
    why=because,
    given={"grown_tree": grown_tree, "Changes": Changes, "moves_to": moves_to},
)

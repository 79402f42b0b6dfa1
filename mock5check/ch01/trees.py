"""The checks of chapter 1 that look into a search tree: `backup` and `reroot`."""

from copy import deepcopy

import numpy as np

from mock5check.ch01.grown import (
    capital,
    changed_link,
    deepest,
    grown_tree,
    in_words,
    links,
    moved_into,
    places,
    points,
    statistics,
)
from mock5check.core import Trial, graded, the_one_slip
from mock5lib import Mock5
from mock5lib.search.uct.tree import Node

# Back up -----------------------------------------------------------------------------------------------------


def backup_of(node, winner, draw=0.5, loss=0.0, whose=moved_into, until=None, visit=lambda won: 1, kept=1):
    """The right answer to `backup`; the options make it wrong. kept: what is kept of the points before."""
    while node is not until:
        won = points(winner, whose(node))
        node.visits += visit(won)
        node.wins = kept * node.wins + (draw if winner == 0 else won or loss)
        node = node.parent


def _root_of(node):
    while node.parent is not None:
        node = node.parent
    return node


def _mover_of_the_leaf(node, winner):
    mover = moved_into(node)
    backup_of(node, winner, whose=lambda _: mover)


BACKUP_SLIPS = [
    (lambda n, w: backup_of(n, w, whose=lambda node: node.player), "These are the points of who moves NEXT there."),
    (
        lambda n, w: backup_of(n, w, whose=lambda node: node.player if node.parent else 3 - node.player),
        "Below the root these are the points of who moves NEXT. `wins` are those of who moved INTO the node.",
    ),
    (
        lambda n, w: backup_of(n, w, whose=lambda node: moved_into(node) if node.parent else node.player),
        "At the root nobody moved in. Count for the player who is NOT to move there, 3 - node.player.",
    ),
    (lambda n, w: backup_of(n, w, kept=0), "The score replaces what `wins` held. Add it, with +=."),
    (_mover_of_the_leaf, "Who moved in changes with every step up: work it out anew at each node."),
    (lambda n, w: backup_of(n, w, draw=1), "A draw counts one half, not 1."),
    (lambda n, w: backup_of(n, w, draw=0), "A draw adds nothing here. It counts one half, at every node."),
    (lambda n, w: backup_of(n, w, loss=-1), "A loss earns 0; it does not cost a point."),
    (lambda n, w: backup_of(n, w, until=_root_of(n)), "The root is left out. Go on while the node is not None."),
    (lambda n, w: backup_of(n, w, until=n.parent), "The walk stops at the leaf. Go from node to node.parent."),
    (lambda n, w: backup_of(n, w, visit=lambda won: won == 1), "Every node gets a visit, won or lost."),
    (lambda n, w: backup_of(n, w, visit=lambda won: 0), "The visits are missing: every node gets one more."),
]


@graded
def backup(trial, function) -> None:
    """Check `backup(node, winner)`: from the node up to the root a visit each, and points to who moved into it."""
    rng, cases = np.random.default_rng(4), []
    for number, (history, simulations) in enumerate([([], 30), ([0, 4, 8], 30), ([4], 60), ([0, 4], 100)]):
        root, _ = grown_tree(history, simulations, seed=number)
        lines = list(places(root))
        for moves in [deepest(root), (), *(lines[i] for i in rng.integers(0, len(lines), 6))]:
            cases += [(root, moves, winner) for winner in (1, 2, 0)]
    single = Node(Mock5(3, 3, k=3))  # a root that nobody has looked at yet
    cases += [(single, (), winner) for winner in (2, 1, 0)]
    for case in cases:
        _one_backup(trial, function, cases, *case)


def _after(function, root: Node, leaf: tuple, winner: int) -> list:
    """The statistics of the tree once `function` has entered a result at the leaf."""
    function(places(root)[leaf], winner)
    return [[visits, wins] for visits, wins in statistics(root).values()]


def _one_backup(trial: Trial, function, cases: list, root: Node, leaf: tuple, winner: int) -> None:
    """Call it once on a copy of the tree and look at what every node gained. leaf: the moves to the leaf."""
    nodes = places(deepcopy(root))
    before, joined = statistics(nodes[()]), links(nodes)
    movers = {moves: moved_into(node) for moves, node in nodes.items()}
    call = f"backup(node, {winner}), where node comes after moves {list(leaf)} from the root"
    answer = trial.call(function, nodes[leaf], winner, may_change=(0,), shown=call)
    trial.require(answer is None, "It changes the tree and returns nothing.", call=call)
    for moves in sorted(nodes, key=len, reverse=True):
        node, on_path = nodes[moves], moves == leaf[: len(moves)]
        gained = (node.visits - before[moves][0], node.wins - before[moves][1])
        right = (1, points(winner, movers[moves])) if on_path else (0, 0)
        if not np.allclose(gained, right):
            trial.fail(
                f"{capital(in_words(moves))} should gain visits +{right[0]} and wins +{right[1]:g}, but it gained "
                f"visits {gained[0]:+g} and wins {gained[1]:+g}. {_backup_why(moves, movers[moves], winner, on_path)}",
                call=call,
                hint=the_one_slip(function, cases, BACKUP_SLIPS, _after),
            )
        trial.cases += 1
    found = changed_link(nodes, joined, apart={(moves, name) for moves in nodes for name in ("visits", "wins")})
    if found:
        why = f"Only `visits` and `wins` may change, but `{found[1]}` of {in_words(found[0])} has changed."
        trial.fail(why, call=call)


def _backup_why(moves: tuple, mover: int, winner: int, on_path: bool) -> str:
    if not on_path:
        return "It is not on the way from the leaf to the root, so nothing happens to it."
    who = f"Player {mover} {'moved into it' if moves else 'counts at the root'}"
    return f"{who}; {f'player {winner} won' if winner else 'the result is a draw'}."


# Keep the tree -----------------------------------------------------------------------------------------------


@graded
def reroot(trial, function) -> None:
    """Check `reroot(root, moves)`: the node after these moves as a new root, or None if the tree has none."""
    rng = np.random.default_rng(6)
    for number, history in enumerate([[0, 4, 8], [], [4], [1, 2, 0]]):
        grown, _ = grown_tree(history, 80, seed=number)
        pairs = [moves for moves in places(grown) if len(moves) == 2]
        lines = [pairs[i] for i in rng.integers(0, len(pairs), 5)]
        for moves in [*lines, lines[0][:1], deepest(grown), ()]:
            _reroot_found(trial, function, deepcopy(grown), moves)
        for moves in ((), lines[1][1:]):  # a node with a parent
            _reroot_found(trial, function, places(deepcopy(grown))[lines[1][:1]], moves)
        _reroot_missing(trial, function, places(deepcopy(grown))[lines[1][:1]], (99,))
        for moves in _missing_lines(grown, lines[0][0]):
            _reroot_missing(trial, function, deepcopy(grown), moves)
    _other_moves(trial, function)
    _twice_the_same(trial, function)


def _other_moves(trial: Trial, function) -> None:
    """Large numbers and pairs are moves, too; and a move that comes further down only is not there."""
    for first, second in ((1000, 2000), ((0, 1), (1, 2))):
        for tried in ((first, second), (second,)):
            root = Node(Mock5(3, 3, k=3))
            root.children = [Node(Mock5(3, 3, k=3), move, root) for move in tried]
            root.children[-1].children = [Node(Mock5(3, 3, k=3), first, root.children[-1])]
            equal = int(str(second)) if isinstance(second, int) else tuple(list(second))  # equal, and another object
            _reroot_found(trial, function, deepcopy(root), (equal, first))
            if tried == (second,):
                _reroot_missing(trial, function, deepcopy(root), (first,))  # it comes as the reply only


def _twice_the_same(trial: Trial, function) -> None:
    """In some games the reply has the same number, as a column does: the root's own move is not the first one here."""
    above = Node(Mock5(3, 3, k=3))
    root = Node(Mock5(3, 3, k=3), 3, above)
    above.children = [root]
    root.children = [Node(Mock5(3, 3, k=3), 3, root)]
    _reroot_found(trial, function, root, (3,))


def _missing_lines(root: Node, move: int) -> list:
    """Moves that the tree does not have: untried ones first, then some that go on below, then impossible ones."""
    tree = places(root)
    untried = [(*moves, node.untried[-1]) for moves, node in tree.items() if node.untried]
    untried = sorted(untried, key=len)
    below = [(*line, next(other for other in range(9) if other not in line)) for line in untried[-1:] if len(line) < 9]
    return [*untried[:1], *untried[-1:], *below, (move, move), (-1, 0), (move, 99)]


def _reroot_found(trial: Trial, function, root: Node, moves: tuple) -> None:
    tree = places(root)
    right = tree[moves]
    before = links(tree)
    call = f"reroot(root, {list(moves)}), where the tree has this line{_inner(root)}"
    node = trial.call(function, root, list(moves), may_change=(0,), shown=call)
    if node is not right:
        why = f"The tree has {in_words(moves)}." if moves else "No move was made: the root stays the root."
        trial.fail(why, call=call, answer=node, right=right, hint=_reroot_hint(node, tree))
    trial.require(
        right.parent is None,
        ("The new root" if moves else "With no moves the new root is `root` itself, an inner node here, and it")
        + " still has a parent. Then the next `backup` walks on into the old tree, and the old tree stays in memory.",
        call=call,
        hint="Cut it off: node.parent = None.",
    )
    found = changed_link(tree, before, apart={(moves, "parent")})
    if found:
        trial.fail(
            f"Besides the new root's parent, `{found[1]}` of {in_words(found[0])} has changed. "
            "Statistics, children and untried moves are all kept.",
            call=call,
        )
    trial.cases += 1


def _inner(root: Node) -> str:
    return "" if root.parent is None else "; this root is a node inside a larger tree, and has a parent"


def _reroot_hint(node, tree: dict) -> str | None:
    """Which node came back instead of the right one."""
    if node is None:
        return "None is for moves that the tree does not have. Or is a `return` missing?"
    if not isinstance(node, Node):
        return "Return a node."
    for moves, other in tree.items():
        if other is node:
            return f"You returned {in_words(moves)}."
    top = node
    while top.parent is not None:
        top = top.parent
    if any(other is node for other in places(top).values()) and any(
        other is tree[()] for other in places(top).values()
    ):
        return "You returned a node of the larger tree, above `root` or beside it."
    return "This node is not one of the tree's own. Return the very node that the search has made, not a copy."


def _reroot_missing(trial: Trial, function, root: Node, moves: tuple) -> None:
    tree = places(root)
    before = links(tree)
    call = f"reroot(root, {list(moves)}), where the tree does not have this line{_inner(root)}"
    node = trial.call(function, root, list(moves), may_change=(0,), shown=call)
    if node is not None:
        trial.fail(
            "The opponent may play a move that the search never tried. Then there is no node for it: return None.",
            call=call,
            answer=node,
            right=None,
        )
    found = changed_link(tree, before)
    if found:
        trial.fail(
            f"The line is not in the tree, so nothing should change, but `{found[1]}` of {in_words(found[0])} has.",
            call=call,
            hint="The tree was cut on the way. First follow all the moves, then cut." if found[1] == "parent" else None,
        )
    trial.cases += 1

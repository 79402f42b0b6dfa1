"""The check of chapter 1 that looks into a search tree: `reroot`."""

from copy import deepcopy

import numpy as np

from mock5check.ch01.grown import changed_link, deepest, grown_tree, in_words, links, places
from mock5check.core import Trial, graded
from mock5lib import Mock5
from mock5lib.search.uct.tree import Node


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

"""The checks of chapter 1 that look into a search tree: `backup`, `reroot`, `virtual_loss`."""

from copy import deepcopy

import numpy as np

from mock5check.ch01.grown import deepest, grown_tree, in_words, links, moved_into, places, points, statistics
from mock5check.core import Trial, graded, the_one_slip
from mock5lib.search.uct import tree as uct
from mock5lib.search.uct.tree import Node

# Back up -----------------------------------------------------------------------------------------------------


def backup_of(node, winner, draw=0.5, loss=0.0, whose=moved_into, until=None, visit=lambda won: 1):
    """The right answer to `backup`; the options make it wrong."""
    while node is not until:
        won = points(winner, whose(node))
        node.visits += visit(won)
        node.wins += draw if winner == 0 else won or loss
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
    for case in cases:
        _one_backup(trial, function, cases, *case)


def _after(function, root: Node, leaf: tuple, winner: int) -> list:
    """The statistics of the tree once `function` has entered a result at the leaf."""
    function(places(root)[leaf], winner)
    return [[visits, wins] for visits, wins in statistics(root).values()]


def _one_backup(trial: Trial, function, cases: list, root: Node, leaf: tuple, winner: int) -> None:
    """Call it once on a copy of the tree and look at what every node gained. leaf: the moves to the leaf."""
    nodes = places(deepcopy(root))
    before, joined = statistics(nodes[()]), _joined(nodes)
    movers = {moves: moved_into(node) for moves, node in nodes.items()}
    call = f"backup(node, {winner}), where node comes after moves {list(leaf)} from the root"
    trial.call(function, nodes[leaf], winner, may_change=(0,), shown=call)
    for moves in sorted(nodes, key=len, reverse=True):
        node, on_path = nodes[moves], moves == leaf[: len(moves)]
        gained = (node.visits - before[moves][0], node.wins - before[moves][1])
        right = (1, points(winner, movers[moves])) if on_path else (0, 0)
        if not np.allclose(gained, right):
            trial.fail(
                f"{_capital(in_words(moves))} should gain visits +{right[0]} and wins +{right[1]:g}, but it gained "
                f"visits {gained[0]:+g} and wins {gained[1]:+g}. {_backup_why(moves, movers[moves], winner, on_path)}",
                call=call,
                hint=the_one_slip(function, cases, BACKUP_SLIPS, _after),
            )
        trial.cases += 1
    trial.require(
        _joined(nodes) == joined, "Only `visits` and `wins` may change; a node has other links now.", call=call
    )


def _joined(nodes: dict) -> list:
    """How the nodes hang together: all of `links` but the statistics."""
    return [(parent, *rest) for parent, _, _, *rest in links(nodes)]


def _backup_why(moves: tuple, mover: int, winner: int, on_path: bool) -> str:
    if not on_path:
        return "It is not on the way from the leaf to the root, so nothing happens to it."
    who = f"Player {mover} {'moved into it' if moves else 'counts at the root'}"
    return f"{who}; {f'player {winner} won' if winner else 'the result is a draw'}."


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


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
        move = lines[0][0]
        for moves in [(move, move), (-1, 0), (move, 99)]:
            _reroot_missing(trial, function, deepcopy(grown), moves)


def _reroot_found(trial: Trial, function, root: Node, moves: tuple) -> None:
    tree = places(root)
    right = tree[moves]
    before = links(tree)
    call = f"reroot(root, {list(moves)}), where the tree has this line"
    node = trial.call(function, root, list(moves), may_change=(0,), shown=call)
    if node is not right:
        why = f"The tree has {in_words(moves)}." if moves else "No move was made: the root stays the root."
        trial.fail(why, call=call, answer=node, right=right, hint=_reroot_hint(node, tree))
    trial.require(
        right.parent is None,
        "The new root still has a parent. Then the next `backup` walks on into the old tree, and the old tree stays in "
        "memory.",
        call=call,
        hint="Cut it off: node.parent = None.",
    )
    changed = [place for place, was, now in zip(tree, before, links(tree)) if was != now and place != moves]
    kept = links({moves: right})[0][1:] == before[list(tree).index(moves)][1:]
    trial.require(
        kept and not changed,
        f"Besides the new root's parent, something has changed: {in_words(changed[0] if changed else moves)}. "
        "Statistics, children and untried moves are all kept.",
        call=call,
    )


def _reroot_hint(node, tree: dict) -> str | None:
    """Which node came back instead of the right one."""
    if node is None:
        return "None is for moves that the tree does not have."
    if not isinstance(node, Node):
        return "Return a node."
    for moves, other in tree.items():
        if other is node:
            return f"You returned {in_words(moves)}."
    return "This node is not one of the tree's own. Return the very node that the search has made, not a copy."


def _reroot_missing(trial: Trial, function, root: Node, moves: tuple) -> None:
    tree = places(root)
    before = links(tree)
    call = f"reroot(root, {list(moves)}), where the tree does not have this line"
    node = trial.call(function, root, list(moves), may_change=(0,), shown=call)
    if node is not None:
        trial.fail(
            "The opponent may play a move that the search never tried. Then there is no node for it: return None.",
            call=call,
            answer=node,
            right=None,
        )
    trial.require(
        before == links(tree),
        "The line is not in the tree, so nothing should change, but it did: the tree was cut on the way.",
        call=call,
        hint="First follow all the moves, then cut.",
    )


# Virtual loss ------------------------------------------------------------------------------------------------


@graded
def virtual_loss(trial, select_leaves, finish) -> None:
    """Check `select_leaves(root, game, batch, loss)` and `finish(leaf, winner, loss)`."""
    rng = np.random.default_rng(7)
    cases = [([0, 4, 8], 30, 1, 1), ([0, 4, 8], 30, 4, 1), ([], 60, 8, 1), ([4], 40, 6, 3), ([0, 4], 200, 8, 2)]
    cases += [([0, 4, 8, 2], 120, 12, 1)]
    for number, (history, simulations, batch, loss) in enumerate(cases):
        root, game = grown_tree(history, simulations, seed=number)
        for _ in range(3):
            _one_batch(trial, select_leaves, finish, root, game, batch, loss, rng)


def _one_batch(trial: Trial, select_leaves, finish, root: Node, game, batch: int, loss: int, rng) -> None:
    """Select a batch and finish it, and compare with what is right after each half."""
    right_root = deepcopy(root)
    right_leaves = _select_leaves(right_root, game.copy(), batch, loss)
    history = list(game.history)
    call = f"select_leaves(root, game, batch={batch}, loss={loss}), where root has {root.visits} visits"
    leaves = trial.call(select_leaves, root, game, batch, loss, may_change=(0, 1), shown=call)
    _compare_leaves(trial, leaves, root, right_leaves, right_root, call)
    trial.require(
        game.history == history,
        f"The game came in with {len(history)} moves and now has {len(game.history)}. Put it back after each leaf.",
        call=call,
        hint="take_back(leaf, root, game) undoes the moves from the root to the leaf.",
    )
    _compare_trees(trial, root, right_root, call, "Virtual loss: `loss` visits for each node, leaf to root.")

    winners = rng.integers(0, 3, batch).tolist()
    for i in rng.permutation(batch).tolist():
        call = f"finish(leaf, {winners[i]}, loss={loss}), where leaf is leaf {i + 1} of the batch"
        trial.call(finish, leaves[i], winners[i], loss, may_change=(0,), shown=call)
        _take_back_losses(right_leaves[i], loss)
        uct.backup(right_leaves[i], winners[i])
        _compare_trees(trial, root, right_root, call, "Virtual loss back, then the result as by `backup`.")


def _select_leaves(root: Node, game, batch: int, loss: int) -> list:
    leaves = []
    for _ in range(batch):
        leaf = node = uct.expand(uct.select(root, game), game, None)
        leaves.append(leaf)
        while node is not None:
            node.visits += loss
            node = node.parent
        uct.take_back(leaf, root, game)
    return leaves


def _take_back_losses(node: Node | None, loss: int) -> None:
    while node is not None:
        node.visits -= loss
        node = node.parent


def _compare_leaves(trial: Trial, leaves, root: Node, right_leaves: list, right_root: Node, call: str) -> None:
    if not isinstance(leaves, list | tuple) or not all(isinstance(leaf, Node) for leaf in leaves):
        trial.fail("Return the list of the leaves, each a node.", call=call, answer=leaves)
    if len(leaves) != len(right_leaves):
        trial.fail(f"{len(right_leaves)} leaves were asked for, the list has {len(leaves)}.", call=call)
    tree = {id(node): moves for moves, node in places(root).items()}
    right_tree = {id(node): moves for moves, node in places(right_root).items()}
    for number, (leaf, right) in enumerate(zip(leaves, right_leaves), start=1):
        if id(leaf) not in tree:
            trial.fail(f"Leaf {number} of the list is no node of the tree of `root`.", call=call, answer=leaf)
        if tree[id(leaf)] != right_tree[id(right)]:
            trial.fail(
                f"Leaf {number} of the batch should be {in_words(right_tree[id(right)])}; yours is "
                f"{in_words(tree[id(leaf)])}. When it is selected, each leaf before it has lost: `loss` visits and no "
                "points, at every node from that leaf up to the root itself. And the game is back at the root.",
                call=call,
            )
        trial.cases += 1


def _compare_trees(trial: Trial, root: Node, right_root: Node, call: str, why: str) -> None:
    """Every node's visits and wins must be those of the right tree."""
    mine, right = statistics(root), statistics(right_root)
    if mine.keys() != right.keys():
        trial.fail("The tree has other nodes than `select` and `expand` make.", call=call)
    for moves, (visits, wins) in sorted(right.items(), key=lambda item: -len(item[0])):
        if not np.allclose(mine[moves], (visits, wins)):
            now = f"{mine[moves][1]:g}/{mine[moves][0]}"
            trial.fail(
                f"{why} {_capital(in_words(moves))} should have w/v = {wins:g}/{visits}, it has {now}.",
                call=call,
                hint=_difference_hint(mine[moves], (visits, wins)),
            )
    trial.cases += 1


def _difference_hint(mine: tuple, right: tuple) -> str:
    if not np.isclose(mine[1], right[1]):
        return f"Its points differ, by {mine[1] - right[1]:+g}."
    if mine[0] > right[0]:
        return f"It has too many visits, by {mine[0] - right[0]}."
    return f"It has too few visits, by {right[0] - mine[0]}."

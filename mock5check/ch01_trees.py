"""The checks of chapter 1 that look into a search tree: `backup`, `reroot`, `virtual_loss`."""

from copy import deepcopy

import numpy as np

from mock5check.bounded import bounded
from mock5check.core import CheckFailed, Trial
from mock5check.slips import NO_RETURN
from mock5check.trees import deepest, grown_tree, in_words, moved_into, places, points, statistics
from mock5lib.search.uct import tree as uct
from mock5lib.search.uct.tree import Node

# Back up -----------------------------------------------------------------------------------------------------


def backup(function) -> None:
    """Check `backup(node, winner)`: from the node up to the root a visit each, and points to who moved into it."""
    trial = Trial("backup")
    rng = np.random.default_rng(4)
    function = bounded(function)
    trees = [([], 30), ([0, 4, 8], 30), ([4], 60), ([0, 4], 100)]
    for number, (history, simulations) in enumerate(trees):
        root, _ = grown_tree(history, simulations, seed=number)
        lines = list(places(root))
        for moves in [deepest(root), (), *(lines[i] for i in rng.integers(0, len(lines), 6))]:
            for winner in (1, 2, 0):
                _one_backup(trial, function, root, moves, winner)
    trial.passed()


def _one_backup(trial: Trial, function, root: Node, leaf: tuple, winner: int) -> None:
    """Call it once and look at what every node of the tree gained. leaf: the moves to the leaf."""
    nodes = places(root)
    before = statistics(root)
    movers = {moves: moved_into(node) for moves, node in nodes.items()}
    trial.call(function, nodes[leaf], winner)
    for moves in sorted(nodes, key=len, reverse=True):
        node, on_path = nodes[moves], moves == leaf[: len(moves)]
        gained = (node.visits - before[moves][0], node.wins - before[moves][1])
        right = (1, points(winner, movers[moves])) if on_path else (0, 0)
        if not np.allclose(gained, right):
            trial.fail(
                f"{_capital(in_words(moves))} should gain visits +{right[0]} and wins +{right[1]:g}, but it gained "
                f"visits {gained[0]:+g} and wins {gained[1]:+g}. {_backup_why(moves, movers[moves], winner, on_path)}",
                call=f"backup(node, {winner}), where node comes after moves {list(leaf)} from the root",
                hint=_backup_hint(moves, leaf, winner, gained, movers[moves]) if on_path else None,
            )
        trial.cases += 1


def _backup_why(moves: tuple, mover: int, winner: int, on_path: bool) -> str:
    if not on_path:
        return "It is not on the way from the leaf to the root, so nothing happens to it."
    who = f"Player {mover} {'moved into it' if moves else 'counts at the root'}"
    return f"{who}; {f'player {winner} won' if winner else 'the result is a draw'}."


def _backup_hint(moves: tuple, leaf: tuple, winner: int, gained: tuple, mover: int) -> str | None:
    visits, wins = gained
    if visits == 0 and wins == 0 and moves != leaf:
        if not moves:
            return "The root is left out. Go on while the node is not None, rather than while it has a parent."
        return "The walk stops too early. Go from node to node.parent until there is none."
    if visits != 1:
        return "Every node on the way, the leaf and the root included, gets exactly one more visit, won or lost."
    if winner == 0:
        return "A draw is half a point, at every node."
    if wins < 0:
        return "A loss earns 0; it does not cost a point."
    if wins != points(winner, 3 - mover):
        return None
    if not moves:
        return "At the root nobody moved in. Count for the player who is NOT to move there, 3 - node.player."
    return (
        "These are the points of the player who moves NEXT at the node. `wins` are those of who moved INTO it. "
        "Do you work out that player anew at each node? It changes with every step up."
    )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


# Keep the tree -----------------------------------------------------------------------------------------------


REROOT_CRASH = (
    "`children` is in no special order: look for the child whose .move is the next move. `moves` may have any length."
)


def reroot(function) -> None:
    """Check `reroot(root, moves)`: the node after these moves as a new root, or None if the tree has none."""
    trial = Trial("reroot")
    rng = np.random.default_rng(6)
    function = bounded(function)
    for number, history in enumerate([[0, 4, 8], [], [4], [1, 2, 0]]):
        grown, _ = grown_tree(history, 80, seed=number)
        pairs = [moves for moves in places(grown) if len(moves) == 2]
        lines = [pairs[i] for i in rng.integers(0, len(pairs), 5)]
        for moves in [*lines, lines[0][:1], deepest(grown), ()]:
            _reroot_found(trial, function, deepcopy(grown), moves)
        move = lines[0][0]
        for moves in [(move, move), (-1, 0), (move, 99)]:
            _reroot_missing(trial, function, deepcopy(grown), moves)
    trial.passed()


def _reroot_found(trial: Trial, function, root: Node, moves: tuple) -> None:
    tree = places(root)
    right = tree[moves]
    kept = statistics(right)
    call = f"reroot(root, {list(moves)}), where the tree has this line"
    try:
        node = trial.call(function, root, list(moves))
    except CheckFailed as failed:
        crashed = "It raised IndexError" in str(failed)
        raise CheckFailed(f"{failed}\n  hint:     {REROOT_CRASH}" if crashed else str(failed)) from None
    if node is not right:
        why = f"The tree has {in_words(moves)}." if moves else "No move was made: the root stays the root."
        trial.fail(why, call=call, answer=node, right=right, hint=_reroot_hint(node, right, tree))
    trial.require(
        statistics(right) == kept,
        f"The node had w/v = {kept[()][1]:g}/{kept[()][0]} and {len(kept) - 1} nodes below it, and all of that "
        f"should be kept; now it has {right.wins:g}/{right.visits} and {len(places(right)) - 1} below it.",
        call=call,
    )
    trial.require(
        right.parent is None,
        "The new root still has a parent. Then the next `backup` walks on into the old tree, and the old tree stays in "
        "memory.",
        call=call,
        hint="Cut it off: node.parent = None.",
    )


def _reroot_hint(node, right: Node, tree: dict) -> str | None:
    """What came back instead of the right node."""
    if node is None:
        return "None is for moves that the tree does not have. Or is a `return` missing?"
    if not isinstance(node, Node):
        return "Return a node."
    for moves, other in tree.items():
        if other is node:
            return f"You returned {in_words(moves)}. Follow the moves one after the other, by each child's .move."
    if node.visits == right.visits:
        return "This looks like a copy. Return the very node of the tree: a copy costs time and gains nothing."
    return "This node is not in the tree. Keep the one that the search has made, with all below it."


def _reroot_missing(trial: Trial, function, root: Node, moves: tuple) -> None:
    tree = places(root)
    before = _links(tree)
    call = f"reroot(root, {list(moves)}), where the tree does not have this line"

    def without_stop_iteration(*args):
        try:
            return function(*args)
        except (StopIteration, IndexError, KeyError, AttributeError, ValueError) as error:
            trial.fail(
                f"It raised {type(error).__name__}. No child has the move that comes next; then the answer is None, "
                "and the caller starts a fresh tree.",
                call=call,
            )

    node = trial.call(without_stop_iteration, root, list(moves))
    if node is not None:
        trial.fail(
            "The opponent may play a move that the search never tried. Then there is no node for it: return None.",
            call=call,
            answer=node,
            right=None,
        )
    trial.require(
        before == _links(tree),
        "The line is not in the tree, so nothing should change, but it did: the tree was cut on the way.",
        call=call,
        hint="First follow all the moves, then cut.",
    )


def _links(tree: dict) -> list:
    """All that could be changed in a tree."""
    return [(node.visits, node.wins, node.parent, list(node.children)) for node in tree.values()]


# Virtual loss ------------------------------------------------------------------------------------------------


def virtual_loss(select_leaves, finish) -> None:
    """Check `select_leaves(root, game, batch, loss)` and `finish(leaf, winner, loss)`."""
    trial = Trial("virtual_loss")
    rng = np.random.default_rng(7)
    cases = [([0, 4, 8], 30, 1, 1), ([0, 4, 8], 30, 4, 1), ([], 60, 8, 1), ([4], 40, 6, 3), ([0, 4], 200, 8, 2)]
    cases += [([0, 4, 8, 2], 120, 12, 1)]
    for number, (history, simulations, batch, loss) in enumerate(cases):
        root, game = grown_tree(history, simulations, seed=number)
        for _ in range(3):
            _one_batch(trial, select_leaves, finish, root, game, batch, loss, rng)
    trial.passed()


def _one_batch(trial: Trial, select_leaves, finish, root: Node, game, batch: int, loss: int, rng) -> None:
    """Select a batch and finish it, and compare with what is right after each half."""
    right_root = deepcopy(root)
    right_leaves = _select_leaves(right_root, game.copy(), batch, loss)
    history = list(game.history)
    call = f"select_leaves(root, game, batch={batch}, loss={loss}), where root has {root.visits} visits"
    leaves = trial.call(_explaining_zero(trial, bounded(select_leaves), call), root, game, batch, loss)
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
        trial.call(bounded(finish), leaves[i], winners[i], loss)
        _take_back_losses(right_leaves[i], loss)
        uct.backup(right_leaves[i], winners[i])
        call = f"finish(leaf, {winners[i]}, loss={loss}), where leaf is leaf {i + 1} of the batch"
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


def _explaining_zero(trial: Trial, function, call: str):
    """`function`, with what a division by zero means here."""
    if not callable(function):
        return function

    def explained(*args):
        try:
            return function(*args)
        except ZeroDivisionError:
            trial.fail(
                "`select` divided by zero: it met a leaf of this batch that has no visits yet. Virtual loss gives it "
                "some, at once, before the next leaf is selected.",
                call=call,
            )

    explained.__name__ = getattr(function, "__name__", "select_leaves")
    return explained


def _compare_leaves(trial: Trial, leaves, root: Node, right_leaves: list, right_root: Node, call: str) -> None:
    if not isinstance(leaves, list | tuple) or not all(isinstance(leaf, Node) for leaf in leaves):
        hint = NO_RETURN if leaves is None else None
        trial.fail("Return the list of the leaves, each a node.", call=call, answer=leaves, hint=hint)
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
                f"{in_words(tree[id(leaf)])}.",
                call=call,
                hint="When it is selected, each leaf before it has lost: `loss` visits and no points, at every node "
                "from that leaf up to the root itself. And the game is back at the root.",
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
        return "The points differ. A virtual loss is visits WITHOUT points; a result brings points to who moved in."
    if mine[0] > right[0]:
        return f"It has too many visits, by {mine[0] - right[0]}."
    return f"It has too few visits, by {right[0] - mine[0]}."

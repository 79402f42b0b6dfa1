"""The check of virtual loss: batches of leaves, whose losses stand while they wait and are gone afterwards."""

from copy import deepcopy

import numpy as np

from mock5check.ch01.grown import capital, grown_tree, in_words, moved_into, places, points, statistics
from mock5check.core import Trial, graded
from mock5check.watch import EndlessLoop, learners_line, meaning
from mock5lib.search.uct import tree as uct
from mock5lib.search.uct.tree import Node

SECONDS = 5.0  # for one batch; a right one takes less than a tenth
STOPS = (ZeroDivisionError, ValueError, EndlessLoop)  # what `_explain` can say more about


@graded
def virtual_loss(trial, select_leaves, finish) -> None:
    """Check `select_leaves(root, game, batch, loss)` and `finish(leaf, winner, loss)`."""
    rng = np.random.default_rng(7)
    cases = [([0, 4, 8], 30, 1, 1), ([0, 4, 8], 30, 4, 1), ([], 60, 8, 1), ([4], 40, 6, 3), ([0, 4], 200, 8, 2)]
    cases += [([0, 4, 8, 2], 120, 12, 1), ([], 0, 3, 1)]  # the last one: a root that nobody has looked at yet
    # One leaf of a finished game, and then a few of them, that are selected again and again.
    cases += [([0, 1, 2, 4, 3, 5, 7, 6], 3, 8, 1), ([0, 1, 2, 4, 3, 5], 3, 8, 1)]
    cases += [([0, 3, 1, 4, 2], 3, 4, 2)]  # the root itself is a finished game
    for number, (history, simulations, batch, loss) in enumerate(cases):
        root, game = grown_tree(history, simulations, seed=number)
        for _ in range(3):
            _one_batch(trial, select_leaves, finish, root, game, batch, loss, rng)
    _two_trees(trial, select_leaves, finish)


def _one_batch(trial: Trial, select_leaves, finish, root: Node, game, batch: int, loss: int, rng) -> None:
    """Select a batch and finish it, and compare with what is right after each half."""
    right_root = deepcopy(root)
    right_leaves = _select_leaves(right_root, game.copy(), batch, loss)
    history = list(game.history)
    call = f"select_leaves(root, game, batch={batch}, loss={loss}), where root has {root.visits} visits"
    try:
        rules = {"may_change": (0, 1), "shown": call, "seconds": SECONDS}
        leaves = trial.call(select_leaves, root, game, batch, loss, lets_through=STOPS, **rules)
    except STOPS as error:
        _explain(trial, error, call, len(set(map(id, right_leaves))) < batch, len(game.history) - len(history))
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
        path = _path_of(leaves[i])
        before = [node.wins for node in path]
        answer = trial.call(finish, leaves[i], winners[i], loss, may_change=(0,), shown=call)
        trial.require(answer is None, "It changes the tree and returns nothing.", call=call)
        _take_back_losses(right_leaves[i], loss)
        uct.backup(right_leaves[i], winners[i])
        why = "Virtual loss back, then the result as by `backup`."
        gained = [node.wins - wins for node, wins in zip(path, before)]
        _compare_trees(trial, root, right_root, call, why, _points_hint(gained, path, winners[i]))


def _two_trees(trial: Trial, select_leaves, finish) -> None:
    """Leaves of two trees wait at the same time, each with a loss of its own."""
    trees = [(*grown_tree([0, 4, 8], 30), 1), (*grown_tree([4], 40), 3)]
    right = [deepcopy(root) for root, _, _ in trees]
    told = "select_leaves on one tree, loss=1, and on another, loss=3; then finish on the first"
    waiting = [trial.call(select_leaves, root, game, 2, loss, may_change=(0, 1)) for root, game, loss in trees]
    for copy, (_, game, loss) in zip(right, trees):
        leaves = _select_leaves(copy, game.copy(), 2, loss)
        if loss == 1:
            for mine, leaf in zip(waiting[0], leaves):
                trial.call(finish, mine, 1, loss, may_change=(0,), shown=told)
                _take_back_losses(leaf, loss)
                uct.backup(leaf, 1)
    _compare_trees(trial, trees[0][0], right[0], told, "Each leaf has the loss of its own call, `loss`.")


def _explain(trial: Trial, error: BaseException, call: str, repeats: bool, ahead: int) -> None:
    """Say what stopped `select_leaves`. repeats: does a leaf come more than once? ahead: by how many moves."""
    hint = None
    if isinstance(error, EndlessLoop):
        why = f"It did not end after {error}. Does each turn of a loop change what its condition looks at?"
        if repeats:
            hint = "One leaf may come more than once. Then it stands in the list as often, each time with a loss."
    else:
        why = meaning(error)
        if isinstance(error, ZeroDivisionError):
            hint = "A new leaf still has no visit when the next one is selected. Enter its virtual loss at once."
        elif ahead > 0 and learners_line(error) and "take_back" not in learners_line(error):
            why += (
                f" The game stands {ahead} moves ahead of `root` here: is it put back after each leaf, with take_back?"
            )
    trial.fail(why, call=call, line=learners_line(error), hint=hint)


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


def _path_of(node: Node | None) -> list:
    """The nodes from this one up to the root."""
    path = []
    while node is not None:
        path.append(node)
        node = node.parent
    return path


def _points_hint(gained: list, path: list, winner: int) -> str | None:
    """The one known slip that explains what each node of the path gained, from the leaf up."""
    right = [points(winner, moved_into(node)) for node in path]
    slips = [
        ([points(winner, node.player) for node in path], "These are the points of who moves NEXT at each node."),
        ([right[0]] * len(path), "Who moved in changes with every step up: work it out anew at each node."),
        ([0.0] * len(path), "No points were entered."),
        ([*right[:-1], 0.0], "The root gets its points as well: go on while the node is not None."),
        ([right[0]] + [0.0] * (len(path) - 1), "Points are entered at the leaf alone: go up to the root."),
    ]
    causes = [cause for slip, cause in slips if np.allclose(slip, gained)]
    return causes[0] if len(causes) == 1 and not np.allclose(right, gained) else None


def _take_back_losses(node: Node | None, loss: int) -> None:
    while node is not None:
        node.visits -= loss
        node = node.parent


def _compare_leaves(trial: Trial, leaves, root: Node, right_leaves: list, right_root: Node, call: str) -> None:
    if not isinstance(leaves, list | tuple) or not all(isinstance(leaf, Node) for leaf in leaves):
        trial.fail("Return the list of the leaves, each a node.", call=call, answer=leaves)
    if len(leaves) != len(right_leaves):
        asked = "1 leaf was" if len(right_leaves) == 1 else f"{len(right_leaves)} leaves were"
        again = len(set(map(id, right_leaves))) < len(right_leaves)
        hint = "Here one leaf is selected more than once. Then it stands in the list as often." if again else None
        trial.fail(f"{asked} asked for, the list has {len(leaves)}.", call=call, hint=hint)
    tree = {id(node): moves for moves, node in places(root).items()}
    right_tree = {id(node): moves for moves, node in places(right_root).items()}
    for number, (leaf, right) in enumerate(zip(leaves, right_leaves), start=1):
        if id(leaf) not in tree:
            trial.fail(f"Leaf {number} of the list is no node of the tree of `root`.", call=call, answer=leaf)
        if tree[id(leaf)] != right_tree[id(right)]:
            mine = sorted(tree.get(id(leaf), ()) for leaf in leaves)
            _wrong_leaf(
                trial,
                number,
                tree[id(leaf)],
                right_tree[id(right)],
                mine == sorted(right_tree[id(right)] for right in right_leaves),
                call,
            )
        trial.cases += 1


def _wrong_leaf(trial: Trial, number: int, mine: tuple, right: tuple, reordered: bool, call: str) -> None:
    """The leaf of this number, counted from 1, is not the right one; both are given by the moves to them."""
    said = f"Leaf {number} of the batch should be {in_words(right)}; yours is {in_words(mine)}."
    if reordered:
        trial.fail(f"These are the right leaves in another order. {said}", call=call)
    if number > 1:
        trial.fail(
            f"{said} When it is selected, each leaf before it has lost: `loss` visits and no points, at every node "
            "from that leaf up to the root itself. And the game is back at the root.",
            call=call,
        )
    siblings = len(mine) == len(right) and mine[:-1] == right[:-1]
    hint = "`expand` tries the moves in their order where its third argument is None." if siblings else None
    trial.fail(f"{said} No loss stands in the tree yet: it is what `select` and `expand` find.", call=call, hint=hint)


def _compare_trees(trial: Trial, root: Node, right_root: Node, call: str, why: str, points_hint=None) -> None:
    """Every node's visits and wins must be those of the right tree."""
    mine, right = statistics(root), statistics(right_root)
    if mine.keys() != right.keys():
        trial.fail("The tree has other nodes than `select` and `expand` make.", call=call)
    for moves, (visits, wins) in sorted(right.items(), key=lambda item: -len(item[0])):
        if not np.allclose(mine[moves], (visits, wins)):
            now = f"{mine[moves][1]:g}/{mine[moves][0]}"
            trial.fail(
                f"{why} {capital(in_words(moves))} should have w/v = {wins:g}/{visits}, it has {now}.",
                call=call,
                hint=points_hint or _difference_hint(mine[moves], (visits, wins)),
            )
    trial.cases += 1


def _difference_hint(mine: tuple, right: tuple) -> str:
    if not np.isclose(mine[1], right[1]):
        return f"Its points differ, by {mine[1] - right[1]:+g}."
    if mine[0] > right[0]:
        return f"It has too many visits, by {mine[0] - right[0]}."
    return f"It has too few visits, by {right[0] - mine[0]}."

"""The right search of the capstone of chapter 5, with options that break it as learners do, and what to say then."""

from math import log, sqrt

import numpy as np

from mock5lib.game.encoders import three_planes


class _Node:
    """What is kept of a position; its sum of values belongs to the player to move there."""

    def __init__(self):
        self.priors, self.children, self.visits, self.total, self.value = None, {}, 0, 0.0, None


def right_search(game, expert, simulations, c, **broken):
    """(visits, q), as the package's search finds them."""
    root = _Node()
    broken = broken | {"first": game.player, "nodes": {}}
    _enter(root, game, expert, broken)
    root.visits, root.total = broken.get("root_visits", 1), root.value
    for _ in range(simulations + broken.get("more", 0)):
        _simulate(root, game.copy(), expert, c, broken)
    visits, q = np.zeros(len(game.board), dtype=np.int64), np.zeros(len(game.board))
    for move, child in root.children.items():
        divisor = 1 if broken.get("sum_out") else max(child.visits, 1)
        visits[move], q[move] = child.visits, broken.get("sign_out", -1) * child.total / divisor
    return visits, q


def _simulate(root, game, expert, c, broken) -> None:
    path, broken = [root], broken | {"root": root}
    while path[-1].priors is not None:
        node = path[-1]
        move = _choose(node, c, broken)
        game.apply(move)
        new = broken["nodes"].setdefault(bytes(game.board), _Node()) if broken.get("one_each") else _Node()
        path.append(node.children.setdefault(move, new))
    leaf = path[-1]
    if leaf.value is None:
        _enter(leaf, game, expert, broken)
    value = leaf.value
    for node in reversed(path if not (broken.get("lost_end") and game.winner is not None) else path[:-1]):
        node.visits, node.total = node.visits + 1, node.total + value
        value = value if broken.get("no_flip") else -value


def _choose(node, c, broken) -> int:
    def score(move):
        child, prior = node.children.get(move), node.priors[move]
        n = child.visits if child else 0
        divisor = 1 if broken.get("sum_in") else n
        q = broken.get("sign", -1) * child.total / divisor if n else broken.get("untried", lambda node: 0.0)(node)
        total = (broken["root"] if broken.get("root_n") else node).visits - bool(broken.get("children_only"))
        bonus = broken.get("bonus", lambda total, n: sqrt(total) / (1 + n))(total, n)
        return q + c * prior * bonus

    among = node.priors
    if broken.get("no_zero_priors"):
        among = [move for move in among if node.priors[move] > 0] or among
    if broken.get("low_index"):
        return max(among, key=lambda move: (score(move), -move))
    return max(among, key=lambda move: (score(move), node.priors[move], -move))


def _enter(node, game, expert, broken) -> None:
    """The value of a new position and, of an unfinished one, its priors."""
    if game.winner is not None:
        won = broken.get("won", -1.0)
        won = {"player 1": 3.0 - 2 * game.winner, "root": 1.0 if game.winner == broken["first"] else -1.0}.get(won, won)
        node.value = won if game.winner else broken.get("drawn", 0.0)
        return
    log_priors, values = expert(three_planes.encode([game]))
    legal = game.legal_moves()
    chosen, everything = np.asarray(log_priors[0], float)[legal], np.asarray(log_priors[0], float)
    top = everything.max() if broken.get("unmasked") else chosen.max()
    if broken.get("any_inf", np.all)(np.isneginf(chosen)):
        shares = np.full(len(legal), 1 / len(legal))
    else:
        weights = np.exp(chosen - top * (not broken.get("top_kept")))
        shares = weights / (np.exp(everything - top).sum() if broken.get("unmasked") else weights.sum())
        if broken.get("top_kept") and not weights.sum():
            shares = np.full(len(legal), 1 / len(legal) if broken["top_kept"] == "shared" else np.nan)
    node.priors, node.value = dict(zip(legal, shares.tolist())), broken.get("value", 1) * float(values[0])


def _broken(**options):
    return lambda game, expert, simulations, c: right_search(game, expert, simulations, c, **options)


def _fixed_c(c):
    return lambda game, expert, simulations, _: right_search(game, expert, simulations, c)


def _mean(node):
    return node.total / node.visits


WHOSE_WIN = (
    "A finished game is worth −1 for the player who would be to move THERE, whoever that is, if somebody has won."
)
VANISHED = "exp() of such small log-priors is 0: subtract the largest legal one first."
SLIPS = [
    (_broken(sign=1, sign_out=1), "The sign: a child's values belong to the player to move THERE, your opponent."),
    (
        _broken(sign=1),
        "The sign where you CHOOSE: a child's mean belongs to its own player, the opponent of the chooser.",
    ),
    (_broken(sign_out=1), "The sign of the q that you return: it belongs to the player to move at the root."),
    (_broken(no_flip=True), "On the way up the value must change its sign at each ply."),
    (_broken(value=-1), "The net's value belongs to the player to move in the position it was asked about."),
    (_broken(won=1.0), "Where a game has been won, the player who would be to move has LOST: −1."),
    (_broken(drawn=1.0), "A draw is worth 0."),
    (_broken(drawn=-1.0), "A draw is worth 0."),
    (_broken(won=0.0), "A won game counts as a draw: its value is −1 for the player who would be to move."),
    (_broken(won="player 1"), WHOSE_WIN),
    (_broken(won="root"), WHOSE_WIN),
    (_broken(sum_out=True), "The q that you return is a sum. Divide it by the visits: it is a mean value."),
    (_broken(sum_in=True, sum_out=True), "Q is the MEAN value of a child: its sum divided by its visits."),
    (_broken(sum_in=True), "Where you choose, Q is the MEAN value of a child: its sum divided by its visits."),
    (_broken(root_n=True), "N is the number of visits of the position in which you choose, not that of the root."),
    (_fixed_c(1.4), "Use the argument `c`: it is not always 1.4."),
    (_fixed_c(1.0), "The second term of the formula begins with c."),
    (_broken(bonus=lambda total, n: 0.0), "The second term of the formula is missing."),
    (_broken(no_zero_priors=True), "A move of prior 0 has Q = 0 without a visit, and 0 may be the highest score."),
    (
        _broken(any_inf=np.any),
        "Only where ALL legal moves have −inf are the priors equal; else such a move has prior 0.",
    ),
    (_broken(top_kept=True), VANISHED),
    (_broken(top_kept="shared"), VANISHED),
    (_broken(lost_end=True), "A simulation that ends in a finished game counts a visit for that position, too."),
    (_broken(children_only=True), "N counts the expert's own look at the node too, so it is 1 before the first child."),
    (_broken(root_visits=0), "The root has been looked at once before the first simulation: its N starts at 1."),
    (_broken(more=-1), "The look at the root is not one of the simulations."),
    (_broken(more=1), "That is one simulation too many."),
    (_broken(untried=_mean), "A move without a visit has q = 0, not the value of its parent."),
    (_broken(untried=lambda node: np.inf), "That tries every move once before all else, as UCT does; here q = 0."),
    (_broken(untried=lambda node: -1.0), "A move without a visit has q = 0, not −1."),
    (
        _broken(bonus=lambda total, n: sqrt(log(1 + total) / (1 + n))),
        "That is the log-UCB rule. PUCT: c·P·√N / (1 + n).",
    ),
    (_broken(bonus=lambda total, n: total / (1 + n)), "The root of N is missing."),
    (_broken(bonus=lambda total, n: sqrt(total / (1 + n))), "1 + n stands outside of the root."),
    (_broken(bonus=lambda total, n: sqrt(total) / max(n, 1)), "The denominator is 1 + n."),
    (_broken(unmasked=True), "Priors are normalised over the LEGAL moves."),
    (_broken(one_each=True), "Two ways to one position share a node. This is a tree: each way has a node of its own."),
    (_broken(low_index=True), "Of equal scores the higher PRIOR comes first, and only then the lower index."),
]

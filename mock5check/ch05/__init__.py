"""The checks of the exercises of chapter 5, MCTS with networks, each named after the function it checks."""

import numpy as np

from mock5check.ch05.capstone import puct_search
from mock5check.core import graded

__all__ = ["Node", "masked_priors", "proven_value", "puct_scores", "puct_search", "virtual_loss"]

SEED = 5

# 1. Mask, then normalise ----------------------------------------------------------------------------------------


def right_priors(log_priors: np.ndarray, legal: list[int]) -> np.ndarray:
    """Priors (A,): 0 off `legal`, summing to 1 over it; equal shares where the net gives none of them a chance."""
    priors = np.zeros(len(log_priors))
    wanted = log_priors[legal]
    if wanted.max() == -np.inf:
        priors[legal] = 1 / len(legal)
    else:
        weights = np.exp(wanted - wanted.max())
        priors[legal] = weights / weights.sum()
    return priors


def _not_normalised(log_priors, legal):
    priors = np.zeros(len(log_priors))
    priors[legal] = np.exp(log_priors[legal])
    return priors


MASK_SLIPS = [
    (
        lambda p, legal: np.exp(p) / np.exp(p).sum(),
        "Illegal moves got a share. Take the legal ones only, then normalise.",
    ),
    (_not_normalised, "The legal priors no longer sum to 1: divide by their sum after masking."),
    (lambda p, legal: right_priors(p, legal)[legal], "Return one number for every point of the board, 0 off the list."),
    (lambda p, legal: np.isin(np.arange(len(p)), legal) / len(legal), "All legal moves are equal: is the net asked?"),
]


@graded
def masked_priors(trial, function) -> None:
    """Check `masked_priors(log_priors, legal)`: zeros off `legal`, and the rest sums to 1."""
    rng = np.random.default_rng(SEED)
    cases = [(np.log([0.5, 0.3, 0.2]), [0, 1, 2]), (np.log([0.5, 0.3, 0.2]), [1, 2]), (np.log([0.5, 0.3, 0.2]), [2, 0])]
    cases += [(np.array([-np.inf, 0.0, -1.0, -np.inf]), [0, 1, 2]), (np.array([-2000.0, -2001.0, 0.0]), [0, 1])]
    cases += [(np.array([0.0, -np.inf, -np.inf, -np.inf]), [1, 2, 3]), (np.array([0.0, -np.inf, -np.inf]), [2, 1])]
    cases += [(np.array([-3.0, -1.0]), [1]), (np.array([-60.0, 0.0, -61.0, -1.0]), [2, 0])]
    for points in (5, 9, 9, 16):
        legal = rng.choice(points, size=points // 2, replace=False).tolist()  # in any order
        cases.append((rng.normal(0, 2, points).round(2), legal))

    def why(log_priors, legal):
        if log_priors[legal].max() == -np.inf:
            return f"The net gives {legal} no chance at all. 0 / 0 is NaN, so share equally among them."
        text = f"Only {legal} are legal. Their exp(log-prior), divided by their own sum, are the priors; others are 0."
        if log_priors[legal].max() < -700:
            text += " Such small numbers vanish in exp(): subtract the largest LEGAL log-prior first."
        return text

    trial.compare(function, cases, right=right_priors, why=why, slips=MASK_SLIPS)


# 2. The urgency of a first visit ---------------------------------------------------------------------------------


def scores_of(priors, visits, totals, value, c, reduction, first=None, one=1, sign=1):
    """The right answer to `puct_scores`; the options make it wrong."""
    seen = visits > 0
    q = np.divide(sign * totals, visits, out=np.zeros(len(visits)), where=seen)
    first = value - reduction * np.sqrt(priors[seen].sum()) if first is None else first(priors, seen, value, reduction)
    return np.where(seen, q, first) + c * priors * np.sqrt(one + visits.sum()) / (1 + visits)


def _first(rule):
    return lambda *args: scores_of(*args, first=rule)


URGENCY_SLIPS = [
    (_first(lambda p, seen, value, r: 0.0), "A move without a visit has Q = 0 here; that is the plain formula."),
    (_first(lambda p, seen, value, r: value), "The reduction is missing."),
    (_first(lambda p, seen, value, r: value - r), "The reduction grows with the priors of the moves already tried."),
    (_first(lambda p, seen, value, r: value - r * p[seen].sum()), "The ROOT of the priors that were tried is missing."),
    (
        _first(lambda p, seen, value, r: value - r * np.sqrt(p[~seen].sum())),
        "Add up the priors of the moves that HAVE been tried.",
    ),
    (_first(lambda p, seen, value, r: value + r * np.sqrt(p[seen].sum())), "Untried moves are valued LOWER: subtract."),
    (_first(lambda p, seen, value, r: np.inf), "That tries every move once before all else, as UCT does."),
    (lambda *args: scores_of(*args, one=0), "N counts the visit of the node itself, too: 1 + the sum."),
    (
        lambda *args: scores_of(*args, sign=-1),
        "The totals belong to the player who chooses already: no change of sign.",
    ),
]


@graded
def puct_scores(trial, function) -> None:
    """Check `puct_scores(priors, visits, totals, value, c, reduction)`: PUCT of each move, with first-play urgency."""
    rng = np.random.default_rng(SEED)
    cases = [([0.5, 0.3, 0.2], [3, 0, 0], [1.5, 0, 0], 0.4, 1.4, 0.2), ([0.6, 0.4], [0, 0], [0, 0], -0.5, 1.4, 0.2)]
    cases += [([0.6, 0.4], [0, 0], [0, 0], 0.0, 2.0, 0.2), ([0.1, 0.2, 0.7], [4, 2, 0], [-2, 1, 0], 0.3, 1.0, 0.5)]
    cases += [([0.25] * 4, [1, 1, 1, 1], [1, -1, 0.5, 0], 0.2, 1.4, 0.3), ([1.0], [0], [0], 1.0, 1.4, 0.2)]
    cases += [([0.0, 1.0], [2, 0], [-2, 0], 0.1, 0.0, 0.0), ([0.5, 0.5], [3, 0], [-3, 0], -0.95, 1.4, 0.4)]
    for moves in (3, 9, 9, 81):
        visits = rng.integers(0, 30, moves) * (rng.random(moves) < 0.6)
        totals = (visits * rng.uniform(-1, 1, moves)).round(2)
        cases.append((rng.dirichlet(np.ones(moves)), visits, totals, round(float(rng.uniform(-1, 1)), 2), 1.4, 0.2))
    cases = [(np.array(p, float), np.array(n), np.array(w, float), v, c, r) for p, n, w, v, c, r in cases]

    def why(priors, visits, totals, value, c, reduction):
        tried = priors[visits > 0].sum()
        return (
            f"Moves with a visit have Q = total / visits. The others have {value} − {reduction}·√{tried:.3g} = "
            f"{value - reduction * np.sqrt(tried):.4g}, and N = 1 + {visits.sum()}."
        )

    trial.compare(function, cases, right=scores_of, why=why, slips=URGENCY_SLIPS)


# 3. What is proven ------------------------------------------------------------------------------------------------


def right_proof(children):
    """A win if one child is lost for its player; else nothing is known while one is open; else the best of them."""
    if any(value == -1 for value in children if value is not None):
        return 1
    if any(value is None for value in children):
        return None
    return max(-value for value in children)


def _signless(children):
    """For a solver that forgets whose values these are."""
    if any(value == 1 for value in children if value is not None):
        return 1
    return None if any(value is None for value in children) else max(children)


PROOF_SLIPS = [
    (_signless, "A child's value belongs to the player to move THERE, the opponent: its −1 is our win."),
    (
        lambda c: None if None in c else right_proof(c),
        "One move that wins for certain is enough, whatever the others are worth.",
    ),
    (
        lambda c: right_proof([v for v in c if v is not None] or [None]),
        "A move of which nothing is proven may still be the best.",
    ),
    (lambda c: right_proof([v or None for v in c]), "0 is a proven draw; only None is unknown. Both count as false."),
    (lambda c: right_proof([v or 0 for v in c]), "None is not a draw: nothing is known of that move."),
    (
        lambda c: None if right_proof(c) is None else min(-v for v in c if v is not None),
        "The player to move takes the BEST move.",
    ),
]


@graded
def proven_value(trial, function) -> None:
    """Check `proven_value(children)`: 1, 0, −1 or None for the player to move."""
    cases = [
        [-1],
        [1],
        [0],
        [None],
        [1, -1],
        [None, -1],
        [1, 1, 1],
        [1, 0, 1],
        [0, None],
        [1, None],
        [0, 0],
        [1, None, 0],
    ]
    cases += [[None, None], [0, -1, None], [1, 1, None, 1], [0, 1, 0], [-1, -1], [0, 1, None, -1, 1]]

    def why(children):
        right = right_proof(children)
        if right == 1:
            return "One child is −1: there the opponent is to move and has lost. We go there and win."
        if right is None:
            return "No child is −1, and of some nothing is proven: it may be a win or not."
        return f"Every child is proven. The best for us is the least for the opponent, {-right}, so we get {right}."

    def observe(solution, children):
        answer = solution(children)
        return "nothing is proven (None)" if answer is None else answer

    trial.compare(function, [(c,) for c in cases], right=right_proof, why=why, slips=PROOF_SLIPS, observe=observe)


# 4. Virtual loss ------------------------------------------------------------------------------------------------


class Node:
    """What the exercises' trees are made of."""

    def __init__(self, visits=0, value_sum=0.0):
        self.visits, self.value_sum = visits, value_sum

    def __repr__(self):
        return f"Node(visits={self.visits}, value_sum={self.value_sum:g})"


def state_of(path: list) -> list:
    """[(visits, value_sum), …]"""
    return [(node.visits, node.value_sum) for node in path]


def some_path(rng, depth: int) -> list:
    """Nodes from the root down, with some visits already."""
    return [Node(int(rng.integers(1, 20)), float(rng.integers(-8, 9)) / 2) for _ in range(depth)]


@graded
def virtual_loss(trial, fly, land) -> None:
    """Check `fly(path)` and `land(path, value)`: a lost visit while the leaf waits, and no trace of it afterwards."""
    rng = np.random.default_rng(SEED)
    for depth in (1, 2, 3, 5):
        path = some_path(rng, depth)
        before = state_of(path)
        trial.call(fly, path, may_change=(0,))
        flying = [(before[0][0] + 1, before[0][1])] + [(n + 1, w + 1) for n, w in before[1:]]
        _compare_states(trial, path, depth, flying, f"fly(path), where path was {before}", "after fly")
        value = float(rng.integers(-4, 5)) / 4
        trial.call(land, path, value, may_change=(0,))
        landed = [(n + 1, w + value * (-1) ** (depth - 1 - i)) for i, (n, w) in enumerate(before)]
        call = f"fly(path), then land(path, {value}), where path was {before}"
        _compare_states(trial, path, depth, landed, call, "after fly and land")
    _in_flight(trial, fly, land, "Two leaves of one parent", [(0, 1), (0, 2)], [(1, 0.5), (0, -1.0)])
    _in_flight(trial, fly, land, "The same leaf twice", [(0, 1), (0, 1)], [(0, 0.25), (1, 0.25)])
    _in_flight(trial, fly, land, "A node and its child", [(0, 1), (0, 1, 2)], [(1, -0.5), (0, 1.0)])
    _in_flight(trial, fly, land, "Three of the same leaf", [(0, 1, 2)] * 3, [(2, 1.0), (0, 0.0), (1, -1.0)])


def _compare_states(trial, path: list, length: int, right: list, call: str, when: str) -> None:
    """The nodes' visits and sums must be these, and the path must still be as long."""
    trial.require(len(path) == length, "The path itself lost or gained a node. Only the nodes change.", call=call)
    found = state_of(path)
    for place, (mine, theirs) in enumerate(zip(found, right)):
        trial.require(
            np.allclose(mine, theirs),
            f"{when.capitalize()}, node {place} of the path (0 is the root) has visits {mine[0]:g} and value_sum "
            f"{mine[1]:g}; right is {theirs[0]:g} and {theirs[1]:g}.",
            call=call,
        )


def _in_flight(trial, fly, land, what: str, paths: list, landings: list) -> None:
    """Several leaves wait at once. paths: places of nodes. landings: (which path, its value), in their order."""
    nodes = [Node(5, 1.0), Node(2, -1.0), Node(1, 0.5)]
    right = [[n, w] for n, w in state_of(nodes)]
    call = f"{what} in flight: paths {paths}, landing as (path, value) {landings}"
    for path in paths:
        trial.call(fly, [nodes[i] for i in path], may_change=(0,), shown=call)
    for i, node in enumerate(nodes):
        on, below = (sum(i in path[first:] for path in paths) for first in (0, 1))
        mine, theirs = (node.visits, node.value_sum), (right[i][0] + on, right[i][1] + below)
        trial.require(
            np.allclose(mine, theirs),
            f"With all of them in flight, node {i} has visits {mine[0]:g} and value_sum {mine[1]:g}; right is "
            f"{theirs[0]:g} and {theirs[1]:g}: each leaf in flight counts by itself.",
            call=call,
        )
    for which, value in landings:
        path = paths[which]
        trial.call(land, [nodes[i] for i in path], value, may_change=(0,), shown=call)
        for place, i in enumerate(path):
            right[i][0] += 1
            right[i][1] += value * (-1) ** (len(path) - 1 - place)
    for i, (mine, theirs) in enumerate(zip(state_of(nodes), right)):
        trial.require(
            np.allclose(mine, theirs),
            f"At the end node {i} has visits {mine[0]:g} and value_sum {mine[1]:g}; right is {theirs[0]:g} and "
            f"{theirs[1]:g}: one visit and one value for each time that it was on a path, and nothing else.",
            call=call,
        )

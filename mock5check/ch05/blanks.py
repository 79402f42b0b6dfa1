"""What the reader of chapter 5 types: the mask, the formula, the choice by it, and the way back up with its sign."""

import math

import numpy as np

from mock5check.answers import Facts, show
from mock5check.core import Refused
from mock5check.spec import exercise


def log_priors_and_moves(rng):
    """(log_priors, legal)"""
    none = -np.inf
    for log_priors, legal in (
        (np.log([0.5, 0.3, 0.2]), [2, 0]),
        ([none, 0.0, -1.0, none], [0, 1, 2]),
        ([0.0, none, none], [2, 1]),  # the net gives no legal move a chance
        ([-2000.0, -2001.0, 0.0], [0, 1]),  # too small for exp
        ([1000.0, 999.0, 0.0], [0, 1]),  # too large for exp
        ([-900.0, 0.0, -1.0], [1, 0]),
        ([-3.0, -1.0], [1]),
    ):
        yield np.array(log_priors), legal
    for points in rng.integers(3, 12, 30):
        yield rng.normal(0, 2, points).round(2), rng.choice(points, size=points // 2, replace=False).tolist()


def why_priors(log_priors, legal):
    if log_priors[legal].max() == -np.inf:
        return f"The net gives the legal moves, {legal}, no chance at all. 0 / 0 would be NaN, so they share equally."
    said = f"Only {legal} are legal. They get exp of their log-priors, divided by the sum of these; all others get 0."
    if abs(log_priors[legal].max()) > 700:
        said += " exp() of such numbers vanishes or overflows, so subtract the largest LEGAL log-prior first."
    return said


@exercise(cases=log_priors_and_moves, why=why_priors)
def masked_priors(log_priors, legal):
    """Priors of all points: 0 where a move is illegal; the legal ones sum to 1."""
    priors = np.zeros(len(log_priors))
    greatest = log_priors[legal].max()
    if greatest == -np.inf:
        priors[legal] = 1 / len(legal)
        return priors
    weights = np.exp(log_priors[legal] - greatest)
    priors[legal] = weights / weights.sum()
    return priors


class Node:
    """As the chapter has it."""

    def __init__(self, player, move=None, parent=None, prior=1.0):
        self.player, self.move, self.parent = player, move, parent
        self.prior = prior
        self.priors = None
        self.children = {}
        self.visits = 0
        self.value_sum = 0.0


def statistics(rng):
    """(q, prior, visits of the parent, visits, c)"""
    yield from ((0.0, 0.6, 16, 12), (0.1, 0.3, 16, 3), (0.0, 0.01, 16, 0), (-0.5, 0.2, 1, 0), (0.5, 0.0, 9, 4))
    yield from ((0.2, 0.5, 16, 3, 2.0), (0.2, 0.5, 16, 3, 0.0), (-1.0, 1.0, 4, 1, 0.5))
    for parent_visits in rng.integers(1, 60, 30):
        q, prior, c = rng.uniform([-1, 0, 0], [1, 1, 4]).round(2).tolist()
        yield q, prior, int(parent_visits), int(rng.integers(0, parent_visits)), c


@exercise(cases=statistics, why="q + c · prior · √(the parent's visits) / (1 + visits).")
def puct(q, prior, parent_visits, visits, c=1.4):
    """Mean value, plus a bonus for what the policy likes and has hardly been tried."""
    return q + c * prior * math.sqrt(parent_visits) / (1 + visits)


def tables(rng):
    """({move: (prior, visits, value_sum)}, c): the moves of one position, in the order of their priors."""
    for table, *c in (
        ({4: (0.6, 0, 0.0), 7: (0.4, 0, 0.0)},),
        ({8: (0.5, 0, 0.0), 3: (0.5, 0, 0.0)},),  # equal: the first
        ({3: (0.5, 0, 0.0), 8: (0.5, 0, 0.0)},),
        ({4: (0.9, 0, 0.0), 7: (0.1, 3, 0.0)}, 5.0),
        ({4: (0.6, 3, -1.5), 7: (0.4, 3, 1.5)},),  # what is bad for them is good for us
        ({4: (0.6, 3, 1.5), 7: (0.4, 3, -1.5)},),
        ({4: (0.7, 2, 0.0), 7: (0.2, 0, 0.0), 2: (0.1, 0, 0.0)},),
        ({4: (0.9, 5, 1.0), 2: (0.1, 0, 0.0)}, 0.0),
        ({4: (0.5, 9, -0.9), 7: (0.5, 1, -0.3)}, 0.2),  # the mean counts, not the sum
        ({7: (0.4, 2, 0.5), 3: (0.4, 2, 0.5), 9: (0.2, 9, 0.0)},),  # equal after visits: still the first
        ({6: (0.2, 1, 0.5), 2: (0.2, 1, 0.5), 0: (0.6, 30, 0.0)}, 0.3),
        ({0: (1.0, 0, 0.0)},),  # a single move, whose name counts as false
    ):
        yield table, *c
    kept = dict.fromkeys(BROTHERS, 0)
    while min(kept.values()) < 4:  # where a formula that is nearly right goes to another move
        table, c = some_table(rng)
        right = best_by(table, c)
        wrong = [name for name, other in BROTHERS.items() if best_by(table, c, **other) != right and kept[name] < 4]
        kept |= {name: kept[name] + 1 for name in wrong}
        if wrong:
            yield table, c


# What is nearly PUCT: another count under the root, or another q for moves that nobody has tried.
BROTHERS = {
    "the children's visits": {"more": -1},
    "one visit more": {"more": 1},
    "the node's own mean": {"untried": lambda mean: mean},
    "minus the node's mean": {"untried": lambda mean: -mean},
    "a lost first visit": {"untried": lambda mean: -1.0},
}


def some_table(rng) -> tuple:
    """Moves and c, at random."""
    moves = int(rng.integers(2, 6))
    visits = rng.integers(0, 6, moves) * (rng.random(moves) < 0.6)
    sums = (visits * rng.uniform(-1, 1, moves)).round(2)
    priors = sorted(rng.dirichlet(np.ones(moves)).round(3).tolist(), reverse=True)
    names = rng.choice(81, moves, replace=False).tolist()
    return dict(zip(names, zip(priors, visits.tolist(), sums.tolist()))), float(rng.choice([0.3, 1.4, 1.4, 5.0]))


def best_by(table, c, more=0, untried=lambda mean: 0.0) -> int:
    """The move that PUCT likes best, or one of its brothers."""
    node = position(table)
    mean = node.value_sum / node.visits

    def score(move):
        prior, visits, value_sum = table[move]
        return puct.solution(-value_sum / visits if visits else untried(mean), prior, node.visits + more, visits, c)

    return max(table, key=score)


def position(table):
    """The node of such a table; it has children for the moves that have been tried."""
    node = Node(1 + len(table) % 2)  # the sign is the same for Black and White
    node.priors = {move: prior for move, (prior, _, _) in table.items()}
    node.visits = 1 + sum(visits for _, visits, _ in table.values())
    node.value_sum = round(0.4 - sum(value_sum for _, _, value_sum in table.values()), 2)  # the net said 0.4 of it
    for move, (prior, visits, value_sum) in table.items():
        if visits:
            child = node.children[move] = Node(3 - node.player, move, node, prior)
            child.visits, child.value_sum = visits, value_sum
    return node


def chosen(solution, table, c=1.4):
    """The move that is chosen at the node of a table; Refused if it is none of its moves."""
    node = position(table)
    grown, node.children, node.visits = (node.children, node.visits), {}, 1
    solution(node, c)  # as it was before it grew: what was true then must not be remembered
    node.children, node.visits = grown
    answer = solution(node) if c == 1.4 else solution(node, c)
    if answer is None:
        raise Refused(
            "It returned None. Is a `return` missing? Or did no score beat the one that you began with? Scores can be "
            "0 or negative: begin with −∞."
        )
    if isinstance(answer, (str, tuple, Node)) or answer not in table:
        what = "a node" if isinstance(answer, Node) else show(answer)
        raise Refused(f"It returned {what}. Return a move, one of the keys of node.priors.")
    return int(answer)


def in_numbers(table, c=1.4):
    moves = [f"{move}: P {p:g}" + (f", n {n}, value_sum {w:g}" if n else "") for move, (p, n, w) in table.items()]
    visits = 1 + sum(n for _, n, _ in table.values())
    node = f"node.visits {visits}, node.value_sum {position(table).value_sum:g}"
    return f"choose(node{'' if c == 1.4 else f', {c:g}'}), where {node}, and its moves are\n" + "\n".join(moves)


@exercise(
    cases=tables,
    observe=chosen,
    call=in_numbers,
    why="Take the move with the greatest PUCT score, the first of them if several are equal. q is minus the child's "
    "mean, or 0 for a move without a child, and N is node.visits.",
)
def choose(node, c=1.4):
    """The move with the highest PUCT score."""

    def score(move):
        child = node.children.get(move)
        if child is None:
            return puct(0.0, node.priors[move], node.visits, 0, c)
        q = -child.value_sum / child.visits
        return puct(q, child.prior, node.visits, child.visits, c)

    return max(node.priors, key=score)


def lines(rng):
    """([(visits, value_sum) from the root to the leaf], value)"""
    yield from (([(0, 0.0)], 0.5), ([(0, 0.0)], -1.0), ([(1, 0.25), (0, 0.0)], 1.0), ([(1, 0.25), (0, 0.0)], 0.0))
    for depth in rng.integers(1, 7, 30):
        numbers = [(int(n), float(w) / 4) for n, w in zip(rng.integers(1, 20, depth), rng.integers(-20, 20, depth))]
        yield numbers, float(rng.integers(-4, 5)) / 4


def entered(solution, numbers, value):
    """What the nodes of a line hold afterwards, and whatever else changed: each node has a second child beside it."""
    line, others = [], []
    for visits, value_sum in numbers:
        player, parent = 1 + len(line) % 2, line[-1] if line else None
        both = [Node(player, move if parent else None, parent) for move in range(2)]
        for node in both:
            node.visits, node.value_sum = visits, value_sum
        if parent:
            parent.children = dict(enumerate(both))
        line.append(both[0])
        others.append(both[1])
    solution(line[-1], value)
    facts = Facts()
    for up, node in enumerate(reversed(line)):
        name = "the leaf" if up == 0 else "its parent" if up == 1 else f"the node {up} plies above it"
        facts[f"visits of {name}"], facts[f"value_sum of {name}"] = node.visits, f"{node.value_sum:g}"
    if any((node.visits, node.value_sum) != numbers for node, numbers in zip(others, numbers)):
        facts["nodes beside the path"] = "changed"
    if [node.parent for node in line] != [None, *line[:-1]]:
        facts["parents"] = "changed"
    return facts


@exercise(
    cases=lines,
    observe=entered,
    may_change=(0,),
    call=lambda numbers, value: f"backup(leaf, {value:g}); (visits, value_sum) were {numbers}, the root first",
    why="Every node up to the root gets one more visit. The leaf gets the value, its parent minus the value, and so "
    "on.",
)
def backup(node, value):
    """A visit and the value for each node up to the root; the value flips each ply."""
    while node is not None:
        node.visits += 1
        node.value_sum += value
        value, node = -value, node.parent

"""Tree search guided by an expert: one tree in objects that can be read and drawn (Silver et al. 2017, Methods).

An *expert* gives priors and a value for a position, see `expert.py`. Each simulation walks down the tree by a selection
rule, asks the expert about one new position, and backs its value up.

The one sentence about sides: *an edge's statistics (N, W, Q) belong to the player who chooses it, a net's value to the
player to move; it flips once on the way from node to edge.* A node keeps W for the player to move there, as values
arrive, so Q of the edge into it is minus its mean: `child_q` has that sign, and `backup` flips once per ply.

Two selection rules, q + u each, with N the visits of the parent and n those of the child:

    "puct"     u = c · P · √N / (1 + n)                      (Silver et al. 2017)
    "log-ucb"  u = c · P · √(log(1 + N) / (1 + n))           (lumiknit 2022, as the notebook's code has it)

A node's visits count the expert's look at it, so N is 1 before the first child is tried and the first choice follows
the prior. (The notebook counts this look everywhere but at the root, whose first move is therefore a random one.)
Equal scores: the higher prior, then the lower index; or by lot, if a generator is given.

`forest_compiled.py` does the same for many games at once in flat arrays; tests hold the two equal visit for visit.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, sqrt

import numpy as np

from mock5lib.base.arguments import at_least, one_of, whole
from mock5lib.game.board import Mock5
from mock5lib.game.kit import twice_in_a_row
from mock5lib.search.expert import as_expert, checked_answer
from mock5lib.search.result import SearchResult, moves_listed
from mock5lib.search.uct import check_running

DIRICHLET_TOTAL = 10.83  # 0.03 · 361 points: the concentration of AlphaZero's noise on a 19×19 board, summed


# The selection rules --------------------------------------------------------------------------------------------


def puct(q: float, prior: float, parent_visits: int, visits: int, c: float) -> float:
    """q + c·P·√N / (1 + n) (Silver et al. 2017, Methods, "Select")."""
    return q + c * prior * sqrt(parent_visits) / (1 + visits)


def log_ucb(q: float, prior: float, parent_visits: int, visits: int, c: float) -> float:
    """q + c·P·√(log(1 + N) / (1 + n)) (lumiknit 2022); with n = 0 and q = 0 it is c·P·√log(1 + N)."""
    return q + c * prior * sqrt(log(1 + parent_visits) / (1 + visits))


RULES: dict[str, Callable] = {"puct": puct, "log-ucb": log_ucb}


def check_rule(rule: str, c: float, fpu: float | None, max_depth: int | None) -> None:
    """Raise an error that names the first setting out of its range."""
    one_of("rule", rule, RULES)
    at_least(0, c=c)
    if fpu is not None and not -inf < fpu < inf:
        raise ValueError(f"fpu must be None or a finite number, got {fpu}.")
    if max_depth is not None:
        whole("max_depth", max_depth, 1)


# Priors, and what the rules know --------------------------------------------------------------------------------------


def legal_priors(log_priors: np.ndarray, moves: list[int]) -> np.ndarray:
    """Priors of `moves` alone, which sum to 1: mask first, then normalize. Shape (len(moves),), float32.

    Equal ones if the expert gives each of them probability 0.
    """
    if max(moves) >= len(log_priors):
        raise ValueError(f"The expert's log-priors have shape ({len(log_priors)},), and {max(moves)} is a legal move.")
    wanted = log_priors[moves].astype(np.float64)
    greatest = wanted.max()
    if greatest == -np.inf:
        return np.full(len(moves), 1 / len(moves), dtype=np.float32)
    weights = np.exp(wanted - greatest).astype(np.float32)
    return (weights / weights.sum(dtype=np.float64)).astype(np.float32)


def immediate_wins(game, player: int) -> list[int]:
    """The legal moves with which `player` would win on the spot, if it were that player's turn.

    For games that say by `looks_ahead` that either player may be made the one to move. In Reversi, where who moves
    decides what is legal, the answers would be wrong.
    """
    if type(game) is Mock5:  # its rows tell without a copy; a subclass may have other rules
        return [move for move in game.legal_moves() if game.completes_row(move, player)]
    wins = []
    for move in game.legal_moves():
        after = game.copy()
        after.player = player
        after.apply(move)
        if after.winner == player:
            wins.append(move)
    return wins


def look_one_ply_ahead(game) -> tuple[list[int], float | None]:
    """Which moves are worth a look, and the exact value for the player to move where the rules give it away.

    - I can win at once: those moves, value 1.
    - The opponent threatens to win at two points or more: those moves, value -1, for only one can be blocked.
    - The opponent threatens at one point: that move alone; value not known.
    - Otherwise: all legal moves; value not known.
    """
    wins = immediate_wins(game, game.player)
    if wins:
        return wins, 1.0
    threats = immediate_wins(game, 3 - game.player)
    if threats:
        return threats, -1.0 if len(threats) > 1 else None
    return game.legal_moves(), None


# The tree -------------------------------------------------------------------------------------------------------


class SearchNode:
    """A position in the tree.

    Attributes:
        move: the move that led here, None at the root of a fresh tree.
        player: who moves next here, 1 or 2.
        parent: the node above, None at the root.
        prior: P, the probability that the parent's priors give to this move.
        priors: move → prior of the moves from here, highest first; None until the expert has been asked.
        children: move → node, for the moves that have been tried.
        visits: N, how often a simulation came through or ended here.
        value_sum: W, the sum of the values backed up, for the player to move here.
        value: what the expert, or the rules, said of this position alone; for the player to move here.
        exact: whether `value` comes from the rules; such a node is never expanded.
    """

    __slots__ = ("move", "player", "parent", "prior", "priors", "children", "visits", "value_sum", "value", "exact")
    caption = "below each node: its mean value for the player who moved into it, and its visits"

    def __init__(self, player: int, move: int | None = None, parent: SearchNode | None = None, prior: float = 1.0):
        self.player, self.move, self.parent, self.prior = player, move, parent, prior
        self.priors: dict[int, float] | None = None
        self.children: dict[int, SearchNode] = {}
        self.visits, self.value_sum = 0, 0.0
        self.value, self.exact = 0.0, False

    @property
    def q(self) -> float:
        """Mean value W/N for the player to move here; 0 before the first visit."""
        return self.value_sum / self.visits if self.visits else 0.0

    @property
    def wins(self) -> float:
        """The visits as points of the player who moved into this node, 1 for a win and 1/2 for a draw, for drawing."""
        return (self.visits - self.value_sum) / 2

    def label(self) -> str:
        """Mean value for the player who moved into the node, and visits, as drawn below it."""
        return f"{-self.q:+.2f} of {self.visits}"

    def __repr__(self) -> str:
        return f"<Node move {self.move}: W/N {self.value_sum:+.3f}/{self.visits}, prior {self.prior:.3f}>"


def child_q(child: SearchNode) -> float:
    """The child's mean value for the player who chooses it: one ply up, so the sign flips."""
    return 0.0 - child.value_sum / child.visits  # 0.0 − x, because −x would print a draw as -0.000


class SearchTree:
    """One game, one expert, one tree. Any game of the course's contract will do.

    Args:
        game: the position to search from; it is copied.
        expert: an `Expert`, or a function of planes; see `expert.py`.
        rule: "puct" or "log-ucb".
        c: weight of the exploration term u.
        fpu: first-play urgency. None: an untried move has q = 0. A number: its q is the parent's mean value less
            `fpu` · √(sum of the priors tried so far) (Wu 2019; he takes 0.2).
        forced_moves: look one ply ahead by the rules at each leaf, see `look_one_ply_ahead`. A leaf whose exact value
            is known is not shown to the expert and not expanded; the root always is, among the moves worth a look.
        max_depth: so many plies below the root the tree grows no further, and a position there keeps its first value;
            None for no limit.
        rng: a generator that breaks ties; without it the order is fixed.

    Attributes:
        game: the position at the root.
        root: its `SearchNode`.
    """

    def __init__(self, game, expert, *, rule="puct", c=1.4, fpu=None, forced_moves=False, max_depth=None, rng=None):
        check_running(game)
        check_rule(rule, c, fpu, max_depth)
        if forced_moves and not getattr(game, "looks_ahead", False):
            raise ValueError(
                f"forced_moves looks one ply ahead, which {type(game).__name__} does not say that one can."
            )
        self.game, self.expert, self.rng = game.copy(), as_expert(expert), rng
        self.rule, self.c, self.fpu = rule, c, fpu
        self.forced_moves, self.max_depth = forced_moves, inf if max_depth is None else max_depth
        self._start()

    def _start(self, move: int | None = None) -> None:
        """A fresh root; `move` led to it."""
        self.root = SearchNode(self.game.player, move)
        backup(self.root, self.evaluate(self.root, self.game))

    # One simulation: select, evaluate (and expand), back up

    def simulate(self) -> SearchNode:
        """One simulation; returns the node at which it ended."""
        game = self.game.copy()
        leaf = self.select(game)
        backup(leaf, self.evaluate(leaf, game))
        return leaf

    def select(self, game) -> SearchNode:
        """Walk down by the rule, playing on `game`, to a node that is new, has an exact value, or grows no further."""
        node, depth = self.root, 0
        while node.priors is not None and depth < self.max_depth:
            move, depth = self.choose(node), depth + 1
            game.apply(move)
            if move not in node.children:
                if game.player == node.player:
                    raise ValueError(twice_in_a_row(game))
                node.children[move] = SearchNode(game.player, move, node, node.priors[move])
            node = node.children[move]
        return node

    def choose(self, node: SearchNode) -> int:
        """The move of the highest score."""
        scores = self.scores(node)
        best = max(scores, key=scores.get)  # the first of equal ones, and priors stand highest first
        if self.rng is None:
            return best
        return int(self.rng.choice([move for move in scores if scores[move] == scores[best]]))

    def scores(self, node: SearchNode) -> dict[int, float]:
        """q + u of each move from an expanded node."""
        rule, untried_q = RULES[self.rule], self.untried_q(node)
        scores = {}
        for move, prior in node.priors.items():
            child = node.children.get(move)
            q, visits = (child_q(child), child.visits) if child else (untried_q, 0)
            scores[move] = rule(q, prior, node.visits, visits, self.c)
        return scores

    def untried_q(self, node: SearchNode) -> float:
        """First-play urgency: the q of a move that has not been tried."""
        if self.fpu is None:
            return 0.0
        tried = 0.0
        for child in node.children.values():
            tried += child.prior
        return node.q - self.fpu * sqrt(tried)

    def evaluate(self, node: SearchNode, game) -> float:
        """The value of `game` for the player to move: from the rules if they know it, else from the expert."""
        if node.exact or node.priors is not None:
            return node.value
        if game.winner is not None:
            node.exact = True
            node.value = 0.0 if game.winner == 0 else 1.0 if game.winner == game.player else -1.0
            return node.value
        moves, exact = look_one_ply_ahead(game) if self.forced_moves else (game.legal_moves(), None)
        if exact is not None and node is not self.root:
            node.exact, node.value = True, exact
            return exact
        value = self.expand(node, game, moves)
        node.value = value if exact is None else exact
        return node.value

    def expand(self, node: SearchNode, game, moves: list[int]) -> float:
        """Ask the expert: sets the priors of `moves` and returns the value."""
        log_priors, values = checked_answer(self.expert.of_positions([game]), 1, getattr(game, "actions", None))
        set_priors(node, moves, legal_priors(log_priors[0], moves))
        return float(values[0])

    # Searching and moving on

    def search(self, simulations: int = 100) -> SearchResult:
        """Run so many simulations more and say what the root has found."""
        whole("simulations", simulations, 1)
        check_running(self.game)
        for _ in range(simulations):
            self.simulate()
        return self.result(simulations)

    def result(self, simulations: int) -> SearchResult:
        """The root's statistics. `move` is the most visited; of equal visits the higher q, then the lower index."""
        size = moves_listed(self.game)
        visits, q, prior = np.zeros(size, dtype=np.int64), np.zeros(size), np.zeros(size)
        for move, share in self.root.priors.items():
            prior[move] = share
        for move, child in self.root.children.items():
            visits[move], q[move] = child.visits, child_q(child)
        move = most_visited(visits, q)
        value = self.root.q
        return SearchResult(
            visits, q, prior, value, move=move, simulations=simulations, game=self.game.copy(), root=self.root
        )

    def add_noise(self, rng: np.random.Generator, weight: float = 0.25, total: float = DIRICHLET_TOTAL) -> None:
        """Mix Dirichlet noise into the root's priors, and nowhere else: (1 − weight)·P + weight·noise.

        Args:
            total: sum of the concentrations; each of n legal moves gets total / n (Wu 2019, after Silver et al. 2017).
        """
        moves, priors = list(self.root.priors), np.array(list(self.root.priors.values()))
        noise = rng.dirichlet(np.full(len(moves), total / len(moves)))
        set_priors(self.root, moves, ((1 - weight) * priors + weight * noise).astype(np.float32))

    def advance(self, move: int) -> None:
        """Play `move` (ours or the opponent's) and keep the part of the tree below it."""
        self.game.apply(move)
        if hasattr(self.game, "actions"):
            move = self.game.history[-1]  # it may have come as a pair (row, column)
        if self.game.winner is not None:
            self.root = SearchNode(self.game.player, move)
            return
        child = self.root.children.get(move)
        if child is None or child.priors is None:
            self._start(move)
            return
        child.parent = None
        self.root = child


def set_priors(node: SearchNode, moves: list[int], priors: np.ndarray) -> None:
    """Store priors, highest first; of equal ones the lower move first."""
    node.priors = dict(sorted(zip(moves, priors.tolist()), key=lambda pair: (-pair[1], pair[0])))
    for move, child in node.children.items():
        child.prior = node.priors[move]


def backup(node: SearchNode | None, value: float) -> None:
    """From the leaf to the root: one more visit, and the value, which flips once per ply."""
    while node is not None:
        node.visits += 1
        node.value_sum += value
        value = -value
        node = node.parent


def most_visited(visits: np.ndarray, q: np.ndarray) -> int:
    """The index of the most visits; of equal ones the higher q, then the lower index."""
    return int(np.argmax(np.where(visits == visits.max(), q, -np.inf)))

"""Plain UCT: Monte Carlo tree search with the UCB1 formula, in objects that can be read and drawn.

One simulation is four steps, one function each: `select`, `expand`, `simulate`, `backup` (Kocsis and Szepesvári 2006;
the names are those of Browne et al. 2012, section 3). They work for any game of the course's contract:
`legal_moves()`, `apply(move)`, `undo()`, `winner`, `player`, `copy()`.

The one sentence about sides: an edge's statistics belong to the player who chooses it. A node keeps those of the edge
into it: `wins` are the points of the player who moved INTO it, 1 for a win and 1/2 for a draw. So a parent picks the
child whose w/v is best for the player to move at the parent, with no sign to flip.

`uct_compiled.py` does the same for Mock5 and Go in one flat array, 8 to 40 times faster; tests hold the two equal.
`uct_step_by_step.py` tells what each step does, to draw it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np

from mock5lib.base.arguments import above, check_settings, generator_of, setting, whole
from mock5lib.game.board_compiled import random_state
from mock5lib.game.position_compiled import PLAYOUTS, has_answers, judge
from mock5lib.search.deadline import AnswersByDeadline
from mock5lib.search.result import SearchResult, moves_listed

SQRT2 = sqrt(2)
FINAL_RULES = ("visits", "ratio")


class Node:
    """A position in the search tree.

    Attributes:
        move: the move that led here from the parent; None at the root of a fresh tree.
        player: who moves next here, 1 or 2.
        parent: the node above, None at the root.
        children: nodes of the moves tried so far, in the order in which they were tried.
        untried: legal moves that have no child yet. The node is fully expanded when none is left.
        visits: v, the playouts that went through this node.
        wins: w, the points of the player who moved into this node: 1 for each win, 1/2 for each draw.
    """

    __slots__ = ("move", "player", "parent", "children", "untried", "visits", "wins")

    def __init__(self, game, move=None, parent: Node | None = None):
        self.move = move
        self.player = game.player
        self.parent = parent
        self.children: list[Node] = []
        self.untried = list(game.legal_moves()) if game.winner is None else []
        self.visits = 0
        self.wins = 0.0

    def __repr__(self) -> str:
        return f"<Node move {self.move}: {self.wins:g}/{self.visits}, {len(self.children)} children>"


# The four steps -------------------------------------------------------------------------------------------------


def ucb1(child: Node, parent_visits: int, c: float = SQRT2) -> float:
    """w/v + c·√(ln N / v): how good the child looks, plus how little is known of it.

    With rewards in [0, 1] and c = √2 this is UCB1, w/v + √(2 ln N / v) (Auer et al. 2002): the 2 is in c already.
    """
    return child.wins / child.visits + c * sqrt(log(parent_visits) / child.visits)


def best_child(node: Node, c: float = SQRT2) -> Node:
    """The child with the greatest `ucb1`; of equal ones the first tried, and the order of trying is random."""
    wideness = c * sqrt(log(node.visits))  # the same for all children, so it is worked out once
    best, best_score = None, -inf
    for child in node.children:
        visits = child.visits
        score = child.wins / visits + wideness / sqrt(visits)
        if score > best_score:
            best, best_score = child, score
    return best


def select(node: Node, game, c: float = SQRT2) -> Node:
    """Step 1. Walk down through fully expanded nodes, playing each `best_child` on `game`; return where it ends."""
    while not node.untried and node.children:
        node = best_child(node, c)
        game.apply(node.move)
    return node


def expand(node: Node, game, rng: np.random.Generator | None) -> Node:
    """Step 2. Play one untried move, drawn at random, and add its node. A finished game stays where it is.

    Without `rng` the moves are tried in their order, which makes a search repeatable move for move.
    """
    untried = node.untried
    if not untried:
        return node
    move = untried.pop(int(rng.random() * len(untried)) if rng is not None else 0)
    game.apply(move)
    child = Node(game, move, parent=node)
    node.children.append(child)
    return child


def simulate(game, rng: np.random.Generator) -> int:
    """Step 3. A playout: random moves to the end. Returns the winner, 0 for a draw; `game` is put back."""
    moves = random_moves(game, rng)
    winner = game.winner
    for _ in moves:
        game.undo()
    return winner


def random_moves(game, rng: np.random.Generator) -> list:
    """Play uniform random moves until the game is over; returns them."""
    moves = []
    while game.winner is None:
        legal = game.playout_moves() if hasattr(game, "playout_moves") else game.legal_moves()
        moves.append(legal[int(rng.random() * len(legal))])
        game.apply(moves[-1])
    return moves


def backup(node: Node, winner: int) -> None:
    """Step 4. From the leaf up to the root: one more visit, and the points of who moved into each node."""
    while node is not None:
        node.visits += 1
        if winner == 0:
            node.wins += 0.5
        elif winner == player_into(node):
            node.wins += 1.0
        node = node.parent


def player_into(node: Node) -> int:
    """Who moved into the node: the player to move at its parent."""
    return node.parent.player if node.parent is not None else 3 - node.player


def take_back(node: Node, root: Node, game) -> None:
    """Undo on `game` the moves that led from `root` to `node`."""
    while node is not root:
        game.undo()
        node = node.parent


# Playouts -------------------------------------------------------------------------------------------------------


def playout_for(game, rng: np.random.Generator) -> Callable:
    """The default playout, a function game → winner: compiled for Mock5 and Go, plain Python for any other game."""
    compiled = PLAYOUTS.get(type(game)) if has_answers(type(game)) else None
    if compiled is None:
        return lambda game: simulate(game, rng)
    state = random_state(int(rng.integers(2**63)))
    return lambda game: compiled(game, state) if game.winner is None else game.winner


# The whole search -----------------------------------------------------------------------------------------------


def run_simulation(root: Node, game, c: float, rng, playout: Callable, playouts: int = 1) -> None:
    """The four steps, once. `game` stands at `root` before and after."""
    leaf = expand(select(root, game, c), game, rng)
    for _ in range(playouts):
        winner = playout(game)
        if winner not in (0, 1, 2):
            raise ValueError(f"A playout gives the winner, 1 or 2, or 0 for a draw; this one gave {winner!r}.")
        backup(leaf, winner)
    take_back(leaf, root, game)


def final_child(root: Node, final: str = "visits", rng: np.random.Generator | None = None) -> Node:
    """The child to play: most visits ("visits") or greatest w/v ("ratio").

    Of children equal in this, the other of the two decides, then the lot; without `rng` the first.
    """

    def merit(child: Node) -> tuple:
        ratio = child.wins / child.visits
        return (child.visits, ratio) if final == "visits" else (ratio, child.visits)

    greatest = max(map(merit, root.children))
    best = [child for child in root.children if merit(child) == greatest]
    return best[int(rng.random() * len(best))] if rng is not None else best[0]


def final_move(visits: np.ndarray, ratio: np.ndarray, final: str, rng: np.random.Generator | None) -> int:
    """The same by arrays of v and of w/v (or of q), indexed by move."""
    first, second = (visits, ratio) if final == "visits" else (np.where(visits > 0, ratio, -inf), visits)
    best = np.flatnonzero(first == first.max())
    best = best[second[best] == second[best].max()]
    return int(best[int(rng.random() * len(best))] if rng is not None else best[0])


@dataclass(frozen=True)
class UCTOptions:
    """How UCT searches, whatever its budget; arguments of `UCT`."""

    c: float = setting(SQRT2, "Weight of the exploration term; √2 makes it UCB1.", at_least=0)
    final: str = setting(
        "visits", "The move played: the most visited one, or that of greatest w/v.", one_of=FINAL_RULES
    )
    playouts: int = setting(1, "From each new leaf.", at_least=1)
    keep_tree: bool = setting(True, "Keep the tree between moves.")

    __post_init__ = check_settings


class UCT(AnswersByDeadline):
    """An agent that plays by plain UCT.

    Args:
        simulations: simulations a move. One simulation is the four steps, with `playouts` playouts.
        seconds: search for so long instead. At least one simulation runs.
        c: weight of the exploration term; √2 makes it UCB1.
        final: which move is played: "visits", the most visited, or "ratio", the one of greatest w/v.
        playouts: playouts from each new leaf.
        seed: for the random draws: a whole number, a `numpy.random.Generator`, or None for a new start each time.
        playout: a function from a running or finished game to its winner (0 for a draw), which leaves the game as it
            was. Default: uniform random moves.
        keep_tree: keep the tree between moves, and go on from its part that still matters.
        ordered: try moves in their order instead of a random one, so that the tree is the same each time. For tests.
        clock: the function that tells the time in seconds.
    """

    node_type = Node

    def __init__(
        self,
        simulations: int | None = 1000,
        *,
        seconds: float | None = None,
        c: float = SQRT2,
        final: str = "visits",
        playouts: int = 1,
        seed: int | np.random.Generator | None = None,
        playout: Callable | None = None,
        keep_tree: bool = True,
        ordered: bool = False,
        clock: Callable[[], float] = time.perf_counter,
    ):
        check_budget(simulations, seconds)
        UCTOptions(c, final, playouts, keep_tree)  # checks them
        self.simulations, self.seconds, self.c, self.final = simulations, seconds, c, final
        self.playouts, self.playout = playouts, playout
        self.keep_tree, self.ordered, self.clock = keep_tree, ordered, clock
        self.rng = generator_of(seed)
        self.name = f"uct:{simulations}" if seconds is None else f"uct:{seconds:g}s"
        self.forget()

    def forget(self) -> None:
        """Drop the tree kept from earlier moves."""
        self._root = self._game = None

    def __call__(self, game, **budget) -> int:
        return self.search(game, **budget).move

    def think(self, game) -> SearchResult:
        """What the search finds in one game."""
        return self.search(game)

    def search(self, game, simulations: int | None = None, seconds: float | None = None) -> SearchResult:
        """Search from `game`, which is left as it is; `simulations` or `seconds` in place of the agent's, this once."""
        check_running(game)
        simulations, seconds = self._budget(simulations, seconds)
        game = game.copy()
        root = (self._kept_root(game) if self.keep_tree else None) or self.node_type(game)
        self.forget()  # a search that is interrupted leaves a tree with a half-made node: do not keep that one
        done = self._grow(root, game, simulations, seconds)
        if self.keep_tree:
            self._root, self._game = root, game
        chosen = final_child(root, self.final, None if self.ordered else self.rng)
        return result_of(root, game, chosen.move, done)

    def _budget(self, simulations: int | None, seconds: float | None) -> tuple[int | None, float | None]:
        """The budget of a search: the call's, or else the agent's; raises as the constructor does."""
        if simulations is None and seconds is None:
            return self.simulations, self.seconds
        check_budget(simulations, seconds)
        return simulations, seconds

    def _grow(self, root: Node, game, simulations: int, seconds: float | None) -> int:
        """Run simulations until the budget is spent; returns how many."""
        playout = self.playout or playout_for(game, self.rng)
        rng = None if self.ordered else self.rng
        if seconds is None:
            for _ in range(simulations):
                run_simulation(root, game, self.c, rng, playout, self.playouts)
            return simulations
        deadline, done = self.clock() + seconds, 0
        while done == 0 or self.clock() < deadline:
            run_simulation(root, game, self.c, rng, playout, self.playouts)
            done += 1
        return done

    def _kept_root(self, game) -> Node | None:
        """The node of `game` in the kept tree, made its root; None if the tree has no such node."""
        moves = moves_since(self._game, game)
        if moves is None:
            return None
        node = self._root
        for move in moves:
            node = next((child for child in node.children if child.move == move), None)
            if node is None:
                return None
        node.parent = None  # what the game has passed by is dropped
        return node


def moves_since(earlier, game) -> list | None:
    """The moves that lead from the position `earlier` to `game`, or None if `game` does not continue it."""
    if earlier is None or type(earlier) is not type(game) or not hasattr(game, "history"):
        return None
    before, after = list(earlier.history), list(game.history)
    if after[: len(before)] != before:
        return None
    replayed, moves = earlier.copy(), after[len(before) :]
    try:
        for move in moves:
            replayed.apply(move)
    except (TypeError, ValueError, IndexError):
        return None
    return moves if same_position(replayed, game) else None


def same_position(one, other) -> bool:
    """Whether two games of one type stand alike: player, legal moves and, where they have them, board and rules."""
    if one.player != other.player or list(one.legal_moves()) != list(other.legal_moves()):
        return False
    names = ("board", "height", "width", "k", "exact", "rules")
    return all(getattr(one, name, None) == getattr(other, name, None) for name in names)


def result_of(root: Node, game, move, simulations: int) -> SearchResult:
    """The root's statistics as a `SearchResult`."""
    legal, size = list(game.legal_moves()), moves_listed(game)
    visits, q, prior = np.zeros(size, dtype=np.int64), np.zeros(size), np.zeros(size)
    prior[legal] = 1 / len(legal)
    for child in root.children:
        visits[child.move] = child.visits
        q[child.move] = 2 * child.wins / child.visits - 1
    value = visits @ q / visits.sum()  # without the playouts that a kept root had as a leaf
    return SearchResult(visits, q, prior, value, move=move, simulations=simulations, game=game, root=root)


# Checks ---------------------------------------------------------------------------------------------------------


def check_budget(simulations, seconds) -> None:
    """Raise a ValueError or TypeError that names the number of simulations, or the seconds, if it makes no sense."""
    if seconds is None:
        whole("simulations", simulations, 1)
    else:
        above(0, seconds=seconds)


def check_running(game) -> None:
    """Raise a TypeError for what is no game, a ValueError for a finished one."""
    judge(game)
    if game.winner is not None:
        raise ValueError(f"The game is over (winner {game.winner}): there is no move to search for.")

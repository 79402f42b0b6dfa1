"""How `forest_compiled.py` keeps many trees in flat arrays: a node's layout, all arrays, the settings, moving roots.

Invariants, for game g and node i:
- Node 0 is the root. A parent's index is lower than its children's, because nodes are taken in order of creation.
- `edges[g, i, :legal]` are the moves worth a look. The first `opened` of these slots have a child node and never move
  again; the others wait in any order.
- `value_sum` and `value` belong to the player to move at the node. Q of the edge into it, which belongs to the player
  who chooses that edge, is minus the mean.
- `pending` counts the leaves at or below the node that wait for the expert: each is a virtual visit that lost.

The compiled functions say what becomes of a tree when its root moves on (a fresh root, or the subtree of the move that
was played) and what each root has found.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, fields
from math import nan
from typing import NamedTuple

import numpy as np

from mock5lib.base.arguments import check_settings, setting, types_of
from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import RUNNING, seeded
from mock5lib.game.position_compiled import at, is_legal, play, winner_of
from mock5lib.search.puct import DIRICHLET_TOTAL

NEW, EXPANDED, EXACT = 0, 1, 2  # states of a node: the expert has not seen it; expanded; its value is known by rule
PUCT, LOG_UCB = 0, 1
NO_LIMIT = 2**31 - 1  # plies

NODE = np.dtype(
    [
        ("value_sum", np.float64),  # W
        ("tried", np.float64),  # sum of the priors of the opened moves
        ("visits", np.int32),  # N
        ("pending", np.int32),
        ("parent", np.int32),  # -1 at the root
        ("value", np.float32),  # of this position alone, from the expert or the rules
        ("prior", np.float32),
        ("move", np.int16),
        ("slot", np.int16),  # where the parent keeps this child
        ("legal", np.int16),
        ("opened", np.int16),
        ("state", np.int8),
        ("fetched", np.int8),  # whether slot `opened` holds the best unopened move
    ],
    align=True,
)


# A move from a node, in a slot
EDGE = np.dtype([("prior", np.float32), ("child", np.int32), ("move", np.int16)], align=True)
GAME = np.dtype(
    [
        ("noise", np.float64),  # weight of the root's noise
        ("used", np.int32),  # nodes in use
        ("done", np.int32),  # simulations of this search; -1 before the root's first look
        ("wanted", np.int32),
        ("waiting", np.int32),  # leaves of this step that wait for the expert
        ("winner", np.int8),  # RUNNING while the game goes on
        ("full", np.bool_),  # ran out of nodes
        ("prepared", np.bool_),  # whether this root's priors are noted and have had their noise
    ],
    align=True,
)

LEAF = np.dtype([("node", np.int32), ("exact", np.int8)], align=True)


# A move at the root: its prior before noise, Gumbel noise + log-prior, visits from before this search
ROOT_MOVE = np.dtype([("gumbel", np.float64), ("prior", np.float32), ("before", np.int32)], align=True)


class Trees(NamedTuple):
    """The arrays of a forest, beside the positions at its roots and leaves.

    Of G games with M nodes each, A moves (the game's `actions`: a board's points, and Go's pass) and L leaves a step.
    """

    games: np.ndarray  # (G,) GAME
    nodes: np.ndarray  # (G, M) NODE
    edges: np.ndarray  # (G, M, A) EDGE
    leaves: np.ndarray  # (G, L) LEAF, of which games[g].waiting are in use
    leaf_masks: np.ndarray  # (G, L, A) bool, the moves worth a look
    root_moves: np.ndarray  # (G, A) ROOT_MOVE, by move
    schedule: np.ndarray  # (G, S) int32: which visit count the Gumbel root looks for at each simulation
    states: np.ndarray  # (G, 1) uint64, a random stream for each game


RULES = {"puct": PUCT, "log-ucb": LOG_UCB}


@dataclass(frozen=True)
class Options:
    """How to search; keyword arguments of `Forest`, `Search` and `SearchAgent`.

    Args:
        rule: "puct" or "log-ucb", see `puct.py`.
        c: weight of the exploration term.
        fpu: first-play urgency: None, or the reduction (Wu 2019 takes 0.2), see `puct.SearchTree`.
        leaves: leaves a tree gathers in one step. More than one makes bigger batches from fewer games; each waiting
            leaf counts as `virtual_loss` lost until its answer comes, so that the next walk takes another way.
        virtual_loss: at least 0; at 0 a waiting leaf counts as a drawn visit.
        noise: weight of the Dirichlet noise in the root's priors, 0 for none (Silver et al. 2017 take 0.25).
        noise_total: sum of its concentrations over the legal moves.
        considered: 0, or how many moves a Gumbel root considers (Danihelka et al. 2022 take 16): the root then
            follows sequential halving instead of the rule, and the rest of the tree the rule. The move and the improved
            policy follow the paper.
        gumbel_scale: factor of its Gumbel numbers: 1 for self-play, 0 to play as well as it can.
        value_scale, max_visit_init: constants of its σ.
        forced_moves: look one ply ahead by the rules at each leaf, see `puct.look_one_ply_ahead`; None where the game
            can.
        max_depth: so many plies below the root the tree grows no further, and a position there keeps its first value;
            None for no limit.
    """

    rule: str = setting("puct", "Which move to try next.", one_of=("puct", "log-ucb"))
    c: float = setting(1.4, "Weight of the exploration term.", at_least=0)
    fpu: float | None = setting(None, "First-play urgency: what is taken from the value of moves not tried yet.")
    leaves: int = setting(1, "That a tree gathers in one step.", at_least=1)
    virtual_loss: float = setting(1.0, "How much a waiting leaf counts as lost.", at_least=0)
    noise: float = setting(0.0, "Weight of the Dirichlet noise at the root.", at_least=0, at_most=1)
    noise_total: float = setting(DIRICHLET_TOTAL, "Sum of its concentrations over the legal moves.", above=0)
    considered: int = setting(0, "Moves that a Gumbel root considers, 0 for none.", at_least=0)
    gumbel_scale: float = setting(1.0, "Factor of its Gumbel numbers.", at_least=0)
    value_scale: float = setting(0.1, "Of its σ.", at_least=0)
    max_visit_init: float = setting(50.0, "Of its σ.", at_least=0)
    forced_moves: bool | None = setting(False, "Look one ply ahead by the rules at each leaf; none: if the game can.")
    max_depth: int | None = setting(None, "Plies below the root at which the tree ends.", at_least=1)

    __post_init__ = check_settings

    def settings(self, looks_ahead: bool) -> Settings:
        """The same for the kernels, in a game that looks one ply ahead, or does not.

        Raises:
            ValueError: it is to look ahead and does not.
        """
        if self.forced_moves and not looks_ahead:
            raise ValueError("forced_moves looks one ply ahead, which this game does not say that one can.")
        values = vars(self) | {"rule": RULES[self.rule], "fpu": nan if self.fpu is None else self.fpu}
        values["forced_moves"] = looks_ahead if self.forced_moves is None else self.forced_moves
        values["max_depth"] = NO_LIMIT if self.max_depth is None else self.max_depth
        floats = {field.name for field in fields(self) if "float" in types_of(field)}
        # an int where a float is meant would compile all kernels anew
        return Settings(**{name: float(value) if name in floats else value for name, value in values.items()})


# What the kernels need to know: `Options` as numbers.
Settings = namedtuple("Settings", [field.name for field in fields(Options)])  # type: ignore[misc]


def make_trees(games: int, nodes: int, moves: int, leaves: int, seed: int) -> Trees:
    """Arrays for so many games; memory is touched only as the trees grow into it."""
    return Trees(
        games=np.zeros(games, dtype=GAME),
        nodes=np.zeros((games, nodes), dtype=NODE),
        edges=np.empty((games, nodes, moves), dtype=EDGE),
        leaves=np.zeros((games, leaves), dtype=LEAF),
        leaf_masks=np.zeros((games, leaves, moves), dtype=np.bool_),
        root_moves=np.zeros((games, moves), dtype=ROOT_MOVE),
        schedule=np.zeros((games, 1), dtype=np.int32),
        states=np.array([[seeded(np.uint64(seed), np.uint64(g))] for g in range(games)], dtype=np.uint64),
    )


@compiled
def clear_node(node, state, value):
    """Make `node` a node that nobody has visited."""
    node.state, node.value = state, value
    node.value_sum = node.tried = 0.0
    node.visits = node.pending = 0
    node.legal = node.opened = 0
    node.fetched = 0


@compiled
def swap_slots(edges, one, other):
    """Exchange two unopened slots."""
    edges[one].move, edges[other].move = edges[other].move, edges[one].move
    edges[one].prior, edges[other].prior = edges[other].prior, edges[one].prior


@compiled(nogil=True)
def root_statistics(t):
    """Visits (G, A) int32 and q (G, A) float64 of the root's moves, for the player to move there; 0 if untried."""
    visits, q = np.zeros(t.root_moves.shape, dtype=np.int32), np.zeros(t.root_moves.shape)
    for g in range(len(t.games)):
        for slot in range(t.nodes[g, 0].opened):
            edge = t.edges[g, 0, slot]
            child = t.nodes[g, edge.child]
            visits[g, edge.move] = child.visits
            if child.visits > 0:
                q[g, edge.move] = 0.0 - child.value_sum / child.visits
    return visits, q


@compiled
def fresh_root(t, g, move):
    """Empty tree g; `move` is the one that led to its root, -1 for none."""
    t.games[g].used = 1
    t.games[g].prepared = False
    root = t.nodes[g, 0]
    clear_node(root, NEW, 0.0)
    root.parent, root.slot, root.prior, root.move = -1, 0, 1.0, move


@compiled(nogil=True)
def fresh_roots(t, which):
    """Empty the trees of the games `which` (n,), whose positions are new."""
    for g in which:
        fresh_root(t, g, -1)


@compiled(nogil=True)
def first_illegal(t, roots, moves):
    """The first game in which moves (G,) int64 has an illegal one, -1 if there is none."""
    for g in range(len(t.games)):
        if moves[g] != -1 and (t.games[g].winner != RUNNING or not is_legal(at(roots, g), moves[g])):
            return g
    return -1


@compiled(nogil=True)
def advance_roots(t, roots, moves):
    """Play moves (G,) int64 at the roots, -1 for none, and keep what the trees know of the new positions."""
    for g in range(len(t.games)):
        if moves[g] >= 0:
            play_at_root(t, at(roots, g), g, moves[g])


@compiled
def play_at_root(t, root, g, move):
    play(root, move)
    move_root(t, g, move, winner_of(root))


@compiled
def move_root(t, g, move, winner):
    """The root's game has gone on by a move, and this is who has won by it: keep what the tree knows of it."""
    game, child = t.games[g], -1
    for slot in range(t.nodes[g, 0].opened):
        if t.edges[g, 0, slot].move == move:
            child = t.edges[g, 0, slot].child
    game.winner = winner
    if game.winner == RUNNING and child > 0 and t.nodes[g, child].state == EXPANDED:
        keep_subtree(t, g, child)
    else:
        fresh_root(t, g, move)


@compiled
def keep_subtree(t, g, new_root):
    """Make `new_root` node 0 and move its descendants up behind it, in their order.

    A node never moves to a higher index, and its parent has moved before it, so one pass in place will do.
    """
    nodes, edges, game = t.nodes[g], t.edges[g], t.games[g]
    new_index = np.full(game.used, -1, dtype=np.int32)
    kept = 0
    for index in range(new_root, game.used):
        parent = -1
        if index != new_root:
            parent = new_index[nodes[index].parent]
            if parent < 0:
                continue
            edges[parent, nodes[index].slot].child = kept
        new_index[index] = kept
        edges[kept, : nodes[index].legal] = edges[index, : nodes[index].legal]
        nodes[kept] = nodes[index]
        nodes[kept].parent = parent
        kept += 1
    game.used = kept
    game.prepared = False

"""What becomes of a tree when its root moves on: a fresh root, or the subtree of the move that was played.

Compiled by numba; also what each root has found, and the two steps that change a single node.
"""

from __future__ import annotations

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import RUNNING
from mock5lib.game.position import at, is_legal, play, winner_of
from mock5lib.search.puct.arrays import EXPANDED, NEW


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
    game, child = t.games[g], -1
    for slot in range(t.nodes[g, 0].opened):
        if t.edges[g, 0, slot].move == move:
            child = t.edges[g, 0, slot].child
    play(root, move)
    game.winner = winner_of(root)
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

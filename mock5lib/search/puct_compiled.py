"""The steps of a simulation in many trees at once: select, expand, back up. Compiled by numba, parallel over games.

The compiled twin of `puct.py`: the formulas are written as there, operation for operation in float64, so that both give
the same bits. The arrays and their invariants are in `trees_compiled.py`; in the functions below `t` are the `Trees`,
`s` the `Settings`, `g` the number of a game and `i` that of a node.

Why it is fast: a move that has no child has no visits and a fixed q, so among those the highest prior has the highest
score. A selection therefore compares the children there are and one more move, and children come into being one a
simulation.

In a parallel loop numba counts with an unsigned g; `np.int64(g)` spares it a second version of every function.
"""

from __future__ import annotations

from math import exp, sqrt

import numba as nb
import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import RUNNING
from mock5lib.game.position_compiled import PLAYER, at, copy_into, mark_moves, play, winner_of
from mock5lib.search.gumbel_compiled import considered_slot, mix_noise, prepare_gumbel
from mock5lib.search.puct import log_ucb, puct
from mock5lib.search.trees_compiled import EXACT, EXPANDED, NEW, PUCT, clear_node, swap_slots

COLLISION, NO_ROOM, BACKED_UP = -3, -2, -1  # how a walk ends that brings no leaf for the expert


@compiled(nogil=True)
def begin_search(t, s):
    """Set the counters for games[g].wanted simulations of each unfinished game, and prepare roots that have priors."""
    for g in range(len(t.games)):
        game, root = t.games[g], t.nodes[g, 0]
        game.waiting, game.full, game.done = 0, False, 0
        if game.winner != RUNNING:
            game.wanted = 0
        if game.wanted > 0 and root.state == EXPANDED:
            prepare_root(t, g, s)
        elif game.wanted > 0:
            game.done = -1  # the root's own first look is no simulation


@compiled
def prepare_root(t, g, s):
    """Before a search, once the root has its priors: note them, mix in noise, begin the Gumbel root's halving."""
    if not t.games[g].prepared:
        edges = t.edges[g, 0]
        for move in range(t.root_moves.shape[1]):
            t.root_moves[g, move].prior = 0.0
        for slot in range(t.nodes[g, 0].legal):
            t.root_moves[g, edges[slot].move].prior = edges[slot].prior
        if t.games[g].noise > 0.0:
            mix_noise(t, g, s.noise_total)
        t.games[g].prepared = True
    if s.considered > 0:
        prepare_gumbel(t, g, s)


# Selection ------------------------------------------------------------------------------------------------------


@compiled
def fetch_best(node, edges):
    """Bring the unopened move of the highest prior, of equal ones the lowest, into slot `opened`."""
    best = node.opened
    for slot in range(node.opened + 1, node.legal):
        if edges[slot].prior > edges[best].prior or (
            edges[slot].prior == edges[best].prior and edges[slot].move < edges[best].move
        ):
            best = slot
    swap_slots(edges, node.opened, best)
    node.fetched = 1


puct, log_ucb = (compiled(rule, error_model="numpy") for rule in (puct, log_ucb))  # the readable tree's formulas


@compiled
def score_of(q, prior, parent_visits, visits, s):
    """q + u by the rule of the search."""
    if s.rule == PUCT:
        return puct(q, prior, parent_visits, visits, s.c)
    return log_ucb(q, prior, parent_visits, visits, s.c)


@compiled(error_model="numpy")
def choose_slot(node, nodes, edges, s):
    """The slot of the highest q + u; of equal scores the one opened first, which has the higher prior."""
    parent_visits = node.visits + node.pending
    best, best_score = 0, -np.inf
    for slot in range(node.opened):
        child = nodes[edges[slot].child]
        visits = child.visits + child.pending
        q = (-child.value_sum - s.virtual_loss * child.pending) / visits
        score = score_of(q, edges[slot].prior, parent_visits, visits, s)
        if score > best_score:
            best, best_score = slot, score
    if node.opened < node.legal:
        if not node.fetched:
            fetch_best(node, edges)
        q = 0.0 if np.isnan(s.fpu) else node.value_sum / node.visits - s.fpu * sqrt(node.tried)
        if score_of(q, edges[node.opened].prior, parent_visits, 0, s) > best_score:
            best = node.opened
    return best


@compiled
def open_child(t, g, parent_index, state, value):
    """A new node for slot `opened` of the parent; returns its index."""
    parent, index = t.nodes[g, parent_index], t.games[g].used
    edge, node = t.edges[g, parent_index, parent.opened], t.nodes[g, index]
    clear_node(node, state, value)
    node.parent, node.slot, node.move, node.prior = parent_index, parent.opened, edge.move, edge.prior
    t.games[g].used += 1
    edge.child = index
    parent.opened += 1
    parent.fetched = 0
    parent.tried += edge.prior
    return index


@compiled
def judge(position, mask, s):
    """The exact value of a position for the player to move, NaN if the expert must say; marks the moves worth a look.

    The moves that led to it have been played on it.
    """
    winner = winner_of(position)
    if winner != RUNNING:
        return 0.0 if winner == 0 else 1.0 if winner == position.counts[PLAYER] else -1.0
    value = mark_moves(position, mask, s.forced_moves)
    return np.nan if value == 0 else np.float64(value)


@compiled
def descend(t, root, position, g, row, s):
    """One walk from the root. Returns the leaf that waits for the expert, or how else it ended.

    The leaf goes to row `row` of the leaf arrays, its position to `position`. An exact value is backed up at once.
    """
    nodes, game, index, depth = t.nodes[g], t.games[g], 0, 0
    mask = t.leaf_masks[g, row]
    copy_into(position, root)
    while nodes[index].state == EXPANDED and depth < s.max_depth:
        node, edges = nodes[index], t.edges[g, index]
        slot = -1
        if index == 0 and s.considered > 0:
            slot = considered_slot(t, g, game.done + row, s)
        if slot < 0:
            slot = choose_slot(node, nodes, edges, s)
        play(position, edges[slot].move)
        depth += 1
        if slot < node.opened:
            index = edges[slot].child
            continue
        if game.used == len(nodes):
            return NO_ROOM
        value = judge(position, mask, s)
        state = NEW if np.isnan(value) else EXACT
        index = open_child(t, g, index, state, value)
        if state == NEW:
            t.leaves[g, row].exact = 0
            return index
    if nodes[index].state != NEW:  # exact, or as deep as the tree may grow
        back_up(nodes, index, np.float64(nodes[index].value), 0)
        return BACKED_UP
    if index > 0 or nodes[0].pending > 0:
        return COLLISION
    t.leaves[g, row].exact = mark_moves(position, mask, s.forced_moves)  # the root itself, at its first look
    return 0


@compiled
def back_up(nodes, index, value, waited):
    """From a leaf to the root: one more visit, the value flips once per ply, `waited` virtual visits are undone."""
    while index >= 0:
        node = nodes[index]
        node.visits += 1
        node.value_sum += value
        node.pending -= waited
        value = -value
        index = node.parent


@compiled
def gather(t, root, leaves, g, s):
    """Walk down tree g until each of its L rows holds a leaf for the expert, or its search is over."""
    nodes, game, waiting = t.nodes[g], t.games[g], 0
    while waiting < t.leaves.shape[1] and game.done + waiting < game.wanted:
        leaf = descend(t, root, at(leaves, waiting), g, waiting, s)
        if leaf >= 0:
            t.leaves[g, waiting].node = leaf
            waiting += 1
            while leaf >= 0:
                nodes[leaf].pending += 1
                leaf = nodes[leaf].parent
        elif leaf == BACKED_UP:
            game.done += 1
        else:
            if leaf == NO_ROOM:
                game.full = True
                game.wanted = game.done + waiting
            break
    game.waiting = waiting


@compiled(nogil=True, parallel=True)
def select_leaves(t, roots, leaves, s):
    """`gather` for every game; roots and leaves are their positions, stacked: (G, …) and (G, L, …)."""
    for g in nb.prange(len(t.games)):
        gather(t, at(roots, g), at(leaves, g), np.int64(g), s)


# Expansion and back-up ------------------------------------------------------------------------------------------


@compiled(error_model="numpy")
def expand(node, edges, mask, log_priors):
    """List the moves of `mask` with their priors, which sum to 1: equal ones where the expert gave them all 0."""
    count, greatest = 0, -np.inf
    for move in range(len(mask)):
        if mask[move]:
            edges[count].move, edges[count].prior = move, log_priors[move]
            greatest = max(greatest, np.float64(log_priors[move]))
            count += 1
    node.legal, node.opened, node.fetched, node.state = count, 0, 0, EXPANDED
    if greatest == -np.inf:
        for slot in range(count):
            edges[slot].prior = np.float32(1 / count)
        return
    total = 0.0
    for slot in range(count):
        weight = np.float32(exp(np.float64(edges[slot].prior) - greatest))
        edges[slot].prior = weight
        total += np.float64(weight)
    for slot in range(count):
        edges[slot].prior = np.float32(np.float64(edges[slot].prior) / total)


@compiled
def take_answers(t, g, s, log_priors, values):
    """Expand the leaves of game g and back their values up: log-priors (waiting, A), values (waiting,)."""
    nodes, game = t.nodes[g], t.games[g]
    for row in range(game.waiting):
        leaf = t.leaves[g, row]
        node = nodes[leaf.node]
        expand(node, t.edges[g, leaf.node], t.leaf_masks[g, row], log_priors[row])
        node.value = values[row] if leaf.exact == 0 else np.float32(leaf.exact)
        back_up(nodes, leaf.node, np.float64(node.value), 1)
        if leaf.node == 0:
            prepare_root(t, g, s)
    game.done += game.waiting


@compiled(nogil=True, parallel=True)
def expand_and_back_up(t, s, starts, log_priors, values):
    """`take_answers` for every game: log-priors (B, A), values (B,); the rows of game g begin at starts[g]."""
    for g in nb.prange(len(t.games)):
        take_answers(t, np.int64(g), s, log_priors[starts[g] :], values[starts[g] :])

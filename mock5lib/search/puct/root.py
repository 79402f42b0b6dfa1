"""What happens at the roots of a forest: noise, the Gumbel root, the next move, statistics. Compiled by numba."""

from __future__ import annotations

from math import cos, log, pi, sqrt

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import RUNNING, random_unit, wins_at
from mock5lib.search.puct.arrays import EXPANDED, NEW

LOWEST = -1e9  # a score below all scores, of a move that may be chosen where no other may


@compiled
def clear(node, state, value):
    """Make `node` a node that nobody has visited."""
    node.state, node.value = state, value
    node.value_sum = node.tried = 0.0
    node.visits = node.pending = 0
    node.legal = node.opened = 0
    node.fetched = 0


@compiled
def swap(edges, one, other):
    """Exchange two unopened slots."""
    edges[one].move, edges[other].move = edges[other].move, edges[one].move
    edges[one].prior, edges[other].prior = edges[other].prior, edges[one].prior


# Noise ----------------------------------------------------------------------------------------------------------


@compiled
def normal_variate(state):
    """A standard normal number (Box and Muller 1958)."""
    radius = sqrt(-2.0 * log(1.0 - random_unit(state)))
    return radius * cos(2.0 * pi * random_unit(state))


@compiled
def gamma_variate(shape, state):
    """A gamma number of that shape and scale 1 (Marsaglia and Tsang 2000)."""
    boost = 1.0
    if shape < 1.0:
        boost = (1.0 - random_unit(state)) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / sqrt(9.0 * d)
    while True:
        x = normal_variate(state)
        v = (1.0 + c * x) ** 3
        if v > 0.0 and log(1.0 - random_unit(state)) < 0.5 * x * x + d * (1.0 - v + log(v)):
            return boost * d * v


@compiled
def gumbel_variate(state):
    """A standard Gumbel number."""
    return -log(-log(1.0 - random_unit(state) * (1.0 - 1e-16)))


@compiled
def mix_noise(t, g, total):
    """Mix Dirichlet noise into the priors of root g: each of its n moves has concentration total / n."""
    root, edges, weight = t.nodes[g, 0], t.edges[g, 0], t.games[g].noise
    draws, drawn = np.empty(root.legal), 0.0
    for slot in range(root.legal):
        draws[slot] = gamma_variate(total / root.legal, t.states[g])
        drawn += draws[slot]
    root.tried = 0.0
    for slot in range(root.legal):
        share = draws[slot] / drawn if drawn > 0.0 else 1.0 / root.legal
        edges[slot].prior = np.float32((1.0 - weight) * edges[slot].prior + weight * share)
        if slot < root.opened:
            t.nodes[g, edges[slot].child].prior = edges[slot].prior
            root.tried += edges[slot].prior
    root.fetched = 0


@compiled
def dress_root(t, g, s):
    """Before a search, once the root has its priors: note them, mix in noise, prepare the Gumbel root."""
    if not t.games[g].dressed:
        edges = t.edges[g, 0]
        for move in range(t.root_moves.shape[1]):
            t.root_moves[g, move].prior = 0.0
        for slot in range(t.nodes[g, 0].legal):
            t.root_moves[g, edges[slot].move].prior = edges[slot].prior
        if t.games[g].noise > 0.0:
            mix_noise(t, g, s.noise_total)
        t.games[g].dressed = True
    if s.considered > 0:
        prepare_gumbel(t, g, s)


# The Gumbel root (Danihelka et al. 2022; the formulas as in mctx) -------------------------------------------------


@compiled
def prepare_gumbel(t, g, s):
    """Draw the Gumbel numbers, note the visits there are, and set the schedule of sequential halving."""
    root = t.nodes[g, 0]
    for slot in range(root.legal):
        edge = t.edges[g, 0, slot]
        move = t.root_moves[g, edge.move]
        logit = log(edge.prior) if edge.prior > 0.0 else LOWEST
        move.gumbel = s.gumbel_scale * gumbel_variate(t.states[g]) + logit
        move.before = t.nodes[g, edge.child].visits if slot < root.opened else 0
    considered_visits(min(s.considered, root.legal), t.schedule[g, : t.games[g].wanted])


@compiled
def considered_visits(considered, schedule):
    """Sequential halving as a sequence: simulation i goes to the best move with schedule[i] visits so far.

    All considered moves get equally many visits, then the better half of them, and so on, down to two.
    """
    if considered <= 1:
        schedule[:] = np.arange(len(schedule))
        return
    rounds = 1
    while 2**rounds < considered:
        rounds += 1
    visits, at = np.zeros(considered, dtype=np.int32), 0
    left = considered
    while at < len(schedule):
        for _ in range(max(1, len(schedule) // (rounds * left))):
            for i in range(left):
                if at < len(schedule):
                    schedule[at] = visits[i]
                    at += 1
                visits[i] += 1
        left = max(2, left // 2)


@compiled
def scaled_q(t, g, s, result):
    """σ(completed q) of each root slot into `result`: untried moves take the mixed value, then scaled to [0, 1].

    σ(q) = (max_visit_init + most visits) · value_scale · q (Danihelka et al. 2022, equation 8 and appendix D).
    """
    nodes, root, edges = t.nodes[g], t.nodes[g, 0], t.edges[g, 0]
    tried_prior, weighted, visits, most = 0.0, 0.0, 0, 0
    for slot in range(root.opened):
        child = nodes[edges[slot].child]
        if child.visits > 0:
            prior = max(np.float64(edges[slot].prior), 1e-30)
            tried_prior += prior
            weighted += prior * (-child.value_sum / child.visits)
            visits += child.visits
            most = max(most, child.visits)
    mean = weighted / tried_prior if tried_prior > 0.0 else 0.0
    mixed = (root.value + visits * mean) / (1 + visits)
    low, high = np.inf, -np.inf
    for slot in range(root.legal):
        result[slot] = mixed
        if slot < root.opened:
            child = nodes[edges[slot].child]
            if child.visits > 0:
                result[slot] = -child.value_sum / child.visits
        low, high = min(low, result[slot]), max(high, result[slot])
    scale = (s.max_visit_init + most) * s.value_scale / max(high - low, 1e-8)
    for slot in range(root.legal):
        result[slot] = scale * (result[slot] - low)


@compiled
def visits_of_slot(t, g, slot):
    """Visits of a root slot in this search, waiting ones included."""
    if slot >= t.nodes[g, 0].opened:
        return 0
    edge = t.edges[g, 0, slot]
    child = t.nodes[g, edge.child]
    return child.visits + child.pending - t.root_moves[g, edge.move].before


@compiled
def best_considered(t, g, seen, s):
    """The root slot of the highest Gumbel score among those with `seen` visits in this search; -1 for none."""
    root = t.nodes[g, 0]
    values = np.empty(root.legal)
    scaled_q(t, g, s, values)
    best, best_score = -1, -np.inf
    for slot in range(root.legal):
        if visits_of_slot(t, g, slot) == seen:
            score = max(LOWEST, t.root_moves[g, t.edges[g, 0, slot].move].gumbel + values[slot])
            if score > best_score:
                best, best_score = slot, score
    return best


@compiled
def considered_slot(t, g, simulation, s):
    """The root slot to visit at this simulation, brought to slot `opened` if it is new; -1 for none."""
    root = t.nodes[g, 0]
    slot = best_considered(t, g, t.schedule[g, simulation], s)
    if slot > root.opened:
        swap(t.edges[g, 0], slot, root.opened)
        root.fetched = 0
        slot = root.opened
    return slot


@compiled(nogil=True)
def gumbel_moves(t, s):
    """The move of each game: of the most visited ones in this search, the highest Gumbel score. (G,) int64."""
    chosen = np.full(len(t.games), -1, dtype=np.int64)
    for g in range(len(t.games)):
        if t.nodes[g, 0].state == EXPANDED:
            most = 0
            for slot in range(t.nodes[g, 0].opened):
                most = max(most, visits_of_slot(t, g, slot))
            chosen[g] = t.edges[g, 0, best_considered(t, g, most, s)].move
    return chosen


@compiled(nogil=True)
def improved_policies(t, s):
    """softmax(log-prior + σ(completed q)) at each root, (G, A) float64; zeros where the root is not expanded."""
    policies = np.zeros(t.boards.shape)
    for g in range(len(t.games)):
        root = t.nodes[g, 0]
        if root.state == EXPANDED:
            logits = np.empty(root.legal)
            scaled_q(t, g, s, logits)
            for slot in range(root.legal):
                prior = t.root_moves[g, t.edges[g, 0, slot].move].prior
                logits[slot] += log(prior) if prior > 0.0 else LOWEST
            weights = np.exp(logits - logits.max())
            weights /= weights.sum()
            for slot in range(root.legal):
                policies[g, t.edges[g, 0, slot].move] = weights[slot]
    return policies


# Statistics and the next move -----------------------------------------------------------------------------------


@compiled(nogil=True)
def root_statistics(t):
    """Visits (G, A) int32 and q (G, A) float64 of the root's moves, for the player to move there; 0 if untried."""
    visits, q = np.zeros(t.boards.shape, dtype=np.int32), np.zeros(t.boards.shape)
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
    t.games[g].dressed = False
    root = t.nodes[g, 0]
    clear(root, NEW, 0.0)
    root.parent, root.slot, root.prior, root.move = -1, 0, 1.0, move


@compiled(nogil=True)
def fresh_roots(t, which):
    """Empty the trees of the games `which` (n,), whose positions are new."""
    for g in which:
        fresh_root(t, g, -1)


@compiled(nogil=True)
def advance_roots(t, moves, s):
    """Play moves (G,) int64 at the roots, -1 for none, and keep what the trees know of the new positions."""
    for g in range(len(t.games)):
        if moves[g] >= 0:
            play_at_root(t, g, moves[g], s)


@compiled
def play_at_root(t, g, move, s):
    game, child = t.games[g], -1
    for slot in range(t.nodes[g, 0].opened):
        if t.edges[g, 0, slot].move == move:
            child = t.edges[g, 0, slot].child
    t.boards[g, move] = game.player
    t.recent[g, 1:] = t.recent[g, :-1].copy()
    t.recent[g, 0] = move
    game.stones += 1
    if wins_at(t.boards[g], s.height, s.width, s.k, s.exact, move):
        game.winner = game.player
    elif game.stones == t.boards.shape[1]:
        game.winner = 0
    game.player = 3 - game.player
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
    game.dressed = False

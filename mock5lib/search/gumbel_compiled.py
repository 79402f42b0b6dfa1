"""Chance at the root: the Gumbel root, sequential halving and completed Q; and Dirichlet noise. Compiled by numba.

Danihelka et al. 2022, "Policy improvement by planning with Gumbel"; the formulas as in their library mctx, whose own
numbers `tests/gumbel_vectors.json` keeps. All values belong to the player to move at the root.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import random_unit
from mock5lib.search.trees_compiled import EXPANDED, swap_slots

LOWEST = -1e9  # a score below all scores, of a move that may be chosen where no other may


# The formulas ---------------------------------------------------------------------------------------------------


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
def mixed_value(value, priors, q, visits):
    """What an untried move is taken to be worth: the expert's value and the tried moves' mean q, mixed by visits.

    (value + Σn · Σ P·q / Σ P) / (1 + Σn), the sums over the tried moves (Danihelka et al. 2022, appendix D).

    Args:
        value: the expert's. priors, q, visits: (n,) of each move; q counts where visits > 0.
    """
    tried_prior, weighted, total = 0.0, 0.0, 0
    for slot in range(len(visits)):
        if visits[slot] > 0:
            prior = max(np.float64(priors[slot]), 1e-30)
            tried_prior += prior
            weighted += prior * q[slot]
            total += visits[slot]
    mean = weighted / tried_prior if tried_prior > 0.0 else 0.0
    return (value + total * mean) / (1 + total)


@compiled
def scaled_completed_q(value, priors, q, visits, value_scale, max_visit_init):
    """σ(completed q), (n,): untried moves take the mixed value, then all are scaled to [0, 1] and by σ.

    σ(q) = (max_visit_init + most visits) · value_scale · q (Danihelka et al. 2022, equation 8).
    """
    completed, mixed = np.empty(len(q)), mixed_value(value, priors, q, visits)
    for slot in range(len(q)):
        completed[slot] = q[slot] if visits[slot] > 0 else mixed
    low, high = completed.min(), completed.max()
    scale = (max_visit_init + visits.max()) * value_scale / max(high - low, 1e-8)
    return scale * (completed - low)


@compiled
def improved_policy(priors, scaled_q):
    """softmax(log-prior + σ(completed q)), (n,) (Danihelka et al. 2022, section 4)."""
    logits = np.empty(len(priors))
    for slot in range(len(priors)):
        logits[slot] = scaled_q[slot] + (log(priors[slot]) if priors[slot] > 0.0 else LOWEST)
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


@compiled
def gumbel_variate(state):
    """A standard Gumbel number."""
    return -log(-log(1.0 - random_unit(state) * (1.0 - 1e-16)))


# At the root of a tree ------------------------------------------------------------------------------------------


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
def scaled_q(t, g, s):
    """`scaled_completed_q` of the root's slots, (legal,)."""
    root, edges = t.nodes[g, 0], t.edges[g, 0]
    priors, q = np.empty(root.legal, dtype=np.float32), np.zeros(root.legal)
    visits = np.zeros(root.legal, dtype=np.int64)
    for slot in range(root.legal):
        priors[slot] = edges[slot].prior
    for slot in range(root.opened):
        child = t.nodes[g, edges[slot].child]
        visits[slot] = child.visits
        if child.visits > 0:
            q[slot] = -child.value_sum / child.visits
    return scaled_completed_q(root.value, priors, q, visits, s.value_scale, s.max_visit_init)


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
    values = scaled_q(t, g, s)
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
        swap_slots(t.edges[g, 0], slot, root.opened)
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
    """`improved_policy` at each root, by the priors before noise: (G, A) float64; zeros where none is expanded."""
    policies = np.zeros(t.root_moves.shape)
    for g in range(len(t.games)):
        root, edges = t.nodes[g, 0], t.edges[g, 0]
        if root.state == EXPANDED:
            priors = np.empty(root.legal, dtype=np.float32)
            for slot in range(root.legal):
                priors[slot] = t.root_moves[g, edges[slot].move].prior
            shares = improved_policy(priors, scaled_q(t, g, s))
            for slot in range(root.legal):
                policies[g, edges[slot].move] = shares[slot]
    return policies


# Dirichlet noise at a root (Silver et al. 2017, Methods, "Self-play") ------------------------------------------------


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
def normal_variate(state):
    """A standard normal number (Box and Muller 1958)."""
    radius = sqrt(-2.0 * log(1.0 - random_unit(state)))
    return radius * cos(2.0 * pi * random_unit(state))

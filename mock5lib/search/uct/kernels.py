"""The kernels of the fast UCT: a tree in one flat array, compiled by numba. `compiled.py` makes an agent of them.

A tree is a pool of slots, slot 0 the root. The children of a node stand next to each other in one block, in the order
in which they were tried, so that picking the best is one short run through memory. A block that is full moves to a
new place of twice the size; a node is found through its parent alone, so nothing else has to know. Trees stay small
that way, even where each node has 200 moves of which most are tried once or never.

Two numbers are kept ready in each slot, `rate` = w/v and `shrink` = 1/√v, since a back-up changes a few nodes and a
selection reads very many: UCB1 is then rate + c·√(ln N)·shrink.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log, sqrt

import numba as nb
import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import RUNNING
from mock5lib.search.uct.rules import (
    NO_MOVE,
    PASS,
    begin,
    count_legal,
    judge,
    longest,
    mover_at,
    playouts_from,
    put,
    root_at,
    start_over,
    untried_move,
)

SMALL_BLOCK = 16  # a node with at most this many moves gets room for all of them at once
FIRST_BLOCK = 4  # another one starts with so many, and doubles
SLOTS_PER_SIMULATION = SMALL_BLOCK // 2 + 1  # no search takes more: see `slots_for`
MIN_SLOTS, MAX_SLOTS = 1 << 12, 1 << 23  # bounds of a pool: the root of any board fits; about 330 MB
SLICE = 1 << 19  # points of playouts between two looks for Ctrl-C: about a twentieth of a second
TABLE_SIZE = 1 << 14  # √(ln N) is looked up for N below this


# A slot of the pool. Its children are slots first … first + tried - 1; slot 0 is the root. `visits` and `points` are v
# and 2·w (so a draw is 1 point, a whole number) of the player who moved into the node.
SLOT = np.dtype(
    [
        ("rate", np.float64),  # w/v
        ("shrink", np.float64),  # 1/√v
        ("visits", np.int32),
        ("points", np.int32),
        ("first", np.int32),  # where the block of children begins
        ("tried", np.int16),  # children that exist
        ("room", np.int16),  # size of the block
        ("move", np.int16),  # index on the padded board
        ("legal", np.int16),  # moves from here
        ("winner", np.int8),  # RUNNING (-1) while the game goes on here
    ],
    align=True,
)


@compiled(inline="always")
def clear_slot(tree, slot, move, winner, legal):
    """Make `slot` an unvisited node without children."""
    tree[slot].rate = 0.0
    tree[slot].shrink = 1.0
    tree[slot].visits = 0
    tree[slot].points = 0
    tree[slot].first = 0
    tree[slot].tried = 0
    tree[slot].room = 0
    tree[slot].move = move
    tree[slot].legal = legal
    tree[slot].winner = winner


@compiled(nogil=True)
def new_tree(slots):
    """A pool of `slots` slots with an unvisited root."""
    tree = np.empty(slots, SLOT)
    clear_slot(tree, 0, NO_MOVE, RUNNING, 0)
    return tree


# The four steps -------------------------------------------------------------------------------------------------
#
# What they ask of the game is in `rules.py`.


@compiled(inline="always")
def best_child(tree, node, wideness):
    """The child with the greatest rate + wideness · shrink; of equal ones the first tried."""
    first = tree[node].first
    best, best_score = first, tree[first].rate + wideness * tree[first].shrink
    for child in range(first + 1, first + tree[node].tried):
        score = tree[child].rate + wideness * tree[child].shrink
        if score > best_score:
            best, best_score = child, score
    return best


@compiled
def make_room(tree, node, legal, used):
    """See that the block of `node` holds one more child, if the pool does; returns the slots in use."""
    tried = tree[node].tried
    if tried < tree[node].room:
        return used
    room = legal if legal <= SMALL_BLOCK else min(legal, max(FIRST_BLOCK, 2 * tried))
    if used + room > len(tree):
        return used
    for i in range(tried):
        tree[used + i] = tree[tree[node].first + i]
    tree[node].first = used
    tree[node].room = room
    return used + room


@compiled(inline="always")
def backup(tree, path, depth, root_player, results):
    """Give each node on the path its visits, and the points of who moved into it."""
    visits = results[0] + results[1] + results[2]
    mover = 3 - root_player
    for i in range(depth + 1):
        node = path[i]
        total = tree[node].visits + visits
        points = tree[node].points + 2 * results[mover] + results[0]
        tree[node].visits = total
        tree[node].points = points
        tree[node].rate = 0.5 * points / total
        tree[node].shrink = 1.0 / sqrt(total)
        mover = 3 - mover


# Searches -------------------------------------------------------------------------------------------------------


@compiled
def wideness_table(c, length):
    """c·√(ln N) for N = 0 … length − 1."""
    table = np.zeros(length, np.float64)
    for visits in range(1, length):
        table[visits] = c * sqrt(log(visits))
    return table


@compiled(nogil=True)
def run_simulations(tree, used, root, c, simulations, playouts, ordered, seed, state):
    """Run UCT on `tree` from an unfinished position; returns the slots in use.

    Args:
        tree, used: the pool, and how many of its slots are taken. When it is full the tree stops growing, and
            playouts start from the nodes it has.
        root: see `rules.root_of`.
        c: weight of the exploration term; simulations, playouts: how many, and playouts in each.
        ordered: try moves in their order, with playouts that depend on `seed` and the position alone (for tests).
        seed: uint64; state: (1,) uint64, random state.
    """
    work, player = begin(root), mover_at(root)
    start_over(work)
    tree[0].legal = count_legal(work)
    table = wideness_table(c, min(TABLE_SIZE, tree[0].visits + simulations * playouts + 1))
    path, results = np.zeros(longest(root) + 1, np.int32), np.zeros(3, np.int32)

    for _ in range(simulations):
        start_over(work)
        node, depth, mover = 0, 0, player

        # Select: walk down through fully expanded nodes.
        while tree[node].winner == RUNNING and tree[node].tried == tree[node].legal:
            visits = tree[node].visits
            node = best_child(tree, node, table[visits] if visits < TABLE_SIZE else c * sqrt(log(visits)))
            put(work, tree[node].move, mover)
            depth, mover = depth + 1, 3 - mover
            path[depth] = node

        # Expand: play one untried move and add its node.
        if tree[node].winner == RUNNING:
            used = make_room(tree, node, tree[node].legal, used)
            if tree[node].tried < tree[node].room:
                move = untried_move(work, tree, node, ordered, state)
                put(work, move, mover)
                child = tree[node].first + tree[node].tried
                winner, legal = judge(work, move, mover, tree[node].legal)
                clear_slot(tree, child, move, winner, legal)
                tree[node].tried += 1
                node, depth, mover = child, depth + 1, 3 - mover
                path[depth] = node

        # Simulate: playouts, or the exact result of a finished game.
        results[:] = 0
        if tree[node].winner != RUNNING:
            results[tree[node].winner] = playouts
        else:
            playouts_from(work, mover, playouts, results, ordered, seed, state)

        backup(tree, path, depth, player, results)
    return used


@compiled(nogil=True)
def root_statistics(tree, width, visits, points):
    """Write v and 2·w of the root's children to `visits` and `points`, (moves,) int64; a pass comes last."""
    stride = width + 1
    for child in range(tree[0].first, tree[0].first + tree[0].tried):
        move = (tree[child].move // stride - 1) * width + tree[child].move % stride - 1
        if tree[child].move == PASS:
            move = len(visits) - 1
        visits[move] = tree[child].visits
        points[move] = tree[child].points


@compiled(nogil=True, parallel=True)
def search_batch(trees, used, roots, c, simulations, playouts, ordered, seeds, states):
    """More simulations in each of B trees, in parallel threads.

    Args:
        trees: (B, slots) SLOT; used: (B,) int64, their slots in use, changed; roots: see `rules.roots_of`;
            seeds: (B,) uint64; states: (B, 1) uint64. The other settings are those of `run_simulations`.
    """
    for b in nb.prange(len(trees)):
        used[b] = run_simulations(
            trees[b], used[b], root_at(roots, b), c, simulations, playouts, ordered, seeds[b], states[b]
        )


@compiled
def count_slots(tree, node):
    """Slots in the blocks below `node`."""
    count = tree[node].room
    for child in range(tree[node].first, tree[node].first + tree[node].tried):
        count += count_slots(tree, child)
    return count


@compiled
def subtree(tree, node, free, max_slots):
    """A new pool with the part of `tree` from `node` down as its tree, and `free` slots more, within `max_slots`.

    Returns (pool, slots in use).
    """
    size = 1 + count_slots(tree, node)
    kept = new_tree(max(size, min(size + free, max_slots)))
    kept[0] = tree[node]
    slot, used = 0, 1
    while slot < used:  # breadth first; `first` of the slots from here on still points into the old pool
        first, tried, room = kept[slot].first, kept[slot].tried, kept[slot].room
        kept[slot].first = used
        for i in range(room):
            if i < tried:
                kept[used + i] = tree[first + i]
            else:
                clear_slot(kept, used + i, NO_MOVE, RUNNING, 0)
        used += room
        slot += 1
    return kept, used


def slices(simulations: int, work: int) -> Iterator[int]:
    """Parts of a number of simulations, each of about SLICE points of playouts; one simulation has `work` points.

    Compiled code cannot be interrupted. Between two slices Python has its turn, and Ctrl-C is heard.
    """
    most = max(1, SLICE // work)
    for start in range(0, simulations, most):
        yield min(most, simulations - start)


def slots_for(simulations: int) -> int:
    """Slots that this many simulations can take at most.

    A block is made when its node is visited a second time, so at most every second node has one, of SMALL_BLOCK slots
    or fewer. Blocks that double take less.
    """
    return simulations * SLOTS_PER_SIMULATION + SMALL_BLOCK + 1

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
from mock5lib.game.kernels import RUNNING, random_below
from mock5lib.game.position import PLAYER, at, copy_into, key_of, mark_moves, play, play_out, winner_of

NO_MOVE = -1  # of a fresh root
UNKNOWN = -1  # moves of a node that has not been looked at
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
        ("move", np.int16),
        ("legal", np.int16),  # moves from here; UNKNOWN until the first is tried
        ("winner", np.int8),  # RUNNING (-1) while the game goes on here
    ],
    align=True,
)


@compiled(inline="always")
def clear_slot(tree, slot, move, winner):
    """Make `slot` an unvisited node without children."""
    tree[slot].rate = 0.0
    tree[slot].shrink = 1.0
    tree[slot].visits = 0
    tree[slot].points = 0
    tree[slot].first = 0
    tree[slot].tried = 0
    tree[slot].room = 0
    tree[slot].move = move
    tree[slot].legal = UNKNOWN
    tree[slot].winner = winner


@compiled(nogil=True)
def new_tree(slots):
    """A pool of `slots` slots with an unvisited root."""
    tree = np.empty(slots, SLOT)
    clear_slot(tree, 0, NO_MOVE, RUNNING)
    return tree


# The four steps -------------------------------------------------------------------------------------------------
#
# What they ask of the game is in `game.position`.


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
def list_untried(tree, node, position, mask, moves):
    """Write the untried moves of a node, whose position is given, to `moves` in order; returns how many."""
    mark_moves(position, mask, False)
    for child in range(tree[node].first, tree[node].first + tree[node].tried):
        mask[tree[child].move] = False
    count = 0
    for move in range(len(mask)):
        moves[count] = move  # overwritten by the next one unless it counts: no branch to guess wrong
        count += mask[move]
    return count


@compiled
def make_room(tree, node, used):
    """See that the block of `node` holds one more child, if the pool does; returns the slots in use."""
    tried, legal = tree[node].tried, tree[node].legal
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
def run_simulations(tree, used, root, work, moves, c, simulations, playouts, ordered, seed, state):
    """Run UCT on `tree` from an unfinished position; returns the slots in use.

    Args:
        tree, used: the pool, and how many of its slots are taken. When it is full the tree stops growing, and
            playouts start from the nodes it has.
        root, work: the position, see `game.position`, and another one like it, to play on.
        moves: how many moves the game has, legal or not.
        c: weight of the exploration term; simulations, playouts: how many, and playouts in each.
        ordered: try moves in their order, with playouts that depend on `seed` and the position alone (for tests).
        seed: uint64; state: (1,) uint64, random state.
    """
    player = root.counts[PLAYER]
    table = wideness_table(c, min(TABLE_SIZE, tree[0].visits + simulations * playouts + 1))
    path, results = np.zeros(used + simulations + 1, np.int32), np.zeros(3, np.int64)
    mask, untried = np.zeros(moves, np.bool_), np.zeros(moves + 1, np.int16)

    for _ in range(simulations):
        copy_into(work, root)
        node, depth = 0, 0

        # Select: walk down through fully expanded nodes.
        while tree[node].winner == RUNNING and tree[node].tried == tree[node].legal:
            visits = tree[node].visits
            node = best_child(tree, node, table[visits] if visits < TABLE_SIZE else c * sqrt(log(visits)))
            play(work, tree[node].move)
            depth += 1
            path[depth] = node

        # Expand: play one untried move and add its node.
        if tree[node].winner == RUNNING:
            count = list_untried(tree, node, work, mask, untried)
            if tree[node].legal == UNKNOWN:
                tree[node].legal = count
            used = make_room(tree, node, used)
            if tree[node].tried < tree[node].room:
                move = untried[0 if ordered else random_below(state, count)]
                play(work, move)
                child = tree[node].first + tree[node].tried
                clear_slot(tree, child, move, winner_of(work))
                tree[node].tried += 1
                node, depth = child, depth + 1
                path[depth] = node

        # Simulate: playouts, or the exact result of a finished game.
        results[:] = 0
        if tree[node].winner != RUNNING:
            results[tree[node].winner] = playouts
        else:
            if ordered:
                state[0] = key_of(work, seed)
            play_out(work, playouts, results, state)

        backup(tree, path, depth, player, results)
    return used


@compiled(nogil=True)
def root_statistics(tree, visits, points):
    """Write v and 2·w of the root's children to `visits` and `points`, (moves,) int64."""
    for child in range(tree[0].first, tree[0].first + tree[0].tried):
        visits[tree[child].move] = tree[child].visits
        points[tree[child].move] = tree[child].points


@compiled(nogil=True, parallel=True)
def search_batch(trees, used, roots, works, moves, c, simulations, playouts, ordered, seeds, states):
    """More simulations in each of B trees, in parallel threads.

    Args:
        trees: (B, slots) SLOT; used: (B,) int64, their slots in use, changed; roots, works: stacked positions;
            seeds: (B,) uint64; states: (B, 1) uint64. The other settings are those of `run_simulations`.
    """
    for b in nb.prange(len(trees)):
        root, work = at(roots, b), at(works, b)
        used[b] = run_simulations(
            trees[b], used[b], root, work, moves, c, simulations, playouts, ordered, seeds[b], states[b]
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
                clear_slot(kept, used + i, NO_MOVE, RUNNING)
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

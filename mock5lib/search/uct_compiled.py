"""UCT for Mock5 and Go, compiled: the fast twin of `uct.py`, at 8 to 40 times its speed.

`FastUCT` asks a game what stands in `game.position_compiled`, so another game that answers there can be searched, too;
and one that does not as `UCT` does it.

A tree is a pool of slots, slot 0 the root. The children of a node stand next to each other in one block, in the order
in which they were tried, so that picking the best is one short run through memory. A block that is full moves to a
new place of twice the size; a node is found through its parent alone, so nothing else has to know. Trees stay small
that way, even where each node has 200 moves of which most are tried once or never.

Two numbers are kept ready in each slot, `rate` = w/v and `shrink` = 1/√v, since a back-up changes a few nodes and a
selection reads very many: UCB1 is then rate + c·√(ln N)·shrink.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import log, sqrt

import numba as nb
import numpy as np
from numba import get_num_threads

from mock5lib.base.arguments import whole
from mock5lib.base.compiled import compiled
from mock5lib.game.board import Mock5
from mock5lib.game.board_compiled import RUNNING, random_below, random_state
from mock5lib.game.position_compiled import (
    PLAYER,
    at,
    copy_into,
    has_answers,
    key_of,
    mark_moves,
    play,
    play_out,
    position_of,
    room_for,
    rules_of,
    stack,
    winner_of,
)
from mock5lib.search.result import SearchResult, moves_listed
from mock5lib.search.uct import SQRT2, UCT, Node, check_running, final_move, moves_since

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
# What they ask of the game is in `game.position_compiled`.


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
        root, work: the position, see `game.position_compiled`, and another one like it, to play on.
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


MAX_PLAYOUTS = 10**8  # in one search, so that no count leaves 32 bits even in a tree that is kept
CHUNK_SECONDS = 0.02  # a search on a time budget looks at the clock about this often


class FastUCT(UCT):
    """`UCT`, compiled for games with compiled answers, with the same arguments but `playout`.

    Args:
        max_slots: bound of the tree's memory, about 40 bytes a slot. A tree that reaches it stops growing.
    """

    def __init__(
        self,
        simulations: int | None = 1000,
        *,
        seconds: float | None = None,
        c: float = SQRT2,
        final: str = "visits",
        playouts: int = 1,
        seed: int | np.random.Generator | None = None,
        keep_tree: bool = True,
        ordered: bool = False,
        max_slots: int = MAX_SLOTS,
        clock: Callable[[], float] = time.perf_counter,
    ):
        options = dict(seconds=seconds, c=c, final=final, playouts=playouts, seed=seed)
        super().__init__(simulations, keep_tree=keep_tree, ordered=ordered, clock=clock, **options)
        self.c, self.playouts = float(c), int(playouts)  # numbers of NumPy's would compile the kernels anew
        self.simulations, self.seconds = self._budget(simulations, seconds)
        self.max_slots = whole("max_slots", max_slots, MIN_SLOTS)
        # In ordered mode the seed names the playouts, so it must be known; otherwise any number will do.
        self.playout_seed = np.uint64(seed if self.ordered and isinstance(seed, int) else 0)
        self.name = f"fast{self.name}"
        if seconds is not None:
            warm_up()

    def forget(self) -> None:
        """Drop the tree kept from earlier moves."""
        super().forget()
        self._tree = None

    def limit_memory(self, nbytes: int, points: int) -> None:
        """Let the tree take at most so many bytes, whatever the number of points of the board."""
        self.max_slots = max(MIN_SLOTS, min(self.max_slots, nbytes // SLOT.itemsize))

    def _budget(self, simulations: int | None, seconds: float | None) -> tuple[int | None, float | None]:
        simulations, seconds = super()._budget(simulations, seconds)
        simulations = None if simulations is None else int(simulations)
        if seconds is None and simulations * self.playouts > MAX_PLAYOUTS:
            given = f"{simulations} × {self.playouts}"
            raise ValueError(f"simulations × playouts is at most {MAX_PLAYOUTS:,}, got {given}.")
        return simulations, seconds

    def search(self, game, simulations: int | None = None, seconds: float | None = None) -> SearchResult:
        """As `UCT.search`; the result's `root` is built when it is asked for."""
        if not has_answers(type(game)):
            return super().search(game, simulations, seconds)
        check_running(game)
        simulations, seconds = self._budget(simulations, seconds)
        game = game.copy()
        free = self.max_slots if seconds is not None else slots_for(simulations)
        kept = self._kept_tree(game, free) if self.keep_tree else None
        tree, used = kept or (new_tree(min(free, self.max_slots)), 1)
        self.forget()  # so that an interrupted search keeps no half-made tree
        done = self._grow_from(tree, used, game, simulations, seconds)
        if self.keep_tree:
            self._tree, self._game = tree, game
        visits, points = np.zeros((2, moves_listed(game)), np.int64)
        root_statistics(tree, visits, points)
        return self._result(game, visits, points, done, lambda: nodes_of(tree, game))

    def _grow_from(self, tree: np.ndarray, used: int, game, simulations: int, seconds: float | None) -> int:
        """Run simulations until the budget is spent; returns how many."""
        state = random_state(int(self.rng.integers(2**63)))
        root = position_of(game)
        position = root, room_for(root), game.actions
        settings = self.playouts, self.ordered, self.playout_seed, state

        def run(used: int, simulations: int) -> int:
            return run_simulations(tree, used, *position, self.c, simulations, *settings)

        if seconds is None:
            for part in slices(simulations, self.playouts * game.actions):
                used = run(used, part)
            return simulations
        started = now = self.clock()
        done, chunk = 0, 16
        while done == 0 or now < started + seconds:
            used, done = run(used, chunk), done + chunk
            now = self.clock()
            rate = done / max(now - started, 1e-9)
            chunk = int(min(max(1, rate * min(CHUNK_SECONDS, started + seconds - now)), 2 * chunk))
        return done

    def _kept_tree(self, game, free: int) -> tuple[np.ndarray, int] | None:
        """The part of the kept tree below `game`, with `free` slots more; None if the tree has no such node."""
        moves = moves_since(self._game, game)
        if moves is None:
            return None
        tree, node = self._tree, 0
        for move in moves:
            first, tried = int(tree["first"][node]), int(tree["tried"][node])
            found = np.flatnonzero(tree["move"][first : first + tried] == move)
            if len(found) == 0:
                return None
            node = first + int(found[0])
        return subtree(tree, node, free, self.max_slots)

    # Many searches at once

    def moves(self, games: list) -> list[int]:
        """A move for each game: fresh searches in parallel threads."""
        return [result.move for result in self.search_many(games)]

    def search_many(self, games: list) -> list[SearchResult]:
        """A fresh search from each game, in parallel threads; the results have no tree.

        With a time budget the games are searched one after the other, each with the whole budget.
        """
        games = list(games)
        for game in games:
            check_running(game)
        if self.seconds is not None or not all(has_answers(type(game)) for game in games):
            return [self.search(game) for game in games]
        results: list = [None] * len(games)
        rules = [rules_of(position_of(game)) for game in games]
        for like in dict.fromkeys(rules):
            where = [i for i, other in enumerate(rules) if other == like]
            for i, visits, points in zip(where, *self._search_batch([games[i] for i in where])):
                results[i] = self._result(games[i].copy(), visits, points, self.simulations)
        return results

    def _search_batch(self, games: list) -> tuple[np.ndarray, np.ndarray]:
        """Visits and points, (games, moves) each, for games of the same size and rules."""
        seeds = self.rng.integers(2**63, size=len(games), dtype=np.uint64)
        if self.ordered:
            seeds[:] = self.playout_seed
        visits, points = np.zeros((2, len(games), games[0].actions), np.int64)
        work, threads = self.playouts * games[0].actions, get_num_threads()
        together = max(threads, threads * SLICE // (work * self.simulations))  # trees that are in memory at a time
        for start in range(0, len(games), together):
            part = slice(start, start + together)
            for number, tree in enumerate(self._trees_of(games[part], seeds[part]), start):
                root_statistics(tree, visits[number], points[number])
        return visits, points

    def _trees_of(self, games: list, seeds) -> np.ndarray:
        """A tree for each of B games, all simulations done: (B, slots) SLOT."""
        slots = min(slots_for(self.simulations), self.max_slots)
        trees, used = np.empty((len(games), slots), SLOT), np.ones(len(games), np.int64)
        roots = stack(games)
        positions = roots, room_for(roots), games[0].actions
        trees[:, 0] = new_tree(1)[0]
        states = np.stack([random_state(seed) for seed in seeds])
        for part in slices(self.simulations, self.playouts * games[0].actions):
            search_batch(trees, used, *positions, self.c, part, self.playouts, self.ordered, seeds, states)
        return trees

    def _result(self, game, visits, points, simulations: int, root=None) -> SearchResult:
        rates = points / (2 * np.maximum(visits, 1))
        q, legal = np.where(visits > 0, 2 * rates - 1, 0.0), np.zeros(len(visits))
        value = float(visits @ q) / visits.sum()
        move = final_move(visits, rates, self.final, None if self.ordered else self.rng)
        legal[game.legal_moves()] = 1
        prior = legal / legal.sum()
        return SearchResult(visits, q, prior, value, move=move, simulations=simulations, game=game, root=root)


@lru_cache(maxsize=1)
def warm_up() -> None:
    """Have the kernels compiled, or read from numba's cache, before a clock runs: with an empty cache it takes long."""
    game, agent = Mock5(3, 3, k=3), FastUCT(16)
    for _ in range(2):  # the second search goes on in the tree of the first
        game.apply(agent(game))
    agent.moves([game])


def nodes_of(tree: np.ndarray, game) -> Node:
    """The tree as `Node` objects, to draw it or to compare it."""
    game = game.copy()

    def build(slot: int, parent: Node | None) -> Node:
        record = tree[slot]
        node = Node(game, int(record["move"]) if record["move"] != NO_MOVE else None, parent)
        node.visits, node.wins = int(record["visits"]), int(record["points"]) / 2
        for child in range(record["first"], record["first"] + record["tried"]):
            move = int(tree[child]["move"])
            node.untried.remove(move)
            game.apply(move)
            node.children.append(build(child, node))
            game.undo()
        return node

    return build(0, None)

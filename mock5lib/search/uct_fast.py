"""UCT for Mock5 in one flat array, compiled by numba: the fast twin of `uct.py`, at 8 to 40 times its speed.

A tree is a pool of slots, slot 0 the root. The children of a node stand next to each other in one block, in the order
in which they were tried, so that picking the best is one short run through memory. A block that is full moves to a
new place of twice the size; a node is found through its parent alone, so nothing else has to know. Trees stay small
that way, even where each node has 200 moves of which most are tried once or never.

Two numbers are kept ready in each slot, `rate` = w/v and `shrink` = 1/√v, since a back-up changes a few nodes and a
selection reads very many: UCB1 is then rate + c·√(ln N)·shrink.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import log, sqrt

import numba as nb
import numpy as np

from mock5lib.game.board import Mock5
from mock5lib.game.kernels import (
    RUNNING,
    mix,
    pad,
    padded_point,
    playout_padded,
    random_below,
    random_playout,
    random_state,
    seeded,
    wins_at_padded,
)
from mock5lib.search.result import SearchResult
from mock5lib.search.uct import SQRT2, Node, check_running, check_settings, moves_since

SMALL_BLOCK = 16  # a node with at most this many moves gets room for all of them at once
FIRST_BLOCK = 4  # another one starts with so many, and doubles
SLOTS_PER_SIMULATION = SMALL_BLOCK // 2 + 1  # no search takes more: see `slots_for`
MIN_SLOTS, MAX_SLOTS = 1 << 12, 1 << 23  # bounds of a pool: the root of any board fits; about 330 MB
MAX_PLAYOUTS = 10**8  # in one search, so that no count leaves 32 bits even in a tree that is kept
TRIED = 4  # marks a tried move on the padded board for a moment; differs from stones, walls and empty points
TABLE_SIZE = 1 << 14  # √(ln N) is looked up for N below this
CHUNK_SECONDS = 0.02  # a search on a time budget looks at the clock about this often


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
        ("winner", np.int8),  # RUNNING (-1) while the game goes on here
    ],
    align=True,
)


@nb.njit(cache=True, inline="always")
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
    tree[slot].winner = winner


@nb.njit(cache=True, nogil=True)
def new_tree(slots):
    """A pool of `slots` slots with an unvisited root."""
    tree = np.empty(slots, SLOT)
    clear_slot(tree, 0, 0, RUNNING)
    return tree


# The four steps -------------------------------------------------------------------------------------------------
#
# On the padded board: `start` is the position at the root, `padded` the position now, `open_points` the points that are
# empty at the root, in increasing order, `empties` room for those that are empty now.


@nb.njit(cache=True, inline="always")
def best_child(tree, node, wideness):
    """The child with the greatest rate + wideness · shrink; of equal ones the first tried."""
    first = tree[node].first
    best, best_score = first, tree[first].rate + wideness * tree[first].shrink
    for child in range(first + 1, first + tree[node].tried):
        score = tree[child].rate + wideness * tree[child].shrink
        if score > best_score:
            best, best_score = child, score
    return best


@nb.njit(cache=True)
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


@nb.njit(cache=True, inline="always")
def list_empties(padded, open_points, empties):
    """Write those of `open_points` that are empty now to `empties`; returns how many."""
    count = 0
    for point in open_points:
        empties[count] = point  # overwritten by the next one unless it counts: no branch to guess wrong
        count += padded[point] == 0
    return count


@nb.njit(cache=True, inline="always")
def untried_move(tree, node, padded, open_points, empties, ordered, state):
    """A random untried move of `node`, or the first in order."""
    first, tried = tree[node].first, tree[node].tried
    for child in range(first, first + tried):
        padded[tree[child].move] = TRIED
    count = list_empties(padded, open_points, empties)
    for child in range(first, first + tried):
        padded[tree[child].move] = 0
    return empties[0] if ordered else empties[random_below(state, count)]


@nb.njit(cache=True, inline="always")
def winner_after(padded, stride, k, exact, move, mover, legal):
    """The winner after `mover` has played `move`, one of `legal` moves: RUNNING, 0 or the mover."""
    if wins_at_padded(padded, stride, k, exact, move, mover):
        return mover
    return 0 if legal == 1 else RUNNING


@nb.njit(cache=True)
def simulate(padded, stride, k, exact, open_points, empties, mover, playouts, results, state):
    """Count in `results` who wins `playouts` random games from `padded`, which is used up."""
    leaf = padded.copy() if playouts > 1 else padded
    for number in range(playouts):
        if number > 0:
            padded[:] = leaf
        count = list_empties(padded, open_points, empties)
        results[playout_padded(padded, stride, k, exact, empties, count, mover, state)] += 1


@nb.njit(cache=True)
def position_state(board, seed):
    """A random state that depends on the stones alone: the playouts of a position are then always the same."""
    bits = seed
    for stone in board:
        bits = mix(bits + np.uint64(stone) + np.uint64(0x9E3779B97F4A7C15))
    return bits


@nb.njit(cache=True, inline="always")
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


@nb.njit(cache=True)
def wideness_table(c, length):
    """c·√(ln N) for N = 0 … length − 1."""
    table = np.zeros(length, np.float64)
    for visits in range(1, length):
        table[visits] = c * sqrt(log(visits))
    return table


@nb.njit(cache=True, nogil=True)
def run_simulations(tree, used, board, height, width, k, exact, player, c, simulations, playouts, ordered, seed, state):
    """Run UCT on `tree`, whose root is the running position `board`; returns the slots in use.

    Args:
        tree, used: the pool, and how many of its slots are taken. When it is full the tree stops growing, and
            playouts start from the nodes it has.
        board: (height * width,) int8; player: who moves next; exact: whether only a row of exactly k wins.
        c: weight of the exploration term; simulations, playouts: how many, and playouts in each.
        ordered: try moves in their order, with playouts that depend on `seed` and the position alone (for tests).
        seed: uint64; state: (1,) uint64, random state.
    """
    stride, size = width + 1, (height + 2) * (width + 1) + 1
    start, padded = np.empty(size, np.int8), np.empty(size, np.int8)
    open_points, empties = np.empty(height * width, np.int16), np.empty(height * width, np.int16)
    open_points = open_points[: pad(board, height, width, start, open_points)]
    table = wideness_table(c, min(TABLE_SIZE, tree[0].visits + simulations * playouts + 1))
    path, results = np.zeros(len(open_points) + 1, np.int32), np.zeros(3, np.int32)

    for _ in range(simulations):
        padded[:] = start
        node, depth, mover, legal = 0, 0, player, len(open_points)

        # Select: walk down through fully expanded nodes.
        while tree[node].winner == RUNNING and tree[node].tried == legal:
            visits = tree[node].visits
            node = best_child(tree, node, table[visits] if visits < TABLE_SIZE else c * sqrt(log(visits)))
            padded[tree[node].move] = mover
            depth, mover, legal = depth + 1, 3 - mover, legal - 1
            path[depth] = node

        # Expand: play one untried move and add its node.
        if tree[node].winner == RUNNING:
            used = make_room(tree, node, legal, used)
            if tree[node].tried < tree[node].room:
                move = untried_move(tree, node, padded, open_points, empties, ordered, state)
                padded[move] = mover
                child = tree[node].first + tree[node].tried
                clear_slot(tree, child, move, winner_after(padded, stride, k, exact, move, mover, legal))
                tree[node].tried += 1
                node, depth, mover = child, depth + 1, 3 - mover
                path[depth] = node

        # Simulate: playouts, or the exact result of a finished game.
        results[:] = 0
        if tree[node].winner != RUNNING:
            results[tree[node].winner] = playouts
        else:
            if ordered:
                state[0] = position_state(padded, seed)
            simulate(padded, stride, k, exact, open_points, empties, mover, playouts, results, state)

        backup(tree, path, depth, player, results)
    return used


@nb.njit(cache=True, nogil=True)
def root_statistics(tree, width, visits, points):
    """Write v and 2·w of the root's children to `visits` and `points`, (H * W,) int64, indexed by move."""
    stride = width + 1
    for child in range(tree[0].first, tree[0].first + tree[0].tried):
        move = (tree[child].move // stride - 1) * width + tree[child].move % stride - 1
        visits[move] = tree[child].visits
        points[move] = tree[child].points


@nb.njit(cache=True, nogil=True, parallel=True)
def search_batch(boards, players, height, width, k, exact, c, simulations, playouts, ordered, seeds, slots):
    """A fresh search from each of B running positions, in parallel threads.

    Args:
        boards: (B, H * W) int8; players: (B,); seeds: (B,) uint64; slots: of each search's pool. The other settings
            are those of `run_simulations`.

    Returns:
        visits and points (2·w, for the player to move) of each move: two arrays (B, H * W) int64.
    """
    visits, points = np.zeros(boards.shape, np.int64), np.zeros(boards.shape, np.int64)
    for b in nb.prange(len(boards)):
        tree, state = new_tree(slots), np.empty(1, np.uint64)
        state[0] = seeded(seeds[b], 0)
        run_simulations(
            tree, 1, boards[b], height, width, k, exact, players[b], c, simulations, playouts, ordered, seeds[b], state
        )
        root_statistics(tree, width, visits[b], points[b])
    return visits, points


@nb.njit(cache=True)
def count_slots(tree, node):
    """Slots in the blocks below `node`."""
    count = tree[node].room
    for child in range(tree[node].first, tree[node].first + tree[node].tried):
        count += count_slots(tree, child)
    return count


@nb.njit(cache=True)
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
                clear_slot(kept, used + i, 0, RUNNING)
        used += room
        slot += 1
    return kept, used


def slots_for(simulations: int) -> int:
    """Slots that this many simulations can take at most.

    A block is made when its node is visited a second time, so at most every second node has one, of SMALL_BLOCK slots
    or fewer. Blocks that double take less.
    """
    return simulations * SLOTS_PER_SIMULATION + SMALL_BLOCK + 1


def position_playout(seed: int) -> Callable:
    """A playout for the readable UCT that depends on the position alone, as the fast one's do with `ordered`."""

    def playout(game: Mock5) -> int:
        if game.winner is not None:
            return game.winner
        padded = np.empty((game.height + 2) * (game.width + 1) + 1, np.int8)
        pad(game.cells, game.height, game.width, padded, np.empty(len(game.cells), np.int16))
        state = np.array([position_state(padded, np.uint64(seed))], np.uint64)
        return random_playout(game.cells, game.height, game.width, game.k, game.exact, game.player, state)

    return playout


# The agent ------------------------------------------------------------------------------------------------------


class FastUCT:
    """An agent that plays Mock5 by plain UCT, compiled. The arguments are those of `UCT`.

    Args:
        simulations, seconds, c, final, playouts, keep_tree, ordered, clock: as in `UCT`.
        seed: for the random draws: a whole number, a `numpy.random.Generator`, or None.
        max_slots: bound of the tree's memory, about 40 bytes a slot. A tree that reaches it stops growing.

    Raises:
        ValueError: a budget or a setting out of its range.
    """

    def __init__(
        self,
        simulations: int | None = 1000,
        seconds: float | None = None,
        c: float = SQRT2,
        final: str = "visits",
        playouts: int = 1,
        seed: int | np.random.Generator | None = None,
        *,
        keep_tree: bool = True,
        ordered: bool = False,
        max_slots: int = MAX_SLOTS,
        clock: Callable[[], float] = time.perf_counter,
    ):
        check_settings(simulations, seconds, c, final, playouts)
        if seconds is None and simulations * playouts > MAX_PLAYOUTS:
            raise ValueError(f"simulations × playouts is at most {MAX_PLAYOUTS:,}, got {simulations} × {playouts}.")
        if max_slots < MIN_SLOTS:
            raise ValueError(f"max_slots must be at least {MIN_SLOTS}, got {max_slots}.")
        self.simulations, self.seconds, self.c, self.final = simulations, seconds, c, final
        self.playouts, self.keep_tree, self.ordered = playouts, keep_tree, ordered
        self.max_slots, self.clock = max_slots, clock
        # In ordered mode the seed names the playouts, so it must be known; otherwise any number will do.
        self.playout_seed = np.uint64(seed if ordered and isinstance(seed, int) else 0)
        self.rng = np.random.default_rng(seed)
        self.name = f"fastuct:{simulations}" if seconds is None else f"fastuct:{seconds:g}s"
        self.forget()

    def forget(self) -> None:
        """Drop the tree kept from earlier moves."""
        self._tree = self._game = None

    def __call__(self, game: Mock5) -> int:
        return self.search(game).move

    def search(self, game: Mock5) -> SearchResult:
        """Search from `game`, which is left as it is. The result's `root` is built when it is asked for.

        Raises:
            TypeError: not a `Mock5` itself (a subclass may change the rules).
            ValueError: the game is over.
        """
        check_mock5(game)
        game = game.copy()
        free = self.max_slots if self.seconds is not None else slots_for(self.simulations)
        kept = self._kept_tree(game, free) if self.keep_tree else None
        tree, used = kept or (new_tree(min(free, self.max_slots)), 1)
        self.forget()  # so that an interrupted search keeps no half-made tree
        simulations = self._grow(tree, used, game)
        if self.keep_tree:
            self._tree, self._game = tree, game
        visits, points = np.zeros((2, game.height * game.width), np.int64)
        root_statistics(tree, game.width, visits, points)
        return self._result(game, visits, points, simulations, lambda: nodes_of(tree, game))

    def _grow(self, tree: np.ndarray, used: int, game: Mock5) -> int:
        """Run simulations until the budget is spent; returns how many."""
        state = random_state(int(self.rng.integers(2**63)))

        def run(used: int, simulations: int) -> int:
            return run_simulations(
                tree, used, game.cells, game.height, game.width, game.k, game.exact, game.player, self.c,
                simulations, self.playouts, self.ordered, self.playout_seed, state,
            )  # fmt: skip

        if self.seconds is None:
            run(used, self.simulations)
            return self.simulations
        started = now = self.clock()
        done, chunk = 0, 16
        while done == 0 or now < started + self.seconds:
            used, done = run(used, chunk), done + chunk
            now = self.clock()
            rate = done / max(now - started, 1e-9)
            chunk = int(min(max(1, rate * min(CHUNK_SECONDS, started + self.seconds - now)), 2 * chunk))
        return done

    def _kept_tree(self, game: Mock5, free: int) -> tuple[np.ndarray, int] | None:
        """The part of the kept tree below `game`, with `free` slots more; None if the tree has no such node."""
        moves = moves_since(self._game, game)
        if moves is None:
            return None
        tree, node = self._tree, 0
        for move in moves:
            first = int(tree["first"][node])
            found = np.flatnonzero(tree["move"][first : first + tree["tried"][node]] == padded_point(move, game.width))
            if len(found) == 0:
                return None
            node = first + int(found[0])
        return subtree(tree, node, free, self.max_slots)

    # Many searches at once

    def moves(self, games: list[Mock5]) -> list[int]:
        """A move for each game: fresh searches in parallel threads."""
        return [result.move for result in self.search_many(games)]

    def search_many(self, games: list[Mock5]) -> list[SearchResult]:
        """A fresh search from each game, in parallel threads; the results have no tree.

        With a time budget the games are searched one after the other, each with the whole budget.
        """
        for game in games:
            check_mock5(game)
        if self.seconds is not None:
            return [self.search(game) for game in games]
        results: list = [None] * len(games)
        for rules in dict.fromkeys(map(rules_of, games)):
            where = [i for i, game in enumerate(games) if rules_of(game) == rules]
            for i, visits, points in zip(where, *self._search_batch([games[i] for i in where])):
                results[i] = self._result(games[i].copy(), visits, points, self.simulations)
        return results

    def root_parallel(self, game: Mock5, trees: int) -> SearchResult:
        """Root parallelism: independent trees in parallel threads, each with all simulations, visits summed."""
        check_mock5(game)
        if trees < 1:
            raise ValueError(f"trees must be at least 1, got {trees}.")
        visits, points = (array.sum(axis=0) for array in self._search_batch([game] * trees))
        return self._result(game.copy(), visits, points, trees * self.simulations)

    def _search_batch(self, games: list[Mock5]) -> tuple[np.ndarray, np.ndarray]:
        """Visits and points, (games, H * W) each, for games of the same size and rules."""
        seeds = self.rng.integers(2**63, size=len(games), dtype=np.uint64)
        if self.ordered:
            seeds[:] = self.playout_seed
        boards, players = np.stack([game.cells for game in games]), np.array([game.player for game in games])
        slots = min(slots_for(self.simulations), self.max_slots)
        return search_batch(
            boards, players, *rules_of(games[0]), self.c, self.simulations, self.playouts, self.ordered, seeds, slots
        )

    def _result(self, game: Mock5, visits, points, simulations: int, root=None) -> SearchResult:
        rates = points / (2 * np.maximum(visits, 1))
        q, empty = np.where(visits > 0, 2 * rates - 1, 0.0), game.cells == 0
        value = float(visits @ q) / visits.sum()
        move = self._final_move(visits, rates)
        prior = empty / empty.sum()
        return SearchResult(visits, q, prior, value, move=move, simulations=simulations, game=game, root=root)

    def _final_move(self, visits: np.ndarray, rates: np.ndarray) -> int:
        """As `final_child`: most visits, or greatest w/v; then the other of the two, then the lot."""
        first, second = (visits, rates) if self.final == "visits" else (np.where(visits > 0, rates, -1.0), visits)
        best = np.flatnonzero(first == first.max())
        best = best[second[best] == second[best].max()]
        return int(best[0] if self.ordered else best[int(self.rng.random() * len(best))])


def rules_of(game: Mock5) -> tuple:
    """Size and rules, in the order in which the kernels take them."""
    return game.height, game.width, game.k, game.exact


def check_mock5(game) -> None:
    """Raise unless `game` is a running `Mock5`, by its own rules."""
    if type(game) is not Mock5:
        raise TypeError(f"FastUCT plays Mock5 alone, got {type(game).__name__}. UCT plays any game.")
    check_running(game)


def nodes_of(tree: np.ndarray, game: Mock5) -> Node:
    """The tree as `Node` objects, to draw it or to compare it."""
    game = game.copy()

    def build(slot: int, parent: Node | None) -> Node:
        record = tree[slot]
        node = Node(game, move_of(int(record["move"]), game.width), parent)
        node.visits, node.wins = int(record["visits"]), int(record["points"]) / 2
        for child in range(record["first"], record["first"] + record["tried"]):
            move = move_of(int(tree[child]["move"]), game.width)
            node.untried.remove(move)
            game.apply(move)
            node.children.append(build(child, node))
            game.undo()
        return node

    return build(0, None)


def move_of(point: int, width: int) -> int | None:
    """The move at a point of the padded board; None for point 0, a wall, which stands for no move."""
    return (point // (width + 1) - 1) * width + point % (width + 1) - 1 if point else None

"""UCT for Mock5 and Go, compiled: the fast twin of `tree.py`, at 8 to 40 times its speed. Its tree: `kernels.py`.

It asks a game what stands in `game.position`, so another game that answers there can be searched, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numba import get_num_threads

from mock5lib.base.ranges import whole
from mock5lib.game.board import Mock5
from mock5lib.game.kernels import random_state
from mock5lib.game.position import position_of, room_for, rules_of, stack
from mock5lib.search.result import SearchResult, moves_listed
from mock5lib.search.uct.kernels import (
    MAX_SLOTS,
    MIN_SLOTS,
    NO_MOVE,
    SLICE,
    SLOT,
    new_tree,
    root_statistics,
    run_simulations,
    search_batch,
    slices,
    slots_for,
    subtree,
)
from mock5lib.search.uct.tree import SQRT2, UCT, Node, check_running, final_move, moves_since

MAX_PLAYOUTS = 10**8  # in one search, so that no count leaves 32 bits even in a tree that is kept
CHUNK_SECONDS = 0.02  # a search on a time budget looks at the clock about this often


class FastUCT(UCT):
    """`UCT` for Mock5 and Go, compiled, with the same arguments but `playout`.

    Args:
        max_slots: bound of the tree's memory, about 40 bytes a slot. A tree that reaches it stops growing.
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
        options = dict(keep_tree=keep_tree, ordered=ordered, clock=clock)
        super().__init__(simulations, seconds, c, final, playouts, seed, **options)
        if seconds is None and simulations * playouts > MAX_PLAYOUTS:
            raise ValueError(f"simulations × playouts is at most {MAX_PLAYOUTS:,}, got {simulations} × {playouts}.")
        self.max_slots = whole("max_slots", max_slots, MIN_SLOTS)
        # In ordered mode the seed names the playouts, so it must be known; otherwise any number will do.
        self.playout_seed = np.uint64(seed if self.ordered and isinstance(seed, int) else 0)
        self.name = f"fast{self.name}"
        if seconds is not None:
            warm_up()

    def forget(self) -> None:
        """Drop the tree kept from earlier moves."""
        self._tree = self._game = None

    def limit_memory(self, nbytes: int, points: int) -> None:
        """Let the tree take at most so many bytes, whatever the number of points of the board."""
        self.max_slots = max(MIN_SLOTS, min(self.max_slots, nbytes // SLOT.itemsize))

    def search(self, game, simulations: int | None = None, seconds: float | None = None) -> SearchResult:
        """As `UCT.search`; the result's `root` is built when it is asked for.

        Raises:
            TypeError: neither a `Mock5` nor a `Go` itself (a subclass may change the rules).
        """
        check_running(game)
        game = game.copy()
        simulations, seconds = simulations or self.simulations, seconds or self.seconds
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
        for game in games:
            check_running(game)
        if self.seconds is not None:
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
            for at, tree in enumerate(self._trees_of(games[part], seeds[part]), start):
                root_statistics(tree, visits[at], points[at])
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

"""The fast search: many games in lockstep, one batch of leaves a step through the expert, trees in flat arrays.

`puct.py` is the readable twin: with noise off and one leaf a step, both give every move of every position the same
visits. The two selection rules and the sentence about signs stand there, what an expert is in `expert.py`.

A step has three parts. Every game's tree is walked down to a leaf (or to several, see `leaves`), in parallel threads;
all leaves of all games go through the expert as one batch; the answers are expanded and backed up, in parallel
threads. A position that ends the game is backed up with its exact value and never sees the expert.

Memory is bounded: G games × M nodes × (48 + 12 · A) bytes for boards of A points, touched only as trees grow. A tree
that runs out of nodes ends its search there (`full`); what it has found so far counts.

    `Search(expert, simulations).run(games)`    positions in, `SearchResult`s out
    `SearchAgent(expert, simulations)`          an agent for the arena, which keeps its trees between moves
    `Forest(games, height, width, k)`           the arrays themselves, for self-play
    `search_in_turns(…)`                        two forests: one is walked while the expert works for the other

A game that does not answer the questions of `game.position_compiled` but brings the kit of `game.kit` is searched, too,
some fifteen times slower: `forest_plain_compiled.py` plays its moves in Python. `puct.SearchTree` searches any game.
"""

from __future__ import annotations

import operator
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import fields
from functools import partial
from typing import NamedTuple

import numpy as np

from mock5lib.base.arguments import at_most, generator_of, whole
from mock5lib.base.contract import check_game
from mock5lib.game.board import Mock5
from mock5lib.game.board_compiled import RUNNING
from mock5lib.game.plain import Plain
from mock5lib.game.position_compiled import PLAYER, chosen, looks_ahead, put, room_for, stack
from mock5lib.search import forest_plain_compiled, gumbel_compiled, puct_compiled, trees_compiled
from mock5lib.search.expert import as_expert, checked_answer
from mock5lib.search.puct import SearchNode
from mock5lib.search.result import SearchResult, policies_of
from mock5lib.search.trees_compiled import EXACT, EXPANDED, Options, make_trees

MAX_SIMULATIONS = 2**31 - 1  # of one search: counted in 32 bits
MOST_NODES = 10**8  # of a tree
MOST_AT_ONCE = 10_000  # leaves that a tree gathers, or moves that its root considers


class Forest:
    """G games and their trees. Positions start empty; see `reset`.

    Args:
        games: G, at least 1.
        height, width, k, exact: the game, as in `Mock5`.
        game: one whose board and rules the games have, in place of these four; all begin from its position.
        roots: positions to begin from, stacked, a `Table`'s, say: the forest searches and plays on these very arrays.
        nodes: M, nodes in each tree, at least 2. A search of n simulations from a fresh root needs n + 1.
        seed: of the random streams, one for each game: noise and Gumbel numbers do not depend on the other games.
        options: see `Options`.

    Attributes (arrays are views: read them, don't write):
        boards: (G, A) int8; players: (G,) int32, who moves next; winners: (G,) int8, -1 running, 0 a draw, 1, 2.
        simulations: (G,) int32, simulations of the last search.
        full: (G,) bool, whether the last search ran out of nodes.
    """

    def __init__(
        self, games, height=15, width=15, k=5, exact=False, *, game=None, roots=None, nodes=1024, seed=0, **options
    ):
        whole("games", games, 1)
        whole("nodes", nodes, 2, MOST_NODES)
        game = game or Mock5(height, width, k, exact=exact)
        self.options = checked_options(options)
        self.start = positions_of([game])
        self.games, self.nodes, self.actions = games, nodes, game.actions
        position, leaves = chosen(self.start, 0), self.options.leaves
        self.settings = self.options.settings(looks_ahead(position))
        plain = isinstance(position, Plain)
        self._select = (forest_plain_compiled if plain else puct_compiled).select_leaves
        self._moving = forest_plain_compiled if plain else trees_compiled
        self.roots, self._leaves = roots or room_for(position, games), room_for(position, games, leaves)
        self.trees = make_trees(games, nodes, self.actions, leaves, seed)
        self.set_positions(roots or self.start)
        self.forget()

    boards = property(lambda self: self.roots.boards)
    players = property(lambda self: self.roots.counts[:, PLAYER])
    winners = property(lambda self: self.trees.games["winner"])
    simulations = property(lambda self: self.trees.games["done"])
    full = property(lambda self: self.trees.games["full"])

    # Positions

    def reset(self, positions=None, which=None) -> None:
        """Put new positions, not over yet, at the roots; their trees start afresh.

        Args:
            positions: n of them, stacked; default: the one that all games began from.
            which: indices of the n games; default: all G.
        """
        which = np.arange(self.games) if which is None else np.asarray(which, dtype=np.int64)
        self.set_positions(self.start if positions is None else positions, which)
        trees_compiled.fresh_roots(self.trees, which)

    def set_positions(self, positions, which=slice(None)) -> None:
        """Put stacked positions at the roots, whose trees stay: equal positions, but perhaps come to otherwise."""
        put(self.roots, which, positions)
        self.trees.games["winner"][which] = RUNNING

    def advance(self, moves) -> None:
        """Play one move in each game and keep the part of its tree below that move.

        Args:
            moves: (G,) legal moves; -1 leaves a game as it is. A game that ends is skipped by searches until `reset`.
        """
        moves = np.asarray(moves, dtype=np.int64)
        if moves.shape != (self.games,):
            raise ValueError(f"moves must have shape ({self.games},), got {moves.shape}.")
        wrong = self._moving.first_illegal(self.trees, self.roots, moves)
        if wrong >= 0:  # it would write beyond the arrays
            raise ValueError(f"Move {moves[wrong]} is illegal in game {wrong}.")
        self._moving.advance_roots(self.trees, self.roots, moves)

    # Searching

    def search(self, expert, simulations, noise=None) -> None:
        """Run simulations in all games that are not over.

        Args:
            expert: an `Expert`, or a function of planes (B, C, H, W) float32; see `expert.py`. B is at most
                G · leaves.
            simulations: how many, at least 1; or an array (G,), where 0 leaves a game out.
            noise: weight of the root noise, one number or (G,); default: the option's. A root gets noise once.

        Raises:
            TypeError, ValueError: an answer that is not usable: then all trees start afresh.
        """
        self.begin(expert, simulations, noise)
        try:
            while (question := self.select()) is not None:
                self.back_up(question())
        except BaseException:
            self.forget()
            raise

    def begin(self, expert, simulations, noise=None) -> None:
        """The start of `search`; then `select` and `back_up` take turns until `select` returns None."""
        self._expert = as_expert(expert)
        wanted = np.broadcast_to(np.asarray(simulations), (self.games,))
        if wanted.min() < 0 or not 0 < wanted.max() <= MAX_SIMULATIONS:
            raise ValueError(f"simulations must be a whole number from 1 to {MAX_SIMULATIONS:,}, got {simulations}.")
        t = self.trees
        t.games["wanted"], t.games["noise"] = wanted, self.options.noise if noise is None else noise
        if self.options.considered and t.schedule.shape[1] < wanted.max():
            self.trees = t = t._replace(schedule=np.zeros((self.games, wanted.max()), dtype=np.int32))
        puct_compiled.begin_search(t, self.settings)

    def select(self) -> Callable | None:
        """Walk down to the leaves of the next step.

        Returns:
            The question to the expert, a function without arguments; its answer is for `back_up`. None when the search
            is over.
        """
        t = self.trees
        self._select(t, self.roots, self._leaves, self.settings)
        ends = np.cumsum(t.games["waiting"])
        if ends[-1] == 0:
            return None
        self._starts = ends - t.games["waiting"]
        waits = np.arange(t.leaves.shape[1]) < t.games["waiting"][:, None]
        return partial(self._expert.of_positions, chosen(self._leaves, waits))

    def back_up(self, answer) -> None:
        """Take the expert's answer (log-priors, values) to the question of the last `select`."""
        t = self.trees
        log_priors, values = checked_answer(answer, int(t.games["waiting"].sum()), self.actions)
        puct_compiled.expand_and_back_up(t, self.settings, self._starts, log_priors, values)

    def forget(self) -> None:
        """Empty all trees; the positions stay."""
        self.trees.games["waiting"] = 0
        trees_compiled.fresh_roots(self.trees, np.arange(self.games))

    # What the roots have found

    @property
    def visits(self) -> np.ndarray:
        """How often each move was tried, (G, A) int32."""
        return trees_compiled.root_statistics(self.trees)[0]

    @property
    def values(self) -> np.ndarray:
        """Mean value of each move for the player to move, (G, A) float64; 0 where it was not tried."""
        return trees_compiled.root_statistics(self.trees)[1]

    @property
    def root_values(self) -> np.ndarray:
        """Mean value of each position for the player to move, (G,) float64."""
        root = self.trees.nodes[:, 0]
        return root["value_sum"] / np.maximum(root["visits"], 1)

    @property
    def priors(self) -> np.ndarray:
        """The expert's priors over the moves of the last searched roots, without noise, (G, A) float32."""
        return self.trees.root_moves["prior"]

    def policies(self, temperature=1.0) -> np.ndarray:
        """visits^(1/temperature), normalized, (G, A) float64; zeros where a game has no visits.

        Args:
            temperature: a number or (G,); 0 shares all among the most visited moves.
        """
        return policies_of(self.visits, temperature)

    def improved_policies(self) -> np.ndarray:
        """softmax(log-prior + σ(completed q)), (G, A) float64 (Danihelka et al. 2022, equation 11)."""
        return gumbel_compiled.improved_policies(self.trees, self.settings)

    def best_moves(self) -> np.ndarray:
        """The move to play in each game, (G,) int64; -1 without visits.

        The most visited, of equal ones the higher value, then the lower index. With a Gumbel root: of the most visited
        ones the highest Gumbel score.
        """
        if self.options.considered:
            return gumbel_compiled.gumbel_moves(self.trees, self.settings)
        visits, q = trees_compiled.root_statistics(self.trees)
        most = visits.max(axis=1, keepdims=True)
        return np.where(most[:, 0] > 0, np.where(visits == most, q, -np.inf).argmax(axis=1), -1)

    def result(self, g: int, game: Mock5 | None = None) -> ForestResult:
        """What the search found in game g; `game` is kept for pictures."""
        return self.results([g], [game])[0]

    def results(self, which, games) -> list[ForestResult]:
        """`result` of several games."""
        visits, q = trees_compiled.root_statistics(self.trees)
        improved, moves, values = self.improved_policies(), self.best_moves(), self.root_values
        players = self.players
        return [
            ForestResult(
                visits[g],
                q[g],
                self.priors[g].astype(np.float64),
                values[g],
                move=int(moves[g]),
                simulations=int(self.simulations[g]),
                game=None if game is None else game.copy(),
                root=partial(tree_of, self.trees.nodes[g, : self.trees.games["used"][g]].copy(), int(players[g])),
                improved=improved[g],
                full=bool(self.full[g]),
            )
            for g, game in zip(which, games)
        ]


class ForestResult(SearchResult):
    """A `SearchResult` that also has:

    improved: softmax(log-prior + σ(completed q)), (A,): the policy target of a Gumbel root.
    full: whether the tree ran out of nodes, so that fewer simulations were run than asked for.
    """

    def __init__(self, *arguments, improved, full, **options):
        super().__init__(*arguments, **options)
        self.improved, self.full = improved, full


def tree_of(nodes: np.ndarray, player: int) -> SearchNode:
    """The nodes (n,) NODE of one tree as objects; `player` moves at the root."""
    made: list[SearchNode] = []
    for record in nodes:
        parent = made[record["parent"]] if record["parent"] >= 0 else None
        mover = 3 - parent.player if parent else player
        move = int(record["move"]) if record["move"] >= 0 else None
        node = SearchNode(mover, move, parent, float(record["prior"]))
        node.visits, node.value_sum = int(record["visits"]), float(record["value_sum"])
        node.value, node.exact = float(record["value"]), bool(record["state"] == EXACT)
        node.priors = {} if record["state"] == EXPANDED else None
        if parent:
            parent.children[node.move] = node
            parent.priors[node.move] = node.prior
        made.append(node)
    return made[0]


class Search:
    """Search any number of positions at once.

    Args:
        expert: see `Forest.search`.
        simulations: in each position.
        nodes: nodes in each tree; default: enough.
        games_in_flight: how many positions are searched in lockstep; more come in further batches.
        seed: a whole number, a `numpy.random.Generator`, or None for a new start each time.
        options: see `Options`.
    """

    def __init__(self, expert, simulations=100, *, nodes=None, games_in_flight=512, seed=None, **options):
        whole("simulations", simulations, 1, MAX_SIMULATIONS)
        whole("games_in_flight", games_in_flight, 1)
        checked_options(options)
        self.expert, self.simulations, self.options = expert, simulations, options
        self.nodes, self.games_in_flight = nodes or min(simulations + 1, MOST_NODES), games_in_flight
        whole("nodes", self.nodes, 2, MOST_NODES)
        self._rng = generator_of(seed)

    def run(self, games) -> list[ForestResult]:
        """One `SearchResult` for each game, in order; the games are left as they are."""
        games = list(games)
        positions = positions_of(games) if games else None
        parts = [slice(start, start + self.games_in_flight) for start in range(0, len(games), self.games_in_flight)]
        return [result for part in parts for result in self._run_batch(games[part], chosen(positions, part))]

    def _run_batch(self, games, positions) -> list[ForestResult]:
        seed = int(self._rng.integers(2**62))
        forest = Forest(len(games), game=games[0], nodes=self.nodes, seed=seed, **self.options)
        forest.set_positions(positions)
        forest.search(self.expert, self.simulations)
        return forest.results(range(len(games)), games)


def checked_options(given: dict) -> Options:
    """Some `Options` by their names, in Python's own numbers: one of NumPy's would compile all kernels anew.

    Raises:
        TypeError, ValueError: there is no such option, or its value is of another type or out of range.
    """
    names = [one.name for one in fields(Options)]
    if unknown := sorted(given.keys() - set(names)):
        raise TypeError(f"A search has no option {unknown[0]!r}; it has {', '.join(names)}.")
    plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in given.items()}
    options = Options(**plain)
    at_most(MOST_AT_ONCE, leaves=options.leaves, considered=options.considered)
    return options


def positions_of(games: list):
    """The games' positions, stacked; a ValueError for a finished game, or for games that differ in board or rules."""
    for number, game in enumerate(games):
        check_game(game)
        if game.winner is not None:
            raise ValueError(f"Game {number} is over (winner {game.winner}): there is no move to search for.")
    return stack(games)


class Span(NamedTuple):
    """Somebody at work, from start to end, in seconds since the timeline began."""

    lane: str
    start: float
    end: float


class Timeline:
    """Who worked when, in the order in which they were done. Several threads may note at once."""

    def __init__(self):
        self.spans: list[Span] = []
        self._began = time.perf_counter()

    def watch(self, lane: str, function: Callable) -> Callable:
        """The same function, with each of its calls noted."""

        def watched(*arguments):
            start = time.perf_counter() - self._began
            try:
                return function(*arguments)
            finally:
                self.spans.append(Span(lane, start, time.perf_counter() - self._began))

        return watched

    def share(self, lane: str) -> float:
        """How much of the time from the first start to the last end this lane was at work, from 0 to 1."""
        if not self.spans:
            raise ValueError("The timeline is empty: nothing was noted.")
        whole = max(span.end for span in self.spans) - min(span.start for span in self.spans)
        return sum(span.end - span.start for span in self.spans if span.lane == lane) / whole


def search_in_turns(
    forests: list[Forest],
    expert,
    simulations,
    noise=None,
    *,
    timeline: Timeline | None = None,
    worker: ThreadPoolExecutor | None = None,
) -> None:
    """`Forest.search` for several forests at once; each comes out as if searched alone.

    The expert runs in a thread of its own, for one forest at a time. On a CPU, where it needs the same cores as the
    trees, one forest of all games is faster.

    Args:
        forests: two, of half the games each, are enough to keep both sides busy.
        expert: as in `Forest.search`.
        simulations, noise: likewise, the same for all forests; or a list with one entry for each forest.
        timeline: notes the lane "net", and "trees" or, of several forests, "trees 1", "trees 2", …
        worker: the thread for the expert, of a pool with one; default: a new one.
    """
    each = [part if isinstance(part, list) else [part] * len(forests) for part in (simulations, noise)]
    for forest, wanted, weight in zip(forests, *each, strict=True):
        forest.begin(expert, wanted, weight)
    answer = operator.call
    walks = [(forest.select, forest.back_up) for forest in forests]
    if timeline is not None:
        lanes = ["trees"] if len(forests) == 1 else [f"trees {number}" for number in range(1, len(forests) + 1)]
        walks = [tuple(timeline.watch(lane, part) for part in walk) for lane, walk in zip(lanes, walks)]
        answer = timeline.watch("net", answer)
    try:
        with nullcontext(worker) if worker else ThreadPoolExecutor(1) as worker:
            asked = deque((walk, None) for walk in walks)
            while asked:
                (select, back_up), answered = asked.popleft()
                if answered is not None:
                    back_up(answered.result())
                question = select()
                if question is not None:
                    asked.append(((select, back_up), worker.submit(answer, question)))
    except BaseException:
        for forest in forests:
            forest.forget()
        raise

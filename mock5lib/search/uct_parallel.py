"""The three classic ways to search in parallel (Chaslot, Winands and van den Herik 2008), in their readable form.

- **Leaf**: one leaf, several playouts of it at once. Simple; the playouts tell the same thing several times. Here it is
  `UCT` with `playouts`.
- **Root**: trees that know nothing of each other; their root visits are added. Nobody waits; the trees are small.
- **Tree**: several workers in one tree. While a playout runs, the next worker must be told of it, or it walks to the
  very same node. Two ways to tell: *virtual loss* counts a playout in flight as lost until its result is in; *WU-UCT*
  counts it as a visit whose result is not known yet, √(ln(N + O) / (n + o)) (Liu et al. 2020).

The workers here take turns in one thread, in lockstep: all of them select before the first result is in. So results
depend on the seed alone, and the effect on strength can be measured apart from the gain in time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log, sqrt
from typing import NamedTuple

import numpy as np

from mock5lib.base.arguments import generator_of, one_of, whole
from mock5lib.base.contract import Named
from mock5lib.search.result import SearchResult
from mock5lib.search.uct import (
    SQRT2,
    UCT,
    Node,
    UCTOptions,
    backup,
    check_budget,
    check_running,
    final_move,
    player_into,
    playout_for,
    take_back,
)

IN_FLIGHT = ("nothing", "virtual loss", "unobserved")


# Root -----------------------------------------------------------------------------------------------------------


class RootParallelUCT(Named):
    """Independent trees whose root visits are added.

    Args:
        simulations: simulations a move in all; each tree gets `simulations // trees`.
        trees: how many.
        c, final, seed: as in `UCT`.
        agent: what grows a tree: `UCT`, or `FastUCT` for speed.
        map: how the searches are run: `map` one after the other; the `map` of a thread pool runs trees of `FastUCT`
            truly at once, because its kernel lets other threads run. The result is the same.
    """

    def __init__(
        self, simulations=1000, *, trees=8, c=SQRT2, final="visits", seed=None, agent: Callable = UCT, map=map
    ):
        check_budget(simulations, None)
        UCTOptions(c, final)  # checks them
        whole("trees", trees, 1, simulations)
        self.simulations, self.trees, self.final, self.map = simulations, trees, final, map
        self.rng = generator_of(seed)
        self.searchers = [
            agent(simulations // trees, c=c, seed=stream, keep_tree=False) for stream in self.rng.spawn(trees)
        ]
        self.name = f"root-parallel:{simulations}/{trees}"

    def __call__(self, game):
        return self.search(game).move

    def search(self, game) -> SearchResult:
        """Search from `game`, which is left as it is."""
        check_running(game)
        results = list(self.map(lambda searcher: searcher.search(game), self.searchers))
        return sum_of_results(results, self.final, self.rng)


def sum_of_results(results: list[SearchResult], final: str, rng) -> SearchResult:
    """Independent searches of one position as one result: visits added, values weighted by visits. It has no tree."""
    visits = np.sum([result.visits for result in results], axis=0)
    q = np.sum([result.visits * result.q for result in results], axis=0) / np.maximum(visits, 1)
    move = final_move(visits, q, final, rng)
    done, value = sum(result.simulations for result in results), visits @ q / visits.sum()
    return SearchResult(visits, q, results[0].prior, value, move=move, simulations=done, game=results[0].game)


# Tree -----------------------------------------------------------------------------------------------------------


class SharedNode(Node):
    """A node of a tree with many workers: it also counts the playouts below it that are in flight."""

    __slots__ = ("in_flight",)

    def __init__(self, game, move=None, parent=None):
        super().__init__(game, move, parent)
        self.in_flight = 0


def shared_score(child: SharedNode, parent_visits: float, c: float, counts: str) -> float:
    """UCB1 of a child that may have playouts in flight.

    - "nothing": they are ignored: w/n + c·√(ln N / n).
    - "virtual loss": they count as visits that won nothing: w/(n + o) + c·√(ln(N + O) / (n + o)).
    - "unobserved": they count in the exploration term alone: w/n + c·√(ln(N + O) / (n + o)) (WU-UCT).

    `parent_visits` is N or N + O. A child whose first playout is still in flight has no w/n: it counts as a draw.
    """
    observed = child.visits
    counted = observed if counts == "nothing" else observed + child.in_flight
    if counts == "virtual loss":
        rate = child.wins / counted
    else:
        rate = child.wins / observed if observed else 0.5
    return rate + c * sqrt(log(max(1, parent_visits)) / max(1, counted))


def shared_select(node: SharedNode, game, c: float, counts: str) -> SharedNode:
    """`select` in a tree with playouts in flight."""
    while not node.untried and node.children:
        parent_visits = node.visits + (0 if counts == "nothing" else node.in_flight)
        best, best_score = None, -inf
        for child in node.children:
            score = shared_score(child, parent_visits, c, counts)
            if score > best_score:
                best, best_score = child, score
        node = best
        game.apply(node.move)
    return node


def shared_expand(node: SharedNode, game, rng: np.random.Generator) -> SharedNode:
    """`expand`, with a child that can count playouts in flight."""
    if not node.untried:
        return node
    move = node.untried.pop(int(rng.random() * len(node.untried)))
    game.apply(move)
    node.children.append(SharedNode(game, move, parent=node))
    return node.children[-1]


def add_in_flight(node: SharedNode, count: int) -> None:
    """Count a playout in flight (1), or one that has landed (-1), from the leaf up to the root."""
    while node is not None:
        node.in_flight += count
        node = node.parent


def backup_tally(node: Node, tally: Sequence[int]) -> None:
    """`backup` of many playouts at once: tally[0] draws, tally[1] and tally[2] wins of the two players."""
    visits = int(sum(tally))
    while node is not None:
        node.visits += visits
        node.wins += float(tally[player_into(node)]) + 0.5 * float(tally[0])
        node = node.parent


class Round(NamedTuple):
    """What the workers did in one round, for measuring how far they spread."""

    ends: list[SharedNode]  # where each selection ended
    leaves: list[SharedNode]  # the node that each playout started from


def lockstep_round(root: SharedNode, game, c: float, rng, playout: Callable, workers: int, counts: str) -> Round:
    """One round: every worker selects and expands, then all playouts run, then all results are backed up."""
    ends, leaves, winners = [], [], []
    for _ in range(workers):
        ends.append(shared_select(root, game, c, counts))
        leaves.append(shared_expand(ends[-1], game, rng))
        add_in_flight(leaves[-1], 1)
        winners.append(playout(game))
        take_back(leaves[-1], root, game)
    for leaf, winner in zip(leaves, winners):
        add_in_flight(leaf, -1)
        backup(leaf, winner)
    return Round(ends, leaves)


class TreeParallelUCT(UCT):
    """Workers that share one tree and select in lockstep.

    Args:
        simulations: simulations a move in all, in rounds of `workers` each (the last may be smaller).
        workers: selections made before the first result is backed up; 1 is plain UCT.
        counts: what playouts in flight count as: "nothing", "virtual loss" or "unobserved" (WU-UCT).
        c, final, seed: as in `UCT`.

    Attributes:
        rounds: the rounds of the last search.
    """

    node_type = SharedNode

    def __init__(self, simulations=1000, *, workers=8, counts="virtual loss", c=SQRT2, final="visits", seed=None):
        super().__init__(simulations, c=c, final=final, seed=seed, keep_tree=False)
        whole("workers", workers, 1)
        one_of("counts", counts, IN_FLIGHT)
        self.workers, self.counts, self.name = workers, counts, f"tree-parallel:{simulations}/{workers} ({counts})"
        self.rounds: list[Round] = []

    def _grow(self, root: SharedNode, game, simulations: int, seconds: None) -> int:
        playout = playout_for(game, self.rng)
        self.rounds = []
        left = simulations
        while left > 0:
            workers = min(self.workers, left)
            self.rounds.append(lockstep_round(root, game, self.c, self.rng, playout, workers, self.counts))
            left -= workers
        return simulations


# Measuring ------------------------------------------------------------------------------------------------------


def spread(game, counts: str, simulations=800, workers=8, c: float = SQRT2, seed=0) -> tuple[float, float]:
    """Mean number of distinct nodes that a round's selections end at, and of distinct leaves that are played out."""
    agent = TreeParallelUCT(simulations, workers=workers, counts=counts, c=c, seed=seed)
    agent.search(game)
    distinct = [[len(set(map(id, nodes))) for nodes in round] for round in agent.rounds]
    return tuple(np.mean(distinct, axis=0).tolist())

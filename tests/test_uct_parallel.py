"""Root and tree parallelism: what they add up to, how far they spread, what they cost in strength."""

from concurrent.futures import ThreadPoolExecutor
from math import log, sqrt

import numpy as np
import pytest
from trees import every_node

from mock5lib import Mock5
from mock5lib.search.uct import UCT, simulate
from mock5lib.search.uct_compiled import FastUCT
from mock5lib.search.uct_parallel import (
    IN_FLIGHT,
    RootParallelUCT,
    SharedNode,
    TreeParallelUCT,
    add_in_flight,
    lockstep_round,
    shared_score,
    spread,
)

THREAT = Mock5(3, 3, k=3, history=[0, 4, 1])  # only 2 does not lose


# Root


def test_root_parallelism_adds_independent_trees():
    agent = RootParallelUCT(800, trees=4, seed=3)
    result = agent.search(THREAT)
    parts = [searcher.search(THREAT) for searcher in RootParallelUCT(800, trees=4, seed=3).searchers]
    assert result.visits.tolist() == sum(part.visits for part in parts).tolist()
    assert len({part.visits.tobytes() for part in parts}) == 4
    weighted = sum(part.visits * part.q for part in parts) / np.maximum(result.visits, 1)
    assert result.q == pytest.approx(weighted)


def test_threads_change_the_time_and_not_the_result():
    game = Mock5(9, 9)
    alone = RootParallelUCT(2000, trees=4, seed=0, agent=FastUCT).search(game)
    with ThreadPoolExecutor(2) as pool:
        threads = RootParallelUCT(2000, trees=4, seed=0, agent=FastUCT, map=pool.map).search(game)
    assert alone.visits.tolist() == threads.visits.tolist() and alone.move == threads.move


# Tree


def test_one_worker_is_plain_uct():
    for counts in IN_FLIGHT:
        plain = UCT(300, seed=4, keep_tree=False).search(Mock5(3, 3, k=3))
        shared = TreeParallelUCT(300, workers=1, counts=counts, seed=4).search(Mock5(3, 3, k=3))
        assert plain.visits.tolist() == shared.visits.tolist() and plain.q.tolist() == shared.q.tolist()


def test_the_three_ways_to_count_a_playout_in_flight():
    game = Mock5(1, 4)
    root = SharedNode(game)
    child = SharedNode(game, 0, root)
    child.wins, child.visits, child.in_flight = 3.0, 4, 2
    assert shared_score(child, 10, 1.0, "nothing") == pytest.approx(3 / 4 + sqrt(log(10) / 4))
    assert shared_score(child, 12, 1.0, "virtual loss") == pytest.approx(3 / 6 + sqrt(log(12) / 6))
    assert shared_score(child, 12, 1.0, "unobserved") == pytest.approx(3 / 4 + sqrt(log(12) / 6))


def test_nothing_is_in_flight_after_a_round():
    game, rng = Mock5(3, 3, k=3), np.random.default_rng(0)
    root = SharedNode(game)
    for number in range(1, 40):
        lockstep_round(root, game, 1.0, rng, lambda game: simulate(game, rng), 8, "virtual loss")
        assert root.visits == 8 * number and game.history == []
        assert all(node.in_flight == 0 and node.visits > 0 for node in every_node(root))


def test_a_playout_in_flight_is_counted_from_the_leaf_to_the_root():
    game = Mock5(1, 4)
    root = SharedNode(game)
    child, sibling = SharedNode(game, 0, root), SharedNode(game, 1, root)
    add_in_flight(child, 1)
    assert (root.in_flight, child.in_flight, sibling.in_flight) == (1, 1, 0)


def test_without_a_mark_all_workers_walk_to_the_same_leaf_and_with_one_they_spread():
    for game in (Mock5(3, 3, k=3), Mock5(5, 5, k=5)):
        ends = {counts: spread(game, counts, simulations=800, workers=8)[0] for counts in IN_FLIGHT}
        assert ends["nothing"] < 2.5
        assert ends["virtual loss"] > 7 and ends["unobserved"] > 7


def test_the_last_round_may_be_smaller():
    agent = TreeParallelUCT(21, workers=8, seed=0)
    assert agent.search(Mock5(3, 3, k=3)).visits.sum() == 21
    assert [len(round.leaves) for round in agent.rounds] == [8, 8, 5]

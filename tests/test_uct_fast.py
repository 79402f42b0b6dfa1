"""The compiled UCT: equal to the readable one, visit for visit, and right in what it adds."""

import numpy as np
import pytest
from trees import assert_same_tree, every_node, position_playout, running_five, running_go

from mock5go.board import Go
from mock5lib import Mock5
from mock5lib.game.board_compiled import random_state
from mock5lib.game.oracle import tic_tac_toe
from mock5lib.game.position_compiled import position_of
from mock5lib.search import uct_compiled
from mock5lib.search.uct import UCT
from mock5lib.search.uct_compiled import FastUCT, nodes_of, slots_for

# Two speeds, one meaning

LONG = [Mock5(3, 3, k=3), Mock5(4, 5, k=4), Mock5(7, 7, k=5)]


@pytest.mark.parametrize(("running", "searches", "least"), [(running_five, 300, 10_000), (running_go, 30, 1000)])
def test_the_fast_search_is_the_readable_one_visit_for_visit(running, searches, least):
    rng, nodes = np.random.default_rng(0), 0
    for seed in range(searches):
        game, c = running(rng), float(rng.choice([0.0, 0.4, 1.0, 2**0.5, 3.0]))
        budget, final = int(rng.integers(1, 150)), str(rng.choice(["visits", "ratio"]))
        if running is running_five and seed < len(LONG):
            game, budget = LONG[seed], 3000
        readable = UCT(budget, c=c, final=final, ordered=True, playout=position_playout(seed)).search(game)
        fast = FastUCT(budget, c=c, final=final, ordered=True, seed=seed).search(game)
        nodes += assert_same_tree(readable.root, fast.root)
        assert readable.visits.tolist() == fast.visits.tolist() and readable.move == fast.move
        assert readable.q == pytest.approx(fast.q) and readable.value == pytest.approx(fast.value)
        assert readable.prior.tolist() == fast.prior.tolist() and len(fast.visits) == game.actions
    assert nodes > least


@pytest.mark.parametrize("games", [[running_five(np.random.default_rng(seed)) for seed in range(10)], [Go(3, komi=1)]])
def test_the_kept_trees_agree_over_a_whole_game(games):
    for seed, game in enumerate(games):
        readable = UCT(120, ordered=True, playout=position_playout(seed))
        fast, kept = FastUCT(120, ordered=True, seed=seed), 0
        while game.winner is None and len(game.history) < 20:
            expected, got = readable.search(game), fast.search(game)
            assert_same_tree(expected.root, got.root)
            assert expected.move == got.move and expected.value == pytest.approx(got.value)
            kept += got.root.visits > 120
            game.apply(game.pass_move if type(game) is Go and len(game.history) == 3 else got.move)
        assert kept > 0 or len(game.legal_moves()) == 0


def test_with_random_playouts_both_speeds_find_the_same_on_average():
    game = Mock5(3, 3, k=3)
    readable = np.mean([UCT(600, seed=seed).search(game).visits for seed in range(20)], axis=0)
    fast = np.mean([FastUCT(600, seed=seed).search(game).visits for seed in range(400)], axis=0)
    assert np.abs(readable - fast).max() / 600 < 0.05


def test_playouts_in_a_batch_count_like_single_ones():
    # A huge c visits all moves alike, so both are averages of about 1,400 random games a move.
    game, settings = Mock5(3, 3, k=3), {"c": 50.0, "seed": 1}
    single, batch = FastUCT(12_800, **settings).search(game), FastUCT(1600, playouts=8, **settings).search(game)
    assert single.value == pytest.approx(batch.value, abs=0.05) and np.abs(single.q - batch.q).max() < 0.15


def test_random_playouts_and_the_order_of_trying_are_random():
    firsts = {FastUCT(1, seed=seed)(Mock5(3, 3, k=3)) for seed in range(60)}
    assert firsts == set(range(9))
    assert len({FastUCT(400, seed=seed).search(Mock5(3, 3, k=3)).visits.tobytes() for seed in range(5)}) == 5


def test_each_untried_move_is_tried_once_on_boards_whose_blocks_grow():
    result = FastUCT(225, seed=0).search(Mock5())
    assert result.visits.tolist() == [1] * 225
    result = FastUCT(2 * 35, seed=0, c=1e6).search(Mock5(5, 7))
    assert result.visits.tolist() == [2] * 35


# The agent


def test_many_games_at_once_do_not_depend_on_their_neighbors():
    rng = np.random.default_rng(4)
    games = [running_five(rng) for _ in range(30)] + [Mock5(3, 3, k=3), Mock5(3, 3, k=3, exact=True)] * 3
    games += [Go(5), Go(5, history=[12, 3]), Go(4), Go(5, komi=2.5)]
    agent = FastUCT(150, ordered=True, seed=9)
    results = agent.search_many(games)
    assert [result.move for result in results] == agent.moves(games)
    for game, result in zip(games, results):
        alone = FastUCT(150, ordered=True, seed=9).search(game)
        assert result.visits.tolist() == alone.visits.tolist()
        assert result.game.board == game.board and result.root is None
    assert FastUCT(50).moves([]) == []


def test_searches_at_once_are_drawn_from_the_seed_and_differ():
    game = Mock5(5, 5)
    one, same, other = (FastUCT(200, seed=seed).search_many([game] * 4) for seed in (1, 1, 2))
    assert [r.visits.tolist() for r in one] == [r.visits.tolist() for r in same]
    assert len({r.visits.tobytes() for r in one + other}) == 8


def test_several_games_on_a_time_budget_are_each_searched():
    assert len(FastUCT(seconds=0.001, seed=0).moves([Mock5(3, 3, k=3)] * 3)) == 3


@pytest.mark.slow
def test_a_kept_tree_may_have_more_slots_than_16_bits_count():
    """On 15×15 the replies to one half of the first moves lie beyond slot 32,767."""
    agent = FastUCT(20_000, seed=0)
    for move in range(0, 225, 45):
        agent.forget()
        first = next(child for child in agent.search(Mock5(15, 15)).root.children if child.move == move)
        reply = max(first.children, key=lambda child: child.visits)
        agent.simulations = 10
        assert agent.search(Mock5(15, 15, history=[move, reply.move])).root.visits == reply.visits + 10
        agent.simulations = 20_000


def test_a_result_is_not_changed_by_the_next_search():
    game, agent = Mock5(3, 3, k=3), FastUCT(300, seed=0)
    first = agent.search(game)
    agent.search(game)
    assert first.root.visits == 300 == sum(child.visits for child in first.root.children)


def test_a_full_pool_stops_growing_and_goes_on_searching():
    result = FastUCT(30_000, seed=0, max_slots=uct_compiled.MIN_SLOTS).search(Mock5(9, 9))
    size = sum(1 for _ in every_node(result.root))
    assert result.visits.sum() == 30_000 and 81 < size <= uct_compiled.MIN_SLOTS


def test_the_pool_of_a_search_is_never_too_small():
    for height, width, budget in ((3, 3, 5000), (4, 4, 3000), (4, 5, 3000), (15, 15, 3000), (2, 8, 3000)):
        for c in (0.1, 2**0.5, 100.0):
            game = Mock5(height, width, 5)
            tree = uct_compiled.new_tree(slots_for(budget))
            room = position_of(game), position_of(game), game.actions
            settings = c, budget, 1, False, np.uint64(0), random_state(0)
            used = uct_compiled.run_simulations(tree, 1, *room, *settings)
            assert used + uct_compiled.SMALL_BLOCK <= len(tree)
            assert nodes_of(tree, game).visits == budget


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="The game is over"):
        FastUCT(10).moves([Mock5(3, 3, k=3), Mock5(3, 3, k=3, history=[0, 3, 1, 4, 2])])
    with pytest.raises(ValueError, match="simulations × playouts is at most 100,000,000"):
        FastUCT(10**8, playouts=2)


def test_a_game_without_compiled_answers_is_searched_as_uct_does_it():
    class Other(Mock5):
        """A subclass may have rules of its own."""

    found, plain = (kind(50, seed=3).search(Other(3, 3, k=3)) for kind in (FastUCT, UCT))
    assert found.visits.tolist() == plain.visits.tolist()


# Graded by the oracle


def test_two_thousand_simulations_play_an_optimal_move_in_every_position():
    oracle = tic_tac_toe()
    games = oracle.positions()
    moves = FastUCT(2000, seed=0).moves(games)
    assert len(games) == 4520 and all(move in oracle.optimal_moves(game) for move, game in zip(moves, games))


def test_slices_make_up_the_whole_and_are_short():
    assert list(uct_compiled.slices(10, 1)) == [10]
    parts = list(uct_compiled.slices(50_000, 225))
    assert sum(parts) == 50_000 and max(parts) * 225 <= uct_compiled.SLICE
    assert list(uct_compiled.slices(3, 10 * uct_compiled.SLICE)) == [1, 1, 1]


def test_a_search_in_slices_is_the_same_search(monkeypatch):
    def found():
        agent, game = FastUCT(300, seed=3), Mock5(9, 9)
        one, many = agent.search(game), agent.search_many([game, Mock5(7, 9), game])
        return [(result.visits.tolist(), result.q.tolist(), result.move) for result in (one, *many)]

    whole = found()
    monkeypatch.setattr(uct_compiled, "SLICE", 1000)  # 12 simulations
    monkeypatch.setattr(uct_compiled, "SLICE", 1000)
    assert found() == whole


def test_code_is_compiled_before_a_clock_starts(monkeypatch):
    events = []
    monkeypatch.setattr(uct_compiled, "warm_up", lambda: events.append("compiled"))

    def clock():
        events.append("clock")
        return float(len(events))

    FastUCT(seconds=1, clock=clock)(Mock5(5, 5))
    assert events[0] == "compiled" and events.count("compiled") == 1


def test_warming_up_compiles_all_that_a_timed_search_calls():
    uct_compiled.warm_up.cache_clear()
    agent = FastUCT(seconds=0.01)
    known = {
        name: len(getattr(uct_compiled, name).signatures) for name in ("run_simulations", "subtree", "root_statistics")
    }
    game = Mock5(9, 9)
    for _ in range(2):
        game.apply(agent(game))
    assert known == {name: len(getattr(uct_compiled, name).signatures) for name in known}
    assert min(known.values()) > 0

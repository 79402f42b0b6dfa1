"""The fast forest against its readable twin, and what only the forest does."""

import json
from pathlib import Path

import numpy as np
import pytest
from experts import BAD_ANSWERS, hashed_expert, positions, uniform_expert
from trees import OPEN_FOUR, assert_same_tree

from mock5lib import Mock5
from mock5lib.game.oracle import tic_tac_toe
from mock5lib.game.position import stack
from mock5lib.search.puct import gumbel
from mock5lib.search.puct.agent import SearchAgent
from mock5lib.search.puct.arrays import EXPANDED
from mock5lib.search.puct.forest import Forest, Search
from mock5lib.search.puct.pipeline import search_in_turns
from mock5lib.search.puct.tree import SearchTree


def forest_of(games, nodes, **options):
    """A forest of these positions, all of one board."""
    game = games[0]
    forest = Forest(len(games), game.height, game.width, game.k, game.exact, nodes=nodes, **options)
    forest.reset(stack(games))
    return forest


def assert_same_search(tree, forest, g=0):
    """The same visits and, to the last bit, the same values and priors."""
    readable, fast = tree.result(0), forest.result(g)
    assert readable.visits.tolist() == fast.visits.tolist()
    assert readable.q.tolist() == fast.q.tolist()
    assert readable.prior.tolist() == fast.prior.tolist()
    assert readable.value == fast.value
    assert readable.move == fast.move


def assert_sound(forest):
    """What must hold in every tree at rest: nothing pending, and every node counts its look and its children."""
    for g in range(forest.games):
        nodes = forest.trees.nodes[g, : forest.trees.games["used"][g]]
        assert (nodes["pending"] == 0).all()
        below = np.bincount(nodes["parent"][1:], nodes["visits"][1:], minlength=len(nodes))
        expanded = nodes["state"] == EXPANDED
        assert (nodes["visits"][expanded] == 1 + below[expanded]).all()
        sums = nodes["value"] - np.bincount(nodes["parent"][1:], nodes["value_sum"][1:], minlength=len(nodes))
        assert nodes["value_sum"][expanded] == pytest.approx(sums[expanded])


# Equal to the readable tree


@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize(
    "options", [{}, {"rule": "log-ucb", "c": 2.0}, {"fpu": 0.2}, {"forced_moves": True}, {"c": 0.0}], ids=str
)
def test_forest_and_readable_tree_give_every_move_the_same_visits(options, uniform):
    expert = hashed_expert(uniform=uniform)
    for number, game in enumerate(positions(60)):
        simulations = (1, 17, 60, 150)[number % 4]
        tree = SearchTree(game, expert, **options)
        tree.search(simulations)
        forest = forest_of([game], simulations + 1, **options)
        forest.search(expert, simulations)
        assert_same_search(tree, forest)
        if number < 10:
            assert_same_tree(tree.root, forest.result(0).root)


@pytest.mark.parametrize("rule", ["puct", "log-ucb"])
def test_whole_games_with_kept_trees_stay_equal_move_for_move(rule):
    expert, rng = hashed_expert(4), np.random.default_rng(0)
    searched = 0
    for game in positions(12, seed=5, shapes=((4, 6, 4), (6, 6, 4), (9, 9, 5))):
        options = {"rule": rule, "fpu": 0.1, "forced_moves": bool(searched % 2)}
        tree, forest = SearchTree(game, expert, **options), forest_of([game], 2000, **options)
        while tree.game.winner is None:
            tree.search(40)
            forest.search(expert, 40)
            assert_same_search(tree, forest)
            assert_same_tree(tree.root, forest.result(0).root)
            searched += 1
            moves = tree.game.legal_moves()
            move = tree.result(0).move if rng.random() < 0.7 else int(rng.choice(moves))
            tree.advance(move)
            forest.advance([move])
        assert forest.winners[0] == tree.game.winner
    assert searched > 100


def test_a_game_searched_among_others_comes_out_as_if_searched_alone():
    expert, games = hashed_expert(), positions(30, seed=3, shapes=((6, 6, 4),))
    games = [Mock5(6, 6, 4, history=game.history) for game in games]
    games = [game for game in games if game.winner is None]
    together = Search(expert, 80).run(games)
    in_lots = Search(expert, 80, games_in_flight=7).run(games)
    for game, one, other in zip(games, together, in_lots):
        alone = SearchTree(game, expert).search(80)
        assert alone.visits.tolist() == one.visits.tolist() == other.visits.tolist()


# Playing strength of the whole


def test_with_enough_simulations_it_plays_perfect_tic_tac_toe():
    oracle = tic_tac_toe()
    games = [game for game in positions(120, seed=7, shapes=((3, 3, 3),)) if game.winner is None]
    games = [Mock5(3, 3, 3, history=game.history) for game in games]
    for rule in ("puct", "log-ucb"):
        results = Search(uniform_expert, 2000, rule=rule, forced_moves=True).run(games)
        assert all(result.move in oracle.optimal_moves(game) for game, result in zip(games, results))


# Several leaves a tree


@pytest.mark.parametrize("leaves", [2, 8, 64])
def test_virtual_losses_spread_the_leaves_and_are_undone(leaves):
    batches = []

    def expert(planes):
        batches.append(len(planes))
        assert len(np.unique(planes, axis=0)) == len(planes), "the same position twice in a batch"
        return hashed_expert()(planes)

    forest = Forest(1, 9, 9, nodes=401, leaves=leaves)
    forest.search(expert, 400)
    assert forest.simulations[0] == forest.visits.sum() == 400
    assert_sound(forest)
    assert max(batches) == leaves
    assert len(batches) < 2 + 400 / (0.8 * leaves) + 8


def test_forests_in_turns_come_out_as_if_searched_alone():
    expert = hashed_expert()
    turns, alone = ([Forest(3, 6, 6, 4, nodes=200, noise=0.25, seed=seed) for seed in (1, 2)] for _ in range(2))
    search_in_turns(turns, expert, 60)
    for one, other in zip(turns, alone):
        other.search(expert, 60)
        assert one.visits.tolist() == other.visits.tolist()

    def broken(planes):
        raise RuntimeError("out of memory")

    with pytest.raises(RuntimeError, match="out of memory"):
        search_in_turns(turns, broken, 10)
    assert turns[1].visits.sum() == 0


# Bounded memory


def test_running_out_of_nodes_ends_that_trees_growth_cleanly():
    forest = Forest(2, 9, 9, nodes=20, leaves=3)
    forest.search(hashed_expert(), [100, 10])
    assert forest.full.tolist() == [True, False]
    assert forest.simulations[1] == 10 and 19 <= forest.simulations[0] < 100
    assert_sound(forest)
    assert forest.visits.sum(axis=1).tolist() == forest.simulations.tolist()
    forest.advance(forest.best_moves())
    forest.search(hashed_expert(), 10)
    assert_sound(forest)


# Noise


def test_noise_is_a_dirichlet_mix_at_the_root_only():
    forest = Forest(400, 5, 5, k=4, nodes=30, noise=0.25, noise_total=10.0)
    forest.search(uniform_expert, 20)
    noisy = np.zeros((400, 25))
    for g in range(400):
        edges = forest.trees.edges[g, 0, :25]
        noisy[g, edges["move"]] = edges["prior"]
    drawn = (noisy - 0.75 / 25) / 0.25
    assert drawn.sum(axis=1) == pytest.approx(1, abs=1e-4) and drawn.min() > -1e-6
    alpha = 10 / 25  # Dirichlet: mean 1/n, variance (1/n)(1 − 1/n) / (total + 1)
    assert drawn.mean() == pytest.approx(1 / 25, rel=1e-4)
    assert drawn.var(axis=0).mean() == pytest.approx((1 / 25) * (24 / 25) / (25 * alpha + 1), rel=0.05)
    below = forest.trees.nodes["state"][:, 1:] == EXPANDED
    priors = forest.trees.edges["prior"][:, 1:, 0]
    legal = forest.trees.nodes["legal"][:, 1:]
    assert priors[below] == pytest.approx(1 / legal[below])
    assert forest.priors == pytest.approx(1 / 25), "the prior told is the one before noise"


def test_each_game_has_its_own_noise_whatever_games_stand_beside_it():
    one, many = (Forest(games, 5, 5, k=4, nodes=60, noise=0.25, seed=9) for games in (1, 6))
    for forest in (one, many):
        forest.search(uniform_expert, 50)
    assert one.visits[0].tolist() == many.visits[0].tolist()
    assert many.visits[0].tolist() != many.visits[1].tolist()


def test_noise_comes_once_to_each_root_and_again_after_a_move():
    forest = Forest(1, 5, 5, k=4, nodes=200, noise=0.25)
    forest.search(uniform_expert, 10)
    priors = np.sort(forest.trees.edges["prior"][0, 0, :25])
    forest.search(uniform_expert, 10)
    assert np.sort(forest.trees.edges["prior"][0, 0, :25]).tolist() == priors.tolist()
    forest.advance(forest.best_moves())
    forest.search(uniform_expert, 10)
    assert len(np.unique(forest.trees.edges["prior"][0, 0, :24])) > 12
    forest.reset()
    forest.search(uniform_expert, 10, noise=0.0)
    assert len(np.unique(forest.trees.edges["prior"][0, 0, :25])) == 1


# The Gumbel root


def test_the_gumbel_formulas_give_mctxs_own_numbers():
    """Stored by tests/gumbel_vectors.py."""
    kept = json.loads((Path(__file__).parent / "gumbel_vectors.json").read_text())
    for case in kept["considered"]:
        schedule = np.zeros(case["simulations"], dtype=np.int32)
        gumbel.considered_visits(case["considered"], schedule)
        assert schedule.tolist() == case["visits"]
    for case in kept["policies"]:
        priors, q, visits = np.array(case["priors"]), np.array(case["q"]), np.array(case["visits"])
        scaled = gumbel.scaled_completed_q(
            case["value"], priors, q, visits, kept["value_scale"], kept["max_visit_init"]
        )
        assert scaled == pytest.approx(case["scaled_completed_q"], rel=1e-9, abs=1e-9)
        assert gumbel.improved_policy(priors, scaled) == pytest.approx(case["policy"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("leaves", [1, 4])
def test_a_gumbel_root_considers_sixteen_moves_and_halves_them(leaves):
    forest = Forest(5, 9, 9, nodes=300, considered=16, leaves=leaves, seed=1)
    forest.search(hashed_expert(), 64)
    assert_sound(forest)
    for visits in forest.visits:
        assert sorted(visits[visits > 0].tolist()) == [1] * 8 + [3] * 4 + [7, 7, 15, 15] or leaves > 1
        assert (visits > 0).sum() == 16 and visits.sum() == 64
    moves = forest.best_moves()
    assert (forest.visits[np.arange(5), moves] == forest.visits.max(axis=1)).all()
    forest.advance(moves)
    forest.search(hashed_expert(), 32)
    assert (forest.simulations == 32).all()
    assert_sound(forest)


def test_gumbel_moves_are_drawn_from_the_prior_before_anything_is_known():
    """One simulation: the move with the greatest Gumbel number + log-prior is a draw from the prior."""
    prior = np.array([0.5, 0.2, 0.1, 0.1, 0.02, 0.02, 0.02, 0.02, 0.02])

    def expert(planes):
        return np.tile(np.log(prior), (len(planes), 1)), np.zeros(len(planes))

    forest = Forest(4000, 3, 3, k=3, nodes=2, considered=16, seed=3)
    forest.search(expert, 1)
    shares = np.bincount(forest.best_moves(), minlength=9) / 4000
    assert shares == pytest.approx(prior, abs=0.03)


def test_the_improved_policy_is_the_papers_formula():
    forest = Forest(3, 6, 6, k=4, nodes=200, considered=16, value_scale=0.1, max_visit_init=50, seed=2)
    forest.search(hashed_expert(), 60)
    visits, q, prior = forest.visits, forest.values, forest.priors.astype(float)
    for g in range(3):
        tried = visits[g] > 0
        raw = forest.trees.nodes[g, 0]["value"]
        mean = (prior[g] * q[g])[tried].sum() / prior[g][tried].sum()
        completed = np.where(tried, q[g], (raw + visits[g].sum() * mean) / (1 + visits[g].sum()))
        scaled = (completed - completed.min()) / (completed.max() - completed.min())
        logits = np.log(prior[g]) + (50 + visits[g].max()) * 0.1 * scaled
        wanted = np.exp(logits - logits.max())
        assert forest.improved_policies()[g] == pytest.approx(wanted / wanted.sum(), abs=1e-6)
    assert forest.result(1).improved.tolist() == forest.improved_policies()[1].tolist()


# Policies and moves


def test_policies_are_visits_to_the_power_of_one_over_temperature():
    forest = Forest(2, 6, 6, k=4, nodes=200)
    forest.search(hashed_expert(), [150, 0])
    visits = forest.visits[0].astype(float)
    assert forest.policies(1.0)[0] == pytest.approx(visits / visits.sum())
    assert forest.policies(0.5)[0] == pytest.approx(visits**2 / (visits**2).sum())
    assert forest.policies([0.0, 1.0])[0].argmax() == visits.argmax()
    assert forest.policies(0.001)[0] == pytest.approx(forest.policies(0.0)[0])
    assert (forest.policies()[1] == 0).all() and forest.best_moves()[1] == -1
    for temperature in (-1, np.inf, [1, np.nan]):
        with pytest.raises(ValueError, match="temperature"):
            forest.policies(temperature)


# Games and moves that a forest refuses


def test_a_finished_game_is_skipped_until_it_is_reset():
    forest = forest_of([Mock5(9, 9, history=OPEN_FOUR), Mock5(9, 9)], 50)
    forest.search(uniform_expert, 10)
    forest.advance([38, 0])
    assert forest.winners.tolist() == [1, -1]
    forest.search(uniform_expert, 20)
    assert forest.simulations.tolist() == [0, 20]
    forest.reset(which=[0])
    forest.search(uniform_expert, 20)
    assert forest.simulations.tolist() == [20, 20] and forest.boards[0].sum() == 0


@pytest.mark.parametrize("moves", [[40, 0], [0, 81], [0, 10**9], [0, -2], [0], [[0, 1]]], ids=str)
def test_advance_refuses_what_is_no_move_and_changes_nothing(moves):
    forest = forest_of([Mock5(9, 9, history=[40]), Mock5(9, 9)], 50)
    before = forest.boards.copy()
    with pytest.raises(ValueError):
        forest.advance(moves)
    assert (forest.boards == before).all() and forest.players.tolist() == [2, 1]


def test_advance_refuses_a_move_in_a_finished_game():
    forest = forest_of([Mock5(9, 9, history=OPEN_FOUR)], 50)
    forest.advance([38])
    with pytest.raises(ValueError, match="illegal in game 0"):
        forest.advance([1])


# Bad input


@pytest.mark.parametrize("answer", BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_an_unusable_answer_is_a_clear_error_and_the_forest_lives_on(answer):
    bad, error, word = answer
    forest, calls = Forest(3, 9, 9, nodes=100, leaves=4), []

    def expert(planes):
        calls.append(len(planes))
        return bad(planes) if len(calls) == 3 else uniform_expert(planes)

    with pytest.raises(error, match=word):
        forest.search(expert, 40)
    forest.search(uniform_expert, 40)
    assert_sound(forest)
    fresh = Forest(3, 9, 9, nodes=100, leaves=4)
    fresh.search(uniform_expert, 40)
    assert forest.visits.tolist() == fresh.visits.tolist()


def test_priors_all_zero_fall_back_to_uniform():
    def blind(planes):
        return np.where(planes[:, 2].reshape(len(planes), -1) > 0, -np.inf, 0.0), np.zeros(len(planes))

    result = Search(blind, 20).run([Mock5(9, 9, history=[40])])[0]
    assert result.prior[result.prior > 0] == pytest.approx(1 / 80)
    assert result.visits.sum() == 20


@pytest.mark.parametrize("simulations", [0, -3, 2**31])
def test_too_few_or_too_many_simulations_are_a_clear_error(simulations):
    with pytest.raises(ValueError, match="simulations"):
        Forest(1, 9, 9, nodes=10).search(uniform_expert, simulations)
    if simulations < 1:
        for searcher in (Search, SearchAgent):
            with pytest.raises(ValueError, match="simulations"):
                searcher(uniform_expert, simulations)


def test_a_finished_game_or_a_mixed_lot_is_a_clear_error():
    search = Search(uniform_expert, 10)
    with pytest.raises(ValueError, match="Game 1 is over"):
        search.run([Mock5(9, 9), Mock5(9, 9, history=OPEN_FOUR + [38])])
    with pytest.raises(ValueError, match="share board and rules"):
        search.run([Mock5(9, 9), Mock5(9, 9, exact=True)])
    assert search.run([]) == []


# Agents


def test_kept_trees_are_found_again_when_games_change_places():
    expert = hashed_expert()
    games = [Mock5(9, 9, history=[point]) for point in (10, 20, 40, 60)]
    agent = SearchAgent(expert, 40, seed=0)
    trees = {}
    for game, result in zip(games, agent.search(games)):
        trees[game.history[0]] = tree = SearchTree(game, expert)
        assert tree.search(40).visits.tolist() == result.visits.tolist()
        for move in (result.move, int(np.flatnonzero(result.visits == 0)[0])):
            if move not in game.history:
                game.apply(move)
                tree.advance(move)
    games = [games[3], games[0], games[2]]  # one game is over by now
    for game, result in zip(games, agent.search(games)):
        assert trees[game.history[0]].search(40).visits.tolist() == result.visits.tolist()


def test_temperature_may_depend_on_the_stones_on_the_board():
    agent = SearchAgent(
        uniform_expert, 50, temperature=lambda stones: 1.0 if stones < 1 else 0.0, seed=0, keep_tree=False
    )
    first = set(agent.moves([Mock5(6, 6, k=4)] * 40))
    later = set(agent.moves([Mock5(6, 6, k=4, history=[14])] * 40))
    assert len(first) > 10 and len(later) == 1

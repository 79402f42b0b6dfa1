"""The fast forest against its readable twin, and what only the forest does."""

import json
from pathlib import Path

import numpy as np
import pytest
from experts import BAD_ANSWERS, hashed_expert, positions, uniform_expert
from trees import OPEN_FOUR, assert_same_tree, depth_of, every_node, running_go

from mock5go.planes import planes49
from mock5lib import Mock5, names
from mock5lib.alphago.planes import AlphaGoPlanes
from mock5lib.game.encoders import history, three_planes
from mock5lib.game.five_compiled import fives_of
from mock5lib.game.oracle import tic_tac_toe
from mock5lib.game.position_compiled import stack
from mock5lib.nets.checkpoints import save_checkpoint
from mock5lib.nets.cuda import CapturedExpert, Metered
from mock5lib.nets.nets import expert_of, make_net
from mock5lib.search import gumbel_compiled
from mock5lib.search.agent import SearchAgent
from mock5lib.search.expert import as_expert, constant_value
from mock5lib.search.forest_compiled import Forest, Search, search_in_turns
from mock5lib.search.puct import SearchTree
from mock5lib.search.trees_compiled import EXPANDED


def forest_of(games, nodes, **options):
    """A forest of these positions, all of one board."""
    game = games[0]
    forest = Forest(len(games), game.height, game.width, game.k, game.exact, nodes=nodes, **options)
    forest.reset(stack(games))
    return forest


def assert_same_search(readable, fast):
    """The same tree and, to the last bit, the same values and priors."""
    for name in ("visits", "q", "prior", "value", "move"):
        assert np.array_equal(getattr(readable, name), getattr(fast, name)), name
    assert_same_tree(readable.root, fast.root)


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

OPTIONS = [{}, {"rule": "log-ucb", "c": 2.0}, {"fpu": 0.2}, {"forced_moves": True}, {"c": 0.0}, {"max_depth": 2}]
ENCODERS = [history(1), history(16), AlphaGoPlanes(), planes49]


def hashed(planes, moves):
    """Something arbitrary but fixed about each stack of planes."""
    keys = np.random.default_rng(0).normal(size=(planes[0].size, moves + 1))
    mixed = np.stack([(row.reshape(-1, 1).astype(np.float64) * keys).sum(axis=0) for row in planes])
    return (2 * np.sin(mixed[:, :-1])).astype(np.float32), np.sin(mixed[:, -1]).astype(np.float32)


def expert_with(encoder):
    """A function of the planes of this encoder."""

    def expert(planes):
        assert planes.shape[1] == encoder.channels
        return hashed(planes, planes.shape[2] * planes.shape[3] + (encoder is planes49))

    expert.encoder = encoder
    return expert


def blind(planes):
    """All moves impossible: priors fall back to uniform."""
    return np.where(planes[:, 2].reshape(len(planes), -1) > 0, -np.inf, 0.0), np.zeros(len(planes))


class OfPositions:
    """An expert that owns its planes: the contract, with nothing more."""

    def of_positions(self, games):
        return hashed(history(2).encode(fives_of(games)), 81)


TWINS = {  # what is searched: positions, expert, options
    **{f"{options}": (positions(25), hashed_expert(), options) for options in OPTIONS},
    "no move likely at all": (positions(20), blind, {}),
    "all priors alike": (positions(20), hashed_expert(uniform=True), {}),
    **{encoder.name: ([Mock5(9, 9, history=[40, 41, 31])], expert_with(encoder), {}) for encoder in ENCODERS[:3]},
    "an expert of positions": ([Mock5(9, 9, history=[40, 41, 31])], OfPositions(), {}),
    "Go": ([running_go(np.random.default_rng(n), 2 + n % 3, 3 + n % 3) for n in range(9)], expert_with(planes49), {}),
}


@pytest.mark.parametrize("what", TWINS)
def test_the_forest_and_the_readable_tree_are_one_search_with_trees_that_are_kept(what):
    games, expert, options = TWINS[what]
    rng = np.random.default_rng(0)
    for number, game in enumerate(games):
        game, simulations = game.copy(), (1, 17, 60, 150)[number % 4] if len(games) > 1 else 40
        agent, tree = (
            SearchAgent(expert, simulations, nodes=2000, **options),
            SearchTree(game.copy(), expert, **options),
        )
        for _ in range(6):
            if game.winner is not None:
                break
            readable, fast = tree.search(simulations), agent.think(game)
            assert_same_search(readable, fast)
            move = readable.move if rng.random() < 0.7 else int(rng.choice(game.legal_moves()))
            game.apply(move)
            tree.advance(move)


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


def test_batches_of_leaves_and_forests_in_turns_keep_the_last_moves_apart():
    expert, plain = expert_with(history(3)), OfPositions()
    games = [Mock5(9, 9, history=moves) for moves in ([40, 41], [41, 50, 40], [])]
    for each in (expert, plain):
        together = Search(each, 60, leaves=1).run(games)
        forests = [Forest(1, 9, 9, nodes=61) for _ in games]
        for forest, game in zip(forests, games):
            forest.reset(stack([game]))
        search_in_turns(forests, each, 60)
        for game, one, forest in zip(games, together, forests):
            alone = SearchTree(game, each).search(60)
            assert alone.visits.tolist() == one.visits.tolist() == forest.visits[0].tolist()


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_with_max_depth_several_leaves_at_once_grow_no_deeper_and_values_stand(depth):
    def expert(planes):
        return hashed(planes, 36)

    root = Search(expert, 300, leaves=4, max_depth=depth).run([Mock5(6, 6, 4, history=[14, 15])])[0].root
    assert depth_of(root) == depth
    ends = [node for node in every_node(root) if node.visits > 1 and not node.children]
    assert ends and all(node.value_sum == pytest.approx(node.visits * node.value, abs=1e-5) for node in ends)


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
        gumbel_compiled.considered_visits(case["considered"], schedule)
        assert schedule.tolist() == case["visits"]
    for case in kept["policies"]:
        priors, q, visits = np.array(case["priors"]), np.array(case["q"]), np.array(case["visits"])
        scaled = gumbel_compiled.scaled_completed_q(
            case["value"], priors, q, visits, kept["value_scale"], kept["max_visit_init"]
        )
        assert scaled == pytest.approx(case["scaled_completed_q"], rel=1e-9, abs=1e-9)
        assert gumbel_compiled.improved_policy(priors, scaled) == pytest.approx(case["policy"], rel=1e-9, abs=1e-12)


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
    for temperature in (-1, [1, np.nan]):
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


@pytest.mark.parametrize("simulations", [0, -3, 2**31])
def test_too_few_or_too_many_simulations_are_a_clear_error(simulations):
    with pytest.raises(ValueError, match="simulations"):
        Forest(1, 9, 9, nodes=10).search(uniform_expert, simulations)


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


# Experts


def test_what_wraps_an_expert_keeps_its_encoder():
    net = make_net("residual", value=True, seed=0, channels=8, blocks=1, planes=7)
    expert = expert_of(net, encoder=history(4))
    wrapped = [expert, constant_value(expert, 0), Metered(expert), CapturedExpert(net, encoder=expert.encoder)]
    assert all(as_expert(one).encoder is expert.encoder for one in wrapped)
    assert as_expert(uniform_expert).encoder is three_planes


def test_the_searcher_that_a_name_makes_honors_the_encoder_of_its_checkpoint(tmp_path):
    net = make_net("residual", value=True, seed=0, channels=8, blocks=1, planes=7)
    checkpoint, game = save_checkpoint(tmp_path / "net", net, encoder=history(4)), Mock5(9, 9, history=[40, 41, 31])
    for name in (f"policy:{checkpoint}", f"expert:{checkpoint}@8", f"expert,value=0:{checkpoint}@8"):
        assert names.agent(name, seed=0)(game) in game.legal_moves()


def test_what_is_no_expert_is_refused():
    with pytest.raises(TypeError, match="function of planes"):
        Search(None, 10).run([Mock5(9, 9)])

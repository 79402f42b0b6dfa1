"""AlphaGo's search: the formulas, the signs, and the fast one against its readable twin."""

from functools import lru_cache

import numpy as np
import pytest
from experts import positions
from trees import OPEN_FOUR, depth_of

from mock5lib import Mock5
from mock5lib.alphago.rollout_policy import FastPolicy
from mock5lib.alphago.search import AlphaGo, MixedEvaluator
from mock5lib.search.puct import SearchTree

FAST = FastPolicy(np.random.default_rng(0).normal(0, 0.5, (5, 5, 3)))
FIVES = [game for game in positions(40) if game.k == 5 and not game.exact]


def hashed(planes, outputs, seed):
    """Something arbitrary but fixed about each stack of planes, history and color included."""
    keys = keys_of(planes[0].size, outputs, seed)
    # One row at a time: a matrix product over the batch may round differently from row to row.
    return np.stack([row.reshape(-1).astype(np.float64) @ keys for row in planes])


@lru_cache
def keys_of(inputs, outputs, seed):
    return np.random.default_rng(seed).normal(size=(inputs, outputs))


def policy(planes):
    return (2 * np.sin(hashed(planes, planes.shape[2] * planes.shape[3], 1))).astype(np.float32)


def value(planes):
    return np.sin(hashed(planes, 1, 2))[:, 0].astype(np.float32)


def uniform(planes):
    return np.zeros((len(planes), planes.shape[2] * planes.shape[3]), np.float32)


def nothing(planes):
    return np.zeros(len(planes), np.float32)


def constant(number):
    return lambda planes: np.full(len(planes), number, np.float32)


# The value of a leaf


def test_a_leaf_is_worth_one_minus_lambda_times_v_plus_lambda_times_z():
    won = Mock5(5, 5, board=[1] * 4 + [0] + [2, 1, 2, 1, 2] * 4)  # black's only move wins: z = 1
    won.player = 1
    for lam, expected in ((0, -0.4), (0.25, 0.75 * -0.4 + 0.25), (0.5, 0.3), (1, 1)):
        evaluator = MixedEvaluator(uniform, FAST, constant(-0.4), lambda_value=lam, seed=0)
        assert evaluator.of_positions([won])[1][0] == pytest.approx(expected)


def test_at_lambda_0_and_1_the_other_half_is_not_needed():
    game = Mock5(9, 9)
    assert MixedEvaluator(uniform, None, constant(0.3), lambda_value=0).of_positions([game])[1] == pytest.approx([0.3])
    alone = MixedEvaluator(uniform, FAST, None, lambda_value=1, rollouts=50, seed=0).of_positions([game])[1]
    assert alone == pytest.approx(FAST.rollouts([game], 50, limit=100, seed=np.random.default_rng(0)))


def test_the_policy_sees_48_planes_and_the_value_net_the_color_too():
    seen = {}

    def watching(name, answer):
        def net(planes):
            seen[name] = planes.copy()
            return answer(planes)

        return net

    game = Mock5(9, 9, history=[40])
    MixedEvaluator(watching("policy", uniform), FAST, watching("value", nothing)).of_positions([game])
    assert seen["policy"].shape == (1, 48, 9, 9) and seen["value"].shape == (1, 49, 9, 9)
    assert not seen["value"][0, 48].any()  # white is to move


# Signs, masks, the end of a game


def test_the_search_makes_a_five_and_stops_one():
    agent = AlphaGo(uniform, None, nothing, lambda_value=0, simulations=3000, leaves=32)
    assert agent(Mock5(9, 9, history=OPEN_FOUR)) in (38, 43)
    assert agent(Mock5(9, 9, history=[36, 0, 37, 8, 38, 72, 39])) == 40  # white to move, black's four has one end
    lost = agent.search([Mock5(9, 9, history=[38, 0, 39, 8, 40, 72, 41])])[0]  # and here two
    assert lost.value < 0 and lost.q[lost.visits > 0].max() < 0


@pytest.mark.parametrize("player", [1, 2])
def test_rollouts_alone_find_the_five_for_either_color(player):
    game = Mock5(9, 9)
    for move in (39, 40, 41, 42):
        game.board[move] = player
    game.player = player
    assert AlphaGo(uniform, FAST, None, lambda_value=1, c=20.0, simulations=600, seed=0)(game) in (38, 43)


# One leaf a simulation; means, not sums of means; parents for all children


@pytest.mark.parametrize("leaves", [1, 8])
def test_a_simulation_adds_one_leaf_and_asks_the_nets_once(leaves):
    asked = []

    def counting(planes):
        asked.append(len(planes))
        return policy(planes)

    result = AlphaGo(counting, FAST, value, simulations=100, leaves=leaves, seed=0).search([Mock5(9, 9)])[0]
    assert sum(asked) == 101 and max(asked) <= leaves  # the root's own look is no simulation
    assert result.visits.sum() == 100


# The fast search and its readable twin


@pytest.mark.parametrize("lam", [0, 0.5, 1])
@pytest.mark.parametrize("depth", [50, 2])
def test_the_forest_and_the_readable_tree_give_every_move_the_same_visits(lam, depth):
    for number, game in enumerate(FIVES[:8]):
        agent = AlphaGo(
            policy,
            FAST,
            value,
            lambda_value=lam,
            depth=depth,
            c=(5.0, 1.0)[number % 2],
            simulations=120,
            leaves=1,
            keep_tree=False,
            seed=number,
        )
        agent.evaluator.rng = np.random.default_rng(number)
        fast = agent.search([game])[0]
        evaluator = MixedEvaluator(policy, FAST, value, lambda_value=lam, seed=number)
        tree = SearchTree(game, evaluator, max_depth=depth, c=(5.0, 1.0)[number % 2])
        readable = tree.search(120)
        assert fast.visits.tolist() == readable.visits.tolist()
        assert fast.q.tolist() == readable.q.tolist()
        assert fast.prior.tolist() == readable.prior.tolist()


def test_the_tree_grows_no_deeper_than_depth_and_goes_on_when_the_root_moves():
    game = Mock5(9, 9, history=[40, 41])
    agent = AlphaGo(policy, None, value, lambda_value=0, depth=3, simulations=400, c=1.0, leaves=4, seed=0)

    first = agent.search([game])[0]
    assert depth_of(first.root) == 3
    game.apply(first.move)
    game.apply(max(first.root.children[first.move].children.values(), key=lambda node: node.visits).move)
    again = agent.search([game])[0]
    assert again.root.visits > 400 and depth_of(again.root) == 3


# Bad input


def test_a_net_that_lambda_needs_must_be_there():
    with pytest.raises(ValueError, match="value net"):
        AlphaGo(policy, FAST, None)
    with pytest.raises(ValueError, match="fast policy"):
        AlphaGo(policy, None, value)


def test_nets_of_another_board_are_refused_by_name():
    def shaped(net, shape):
        def made(planes):
            return net(planes)

        made.shape = shape
        return made

    with pytest.raises(ValueError, match="value net is for 15×15 boards, this game is on 9×9"):
        AlphaGo(policy, FAST, shaped(value, (49, 15, 15)))(Mock5(9, 9))
    assert AlphaGo(policy, FAST, shaped(value, (48, 9, 9)), simulations=5)(Mock5(9, 9)) >= 0


def test_other_games_and_finished_ones_are_refused():
    agent = AlphaGo(policy, FAST, value, simulations=5)
    for game in (Mock5(9, 9, 4), Mock5(9, 9, exact=True), Mock5(9, 9, history=[0, 9, 1, 10, 2, 11, 3, 12, 4])):
        with pytest.raises(ValueError):
            agent(game)

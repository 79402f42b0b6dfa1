"""Tic-tac-toe against random replies: values by hand, the mean result of games, the gradient by finite differences."""

import numpy as np
import pytest

from mock5lib import Mock5
from mock5lib.learn import RandomReplies


@pytest.fixture(scope="module")
def replies():
    return RandomReplies()


def softmax(theta, legal):
    weights = np.where(legal, np.exp(theta), 0.0)
    return weights / weights.sum(axis=1, keepdims=True)


def test_a_move_after_which_one_of_two_replies_wins_is_worth_minus_a_half(replies):
    case = replies.number[bytes(Mock5(3, 3, k=3, history=[0, 4, 8, 2, 6, 3]).board)]
    _, q = replies.values(softmax(np.zeros((4520, 9)), replies.legal))
    assert q[case, 1] == -0.5 and q[case, 0] == 0  # an occupied point is worth nothing


def test_random_play_wins_as_often_as_it_loses_and_the_best_player_nearly_always(replies):
    flat = softmax(np.zeros((4520, 9)), replies.legal)
    assert replies.mean_result(flat) == pytest.approx(0, abs=1e-12)
    assert replies.best_result() == pytest.approx(0.960, abs=1e-3)


def test_we_are_to_move_in_each_game_at_most_five_times(replies):
    visits = replies.visits(softmax(np.zeros((4520, 9)), replies.legal))
    assert 3 < visits.sum() < 5 and visits[replies.number[bytes(9)]] == 0.5


def test_the_policy_gradient_theorem_gives_the_slope_of_the_mean_result(replies):
    theta = np.random.default_rng(0).normal(size=(4520, 9))
    pi = softmax(theta, replies.legal)
    values, q = replies.values(pi)
    gradient = replies.visits(pi)[:, None] * pi * (q - values[:, None])
    for s, move in [(replies.number[bytes(9)], 4), (100, int(np.flatnonzero(replies.legal[100])[0]))]:
        up, down = theta.copy(), theta.copy()
        up[s, move], down[s, move] = theta[s, move] + 1e-4, theta[s, move] - 1e-4
        slope = (
            replies.mean_result(softmax(up, replies.legal)) - replies.mean_result(softmax(down, replies.legal))
        ) / 2e-4
        assert slope == pytest.approx(gradient[s, move], abs=1e-7)

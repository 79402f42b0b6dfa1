"""REINFORCE: the episodes, the gradient, the loop."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from mock5lib import Mock5, agents
from mock5lib.game.board import Rules
from mock5lib.game.encoders import three_planes
from mock5lib.game.position_compiled import stack
from mock5lib.learn.policy_gradient import (
    baseline_of,
    evaluate_policy,
    learning_curve,
    reinforce,
    returns_of,
    sum_gradients,
)
from mock5lib.learn.rollouts import Episodes, play_episodes, play_one_episode
from mock5lib.learn.settings import ReinforceSettings
from mock5lib.nets.nets import make_net

TICTACTOE = Rules(3, 3, 3)
QUICK = ReinforceSettings(iterations=6, games=8, lr=0.01, opening_plies=0, seed=1)


def tiny(seed=0, value=False):
    return make_net("stack", channels=8, layers=2, value=value, seed=seed).eval()


def episodes_of(net=None, opponents=None, games=8, rules=TICTACTOE, plies=0, seed=0, **options):
    rng = np.random.default_rng(seed)
    return play_episodes(net or tiny(), opponents or [agents.random(0)], games, rules, plies, rng, **options)


def run_of(net, settings=QUICK, opponents="random", **options):
    return reinforce(net, opponents, settings, rules=TICTACTOE, progress=False, **options)


# Episodes


@pytest.mark.parametrize("opponent", ["mixed", "random"])
def test_the_games_follow_the_rules_and_the_results_are_theirs(opponent):
    played = episodes_of(opponents=[agents.by_name(opponent, 0)], games=10, rules=Rules(9, 9), plies=4)
    for game in range(10):
        own = np.flatnonzero(played.games == game)
        assert (played.positions.players[own] == 1 + game % 2).all()
        assert played.moves_left[own].tolist() == list(range(len(own)))[::-1]
        last = own[-1]
        board = Mock5(9, 9, board=played.positions.board[last])
        assert all(played.positions.board[n][played.moves[n]] == 0 for n in own)
        board.place_stone_at_index(int(played.moves[last]), int(played.positions.players[last]))
        if played.results[game] == 1:
            assert board.winner == played.positions.players[last]
        elif played.results[game] == -1:
            assert board.winner in (None, 0)  # the opponent's last stone is still to come
        assert 5 <= played.lengths[game] <= 81


def test_a_pair_of_games_shares_its_opening_and_its_opponent():
    opponents = [agents.random(0), agents.mixed(0), agents.greedy(0)]
    played = episodes_of(opponents=opponents, games=12, rules=Rules(9, 9), plies=5)
    assert played.opponents.tolist() == [0, 0, 1, 1, 2, 2] * 2
    for pair in range(6):
        even, odd = (played.positions.board[np.flatnonzero(played.games == 2 * pair + number)[0]] for number in (0, 1))
        # After five plies white is to move: the net in the odd game, the opponent in the even one.
        assert np.count_nonzero(odd) == 5 and np.count_nonzero(even) == 6
        assert ((odd == even) | (odd == 0)).all()


def test_an_opponent_that_resigns_loses():
    def tired(game):
        return game.legal_moves()[0] if len(game.history) < 4 else None

    assert (episodes_of(opponents=[tired], games=4).results == 1).all()


def test_from_a_forgotten_return_nothing_is_learned():
    with pytest.raises(ValueError, match="lack a `return`.*Nothing can be learned from it"):
        episodes_of(opponents=[lambda game: None], games=4)


@pytest.mark.parametrize("answer", [0, 99, -5])
def test_from_an_opponent_that_plays_an_illegal_move_nothing_is_learned(answer):
    def stubborn(game):
        return answer

    with pytest.raises(ValueError, match="stubborn.*othing can be learned from it"):
        episodes_of(opponents=[stubborn], games=4)


def test_an_opponent_that_answers_nonsense_is_named():
    def silly(game):
        return "middle"

    with pytest.raises(TypeError, match="silly.*'middle'"):
        episodes_of(opponents=[silly])


def test_many_games_at_once_equal_one_game_at_a_time():
    net, deterministic = tiny(), lambda game: game.legal_moves()[-1]
    at_once = episodes_of(net, [deterministic], games=6, rules=Rules(6, 6, 4), plies=3, seed=5, temperature=0.0)
    for game in range(6):
        own = np.flatnonzero(at_once.games == game)
        first = at_once.positions.board[own[0]]
        position = Mock5(6, 6, 4, board=first)
        position.player = 1 + game % 2
        lots = np.random.default_rng(0)
        steps, result = play_one_episode(net, deterministic, position, 1 + game % 2, lots, temperature=0.0)
        assert [move for _, move in steps] == at_once.moves[own].tolist() and result == at_once.results[game]
        assert all(np.array_equal(seen.cells, board) for (seen, _), board in zip(steps, at_once.positions.board[own]))


# Returns, baseline, gradient


def made_up(results, games, moves_left):
    size, count = len(moves_left), len(results)
    return Episodes(
        stack([Mock5(3, 3, 3)] * size),
        np.zeros(size, np.int64),
        np.full(size, 0.25, np.float32),
        np.array(games),
        np.array(moves_left),
        np.array(results, float),
        np.full(count, 5),
        np.zeros(count, int),
    )


def test_a_return_is_the_result_discounted_once_per_own_move_that_followed():
    episodes = made_up([1, -1], [0, 0, 0, 1], [2, 1, 0, 0])
    assert returns_of(episodes, 0.5).tolist() == [0.25, 0.5, 1, -1]
    assert returns_of(episodes, 1.0).tolist() == [1, 1, 1, -1]


def test_the_three_baselines():
    episodes = made_up([1, -1], [0, 1], [0, 0])
    assert baseline_of(episodes, "none", 0.3) == 0 and baseline_of(episodes, "mean", 0.3) == 0.3
    assert baseline_of(episodes, "value", 0.3).tolist() == [0.25, 0.25]


def test_the_gradient_is_that_of_the_loss_by_finite_differences():
    net = tiny(value=True).double()
    episodes = episodes_of(tiny(), games=4)
    settings = replace(QUICK, entropy=0.1, kl=0.2, baseline="value", value_weight=0.5)
    start = tiny(seed=3, value=True).double()
    returns = returns_of(episodes, 0.9)
    advantages = returns - 0.1

    class Double(type(three_planes)):
        def encode(self, games):
            return super().encode(games).astype(np.float64)

    def parts():
        return sum_gradients(
            net, torch.optim.SGD(net.parameters(), 0.1), episodes, returns, advantages, settings, Double(), start
        )

    def loss():
        found = parts()
        return found["policy_loss"] - 0.1 * found["entropy"] + 0.2 * found["kl"] + 0.5 * found["value_loss"]

    parts()
    gradients = [weights.grad.flatten()[0].item() for weights in net.parameters()]
    for weights, gradient in zip(net.parameters(), gradients):
        first, step = (0,) * weights.dim(), 1e-3
        weights.data[first] += step
        up = loss()
        weights.data[first] -= 2 * step
        down = loss()
        weights.data[first] += step
        assert gradient == pytest.approx((up - down) / (2 * step), abs=2e-4)


def test_the_gradient_does_not_depend_on_how_the_batch_is_cut(monkeypatch):
    net, episodes = tiny(), episodes_of(games=20)
    returns = returns_of(episodes, 1.0)
    found = []
    for chunk in (7, 1000):
        monkeypatch.setattr("mock5lib.learn.policy_gradient.CHUNK", chunk)
        sum_gradients(
            net,
            torch.optim.SGD(net.parameters(), 0.1),
            episodes,
            returns,
            returns.astype(np.float32),
            QUICK,
            three_planes,
            None,
        )
        found.append(torch.cat([weights.grad.flatten() for weights in net.parameters()]))
    assert torch.allclose(*found, atol=1e-6)


def test_kl_to_the_starting_policy_is_zero_at_the_start_and_grows():
    run = run_of(tiny(), replace(QUICK, kl=0.01, lr=0.05))
    assert run.metrics[0]["kl"] == pytest.approx(0, abs=1e-7) and run.metrics[-1]["kl"] > 1e-3
    held = run_of(tiny(), replace(QUICK, kl=100.0, lr=0.05))
    assert held.metrics[-1]["kl"] < run.metrics[-1]["kl"]


# The loop


def test_it_learns_to_beat_a_random_player_at_tic_tac_toe():
    net = tiny()
    before = evaluate_policy(net, "random", 200, TICTACTOE, 0, seed=9, temperature=1.0)
    run = run_of(net, ReinforceSettings(iterations=60, games=64, lr=0.02, opening_plies=0, seed=1))
    after = evaluate_policy(net, "random", 200, TICTACTOE, 0, seed=9, temperature=1.0)
    assert after["low"] > before["high"] and after["score"] > before["score"] + 0.15
    assert run.metrics[-1]["score"] > run.metrics[0]["score"]


@pytest.mark.parametrize("baseline", ["none", "mean", "value"])
def test_each_baseline_runs_and_repeats_with_its_seed(baseline):
    settings = replace(QUICK, baseline=baseline, entropy=0.01, evaluate_every=3, evaluation_games=4)
    runs = [run_of(tiny(value=True), settings) for _ in range(2)]
    assert runs[0].metrics == runs[1].metrics and len(runs[0].metrics) == 6
    assert [found["iteration"] for found in runs[0].evaluations] == [3, 6]


def test_a_value_baseline_needs_a_value_head():
    with pytest.raises(ValueError, match="value head"):
        run_of(tiny(), replace(QUICK, baseline="value"))


# The curve


def test_the_curve_pools_windows_and_its_band_holds_the_truth():
    rng = np.random.default_rng(0)
    inside = 0
    for _ in range(200):
        rows = []
        for iteration in range(1, 11):
            pairs = rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], size=16)
            found = {"wins": 10, "draws": 12, "losses": 10, "score": pairs.mean(), "pair_sd": pairs.std()}
            rows.append({"iteration": iteration, **found})
        curve = learning_curve(rows, 10)
        inside += curve.low[0] <= 0.5 <= curve.high[0]
    assert 180 <= inside <= 199
    assert learning_curve(rows, 4).iterations.tolist() == [4, 8, 10]
    assert learning_curve([], 4).score.shape == (0,)


def test_a_run_against_other_opponents_is_another_run(tmp_path):
    run_of(tiny(), replace(QUICK, iterations=1), folder=tmp_path / "run")
    with pytest.raises(ValueError, match="opponents"):
        run_of(tiny(), QUICK, opponents=lambda game: game.legal_moves()[0], folder=tmp_path / "run")

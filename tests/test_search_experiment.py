"""The experiment of playing with a search and cloning the winners: sides, targets, both open ideas, resume."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from experts import uniform_expert

from mock5lib import Mock5, agents
from mock5lib.game.board import Rules
from mock5lib.game.encoders import three_planes
from mock5lib.learn.search_clone import CloneRun, clone_losses, clone_search, play_games, simulations_for
from mock5lib.learn.settings import CloneSettings
from mock5lib.nets import make_net

SMALL = CloneSettings(episodes=8, games=4, simulations=6, opening_plies=2, lr=1e-3, seed=3)


def net(seed=0):
    return make_net("stack", value=True, seed=seed, channels=4, layers=2)


# Playing


def test_games_are_legal_and_their_results_are_the_learners():
    rules = Rules()
    games = play_games(uniform_expert, agents.mixed(0), 6, 5, rules, 3, np.random.default_rng(0), rule="log-ucb")
    for number, winner in enumerate(games.records.winners):
        game, learner = games.records.game(number), 1 + number % 2
        assert game.winner == winner
        assert games.results[number] == (0 if game.winner == 0 else 1 if game.winner == learner else -1)
    first, second, third = (games.records.moves_of(number)[:3].tolist() for number in range(3))
    assert first == second != third


# Learning


def test_only_the_winners_moves_are_cloned_and_a_draw_teaches_the_value_alone():
    some_net = net()
    planes = torch.from_numpy(three_planes.encode([Mock5(9, 9, history=[40]), Mock5(9, 9, history=[40, 41])]))
    moves = torch.tensor([50, 51])
    log_priors, values = some_net(planes)
    for outcomes, cloned in (([1.0, -1.0], [0]), ([-1.0, 1.0], [1]), ([0.0, 0.0], [])):
        policy_loss, value_loss = clone_losses(some_net, planes, moves, torch.tensor(outcomes))
        expected = -sum(log_priors[row, moves[row]].item() for row in cloned) / 2
        assert policy_loss.item() == pytest.approx(expected, abs=1e-6)
        gaps = np.abs(values.detach().numpy() - outcomes)
        assert value_loss.item() == pytest.approx(np.mean(np.where(gaps < 1, gaps**2 / 2, gaps - 0.5)), rel=1e-5)


# The two open ideas


def test_simulations_grow_with_the_score_and_never_shrink():
    settings = replace(SMALL, simulations=20, late_simulations=100, full_score=0.5, window=4)
    row = {"simulations": 20, "points": [0.0, 0.0, 0.0, 0.0]}
    assert simulations_for(settings, []) == 20
    assert simulations_for(settings, [row]) == 20
    half = {"simulations": 20, "points": [0.5, 0.5, 0.0, 0.0]}
    assert simulations_for(settings, [row, half]) == 60
    assert simulations_for(settings, [{**half, "points": [1.0] * 4}]) == 100
    assert simulations_for(settings, [{**row, "simulations": 80}]) == 80
    assert simulations_for(SMALL, [{**half, "points": [1.0] * 4}]) == SMALL.simulations


# The loop


def test_a_net_without_a_value_is_refused():
    with pytest.raises(ValueError, match="value head"):
        clone_search(make_net("stack", channels=4, layers=1), SMALL, progress=False)


def test_the_score_counts_draws_as_half():
    run = CloneRun(None, SMALL, [{"points": [1.0, 0.5, 0.0, 0.5], "episodes": 4}])
    assert run.score(4)[0] == 0.5 and run.score(2)[0] == 0.25

"""The PettingZoo environment: it passes the ecosystem's own tests and plays by the course's rules."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import mock5lib
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes


def play(environment, choose, seed=0):
    """One episode; rewards by agent."""
    environment.reset(seed=seed)
    rewards = {}
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        rewards[agent] = rewards.get(agent, 0) + reward
        environment.step(None if terminated or truncated else choose(agent, observation))
    return rewards


@pytest.mark.parametrize("options", [{}, {"height": 9, "width": 6, "openings": 3}, {"height": 3, "width": 3, "k": 3}])
def test_it_passes_the_api_test(options, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*observation.*|.*Observation.*|.*action_mask.*")
        api_test(mock5lib.env(**options), num_cycles=200)
    assert "Passed" in capsys.readouterr().out


def test_it_passes_the_seed_test():
    seed_test(lambda: mock5lib.env(height=9, width=9, openings=4), num_cycles=100)


def test_the_winner_gets_one_and_the_loser_minus_one():
    def choose(agent, observation):
        legal = np.flatnonzero(observation["action_mask"])
        return int(legal[0] if agent == "player_1" else legal[-1])

    assert play(mock5lib.env(height=9, width=9), choose) == {"player_1": 1, "player_2": -1}
    rewards = play(mock5lib.env(height=9, width=9, openings=1), choose)
    assert sorted(rewards.values()) == [-1, 1]


def test_a_draw_gives_both_nothing():
    moves = iter([0, 1, 2, 4, 3, 5, 7, 6, 8])
    rewards = play(mock5lib.env(height=3, width=3, k=3), lambda agent, observation: next(moves))
    assert rewards == {"player_1": 0, "player_2": 0}


def test_an_illegal_action_loses(recwarn):
    moves = iter([40, 40])
    assert play(mock5lib.env(height=9, width=9), lambda agent, seen: next(moves)) == {"player_1": 0, "player_2": -1}


def test_an_observation_is_what_a_net_of_the_course_sees():
    environment, rng = mock5lib.env(height=7, width=6), np.random.default_rng(0)
    environment.reset(seed=0)
    game = Mock5(7, 6)
    for agent in environment.agent_iter():
        observation, _, terminated, _, _ = environment.last()
        if terminated:
            break
        assert (observation["observation"] == three_planes.encode([game])[0]).all()
        assert np.flatnonzero(observation["action_mask"]).tolist() == game.legal_moves()
        assert environment.observe("player_2" if agent == "player_1" else "player_1")["action_mask"].sum() == 0
        move = int(rng.choice(game.legal_moves()))
        environment.step(move)
        game.apply(move)


def test_openings_follow_the_seed():
    environment = mock5lib.env(height=9, width=9, openings=5)

    def opening(seed):
        environment.reset(seed=seed)
        return environment.unwrapped.game.history

    assert opening(1) == opening(1) != opening(2) and len(opening(3)) == 5
    assert environment.agent_selection == "player_2"


def test_it_is_shown_as_text(capsys):
    environment = mock5lib.env(height=3, width=3, k=3, render_mode="ansi")
    environment.reset(seed=0)
    assert environment.render() == str(Mock5(3, 3, k=3))
    human = mock5lib.env(height=3, width=3, k=3, render_mode="human")
    human.reset(seed=0)
    human.step(4)
    assert "O" in capsys.readouterr().out

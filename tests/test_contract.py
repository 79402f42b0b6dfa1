"""What games and agents promise: each says what it can, and whoever needs it asks."""

import numpy as np
import pytest

from mock5check.ch01.connect_four import ConnectFour
from mock5lib import Mock5, agents, names
from mock5lib.arena import match
from mock5lib.base import contract
from mock5lib.course import course_file
from mock5lib.search.uct.tree import UCT

NET = str(course_file("data/checkpoints/supervised_9x9"))


@pytest.mark.parametrize("game", [Mock5(9, 9), ConnectFour()], ids=["five in a row", "connect four"])
def test_a_game_meets_the_contract(game):
    assert isinstance(game, contract.Game)
    moves, twin = list(game.legal_moves()), game.copy()
    game.apply(moves[3])
    assert (game.player, twin.player, game.winner) == (2, 1, None) and list(twin.legal_moves()) == moves
    game.undo()
    assert game.player == 1 and list(game.legal_moves()) == moves


def test_uct_and_a_match_take_connect_four():
    game = ConnectFour()
    for column in [3, 0, 3, 0, 3]:
        game.apply(column)
    game.apply(6)
    assert UCT(200, seed=0)(game) == 3  # four upright
    result = match(UCT(100, seed=1), agents.random(0), 4, game=ConnectFour)
    assert result.wins >= 3 and result.records is None


@pytest.mark.parametrize(
    ("name", "can"),
    [
        ("greedy", {"moves"}),
        ("uct:10", {"moves", "think", "forget", "move_by", "warm_up", "limit_memory"}),
        (f"policy:{NET}", {"moves"}),
        (f"expert:{NET}@4", {"moves", "think", "forget", "move_by", "warm_up", "limit_memory"}),
        ("engine:/bin/true", {"close"}),
    ],
)
def test_an_agent_says_what_it_can(name, can):
    methods = ("moves", "think", "forget", "move_by", "warm_up", "limit_memory", "close")
    agent = names.agent(name, 0)
    assert {method for method in methods if hasattr(agent, method)} == can


@pytest.mark.parametrize("name", ["uct:64", f"expert:{NET}@64"])
def test_a_search_answers_by_its_deadline_and_keeps_its_settings(name):
    agent, game, seconds = names.agent(name, 0), Mock5(9, 9), iter(np.arange(0.0, 99.0, 1.0))
    agent.warm_up(game)
    assert agent.move_by(game, 1.5, lambda: next(seconds)) in range(81)
    assert agent.simulations == 64 and agent.think(game).root.visits < 2 * 64  # not all of the first search was run


def test_many_games_are_answered_one_by_one_where_an_agent_knows_no_better():
    games = [Mock5(9, 9), Mock5(9, 9, history=[0])]
    assert contract.moves_of(lambda game: game.legal_moves()[0], games) == [0, 1]
    assert contract.moves_of(agents.greedy(0), []) == []

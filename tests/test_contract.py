"""What games and agents promise: each says what it can, and whoever needs it asks."""

import io

import numpy as np
import pytest
from crooks import first_free, last_free
from rich.console import Console

from mock5check.ch01.connect_four import ConnectFour
from mock5lib import Mock5, agents, names
from mock5lib.arena import match
from mock5lib.base import contract
from mock5lib.cli.play import TerminalGame
from mock5lib.course import course_file
from mock5lib.game import play_game
from mock5lib.search.uct import UCT
from mock5lib.show import PlayPanel

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
    assert result.wins >= 3 and result.records is result.distinct is None and result.lengths.min() >= 7


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


# A turn: whatever an agent answers or raises, it loses its game by it, with the reason, and nothing else happens


def fails(game):
    raise RuntimeError("out of ideas")


def gives_none(game):
    """As a function without a `return` does."""


BAD_ANSWERS = [
    (fails, "raised RuntimeError: out of ideas"),
    (gives_none, "resigned"),
    (lambda game: (None, None), "resigned"),
    (lambda game: (False, 0), "resigned"),
    (lambda game: game.history[0], "played an illegal move: Row"),
    (lambda game: 99, "played an illegal move: Move 99 is off the board: points are 0 to"),
    (lambda game: "b2", "played an illegal move: A move is an int or a pair (row, col), got 'b2'"),
    (lambda game: True, "played an illegal move: A move is an int or a pair (row, col), got True"),
    (lambda game: (0, 0, 0), "played an illegal move: "),
    (lambda game: np.nan, "played an illegal move: "),
    (lambda game: np.zeros(2), "played an illegal move: "),
]


@pytest.mark.parametrize(("answer", "reason"), BAD_ANSWERS)
def test_an_agent_that_does_not_answer_with_a_legal_move_loses_with_the_reason_wherever_it_plays(answer, reason):
    def rude(game):
        return answer(game) if game.history else 0

    at_first = "gave None at its first turn: does it lack a `return`?" if answer is gives_none else reason
    outcome = Mock5(3, 3, k=3).play(first_free, rude, False, False, False)
    assert outcome == 1 and at_first in outcome.reason

    result = match(rude, first_free, 2, game=Mock5(9, 9))
    assert [one.reason.startswith(f"rude {why}") for one, why in zip(result.outcomes, (reason, at_first))] == [
        True,
        True,
    ]
    assert result.losses == 2 == result.records.forfeits.sum() and result.records.winners.tolist() == [2, 1]
    assert sum(result.forfeits.values()) == 2 and reason in str(result)

    panel = PlayPanel(rude, Mock5(3, 3, k=3))
    panel.click(4)
    assert panel.status.startswith(f"You win: rude {at_first}")
    assert panel.game.history == [4] and not panel.board.enabled
    panel.undo()
    assert panel.result is None and panel.game.history == []

    typed, console = ["00"], Console(record=True, width=200, file=io.StringIO())
    session = TerminalGame(Mock5(9, 9), {1: None, 2: rude}, console, lambda prompt: typed.pop() if typed else "q")
    session.run()
    assert session.result == 1 and f"rude {at_first}" in (text := console.export_text()) and "black wins" in text


def test_none_at_a_later_turn_resigns():
    def tired(game):
        return game.legal_moves()[-1] if len(game.history) < 3 else None

    outcome = Mock5(3, 3, k=3).play(first_free, tired, False, False, False)
    assert outcome == 1 and outcome.reason.endswith("resigned")
    panel = PlayPanel(tired, Mock5(9, 9))
    panel.click(4)
    panel.click(5)
    assert panel.status.startswith("You win: tired resigned.")


def test_an_agent_gets_a_copy_that_it_may_spoil():
    def vandal(game):
        move, *others = game.legal_moves()
        while game.history:
            game.undo()
        game.apply(others[-1])
        game[0, 0] = 1
        return move

    result = match(vandal, last_free, 4, game=Mock5(9, 9))
    assert result.wins == 2 and not result.forfeits
    game = Mock5(3, 3, k=3)
    assert play_game(game, vandal, last_free) == 1 and game.history == [0, 8, 1, 7, 2]
    panel = PlayPanel(vandal, Mock5(3, 3, k=3))
    panel.click(4)
    assert panel.game.history == [4, 0]

"""The exact solver."""

import pytest

from mock5lib import Mock5
from mock5lib.game.oracle import TIC_TAC_TOE_POSITIONS, TIC_TAC_TOE_RUNNING, Oracle, tic_tac_toe


def test_tic_tac_toe_has_the_known_numbers_of_positions():
    oracle = tic_tac_toe()
    assert len(oracle.positions(running_only=False)) == TIC_TAC_TOE_POSITIONS == 5478
    assert len(oracle.positions()) == TIC_TAC_TOE_RUNNING == 4520


def test_tic_tac_toe_is_a_draw_and_every_first_move_keeps_it():
    game = Mock5(3, 3, k=3)
    assert tic_tac_toe().value(game) == 0
    assert tic_tac_toe().optimal_moves(game) == list(range(9))
    assert game.history == []


def test_after_a_corner_only_the_center_draws():
    assert tic_tac_toe().optimal_moves(Mock5(3, 3, k=3, history=[0])) == [4]


def test_an_immediate_win_is_found():
    game = Mock5(3, 3, k=3, history=[0, 3, 1, 4])
    assert tic_tac_toe().move_values(game)[2] == 1


@pytest.mark.parametrize(("history", "value"), [([0, 3, 1, 4, 2], -1), ([0, 1, 2, 4, 3, 5, 7, 6, 8], 0)])
def test_a_finished_game_has_its_result_for_the_player_to_move(history, value):
    game = Mock5(3, 3, k=3, history=history)
    assert game.winner is not None and tic_tac_toe().value(game) == value
    assert tic_tac_toe().optimal_moves(game) == []


def test_values_are_the_same_from_every_side():
    oracle = tic_tac_toe()
    for game in oracle.positions()[::50]:
        for angle in range(4):
            for flip in (0, 1):
                assert oracle.value(game.replay(angle, flip)) == oracle.value(game)


def test_other_small_games_are_solved_and_big_ones_refused():
    assert Oracle(Mock5(2, 3, k=2)).value(Mock5(2, 3, k=2)) == 1
    with pytest.raises(ValueError, match="at most 1,000 positions"):
        Oracle(Mock5(4, 4, k=3), limit=1000)


def test_a_position_that_was_not_solved_is_a_clear_error():
    with pytest.raises(KeyError, match="cannot be reached"):
        tic_tac_toe().value(Mock5(4, 4, k=3))

"""What the checks of chapter 7 say, and that a wrong try leaves nothing behind."""

import pytest

from mock5check import CheckFailed, ch07
from mock5check.ch07.capstone import _check_agent, positions, tactics
from mock5check.core import Trial


def said(check, *functions) -> str:
    with pytest.raises(CheckFailed) as caught:
        check(*functions)
    return str(caught.value)


def test_an_agent_that_marks_points_leaves_the_next_call_its_boards():
    before = [list(game.board) for game in positions()], [list(game.board) for game, *_ in tactics()]

    def marks(game):
        empty = list(game.board).index(0)
        game.board[empty] = 1
        return empty

    for _ in range(2):
        with pytest.raises(CheckFailed, match="It changed `game`"):
            _check_agent(Trial("ladder_agent"), marks)
    assert before == ([list(game.board) for game in positions()], [list(game.board) for game, *_ in tactics()])


def test_none_is_shown_without_quotation_marks():
    text = said(ch07.verdict, lambda pairs, *rest: "")
    assert "returned: ''" in text and "right is: None" in text


def test_what_a_line_led_to_is_said_in_words():
    text = said(ch07.read_move, lambda line, *sides: int("x"))
    assert "returned: a ValueError, raised\n" in text and "right is: None\n" in text

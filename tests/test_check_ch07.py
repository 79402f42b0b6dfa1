"""What the checks of chapter 7 say, and that a wrong try leaves nothing behind."""

import math

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


@pytest.mark.parametrize(
    "wrong, returned, right",
    [
        (lambda line, *sides: None, "None", "(4, 3)"),
        (lambda line, *sides: (4, 3), "(4, 3)", "(0, 0)"),
        (lambda line, *sides: int("x"), "a ValueError, raised", "(4, 3)"),
    ],
)
def test_what_a_line_led_to_is_said_in_words(wrong, returned, right):
    text = said(ch07.read_move, wrong)
    assert f"returned: {returned}\n" in text and f"right is: {right}\n" in text


def test_a_rating_that_ends_where_the_range_ends_asks_for_a_wider_one():
    def narrow(ratings, points):
        if points in (0, len(ratings)):
            return math.inf if points else -math.inf
        low, high = min(ratings) - 500, max(ratings) + 500
        for _ in range(60):
            middle = (low + high) / 2
            short = sum(1 / (1 + 10 ** ((rating - middle) / 400)) for rating in ratings) < points
            low, high = (middle, high) if short else (low, middle)
        return middle

    assert "Is the range wide enough" in said(ch07.performance, narrow)

"""What the checks of chapter 7 say."""

import pytest

from mock5check import CheckFailed, ch07


def said(check, *functions) -> str:
    with pytest.raises(CheckFailed) as caught:
        check(*functions)
    return str(caught.value)


def test_none_is_shown_without_quotation_marks():
    text = said(ch07.verdict, lambda pairs, *rest: "")
    assert "returned: ''" in text and "right is: None" in text


def test_what_a_line_led_to_is_said_in_words():
    text = said(ch07.read_move, lambda line, *sides: int("x"))
    assert "returned: a ValueError, raised\n" in text and "right is: None\n" in text

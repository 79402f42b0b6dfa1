"""The checks of the exercises of chapter 10, a game of one's own: `check.name(what the learner wrote)`."""

from mock5check.ch10.lines import four_in_a_row
from mock5check.ch10.own_game import kit as Four
from mock5check.ch10.own_game import rules as ConnectFour

__all__ = ["ConnectFour", "Four", "four_in_a_row"]

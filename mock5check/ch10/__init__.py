"""The checks of the exercises of chapter 10, a game of one's own, and its blanks: what an experiment can show."""

from mock5check.ch10 import blanks
from mock5check.ch10.lines import four_in_a_row
from mock5check.ch10.own_game import kit as Four
from mock5check.ch10.own_game import rules as ConnectFour
from mock5check.your_turn import turns_of

__all__ = ["ConnectFour", "Four", "four_in_a_row", "your_turn"]

your_turn = turns_of(blanks)

"""The checks of the exercises of chapter 4, AlphaGo, each named after the function that the learner writes."""

from mock5check.ch04 import blanks
from mock5check.ch04.night import night
from mock5check.ch04.own_keras import train
from mock5check.ch04.search import my_search
from mock5check.ch04.small import add_stone, board_softmax, one_per_game, select
from mock5check.your_turn import turns_of

__all__ = ["add_stone", "board_softmax", "my_search", "night", "one_per_game", "select", "train", "your_turn"]

your_turn = turns_of(blanks)

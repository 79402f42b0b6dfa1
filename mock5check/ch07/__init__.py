"""The checks of the exercises of chapter 7, the ladder, each named after the function that the learner writes."""

from mock5check.ch07 import blanks
from mock5check.ch07.capstone import ladder_agent
from mock5check.ch07.small import performance, read_move, schedule, verdict
from mock5check.your_turn import turns_of

__all__ = ["ladder_agent", "performance", "read_move", "schedule", "verdict", "your_turn"]

your_turn = turns_of(blanks)

"""The checks of the exercises of chapter 7, the ladder, each named after the function that the learner writes."""

from mock5check.ch07.capstone import ladder_agent
from mock5check.ch07.small import pair_interval, performance, read_move, schedule, verdict

__all__ = ["ladder_agent", "pair_interval", "performance", "read_move", "schedule", "verdict"]

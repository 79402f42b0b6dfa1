"""The checks of the exercises of chapter 3, REINFORCE, each named after the function that the learner writes."""

from mock5check.ch03 import blanks
from mock5check.ch03.own_loop import reinforce
from mock5check.ch03.small import loss, mean_entropy, others_mean, own_moves, push
from mock5check.your_turn import turns_of

__all__ = ["loss", "mean_entropy", "others_mean", "own_moves", "push", "reinforce", "your_turn"]

your_turn = turns_of(blanks)

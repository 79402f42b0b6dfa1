"""The checks of the exercises of chapter 2, the policy net, each named after the function that the learner writes."""

from mock5check.ch02 import blanks
from mock5check.ch02.own_net import train_policy
from mock5check.ch02.small import ceiling, choose, held_out, tempered
from mock5check.ch02.teacher import records
from mock5check.your_turn import turns_of

__all__ = ["ceiling", "choose", "held_out", "records", "tempered", "train_policy", "your_turn"]

your_turn = turns_of(blanks)

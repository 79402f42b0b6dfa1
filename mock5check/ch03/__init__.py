"""The checks of the exercises of chapter 3, REINFORCE, each named after the function that the learner writes."""

from mock5check.ch03.own_loop import reinforce
from mock5check.ch03.small import loss, mean_entropy, others_mean, own_moves, push

__all__ = ["loss", "mean_entropy", "others_mean", "own_moves", "push", "reinforce"]

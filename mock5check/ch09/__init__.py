"""The checks of the exercises of chapter 9, Go, each named after what the learner writes."""

from mock5check.ch09.capstone import is_captured
from mock5check.ch09.ko import KoMemory
from mock5check.ch09.small import group_of, lead, liberties_after, play, playout_moves

__all__ = ["KoMemory", "group_of", "is_captured", "lead", "liberties_after", "play", "playout_moves"]

"""The checks of the exercises of chapter 9, Go, each named after what the learner writes."""

from mock5check.ch09 import blanks
from mock5check.ch09.ko import ko_memory as KoMemory  # noqa: N813 - named like the class that it checks
from mock5check.ch09.safe import safe_stones
from mock5check.ch09.small import lead, liberties_after, playout_moves
from mock5check.your_turn import turns_of

__all__ = ["KoMemory", "lead", "liberties_after", "playout_moves", "safe_stones", "your_turn"]

your_turn = turns_of(blanks)

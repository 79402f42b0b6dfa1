"""Chapter 0 has two blanks, and shows with the check of one how checks talk."""

from mock5check.ch00 import blanks
from mock5check.ch00.blanks import score
from mock5check.your_turn import turns_of

__all__ = ["score", "your_turn"]

your_turn = turns_of(blanks)

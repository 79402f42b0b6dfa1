"""Chapter 0 shows with one check how checks talk, and has one blank."""

from mock5check.ch00 import blanks
from mock5check.ch00.small import score
from mock5check.your_turn import turns_of

__all__ = ["score", "your_turn"]

your_turn = turns_of(blanks)

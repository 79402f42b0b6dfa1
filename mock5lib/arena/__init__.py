"""The arena: matches and tournaments with openings, both colours and intervals; ratings; foreign engines as guests.

Chapter 7 builds it; all chapters from 2 on play matches in it.
"""

from mock5lib.arena.elo import Ratings, ratings
from mock5lib.arena.match import MatchResult, match
from mock5lib.arena.sequential import SequentialTest
from mock5lib.arena.workers import Recipe

__all__ = ["MatchResult", "Ratings", "Recipe", "SequentialTest", "match", "ratings"]

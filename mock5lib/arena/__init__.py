"""The arena: matches between agents, with openings, both colours and intervals."""

from mock5lib.arena.match import MatchResult, match

__all__ = ["MatchResult", "match"]

"""The arena: matches and tournaments, each opening played with both colors; scores and ratings with intervals.

Chapter 7 builds it; earlier chapters play their matches in it.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "matches": "MatchResult match score_interval",
        "elo": "Ratings SequentialTest expected_score ratings",
        "tournament": "Tournament",
    },
)

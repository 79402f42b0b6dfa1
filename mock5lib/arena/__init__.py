"""The arena: matches and tournaments with openings, both colors and intervals; ratings.

Chapter 7 builds it; all chapters from 2 on play matches in it.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "matches": "MatchResult match score_interval",
        "elo": "Ratings SequentialTest expected_score likelihood_of_superiority ratings",
        "tournament": "Tournament",
    },
)

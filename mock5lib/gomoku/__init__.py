"""Five in a row: threats, forced wins, heuristics (`agents.greedy(seed=0)` and others), policies, the generator.

Chapter 2 builds it; chapters 3 and 4 play against it.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "threats": "Analysis Threat",
        "forced_wins": "forced_win readable_forced_win refutations winning_starts",
        "generator": "generate",
        "heuristics": "Heuristic by_name defensive df greedy mixed prediction_ceiling pt random "
        "defensive_scores df_policy greedy_scores pt_policy",
        "policies": "Stat agent pt_norm pt_softmax softmax test_agents uniform",
    },
)

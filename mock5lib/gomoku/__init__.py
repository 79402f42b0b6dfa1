"""Five in a row: threats, forced wins, the heuristic agents, policies as agents, a generator of records.

Chapter 2 builds it; later chapters play against it. Notebooks call it `agents`, as in `agents.greedy(seed=0)`.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "threats": "Analysis Threat",
        "forced_wins": "forced_win readable_forced_win refutations winning_points winning_starts",
        "generator": "generate",
        "heuristics": "Heuristic by_name defensive df greedy mixed prediction_ceiling pt random "
        "defensive_scores df_policy greedy_scores pt_policy",
        "policies": "Stat agent pt_norm pt_softmax softmax test_agents uniform",
    },
)

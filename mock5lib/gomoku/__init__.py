"""Five in a row: threats, forced wins, heuristics (`agents.greedy(seed=0)` and others), policies, the generator.

Chapter 2 builds it; chapters 3 and 4 play against it.
"""

from mock5lib.gomoku.ceiling import Ceiling, move_chances, prediction_ceiling
from mock5lib.gomoku.heuristics import (
    Heuristic,
    by_name,
    defensive,
    defensive_scores,
    df,
    df_policy,
    greedy,
    greedy_scores,
    mixed,
    pt,
    pt_policy,
    random,
)
from mock5lib.gomoku.policies import Stat, agent, from_expert, pt_norm, pt_softmax, softmax, test_agents, uniform

__all__ = [
    "Ceiling",
    "Heuristic",
    "Stat",
    "agent",
    "by_name",
    "defensive",
    "defensive_scores",
    "df",
    "df_policy",
    "from_expert",
    "greedy",
    "greedy_scores",
    "mixed",
    "move_chances",
    "prediction_ceiling",
    "pt",
    "pt_norm",
    "pt_policy",
    "pt_softmax",
    "random",
    "softmax",
    "test_agents",
    "uniform",
]

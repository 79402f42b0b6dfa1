"""Agents that need no search: `agents.greedy(seed=0)` and the other heuristics, and agents made from policies."""

from mock5lib.agents.heuristics import (
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
from mock5lib.agents.policies import Stat, agent, from_expert, pt_norm, pt_softmax, softmax, test_agents, uniform

__all__ = [
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
    "pt",
    "pt_norm",
    "pt_policy",
    "pt_softmax",
    "random",
    "softmax",
    "test_agents",
    "uniform",
]

"""Search: `UCT` knows only the rules, `SearchTree` and `Forest` ask an expert. All answer with a `SearchResult`.

Chapter 1 builds UCT and chapter 5 the readable tree of PUCT. Chapter 6 searches with the forest, many trees in flat
arrays; chapter 8 searches in parallel.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "uct": "Node UCT",
        "uct_step_by_step": "uct_steps",
        "uct_parallel": "RootParallelUCT TreeParallelUCT",
        "uct_compiled": "FastUCT",
        "puct": "SearchNode SearchTree",
        "expert": "Expert constant_value",
        "result": "Candidate SearchResult",
        "agent": "SearchAgent",
        "trees_compiled": "Options",
        "forest_compiled": "Forest Search Timeline search_in_turns",
    },
)

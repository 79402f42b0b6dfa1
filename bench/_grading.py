"""How good is a search? Graded by the exact oracle on every position of tic-tac-toe that can be reached."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from mock5lib.base.contract import moves_of
from mock5lib.game.board import Mock5
from mock5lib.game.oracle import tic_tac_toe
from mock5lib.search.uct.compiled import FastUCT
from mock5lib.search.uct.tree import SQRT2


@lru_cache(maxsize=1)
def graded_positions() -> tuple[list[Mock5], np.ndarray]:
    """Every running position of tic-tac-toe (4,520), and which moves are optimal there: bool (4520, 9)."""
    oracle = tic_tac_toe()
    games = oracle.positions()
    optimal = np.zeros((len(games), 9), dtype=bool)
    for row, game in enumerate(games):
        optimal[row, oracle.optimal_moves(game)] = True
    return games, optimal


def optimal_moves_played(agent, every: int = 1) -> np.ndarray:
    """For each position whether the agent plays an optimal move there: bool (4520 / every,), rounded up.

    Args:
        agent: any agent for tic-tac-toe.
        every: grade only each so-manieth position.
    """
    games, optimal = graded_positions()
    games, optimal = games[::every], optimal[::every]
    moves = moves_of(agent, games)
    return optimal[np.arange(len(games)), moves]


def graded_by_oracle(
    simulations: Iterable[int], seeds: int = 20, c: float = SQRT2, final: str = "visits", first_seed: int = 0
) -> np.ndarray:
    """The share of positions in which UCT plays an optimal move: float (len(simulations), seeds).

    Each of the 4,520 running positions is searched afresh, in parallel threads, for each seed.
    """
    return np.array(
        [
            [
                optimal_moves_played(FastUCT(budget, c=c, final=final, seed=seed)).mean()
                for seed in range(first_seed, first_seed + seeds)
            ]
            for budget in simulations
        ]
    )

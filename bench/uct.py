"""UCT, one thread, the same number of simulations from the empty board

Ours and the other take turns in one run; each counts with its best turn. mctspy and OpenSpiel's `MCTSBot` (C++, one
random rollout a simulation, no solver) are timed as their documentation shows them.
"""

import time
from collections.abc import Callable
from functools import cache

import numpy as np

from bench._rows import row
from mock5lib import Mock5
from mock5lib.base.contract import moves_of
from mock5lib.game.oracle import tic_tac_toe
from mock5lib.search.uct.compiled import FastUCT
from mock5lib.search.uct.tree import SQRT2, UCT

C = 1.4
WANTED = {"mctspy": 5, "tic_tac_toe": 1, "gomoku": 3}


def side_by_side(ours: Callable, other: Callable, simulations: int, seconds: float, turns: int = 4) -> tuple:
    """Simulations a second of two searches, each called with nothing and running `simulations`; turn about."""
    best = [0.0, 0.0]
    for _ in range(turns):
        for which, search in enumerate((ours, other)):
            done, start = 0, time.perf_counter()
            while (passed := time.perf_counter() - start) < seconds / turns or done == 0:
                search()
                done += simulations
            best[which] = max(best[which], done / passed)
    return tuple(best)


def mctspy_search(size: int, simulations: int) -> Callable:
    """mctspy on an empty board where a full line wins: tic-tac-toe for 3, five in a row on 5×5."""
    from mctspy.games.examples.tictactoe import TicTacToeGameState
    from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
    from mctspy.tree.search import MonteCarloTreeSearch

    def search():
        root = TwoPlayersGameMonteCarloTreeSearchNode(TicTacToeGameState(np.zeros((size, size)), next_to_move=1))
        MonteCarloTreeSearch(root).best_action(simulations)

    return search


def openspiel_search(name: str, simulations: int) -> Callable:
    """OpenSpiel's MCTSBot on the empty board of a game."""
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    memory_mb, solve, seed, verbose = 1000, False, 1, False
    bot = pyspiel.MCTSBot(game, evaluator, C, simulations, memory_mb, solve, seed, verbose)
    return lambda: bot.step(state)


def our_search(agent, game: Mock5) -> Callable:
    """One search from `game`; a first one, short, compiles what there is to compile."""
    type(agent)(10, seed=0).search(game)
    return lambda: agent.search(game)


def readable_rows(seconds: float) -> list[dict]:
    """The readable nodes against mctspy."""
    rows = []
    for size, title in ((3, "tic-tac-toe"), (5, "5×5 five-in-a-row")):
        simulations = 1000
        ours = our_search(UCT(simulations, c=C, seed=0, keep_tree=False), Mock5(size, size, k=size))
        rate, other = side_by_side(ours, mctspy_search(size, simulations), simulations, seconds)
        note = f"{simulations:,} simulations a search; wanted: {WANTED['mctspy']}×"
        rows.append(row(f"readable, {title}", rate, "simulations/s", "mctspy", other, note))
    return rows


def fast_rows(seconds: float) -> list[dict]:
    """The compiled search against OpenSpiel."""
    rows = []
    for size, k, name, budgets in (
        (3, 3, "tic_tac_toe", (1000, 100_000)),
        (5, 5, "gomoku(size=5,connect=5)", (10_000,)),
        (9, 5, "gomoku(size=9,connect=5)", (1000, 10_000)),
        (15, 5, "gomoku(size=15,connect=5)", (1000, 5000)),
    ):
        for simulations in budgets:
            ours = our_search(FastUCT(simulations, c=C, seed=0, keep_tree=False), Mock5(size, size, k=k))
            rate, other = side_by_side(ours, openspiel_search(name, simulations), simulations, seconds)
            note = f"{simulations:,} simulations a search; wanted: {WANTED[name.partition('(')[0]]}×"
            rows.append(row(f"compiled, {size}×{size}", rate, "simulations/s", f"OpenSpiel {name}", other, note))
    return rows


@cache
def graded_positions() -> tuple[list[Mock5], np.ndarray]:
    """Every running position of tic-tac-toe (4,520), and which moves are optimal there: bool (4520, 9)."""
    oracle = tic_tac_toe()
    games = oracle.positions()
    optimal = np.zeros((len(games), 9), dtype=bool)
    for number, game in enumerate(games):
        optimal[number, oracle.optimal_moves(game)] = True
    return games, optimal


def optimal_moves_played(agent, every: int = 1) -> np.ndarray:
    """For each position, or each `every`-th, whether the agent plays an optimal move there: bool (4520 / every,)."""
    games, optimal = graded_positions()
    games, optimal = games[::every], optimal[::every]
    return optimal[np.arange(len(games)), moves_of(agent, games)]


def graded_by_oracle(simulations, seeds: int = 20) -> np.ndarray:
    """The share of positions in which UCT plays an optimal move: float (len(simulations), seeds)."""
    agents = [[FastUCT(budget, c=SQRT2, seed=seed) for seed in range(seeds)] for budget in simulations]
    return np.array([[optimal_moves_played(agent).mean() for agent in row] for row in agents])


def optimal_rows(seeds: int) -> list[dict]:
    """How often UCT plays an optimal move, over every running position of tic-tac-toe; c is √2."""
    budgets = (10, 30, 100, 300, 1000, 2000)
    rows = []
    for budget, shares in zip(budgets, graded_by_oracle(budgets, seeds=seeds)):
        wrong = round((1 - shares).sum() * len(graded_positions()[0]))
        note = f"{wrong} of {seeds} × 4,520 not optimal" + ("; wanted: 0" if budget == 2000 else "")
        rows.append(row(f"optimal moves, {budget:,} simulations", 100 * shares.mean(), "% of positions", note=note))
    return rows


def run(quick: bool = False) -> list[dict]:
    """All rows; `quick` takes a tenth of the time."""
    seconds = 0.4 if quick else 4.0
    return readable_rows(seconds) + fast_rows(seconds) + optimal_rows(1 if quick else 20)

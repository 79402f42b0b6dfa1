"""Go, 9×9, one thread

Our random playouts fill no own eyes. OpenSpiel's are uniform over all legal moves and end by two passes or after 162
moves; from Python, and in C++ as the rollouts of its own search.
"""

import numpy as np

from bench._rate import best_rate, row
from mock5lib.game.kernels import random_state
from mock5lib.go import kernels
from mock5lib.go.board import Go


def playouts(seconds: float) -> list[dict]:
    """Random games from the empty board: compiled, OpenSpiel's, and on the readable board."""
    position, state, rng = kernels.position_of(Go(9)), random_state(1), np.random.default_rng(0)

    def compiled():
        return int(kernels.playout_tally(position, 200, state).sum())

    def readable():
        game = Go(9)
        while game.winner is None:
            game.apply(int(rng.choice(game.playout_moves())))
        return 1

    rate = best_rate(compiled, seconds)
    rows = [row("random playouts", rate, "playouts/s", "on Go, readable", best_rate(readable, seconds))]
    rows[0]["note"] = f"wanted: 10,000; {rate / 10_000:.1f}×"
    for name, theirs in openspiel(rng).items():
        rows.append(row("random playouts", rate, "playouts/s", name, best_rate(theirs, seconds)))
    return rows


def openspiel(rng) -> dict:
    """OpenSpiel's random games, from Python and by its own C++; none where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return {}
    game = pyspiel.load_game("go(board_size=9,komi=7.5)")
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(200, 1), 2.0, 1, 1000, True, 1, False)

    def in_python():
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
        return 1

    def in_cpp():  # a search of one simulation, whose leaf gets 200 rollouts
        bot.step(game.new_initial_state())
        return 200

    return {"OpenSpiel, from Python": in_python, "OpenSpiel, its own C++": in_cpp}


def run(quick: bool) -> list[dict]:
    return playouts(0.5 if quick else 3.0)

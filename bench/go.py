"""Go, 9×9, one thread

Our random playouts fill no own eyes. OpenSpiel's are uniform over all legal moves and end by two passes or after 162
moves; from Python, and in C++ as the rollouts of its own search.
"""

import numpy as np

from bench._rows import best_rate, row
from mock5lib.game.kernels import random_state
from mock5lib.game.position import stack
from mock5lib.go import kernels
from mock5lib.go.board import Go
from mock5lib.go.planes import planes48, readable_planes


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


def encoding(seconds: float) -> list[dict]:
    """AlphaGo's 48 planes of positions of random games."""
    rng, games = np.random.default_rng(0), []
    while len(games) < 40:
        game = Go(9)
        for _ in range(int(rng.integers(1, 80))):
            game.apply(int(rng.choice(game.playout_moves())))
        games.append(game)
    positions = stack(games)

    def compiled():
        return len(planes48.encode(positions))

    def readable():
        readable_planes(games[int(rng.integers(len(games)))])
        return 1

    rates = best_rate(compiled, seconds), best_rate(readable, seconds)
    return [row("48 planes", rates[0], "positions/s", "on Go, readable", rates[1])]


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
    seconds = 0.5 if quick else 3.0
    return playouts(seconds) + encoding(seconds)

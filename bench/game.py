"""Board and heuristic agents, 15×15, one thread

Compiled and readable versions side by side. Figures of the original mock5 package (2022) are stored ones, from
another run on a machine of the same kind.
"""

import numpy as np

from bench._rows import best_rate, row, stored
from mock5lib import Mock5, agents
from mock5lib.game import kernels
from mock5lib.game.referee import play_game
from mock5lib.gomoku.generator import play_chunk
from mock5lib.gomoku.heuristics_fast import KINDS, tables_for
from mock5lib.gomoku.lines import lines_of
from mock5lib.gomoku.threats import Analysis, readable_levels


def middle_games(count: int) -> list[Mock5]:
    """Positions of 40 random stones that are still running."""
    rng, games = np.random.default_rng(0), []
    while len(games) < count:
        game = Mock5()
        for move in rng.permutation(225)[:40].tolist():
            if game.winner is None:
                game.apply(move)
        if game.winner is None:
            games.append(game)
    return games


def playouts(seconds: float) -> list[dict]:
    """Uniform random games from the empty board."""
    board, state, rng = np.zeros(225, dtype=np.int8), kernels.random_state(1), np.random.default_rng(0)

    def compiled():
        return int(kernels.playout_tally(board, 15, 15, 5, False, 1, 2000, state).sum())

    def readable():
        game, points = Mock5(), rng.permutation(225).tolist()
        while game.winner is None:
            game.apply(points.pop())
        return 1

    fast_rate, slow_rate = best_rate(compiled, seconds), best_rate(readable, seconds)
    note = f"wanted: 150,000; {fast_rate / 150_000:.1f}×"
    return [row("random playouts", fast_rate, "playouts/s", "on Mock5, readable", slow_rate, note)]


def rules(seconds: float) -> list[dict]:
    """The win test and the threat analysis of one position."""
    games = middle_games(50)

    def ask(function, some):
        def work():
            for game in some:
                function(game)
            return len(some)

        return best_rate(work, seconds)

    win, win_all = ask(Mock5.check_win, games), ask(Mock5._judge_all, games)
    levels, levels_readable = ask(Analysis, games), ask(readable_levels, games[:5])
    return [
        row("check_win", win, "calls/s", "the whole board looked at", win_all, stored(win, 2_340)),
        row("Analysis", levels, "positions/s", "line by line, readable", levels_readable, stored(levels, 1_153)),
    ]


def whole_games(black: str, white: str, seconds: float) -> list[dict]:
    """Games a second of two heuristic agents, compiled and readable."""
    kinds = np.array([KINDS.index(name) for name in (black, white)])
    lines, tables = lines_of(15, 15), tables_for(*kinds)
    players, lengths, plies = (agents.by_name(black, 0), agents.by_name(white, 1)), [], []

    def compiled():
        plies.append(len(play_chunk(lines, tables, kinds, 0.0, 1.0, len(plies), 0, 100)[0]))
        return 100

    def readable():
        game = Mock5()
        play_game(game, *players)
        lengths.append(len(game.history))
        return 1

    fast_games, slow_games = best_rate(compiled, seconds), best_rate(readable, seconds)
    fast_moves, slow_moves = fast_games * np.mean(plies) / 100, slow_games * np.mean(lengths)
    original = (black, white) == ("greedy", "defensive")
    title = f"{black} against {white}"
    return [
        row(title, fast_games, "games/s", "readable", slow_games, stored(fast_games, 5.3) if original else ""),
        row(title, fast_moves, "moves/s", "readable", slow_moves, stored(fast_moves, 790) if original else ""),
    ]


def batched_moves(seconds: float) -> list[dict]:
    """One move in each of many given positions, as matches and training ask for them."""
    games = middle_games(200)
    agent = agents.mixed(0)

    def batched():
        return len(agent.moves(games))

    def single():
        return sum(agent(game) is not None for game in games[:20])

    rate = best_rate(batched, seconds)
    return [row("mixed: moves(games), 200 positions", rate, "moves/s", "one by one", best_rate(single, seconds))]


def run(quick: bool = False) -> list[dict]:
    """All rows; `quick` takes a tenth of the time."""
    seconds = 0.2 if quick else 2.0
    rows = playouts(seconds) + rules(seconds)
    for pair in (("greedy", "defensive"), ("mixed", "mixed"), ("pt", "df")):
        rows += whole_games(*pair, seconds)
    return rows + batched_moves(seconds)

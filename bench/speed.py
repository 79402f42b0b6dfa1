"""What the compiled twins are worth: each beside the readable one, beside a source's own search, and beside OpenSpiel

One thread. Boards are 15×15 and of five in a row where nothing else is said. Figures of the original mock5 package
(2022) are stored ones, measured elsewhere; OpenSpiel is left out where it is not installed.
"""

import os

# Before they are loaded: numba's threads and torch's get in each other's way.
os.environ.update(OMP_NUM_THREADS="1", MKL_NUM_THREADS="1", NUMBA_NUM_THREADS="1")

import numpy as np

from bench._published import PublishedSearch
from bench._rows import best_rate, row, stored
from mock5go import board_compiled as go_kernels
from mock5go import planes as go_planes
from mock5go.board import Go
from mock5lib import Mock5, agents
from mock5lib.alphago import planes as alphago_planes
from mock5lib.alphago.rollout_policy import FastPolicy
from mock5lib.game import board_compiled, encoders
from mock5lib.game.position_compiled import stack
from mock5lib.game.referee import play_game
from mock5lib.gomoku.generator import generate
from mock5lib.gomoku.threats import Analysis, readable_levels
from mock5lib.nets.nets import expert_of, make_net
from mock5lib.search.forest_compiled import Forest
from mock5lib.search.puct import SearchTree
from mock5lib.search.uct import UCT
from mock5lib.search.uct_compiled import FastUCT

SIMULATIONS = 20  # of each position, where a search with an expert is measured


def each(function, things):
    """Work for `best_rate`: the function, called on each of these."""

    def work() -> int:
        for thing in things:
            function(thing)
        return len(things)

    return work


def middle_games(new, count: int, moves: int) -> list:
    """Positions after so many random moves that are still running; `new` makes an empty board."""
    rng, games = np.random.default_rng(0), []
    while len(games) < count:
        game = new()
        for _ in range(moves):
            if game.winner is None:
                game.apply(int(rng.choice(game.legal_moves())))
        games += [game] * (game.winner is None)
    return games


def played_out(game, moves) -> int:
    """One random game to its end; moves(game): those it chooses from."""
    rng = np.random.default_rng()
    while game.winner is None:
        game.apply(int(rng.choice(moves(game))))
    return 1


def openspiel_search(name: str, simulations: int):
    """Work for `best_rate`: OpenSpiel's own search in C++ from an empty board, by random rollouts; None without it."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 1000, False, 1, False)

    def work() -> int:
        bot.step(game.new_initial_state())
        return simulations

    return work


def boards(rate) -> list[dict]:
    """Rules, threats, agents and records of five in a row."""
    games, state = middle_games(Mock5, 50, 40), board_compiled.random_state(1)
    tally, mixed = (np.zeros(225, np.int8), 15, 15, 5, False, 1, 2000, state), (agents.mixed(0), agents.mixed(1))
    greedy = agents.by_name("greedy", 0), agents.by_name("greedy", 1)
    records = generate(2000, "greedy", "greedy", randomness=0.1, seed=1)
    compared = (
        (
            "random playouts",
            "games/s",
            lambda: int(board_compiled.playout_tally(*tally).sum()),
            lambda: played_out(Mock5(), Mock5.legal_moves),
            None,
        ),
        ("threats", "boards/s", each(Analysis, games), each(readable_levels, games[:5]), 1_153),
        (
            "greedy against greedy",
            "games/s",
            lambda: len(generate(2560, "greedy", "greedy", randomness=0.1, seed=1)),
            lambda: bool(play_game(Mock5(), *greedy)) or 1,
            8_259,
        ),
        (
            "mixed against mixed",
            "games/s",
            lambda: len(generate(1280, "mixed", "mixed", randomness=0.0, seed=1)),
            lambda: bool(play_game(Mock5(), *mixed)) or 1,
            None,
        ),
        (
            "records to batches",
            "boards/s",
            lambda: len(next(records.batches(1024, encoder=encoders.three_planes, seed=0)).moves),
            each(lambda number: records.game(number, plies=20).replay(1, 1).numpy(), range(20)),
            None,
        ),
    )
    rows = []
    for what, unit, fast, slow, original in compared:
        rows.append(twins(what, unit, found := rate(fast), rate(slow)))
        rows[-1]["note"] = stored(found, original) if original else ""
    return rows


def twins(what: str, unit: str, fast: float, slow: float, note: str = "") -> dict:
    return row(what, fast, unit, "its readable twin", slow, note)


def searches(rate) -> list[dict]:
    """UCT, and the search with an expert: a net alone, one tree, and the forest."""
    rows = []
    for size, k, theirs in ((3, 3, "tic_tac_toe"), (9, 5, "gomoku(size=9,connect=5)")):
        game, budget = Mock5(size, size, k), 10_000
        fast = rate(lambda game=game: int(FastUCT(10_000, c=1.4, seed=0).search(game).visits.sum()))
        slow = rate(lambda game=game: int(UCT(300, c=1.4, seed=0).search(game).visits.sum()))
        rows.append(twins(f"UCT, {size}×{size}", "simulations/s", fast, slow))
        if other := openspiel_search(theirs, budget):
            wanted = f"wanted: {1 if size == 3 else 3}×"
            rows.append(row(f"UCT, {size}×{size}", fast, "simulations/s", f"OpenSpiel, {theirs}", rate(other), wanted))
    rows += [row_of_the_source(rate)]
    expert = expert_of(make_net("residual", value=True, seed=0, channels=32, blocks=3).eval())
    planes = encoders.three_planes.encode(middle_games(lambda: Mock5(9, 9), 256, 10))
    alone = rate(lambda: len(expert(planes)[1]))
    slow = rate(lambda: int(SearchTree(Mock5(9, 9), expert).search(SIMULATIONS).visits.sum()))
    blank = np.zeros((512, 81), np.float32), np.zeros(512, np.float32)
    for games in (1, 16, 256):
        fast = rate(forest_work(expert, games))
        what = f"forest, {games} game{'s' * (games > 1)}, 9×9, residual 3×32"
        rows.append(row(what, fast, "simulations/s", "one readable tree", slow, f"{fast / alone:.0%} of the net alone"))
    knows_nothing = forest_work(lambda planes: tuple(part[: len(planes)] for part in blank), 512)
    return [*rows, row("trees alone, 512 games, 9×9, no net", rate(knows_nothing), "simulations/s")]


def row_of_the_source(rate) -> dict:
    """The forest beside the loop of lumiknit's notebook, with the notebook's net: as ours plays, and as theirs does."""
    net = make_net("expert", seed=0).eval()
    half, expert = expert_of(net, half=True), expert_of(net)

    def one_board(game):
        log_priors, values = expert(encoders.three_planes.encode([game]))
        return np.exp(log_priors[0]), float(values[0])

    def work() -> int:
        PublishedSearch(Mock5(), one_board, np.random.default_rng(0)).decide(SIMULATIONS)
        return SIMULATIONS

    what = "forest in bfloat16, 64 games, the notebook's net"
    return row(what, rate(forest_work(half, 64, 15)), "simulations/s", "the notebook's loop", rate(work))


def forest_work(expert, games: int, size: int = 9):
    """Work for `best_rate`: a search of so many empty boards at once."""
    forest = Forest(games, size, size, nodes=SIMULATIONS + 1)

    def work() -> int:
        forest.reset()
        forest.search(expert, SIMULATIONS)
        return games * SIMULATIONS

    return work


def go_and_alphago(rate) -> list[dict]:
    """AlphaGo's planes of both games, the fast policy's rollouts, and random games of Go."""
    fives, go = middle_games(lambda: Mock5(9, 9), 200, 20), middle_games(lambda: Go(9), 40, 40)
    position, state = go_kernels.position_of(Go(9)), board_compiled.random_state(1)
    fast, empty = FastPolicy(np.random.default_rng(0).normal(0, 0.3, (11, 11, 3))), stack([Mock5(9, 9)] * 200)
    stacked, stacked_go = stack(fives), stack(go)
    rows = [
        twins(
            "48 planes, five in a row, 9×9",
            "boards/s",
            rate(lambda: len(alphago_planes.planes48.encode(stacked))),
            rate(each(alphago_planes.readable_planes, fives[:10])),
        ),
        twins(
            "48 planes, Go, 9×9",
            "boards/s",
            rate(lambda: len(go_planes.planes48.encode(stacked_go))),
            rate(each(go_planes.readable_planes, go[:3])),
        ),
        twins(
            "random playouts, Go, 9×9",
            "games/s",
            rate(lambda: int(go_kernels.playout_tally(position, 200, state).sum())),
            rate(lambda: played_out(Go(9), Go.playout_moves)),
        ),
    ]
    return [row("the fast policy's rollouts, 9×9", rate(lambda: len(fast.rollouts(empty, seed=1))), "games/s"), *rows]


def run(quick: bool = False) -> list[dict]:
    """All rows; `quick` takes a tenth of the time."""
    seconds = 0.2 if quick else 2.0
    return [one for part in (boards, searches, go_and_alphago) for one in part(lambda work: best_rate(work, seconds))]

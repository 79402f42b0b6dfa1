"""Golden runs: games, trees, rows of training and a ladder as they once came out, so that a rewrite shows its changes.

Each test makes a short text from fixed seeds and compares it with the file of its name in `tests/golden`: words and
whole numbers exactly; numbers with a point nearly, for another processor or build of torch rounds otherwise. Times are
left out. Nothing here says that the stored text is right: the other tests do.

Changed on purpose? `MOCK5_GOLDEN=write pytest tests/test_golden.py` writes the files that differ, and only those.
"""

import difflib
import os
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from mock5go.board import Go
from mock5lib import Mock5, match, names
from mock5lib.alphazero.config import preset
from mock5lib.alphazero.loop import alphazero
from mock5lib.arena.tournament import Tournament
from mock5lib.game.board import Rules
from mock5lib.gomoku.generator import generate
from mock5lib.learn.policy_gradient import reinforce
from mock5lib.learn.search_clone import clone_search
from mock5lib.learn.settings import CloneSettings, ReinforceSettings
from mock5lib.learn.supervised import train
from mock5lib.nets.nets import make_net
from mock5lib.search.puct import SearchTree
from mock5lib.search.uct import UCT
from mock5lib.search.uct_parallel import IN_FLIGHT, RootParallelUCT, TreeParallelUCT

GOLDEN = Path(__file__).resolve().parent / "golden"
NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:e[+-]\d+)?")


@pytest.fixture(autouse=True)
def same_conditions(monkeypatch):
    torch.set_num_threads(1)
    monkeypatch.chdir(GOLDEN.parent.parent)  # where the nets are


# Comparing ------------------------------------------------------------------------------------------------------


def compare(name, lines):
    """Compare lines with a golden file; or write it, if asked to and if they differ."""
    file = GOLDEN / f"{name}.txt"
    stored = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    now = [old if alike(old, new) else new for old, new in zip(stored, lines)] + lines[len(stored) :]
    if now != stored and os.environ.get("MOCK5_GOLDEN") == "write":
        file.write_text("\n".join(now) + "\n", encoding="utf-8")
        pytest.skip(f"{file} was written anew")
    if now != stored:
        changes = "\n".join(difflib.unified_diff(stored, now, "stored", "now", n=0, lineterm=""))
        write = "MOCK5_GOLDEN=write pytest tests/test_golden.py"
        why = f"Changed on purpose? Run {write}, and say in the commit what changed and why."
        pytest.fail(f"{file.name} is not what came out before:\n{changes}\n\n{why}", pytrace=False)


def alike(old, new):
    """Whether two lines have the same words and whole numbers, and nearly the same other numbers."""
    pairs = zip(NUMBER.findall(old), NUMBER.findall(new))
    return NUMBER.sub("#", old) == NUMBER.sub("#", new) and all(
        one == other or ("." in one + other and float(one) == pytest.approx(float(other), rel=3e-3, abs=2e-4))
        for one, other in pairs
    )


def words(value):
    """A row's value as text, four digits of a float; what was measured by a clock is left out."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {words(part)}" for key, part in value.items() if "seconds" not in key)
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + " ".join(map(words, value)) + "]"
    return f"{value + 0.0:#.4g}" if isinstance(value, float) else str(value)  # + 0.0: there is no -0


# Games of each agent, and what it finds in one position ---------------------------------------------------------


def agent_of(name, start, seed):
    return names.agent(name, seed, side=start.height, k=getattr(start, "k", 5))


def game_line(name, opponent, start, seed, plies):
    """One game on from `start`, cut after so many plies: black | white | seed | all moves | result."""
    game, players = start.copy(), (name, opponent)[:: 1 if seed % 2 else -1]
    agents = [agent_of(player, start, seed + 10 * place) for place, player in enumerate(players)]
    while game.winner is None and len(game.history) < plies:
        game.apply(agents[game.player - 1](game))
    result = "cut" if game.winner is None else ("draw", "black won", "white won")[game.winner]
    return " | ".join([*players, str(seed), " ".join(map(str, game.history)), result])


def root_line(name, found):
    """What a search found: its move, the value, the most visited moves."""
    most = sorted(np.flatnonzero(found.visits), key=lambda move: (-found.visits[move], move))[:7]
    visits = " ".join(f"{move}:{found.visits[move]:g}" for move in most)
    return f"{name} | {found.move} | value {found.value:.4f} | visits {visits} of {found.visits.sum():g}"


# Openings without symmetry: a net that finds mirrored points equal would choose by its last digit.
CLOSE, NINE = Mock5(9, 9, history=[40, 31, 50, 20]), Mock5(9, 9, history=[40, 12, 65, 24])
SIX, SEVEN = Mock5(6, 6, 4, history=[14, 15, 21, 7]), Mock5(7, 7, history=[24, 9, 33, 18])
FIFTEEN = Mock5(15, 15, history=[112, 97, 128, 80])
GO_FIVE, GO_NINE = Go(5, 0.5, history=[6, 12]), Go(9, 5.5, history=[22, 57, 51, 38])
BOTH = (0, 1)
ZERO, STRONG = "policy:data/checkpoints/alphazero_9x9", "policy:data/checkpoints/alphago_9x9/strong.keras"
FAST = "policy:data/checkpoints/alphago_9x9/fast.keras"
GO_NET, GO_SEARCH = "policy:data/checkpoints/go_9x9/strong.keras", "alphago,c=2:data/checkpoints/go_9x9@32"
UCTS = "uct:1000 mcts:1000 uct,c=0.5:1000 uct,final=ratio:1000 uct,playouts=4:250"
RULES = "expert@48 expert,rule=log-ucb@48 expert,fpu=0.3,c=3@48"
OPTIONS = "alphazero@48 alphazero,value=0@48 alphazero,considered=8@48 alphazero,leaves=4,virtual_loss=1@48"
MIXES = "alphago@48 alphago,lambda_value=0@48 alphago,lambda_value=1@48"
GAMES = {  # file → agents that play, their opponent (None: themselves), start, plies, seeds; agents that think
    "heuristics": ("random pt df greedy defensive mixed", None, CLOSE, 30, BOTH, ""),
    "uct": (UCTS, "uct:200", SEVEN, 30, BOTH, UCTS),
    "nets": (f"supervised supervised,temperature=1 reinforced {ZERO}", "greedy", NINE, 24, BOTH, ""),
    "expert": ("expert@32", "greedy", NINE, 24, BOTH, RULES),
    "alphazero": ("alphazero@16 alphazero@64 alphazero,temperature=1@16", "greedy", NINE, 24, BOTH, OPTIONS),
    "alphazero_6x6": ("alphazero@16", "uct:200", SIX, 36, BOTH, "alphazero@48"),
    "alphazero_15x15": ("alphazero@16", "mixed", FIFTEEN, 16, BOTH, "alphazero@48"),
    "alphago_nets": (f"{STRONG} {FAST}", "mixed", NINE, 16, BOTH, ""),
    "alphago": ("alphago@16", "greedy", NINE, 20, (1,), MIXES),
    "go": ("uct:100", "random", GO_FIVE, 30, BOTH, "uct:400"),
    "go_alphago": (GO_NET, "uct:50", GO_NINE, 16, (1,), GO_SEARCH),
}


@pytest.mark.parametrize("name", GAMES)
def test_agents_play_and_find_what_they_did(name):
    if "alphago" in name:
        pytest.importorskip("mock5lib.alphago.nets", reason="Keras is not installed here")
    players, opponent, start, plies, seeds, thinkers = GAMES[name]
    lines = [game_line(one, opponent or one, start, seed, plies) for one in players.split() for seed in seeds]
    compare(name, lines + [root_line(one, agent_of(one, start, 0).think(start)) for one in thinkers.split()])


# The readable trees ---------------------------------------------------------------------------------------------

TICTACTOE, SMALL = Mock5(3, 3, 3, history=[0, 1]), Mock5(5, 4, 4, history=[6, 9, 10])


def test_readable_uct_finds_what_it_did():
    lines = []
    for game in (TICTACTOE, SMALL, GO_FIVE):
        for options in ({}, {"c": 0.5, "final": "ratio"}, {"playouts": 3}):
            name = f"{game.height}x{game.width}, {words(options) or 'as it is'}"
            lines.append(root_line(name, UCT(300, seed=0, **options).search(game)))
    forms = {"one at a time": UCT(240, seed=1), "root": RootParallelUCT(240, trees=4, seed=1)}
    forms |= {f"tree, {counts}": TreeParallelUCT(240, workers=4, counts=counts, seed=1) for counts in IN_FLIGHT}
    compare("readable_uct", lines + [root_line(f"5x4, {name}", form.search(SMALL)) for name, form in forms.items()])


def sums(planes):
    """An expert whose answers are sums of places, exact in any order."""
    flat = planes[:, 0].reshape(len(planes), -1)
    places = np.arange(flat.shape[1])
    own = flat @ places.astype(np.float32)
    return (own[:, None] + 5 * places) % 11 / 8, (own % 7 - 3) / 4


def test_a_readable_tree_with_an_expert_finds_what_it_did():
    lines = []
    for options in ({}, {"rule": "log-ucb", "c": 1.0}, {"fpu": 0.2, "forced_moves": True}, {"max_depth": 2}):
        for game in (TICTACTOE, SMALL):
            tree = SearchTree(game, sums, **options)
            lines.append(
                root_line(f"{game.height}x{game.width}, {words(options) or 'as it is'}", found := tree.search(150))
            )
            tree.advance(found.move)
            lines.append(root_line("  and after that move", tree.search(50)))
    compare("readable_puct", lines)


# Rows of training -----------------------------------------------------------------------------------------------


def test_alphazero_learns_in_the_rows_that_it_did():
    changes = dict(games=12, plies=6, simulations=12, fill=40, batch_size=16, replay_ratio=2, evaluate_every=3)
    changes |= dict(evaluation_games=4, evaluation_simulations=8, opponents=("random", "mcts:20"), opening_plies=4)
    run = alphazero(preset("tiny", **changes), iterations=3, device="cpu", log=None)
    compare("alphazero_rows", [words(row) for row in run.metrics] + [words(game.moves) for game in run.ended])


def test_reinforce_learns_in_the_rows_that_it_did():
    quick = ReinforceSettings(iterations=3, games=8, lr=0.01, opening_plies=0, seed=1, kl=0.01)
    other = dict(baseline="value", entropy=0.01, discount=0.95, evaluate_every=2, evaluation_games=8)
    net, critic = make_net("stack", channels=8, layers=2, seed=0), make_net("patterns", value=True, seed=0)
    rows = reinforce(net, "random", quick, rules=Rules(3, 3, 3), progress=False).metrics
    other = ReinforceSettings(iterations=2, games=8, **other)
    rows += reinforce(critic, ["mixed", "greedy"], other, progress=False).metrics
    compare("reinforce_rows", [words(row) for row in rows])


def test_a_cloned_search_learns_in_the_rows_that_it_did():
    settings = CloneSettings(episodes=12, games=4, simulations=4, opening_plies=2, lr=1e-3, seed=3)
    net = make_net("stack", value=True, channels=2, layers=2, seed=0).eval()
    compare("clone_rows", [words(row) for row in clone_search(net, settings, progress=False).rows])


def test_a_net_learns_from_records_in_the_rows_that_it_did():
    learned, held_out = generate(40, "mixed", "mixed", 9, 9, randomness=0.2, seed=1, workers=1).split(0.3, 0)
    net = make_net("stack", channels=8, layers=2, value=True, seed=0)
    run = train(net, learned, held_out, steps=30, batch_size=16, lr=0.01, evaluate_every=10, progress=False)
    rows = [
        words({"step": step, **vars(found), "calibration": found.calibration_error}) for step, found in run.evaluations
    ]
    compare("supervised_rows", [*rows, "losses " + words(run.losses[::3]), "of values " + words(run.value_losses[::3])])


def test_a_policy_gradient_in_keras_learns_in_the_rows_that_it_did():
    nets = pytest.importorskip("mock5lib.alphago.nets", reason="Keras is not installed here")
    from mock5lib.alphago.train import train_policy_gradient

    net = nets.strong_policy(7, 7, 48, filters=4, layers=2, first=3, seed=1)
    rows = train_policy_gradient(net, iterations=2, games=6, learning_rate=0.01)
    compare("alphago_rows", [words(row) for row in rows])


# Matches and ladders --------------------------------------------------------------------------------------------


def test_a_match_has_the_games_that_it_had():
    result = match(names.recipe("expert@8"), names.recipe("uct:1000"), 6, game=Mock5(9, 9), openings=3, seed=1)
    games = [" ".join(map(str, result.records.moves_of(game))) for game in range(result.games)]
    compare("match", [words(result.summary), *games])


def test_a_ladder_has_the_table_that_it_had(tmp_path):
    tournament = Tournament(tmp_path, pairs=2, openings=3, seed=4)
    tournament.run([names.recipe(name) for name in ("random", "greedy", "pt", "uct:200")], rounds=2)
    table = tournament.table()
    lines = [f"{name}: {words(table[name])}" for name in ("games", "first_move", "superiority", "scores", "forfeits")]
    compare("ladder", [*map(words, table["ladder"]), *lines])

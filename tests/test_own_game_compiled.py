"""The compiled answers of a game of one's own: equal to the readable game, and kept apart from ours on disk."""

import os
import shutil
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError
from test_own_game import FILE, ROOT, Plain, Reversi, before_a_pass, expert, played, running
from trees import assert_same_tree, position_playout

from mock5lib.base.compiled import file_of
from mock5lib.game.board_compiled import random_state
from mock5lib.game.lockstep_compiled import Table
from mock5lib.game.position_compiled import POSITIONS, key_of, play_out, position_of, stack
from mock5lib.search.forest_compiled import Forest, Search
from mock5lib.search.uct import UCT, simulate
from mock5lib.search.uct_compiled import FastUCT


def twin(game):
    """The same position as a game with compiled answers."""
    other = Reversi(game.height)
    for move in game.history:
        other.apply(move)
    return other


GAMES = [*running(12), before_a_pass()]


def test_a_game_has_compiled_answers_and_a_subclass_has_not():
    assert type(stack([Reversi()])) is not type(stack([Plain()])) and Reversi in POSITIONS and Plain not in POSITIONS


@pytest.mark.parametrize("size", [4, 6, 8])
def test_whole_games_have_the_same_boards_and_winners(size):
    rng = np.random.default_rng(size)
    for _ in range(10):
        game, table = Plain(size), Table(1, Reversi(size))
        while game.winner is None:
            legal = game.legal_moves()
            forest = Forest(1, game=Reversi(size), roots=table.positions, nodes=2)
            forest.search(lambda planes: (np.zeros((len(planes), size * size + 1)), np.zeros(len(planes))), 1)
            assert np.flatnonzero(forest.priors[0]).tolist() == legal
            move = int(rng.choice(legal))
            game.apply(move)
            table.place([0], [move])
            assert table.boards[0].tolist() == game.board and table.positions.counts[0, 1] == game.player
        assert table.winners[0] == game.winner
    for move in ((size // 2) * (size + 1), size * size, -1, size * size + 1):
        table.clear([0])
        table.place([0], [move])
        assert table.winners[0] == 2, "an illegal move loses"


@pytest.mark.parametrize("options", [{}, {"fpu": 0.2, "leaves": 3}, {"considered": 6}, {"noise": 0.2}], ids=str)
def test_the_forest_finds_the_same_as_with_the_readable_game(options):
    both = GAMES, list(map(twin, GAMES))
    plain, fast = (Search(expert, 50, seed=2, **options).run(games) for games in both)
    for one, other in zip(plain, fast):
        assert one.visits.tolist() == other.visits.tolist() and one.move == other.move


def test_uct_in_order_grows_the_same_tree():
    for game in map(twin, GAMES[::4]):
        fast = FastUCT(60, seed=0, ordered=True).search(game)
        assert_same_tree(fast.root, UCT(60, seed=0, ordered=True, playout=position_playout(0)).search(game).root)


def test_playouts_end_as_random_games_do():
    rng, game, results = np.random.default_rng(3), played(10), np.zeros(3, np.int64)
    python = np.bincount([simulate(game, rng) for _ in range(1500)], minlength=3)
    play_many(position_of(twin(game)), results, random_state(1))
    assert results.sum() == 6000 and np.abs(results / 6000 - python / 1500).max() < 0.06  # four standard errors


@njit
def play_many(position, results, state):
    play_out(position, 6000, results, state)


def test_keys_of_different_positions_differ():
    games = {tuple(game.board) + (game.player,): game for seed in range(30) for game in [twin(played(12, Plain, seed))]}
    keys = {int(key(position_of(game), np.uint64(1))) for game in games.values()}
    assert len(keys) == len(games) > 20


@njit
def key(position, seed):
    return key_of(position, seed)


def test_a_game_that_lacks_an_answer_says_which():
    class Bare(NamedTuple):
        counts: np.ndarray

    with pytest.raises(NumbaError, match="Bare has no answer to 'key_of'"):
        key(Bare(np.zeros(2, np.int32)), np.uint64(1))


def test_a_module_without_an_entry_is_named():
    class Odd(Plain):
        compiled = "reversi_compiled"

    with pytest.raises(ValueError, match="Odd names reversi_compiled for its compiled answers: it has none"):
        stack([Odd()])


# Machine code on disk -------------------------------------------------------------------------------------------

PLAY = """
import sys
from mock5lib import Mock5
from mock5lib.game import kit
from mock5lib.game.lockstep_compiled import Table, place_moves

for game in [Mock5(3, 3, 3)] + [kit.game_named(name) for name in sys.argv[1:]]:
    table = Table(2, game)
    before = sum(place_moves.stats.cache_hits.values())
    table.place([0, 1], 2 * [game.legal_moves()[0]])
    print(type(game).__name__, table.plies.tolist(), sum(place_moves.stats.cache_hits.values()) - before)
"""


def lines(folder, *names):
    """What a process prints that plays k in a row, then these games: name, plies, and whether its code was kept."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PLAY, *names]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split("\n")[:-1]


@pytest.mark.slow
def test_machine_code_of_a_game_outside_is_kept_apart_and_by_its_own_sources(tmp_path):
    for file in ("reversi.py", "reversi_compiled.py"):
        shutil.copy(FILE.parent / file, tmp_path / file)
    ours, theirs = ("Mock5 [1, 1]", "Reversi [1, 1]")
    assert lines(tmp_path, "reversi.py:Reversi") == [f"{ours} 0", f"{theirs} 0"]
    assert lines(tmp_path, "reversi.py:Reversi") == [f"{ours} 1", f"{theirs} 1"]
    compiled = tmp_path / "reversi_compiled.py"
    compiled.write_text(compiled.read_text() + "\n# an edit\n")
    assert lines(tmp_path, "reversi.py:Reversi") == [f"{ours} 1", f"{theirs} 0"], "only what depends on it is compiled"
    readable = tmp_path / "reversi.py"
    readable.write_text(readable.read_text() + "\n# an edit\n")
    assert lines(tmp_path, "reversi.py:Reversi") == [f"{ours} 1", f"{theirs} 0"]
    assert lines(tmp_path, "reversi.py:Reversi") == [f"{ours} 1", f"{theirs} 1"]
    compiled.rename(tmp_path / "away.py")
    readable.rename(tmp_path / "gone.py")
    assert lines(tmp_path) == [f"{ours} 1"], "k in a row is played as if it had never been there"


def test_a_class_of_a_notebook_is_found_by_no_other_process():
    kind = type(stack([Reversi()]))
    assert file_of(kind) == FILE.with_name("reversi_compiled.py")

    class Typed(NamedTuple):
        counts: np.ndarray

    Typed.__module__ = "__main__"
    assert file_of(Typed) is None

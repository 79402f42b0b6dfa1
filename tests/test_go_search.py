"""The searches of the earlier chapters play Go as they are: UCT, its fast twin, search with an expert, the forest."""

import numpy as np
import pytest

from mock5go.board import Go
from mock5go.planes import planes49
from mock5lib import Mock5, names
from mock5lib.arena.tournament import Tournament
from mock5lib.search.forest_compiled import Forest, Search, positions_of
from mock5lib.search.puct import SearchTree
from mock5lib.search.uct import UCT, playout_for, simulate
from mock5lib.search.uct_compiled import FastUCT


class Blind:
    """An expert that finds all moves alike, and all positions even."""

    def of_positions(self, games):
        return np.zeros((len(games), games[0].actions)), np.zeros(len(games))


def lost_unless(color: int) -> Go:
    """Whoever moves takes the other's big group, and wins, with one move: the point 0."""
    stones = [0, 1, 1, 1, 2, 1, 1, 1, 2, 2, 2, 2, 0, 2, 0, 2]
    other = {0: 0, 1: 2, 2: 1}
    komi, board = (-5, stones) if color == 2 else (5, [other[stone] for stone in stones])
    return Go(4, komi=komi, board=board, player=color)


@pytest.mark.parametrize("color", [1, 2])
@pytest.mark.parametrize(
    "search",
    [
        lambda game: UCT(200, seed=0).search(game),
        lambda game: FastUCT(400, seed=0).search(game),
        lambda game: SearchTree(game, Blind()).search(600),
    ],
    ids=["uct", "fastuct", "puct"],
)
def test_every_search_finds_the_capture_that_wins(search, color):
    game = lost_unless(color)
    if search.__code__.co_names[0] == "SearchTree":  # it knows no playouts: let the game be near its end
        game = Go(4, game.komi, board=list(game.board), player=color, max_moves=2)
    result = search(game)
    assert result.move == 0 and len(result.visits) == 17 and game.history == []


def test_a_readable_playout_fills_no_eyes_and_wins_as_often_as_the_compiled_one():
    game, rng = Go(5, komi=0.5), np.random.default_rng(2)
    readable = np.bincount([simulate(game, rng) for _ in range(150)], minlength=3) / 150
    playout = playout_for(game, rng)
    compiled = np.bincount([playout(game) for _ in range(3000)], minlength=3) / 3000
    assert np.abs(readable - compiled).max() < 0.13 and game.history == []


def test_the_ko_is_kept_when_the_search_copies_the_board():
    game = Go(4, board=[".OX".index(c) for c in ".OX.OX.X.OX....."], player=1)
    game.apply(6)
    for result in (
        UCT(60, seed=0).search(game),
        FastUCT(60, seed=0).search(game),
        SearchTree(game, Blind()).search(40),
    ):
        assert result.visits[5] == 0 and result.prior[5] == 0


def test_tournaments_of_go_are_kept_and_go_on(tmp_path):
    tournament = Tournament(tmp_path / "ladder", pairs=2, openings=1, game=Go(4, 1.5))
    tournament.run([names.recipe("random", "one"), names.recipe("uct:20", "two")])
    again = Tournament.load(tmp_path / "ladder")
    assert again.start.komi == 1.5 and len(again.records()) == 4 and set(again.ratings().names) == {"one", "two"}


# The forest, by the same kernels as five in a row; test_forest.py holds it equal to the readable tree


def expert(planes):
    """Knows nothing of 49 planes."""
    return np.zeros((len(planes), planes.shape[2] * planes.shape[3] + 1), np.float32), np.zeros(len(planes), np.float32)


expert.encoder = planes49


def test_a_move_that_is_not_legal_is_refused_and_nothing_changes():
    game = Go(4, board=[".OX".index(c) for c in ".OX.OX.X.OX....."], player=1)
    game.apply(6)
    forest = Forest(1, game=Go(4), nodes=50)
    forest.set_positions(positions_of([game]))
    with pytest.raises(ValueError, match="Move 5 is illegal in game 0"):
        forest.advance(np.array([5]))
    assert bytes(forest.boards[0]) == bytes(game.board)
    forest.search(expert, 20)
    assert forest.visits[0, 5] == 0 and forest.visits.sum() == 20


def test_what_go_cannot_take_is_a_sentence():
    with pytest.raises(ValueError, match="forced_moves"):
        Search(expert, 5, forced_moves=True).run([Go(3)])
    with pytest.raises(ValueError, match="share board and rules"):
        Search(expert, 5).run([Go(3), Go(4)])
    with pytest.raises(ValueError, match="share board and rules"):
        Search(expert, 5).run([Go(3), Mock5(3, 3)])

"""The forest, which searches many games at once, plays Go by the same kernels as five in a row."""

import numpy as np
import pytest

from mock5lib import Mock5
from mock5lib.go.board import Go
from mock5lib.go.planes import planes49
from mock5lib.search.puct.agent import SearchAgent
from mock5lib.search.puct.forest import Forest, Search, positions_of
from mock5lib.search.puct.tree import SearchTree


def expert(planes):
    """Says something arbitrary but fixed about every position."""
    flat = planes.reshape(len(planes), -1)
    moves = planes.shape[2] * planes.shape[3] + 1
    weights = np.random.default_rng(0).normal(scale=0.05, size=(flat.shape[1], moves + 1)).astype(np.float32)
    answer = flat @ weights
    return answer[:, :-1], np.tanh(answer[:, -1])


expert.encoder = planes49


def random_games(rng, size: int, count: int) -> list[Go]:
    games = []
    while len(games) < count:
        game = Go(size, float(rng.integers(0, 4)) if not games else games[0].komi)
        for _ in range(int(rng.integers(0, 14))):
            if game.winner is None:
                game.apply(int(rng.choice(game.legal_moves())))
        if game.winner is None:
            games.append(game)
    return games


@pytest.mark.parametrize(("size", "simulations"), [(2, 80), (3, 60), (5, 50)])
def test_the_forest_gives_every_move_of_go_the_visits_of_the_readable_tree(size, simulations):
    games = random_games(np.random.default_rng(size), size, 6)
    for game, result in zip(games, Search(expert, simulations).run(games)):
        readable = SearchTree(game, expert).search(simulations)
        assert readable.visits.tolist() == result.visits.tolist() and readable.move == result.move
        assert readable.value == pytest.approx(result.value, abs=1e-5) and len(result.visits) == game.actions


def test_trees_are_kept_from_move_to_move_as_in_the_readable_tree():
    game, tree, agent = Go(4, 1.5), SearchTree(Go(4, 1.5), expert), SearchAgent(expert, 30, nodes=400)
    while game.winner is None and len(game.history) < 12:
        expected, got = tree.search(30), agent.think(game)
        assert expected.visits.tolist() == got.visits.tolist()
        move = game.pass_move if len(game.history) == 5 else got.move
        tree.advance(move)
        game.apply(move)


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

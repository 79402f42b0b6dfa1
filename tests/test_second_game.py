"""Both readable searches play any game that meets the contract: connect four, where a move is a column."""

import numpy as np
import pytest

from mock5check.ch01.connect_four import ConnectFour
from mock5lib.search.puct import SearchTree
from mock5lib.search.uct import UCT

WIN = "0011223"  # the last of these drops makes four across


class Blind:
    """An expert that knows nothing of connect four but how many columns there are."""

    def of_positions(self, games):
        return np.zeros((len(games), 7)), np.zeros(len(games))


class LooksAhead(ConnectFour):
    """It says that either player may be made the one to move."""

    looks_ahead = True


def played(columns, kind=ConnectFour):
    game = kind()
    for column in columns:
        game.apply(int(column))
    return game


def searches():
    """Name → a function from a game to a search's result."""
    return {
        "uct": lambda game: UCT(400, seed=0).search(game),
        "puct": lambda game: SearchTree(game, Blind()).search(400),
        "log-ucb": lambda game: SearchTree(game, Blind(), rule="log-ucb", c=2.0).search(400),
        "one ply ahead": lambda game: SearchTree(game, Blind(), forced_moves=True).search(50),
    }


@pytest.mark.parametrize("name", searches())
@pytest.mark.parametrize("columns, right", [(WIN[:-1], 3), ("010203", 0), ("6001122", 3), ("3010203", 0)], ids=str)
def test_a_search_makes_four_or_stops_four(name, columns, right):
    game = played(columns, LooksAhead)
    result = searches()[name](game)
    assert result.move == right and len(result.visits) == 7
    assert game.history == list(map(int, columns)), "the game is left as it is"


def test_a_whole_game_ends_with_kept_trees_and_full_columns():
    game = ConnectFour()
    tree = SearchTree(game, Blind(), max_depth=6)
    while game.winner is None:
        move = tree.search(30).move
        tree.advance(move)
        game.apply(move)
    assert tree.game.winner == game.winner


def test_an_expert_may_be_a_function_of_ones_own_planes():
    class Planes:
        def encode(self, games):
            return np.array([[np.reshape(game.board, (6, 7))] for game in games])

    def expert(planes):
        assert planes.shape == (1, 1, 6, 7)
        return np.zeros((1, 7)), np.zeros(1)

    expert.encoder = Planes()
    assert SearchTree(played(WIN[:-1]), expert).search(100).move == 3


def test_an_expert_that_forgets_a_column_is_a_clear_error():
    class Short(Blind):
        def of_positions(self, games):
            return np.zeros((len(games), 6)), np.zeros(len(games))

    with pytest.raises(ValueError, match="shape .6,., and 6 is a legal move"):
        SearchTree(ConnectFour(), Short())

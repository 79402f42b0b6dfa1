"""Trees of all searches, readable and compiled: walked, measured and held equal; and positions to search from."""

import numba
import numpy as np

from mock5go.board import Go
from mock5lib import Mock5
from mock5lib.game.position_compiled import key_of, play_out, position_of

OPEN_FOUR = [39, 0, 40, 8, 41, 72, 42, 80]  # 9×9: black to move has four in a row, free at 38 and 43
STATISTICS = ("move", "player", "visits", "wins", "untried", "value_sum", "exact")


def children_of(node) -> list:
    return list(node.children.values() if isinstance(node.children, dict) else node.children)


def every_node(node):
    yield node
    for child in children_of(node):
        yield from every_node(child)


def depth_of(node) -> int:
    return max((1 + depth_of(child) for child in children_of(node)), default=0)


def assert_same_tree(one, other) -> int:
    """Two trees with the same statistics in every node; returns how many nodes."""
    for name in STATISTICS:
        assert getattr(one, name, None) == getattr(other, name, None), name
    return 1 + sum(assert_same_tree(*pair) for pair in zip(children_of(one), children_of(other), strict=True))


@numba.njit
def played_out(position, seed):
    results = np.zeros(3, np.int64)
    play_out(position, 1, results, np.array([key_of(position, seed)]))
    return results.argmax()


def position_playout(seed: int):
    """A playout for the readable UCT that depends on the position alone, as the compiled one's do with `ordered`."""

    def playout(game) -> int:
        return game.winner if game.winner is not None else played_out(position_of(game), np.uint64(seed))

    return playout


def after_moves(game, moves: int, rng):
    """The game after so many random moves, or after fewer if it ends."""
    for _ in range(moves):
        if game.winner is None:
            game.apply(int(rng.choice(game.legal_moves())))
    return game


def running_five(rng, low=2, high=8) -> Mock5:
    """A running position after up to six random moves on a random board, under either rule."""
    while True:
        height, width = (int(side) for side in rng.integers(low, high, size=2))
        game = Mock5(height, width, int(rng.integers(2, 6)), exact=bool(rng.integers(2)))
        if after_moves(game, int(rng.integers(0, 7)), rng).winner is None:
            return game


def running_go(rng, low=2, high=6) -> Go:
    """A running position of Go after up to thirteen random moves on a small board."""
    while True:
        game = Go(int(rng.integers(low, high)), float(rng.integers(0, 5)))
        if after_moves(game, int(rng.integers(0, 14)), rng).winner is None:
            return game

"""Boards and games for tests: hypothesis strategies and a way to play random moves."""

import numpy as np
from hypothesis import strategies as st

from mock5lib import Mock5

shapes = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(1, 6), st.booleans())


def random_game(height, width, k, exact, moves, seed) -> Mock5:
    """A game after up to `moves` uniform random moves (fewer if it ends)."""
    rng, game = np.random.default_rng(seed), Mock5(height, width, k, exact=exact)
    for _ in range(moves):
        if game.winner is not None:
            break
        game.apply(int(rng.choice(game.legal_moves())))
    return game


@st.composite
def played_games(draw, max_moves=80):
    """A random game on a random board, square or not, under either rule."""
    height, width, k, exact = draw(shapes)
    return random_game(height, width, k, exact, draw(st.integers(0, max_moves)), draw(st.integers(0, 2**32 - 1)))


def scan_winner(game) -> int | None:
    """Who has a row, by the plainest possible scan of the whole board: the judge of all other judges."""
    board = np.array(game.board).reshape(game.height, game.width)
    lines = [*board, *board.T]
    for grid in (board, board[:, ::-1]):
        lines += [np.diagonal(grid, offset) for offset in range(-game.height + 1, game.width)]
    for line in lines:
        runs = "".join(map(str, line))
        for player in (1, 2):
            for run in runs.replace(str(3 - player), " ").replace("0", " ").split():
                if len(run) == game.k or (len(run) > game.k and not game.exact):
                    return player
    return None if 0 in board else 0

"""An outside judge: OpenSpiel replays our random games and must agree on every legal move and every result."""

import numpy as np
import pytest

from mock5check.ch01.connect_four import ConnectFour
from mock5lib import Mock5

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed here")
pytestmark = pytest.mark.slow

# OpenSpiel's gomoku plays squares, its mnk rectangles (m columns, n rows); in both an overline wins.
GAMES = [
    ("tic_tac_toe", lambda: Mock5(3, 3, 3), 500),
    ("gomoku(size=9,connect=5)", lambda: Mock5(9, 9), 500),
    ("gomoku(size=15,connect=5)", Mock5, 250),
    ("gomoku(size=6,connect=4)", lambda: Mock5(6, 6, 4), 400),
    ("mnk(m=11,n=7,k=5)", lambda: Mock5(7, 11), 200),
    ("mnk(m=4,n=6,k=3)", lambda: Mock5(6, 4, 3), 150),
    ("connect_four", ConnectFour, 300),
]


def replay_beside(theirs, ours, rng) -> None:
    """Play one random game on both boards, comparing after every move."""
    while True:
        assert theirs.is_terminal() == (ours.winner is not None)
        if theirs.is_terminal():
            returns = theirs.returns()
            assert ours.winner == (0 if returns[0] == 0 else 1 if returns[0] > 0 else 2)
            return
        legal = theirs.legal_actions()
        assert ours.legal_moves() == legal and ours.player == theirs.current_player() + 1
        move = int(rng.choice(legal))
        theirs.apply_action(move)
        ours.apply(move)


@pytest.mark.parametrize(("name", "new", "games"), GAMES)
def test_random_games_agree_with_openspiel(name, new, games):
    try:
        game = pyspiel.load_game(name)
    except pyspiel.SpielError as problem:
        pytest.skip(f"this OpenSpiel has no {name}: {problem}")
    rng = np.random.default_rng(11)
    for _ in range(games):
        replay_beside(game.new_initial_state(), new(), rng)

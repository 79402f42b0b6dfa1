"""Mock5, the board in the hand."""

import copy
import pickle

import numpy as np
import pytest
from crooks import first_free
from games import played_games, random_game, scan_winner
from hypothesis import given
from hypothesis import strategies as st
from reference_vectors import positions

from mock5lib import Mock5
from mock5lib.game.points import MAX_SIDE
from mock5lib.game.referee import UNDO


def state(game):
    return (list(game.board), list(game.history), game.player, game.winner, str(game))


# The original's word


@pytest.mark.parametrize("position", positions(), ids=lambda p: f"{p['height']}x{p['width']}-{len(p['history'])}")
def test_board_agrees_with_the_original_package(position):
    game = Mock5(position["height"], position["width"], history=position["history"])
    assert game.player == position["player"]
    assert game.check_win() == position["winner"]
    assert str(game) == position["text"]
    for key, history in position["replay"].items():
        angle, flip = map(int, key.split(","))
        assert game.replay(angle, flip).history == history


# Laws


@given(played_games())
def test_the_winner_is_the_one_a_scan_of_the_whole_board_finds(game):
    assert game.winner == scan_winner(game)


@given(played_games(), st.integers(0, 2**32 - 1))
def test_a_board_edited_by_hand_is_judged_rightly(game, seed):
    rng = np.random.default_rng(seed)
    for _ in range(5):
        game[int(rng.integers(game.height)), int(rng.integers(game.width))] = int(rng.integers(3))
    found = scan_winner(game)
    both = Mock5(game.height, game.width, game.k, board=game.board, exact=game.exact)
    if found in (1, 2):
        assert game.winner in (1, 2) and both.winner in (1, 2)
    else:
        assert game.winner == found == both.winner


@given(played_games())
def test_undo_inverts_play(game):
    before = state(game)
    for move in game.legal_moves():
        game.apply(move)
        assert game.board[move] and game.history[-1] == move
        game.undo()
        assert state(game) == before
    while game.history:
        game.undo()
    assert state(game) == state(Mock5(game.height, game.width, game.k, exact=game.exact))
    assert game.undo() == 0


@given(played_games())
def test_a_copy_is_equal_and_independent(game):
    ways = (Mock5.copy, Mock5.duplicate, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game)))
    for other in (way(game) for way in ways):
        assert state(other) == state(game)
        assert (other.k, other.exact) == (game.k, game.exact)
        before = state(game)
        for move in other.legal_moves()[:1]:
            other.apply(move)
        other.board[0] = 0
        assert state(game) == before


@given(played_games())
def test_a_replay_is_the_same_game_turned(game):
    board = np.array(game.board).reshape(game.height, game.width)
    for angle in range(4):
        for flip in (0, 1):
            turned = game.replay(angle, flip)
            assert (turned.winner, turned.player) == (game.winner, game.player)
            wanted = np.rot90(board[:, ::-1] if flip else board, angle)
            assert np.array_equal(np.array(turned.board).reshape(turned.height, turned.width), wanted)


# Rules


def test_an_overline_wins_freestyle_but_not_under_the_exact_rule():
    moves = [0, 9, 1, 10, 2, 11, 4, 12, 5, 14, 3]  # black fills 0…5 with 3 last; white 9…12, 14
    assert Mock5(9, 9, history=moves).winner == 1
    exact = Mock5(9, 9, history=moves, exact=True)
    assert exact.winner is None
    exact.apply(13)  # white: 9…14, six in a row
    assert exact.winner is None


def test_k_may_exceed_the_board_and_then_every_game_is_a_draw():
    assert Mock5(3, 3, k=5, history=range(9)).winner == 0


def test_with_k_of_one_the_first_stone_wins():
    assert Mock5(3, 3, k=1, history=[4]).winner == 1


def test_duplicate_keeps_the_player_to_move():
    assert Mock5(5, 5, history=[12]).duplicate().player == 2


# Bad input: a sentence, and the game as it was


@pytest.mark.parametrize(
    ("move", "error", "words"),
    [
        (4, ValueError, "Row 1, column 1 is occupied by black"),
        (9, IndexError, "points are 0 to 8"),
        (-1, IndexError, "points are 0 to 8"),
        ((0, 3), IndexError, "columns are 0 to 2"),
        ((-1, 0), IndexError, "rows are 0 to 2"),
        ("a1", TypeError, "'a1'"),
        (1.5, TypeError, "1.5"),
        (True, TypeError, "True"),
        (None, TypeError, "None"),
        ((1, 2, 3), TypeError, r"\(1, 2, 3\)"),
        ((1, "2"), TypeError, "'2'"),
    ],
)
def test_an_illegal_move_is_a_clear_error_and_changes_nothing(move, error, words):
    game = Mock5(3, 3, k=3, history=[4])
    before = state(game)
    with pytest.raises(error, match=words):
        game.apply(move)
    assert state(game) == before


def test_a_finished_game_takes_no_move():
    game = Mock5(3, 3, k=3, history=[0, 3, 1, 4, 2])
    assert game.legal_moves() == []
    with pytest.raises(ValueError, match="black has won"):
        game.apply(8)
    assert not game.place_stone(2, 2)
    game.undo()
    assert game.winner is None and 8 in game.legal_moves()


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"height": 0}, ValueError, "height must be between 1 and 36, got 0"),
        ({"width": MAX_SIDE + 1}, ValueError, "width must be between 1 and 36, got 37"),
        ({"height": 9.0}, TypeError, "9.0"),
        ({"k": 0}, ValueError, "k must be between 1 and 1296, got 0"),
        ({"k": True}, TypeError, "True"),
        ({"board": [0] * 8}, ValueError, "has 9 points, got 8"),
        ({"board": [3] + [0] * 8}, ValueError, "got 3"),
        ({"history": [0, 0]}, ValueError, "Move 2 of the history: Row 0, column 0 is occupied"),
        ({"history": [9]}, IndexError, "Move 1 of the history"),
    ],
)
def test_a_senseless_board_is_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        Mock5(**{"height": 3, "width": 3, "k": 3} | arguments)


def test_the_wrong_player_is_refused():
    with pytest.raises(ValueError, match="got 3"):
        Mock5().place_stone(0, 0, player=3)
    with pytest.raises(ValueError, match="got 0"):
        Mock5().numpy(player=0)


# Views


def test_planes_are_empty_own_other_and_keep_rows_and_columns_apart():
    game = Mock5(2, 3, history=[1, 5])
    planes = game.numpy()
    assert planes.shape == (3, 2, 3) and planes.dtype == float
    assert planes[1, 0, 1] == 1 and planes[2, 1, 2] == 1 and planes.sum() == 6
    assert np.array_equal(game.numpy(player=2)[[0, 2, 1]], planes)
    assert game.numpy(one_hot_encoding=False).tolist() == [0, 1, 0, 0, 0, 2]
    assert game.numpy(player=2, one_hot_encoding=False).tolist() == [0, 2, 0, 0, 0, 1]
    assert game.numpy(dtype=np.float32).dtype == np.float32


def test_tensors_hold_the_same_numbers():
    torch = pytest.importorskip("torch")
    game = Mock5(2, 3, history=[1, 5])
    assert game.tensor().dtype == torch.float32
    assert np.array_equal(game.tensor().numpy(), game.numpy())
    assert np.array_equal(game.tensor(one_hot_encoding=False).numpy(), game.numpy(one_hot_encoding=False))


def test_a_board_prints_and_compares_like_a_list():
    game = Mock5(1, 3, k=3, history=[1])
    assert repr(game.board) == "[0, 1, 0]" and game.board == [0, 1, 0] and game.board != [0, 0, 0]
    assert repr(game) == "<Mock5 1×3, k=3: 1 moves, running>"


# Playing


def test_play_returns_the_original_numbers_and_the_reason():
    outcome = Mock5(3, 3, k=3).play(first_free, first_free, False, False, False)
    assert outcome == 1 and outcome.reason == "player 1 (first_free) won"


def test_an_agent_may_take_moves_back_but_not_for_ever():
    assert Mock5(3, 3, k=3).play(first_free, lambda game: UNDO, False, False, False) == 1


def test_the_winner_is_counted_by_agent_whoever_had_black():
    for seed in range(8):
        outcome = Mock5(3, 3, k=3).play(
            first_free, lambda game: None, True, False, False, rng=np.random.default_rng(seed)
        )
        assert outcome == 1


def test_a_board_is_as_wide_as_high_unless_somebody_says_more():
    sizes = [(one.height, one.width) for one in (Mock5(), Mock5(9), Mock5(9, 12), Mock5(width=9))]
    assert sizes == [(15, 15), (9, 9), (9, 12), (15, 9)]


def test_a_human_can_play_at_the_terminal(monkeypatch, capsys):
    answers = iter(["zz", "0", "0a", "0 0", "undo", "0 0", "gg"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    outcome = Mock5(3, 3, k=3).play(None, first_free, random_first=False)
    assert outcome == 2 and "resigned" in outcome.reason
    assert "not an empty point" in capsys.readouterr().out


def test_long_random_games_on_big_boards_agree_with_the_scan():
    for seed in range(5):
        game = random_game(36, 36, 7, False, 1296, seed)
        assert game.winner == scan_winner(game)

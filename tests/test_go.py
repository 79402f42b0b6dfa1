"""Go: the rules on the readable board, its compiled twin, and OpenSpiel as the judge of both."""

import copy
import os
import pickle

import numpy as np
import pytest

from mock5go import board_compiled, groups_compiled
from mock5go.board import Go
from mock5lib.base.contract import Game
from mock5lib.game.board_compiled import random_state

ALL = bool(os.environ.get("MOCK5_GO_ALL"))  # the numbers of games that the chapter states; minutes


def board(text: str, **options) -> Go:
    """A game that starts from rows of `.`, `O` (black) and `X` (white)."""
    rows = text.split()
    return Go(len(rows), board=[".OX".index(letter) for row in rows for letter in row], **options)


def played(names: str, size=9, **options) -> Go:
    game = Go(size, **options)
    for name in names.split():
        game.apply(game.move_named(name))
    return game


def test_go_meets_the_contract_of_a_game():
    game = Go(5)
    assert isinstance(game, Game) and game.winner is None and game.player == 1
    assert game.legal_moves() == list(range(26)) and game.pass_move == 25 and game.actions == 26
    game.apply((0, 0))
    other = game.copy()
    other.apply(3)
    assert game.history == [0] and other.history == [0, 3] and copy.deepcopy(game).history == [0]
    game.undo()
    assert game.history == [] and game.player == 1 and not any(game.board)
    assert pickle.loads(pickle.dumps(other)).history == [0, 3]


def test_a_group_without_liberties_is_taken_off():
    game = board("OX.. .... .... ....", player=2)
    game.apply(4)
    assert game.board[0] == 0 and game.board[4] == 2
    game.undo()
    assert game.board[0] == 1 and game.player == 2


def test_one_move_can_take_several_groups():
    game = board(".XO. XO.. O... ....", player=1)
    assert game.captures(0) == {1, 4}
    game.apply(0)
    assert game.board[1] == game.board[4] == 0


def test_suicide_is_forbidden_unless_it_captures():
    game = board(".X.. X... .... ....", player=1)
    assert "suicide" in game.why_illegal(0) and 0 not in game.legal_moves()
    with pytest.raises(ValueError, match="black may not play A4: its stone would have no liberty, which is suicide"):
        game.apply(0)
    many = board("O.X. OXX. XX.. ....", player=1)  # two stones would die with the third
    assert "suicide" in many.why_illegal(1)
    assert board(".XO. XO.. O... ....", player=1).why_illegal(0) is None


def test_a_ko_may_not_be_taken_back_at_once_but_later():
    game = board(".OX. OX.X .OX. ....", player=1)
    game.apply(6)
    assert game.board[5] == 0 and game.ko_point() == 5 and "ko" in game.why_illegal(5)
    game.apply(15)  # a threat elsewhere
    game.apply(12)
    assert game.why_illegal(5) is None
    game.apply(5)
    assert game.board[6] == 0


def test_a_copied_board_remembers_the_ko():
    game = board(".OX. OX.X .OX. ....", player=1)
    game.apply(6)
    assert 5 not in game.copy().legal_moves() and 5 not in pickle.loads(pickle.dumps(game)).legal_moves()


def test_positional_superko_forbids_what_simple_ko_allows():
    rng, forbidden = np.random.default_rng(5), 0
    for _ in range(60):
        strict = Go(2, ko="positional", max_moves=60)
        while strict.winner is None:
            loose = Go(2, ko="simple", max_moves=60, history=strict.history)
            extra = set(loose.legal_moves()) - set(strict.legal_moves())
            for move in extra:
                after = loose.copy()
                after.apply(move)
                assert bytes(after.board) in strict._seen
            forbidden += len(extra)
            strict.apply(int(rng.choice(strict.legal_moves())))
        played_boards = [b for b, move in zip(strict._seen[1:], strict.history) if move != strict.pass_move]
        assert len(set(played_boards)) == len(played_boards), "no move has brought a position back"
    assert forbidden > 20


def test_two_passes_end_the_game_and_area_with_komi_decides():
    game = board("O... OOOO XXXX ...X", komi=0)
    assert game.areas() == (8, 8)
    game.apply(game.pass_move)
    assert game.winner is None
    game.apply(game.pass_move)
    assert game.winner == 0 and game.legal_moves() == [] and game.outcome_text() == "a draw"
    with pytest.raises(ValueError, match="The game is over"):
        game.apply(3)


def test_komi_is_whites():
    for komi, winner in ((15.5, 1), (16, 0), (16.5, 2)):
        game = board("O... .... .... ....", komi=komi)
        game.apply(16), game.apply(16)
        assert game.winner == winner


def test_points_between_both_colors_belong_to_nobody():
    assert board("O.X. .... .... ....").areas() == (1, 1)
    assert Go(4).areas() == (0, 0)


def test_an_eye_is_no_false_eye():
    assert board(".O.. O... .... ....").is_eye(0)
    assert not board(".O.. OX.. .... ....").is_eye(0), "a corner falls with one stone across"
    middle = "..... ..O.. .O.O. ..OX. ....."
    assert board(middle).is_eye(12)
    assert not board("..... .XO.. .O.O. ..OX. .....").is_eye(12)


def test_a_playout_fills_no_eyes_and_passes_only_when_nothing_is_left():
    game = board(".O.O OOOO OOOO O.OO", player=1)
    assert set(game.playout_moves()) == {game.pass_move}
    assert 16 not in Go(4).playout_moves()


def test_a_game_without_end_is_counted():
    game = Go(3, max_moves=4)
    for move in (0, 1, 2, 5):
        game.apply(move)
    assert game.winner == 2 and game.legal_moves() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 1}, "size must be between 2 and 19, got 1"),
        ({"size": 20}, "between 2 and 19"),
        ({"komi": float("nan")}, "komi"),
        ({"ko": "none"}, "ko must be one of"),
        ({"max_moves": 0}, "max_moves"),
        ({"size": 2, "board": [1, 1, 1, 1]}, "no liberty"),
        ({"size": 2, "board": [1, 1, 1]}, "4 points"),
        ({"size": 3, "history": [0, 0]}, "Move 2 of the history: white may not play A3: the point is occupied"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        Go(**options)


def test_names_are_those_of_go_players():
    game = Go(9)
    assert [game.name_of(move) for move in (0, 8, 72, 80, 81)] == ["A9", "J9", "A1", "J1", "pass"]
    assert all(game.move_named(game.name_of(move)) == move for move in range(82))
    for wrong in ("", "I5", "A0", "A10", "K1", "5", "A", "A-1", "A²"):
        with pytest.raises(ValueError, match="no point"):
            game.move_named(wrong)


# The compiled twin ------------------------------------------------------------------------------------------------


def random_game(size: int, rng, **options):
    """Play random legal moves on both boards, with a pass now and then; yields both after each."""
    game = Go(size, **options)
    twin = board_compiled.position_of(game)
    yield game, twin
    while game.winner is None:
        legal = game.legal_moves()
        move = int(rng.choice(legal[:-1])) if len(legal) > 1 and rng.random() < 0.97 else game.pass_move
        game.apply(move)
        assert board_compiled.play_moves(twin, np.array([move])) == 1
        yield game, twin


GAMES = [(2, 150), (3, 100), (4, 40), (5, 15), (7, 3), (9, 1)]


@pytest.mark.parametrize(("size", "games"), GAMES)
@pytest.mark.parametrize("ko", ["positional", "simple"])
def test_the_compiled_twin_agrees_with_the_board(size, games, ko):
    rng = np.random.default_rng([size, len(ko)])
    for _ in range(10 * games if ALL else games):
        for game, twin in random_game(size, rng, komi=float(rng.integers(0, 8)), ko=ko):
            assert board_compiled.legal_moves_of(twin) == game.legal_moves()
            assert bytes(board_compiled.board_of(twin)) == bytes(game.board)
            assert board_compiled.lead_of(twin) == game.lead()
            assert board_compiled.winner_of(twin) == (board_compiled.RUNNING if game.winner is None else game.winner)


def test_undo_goes_back_through_whole_games():
    rng = np.random.default_rng(1)
    for size in (2, 3, 5):
        *_, (game, _) = random_game(size, rng)
        history, seen = game.history.copy(), game._seen.copy()
        while game.history:
            game.undo()
            assert game._seen == seen[: len(game.history) + 1] and bytes(game.board) == game._seen[-1]
        assert Go(size, history=history)._seen == seen


def test_a_twin_is_made_from_any_position():
    game = board(".OX. OX.X .OX. ....", player=1)
    game.apply(6)
    twin = board_compiled.position_of(game)
    assert 5 not in board_compiled.legal_moves_of(twin) and board_compiled.legal_moves_of(twin) == game.legal_moves()


def test_random_moves_are_drawn_evenly_from_the_playout_moves():
    game = board("OX.. .XX. OO.X .OX.", player=2)
    twin, state, drawn = board_compiled.position_of(game), random_state(3), []
    for _ in range(4000):
        drawn.append(int(board_compiled.move_at(board_compiled.random_move(twin, state), 4)))
    counts = np.bincount(drawn, minlength=17)
    allowed = game.playout_moves()
    assert set(np.flatnonzero(counts)) == set(allowed)
    assert (np.abs(counts[allowed] - 4000 / len(allowed)) < 5 * np.sqrt(4000 / len(allowed))).all()


def test_random_playouts_end_with_every_point_decided():
    position, state = board_compiled.position_of(Go(9)), random_state(1)
    tally = board_compiled.playout_tally(position, 300, state)
    assert tally.sum() == 300 and tally[0] == 0 and 60 < tally[1] < 200, "komi of 7.5 favors white"
    work = board_compiled.copy_of(position)
    board_compiled.play_out(work, state)
    assert work.counts[groups_compiled.PASSES] == 2 and work.counts[groups_compiled.EMPTY_COUNT] < 40
    assert position.counts[groups_compiled.PLY] == 0


# OpenSpiel --------------------------------------------------------------------------------------------------------


def theirs(move: int, size: int) -> int:
    """Our move as OpenSpiel numbers it, whose rows count from the bottom; its own inverse."""
    return move if move == size**2 else (size - 1 - move // size) * size + move % size


@pytest.mark.parametrize(("size", "komi", "games"), [(9, 7.5, 900), (5, 2.0, 400), (7, 4.5, 400), (2, 0.0, 300)])
def test_random_games_agree_with_openspiel(size, komi, games):
    """Its ko is simple, and it ends a game as a draw when a position comes back; our superko forbids that move."""
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed here")
    spiel = pyspiel.load_game(f"go(board_size={size},komi={komi})")
    rng, repeated = np.random.default_rng(size), 0
    for _ in range(games if ALL else games // 10):
        state, simple = spiel.new_initial_state(), Go(size, komi, ko="simple", max_moves=spiel.max_game_length())
        loose = board_compiled.position_of(simple)
        strict = loose._replace(superko=True, points=loose.points.copy(), counts=loose.counts.copy())
        strict = strict._replace(seen=loose.seen.copy())
        while not state.is_terminal():
            legal = state.legal_actions()
            assert sorted(theirs(move, size) for move in board_compiled.legal_moves_of(loose)) == sorted(legal)
            assert set(board_compiled.legal_moves_of(strict)) <= {theirs(action, size) for action in legal}
            action = int(rng.choice(legal))
            state.apply_action(action)
            move = np.array([theirs(action, size)])
            allowed = board_compiled.play_moves(strict, move)
            assert board_compiled.play_moves(loose, move) == 1
            if not allowed:  # the move brings a position back
                assert state.is_terminal() and state.returns() == [0, 0]
                repeated += 1
                break
        else:
            returns, winner = state.returns(), board_compiled.winner_of(strict)
            assert winner == board_compiled.winner_of(loose) == (0 if returns[0] == 0 else 1 if returns[0] > 0 else 2)
    assert repeated > 0 or size > 2

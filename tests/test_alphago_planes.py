"""AlphaGo's planes for five in a row, and the stone planes of its fast policy."""

import numpy as np
import pytest
from games import random_game
from hypothesis import given, settings
from hypothesis import strategies as st

from mock5lib import Mock5
from mock5lib.alphago import planes as alphago_planes
from mock5lib.alphago import planes_compiled
from mock5lib.alphago.planes import FEATURES, StonePlanes, planes48, planes49, readable_planes
from mock5lib.game import symmetry
from mock5lib.gomoku import forced_wins as vcf
from mock5lib.gomoku.threats import Threat


@st.composite
def running_games(draw, shapes=((9, 9), (6, 9), (7, 5), (15, 15)), moves=70):
    height, width = draw(st.sampled_from(shapes))
    game = random_game(height, width, 5, False, draw(st.integers(0, moves)), draw(st.integers(0, 2**32 - 1)))
    while game.winner is not None:
        game.undo()
    return game


def feature(name):
    """The planes of one feature as a slice."""
    found = next(f for f in FEATURES if f.name == name)
    return slice(found.first, found.first + found.planes)


def test_the_features_fill_48_planes_and_one_more_without_a_gap():
    firsts = [f.first for f in FEATURES]
    assert firsts == np.cumsum([0, *(f.planes for f in FEATURES[:-1])]).tolist()
    assert len(FEATURES) == 12 and FEATURES[-1].first == 48
    assert planes48.channels == 48 and planes49.channels == 49


@settings(max_examples=30)
@given(running_games())
def test_the_kernel_and_its_readable_twin_give_the_same_planes(game):
    assert np.array_equal(planes49.encode([game])[0], readable_planes(game))


@given(running_games())
def test_every_plane_holds_zeros_and_ones_and_numbers_are_one_hot(game):
    planes = planes49.encode([game])[0]
    assert np.isin(planes, (0, 1)).all()
    empty, stones = planes[2], planes[0] + planes[1]
    assert (planes[:3].sum(axis=0) == 1).all()
    assert np.array_equal(planes[feature("turns since")].sum(axis=0), stones)
    for name in ("own threat level", "opponent's threat level", "own second direction", "opponent's second direction"):
        assert np.array_equal(planes[feature(name)].sum(axis=0), empty)


@given(running_games(shapes=((9, 9),)), st.integers(0, 7))
def test_a_turned_game_has_turned_planes_but_for_one_sided_open_threes(game, number):
    """The original's open threes are not symmetric (see `threats`), so levels are compared where none is near."""
    angle, flip = symmetry.SYMMETRIES[number]
    planes = planes49.encode([game])[0]
    turned = planes49.encode([game.replay(angle, flip)])[0]
    same = [*range(14), planes_compiled.WIN_STARTS, planes_compiled.REFUTES, 48]
    assert np.array_equal(symmetry.transform(planes[same], angle, flip), turned[same])


def test_planes_are_seen_by_the_player_to_move():
    game = Mock5(9, 9, history=[40, 41, 49])
    planes = planes49.encode([game])[0].reshape(49, -1)  # white to move
    assert np.flatnonzero(planes[0]).tolist() == [41]
    assert np.flatnonzero(planes[1]).tolist() == [40, 49]
    assert not planes[48].any()
    game.apply(0)
    planes = planes49.encode([game])[0].reshape(49, -1)
    assert np.flatnonzero(planes[0]).tolist() == [40, 49]
    assert planes[48].all()


def test_the_ages_of_stones_count_from_the_last_move():
    moves = [0, 2, 4, 6, 8, 18, 20, 22, 24, 26]
    planes = planes48.encode([Mock5(9, 9, history=moves)])[0].reshape(48, -1)[feature("turns since")]
    assert [np.flatnonzero(plane).tolist() for plane in planes[:7]] == [[move] for move in reversed(moves[-7:])]
    assert np.flatnonzero(planes[7]).tolist() == moves[:3]


def test_stones_put_by_hand_are_old():
    game = Mock5(9, 9)
    game.board[40] = 1
    assert planes48.encode([game])[0].reshape(48, -1)[13, 40] == 1


def test_a_point_where_nobody_can_make_five_is_not_sensible():
    game = Mock5(5, 5)
    for point, stone in zip((0, 1, 2, 3, 4), (0, 1, 2, 1, 2)):  # row 0 is dead, and so is what leads only there
        game.board[point] = stone
    game.board[12], game.board[10], game.board[5] = 2, 1, 1
    planes = planes48.encode([game])[0]
    assert planes[5, 0, 0] == 1  # its column is black's, its diagonal white's
    game.board[6], game.board[15] = 1, 2
    assert planes48.encode([game])[0][5, 0, 0] == 0 == alphago_planes.can_matter(game, 0)


def test_a_double_threat_shows_in_the_second_direction():
    game = Mock5(9, 9)
    for point in (37, 38, 39, 13, 22, 31):  # row 4 and column 4, each closed at one end
        game.board[point] = 1
    game.board[36] = game.board[4] = 2
    planes = planes48.encode([game])[0][:, 4, 4]
    assert planes[feature("own threat level")].argmax() == planes[feature("own second direction")].argmax() == 3
    assert Threat(3) == Threat.FOUR


def test_a_four_outranks_an_open_three():
    game = Mock5(9, 9)
    for point in (37, 38, 39, 22, 31):
        game.board[point] = 1
    game.board[36] = 2
    planes = planes48.encode([game])[0][:, 4, 4]
    assert planes[feature("own threat level")].argmax() == Threat.FOUR
    assert planes[feature("own second direction")].argmax() == Threat.OPEN_THREE


def test_the_last_two_planes_are_the_reader_of_forced_wins():
    game = Mock5(9, 9)
    for point in (38, 39, 40):
        game.board[point] = 1
    planes = planes48.encode([game])[0].reshape(48, -1)
    assert np.flatnonzero(planes[46]).tolist() == np.flatnonzero(vcf.winning_starts(game)).tolist() == [37, 41]
    game.player = 2
    planes = planes48.encode([game])[0].reshape(48, -1)
    assert np.flatnonzero(planes[47]).tolist() == np.flatnonzero(vcf.refutations(game)).tolist() == [37, 41]


def test_other_games_and_depths_are_refused():
    with pytest.raises(ValueError, match="k = 4"):
        planes48.encode([Mock5(9, 9, 4)])
    with pytest.raises(ValueError, match="exact"):
        planes48.encode([Mock5(9, 9, exact=True)])
    with pytest.raises(ValueError, match="between 1 and 18"):
        StonePlanes(0)


def test_stone_planes_have_a_margin_off_the_board():
    game = Mock5(5, 6, history=[0, 29])
    planes = StonePlanes(2).encode([game])[0]
    assert planes.shape == (3, 9, 10)
    assert planes[0, 2, 2] == 1 == planes[0].sum() and planes[1, 6, 7] == 1 == planes[1].sum()
    assert planes[2].sum() == 9 * 10 - 5 * 6 and not planes[2, 2:7, 2:8].any()

"""The eight symmetries of the board."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mock5lib.game import symmetry

shapes = st.tuples(st.integers(1, 9), st.integers(1, 9))
turns = st.sampled_from(symmetry.SYMMETRIES)


@given(shapes, turns)
def test_moves_boards_and_policies_turn_alike(shape, turn):
    height, width = shape
    policy = np.random.default_rng(0).random(height * width)
    turned = symmetry.transform_policy(policy, height, width, *turn)
    where = symmetry.index_map(height, width, *turn)
    assert np.array_equal(turned[where], policy)
    assert np.array_equal(symmetry.transform_moves(np.arange(height * width), height, width, *turn), where)
    planes = symmetry.transform(policy.reshape(1, height, width), *turn)
    assert planes.shape[1:] == symmetry.turned_shape(height, width, turn[0])
    assert np.array_equal(planes.reshape(-1), turned)


@given(shapes, turns)
def test_the_inverse_undoes_a_symmetry(shape, turn):
    board = np.arange(shape[0] * shape[1]).reshape(shape)
    assert np.array_equal(symmetry.transform(symmetry.transform(board, *turn), *symmetry.inverse(*turn)), board)


@pytest.mark.parametrize("side", [3, 15])
def test_a_square_board_has_eight_different_symmetries(side):
    maps = {tuple(symmetry.index_map(side, side, *turn)) for turn in symmetry.SYMMETRIES}
    assert len(maps) == 8


def test_a_quarter_turn_is_counter_clockwise():
    assert symmetry.index_map(2, 2, 1, 0).tolist() == [2, 0, 3, 1]  # the top right corner goes to the top left

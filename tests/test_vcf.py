"""The reader of forced wins by continuous fours: on positions composed by hand, and against a reader by brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mock5lib import Mock5
from mock5lib.gomoku import forced_wins as vcf


def position(text: str, player: int = 1, exact: bool = False) -> Mock5:
    """A board drawn with X for black, O for white and . for empty."""
    rows = text.split()
    stones = [".XO".index(mark) for row in rows for mark in row]
    game = Mock5(len(rows), len(rows[0]), board=stones, exact=exact)
    game.player = player
    return game


def points(mask, width):
    return [divmod(point, width) for point in np.flatnonzero(mask).tolist()]


FOUR = position("""
.........
.........
.OXXXX.O.
.........
.........""")

OPEN_THREE = position("""
.........
..XXX....
.........
.........
.........""")


# The double four of column 4 and row 4 needs a stone at (1, 4), which a four in row 1 brings for free.
TWO_FOURS = position("""
....O....
OXXX.....
....X....
....X....
OXXX.....
.........
.........""")


def test_a_five_that_can_be_made_is_the_win_at_depth_0():
    assert vcf.forced_win(FOUR, depth=0) == [2 * 9 + 6]
    assert points(vcf.winning_starts(FOUR, depth=0), 9) == [(2, 6)]


def test_a_three_open_at_both_ends_wins_by_one_four():
    assert vcf.forced_win(OPEN_THREE, depth=0) is None
    line = vcf.forced_win(OPEN_THREE, depth=1)
    assert len(line) == 3
    assert points(vcf.winning_starts(OPEN_THREE, depth=1), 9) == [(1, 1), (1, 5)]


def test_a_four_that_brings_a_stone_for_the_next_is_found_at_depth_2():
    assert vcf.forced_win(TWO_FOURS, depth=1) is None
    line = vcf.forced_win(TWO_FOURS, depth=2)
    assert [divmod(move, 9) for move in line[:3]] == [(1, 4), (1, 5), (4, 4)]


def test_a_forced_answer_that_makes_a_four_breaks_the_chain():
    """Two fours of black meet in column 6; white's answer to either makes a four of its own, far from the other."""
    game = Mock5(13, 13)
    for row, col in [(5, 6), (6, 6), (4, 3), (4, 4), (4, 5), (7, 3), (7, 4), (7, 5)]:
        game[row, col] = 1
    white = [(3, 6), (4, 2), (7, 2), (8, 3), (8, 5), (6, 7)]  # these close other lines
    for row, col in [*white, (3, 8), (2, 9), (1, 10), (8, 8), (9, 9), (10, 10)]:
        game[row, col] = 2
    assert vcf.forced_win(game) is None and not vcf.winning_starts(game).any()
    game[10, 10] = 0  # now the answer at (7, 7) makes only a three
    assert [divmod(move, 13) for move in vcf.forced_win(game)[:3]] == [(7, 6), (7, 7), (4, 6)]


def test_an_overline_wins_only_where_it_counts():
    row = "..XXX.XX."
    assert vcf.forced_win(position(f"......... {row} ........."), depth=0) == [9 + 5]
    assert vcf.forced_win(position(f"......... {row} .........", exact=True), depth=0) is None


def test_refutations_are_the_stops_of_an_open_three_by_fours():
    game = OPEN_THREE.copy()
    game.player = 2
    assert points(vcf.refutations(game), 9) == [(1, 1), (1, 5)]
    near_the_edge = position("......... .XXX..... .........", player=2)
    assert points(vcf.refutations(near_the_edge), 9) == [(1, 0), (1, 4), (1, 5)]
    with_a_three = position("......... ..XXX.... ......... OOO...... .........", player=2)  # a four of one's own helps
    assert points(vcf.refutations(with_a_three), 9) == [(1, 1), (1, 5), (3, 3), (3, 4)]
    assert not vcf.refutations(OPEN_THREE).any()  # black to move: white has no win to refute


def test_a_finished_game_has_no_forced_win():
    game = Mock5(9, 9, history=[0, 9, 1, 10, 2, 11, 3, 12, 4])
    assert vcf.forced_win(game) is None and not vcf.winning_starts(game).any() and not vcf.refutations(game).any()


def test_reading_leaves_the_game_as_it_was():
    before = bytes(TWO_FOURS.board)
    vcf.forced_win(TWO_FOURS), vcf.winning_starts(TWO_FOURS), vcf.refutations(TWO_FOURS)
    assert bytes(TWO_FOURS.board) == before


@pytest.mark.parametrize("depth", [-1, 61])
def test_a_depth_out_of_its_range_is_refused(depth):
    with pytest.raises(ValueError, match="between 0 and 60"):
        vcf.forced_win(FOUR, depth=depth)


def test_another_k_and_another_player_are_refused():
    with pytest.raises(ValueError, match="k = 4"):
        vcf.forced_win(Mock5(6, 6, 4))
    with pytest.raises(ValueError, match="got 3"):
        vcf.forced_win(FOUR, 3)


# Against brute force: the defender may answer a four anywhere ---------------------------------------------------


@st.composite
def crowded_boards(draw, shapes, chance=0.75):
    """Positions in which one color has many stones, so that fours abound."""
    height, width = draw(st.sampled_from(shapes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    game = Mock5(height, width, exact=draw(st.booleans()))
    stones = rng.permutation(height * width)[: rng.integers(5, height * width - 3)]
    for point in stones:
        game[int(point)] = 1 if rng.random() < chance else 2
        if game.winner is not None:
            game[int(point)] = 0
    game.player = int(rng.integers(1, 3))
    return game


def wins_by_fours(game, player, fours) -> bool:
    """Brute force: any four for the attacker, any answer at all for the defender."""
    if vcf.winning_points(game, player):
        return True
    return fours > 0 and any(wins_with(game, move, player, fours) for move in game.legal_moves())


def wins_with(game, move, player, fours) -> bool:
    after = vcf.with_stone(game, move, player)
    if not vcf.winning_points(after, player):
        return False
    for reply in after.legal_moves():
        answered = vcf.with_stone(after, reply, 3 - player)
        if answered.winner is not None or not wins_by_fours(answered, player, fours - 1):
            return False
    return True


@given(crowded_boards([(5, 5), (5, 6), (6, 5)], chance=0.6))
def test_the_reader_agrees_with_brute_force(game):
    for player in (1, 2):
        for fours in (0, 1, 2):
            assert (vcf.forced_win(game, player, fours) is not None) == wins_by_fours(game, player, fours)


@given(crowded_boards([(5, 5), (5, 6)]))
def test_winning_starts_agree_with_brute_force(game):
    fives = vcf.winning_points(game, game.player)
    expected = fives or [move for move in game.legal_moves() if wins_with(game, move, game.player, 2)]
    assert np.flatnonzero(vcf.winning_starts(game, depth=2)).tolist() == expected


@given(crowded_boards([(5, 5), (5, 6)], chance=0.5))
def test_refutations_agree_with_brute_force(game):
    opponent = 3 - game.player
    expected = []
    if wins_by_fours(game, opponent, 1):
        for move in game.legal_moves():
            after = vcf.with_stone(game, move, game.player)
            if after.winner is not None or not wins_by_fours(after, opponent, 1):
                expected.append(move)
    assert np.flatnonzero(vcf.refutations(game, depth=1)).tolist() == expected


@given(crowded_boards([(6, 6), (7, 7), (5, 9)]))
@pytest.mark.slow
def test_the_reader_agrees_with_its_readable_twin_deeper_down(game):
    for player in (1, 2):
        fast, readable = vcf.forced_win(game, player, 4), vcf.readable_forced_win(game, player, 4)
        assert (fast is None) == (readable is None)


@given(crowded_boards([(7, 7), (9, 9)]))
def test_a_line_that_is_found_can_be_played_to_its_five(game):
    for player in (1, 2):
        line = vcf.forced_win(game, player)
        if line is not None:
            board = game.copy()
            for ply, move in enumerate(line):
                assert board.winner is None and board.board[move] == 0
                board = vcf.with_stone(board, move, player if ply % 2 == 0 else 3 - player)
            assert board.winner == player
            assert vcf.winning_starts(game, player)[line[0]]

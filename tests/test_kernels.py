"""The compiled rules say what the readable ones say."""

import numpy as np
import pytest
from games import played_games, random_game
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_vectors import positions

from mock5lib import Mock5
from mock5lib.game import board_compiled
from mock5lib.gomoku import forced_wins_compiled, lines_compiled
from mock5lib.gomoku.threats import PRECEDENCE, Analysis, Threat, level_tables, line_threats, readable_levels


def rules(game):
    return game.height, game.width, game.k, game.exact


@given(played_games())
def test_the_compiled_win_test_agrees_with_the_board(game):
    if game.history:
        last = game.history[-1]
        assert board_compiled.wins_at(game.cells, *rules(game), last) == (game.winner in (1, 2))


@given(played_games())
def test_the_padded_win_test_agrees_with_the_plain_one(game):
    stride = game.width + 1
    padded = np.empty((game.height + 2) * stride + 1, dtype=np.int8)
    empties = np.empty(game.height * game.width, dtype=np.int16)
    count = board_compiled.pad(game.cells, game.height, game.width, padded, empties)
    points = [board_compiled.padded_point(move, game.width) for move in range(len(game.board))]
    assert padded[points].tolist() == list(game.board)
    assert empties[:count].tolist() == [point for point, stone in zip(points, game.board, strict=True) if not stone]
    for move, stone in enumerate(game.board):
        if stone:
            at = board_compiled.padded_point(move, game.width)
            assert board_compiled.wins_at_padded(
                padded, stride, game.k, game.exact, at, stone
            ) == board_compiled.wins_at(game.cells, *rules(game), move)


@settings(max_examples=30)
@given(played_games(max_moves=20), st.integers(0, 2**63))
def test_a_playout_ends_as_a_game_can_end_and_keeps_the_board(game, seed):
    if game.winner is not None:
        return
    before = bytes(game.board)
    tally = board_compiled.playout_tally(game.cells, *rules(game), game.player, 20, board_compiled.random_state(seed))
    assert tally.sum() == 20 and bytes(game.board) == before
    again = board_compiled.playout_tally(game.cells, *rules(game), game.player, 20, board_compiled.random_state(seed))
    assert np.array_equal(tally, again)


def python_playout(game, rng):
    game = game.copy()
    while game.winner is None:
        game.apply(int(rng.choice(game.legal_moves())))
    return game.winner


def test_random_playouts_are_as_often_won_as_plain_python_random_games():
    game, rng, games = Mock5(3, 3, k=3), np.random.default_rng(1), 4000
    python = np.bincount([python_playout(game, rng) for _ in range(games)], minlength=3) / games
    fast = board_compiled.playout_tally(game.cells, *rules(game), 1, 200_000, board_compiled.random_state(2)) / 200_000
    # Of all orders of play 12.70 % end in a draw, 58.49 % in a win of the first player, 28.81 % of the second.
    assert np.abs(fast - [0.1270, 0.5849, 0.2881]).max() < 0.005
    assert np.abs(python - fast).max() < 0.03


def test_one_stone_from_winning_a_playout_sees_the_win():
    game = Mock5(3, 3, k=3, board=[1, 1, 0, 2, 2, 1, 1, 2, 2])  # one empty point, black to fill it
    assert board_compiled.random_playout(game.cells, 3, 3, 3, False, 1, board_compiled.random_state(0)) == 1
    assert board_compiled.random_playout(game.cells, 3, 3, 3, False, 2, board_compiled.random_state(0)) == 0


def test_random_numbers_are_uniform():
    state = board_compiled.random_state(3)
    counts = np.bincount([board_compiled.random_below(state, 10) for _ in range(50_000)], minlength=10)
    assert np.abs(counts - 5000).max() < 300
    units = np.array([board_compiled.random_unit(state) for _ in range(20_000)])
    assert 0 <= units.min() and units.max() < 1 and abs(units.mean() - 0.5) < 0.01


# Threats


@pytest.mark.parametrize("position", positions(), ids=lambda p: f"{p['height']}x{p['width']}-{len(p['history'])}")
def test_threat_levels_agree_with_the_original_package(position):
    game = Mock5(position["height"], position["width"], history=position["history"])
    wanted = np.array([position["threats"]["1"], position["threats"]["2"]])
    assert np.array_equal(Analysis(game).levels, wanted)
    assert np.array_equal(readable_levels(game), wanted)


@settings(max_examples=50)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 60), st.integers(0, 2**32 - 1))
def test_compiled_threats_agree_with_the_readable_ones(height, width, moves, seed):
    game = random_game(height, width, 5, False, moves, seed)
    assert np.array_equal(Analysis(game).levels, readable_levels(game))


@settings(max_examples=50)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 60), st.integers(0, 2**32 - 1))
def test_codes_and_levels_follow_stones_placed_and_taken_back(height, width, moves, seed):
    game, shape, tables = (
        random_game(height, width, 5, False, moves, seed),
        lines_compiled.lines_of(height, width),
        level_tables(),
    )
    whole, position = lines_compiled.new_position(shape, tables), lines_compiled.new_position(shape, tables)
    lines_compiled.load(whole, game.cells, -1)
    lines_compiled.load(position, np.zeros(height * width, np.int8), -1)
    stones = [(np.int64(shape.points[move]), 1 + number % 2) for number, move in enumerate(game.history)]
    for at, stone in stones:
        lines_compiled.place(position, at, stone)
    for part in ("board", "codes", "levels"):
        assert np.array_equal(getattr(whole, part)[shape.points], getattr(position, part)[shape.points])
    for at, stone in stones:
        forced_wins_compiled.take(position, at, stone)
    lines_compiled.load(whole, np.zeros(height * width, np.int8), -1)
    for part in ("board", "codes", "levels"):
        assert np.array_equal(getattr(whole, part)[shape.points], getattr(position, part)[shape.points])


@pytest.mark.parametrize(
    ("line", "point", "level"),
    [
        (".........", 4, Threat.NONE),
        ("....x....", 5, Threat.TWO),
        ("...xx....", 5, Threat.OPEN_THREE),
        ("o..xx....", 1, Threat.THREE),
        ("...xxx...", 6, Threat.OPEN_FOUR),
        ("..oxxx...", 6, Threat.FOUR),
        ("..oxxxx..", 7, Threat.FIVE),
        ("xxx.xx...", 3, Threat.OVERLINE),
        ("..x.x.x..", 3, Threat.FOUR),
    ],
)
def test_the_seven_levels_on_a_line(line, point, level):
    stones = [".xo".index(cell) for cell in line]
    assert line_threats(stones, 1)[point] == level
    assert Analysis(Mock5(1, len(stones), board=stones)).get_critical_at(1, 0, point) == level


def test_analysis_is_for_five_in_a_row_only():
    with pytest.raises(ValueError, match="k = 3"):
        Analysis(Mock5(3, 3, k=3))


def test_precedence_lists_every_level_once():
    assert sorted(PRECEDENCE) == list(Threat)

"""Games side by side: judged as the board judges them, begun undecided, their positions found again."""

import numpy as np
import pytest

from mock5go.board import Go
from mock5lib import Mock5
from mock5lib.game.board import Rules
from mock5lib.game.board_compiled import RUNNING
from mock5lib.game.lockstep_compiled import Table, random_openings, sample_visited

RULES = [Rules(6, 5), Rules(4, 4, 3), Rules(5, 5, 4, True), Rules(3, 4, 7)]


def random_table(rules: Rules, games: int = 20, seed: int = 0) -> Table:
    """Games played to their ends by random moves."""
    rng, table = np.random.default_rng(seed), Table(games, rules.board())
    while len(running := table.running):
        table.place(running, table.sample(running, np.zeros((len(running), 1)), 1.0, rng))
    return table


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_table_judges_games_as_the_board_does(rules):
    rng, table = np.random.default_rng(0), Table(20, rules.board())
    games = [rules.board() for _ in range(20)]
    while len(running := table.running):
        assert table.players(running).tolist() == [games[number].player for number in running]
        moves = table.sample(running, np.zeros((len(running), 1)), 1.0, rng)
        table.place(running, moves)
        for number, move in zip(running, moves):
            games[number].apply(int(move))
            assert table.winners[number] == (RUNNING if games[number].winner is None else games[number].winner)
            assert table.boards[number].tolist() == list(games[number].board)
            assert table.game(number).history == games[number].history
    assert all(game.winner is not None for game in games)


def test_an_illegal_move_loses_the_game_and_is_not_played():
    for move in (-1, 9, 4):
        table = Table(1, Mock5(3, 3, 3))
        table.place(np.array([0]), np.array([4]))
        table.place(np.array([0]), np.array([move]))
        assert table.winners[0] == 1 and table.game(0).history == [4]


def test_the_last_moves_are_kept_for_encoders_with_a_history():
    table = Table(1, Mock5(3, 3, 3))
    for move in (4, 0, 8):
        table.place(np.array([0]), np.array([move]))
    assert table.positions.recent(5).tolist() == [[8, 0, 4, -1, -1]] and table.game(0).history == [4, 0, 8]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_position_of_a_game_is_found_again(rules):
    table = random_table(rules)
    games = np.repeat(np.arange(20), table.plies)
    plies = np.concatenate([np.arange(count) for count in table.plies])
    found = table.positions_at(games, plies)
    boards, players, recent = found.board, found.players, found.recent(3)
    for n, (number, ply) in enumerate(zip(games, plies)):
        history = table.game(number).history[:ply]
        board = Mock5(*rules[:3], exact=rules.exact, history=history)
        assert boards[n].tolist() == list(board.board) and players[n] == board.player
        assert recent[n].tolist() == (history[::-1] + [-1] * 3)[:3]


def test_a_draw_is_worth_nothing_to_both_sides_and_a_win_one_to_its_winner():
    table = Table(3, Mock5(3, 3, 3))
    table.winners[:] = 0, 1, 2
    assert table.results(slice(None), np.array([1, 1, 1])).tolist() == [0, 1, -1]
    assert table.results([0, 1, 2], np.array([2, 2, 2])).tolist() == [0, -1, 1]


def test_openings_are_shared_by_the_games_of_a_row_and_decide_none():
    rng, table = np.random.default_rng(0), Table(40, Mock5(3, 3, 3))
    random_openings(table, np.arange(40).reshape(20, 2), lambda n: np.array([rng.permutation(9)[:6] for _ in range(n)]))
    assert (table.winners == RUNNING).all() and (table.plies == 6).all()
    assert (table.histories[::2] == table.histories[1::2]).all()
    assert len({row.tobytes() for row in table.histories}) > 10


def test_an_opening_that_decides_the_game_is_sampled_anew_and_leaves_no_stone():
    openings, table = [[0, 3, 1, 4, 2, 5], [0, 1, 2, 4, 3, 5]], Table(1, Mock5(3, 3, 3))
    random_openings(table, [0], lambda n: np.array([openings.pop(0)]))
    assert table.game(0).history == [0, 1, 2, 4, 3, 5] and not openings


def test_an_opening_that_always_decides_the_game_is_a_clear_error():
    with pytest.raises(ValueError, match="No opening of 1 random moves leaves this game undecided"):
        random_openings(Table(2, Mock5(3, 3, 1)), [0, 1], lambda n: np.zeros((n, 1), np.int64))


def test_a_game_that_is_cleared_begins_anew():
    table = random_table(Rules(4, 4, 3))
    table.clear([3])
    assert table.game(3).history == [] and table.winners[3] == RUNNING and not table.boards[3].any()


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_visited_moves_are_drawn_by_their_share_to_the_power_of_one_over_the_temperature(temperature):
    shares = np.array([0.5, 0.3, 0.2, 0.0])
    rows, best = np.tile(shares, (20_000, 1)), np.zeros(20_000, np.int64)
    drawn = sample_visited(rows, best, temperature, np.random.default_rng(0))
    expected = shares ** (1 / temperature) / (shares ** (1 / temperature)).sum()
    assert np.bincount(drawn, minlength=4) / 20_000 == pytest.approx(expected, abs=0.015)
    assert (sample_visited(rows, best, 0.0, np.random.default_rng(0)) == 0).all()


@pytest.mark.parametrize("games, moves", [([10**9], [0]), ([-1], [0]), ([2], [0]), ([0, 1], [3]), ([0], [])])
def test_games_that_a_table_does_not_have_are_refused(games, moves):
    for table in (Table(2, Mock5(9, 9)), Table(2, Go(5))):
        with pytest.raises(ValueError, match="table of 2 games"):
            table.place(games, moves)

"""What chapter 9's checks take for right is what the package says, on every board that they ask about."""

import numpy as np
import pytest

from mock5check import ch09
from mock5check.ch09 import boards, capstone, ko, positions
from mock5check.core import CheckFailed
from mock5lib.go import ladders
from mock5lib.go.board import Go
from mock5lib.go.planes import planes48

MADE = [entry[0] for entry in (*positions.MOVES, *positions.EYES, *positions.LIBERTIES, *positions.ENDS)]


def game_of(text: str, player: int = 1, komi: float = 7.5) -> Go:
    board, size = boards.board_of(text)
    return Go(size, komi, board=board, player=player)


def said_of(check, solution) -> str:
    with pytest.raises(CheckFailed) as failed:
        check(solution)
    return str(failed.value)


def test_the_positions_of_the_ladder_check_are_of_the_two_kinds_that_its_text_names():
    captured = []
    for game, prey, name in capstone.positions():
        kind = game.board[prey] == game.player, len(game.liberties(prey))
        assert kind in ((True, 1), (False, 2)), name
        captured.append(capstone.right_reader(game, prey))
    assert len(captured) > 130 and 0.3 < np.mean(captured) < 0.7


def test_the_ladder_checks_reader_agrees_with_the_package():
    for game, prey, name in capstone.positions():
        most = [ladders.MOST]
        if game.board[prey] == game.player:
            right = not ladders.can_be_saved(game, prey, most)
        else:
            right = ladders.can_be_caught(game, prey, most)
        assert capstone.right_reader(game, prey) == right and most[0] > 0, name


@pytest.mark.parametrize("text", sorted(set(MADE)))
def test_groups_moves_and_scores_of_the_checks_are_those_of_the_package(text):
    for player in (1, 2):
        game = game_of(text, player)
        size, board = game.size, list(game.board)
        assert boards.lead_of(board, size, 7.5) == game.lead()
        for point in range(size**2):
            if board[point]:
                assert boards.group_of(board, size, point) == (game.group(point), game.liberties(point))
                continue
            after, mine = game.copy(), boards.played(board, size, point, player)
            assert (mine is None) == (game.why_illegal(point) is not None)
            if mine is not None:
                after.apply(point)
                assert mine == list(after.board)


@pytest.mark.parametrize("text", sorted(set(MADE)))
def test_playout_moves_and_planes_of_the_checks_are_those_of_the_package(text):
    for player in (1, 2):
        game = game_of(text, player)
        assert boards.playout_moves_of(game) == game.playout_moves()
        assert (boards.planes_after(game) == planes48.encode([game])[0, 36:44]).all()


def test_each_known_mistake_of_a_reader_is_named():
    for reader, cause in capstone.SLIPS:
        assert cause in said_of(ch09.is_captured, reader), reader


def test_each_known_mistake_of_a_memory_is_named():
    for memory, cause in ko.SLIPS:
        assert cause in said_of(ch09.KoMemory, memory), memory


def test_a_list_that_all_memories_share_is_named():
    class Memory(ko.RightMemory):
        positions = []

        def __init__(self, board, rule):
            self.positions.append(tuple(board))
            self.rule = rule

    assert "`positions` belongs to the class" in said_of(ch09.KoMemory, Memory)
    assert Memory.__init__.__name__ == "__init__"  # what the check tried is undone


def test_what_is_kept_between_calls_is_named():
    def group_of(board, size, point, kept={}):  # noqa: B006 - the mistake itself
        return kept.setdefault((size, point), boards.group_of(board, size, point))

    assert "keep something between calls" in said_of(ch09.group_of, group_of)
    assert boards.group_of([1, 0, 0, 0], 2, 0) == ({0}, {1, 2})


def test_a_move_that_is_not_taken_back_is_named():
    def liberties_after(game):
        for move in game.legal_moves()[:-1]:
            game.apply(move)

    assert "An earlier move was not taken back" in said_of(ch09.liberties_after, liberties_after)

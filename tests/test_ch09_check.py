"""What chapter 9's checks take for right is what the package says, on every board that they ask about."""

import numpy as np
import pytest

from mock5check import ch09
from mock5check.ch09 import capstone, ko
from mock5check.core import CheckFailed
from mock5lib.go import ladders
from mock5lib.go.board import Go
from mock5lib.go.planes import planes48


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


def cases(check):
    return check.cases(np.random.default_rng(0))


def test_the_declared_solutions_are_those_of_the_package():
    for board, size, komi in cases(ch09.lead):
        assert ch09.lead.solution(board, size, komi) == Go(size, komi, board=board).lead()
    for board, size, point in cases(ch09.group_of):
        game = Go(size, board=board)
        assert ch09.group_of.solution(board, size, point) == (game.group(point), game.liberties(point))
    for (game,) in cases(ch09.playout_moves):
        assert sorted(ch09.playout_moves.solution(game)) == sorted(game.playout_moves())
    for (game,) in cases(ch09.liberties_after):
        assert (ch09.liberties_after.solution(game) == planes48.encode([game])[0, 36:44]).all()


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

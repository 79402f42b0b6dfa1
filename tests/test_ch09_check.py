"""The solutions that chapter 9's exercises declare say what the package says, on every board that they are tried on."""

import numpy as np

from mock5check import ch09
from mock5check.ch09 import blanks
from mock5lib.go import ladders
from mock5lib.go.board import Go
from mock5lib.go.planes import planes48


def cases(check):
    return check.cases(np.random.default_rng(0))


def test_the_declared_solutions_are_those_of_the_package():
    for board, size, komi in cases(ch09.lead):
        assert ch09.lead.solution(board, size, komi) == Go(size, komi, board=board).lead()
    for board, size, point in cases(blanks.group_of):
        game = Go(size, board=board)
        assert blanks.group_of.solution(board, size, point) == (game.group(point), game.liberties(point))
    for (game,) in cases(ch09.playout_moves):
        assert sorted(ch09.playout_moves.solution(game)) == sorted(game.playout_moves())
    for (game,) in cases(ch09.liberties_after):
        assert (ch09.liberties_after.solution(game) == planes48.encode([game])[0, 36:44]).all()
    for game, prey in cases(blanks.can_be_saved):
        assert blanks.can_be_saved.solution(game, prey) == ladders.can_be_saved(game, prey, [ladders.MOST])

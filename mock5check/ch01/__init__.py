"""The checks of the exercises of chapter 1, UCT: `check.name(what the learner wrote)`."""

from mock5check.ch01 import blanks
from mock5check.ch01.batches import virtual_loss
from mock5check.ch01.connect_four import connect_four
from mock5check.ch01.own_uct import my_uct
from mock5check.ch01.small import final_move, reroot, search_for
from mock5check.your_turn import turns_of

__all__ = ["connect_four", "final_move", "my_uct", "reroot", "search_for", "virtual_loss", "your_turn"]

your_turn = turns_of(blanks)

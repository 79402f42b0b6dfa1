"""The checks of the exercises of chapter 5, MCTS with networks, each named after the function it checks."""

from mock5check.ch05 import blanks
from mock5check.ch05.capstone import puct_search
from mock5check.ch05.flight import Node, virtual_loss
from mock5check.ch05.small import proven_value, puct_scores
from mock5check.your_turn import turns_of

__all__ = ["Node", "proven_value", "puct_scores", "puct_search", "virtual_loss", "your_turn"]

your_turn = turns_of(blanks)

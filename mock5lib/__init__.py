"""mock5lib: from plain UCT on tic-tac-toe to AlphaZero on five-in-a-row. The course's chapters build it."""

from mock5lib.game.board import BLACK, EMPTY, WHITE, Mock5

__version__ = "0.1.0"
__all__ = ["BLACK", "EMPTY", "WHITE", "Mock5"]

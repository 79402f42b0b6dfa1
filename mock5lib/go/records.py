"""Games of Go in flat arrays: `game.records`, for Go."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mock5lib.base.files import format_of
from mock5lib.game.records import Records
from mock5lib.go.board import Go


class GoRecords(Records):
    """Finished games of Go from the empty board, all of one size and komi, with positional superko.

    Args:
        moves: all games' moves one after the other; size² is a pass. lengths: number of moves of each game.
        winners: 0 for a draw, 1 or 2. forfeits: which games ended by resignation. Default: none.
        mistakes: which moves were random ones that opened the game; nobody can predict them. Passes are marked with
            them, since a policy over points has no pass. Default: passes alone.
        card: how the games were made. source: what an error calls them.
    """

    FORMAT = "mock5-go-records-1"

    def __init__(
        self, moves, lengths, winners, size=9, komi=7.5, *, forfeits=None, mistakes=None, card=None, source="records"
    ):
        self.blank = Go(size, komi)
        self.size, self.komi = self.blank.size, self.blank.komi
        self._fill(moves, lengths, winners, forfeits, mistakes, card, source)
        self.mistakes = self.mistakes | (self.moves == self.blank.pass_move)

    @staticmethod
    def _rule_of(game) -> tuple:
        return game.size, game.komi

    def __repr__(self) -> str:
        return f"<GoRecords: {len(self)} games, {self.positions} moves, {self.size}×{self.size}, komi {self.komi:g}>"

    def rule_arrays(self) -> dict:
        return {"size": np.array(self.size), "komi": np.array(self.komi)}

    @staticmethod
    def rule_in(arrays) -> tuple:
        return int(arrays["size"]), float(arrays["komi"])


def is_go(path) -> bool:
    """Whether a file says that it holds records of Go; False for anything else, also where nothing can be read."""
    return format_of(Path(path)) == GoRecords.FORMAT

"""Games of Go in flat arrays: checked, saved as .npz, split by game, and read as positions, as `game.records` does."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.base.files import format_of
from mock5lib.game.kernels import ends_as_said
from mock5lib.game.records import Records
from mock5lib.go import kernels
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

    def _first_wrong_game(self) -> int:
        blank = kernels.position_of(self.blank)
        return first_wrong_game(blank, self.moves, self.offsets, self.winners, self.forfeits)

    @staticmethod
    def _rule_of(game) -> tuple:
        return game.size, game.komi

    def __repr__(self) -> str:
        return f"<GoRecords: {len(self)} games, {self.positions} moves, {self.size}×{self.size}, komi {self.komi:g}>"

    def _planes(self, where, games, maps, turns, encoder) -> np.ndarray:
        planes = encoder.blank(len(where), self.size)
        for row, state in enumerate(self._states(where, games, maps[turns])):
            encoder.fill(state, planes[row])
        return planes

    def sensible_at(self, where) -> np.ndarray:
        """The legal points that are no own eye, before some moves: (B, size²) bool."""
        games, mask = np.searchsorted(self.offsets, where, side="right") - 1, np.zeros((len(where), self.size**2), bool)
        for row, state in enumerate(self._states(where, games, [np.arange(self.blank.actions)] * len(where))):
            kernels.mark_sensible(state, mask[row])
        return mask

    def _states(self, where, games, maps):
        """The position before each of some moves, turned; the same memory each time."""
        start = kernels.position_of(self.blank)
        work = kernels.copy_of(start)
        for at, game, to in zip(where, games, maps):
            kernels.copy_into(work, start)
            kernels.play_moves(work, to[self.moves[self.offsets[game] : at]])
            yield work

    def rule_arrays(self) -> dict:
        return {"size": np.array(self.size), "komi": np.array(self.komi)}

    @staticmethod
    def rule_in(arrays) -> tuple:
        return int(arrays["size"]), float(arrays["komi"])


def is_go(path) -> bool:
    """Whether a file says that it holds records of Go; False for anything else, also where nothing can be read."""
    return format_of(Path(path)) == GoRecords.FORMAT


@compiled(nogil=True)
def first_wrong_game(blank, moves, offsets, winners, forfeits):
    """The first game with an illegal move or another end than its record says; −1 if all is well."""
    work = kernels.copy_of(blank)
    for game in range(len(winners)):
        kernels.copy_into(work, blank)
        played = moves[offsets[game] : offsets[game + 1]]
        off_board = (played < 0).any() or (played > blank.size * blank.size).any()
        if off_board or kernels.play_moves(work, played) < len(played):
            return game
        if not ends_as_said(kernels.winner_of(work), winners[game], forfeits[game]):
            return game
    return -1

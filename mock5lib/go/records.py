"""Games of Go in flat arrays: checked, saved as .npz, split by game, and read as positions, as `game.records` does."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.base.files import DAMAGE, format_of, write_whole
from mock5lib.game.record_formats import check_place, open_npz
from mock5lib.game.records import Positions, Records, checked_numbers, numbers_below
from mock5lib.go import kernels
from mock5lib.go.board import Go

FORMAT = "mock5-go-records-1"


class GoRecords(Records):
    """Finished games of Go from the empty board, all of one size and komi, with positional superko.

    Args:
        moves: all games' moves one after the other; size² is a pass. lengths: number of moves of each game.
        winners: 0 for a draw, 1 or 2. forfeits: which games ended by resignation. Default: none.
        mistakes: which moves were random ones that opened the game; nobody can predict them. Passes are marked with
            them, since a policy over points has no pass. Default: passes alone.
        card: how the games were made. source: what an error calls them.

    Raises:
        ValueError: sizes that do not fit, an illegal move, an unfinished game or a wrong winner.
    """

    def __init__(
        self, moves, lengths, winners, size=9, komi=7.5, *, forfeits=None, mistakes=None, card=None, source="records"
    ):
        blank = Go(size, komi)
        self.size = self.height = self.width = blank.size
        self.komi, self.card = blank.komi, dict(card or {})
        moves, lengths, winners = checked_numbers(moves, lengths, winners, source)
        self.offsets, self.winners = np.concatenate([[0], np.cumsum(lengths)]), winners.astype(np.int8)
        self.forfeits = np.zeros(len(lengths), bool) if forfeits is None else np.asarray(forfeits, dtype=bool)
        marked = np.zeros(len(moves), bool) if mistakes is None else np.asarray(mistakes, dtype=bool)
        if self.forfeits.shape != lengths.shape or marked.shape != moves.shape:
            raise ValueError(f"{source}: {self.forfeits.size} forfeits and {marked.size} marks do not fit its games.")
        self._check_games(moves.astype(np.int64), source)
        self.moves = moves.astype(np.int16)
        self.mistakes = marked | (self.moves == self.size**2)

    def _check_games(self, moves, source: str) -> None:
        blank = kernels.position_of(Go(self.size, self.komi))
        game, ply = first_wrong_game(blank, moves, self.offsets, self.winners, self.forfeits)
        if game >= 0 and ply >= 0:
            move = moves[self.offsets[game] + ply]
            raise ValueError(f"{source}, game {game + 1}: move {ply + 1}, {move}, is not legal.")
        if game >= 0:
            raise ValueError(f"{source}, game {game + 1}: it is not over, or the board names another winner.")

    @classmethod
    def from_games(cls, games: list[Go], *, winners=None, mistakes=None, card=None) -> GoRecords:
        """The records of `Go` games by their histories; `winners` where games ended by resignation."""
        if len({(game.size, game.komi) for game in games}) != 1:
            raise ValueError("Records hold games of one size and komi, and at least one.")
        forfeits = [game.winner is None for game in games]
        if winners is None:
            winners = [-1 if game.winner is None else game.winner for game in games]
        moves = np.concatenate([np.array(game.history, dtype=np.int16) for game in games])
        lengths, rule = [len(game.history) for game in games], (games[0].size, games[0].komi)
        return cls(moves, lengths, winners, *rule, forfeits=forfeits, mistakes=mistakes, card=card)

    def __repr__(self) -> str:
        return f"<GoRecords: {len(self)} games, {self.positions} moves, {self.size}×{self.size}, komi {self.komi:g}>"

    def _rule(self) -> tuple:
        return self.size, self.komi

    def game(self, game: int, plies: int | None = None) -> Go:
        """One game, or its first `plies` moves, on a board."""
        return Go(self.size, self.komi, history=self.moves_of(game)[:plies].tolist())

    def _maps(self) -> np.ndarray:
        """Where each move goes in each of the eight symmetries: (8, size² + 1) int64; a pass stays."""
        points = super()._maps()
        return np.hstack([points, np.full((len(points), 1), self.size**2)])

    def positions_at(self, where, encoder, turns=None) -> Positions:
        """The positions before some moves; see `Records.positions_at`. The encoder is one of `go.planes`."""
        where = numbers_below(where, self.positions, "place in the moves")
        turns = np.zeros(len(where), np.int64) if turns is None else numbers_below(turns, 8, "symmetry")
        maps, planes = self._maps(), encoder.blank(len(where), self.size)
        for row, state in enumerate(self._states(where, maps[turns])):
            encoder.fill(state, planes[row])
        games = np.searchsorted(self.offsets, where, side="right") - 1
        players, winners = 1 + (where - self.offsets[games]) % 2, self.winners[games]
        outcomes = np.where(winners == 0, 0, np.where(winners == players, 1, -1)).astype(np.float32)
        return Positions(planes, maps[turns, self.moves[where]], outcomes)

    def sensible_at(self, where) -> np.ndarray:
        """The legal points that are no own eye, before some moves: (B, size²) bool."""
        maps, mask = np.tile(np.arange(self.size**2 + 1), (len(where), 1)), np.zeros((len(where), self.size**2), bool)
        for row, state in enumerate(self._states(where, maps)):
            kernels.mark_sensible(state, mask[row])
        return mask

    def _states(self, where, maps):
        """The position before each of some moves, turned; the same memory each time."""
        start = kernels.position_of(Go(self.size, self.komi))
        work = kernels.copy_of(start)
        for at, to, game in zip(where, maps, np.searchsorted(self.offsets, where, side="right") - 1):
            kernels.copy_into(work, start)
            kernels.play_moves(work, to[self.moves[self.offsets[game] : at]])
            yield work

    def save(self, path) -> Path:
        """Write the records as a compressed .npz archive, whole or not at all. Returns the path."""
        path = checked_npz(path)
        check_place(path, FORMAT)
        arrays = {
            "format": np.array(FORMAT),
            "size": np.array(self.size),
            "komi": np.array(self.komi),
            "moves": self.moves,
            "lengths": self.lengths.astype(np.int16),
            "winners": self.winners,
            "forfeits": np.packbits(self.forfeits),
            "card": np.array(json.dumps(self.card, sort_keys=True)),
            "mistakes": np.packbits(self.mistakes),
        }
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        return write_whole(path, buffer.getvalue())

    @classmethod
    def load(cls, path) -> GoRecords:
        """Read and check records. Raises FileNotFoundError, or a ValueError that names the file."""
        path = checked_npz(path)
        try:
            with open_npz(path, FORMAT) as kept:
                marks = {"forfeits": np.unpackbits(kept["forfeits"], count=len(kept["lengths"]))}
                marks["mistakes"] = np.unpackbits(kept["mistakes"], count=len(kept["moves"]))
                arrays = [kept[name] for name in ("moves", "lengths", "winners")]
                rule, card = (int(kept["size"]), float(kept["komi"])), json.loads(str(kept["card"]))
            return cls(*arrays, *rule, **marks, card=card, source=str(path))
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
            raise
        except DAMAGE as problem:
            if str(problem).startswith(str(path)):
                raise
            raise ValueError(f"{path}: not records in the format {FORMAT} ({problem}).") from None


def is_go(path) -> bool:
    """Whether a file says that it holds records of Go; False for anything else, also where nothing can be read."""
    return format_of(Path(path)) == FORMAT


def checked_npz(path) -> Path:
    """The path, if it ends in .npz."""
    if Path(path).suffix != ".npz":
        raise ValueError(f"{path}: records of Go end in .npz; single games are read and written as .sgf.")
    return Path(path)


@compiled(nogil=True)
def first_wrong_game(blank, moves, offsets, winners, forfeits):
    """The first game with an illegal move, (game, ply), or with a wrong end, (game, −1); (−1, −1) if all is well."""
    work = kernels.copy_of(blank)
    for game in range(len(winners)):
        kernels.copy_into(work, blank)
        played = moves[offsets[game] : offsets[game + 1]].astype(np.int64)
        for ply in range(len(played)):
            if played[ply] < 0 or played[ply] > blank.size * blank.size:
                return game, ply
        done = kernels.play_moves(work, played)
        if done < len(played):
            return game, done
        winner = kernels.winner_of(work)
        if forfeits[game]:
            if winner >= 0 or winners[game] < 1 or winners[game] > 2:
                return game, -1
        elif winner < 0 or winner != winners[game]:
            return game, -1
    return -1, -1

"""Experience: positions that agents met, with the moves played there and the outcomes, as places in games' records."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from mock5lib.base import arguments
from mock5lib.base.files import DAMAGE, check_ours, make_folder, write_whole
from mock5lib.game.encoders import Encoder
from mock5lib.game.record_formats import archive_bytes, check_archive
from mock5lib.game.records import Records, TrainingBatch, concatenate, numbers_below, records_in


class Experience:
    """Some positions of finished games.

    Args:
        records: the games. where: (N,) places in `records.moves`; each stands for the position before that move.

    Attributes:
        games: (N,) the number of each position's game. plies: (N,) the moves played before it.
        moves: (N,) the move that was played there.
        outcomes: (N,) float32, 1 if the player to move won, −1 if it lost, 0 for a draw.
        height, width: the board.
    """

    def __init__(self, records: Records, where):
        self.records, self.where = records, np.asarray(where, dtype=np.int64)
        self.height, self.width = records.height, records.width
        self.games, self.moves = records.games_at(self.where), records.moves[self.where]
        self.plies, self.outcomes = self.where - records.offsets[self.games], records.outcomes_at(self.where)

    def __len__(self) -> int:
        return len(self.where)

    def __repr__(self) -> str:
        games = len(np.unique(self.games))
        return f"<Experience: {len(self)} positions of {games} games, {self.height}×{self.width}>"

    def select(self, where) -> Experience:
        """Some of the positions, by index, slice or mask."""
        return Experience(self.records, self.where[where])

    def split(self, fraction: float, seed=0) -> tuple[Experience, Experience]:
        """Two parts by game, the second with about `fraction` of the games; positions of one game are alike."""
        arguments.split_fraction(fraction)
        games = np.random.default_rng(seed).permutation(np.unique(self.games))
        held_out = np.isin(self.games, games[: min(max(round(fraction * len(games)), 1), len(games) - 1)])
        return self.select(~held_out), self.select(held_out)

    def legal_points(self) -> np.ndarray:
        """The points that may be played, (N, H * W) bool: empty ones; see the game's `mark_sensible`."""
        return self.records.sensible_at(self.where)

    def positions_at(self, where, encoder: Encoder, turns=None) -> TrainingBatch:
        """Planes, moves and outcomes of some positions by their indices, see `Records.positions_at`."""
        return self.records.positions_at(self.where[where], encoder, turns)

    def batches(self, batch_size: int = 256, *, encoder: Encoder, symmetries=True, seed=0) -> Iterator[TrainingBatch]:
        """Go once through all positions in random order; `symmetries` turns each of them by lot."""
        turned = "random" if symmetries else "none"
        return self.records.batches(batch_size, encoder=encoder, symmetries=turned, where=self.where, seed=seed)

    def save(self, path) -> Path:
        """Write the games' records with the places as one array more, `where`, as .npz; whole or not at all."""
        path = Path(path)
        if path.suffix != ".npz":
            raise ValueError(f"{path}: experience is kept as .npz, this ends in {path.suffix!r}.")
        make_folder(path.parent)
        whole = partial(check_archive, format=self.records.FORMAT, more=("where",))
        check_ours(path, rb"PK\x03\x04", "experience", whole)
        return write_whole(path, archive_bytes(self.records, where=self.where))

    @classmethod
    def load(cls, path) -> Experience:
        """Read and check experience. Raises FileNotFoundError, or a ValueError that names the file."""
        records = records_in(path).load(path)
        try:
            with np.load(path, allow_pickle=False) as archive:
                return cls(records, numbers_below(archive["where"], records.positions, "place in the moves"))
        except DAMAGE as problem:
            raise ValueError(f"{path}: holds no experience, or is damaged ({problem}).") from None


def joined(parts: list[Experience]) -> Experience:
    """Several experiences as one, their games numbered on."""
    first = np.cumsum([0, *(part.records.positions for part in parts)])
    where = np.concatenate([part.where + start for part, start in zip(parts, first)])
    return Experience(concatenate([part.records for part in parts]), where)

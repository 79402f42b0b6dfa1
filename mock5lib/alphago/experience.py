"""Experience: positions that agents met in their own games, with the moves played and the outcomes; kept in HDF5."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mock5lib.base import ranges
from mock5lib.base.files import DAMAGE, write_whole
from mock5lib.base.seeds import generator_of
from mock5lib.game import symmetry
from mock5lib.game.encoders import Encoder
from mock5lib.game.records import Positions
from mock5lib.game.records import concatenate as concatenate_records
from mock5lib.go.records import GoRecords

FORMAT, GO_FORMAT, MAX_BYTES = "mock5-experience-1", "mock5-go-experience-1", 1 << 32
RECENT = 8
ARRAYS = {
    "boards": np.int8,
    "players": np.int8,
    "recent": np.int16,
    "moves": np.int16,
    "outcomes": np.float32,
    "games": np.int32,
}


class Experience:
    """N positions on boards of one size.

    Args:
        boards: (N, H * W) of 0, 1, 2. players: (N,) who moves next.
        recent: (N, 8) the last moves before each position, latest first, −1 for none.
        moves: (N,) the move that was played. outcomes: (N,) 1 if the player to move won, −1 lost, 0 drawn.
        games: (N,) the number of the game each comes from.
        card: how it was made; anything that JSON can hold.
        source: what an error calls it, for example its file.

    Raises:
        ValueError: arrays that do not fit together or hold impossible numbers; it names the source.
    """

    def __init__(
        self,
        boards,
        players,
        recent,
        moves,
        outcomes,
        games,
        height: int,
        width: int,
        *,
        card=None,
        source="experience",
    ):
        given = {
            "boards": boards,
            "players": players,
            "recent": recent,
            "moves": moves,
            "outcomes": outcomes,
            "games": games,
        }
        self.height, self.width, self.card = int(height), int(width), dict(card or {})
        for name, kind in ARRAYS.items():
            array = np.asarray(given[name])
            setattr(self, name, np.ascontiguousarray(array, dtype=kind))
            if kind != np.float32 and not np.array_equal(getattr(self, name), array):
                raise ValueError(f"{source}: {name} holds numbers that are not whole, or too large.")
        self._check(source)

    def _check(self, source) -> None:
        count, points = len(self.boards), self.height * self.width
        shapes = {"boards": (count, points), "recent": (count, RECENT)}
        for name in ARRAYS:
            shape, expected = getattr(self, name).shape, shapes.get(name, (count,))
            if shape != expected:
                raise ValueError(f"{source}: {name} has shape {shape}, expected {expected}.")
        limits = {
            "boards": (0, 2),
            "players": (1, 2),
            "recent": (-1, points - 1),
            "moves": (0, points - 1),
            "outcomes": (-1, 1),
        }
        for name, (low, high) in limits.items():
            array = getattr(self, name)
            wrong = ~((array >= low) & (array <= high))
            if wrong.any():
                raise ValueError(f"{source}: {name} holds {array[wrong][0]}, expected {low} to {high}.")

    def __len__(self) -> int:
        return len(self.boards)

    def __repr__(self) -> str:
        games = len(np.unique(self.games))
        return f"<Experience: {len(self)} positions of {games} games, {self.height}×{self.width}>"

    def open_points(self) -> np.ndarray:
        """The points that could be played, (N, H * W) bool."""
        return self.boards == 0

    def select(self, where) -> Experience:
        """Some of the positions, by index or mask."""
        parts = {name: getattr(self, name)[where] for name in ARRAYS}
        return Experience(**parts, height=self.height, width=self.width, card=self.card)

    def split(self, fraction: float, seed=0) -> tuple[Experience, Experience]:
        """Two parts by game, the second with about `fraction` of the games; positions of one game are alike.

        Raises:
            ValueError: the fraction is not between 0 and 1, both excluded, or there is only one game.
        """
        ranges.split_fraction(fraction)
        games = generator_of(seed).permutation(np.unique(self.games))
        if len(games) < 2:
            raise ValueError(f"A split by game needs at least 2 games, there are {len(games)}.")
        held_out = np.isin(self.games, games[: min(max(round(fraction * len(games)), 1), len(games) - 1)])
        return self.select(~held_out), self.select(held_out)

    def positions_at(self, where, encoder: Encoder, turns=None) -> Positions:
        """Planes, moves and outcomes of some positions.

        Args:
            where: (B,) indices. turns: (B,) numbers of symmetries in the order of `symmetry.SYMMETRIES`; default: none.
        """
        where = np.asarray(where, dtype=np.int64)
        boards, recent, moves = self.boards[where], self.recent[where], self.moves[where]
        for turn in np.unique(turns) if turns is not None else ():
            if turn == 0:
                continue
            rows, to = turns == turn, symmetry.index_map(self.height, self.width, *symmetry.SYMMETRIES[turn])
            boards[rows] = boards[rows][:, np.argsort(to)]
            recent[rows] = np.where(recent[rows] >= 0, to[recent[rows]], -1)
            moves[rows] = to[moves[rows]]
        planes = encoder.planes(boards, self.players[where], recent, self.height, self.width)
        return Positions(planes, moves.astype(np.int64), self.outcomes[where])

    def batches(self, batch_size: int = 256, *, encoder: Encoder, symmetries=True, seed=0) -> Iterator[Positions]:
        """Go once through all positions in random order.

        Args:
            symmetries: turn each position into one of the board's symmetries by lot.

        Raises:
            ValueError: a batch size below 1.
        """
        ranges.at_least(1, batch_size=batch_size)
        rng = np.random.default_rng(seed)
        keep = [symmetry.SYMMETRIES.index(turn) for turn in symmetry.symmetries_of(self.height, self.width)]
        turns = rng.choice(keep, size=len(self)) if symmetries else np.zeros(len(self), dtype=np.int64)
        order = rng.permutation(len(self))
        for start in range(0, len(order), batch_size):
            chosen = order[start : start + batch_size]
            yield self.positions_at(chosen, encoder, turns[chosen])

    # Files

    def save(self, path) -> Path:
        """Write an HDF5 file (.h5); it appears whole or not at all."""
        import h5py

        stream = io.BytesIO()
        with h5py.File(stream, "w") as file:
            file.attrs["format"], file.attrs["card"] = FORMAT, json.dumps(self.card)
            file.attrs["height"], file.attrs["width"] = self.height, self.width
            for name in ARRAYS:
                file.create_dataset(name, data=getattr(self, name), compression="gzip", compression_opts=1)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return write_whole(path, stream.getvalue())

    @classmethod
    def load(cls, path) -> Experience:
        """Read and check an experience file.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: no HDF5 file, cut short, or no experience; names the file.
        """
        import h5py

        path = Path(path)
        if not path.is_file():
            raise FileNotFoundError(f"{path}: there is no such experience file.")
        try:
            with h5py.File(path, "r") as file:
                attributes = dict(file.attrs)
                if attributes.get("format") != FORMAT:
                    raise ValueError("it does not say so")
                parts = {name: own_array(file, name) for name in ARRAYS}
            card = json.loads(attributes["card"])
            return cls(**parts, height=attributes["height"], width=attributes["width"], card=card, source=path)
        except DAMAGE as problem:
            if str(problem).startswith(str(path)):
                raise
            what = f"an HDF5 file, but not experience of the format {FORMAT}"
            if isinstance(problem, (OSError, RuntimeError)):
                what = "not an HDF5 file, or cut short"
            raise ValueError(f"{path}: {what} ({problem}).") from None


def own_array(file, name: str) -> np.ndarray:
    """An array that is in an HDF5 file itself; links to other files are not followed.

    Raises:
        ValueError: it is not there, is a link, lies elsewhere, or claims more than `MAX_BYTES`.
    """
    import h5py

    here = isinstance(file.get(name, getlink=True), h5py.HardLink) and isinstance(array := file[name], h5py.Dataset)
    if not here or array.external or array.is_virtual:
        raise ValueError(f"it has no {name!r} of its own")
    if array.size * array.dtype.itemsize > MAX_BYTES:
        raise ValueError(f"its {name!r} takes more than {MAX_BYTES:,} bytes")
    return array[()]


def concatenate(parts: list[Experience]) -> Experience:
    """Several experiences as one; games are numbered on, the card is the first part's.

    Raises:
        ValueError: no parts, or several board sizes.
    """
    if len({(part.height, part.width) for part in parts}) != 1:
        raise ValueError("Only experience on boards of one size can be put together, and there must be some.")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ARRAYS}
    before = np.cumsum([0, *(part.games.max(initial=-1) + 1 for part in parts[:-1])])
    joined["games"] = np.concatenate([part.games + first for part, first in zip(parts, before)])
    return Experience(**joined, height=parts[0].height, width=parts[0].width, card=parts[0].card)


# Go -------------------------------------------------------------------------------------------------------------


class GoExperience:
    """Positions of games of Go, which stones alone do not tell: the games, and where in them.

    Args:
        records: the games. where: (N,) places in `records.moves`: the position before that move.
        card: how it was made.

    Attributes:
        moves: (N,) the move that was played. outcomes: (N,) for the player to move. games: (N,) the game's number.
        height, width: the board.
    """

    def __init__(self, records: GoRecords, where, *, card=None):
        self.records, self.where, self.card = records, np.asarray(where, dtype=np.int64), dict(card or {})
        self.height = self.width = records.size
        self.games = np.searchsorted(records.offsets, self.where, side="right") - 1
        self.moves = records.moves[self.where]
        players, winners = 1 + (self.where - records.offsets[self.games]) % 2, records.winners[self.games]
        self.outcomes = np.where(winners == 0, 0, np.where(winners == players, 1, -1)).astype(np.float32)

    def __len__(self) -> int:
        return len(self.where)

    def __repr__(self) -> str:
        return (
            f"<GoExperience: {len(self)} positions of {len(np.unique(self.games))} games, {self.height}×{self.width}>"
        )

    def open_points(self) -> np.ndarray:
        """The legal points that are no own eye, (N, size²) bool."""
        return self.records.sensible_at(self.where)

    def without_passes(self) -> GoExperience:
        """The positions in which a point was played."""
        return self.select(self.moves < self.height**2)

    def select(self, where) -> GoExperience:
        """Some of the positions, by index, slice or mask."""
        return GoExperience(self.records, self.where[where], card=self.card)

    def positions_at(self, where, encoder, turns=None) -> Positions:
        """Planes, moves and outcomes of some positions; see `Experience.positions_at`."""
        return self.records.positions_at(self.where[where], encoder, turns)

    split, batches = Experience.split, Experience.batches

    @classmethod
    def joined(cls, parts: list[GoExperience], card=None) -> GoExperience:
        """Several experiences as one."""
        before = np.cumsum([0, *(part.records.positions for part in parts[:-1])])
        where = np.concatenate([part.where + first for part, first in zip(parts, before)])
        return cls(concatenate_records([part.records for part in parts]), where, card=card)

    def save(self, path) -> Path:
        """Write an HDF5 file (.h5); it appears whole or not at all."""
        import h5py

        stream, records = io.BytesIO(), self.records
        with h5py.File(stream, "w") as file:
            file.attrs["format"], file.attrs["card"] = GO_FORMAT, json.dumps(self.card)
            file.attrs["size"], file.attrs["komi"] = records.size, records.komi
            arrays = {
                "moves": records.moves,
                "lengths": records.lengths,
                "winners": records.winners,
                "where": self.where,
            }
            for name, array in arrays.items():
                file.create_dataset(name, data=array, compression="gzip", compression_opts=1)
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return write_whole(path, stream.getvalue())


def load_experience(path) -> Experience | GoExperience:
    """Read and check an experience file, of five in a row or of Go. Raises as `Experience.load`."""
    import h5py

    path = Path(path)
    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("format") != GO_FORMAT:
                return Experience.load(path)
            arrays = {name: own_array(file, name) for name in ("moves", "lengths", "winners", "where")}
            where, rule = arrays.pop("where"), (int(file.attrs["size"]), float(file.attrs["komi"]))
            records = GoRecords(**arrays, size=rule[0], komi=rule[1], source=str(path))
            if where.size and not 0 <= where.min() <= where.max() < records.positions:
                raise ValueError(f"it has {records.positions} positions, one is number {where.max()}")
            return GoExperience(records, where, card=json.loads(file.attrs["card"]))
    except DAMAGE as problem:
        if isinstance(problem, FileNotFoundError) or str(problem).startswith(str(path)):
            raise
        raise ValueError(f"{path}: not an experience file, or cut short ({problem}).") from None

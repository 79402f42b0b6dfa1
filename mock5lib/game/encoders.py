"""Feature planes: a position as a stack of H × W planes for a net, seen by the player to move.

`three_planes` gives own stones, the opponent's stones and empty points. `history(n)` adds one plane for each of the
last n moves. Stones never move or leave a Gomoku board, so the last moves and the stones tell all earlier boards.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.base.ranges import whole

MAX_HISTORY = 16


class FlatPositions(NamedTuple):
    """Positions of k in a row on boards of one size: what `Encoder.planes` takes."""

    boards: np.ndarray  # (B, H * W) int8 of 0, 1, 2
    players: np.ndarray  # (B,) int8, who moves next
    recent: np.ndarray  # (B, R) int16, the last moves, latest first, −1 for none
    height: int
    width: int


class Encoder:
    """Turns positions into planes.

    Args:
        history: how many of the last moves get a plane each, 0 to 16, the latest first.

    Attributes:
        name: "planes3", or "planes3+last4" and so on; `by_name` makes the encoder again.
        channels: number of planes, 3 + history.
    """

    def __init__(self, history: int = 0):
        whole("history of an encoder", history, 0, MAX_HISTORY)
        self.history = history
        self.channels = 3 + history
        self.name = "planes3" + (f"+last{history}" if history else "")

    def __repr__(self) -> str:
        return f"encoders.by_name({self.name!r})"

    def encode(self, games) -> np.ndarray:
        """Planes (B, C, H, W), float32, of games on boards of one size."""
        return self.planes(*flat_positions(games, self.history))

    def of_states(self, states: FlatPositions) -> np.ndarray:
        """`planes` of positions as a search hands them over."""
        return self.planes(*states)

    def planes(self, boards, players, recent, height: int, width: int) -> np.ndarray:
        """Planes (B, C, H, W), float32, from flat arrays.

        Args:
            boards: (B, H * W) int8 of 0, 1, 2. players: (B,) who moves next, 1 or 2.
            recent: (B, at least `history`) int16, the last moves, latest first, −1 for none.
        """
        boards, players, recent = checked_positions(boards, players, recent, height, width, self.history)
        planes = np.empty((len(boards), self.channels, height * width), dtype=np.float32)
        fill_planes(boards, players, recent, planes)
        return planes.reshape(len(boards), self.channels, height, width)


def checked_positions(boards, players, recent, height: int, width: int, history: int):
    """The three arrays of `Encoder.planes`, for compiled code, which itself reads and writes without a look."""
    boards, players = np.ascontiguousarray(boards, dtype=np.int8), np.asarray(players, dtype=np.int8)
    recent, count = np.asarray(recent, dtype=np.int16), len(players)
    fits = boards.shape == (count, height * width) and recent.shape == (count, recent.shape[-1])
    if not fits or recent.shape[1] < history or not ((recent >= -1) & (recent < height * width)).all():
        raise ValueError(
            f"{boards.shape} boards, {players.shape} players and {recent.shape} recent moves are no positions of a "
            f"{height}×{width} board with the last {history} moves."
        )
    return boards, players, recent


def flat_positions(games, history: int) -> FlatPositions:
    """The positions of games, with their last `history` moves."""
    sizes = {(game.height, game.width) for game in games}
    if len(sizes) != 1:
        raise ValueError(f"One batch holds boards of one size, got {sorted(sizes) or 'no games'}.")
    boards = np.stack([game.cells for game in games])
    players = np.array([game.player for game in games], dtype=np.int8)
    return FlatPositions(boards, players, recent_moves(games, history), *sizes.pop())


def recent_moves(games, history: int) -> np.ndarray:
    """The last moves of each game, latest first, -1 for none: (B, history) int16."""
    recent = np.full((len(games), history), -1, dtype=np.int16)
    for row, game in zip(recent, games):
        last = game.history[: -history - 1 : -1]
        row[: len(last)] = last
    return recent


@compiled(nogil=True)
def fill_planes(boards, players, recent, planes):
    """Fill `planes`, shape (B, C, H * W): own, other, empty, then the last C − 3 moves."""
    for b in range(len(boards)):
        own = players[b]
        for point in range(boards.shape[1]):
            stone = boards[b, point]
            planes[b, 0, point] = stone == own
            planes[b, 1, point] = stone == 3 - own
            planes[b, 2, point] = stone == 0
        for ago in range(planes.shape[1] - 3):
            planes[b, 3 + ago] = 0
            if recent[b, ago] >= 0:
                planes[b, 3 + ago, recent[b, ago]] = 1


three_planes = Encoder()


# By name --------------------------------------------------------------------------------------------------------


def of_stones(name: str) -> Encoder | None:
    """The encoder of this name, None if there is none of this kind."""
    found = re.fullmatch(r"planes3(?:\+last(\d+))?", name)
    return Encoder(int(found[1] or 0)) if found else None


# How the names of a kind look → what makes such an encoder. A room with encoders of its own adds them here.
KINDS: dict[str, Callable[[str], Encoder | None]] = {"'planes3' or 'planes3+lastN'": of_stones}


def by_name(name: str) -> Encoder:
    """The encoder of this name, as a checkpoint's card has it.

    Raises:
        ValueError: there is no such encoder in the rooms that are loaded.
    """
    for make in KINDS.values():
        if (encoder := make(name)) is not None:
            return encoder
    raise ValueError(
        f"An encoder is named {' or '.join(KINDS)}, got {name!r}; `import mock5lib.alphago.planes` adds AlphaGo's."
    )


def history(moves: int) -> Encoder:
    """The encoder with one more plane for each of the last `moves` moves."""
    return Encoder(moves)

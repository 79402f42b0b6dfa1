"""AlphaGo's 48 feature planes of Go, and the 49th of its value net (Silver et al. 2016, Extended Data Table 2).

A number is shown *one-hot*: one plane for each value from 1 to 8, where the eighth stands for 8 or more. The table does
not say how 0 is shown. Here a group has at least one liberty, a move leaves at least one, and a move that is no
self-atari has no plane; only captures can be 0, so their planes stand for 0 to 7 or more.

`GoPlanes` is compiled in `planes_compiled.py`; `readable_planes` says the same in plain steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mock5go import ladders
from mock5go.board import Go
from mock5go.board_compiled import GoPosition
from mock5go.planes_compiled import (
    BLACK_TO_MOVE,
    CAPTURES,
    EMPTY,
    LADDER_CAPTURE,
    LADDER_ESCAPE,
    LIBERTIES,
    LIBERTIES_AFTER,
    MOST,
    ONES,
    OTHER,
    OWN,
    SELF_ATARI,
    SENSIBLE,
    SINCE,
    fill_batch,
)
from mock5lib.game.points import BLACK
from mock5lib.game.position_compiled import stack


class Feature(NamedTuple):
    """Some planes in a row that show one fact."""

    name: str
    first: int  # number of its first plane
    planes: int
    meaning: str  # the table's words


FEATURES = (
    Feature("stone color", 0, 3, "player stone / opponent stone / empty"),
    Feature("ones", 3, 1, "a constant plane filled with 1"),
    Feature("turns since", 4, 8, "how many turns since a move was played"),
    Feature("liberties", 12, 8, "number of liberties (empty adjacent points)"),
    Feature("capture size", 20, 8, "how many opponent stones would be captured"),
    Feature("self-atari size", 28, 8, "how many of own stones would be captured"),
    Feature("liberties after move", 36, 8, "number of liberties after this move is played"),
    Feature("ladder capture", 44, 1, "whether a move at this point is a successful ladder capture"),
    Feature("ladder escape", 45, 1, "whether a move at this point is a successful ladder escape"),
    Feature("sensibleness", 46, 1, "whether a move is legal and does not fill its own eyes"),
    Feature("zeros", 47, 1, "a constant plane filled with 0"),
    Feature("player color", 48, 1, "whether current player is black (value net only)"),
)


class GoPlanes:
    """Encodes positions of Go in 48 planes, or 49 with the color of the player to move.

    Attributes:
        name: "go48" or "go49". channels: 48 or 49.
    """

    def __init__(self, color: bool = False):
        self.channels = 48 + bool(color)
        self.name = f"go{self.channels}"

    def __repr__(self) -> str:
        return f"GoPlanes(color={self.channels == 49})"

    def encode(self, games) -> np.ndarray:
        """Planes (B, C, H, W), float32, of `Go` games by one rule, or of stacked positions."""
        positions = stack(games)
        planes = np.zeros((len(positions.points), self.channels, positions.size**2), np.float32)
        self.fill(positions, planes)
        return planes.reshape(len(planes), self.channels, positions.size, positions.size)

    def fill(self, positions: GoPosition, planes: np.ndarray) -> None:
        """Write the planes of stacked positions, (B, C, size²), which hold zeros."""
        fill_batch(positions, planes)


# The readable twin ----------------------------------------------------------------------------------------------


def readable_planes(game: Go) -> np.ndarray:
    """`GoPlanes(color=True).encode([game])[0]` in plain steps, (49, H, W) float32."""
    planes, player = np.zeros((49, game.size**2), np.float32), game.player
    planes[OWN], planes[OTHER], planes[EMPTY] = game.cells == player, game.cells == 3 - player, game.cells == 0
    planes[ONES] = 1
    planes[BLACK_TO_MOVE] = player == BLACK
    for point, stone in enumerate(game.board):
        if stone:
            planes[SINCE + min(turns_since(game, point), MOST) - 1, point] = 1
            planes[LIBERTIES + min(len(game.liberties(point)), MOST) - 1, point] = 1
    for move in game.legal_moves()[:-1]:
        describe_move(game, move, planes)
    return planes.reshape(49, game.size, game.size)


def turns_since(game: Go, point: int) -> int:
    """How many turns ago the stone at a point was played, 1 for the last move; many for one that stood there before."""
    for ago, move in enumerate(reversed(game.history), start=1):
        if move == point:
            return ago
    return MOST


def describe_move(game: Go, move: int, planes: np.ndarray) -> None:
    """What a legal move would do: captures, self-atari, liberties, ladders; and whether it makes sense."""
    planes[CAPTURES + min(len(game.captures(move)), MOST - 1), move] = 1
    planes[SENSIBLE, move] = not game.is_eye(move)
    planes[LADDER_CAPTURE, move] = ladders.is_ladder_capture(game, move)
    planes[LADDER_ESCAPE, move] = ladders.is_ladder_escape(game, move)
    game.apply(move)
    liberties, stones = len(game.liberties(move)), len(game.group(move))
    game.undo()
    planes[LIBERTIES_AFTER + min(liberties, MOST) - 1, move] = 1
    if liberties == 1:
        planes[SELF_ATARI + min(stones, MOST) - 1, move] = 1


planes48 = GoPlanes()
planes49 = GoPlanes(color=True)

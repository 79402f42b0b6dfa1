"""AlphaGo's 48 feature planes of Go, and the 49th of its value net (Silver et al. 2016, Extended Data Table 2).

A number is shown *one-hot*: one plane for each value from 1 to 8, where the eighth stands for 8 or more. The table does
not say how 0 is shown. Here a group has at least one liberty, a move leaves at least one, and a move that is no
self-atari has no plane; only captures can be 0, so their planes stand for 0 to 7 or more.

`GoPlanes` is compiled; `readable_planes` says the same in plain steps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import padded_point
from mock5lib.game.position import stack
from mock5lib.go import ladders
from mock5lib.go.board import BLACK, Go
from mock5lib.go.groups import COLOUR, HEAD, PLAYER, PLY, STONES, WHEN, in_atari, list_liberties
from mock5lib.go.kernels import Position, copy_into, copy_of, is_eye, is_legal, is_over, play, state_at


class Feature(NamedTuple):
    """Some planes in a row that show one fact."""

    name: str
    first: int  # number of its first plane
    planes: int
    meaning: str  # the table's words


FEATURES = (
    Feature("stone colour", 0, 3, "player stone / opponent stone / empty"),
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
    Feature("player colour", 48, 1, "whether current player is black (value net only)"),
)
OWN, OTHER, EMPTY, ONES = range(4)
SINCE, LIBERTIES, CAPTURES, SELF_ATARI, LIBERTIES_AFTER = 4, 12, 20, 28, 36
LADDER_CAPTURE, LADDER_ESCAPE, SENSIBLE, ZEROS, BLACK_TO_MOVE = range(44, 49)
MOST = 8  # the greatest number that has a plane of its own


class GoPlanes:
    """Encodes positions of Go in 48 planes, or 49 with the colour of the player to move.

    Attributes:
        name: "go48" or "go49". channels: 48 or 49.
    """

    def __init__(self, colour: bool = False):
        self.channels = 48 + bool(colour)
        self.name = f"go{self.channels}"

    def __repr__(self) -> str:
        return f"GoPlanes(colour={self.channels == 49})"

    def encode(self, games) -> np.ndarray:
        """Planes (B, C, H, W), float32, of `Go` games by one rule, or of stacked positions."""
        positions = stack(games)
        planes = np.zeros((len(positions.points), self.channels, positions.size**2), np.float32)
        self.fill(positions, planes)
        return planes.reshape(len(planes), self.channels, positions.size, positions.size)

    def fill(self, positions: Position, planes: np.ndarray) -> None:
        """Write the planes of stacked positions, (B, C, size²), which hold zeros."""
        fill_batch(positions, planes)


# The readable twin ----------------------------------------------------------------------------------------------


def readable_planes(game: Go) -> np.ndarray:
    """`GoPlanes(colour=True).encode([game])[0]` in plain steps, (49, H, W) float32."""
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


# Compiled -------------------------------------------------------------------------------------------------------


@compiled(nogil=True)
def fill_planes(position, planes):
    """Fill planes (48 or 49, size²), zeros so far, of one position; see `GoPlanes`."""
    points, counts, size = position.points, position.counts, position.size
    player, stride, found = counts[PLAYER], size + 1, np.empty(MOST, np.int32)
    planes[ONES] = 1
    if len(planes) > BLACK_TO_MOVE:
        planes[BLACK_TO_MOVE] = player == BLACK
    work, escapes = copy_of(position), np.zeros(points.shape[1], np.bool_)
    over = is_over(position)
    if not over:
        ladders.mark_escapes(position, work, escapes)
    for move in range(size * size):
        at = padded_point(move, size)
        stone = points[COLOUR, at]
        if stone != 0:
            planes[OWN if stone == player else OTHER, move] = 1
            planes[SINCE + min(counts[PLY] - points[WHEN, at] + 1, MOST) - 1, move] = 1
            planes[LIBERTIES + list_liberties(points, stride, points[HEAD, at], found) - 1, move] = 1
            continue
        planes[EMPTY, move] = 1
        if over or not is_legal(position, at):
            continue
        planes[CAPTURES + min(captured_by(position, at), MOST - 1), move] = 1
        planes[SENSIBLE, move] = not is_eye(position, at)
        planes[LADDER_CAPTURE, move] = ladders.captures_in_ladder(position, at, work)
        planes[LADDER_ESCAPE, move] = escapes[at]
        copy_into(work, position)
        play(work, at)
        head = work.points[HEAD, at]
        liberties = list_liberties(work.points, stride, head, found)
        planes[LIBERTIES_AFTER + liberties - 1, move] = 1
        if liberties == 1:
            planes[SELF_ATARI + min(work.points[STONES, head], MOST) - 1, move] = 1


@compiled(nogil=True)
def fill_batch(positions, planes):
    """`fill_planes` for stacked positions."""
    for b in range(len(planes)):
        fill_planes(state_at(positions, b), planes[b])


@compiled
def captured_by(position, at):
    """How many stones a legal move captures."""
    points, stride, count = position.points, position.size + 1, 0
    for step in (-stride, -1, 1, stride):
        beside = at + step
        if points[COLOUR, beside] != 3 - position.counts[PLAYER] or not in_atari(points, points[HEAD, beside]):
            continue
        new = True
        for earlier in (-stride, -1, 1, stride):
            if earlier == step:
                break
            same = points[COLOUR, at + earlier] == points[COLOUR, beside]
            new &= not (same and points[HEAD, at + earlier] == points[HEAD, beside])
        if new:
            count += points[STONES, points[HEAD, beside]]
    return count


planes48 = GoPlanes()
planes49 = GoPlanes(colour=True)

"""AlphaGo's 48 feature planes, rethought for five in a row, and the planes of its fast policy.

AlphaGo showed its nets eleven facts about a position in 48 planes of zeros and ones, and its value net one plane more
(Silver et al. 2016, Extended Data Table 2). Liberties and captures have no meaning here; threats take their place.
A number is shown *one-hot*: one plane for each value it can take. `FEATURES` lists the planes beside AlphaGo's.

Where several threat levels meet, they rank as in `threats.PRECEDENCE`: a four, which forces, above an open three.
`AlphaGoPlanes` is compiled in `planes_compiled.py`; `readable_planes` says the same in plain steps.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mock5lib.alphago.planes_compiled import (
    AGES,
    BLACK_TO_MOVE,
    EMPTY,
    LEVEL,
    LEVEL_OTHER,
    ONES,
    OTHER,
    OWN,
    REFUTES,
    SECOND,
    SECOND_OTHER,
    SENSIBLE,
    SINCE,
    WIN_STARTS,
    fill_batch,
)
from mock5lib.base import arguments
from mock5lib.game.encoders import ENCODERS, Encoder
from mock5lib.game.five_compiled import Five, fives_of
from mock5lib.game.points import DIRECTIONS
from mock5lib.gomoku import forced_wins as vcf
from mock5lib.gomoku.lines_compiled import Tables, lines_of
from mock5lib.gomoku.threats import PRECEDENCE, Analysis, level_table, level_tables, require_five


class Feature(NamedTuple):
    """Some planes in a row that show one fact."""

    name: str
    first: int  # number of its first plane
    planes: int
    alphago: str  # what AlphaGo had in its place
    meaning: str


FEATURES = (
    Feature("stone color", 0, 3, "stone color", "own stone, opponent's stone, empty"),
    Feature("ones", 3, 1, "ones", "1 everywhere: shows a padded filter where the board ends"),
    Feature("zeros", 4, 1, "zeros", "0 everywhere"),
    Feature(
        "sensible move",
        5,
        1,
        "sensibleness: legal, and fills no own eye",
        "empty, and on a line where one side can still make five",
    ),
    Feature("turns since", 6, 8, "turns since", "the stone was the last move, the one before, …, 8 or more ago"),
    Feature(
        "own threat level",
        14,
        8,
        "liberties after the move",
        "none, two, three, four, open three, open four, five, overline: what a stone of mine here makes at best",
    ),
    Feature("opponent's threat level", 22, 8, "capture size", "the same for a stone of the opponent"),
    Feature("own second direction", 30, 8, "liberties", "the second best of the four directions: double threats"),
    Feature("opponent's second direction", 38, 8, "self-atari size", "the same for a stone of the opponent"),
    Feature("forced win starts here", 46, 1, "ladder capture", "a win by continuous fours begins with this move"),
    Feature("refutes a forced win", 47, 1, "ladder escape", "after this move the opponent's win by fours is gone"),
    Feature("player color", 48, 1, "player color (value net only)", "1 everywhere if black is to move"),
)


class AlphaGoPlanes(Encoder):
    """Encodes positions in 48 planes, or 49 with the color of the player to move.

    Args:
        color: give plane 48 too, which only the value net sees.

    Attributes:
        name: "alphago48" or "alphago49". channels: 48 or 49. history: how many of the last moves it looks at, 7.
    """

    def __init__(self, color: bool = False):
        self.history, self.channels = AGES - 1, 48 + bool(color)
        self.name = f"alphago{self.channels}"

    def fill(self, positions: Five, planes: np.ndarray) -> None:
        require_five(positions)
        if positions.exact:
            raise ValueError("AlphaGo's planes take an overline for a win; this game has exact=True.")
        lines, recent = lines_of(positions.height, positions.width), positions.recent(self.history)
        fill_batch(positions.board, positions.players, recent, lines, life_tables(), planes)


class StonePlanes(Encoder):
    """Three planes of a board with a margin: own stones, opponent's stones, off the board. For the fast policy.

    Args:
        reach: width of the margin, 1 to 18. A filter of 2 · reach + 1 points then sees every point's surroundings.

    Attributes:
        name: "stones-reach5" and so on. channels: 3. Planes have shape (B, 3, H + 2 · reach, W + 2 · reach).
    """

    def __init__(self, reach: int = 5):
        arguments.whole("reach", reach, 1, 18)
        self.history, self.channels, self.reach = 0, 3, int(reach)
        self.name = f"stones-reach{reach}"

    def encode(self, games) -> np.ndarray:
        positions = fives_of(games)
        boards = positions.board.reshape(-1, positions.height, positions.width)
        own, (count, height, width) = positions.players[:, None, None], boards.shape
        wide = np.zeros((count, 3, height + 2 * self.reach, width + 2 * self.reach), dtype=np.float32)
        inside = wide[:, :, self.reach : -self.reach, self.reach : -self.reach]
        inside[:, 0], inside[:, 1] = boards == own, boards == 3 - own
        wide[:, 2], inside[:, 2] = 1, 0
        return wide


def by_name(name: str) -> Encoder | None:
    """The encoder of this name, None if there is none of this kind."""
    found = re.fullmatch(r"stones-reach(\d+)", name)
    return StonePlanes(int(found[1])) if found else {"alphago48": planes48, "alphago49": planes49}.get(name)


ENCODERS["'alphago48', 'alphago49' or 'stones-reachN'"] = by_name


# The readable twin ----------------------------------------------------------------------------------------------


def readable_planes(game) -> np.ndarray:
    """`AlphaGoPlanes(color=True).encode([game])[0]` in plain steps, (49, H, W) float32."""
    board, levels = game.cells, Analysis(game).levels
    planes = np.zeros((49, len(board)), dtype=np.float32)
    planes[OWN], planes[OTHER], planes[EMPTY] = board == game.player, board == 3 - game.player, board == 0
    planes[ONES] = 1
    planes[SENSIBLE] = [stone == 0 and can_matter(game, point) for point, stone in enumerate(board)]
    ages = {move: ago for ago, move in enumerate(reversed(game.history), start=1)}
    for point in np.flatnonzero(board):
        planes[SINCE + min(ages.get(point, AGES), AGES) - 1, point] = 1
    for point in np.flatnonzero(board == 0):
        for color, best, second in ((game.player, LEVEL, SECOND), (3 - game.player, LEVEL_OTHER, SECOND_OTHER)):
            ranked = sorted(levels[color - 1, :, point], key=PRECEDENCE.index, reverse=True)
            planes[best + ranked[0], point] = planes[second + ranked[1], point] = 1
    planes[WIN_STARTS], planes[REFUTES] = vcf.winning_starts(game), vcf.refutations(game)
    planes[BLACK_TO_MOVE] = game.player == 1
    return planes.reshape(49, game.height, game.width)


def can_matter(game, point: int) -> bool:
    """Whether a five through this empty point is still possible for either color."""
    row, col = divmod(point, game.width)
    for d_row, d_col in DIRECTIONS:
        for first in range(-4, 1):
            steps = [(row + (first + i) * d_row, col + (first + i) * d_col) for i in range(5)]
            if all(0 <= r < game.height and 0 <= c < game.width for r, c in steps):
                if len({game[r, c] for r, c in steps} - {0}) <= 1:
                    return True
    return False


# Kernels --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def life_tables() -> Tables:
    """The tables of levels with one bit more for each color, of 8: is a five through the point still possible?"""
    free = np.array([(side + 1).bit_length() - 1 for side in range(64)])  # points before the block
    levels = level_table() | 8 * (free[:, None] + free >= 4).astype(np.uint8)
    return level_tables()._replace(threats=levels.reshape(-1))


planes48 = AlphaGoPlanes()
planes49 = AlphaGoPlanes(color=True)

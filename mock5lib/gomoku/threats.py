"""Threats of five in a row: what a stone on each empty point would make, in each direction, for each color.

The seven levels, their numbers and their exact meaning are those of the `Analysis` class in lumiknit's package mock5
(2022). Two of its habits are kept, so that positions and agents compare. An open three has a higher number than a
four, so a heuristic values it more; but a point that makes both is a four. And of some symmetric patterns only one
side counts as an open three: a stone right of `●.●` makes none when the two points left of it are empty, while a
stone left of it, with two empty points to the right, does.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache

import numpy as np

from mock5lib.game.board import Mock5
from mock5lib.game.five_compiled import Five, check_five
from mock5lib.game.points import DIRECTIONS
from mock5lib.gomoku.lines_compiled import REACH, Tables, lines_of, threat_levels


class Threat(IntEnum):
    """The strongest line that a stone would be part of, by the original's numbers (see `PRECEDENCE`)."""

    NONE = 0
    TWO = 1
    THREE = 2
    FOUR = 3
    OPEN_THREE = 4
    OPEN_FOUR = 5
    FIVE = 6
    OVERLINE = 7


# Which level a point has where several apply: the later one. A four forces, an open three does not.
PRECEDENCE = (
    Threat.NONE,
    Threat.TWO,
    Threat.THREE,
    Threat.OPEN_THREE,
    Threat.FOUR,
    Threat.OPEN_FOUR,
    Threat.FIVE,
    Threat.OVERLINE,
)
DIRECTION_NAMES = ("row", "column", "right-down", "left-down")
FIVE_IN_A_ROW = 5


def require_five(game) -> None:
    """Raise a ValueError unless `game` is five in a row: threats have no meaning for another k. See `check_five`."""
    if not isinstance(game, Five):  # stacked positions have been through this door
        check_five(game)
    if game.k != FIVE_IN_A_ROW:
        raise ValueError(f"Threats and heuristic agents are defined for k = 5 only, this game has k = {game.k}.")


class Analysis:
    """The threat levels of a position.

    Attributes:
        levels: uint8 array of shape (2, 4, height * width): [color − 1, direction, point], see `Threat`;
            0 on occupied points.
    """

    def __init__(self, game: Mock5):
        require_five(game)
        self.game = game
        self.levels = threat_levels(lines_of(game.height, game.width), level_tables(), game.cells)

    def get_critical_at(self, color: int, direction: int, index: int) -> Threat:
        """What a stone of `color` (1 or 2) on point `index` makes along `direction` (0 to 3)."""
        if color not in (1, 2):
            raise ValueError(f"A color is 1 (black) or 2 (white), got {color!r}.")
        if direction not in range(len(DIRECTIONS)):
            raise ValueError(f"A direction is 0 to 3 ({', '.join(DIRECTION_NAMES)}), got {direction!r}.")
        return Threat(int(self.levels[color - 1, direction, self.game.index(index)]))

    def strongest(self, color: int) -> np.ndarray:
        """Per point the highest level over the four directions, shape (height * width,), uint8."""
        return self.levels[color - 1].max(axis=0)


# The rule, one line of the board at a time ------------------------------------------------------------------------


def line_threats(line: list[int], color: int) -> list[Threat]:
    """Threat levels of `color` for each point along one whole line of the board (0 empty, 1, 2)."""
    levels = [Threat.NONE] * len(line)
    for first in range(len(line) - FIVE_IN_A_ROW + 1):
        window = line[first : first + FIVE_IN_A_ROW]
        if set(window) <= {0, color}:
            before = line[first - 1] if first > 0 else None
            after = line[first + FIVE_IN_A_ROW] if first + FIVE_IN_A_ROW < len(line) else None
            for place, level in window_threats(window, before, after, color).items():
                levels[first + place] = max(levels[first + place], level, key=PRECEDENCE.index)
    return levels


def window_threats(window: list[int], before, after, color: int) -> dict[int, Threat]:
    """Levels that five neighboring points, free of the other color, give to the empty ones among them.

    Args:
        window: five points, 0 or `color`.
        before, after: the points at both ends, None where the board ends.

    Returns:
        Place in the window (0 to 4) → level.
    """
    empties = [place for place, stone in enumerate(window) if stone == 0]
    stones = FIVE_IN_A_ROW - len(empties)
    if stones == 4:
        return {empties[0]: Threat.OVERLINE if color in (before, after) else Threat.FIVE}
    if stones == 3:
        levels = dict.fromkeys(empties, Threat.FOUR)
        if window[0] == 0 and after == 0:  # fill the other empty point: four stones with both ends free
            levels[empties[1]] = Threat.OPEN_FOUR
        if window[4] == 0 and before == 0:
            levels[empties[0]] = Threat.OPEN_FOUR
        return levels
    if stones == 2:
        levels = dict.fromkeys(empties, Threat.THREE)
        levels.update(dict.fromkeys(open_three_places(window, before, after), Threat.OPEN_THREE))
        return levels
    if stones == 1:
        stone = next(place for place, cell in enumerate(window) if cell)
        return {place: Threat.TWO for place in empties if abs(place - stone) <= 2}
    return {}


def open_three_places(window: list[int], before, after) -> tuple[int, ...]:
    """Where a third stone makes an open three: both ends of the window are empty, and one point beyond."""
    if window[0] or window[4]:
        return ()
    if window[1] == 0:
        return (0, 1) if before == 0 else (1,) if after == 0 else ()
    if window[3] == 0:
        return (3, 4) if after == 0 else (3,) if before == 0 else ()
    return (0, 2) if before == 0 else (2, 4) if after == 0 else ()


def readable_levels(game: Mock5) -> np.ndarray:
    """`Analysis(game).levels`, worked out line by line in plain Python."""
    require_five(game)
    levels = np.zeros((2, len(DIRECTIONS), game.height * game.width), dtype=np.uint8)
    for direction in range(len(DIRECTIONS)):
        for points in board_lines(game.height, game.width, direction):
            line = [game.board[point] for point in points]
            for color in (1, 2):
                levels[color - 1, direction, points] = line_threats(line, color)
    return levels


def board_lines(height: int, width: int, direction: int) -> list[list[int]]:
    """All lines of the board along `direction`, each a list of points from its first to its last."""
    d_row, d_col = DIRECTIONS[direction]

    def inside(row: int, col: int) -> bool:
        return 0 <= row < height and 0 <= col < width

    lines = []
    for row in range(height):
        for col in range(width):
            if not inside(row - d_row, col - d_col):
                line = []
                while inside(row + len(line) * d_row, col + len(line) * d_col):
                    line.append((row + len(line) * d_row) * width + col + len(line) * d_col)
                lines.append(line)
    return lines


# The rule as tables, for compiled code ------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def side_classes() -> np.ndarray:
    """The class of each side of a line code, 0 to 62: (2, 1024, 2) int32, [left or right, side, color − 1].

    For one color, nothing beyond the first opponent's stone or wall counts. Of the 1,024 values that one side of a
    line code can take, only 63 then differ: j free or own points and a block (j = 0 to 4), or five and no block.
    """
    cells = (np.arange(1 << (2 * REACH))[:, None] >> (2 * np.arange(REACH))) & 3  # from the near end on the right
    classes = np.empty((2, len(cells), 2), dtype=np.int32)
    for side, near_to_far in enumerate((cells[:, ::-1], cells)):
        for color in (1, 2):
            free = np.cumprod((near_to_far == 0) | (near_to_far == color), axis=1)
            own = ((near_to_far == color) * free) @ (1 << np.arange(REACH))
            classes[side, :, color - 1] = (1 << free.sum(axis=1)) - 1 + own
    return classes


def side_of(number: int) -> list[int]:
    """The five points of a class of `side_classes`, from the nearest outwards: 0 empty, 1 own, 2 the block and on."""
    free = (number + 1).bit_length() - 1
    own = number + 1 - (1 << free)
    return [(own >> place) & 1 for place in range(free)] + [2] * (REACH - free)


@lru_cache(maxsize=1)
def level_table() -> np.ndarray:
    """The level of a point by the classes of both its sides, (64, 64) uint8: `line_threats` of every line there is."""
    table, sides = np.zeros((64, 64), dtype=np.uint8), [side_of(number) for number in range(63)]
    for left, before in enumerate(sides):
        for right, after in enumerate(sides):
            table[left, right] = line_threats([*before[::-1], 0, *after], 1)[REACH]
    return table


@lru_cache(maxsize=1)
def level_tables() -> Tables:
    """What compiled code needs to know the levels of a position, and no scores."""
    nobody, nothing = np.full((2, 6), -1, dtype=np.int64), np.zeros((0, 256), dtype=np.int32)
    return Tables(side_classes(), level_table().reshape(-1), nothing, np.zeros(0), nobody, nothing)

"""What every picture of a board agrees on: sizes, names of points, where the winning row lies, texts on points.

Nothing here imports matplotlib or ipywidgets, so the SVG pictures work without them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from mock5lib.game.points import DIGITS, DIRECTIONS

PLAYER_NAME = {1: "Black", 2: "White"}

STONE_RADIUS = 0.43  # in cells
HEAT_SIDE = 0.90  # side of a heat tile, in cells
FRAME = 0.60  # width of the frame with the coordinates (left, top), in cells
FAR_FRAME = 0.20  # and of the one without (right, bottom)


def number_text(number: float) -> str:
    """A number of wins or visits without a needless `.0`: 3, 3.5."""
    return f"{number:g}" if number == int(number) else f"{number:.1f}"


def names_of(game) -> tuple[list[str], list[str]]:
    """Names of rows and columns, where a game has its own (`row_names`, `column_names`), else two empty lists."""
    return list(getattr(game, "row_names", ())), list(getattr(game, "column_names", ()))


def move_name(game, move: int) -> str:
    """`row 3 column 4`, or "D4" and "pass" in a game whose rows and columns have names of their own."""
    if any(names_of(game)):
        return game.name_of(move)
    return f"row {DIGITS[move // game.width]} column {DIGITS[move % game.width]}"


def uses_cells(height: int, width: int, names: Sequence[Sequence[str]] = ()) -> bool:
    """True for small boards, drawn like tic-tac-toe (stones in squares); larger ones have stones on crossings.

    A game whose rows and columns have names of their own is always played on crossings.
    """
    return max(height, width) <= 5 and not any(names)


def star_points(height: int, width: int) -> list[int]:
    """The points that carry a small dot to guide the eye on boards of 9x9 and more."""
    if min(height, width) < 9 or height % 2 == 0 or width % 2 == 0:
        return []
    edge = 2 if min(height, width) < 13 else 3
    rows, columns = (edge, height - 1 - edge), (edge, width - 1 - edge)
    return [r * width + c for r in rows for c in columns] + [(height // 2) * width + width // 2]


def history_points(game) -> list[int]:
    """The moves of a game as points of its board; empty where its moves are no points (columns in connect-four).

    In Go, which has a `pass_move`, all moves are kept: passes, and stones that have been captured since.
    """
    stones, moves = list(game.board), list(getattr(game, "history", ()))
    if hasattr(game, "pass_move"):
        return moves
    is_point = [isinstance(move, int) and 0 <= move < len(stones) and stones[move] != 0 for move in moves]
    return moves if all(is_point) and len(set(moves)) == len(moves) else []


def numbers_of(history: Sequence[int]) -> dict[int, int]:
    """{move: its number}; of moves to one point, which in Go may be played on again, the last."""
    return {move: number for number, move in enumerate(history, start=1)}


def winning_line(game) -> list[int]:
    """The points of the row that won the game, from end to end; empty while nobody has won.

    Args:
        game: has `height`, `width`, `board`, `history`, `winner` and `k`; without a `k` there is no line to show.
    """
    k, winner = getattr(game, "k", 0), game.winner
    if not k or winner not in (1, 2):
        return []
    stones = list(game.board)
    for point in [*reversed(history_points(game)), *range(len(stones))]:
        if stones[point] != winner:
            continue
        for line in _lines_through(game.height, game.width, stones, point):
            if len(line) == k or (len(line) > k and not getattr(game, "exact", False)):
                return line
    return []


def _lines_through(height: int, width: int, stones: list[int], point: int) -> Iterator[list[int]]:
    """The four unbroken lines of one color through a stone, each as points from end to end."""
    row, column = divmod(point, width)
    for step_row, step_column in DIRECTIONS:
        line = [point]
        for sign in (-1, 1):
            r, c = row + sign * step_row, column + sign * step_column
            while 0 <= r < height and 0 <= c < width and stones[r * width + c] == stones[point]:
                line.append(r * width + c)
                r, c = r + sign * step_row, c + sign * step_column
        yield sorted(line)


def percent_labels(scores: Iterable[float | None], stones: Sequence[int], most: int | None = None) -> list[str]:
    """Percentages of the total to write on the empty points, `''` where there is too little to say.

    `most` is the number of labels, on the largest scores; by default all up to 9x9 and ten on larger boards. Negative
    scores and NaN count as zero.
    """
    clean = [max(0.0, float(s)) if s is not None and math.isfinite(float(s)) else 0.0 for s in scores]
    total = sum(clean) or 1.0
    percents = [100 * score / total for score in clean]
    ranked = sorted(range(len(clean)), key=lambda i: -percents[i])
    shown = set(ranked[: (len(clean) if len(clean) <= 81 else 10) if most is None else most])
    return [
        f"{percent:.0f}" if i in shown and percent >= 0.5 and not stone else ""
        for i, (percent, stone) in enumerate(zip(percents, stones, strict=True))
    ]

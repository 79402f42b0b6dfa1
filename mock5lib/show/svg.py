"""A board as SVG text, in pure Python: the picture of the widget, of README figures and of stored notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mock5lib.show import geometry, palette

CELL = 40  # side of a cell in SVG units
NEAR = round(geometry.FRAME * CELL)  # frame on the left and on top, holds the coordinates
FAR = round(geometry.FAR_FRAME * CELL)  # frame on the right and below


class Svg(str):
    """SVG text that a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<SVG picture, {len(self)} characters>"


def svg_size(height: int, width: int) -> tuple[int, int]:
    """Width and height of the picture in SVG units."""
    return width * CELL + NEAR + FAR, height * CELL + NEAR + FAR


def svg_point(move: int, width: int) -> tuple[float, float]:
    """Centre of a point in SVG units, as (x, y)."""
    row, column = divmod(move, width)
    return NEAR + (column + 0.5) * CELL, NEAR + (row + 0.5) * CELL


def svg_board(
    game,
    *,
    numbers: bool = False,
    heat: Sequence[float | None] | None = None,
    labels: Sequence[str | None] | None = None,
    size: float | None = None,
) -> Svg:
    """Picture of a position as SVG text.

    Colours are attributes, not a style sheet, so the picture survives GitHub's filter.

    Args:
        game: has `height`, `width`, `board` (flat, 0 empty, 1 black, 2 white) and `history`.
        numbers: write the move number on each stone.
        heat: H*W numbers drawn as coloured tiles (see `palette.heat_strengths`).
        labels: H*W short texts written on the points.
        size: width of the picture in pixels; without it one cell is 40 pixels.
    """
    drawing = svg_drawing(
        game.height,
        game.width,
        list(game.board),
        geometry.history_points(game),
        line=geometry.winning_line(game),
        heat=heat,
        labels=labels,
        numbers=numbers,
        names=geometry.names_of(game),
    )
    return wrap(game.height, game.width, drawing, sum(map(bool, game.board)), size)


def wrap(height: int, width: int, drawing: str, stones: int, size: float | None = None) -> Svg:
    """A drawing as a complete SVG picture, `size` pixels wide."""
    full_width, full_height = svg_size(height, width)
    shown_width = full_width if size is None else size
    shown_height = full_height * shown_width / full_width
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}" '
        f'width="{shown_width:g}" height="{shown_height:g}" role="img" '
        f'aria-label="Board, {height} rows by {width} columns, {stones} stones" '
        f'font-family="Helvetica, Arial, sans-serif">{drawing}</svg>'
    )


def svg_drawing(
    height: int,
    width: int,
    stones: list[int],
    history: list[int],
    *,
    line: Sequence[int] = (),
    heat: Sequence[float | None] | None = None,
    labels: Sequence[str | None] | None = None,
    numbers: bool = True,
    names: Sequence[Sequence[str]] = (),
) -> str:
    """The inside of the picture, without the `<svg>` element: what the widget and `svg_board` share."""
    last = history[-1] if history and history[-1] < len(stones) else None  # the last move may be a pass
    parts = [_face(height, width), _grid(height, width, names), _coordinates(height, width, names)]
    strengths = [None] * (height * width)
    if heat is not None:
        strengths = palette.heat_strengths(heat, height * width)
        strengths = [None if stones[move] else strength for move, strength in enumerate(strengths)]
        parts.append(_heat(width, strengths))
    parts += [_win(width, line), _stones(width, stones), _winners(width, line)]
    if numbers and not labels_on_stones(labels, stones):
        parts.append(_numbers(width, stones, history))
    if labels is not None:
        parts.append(_labels(width, stones, strengths, labels))
    if last is not None and stones[last]:
        x, y = svg_point(last, width)
        parts.append(
            f'<circle class="m5-last" data-move="{last}" cx="{x:g}" cy="{y:g}" r="{0.355 * CELL:g}" '
            f'fill="none" stroke="{palette.LAST_MOVE}" stroke-width="2.6"/>'
        )
    return "".join(parts)


def labels_on_stones(labels: Sequence[str | None] | None, stones: list[int]) -> bool:
    """True when some label stands on a stone, where it would hide the move number."""
    return labels is not None and any(label and stone for label, stone in zip(labels, stones, strict=True))


def _face(height: int, width: int) -> str:
    full_width, full_height = svg_size(height, width)
    return (
        f'<rect class="m5-face" x="1" y="1" width="{full_width - 2}" height="{full_height - 2}" rx="9" '
        f'fill="{palette.BOARD_FACE}" stroke="{palette.BOARD_EDGE}" stroke-width="1.5"/>'
    )


def _grid(height: int, width: int, names: Sequence[Sequence[str]]) -> str:
    half = 0 if geometry.uses_cells(height, width, names) else CELL / 2
    left, top = NEAR + half, NEAR + half
    right, bottom = NEAR + width * CELL - half, NEAR + height * CELL - half
    columns = range(1, width) if half == 0 else range(width)
    rows = range(1, height) if half == 0 else range(height)
    path = [f"M{left + c * CELL:g} {top:g}V{bottom:g}" for c in columns]
    path += [f"M{left:g} {top + r * CELL:g}H{right:g}" for r in rows]
    stroke = 1.6 if half == 0 else 1.1
    dots = "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{palette.BOARD_LINE}"/>'
        for x, y in (svg_point(move, width) for move in geometry.star_points(height, width))
    )
    return (
        f'<path class="m5-grid" d="{"".join(path)}" fill="none" stroke="{palette.BOARD_LINE}" '
        f'stroke-width="{stroke}" stroke-linecap="round"/>{dots}'
    )


def _text(x: float, y: float, text: str, size: float, colour: str, cls: str, weight: str = "400") -> str:
    # dy centres capitals and digits on y; dominant-baseline is not honoured everywhere.
    return (
        f'<text class="{cls}" x="{x:g}" y="{y + 0.355 * size:g}" font-size="{size:g}" font-weight="{weight}" '
        f'text-anchor="middle" fill="{colour}">{escape(text)}</text>'
    )


def _coordinates(height: int, width: int, names: Sequence[Sequence[str]]) -> str:
    near = NEAR * 0.48 + 1
    parts = []
    rows, columns = names if any(names) else (list(map(geometry.coordinate, range(side))) for side in (height, width))
    for column in range(width):
        x = NEAR + (column + 0.5) * CELL
        parts.append(_text(x, near, columns[column], 13, palette.BOARD_TEXT, "m5-coordinate"))
    for row in range(height):
        y = NEAR + (row + 0.5) * CELL
        parts.append(_text(near, y, rows[row], 13, palette.BOARD_TEXT, "m5-coordinate"))
    return "".join(parts)


def _heat(width: int, strengths: list[float | None]) -> str:
    side = geometry.HEAT_SIDE * CELL
    tiles = []
    for move, strength in enumerate(strengths):
        if strength is None:
            continue
        x, y = svg_point(move, width)
        tiles.append(
            f'<rect class="m5-heat" data-move="{move}" x="{x - side / 2:g}" y="{y - side / 2:g}" '
            f'width="{side:g}" height="{side:g}" rx="6" fill="{palette.heat_colour(strength)}" '
            f'fill-opacity="{palette.heat_opacity(strength):.3g}"/>'
        )
    return "".join(tiles)


def _stones(width: int, stones: list[int]) -> str:
    parts = []
    for move, player in enumerate(stones):
        if not player:
            continue
        x, y = svg_point(move, width)
        parts.append(
            f'<circle class="m5-stone" data-move="{move}" data-player="{player}" cx="{x:g}" cy="{y:g}" '
            f'r="{geometry.STONE_RADIUS * CELL:g}" fill="{palette.STONE_FACE[player]}" '
            f'stroke="{palette.STONE_EDGE[player]}" stroke-width="1.2"/>'
        )
    return "".join(parts)


def _numbers(width: int, stones: list[int], history: list[int]) -> str:
    parts = []
    for move, number in geometry.numbers_of(history).items():
        if move < len(stones) and stones[move]:
            x, y = svg_point(move, width)
            size = 15 if number < 100 else 12.5
            parts.append(_text(x, y, str(number), size, palette.STONE_TEXT[stones[move]], "m5-number", "500"))
    return "".join(parts)


def _labels(width: int, stones: list[int], strengths: list[float | None], labels: Sequence[str | None]) -> str:
    if len(labels) != len(stones):
        raise ValueError(f"There are {len(labels)} labels; this board has {len(stones)} points.")
    parts = []
    for move, label in enumerate(labels):
        if label in (None, ""):
            continue
        x, y = svg_point(move, width)
        text = str(label)
        if stones[move]:
            colour = palette.STONE_TEXT[stones[move]]
        else:
            ground = palette.heat_tile(strengths[move] or 0.0)
            colour = palette.text_colour_on(ground)
            if palette.heat_opacity(strengths[move] or 0.0) < 1:  # keep the grid from running through the text
                parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="{0.32 * CELL:g}" fill="{ground}"/>')
        size = 14 if len(text) <= 2 else 12.5 if len(text) == 3 else 10.5
        parts.append(_text(x, y, text, size, colour, "m5-label", "500"))
    return "".join(parts)


def _win(width: int, line: Sequence[int]) -> str:
    """A line below the winning stones, so that no number is crossed."""
    if not line:
        return ""
    (x1, y1), (x2, y2) = svg_point(line[0], width), svg_point(line[-1], width)
    return (
        f'<line class="m5-win" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{palette.WIN_LINE}" '
        f'stroke-width="6" stroke-linecap="round"/>'
    )


def _winners(width: int, line: Sequence[int]) -> str:
    """A ring around each of the winning stones."""
    rings = []
    for x, y in (svg_point(move, width) for move in line):
        rings.append(
            f'<circle class="m5-ring" cx="{x:g}" cy="{y:g}" r="{geometry.STONE_RADIUS * CELL:g}" fill="none" '
            f'stroke="{palette.WIN_LINE}" stroke-width="3.4"/>'
        )
    return "".join(rings)

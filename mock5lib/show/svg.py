"""A board as SVG text, in pure Python: the picture of the widget, of README figures and of stored notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from mock5lib.game.points import DIGITS
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
    """Center of a point in SVG units, as (x, y)."""
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

    Colors are attributes, not a style sheet, so the picture survives GitHub's filter.

    Args:
        game: has `height`, `width`, `board` (flat, 0 empty, 1 black, 2 white) and `history`.
        numbers: write the move number on each stone.
        heat: H*W numbers drawn as colored tiles (see `palette.heat_strengths`).
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
    strengths = [None] * (height * width)
    if heat is not None:
        strengths = [None if stone else x for stone, x in zip(stones, palette.heat_strengths(heat, height * width))]
    at = [svg_point(move, width) for move in range(height * width)]
    parts = [_face(height, width, names), *_heat(at, strengths), *_win(at, line), *_stones(at, stones)]
    parts += [_circle("m5-ring", at[move], geometry.STONE_RADIUS, palette.WIN_LINE, 3.4) for move in line]
    if numbers and not any(label and stone for label, stone in zip(labels or (), stones)):  # which it would hide
        for move, number in geometry.numbers_of(history).items():
            if move < len(stones) and stones[move]:
                color = palette.STONE_TEXT[stones[move]]
                parts.append(_text(*at[move], str(number), 15 if number < 100 else 12.5, color, "m5-number", "500"))
    if labels is not None:
        parts += _labels(at, stones, strengths, labels)
    last = history[-1] if history else len(stones)
    if last < len(stones) and stones[last]:  # the last move may be a pass
        ring = f'm5-last" data-move="{last}'
        parts.append(_circle(ring, at[last], 0.355, palette.LAST_MOVE, 2.6))
    return "".join(parts)


def _face(height: int, width: int, names: Sequence[Sequence[str]]) -> str:
    """The board without stones: wood, lines, small dots to guide the eye, names of rows and columns."""
    full_width, full_height = svg_size(height, width)
    cells = geometry.uses_cells(height, width, names)
    half, first = (0, 1) if cells else (CELL / 2, 0)
    left, right, bottom = NEAR + half, NEAR + width * CELL - half, NEAR + height * CELL - half
    path = [f"M{left + c * CELL:g} {left:g}V{bottom:g}" for c in range(first, width)]
    path += [f"M{left:g} {left + r * CELL:g}H{right:g}" for r in range(first, height)]
    dots = (svg_point(move, width) for move in geometry.star_points(height, width))
    rows, columns = names if any(names) else (DIGITS[:height], DIGITS[:width])
    beside, middle = NEAR * 0.48 + 1, NEAR + CELL / 2
    written = [(middle + c * CELL, beside, name) for c, name in enumerate(columns)]
    written += [(beside, middle + r * CELL, name) for r, name in enumerate(rows)]
    return "".join(
        [
            f'<rect class="m5-face" x="1" y="1" width="{full_width - 2}" height="{full_height - 2}" rx="9" '
            f'fill="{palette.BOARD_FACE}" stroke="{palette.BOARD_EDGE}" stroke-width="1.5"/>',
            f'<path class="m5-grid" d="{"".join(path)}" fill="none" stroke="{palette.BOARD_LINE}" '
            f'stroke-width="{1.6 if cells else 1.1}" stroke-linecap="round"/>',
            *(f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{palette.BOARD_LINE}"/>' for x, y in dots),
            *(_text(x, y, name, 13, palette.BOARD_TEXT, "m5-coordinate") for x, y, name in written),
        ]
    )


def _text(x: float, y: float, text: str, size: float, color: str, cls: str, weight: str = "400") -> str:
    # dy centers capitals and digits on y; dominant-baseline is not honored everywhere.
    return (
        f'<text class="{cls}" x="{x:g}" y="{y + 0.355 * size:g}" font-size="{size:g}" font-weight="{weight}" '
        f'text-anchor="middle" fill="{color}">{escape(text)}</text>'
    )


def _circle(cls: str, center: tuple[float, float], radius: float, color: str, width: float) -> str:
    x, y = center
    return (
        f'<circle class="{cls}" cx="{x:g}" cy="{y:g}" r="{radius * CELL:g}" '
        f'fill="none" stroke="{color}" stroke-width="{width}"/>'
    )


def _heat(at: list[tuple[float, float]], strengths: list[float | None]) -> Iterator[str]:
    side = geometry.HEAT_SIDE * CELL
    for move, ((x, y), strength) in enumerate(zip(at, strengths)):
        if strength is not None:
            yield (
                f'<rect class="m5-heat" data-move="{move}" x="{x - side / 2:g}" y="{y - side / 2:g}" '
                f'width="{side:g}" height="{side:g}" rx="6" fill="{palette.heat_color(strength)}" '
                f'fill-opacity="{palette.heat_opacity(strength):.3g}"/>'
            )


def _win(at: list[tuple[float, float]], line: Sequence[int]) -> Iterator[str]:
    """A line below the winning stones, so that no number is crossed."""
    if line:
        (x1, y1), (x2, y2) = at[line[0]], at[line[-1]]
        yield (
            f'<line class="m5-win" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{palette.WIN_LINE}" '
            f'stroke-width="6" stroke-linecap="round"/>'
        )


def _stones(at: list[tuple[float, float]], stones: list[int]) -> Iterator[str]:
    for move, ((x, y), player) in enumerate(zip(at, stones)):
        if player:
            yield (
                f'<circle class="m5-stone" data-move="{move}" data-player="{player}" cx="{x:g}" cy="{y:g}" '
                f'r="{geometry.STONE_RADIUS * CELL:g}" fill="{palette.STONE_FACE[player]}" '
                f'stroke="{palette.STONE_EDGE[player]}" stroke-width="1.2"/>'
            )


def _labels(at: list, stones: list[int], strengths: list[float | None], labels: Sequence[str | None]) -> Iterator[str]:
    for (x, y), stone, strength, label in zip(at, stones, strengths, labels, strict=True):
        if label in (None, ""):
            continue
        text, ground = str(label), palette.heat_tile(strength or 0.0)
        color = palette.STONE_TEXT[stone] if stone else palette.text_color_on(ground)
        if not stone and palette.heat_opacity(strength or 0.0) < 1:  # keep the grid from running through the text
            yield f'<circle cx="{x:g}" cy="{y:g}" r="{0.32 * CELL:g}" fill="{ground}"/>'
        yield _text(x, y, text, 14 if len(text) <= 2 else 12.5 if len(text) == 3 else 10.5, color, "m5-label", "500")

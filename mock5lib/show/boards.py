"""Boards and policies drawn with matplotlib, and the style that all figures of the course share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch
from matplotlib.text import Text

from mock5lib.game.points import DIGITS
from mock5lib.show import geometry, palette

HEAT = ListedColormap([palette.heat_color(i / 255) for i in range(256)], name="m5-heat")
SIGNED_HEAT = ListedColormap([palette.heat_color(i / 127.5 - 1) for i in range(256)], name="m5-signed-heat")

RC = {
    "figure.dpi": 110,
    "figure.facecolor": palette.GROUND,
    "axes.facecolor": palette.GROUND,
    "savefig.facecolor": palette.GROUND,
    "savefig.dpi": 160,
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": palette.INK,
    "axes.edgecolor": palette.AXIS,
    "axes.labelcolor": palette.INK,
    "axes.labelsize": 10,
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.prop_cycle": mpl.cycler(color=palette.LINE_COLORS),
    "grid.color": palette.GRID,
    "grid.linewidth": 0.8,
    "xtick.color": palette.QUIET,
    "ytick.color": palette.QUIET,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "lines.linewidth": 2.0,
    "lines.solid_capstyle": "round",
    "svg.hashsalt": "mock5lib",
}


@contextmanager
def style() -> Iterator[None]:
    """The style of the course for figures made inside `with style():`."""
    # Not `mpl.rc_context`: it also puts back `interactive`, which the first figure of a notebook switches on while
    # the backend loads; later figures would then not be shown.
    before = {name: mpl.rcParams[name] for name in RC}
    mpl.rcParams.update(RC)
    try:
        yield
    finally:
        mpl.rcParams.update(before)


class BoardText(Text):
    """Text whose height is given in cells of the board, so it fits at any size of the figure."""

    def __init__(self, x: float, y: float, text: str, cells: float, **options):
        options = {"ha": "center", "va": "center_baseline", **options}
        super().__init__(x, y, text, **options)
        self.cells = cells

    def _fit(self) -> None:
        unit = abs(self.axes.transData.transform((0, 1))[1] - self.axes.transData.transform((0, 0))[1])
        self.set_fontsize(max(0.1, self.cells * unit * 72 / self.figure.dpi))

    def draw(self, renderer) -> None:
        self._fit()
        super().draw(renderer)

    def get_window_extent(self, renderer=None, dpi=None):
        self._fit()
        return super().get_window_extent(renderer, dpi)


def plot_board(
    game,
    ax: Axes | None = None,
    numbers: bool = True,
    heat: Sequence[float | None] | None = None,
    last: bool = True,
    marks: Mapping[int, str] | Iterable[int] | None = None,
    title: str | None = None,
    *,
    labels: Sequence[str | None] | None = None,
    coordinates: bool = True,
    caption: str | None = None,
    line: Sequence[int] | None = None,
    heat_limit: float | None = None,
) -> Axes:
    """Draw a position.

    Args:
        game: has `height`, `width`, `board` (flat, 0 empty, 1 black, 2 white) and `history`.
        numbers: write the move number on each stone.
        heat: H*W numbers drawn as tiles on the empty points: blue above zero, orange below, none at zero or NaN.
        last: ring on the last stone.
        marks: {move: text} written on points, or a collection of moves to mark with a cross.
        labels: H*W texts for the points.
        caption: a quiet text below the board.
        line: points to strike through, from end to end; by default the winning row, if there is one.
        heat_limit: the heat drawn deepest, so that several boards have one scale; default: the largest of this board.

    Returns:
        The Axes.
    """
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=_board_figsize(game, title, caption), layout="constrained")
        else:  # made outside our style: its figure gets no ground of its own either
            ax.figure.set_facecolor(palette.GROUND)
        near, far = (geometry.FRAME + 0.03, geometry.FAR_FRAME + 0.03) if coordinates else (0.14, 0.14)
        # Row 0 is at the top, as in the printed board.
        bare_axes(ax, (-0.5 - near, game.width - 0.5 + far), (game.height - 0.5 + far, -0.5 - near))
        options = {"numbers": numbers, "heat": heat, "last": last, "coordinates": coordinates, "line": line}
        draw_board(ax, game, texts=_point_texts(game, marks, labels), heat_limit=heat_limit, **options)
        if title:
            ax.set_title(title, color=palette.INK)
        if caption:
            ax.set_xlabel(caption, color=palette.QUIET, fontsize=9, labelpad=6)
    return ax


def plot_policy(
    game,
    policy: Sequence[float] | Callable,
    ax: Axes | None = None,
    title: str | None = None,
    *,
    most: int | None = None,
    **options,
) -> Axes:
    """Draw a policy over the board: deeper blue is more likely; the numbers are percent.

    Args:
        policy: H*W non-negative scores, or a function from the game to them; that of a pass after them is not drawn.
        most: how many percentages to write (the largest ones); by default all up to 9x9 and ten on larger boards.
    """
    scores = np.asarray(policy(game) if callable(policy) else policy, dtype=float).reshape(-1)
    scores = scores[: getattr(game, "pass_move", None)]
    if len(scores) != game.height * game.width:
        raise ValueError(f"The policy has {len(scores)} scores; this board has {game.height * game.width} points.")
    if np.nanmin(scores) < 0:
        raise ValueError(f"A policy's scores are at least 0; the smallest here is {np.nanmin(scores):g}.")
    labels = geometry.percent_labels(scores, game.board, most)
    options = {"numbers": False, "caption": "probability, in percent", **options}
    return plot_board(game, ax, heat=scores, labels=labels, title=title, **options)


def plot_boards(
    games: Iterable,
    titles: Sequence[str] | None = None,
    *,
    columns: int | None = None,
    heats: Sequence | None = None,
    title: str | None = None,
    **options,
) -> Figure:
    """Draw several positions side by side; `titles` and `heats` go with them. Returns the Figure."""
    games = list(games)
    columns = min(len(games), columns or 4)
    rows = math.ceil(len(games) / columns)
    sides = [_board_figsize(g, None, None) for g in games]
    scale = min(1.0, 10.0 / (columns * max(w for w, _ in sides)))
    width = columns * scale * max(w for w, _ in sides)
    height = rows * (scale * max(h for _, h in sides) + (0.3 if titles else 0)) + (0.35 if title else 0)
    with style():
        figure, axes = plt.subplots(rows, columns, figsize=(width, height), squeeze=False, layout="constrained")
        for i, ax in enumerate(axes.flat):
            if i >= len(games):
                ax.set_axis_off()
                continue
            heat = None if heats is None else heats[i]
            plot_board(games[i], ax, heat=heat, title=None if titles is None else titles[i], **options)
    if title:
        headline(figure, title)
    return figure


def headline(figure: Figure, title: str) -> None:
    """Write what a figure of several panels finds above them, in bold; their own titles become smaller and lighter."""
    with style():
        figure.suptitle(title, x=0.01, ha="left", fontsize=11.5, fontweight="bold")
        for ax in figure.axes:
            name = ax.get_title(loc="left")
            for text in ax.get_children():
                if name and isinstance(text, Text) and text.get_text() == name:
                    text.set(fontsize=10, fontweight="normal")
        if figure.get_layout_engine() is not None:
            figure.get_layout_engine().set(h_pad=0.1)  # inches; keeps the headline off the panels' titles


def _board_figsize(game, title: str | None, caption: str | None) -> tuple[float, float]:
    cell = min(0.72, max(0.34, 4.6 / max(game.height, game.width)))
    width, height = (game.width + 0.9) * cell, (game.height + 0.9) * cell
    return max(width, 2.2), height + (0.32 if title else 0) + (0.28 if caption else 0)


def bare_axes(ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float]) -> None:
    """Axes of one unit both ways, without ticks, grid and frame."""
    ax.set(xlim=xlim, ylim=ylim, aspect="equal", xticks=[], yticks=[])
    ax.grid(False)
    ax.spines[:].set_visible(False)


def _point_texts(game, marks: Mapping[int, str] | Iterable[int] | None, labels: Sequence | None) -> dict[int, str]:
    """All texts to write on points as {move: text}; marks win over labels."""
    size = game.height * game.width
    if labels is not None and len(labels) != size:
        raise ValueError(f"There are {len(labels)} labels; this board has {size} points.")
    texts = {move: str(label) for move, label in enumerate(labels or ()) if label not in (None, "")}
    for move, text in marks.items() if hasattr(marks, "items") else ((move, "×") for move in marks or ()):
        if not 0 <= move < size:
            raise IndexError(f"There is no point {move} to mark: this board has points 0 to {size - 1}.")
        texts[int(move)] = str(text)
    return texts


class _Pen(NamedTuple):
    """What draws a board in an Axes, in rows, columns and cells; larger layers lie above smaller ones."""

    ax: Axes
    origin: tuple[float, float]  # of point (0, 0), in data coordinates; y grows down
    cell: float
    zorder: float

    def at(self, row: float, column: float) -> tuple[float, float]:
        return self.origin[0] + column * self.cell, self.origin[1] + row * self.cell

    def circle(self, row: float, column: float, radius: float, layer: float, **options) -> None:
        self.ax.add_patch(Circle(self.at(row, column), radius * self.cell, zorder=self.zorder + layer, **options))

    def box(self, row: float, column: float, height: float, width: float, corner: float, layer: float, **options):
        style = f"round,pad=0,rounding_size={corner * self.cell}"
        box = FancyBboxPatch(self.at(row, column), width * self.cell, height * self.cell, boxstyle=style)
        self.ax.add_patch(box).set(zorder=self.zorder + layer, **options)

    def text(self, row: float, column: float, text: str, size: float, layer: float, color: str) -> None:
        x, y = self.at(row, column)
        self.ax.add_artist(BoardText(x, y, text, size * self.cell, color=color, zorder=self.zorder + layer))


def draw_board(
    ax: Axes,
    game,
    *,
    origin: tuple[float, float] = (0.0, 0.0),
    cell: float = 1.0,
    numbers: bool = True,
    heat: Sequence[float | None] | None = None,
    last: bool = True,
    texts: dict[int, str] | None = None,
    coordinates: bool = True,
    edge: str = palette.BOARD_EDGE,
    edge_width: float = 1.2,
    zorder: float = 1.0,
    line: Sequence[int] | None = None,
    heat_limit: float | None = None,
) -> None:
    """Draw a board with point (0, 0) at `origin` and cells of side `cell`, in data coordinates (y grows down)."""
    width, stones, history = game.width, list(game.board), geometry.history_points(game)
    pen, texts = _Pen(ax, origin, cell, zorder), texts or {}
    _draw_face(pen, game, coordinates, edge, edge_width)
    tiles = [None] * len(stones)
    if heat is not None:
        tiles = palette.heat_strengths(np.asarray(heat, dtype=float).reshape(-1), len(stones), heat_limit)
    number_of = geometry.numbers_of(history) if numbers else {}
    for move, stone in enumerate(stones):
        row, column = divmod(move, width)
        strength = None if stone else tiles[move]
        if strength is not None:
            side = geometry.HEAT_SIDE
            fill = {"fc": palette.heat_color(strength), "alpha": palette.heat_opacity(strength), "lw": 0}
            pen.box(row - side / 2, column - side / 2, side, side, 0.14, 0.2, gid=f"heat-{move}", **fill)
        if stone:
            fill = {"fc": palette.STONE_FACE[stone], "ec": palette.STONE_EDGE[stone], "lw": 0.7}
            pen.circle(row, column, geometry.STONE_RADIUS, 0.3, gid=f"stone-{move}", **fill)
        if stone and last and history and move == history[-1]:
            ring = {"fill": False, "ec": palette.LAST_MOVE, "lw": 1.7 if cell >= 1 else 1.1}
            pen.circle(row, column, 0.345, 0.35, gid=f"last-{move}", **ring)
        if text := texts.get(move, str(number_of.get(move, "")) if stone else ""):
            ground = palette.heat_tile(strength or 0.0)
            ink = palette.STONE_TEXT[stone] if stone else palette.text_color_on(ground)
            if not stone and palette.heat_opacity(strength or 0.0) < 1:  # keep the grid from running through the text
                pen.circle(row, column, 0.32, 0.25, fc=ground, lw=0)
            pen.text(row, column, text, {1: 0.42, 2: 0.38, 3: 0.31}.get(len(text), 0.25), 0.5, ink)
    winners = geometry.winning_line(game) if line is None else line
    if winners:  # a line below the stones and a ring around each, so that no number is crossed
        ends = zip(*(pen.at(*divmod(move, width)) for move in (winners[0], winners[-1])))
        options = {"color": palette.WIN_LINE, "lw": 3.2, "solid_capstyle": "round", "gid": "win"}
        ax.plot(*ends, zorder=zorder + 0.28, **options)
    for move in winners:
        ring = {"fill": False, "ec": palette.WIN_LINE, "lw": 2.2 if cell >= 1 else 1.1, "gid": "winner"}
        pen.circle(*divmod(move, width), geometry.STONE_RADIUS, 0.36, **ring)


def _draw_face(pen: _Pen, game, coordinates: bool, edge: str, edge_width: float) -> None:
    """The board without stones: wood, lines, small dots to guide the eye, names of rows and columns."""
    height, width, names = game.height, game.width, geometry.names_of(game)
    near, far = (geometry.FRAME, geometry.FAR_FRAME) if coordinates else (0.10, 0.10)
    wood = {"fc": palette.BOARD_FACE, "ec": edge, "lw": edge_width, "gid": "board"}
    corner = 0.22 if coordinates else 0.12
    pen.box(-0.5 - near, -0.5 - near, height + near + far, width + near + far, corner, 0, **wood)
    first, off = (1, 0.5) if geometry.uses_cells(height, width, names) else (0, 0.0)
    segments = [[pen.at(-off, c - off), pen.at(height - 1 + off, c - off)] for c in range(first, width)]
    segments += [[pen.at(r - off, -off), pen.at(r - off, width - 1 + off)] for r in range(first, height)]
    thin = 0.7 if pen.cell < 1 or max(height, width) > 5 else 1.2
    options = {"colors": palette.BOARD_LINE, "linewidths": thin, "capstyle": "round", "zorder": pen.zorder + 0.1}
    pen.ax.add_collection(LineCollection(segments, **options), autolim=False)
    for move in geometry.star_points(height, width):
        pen.circle(*divmod(move, width), 0.08, 0.1, color=palette.BOARD_LINE)
    if coordinates:
        middle = -0.5 - 0.52 * geometry.FRAME
        rows, columns = names if any(names) else (DIGITS[:height], DIGITS[:width])
        for column, name in enumerate(columns):
            pen.text(middle, column, name, 0.34, 0.1, palette.BOARD_TEXT)
        for row, name in enumerate(rows):
            pen.text(row, middle, name, 0.34, 0.1, palette.BOARD_TEXT)

"""Boards and policies drawn with matplotlib, and the style that all figures of the course share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch
from matplotlib.text import Text

from mock5lib.show import geometry, palette

HEAT = ListedColormap([palette.heat_colour(i / 255) for i in range(256)], name="m5-heat")
SIGNED_HEAT = ListedColormap([palette.heat_colour(i / 127.5 - 1) for i in range(256)], name="m5-signed-heat")

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
    "axes.prop_cycle": mpl.cycler(color=palette.LINE_COLOURS),
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
        labels: H*W texts for the points (for example `geometry.percent_labels(policy)`).
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
        _board_axes(ax, game.height, game.width, coordinates)
        options = {"numbers": numbers, "heat": heat, "last": last, "coordinates": coordinates, "line": line}
        options["heat_limit"] = heat_limit
        draw_board(ax, game, texts=_point_texts(game, marks, labels), **options)
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
        policy: H*W non-negative scores, or a function from the game to them.
        most: how many percentages to write (the largest ones); by default all up to 9x9 and ten on larger boards.
    """
    scores = np.asarray(policy(game) if callable(policy) else policy, dtype=float).reshape(-1)
    size = game.height * game.width
    if len(scores) != size:
        raise ValueError(f"The policy has {len(scores)} scores; this board has {size} points.")
    if np.nanmin(scores) < 0:
        raise ValueError(f"A policy's scores are at least 0; the smallest here is {np.nanmin(scores):g}.")
    if most is None:
        most = size if size <= 81 else 10
    labels = [
        "" if stone else text for stone, text in zip(game.board, geometry.percent_labels(scores, most), strict=True)
    ]
    options = {"numbers": False, "caption": "percent of the policy", **options}
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
    if not games:
        raise ValueError("There must be at least one game to draw, got none.")
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


def _board_axes(ax: Axes, height: int, width: int, coordinates: bool) -> None:
    near, far = (geometry.FRAME + 0.03, geometry.FAR_FRAME + 0.03) if coordinates else (0.14, 0.14)
    # Row 0 is at the top, as in the printed board.
    bare_axes(ax, (-0.5 - near, width - 0.5 + far), (height - 0.5 + far, -0.5 - near))


def bare_axes(ax: Axes, xlim: tuple[float, float], ylim: tuple[float, float]) -> None:
    """Axes of one unit both ways, without ticks, grid and frame."""
    ax.set(xlim=xlim, ylim=ylim, aspect="equal", xticks=[], yticks=[])
    ax.grid(False)
    ax.spines[:].set_visible(False)


def _point_texts(
    game, marks: Mapping[int, str] | Iterable[int] | None, labels: Sequence[str | None] | None
) -> dict[int, str]:
    """All texts to write on points as {move: text}; marks win over labels."""
    size = game.height * game.width
    texts = {}
    if labels is not None:
        if len(labels) != size:
            raise ValueError(f"There are {len(labels)} labels; this board has {size} points.")
        texts.update({move: str(label) for move, label in enumerate(labels) if label not in (None, "")})
    if marks is not None:
        pairs = marks.items() if hasattr(marks, "items") else ((move, "×") for move in marks)
        for move, text in pairs:
            if not 0 <= move < size:
                raise IndexError(f"There is no point {move} to mark: this board has points 0 to {size - 1}.")
            texts[int(move)] = str(text)
    return texts


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
    edge: str | None = None,
    edge_width: float = 1.2,
    zorder: float = 1.0,
    line: Sequence[int] | None = None,
    heat_limit: float | None = None,
) -> None:
    """Draw a board with point (0, 0) at `origin` and cells of side `cell`, in data coordinates (y grows down)."""
    height, width, stones, history = game.height, game.width, list(game.board), geometry.history_points(game)
    to_x, to_y = (lambda c: origin[0] + c * cell), (lambda r: origin[1] + r * cell)
    names = geometry.names_of(game)
    _draw_face(ax, height, width, names, to_x, to_y, cell, coordinates, edge, edge_width, zorder)
    tiles = [None] * len(stones)
    if heat is not None:
        strengths = palette.heat_strengths(np.asarray(heat, dtype=float).reshape(-1), len(stones), heat_limit)
        tiles = [None if x is None or stones[i] else x for i, x in enumerate(strengths)]
    texts = texts or {}
    newest = history[-1] if last and history else len(stones)  # a pass, too, is no point of the board
    ringed = newest if newest < len(stones) and stones[newest] else None
    number_of = geometry.numbers_of(history) if numbers else {}
    for move, stone in enumerate(stones):
        row, column = divmod(move, width)
        x, y = to_x(column), to_y(row)
        if tiles[move] is not None:
            _draw_tile(ax, move, tiles[move], x, y, cell, zorder)
        if stone:
            _draw_stone(ax, move, stone, x, y, cell, move == ringed, zorder)
        text = texts.get(move, str(number_of.get(move, "")) if stone else "")
        if text:
            _draw_point_text(ax, text, stone, tiles[move], x, y, cell, zorder)
    _draw_win(ax, geometry.winning_line(game) if line is None else line, width, to_x, to_y, zorder)


def _draw_face(
    ax: Axes,
    height: int,
    width: int,
    names: tuple[list[str], list[str]],
    to_x: Callable,
    to_y: Callable,
    cell: float,
    coordinates: bool,
    edge: str | None,
    edge_width: float,
    zorder: float,
) -> None:
    near, far = (geometry.FRAME, geometry.FAR_FRAME) if coordinates else (0.10, 0.10)
    left, top = to_x(-0.5 - near), to_y(-0.5 - near)
    box = f"round,pad=0,rounding_size={(0.22 if coordinates else 0.12) * cell}"
    face = FancyBboxPatch((left, top), (width + near + far) * cell, (height + near + far) * cell, boxstyle=box)
    face.set(fc=palette.BOARD_FACE, ec=edge or palette.BOARD_EDGE, lw=edge_width, zorder=zorder, gid="board")
    ax.add_patch(face)
    if geometry.uses_cells(height, width, names):
        segments = [[(to_x(c - 0.5), to_y(-0.5)), (to_x(c - 0.5), to_y(height - 0.5))] for c in range(1, width)]
        segments += [[(to_x(-0.5), to_y(r - 0.5)), (to_x(width - 0.5), to_y(r - 0.5))] for r in range(1, height)]
    else:
        segments = [[(to_x(c), to_y(0)), (to_x(c), to_y(height - 1))] for c in range(width)]
        segments += [[(to_x(0), to_y(r)), (to_x(width - 1), to_y(r))] for r in range(height)]
    thin = 0.7 if cell < 1 or max(height, width) > 5 else 1.2
    lines = LineCollection(segments, colors=palette.BOARD_LINE, linewidths=thin, capstyle="round", zorder=zorder + 0.1)
    ax.add_collection(lines, autolim=False)
    for move in geometry.star_points(height, width):
        row, column = divmod(move, width)
        ax.add_patch(Circle((to_x(column), to_y(row)), 0.08 * cell, color=palette.BOARD_LINE, zorder=zorder + 0.1))
    if coordinates:
        options = {"color": palette.BOARD_TEXT, "zorder": zorder + 0.1}
        size, middle = 0.34 * cell, -0.5 - 0.52 * geometry.FRAME
        rows, columns = names if any(names) else (map(geometry.coordinate, range(side)) for side in (height, width))
        for column, name in enumerate(columns):
            ax.add_artist(BoardText(to_x(column), to_y(middle), name, size, **options))
        for row, name in enumerate(rows):
            ax.add_artist(BoardText(to_x(middle), to_y(row), name, size, **options))


def _draw_tile(ax: Axes, move: int, strength: float | None, x: float, y: float, cell: float, zorder: float) -> None:
    side = geometry.HEAT_SIDE * cell
    box = f"round,pad=0,rounding_size={0.14 * cell}"
    tile = FancyBboxPatch((x - side / 2, y - side / 2), side, side, boxstyle=box, lw=0)
    tile.set(
        fc=palette.heat_colour(strength), alpha=palette.heat_opacity(strength), gid=f"heat-{move}", zorder=zorder + 0.2
    )
    ax.add_patch(tile)


def _draw_stone(ax: Axes, move: int, stone: int, x: float, y: float, cell: float, ringed: bool, zorder: float) -> None:
    disc = Circle(
        (x, y), geometry.STONE_RADIUS * cell, fc=palette.STONE_FACE[stone], ec=palette.STONE_EDGE[stone], lw=0.7
    )
    disc.set(gid=f"stone-{move}", zorder=zorder + 0.3)
    ax.add_patch(disc)
    if ringed:
        ring = Circle((x, y), 0.345 * cell, fill=False, ec=palette.LAST_MOVE, lw=1.7 if cell >= 1 else 1.1)
        ring.set(gid=f"last-{move}", zorder=zorder + 0.35)
        ax.add_patch(ring)


def _draw_point_text(
    ax: Axes, text: str, stone: int, strength: float | None, x: float, y: float, cell: float, zorder: float
) -> None:
    ground = palette.heat_tile(strength or 0.0)
    ink = palette.STONE_TEXT[stone] if stone else palette.text_colour_on(ground)
    if not stone and palette.heat_opacity(strength or 0.0) < 1:  # keep the grid from running through the text
        ax.add_patch(Circle((x, y), 0.32 * cell, fc=ground, lw=0, zorder=zorder + 0.25))
    size = {1: 0.42, 2: 0.38, 3: 0.31}.get(len(text), 0.25) * cell
    ax.add_artist(BoardText(x, y, text, size, color=ink, zorder=zorder + 0.5))


def _draw_win(ax: Axes, line: Sequence[int], width: int, to_x: Callable, to_y: Callable, zorder: float) -> None:
    """A line below the winning stones and a ring around each, so that no number is crossed."""
    if not line:
        return
    points = [(to_x(move % width), to_y(move // width)) for move in line]
    options = {"color": palette.WIN_LINE, "lw": 3.2, "solid_capstyle": "round", "gid": "win"}
    ax.plot(*zip(points[0], points[-1]), zorder=zorder + 0.28, **options)
    cell = max(abs(points[0][0] - points[-1][0]), abs(points[0][1] - points[-1][1])) / (len(points) - 1 or 1)
    for point in points:
        ring = Circle(
            point, geometry.STONE_RADIUS * cell, fill=False, ec=palette.WIN_LINE, lw=2.2 if cell >= 1 else 1.1
        )
        ax.add_patch(ring).set(zorder=zorder + 0.36, gid="winner")

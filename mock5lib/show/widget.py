"""A board to play on in a notebook: an SVG board for JupyterLab, Notebook 7, VS Code and Colab (anywidget).

First what all panels share: a stable text, and still pictures for readers without a kernel: GitHub, nbviewer.
"""

from __future__ import annotations

import base64
import io
import math
import operator
import pathlib
from collections.abc import Callable, Iterable
from types import SimpleNamespace

import anywidget
import ipywidgets
import matplotlib.pyplot as plt
import traitlets as t
from matplotlib.figure import Figure

from mock5lib.show import geometry, svg
from mock5lib.show.boards import plot_board

SCREEN_DPI = 84  # size at which a figure is shown; it is drawn at twice that, for sharp screens


class Panel(ipywidgets.VBox):
    """A box of widgets whose text never names an address or a model, so stored notebooks compare equal."""

    def pictures(self) -> dict[str, str | bytes]:
        """The present picture as {MIME type: SVG text or PNG bytes}; of a panel with a board, the board's."""
        return self.board.pictures()

    def summary(self) -> str:
        """One line of text: what the panel shows."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary()}>"

    def _repr_mimebundle_(self, **kwargs):
        # ipywidgets 7 displays by another method and has no bundle of its own.
        inherited = getattr(super(), "_repr_mimebundle_", dict)
        return mime_bundle(self, inherited(**kwargs), self.pictures())


def png_of(figure: Figure) -> bytes:
    """A figure as PNG bytes, at twice the size it is shown at; the figure is closed."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=2 * SCREEN_DPI, bbox_inches="tight", pad_inches=0.12)
    plt.close(figure)
    return buffer.getvalue()


def shown_size(png: bytes) -> tuple[int, int]:
    """Width and height in pixels at which to show a picture made by `png_of`."""
    # The header of a PNG: 8 bytes of signature, 8 of chunk name and length, then width and height.
    return int.from_bytes(png[16:20], "big") // 2, int.from_bytes(png[20:24], "big") // 2


def mime_bundle(widget, bundle, pictures: dict[str, str | bytes]):
    """Add still pictures, {MIME type: SVG text or PNG bytes}, to what a widget displays."""
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    if data is None:
        return data, metadata
    data, metadata = {**data, **pictures, "text/plain": repr(widget)}, dict(metadata or {})
    if png := pictures.get("image/png"):
        metadata["image/png"] = dict(zip(("width", "height"), shown_size(png)))
        data["image/png"] = base64.b64encode(png).decode("ascii")
    return data, metadata


def set_picture(image: ipywidgets.Image, figure: Figure, *, shrinks: bool = True) -> None:
    """Show a figure in an `ipywidgets.Image`, no wider than the cell if it `shrinks`."""
    data = png_of(figure)
    image.layout.width = f"{shown_size(data)[0]}px"
    image.layout.max_width = "100%" if shrinks else None
    image.layout.min_width = None if shrinks else image.layout.width
    image.layout.object_fit = "contain"
    image.value = data


def button(text: str, tooltip: str, action: Callable[[], object], **options) -> ipywidgets.Button:
    """A button that calls `action()`."""
    made = ipywidgets.Button(description=text, tooltip=tooltip, layout={"width": "auto"}, **options)
    made.on_click(lambda _: action())
    return made


def row(*widgets: ipywidgets.Widget) -> ipywidgets.HBox:
    """Widgets side by side, wrapping where the cell is narrow."""
    return ipywidgets.HBox(list(widgets), layout={"flex_flow": "row wrap", "align_items": "center"})


_STATIC = pathlib.Path(__file__).parent / "static"


class BoardWidget(anywidget.AnyWidget):
    """An interactive board.

    Traits, all of which may be set from Python:
        height, width: sides of the board.
        stones: list of H*W values, 0 empty, 1 black, 2 white.
        history: moves in order, for the numbers and the ring on the last stone.
        player: who moves next (1 or 2), 0 to show nobody's turn.
        line: the points of the winning row, if there is one.
        heat: list of H*W floats drawn as tiles, or empty. labels: list of H*W texts on the points, or empty.
        rows, columns: names of rows and columns, where the game has its own; empty for numbers.
        numbers: move numbers on the stones. enabled: clicks are taken. message: the status line.
        clicked: {"move": index, "n": count}, set by the front end at each click.
        drawing: the SVG inside the picture, made from the others; what the front end shows.
        max_width: the board grows with its cell up to this many pixels.
    """

    _esm = _STATIC / "board.js"
    _css = _STATIC / "board.css"

    height = t.Int(15).tag(sync=True)
    width = t.Int(15).tag(sync=True)
    stones = t.List(t.Int()).tag(sync=True)
    history = t.List(t.Int()).tag(sync=True)
    line = t.List(t.Int()).tag(sync=True)
    player = t.Int(1).tag(sync=True)
    heat = t.List(t.Any()).tag(sync=True)
    labels = t.List(t.Unicode()).tag(sync=True)
    rows = t.List(t.Unicode()).tag(sync=True)
    columns = t.List(t.Unicode()).tag(sync=True)
    numbers = t.Bool(False).tag(sync=True)
    enabled = t.Bool(True).tag(sync=True)
    message = t.Unicode("").tag(sync=True)
    clicked = t.Dict().tag(sync=True)
    max_width = t.Int(480).tag(sync=True)
    drawing = t.Unicode("").tag(sync=True)
    _geometry = t.Dict({"cell": svg.CELL, "near": svg.NEAR, "far": svg.FAR}).tag(sync=True)

    def __init__(self, game=None, **traits):
        """Show `game` (anything with `height`, `width`, `board`, `history`, `player`), or an empty board."""
        self._listeners = []
        self._held = True  # draw once, when all traits are in place
        traits = {"height": 15, "width": 15, **(_game_traits(game) if game is not None else {}), **traits}
        traits.setdefault("stones", [0] * (traits["height"] * traits["width"]))
        traits.setdefault("max_width", min(620, max(240, 44 * traits["width"] + 40)))
        super().__init__(**traits)
        self._held = False
        self._redraw()

    def update(
        self,
        game,
        message: str | None = None,
        heat: Iterable[float | None] | None = None,
        labels: Iterable[str | None] | None = None,
    ) -> BoardWidget:
        """Show another position (and drop the old overlay, unless a new one is given)."""
        new = _game_traits(game)
        strengths = [math.nan if x is None else float(x) for x in (heat if heat is not None else [])]
        new["heat"] = [x if math.isfinite(x) else None for x in strengths]  # JSON has no NaN
        new["labels"] = ["" if x is None else str(x) for x in (labels if labels is not None else [])]
        if message is not None:
            new["message"] = message
        self._held = True
        with self.hold_sync():
            for name, value in new.items():
                setattr(self, name, value)
            self._held = False
            self._redraw()
        return self

    def on_move(self, callback: Callable[[int], None]) -> Callable[[int], None]:
        """Call `callback(move)` at each click on a point; returns the callback, so it serves as a decorator."""
        self._listeners.append(callback)
        return callback

    def svg(self) -> svg.Svg:
        """The present picture as SVG text."""
        return svg.wrap(self.height, self.width, self._markup(numbers=self.numbers), sum(map(bool, self.stones)))

    def pictures(self) -> dict[str, str | bytes]:
        """The present picture as SVG text and, where a page lets no SVG through, as PNG bytes."""
        position = SimpleNamespace(
            height=self.height,
            width=self.width,
            board=self.stones,
            history=self.history,
            row_names=self.rows,
            column_names=self.columns,
            pass_move=len(self.stones),  # so that a history with passes and captured stones stays as it is
        )
        heat = [math.nan if x is None else x for x in self.heat] or None
        ax = plot_board(position, numbers=self.numbers, heat=heat, labels=self.labels or None, line=self.line)
        return {"image/svg+xml": self.svg(), "image/png": png_of(ax.figure)}

    @t.observe("clicked")
    def _forward_click(self, change: dict) -> None:
        if not self.enabled or "move" not in change["new"]:
            return
        try:
            move = operator.index(change["new"]["move"])
        except TypeError:
            return
        if 0 <= move < self.height * self.width:
            for callback in list(self._listeners):
                callback(move)

    @t.observe("stones", "history", "line", "heat", "labels", "height", "width", "rows", "columns")
    def _redraw(self, change: dict | None = None) -> None:
        if not self._held:
            self.drawing = self._markup(numbers=True)

    def _markup(self, numbers: bool) -> str:
        overlay = {"heat": self.heat or None, "labels": self.labels or None, "names": (self.rows, self.columns)}
        position = self.height, self.width, self.stones, self.history
        return svg.svg_drawing(*position, line=self.line, numbers=numbers, **overlay)

    def __repr__(self) -> str:
        stones = sum(map(bool, self.stones))
        return f"<BoardWidget {self.height}×{self.width}, {stones} stones, move {len(self.history)}>"

    def _repr_mimebundle_(self, **kwargs):
        return mime_bundle(self, super()._repr_mimebundle_(**kwargs), self.pictures())


def _game_traits(game) -> dict:
    rows, columns = geometry.names_of(game)
    return {
        "rows": rows,
        "columns": columns,
        "height": int(game.height),
        "width": int(game.width),
        "stones": [int(x) for x in game.board],
        "history": geometry.history_points(game),
        "line": geometry.winning_line(game),
        "player": int(game.player) if game.winner is None else 0,
    }

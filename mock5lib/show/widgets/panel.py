"""What all panels share: a stable text, and still pictures for readers without a kernel: GitHub, nbviewer."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable

import ipywidgets
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

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

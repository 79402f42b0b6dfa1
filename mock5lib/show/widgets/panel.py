"""What all panels share: a stable text, a still picture for readers without a kernel, figures as PNG."""

from __future__ import annotations

from collections.abc import Callable

import ipywidgets
from matplotlib.figure import Figure

from mock5lib.show.widgets.still import mime_bundle, png_of, shown_size


class Panel(ipywidgets.VBox):
    """A box of widgets whose text never names an address or a model, so stored notebooks compare equal."""

    def pictures(self) -> dict[str, str | bytes]:
        """The present picture as {MIME type: SVG text or PNG bytes}."""
        raise NotImplementedError

    def summary(self) -> str:
        """One line of text: what the panel shows."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary()}>"

    def _repr_mimebundle_(self, **kwargs):
        # ipywidgets 7 displays by another method and has no bundle of its own.
        inherited = getattr(super(), "_repr_mimebundle_", dict)
        return mime_bundle(self, inherited(**kwargs), self.pictures())


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

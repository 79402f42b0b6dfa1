"""What all panels share: a stable text, a still picture for readers without a kernel, figures as PNG."""

import base64
import io

import ipywidgets
import matplotlib.pyplot as plt

from .board_widget import mime_bundle

SCREEN_DPI = 84  # size at which a figure is shown; it is drawn at twice that, for sharp screens


class Panel(ipywidgets.VBox):
    """A box of widgets whose text never names an address or a model, so stored notebooks compare equal."""

    def still(self):
        """The present picture as (text, MIME type)."""
        raise NotImplementedError

    def summary(self):
        """One line of text: what the panel shows."""
        raise NotImplementedError

    def __repr__(self):
        return f"<{type(self).__name__}: {self.summary()}>"

    def _repr_mimebundle_(self, **kwargs):
        picture, mime = self.still()
        return mime_bundle(self, super()._repr_mimebundle_(**kwargs), picture, mime)


def png_of(figure):
    """A figure as (PNG bytes, width in pixels to show it at); the figure is closed."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=2 * SCREEN_DPI, bbox_inches="tight", pad_inches=0.12)
    plt.close(figure)
    data = buffer.getvalue()
    width = int.from_bytes(data[16:20], "big")  # of the PNG's header, after its length and its name
    return data, width // 2


def base64_text(data):
    """Bytes as the text that a notebook stores."""
    return base64.b64encode(data).decode("ascii")


def set_picture(image, figure):
    """Show a figure in an `ipywidgets.Image`, no wider than the cell."""
    data, width = png_of(figure)
    image.layout.width = f"{width}px"
    image.layout.max_width = "100%"
    image.layout.object_fit = "contain"
    image.value = data


def button(text, tooltip, action, **options):
    """A button that calls `action()`."""
    made = ipywidgets.Button(description=text, tooltip=tooltip, layout={"width": "auto"}, **options)
    made.on_click(lambda _: action())
    return made


def row(*widgets):
    """Widgets side by side, wrapping where the cell is narrow."""
    return ipywidgets.HBox(list(widgets), layout={"flex_flow": "row wrap", "align_items": "center"})

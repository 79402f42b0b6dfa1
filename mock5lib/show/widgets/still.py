"""Still pictures of widgets, for readers without a kernel: GitHub, nbviewer, a notebook just opened."""

from __future__ import annotations

import base64
import io

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

SCREEN_DPI = 84  # size at which a figure is shown; it is drawn at twice that, for sharp screens


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
    data, metadata = {**data, "text/plain": repr(widget)}, dict(metadata or {})
    for mime, picture in pictures.items():
        if mime == "image/png":
            picture = bytes(picture)
            width, height = shown_size(picture)
            metadata[mime] = {"width": width, "height": height}
            picture = base64.b64encode(picture).decode("ascii")
        data[mime] = picture
    return data, metadata

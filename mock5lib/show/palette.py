"""Every color of the course's pictures: lines, boards, stones, and the ramps of heat maps.

Nothing here imports matplotlib or ipywidgets, so the SVG pictures work without them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

# Okabe and Ito (2008): eight colors that stay apart for every common kind of color blindness.
OKABE_ITO = {
    "blue": "#0072B2",
    "vermillion": "#D55E00",
    "green": "#009E73",
    "purple": "#CC79A7",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "black": "#000000",
}
# Yellow and sky are too pale for thin lines and small text on white, so they are not in the cycle.
LINE_COLORS = [OKABE_ITO[name] for name in ("blue", "vermillion", "green", "purple", "orange")] + ["#888888"]

# Figures are light cards in both modes. On white, INK has a contrast of 16 and QUIET of 7.
INK = "#1F2328"  # text
QUIET = "#555B63"  # captions, coordinates, what is not the message
GROUND = "#FFFFFF"
AXIS, GRID = "#8A9099", "#8888883A"
PAPER, DARK_TEXT = "#FFFFFF", "#1E1E20"  # on grounds that we draw ourselves
MUTED = "#BBB6AC"  # bars that are not set off
EDGE, FAINT = "#A9A297", "#C9C4BA"  # of a tree; to what is not drawn
DARK_ORANGE = "#9A6A00"  # for text, where orange is too pale on white

BOARD_FACE = "#EFDDB8"
BOARD_EDGE = "#CDB583"
BOARD_LINE = "#8C744A"
BOARD_TEXT = "#6B5730"
STONE_FACE = {1: "#1E1E20", 2: "#FBFAF7"}
STONE_EDGE = {1: "#000000", 2: "#6E6A64"}
STONE_TEXT = {1: "#FFFFFF", 2: "#1E1E20"}
LAST_MOVE = OKABE_ITO["vermillion"]
WIN_LINE = OKABE_ITO["green"]


# Heat ----------------------------------------------------------------------------------------------------------------

# Ends of the ramps in Oklab (Ottosson 2020): straight lines there are even steps for the eye.
_POSITIVE_RAMP = ("#E6F0F5", "#0A4F86")
_NEGATIVE_RAMP = ("#FAEBE0", "#A34200")


def to_oklab(color: str) -> tuple[float, float, float]:
    r, g, b = (to_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def from_oklab(lightness: float, a: float, b: float) -> str:
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, to_srgb(x)))):02X}" for x in linear)


def to_linear(x: float) -> float:
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def to_srgb(x: float) -> float:
    return 12.92 * x if x <= 0.0031308 else 1.055 * max(x, 0.0) ** (1 / 2.4) - 0.055


def heat_color(strength: float) -> str:
    """Color of a heat of `strength` in [-1, 1]: pale to deep blue above zero, pale to deep orange below."""
    low, high = _POSITIVE_RAMP if strength >= 0 else _NEGATIVE_RAMP
    share = min(1.0, abs(strength))
    return from_oklab(*(x + share * (y - x) for x, y in zip(to_oklab(low), to_oklab(high), strict=True)))


def heat_opacity(strength: float) -> float:
    """Opacity of a heat tile: weak heat fades into the board, so the few points that matter stand out."""
    return min(1.0, 8 * abs(strength))


def heat_tile(strength: float) -> str:
    """The color of a heat tile as it shows on the board, which shines through."""
    color, opacity = heat_color(strength), heat_opacity(strength)
    pairs = ((int(color[i : i + 2], 16), int(BOARD_FACE[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(opacity * over + (1 - opacity) * under):02X}" for over, under in pairs)


def text_color_on(color: str) -> str:
    """Dark or white text on `color` (`#RRGGBB`): white as soon as its contrast reaches 3.6, which reads better."""
    r, g, b = (to_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b  # WCAG 2.1
    return "#FFFFFF" if 1.05 / (luminance + 0.05) >= 3.6 else DARK_TEXT


def heat_strengths(heat: Iterable[float | None], size: int, limit: float | None = None) -> list[float | None]:
    """Heat of the points as shares of the largest absolute value, or of `limit`: floats in [-1, 1] or None.

    `heat` holds `size` numbers; zero, NaN, None and infinities give None (nothing is drawn there).
    """
    values = [None if v is None else float(v) for v in list(heat)]
    if len(values) != size:
        raise ValueError(f"The heat has {len(values)} values; this board has {size} points.")
    known = [abs(v) for v in values if v is not None and math.isfinite(v)]
    largest = max(known, default=0.0) if limit is None else limit
    if largest == 0.0:
        return [None] * size
    return [max(-1.0, min(1.0, v / largest)) if v is not None and math.isfinite(v) and v != 0 else None for v in values]

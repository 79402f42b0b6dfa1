"""The look shared by every picture of the course: colours, coordinates, and the geometry of a board.

Nothing here imports matplotlib or ipywidgets, so the SVG pictures work without them.
"""

import math

from mock5lib.game.points import DIGITS, DIRECTIONS

# Okabe and Ito (2008): eight colours that stay apart for every common kind of colour blindness.
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
LINE_COLORS = [OKABE_ITO[name] for name in ("blue", "vermillion", "green", "purple", "orange")] + ["#444444"]

INK = "#2B2B2B"  # text
QUIET = "#6F6A62"  # captions, coordinates, what is not the message
PAPER = "#FFFFFF"

BOARD_FACE = "#EFDDB8"
BOARD_EDGE = "#CDB583"
BOARD_LINE = "#8C744A"
BOARD_TEXT = "#6B5730"
STONE_FACE = {1: "#1E1E20", 2: "#FBFAF7"}
STONE_EDGE = {1: "#000000", 2: "#6E6A64"}
STONE_TEXT = {1: "#FFFFFF", 2: "#1E1E20"}
PLAYER_NAME = {1: "Black", 2: "White"}
LAST_MOVE = OKABE_ITO["vermillion"]
WIN_LINE = OKABE_ITO["green"]

SQRT2 = math.sqrt(2)  # the usual exploration constant of UCT

STONE_RADIUS = 0.43  # in cells
HEAT_SIDE = 0.90  # side of a heat tile, in cells
FRAME = 0.60  # width of the frame with the coordinates (left, top), in cells
FAR_FRAME = 0.20  # and of the one without (right, bottom)


def coordinate(index):
    """Name of a row or a column as `str(game)` writes it: 0-9, then A-Z."""
    if not 0 <= index < len(DIGITS):
        raise IndexError(f"no coordinate for {index}: rows and columns go from 0 to {len(DIGITS) - 1}")
    return DIGITS[index]


def point_name(move, width):
    """`row 3 column 4` for a point of a board `width` columns wide."""
    row, column = divmod(move, width)
    return f"row {coordinate(row)} column {coordinate(column)}"


def number_text(number):
    """A number of wins or visits without a needless `.0`: 3, 3.5."""
    return f"{number:g}" if number == int(number) else f"{number:.1f}"


def uses_cells(height, width):
    """True for small boards, drawn like tic-tac-toe (stones in squares); larger ones have stones on crossings."""
    return max(height, width) <= 5


def star_points(height, width):
    """The points that carry a small dot to guide the eye on boards of 9x9 and more."""
    if min(height, width) < 9 or height % 2 == 0 or width % 2 == 0:
        return []
    edge = 2 if min(height, width) < 13 else 3
    rows, columns = (edge, height - 1 - edge), (edge, width - 1 - edge)
    return [r * width + c for r in rows for c in columns] + [(height // 2) * width + width // 2]


def history_points(game):
    """The moves of a game as points of its board; empty where its moves are no points (columns in connect-four)."""
    stones, moves = list(game.board), list(getattr(game, "history", ()))
    is_point = [isinstance(move, int) and 0 <= move < len(stones) and stones[move] != 0 for move in moves]
    return moves if all(is_point) and len(set(moves)) == len(moves) else []


def winning_line(game):
    """The points of the row that won the game, from end to end; empty while nobody has won.

    game: has `height`, `width`, `board`, `history`, `winner` and `k`; without a `k` there is no line to show.
    """
    k, winner = getattr(game, "k", 0), game.winner
    if not k or winner not in (1, 2):
        return []
    stones = list(game.board)
    for point in [*reversed(history_points(game)), *range(len(stones))]:
        if stones[point] != winner:
            continue
        for line in _lines_through(game.height, game.width, stones, point):
            if len(line) == k or (len(line) > k and not getattr(game, "exact", False)):
                return line
    return []


def _lines_through(height, width, stones, point):
    """The four unbroken lines of one colour through a stone, each as points from end to end."""
    row, column = divmod(point, width)
    for step_row, step_column in DIRECTIONS:
        line = [point]
        for sign in (-1, 1):
            r, c = row + sign * step_row, column + sign * step_column
            while 0 <= r < height and 0 <= c < width and stones[r * width + c] == stones[point]:
                line.append(r * width + c)
                r, c = r + sign * step_row, c + sign * step_column
        yield sorted(line)


# ---------------------------------------------------------------- heat

# Ends of the ramps in Oklab (Ottosson 2020): straight lines there are even steps for the eye.
_POSITIVE_RAMP = ("#E6F0F5", "#0A4F86")
_NEGATIVE_RAMP = ("#FAEBE0", "#A34200")


def _to_oklab(color):
    r, g, b = (_to_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def _from_oklab(lightness, a, b):
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return "#" + "".join(f"{round(255 * min(1.0, max(0.0, _to_srgb(x)))):02X}" for x in linear)


def _to_linear(x):
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def _to_srgb(x):
    return 12.92 * x if x <= 0.0031308 else 1.055 * max(x, 0.0) ** (1 / 2.4) - 0.055


def heat_color(strength):
    """Colour of a heat of `strength` in [-1, 1]: pale to deep blue above zero, pale to deep orange below."""
    low, high = _POSITIVE_RAMP if strength >= 0 else _NEGATIVE_RAMP
    share = min(1.0, abs(strength))
    return _from_oklab(*(x + share * (y - x) for x, y in zip(_to_oklab(low), _to_oklab(high), strict=True)))


def heat_opacity(strength):
    """Opacity of a heat tile: weak heat fades into the board, so the few points that matter stand out."""
    return min(1.0, 8 * abs(strength))


def blend(color, opacity, ground=BOARD_FACE):
    """The colour seen when `color` lies over `ground` with the given opacity."""
    pairs = ((int(color[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(opacity * over + (1 - opacity) * under):02X}" for over, under in pairs)


def heat_tile(strength):
    """The colour of a heat tile as it shows on the board."""
    return blend(heat_color(strength), heat_opacity(strength))


def text_color_on(color):
    """Dark or white text on `color` (`#RRGGBB`): white as soon as its contrast reaches 3.6, which reads better."""
    r, g, b = (_to_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b  # WCAG 2.1
    return "#FFFFFF" if 1.05 / (luminance + 0.05) >= 3.6 else INK


def heat_strengths(heat, size):
    """Heat of the points as shares of the largest absolute value: a list of floats in [-1, 1] or None.

    `heat` holds `size` numbers; zero, NaN, None and infinities give None (nothing is drawn there).
    """
    values = [None if v is None else float(v) for v in list(heat)]
    if len(values) != size:
        raise ValueError(f"heat has {len(values)} values; this board has {size} points")
    known = [abs(v) for v in values if v is not None and math.isfinite(v)]
    largest = max(known, default=0.0)
    if largest == 0.0:
        return [None] * size
    return [v / largest if v is not None and math.isfinite(v) and v != 0 else None for v in values]


def percent_labels(scores, most=None):
    """Percentages of the total to write on the points, `''` where there is too little to say.

    `most` limits the number of labels to the largest scores. Negative scores and NaN count as zero.
    """
    clean = [max(0.0, float(s)) if s is not None and math.isfinite(float(s)) else 0.0 for s in list(scores)]
    total = sum(clean)
    if total <= 0:
        return [""] * len(clean)
    percents = [100 * s / total for s in clean]
    ranked = sorted(range(len(clean)), key=lambda i: -percents[i])
    shown = set(ranked[: len(ranked) if most is None else most])
    return [f"{p:.0f}" if i in shown and p >= 0.5 else "" for i, p in enumerate(percents)]

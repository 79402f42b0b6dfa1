"""Curves and bars (matplotlib): direct labels, color-blind-safe colors.

Also the two terms of UCT, the curves of a run of self-play, and who worked when: one lane of bars for each part of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from numpy.typing import ArrayLike

from mock5lib.show import geometry, palette
from mock5lib.show.boards import plot_board, style


def note(ax: Axes, text: str, at: tuple, offset: tuple[float, float], **options) -> Annotation:
    """Write a text `offset` points away from a point of the picture; the options are those of `Axes.annotate`."""
    options = {"va": "center", "fontsize": 9.5, "color": palette.INK, **options}
    return ax.annotate(text, at, xytext=offset, textcoords="offset points", **options)


def name_rows(ax: Axes, names: Iterable[str]) -> None:
    """Name the levels 0, 1, … of a picture of rows, and take away what would compete with them."""
    names = list(names)
    ax.set_yticks(range(len(names)), names, color=palette.INK, fontsize=10)
    ax.grid(False, axis="y")


def plot_curves(
    x: ArrayLike,
    series: dict,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    xlabel: str | None = None,
    ylabel: str | None = None,
    log_x: bool = False,
    percent: bool = False,
    ylim: tuple[float, float] | None = None,
    markers: bool | None = None,
    reference: dict[str, float] | None = None,
) -> Axes:
    """Draw curves with their names at their ends.

    Args:
        x: positions shared by all curves. series: {name: y or (y, low, high)}; low and high bound a confidence band.
        percent: y is a share in [0, 1], shown in percent. reference: {text: y} for thin horizontal lines.

    Returns:
        The Axes; the curves are in `ax.lines` with their names as labels.
    """
    x = np.asarray(x, dtype=float)
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(7.2, 3.9), layout="constrained")
        ends = []
        for number, (name, values) in enumerate(series.items()):
            with_band = isinstance(values, tuple) and len(values) == 3
            y, *band = (np.asarray(part, dtype=float) for part in (values if with_band else [values]))
            color = palette.LINE_COLORS[number % len(palette.LINE_COLORS)]
            dashes = "-" if number < len(palette.LINE_COLORS) else "--"
            marker = "o" if (len(x) <= 15 if markers is None else markers) else None
            ax.plot(x, y, dashes, color=color, label=name, marker=marker, ms=4.5, mew=0, zorder=3)
            if band:
                ax.fill_between(x, *band, color=color, alpha=0.16, lw=0, zorder=2, gid=f"band-{name}")
            known = y[np.isfinite(y)]
            if len(known):
                ends.append((name, known[-1], color))
        if log_x:
            ax.set_xscale("log")
            if len(ticks := sorted(set(x))) <= 12:
                ax.set_xticks(ticks, [f"{t:,.0f}" if t >= 1 else f"{t:g}" for t in ticks])
                ax.xaxis.set_minor_locator(mpl.ticker.NullLocator())
        if ylim:
            ax.set_ylim(*ylim)
        if percent:
            ax.yaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0, decimals=0))
        ax.grid(False, axis="x")
        for text, level in (reference or {}).items():
            ax.axhline(level, color=palette.QUIET, lw=1, ls=(0, (4, 3)), zorder=1)
            ends.append((text, level, palette.QUIET))
        ax.set(**{name: text for name, text in (("title", title), ("xlabel", xlabel), ("ylabel", ylabel)) if text})
        ax.margins(x=0.02)
        ax.add_artist(_EndLabels(ax, ends))
    return ax


class _EndLabels(mpl.artist.Artist):
    """The names of the curves to the right of their ends, pushed apart so that they never overlap."""

    def __init__(self, ax: Axes, ends: list[tuple[str, float, str]]):
        super().__init__()
        bold = {"fontsize": 10.5, "fontweight": "bold", "xycoords": ax.get_yaxis_transform(), "annotation_clip": False}
        ends = sorted(ends, key=lambda end: end[1])
        self.texts = [note(ax, name, (1.0, y), (7, 0), color=color, **bold) for name, y, color in ends]
        self.ax = ax

    def spread(self) -> None:
        """Set the vertical offsets, in points, so that neighbors are a line apart."""
        pixels = self.ax.figure.dpi / 72
        transform = self.ax.transData
        wanted = [transform.transform((1, text.xy[1]))[1] / pixels for text in self.texts]
        low, high = (edge / pixels for edge in self.ax.bbox.intervaly)
        places = spread_out(wanted, 13.0, low + 5, high - 5)
        for text, place, want in zip(self.texts, places, wanted, strict=True):
            text.set_position((7, place - want))

    def get_tightbbox(self, renderer=None):
        self.spread()
        return None

    def get_window_extent(self, renderer=None):
        return mpl.transforms.Bbox.null()

    def draw(self, renderer) -> None:
        self.spread()


def spread_out(wanted: Iterable[float], gap: float, low: float = -math.inf, high: float = math.inf) -> list[float]:
    """Positions as near as possible to the sorted positions `wanted`, neighbors at least `gap` apart.

    Overlapping ones are gathered in blocks that stand around the mean of what they want, inside [low, high].
    """
    blocks = []  # (sum of wanted positions, members): a block of n stands around sum / n

    def center(block: tuple[float, int]) -> float:
        total, n = block
        reach = gap * (n - 1) / 2
        return max(low + reach, min(high - reach, total / n))

    for want in wanted:
        blocks.append((want, 1))
        while len(blocks) > 1:
            (sum1, n1), (sum2, n2) = blocks[-2:]
            if center(blocks[-1]) - center(blocks[-2]) >= gap * (n1 + n2) / 2:
                break
            blocks[-2:] = [(sum1 + sum2, n1 + n2)]
    return [center(block) + gap * (i - (block[1] - 1) / 2) for block in blocks for i in range(block[1])]


def plot_bars(
    values: dict,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    xlabel: str | None = None,
    highlight: str | Iterable[str] | None = None,
    text: Callable[[float], str] | None = None,
    percent: bool = False,
    log_x: bool = False,
    reference: dict[str, float] | None = None,
) -> Axes:
    """Draw horizontal bars with their values at the ends, first one on top.

    Args:
        values: {name: y or (y, low, high)}; low and high bound an interval. highlight: name(s) to set off in color.
        text: function from a value to the number written; default three significant digits (percent if asked).

    Returns:
        The Axes; the bars are in `ax.patches` in the order given.
    """
    parts = [value if isinstance(value, tuple) else (value, None, None) for value in values.values()]
    lengths = [float(part[0]) for part in parts]
    chosen = {highlight} if isinstance(highlight, str) else set(highlight or values)
    colors = [palette.OKABE_ITO["blue"] if name in chosen else palette.MUTED for name in values]
    text = text or (lambda v: f"{100 * v:.0f}%" if percent else f"{v:,.0f}" if abs(v) >= 1000 else f"{v:.3g}")
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(7.2, 0.75 + 0.42 * len(values)), layout="constrained")
        ax.barh(range(len(values)), lengths, color=colors, height=0.66, zorder=2)
        for i, (length, (_, low, high)) in enumerate(zip(lengths, parts)):
            if low is not None:
                ax.plot([low, high], [i, i], color=palette.INK, lw=1.3, zorder=3)
            if length < 0:
                note(ax, text(length), (length, i), (-5, 0), ha="right")
            else:
                note(ax, text(length), (length if high is None else max(length, float(high)), i), (5, 0))
        name_rows(ax, values)
        ax.invert_yaxis()
        if log_x:
            ax.set_xscale("log")
        if percent:
            ax.xaxis.set_major_formatter(mpl.ticker.PercentFormatter(1.0, decimals=0))
        elif max(map(abs, lengths)) >= 1000 and not log_x:
            ax.xaxis.set_major_locator(mpl.ticker.MaxNLocator(5))
            ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.spines["left"].set_visible(False)
        for label, level in (reference or {}).items():
            rows = np.arange(len(values) + 1) - 0.5  # the line stands between the bars, where no number is written
            ax.vlines(np.full(len(rows), level), rows - 0.17, rows + 0.17, color=palette.QUIET, lw=1.2, zorder=1)
            name_line(ax, label, level)
        if xlabel:
            ax.set_xlabel(xlabel)
        if title:
            ax.set_title(title, pad=22 if reference else None)
        ax.margins(x=0.12)
    return ax


def name_line(ax: Axes, text: str, x: float) -> None:
    """Write what an upright line stands for, above its end."""
    quiet = {"va": "baseline", "fontsize": 8.5, "color": palette.QUIET}
    note(ax, text, (x, 1.0), (4, 2), xycoords=ax.get_xaxis_transform(), **quiet)


SQRT2 = math.sqrt(2)  # the usual exploration constant of UCT


def plot_uct_terms(
    children: Sequence[tuple[str, float, int]],
    c: float = SQRT2,
    ax: Axes | None = None,
    *,
    parent_visits: int | None = None,
    title: str | None = None,
    top: float | None = None,
) -> Axes:
    """Draw the two terms of UCT for each child: its mean w/v and, on top, c * sqrt(ln N / v).

    The child with the largest sum is set off; a child without visits has an infinite bonus and comes first.

    Args:
        children: (name, w, v) triples. parent_visits: N; by default the sum of the v.
        top: the score at which the axis ends; by default a little above the largest.

    Returns:
        The Axes; `ax.uct_scores` holds the sums and `ax.uct_chosen` the index of the chosen child.
    """
    means, bonuses, scores, chosen = uct_terms(children, c, parent_visits)
    top = top or 1.12 * max([1.0, *filter(math.isfinite, scores)])
    blue, orange = palette.OKABE_ITO["blue"], palette.OKABE_ITO["orange"]
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(max(5.2, 0.95 * len(children) + 1.6), 3.6), layout="constrained")
        for i, (mean, bonus) in enumerate(zip(means, bonuses)):
            known, bar = math.isfinite(bonus), {"alpha": 1.0 if i == chosen else 0.45, "zorder": 2}
            height, hatch = (bonus, None) if known else (top - mean, "///")
            ax.bar(i, mean, 0.62, color=blue, **bar)
            ax.bar(i, height, 0.62, bottom=mean, color=orange, hatch=hatch, ec=palette.GROUND, lw=0, **bar)
            bold = {"fontsize": 10.5, "fontweight": "bold" if i == chosen else "normal"}
            label = f"{scores[i]:.2f}" if known else "∞"
            note(ax, label, (i, min(mean + height, top)), (0, 3), ha="center", va="bottom", **bold)
        names = [f"{name}\n{geometry.number_text(w)}/{v}" for name, w, v in children]
        ax.set_xticks(range(len(children)), names, color=palette.INK)
        ax.get_xticklabels()[chosen].set(fontweight="bold", fontsize=10.5)
        ax.set_ylim(0, top * 1.08)
        ax.grid(False, axis="x")
        total = sum(v for _, _, v in children) if parent_visits is None else parent_visits
        ax.set_xlabel(f"child, with its w/v; the parent has {total} visits")
        ax.set_ylabel("UCT value")
        ax.set_title(title or f"c = {c:.2f}: UCT goes to {children[chosen][0]}", pad=28)
        above = {"xycoords": "axes fraction", "va": "bottom"}  # colored words instead of a legend box
        note(ax, "■ w/v, exploitation", (0, 1), (0, 7), color=blue, **above)
        note(ax, "■ c·√(ln N / v), exploration", (0, 1), (150, 7), color=palette.DARK_ORANGE, **above)
        ax.uct_scores, ax.uct_chosen = scores, chosen
    return ax


def uct_terms(
    children: Iterable[tuple[str, float, int]], c: float, parent_visits: int | None = None
) -> tuple[list[float], list[float], list[float], int]:
    """(means, bonuses, scores, index of the largest score) of (name, w, v) triples; Kocsis and Szepesvari (2006)."""
    children = list(children)
    total = sum(v for _, _, v in children) if parent_visits is None else parent_visits
    means = [w / v if v else 0.0 for _, w, v in children]
    bonuses = [c * math.sqrt(math.log(max(1, total)) / v) if v else math.inf for _, _, v in children]
    scores = [mean + bonus for mean, bonus in zip(means, bonuses, strict=True)]
    return means, bonuses, scores, scores.index(max(scores))


CLOCK = "minutes of playing and learning"


def plot_run(rows: list[dict], title: str = "run", games: dict | None = None) -> Figure:
    """Draw a run's metrics against the minutes (wall time) of playing and learning. Returns the Figure.

    Args:
        rows: the metrics of `alphazero.loop`, one dict for each iteration; see `base.runs.read_metrics`.
        games: two finished games to draw below, by name; see `alphazero.report.before_and_after`.
    """
    size = {"figsize": (10, 10.4 if games else 6.2), "height_ratios": [1, 1, 1.5] if games else None}
    with style():
        figure, axes = plt.subplots(3 if games else 2, 2, layout="constrained", **size)
    minutes = column(rows, "seconds") / 60
    options = {"xlabel": CLOCK, "markers": False}
    draw_scores(rows, axes[0, 0], title)
    names = {"policy": "policy_loss", "entropy of the targets": "target_entropy", "value": "value_loss"}
    losses = {name: column(rows, key) for name, key in names.items()}
    if np.isnan(list(losses.values())).all():
        axes[0, 1].set_axis_off()
    else:
        plot_curves(minutes, losses, axes[0, 1], title="Losses", ylabel="nats; value: squared error", **options)
    ended = np.maximum(column(rows, "new_games"), 1)
    endings = {"first player": column(rows, "first_wins") / ended, "draws": column(rows, "draws") / ended}
    heading = {"title": "How games of self-play ended", "ylabel": "share of a round's games"}
    plot_curves(minutes, endings, axes[1, 0], percent=True, ylim=(0, 1), **heading, **options)
    learning = column(rows, "training_seconds")
    spent = column(rows, "selfplay_seconds") + learning
    busy = column(rows, "net_seconds") + column(rows, "gradient_seconds")
    net = "" if np.isnan(busy).any() else f", net busy {busy.sum() / spent.sum():.0%}"
    heading = {"title": f"Speed; training {learning.sum() / spent.sum():.0%}{net} of the time"}
    speed = {"simulations": column(rows, "simulations") / spent / 1000}
    plot_curves(
        minutes, speed, axes[1, 1], ylabel="thousand simulations per second", ylim=(0, None), **heading, **options
    )
    for ax in axes[:2].flat:
        if ax.axison:
            ax.set_xlim(0, 1.02 * minutes[-1])
    for ax, (name, game) in zip(axes[2:].flat, (games or {}).items()):
        ending = ("a draw", "black wins", "white wins")[game.winner]
        plot_board(game, ax, title=f"{name}: {ending} after {len(game.history)} moves")
    return figure


def column(rows: list[dict], name: str) -> np.ndarray:
    """One number of each row, NaN where there was none, or where it was not yet measured."""
    return np.array([np.nan if row.get(name) is None else row[name] for row in rows], dtype=float)


def draw_scores(rows: list[dict], ax: Axes, title: str) -> None:
    """The score against each opponent, with 95% bands."""
    found = [entry | {"at": row["seconds"] / 60} for row in rows for entry in row.get("evaluations", [])]
    if not found:
        ax.set_axis_off()
        ax.text(0.5, 0.5, f"{title}: no evaluations yet", ha="center")
        return
    times = sorted({entry["at"] for entry in found})
    series = {}
    for name in dict.fromkeys(entry["opponent"] for entry in found):
        of = {entry["at"]: entry for entry in found if entry["opponent"] == name}
        entries = [of.get(time, {}) for time in times]
        series[f"against {name}"] = tuple(column(entries, part) for part in ("score", "low", "high"))
    words = {"title": f"{title}: score", "xlabel": CLOCK, "ylabel": "score, draws count half"}
    plot_curves(times, series, ax, ylim=(0, 1.02), reference={"even": 0.5}, **words)


COLORS = {
    "trees": palette.OKABE_ITO["blue"],
    "net": palette.OKABE_ITO["vermillion"],
    "gradients": palette.OKABE_ITO["green"],
}


def plot_timeline(
    timeline,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    between: tuple[float, float] | None = None,
    device: str = "net",
) -> Axes:
    """Draw a timeline as horizontal bars, a lane for each part.

    Args:
        timeline: a `mock5lib.search.forest_compiled.Timeline`.
        between: (start, end) in seconds from its first bar; default: all of it.
        title: default: for how much of the shown time the net answered or learned. device: what it calls the net.

    Returns the Axes. A bar has the gid `lane-start`, with the start in microseconds from the first bar.
    """
    shown = cut(timeline.spans, between)
    lanes = sorted({span[0] for span in shown}, key=lambda lane: (list(COLORS).index(lane.split()[0]), lane))
    first, last = between or (0.0, max(end for _, _, end in shown))
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(8.2, 1.1 + 0.42 * len(lanes)), layout="constrained")
        for row, lane in enumerate(lanes):
            for _, start, end in (span for span in shown if span[0] == lane):
                bar = {"height": 0.7, "color": COLORS[lane.split()[0]], "lw": 0, "zorder": 2}
                ax.barh(row, 1000 * (end - start), left=1000 * start, gid=f"{lane}-{round(1e6 * start)}", **bar)
        name_rows(ax, lanes)
        ax.invert_yaxis()
        ax.set_xlim(1000 * first, 1000 * last)
        ax.set_xlabel("milliseconds")
        share = sum(end - start for lane, start, end in shown if lane in ("net", "gradients"))
        ax.set_title(title or f"The {device} is at work for {share / (last - first):.0%} of the time")
    return ax


def cut(spans, between: tuple[float, float] | None) -> list[tuple[str, float, float]]:
    """The parts of the spans between two times, in seconds from the first start."""
    zero = min(span.start for span in spans)
    found = [(span.lane, span.start - zero, span.end - zero) for span in spans]
    if between is None:
        return found
    low, high = between
    return [(lane, max(start, low), min(end, high)) for lane, start, end in found if start < high and end > low]

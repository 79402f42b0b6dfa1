"""Pictures of a tournament: the ladder, differences of ratings, the cross-table as a heat map, strength by time."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from mock5lib.show import palette
from mock5lib.show.boards import style
from mock5lib.show.curves import name_line, name_rows, note, spread_out

KEY = {"frameon": False, "handletextpad": 0.1, "columnspacing": 1.2, "labelcolor": "linecolor"}  # a legend
LOW, HIGH = palette.OKABE_ITO["vermillion"], palette.OKABE_ITO["blue"]


def plot_ladder(
    rows: list[dict],
    *,
    title: str = "Ratings with 95% intervals",
    kinds: dict[str, str] | None = None,
    close_up: bool = False,
) -> Axes:
    """Draw ratings as points on a ladder, the strongest on top.

    Args:
        rows: dicts with `name`, `elo`, `low` and `high`, as `Tournament.table()["ladder"]` has; low and high may be
            None.
        kinds: {name: kind}; each kind has a color, told above the picture.
        close_up: draw a second picture beside the first, on a scale of its own, of all players whose interval is
            narrower than a tenth of the whole ladder. It is left out where it would hold the whole ladder.

    Returns:
        The Axes; the points are the first line in `ax.lines`, from the bottom up.
    """
    rows = from_below(rows)
    colors, named = kind_colors(rows, kinds)
    near = well_known(rows) if close_up else []
    near = near if len(near) < len(rows) else []
    with style():
        if near:
            size, shares = (9.2, 1.1 + 0.29 * len(rows)), {"width_ratios": [1, 1.7]}
            _, (ax, beside) = plt.subplots(1, 2, figsize=size, sharey=True, gridspec_kw=shares, layout="constrained")
            draw_ratings(beside, rows, colors, {row["name"] for row in near})
            low, high = min(row["low"] for row in near), max(row["high"] for row in near)
            room = 0.04 * (high - low)
            beside.set_xlim(low - room, high + 3 * room)
            beside.set_xlabel("Elo, the shaded part enlarged")
            ax.axvspan(low - room, high + room, color=palette.GRID, lw=0, zorder=0)
        else:
            _, ax = plt.subplots(figsize=(7.6, 1.1 + 0.36 * len(rows)), layout="constrained")
        draw_ratings(ax, rows, colors, {row["name"] for row in rows} - {row["name"] for row in near})
        ax.margins(x=0.09)
        ax.set_xlabel("Elo")
        write_kinds(ax, named, title)
    return ax


def from_below(rows) -> list[dict]:
    """The rows, the weakest first; a TypeError says where there are some."""
    if not isinstance(rows, Sequence):
        raise TypeError(f'rows are `t.table()["ladder"]` of a Tournament t, got a {type(rows).__name__}.')
    return sorted(rows, key=lambda row: row["elo"])


def plot_narrow_ladder(rows: list[dict], *, title: str, kinds: dict[str, str] | None = None) -> Axes:
    """Draw ratings for the screen of a telephone: those well known on a scale of their own, the others below.

    Args:
        rows, kinds: as in `plot_ladder`.

    Returns:
        The upper Axes; the points are the first line in `ax.lines`, from the bottom up.
    """
    rows = from_below(rows)
    near = well_known(rows)
    groups = [group for group in (near, [row for row in rows if row not in near]) if group]
    colors, named = kind_colors(rows, kinds)
    color_of = {row["name"]: color for row, color in zip(rows, colors)}
    with style():
        shares = {"height_ratios": [len(group) + 0.4 for group in groups]}
        size = (3.8, 0.9 + 0.7 * len(groups) + 0.24 * len(rows))
        figure, panels = plt.subplots(
            len(groups), figsize=size, squeeze=False, gridspec_kw=shares, layout="constrained"
        )
        for ax, group in zip(panels[:, 0], groups):
            draw_ratings(ax, group, [color_of[row["name"]] for row in group], {row["name"] for row in group})
            ax.margins(x=0.22)
            ax.set_xlabel("Elo" if len(groups) == 1 else "Elo, enlarged" if group is near else "Elo, of the others")
        words = {"title": title, "title_fontsize": 11.5, "alignment": "left", "fontsize": 10, "ncols": 2}
        legend = figure.legend(dots(named), list(named), loc="outside upper left", **words, **KEY)
        legend.get_title().set_color(palette.INK)
    return panels[0, 0]


def draw_ratings(ax: Axes, rows: list[dict], colors: list[str], numbered: set[str]) -> None:
    """Points and intervals of all rows, from the bottom up, with the ratings of those `numbered` in figures."""
    elo = np.array([row["elo"] for row in rows], dtype=float)
    levels = np.arange(len(rows))
    ax.plot(elo, levels, "o", color=palette.GROUND, ms=7, zorder=3)  # one line with all ratings; colors lie on it
    ax.scatter(elo, levels, s=49, c=colors, lw=0, zorder=4)
    span = max(np.ptp(elo), 1.0)
    for level, row in zip(levels, rows):
        low = elo.min() - 0.08 * span if row["low"] is None else row["low"]
        high = elo.max() + 0.08 * span if row["high"] is None else row["high"]
        ax.plot([low, high], [level, level], color=palette.INK, lw=1.4, zorder=2)
        if row["name"] in numbered:
            note(ax, f"{row['elo']:.0f}", (high, level), (6, 0))
    name_rows(ax, [row["name"] for row in rows])
    ax.set_ylim(-0.7, len(rows) - 0.3)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)


def well_known(rows: list[dict]) -> list[dict]:
    """The rows whose interval is closed and narrower than a tenth of the span of all ratings, if they are several."""
    span = max(row["elo"] for row in rows) - min(row["elo"] for row in rows)
    closed = [row for row in rows if row["low"] is not None and row["high"] is not None]
    known = [row for row in closed if row["high"] - row["low"] < span / 10]
    return known if len(known) > 1 else []  # one alone has nobody to be compared with


def kind_colors(rows: list[dict], kinds: dict[str, str] | None) -> tuple[list[str], dict[str, str]]:
    """Each row's color, and {kind: color} in the order of `kinds`; "yours" is black, and all are blue without kinds."""
    if not kinds:
        return [palette.OKABE_ITO["blue"]] * len(rows), {}
    shown = {row["name"] for row in rows}
    known = dict.fromkeys(kind for name, kind in kinds.items() if name in shown)
    named = {kind: palette.LINE_COLORS[i % len(palette.LINE_COLORS)] for i, kind in enumerate(known)}
    named |= {"yours": palette.INK} if "yours" in known else {}
    return [named[kinds[row["name"]]] for row in rows], named


def write_kinds(ax: Axes, named: dict[str, str], title: str) -> None:
    """The title, and below it each kind in its color."""
    ax.set_title(title, pad=26 if named else None)
    if named:
        place = {"loc": "lower left", "bbox_to_anchor": (0, 1), "ncols": len(named), "borderaxespad": 0.3}
        legend = ax.legend(dots(named), list(named), fontsize=9.5, **place, **KEY)
        legend.set_in_layout(False)  # it may be wider than its Axes


def dots(named: dict[str, str]) -> list[Line2D]:
    """A point of each color, for a legend."""
    return [Line2D([], [], ls="", marker="o", color=color, ms=7) for color in named.values()]


def plot_differences(
    groups: dict[str, list[tuple[float, float, float]]],
    *,
    title: str | None = None,
    xlabel: str = "Elo, with 95% intervals",
    zero: str = "",
    luck: float = 0.0,
) -> Axes:
    """Draw differences of ratings from one player, or from the mean of some, which stands at the dashed line.

    Args:
        groups: {name: [(difference, low, high), …]}, one entry for each run of a kind, in Elo; first name on top.
        zero: what stands at the line.
        luck: half width of a shaded band around the line, in Elo. Groups that lie outside it with all their intervals
            are drawn in vermillion.

    Returns:
        The Axes; the points of group i are the line `ax.lines[i]`.
    """
    with style():
        _, ax = plt.subplots(figsize=(7.6, 1.3 + 0.5 * len(groups)), layout="constrained")
        heights = [
            row + 0.22 * (np.arange(len(runs)) - (len(runs) - 1) / 2) for row, runs in enumerate(groups.values())
        ]
        for runs, levels in zip(groups.values(), heights):
            beyond = luck and (max(run[2] for run in runs) < -luck or min(run[1] for run in runs) > luck)
            points = {"color": LOW if beyond else HIGH, "ms": 7, "mec": palette.GROUND, "mew": 0.8, "zorder": 3}
            ax.plot([run[0] for run in runs], levels, "o", **points)
        outside = {"xycoords": ax.get_yaxis_transform(), "annotation_clip": False}
        for row, (runs, levels) in enumerate(zip(groups.values(), heights)):
            for (_, low, high), level in zip(runs, levels):
                ax.plot([low, high], [level, level], color=palette.INK, lw=1.4, zorder=2)
            mean = sum(run[0] for run in runs) / len(runs)
            note(ax, f"{mean:+.0f}".replace("-", "−"), (1, row), (7, 0), fontsize=10, **outside)
        if luck:
            ax.axvspan(-luck, luck, color=palette.GRID, lw=0, zorder=0)
        ax.axvline(0, color=palette.QUIET, lw=1, ls=(0, (4, 3)), zorder=1)
        name_line(ax, zero, 0)
        name_rows(ax, groups)
        ax.set_ylim(len(groups) - 0.4, -0.6)
        ax.spines["left"].set_visible(False)
        ax.margins(x=0.09)
        ax.set_xlabel(xlabel)
        if title:
            ax.set_title(title, pad=22 if zero else None)
    return ax


def plot_cross_table(names: Sequence[str], scores, *, title: str = "Who scores what against whom") -> Axes:
    """Draw the scores of all against all as a heat map with the numbers written in.

    Args:
        scores: (N, N), the row's score against the column, from 0 to 1; NaN or None where two have not met.

    Returns:
        The Axes; the scores are those of `ax.images[0]`.
    """
    scores = np.array(scores, dtype=float)
    colors = mpl.colors.LinearSegmentedColormap.from_list("score", [LOW, palette.PAPER, HIGH])
    colors = colors.with_extremes(bad=palette.GRID)
    with style():
        side = 2.6 + 0.35 * len(names)
        _, ax = plt.subplots(figsize=(side + 0.6, side), layout="constrained")
        ax.imshow(np.ma.masked_invalid(scores), cmap=colors, vmin=0, vmax=1)
        for row, column in np.argwhere(np.isfinite(scores)):
            value = scores[row, column]
            ink = palette.PAPER if abs(value - 0.5) > 0.38 else palette.DARK_TEXT
            ax.text(column, row, f"{100 * value:.0f}", ha="center", va="center", fontsize=8.5, color=ink)
        ticks = range(len(names))
        ax.set_xticks(ticks, names, rotation=45, ha="left", rotation_mode="anchor", color=palette.INK)
        ax.set_yticks(ticks, names, color=palette.INK)
        ax.xaxis.tick_top()
        ax.grid(False)
        ax.spines[:].set_visible(False)
        ax.set_title(title)
        ax.set_xlabel("score of the row's player in percent; a draw is half")
    return ax


def plot_strength_by_time(
    rows: list[dict],
    seconds: dict[str, float],
    *,
    title: str = "Strength by time of thinking",
    kinds: dict[str, str] | None = None,
) -> Axes:
    """Draw ratings over seconds per move, on a logarithmic axis.

    Args:
        rows: as in `plot_ladder`. seconds: {name: seconds per move}; players without are left out.
        kinds: as in `plot_ladder`.

    Returns:
        The Axes; each player is one point in `ax.lines`, with its name as label. All names are written, beside the
        points that stand close together, with a thin line to each.
    """
    rows = [row for row in rows if seconds.get(row["name"], 0) > 0]
    colors, named = kind_colors(rows, kinds)
    with style():
        _, ax = plt.subplots(figsize=(9.2, 5.8), layout="constrained")
        for row, color in zip(rows, colors):
            x, name = 1000 * seconds[row["name"]], row["name"]
            ax.plot([x], [row["elo"]], "o", color=color, label=name, ms=7, mec=palette.GROUND, mew=0.8)
        times = [1000 * seconds[row["name"]] for row in rows]
        ax.set_xscale("log")
        ax.set_xlim(min(times) / 2, max(times) * 12)
        ax.xaxis.set_major_formatter("{x:g}")
        ax.margins(y=0.1)
        ax.set_xlabel("milliseconds of processor time per move")
        ax.set_ylabel("Elo")
        write_kinds(ax, named, title)
        write_names(ax)
    return ax


def write_names(ax: Axes) -> None:
    """Write each point's name on its right; where points lie close together, in one column with a thin line to each."""
    ax.figure.draw_without_rendering()
    to_pixels, step = ax.transData, 0.13 * ax.figure.dpi
    lines = sorted(ax.lines, key=lambda line: line.get_ydata()[0])
    points = np.array([to_pixels.transform(line.get_xydata()[0]) for line in lines])
    for group in close_together(points, near=np.array([6.3, 2.3]) * step):
        alone = len(group) == 1
        right = points[group, 0].max() + (0.7 if alone else 2.2) * step
        for member, height in zip(group, spread_out(points[group, 1], step)):
            x, y = to_pixels.inverted().transform((right, height))
            name, color = lines[member].get_label(), lines[member].get_color()
            ax.text(x, y, name, va="center", fontsize=8.5, color=color)
            if not alone:
                ends = to_pixels.inverted().transform([points[member], (right - 0.2 * step, height)])
                ax.add_collection(mpl.collections.LineCollection([ends], colors=color, lw=0.6, zorder=1), False)


def close_together(points: np.ndarray, near: np.ndarray) -> list[list[int]]:
    """Numbers of the points (N, 2) in groups: whoever is `near` (dx, dy) a member belongs to the group too."""
    groups: list[list[int]] = []
    for number, point in enumerate(points):
        touched = [group for group in groups if (np.abs(points[group] - point) < near).all(axis=1).any()]
        groups = [group for group in groups if group not in touched] + [sorted(sum(touched, [number]))]
    return groups

"""Pictures of a tournament: the ladder, differences of ratings, the cross-table as a heat map, strength by time."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from mock5lib.show import palette
from mock5lib.show.boards import style

LOW, HIGH = palette.OKABE_ITO["vermillion"], palette.OKABE_ITO["blue"]


def plot_ladder(rows: list[dict], ax: Axes | None = None, *, title: str = "Ratings with 95 % intervals") -> Axes:
    """Draw ratings as points on a ladder, the strongest on top.

    Args:
        rows: dicts with `name`, `elo`, `low` and `high`, as `Tournament.table()["ladder"]` has; low and high may be
            None.

    Returns:
        The Axes; the points are the first line in `ax.lines`, from the bottom up.
    """
    rows = sorted(rows, key=lambda row: row["elo"])
    if not rows:
        raise ValueError("A ladder needs at least one player, got none.")
    names, elo = [row["name"] for row in rows], np.array([row["elo"] for row in rows], dtype=float)
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(7.6, 1.0 + 0.36 * len(rows)), layout="constrained")
        levels = np.arange(len(rows))
        ax.plot(elo, levels, "o", color=palette.OKABE_ITO["blue"], ms=7, mec=palette.GROUND, mew=0.8, zorder=3)
        span = max(np.ptp(elo), 1.0)
        for level, row in zip(levels, rows):
            low = elo.min() - 0.08 * span if row["low"] is None else row["low"]
            high = elo.max() + 0.08 * span if row["high"] is None else row["high"]
            ax.plot([low, high], [level, level], color=palette.INK, lw=1.4, zorder=2)
            ax.annotate(
                f"{row['elo']:.0f}",
                (high, level),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=9.5,
                color=palette.INK,
            )
        ax.set_yticks(levels, names, color=palette.INK, fontsize=10)
        ax.grid(False, axis="y")
        ax.spines["left"].set_visible(False)
        ax.margins(x=0.09)
        ax.set_xlabel("Elo")
        ax.set_title(title)
    return ax


def plot_differences(
    groups: dict[str, list[tuple[float, float, float]]],
    ax: Axes | None = None,
    *,
    title: str | None = None,
    xlabel: str = "Elo, with 95 % intervals",
    zero: str = "",
) -> Axes:
    """Draw differences of ratings from one player, or from the mean of some, which stands at the dashed line.

    Args:
        groups: {name: [(difference, low, high), …]}, one entry for each run of a kind, in Elo; first name on top.
        zero: what stands at the line.

    Returns:
        The Axes; the points of group i are the line `ax.lines[i]`.
    """
    if not groups or not all(groups.values()):
        raise ValueError(f"There must be at least one run of each kind, got {groups!r}.")
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(7.6, 1.3 + 0.5 * len(groups)), layout="constrained")
        spread = 0.22
        heights = [
            level + spread * (np.arange(len(runs)) - (len(runs) - 1) / 2) for level, runs in enumerate(groups.values())
        ]
        for runs, levels in zip(groups.values(), heights):
            ax.plot(
                [run[0] for run in runs],
                levels,
                "o",
                color=palette.OKABE_ITO["blue"],
                ms=7,
                mec=palette.GROUND,
                mew=0.8,
                zorder=3,
            )
        for runs, levels in zip(groups.values(), heights):
            for (_, low, high), level in zip(runs, levels):
                ax.plot([low, high], [level, level], color=palette.INK, lw=1.4, zorder=2)
        for runs, level in zip(groups.values(), range(len(groups))):
            mean = sum(run[0] for run in runs) / len(runs)
            ax.annotate(
                f"{mean:+.0f}",
                (max(run[2] for run in runs), level),
                xytext=(7, 0),
                va="center",
                textcoords="offset points",
                fontsize=9.5,
                color=palette.INK,
                bbox={"fc": palette.GROUND, "ec": "none", "pad": 1},
            )
        ax.axvline(0, color=palette.QUIET, lw=1, ls=(0, (4, 3)), zorder=1)
        ax.annotate(
            zero,
            (0, 1),
            xycoords=ax.get_xaxis_transform(),
            xytext=(4, 2),
            textcoords="offset points",
            fontsize=8.5,
            color=palette.QUIET,
        )
        ax.set_yticks(range(len(groups)), list(groups), color=palette.INK, fontsize=10)
        ax.set_ylim(len(groups) - 0.4, -0.6)
        ax.grid(False, axis="y")
        ax.spines["left"].set_visible(False)
        ax.margins(x=0.09)
        ax.set_xlabel(xlabel)
        if title:
            ax.set_title(title, pad=22 if zero else None)
    return ax


def plot_cross_table(
    names: Sequence[str], scores: np.ndarray, ax: Axes | None = None, *, title: str = "Who scores what against whom"
) -> Axes:
    """Draw the scores of all against all as a heat map with the numbers written in.

    Args:
        scores: (N, N), the row's score against the column, from 0 to 1; NaN or None where two have not met.

    Returns:
        The Axes; the scores are those of `ax.images[0]`.
    """
    scores = np.array(scores, dtype=float)
    if scores.shape != (len(names), len(names)):
        raise ValueError(f"{len(names)} names need scores of shape ({len(names)}, {len(names)}), got {scores.shape}.")
    colours = mpl.colors.LinearSegmentedColormap.from_list("score", [LOW, palette.PAPER, HIGH])
    colours = colours.with_extremes(bad=palette.GRID)
    with style():
        if ax is None:
            side = 2.6 + 0.46 * len(names)
            _, ax = plt.subplots(figsize=(side + 0.6, side), layout="constrained")
        ax.imshow(np.ma.masked_invalid(scores), cmap=colours, vmin=0, vmax=1)
        for row, column in np.argwhere(np.isfinite(scores)):
            value = scores[row, column]
            ax.text(
                column,
                row,
                f"{100 * value:.0f}",
                ha="center",
                va="center",
                fontsize=8.5,
                color=palette.PAPER if abs(value - 0.5) > 0.38 else palette.DARK_TEXT,
            )
        ticks = range(len(names))
        ax.set_xticks(ticks, names, rotation=45, ha="left", rotation_mode="anchor", color=palette.INK)
        ax.set_yticks(ticks, names, color=palette.INK)
        ax.xaxis.tick_top()
        ax.grid(False)
        for side in ax.spines.values():
            side.set_visible(False)
        ax.set_title(title)
        ax.set_xlabel("score of the row's player in percent; a draw is half")
    return ax


def plot_strength_by_time(
    rows: list[dict], seconds: dict[str, float], ax: Axes | None = None, *, title: str = "Strength by time of thinking"
) -> Axes:
    """Draw ratings over seconds a move, on a logarithmic axis.

    Args:
        rows: as in `plot_ladder`. seconds: {name: seconds a move}; players without are left out.

    Returns:
        The Axes; each player is one point in `ax.lines`, with its name as label. A name is written where it covers no
        other, and left out where there is no such place.
    """
    rows = [row for row in rows if seconds.get(row["name"], 0) > 0]
    if not rows:
        raise ValueError("There must be at least one player with a time, got none.")
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(7.6, 4.6), layout="constrained")
        for number, row in enumerate(rows):
            colour = palette.LINE_COLOURS[number % len(palette.LINE_COLOURS)]
            x, name = 1000 * seconds[row["name"]], row["name"]
            ax.plot([x], [row["elo"]], "o", color=colour, label=name, ms=7, mec=palette.GROUND, mew=0.8)
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:g}")
        ax.margins(x=0.16, y=0.08)
        ax.set_xlabel("milliseconds of the processor a move")
        ax.set_ylabel("Elo")
        ax.set_title(title)
        write_names(ax)
    return ax


def write_names(ax: Axes) -> None:
    """Write the label of each point beside it, in the first place where it covers no other name and no point."""
    near = [(7, 3, "left"), (-7, 3, "right"), (7, -9, "left"), (-7, -9, "right"), (0, 9, "center"), (0, -15, "center")]
    places = near + [(5, 15, "left"), (-5, 15, "right"), (5, -21, "left"), (-5, -21, "right"), (0, 24, "center")]
    ax.figure.draw_without_rendering()
    points = [ax.transData.transform(np.column_stack(line.get_data()))[0] for line in ax.lines]
    taken = []
    for line, point in zip(ax.lines, points):
        for dx, dy, side in places:
            text = ax.annotate(
                line.get_label(),
                line.get_xydata()[0],
                xytext=(dx, dy),
                textcoords="offset points",
                ha=side,
                fontsize=8.5,
                color=line.get_color(),
            )
            box = text.get_window_extent()
            covered = any(box.contains(*other) for other in points if other is not point)
            inside = ax.bbox.x0 <= box.x0 and box.x1 <= ax.bbox.x1 + 1
            if inside and not covered and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                break
            text.remove()

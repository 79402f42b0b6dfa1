"""Curves of a run of self-play: score, losses and where the time goes (matplotlib)."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mock5lib.show.boards import style
from mock5lib.show.curves import plot_curves

CLOCK = "minutes of playing and learning"


def plot_run(rows: list[dict], title: str = "run") -> Figure:
    """Draw a run's metrics against the minutes (wall time) of playing and learning. Returns the Figure.

    Args:
        rows: the metrics of `alphazero.loop`, one dict for each iteration; see `base.runs.read_metrics`.
    """
    with style():
        figure, axes = plt.subplots(2, 2, figsize=(10, 6.2), layout="constrained")
    minutes = column(rows, "seconds") / 60
    options = {"xlabel": CLOCK, "markers": False}
    draw_scores(rows, axes[0, 0], title)
    names = {"policy": "policy_loss", "entropy of the targets": "target_entropy", "value": "value_loss"}
    losses = {name: column(rows, key) for name, key in names.items()}
    if np.isnan(list(losses.values())).all():
        axes[0, 1].set_axis_off()
    else:
        plot_curves(minutes, losses, axes[0, 1], title="Losses", ylabel="nats; value: squared error", **options)
    games = np.maximum(column(rows, "new_games"), 1)
    endings = {"first player": column(rows, "first_wins") / games, "draws": column(rows, "draws") / games}
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
    for ax in axes.flat:
        if ax.axison:
            ax.set_xlim(0, 1.02 * minutes[-1])
    return figure


def column(rows: list[dict], name: str) -> np.ndarray:
    """One number of each row, NaN where there was none, or where it was not yet measured."""
    return np.array([np.nan if row.get(name) is None else row[name] for row in rows], dtype=float)


def draw_scores(rows: list[dict], ax: Axes, title: str) -> None:
    """The score against each opponent, with 95 % bands."""
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

"""Curves of a run of self-play: score, losses and where the time goes (matplotlib)."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mock5lib.show.boards import style
from mock5lib.show.curves import plot_curves


def plot_run(rows: list[dict], title: str = "run") -> Figure:
    """Draw a run's metrics against the processor time spent on playing and learning. Returns the Figure.

    Args:
        rows: the metrics of `alphazero.loop`, one dict for each iteration; see `base.runs.read_metrics`.
    """
    if not rows:
        raise ValueError("There are no finished iterations to draw.")
    with style():
        figure, axes = plt.subplots(2, 2, figsize=(10, 6.2), layout="constrained")
    seconds = np.array([row["cpu_seconds"] for row in rows])
    draw_scores(rows, axes[0, 0], title)
    draw_losses(rows, seconds, axes[0, 1])
    games = np.maximum(column(rows, "new_games"), 1)
    endings = {"first player": column(rows, "first_wins") / games, "draws": column(rows, "draws") / games}
    plot_curves(
        seconds,
        endings,
        axes[1, 0],
        title="How games of self-play ended",
        xlabel="CPU seconds",
        ylabel="share of a round's games",
        percent=True,
        ylim=(0, 1),
        markers=False,
    )
    learning = column(rows, "training_seconds")
    spent = column(rows, "selfplay_seconds") + learning
    busy = column(rows, "net_seconds") + column(rows, "gradient_seconds")
    net = "" if np.isnan(busy).any() else f", net busy {busy.sum() / spent.sum():.0%}"
    plot_curves(
        seconds,
        {"simulations": column(rows, "simulations") / spent / 1000},
        axes[1, 1],
        markers=False,
        title=f"Speed; training {learning.sum() / spent.sum():.0%}{net} of the time",
        xlabel="CPU seconds",
        ylabel="thousand simulations per second",
        ylim=(0, None),
    )
    for ax in axes.flat:
        if ax.axison:
            ax.set_xlim(0, 1.02 * seconds[-1])
    return figure


def column(rows: list[dict], name: str) -> np.ndarray:
    """One number of each row, NaN where there was none, or where it was not yet measured."""
    return np.array([np.nan if row.get(name) is None else row[name] for row in rows], dtype=float)


def draw_scores(rows: list[dict], ax: Axes, title: str) -> None:
    """The score against each opponent, with 95 % bands."""
    found = [(row["cpu_seconds"], entry) for row in rows for entry in row.get("evaluations", [])]
    names = list(dict.fromkeys(entry["opponent"] for _, entry in found))
    times = np.array(sorted({second for second, _ in found}))
    series = {}
    for name in names:
        at = {second: entry for second, entry in found if entry["opponent"] == name}
        bands = [
            np.array([at[second][part] if second in at else np.nan for second in times])
            for part in ("score", "low", "high")
        ]
        series[f"against {name}"] = tuple(bands)
    if not series:
        ax.set_axis_off()
        ax.text(0.5, 0.5, f"{title}: no evaluations yet", ha="center")
        return
    plot_curves(
        times,
        series,
        ax,
        title=f"{title}: score",
        xlabel="CPU seconds",
        ylabel="score, draws count half",
        ylim=(0, 1.02),
        reference={"level": 0.5},
    )


def draw_losses(rows: list[dict], seconds: np.ndarray, ax: Axes) -> None:
    """Policy loss, its floor, and value loss."""
    names = {"policy": "policy_loss", "entropy of the targets": "target_entropy", "value": "value_loss"}
    series = {name: column(rows, key) for name, key in names.items()}
    if all(np.isnan(values).all() for values in series.values()):
        ax.set_axis_off()
        return
    plot_curves(
        seconds, series, ax, title="Losses", xlabel="CPU seconds", ylabel="nats; value: mean of (z − v)²", markers=False
    )

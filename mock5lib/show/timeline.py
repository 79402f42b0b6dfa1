"""A picture of who worked when: one lane of bars for each part of self-play (matplotlib)."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from mock5lib.show import palette
from mock5lib.show.boards import style
from mock5lib.show.curves import name_rows

COLOURS = {
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
        timeline: a `mock5lib.search.puct.pipeline.Timeline`.
        between: (start, end) in seconds from its first bar; default: all of it.
        title: default: for how much of the shown time the net answered or learnt. device: what it calls the net.

    Returns the Axes. A bar has the gid `lane-start`, with the start in microseconds from the first bar.
    """
    shown = cut(timeline.spans, between)
    lanes = sorted({span[0] for span in shown}, key=lambda lane: (list(COLOURS).index(lane.split()[0]), lane))
    first, last = between or (0.0, max(end for _, _, end in shown))
    with style():
        if ax is None:
            _, ax = plt.subplots(figsize=(8.2, 1.1 + 0.42 * len(lanes)), layout="constrained")
        for row, lane in enumerate(lanes):
            for _, start, end in (span for span in shown if span[0] == lane):
                bar = {"height": 0.7, "color": COLOURS[lane.split()[0]], "lw": 0, "zorder": 2}
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

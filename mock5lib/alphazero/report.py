"""What a run of self-play says of itself, in a line."""

from __future__ import annotations

from mock5lib.nets.nets import device_of


class Rates:
    """What the last rows of metrics did a second of playing and learning.

    Attributes:
        games, simulations, trained: games that ended, simulations, positions trained on; each a second.
        training: share of the time for training. busy: share in which the net (on CUDA: the GPU) answered or learnt;
            None where workers played.
    """

    def __init__(self, metrics: list[dict], batch_size: int, last: int | None = None):
        rows, earlier = (metrics, []) if last is None else (metrics[-last:], metrics[:-last])

        def total(name: str) -> float:
            return sum(row[name] for row in rows)

        seconds = max(total("selfplay_seconds") + total("training_seconds"), 1e-9)
        steps = rows[-1]["steps"] - (earlier[-1]["steps"] if earlier else 0)
        self.games, self.simulations = total("new_games") / seconds, total("simulations") / seconds
        self.trained, self.training = steps * batch_size / seconds, total("training_seconds") / seconds
        measured = all("net_seconds" in row for row in rows)
        self.busy = (total("net_seconds") + total("gradient_seconds")) / seconds if measured else None


def report(run, iterations=None, cpu_seconds=None, minutes=None) -> str:
    """How a run stands, in one line of plain text; rates and shares are of the last ten iterations."""
    rate, row = Rates(run.metrics, run.config.batch_size, last=10), run.metrics[-1]
    device = "GPU" if device_of(run.net).type == "cuda" else "net"
    parts = [
        f"iteration {row['iteration']}" + (f"/{iterations}" if iterations else ""),
        f"{row['games']} games ({rate.games:.1f}/s)",
        f"{row['positions']} positions",
        f"{rate.simulations:,.0f} simulations/s",
        f"{row['steps']} steps",
        f"{rate.trained:,.0f} positions trained/s",
        f"training {rate.training:.0%} of the time",
        *([] if rate.busy is None else [f"{device} busy {rate.busy:.0%} of the time"]),
    ]
    if row["policy_loss"] is not None:
        parts.append(f"policy {row['policy_loss']:.3f} (never below {row['target_entropy']:.3f})")
        parts.append(f"value {row['value_loss']:.3f}")
    for found in row.get("evaluations", []):
        parts.append(f"against {found['opponent']} {found['score']:.2f} ({found['low']:.2f} to {found['high']:.2f})")
    spent = ((run.iteration, iterations), (run.cpu_seconds, cpu_seconds), (run.seconds / 60, minutes))
    left = [max(limit - used, 0) * run.seconds / max(used, 1e-9) for used, limit in spent if limit]
    return ", ".join([*parts, *([f"{min(left):.0f} s left"] if left else [])])

"""What a run of self-play says of itself, in a line."""

from __future__ import annotations

from mock5lib.nets.nets import device_of


def share_spent(run, budget: dict[str, float]) -> float:
    """How much of a budget, iterations, cpu_seconds or minutes, is used up: 1 and more where one of them is."""
    used = {"iterations": run.iteration, "cpu_seconds": run.cpu_seconds, "minutes": run.seconds / 60}
    return max(used[name] / limit if limit else 1.0 for name, limit in budget.items())


def report(run, budget: dict[str, float] | None = None) -> str:
    """How a run stands, in one line of plain text; rates and shares are of the last ten iterations.

    *busy* is the share in which the net (on CUDA: the GPU) answered or learnt, told where no workers played.
    """
    rows, earlier, budget = run.metrics[-10:], run.metrics[:-10], budget or {}

    def total(*names: str) -> float:
        return sum(row[name] for row in rows for name in names)

    row, seconds = rows[-1], max(total("selfplay_seconds", "training_seconds"), 1e-9)
    steps = row["steps"] - (earlier[-1]["steps"] if earlier else 0)
    parts = [
        f"iteration {row['iteration']}" + (f"/{budget['iterations']}" if "iterations" in budget else ""),
        f"{row['games']} games ({total('new_games') / seconds:.1f}/s)",
        f"{row['positions']} positions",
        f"{total('simulations') / seconds:,.0f} simulations/s",
        f"{row['steps']} steps",
        f"{steps * run.config.batch_size / seconds:,.0f} positions trained/s",
        f"training {total('training_seconds') / seconds:.0%} of the time",
    ]
    if all("net_seconds" in row for row in rows):
        device = "GPU" if device_of(run.net).type == "cuda" else "net"
        parts.append(f"{device} busy {total('net_seconds', 'gradient_seconds') / seconds:.0%} of the time")
    if row["policy_loss"] is not None:
        parts.append(f"policy {row['policy_loss']:.3f} (never below {row['target_entropy']:.3f})")
        parts.append(f"value {row['value_loss']:.3f}")
    for found in row.get("evaluations", []):
        parts.append(f"against {found['opponent']} {found['score']:.2f} ({found['low']:.2f} to {found['high']:.2f})")
    if budget:
        share = max(share_spent(run, budget), 1e-9)
        parts.append(f"{max(1 / share - 1, 0) * run.seconds:.0f} s left")
    return ", ".join(parts)

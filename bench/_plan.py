"""On paper: a run of AlphaGo Zero's length with a thousand workers, from what was measured on one computer.

AlphaGo Zero (Silver et al. 2017): 4.9 million games of self-play in three days with 1,600 simulations per move, and
700,000 gradient steps on batches of 2,048 positions.
"""

import json

from bench._rate import row
from mock5lib.course import course_file

GAMES, SIMULATIONS, STEPS, BATCH = 4_900_000, 1_600, 700_000, 2_048
WORKERS, TOGETHER, PLIES = 1_000, 128, 8  # games side by side, and moves in each of them per round, of a worker
GPU = 100_000  # simulations/s with the net of the preset gpu at 15×15: the aim of `python -m bench gpu`


def plan(capacity: dict, workers: int = WORKERS) -> list:
    """Rows of the plan, for workers with a core each and with a GPU each; ratios are need to what one computer has.

    Args:
        capacity: what was measured, see `cluster.saturation`.
    """
    return [*one_plan("cores", capacity["boards"], capacity, workers), *one_plan("GPUs", GPU, capacity, workers)]


def one_plan(what: str, rate: float, capacity: dict, workers: int) -> list:
    """The plan for workers that do `rate` simulations a second."""
    plies = mean_plies()
    positions = GAMES * plies
    seconds = positions * SIMULATIONS / (rate * workers)
    per_round = TOGETHER * PLIES
    rounds, stale = positions / per_round, 2 * workers - 1
    back = positions / seconds * capacity["position_bytes"] * (1 + plies / 2 / PLIES)  # unfinished games come too
    out, trained = rounds / seconds * capacity["weights_bytes"], STEPS * BATCH / seconds
    steps = STEPS / rounds * stale
    needs = (
        ("rounds handed out and taken in", rounds / seconds, "rounds/s", capacity["rounds"], ""),
        ("positions taken in", positions / seconds, "positions/s", capacity["positions"], ""),
        ("games to the learner", back / 2**20, "MiB/s", capacity["store"] / 2**20, "unfinished ones come too"),
        ("weights to the workers", out / 2**20, "MiB/s", capacity["store"] / 2**20, "each round with its own"),
        ("positions trained on", trained, "positions/s", capacity["trained"], f"batches of {BATCH}; against one core"),
    )
    name = f"plan, {workers:,} {what}"
    note = f"{rate:,.0f} simulations/s each; {GAMES:,} games of {plies:.0f} moves, {SIMULATIONS:,} simulations each"
    rows = [row(f"{name}: time", seconds / 3600, "hours", note=note)]
    rows += [row(f"{name}: {need}", rate, unit, "measured", have, note) for need, rate, unit, have, note in needs]
    share = f"{stale / rounds:.1%} of the run, {stale * seconds / rounds / 60:.1f} minutes"
    rows.append(row(f"{name}: staleness", steps, "gradient steps", note=f"{stale:,} rounds of {per_round:,}: {share}"))
    first = max(needs, key=lambda need: need[1] / need[3])
    rows.append(row(f"{name}: saturates first", first[1] / first[3], "× what one computer has", note=first[0]))
    return rows


def mean_plies() -> float:
    """Moves of a game on 15×15 in the stored run, the last tenth of its rounds."""
    lines = course_file("data/runs/alphazero_15x15/metrics.jsonl").read_text(encoding="utf-8").splitlines()
    found = [plies for line in lines if (plies := json.loads(line).get("plies"))]
    last = found[-max(len(found) // 10, 1) :]
    return sum(last) / len(last)

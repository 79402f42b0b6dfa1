"""Training on a device by the course's own command, killed once; matches of what it learnt; what is kept of it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

from bench._machine import machine
from mock5lib import Mock5, names
from mock5lib.alphazero import loop as az
from mock5lib.alphazero.folder import read_config
from mock5lib.arena.match import match
from mock5lib.base.files import replace_folder, write_figure, write_whole
from mock5lib.base.runs import read_metrics
from mock5lib.course import course_file
from mock5lib.nets.checkpoints import load_checkpoint
from mock5lib.nets.cuda_graph import CapturedExpert
from mock5lib.search.puct.agent import SearchAgent

EVALUATIONS = 4  # in the time of training, about
STORED = "data/checkpoints/alphazero_15x15"


def run_folder(job):
    """Where the run stands."""
    return job.work / "run"


def command(job) -> list[str]:
    """The command that trains, and goes on."""
    played = job.found("selfplay")["seconds per round, playing"]
    every = max(1, round(60 * job.size.minutes / EVALUATIONS / (2 * played)))  # learning takes about as long again
    changes = {**job.size.changes, "evaluate_every": every}
    settings = [part for name, value in changes.items() for part in ("--set", f"{name}={json.dumps(value)}")]
    budget = ["--device", job.device.type, "--minutes", str(job.size.minutes), "--keep-every", "2"]
    return [*"-m mock5lib.cli train alphazero".split(), str(run_folder(job)), "--preset", "gpu", *budget, *settings]


def start_training(job) -> subprocess.Popen:
    """The command as a process; what it says goes to a file."""
    log = open(job.work / "train.log", "ab")
    return subprocess.Popen([sys.executable, *command(job)], stdout=log, stderr=subprocess.STDOUT)


def rows_of(job) -> list[dict]:
    """The run's metrics so far."""
    folder = run_folder(job)
    return read_metrics(folder) if (folder / "metrics.jsonl").exists() else []


def killed(job) -> dict:
    """a third of the training, ended by kill -9"""
    process = start_training(job)
    try:
        while not ripe(job):
            status = process.poll()
            assert status in (None, 0), f"The training ended with {status}; see {job.work / 'train.log'}."
            if status == 0:
                break  # the budget was spent in a call before
            time.sleep(0.2)
        process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
    finally:
        process.kill()
        process.wait()
    return {"iteration": rows_of(job)[-1]["iteration"], "checkpoint": max(checkpoints(job))}


def checkpoints(job) -> list[int]:
    """The iterations of whole checkpoints."""
    return [int(path.name[5:]) for path in run_folder(job).glob("step-*") if (path / "card.json").exists()]


def ripe(job) -> bool:
    """Whether a third of the time is over and a checkpoint is there."""
    rows = rows_of(job)
    return bool(rows) and rows[-1]["seconds"] >= 20 * job.size.minutes and bool(checkpoints(job))


def trained(job) -> dict:
    """the rest of it: the same command goes on from the last checkpoint"""
    process = start_training(job)
    try:
        status = process.wait()
    finally:
        process.kill()
    assert status == 0, f"The training ended with {status}; see {job.work / 'train.log'}."
    rows, stopped = rows_of(job), job.found("killed")
    assert [row["iteration"] for row in rows] == list(range(1, len(rows) + 1)), "Rounds are missing from the metrics."
    assert len(rows) >= stopped["checkpoint"], "It did not go on from its checkpoint."
    last = rows[-1]
    scores = [{"minutes": row["seconds"] / 60, **found} for row in rows for found in row.get("evaluations", [])]
    found = {name: last[name] for name in ("iteration", "games", "positions", "steps")}
    spent = sum(row["selfplay_seconds"] + row["training_seconds"] for row in rows)
    busy = sum(row["net_seconds"] + row["gradient_seconds"] for row in rows) / spent
    rate = sum(row["simulations"] for row in rows) / spent
    return {**found, "minutes": last["seconds"] / 60, "busy": busy, "simulations/s": rate, "evaluations": scores}


# Matches ------------------------------------------------------------------------------------------------------------


def player(job, checkpoint) -> SearchAgent:
    """The net of a checkpoint with the search of the run."""
    config, net = read_config(run_folder(job)), load_checkpoint(checkpoint).net.to(job.device)
    return az.search_agent(net, config, job.size.simulations, expert=CapturedExpert(net))


def play(job, opponent, name: str) -> dict:
    """A match of the trained net; its games are kept as records."""
    game = Mock5(**read_config(run_folder(job)).rules._asdict())
    result = match(player(job, run_folder(job) / "last"), opponent, job.size.games, game=game, openings=4, seed=11)
    job.kept.mkdir(parents=True, exist_ok=True)
    result.records.save(job.kept / f"games_{name}.npz")
    return {**result.summary, "simulations": job.size.simulations}


def against_mixed(job) -> dict:
    """a match against the mixed heuristic"""
    return play(job, names.agent("mixed", 1), "mixed")


def against_stored(job) -> dict:
    """a match against the stored net that was trained on a CPU, with as many simulations"""
    return play(job, player(job, course_file(STORED)), "alphazero_15x15")


# Keeping ------------------------------------------------------------------------------------------------------------


def keep(job) -> dict:
    """results, metrics, checkpoint and pictures, small enough to be committed"""
    job.kept.mkdir(parents=True, exist_ok=True)
    run = run_folder(job)
    for name in ("metrics.jsonl", "config.json"):
        write_whole(job.kept / name, (run / name).read_bytes())
    replace_folder(job.kept / "checkpoint", {path.name: path.read_bytes() for path in (run / "last").iterdir()})
    names_of_steps = [path.stem for path in sorted((job.work / "steps").glob("*.json"))]
    results = {name: job.found(name) for name in names_of_steps if name != "kept"}
    whole = {"command": "python -m bench gpu", "machine": machine(), **results}
    write_whole(job.kept / "results.json", (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())
    write_whole(job.kept / "README.md", readme(results).encode())
    draw(job, results)
    size = sum(path.stat().st_size for path in job.kept.rglob("*") if path.is_file())
    assert size < 16 * 2**20, f"{job.kept}: {size / 2**20:.0f} MiB are too much to be committed."
    return {"bytes": size}


def draw(job, results: dict) -> None:
    """The pictures: the run's curves, and the search's speed by games in flight."""
    import matplotlib

    matplotlib.use("Agg")
    from mock5lib.show import plot_curves
    from mock5lib.show.runs import plot_run

    write_figure(job.kept / "curves.png", plot_run(read_metrics(run_folder(job)), "preset gpu"), dpi=100)
    lines: dict[str, list[float]] = {}
    for row in results["search"]["rows"]:
        if row["net"] == "residual":
            how = (
                f"{'two halves' if row['halves'] == 2 else 'lockstep'}, {'captured' if row['captured'] else 'launched'}"
            )
            lines.setdefault(how, []).append(row["simulations/s"] / 1000)
    labels = {"xlabel": "games in flight", "ylabel": "thousand simulations/s", "log_x": True}
    ax = plot_curves(list(job.size.batches), lines, title="Search with the residual net", **labels)
    write_figure(job.kept / "speed.png", ax.figure, dpi=100)


def summary(results: dict) -> list[tuple[str, str]]:
    """What to look at first: (what, figure)."""

    def best(step: str, rate: str, **wanted) -> float:
        rows = [row for row in results[step]["rows"] if all(row[name] == value for name, value in wanted.items())]
        return max(row[rate] for row in rows)

    card, trained = results["arithmetic"], results["trained"]
    found = [
        ("card", card["card"]),
        ("operations of 16 bits, product of matrices", f"{card['tflops 16 bits']:.1f} TFLOP/s"),
    ]
    for net in ("residual", "patterns"):
        share = best("boards", "arithmetic", net=net)
        found.append((f"{net} net alone", f"{best('boards', 'boards/s', net=net):,.0f} boards/s, {share:.0%} of it"))
    for halves, how in ((1, "lockstep"), (2, "two halves")):
        for capture, ways in ((False, "launched"), (True, "captured")):
            rate = best("search", "simulations/s", net="residual", halves=halves, captured=capture)
            found.append((f"search, residual net, {how}, {ways}", f"{rate:,.0f} simulations/s"))
    found.append(("self-play", f"{results['selfplay']['positions/s']:,.0f} positions/s"))
    found.append(
        ("training", f"{trained['games']:,} games in {trained['minutes']:.1f} minutes, GPU busy {trained['busy']:.0%}")
    )
    for step, opponent in (("mixed", "the mixed heuristic"), ("stored", "alphazero_15x15, trained on a CPU")):
        one = results[step]
        found.append((f"against {opponent}", f"{one['score']:.3f} ({one['low']:.3f} to {one['high']:.3f})"))
    return found


def readme(results: dict) -> str:
    """The page of the folder."""
    table = "\n".join(f"| {what} | {figure} |" for what, figure in summary(results))
    stopped = results["killed"]
    return (
        f"# Self-play on one GPU: {results['arithmetic']['card']}\n\n    python -m bench gpu\n\n| what | measured |\n"
        f"| --- | --- |\n{table}\n\nThe training was killed with signal 9 in round {stopped['iteration']} and went on "
        f"from the checkpoint of round {stopped['checkpoint']}. All figures: `results.json`.\n"
    )

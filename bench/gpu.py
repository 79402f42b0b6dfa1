"""Tests and measures self-play on a GPU, trains on it, and keeps what came out, in about 7 minutes

    python -m bench gpu                 on a CUDA GPU
    python -m bench gpu --device cpu    the same steps at a tiny size, to try them out; nothing goes to data/

Each step leaves a JSON file in runs/gpu_<card>/steps; a later call does what is missing. A device that answers wrongly
is not measured. The last step writes data/runs/gpu_<card>/: results, metrics, checkpoint, games.
"""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait sleep: numba's and torch's share the cores

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from bench._rows import best_rate, machine
from mock5lib import Mock5, names
from mock5lib.alphazero import loop as az
from mock5lib.alphazero.selfplay import SelfPlay
from mock5lib.arena.matches import match
from mock5lib.base.files import replace_folder, write_whole
from mock5lib.course import course_file, keep_freed_memory
from mock5lib.game.encoders import three_planes
from mock5lib.game.lockstep_compiled import OCCUPIED
from mock5lib.nets.checkpoints import load_checkpoint
from mock5lib.nets.cuda import CapturedExpert, Metered
from mock5lib.nets.nets import expert_of, half_type, make_net
from mock5lib.search.forest_compiled import Forest, search_in_turns

ROOT = Path(__file__).resolve().parent.parent
STORED = "data/checkpoints/alphazero_15x15"
# Largest difference of two answers. The two run the same net, but a library may choose another way to convolve for
# another batch, and TF32 and float16 have 10 bits of fraction, bfloat16 has 7.
TOLERANCE = {"float32": 0.02, "16 bits": 0.15}
SIMULATIONS = 16  # of each position, where the search is measured
FULL = SimpleNamespace(
    side=15,
    nets={"residual": {"channels": 64, "blocks": 6}, "patterns": {"width": 32, "head": 64}},
    batches=(256, 1024, 4096),  # games in flight, and boards at once
    matrix=8192,  # side of the matrices that are multiplied
    seconds=2,  # for each figure
    minutes=2.5,  # of training, evaluations not counted
    games=100,  # of each match
    simulations=200,  # per move in matches
    changes={"opponents": ("mixed",)},  # of the preset
)
TINY = SimpleNamespace(
    side=7,
    nets={"residual": {"channels": 8, "blocks": 1}, "patterns": {"width": 4, "head": 8}},
    batches=(4, 8),
    matrix=128,
    seconds=0.05,
    minutes=0.06,
    games=4,
    simulations=8,
    changes={
        **{"height": 7, "width": 7, "sizes": {"channels": 8, "blocks": 1}, "games": 16, "plies": 4, "fill": 50},
        **{"simulations": 8, "considered": 4, "batch_size": 32, "evaluation_games": 2, "evaluation_simulations": 8},
    },
)


def planes_of(count: int, side: int, seed: int = 0) -> np.ndarray:
    """Planes (count, 3, side, side) of unfinished positions with up to 12 random stones."""
    rng, games = np.random.default_rng(seed), []
    for _ in range(count):
        game = Mock5(side, side)
        for move in rng.permutation(side * side)[: rng.integers(13)]:
            if game.winner is None:
                game.apply(int(move))
        games.append(game)
    return three_planes.encode(games)


# What must hold before a device is measured


def difference(one, other) -> float:
    """The largest difference of two answers: of log-priors, in units of their spread over a board, and of values.

    An untrained net's priors lie close together, so that the same difference says more than it would of a trained one.
    """
    legal = other[0] > OCCUPIED / 2
    spread = np.array([row[which].std() for row, which in zip(other[0], legal)])
    priors = np.where(legal, np.abs(one[0] - other[0]), 0).max(axis=1) / spread
    return float(max(priors.max(), np.abs(one[1] - other[1]).max()))


def tests(job) -> dict:
    """the captured net answers as the plain one, and sees new weights"""
    found = {}
    for name, half in (("residual", False), ("residual", True), ("patterns", False)):
        precision = "16 bits" if half else "float32"
        what = f"{name}, {precision}"
        net, newer = (make_net(name, value=True, seed=seed, **job.size.nets[name]).to(job.device) for seed in (0, 1))
        captured = CapturedExpert(net.eval(), half=half)
        worst = 0.0
        for when in ("at first", "after new weights"):
            plain = expert_of(net, half=half)
            for batch in (1, 9, 64, 300):
                planes = planes_of(batch, job.size.side, seed=batch)
                worst = max(worst, difference(captured(planes), plain(planes)))
            assert worst <= TOLERANCE[precision], f"{what}: captured and plain net differ by {worst:.4f} {when}."
            with torch.no_grad():
                for weights, newest in zip(net.parameters(), newer.parameters()):
                    weights.copy_(newest)  # in place, as training does
            captured.refresh()
        assert captured.graphs == (job.device.type == "cuda"), f"{what}: the net could not be captured."
        found[what] = worst
    return {"largest difference": found, "tolerance": TOLERANCE}


# Speed


def arithmetic(job) -> dict:
    """what the card can do at best: operations of a large product of matrices, bytes of a large copy, per second"""
    side, half = job.size.matrix, half_type(job.device)

    def waited(work) -> float:
        def three():
            for _ in range(3):
                work()
            if job.device.type == "cuda":
                torch.cuda.synchronize(job.device)
            return 3

        return best_rate(three, min(1.0, job.size.seconds))

    def tflops(dtype) -> float:
        one, other = (torch.randn(side, side, device=job.device).to(dtype) for _ in range(2))
        return 2 * side**3 * waited(lambda: one @ other) / 1e12

    one = torch.zeros(side**2, device=job.device)
    other = torch.empty_like(one)
    rates = {"tflops float32": tflops(torch.float32), "tflops 16 bits": tflops(half)}
    return {
        "card": job.card,
        "half": str(half),
        **rates,
        "gigabytes": 2 * one.nbytes * waited(lambda: other.copy_(one)) / 1e9,
    }


def expert_for(job, name: str, capture: bool):
    """An untrained net of this kind as an expert that counts its device's seconds."""
    net = make_net(name, value=True, seed=0, **job.size.nets[name]).eval().to(job.device)
    captured = CapturedExpert(net)
    return captured if capture else Metered(expert_of(net, half=captured.half), job.device)


def operations_of(name: str, job) -> float:
    """Additions and multiplications of one board."""
    net = make_net(name, value=True, seed=0, **job.size.nets[name]).eval()
    with FlopCounterMode(display=False) as counter, torch.inference_mode():
        net(torch.from_numpy(planes_of(1, job.size.side)))
    return float(counter.get_total_flops())


def boards(job) -> dict:
    """boards a second of the residual and the patterns net, against the card's arithmetic and its memory"""
    best, rows = job.found("arithmetic"), []
    for name in job.size.nets:
        peak = best["tflops 16 bits" if name == "residual" and job.device.type == "cuda" else "tflops float32"] * 1e12
        for batch in job.size.batches:
            for capture in (False, True):
                expert, planes = expert_for(job, name, capture), planes_of(batch, job.size.side)
                rate = best_rate(lambda expert=expert, planes=planes: len(expert(planes)[1]), job.size.seconds)
                row = {"net": name, "boards": batch, "captured": capture, "boards/s": rate}
                row["arithmetic"] = rate * operations_of(name, job) / peak
                if name == "patterns":  # four lines of two players at each point, a vector each, read and summed
                    gathered = job.size.side**2 * 8 * 2 * job.size.nets[name]["width"] * 4
                    row["memory"] = rate * gathered / (best["gigabytes"] * 1e9)
                rows.append(row)
    return {"rows": rows}


def search(job) -> dict:
    """simulations a second by games in flight: lockstep or two halves, launched step by step or captured"""
    rows, side = [], job.size.side
    for name, captures in (("residual", (False, True)), ("patterns", (True,))):
        for games in job.size.batches:
            for halves, capture in ((halves, capture) for halves in (1, 2) for capture in captures):
                expert = expert_for(job, name, capture)
                forests = [Forest(games // halves, side, side, nodes=SIMULATIONS + 1) for _ in range(halves)]

                def work(forests=forests, expert=expert, games=games) -> int:
                    for forest in forests:
                        forest.reset()
                    search_in_turns(forests, expert, SIMULATIONS)
                    return games * SIMULATIONS

                row = {"net": name, "games": games, "halves": halves, "captured": capture}
                rows.append({**row, **timed(work, expert, job.size.seconds, "simulations/s")})
    return {"rows": rows}


def timed(work, expert, seconds: float, unit: str) -> dict:
    """Units a second of `work()`, from empty boards, and the share of the time in which the device was busy."""
    work()  # compiles, records
    done, before, start = 0, expert.seconds, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        done += work()
    return {unit: done / passed, "busy": (expert.seconds - before) / passed}


def selfplay(job) -> dict:
    """positions of self-play a second, with the preset as it is and a fresh net"""
    config = az.preset("gpu", **job.size.changes)
    expert, rng = az.AlphaZeroRun(config, job.device).expert(), np.random.default_rng(0)
    play = SelfPlay(config, halves=2)
    return timed(lambda: play.play(expert, 1, rng).positions, expert, 4 * job.size.seconds, "positions/s")


# Training


def config_of(job) -> az.Config:
    """The preset, with about two evaluations in the time; learning takes about as long as playing."""
    config = az.preset("gpu", **job.size.changes)
    round_seconds = 2 * config.games * config.plies / job.found("selfplay")["positions/s"]
    return replace(config, evaluate_every=max(1, round(60 * job.size.minutes / 2 / round_seconds)))


def trained(job) -> dict:
    """training with the preset; a call that was cut off goes on from the last checkpoint"""
    budget = {"minutes": job.size.minutes, "keep_every": 2}
    run = az.alphazero(config_of(job), folder=job.work / "run", device=job.device.type, **budget)
    rows = run.metrics
    spent = sum(row["selfplay_seconds"] + row["training_seconds"] for row in rows)
    busy = sum(row["net_seconds"] + row["gradient_seconds"] for row in rows) / spent
    scores = [{"minutes": row["seconds"] / 60, **found} for row in rows for found in row.get("evaluations", [])]
    found = {name: rows[-1][name] for name in ("iteration", "games", "positions", "steps")}
    return {**found, "minutes": rows[-1]["seconds"] / 60, "busy": busy, "evaluations": scores}


def play(job, opponent, name: str) -> dict:
    """A match of the trained net; its games are kept as records."""
    game = Mock5(**config_of(job).rules._asdict())
    result = match(player(job, job.work / "run" / "last"), opponent, job.size.games, game=game, openings=4, seed=11)
    result.records.save(job.kept / f"games_{name}.npz")
    return {**result.summary, "simulations": job.size.simulations}


def player(job, checkpoint):
    """The net of a checkpoint with the search of the run."""
    net = load_checkpoint(checkpoint).net.to(job.device)
    return az.search_agent(net, config_of(job), job.size.simulations, expert=CapturedExpert(net))


def against_mixed(job) -> dict:
    """a match against the mixed heuristic"""
    return play(job, names.agent("mixed", 1), "mixed")


def against_stored(job) -> dict:
    """a match against the stored net that was trained on a CPU, with as many simulations"""
    return play(job, player(job, course_file(STORED)), "alphazero_15x15")


# What is kept


def keep(job) -> dict:
    """results, metrics and checkpoint, small enough to be committed"""
    for name in ("metrics.jsonl", "config.json"):
        write_whole(job.kept / name, (job.work / "run" / name).read_bytes())
    last = job.work / "run" / "last"
    replace_folder(job.kept / "checkpoint", {path.name: path.read_bytes() for path in last.iterdir()})
    results = {name: found for name in STEPS if (found := job.found(name))}
    whole = {"command": "python -m bench gpu", "machine": machine(), **results}
    write_whole(job.kept / "results.json", (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())
    table = "\n".join(f"| {what} | {figure} |" for what, figure in summary(results))
    head = f"# Self-play on one GPU: {job.card}\n\n    python -m bench gpu\n\n{about(job)}\n\n"
    page = f"{head}| what | measured |\n| --- | --- |\n{table}\n"
    write_whole(job.kept / "README.md", page.encode())
    return {}


def about(job) -> str:
    """What the figures are of, for whoever has only the page."""
    size, cores = job.size, machine()["cpu_count"]
    return f"""{cores} processor cores beside it; {size.side} × {size.side}, five in a row. Searches are of
{SIMULATIONS} simulations from the empty board. The run uses the preset `gpu` and begins with a fresh net.
Matches: {size.games} games from paired openings of four random moves, {size.simulations} simulations a move.
`results.json` has every figure, `metrics.jsonl` every round, `checkpoint` the last net, `games_*.npz` the matches."""


def summary(results: dict) -> list[tuple[str, str]]:
    """What to look at first: (what, figure)."""

    def best(step: str, rate: str, **wanted) -> float:
        rows = [row for row in results[step]["rows"] if all(row[name] == value for name, value in wanted.items())]
        return max(row[rate] for row in rows)

    found = [("16 bits, product of matrices", f"{results['arithmetic']['tflops 16 bits']:.1f} TFLOP/s")]
    for net in ("residual", "patterns"):
        share = best("boards", "arithmetic", net=net)
        found.append((f"{net} net alone", f"{best('boards', 'boards/s', net=net):,.0f} boards/s, {share:.0%} of it"))
    for halves, how in ((1, "lockstep"), (2, "two halves")):
        for capture, ways in ((False, "launched"), (True, "captured")):
            rate = best("search", "simulations/s", net="residual", halves=halves, captured=capture)
            found.append((f"search, residual net, {how}, {ways}", f"{rate:,.0f} simulations/s"))
    found.append(("self-play", f"{results['selfplay']['positions/s']:,.0f} positions/s"))
    run = results["trained"]
    found.append(("training", f"{run['games']:,} games in {run['minutes']:.1f} minutes, GPU busy {run['busy']:.0%}"))
    for step, opponent in (("mixed", "the mixed heuristic"), ("stored", "alphazero_15x15, trained on a CPU")):
        one = results[step]
        found.append((f"against {opponent}", f"{one['score']:.3f} ({one['low']:.3f} to {one['high']:.3f})"))
    return found


STEPS = {
    "tests": tests,
    "arithmetic": arithmetic,
    "boards": boards,
    "search": search,
    "selfplay": selfplay,
    "trained": trained,
    "mixed": against_mixed,
    "stored": against_stored,
    "kept": keep,
}


class Job:
    """Where the steps run, and where they write.

    Raises:
        ValueError: no CUDA GPU, and the CPU was not asked for.
    """

    def __init__(self, device: str, folder: Path | None = None):
        if device != "cpu" and not torch.cuda.is_available():
            raise ValueError("No CUDA GPU found here. `python -m bench gpu --device cpu` tries the same steps, tiny.")
        self.device, self.size = torch.device(device), TINY if device == "cpu" else FULL
        self.card = torch.cuda.get_device_name(self.device) if device != "cpu" else "CPU"
        name = "gpu_" + re.sub(r"[^a-z0-9]+", "_", self.card.lower().replace("nvidia", "")).strip("_")
        self.work = folder or ROOT / "runs" / name
        self.kept = self.work / "kept" if device == "cpu" or folder else ROOT / "data" / "runs" / name
        for needed in (self.work / "steps", self.kept):
            needed.mkdir(parents=True, exist_ok=True)

    def found(self, step: str) -> dict | None:
        """The result of a step, None before it is done."""
        file = self.work / "steps" / f"{step}.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None

    def run(self, say=print) -> dict[str, dict]:
        """Do the steps that are missing; returns all results by name."""
        for name, step in STEPS.items():
            if self.found(name) is None:
                say(f"{name}: {step.__doc__.splitlines()[0]}")
                text = json.dumps(step(self), indent=1, ensure_ascii=False) + "\n"
                write_whole(self.work / "steps" / f"{name}.json", text.encode())
            else:
                say(f"{name}: done before")
        return {name: self.found(name) for name in STEPS}


def main(device: str | None, folder: Path | None = None, say=print) -> int:
    """What `python -m bench gpu` does; returns the exit status."""
    keep_freed_memory()  # as the commands that train do
    try:
        job = Job(device or "cuda", folder)
        results = job.run(say)
    except (ValueError, AssertionError) as problem:
        say(f"bench gpu: {problem}")
        return 1
    for what, figure in summary(results):
        say(f"{what:<62}{figure}")
    say(f"kept in {job.kept}")
    return 0

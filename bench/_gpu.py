"""Tests and measures self-play on a GPU, trains on it, and keeps what came out, in at most 25 minutes

    python -m bench gpu                 on a CUDA GPU
    python -m bench gpu --quick         the same steps at a tiny size, in two minutes; nothing goes to data/
    python -m bench gpu --device cpu    the tiny size on a CPU, to try the steps out

Each step leaves a JSON file in runs/gpu_<card>/steps, written whole; a later call does what is missing. A step that
tests the device and fails leaves none: nothing is measured on a device that answers wrongly. The last step writes
data/runs/gpu_<card>/: results, metrics, checkpoint, pictures.
"""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # threads that wait sleep: numba's and torch's share the cores

import torch

from mock5lib.base.files import write_whole

ROOT = Path(__file__).resolve().parent.parent


class Size(NamedTuple):
    """How much is done."""

    side: int  # of the board
    residual: dict  # sizes of the net that is measured and trained
    patterns: dict
    batches: tuple[int, ...]  # games in flight, and boards at once
    matrix: int  # side of the matrices that are multiplied
    seconds: float  # for each figure
    minutes: float  # of training, evaluations not counted
    games: int  # of each match
    simulations: int  # per move in matches
    changes: dict  # of the preset


FULL = Size(
    side=15,
    residual={"channels": 64, "blocks": 6},
    patterns={"width": 32, "head": 64},
    batches=(256, 1024, 4096),
    matrix=8192,
    seconds=2.5,
    minutes=15,
    games=100,
    simulations=200,
    changes={},
)
QUICK = Size(
    side=7,
    residual={"channels": 8, "blocks": 1},
    patterns={"width": 4, "head": 8},
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


class Job(NamedTuple):
    """Where the steps run, and where they write."""

    device: torch.device
    size: Size
    work: Path  # steps, and the run as it stands
    kept: Path  # what is small enough to be committed

    def found(self, step: str) -> dict | None:
        """The result of a step, None before it is done."""
        file = self.work / "steps" / f"{step}.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def card_of(device: torch.device) -> str:
    """The name of a device as part of a folder's name: "h100_80gb_hbm3", "cpu"."""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu"
    return re.sub(r"[^a-z0-9]+", "_", name.lower().replace("nvidia", "").replace("tesla", "")).strip("_")


def job_for(device: str, quick: bool, folder: Path | None = None) -> Job:
    """The job on a device.

    Raises:
        ValueError: no CUDA GPU, and the CPU was not asked for.
    """
    if device != "cpu" and not torch.cuda.is_available():
        raise ValueError("No CUDA GPU found here. `python -m bench gpu --device cpu` tries the same steps, tiny.")
    where, quick = torch.device(device), quick or device == "cpu"
    name = f"gpu_{card_of(where)}" + ("_quick" if quick else "")
    work = folder or ROOT / "runs" / name
    kept = work / "kept" if quick or folder else ROOT / "data" / "runs" / name
    return Job(where, QUICK if quick else FULL, work, kept)


def steps() -> dict:
    """The steps in order, by name: each a function of the job that returns its result."""
    from bench import _gpu_speed as speed
    from bench import _gpu_tests as tests
    from bench import _gpu_training as training

    return {
        "tests": tests.tests,
        "arithmetic": speed.arithmetic,
        "boards": speed.boards,
        "search": speed.search,
        "selfplay": speed.selfplay,
        "killed": training.killed,
        "trained": training.trained,
        "mixed": training.against_mixed,
        "stored": training.against_stored,
        "kept": training.keep,
    }


def run(job: Job, say=print) -> dict[str, dict]:
    """Do the steps that are missing; returns all results by name.

    Raises:
        AssertionError: a test of the device failed; says which.
    """
    (job.work / "steps").mkdir(parents=True, exist_ok=True)
    results = {}
    for name, step in steps().items():
        result = job.found(name)
        if result is None:
            start = time.perf_counter()
            say(f"{name}: {step.__doc__.splitlines()[0]}")
            result = {**step(job), "seconds": round(time.perf_counter() - start, 1)}
            text = json.dumps(result, indent=1, ensure_ascii=False) + "\n"
            write_whole(job.work / "steps" / f"{name}.json", text.encode())
        else:
            say(f"{name}: done before")
        results[name] = result
    return results


def main(device: str | None, quick: bool, folder: Path | None = None, say=print) -> int:
    """What `python -m bench gpu` does; returns the exit status."""
    try:
        job = job_for(device or "cuda", quick, folder)
        results = run(job, say)
    except (ValueError, AssertionError) as problem:
        say(f"bench gpu: {problem}")
        return 1
    from bench._gpu_training import summary

    for what, figure in summary(results):
        say(f"{what:<62}{figure}")
    say(f"kept in {job.kept}, {sum(result['seconds'] for result in results.values()) / 60:.1f} minutes of work in all")
    return 0

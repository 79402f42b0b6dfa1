"""What made the difference, on 9 × 9: short runs of self-play that differ from a base in one thing.

    python data/runs/ablations_9x9/run.py runs/ablations --seeds 2

Each run has 40 iterations of 1,024 positions in the preset "laptop", 128 games in lockstep, one thread. Its net goes to
`runs/ablations/NAME-SEED`, and a line to `runs/ablations/results.jsonl`. Runs that the file has already are not run
again. `mock5 ladder --board ablations` then lets the nets meet.
"""

import argparse
import json
from pathlib import Path

import torch

from mock5lib.alphazero import loop as az
from mock5lib.nets.checkpoints import save_checkpoint
from mock5lib.nets.nets import parameters_of

ITERATIONS = 40
SETTINGS = {
    "base": {},
    "puct": {"considered": 0},
    "puct_no_noise": {"considered": 0, "noise": 0.0},
    "fewer_filters": {"sizes": {"width": 4, "head": 8, "compare": 2}},
    "no_forced_moves": {"forced_moves": False},
}


def config_of(name: str, seed: int) -> az.Config:
    """The base with what this setting changes."""
    return az.preset("laptop", **{"evaluate_every": 0, "seed": seed, **SETTINGS[name]})


def train(name: str, seed: int, folder: Path) -> dict:
    """One run; keeps its net and returns its row."""
    config = config_of(name, seed)
    run = az.alphazero(config, iterations=ITERATIONS, device="cpu", log=None)
    last = {key: run.metrics[-1][key] for key in ("games", "positions", "steps", "policy_loss", "value_loss")}
    simulations = sum(row["simulations"] for row in run.metrics)
    row = {
        "setting": name,
        "seed": seed,
        "iterations": run.iteration,
        "simulations": simulations,
        **last,
        "parameters": parameters_of(run.player),
        "cpu_seconds": round(run.cpu_seconds, 1),
    }
    rules = config.rules._asdict()
    save_checkpoint(folder / f"{name}-{seed}", run.player, training=row, name=f"{name}-{seed}", **rules)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=2)
    given = parser.parse_args()
    torch.set_num_threads(1)
    results = given.folder / "results.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    done = {(row["setting"], row["seed"]) for row in rows}
    given.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(given.seeds):
        for name in SETTINGS:
            if (name, seed) in done:
                continue
            row = train(name, seed, given.folder)
            with open(results, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            print(
                f"{name}, seed {seed}: {row['games']} games, {row['steps']} steps, {row['cpu_seconds']} CPU seconds",
                flush=True,
            )


if __name__ == "__main__":
    main()

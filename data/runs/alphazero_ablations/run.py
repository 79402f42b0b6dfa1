"""What each part of self-play is worth on 6 × 6, four in a row: short runs that differ from a base in one thing.

    python data/runs/alphazero_ablations/run.py data/runs/alphazero_ablations/results.jsonl --seeds 3

Each run has 20 iterations of 1,024 positions. Then it plays 100 games, from paired random openings of 2 moves, with
16 simulations a move against pure MCTS with 1,000 playouts. Runs that the file has already are not run again.
"""

import argparse
import json
from pathlib import Path

import torch

from mock5lib.alphazero import loop as az

ITERATIONS, GAMES, SIMULATIONS = 20, 100, 16
PUCT = {"considered": 0, "simulations": 64}
RESIDUAL = {"net": "residual", "sizes": {"channels": 16, "blocks": 2, "first": 3}}
SETTINGS = {
    "Gumbel, 32 simulations": {},
    "Gumbel, 8 simulations": {"simulations": 8},
    "PUCT, 8 simulations": {**PUCT, "simulations": 8},
    "PUCT, 32 simulations": {**PUCT, "simulations": 32},
    "PUCT, 64 simulations": PUCT,
    "PUCT, no noise": {**PUCT, "noise": 0.0},
    "PUCT, always the best move": {**PUCT, "warm_moves": 0, "late_temperature": 0.0},
    "PUCT, no noise, always the best move": {**PUCT, "noise": 0.0, "warm_moves": 0, "late_temperature": 0.0},
    "reuse 0.25": {"replay_ratio": 0.25},
    "reuse 1": {"replay_ratio": 1.0},
    "reuse 32": {"replay_ratio": 32.0},
    "no forced moves": {"forced_moves": False},
    "residual net": RESIDUAL,
    "residual net, not augmented": {**RESIDUAL, "augment": False},
    "newest weights play": {"average": 0.0},
    "resign at 0.9": {"resign": 0.9},
    # a quarter of full searches; as many simulations and gradient steps in all as the base
    "playout caps": {"full_share": 0.25, "cheap_simulations": 8, "plies": 18, "replay_ratio": 8 * 8 / 18},
    "gate at 0.55": {"gate": 0.55, "evaluate_every": 2, "opponents": ()},
    "gate at 0.8": {"gate": 0.8, "evaluate_every": 2, "opponents": ()},
}
COUNTS = ("resigned", "checked", "wrong")  # of the games of all iterations


def config_of(name: str, seed: int, **changes) -> az.Config:
    """The base with what this setting changes, and further changes."""
    return az.preset("tiny", **{"evaluate_every": 0, "seed": seed, **SETTINGS[name], **changes})


def measure(name: str, seed: int) -> dict:
    """Train and play; returns the row."""
    run = az.alphazero(config_of(name, seed), iterations=ITERATIONS, device="cpu", log=None)
    config = config_of(name, seed, forced_moves=True)  # the same search for all in the match
    agent = az.search_agent(run.player, config, SIMULATIONS, seed)
    opponent = az.opponent_named("mcts:1000", config.rules, seed)
    found = az.score_against(agent, opponent, config.rules, GAMES, openings=2, seed=seed)
    last = {name: run.metrics[-1][name] for name in ("games", "positions", "steps", "policy_loss", "value_loss")}
    counts = {name: sum(row[name] for row in run.metrics) for name in ("simulations", *COUNTS)}
    gates = [row["gate"]["passed"] for row in run.metrics if "gate" in row]
    counts |= {"gates": len(gates), "passed": sum(gates)} if gates else {}
    return {"setting": name, "seed": seed, **found, **last, **counts, "cpu_seconds": round(run.cpu_seconds, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(1)
    rows = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(row["setting"], row["seed"]) for row in rows}
    for seed in range(given.seeds):
        for name in SETTINGS:
            if (name, seed) in done:
                continue
            row = measure(name, seed)
            with open(given.out, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            print(f"{name}, seed {seed}: {row['score']:.3f}, {row['cpu_seconds']} CPU seconds", flush=True)


if __name__ == "__main__":
    main()

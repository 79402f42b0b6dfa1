"""How strong is a searched net, by number of simulations, rule, c and leaves? The measurements of chapter 05.

    python data/runs/strength_9x9/run.py data/checkpoints/supervised_9x9 data/runs/strength_9x9/results.jsonl

plays the mixed opponent from paired random openings and adds a JSON line for each setting. Settings that the file has
already are not played again, so a run that was stopped goes on.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch

from mock5lib import Mock5, agents
from mock5lib.arena.matches import match
from mock5lib.nets.checkpoints import load_checkpoint
from mock5lib.nets.nets import NetAgent, expert_of
from mock5lib.search.agent import SearchAgent

OPENING_PLIES = 4
SETTINGS = [  # (group, simulations, options of the search)
    ("simulations", 0, {}),
    ("simulations", 64, {"forced_moves": True}),
    ("simulations", 200, {"forced_moves": True}),
    ("simulations", 16, {"forced_moves": True}),
    ("simulations", 4, {"forced_moves": True}),
    ("rule", 64, {"rule": "puct"}),
    ("rule", 64, {"rule": "log-ucb"}),
    ("rule", 64, {"rule": "uniform priors"}),
    ("c", 64, {"forced_moves": True, "c": 0.0}),
    ("c", 64, {"forced_moves": True, "c": 0.4}),
    ("c", 64, {"forced_moves": True, "c": 5.0}),
    ("c", 64, {"forced_moves": True, "c": 20.0}),
    ("leaves", 64, {"forced_moves": True, "leaves": 8}),
    ("leaves", 64, {"forced_moves": True, "leaves": 32}),
    ("leaves", 64, {"forced_moves": True, "leaves": 32, "virtual_loss": 0.0}),
    ("simulations", 400, {"forced_moves": True}),
    ("temperature", 64, {"forced_moves": True, "temperature": 5.0}),
]


def without_priors(expert):
    """The same values, but every move equally likely: what a tree search knows without a policy."""

    def value_only(planes):
        log_priors, values = expert(planes)
        return np.zeros_like(log_priors), values

    return value_only


def softened(expert, temperature):
    """The same values, with priors in proportion to P^(1/T)."""

    def softer(planes):
        log_priors, values = expert(planes)
        return log_priors / temperature, values

    return softer


def searcher(net, simulations: int, options: dict, half: bool, seed: int = 1):
    """The agent of one setting; 0 simulations: the net's most probable move."""
    if simulations == 0:
        return NetAgent(net, seed=seed)
    options, expert = dict(options), expert_of(net, half=half)
    if options.get("rule") == "uniform priors":
        options.pop("rule")
        expert = without_priors(expert)
    expert = softened(expert, options.pop("temperature", 1.0))
    return SearchAgent(expert, simulations, seed=seed, **options)


def measure(net, simulations: int, options: dict, games: int, size: int = 9, half: bool = False) -> dict:
    """A match against the mixed opponent: wins, draws, losses, score, low, high (95%), cpu_seconds."""
    started = time.process_time()
    agent = searcher(net, simulations, options, half)
    result = match(agent, agents.mixed(5), games, game=Mock5(size, size), openings=OPENING_PLIES, seed=7)
    spent = {"plies": float(result.lengths.mean()), "cpu_seconds": round(time.process_time() - started, 1)}
    return result.summary | spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint")
    parser.add_argument("out", type=Path)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--half", action="store_true", help="bfloat16 weights")
    given = parser.parse_args()
    torch.set_num_threads(1)
    net = load_checkpoint(given.checkpoint).net
    rows = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    for group, simulations, options in SETTINGS:
        about = {"group": group, "simulations": simulations, "options": options}
        if any(all(row[key] == value for key, value in about.items()) for row in rows):
            continue
        row = {**about, **measure(net, simulations, options, given.games, half=given.half)}
        with open(given.out, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        interval = f"{row['low']:.3f} to {row['high']:.3f}"
        print(f"{group} {simulations} {options}: {row['score']:.3f} ({interval})", flush=True)


if __name__ == "__main__":
    main()

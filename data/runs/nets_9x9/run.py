"""Which net learns more, the table of lines or a residual net? The preset `laptop` with either, on one thread.

    python data/runs/nets_9x9/run.py        trains both, 60 rounds each, in runs/nets_9x9; a second call goes on

It writes metrics_patterns.jsonl and metrics_residual.jsonl beside this file.
"""

import argparse
import shutil
from pathlib import Path

import torch

from mock5lib.alphazero import loop as az

HERE = Path(__file__).parent
NETS = {"patterns": {}, "residual": {"channels": 32, "blocks": 3}}
ROUNDS, EVERY = 60, 10

if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    for net, sizes in NETS.items():
        config = az.preset("laptop", net=net, sizes=sizes, evaluate_every=EVERY)
        folder = Path("runs/nets_9x9") / net
        az.alphazero(config, iterations=ROUNDS, folder=folder, keep_every=EVERY, device="cpu")
        shutil.copy(folder / "metrics.jsonl", HERE / f"metrics_{net}.jsonl")

"""Nets on 6×6 with and without one change, and their tournament, as section 6 of chapter 10 makes them.

python data/runs/one_change_6x6/run.py data/runs/one_change_6x6
"""

import argparse
import subprocess
import sys
from pathlib import Path

from mock5lib.arena import Tournament
from mock5lib.names import recipe

GROUPS = {  # name: (the change, its seeds)
    "no change": (None, range(3)),
    "replay_ratio=0.5": ("replay_ratio=0.5", range(3)),
    "simulations=8": ("simulations=8", range(3)),
    "no change, again": (None, range(3, 6)),
}
TINY = "--preset tiny --device cpu --iterations 24 --set games=64 --set evaluate_every=0 --quiet"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="where the tournament's games go")
    parser.add_argument("--nets", type=Path, default=Path("runs/one_change_6x6"), help="where the nets are trained")
    asked = parser.parse_args()
    players = []
    for group, (change, seeds) in GROUPS.items():
        changed = ["--set", change] if change else []
        for seed in seeds:
            folder = asked.nets / f"{group}_seed_{seed}".replace("=", "_").replace(" ", "_").replace(",", "")
            command = [sys.executable, "-m", "mock5lib.cli", "train", "alphazero", str(folder), *TINY.split()]
            subprocess.run([*command, "--set", f"seed={seed}", *changed], check=True)
            players.append(recipe(f"alphazero:{folder / 'last'}@32", f"{group}, seed {seed}", side=6, k=4))
    Tournament(asked.out, 6, 6, 4, pairs=10, openings=2).run(players, say=print)


if __name__ == "__main__":
    main()

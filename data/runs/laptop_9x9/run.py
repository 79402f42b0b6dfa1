"""The kept run of chapter 10: train a net as the chapter does, and let it climb the ladder.

    python data/runs/laptop_9x9/run.py data/runs/laptop_9x9 --minutes 13

A run that is there already goes on. Kept are its config, its metrics, its last net, and the net's games on the ladder.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from mock5lib.arena.tournament import FILE, Tournament
from mock5lib.base.runs import read_metrics
from mock5lib.cli.ladder import ROSTERS
from mock5lib.course import course_file
from mock5lib.names import recipe

FLAGS = "--preset laptop --device cpu --set opponents=greedy,pt,uct:1000 --set evaluate_every=25"
FLAGS += " --set evaluation_games=40 --keep-every 5"
RUNGS = ["UCT 1,000", "UCT 10,000", "pt", "mixed", "greedy", "expert 64", "AlphaZero 64"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="what the chapter reads")
    parser.add_argument("--run", type=Path, default=Path("runs/laptop_9x9"), help="the folder of the run")
    parser.add_argument("--minutes", default="13", help="of playing and learning")
    asked = parser.parse_args()
    command = [sys.executable, "-m", "mock5lib.cli", "train", "alphazero", str(asked.run), *FLAGS.split()]
    subprocess.run([*command, "--minutes", asked.minutes], check=True)
    for name in ("config.json", "metrics.jsonl"):
        shutil.copy2(asked.run / name, asked.out / name)
    shutil.copytree(asked.run / "last", asked.out / "last", dirs_exist_ok=True)
    me, place = f"my net, {len(read_metrics(asked.out))} rounds", asked.run.with_name(f"{asked.run.name}_ladder")
    place.mkdir(exist_ok=True)
    shutil.copy2(course_file("data/ladder/9x9") / FILE, place / FILE)
    ladder = Tournament.load(place)
    players = [recipe(ROSTERS["9x9"].players[one], one) for one in RUNGS]
    ladder.run([*players, recipe(f"alphazero:{asked.out / 'last'}@64", me)], rounds=1, say=print)
    met = [json.dumps(meeting, ensure_ascii=False) + "\n" for meeting in ladder.meetings if me in meeting["agents"]]
    (asked.out / "climb.jsonl").write_text("".join(met), encoding="utf-8")


if __name__ == "__main__":
    main()

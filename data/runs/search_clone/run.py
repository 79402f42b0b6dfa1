"""The runs of chapter 5, by their names in `settings.json`; started once more, a run goes on where it was.

python data/runs/search_clone/run.py zero my_run
"""

import argparse
import json
from pathlib import Path

import torch

from mock5lib.course import course_file
from mock5lib.game.table import Rules
from mock5lib.learn.search_clone import CloneSettings, clone_search
from mock5lib.nets import load_checkpoint, make_net

RECIPES = json.loads(Path(__file__).with_name("settings.json").read_text(encoding="utf-8"))


def recipe(name: str) -> CloneSettings:
    """What `settings.json` says of this run."""
    return CloneSettings(**RECIPES[name])


def first_net(name: str):
    """The net with which this run begins."""
    if name.startswith("pretrained"):
        return load_checkpoint(course_file("data/checkpoints/supervised_9x9")).net
    if name == "notebook_15x15":  # the net of 2022, layer by layer
        return make_net("expert", seed=0)
    return make_net("patterns", value=True, seed=0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=RECIPES)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    rules = Rules(15, 15) if given.name == "notebook_15x15" else Rules(9, 9)
    clone_search(first_net(given.name), recipe(given.name), rules=rules, folder=given.folder, keep_every=10)


if __name__ == "__main__":
    main()

"""The full run of chapter 3, from the recipe in `settings.json`; started once more, it goes on where it was.

python data/runs/reinforce_9x9/run.py my_run
"""

import argparse
import json
from pathlib import Path

import torch

from mock5lib.course import course_file
from mock5lib.learn.policy_gradient import reinforce
from mock5lib.learn.settings import ReinforceSettings
from mock5lib.nets import load_checkpoint


def recipe() -> ReinforceSettings:
    """What `settings.json` says."""
    about = json.loads(Path(__file__).with_name("settings.json").read_text(encoding="utf-8"))
    fields = ReinforceSettings.__dataclass_fields__
    return ReinforceSettings(**{name: value for name, value in about.items() if name in fields})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    net = load_checkpoint(course_file("data/checkpoints/supervised_9x9")).net
    reinforce(net, "mixed", recipe(), folder=given.folder)


if __name__ == "__main__":
    main()

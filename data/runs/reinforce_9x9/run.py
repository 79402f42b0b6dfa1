"""The full run of chapter 3: python data/runs/reinforce_9x9/run.py FOLDER (see the README beside this file)."""

import json
import sys
from pathlib import Path

import torch

from mock5lib.course import course_file
from mock5lib.learn.reinforce import Settings, reinforce
from mock5lib.nets import load_checkpoint

torch.set_num_threads(1)
about = json.loads(Path(__file__).with_name("settings.json").read_text(encoding="utf-8"))
settings = Settings(**{name: value for name, value in about.items() if name in Settings.__dataclass_fields__})
net = load_checkpoint(course_file("data/checkpoints/supervised_9x9")).net
reinforce(net, "mixed", settings, folder=sys.argv[1])

"""The runs of chapter 5: python data/runs/search_clone/run.py NAME FOLDER (see the README beside this file)."""

import json
import sys
from pathlib import Path

import torch

from mock5lib.course import course_file
from mock5lib.learn.search_clone import Settings, clone_search
from mock5lib.nets import load_checkpoint, make_net

torch.set_num_threads(1)
name, folder = sys.argv[1:3]
settings = Settings(**json.loads(Path(__file__).with_name("settings.json").read_text(encoding="utf-8"))[name])
if name.startswith("pretrained"):
    net = load_checkpoint(course_file("data/checkpoints/supervised_9x9")).net
else:
    net = make_net("patterns", value=True, seed=0)
clone_search(net, settings, folder=folder, keep_every=10)

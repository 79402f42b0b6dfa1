"""The runs of chapter 5, by their names in `settings.json`; started once more, a run goes on where it was.

python data/runs/search_clone/run.py zero my_run
python data/runs/search_clone/run.py zero my_run --games 10 games.npz
"""

import argparse
import json
from pathlib import Path

import torch

from mock5lib.base.runs import read_metrics
from mock5lib.course import course_file
from mock5lib.game.board import Rules
from mock5lib.gomoku.heuristics import by_name
from mock5lib.learn.search_clone import CloneRun, clone_search, play_round
from mock5lib.learn.settings import CloneSettings
from mock5lib.nets import load_checkpoint, make_net

RECIPES = json.loads(Path(__file__).with_name("settings.json").read_text(encoding="utf-8"))
KEEP_EVERY = 10  # rounds between checkpoints
SEARCH = {"rule": "log-ucb", "c": 1.4}


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


def board_of(name: str) -> Rules:
    """The game of this run."""
    return Rules(15, 15) if name == "notebook_15x15" else Rules(9, 9)


def games_of(name: str, folder: Path, number: int):
    """The games of a round, counted from 1, played over again from the checkpoint just before it.

    Raises:
        ValueError: no checkpoint was kept just before it, or the games differ from those in the log.
    """
    rows = read_metrics(folder)
    if not 1 <= number <= len(rows):
        raise ValueError(f"the run has rounds 1 to {len(rows)}, got {number}.")
    step = folder / f"step-{number - 1:06d}"
    if number > 1 and not step.is_dir():
        raise ValueError(f"a round is played over again from a checkpoint: {KEEP_EVERY + 1}, {2 * KEEP_EVERY + 1}, …")
    net = load_checkpoint(step).net if number > 1 else first_net(name)
    run = CloneRun(net.eval(), recipe(name), rows[: number - 1])
    games = play_round(run, by_name("mixed", 0), board_of(name), SEARCH)
    if ((games.results + 1) / 2).tolist() != rows[number - 1]["points"]:
        raise ValueError("these games end otherwise than those in the log; was the run made on another processor?")
    return games.records


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=RECIPES)
    parser.add_argument("folder", type=Path)
    again = "instead: play a round of the run over again, and write its games (.npz) to a file"
    parser.add_argument("--games", nargs=2, metavar=("ROUND", "FILE"), help=again)
    given = parser.parse_args()
    torch.set_num_threads(1)
    if given.games:
        try:
            print(games_of(given.name, given.folder, int(given.games[0])).save(given.games[1]))
        except (ValueError, OSError) as problem:
            parser.error(str(problem))
        return
    options = {"rules": board_of(given.name), "folder": given.folder, "keep_every": KEEP_EVERY, **SEARCH}
    clone_search(first_net(given.name), recipe(given.name), **options)


if __name__ == "__main__":
    main()

"""Records: generating, reading and turning into batches, 15×15

The original C++ generator's 8,259 games a second on one thread is a stored figure, from another run on a machine of
the same kind; it did not get faster on two threads.
"""

import tempfile
from pathlib import Path

import numpy as np

from bench._rows import best_rate, row, stored
from mock5lib import Mock5, agents
from mock5lib.game import encoders
from mock5lib.game.records import Records
from mock5lib.game.referee import play_game
from mock5lib.gomoku.generator import generate

ORIGINAL = 8_259


def generating(seconds: float) -> list[dict]:
    """Games a second of the generator, by agent, randomness and number of threads."""

    def rate(agent: str, randomness: float, workers: int = 1) -> float:
        settings = {"randomness": randomness, "seed": 1, "workers": workers}
        return best_rate(lambda: len(generate(1280, agent, agent, **settings)), seconds)

    players = agents.greedy(0), agents.greedy(1)
    readable = best_rate(lambda: len([play_game(Mock5(), *players) for _ in range(4)]), seconds)
    one, two = rate("greedy", 0.1), rate("greedy", 0.1, 2)
    return [
        row("greedy, one thread", one, "games/s", "readable, one by one", readable, stored(one, ORIGINAL)),
        row("greedy, two threads", two, "games/s", "one thread", one, stored(two, ORIGINAL)),
        row("mixed, one thread", rate("mixed", 0.1), "games/s"),
    ]


def reading(seconds: float) -> list[dict]:
    """From a file to checked records, and from records to batches."""
    records = generate(2000, "greedy", "greedy", randomness=0.1, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        path = records.save(Path(folder) / "games.npz")
        loading = best_rate(lambda: len(Records.load(path)), seconds)

    def batched(encoder):
        def work():
            stream = records.batches(1024, encoder=encoder, seed=0)
            return sum(len(next(stream).moves) for _ in range(20))

        return best_rate(work, seconds)

    def one_by_one():
        where = np.random.default_rng(0).integers(records.positions, size=20)
        for number in np.searchsorted(records.offsets, where, side="right") - 1:
            records.game(int(number), plies=20).replay(1, 1).numpy()
        return 20

    readable = best_rate(one_by_one, seconds)
    return [
        row("reading and checking .npz", loading, "games/s"),
        row(
            "records to batches, 3 planes, random symmetry",
            batched(encoders.three_planes),
            "positions/s",
            "replay and numpy() on Mock5",
            readable,
        ),
        row(
            "records to batches, 3 planes + 4 last moves",
            batched(encoders.history(4)),
            "positions/s",
            "replay and numpy() on Mock5",
            readable,
        ),
    ]


def run(quick: bool = False) -> list[dict]:
    """All rows; `quick` takes a tenth of the time."""
    seconds = 0.3 if quick else 3.0
    return generating(seconds) + reading(seconds)

"""Search with an expert: the published loop, one readable tree, and the forest

Each part runs in a process of its own with the stated number of threads. Threads that wait must sleep
(OMP_WAIT_POLICY=passive): numba's and torch's take turns on the same cores. For a GPU: `python -m bench gpu`.
"""

import json
import os
import subprocess
import sys
from typing import NamedTuple

import numpy as np

from bench._published import PublishedSearch
from bench._rows import best_rate, row
from mock5lib import Mock5
from mock5lib.search.puct.forest import Forest
from mock5lib.search.puct.tree import SearchTree

UNIT = "simulations/s"


class Effort(NamedTuple):
    """How long to measure each figure, and how many simulations to give each position."""

    seconds: float
    simulations: int


FULL, QUICK = Effort(8.0, 60), Effort(0.2, 6)


def net_expert(name: str, half: bool, **sizes):
    """An expert from an untrained net."""
    from mock5lib.nets.nets import expert_of, make_net

    return expert_of(make_net(name, value=True, seed=0, **sizes).eval(), half=half)


def constant_expert(size: int, games: int):
    """No net at all: the same answer each time."""
    log_priors, values = np.zeros((games, size * size), np.float32), np.zeros(games, np.float32)
    return lambda planes: (log_priors[: len(planes)], values[: len(planes)])


# Rates of one thing, units a second -------------------------------------------------------------------------------


def net_alone(expert, size: int, batch: int, effort: Effort) -> float:
    """Boards a second through the expert, with nothing around it."""
    planes = (np.random.default_rng(0).random((batch, 3, size, size)) < 0.3).astype(np.float32)

    def work():
        expert(planes)
        return batch

    return best_rate(work, effort.seconds)


def forest_rate(expert, size: int, games: int, effort: Effort, **options) -> float:
    """Simulations a second of a forest, from the empty board."""
    simulations = effort.simulations
    forest = Forest(games, size, size, nodes=simulations + 1, **options)

    def work():
        forest.reset()
        forest.search(expert, simulations)
        return games * simulations

    return best_rate(work, effort.seconds)


def published_rate(expert, effort: Effort) -> float:
    """Iterations a second of the notebook's loop at 15×15."""
    from mock5lib.game.encoders import three_planes

    def one_board(game):
        log_priors, values = expert(three_planes.encode([game]))
        return np.exp(log_priors[0]), float(values[0])

    def work():
        PublishedSearch(Mock5(), one_board, np.random.default_rng(0)).decide(effort.simulations)
        return effort.simulations

    return best_rate(work, effort.seconds)


def readable_rate(expert, effort: Effort) -> float:
    """Simulations a second of one tree of `puct.py` at 15×15."""

    def work():
        SearchTree(Mock5(), expert).search(effort.simulations)
        return effort.simulations

    return best_rate(work, effort.seconds)


# Parts: each gives rows -------------------------------------------------------------------------------------------


def heavy(effort: Effort) -> list[dict]:
    """The notebook's net at 15×15: the loop, the readable tree, the forest, and the net alone."""
    rows, expert = [], net_expert("expert", half=False)
    loop = published_rate(expert, effort)
    rows.append(row("notebook's loop, its net, 15×15", loop, UNIT, note="one leaf at a time, float32"))
    rows.append(row("puct.py, same net", readable_rate(expert, effort), UNIT, "notebook's loop", loop))
    for half, kind in ((False, "float32"), (True, "bfloat16")):
        expert = net_expert("expert", half=half)
        alone = net_alone(expert, 15, 64, effort)
        rate = forest_rate(expert, 15, 64, effort)
        share = f"{rate / alone:.0%} of the net alone at that batch ({alone:,.0f} boards/s); wanted: 6×, 85 %"
        rows.append(row(f"forest, 64 games, same net, {kind}", rate, UNIT, "notebook's loop", loop, share))
    return rows


def small(effort: Effort) -> list[dict]:
    """The small residual net at 9×9."""
    rows = []
    for half, kind in ((False, "float32"), (True, "bfloat16")):
        expert = net_expert("residual", half=half, channels=32, blocks=3)
        alone = net_alone(expert, 9, 256, effort)
        rate = forest_rate(expert, 9, 256, effort)
        note = "wanted: 15,000 a core"
        rows.append(row(f"forest, 256 games, residual 3×32, 9×9, {kind}", rate, UNIT, "the net alone", alone, note))
    return rows


def trees(effort: Effort) -> list[dict]:
    """The work on the trees, without a net."""
    rows = []
    for size, options in ((9, {}), (15, {}), (15, {"forced_moves": True})):
        games = 512
        rate = forest_rate(constant_expert(size, games), size, games, effort, **options)
        wanted = "wanted on two cores: 400,000" if size == 9 else ""
        looking = ", looking one ply ahead" if options else ""
        rows.append(row(f"trees alone, {games} games, {size}×{size}{looking}", rate, UNIT, note=wanted))
    return rows


def games_in_flight(effort: Effort) -> list[dict]:
    """How the rate grows with the number of games, and what several leaves of one game do instead."""
    expert, rows = net_expert("residual", half=True, channels=32, blocks=3), []
    for games in (1, 4, 16, 64, 128, 256, 512):
        rate = forest_rate(expert, 9, games, effort)
        against = ("1 game", rows[0]["rate"]) if rows else ()
        rows.append(row(f"{games} games in flight, residual 3×32, 9×9, bfloat16", rate, UNIT, *against))
    for leaves in (4, 16):
        rate = forest_rate(expert, 9, 1, effort, leaves=leaves)
        rows.append(row(f"1 game, {leaves} leaves a step", rate, UNIT, "1 game", rows[0]["rate"]))
    return rows


PARTS = {"heavy": heavy, "small": small, "trees": trees, "games_in_flight": games_in_flight}
RUNS = [("heavy", 2), ("small", 1), ("small", 2), ("trees", 1), ("trees", 2), ("games_in_flight", 2)]


def in_process(part: str, threads: int, quick: bool) -> list[dict]:
    """The rows of one part, measured in a process with so many threads."""
    limits = {f"{library}_NUM_THREADS": str(threads) for library in ("OMP", "MKL", "NUMBA")}
    environment = {**os.environ, **limits, "OMP_WAIT_POLICY": "passive"}
    command = [sys.executable, "-m", "bench.search", part, "quick" if quick else "full"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[1:])} failed:\n{done.stderr}")
    rows = json.loads(done.stdout.splitlines()[-1])
    return [{**one, "name": f"{one['name']}; {threads} thread{'s' * (threads > 1)}"} for one in rows]


def run(quick: bool) -> list[dict]:
    threads = [(part, count) for part, count in RUNS if count <= os.cpu_count()]
    return [found for part, count in threads for found in in_process(part, count, quick)]


if __name__ == "__main__":
    print(json.dumps(PARTS[sys.argv[1]](QUICK if sys.argv[2] == "quick" else FULL)))

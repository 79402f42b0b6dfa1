"""Matches between two nets on 9×9: all games side by side against one game after the other

Rates are by processor time of a process with one thread, so that other load does not disturb them. The stored
checkpoints play, each with 64 simulations a move; games begin with four random moves.
"""

import json
import os
import subprocess
import sys
import time

from bench._rate import row
from mock5lib import Mock5, names
from mock5lib.arena import match
from mock5lib.course import course_file

NETS = ("supervised_9x9", "reinforced_9x9")
SIMULATIONS = 64
WANTED = "wanted: 200 games in 60 s on two cores"


def players(simulations: int) -> list:
    """Both nets with their searches."""
    paths = [course_file(f"data/checkpoints/{net}") for net in NETS]
    return [names.agent(f"expert:{path}@{simulations}", seed=number) for number, path in enumerate(paths)]


def cpu_seconds(games: int, simulations: int, side_by_side: bool) -> float:
    """Processor seconds of a match."""
    agents = players(simulations)
    started = time.process_time()
    match(*agents, games, game=Mock5(9, 9), openings=4, seed=3, batch=None if side_by_side else 1)
    return time.process_time() - started


def measured(quick: bool) -> list[dict]:
    """The rows, from this process."""
    games, simulations = (4, 4) if quick else (200, SIMULATIONS)
    cpu_seconds(2, 2, True)  # loads and compiles
    alone = (2 if quick else 8) / cpu_seconds(2 if quick else 8, simulations, False)
    spent = cpu_seconds(games, simulations, True)
    unit = "games / processor s"
    return [
        row(f"pair after pair, {simulations} simulations a move", alone, unit),
        row(
            f"{games} games side by side",
            games / spent,
            unit,
            "pair after pair",
            alone,
            f"{spent:.1f} processor s in all; {WANTED}",
        ),
    ]


def run(quick: bool) -> list[dict]:
    limits = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "NUMBA")}
    command = [sys.executable, "-m", "bench.match", "quick" if quick else "full"]
    done = subprocess.run(command, env={**os.environ, **limits}, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[1:])} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    print(json.dumps(measured(sys.argv[1] == "quick")))

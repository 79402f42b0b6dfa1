"""The ablation of chapter 4: matches between AlphaGo's nets, its searches with parts taken out, and others.

    python data/runs/alphago_9x9/run.py data/runs/alphago_9x9/results.jsonl

Matches that the file has already are not played again. Further arguments, such as "mixed / policy only", choose some.
"""

import argparse
import functools
import json
import os
import time
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from mock5lib import Mock5, agents  # noqa: E402
from mock5lib.alphago.games import NetPlayer  # noqa: E402
from mock5lib.alphago.nets import load_net, policy_function  # noqa: E402
from mock5lib.alphago.train import load_alphago  # noqa: E402
from mock5lib.arena.matches import match  # noqa: E402
from mock5lib.course import course_file  # noqa: E402
from mock5lib.search.uct_compiled import FastUCT  # noqa: E402

GAMES, OPENING, SIMULATIONS = 100, 6, 400
NETS = course_file("data/checkpoints/alphago_9x9")


@functools.cache
def policy(name: str):
    return policy_function(load_net(NETS / f"{name}.keras"))


def net_player(name: str, temperature: float = 0.0) -> NetPlayer:
    return NetPlayer(policy(name), temperature, seed=1, name=name)


def search(simulations: int = SIMULATIONS, **options):
    return load_alphago(NETS, simulations=simulations, c=2.0, leaves=8, seed=1, **options)


AGENTS = {
    "mixed heuristics": lambda: agents.mixed(2),
    "policy only": lambda: net_player("strong"),
    "policy, drawn": lambda: net_player("strong", 1.0),
    "after the pool, drawn": lambda: net_player("reinforced", 1.0),
    "after the frozen self, drawn": lambda: net_player("frozen", 1.0),
    "rollouts only": lambda: search(lambda_value=1.0, value=None),
    "value only": lambda: search(lambda_value=0.0, fast=None),
    "mixed": lambda: search(lambda_value=0.5),
    "mixed, reinforced priors": lambda: search(lambda_value=0.5, policy="reinforced.keras"),
    "UCT, 1,000 simulations": lambda: FastUCT(1000, seed=1),
}
SEARCHES = ("rollouts only", "mixed", "value only")
MATCHES = [
    ("policy only", "mixed heuristics"),
    ("UCT, 1,000 simulations", "mixed heuristics"),
    ("after the pool, drawn", "policy, drawn"),
    ("after the frozen self, drawn", "policy, drawn"),
    ("after the pool, drawn", "after the frozen self, drawn"),
    ("policy, drawn", "mixed heuristics"),
    ("after the pool, drawn", "mixed heuristics"),
    ("after the frozen self, drawn", "mixed heuristics"),
    *((name, "policy only") for name in SEARCHES),
    *((name, "mixed heuristics") for name in SEARCHES),
    ("mixed", "value only"),
    ("mixed", "rollouts only"),
    ("mixed, reinforced priors", "mixed"),
]


def play(first: str, second: str) -> dict:
    """One match, as a row of the file."""
    games = 4 * GAMES if first.endswith("drawn") else 60 if first == "value only" else GAMES
    agent, start = Timed(AGENTS[first]()), time.process_time()
    result = match(agent, AGENTS[second](), games, game=lambda: Mock5(9, 9), openings=OPENING, seed=7)
    low, high = result.interval
    return {
        "first": first,
        "second": second,
        "games": games,
        "won": result.wins,
        "drawn": result.draws,
        "lost": result.losses,
        "score": result.score,
        "low": low,
        "high": high,
        "opening": OPENING,
        "simulations": SIMULATIONS,
        "distinct": result.distinct,
        "moves": agent.moves_made,
        "cpu_ms_a_move": 1000 * agent.seconds / agent.moves_made,
        "cpu_seconds": time.process_time() - start,
    }


class Timed:
    """An agent whose CPU time is counted."""

    def __init__(self, agent):
        self.agent, self.name, self.seconds, self.moves_made = agent, getattr(agent, "name", "agent"), 0.0, 0

    def __call__(self, game):
        return self.moves([game])[0]

    def moves(self, games):
        start = time.process_time()
        moves = self.agent.moves(games) if hasattr(self.agent, "moves") else [self.agent(game) for game in games]
        self.seconds += time.process_time() - start
        self.moves_made += len(games)
        return moves


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("matches", nargs="*", help='some of them, such as "mixed / policy only"; default: all')
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(row["first"], row["second"]) for row in rows}
    for first, second in [tuple(pair.split(" / ")) for pair in given.matches] or MATCHES:
        if (first, second) in done:
            continue
        row = play(first, second)
        with open(given.out, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(
            f"{first} against {second}: {row['score']:.3f} ({row['low']:.3f} to {row['high']:.3f}), "
            f"{row['cpu_ms_a_move']:.2f} ms a move",
            flush=True,
        )


if __name__ == "__main__":
    main()

"""What chapter 9's nets are worth: matches of AlphaGo's policies and of its search with parts taken out, on 9×9 Go;
and how well value net and rollouts foretell who wins, there and in five in a row (after Silver et al. 2016, Figure 2b).

    python data/runs/go_9x9/run.py data/runs/go_9x9/results.jsonl

Rows that the file has already are not made again. Matches against GNU Go need it (apt install gnugo).
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from mock5go.board import Go
from mock5go.records import GNU_GO
from mock5lib import names
from mock5lib.arena.matches import match

OPENING, SIMULATIONS, NETS, FIVE = 4, 100, "data/checkpoints/go_9x9", "data/checkpoints/alphago_9x9"
FORETOLD, LIMIT = 600, 100  # positions; moves of a rollout, as in the search
AGENTS = {
    "strong": f"policy:{NETS}/strong.keras",
    "strong, drawn": f"policy,temperature=1:{NETS}/strong.keras",
    "reinforced": f"policy:{NETS}/reinforced.keras",
    "reinforced, drawn": f"policy,temperature=1:{NETS}/reinforced.keras",
    "value only": f"alphago,c=2,resign=-0.9,lambda_value=0,fast=none:{NETS}@{SIMULATIONS}",
    "mixed": f"alphago,c=2,resign=-0.9:{NETS}@{SIMULATIONS}",
    "rollouts only": f"alphago,c=2,resign=-0.9,lambda_value=1,value=none:{NETS}@{SIMULATIONS}",
    "mixed, reinforced priors": f"alphago,c=2,resign=-0.9,policy=reinforced.keras:{NETS}@{SIMULATIONS}",
    "GNU Go": f"gtp:{GNU_GO}",
}
MATCHES = [
    ("reinforced, drawn", "strong, drawn", 400),
    ("strong", "GNU Go", 40),
    ("reinforced", "GNU Go", 40),
    ("value only", "GNU Go", 24),
    ("mixed", "GNU Go", 24),
    ("rollouts only", "GNU Go", 24),
    ("mixed, reinforced priors", "GNU Go", 24),
    ("mixed", "rollouts only", 24),
    ("mixed", "value only", 24),
]


def play(first: str, second: str, games: int) -> dict:
    """One match, as a row of the file."""
    start = time.process_time()
    agents = [names.agent(AGENTS[name], seed=number) for number, name in enumerate((first, second), start=1)]
    result = match(*agents, games, game=Go(9), openings=OPENING, seed=7)
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
        "cpu_seconds": round(time.process_time() - start, 1),
    }


def foretell(folder: str) -> dict:
    """Mean squared errors on held-out positions of the value net's data: of its answer, of rollouts, of both halved."""
    from mock5lib.alphago.experience import Experience
    from mock5lib.alphago.nets import encoder_of, fast_policy_of, load_net, value_function

    start, path = time.process_time(), Path(folder)
    unseen = Experience.load(path / "positions.npz").split(0.1, seed=0)[1]
    unseen = unseen.select(slice(FORETOLD))
    net, fast = load_net(path / "value.keras"), fast_policy_of(load_net(path / "fast.keras"))
    value = value_function(net)(unseen.positions_at(slice(None), encoder_of(net)).planes)
    answers = {"value net": value}
    for count in (1, 10, 100):
        answers[f"{count} rollouts"] = rollouts(fast, unseen, count)
    answers |= {f"half value net, half {name}": (value + answers[name]) / 2 for name in list(answers)[1:]}
    errors = {name: float(((answer - unseen.outcomes) ** 2).mean()) for name, answer in answers.items()}
    row = {"foretell": folder, "positions": len(unseen), "saying the mean": float(unseen.outcomes.var())}
    return row | errors | {"cpu_seconds": round(time.process_time() - start, 1)}


def rollouts(fast, unseen, count: int) -> np.ndarray:
    """The mean outcomes of rollouts from positions of Go, or of five in a row."""
    games = [unseen.records.game(game, ply) for game, ply in zip(unseen.games, unseen.plies)]
    return fast.rollouts(games, count, LIMIT, seed=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("matches", nargs="*", help='some of them, such as "mixed / GNU Go"; default: all')
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(row.get("first"), row.get("second")) for row in rows} | {row.get("foretell") for row in rows}
    for folder in (NETS, FIVE):
        if folder not in done and not given.matches:
            keep(given.out, foretell(folder))
    for first, second, games in MATCHES:
        if (first, second) in done or (given.matches and f"{first} / {second}" not in given.matches):
            continue
        keep(given.out, play(first, second, games))


def keep(path: Path, row: dict) -> None:
    """Add a row to the file and show it."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()

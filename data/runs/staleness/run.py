"""How old may the net be that plays? Self-play on 6 × 6, four in a row, with nets 0, 1, 4 and 16 rounds old.

    python data/runs/staleness/run.py data/runs/staleness/results.jsonl --seeds 3

In round r the net plays as it was after round r − 1 − age; before there is such a net, the first one plays. This is
what one worker of `mock5 train alphazero --workers 1 --staleness AGE` plays, here in one process. Each run has 24
rounds of 256 positions, with 16 simulations each and without forced moves. After rounds 8, 16 and 24 the newest net
plays 40 games, from paired random openings of 2 moves, with 16 simulations per move against pure MCTS with 1,000
playouts. Runs that the file has already are not run again.
"""

import argparse
import copy
import json
from pathlib import Path

import torch

from mock5lib.alphazero import loop as az
from mock5lib.base.files import as_lines, write_whole
from mock5lib.learn.trainer import copy_weights
from mock5lib.nets.cuda import Metered
from mock5lib.nets.nets import expert_of

AGES, ROUNDS, GAMES, SIMULATIONS = (0, 1, 4, 16), (8, 16, 24), 40, 16


def config_of(seed: int, **changes) -> az.Config:
    """The preset `tiny` with shorter rounds, and without the forced moves that make this game easy."""
    usual = {"evaluate_every": 0, "seed": seed, "games": 64, "plies": 4, "simulations": 16}
    return az.preset("tiny", forced_moves=False, **usual | changes)


class LateRun(az.AlphaZeroRun):
    """A run whose self-play is done by the player of `age` rounds before."""

    def __init__(self, config: az.Config, age: int):
        super().__init__(config)
        self.age, self.late, self.older = age, copy.deepcopy(self.player), []

    def expert(self) -> Metered:
        """The late player, for the next round."""
        self.older = [*self.older, copy_weights(self.player)][-1 - self.age :]
        self.late.load_state_dict(self.older[0])
        return Metered(expert_of(self.late))


def measure(age: int, seed: int, rounds: tuple[int, ...] = ROUNDS) -> list[dict]:
    """Train, and play after each of these rounds; returns a row for each."""
    run, rows = LateRun(config_of(seed), age), []
    for number in range(1, rounds[-1] + 1):
        last = az.iterate(run)
        if number not in rounds:
            continue
        agent = az.search_agent(run.player, run.config, SIMULATIONS, seed)
        opponent = az.opponent_named("mcts:1000", run.config.rules, seed)
        found = az.score_against(agent, opponent, run.config.rules, GAMES, openings=2, seed=seed)
        kept = {name: last[name] for name in ("games", "positions", "steps", "policy_loss", "value_loss")}
        rows.append({"age": age, "seed": seed, "round": number, **found, **kept})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(1)
    rows = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    done = {(row["age"], row["seed"]) for row in rows}
    for seed in range(given.seeds):
        for age in AGES:
            if (age, seed) in done:
                continue
            found = measure(age, seed)
            rows += found
            write_whole(given.out, as_lines(rows))
            print(f"age {age}, seed {seed}: {[row['score'] for row in found]}", flush=True)


if __name__ == "__main__":
    main()

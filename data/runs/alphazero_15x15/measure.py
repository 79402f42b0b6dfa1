"""Games of a checkpoint with a search against another agent on 15 × 15, kept as records.

    python data/runs/alphazero_15x15/measure.py data/checkpoints/alphazero_15x15 data/runs/alphazero_15x15/games.npz
    … measure.py data/checkpoints/alphazero_15x15 OUT --opponent expert:data/checkpoints/supervised_15x15@200

Games 2p and 2p + 1 start from the same 4 random moves; the searching agent is black in game 2p.
"""

import argparse

import torch

from mock5lib import Mock5, names
from mock5lib.alphazero import loop as az
from mock5lib.arena.matches import match
from mock5lib.nets import load_checkpoint


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkpoint")
    parser.add_argument("out")
    parser.add_argument("--opponent", default="mixed", help="By name, see `mock5 play --help`.")
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    torch.set_num_threads(1)
    agent = az.search_agent(load_checkpoint(given.checkpoint).net, az.preset("laptop"), given.simulations)
    opponent = names.agent(given.opponent, seed=1)
    result = match(agent, opponent, given.games, game=Mock5(15, 15), openings=4, seed=11)
    result.records.save(given.out)
    print(result)


if __name__ == "__main__":
    main()

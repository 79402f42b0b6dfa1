"""Many workers: what one and two of them play on this computer, and what a learner with many can do at most

Two real workers need two free cores. What a thousand would need is worked out in chapter 8; a row here says how much of
it this computer has. Needs `pip install mock5lib[cluster]`.
"""

import numpy as np
import torch

from bench._rows import best_rate, row
from mock5lib.alphazero import loop as az
from mock5lib.alphazero.replay import ReplayBuffer, SelfPlayGame, pack_games, unpack_games
from mock5lib.alphazero.workers import Player, Workers, workers_of
from mock5lib.base.cluster import using_ray
from mock5lib.nets.checkpoints import weights_bytes
from mock5lib.nets.nets import expert_of

WORKERS = 32  # that the weights are sent to
SMALL = dict(height=4, width=4, k=3, games=8, plies=2, simulations=8, fill=20, batch_size=32, replay_ratio=4)


def run(quick: bool = False) -> list:
    """All of it; `quick` with 4 workers."""
    torch.set_num_threads(1)
    with using_ray(4 if quick else WORKERS, "local") as ray:
        return real_workers(4 if quick else 24) + limits(ray, 4 if quick else WORKERS)


def real_workers(rounds: int) -> list:
    """One and two workers with the net of the preset `tiny`."""
    rows = []
    for count in (1, 2):
        trained = az.AlphaZeroRun(az.preset("tiny", evaluate_every=0))
        with workers_of(trained, count, say=print) as team:
            for _ in range(count):
                az.iterate(trained, workers=team)
            rate = best_rate(lambda trained=trained, team=team: played(trained, team, rounds), 1, runs=1)
        against = ("1 worker", rows[0]["rate"]) if rows else ()
        rows.append(row(f"real workers: {count}", rate, "simulations/s", *against))
    return rows


def played(trained, team, rounds: int) -> int:
    """Simulations of so many rounds."""
    return sum(az.iterate(trained, workers=team)["simulations"] for _ in range(rounds))


class Echo:
    """A worker that has played before it was asked."""

    def __init__(self, answer):
        self.answer = answer

    def play(self, number, weights, games):
        return self.answer

    def size(self, data) -> int:
        return len(data)

    def give(self, size: int) -> np.ndarray:
        return np.zeros(size, np.uint8)


class Echoes(Workers):
    """Workers that are there already."""

    def __init__(self, pool: list, *arguments):
        self.pool = iter(pool)
        super().__init__(*arguments)

    def worker(self):
        return next(self.pool)

    def end(self, actor) -> None:
        pass


def limits(ray, count: int) -> list:
    """What learner, object store and broadcast can do at most."""
    config = az.preset("gpu")
    net = az.first_net(config)
    weights, cells = weights_bytes(net.state_dict()), config.height * config.width
    games = [random_game(cells, seed) for seed in range(100)]
    packed, positions = pack_games(games, cells), sum(len(game.policies) for game in games)
    small = az.AlphaZeroRun(az.Config(**SMALL))
    state = weights_bytes(small.player.state_dict()), small.selfplay.state()
    canned = Player(small.config, small.player).play(1, *state)
    echoes = [ray.remote(Echo).options(num_cpus=0).remote(canned) for _ in range(count)]
    team = Echoes(echoes[:2], ray, small, 2, 3)
    buffer, size = ReplayBuffer(20_000, config.height, config.width), 16 * 2**20
    planes, expert = np.zeros((64, 3, config.height, config.width), np.float32), expert_of(net)

    def rounds() -> int:
        small.metrics.append(team.next(small).notes)
        return 1

    def take_in() -> int:
        for game in unpack_games(packed):
            buffer.add(game)
        return positions

    def broadcast() -> int:
        ray.get([echo.size.remote(reference) for reference, echo in zip([ray.put(weights)] * count, echoes)])
        return count

    def ask() -> int:
        return len(expert(planes)[1])

    def through_the_store() -> float:
        return len(ray.get(echoes[0].give.remote(size))) / 2**20

    found = (
        ("rounds handed out and taken in by the learner", best_rate(rounds, 4), "rounds/s", "of next to no games"),
        ("positions taken into the buffer, 15×15", best_rate(take_in, 2), "positions/s", ""),
        ("games through the object store", best_rate(through_the_store, 4), "MiB/s", "from a worker to the learner"),
        (f"weights to {count} workers", best_rate(broadcast, 4), "workers/s", f"{len(weights) / 2**20:.1f} MiB each"),
        ("positions trained on, net of the preset gpu", trained_rate(config, net), "positions/s", "on one core"),
        ("boards through the net of the preset gpu", best_rate(ask, 4, runs=2), "boards/s", "on one core"),
    )
    for echo in echoes:
        ray.kill(echo)
    return [row(name, rate, unit, note=note) for name, rate, unit, note in found]


def random_game(cells: int, seed: int) -> SelfPlayGame:
    """A game of as many moves as games have on this board."""
    rng, plies = np.random.default_rng(seed), 40
    policies = rng.dirichlet(np.ones(cells), size=plies).astype(np.float16)
    moves = rng.permutation(cells)[:plies].astype(np.int16)
    return SelfPlayGame(moves, policies, np.ones(plies, bool), np.zeros(plies, np.float32), 1, False)


def trained_rate(config, net) -> float:
    """Positions a second of gradient steps on this device."""
    buffer = ReplayBuffer(1_000, config.height, config.width)
    for seed in range(10):
        buffer.add(random_game(buffer.height * buffer.width, seed))
    optimizer, rng, size = torch.optim.AdamW(net.parameters()), np.random.default_rng(0), 32

    def step() -> int:
        losses = az.losses_of(net, buffer.sample(size, rng))
        optimizer.zero_grad()
        (losses[0] + losses[1]).backward()
        optimizer.step()
        return size

    return best_rate(step, 4, runs=2)

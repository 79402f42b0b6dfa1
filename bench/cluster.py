"""Many workers: what it takes to start them, how they scale, what saturates first, and a plan for a thousand

Two real workers need two free cores. The others have a stand-in for a net on a GPU, which sleeps instead of computing,
so that 32 of them fit on one computer: what is measured is the learner and Ray. Needs `pip install mock5lib[cluster]`.
"""

import time
from functools import partial

import numpy as np
import psutil
import torch

from bench._plan import plan
from bench._rate import best_rate, row
from mock5lib import Mock5, names
from mock5lib.alphazero import loop as az
from mock5lib.alphazero.replay import ReplayBuffer, SelfPlayGame, pack_games, unpack_games
from mock5lib.alphazero.workers import Player, Workers, workers_of
from mock5lib.arena.workers import Batch, in_cluster, in_processes
from mock5lib.base.cluster import using_ray
from mock5lib.nets.checkpoints import weights_bytes
from mock5lib.nets.nets import expert_of

SLEEP = 0.2  # seconds that the stand-in takes for a batch
SIZES = (1, 2, 4, 8, 16, 32)
AIM = 0.85  # of the efficiency
SMALL = dict(height=4, width=4, k=3, games=8, plies=2, simulations=8, fill=20, batch_size=32, replay_ratio=4)


def run(quick: bool = False) -> list:
    """All of it; `quick` with 4 workers."""
    torch.set_num_threads(1)
    sizes = SIZES[:3] if quick else SIZES
    rows = beginnings()
    with using_ray(max(sizes), "local") as ray:
        rows += real_workers(4 if quick else 24)
        slept, learning = sleeping_workers(ray, sizes, 0.02 if quick else SLEEP)
        limits, capacity = saturation(ray, sizes)
    return [*rows, *slept, *learning, *limits, *plan(capacity)]


# Starting -------------------------------------------------------------------------------------------------------


def beginnings() -> list:
    """Two workers that play a batch each, by processes and by Ray, up to the last result."""
    random_player = names.recipe("random")
    batches = [Batch((random_player, random_player), [Mock5(9, 9)], (seed,)) for seed in range(2)]
    engines = {"processes": in_processes, "Ray": partial(in_cluster, address="local")}
    rows, first = [], None
    for name, play in engines.items():
        start, played = time.perf_counter(), play(batches, 2, False)
        next(played)
        seconds = time.perf_counter() - start
        started = psutil.Process().children(recursive=True)
        found = seconds, sum(map(work_of, started)), sum(map(size_of, started)) / 2**20
        list(played)
        units = ("s until the first result", "processor s until then", "MiB beside the program")
        for number, (value, unit) in enumerate(zip(found, units)):
            against = ("processes", first[number]) if first else (None, None)
            rows.append(row(f"2 workers by {name}", value, unit, *against, note=f"{len(started)} processes"))
        first = first or found
    return rows


def size_of(process) -> int:
    """Bytes of a process, with its part of what several share."""
    try:
        found = process.memory_full_info()
        return getattr(found, "pss", 0) or found.uss
    except psutil.Error:
        return 0


def work_of(process) -> float:
    """Processor seconds of a process so far."""
    try:
        return sum(process.cpu_times()[:2])
    except psutil.Error:
        return 0.0


# Scaling --------------------------------------------------------------------------------------------------------


def real_workers(rounds: int) -> list:
    """One and two workers with the net of the preset `tiny`."""
    rows, first = [], None
    for count in (1, 2):
        trained = az.AlphaZeroRun(az.preset("tiny", evaluate_every=0))
        with workers_of(trained, count, say=print) as team:
            rate, busy = measured(trained, team, rounds)
        played = trained.metrics[-rounds:]
        own = sum(found["simulations"] for found in played) / sum(found["play_seconds"] for found in played)
        note = f"{own:,.0f} a second of a worker's own time; the learner worked {busy:.0%} of the time"
        rows.append(row(f"real workers: {count}", rate, "simulations/s", "1 worker" if first else None, first, note))
        first = first or rate
    return rows


def measured(run, team, rounds: int) -> tuple[float, float]:
    """Simulations a second over some rounds, after as many as there are workers; and how much the learner worked."""
    for _ in range(team.count):
        az.iterate(run, workers=team)
    start = time.perf_counter()
    played = [az.iterate(run, workers=team) for _ in range(rounds)]
    seconds = time.perf_counter() - start
    waited = sum(found["selfplay_seconds"] for found in played)
    return sum(found["simulations"] for found in played) / seconds, 1 - waited / seconds


class Shared(Workers):
    """Workers out of a pool that several runs share."""

    def __init__(self, pool: list, *arguments):
        self.pool = iter(pool)
        super().__init__(*arguments)

    def worker(self):
        return next(self.pool)

    def end(self, actor) -> None:
        pass


class Sleeper:
    """Makes experts that answer at once what a net would, and then sleep."""

    def __init__(self, seconds: float):
        self.seconds = seconds

    def __call__(self, net):
        def answer(planes):
            time.sleep(self.seconds)
            return np.zeros((len(planes), planes[0, 0].size), np.float32), np.zeros(len(planes), np.float32)

        return answer


def sleeping_workers(ray, sizes, seconds: float) -> tuple[list, list]:
    """Workers whose expert sleeps: rate and efficiency, and how busy the learner was."""
    config = az.Config(**SMALL)
    player = ray.remote(Player).options(num_cpus=0)
    pool = [player.remote(config, az.first_net(config), "cpu", Sleeper(seconds)) for _ in range(sizes[-1])]
    rates, learning = {}, []
    for count in sizes:
        trained = az.AlphaZeroRun(config)
        team = Shared(pool, ray, trained, count, 2 * count - 1)
        if count == sizes[0]:  # the pool starts, and compiles
            ray.get([actor.play.remote(1, *first_of(trained)) for actor in pool])
        rates[count], busy = measured(trained, team, 3 * count)
        learning.append(row(f"learner at work, {count} workers that sleep", busy, "of the time"))
    for actor in pool:
        ray.kill(actor)
    rows = []
    for count in sizes:
        efficiency = rates[count] / rates[sizes[0]] / count
        note = f"efficiency {efficiency:.2f}, aim {AIM}"
        against = ("1 worker", rates[sizes[0]]) if count > 1 else (None, None)
        rows.append(row(f"workers that sleep: {count}", rates[count], "simulations/s", *against, note))
    return rows, learning[-1:]


def first_of(run) -> tuple:
    """Weights and games that the first round of a run begins with."""
    return weights_bytes(run.player.state_dict()), run.selfplay.state()


# What saturates -------------------------------------------------------------------------------------------------


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


def saturation(ray, sizes) -> tuple[list, dict]:
    """What learner, object store and broadcast can do at most, as rows and by name."""
    config = az.preset("gpu")
    net = az.first_net(config)
    weights, cells = weights_bytes(net.state_dict()), config.height * config.width
    games = [random_game(cells, seed) for seed in range(100)]
    packed, positions = pack_games(games, cells), sum(len(game.policies) for game in games)
    small = az.AlphaZeroRun(az.Config(**SMALL))
    canned = Player(small.config, small.player).play(1, *first_of(small))
    echoes = [ray.remote(Echo).options(num_cpus=0).remote(canned) for _ in range(sizes[-1])]
    team = Shared(echoes[:2], ray, small, 2, 3)
    size = 16 * 2**20
    buffer = ReplayBuffer(20_000, config.height, config.width)

    def rounds() -> int:
        small.metrics.append(team.next(small).notes)
        return 1

    def take_in() -> int:
        for game in unpack_games(packed):
            buffer.add(game)
        return positions

    def broadcast() -> int:
        ray.get([echo.size.remote(reference) for reference, echo in zip([ray.put(weights)] * len(echoes), echoes)])
        return len(echoes)

    planes = np.zeros((64, 3, config.height, config.width), np.float32)
    expert = expert_of(net)
    capacity = {
        "weights_bytes": len(weights),
        "position_bytes": sum(part.nbytes for part in packed.values()) / positions,
        "rounds": best_rate(rounds, 4),
        "positions": best_rate(take_in, 2),
        "store": best_rate(lambda: len(ray.get(echoes[0].give.remote(size))), 4),
        "weights": best_rate(broadcast, 4),
        "trained": trained_rate(config, net),
        "boards": best_rate(lambda: len(expert(planes)[1]), 4, runs=2),
    }
    shown = {
        "rounds handed out and taken in by the learner": (capacity["rounds"], "rounds/s", "of next to no games"),
        "positions taken into the buffer, 15×15": (capacity["positions"], "positions/s", ""),
        "games through the object store": (capacity["store"] / 2**20, "MiB/s", "from a worker to the learner"),
        f"weights to {len(echoes)} workers": (capacity["weights"], "workers/s", f"{len(weights) / 2**20:.1f} MiB each"),
        "positions trained on, net of the preset gpu": (capacity["trained"], "positions/s", "on one core"),
        "boards through the net of the preset gpu": (capacity["boards"], "boards/s", "on one core"),
    }
    for echo in echoes:
        ray.kill(echo)
    return [row(name, rate, unit, note=note) for name, (rate, unit, note) in shown.items()], capacity


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

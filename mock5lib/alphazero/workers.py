"""Self-play on many computers: workers play rounds ahead of the one learner, by Ray (Moritz et al. 2018).

                    weights after each iteration (object store)
        learner  ───────────────────────────────────────────────▶  workers: a forest and a net each
        (buffer, gradient steps, run folder)  ◀───────────────────  games that ended, games that go on

Rounds are numbered as iterations are, and learnt in this order. With W workers and a staleness of S

    round r begins with the unfinished games of round r − W, continues with the net as it was after iteration r − 1 − S,
    and draws its random numbers from (seed, r).

So what is played does not depend on which worker plays it, or when. A worker or a computer that is lost takes nothing
with it: the learner holds the games before each round, and another worker plays the round again, to the same games. As
in one process, a position is counted when its game has ended and its round is learnt, which happens once. W = 1 and
S = 0 is the single process, game for game; S = 2W − 1, the usual, keeps all busy while the learner learns. Each worker
has as many rounds as any other, so the slowest sets the pace.
"""

from __future__ import annotations

import copy
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numba
import numpy as np
import safetensors.torch
import torch
from torch import nn

from mock5lib.alphazero.config import Config
from mock5lib.alphazero.replay import pack_games, unpack_games
from mock5lib.alphazero.selfplay import Round, SelfPlay, Tally
from mock5lib.base import ranges
from mock5lib.base.cluster import ClusterError, using_ray
from mock5lib.nets.checkpoints import weights_bytes
from mock5lib.nets.cuda_graph import CapturedExpert, Metered
from mock5lib.nets.nets import expert_of

PATIENCE = 60.0  # seconds without any games after which a line says so
MOST = 10_000  # workers
LIVES = 5  # workers that may be lost over one round


class Ahead(NamedTuple):
    """What rounds to come begin with, so that a run can go on to the same games.

    Attributes:
        games: the unfinished games that the next rounds continue, as `SelfPlay.state` gives them, in their order.
        weights: iteration → the player's weights after it (safetensors), for rounds that a net of this age plays.
    """

    games: list[dict[str, np.ndarray]]
    weights: dict[int, bytes]

    def arrays(self) -> dict[str, np.ndarray]:
        """All of it as flat arrays, for a file."""
        games = {f"games/{n}/{name}": part for n, state in enumerate(self.games) for name, part in state.items()}
        return games | {f"weights/{n}": np.frombuffer(data, np.uint8) for n, data in self.weights.items()}

    @classmethod
    def of(cls, arrays) -> Ahead:
        """From the arrays of `arrays`."""
        games: dict[int, dict] = {}
        weights: dict[int, bytes] = {}
        for name in arrays:
            kind, number, *part = name.split("/")
            if kind == "games":
                games.setdefault(int(number), {})[part[0]] = arrays[name]
            else:
                weights[int(number)] = arrays[name].tobytes()
        return cls([games[n] for n in sorted(games)], weights)


class Player:
    """A worker: plays one round at a time, and keeps nothing from one to the next but its net's memory.

    Args:
        config: of the run. net: the player; its weights come with each round. device: "cpu" or "cuda".
        capture: replay the net from recordings; default: on CUDA. expert_from: makes the expert of the net.
    """

    def __init__(self, config: Config, net: nn.Module, device="cpu", capture=None, expert_from: Callable | None = None):
        torch.set_num_threads(1)
        numba.set_num_threads(1)
        cuda = device == "cuda"
        self.config, self.net = config, net.to(device)
        self.selfplay = fresh_selfplay(config, halves=2 if cuda else 1)
        capture = cuda if capture is None else capture
        self.expert = CapturedExpert(self.net) if capture else Metered((expert_from or expert_of)(self.net))

    def play(self, number: int, weights: bytes, games: dict[str, np.ndarray]) -> tuple[dict, dict[str, np.ndarray]]:
        """Play round `number` on from the unfinished `games`; what ended in it, and the games unfinished after it."""
        wall, cpu, worked = time.perf_counter(), time.process_time(), self.expert.seconds
        self.net.load_state_dict(safetensors.torch.load(bytes(weights)))
        if isinstance(self.expert, CapturedExpert):
            self.expert.refresh()
        self.selfplay.restore(games)
        rng = np.random.default_rng([self.config.seed, number])
        tally = self.selfplay.play(self.expert, self.config.selfplay.plies, rng)
        ended = {
            "games": pack_games(tally.games, self.selfplay.points),
            "counts": (tally.positions, tally.simulations, tally.checked, tally.wrong),
            "rng": rng,
            "play_seconds": time.perf_counter() - wall,
            "cpu_seconds": time.process_time() - cpu,
            "net_seconds": self.expert.seconds - worked,
        }
        return ended, self.selfplay.state()


def fresh_selfplay(config: Config, halves: int = 1) -> SelfPlay:
    """Self-play of a run at its beginning."""
    return SelfPlay(config.game, config.selfplay, config.search, halves=min(halves, config.selfplay.games))


class Workers:
    """The workers of a run as the learner sees them; `next` gives one round after the other.

    Args:
        ray: the library, connected. run: an `AlphaZeroRun`, where it stands.
        count: W. staleness: S, at least W − 1, so that all can play at once.
        device: "cpu", "cuda" or "auto": whether each worker gets a share of a GPU of the cluster.
        capture, expert_from: as for `Player`. say: told what happens to workers.

    Raises:
        ValueError: a number out of its range, or CUDA asked for and not in the cluster.
    """

    def __init__(
        self, ray, run, count: int, staleness: int, *, device="cpu", capture=None, expert_from=None, say=print
    ):
        ranges.whole("workers", count, 1, MOST)
        ranges.whole("staleness", staleness, 0, 2 * MOST)  # so many rounds are asked for at once
        if staleness < count - 1:
            raise ValueError(f"{count} workers play at once if staleness is at least {count - 1}, got {staleness}.")
        self.ray, self.count, self.staleness, self.say = ray, count, staleness, say
        self.needs, place = places(ray, count, device)
        self.made = (run.config, copy.deepcopy(run.player).cpu(), place, capture, expert_from)
        self.asked: dict[int, tuple] = {}  # round → references to what ended in it, and to the games after it
        self.arrived: dict[int, dict] = {}  # round → what ended in it
        self.weights: dict[int, tuple] = {}  # iteration → the player after it: bytes, and their reference
        self.deaths: Counter = Counter()  # round → workers lost over it
        done, ahead = run.iteration, run.ahead or Ahead([run.selfplay.state()], {})
        states = ahead.games[:count] + [fresh_selfplay(run.config).state() for _ in range(count - len(ahead.games))]
        self.after = {done + 1 - count + n: state for n, state in enumerate(states)}  # round → unfinished games
        for version, data in ahead.weights.items():
            self.weights[version] = data, ray.put(data)
        self.actors = [self.worker() for _ in range(count)]

    def worker(self):
        """A new worker, wherever there is room."""
        return self.ray.remote(Player).options(scheduling_strategy="SPREAD", **self.needs).remote(*self.made)

    def close(self) -> None:
        """End all workers."""
        for actor in self.actors:
            self.end(actor)

    def end(self, actor) -> None:
        try:
            self.ray.kill(actor)
        except Exception:  # noqa: BLE001 - it is gone already, or the cluster is
            pass

    # Rounds

    def next(self, run) -> Round:
        """The next round of the run, in order; all workers have work when it comes back."""
        number = run.iteration + 1
        data = weights_bytes(run.player.state_dict())
        self.weights[number - 1] = data, self.ray.put(data)
        for later in range(number, number + self.staleness + 1):
            if later not in self.asked and later not in self.arrived:
                self.ask(later)
        while number not in self.arrived:
            self.collect(PATIENCE)
        self.collect(0.0)
        ended, version = self.arrived.pop(number), self.version(number)
        self.forget(number)
        run.ahead = Ahead(
            [self.after[number + 1 - self.count + n] for n in range(self.count)],
            {old: kept for old, (kept, _) in self.weights.items()},
        )
        tally = Tally(*ended["counts"], games=unpack_games(ended["games"]))
        notes = {
            "workers": self.count,
            "staleness": number - 1 - version,
            "play_seconds": round(ended["play_seconds"], 3),
        }
        return Round(tally, ended["rng"], ended["cpu_seconds"], notes)

    def version(self, number: int) -> int:
        """The iteration whose net plays a round: of those still known, the first that is not too old."""
        return min(old for old in self.weights if old >= number - 1 - self.staleness)

    def ask(self, number: int) -> None:
        """Send a round to its worker, behind what it has to do already."""
        before = number - self.count
        games = self.after[before] if before in self.after else self.asked[before][1]
        play = self.actors[number % self.count].play.options(num_returns=2)
        self.asked[number] = tuple(play.remote(number, self.weights[self.version(number)][1], games))

    def forget(self, number: int) -> None:
        """Drop what no round after this one needs."""
        self.after = {done: games for done, games in self.after.items() if done > number - self.count}
        self.weights = {old: kept for old, kept in self.weights.items() if old >= number - self.staleness}
        self.deaths.pop(number, None)

    def collect(self, seconds: float) -> None:
        """Take in the rounds that have come; wait so long for the first. A worker that is lost is replaced."""
        numbers = {references[0]: number for number, references in self.asked.items()}
        if not numbers:
            return
        ready, _ = self.ray.wait(list(numbers), num_returns=1 if seconds else len(numbers), timeout=seconds)
        if seconds and not ready:
            self.say(f"No games for {seconds:g} s: the workers are playing, or wait for a place in the cluster.")
        for reference in sorted(ready, key=numbers.get):
            number = numbers[reference]
            if number in self.asked and self.asked[number][0] == reference:  # not asked again in the meantime
                self.take(number)

    def take(self, number: int) -> None:
        """Take in one round, or replace the worker that was lost over it."""
        exceptions = self.ray.exceptions
        try:
            ended, games = self.ray.get(list(self.asked[number]))
        except exceptions.RayError as problem:
            cause = getattr(problem, "cause", None)
            if isinstance(problem, exceptions.RayTaskError) and not isinstance(cause, exceptions.RayError):
                raise (cause or problem) from None  # a fault of the program: another worker would find it too
            if "creation task" in str(problem):
                raise ClusterError(f"A worker can't begin: {str(problem).strip().splitlines()[-1]}") from None
            self.replace(number, problem)
        else:
            del self.asked[number]
            self.arrived[number], self.after[number] = ended, games

    def replace(self, number: int, problem: Exception) -> None:
        """A new worker for the one that was lost over a round; it is asked for all that the other owed."""
        self.deaths[number] += 1
        why = "its computer is gone" if "node has died" in str(problem) else "its process has ended"
        if self.deaths[number] > LIVES:
            raise ClusterError(f"Round {number} cost {LIVES} workers; of the last {why}. Is there enough memory?")
        place = number % self.count
        self.end(self.actors[place])
        if self.ray.available_resources().get("CPU", 0) < 1:
            self.needs["num_cpus"] = 0  # better two on one core than one that waits for a computer to come back
        self.actors[place] = self.worker()
        owed = sorted(later for later in self.asked if later % self.count == place)
        for later in owed:
            del self.asked[later]
        for later in owed:
            self.ask(later)
        rounds = " and ".join(str(later) for later in owed)
        self.say(
            f"Worker {place + 1} of {self.count} is lost: {why}. A new one plays round {rounds} again, from the same "
            "positions; none of its games had been counted."
        )


def places(ray, count: int, device: str) -> tuple[dict, str]:
    """What each worker asks of the cluster, and its device. Where there are too few cores, workers share them.

    Raises:
        ValueError: CUDA is asked for, and the cluster has no GPU.
    """
    there = ray.cluster_resources()
    gpus = there.get("GPU", 0) if device != "cpu" else 0
    if device == "cuda" and not gpus:
        raise ValueError("device 'cuda' was asked for, but the cluster has no GPU; take 'cpu' or 'auto'.")
    needs = {"num_cpus": 1 if there.get("CPU", 0) >= count else 0}
    if gpus:
        needs["num_gpus"] = min(1.0, int(10_000 * gpus / count) / 10_000)
    return needs, "cuda" if gpus else "cpu"


@contextmanager
def workers_of(
    run, count: int, *, cluster: str | None = None, staleness: int | None = None, say=print, **options
) -> Iterator[Workers]:
    """Workers for a run, on this computer or on a cluster, for the time of the block.

    Args:
        count, options: as for `Workers`. cluster: an address, see `base.cluster.using_ray`.
        staleness: default: 2 · count − 1.

    Raises:
        ClusterError: there is no cluster, or the connection to it is lost for longer than Ray waits.
    """
    ranges.at_least(1, workers=count)
    staleness = 2 * count - 1 if staleness is None else staleness
    with using_ray(count, cluster) as ray:
        team = Workers(ray, run, count, staleness, say=say, **options)
        try:
            yield team
        except ConnectionError as problem:
            raise ClusterError(f"The connection to the cluster is lost: {problem}") from None
        finally:
            team.close()

"""Self-play on many computers: workers play rounds ahead of the one learner, by Ray (Moritz et al. 2018).

                    weights after each iteration (object store)
        learner  ───────────────────────────────────────────────▶  workers: a forest and a net each
        (buffer, gradient steps, run folder)  ◀───────────────────  games that ended, games that go on

Rounds are numbered as iterations are, and learned in this order. With W workers and a staleness of S

    round r begins with the unfinished games of round r − W, continues with the net as it was after iteration r − 1 − S,
    and draws its random numbers from (seed, r).

So what is played does not depend on which worker plays it, or when. A worker or a computer that is lost takes nothing
with it: the learner holds the games before each round, and asks another worker for the round again. W = 1 and S = 0 is
the single process, game for game; S = 2W − 1, the usual, keeps all busy while the learner learns. Each worker has as
many rounds as any other, so the slowest sets the pace. A run that is killed goes on with its newest net and, of the
unfinished games, with those of the round that was due.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import numba
import numpy as np
import safetensors.torch
import torch
from torch import nn

from mock5lib.alphazero.config import Config
from mock5lib.alphazero.replay import pack_games, unpack_games
from mock5lib.alphazero.selfplay import Round, SelfPlay, Tally
from mock5lib.base.cluster import ClusterError, using_ray
from mock5lib.game.kit import game_named, place_of
from mock5lib.nets.checkpoints import weights_bytes
from mock5lib.nets.cuda import CapturedExpert, Metered
from mock5lib.nets.nets import expert_of

PATIENCE = 60.0  # seconds without any games after which a line says so
LIVES = 5  # workers that may be lost over one round


class Player:
    """A worker: plays one round at a time, and keeps nothing from one to the next but its net's memory.

    Args:
        config: of the run. net: the player; its weights come with each round. device: "cpu" or "cuda".
        expert_from: makes the expert of the net; default: one captured net on CUDA, else `expert_of`.
        place: where a game of one's own is found, see `kit.place_of`; "" for k in a row.
    """

    def __init__(
        self, config: Config, net: nn.Module, device: str = "cpu", expert_from: Callable | None = None, place: str = ""
    ):
        if place:
            game_named(place)
        torch.set_num_threads(1)
        numba.set_num_threads(1)
        cuda = device == "cuda"
        self.config, self.net, self.expert_from = config, net.to(device), expert_from or expert_of
        self.selfplay = SelfPlay(config, halves=2 if cuda else 1)
        self.captured = CapturedExpert(self.net) if cuda and expert_from is None else None

    def play(self, number: int, weights: bytes, games: dict[str, np.ndarray]) -> tuple[dict, dict[str, np.ndarray]]:
        """Play round `number` on from the unfinished `games`; what ended in it, and the games unfinished after it."""
        wall, cpu = time.perf_counter(), time.process_time()
        self.net.load_state_dict(safetensors.torch.load(bytes(weights)))
        if self.captured:
            self.captured.refresh()
        expert = self.captured or Metered(self.expert_from(self.net))  # anew: it may hold a copy of the weights
        worked = expert.seconds
        self.selfplay.restore(games)
        rng = np.random.default_rng([self.config.seed, number])
        tally = self.selfplay.play(expert, self.config.plies, rng)
        ended = {
            "games": pack_games(tally.games, self.selfplay.moves),
            "counts": (tally.positions, tally.simulations, tally.checked, tally.wrong),
            "rng": rng,
            "play_seconds": time.perf_counter() - wall,
            "cpu_seconds": time.process_time() - cpu,
            "net_seconds": expert.seconds - worked,
        }
        return ended, self.selfplay.state()


class Workers:
    """The workers of a run as the learner sees them; `next` gives one round after the other.

    Args:
        ray: the library, connected. run: an `AlphaZeroRun`, where it stands.
        count: W. staleness: S, at least W − 1, so that all can play at once.
        device: "cpu", "cuda" or "auto": whether each worker gets a share of a GPU of the cluster.
        expert_from: as for `Player`. say: told what happens to workers.
    """

    def __init__(
        self, ray, run, count: int, staleness: int, *, device: str = "cpu", expert_from=None, say: Callable = print
    ):
        self.ray, self.count, self.staleness, self.say = ray, count, staleness, say
        self.device, self.expert_from = device, expert_from
        self.config, self.net = run.config, copy.deepcopy(run.player).cpu()
        self.place = "" if self.config.game is None else place_of(type(self.config.rules.board()))
        self.places = places(ray.cluster_resources(), count, device)
        states = [run.unfinished or run.selfplay.state(), *(SelfPlay(run.config).state() for _ in range(count - 1))]
        self.after = {run.iteration + 1 - count + n: state for n, state in enumerate(states)}  # round → unfinished
        self.nets: dict[int, object] = {}  # iteration → reference to the player's weights after it
        self.asked: dict[int, list] = {}  # round → references to what ended in it, and to the games after it
        self.actors = [self.worker() for _ in range(count)]

    def worker(self):
        """A new worker, wherever there is room."""
        needs, device = self.places
        player = self.ray.remote(Player).options(scheduling_strategy="SPREAD", **needs)
        return player.remote(self.config, self.net, device, self.expert_from, self.place)

    def end(self, actors) -> None:
        for actor in actors:
            with suppress(Exception):  # it is gone already, or the cluster is
                self.ray.kill(actor)

    def next(self, run) -> Round:
        """The next round of the run, in order; all workers have work when it comes back."""
        number = run.iteration + 1
        self.nets[run.iteration] = self.ray.put(weights_bytes(run.player.state_dict()))
        for later in range(number, number + self.staleness + 1):
            if later not in self.asked:
                self.ask(later)
        ended, self.after[number] = self.wait(number)
        age = run.iteration - self.version(number)
        del self.asked[number], self.after[number - self.count]
        self.nets = {old: kept for old, kept in self.nets.items() if old >= number - self.staleness}
        run.unfinished = self.after[number + 1 - self.count]
        tally = Tally(*ended["counts"], games=unpack_games(ended["games"]))
        notes = {"workers": self.count, "staleness": age, "play_seconds": round(ended["play_seconds"], 3)}
        return Round(tally, ended["rng"], ended["cpu_seconds"], notes)

    def version(self, number: int) -> int:
        """The iteration whose net plays a round: of those still known, the first that is not too old."""
        return min(old for old in self.nets if old >= number - 1 - self.staleness)

    def ask(self, number: int) -> None:
        """Send a round to its worker, behind what it has to do already."""
        before = number - self.count
        games = self.after[before] if before in self.after else self.asked[before][1]
        play = self.actors[number % self.count].play.options(num_returns=2)
        self.asked[number] = play.remote(number, self.nets[self.version(number)], games)

    def wait(self, number: int) -> tuple[dict, dict[str, np.ndarray]]:
        """What ended in a round, and the games unfinished after it. A worker that is lost over it is replaced."""
        exceptions, lost = self.ray.exceptions, 0
        while True:
            try:
                return self.ray.get(self.asked[number], timeout=PATIENCE)
            except exceptions.GetTimeoutError:
                self.say(f"No games for {PATIENCE:g} s: the workers are playing, or wait for a place in the cluster.")
                if places(self.ray.cluster_resources(), self.count, self.device) != self.places:
                    self.replace(number, "its computer is gone")
            except exceptions.RayError as problem:
                cause, lost = getattr(problem, "cause", None), lost + 1
                if isinstance(problem, exceptions.RayTaskError) and not isinstance(cause, exceptions.RayError):
                    raise (cause or problem) from None  # a fault of the program: another worker would find it too
                if lost == LIVES:
                    why = str(problem).strip().splitlines()[-1]
                    text = f"Round {number} cost {LIVES} workers. Is there enough memory? ({why})"
                    raise ClusterError(text) from None
                gone = "node has died" in str(problem)
                self.replace(number, "its computer is gone" if gone else "its process has ended")

    def replace(self, number: int, why: str) -> None:
        """A new worker for the one that was lost over a round, asked for all that the other owed.

        Where the cluster has more or fewer cores or GPUs than before, new workers for all: they ask for what is there.
        """
        before, self.places = self.places, places(self.ray.cluster_resources(), self.count, self.device)
        lost = [number % self.count] if self.places == before else range(self.count)
        self.end(self.actors[place] for place in lost)
        for place in lost:
            self.actors[place] = self.worker()
        owed = [later for later in sorted(self.asked) if later % self.count in lost]
        for later in owed:
            del self.asked[later]
        for later in owed:
            self.ask(later)
        self.say(
            f"Worker {number % self.count + 1} of {self.count} is lost: {why}. To be played again, from the same "
            f"positions: round {', '.join(map(str, owed))}; none of its games had been counted."
        )


def places(there: dict[str, float], count: int, device: str) -> tuple[dict[str, float], str]:
    """What each worker asks of a cluster that has so much, and its device. Too few cores or GPUs are shared."""
    gpus = there.get("GPU", 0) if device != "cpu" else 0
    if device == "cuda" and not gpus:
        raise ValueError("device 'cuda' was asked for, but the cluster has no GPU; take 'cpu' or 'auto'.")
    needs = {"num_cpus": 1 if there.get("CPU", 0) >= count else 0}
    if gpus:
        sharers = math.ceil(count / gpus)  # of one GPU: a share can't lie on two
        needs["num_gpus"] = 10_000 // sharers / 10_000  # Ray counts in ten thousandths
    return needs, "cuda" if gpus else "cpu"


@contextmanager
def workers_of(
    run, count: int, *, cluster: str | None = None, staleness: int | None = None, **options
) -> Iterator[Workers]:
    """Workers for a run, on this computer or on a cluster, for the time of the block.

    Args:
        count, options: as for `Workers`. cluster: an address, see `base.cluster.using_ray`.
        staleness: default: 2 · count − 1.
    """
    staleness = 2 * count - 1 if staleness is None else staleness
    if staleness < count - 1:
        raise ValueError(f"{count} workers play at once if staleness is at least {count - 1}, got {staleness}.")
    with using_ray(count, cluster) as ray:
        team = Workers(ray, run, count, staleness, **options)
        try:
            yield team
        except ConnectionError as problem:
            raise ClusterError(f"The connection to the cluster is lost: {problem}") from None
        finally:
            team.end(team.actors)

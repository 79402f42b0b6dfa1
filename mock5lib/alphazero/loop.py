"""AlphaZero: a net that learns from nothing but its own searched games (Silver et al. 2017, 2018).

One iteration, see `iterate`:

    1. self-play        many games in lockstep; the search improves the net's policy, move by move
    2. replay buffer    the new positions, each with the search's policy π and the game's result z
    3. gradient steps   as many as `replay_ratio` asks for: each new position is trained on so often, on average
                        loss = −Σ π · log p + value_weight · (z − v)²
    4. sometimes        a match against fixed opponents, a checkpoint

Everything is in one `Config` (`config.py`), which is saved with the run. Each iteration draws its random numbers from
(seed, iteration) alone; with unfinished games, buffer, weights and optimizer in the checkpoint, a run that was killed
goes on to the same games.

On CUDA the player's net is captured (`nets/cuda.py`), two halves of the games take turns
(`search/forest_compiled.py`), and the gradient steps wait for the GPU once an iteration.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
import torch
from torch import nn

from mock5lib.alphazero.config import PRESETS, Config, opponent_named, preset  # noqa: F401 - as az.preset and so on
from mock5lib.alphazero.evaluation import evaluate, report, score_against, search_agent, share_spent  # noqa: F401
from mock5lib.alphazero.replay import ReplayBuffer, Sample, SelfPlayGame
from mock5lib.alphazero.run_folder import SelfPlayFolder
from mock5lib.alphazero.selfplay import Round, SelfPlay
from mock5lib.alphazero.workers import Workers, workers_of
from mock5lib.base import arguments
from mock5lib.base.runs import KEEP_EVERY
from mock5lib.learn.trainer import DivergedError, copy_weights, descend
from mock5lib.nets.checkpoints import net_to_go_on
from mock5lib.nets.cuda import CapturedExpert, Metered, Stopwatch
from mock5lib.nets.nets import convolutions, device_named, device_of, expert_of, half_type, heads, make_net
from mock5lib.search.agent import SearchAgent
from mock5lib.search.forest_compiled import Timeline


class AlphaZeroRun:
    """A run as it stands. It is made as it is before its first iteration.

    Args:
        capture: replay the player's net from recordings; default: on CUDA.

    Attributes:
        net: what the gradient steps change. player: what plays: the same, or the running mean of its weights, or the
            last weights that passed the gate.
        metrics: one dict per iteration, see `iterate`. debt: training positions still owed to `replay_ratio`.
        unfinished: the games with which the next round begins, where workers played the last; else `selfplay` has them.
        past: the player's weights at the evaluation before. ended: the games that ended in the last iteration.
        cpu_seconds, seconds: so far, evaluations not counted.
    """

    def __init__(self, config: Config, device: str | torch.device = "cpu", capture: bool | None = None):
        cuda = torch.device(device).type == "cuda"
        self.config, self.capture = config, cuda if capture is None else capture
        self.net = first_net(config).to(device)
        self.average = copy.deepcopy(self.net).eval().requires_grad_(False) if config.average else self.net
        gated = config.gate is not None
        self.player = copy.deepcopy(self.average).requires_grad_(False) if gated else self.average
        weights = self.net.parameters()
        self.optimizer = torch.optim.AdamW(weights, lr=config.lr, weight_decay=config.weight_decay)
        game, kept = config.rules.board(), (config.discount, config.search_share)
        self.buffer = ReplayBuffer(config.window, game.height, game.width, *kept, game=game)
        self.selfplay = SelfPlay(config, halves=2 if cuda else 1)
        self.unfinished: dict[str, np.ndarray] | None = None
        self.past: dict | None = None
        self.ended: list[SelfPlayGame] = []
        self.metrics: list[dict] = []
        self.debt, self.steps, self.cpu_seconds, self.seconds = 0.0, 0, 0.0, 0.0
        self._captured: CapturedExpert | None = None

    def __repr__(self) -> str:
        return f"<AlphaZeroRun: {self.iteration} iterations, {self.buffer.games} games, {self.steps} steps>"

    @property
    def iteration(self) -> int:
        """How many iterations are done."""
        return len(self.metrics)

    def agent(self, simulations: int | None = None) -> SearchAgent:
        """The player with its search, at full strength: no noise, no drawing of moves."""
        simulations = simulations or self.config.evaluation_simulations
        return search_agent(self.player, self.config, simulations, self.config.seed, self.expert())

    def expert(self) -> CapturedExpert | Metered:
        """The player as an expert, with the `seconds` that it has worked. A captured one is kept, and refreshed."""
        if not self.capture:
            return Metered(expert_of(self.player))
        if self._captured is None:
            self._captured = CapturedExpert(self.player)
        self._captured.refresh()
        return self._captured


def first_net(config: Config) -> nn.Module:
    """The net to begin with: fresh, or that of a checkpoint, which gets a fresh value head if it has none."""
    if config.start is None:
        sizes = dict(config.sizes)
        if config.net == "flat":
            game = config.rules.board()
            sizes |= {"height": game.height, "width": game.width, "moves": game.actions}
        return make_net(config.net, value=True, seed=config.seed, **sizes)
    net = net_to_go_on(config.start, config.rules.board())
    if not net.made["value"]:
        made = {**net.made, "value": True, "seed": config.seed}
        with_value = make_net(made.pop("net"), **made)
        with_value.load_state_dict(net.state_dict(), strict=False)
        return with_value
    return net


# One iteration --------------------------------------------------------------------------------------------------


def iterate(run: AlphaZeroRun, timeline: Timeline | None = None, workers: Workers | None = None) -> dict:
    """Play, learn, and add a row to the metrics.

    Args:
        timeline: notes when trees were walked ("trees"), the net answered ("net") and learned ("gradients").
        workers: who plays; default: this process.

    Returns:
        The row: iteration, games, positions, steps (all so far), new_games, new_positions, simulations, plies (mean
        length), first_wins, draws, second_wins, resigned, checked and wrong (resignations, see `selfplay.Tally`),
        policy_loss, value_loss, target_entropy (nats; None without a step), seconds and cpu_seconds so far; of this
        iteration selfplay_seconds and training_seconds, and of these net_seconds and gradient_seconds, in which the
        net (on CUDA: the GPU) answered and learned. With workers, selfplay_seconds is how long the learner waited, and
        instead of net_seconds there are workers, staleness (iterations since the net that played was the newest) and
        play_seconds (of the worker, for this round).

    Raises:
        DivergedError: the loss is no longer a number; net, average and optimizer are as before this iteration.
    """
    number = run.iteration + 1
    wall, cpu = time.perf_counter(), time.process_time()
    tally, rng, elsewhere, notes = play_round(run, timeline) if workers is None else workers.next(run)
    fresh = sum(len(game.policies) for game in tally.games)
    run.ended = tally.games
    for game in tally.games:
        run.buffer.add(game)
    played = time.perf_counter()
    learned = learn(run, fresh, rng, timeline)
    done = time.perf_counter()
    run.seconds += done - wall
    run.cpu_seconds += time.process_time() - cpu + elsewhere
    row = {
        "iteration": number,
        "games": run.buffer.games,
        "positions": run.buffer.added,
        "steps": run.steps,
        "new_positions": fresh,
        **tally.counts,
        **learned,
        "seconds": round(run.seconds, 3),
        "cpu_seconds": round(run.cpu_seconds, 3),
        "selfplay_seconds": round(played - wall, 3),
        "training_seconds": round(done - played, 3),
        **notes,
    }
    run.metrics.append(row)
    return row


def play_round(run: AlphaZeroRun, timeline: Timeline | None = None) -> Round:
    """The next round of self-play, in this process."""
    rng = np.random.default_rng([run.config.seed, run.iteration + 1])
    if run.unfinished is not None:
        run.selfplay.restore(run.unfinished)
        run.unfinished = None
    expert = run.expert()
    worked = expert.seconds
    tally = run.selfplay.play(expert, run.config.plies, rng, timeline)
    return Round(tally, rng, 0.0, {"net_seconds": round(expert.seconds - worked, 3)})


def learn(run: AlphaZeroRun, fresh: int, rng: np.random.Generator, timeline: Timeline | None = None) -> dict:
    """Take the steps that `fresh` new positions ask for; returns the mean losses, and gradient_seconds.

    A GPU is not asked for a loss before the last step, so that it never stands still while one travels.
    """
    config, watch = run.config, Stopwatch(device_of(run.net))
    run.debt += fresh * config.replay_ratio
    names = ("policy_loss", "value_loss", "target_entropy")
    steps = int(run.debt // config.batch_size)
    if len(run.buffer) < config.fill or not steps:
        return {**dict.fromkeys(names), "gradient_seconds": 0.0}
    run.debt -= steps * config.batch_size
    before = copy_weights(run.net), copy_weights(run.average), copy.deepcopy(run.optimizer.state_dict())

    def step(sample: Sample) -> torch.Tensor:
        with watch:
            losses = losses_of(run.net, sample)
            loss = losses[0] + config.value_weight * losses[1]
            descend(run.net, loss, run.optimizer, config.clip)
            run.steps += 1
            follow(run)
        return torch.stack([loss, *losses]).detach()

    step = step if timeline is None else timeline.watch("gradients", step)
    run.net.train()
    with convolutions(run.net, benchmark=True):
        found = [step(run.buffer.sample(config.batch_size, rng, config.augment)) for _ in range(steps)]
    run.net.eval()
    found = torch.stack(found).cpu().numpy()
    wrong = found[~np.isfinite(found[:, 0]), 0]
    if len(wrong):
        run.net.load_state_dict(before[0])
        run.average.load_state_dict(before[1])
        run.optimizer.load_state_dict(before[2])
        raise DivergedError(
            f"Iteration {run.iteration + 1}: the loss is {wrong[0]}. "
            f"The net holds the weights of iteration {run.iteration}."
        )
    means = found[:, 1:].astype(np.float64).mean(axis=0).tolist()
    return {**dict(zip(names, means)), "gradient_seconds": round(watch.wait(), 3)}


def losses_of(net: nn.Module, sample: Sample) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(mean −Σ π log p over full searches, mean (z − v)², mean entropy of π); the first is never below the last."""
    device = device_of(net)
    planes, policies, outcomes, full = sent(sample, device)
    half = device.type == "cuda" and not getattr(net, "wants_float32", False)
    half = half and half_type(device) == torch.bfloat16  # float16 would lose small gradients
    with torch.autocast("cuda", torch.bfloat16) if half else nullcontext():
        log_priors, values = heads(net, planes)
    log_priors, values, count = log_priors.float(), values.float(), full.sum().clamp(min=1)
    policy_loss = -((policies * log_priors).sum(dim=1) * full).sum() / count
    entropy = -(torch.special.xlogy(policies, policies).sum(dim=1) * full).sum() / count
    return policy_loss, ((outcomes - values) ** 2).mean(), entropy


def sent(sample: Sample, device: torch.device) -> list[torch.Tensor]:
    """Arrays as tensors on the device. To a GPU they go through pinned memory: nobody waits for their arrival."""
    parts = [torch.from_numpy(part) for part in sample]
    if device.type == "cuda":
        return [part.pin_memory().to(device, non_blocking=True) for part in parts]
    return [part.to(device) for part in parts]


@torch.no_grad()
def follow(run: AlphaZeroRun) -> None:
    """Move the running mean of the weights a little toward the newest; faster in the first steps."""
    if run.average is run.net:
        return
    decay = min(run.config.average, (1 + run.steps) / (10 + run.steps))
    for mean, newest in zip(run.average.state_dict().values(), run.net.state_dict().values()):
        if mean.is_floating_point():
            mean.lerp_(newest, 1 - decay)
        else:
            mean.copy_(newest)


# The loop -------------------------------------------------------------------------------------------------------


def alphazero(
    config: Config,
    *,
    iterations: int | None = None,
    cpu_seconds: float | None = None,
    minutes: float | None = None,
    folder=None,
    keep_every: int = KEEP_EVERY,
    archive_every: int = 0,
    device: str = "auto",
    workers: int | None = None,
    cluster: str | None = None,
    staleness: int | None = None,
    log: Callable | None = print,
) -> AlphaZeroRun:
    """Train, or go on training, until one of the budgets is spent.

    Args:
        iterations: in all, from the first. Two CPU runs with one seed, thread count and number play the same games.
        cpu_seconds, minutes: process time and wall time of playing and learning in all; evaluations don't count.
        folder: where to keep the run, see `run_folder.SelfPlayFolder`. A run that is there already goes on.
        keep_every: iterations between checkpoints. archive_every: iterations between checkpoints that stay; 0: none.
        device: "cpu", "cuda" or "auto".
        workers: processes that play while this one learns, see `workers.py`; default: this one does both. A run may go
            from one process to many and back. cluster: address of the Ray cluster for them; default: this computer.
        staleness: iterations that a net which plays may be old, at least workers − 1; default: 2 · workers − 1.
        log: gets one line of text per report; None for silence.

    Raises:
        ValueError: no budget, a folder that holds another run, a damaged checkpoint, or CUDA asked for and absent.
        BlockingIOError: another process writes to the folder.
        DivergedError: the loss is no longer a number. MemoryError: says which setting to lower.
        OSError: the folder can't be written; the last checkpoint is whole.
    """
    budget = {"iterations": iterations, "cpu_seconds": cpu_seconds, "minutes": minutes}
    budget = {name: limit for name, limit in budget.items() if limit is not None}
    if not budget:
        raise ValueError("Give a budget: iterations, cpu_seconds or minutes.")
    if workers is None and (cluster, staleness) != (None, None):
        raise ValueError("A cluster and a staleness are for workers: say how many.")
    arguments.at_least(0, **budget)
    say = log or (lambda text: None)
    wanted, device = device, device_named(device, say)
    kept = nullcontext() if folder is None else SelfPlayFolder(Path(folder), config)
    with memory_advice(config):
        run = AlphaZeroRun(config, device)
    with memory_advice(config), kept as store:
        if store is not None:
            store.go_on(run, say)
        done = share_spent(run, budget) >= 1
        team = {"cluster": cluster, "staleness": staleness, "device": wanted, "say": say}
        with nullcontext() if workers is None or done else workers_of(run, workers, **team) as players:
            while not done:
                row = iterate(run, workers=players)
                if config.evaluate_every and run.iteration % config.evaluate_every == 0:
                    evaluate(run)
                done = share_spent(run, budget) >= 1
                due = done or run.iteration % keep_every == 0 or "evaluations" in row
                if store is not None:
                    store.note(row, run, due, archive_every)
                if due:
                    say(report(run, budget))
    return run


@contextmanager
def memory_advice(config: Config):
    """Out of memory ends in a MemoryError that says which settings to lower."""
    try:
        yield
    except (MemoryError, torch.OutOfMemoryError) as problem:
        what = "GPU" if isinstance(problem, torch.OutOfMemoryError) else "main"
        lower = ("games", "leaves", "batch_size", "simulations", "window")
        found = ", ".join(f"{name} ({getattr(config, name)})" for name in lower)
        raise MemoryError(f"Out of {what} memory. Lower {found}.") from problem

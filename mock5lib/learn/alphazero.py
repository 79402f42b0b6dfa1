"""AlphaZero: a net that learns from nothing but its own searched games (Silver et al. 2017, 2018).

One iteration, see `iterate`:

    1. self-play        many games in lockstep; the search improves the net's policy, move by move
    2. replay buffer    the new positions, each with the search's policy π and the game's result z
    3. gradient steps   as many as `reuse` asks for: each new position is trained on so often, on average
                        loss = −Σ π · log p + value_weight · (z − v)²
    4. sometimes        a match against fixed opponents, a checkpoint

Everything is in one `Config`, which is saved with the run. Each iteration draws its lots from (seed, iteration) alone;
with unfinished games, buffer, weights and optimizer in the checkpoint, a run that was killed goes on to the same games.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np
import torch
from torch import nn

from mock5lib.agents import fast
from mock5lib.agents.heuristics import by_name as heuristic_by_name
from mock5lib.arena.match import match
from mock5lib.game.board import Mock5
from mock5lib.learn.checkpoints import load_checkpoint
from mock5lib.learn.nets import NAMES, device_of, expert_of, heads, make_net
from mock5lib.learn.replay import PlayedGame, ReplayBuffer, Sample
from mock5lib.learn.selfplay import Search, SelfPlay, Tally
from mock5lib.learn.supervised import DivergedError, copy_weights, descend
from mock5lib.search.agent import SearchAgent
from mock5lib.search.forest_arrays import Options
from mock5lib.search.uct_fast import FastUCT


@dataclass(frozen=True)
class Config:
    """Everything that makes a run what it is.

    Attributes:
        height, width, k, exact: the game.
        net, sizes: of `make_net`; the net has two heads. start: a checkpoint to begin with instead (warm start); its
            net counts then, and gets a fresh value head if it has none.
        games: in lockstep. plies: moves in each of them per iteration.
        simulations: of a full search. full_share, cheap_simulations: see `selfplay.Search`.
        c, fpu, leaves, noise, noise_total, considered, forced_moves: of the search, see `Options`.
        keep_trees: search on in the tree of the move before.
        warm_moves, temperature, late_temperature, opening_plies, resign, play_on: see `selfplay.Search`.
        discount: of the result, per move that followed. search_share: of the search's value in the value target.
        window: positions in the replay buffer. fill: positions that must be there before training begins.
        reuse: how often each new position is trained on, on average. A run that starves the gradient learns nothing.
        batch_size, lr, weight_decay, value_weight, clip: of the gradient steps (Adam).
        augment: turn each drawn position into a symmetry of the board, by lot.
        average: decay per step of the running mean of weights, which plays; 0 plays the newest weights.
        gate: None, or the score that new weights must exceed against the playing ones to take over.
        evaluate_every: iterations between evaluations, 0 for none. evaluation_games: even, against each of `opponents`:
            "mcts:N" (pure MCTS with N playouts), a heuristic's name, or "past" (itself at the evaluation before).
        evaluation_simulations: a move. evaluation_openings: random moves at the start of each pair of games.
        seed: of everything.

    Raises:
        ValueError: a value out of its range; names it.
    """

    height: int = 6
    width: int = 6
    k: int = 4
    exact: bool = False
    net: str = "patterns"
    sizes: dict = field(default_factory=lambda: {"reach": 3})
    start: str | None = None
    games: int = 64
    plies: int = 8
    simulations: int = 100
    cheap_simulations: int = 20
    full_share: float = 1.0
    c: float = 1.4
    fpu: float | None = 0.2
    leaves: int = 1
    noise: float = 0.25
    noise_total: float = 10.8
    considered: int = 0
    forced_moves: bool = True
    keep_trees: bool = True
    warm_moves: int = 10
    temperature: float = 1.0
    late_temperature: float = 0.1
    opening_plies: int = 0
    resign: float | None = None
    play_on: float = 0.1
    discount: float = 1.0
    search_share: float = 0.0
    window: int = 20_000
    fill: int = 1_000
    reuse: float = 8.0
    batch_size: int = 128
    lr: float = 2e-3
    weight_decay: float = 1e-4
    value_weight: float = 1.0
    clip: float = 1.0
    augment: bool = True
    average: float = 0.99
    gate: float | None = None
    evaluate_every: int = 0
    evaluation_games: int = 20
    evaluation_simulations: int = 100
    evaluation_openings: int = 0
    opponents: tuple[str, ...] = ("mcts:1000",)
    seed: int = 0

    def __post_init__(self):
        object.__setattr__(self, "opponents", tuple(self.opponents))
        Mock5(self.height, self.width, self.k)  # for its checks
        lowest = {"games": 1, "plies": 1, "simulations": 2, "cheap_simulations": 2, "warm_moves": 0, "temperature": 0,
                  "late_temperature": 0, "opening_plies": 0, "window": 1, "fill": 1, "reuse": 0, "batch_size": 1,
                  "weight_decay": 0, "value_weight": 0, "clip": 0, "evaluate_every": 0, "evaluation_games": 2,
                  "evaluation_simulations": 1, "evaluation_openings": 0, "seed": 0}  # fmt: skip
        for name, low in lowest.items():
            if not low <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} is at least {low}, got {getattr(self, name)!r}.")
        shares = {"full_share": self.full_share, "play_on": self.play_on, "search_share": self.search_share,
                  "resign": self.resign, "gate": self.gate}  # fmt: skip
        for name, share in shares.items():
            if share is not None and not 0 <= share <= 1:
                raise ValueError(f"{name} is from 0 to 1, got {share!r}.")
        if not 0 <= self.average < 1:
            raise ValueError(f"average is from 0 to below 1, got {self.average!r}.")
        if not 0 < self.discount <= 1:
            raise ValueError(f"discount is above 0 and at most 1, got {self.discount!r}.")
        if not 0 < self.lr < math.inf:
            raise ValueError(f"lr is a number above 0, got {self.lr!r}.")
        if self.fill > self.window:
            raise ValueError(f"fill is at most the window, {self.window}, got {self.fill!r}: training never began.")
        if self.evaluation_games % 2:
            raise ValueError(f"evaluation_games is even, for both colours, got {self.evaluation_games!r}.")
        if self.net not in NAMES:
            raise ValueError(f"net is one of {', '.join(NAMES)}, got {self.net!r}.")
        Options(**self.options)
        for name in self.opponents:
            opponent_named(name, self.k, 0)

    @property
    def options(self) -> dict:
        """Of the forest, in self-play."""
        names = ("c", "fpu", "leaves", "noise", "noise_total", "considered", "forced_moves")
        return {name: getattr(self, name) for name in names}

    @property
    def search(self) -> Search:
        """How self-play searches."""
        names = [name for name in Search._fields if name != "options"]
        return Search(**{name: getattr(self, name) for name in names}, options=self.options)

    @property
    def rules(self) -> dict:
        """The game, as arguments of `Mock5`."""
        return {"height": self.height, "width": self.width, "k": self.k, "exact": self.exact}


PRESETS: dict[str, dict] = {
    "tiny": dict(games=128, simulations=32, considered=8, evaluate_every=10, opponents=("mcts:1000",)),
    "laptop": dict(
        height=9, width=9, k=5, sizes={}, games=128, plies=8, simulations=32, cheap_simulations=24, considered=8,
        warm_moves=12, opening_plies=6, window=100_000, fill=4_000, reuse=6, batch_size=256, average=0.995,
        evaluation_simulations=64, evaluation_openings=4, evaluation_games=100, evaluate_every=100,
        opponents=("mixed",),
    ),
    "gpu": dict(
        height=15, width=15, k=5, sizes={"width": 32, "head": 64}, games=1024, plies=16, simulations=64,
        considered=16, opening_plies=6, window=400_000, fill=50_000, reuse=6, batch_size=2048, lr=1e-3,
        average=0.999, resign=0.95, evaluation_simulations=200, evaluation_openings=4, evaluation_games=100,
        evaluate_every=20, opponents=("mixed", "past"),
    ),
}  # fmt: skip


def preset(name: str, **changes) -> Config:
    """A preset with some fields changed.

    Raises:
        ValueError: no such preset or field, or a value out of its range.
    """
    if name not in PRESETS:
        raise ValueError(f"A preset is one of {', '.join(PRESETS)}, got {name!r}.")
    unknown = sorted(set(changes) - {known.name for known in fields(Config)})
    if unknown:
        raise ValueError(f"A config has no field {', '.join(unknown)}.")
    return Config(**{**PRESETS[name], **changes})


@dataclass
class Run:
    """A run as it stands.

    Attributes:
        net: what the gradient steps change. player: what plays: the same, or the running mean of its weights, or the
            last weights that passed the gate.
        metrics: one dict per iteration, see `iterate`. debt: training positions still owed to `reuse`.
        past: the player's weights at the evaluation before. ended: the games that ended in the last iteration.
        cpu_seconds, seconds: so far, evaluations not counted.
    """

    config: Config
    net: nn.Module
    player: nn.Module
    average: nn.Module
    optimizer: torch.optim.Optimizer
    buffer: ReplayBuffer
    selfplay: SelfPlay
    past: dict | None = None
    ended: list[PlayedGame] = field(default_factory=list)
    metrics: list[dict] = field(default_factory=list)
    debt: float = 0.0
    steps: int = 0
    cpu_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def iteration(self) -> int:
        """How many iterations are done."""
        return len(self.metrics)

    @property
    def evaluations(self) -> list[dict]:
        """Dicts with iteration, cpu_seconds, opponent, wins, draws, losses, score, low, high, as_first, as_second."""
        return [
            {"iteration": row["iteration"], "cpu_seconds": row["cpu_seconds"], **found}
            for row in self.metrics for found in row.get("evaluations", [])
        ]  # fmt: skip

    def agent(self, simulations: int | None = None, **options) -> SearchAgent:
        """The player with its search, at full strength: no noise, no drawing of moves."""
        return search_agent(self.player, self.config, simulations, **options)


def new_run(config: Config, device: str | torch.device = "cpu") -> Run:
    """A run before its first iteration."""
    net = first_net(config).to(device)
    average = copy.deepcopy(net).eval().requires_grad_(False) if config.average else net
    player = copy.deepcopy(average).requires_grad_(False) if config.gate is not None else average
    optimizer = torch.optim.AdamW(net.parameters(), lr=config.lr, weight_decay=config.weight_decay)
    buffer = ReplayBuffer(config.window, config.height, config.width, config.discount, config.search_share)
    halves = 2 if torch.device(device).type == "cuda" else 1
    games = SelfPlay(config.games, **config.rules, search=config.search, halves=halves)
    return Run(config, net, player, average, optimizer, buffer, games)


def first_net(config: Config) -> nn.Module:
    """The net to begin with: fresh, or that of a checkpoint, which gets a fresh value head if it has none."""
    if config.start is None:
        return make_net(config.net, value=True, seed=config.seed, **config.sizes)
    net = load_checkpoint(config.start).net
    if not net.made["value"]:
        made = {**net.made, "value": True, "seed": config.seed}
        with_value = make_net(made.pop("net"), **made)
        with_value.load_state_dict(net.state_dict(), strict=False)
        return with_value
    return net


# One iteration --------------------------------------------------------------------------------------------------


def iterate(run: Run) -> dict:
    """Play, learn, and add a row to the metrics.

    Returns:
        The row: iteration, games, positions, steps (all so far), new_games, new_positions, simulations, plies (mean
        length), first_wins, draws, second_wins, resigned, checked and wrong (resignations, see `selfplay.Tally`),
        policy_loss, value_loss, target_entropy (nats; None without a step), seconds and cpu_seconds so far,
        selfplay_seconds and training_seconds of this iteration.

    Raises:
        DivergedError: the loss is no longer a number; the net holds the weights from before this iteration.
    """
    config, number = run.config, run.iteration + 1
    rng = np.random.default_rng([config.seed, number])
    wall, cpu = time.perf_counter(), time.process_time()
    tally = run.selfplay.play(expert_of(run.player), config.plies, rng)
    fresh = sum(len(game.policies) for game in tally.games)
    run.ended = tally.games
    for game in tally.games:
        run.buffer.add(game)
    played = time.perf_counter()
    losses = learn(run, fresh, rng)
    done = time.perf_counter()
    run.seconds += done - wall
    run.cpu_seconds += time.process_time() - cpu
    row = {
        "iteration": number, "games": run.buffer.games, "positions": run.buffer.added, "steps": run.steps,
        "new_positions": fresh, **counts_of(tally), **losses, "seconds": round(run.seconds, 3),
        "cpu_seconds": round(run.cpu_seconds, 3), "selfplay_seconds": round(played - wall, 3),
        "training_seconds": round(done - played, 3),
    }  # fmt: skip
    run.metrics.append(row)
    return row


def counts_of(tally: Tally) -> dict:
    """What a round of self-play adds to the metrics."""
    winners = [game.winner for game in tally.games]
    lengths = [len(game.moves) for game in tally.games]
    return {
        "new_games": len(winners), "simulations": tally.simulations,
        "plies": float(np.mean(lengths)) if lengths else None, "first_wins": winners.count(1),
        "draws": winners.count(0), "second_wins": winners.count(2),
        "resigned": sum(game.resigned for game in tally.games), "checked": tally.checked, "wrong": tally.wrong,
    }  # fmt: skip


def learn(run: Run, fresh: int, rng: np.random.Generator) -> dict:
    """Take the steps that `fresh` new positions ask for; returns the mean losses."""
    config = run.config
    run.debt += fresh * config.reuse
    if len(run.buffer) < config.fill:
        return {"policy_loss": None, "value_loss": None, "target_entropy": None}
    steps = int(run.debt // config.batch_size)
    run.debt -= steps * config.batch_size
    before, sums = copy_weights(run.net), []
    run.net.train()
    for _ in range(steps):
        policy_loss, value_loss, entropy = losses_of(run.net, run.buffer.sample(config.batch_size, rng, config.augment))
        loss = policy_loss + config.value_weight * value_loss
        if not torch.isfinite(loss):
            run.net.load_state_dict(before)
            raise DivergedError(f"Iteration {run.iteration + 1}: the loss is {loss.item()}. "
                                f"The net holds the weights of iteration {run.iteration}.")  # fmt: skip
        descend(run.net, loss, run.optimizer, config.clip)
        run.steps += 1
        follow(run)
        sums.append((policy_loss.item(), value_loss.item(), entropy.item()))
    run.net.eval()
    means = np.mean(sums, axis=0).tolist() if sums else [None] * 3
    return dict(zip(("policy_loss", "value_loss", "target_entropy"), means))


def losses_of(net: nn.Module, sample: Sample) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(mean −Σ π log p over full searches, mean (z − v)², mean entropy of π); the first is never below the last."""
    device = device_of(net)
    planes, policies, outcomes, full = (torch.from_numpy(part).to(device, non_blocking=True) for part in sample)
    half = device.type == "cuda" and not getattr(net, "wants_float32", False)
    with torch.autocast(device.type, torch.bfloat16, enabled=half):
        log_priors, values = heads(net, planes)
    log_priors, values, count = log_priors.float(), values.float(), full.sum().clamp(min=1)
    policy_loss = -((policies * log_priors).sum(dim=1) * full).sum() / count
    entropy = -(torch.special.xlogy(policies, policies).sum(dim=1) * full).sum() / count
    return policy_loss, ((outcomes - values) ** 2).mean(), entropy


@torch.no_grad()
def follow(run: Run) -> None:
    """Move the running mean of the weights a little towards the newest; faster in the first steps."""
    if run.average is run.net:
        return
    decay = min(run.config.average, (1 + run.steps) / (10 + run.steps))
    for mean, newest in zip(run.average.state_dict().values(), run.net.state_dict().values()):
        if mean.is_floating_point():
            mean.lerp_(newest, 1 - decay)
        else:
            mean.copy_(newest)


# Measuring ------------------------------------------------------------------------------------------------------


def search_agent(net: nn.Module, config: Config, simulations: int | None = None, **options) -> SearchAgent:
    """A net with the search of a config, to play as well as it can: no noise, the most visited move."""
    chosen = {"c": config.c, "fpu": config.fpu, "forced_moves": config.forced_moves, "seed": config.seed, **options}
    simulations = simulations or config.evaluation_simulations
    return SearchAgent(expert_of(net), simulations, name=f"alphazero@{simulations}", **chosen)


def opponent_named(name: str, k: int, seed: int):
    """A fixed opponent: "mcts:N", "random" or another heuristic; None for "past".

    Raises:
        ValueError: there is no such opponent, or it does not play this k.
    """
    kind, _, number = name.partition(":")
    if kind == "mcts" and number.isdigit() and int(number) > 0:
        return FastUCT(int(number), seed=seed, keep_tree=False)
    if name in fast.KINDS:
        if k != 5 and name != "random":
            raise ValueError(f"Of the opponents, {name!r} is defined for five in a row only, this game has k = {k}.")
        return heuristic_by_name(name, seed)
    if name == "past":
        return None
    raise ValueError(f"opponents are 'mcts:N', {', '.join(map(repr, fast.KINDS))} or 'past', got {name!r}.")


def evaluate(run: Run) -> list[dict]:
    """Matches of the player against the config's opponents; see `Run.evaluations`. Opens a gate if there is one."""
    config = run.config
    if config.gate is not None:
        pass_gate(run)
    rows = [play_opponent(run, name) for name in config.opponents if name != "past" or run.past is not None]
    run.past = copy_weights(run.player)
    run.metrics[-1]["evaluations"] = rows
    return rows


def play_opponent(run: Run, name: str) -> dict:
    """One match of the player."""
    config, openings = run.config, run.config.evaluation_openings
    opponent = opponent_named(name, config.k, config.seed)
    if name == "past":
        other = copy.deepcopy(run.player)
        other.load_state_dict(run.past)
        opponent, openings = search_agent(other, config), max(openings, 2)
    return {"opponent": name, **score_against(run.agent(), opponent, config, config.evaluation_games, openings)}


def score_against(agent, opponent, config: Config, games: int, openings: int = 0) -> dict:
    """A match from the config's board: wins, draws, losses, score, low, high (95 %), and the same by colour.

    Returns:
        as_first and as_second are [wins, draws, losses].
    """
    game = Mock5(config.height, config.width, config.k, exact=config.exact)
    result = match(agent, opponent, games, game=game, openings=openings, seed=config.seed)
    low, high = result.interval
    colours = (result.points[::2], result.points[1::2])
    sides = [[int((points == point).sum()) for point in (1, 0.5, 0)] for points in colours]
    return {"games": games, "wins": result.wins, "draws": result.draws, "losses": result.losses, "score": result.score,
            "low": low, "high": high, "as_first": sides[0], "as_second": sides[1]}  # fmt: skip


def pass_gate(run: Run) -> bool:
    """Let the newest (averaged) weights play if they score more than `gate` against the playing ones."""
    config = run.config
    newest, playing = search_agent(run.average, config), search_agent(run.player, config)
    found = score_against(newest, playing, config, config.evaluation_games, max(config.evaluation_openings, 2))
    passed = found["score"] > config.gate
    if passed:
        run.player.load_state_dict(copy_weights(run.average))
    run.metrics[-1]["gate"] = {"score": found["score"], "passed": passed}
    return passed


# The loop -------------------------------------------------------------------------------------------------------


def alphazero(config: Config, *, iterations: int | None = None, cpu_seconds: float | None = None,
              minutes: float | None = None, folder=None, keep_every: int = 10, archive_every: int = 0,
              device: str = "auto", log: Callable | None = print) -> Run:  # fmt: skip
    """Train, or go on training, until one of the budgets is spent.

    Args:
        iterations: in all, from the first. Two CPU runs with one seed, thread count and number play the same games.
        cpu_seconds, minutes: process time and wall time of playing and learning in all; evaluations don't count.
        folder: where to keep the run, see `run_folder.RunFolder`. A run that is there already goes on.
        keep_every: iterations between checkpoints. archive_every: iterations between checkpoints that stay; 0: none.
        device: "cpu", "cuda" or "auto". log: gets one line of text per report; None for silence.

    Raises:
        ValueError: no budget, a folder that holds another run, or CUDA asked for and absent.
        DivergedError: the loss is no longer a number. MemoryError: says which setting to lower.
        OSError: the folder can't be written; the last checkpoint is whole.
    """
    from mock5lib.learn.run_folder import RunFolder, device_named, memory_advice, report

    if iterations is None and cpu_seconds is None and minutes is None:
        raise ValueError("Give a budget: iterations, cpu_seconds or minutes.")
    say = log or (lambda text: None)
    device = device_named(device, say)
    with memory_advice(config, device):
        run = new_run(config, device)
        store = None if folder is None else RunFolder(Path(folder), config)
        if store is not None:
            store.resume(run, say)
        while not spent(run, iterations, cpu_seconds, minutes):
            row = iterate(run)
            if config.evaluate_every and run.iteration % config.evaluate_every == 0:
                evaluate(run)
            last = spent(run, iterations, cpu_seconds, minutes)
            due = last or run.iteration % keep_every == 0 or "evaluations" in row
            if store is not None:
                store.append(row, run, keep=due, archive_every=archive_every)
            if due:
                say(report(run, iterations, cpu_seconds, minutes))
    return run


def spent(run: Run, iterations, cpu_seconds, minutes) -> bool:
    """Whether one of the budgets is used up."""
    used = ((run.iteration, iterations), (run.cpu_seconds, cpu_seconds), (run.seconds / 60, minutes))
    return any(limit is not None and value >= limit for value, limit in used)

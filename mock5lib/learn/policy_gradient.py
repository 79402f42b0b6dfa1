"""REINFORCE: a net improves its policy by playing, from nothing but who won (Williams 1992).

    gradient = mean over own moves of (G − b) · ∇ log π(a | s)

G is the game's result for the net, 1, 0 or −1, times discount^(own moves that followed); b is a baseline that does
not depend on the move (Sutton & Barto 2018, section 13.4). One iteration plays a batch of games (`rollouts.py`) and
takes one step. Each iteration draws its lots from (seed, iteration) alone, so a run that was killed goes on from its
last checkpoint to the same curve.
"""

from __future__ import annotations

import copy
import math
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from mock5lib.arena.matches import score_interval
from mock5lib.base.contract import agent_name
from mock5lib.base.progress import progress_bar
from mock5lib.base.runs import START, RunFolder
from mock5lib.game.board import Rules
from mock5lib.game.encoders import Encoder, three_planes
from mock5lib.game.position_compiled import chosen
from mock5lib.gomoku.heuristics import by_name as heuristic_by_name
from mock5lib.learn.rollouts import Episodes, play_episodes
from mock5lib.learn.settings import ReinforceSettings
from mock5lib.learn.trainer import Trainer, follow_gradient
from mock5lib.nets.checkpoints import load_checkpoint
from mock5lib.nets.nets import convolutions, device_of, has_value, heads

MEAN_DECAY = 0.95  # of the running mean of returns, per iteration
CHUNK = 128  # positions that go through the net at once while the gradient is summed up; more is slower on a CPU


@dataclass
class ReinforceRun:
    """A run: the net as it stands and the curve so far.

    Attributes:
        metrics: one dict per iteration; see `reinforce`.
        mean_return: the running mean that baseline "mean" subtracts.
    """

    net: nn.Module
    settings: ReinforceSettings
    metrics: list[dict] = field(default_factory=list)
    mean_return: float = 0.0

    @property
    def evaluations(self) -> list[dict]:
        """The evaluations: dicts with iteration, score, low, high, wins, draws, losses."""
        return [{"iteration": row["iteration"], **row["evaluation"]} for row in self.metrics if "evaluation" in row]


# The loop -------------------------------------------------------------------------------------------------------


def reinforce(
    net: nn.Module,
    opponents,
    settings: ReinforceSettings | None = None,
    *,
    rules: Rules | None = None,
    encoder: Encoder = three_planes,
    folder=None,
    keep_every: int = 50,
    progress: bool = True,
    notes: dict | None = None,
) -> ReinforceRun:
    """Improve a net's policy by playing against opponents. Changes it in place.

    Args:
        net: gives log-priors, and values for baseline "value". It plays in evaluation mode throughout.
        opponents: one agent or a list; heuristics also by name. Heuristics draw their lots from the settings' seed.
        rules: the game; default 9 × 9, five in a row.
        folder: where to keep metrics and checkpoints. If a run with the same settings is there, it goes on from its
            last checkpoint, and `net` is filled with the weights from there.
        keep_every: iterations between checkpoints.
        notes: entries for the checkpoints' cards.

    Returns:
        The run. Its metrics have, per iteration: wins, draws, losses and score of the net (which draws its moves),
        pair_sd (standard deviation over pairs of games), plies (mean length), mean_return, entropy (nats), kl,
        policy_loss, value_loss, gradient_norm, and on some an evaluation.

    Raises:
        ValueError: a folder that holds another run, or a damaged checkpoint.
        DivergedError: loss or gradient became NaN or infinite; the net holds the last good weights.
    """
    settings, rules = settings or ReinforceSettings(), rules or Rules()
    opponents = as_agents(opponents)
    if settings.baseline == "value" and not has_value(net, rules.height, rules.width, encoder):
        raise ValueError("baseline 'value' needs a net with a value head: make_net(…, value=True).")
    net.eval()
    start = copy.deepcopy(net).requires_grad_(False) if settings.kl else None
    trainer = Trainer(net, torch.optim.Adam(net.parameters(), lr=settings.lr), settings.clip)
    run = ReinforceRun(net, settings)
    about = {
        **asdict(settings),
        "rules": list(rules),
        "encoder": encoder.name,
        "opponents": [agent_name(opponent) for opponent in opponents],
    }
    card = {**rules._asdict(), "encoder": encoder, "training": {"reinforce": about}, **(notes or {})}
    kept = nullcontext() if folder is None else RunFolder(folder, about, length=("iterations",))
    with kept as store, progress_bar(settings.iterations, progress, "iteration") as shown:
        if store is not None:
            run.metrics, state = trainer.resume(store, **card)
            run.mean_return = state.get("mean_return", 0.0)
            if start is not None:
                load_checkpoint(store.folder / START, start)
            if progress and store.news:
                shown.write(store.news)
        shown.update(len(run.metrics))
        for iteration in range(len(run.metrics) + 1, settings.iterations + 1):
            row = one_iteration(run, trainer, opponents, rules, encoder, start, iteration)
            if settings.evaluate_every and iteration % settings.evaluate_every == 0:
                row["evaluation"] = evaluate_policy(
                    net, opponents, settings.evaluation_games, rules, settings.opening_plies, settings.seed, encoder
                )
            run.metrics.append(row)
            if store is not None:
                store.append(row)
                if iteration % keep_every == 0 or iteration == settings.iterations:
                    state = {"iteration": iteration, "mean_return": run.mean_return}
                    score = run.evaluations[-1] if run.evaluations else None
                    trainer.keep(store, run.metrics, state, **card, score=score)
            shown.set_postfix_str(f"score {np.mean([row['score'] for row in run.metrics[-20:]]):.3f}", refresh=False)
            shown.update()
    return run


def one_iteration(
    run: ReinforceRun, trainer: Trainer, opponents, rules: Rules, encoder: Encoder, start, iteration: int
) -> dict:
    """Play a batch of games and take one step; returns the row of metrics."""
    settings = run.settings
    rng = np.random.default_rng([settings.seed, iteration])
    for opponent in opponents:  # so that a resumed run meets the same opponents
        if isinstance(getattr(opponent, "rng", None), np.random.Generator):
            opponent.rng = np.random.default_rng([settings.seed, iteration, 1])
    episodes = play_episodes(run.net, opponents, settings.games, rules, settings.opening_plies, rng, encoder=encoder)
    returns = returns_of(episodes, settings.discount)
    advantages = (returns - baseline_of(episodes, settings.baseline, run.mean_return)).astype(np.float32)
    trainer.steps = iteration - 1
    trainer.note_weights()
    losses = sum_gradients(run.net, trainer.optimizer, episodes, returns, advantages, settings, encoder, start)
    norm = float(follow_gradient(run.net, trainer.optimizer, trainer.clip))
    weights = sum(float(part.detach().abs().sum()) for part in run.net.parameters())
    numbers = {**losses, "gradient_norm": norm, "the sum of all weights": weights}
    trainer.check(f"Iteration {iteration} of {settings.iterations}", numbers)
    run.mean_return = float(MEAN_DECAY * run.mean_return + (1 - MEAN_DECAY) * returns.mean())
    return {
        "iteration": iteration,
        **tally(episodes),
        "mean_return": float(returns.mean()),
        **losses,
        "gradient_norm": norm,
    }


def returns_of(episodes: Episodes, discount: float) -> np.ndarray:
    """G for each of the net's moves, (N,) float64: the game's result times discount^(own moves that followed)."""
    return episodes.results[episodes.games] * discount ** episodes.moves_left.astype(np.float64)


def baseline_of(episodes: Episodes, kind: str, mean_return: float):
    """What to subtract from the returns: it may depend on the position, never on the move or on this batch."""
    return {"none": 0.0, "mean": mean_return, "value": episodes.values}[kind]


def sum_gradients(net, optimizer, episodes: Episodes, returns, advantages, settings, encoder: Encoder, start) -> dict:
    """Leave the gradient of the whole batch's loss in the net's weights; returns the parts of the loss."""
    optimizer.zero_grad(set_to_none=True)
    device, total = device_of(net), len(episodes.moves)
    sums = {"entropy": 0.0, "kl": 0.0, "policy_loss": 0.0, "value_loss": 0.0}
    for first in range(0, total, CHUNK):
        part = slice(first, first + CHUNK)
        planes = torch.from_numpy(encoder.encode(chosen(episodes.positions, part))).to(device)
        moves, advantage, target = (
            torch.from_numpy(np.ascontiguousarray(array[part])).to(device)
            for array in (episodes.moves, advantages, returns.astype(np.float32))
        )
        parts = loss_parts(net, planes, moves, advantage, target, start)
        loss = parts["policy_loss"] - settings.entropy * parts["entropy"] + settings.kl * parts["kl"]
        if settings.baseline == "value":
            loss = loss + settings.value_weight * parts["value_loss"]
        with convolutions(net):
            (loss / total).backward()
        for name in sums:
            sums[name] += parts[name].item() / total
    return sums


def loss_parts(net, planes, moves, advantages, targets, start=None) -> dict[str, torch.Tensor]:
    """Sums over a batch: −(G − b) log π(a | s), entropy of π, KL(π ‖ start), and (G − v)²; 0 for what there is not."""
    log_priors, values = heads(net, planes)
    chances, zero = log_priors.exp(), torch.zeros((), device=planes.device)
    kl = zero
    if start is not None:
        with torch.no_grad():
            before, _ = heads(start, planes)
        kl = (chances * (log_priors - before)).sum()
    played = log_priors.gather(1, moves[:, None])[:, 0]
    return {
        "policy_loss": -(advantages * played).sum(),
        "entropy": -(chances * log_priors).sum(),
        "kl": kl,
        "value_loss": zero if values is None else ((targets - values) ** 2).sum(),
    }


def tally(episodes: Episodes) -> dict:
    """Wins, draws, losses, score, its standard deviation over pairs, and the mean length in plies."""
    results, pairs = episodes.results, episodes.pair_scores
    return {
        "wins": int((results > 0).sum()),
        "draws": int((results == 0).sum()),
        "losses": int((results < 0).sum()),
        "score": float(pairs.mean()),
        "pair_sd": float(pairs.std()),
        "plies": float(episodes.lengths.mean()),
    }


def evaluate_policy(
    net,
    opponents,
    games: int = 400,
    rules: Rules | None = None,
    opening_plies: int = 4,
    seed: int = 0,
    encoder: Encoder = three_planes,
    temperature: float = 0.0,
) -> dict:
    """The net's score against opponents, from paired random openings: wins, draws, losses, score, low, high (95%).

    Each call with the same seed uses the same openings, which differ from those of training.
    """
    net.eval()
    rng = np.random.default_rng([seed, 0])
    episodes = play_episodes(
        net, as_agents(opponents), games, rules or Rules(), opening_plies, rng, temperature=temperature, encoder=encoder
    )
    low, high = score_interval(episodes.pair_scores)
    found = tally(episodes)
    return {name: found[name] for name in ("wins", "draws", "losses", "score", "plies")} | {"low": low, "high": high}


def as_agents(opponents) -> list:
    """A list of agents from one agent or name, or from a list of them."""
    several = opponents if isinstance(opponents, (list, tuple)) else [opponents]
    return [heuristic_by_name(one, 0) if isinstance(one, str) else one for one in several]


# The curve ------------------------------------------------------------------------------------------------------


class Curve(NamedTuple):
    """Scores over windows of iterations with 95% bands, each array of shape (windows,)."""

    iterations: np.ndarray  # the last iteration of each window
    score: np.ndarray
    low: np.ndarray
    high: np.ndarray


def learning_curve(metrics: list[dict], window: int = 20) -> Curve:
    """The training score by window of iterations; the band is the normal interval over the pairs of games."""
    points = []
    for first in range(0, len(metrics), window):
        rows = metrics[first : first + window]
        pairs = np.array([(row["wins"] + row["draws"] + row["losses"]) / 2 for row in rows])
        scores, variances = np.array([row["score"] for row in rows]), np.array([row["pair_sd"] for row in rows]) ** 2
        mean = np.average(scores, weights=pairs)
        variance = np.average(variances + (scores - mean) ** 2, weights=pairs)
        half = 1.96 * math.sqrt(variance / pairs.sum())  # a 95% interval
        points.append((rows[-1]["iteration"], mean, max(mean - half, 0.0), min(mean + half, 1.0)))
    return Curve(*(np.array(column) for column in zip(*points))) if points else Curve(*(np.zeros(0),) * 4)

"""Learn from records: a net that predicts the move played and, with a second head, who wins.

`train` is the loop, `evaluate` measures a net on records it has not seen. Positions in which the generator put a
random move are left out of both unless asked for. At one thread, a seed makes a run repeat exactly.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from mock5lib.base import ranges
from mock5lib.base.progress import progress_bar
from mock5lib.game.encoders import Encoder, three_planes
from mock5lib.game.records import Positions, Records
from mock5lib.nets.nets import device_of, heads

SCHEDULES = ("one-cycle", "cosine", "constant")
CONFIDENCE_BINS = 10
KEEP_EVERY = 50  # steps between copies of the weights that a NaN falls back to


class DivergedError(ValueError):
    """The loss became NaN or infinite. The net holds the last good weights; the message says where it happened."""


# Measuring ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Metrics:
    """How well a net predicts.

    Attributes:
        positions: how many were looked at.
        top1, top3: share of positions whose move is the net's first, or one of its first three.
        log_loss: mean of −log p(move), nats.
        calibration: for each tenth of confidence (the probability of the net's first move) that occurs:
            (mean confidence, share right, positions).
        value_loss: mean (z − v)², None without a value head; z is 1, 0 or −1 for the player to move.
        value_sign: share of decided games' positions where v has the winner's sign, None without a value head.
    """

    positions: int
    top1: float
    top3: float
    log_loss: float
    calibration: tuple[tuple[float, float, int], ...]
    value_loss: float | None = None
    value_sign: float | None = None

    @property
    def calibration_error(self) -> float:
        """Mean distance between confidence and share right, weighted by positions (Guo et al. 2017)."""
        return sum(count * abs(sure - right) for sure, right, count in self.calibration) / max(self.positions, 1)

    def __str__(self) -> str:
        text = (
            f"top-1 {self.top1:.3f}, top-3 {self.top3:.3f}, log-loss {self.log_loss:.3f}, "
            f"calibration error {self.calibration_error:.3f}"
        )
        if self.value_loss is not None:
            text += f", value loss {self.value_loss:.3f}, sign right {self.value_sign:.3f}"
        return text


@torch.inference_mode()
def evaluate(
    net: nn.Module, records: Records, *, encoder: Encoder = three_planes, mistakes: bool = False, batch_size: int = 512
) -> Metrics:
    """Measure a net on records.

    Raises:
        ValueError: there are no positions to look at.
    """
    was_training = net.training
    net.eval()
    chances, sure, ranks, values, outcomes = [], [], [], [], []
    stream = records.batches(batch_size, encoder=encoder, symmetries="none", shuffle=False, mistakes=mistakes)
    for positions in stream:
        planes, moves, results = to_tensors(positions, device_of(net))
        log_priors, value = heads(net, planes)
        played = log_priors.gather(1, moves[:, None])
        chances.append(played[:, 0].cpu())
        ranks.append(ranks_of(log_priors, moves).cpu())
        sure.append(log_priors.amax(dim=1).exp().cpu())
        outcomes.append(results.cpu())
        if value is not None:
            values.append(value.cpu())
    net.train(was_training)
    if not chances:
        raise ValueError("There are no positions to measure the net on.")
    first = torch.cat(ranks) == 0
    quality = value_quality(torch.cat(values), torch.cat(outcomes)) if values else (None, None)
    return Metrics(
        len(first),
        first.double().mean().item(),
        (torch.cat(ranks) < 3).double().mean().item(),
        -torch.cat(chances).double().mean().item(),
        calibration_of(torch.cat(sure).numpy(), first.numpy()),
        *quality,
    )


def ranks_of(scores: torch.Tensor, moves: torch.Tensor) -> torch.Tensor:
    """Which choice each move is by its row of scores, (B,) from 0; of equal scores the lower point comes first.

    Ties must not count as hits: a net with the board's symmetries built in gives equal scores to mirrored points.
    """
    played = scores.gather(1, moves[:, None])
    points = torch.arange(scores.shape[1], device=scores.device)
    return ((scores > played) | ((scores == played) & (points < moves[:, None]))).sum(dim=1)


def value_quality(values: torch.Tensor, outcomes: torch.Tensor) -> tuple[float, float]:
    """(mean squared error, share of decided games with the right sign)."""
    decided = outcomes != 0
    right = (torch.sign(values[decided]) == outcomes[decided]).double().mean().item() if decided.any() else math.nan
    return ((values - outcomes) ** 2).double().mean().item(), right


def calibration_of(sure: np.ndarray, right: np.ndarray) -> tuple[tuple[float, float, int], ...]:
    """For each occupied tenth of confidence (mean confidence, share right, positions)."""
    tenth = np.minimum((sure * CONFIDENCE_BINS).astype(int), CONFIDENCE_BINS - 1)
    groups = [np.flatnonzero(tenth == number) for number in range(CONFIDENCE_BINS)]
    return tuple((float(sure[g].mean()), float(right[g].mean()), len(g)) for g in groups if len(g))


def to_tensors(positions: Positions, device) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Planes, moves and outcomes as tensors."""
    return tuple(torch.from_numpy(array).to(device) for array in positions)


# Training -------------------------------------------------------------------------------------------------------


@dataclass
class Training:
    """What a training run did.

    Attributes:
        losses: (steps,) policy loss of each step's batch, nats. value_losses: likewise, empty without a value head.
        evaluations: (step, Metrics on the held-out records).
        steps: how many were taken. best_step: the step whose weights the net holds now.
        stopped: why it ended early, None if it did not.
        wall_seconds, cpu_seconds: of the whole run, evaluations included.
        settings: the arguments, for the checkpoint's card.
    """

    losses: list[float] = field(default_factory=list)
    value_losses: list[float] = field(default_factory=list)
    evaluations: list[tuple[int, Metrics]] = field(default_factory=list)
    steps: int = 0
    best_step: int = 0
    stopped: str | None = None
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    settings: dict = field(default_factory=dict)

    @property
    def best(self) -> Metrics | None:
        """The metrics of the weights that the net holds, None without held-out records."""
        return dict(self.evaluations).get(self.best_step)


def train(
    net: nn.Module,
    records: Records,
    held_out: Records | None = None,
    *,
    steps: int = 4000,
    batch_size: int = 64,
    lr: float = 0.02,
    schedule: str = "one-cycle",
    warm_up: float = 0.15,
    weight_decay: float = 0.0,
    clip: float = 1.0,
    value_weight: float = 1.0,
    symmetries: str = "random",
    mistakes: bool = False,
    evaluate_every: int | None = None,
    patience: int | None = None,
    encoder: Encoder = three_planes,
    seed: int = 0,
    progress: bool = True,
    log: str | Path | None = None,
) -> Training:
    """Train a net to predict the moves of records, and the outcomes if it has a value head. Changes it in place.

    The loss is −log p(move) + value_weight · (z − v)², with Adam (Kingma & Ba 2015; decoupled weight decay).

    Args:
        held_out: records to evaluate on; from `records.split`, which splits by game.
        steps: batches to learn from; the records are gone through as often as that needs, in a new order each time.
        lr: the highest learning rate. schedule: "one-cycle" rises over the first `warm_up` share of the steps and
            falls along a cosine; "cosine" only falls; "constant" does neither.
        clip: largest norm of the gradient; 0 for none.
        symmetries, mistakes: as in `Records.batches`.
        evaluate_every: steps between evaluations; default: only at the end.
        patience: stop after so many evaluations without a lower held-out log-loss, and go back to the best weights.
        progress: show a progress bar. log: a file that gets one JSON line for each evaluation.

    Raises:
        ValueError: an argument out of range, or records without positions.
        DivergedError: the loss is NaN or infinite.
    """
    _check(steps, batch_size, lr, schedule, warm_up, clip, patience, evaluate_every, held_out)
    settings = dict(
        steps=steps,
        batch_size=batch_size,
        lr=lr,
        schedule=schedule,
        warm_up=warm_up,
        weight_decay=weight_decay,
        clip=clip,
        value_weight=value_weight,
        symmetries=symmetries,
        mistakes=mistakes,
        encoder=encoder.name,
        seed=seed,
        records=records.card,
        games=len(records),
    )
    run = Training(settings=settings)
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=weight_decay)
    batches = endless_batches(records, batch_size, encoder, symmetries, mistakes, seed)
    good, good_step, best = copy_weights(net), 0, None
    evaluate_every = evaluate_every or steps
    wall, cpu = time.perf_counter(), time.process_time()
    net.train()
    with progress_bar(steps, progress, "step") as shown:
        for step in range(1, steps + 1):
            set_rate(optimizer, lr * rate_at(step / steps, schedule, warm_up))
            epoch, positions = next(batches)
            policy_loss, value_loss = losses_of(net, positions)
            loss = policy_loss if value_loss is None else policy_loss + value_weight * value_loss
            if not torch.isfinite(loss):
                net.load_state_dict(good)
                raise DivergedError(
                    f"Step {step} of {steps}, epoch {epoch}: the loss is {loss.item()} at a learning rate of "
                    f"{optimizer.param_groups[0]['lr']:.2g}. The net holds the weights of step {good_step}."
                )
            if step % KEEP_EVERY == 1:  # weights whose loss is known to be finite
                good, good_step = copy_weights(net), step - 1
            descend(net, loss, optimizer, clip)
            run.losses.append(policy_loss.item())
            if value_loss is not None:
                run.value_losses.append(value_loss.item())
            run.steps = step
            shown.update()
            if held_out is not None and (step % evaluate_every == 0 or step == steps):
                best = _evaluated(net, run, held_out, encoder, mistakes, step, best, log)
                shown.set_postfix_str(f"top-1 {run.evaluations[-1][1].top1:.3f}")
                if patience and step - best[0] >= patience * evaluate_every:
                    run.stopped = f"no lower log-loss in {patience} evaluations, at step {step} of {steps}"
                    break
    run.best_step = run.steps
    if patience and best is not None and best[0] != run.steps:
        net.load_state_dict(best[2])
        run.best_step = best[0]
    net.eval()
    run.wall_seconds, run.cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
    return run


def _check(steps, batch_size, lr, schedule, warm_up, clip, patience, evaluate_every, held_out) -> None:
    """A ValueError that names the first argument out of its range."""
    ranges.at_least(1, steps=steps, batch_size=batch_size, patience=patience or 1, evaluate_every=evaluate_every or 1)
    ranges.at_least(0, clip=clip)
    ranges.above(0, lr=lr)
    ranges.one_of("schedule", schedule, SCHEDULES)
    if not 0 <= warm_up < 1:
        raise ValueError(f"warm_up is a share of the steps, from 0 to below 1, got {warm_up!r}.")
    if patience and held_out is None:
        raise ValueError("Early stopping (patience) needs held-out records.")


def endless_batches(records: Records, batch_size: int, encoder: Encoder, symmetries: str, mistakes: bool, seed: int):
    """(epoch, positions) without end, each epoch in an order of its own; ValueError if there are no positions."""
    epoch = 0
    while True:
        count = 0
        for positions in records.batches(
            batch_size, encoder=encoder, symmetries=symmetries, mistakes=mistakes, seed=[seed, epoch]
        ):
            count += 1
            yield epoch, positions
        if not count:
            raise ValueError("There are no positions to learn from.")
        epoch += 1


def losses_of(net: nn.Module, positions: Positions) -> tuple[torch.Tensor, torch.Tensor | None]:
    """(mean −log p(move), mean (z − v)² or None) of a batch."""
    planes, moves, outcomes = to_tensors(positions, device_of(net))
    log_priors, values = heads(net, planes)
    value_loss = None if values is None else ((values - outcomes) ** 2).mean()
    return functional.nll_loss(log_priors, moves), value_loss


def descend(net: nn.Module, loss: torch.Tensor, optimizer: torch.optim.Optimizer, clip: float) -> torch.Tensor:
    """One step down the gradient of `loss`, its norm clipped. Returns the norm before clipping, still on the device."""
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), clip or math.inf)
    optimizer.step()
    return norm


def rate_at(progress: float, schedule: str, warm_up: float = 0.15) -> float:
    """The learning rate at a share of the steps (0 to 1), as a share of its highest."""
    if schedule == "constant":
        return 1.0
    start = warm_up if schedule == "one-cycle" else 0.0
    if progress < start:
        return 0.04 + 0.96 * progress / start
    return 1e-3 + (1 - 1e-3) * (1 + math.cos(math.pi * (progress - start) / (1 - start))) / 2


def set_rate(optimizer: torch.optim.Optimizer, lr: float) -> None:
    """Give all weights this learning rate."""
    for group in optimizer.param_groups:
        group["lr"] = lr


def copy_weights(net: nn.Module) -> dict[str, torch.Tensor]:
    """A copy of the net's state that later training does not change."""
    return {name: weights.detach().clone() for name, weights in net.state_dict().items()}


def _evaluated(net, run: Training, held_out, encoder, mistakes, step: int, best, log):
    """Evaluate, note and log; returns (step, log-loss, weights) of the best so far."""
    metrics = evaluate(net, held_out, encoder=encoder, mistakes=mistakes)
    run.evaluations.append((step, metrics))
    if log is not None:
        line = {
            "step": step,
            "top1": metrics.top1,
            "top3": metrics.top3,
            "log_loss": metrics.log_loss,
            "value_loss": metrics.value_loss,
            "value_sign": metrics.value_sign,
        }
        with open(log, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    if best is None or metrics.log_loss < best[1]:
        return step, metrics.log_loss, copy_weights(net)
    return best

"""Learn from records: a net that predicts the move played and, with a second head, who wins.

`train` is the loop, `evaluate` measures a net on records it has not seen. Positions in which the generator put a
random move are left out of both unless asked for. At one thread, a seed makes a run repeat exactly.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass, field

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from mock5lib.base.progress import progress_bar
from mock5lib.game.encoders import Encoder, three_planes
from mock5lib.game.records import Records, TrainingBatch
from mock5lib.learn.settings import TrainSettings
from mock5lib.learn.trainer import DivergedError, Trainer
from mock5lib.nets.nets import device_of, heads

WORSE = 10  # times the log-loss of a guess: no training that went right ends there
CONFIDENCE_BINS = 10


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
    """Measure a net on records."""
    was_training, found = net.training, []
    net.eval()
    for positions in records.batches(batch_size, encoder=encoder, symmetries="none", shuffle=False, mistakes=mistakes):
        planes, moves, outcomes = to_tensors(positions, device_of(net))
        log_priors, values = heads(net, planes)
        played, sure = log_priors.gather(1, moves[:, None])[:, 0], log_priors.amax(dim=1).exp()
        judges = values is not None
        values = values if judges else torch.zeros_like(outcomes)
        found.append([part.cpu() for part in (played, ranks_of(log_priors, moves), sure, values, outcomes)])
    net.train(was_training)
    if not found:
        raise ValueError("There are no positions to measure the net on.")
    played, ranks, sure, values, outcomes = (torch.cat(parts) for parts in zip(*found))
    quality = None, None
    if judges:
        decided = outcomes != 0
        right = (torch.sign(values[decided]) == outcomes[decided]).double()
        quality = ((values - outcomes) ** 2).double().mean().item(), right.mean().item()  # NaN if nothing is decided
    return Metrics(
        len(ranks),
        (ranks == 0).double().mean().item(),
        (ranks < 3).double().mean().item(),
        -played.double().mean().item(),
        calibration_of(sure.numpy(), (ranks == 0).numpy()),
        *quality,
    )


def ranks_of(scores: torch.Tensor, moves: torch.Tensor) -> torch.Tensor:
    """Which choice each move is by its row of scores, (B,) from 0; of equal scores the lower point comes first.

    Ties must not count as hits: a net with the board's symmetries built in gives equal scores to mirrored points.
    """
    played = scores.gather(1, moves[:, None])
    points = torch.arange(scores.shape[1], device=scores.device)
    return ((scores > played) | ((scores == played) & (points < moves[:, None]))).sum(dim=1)


def calibration_of(sure: np.ndarray, right: np.ndarray) -> tuple[tuple[float, float, int], ...]:
    """For each occupied tenth of confidence (mean confidence, share right, positions)."""
    tenth = np.minimum((sure * CONFIDENCE_BINS).astype(int), CONFIDENCE_BINS - 1)
    groups = [np.flatnonzero(tenth == number) for number in range(CONFIDENCE_BINS)]
    return tuple((float(sure[g].mean()), float(right[g].mean()), len(g)) for g in groups if len(g))


def to_tensors(positions: TrainingBatch, device) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Planes, moves and outcomes as tensors."""
    return tuple(torch.from_numpy(array).to(device) for array in positions)


# Training -------------------------------------------------------------------------------------------------------


@dataclass
class Training:
    """What a training run did.

    Attributes:
        losses: (steps,) policy loss of each step's batch, nats. value_losses: likewise, empty without a value head.
        evaluations: (step, Metrics on the held-out records).
        cpu_seconds: of the whole run, evaluations included.
        settings: the arguments, for the checkpoint's card.
    """

    losses: list[float] = field(default_factory=list)
    value_losses: list[float] = field(default_factory=list)
    evaluations: list[tuple[int, Metrics]] = field(default_factory=list)
    cpu_seconds: float = 0.0
    settings: dict = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Training: {len(self.losses)} steps, {self.best or 'nothing held out'}>"

    @property
    def best(self) -> Metrics | None:
        """The metrics of the weights that the net holds, None without held-out records."""
        return self.evaluations[-1][1] if self.evaluations else None


def train(
    net: nn.Module,
    records: Records,
    held_out: Records | None = None,
    *,
    encoder: Encoder = three_planes,
    progress: bool = True,
    **settings,
) -> Training:
    """Train a net to predict the moves of records, and the outcomes if it has a value head. Changes it in place.

    The loss is −log p(move) + value_weight · (z − v)², with Adam (Kingma & Ba 2015).

    Args:
        held_out: records to evaluate on; from `records.split`, which splits by game.
        progress: show a progress bar. settings: those of `TrainSettings`, by their names.

    Raises:
        ValueError: a setting out of range, or records without positions.
        DivergedError: the loss is NaN or infinite, or ends far above that of a guess.
    """
    s = TrainSettings(**settings)
    run = Training(settings={**asdict(s), "encoder": encoder.name, "records": records.card, "games": len(records)})
    trainer = Trainer(net, torch.optim.AdamW(net.parameters(), weight_decay=s.weight_decay), s.clip)
    batches = endless_batches(records, s.batch_size, encoder, s.symmetries, s.mistakes, s.seed)
    evaluate_every, cpu = s.evaluate_every or s.steps, time.process_time()
    net.train()
    with progress_bar(s.steps, progress, "step") as shown:
        for step in range(1, s.steps + 1):
            trainer.rate = s.lr * rate_at(step / s.steps, s.schedule, s.warm_up)
            epoch, positions = next(batches)
            policy_loss, value_loss = losses_of(net, positions)
            loss = policy_loss if value_loss is None else policy_loss + s.value_weight * value_loss
            trainer.step(loss, f"Step {step} of {s.steps}, epoch {epoch}")
            run.losses.append(policy_loss.item())
            if value_loss is not None:
                run.value_losses.append(value_loss.item())
            shown.update()
            if held_out is not None and (step % evaluate_every == 0 or step == s.steps):
                found = evaluate(net, held_out, encoder=encoder, mistakes=s.mistakes)
                run.evaluations.append((step, found))
                shown.set_postfix_str(f"top-1 {found.top1:.3f}")
    net.eval()
    last, guess = float(np.mean(run.losses[-10:])), math.log(records.height * records.width)
    if last > WORSE * guess:
        raise DivergedError(
            f"After {s.steps} steps the log-loss is {last:.3g}, and that of a uniform guess {guess:.2f}: "
            f"a learning rate of {s.lr:g} is too high."
        )
    run.cpu_seconds = time.process_time() - cpu
    return run


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


def losses_of(net: nn.Module, positions: TrainingBatch) -> tuple[torch.Tensor, torch.Tensor | None]:
    """(mean −log p(move), mean (z − v)² or None) of a batch."""
    planes, moves, outcomes = to_tensors(positions, device_of(net))
    log_priors, values = heads(net, planes)
    value_loss = None if values is None else ((values - outcomes) ** 2).mean()
    return functional.nll_loss(log_priors, moves), value_loss


def rate_at(progress: float, schedule: str, warm_up: float = 0.15) -> float:
    """The learning rate at a share of the steps (0 to 1), as a share of its highest."""
    if schedule == "constant":
        return 1.0
    start = warm_up if schedule == "one-cycle" else 0.0
    if progress < start:
        return 0.04 + 0.96 * progress / start
    return 1e-3 + (1 - 1e-3) * (1 + math.cos(math.pi * (progress - start) / (1 - start))) / 2

"""What all ways of learning share: a gradient step, the look at each loss, and the checkpoints of a run."""

from __future__ import annotations

import math

import torch
from torch import nn

from mock5lib.base.runs import START, RunFolder
from mock5lib.nets.checkpoints import OPTIMIZER, fill_optimizer, load_checkpoint, optimizer_bytes, save_checkpoint
from mock5lib.nets.nets import convolutions

NOTE_EVERY = 50  # steps between copies of the weights that a NaN falls back to


class DivergedError(ValueError):
    """A number became NaN or infinite. The net holds the last good weights; the message says where it happened."""


class Trainer:
    """A net with its optimizer.

    Args:
        clip: largest norm of the gradient, 0 for none.

    Attributes:
        steps: how many were taken. rate: the learning rate of all weights.
    """

    def __init__(self, net: nn.Module, optimizer: torch.optim.Optimizer, clip: float = 0.0):
        self.net, self.optimizer, self.clip, self.steps = net, optimizer, clip, 0
        self.note_weights()

    @property
    def rate(self) -> float:
        return self.optimizer.param_groups[0]["lr"]

    @rate.setter
    def rate(self, value: float) -> None:
        for group in self.optimizer.param_groups:
            group["lr"] = value

    def note_weights(self) -> None:
        """Take the weights of now as the last good ones."""
        self._good, self._good_step = copy_weights(self.net), self.steps

    def step(self, loss: torch.Tensor, where: str) -> None:
        """One step down the gradient of a loss; `where` begins the message if it is not finite."""
        self.check(where, {"the loss": loss.item()})
        if self.steps % NOTE_EVERY == 0:  # weights whose loss is known to be finite
            self.note_weights()
        descend(self.net, loss, self.optimizer, self.clip)
        self.steps += 1

    def check(self, where: str, numbers: dict[str, float]) -> None:
        """A DivergedError unless all these numbers are finite; the net then has its last good weights again."""
        if all(math.isfinite(number) for number in numbers.values()):
            return
        self.net.load_state_dict(self._good)
        found = ", ".join(f"{name} is {number:.3g}" for name, number in numbers.items())
        raise DivergedError(
            f"{where}: {found} at a learning rate of {self.rate:.2g}. "
            f"The net holds the weights of step {self._good_step}."
        )

    def resume(self, store: RunFolder, **card) -> tuple[list[dict], dict]:
        """Fill net and optimizer from a run's newest checkpoint; a run that begins keeps the net as `start/`.

        Args:
            card: of the net, see `save_checkpoint`.

        Returns:
            The rows and the state of the checkpoint, see `RunFolder.resume`.
        """

        def load(step, state: dict, rows: list[dict]) -> None:
            load_checkpoint(step, self.net)
            fill_optimizer(self.optimizer, step / OPTIMIZER)

        rows, state = store.resume(load)
        start = store.folder / START
        if not rows and start.exists():
            load_checkpoint(start, self.net)
        elif not rows:
            save_checkpoint(start, self.net, **card)
        self.note_weights()
        return rows, state

    def keep(self, store: RunFolder, rows: list[dict], state: dict, **card) -> None:
        """Write a checkpoint with which `resume` goes on."""
        kept = {OPTIMIZER: optimizer_bytes(self.optimizer)}
        store.keep(rows, state, lambda step, more: save_checkpoint(step, self.net, **card, extra_files=more | kept))


def descend(net: nn.Module, loss: torch.Tensor, optimizer: torch.optim.Optimizer, clip: float) -> None:
    """One step down the gradient of `loss`, its norm clipped."""
    optimizer.zero_grad(set_to_none=True)
    with convolutions(net):
        loss.backward()
    follow_gradient(net, optimizer, clip)


def follow_gradient(net: nn.Module, optimizer: torch.optim.Optimizer, clip: float) -> torch.Tensor:
    """One step along the gradient that the weights hold; returns its norm before clipping, still on the device."""
    norm = nn.utils.clip_grad_norm_(net.parameters(), clip or math.inf)
    optimizer.step()
    return norm


def copy_weights(net: nn.Module) -> dict[str, torch.Tensor]:
    """A copy of the net's state that later training does not change."""
    return {name: weights.detach().clone() for name, weights in net.state_dict().items()}

"""Files of a training run: folders of checkpoints, lines of metrics, the optimizer's state. All are written whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import safetensors.torch
import torch

from mock5lib.base.files import write_whole as write_bytes


def step_folders(folder: Path) -> list[Path]:
    """The checkpoints of a run, oldest first."""
    return sorted(path for path in folder.glob("step-*") if path.is_dir())


def last_checkpoint(folder) -> Path | None:
    """The newest checkpoint of a run, None if it has none yet."""
    return next(iter(reversed(step_folders(Path(folder)))), None)


def read_metrics(path, until: int | None = None) -> list[dict]:
    """The rows of a metrics file up to an iteration; a last line that was cut short is left out."""
    rows = []
    for row in complete_lines(Path(path)):
        if until is not None and row["iteration"] > until:
            break
        rows.append(row)
    if until is not None and len(rows) != until:
        raise ValueError(f"{path}: has {len(rows)} rows, the checkpoint is of iteration {until}.")
    return rows


def complete_lines(path: Path) -> Iterator[dict]:
    """The JSON lines of a file, up to the first that is damaged."""
    if not path.exists():
        return
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                yield json.loads(line)
            except ValueError:
                return


def optimizer_bytes(optimizer: torch.optim.Optimizer) -> bytes:
    """Adam's state as safetensors: `3.exp_avg` and so on."""
    state = optimizer.state_dict()["state"]
    flat = {f"{number}.{name}": value for number, slot in state.items() for name, value in slot.items()}
    return safetensors.torch.save({key: value.cpu().contiguous() for key, value in flat.items()})


def load_optimizer(optimizer: torch.optim.Optimizer, path: Path) -> None:
    """Fill an optimizer with what `optimizer_bytes` wrote."""
    try:
        tensors = safetensors.torch.load(path.read_bytes())
    except (OSError, safetensors.SafetensorError) as problem:
        raise ValueError(f"{path}: not an optimizer's state, or cut short ({problem}).") from None
    whole = optimizer.state_dict()
    whole["state"] = {}
    for key, value in tensors.items():
        number, name = key.split(".")
        whole["state"].setdefault(int(number), {})[name] = value
    optimizer.load_state_dict(whole)


def write_whole(path: Path, text: str) -> None:
    """Write a text file under a temporary name, then rename it."""
    write_bytes(path, text.encode())

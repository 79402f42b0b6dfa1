"""Checkpoints: a net on disk with a card that says what it is, how it was trained and how well it plays.

A checkpoint is a folder with `net.safetensors` (the weights) and `card.json`. It appears whole or not at all, and
holds no code: loading a foreign file can fail but not run anything.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import safetensors
import safetensors.torch
import torch
from torch import nn

from mock5lib.game.encoders import Encoder, three_planes
from mock5lib.nets.encoder_names import by_name as encoder_by_name
from mock5lib.nets.nets import NetAgent, make_net

FORMAT = "mock5-checkpoint-1"
CARD, WEIGHTS = "card.json", "net.safetensors"
LIBRARIES = ("mock5lib", "torch", "numpy", "safetensors")


class Checkpoint(NamedTuple):
    """A loaded checkpoint."""

    net: nn.Module  # in evaluation mode
    card: dict
    encoder: Encoder
    path: Path


def save_checkpoint(
    path,
    net: nn.Module,
    *,
    height: int = 9,
    width: int = 9,
    k: int = 5,
    exact: bool = False,
    encoder: Encoder = three_planes,
    training: dict | None = None,
    score: dict | None = None,
    extra_files: dict[str, bytes] | None = None,
    **notes,
) -> Path:
    """Write a checkpoint folder; one that is there already is replaced, once the new one is whole.

    Args:
        net: made by `make_net`; one's own class is saved too, but `load_checkpoint` then needs such a net to fill.
        height, width, k, exact: the game it was trained on.
        training: how it was trained. score: what it was measured to score. notes: any further entries of the card.
            All must be plain values that JSON can hold.
        extra_files: further files for the folder, by name.

    Raises:
        ValueError: the path is a file, or the weights hold NaN or infinity.
    """
    path = Path(path)
    if path.exists() and not (path / CARD).is_file() and not (path.is_dir() and not any(path.iterdir())):
        raise ValueError(f"{path}: is there already and is no checkpoint; it is not overwritten.")
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in net.state_dict().items()}
    wrong = [name for name, tensor in weights.items() if not torch.isfinite(tensor).all()]
    if wrong:
        raise ValueError(f"{path}: not written, the weights {wrong[0]!r} of the net hold NaN or infinity.")
    data = safetensors.torch.save(weights)
    card = {
        "format": FORMAT,
        "framework": "torch",
        "net": getattr(net, "made", {"class": type(net).__name__}),
        "board": {"height": height, "width": width, "k": k, "exact": exact},
        "encoder": encoder.name,
        "training": training or {},
        "score": score,
        **notes,
        "libraries": library_versions(),
        "weights_sha256": hashlib.sha256(data).hexdigest(),
    }
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    replace_folder(path, {**(extra_files or {}), WEIGHTS: data, CARD: text.encode()})
    return path


def replace_folder(path: Path, files: dict[str, bytes]) -> None:
    """Write files into a new folder beside `path`, then move it there; what was there is removed last."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        for name, data in files.items():
            (fresh / name).write_bytes(data)
        fresh.chmod(0o755)
        if path.exists():
            old = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.old."))
            os.replace(path, old / path.name)
            os.replace(fresh, path)
            shutil.rmtree(old)
        else:
            os.replace(fresh, path)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def library_versions() -> dict[str, str]:
    """The versions that a checkpoint was made with."""
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def read_card(path) -> dict:
    """The card of a checkpoint.

    Raises:
        FileNotFoundError: there is nothing at this path. ValueError: it is no checkpoint; names the file.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such checkpoint.")
    file = path / CARD
    if not file.is_file():
        raise ValueError(f"{path}: not a checkpoint, it has no {CARD}.")
    try:
        card = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise ValueError(f"{file}: not a card, or cut short ({problem}).") from None
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise ValueError(f"{file}: not a card of the format {FORMAT}.")
    return card


def load_checkpoint(path, net: nn.Module | None = None, device: str | torch.device = "cpu") -> Checkpoint:
    """Read a checkpoint.

    Args:
        net: a net to fill, for one that `make_net` did not make. Default: made after the card.

    Raises:
        FileNotFoundError: there is nothing at this path.
        ValueError: no checkpoint, cut short, changed since it was written, or weights of another shape; names the
            file. A given `net` then keeps its weights.
    """
    path, card = Path(path), read_card(path)
    file = path / WEIGHTS
    if card.get("framework") != "torch":
        raise ValueError(f"{path}: its framework is {card.get('framework')!r}, not 'torch'.")
    try:
        data = file.read_bytes()
        weights = safetensors.torch.load(data)
    except (OSError, safetensors.SafetensorError) as problem:
        raise ValueError(f"{file}: not a weights file, or cut short ({problem}).") from None
    if hashlib.sha256(data).hexdigest() != card.get("weights_sha256"):
        raise ValueError(f"{file}: not the weights that {CARD} was written for.")
    try:
        encoder = encoder_by_name(card["encoder"])
        if net is None:
            made = dict(card["net"])
            net = make_net(made.pop("net"), **made)
        check_shapes(net, weights)
    except (KeyError, TypeError, ValueError) as problem:
        missing = f"its card lacks {problem}" if isinstance(problem, KeyError) else problem
        raise ValueError(f"{path}: {missing}") from None
    net.load_state_dict(weights)
    return Checkpoint(net.to(device).eval(), card, encoder, path)


def check_shapes(net: nn.Module, weights: dict[str, torch.Tensor]) -> None:
    """A ValueError that names the first weights that the net lacks, or has in another shape."""
    own = net.state_dict()
    for name in sorted(own.keys() | weights.keys()):
        if name not in weights or name not in own:
            where = "the net" if name in own else "the file"
            raise ValueError(f"the net and the file differ: only {where} has {name!r}.")
        if own[name].shape != weights[name].shape:
            raise ValueError(
                f"weights {name!r} have shape {tuple(weights[name].shape)}, the net has {tuple(own[name].shape)}."
            )


def load_agent(path, temperature: float = 0.0, seed=None, device: str | torch.device = "cpu") -> NetAgent:
    """The agent of a checkpoint, in one line; it plays on boards of any size.

    Args:
        temperature: 0 plays the most probable move; t > 0 draws in proportion to p^(1/t).
        seed: a whole number, a numpy Generator, or None.

    Returns:
        An agent with `moves(games)` and with `.checkpoint`, which has the net and the card.

    Raises:
        FileNotFoundError, ValueError: as `load_checkpoint`.
    """
    loaded = load_checkpoint(path, device=device)
    agent = NetAgent(loaded.net, temperature, loaded.encoder, seed, name=loaded.card.get("name", loaded.path.name))
    agent.checkpoint = loaded
    return agent

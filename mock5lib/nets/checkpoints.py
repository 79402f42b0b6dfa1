"""Checkpoints: a net on disk with a card that says what it is, how it was trained and how well it plays.

A checkpoint is a folder with `net.safetensors` (the weights) and `card.json`. It appears whole or not at all, and
holds no code: loading a foreign file can fail but not run anything.
"""

from __future__ import annotations

import io
import json
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import safetensors
import safetensors.torch
import torch
from torch import nn

from mock5lib.base.files import digest, make_folder, replace_folder
from mock5lib.base.runs import CARD, START, Store
from mock5lib.game.board import Mock5
from mock5lib.game.encoders import Encoder, three_planes
from mock5lib.nets.encoder_names import by_name as encoder_by_name
from mock5lib.nets.nets import NetAgent, make_net

FORMAT = "mock5-checkpoint-1"
WEIGHTS, OPTIMIZER = "net.safetensors", "optimizer.pt"
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
    path = check_place(path)
    weights = {name: tensor.detach().cpu().contiguous() for name, tensor in net.state_dict().items()}
    wrong = [name for name, tensor in weights.items() if not torch.isfinite(tensor).all()]
    if wrong:
        raise ValueError(f"{path}: not written, the weights {wrong[0]!r} of the net hold NaN or infinity.")
    data = weights_bytes(weights)
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
        "weights_sha256": digest(data),
        "sha256": {name: digest(extra) for name, extra in (extra_files or {}).items()},
    }
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    replace_folder(path, {**(extra_files or {}), WEIGHTS: data, CARD: text.encode()})
    return path


def check_place(path) -> Path:
    """The path; a ValueError if something is there that is no checkpoint, or no folder can be made there."""
    path = Path(path)
    if path.exists() and not (path / CARD).is_file() and not (path.is_dir() and not any(path.iterdir())):
        raise ValueError(f"{path}: is there already and is no checkpoint; it is not overwritten.")
    make_folder(path.parent)
    return path


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
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"{file}: not a card, or cut short ({problem}).") from None
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise ValueError(f"{file}: not a card of the format {FORMAT}.")
    for name, kind in (("net", dict), ("board", dict), ("encoder", str)):
        if not isinstance(card.get(name), kind):
            raise ValueError(f"{file}: its {name!r} is {str(card.get(name))[:40]!r}, not a {kind.__name__}.")
    try:
        Mock5(*(card["board"][name] for name in ("height", "width", "k")), exact=card["board"]["exact"])
    except (KeyError, TypeError, ValueError) as problem:
        raise ValueError(f"{file}: its 'board' is {card['board']}, which is none ({problem}).") from None
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
    weights, data = read_weights(file)
    if digest(data) != card.get("weights_sha256"):
        raise ValueError(f"{file}: not the weights that {CARD} was written for.")
    try:
        encoder = encoder_by_name(card["encoder"])
        if net is None:
            net = net_of_card(card, weights)
        check_shapes(net, weights)
        for name, tensor in weights.items():
            if not torch.isfinite(tensor).all():
                raise ValueError(f"the weights {name!r} hold NaN or infinity.")
    except (KeyError, TypeError, ValueError) as problem:
        missing = f"its card lacks {problem}" if isinstance(problem, KeyError) else problem
        raise ValueError(f"{path}: {missing}") from None
    net.load_state_dict(weights)
    return Checkpoint(net.to(device).eval(), card, encoder, path)


def net_of_card(card: dict, weights: dict[str, torch.Tensor]) -> nn.Module:
    """The net that a card tells of. Its shapes are compared with the weights' before it takes any memory.

    Raises:
        KeyError, TypeError, ValueError: the card lacks the net's name, or its net is not that of the weights.
    """
    made, held = dict(card["net"]), sum(tensor.numel() for tensor in weights.values())
    name = made.pop("net")
    most = dict.fromkeys(made, held) | {"layers": len(weights), "blocks": len(weights), "reach": held.bit_length() // 2}
    for size, limit in most.items():
        if isinstance(made.get(size), int) and made[size] > limit:
            raise ValueError(f"its card asks for {size}={made[size]}; {WEIGHTS} holds {held:,} numbers.")
    with torch.device("meta"):
        check_shapes(make_net(name, **made), weights)
    return make_net(name, **made)


def weights_bytes(weights: dict[str, torch.Tensor]) -> bytes:
    """Weights as safetensors."""
    return safetensors.torch.save({name: part.detach().cpu().contiguous() for name, part in weights.items()})


def read_weights(file: Path) -> tuple[dict[str, torch.Tensor], bytes]:
    """Weights from a file of `weights_bytes`, and its bytes; a ValueError if there is none or it is cut short."""
    try:
        data = file.read_bytes()
        return safetensors.torch.load(data), data
    except (FileNotFoundError, safetensors.SafetensorError) as problem:
        raise ValueError(f"{file}: not a weights file, or cut short ({problem}).") from None


def check_shapes(net: nn.Module, weights: dict[str, torch.Tensor]) -> None:
    """A ValueError that names the first weights that the net lacks, or has in another shape."""
    own = net.state_dict()
    for name in sorted(own.keys() | weights.keys()):
        if name not in weights or name not in own:
            where = "the net" if name in own else "the file"
            raise ValueError(f"the net and the file differ: only {where} has {name!r}.")
        if own[name].dtype != weights[name].dtype:
            raise ValueError(f"weights {name!r} are {weights[name].dtype}, the net's are {own[name].dtype}.")
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


# Checkpoints of a run -------------------------------------------------------------------------------------------


def optimizer_bytes(optimizer: torch.optim.Optimizer) -> bytes:
    """An optimizer's state; its settings are the run's."""
    stream = io.BytesIO()
    torch.save(optimizer.state_dict()["state"], stream)
    return stream.getvalue()


def read_optimizer(step: Path) -> dict[int, dict]:
    """The optimizer's state in a checkpoint of a run; a ValueError that names the file if it is cut short."""
    file = step / OPTIMIZER
    data = file.read_bytes()
    try:
        return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception as problem:  # noqa: BLE001 - torch, zipfile and pickle each fail in ways of their own
        raise ValueError(f"{file}: not an optimizer's state, or cut short ({type(problem).__name__}).") from None


def fill_optimizer(optimizer: torch.optim.Optimizer, state: dict[int, dict]) -> None:
    """Give an optimizer the state of `read_optimizer`."""
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


def resume_net(store: Store, net: nn.Module, optimizer, **card) -> tuple[list[dict], dict]:
    """Fill a net and its optimizer from a run's newest checkpoint; a run that begins keeps the net as `start/`.

    Args:
        card: of the net, see `save_checkpoint`.

    Returns:
        The rows and the state of the checkpoint, see `Store.resume`.
    """

    def load(step: Path, state: dict, rows: list[dict]) -> None:
        kept = read_optimizer(step)
        load_checkpoint(step, net)
        fill_optimizer(optimizer, kept)

    rows, state = store.resume(load)
    start = store.folder / START
    if not rows and start.exists():
        load_checkpoint(start, net)
    elif not rows:
        save_checkpoint(start, net, **card)
    return rows, state


def keep_net(store: Store, rows: list[dict], state: dict, net: nn.Module, optimizer, **card) -> None:
    """Write a checkpoint with which `resume_net` goes on."""
    kept = {OPTIMIZER: optimizer_bytes(optimizer)}
    store.keep(rows, state, lambda step, more: save_checkpoint(step, net, **card, extra_files=more | kept))

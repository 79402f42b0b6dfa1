"""Checkpoints: a net on disk with a card that says what it is, how it was trained and how well it plays.

A checkpoint is a folder with `net.safetensors` (the weights) and `card.json`, which holds a SHA-256 of each file beside
it. It appears whole or not at all, and holds no code: loading a foreign file can fail but not run anything.
"""

from __future__ import annotations

import io
import json
import platform
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import safetensors
import safetensors.torch
import torch
from torch import nn

from mock5lib.base import VERSION
from mock5lib.base.files import LOCK, MOST_CARD, digest, json_object, make_folder, read_file, replace_folder
from mock5lib.base.runs import CARD, check_files, instead_of
from mock5lib.course import found_path
from mock5lib.game.encoders import Encoder, not_learned, three_planes
from mock5lib.game.encoders import by_name as encoder_by_name
from mock5lib.nets.nets import NetAgent, make_net

FORMAT = "mock5-checkpoint-1"
WEIGHTS, OPTIMIZER = "net.safetensors", "optimizer.pt"


class Checkpoint(NamedTuple):
    """A loaded checkpoint."""

    net: nn.Module  # in evaluation mode
    card: dict
    encoder: Encoder
    path: Path

    def __repr__(self) -> str:
        return f"<Checkpoint {self.path}: {self.card['net'].get('net', 'a net')}, learned {self.card['board']}>"


def save_checkpoint(
    path,
    net: nn.Module,
    *,
    height: int = 9,
    width: int = 9,
    k: int = 5,
    exact: bool = False,
    game: str | None = None,
    options: dict | None = None,
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
        game, options: name and options of a game of one's own instead, see `game.kit`.
        training: how it was trained. score: what it was measured to score. notes: any further entries of the card.
            All must be plain values that JSON can hold.
        extra_files: further files for the folder, by name.

    Raises:
        ValueError: something else is at the path, or the weights hold NaN or infinity.
    """
    if not isinstance(net, nn.Module):
        raise TypeError(f"save_checkpoint(folder, net): the folder stands first, then the net; got {net!r} as the net.")
    path, weights = check_place(path), net.state_dict()
    for name, tensor in weights.items():
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{path}: not written, the weights {name!r} of the net hold NaN or infinity.")
    files = {WEIGHTS: weights_bytes(weights), **(extra_files or {})}
    board: dict = {"height": height, "width": width, "k": k, "exact": exact}
    if game is not None:
        board = {"game": game, "options": options or {}}
    card = {
        "format": FORMAT,
        "net": getattr(net, "made", {"class": type(net).__name__}),
        "board": board,
        "encoder": encoder.name,
        "training": training or {},
        "score": score,
        **notes,
        "libraries": {
            **{"python": platform.python_version(), "mock5lib": VERSION},
            **{name: version(name) for name in ("torch", "numpy", "safetensors")},
        },
        "sha256": {name: digest(data) for name, data in files.items()},
    }
    text = json.dumps(card, indent=2, ensure_ascii=False) + "\n"
    replace_folder(path, {**files, CARD: text.encode()})
    return path


def check_place(path) -> Path:
    """The path; a ValueError if anything but a whole checkpoint is there, or no folder can be made there."""
    path = Path(path)
    if (path / CARD).is_file():
        card = read_card(path)  # it may be somebody else's, by the same name
        foreign = sorted(one.name for one in path.iterdir() if one.name not in (*card["sha256"], CARD, LOCK))
        if foreign:
            raise ValueError(f"{path}: holds {foreign[0]!r}, no part of the checkpoint there; it is not overwritten.")
        try:
            check_files(path)
        except ValueError as problem:
            raise ValueError(f"{problem}. It is not overwritten: remove {path}, or write elsewhere.") from None
    elif path.exists() and not (path.is_dir() and not any(path.iterdir())):
        raise ValueError(f"{path}: is there already and is no checkpoint; it is not overwritten.")
    make_folder(path.parent)
    return path


def read_card(path) -> dict:
    """The card of a checkpoint.

    Raises:
        FileNotFoundError: there is nothing at this path. ValueError: it is no checkpoint; names the file.
    """
    path, file = Path(path), Path(path) / CARD
    hint = f" {instead}" if not file.is_file() and (instead := instead_of(path)) else ""
    if not path.exists():
        raise FileNotFoundError(f"{path}: there is no such checkpoint.{hint}")
    if not file.is_file():
        raise ValueError(f"{path}: not a checkpoint, it has no {CARD}.{hint}")
    card = json_object(read_file(file, MOST_CARD)) or {}
    if card.get("format") != FORMAT:
        raise ValueError(f"{file}: not a card of the format {FORMAT}, or cut short.")
    for name, kind in (("net", dict), ("board", dict), ("encoder", str), ("sha256", dict)):
        if not isinstance(card.get(name), kind):
            raise ValueError(f"{file}: its {name!r} is {str(card.get(name))[:40]!r}, not a {kind.__name__}.")
    return card


def load_checkpoint(path, net: nn.Module | None = None, device: str | torch.device | None = None) -> Checkpoint:
    """Read a checkpoint.

    Args:
        net: a net to fill, for one that `make_net` did not make. Default: made after the card.
        device: where the net is to be. Default: a given net stays where it is, a new one is on the CPU.

    Raises:
        FileNotFoundError: there is nothing at this path.
        ValueError: no checkpoint, cut short, changed since it was written, or weights of another shape; names the
            file. A given `net` then keeps its weights.
    """
    path = found_path(path)
    card = read_card(path)
    file = path / WEIGHTS
    if not file.is_file() or digest(read_file(file)) != card["sha256"].get(WEIGHTS):
        raise ValueError(f"{file}: cut short, or not the weights that {CARD} was written for.")
    weights = read_weights(file)
    try:
        encoder = encoder_by_name(card["encoder"])
        if net is None:
            sizes = dict(card["net"])
            name = sizes.pop("net")
            with torch.device("meta"):  # without memory: a card may ask for far more than its weights fill
                check_shapes(make_net(name, **sizes), weights)
            net = make_net(name, **sizes)
        check_shapes(net, weights)
    except (KeyError, TypeError, ValueError, RuntimeError) as problem:  # torch's own, if there is no memory for the net
        missing = f"its card lacks {problem}" if isinstance(problem, KeyError) else problem
        raise ValueError(f"{path}: {missing}") from None
    net.load_state_dict(weights)
    return Checkpoint((net if device is None else net.to(device)).eval(), card, encoder, path)


def net_to_go_on(path, game) -> nn.Module:
    """The net of a checkpoint, to be trained further in this game; another board is no other game.

    Raises:
        FileNotFoundError, ValueError: as `load_checkpoint`; or the net has learned another game, by another rule, on a
            board that its size depends on, or from other planes than training makes.
    """
    net, card, encoder, _ = load_checkpoint(path)
    why, learned = not_learned(game, encoder, card["board"]), card["board"].get("exact", False)
    if not why and learned != getattr(game, "exact", False):
        why = f"has learned that more in a row than k {'do not win' if learned else 'win'}"
    if not why and encoder.name != three_planes.name:
        why = f"reads {card['encoder']}, and training makes {three_planes.name}"
    made = {name: net.made[name] for name in ("height", "width") if name in net.made}
    if not why and made and made != {"height": game.height, "width": game.width}:
        why = f"plays on {made['height']}×{made['width']} points alone, not on {game.height}×{game.width}"
    if why:
        raise ValueError(f"{path} {why}.")
    return net


def check_shapes(net: nn.Module, weights: dict[str, torch.Tensor]) -> None:
    """A ValueError that names the first weights that the net lacks, or has in another shape."""
    own, there = ({name: tuple(part.shape) for name, part in found.items()} for found in (net.state_dict(), weights))
    for name in sorted(own.keys() | there.keys()):
        if own.get(name) != there.get(name):
            shapes = there.get(name, "none"), own.get(name, "none")
            raise ValueError(f"weights {name!r} have shape {shapes[0]} in the file and {shapes[1]} in the net.")


def weights_bytes(weights: dict[str, torch.Tensor]) -> bytes:
    """Weights as safetensors."""
    return safetensors.torch.save({name: part.detach().cpu().contiguous() for name, part in weights.items()})


def read_weights(file: Path) -> dict[str, torch.Tensor]:
    """Weights from a file of `weights_bytes`; a ValueError if it is another, cut short, or holds NaN or infinity."""
    try:
        weights = safetensors.torch.load(read_file(file))
    except safetensors.SafetensorError as problem:
        raise ValueError(f"{file}: not a weights file, or cut short ({problem}).") from None
    for name, tensor in weights.items():
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{file}: the weights {name!r} hold NaN or infinity.")
    return weights


def optimizer_bytes(optimizer: torch.optim.Optimizer) -> bytes:
    """An optimizer's state; its settings are the run's."""
    stream = io.BytesIO()
    torch.save(optimizer.state_dict()["state"], stream)
    return stream.getvalue()


def fill_optimizer(optimizer: torch.optim.Optimizer, file: Path) -> None:
    """Give an optimizer the state that `optimizer_bytes` wrote; each part goes where its weights are."""
    state = torch.load(file, map_location="cpu", weights_only=True)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


def load_agent(path, temperature: float = 0.0, seed=None, device: str | torch.device = "cpu") -> NetAgent:
    """The agent of a checkpoint, in one line; it plays on boards of any size.

    Args:
        temperature: 0 plays the most probable move; t > 0 draws in proportion to p^(1/t).
        seed: a whole number, a numpy Generator, or None.

    Returns:
        An agent with `moves(games)` and with `.checkpoint`, which has the net and the card.
    """
    if not found_path(path).exists() and len(Path(path).parts) == 1:
        raise FileNotFoundError(
            f"{path}: there is no such checkpoint. If it is an agent's name, mock5lib.agent({str(path)!r}) makes it."
        )
    loaded = load_checkpoint(path, device=device)
    agent = NetAgent(loaded.net, temperature, loaded.encoder, seed, name=loaded.card.get("name", loaded.path.name))
    agent.checkpoint = loaded
    agent.learned = loaded.card.get("board") or {}
    return agent

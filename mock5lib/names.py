"""An agent by its name, the same in matches, ladders, the command line and worker processes.

    random, greedy, defensive, pt, df, mixed    the heuristics
    uct:1000, uct:0.5s                          UCT with so many simulations, or seconds, a move; also mcts:1000
    policy:data/checkpoints/…                   a net's most probable move; a Keras net by its file
    expert:data/checkpoints/…@64                a net with 64 simulations of PUCT a move
    alphazero:data/checkpoints/…@200            the same, for a net that learnt by self-play
    alphazero,value=0:data/checkpoints/…@200    its value head's answer replaced by 0: the policy alone leads the search
    alphago:data/checkpoints/…@200              AlphaGo's three nets and its search
    engine:/path/to/engine arguments            a foreign engine that speaks the Gomocup protocol
    gtp:gnugo --mode gtp --level 1              a foreign Go program that speaks GTP
    supervised, reinforced                      the course's own nets, those that fit the board
    expert@64, alphago@64, alphazero@200        and searches with them

Options stand before the colon: `uct,c=0.5:1000`, `policy,temperature=1:data/…`, `alphago,lambda_value=0:data/…@200`,
`engine,seconds=2,start=5,MAX_NODE=1000:/path`, where `start` are the seconds it has to answer START. Paths are relative
to the working folder.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import shlex
import shutil
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from mock5lib.arena.workers import Recipe
from mock5lib.gomoku import heuristics_fast as fast

SEARCH = ("c", "fpu", "forced_moves", "rule", "leaves", "virtual_loss", "temperature", "keep_tree", "nodes")
SEARCH += ("considered", "gumbel_scale", "value")


class Spec(NamedTuple):
    """The parts of an agent's name."""

    text: str
    kind: str
    argument: str
    simulations: int | None
    options: dict


class Kind(NamedTuple):
    """One kind of agent: how it is written, which options it takes, and how it is made."""

    example: str
    options: tuple[str, ...] | None  # None: any
    simulations: int | None  # the default; None where `@…` makes no sense
    make: Callable[[Spec, int | None], object]
    on_disk: bool = False  # whether the argument is a path that must be there


def agent(name: str, seed: int | None = None):
    """The agent of this name.

    Args:
        seed: of its random numbers; None for others each time.

    Raises:
        ValueError: no such name (it lists near ones), or a setting out of its range.
        FileNotFoundError: no such file or folder (it lists near ones).
    """
    spec = parse(name)
    made = KINDS[spec.kind].make(spec, seed)
    made.name = spec.text
    return made


def recipe(name: str, label: str | None = None) -> Recipe:
    """The recipe of the agent of this name, for matches with workers or limits; checked as `agent` does.

    Args:
        label: what to call it in results; default: the name.
    """
    spec = parse(name)
    if spec.kind == "gtp":
        check_program(spec)
    return Recipe(label or spec.text, partial(labelled, name, label))


def check_program(spec: Spec) -> None:
    """A FileNotFoundError if this is a foreign program that is not here."""
    if spec.kind in ("engine", "gtp") and shutil.which(program := shlex.split(spec.argument)[0]) is None:
        raise FileNotFoundError(f"{program}: there is no such program here.")


def labelled(name: str, label: str | None, seed: int):
    """The agent of a recipe."""
    made = agent(name, seed)
    made.name = label or made.name
    return made


def full_name(name: str, side: int = 9, k: int = 5) -> str:
    """A short name of one of the course's nets as a whole name: "alphazero@64" as "alphazero:data/…/alphazero_9x9@64".

    Args:
        side: of the board that is to be played on; the net that learnt on the nearest one is taken.
        k: in a row to win; the net learnt the same game.

    Raises:
        ValueError: the course has no such net for this k, or what follows the @ is no number. Other names come back as
            they are.
    """
    head, at, simulations = name.strip().partition("@")
    short, *options = head.split(",")
    if short not in SHIPPED or ":" in head:
        return name
    kind, nets = SHIPPED[short]
    if at and KINDS[kind].simulations is None:
        raise ValueError(f"{name}: {short} is a net without a search; write it like {short}")
    if at and not simulations.isdigit():
        raise ValueError(f"{name}: the number of simulations per move stands after the @, as in {short}@64")
    fitting = {size: folder for size, (folder, row) in nets.items() if row == k}
    if not fitting:
        has = " and ".join(sorted({str(row) for _, row in nets.values()}))
        raise ValueError(f"The course's {short} plays {has} in a row, not {k}. `mock5 agents` lists who plays what.")
    folder = shipped(fitting[min(fitting, key=lambda size: (abs(size - side), size))])
    return ",".join([kind, *options]) + f":{folder}{at}{simulations}"


def shipped(checkpoint: str) -> str:
    """The path of one of the course's checkpoints: below the working folder, beside the package, or as Colab has it."""
    places = (Path(), Path(__file__).resolve().parent.parent, Path("mock5-course"))
    paths = [place / "data" / "checkpoints" / checkpoint for place in places]
    return next((path for path in paths if path.exists()), paths[0]).as_posix()


def parse(name: str) -> Spec:
    """The parts of a name, checked as far as that goes without loading anything. Raises as `agent` does."""
    text = full_name(name).strip()
    head, colon, argument = text.partition(":")
    kind, *pieces = head.split(",")
    if kind == "mcts":  # as kept configs call UCT that searches afresh before each move
        kind, pieces = "uct", [*pieces, "keep_tree=false"]
    if kind not in KINDS:
        raise ValueError(unknown(kind, bool(colon)))
    known, simulations = KINDS[kind], KINDS[kind].simulations
    options = dict(option(piece, kind, known.options) for piece in pieces)
    if simulations is not None and (found := re.search(r"@(\d+)$", argument)):
        argument, simulations = argument[: found.start()], int(found[1])
        if simulations < 1:
            raise ValueError(f"{text}: a search has at least 1 simulation.")
    if bool(colon and argument) != (":" in known.example):
        raise ValueError(f"{text!r} is not how this agent is written; write it like {known.example}")
    if known.on_disk and not Path(argument).exists():
        raise FileNotFoundError(missing(argument))
    return Spec(text, kind, argument, simulations, options)


def option(piece: str, kind: str, known: tuple[str, ...] | None) -> tuple[str, object]:
    """One `key=value`: numbers and true or false as such, anything else as text."""
    key, equals, value = piece.partition("=")
    key = "keep_tree" if key == "reuse" else key  # as names that were kept call it
    if not equals or not key:
        raise ValueError(f"An option of an agent is written key=value, got {piece!r}.")
    if known is not None and key not in known:
        raise ValueError(f"{kind} has no option {key!r}; it has {', '.join(known) or 'none'}.")
    for read in (int, float):
        try:
            return key, read(value)
        except ValueError:
            continue
    return key, {"true": True, "false": False}.get(value, value)


def unknown(kind: str, with_path: bool) -> str:
    """What to say of an unknown kind: the near ones, and where all are listed."""
    examples = {one: known.example for one, known in KINDS.items()}
    examples |= {} if with_path else {short: short for short in SHIPPED}
    near = difflib.get_close_matches(kind, examples, n=3, cutoff=0.6)
    meant = " or ".join(examples[one] for one in near)
    hint = f"Did you mean {meant}?" if near else "There are greedy, uct:1000 and alphazero@64, for example."
    return f"There is no agent {kind!r}. {hint} `mock5 agents` lists all."


def missing(path: str) -> str:
    """What to say of a path that is not there: near ones in the last folder that is."""
    folder, wanted = Path(path), ""
    while not folder.is_dir() and folder != folder.parent:
        folder, wanted = folder.parent, folder.name
    there = sorted(one.name for one in folder.iterdir() if not one.name.startswith(".")) if folder.is_dir() else []
    near = difflib.get_close_matches(wanted, there, n=3, cutoff=0.4) or there[:8]
    return f"{path}: there is no such file or folder. In {folder} there is {', '.join(near) or 'nothing'}."


def fingerprint(name: str) -> str:
    """Twelve digits that change when an agent's files do; empty for an agent without files."""
    spec = parse(name)
    if not KINDS[spec.kind].on_disk:
        return ""
    digest = hashlib.sha256()
    for file in weights_of(spec):
        if file.is_file():
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def weights_of(spec: Spec) -> list[Path]:
    """The files of weights that an agent plays with."""
    path = Path(spec.argument)
    if spec.kind == "alphago":
        nets = (("policy", "strong.keras"), ("fast", "fast.keras"), ("value", "value.keras"))
        return [path / str(spec.options.get(name, usual)) for name, usual in nets]
    return sorted(path.glob("*.safetensors")) if path.is_dir() else [path]


# How each kind is made; torch and TensorFlow are imported when they are needed --------------------------------------


def make_heuristic(spec: Spec, seed):
    """random, greedy, …"""
    from mock5lib.gomoku.heuristics import by_name

    return by_name(spec.kind, seed)


def make_uct(spec: Spec, seed):
    """uct:1000 or uct:0.5s"""
    from mock5lib.search.uct.compiled import FastUCT

    if spec.argument.isdigit():
        return FastUCT(int(spec.argument), seed=seed, **spec.options)
    seconds = re.fullmatch(r"(\d+(?:\.\d+)?)s", spec.argument)
    if not seconds:
        raise ValueError(f"{spec.text}: uct takes a number of simulations, or of seconds with an s, like uct:0.5s.")
    return FastUCT(None, float(seconds[1]), seed=seed, **spec.options)


def make_policy(spec: Spec, seed):
    """policy:checkpoint, or policy:net.keras"""
    if spec.argument.endswith(".keras"):
        quiet_tensorflow()
        from mock5lib.alphago.games import NetPlayer
        from mock5lib.alphago.nets import load_net

        return NetPlayer(load_net(spec.argument), spec.options.get("temperature", 0.0), seed)
    from mock5lib.nets.nets import NetAgent

    loaded = checkpoint(*stamp(spec.argument))
    return NetAgent(loaded.net, spec.options.get("temperature", 0.0), loaded.encoder, seed)


def make_searcher(spec: Spec, seed):
    """expert:checkpoint@simulations and alphazero:checkpoint@simulations"""
    from mock5lib.nets.nets import expert_of
    from mock5lib.search.puct.agent import SearchAgent
    from mock5lib.search.puct.expert import constant_value

    options = {"forced_moves": True, **spec.options}
    value = options.pop("value", None)
    loaded = checkpoint(*stamp(spec.argument))
    expert = expert_of(loaded.net, encoder=loaded.encoder)
    if value is not None:
        expert = constant_value(expert, value)
    return SearchAgent(expert, spec.simulations, seed=seed, **options)


def make_alphago(spec: Spec, seed):
    """alphago:folder@simulations"""
    quiet_tensorflow()
    from mock5lib.alphago.train import load_alphago

    options = {key: None if value == "none" else value for key, value in spec.options.items()}
    return load_alphago(spec.argument, simulations=spec.simulations, seed=seed, **options)


def quiet_tensorflow() -> None:
    """No banner, and sums in the same order on each machine, if TensorFlow is not there yet."""
    for name, value in (("TF_CPP_MIN_LOG_LEVEL", "3"), ("TF_ENABLE_ONEDNN_OPTS", "0")):
        os.environ.setdefault(name, value)


def make_engine(spec: Spec, seed):
    """engine:command"""
    from mock5lib.engines.gomocup_client import GomocupAgent

    options = dict(spec.options)
    limits = {key: options.pop(key) for key in ("seconds", "tolerance", "memory") if key in options}
    if "start" in options:
        limits["start_seconds"] = options.pop("start")
    return GomocupAgent(shlex.split(spec.argument), info=options, **limits)


def make_gtp(spec: Spec, seed):
    """gtp:command"""
    from mock5lib.go.gtp import GtpAgent

    return GtpAgent(shlex.split(spec.argument), **spec.options, seed=seed)


def stamp(path: str) -> tuple[str, int]:
    """A path with the time of its last change, so that a checkpoint in memory is not taken for a newer one."""
    card = Path(path) / "card.json"
    return path, card.stat().st_mtime_ns if card.exists() else 0


@lru_cache(maxsize=32)
def checkpoint(path: str, changed: int):
    """A checkpoint, read once in each process."""
    from mock5lib.alphago import planes  # noqa: F401 - its encoders are then known by name
    from mock5lib.nets.checkpoints import load_checkpoint

    return load_checkpoint(path)


ALPHAGO = ("lambda_value", "depth", "rollout_limit", "c", "rollouts", "forced_rollouts", "leaves", "virtual_loss")
ALPHAGO += ("resign", "temperature", "policy", "fast", "value", "keep_tree")
KINDS = {
    **{name: Kind(name, (), None, make_heuristic) for name in fast.KINDS},
    "uct": Kind("uct:1000", ("c", "final", "playouts", "keep_tree"), None, make_uct),
    "policy": Kind("policy:data/…", ("temperature",), None, make_policy, on_disk=True),
    "expert": Kind("expert:data/…@64", SEARCH, 64, make_searcher, on_disk=True),
    "alphazero": Kind("alphazero:data/…@200", SEARCH, 200, make_searcher, on_disk=True),
    "alphago": Kind("alphago:data/…@200", ALPHAGO, 200, make_alphago, on_disk=True),
    "engine": Kind("engine:/path arguments", None, None, make_engine),
    "gtp": Kind("gtp:gnugo --mode gtp --level 1", ("seconds", "memory"), None, make_gtp),
}
SHIPPED = {  # short name → kind, and {side of the board: (checkpoint, in a row to win)}
    "supervised": ("policy", {9: ("supervised_9x9", 5), 15: ("supervised_15x15", 5)}),
    "reinforced": ("policy", {9: ("reinforced_9x9", 5)}),
    "expert": ("expert", {9: ("supervised_9x9", 5), 15: ("supervised_15x15", 5)}),
    "alphago": ("alphago", {9: ("alphago_9x9", 5)}),
    "alphazero": (
        "alphazero",
        {6: ("alphazero_tiny/round_60", 4), 9: ("alphazero_9x9", 5), 15: ("alphazero_15x15", 5)},
    ),
}

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
to the working folder; those that begin with data/ are found in the course's repository, too.

From a name to a move: `parse` takes it apart, `with_files` finds what it plays with, `make` loads that and makes the
agent, which is asked for moves.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import shlex
import shutil
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mock5lib.base.contract import Recipe
from mock5lib.course import QUIET, course_file
from mock5lib.engines.gomocup import GomocupAgent
from mock5lib.go.gtp import GtpAgent
from mock5lib.gomoku.heuristics import Heuristic
from mock5lib.gomoku.heuristics_compiled import HEURISTICS
from mock5lib.search.agent import SearchAgent
from mock5lib.search.expert import constant_value
from mock5lib.search.uct_compiled import FastUCT


class Spec(NamedTuple):
    """The parts of an agent's name."""

    text: str
    kind: str
    argument: str
    simulations: int | None
    options: dict


class Kind(NamedTuple):
    """How agents of one kind are written, which options they take (None: any), and what they play with."""

    example: str
    options: tuple[str, ...] | None = ()
    simulations: int | None = None  # the default; None where `@…` makes no sense
    on_disk: bool = False  # whether the argument is a path that must be there


SEARCH = ("c", "fpu", "forced_moves", "rule", "leaves", "virtual_loss", "temperature", "keep_tree", "nodes")
SEARCH += ("considered", "gumbel_scale", "value")
ALPHAGO = ("lambda_value", "depth", "rollout_limit", "c", "rollouts", "leaves", "virtual_loss")
ALPHAGO += ("resign", "temperature", "policy", "fast", "value", "keep_tree")
AGENT_KINDS = {
    **{name: Kind(name) for name in HEURISTICS},
    "uct": Kind("uct:1000", ("c", "final", "playouts", "keep_tree")),
    "policy": Kind("policy:data/…", ("temperature",), on_disk=True),
    "expert": Kind("expert:data/…@64", SEARCH, 64, on_disk=True),
    "alphazero": Kind("alphazero:data/…@200", SEARCH, 200, on_disk=True),
    "alphago": Kind("alphago:data/…@200", ALPHAGO, 200, on_disk=True),
    "engine": Kind("engine:/path arguments", None),
    "gtp": Kind("gtp:gnugo --mode gtp --level 1", ("seconds", "memory")),
}
SHIPPED = {  # short name → kind, and {side of the board: (the course's checkpoint, in a row to win)}
    "supervised": ("policy", {9: ("supervised_9x9", 5), 15: ("supervised_15x15", 5)}),
    "reinforced": ("policy", {9: ("reinforced_9x9", 5)}),
    "expert": ("expert", {9: ("supervised_9x9", 5), 15: ("supervised_15x15", 5)}),
    "alphago": ("alphago", {9: ("alphago_9x9", 5)}),
    "alphazero": (
        "alphazero",
        {6: ("alphazero_tiny/round_60", 4), 9: ("alphazero_9x9", 5), 15: ("alphazero_15x15", 5)},
    ),
}


def agent(name: str, seed: int | None = None, *, side: int = 9, k: int = 5):
    """The agent of this name.

    Args:
        seed: of its random numbers; None for others each time.
        side, k: of the game that it is for: which of the course's nets a short name stands for.

    Raises:
        ValueError: no such name (it lists near ones), a setting out of its range, or no net for this k.
        FileNotFoundError: no such file, folder or program (it lists near ones).
    """
    return recipe(name, side=side, k=k).make(seed)


def recipe(name: str, label: str | None = None, *, side: int = 9, k: int = 5) -> Recipe:
    """The recipe of the agent of this name, for matches with workers or limits; raises as `agent` does.

    Args:
        label: what to call it in results; default: the name.
    """
    spec = with_files(parse(name, side, k))
    return Recipe(label or spec.text, partial(make, spec, label or spec.text))


def parse(name: str, side: int = 9, k: int = 5) -> Spec:
    """The parts of a name, for a board of this side; nothing is looked for or loaded. Raises ValueErrors as `agent`."""
    text = whole_name(name.strip(), side, k)
    head, colon, argument = text.partition(":")
    kind, *pieces = head.split(",")
    if kind == "mcts":  # as kept configs call UCT that searches afresh before each move
        kind, pieces = "uct", [*pieces, "keep_tree=false"]
    if kind not in AGENT_KINDS:
        raise ValueError(unknown(kind, bool(colon)))
    known, simulations = AGENT_KINDS[kind], AGENT_KINDS[kind].simulations
    options = dict(option(piece, kind, known.options) for piece in pieces)
    if simulations is not None and (found := re.search(r"@(\d+)$", argument)):
        argument, simulations = argument[: found.start()], int(found[1])
        if simulations < 1:
            raise ValueError(f"{text}: a search has at least 1 simulation.")
    if bool(colon and argument) != (":" in known.example):
        raise ValueError(f"{text!r} is not how this agent is written; write it like {known.example}")
    return Spec(text, kind, argument, simulations, options)


def whole_name(name: str, side: int, k: int) -> str:
    """A short name as that of the course's net that learnt this game on the nearest board; others as they are."""
    head, at, simulations = name.partition("@")
    short, *options = head.split(",")
    if short not in SHIPPED or ":" in head:
        return name
    kind, nets = SHIPPED[short]
    if at and AGENT_KINDS[kind].simulations is None:
        raise ValueError(f"{name}: {short} is a net without a search; write it like {short}")
    if at and not simulations.isdecimal():
        raise ValueError(f"{name}: the number of simulations per move stands after the @, as in {short}@64")
    fitting = {size: checkpoint for size, (checkpoint, row) in nets.items() if row == k}
    if not fitting:
        has = " and ".join(sorted({str(row) for _, row in nets.values()}))
        raise ValueError(f"The course's {short} plays {has} in a row, not {k}. `mock5 agents` lists who plays what.")
    nearest = min(fitting, key=lambda size: (abs(size - side), size))
    return ",".join([kind, *options]) + f":data/checkpoints/{fitting[nearest]}{at}{simulations}"


def option(piece: str, kind: str, known: tuple[str, ...] | None) -> tuple[str, object]:
    """One `key=value`: numbers and true or false as such, anything else as text."""
    key, equals, value = piece.partition("=")
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
    examples = {one: known.example for one, known in AGENT_KINDS.items()}
    examples |= {} if with_path else {short: short for short in SHIPPED}
    near = difflib.get_close_matches(kind, examples, n=3, cutoff=0.6)
    meant = " or ".join(examples[one] for one in near)
    hint = f"Did you mean {meant}?" if near else "There are greedy, uct:1000 and alphazero@64, for example."
    return f"There is no agent {kind!r}. {hint} `mock5 agents` lists all."


def with_files(spec: Spec) -> Spec:
    """The same with the path of its files as it is from here. FileNotFoundError if they, or a program, are missing."""
    if spec.kind in ("engine", "gtp") and shutil.which(program := shlex.split(spec.argument)[0]) is None:
        raise FileNotFoundError(f"{program}: there is no such program here.")
    path = Path(spec.argument)
    if not AGENT_KINDS[spec.kind].on_disk or path.exists():
        return spec
    if path.parts[0] != "data":
        raise FileNotFoundError(missing(path))
    try:
        return spec._replace(argument=course_file(spec.argument).as_posix())
    except FileNotFoundError:
        raise FileNotFoundError(missing(path)) from None


def missing(path: Path) -> str:
    """What to say of a path that is not there: near ones in the last folder that is."""
    folder, wanted = path, ""
    while not folder.is_dir() and folder != folder.parent:
        folder, wanted = folder.parent, folder.name
    there = sorted(one.name for one in folder.iterdir() if not one.name.startswith(".")) if folder.is_dir() else []
    near = difflib.get_close_matches(wanted, there, n=3, cutoff=0.4) or there[:8]
    return f"{path}: there is no such file or folder. In {folder} there is {', '.join(near) or 'nothing'}."


def fingerprint(name: str, *, side: int = 9) -> str:
    """Twelve digits that change when an agent's files do; empty for an agent without files."""
    spec = with_files(parse(name, side))
    path, digest = Path(spec.argument), hashlib.sha256()
    if not AGENT_KINDS[spec.kind].on_disk:
        return ""
    files = sorted(path.glob("*.safetensors")) if path.is_dir() else [path]
    if spec.kind == "alphago":
        nets = {"policy": "strong.keras", "fast": "fast.keras", "value": "value.keras"} | spec.options
        files = [path / str(nets[name]) for name in ("policy", "fast", "value")]
    for file in files:
        if file.is_file():
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def make(spec: Spec, name: str, seed: int | None):
    """The agent of these parts, which calls itself by this name. Imports torch or TensorFlow only where it must."""
    options = dict(spec.options)
    if spec.kind == "alphago" or spec.argument.endswith(".keras"):  # no banner, and the same sums on each machine
        for variable in ("TF_CPP_MIN_LOG_LEVEL", "TF_ENABLE_ONEDNN_OPTS"):
            os.environ.setdefault(variable, QUIET[variable])
    match spec.kind:
        case "uct" if spec.argument.isdecimal():
            made = FastUCT(int(spec.argument), seed=seed, **options)
        case "uct":
            seconds = re.fullmatch(r"(\d+(?:\.\d+)?)s", spec.argument)
            if not seconds:
                text = f"{spec.text}: uct takes a number of simulations, or of seconds with an s, like uct:0.5s."
                raise ValueError(text)
            made = FastUCT(None, float(seconds[1]), seed=seed, **options)
        case "policy" if spec.argument.endswith(".keras"):
            from mock5lib.alphago.games import NetPlayer
            from mock5lib.alphago.nets import load_net

            made = NetPlayer(load_net(spec.argument), options.get("temperature", 0.0), seed)
        case "policy":
            from mock5lib.nets.checkpoints import load_agent

            made = load_agent(spec.argument, seed=seed, **options)
        case "expert" | "alphazero":
            from mock5lib.nets.checkpoints import load_checkpoint
            from mock5lib.nets.nets import expert_of

            loaded, value = load_checkpoint(spec.argument), options.pop("value", None)
            expert = expert_of(loaded.net, encoder=loaded.encoder)
            expert = expert if value is None else constant_value(expert, value)
            made = SearchAgent(expert, spec.simulations, seed=seed, **{"forced_moves": True} | options)
        case "alphago":
            from mock5lib.alphago.train import load_alphago

            options = {key: None if value == "none" else value for key, value in options.items()}
            made = load_alphago(spec.argument, simulations=spec.simulations, seed=seed, **options)
        case "engine":
            limits = {"start_seconds": options.pop("start")} if "start" in options else {}
            limits |= {key: options.pop(key) for key in ("seconds", "tolerance", "memory") if key in options}
            made = GomocupAgent(shlex.split(spec.argument), info=options, **limits)
        case "gtp":
            made = GtpAgent(shlex.split(spec.argument), **options, seed=seed)
        case _:
            made = Heuristic(spec.kind, seed)
    made.name = name
    return made

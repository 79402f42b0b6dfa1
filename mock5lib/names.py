"""An agent by its name, the same in matches, ladders, the command line and worker processes.

    random, greedy, defensive, pt, df, mixed    the heuristics
    uct:1000, uct:0.5s                          UCT with so many simulations, or seconds, a move; also mcts:1000
    policy:data/checkpoints/…                   a net's most probable move; a Keras net by its file
    expert:data/checkpoints/…@64                a net with 64 simulations of PUCT a move
    alphazero:data/checkpoints/…@200            the same, for a net that learned by self-play
    alphazero,value=0:data/checkpoints/…@200    its value head's answer replaced by 0: the policy alone leads the search
    alphago:data/checkpoints/…@200              AlphaGo's three nets and its search
    my_agent.py:Center                          an agent of your own: a function or a class in a file, which is run
    engine:/path/to/engine arguments            a foreign engine that speaks the Gomocup protocol
    gtp:gnugo --mode gtp --level 1              a foreign Go program that speaks GTP; the package `mock5go` brings it
    supervised, reinforced                      the course's own nets, those that fit the board
    expert@64, alphago@64, alphazero@200        and searches with them

Options stand before the colon: `uct,c=0.5:1000`, `policy,temperature=1:data/…`, `alphago,lambda_value=0:data/…@200`,
`engine,seconds=2,start=5,MAX_NODE=1000:/path`, where `start` are the seconds it has to answer START. Paths are relative
to the working folder; those that begin with data/ are found in the course's repository, too.

From a name to a move: `parse` takes it apart, `with_files` finds what it plays with, `make` loads that and makes the
agent, which is asked for moves.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib.util
import inspect
import math
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import Field, dataclass, fields
from functools import partial
from pathlib import Path
from typing import NamedTuple

from mock5lib.base.arguments import in_words, read_setting, setting, whole
from mock5lib.base.contract import Recipe, agent_name
from mock5lib.base.plugins import AGENTS, brought
from mock5lib.base.runs import CARD, instead_of
from mock5lib.course import QUIET, found_path
from mock5lib.engines.gomocup import GomocupAgent
from mock5lib.gomoku.heuristics import Heuristic
from mock5lib.gomoku.heuristics_compiled import HEURISTICS
from mock5lib.search.agent import SearchAgent
from mock5lib.search.expert import constant_value
from mock5lib.search.trees_compiled import Options
from mock5lib.search.uct import UCTOptions
from mock5lib.search.uct_compiled import MAX_PLAYOUTS, FastUCT

MOST_SIMULATIONS = 1_000_000  # a move by name: a tree's memory is bounded by them
MOST_SECONDS = 100_000  # a move: a day and more
RUN = ("best", "last")  # the checkpoints of a run's folder, in the order in which they are wanted


class Spec(NamedTuple):
    """The parts of an agent's name."""

    text: str
    kind: str
    argument: str
    simulations: int | None
    options: dict


class Kind(NamedTuple):
    """How agents of one kind are written, which options they take (None: any), and what they play with.

    A package beside this one brings further kinds, see `base.plugins`: of foreign programs.
    """

    example: str
    options: dict[str, Field] | None = {}
    simulations: int | None = None  # the default; None where `@…` makes no sense
    on_disk: bool = False  # whether the argument is a path that must be there
    program: Callable | None = None  # of a foreign program: (its words, seed=…, **options) → agent


@dataclass(frozen=True)
class PolicyOptions:
    """Of a net without search."""

    temperature: float = setting(
        0.0, "0 plays the most probable move; above 0, moves are drawn.", at_least=0, at_most=math.inf
    )


@dataclass(frozen=True)
class SearchOptions:
    """Of a search with a net, beside those of `Options`."""

    temperature: float = setting(
        0.0, "0 plays the best move; above 0, moves are drawn by visits.", at_least=0, at_most=math.inf
    )
    keep_tree: bool = setting(True, "Keep the tree between moves.")
    nodes: int | None = setting(None, "In a tree; default: room for three searches.", at_least=2, at_most=10**7)
    value: float | None = setting(None, "The value head's answer is replaced by it.", at_least=-1, at_most=1)


@dataclass(frozen=True)
class AlphaGoOptions:
    """Of AlphaGo's search, see `alphago.search.AlphaGo`."""

    lambda_value: float = setting(0.5, "λ: 0 is the value net alone, 1 rollouts alone.", at_least=0, at_most=1)
    depth: int = setting(50, "Of the tree, in plies.", at_least=1, at_most=10_000)
    rollout_limit: int = setting(100, "Moves after which a rollout counts as a draw.", at_least=0, at_most=10_000)
    c: float = setting(5.0, "Weight of the exploration term.", at_least=0)
    rollouts: int = setting(1, "From each leaf.", at_least=1, at_most=10_000)
    leaves: int = setting(8, "That a tree gathers for one batch.", at_least=1, at_most=10_000)
    virtual_loss: float = setting(1.0, "How much a waiting leaf counts as lost.", at_least=0)
    resign: float | None = setting(None, "Give up where the best Q is below this.", at_least=-1, at_most=1)
    temperature: float = setting(
        0.0, "0 plays the best move; above 0, moves are drawn by visits.", at_least=0, at_most=math.inf
    )
    policy: str = setting("strong.keras", "File of the strong policy.")
    fast: str | None = setting("fast.keras", "File of the fast policy; none for λ = 0.")
    value: str | None = setting("value.keras", "File of the value net; none for λ = 1.")
    keep_tree: bool = setting(True, "Keep the tree between moves.")


@dataclass(frozen=True)
class ProgramOptions:
    """Of a foreign program. An engine takes further ones, which it is told as INFO."""

    seconds: float = setting(5.0, "For a move.", above=0)
    memory: int | None = setting(None, "Bytes it may use.", at_least=1)
    tolerance: float = setting(1.0, "Seconds more, after which it has lost.", at_least=0)
    start: float = setting(20.0, "Seconds to answer START.", above=0)


def options_of(kind: type, only: str = "") -> dict[str, Field]:
    """The declared fields of a dataclass by name, or some of them."""
    return {one.name: one for one in fields(kind) if not only or one.name in only.split()}


def engine_of(command: list[str], seed: int | None = None, **options) -> GomocupAgent:
    """The agent of a foreign engine; options that are none of `ProgramOptions` are told to it as INFO."""
    limits = {key: options.pop(key) for key in options_of(ProgramOptions) if key in options}
    limits |= {"start_seconds": limits.pop("start")} if "start" in limits else {}
    return GomocupAgent(command, info=options, **limits)


SEARCH = options_of(Options, "c fpu forced_moves rule leaves virtual_loss considered gumbel_scale")
SEARCH |= options_of(SearchOptions)
AGENT_KINDS = {
    **{name: Kind(name) for name in HEURISTICS},
    "uct": Kind("uct:1000", options_of(UCTOptions)),
    "policy": Kind("policy:data/…", options_of(PolicyOptions), on_disk=True),
    "expert": Kind("expert:data/…@64", SEARCH, 64, on_disk=True),
    "alphazero": Kind("alphazero:data/…@200", SEARCH, 200, on_disk=True),
    "alphago": Kind("alphago:data/…@200", options_of(AlphaGoOptions), 200, on_disk=True),
    "engine": Kind("engine:/path arguments", None, program=engine_of),
    "file": Kind("my_agent.py:Center", {}, on_disk=True),
}
OLD_KINDS = {"mcts": ("uct", {"keep_tree": False})}  # as kept configs call UCT that searches afresh before each move
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


def kind_named(word: str) -> Kind | None:
    """The kind of agents of this word: ours, or one that an installed package brings."""
    if word not in AGENT_KINDS and word in brought(AGENTS):
        AGENT_KINDS[word] = brought(AGENTS)[word].load()
    return AGENT_KINDS.get(word)


def agent(name: str, seed: int | None = None, *, side: int = 9, k: int = 5):
    """The agent of this name.

    Args:
        seed: of its random numbers; None for others each time.
        side, k: of the game that it is for: which of the course's nets a short name stands for.

    Raises:
        ValueError, TypeError: no such name (it lists near ones), an option that there is not or that is out of its
            range, or no net for this k.
        FileNotFoundError: no such file, folder or program (it lists near ones).
    """
    return recipe(name, side=side, k=k).make(seed)


def recipe(name: str, label: str | None = None, *, side: int = 9, k: int = 5) -> Recipe:
    """The recipe of the agent of this name, for matches with workers or limits; raises as `agent` does.

    Args:
        label: what to call it in results; default: the name.
    """
    spec = with_files(parse(name, side, k))
    return Recipe(label or spec.text, partial(make, spec, label or spec.text), print_of(spec))


def parse(name: str, side: int = 9, k: int = 5) -> Spec:
    """The parts of a name, for a board of this side; nothing is looked for or loaded. Raises ValueErrors as `agent`."""
    if not isinstance(name, str):
        raise TypeError(f"An agent's name is a text such as 'uct:1000', got {name!r}.")
    whole("side", side, 1)
    whole("k", k, 1)
    text = whole_name(name.strip(), side, k)
    if is_program(text):
        return Spec(text, "file", text, None, {})
    head, colon, argument = text.partition(":")
    kind, *pieces = head.split(",")
    kind, preset = OLD_KINDS.get(kind, (kind, {}))
    known = kind_named(kind)
    if known is None:
        raise ValueError(unknown(kind, bool(colon)))
    simulations = known.simulations
    given = [option(piece, kind, text) for piece in pieces]
    options = preset | dict(given)
    if len(dict(given)) < len(given):
        raise ValueError(f"{text}: each option is given once.")
    if simulations is not None and (found := re.search(r"@(\d+)$", argument)):
        argument, simulations = argument[: found.start()], int(found[1])
        if not 1 <= simulations <= MOST_SIMULATIONS:
            raise ValueError(f"{text}: a search has 1 to {MOST_SIMULATIONS:,} simulations a move.")
    if bool(colon and argument) != (":" in known.example) or kind == "file":
        raise ValueError(f"{text!r} is not how this agent is written; write it like {known.example}")
    if kind == "uct":
        uct_budget(text, argument)
    if known.program:
        words_of(argument)
    return Spec(text, kind, argument, simulations, options)


def whole_name(name: str, side: int, k: int) -> str:
    """A short name as that of the course's net that learned this game on the nearest board; others as they are."""
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


def is_program(name: str) -> bool:
    """Whether a name stands for an agent in a Python file, which is run."""
    return bool(re.search(r"\.py:\w+$", name.strip()))


def option(piece: str, kind: str, text: str) -> tuple[str, object]:
    """One `key=value` of an agent's name, judged by what its kind declares; what an engine is told stays as it is."""
    key, equals, value = piece.partition("=")
    if not equals or not key:
        raise ValueError(f"{text}: an option of an agent is written key=value, got {piece!r}.")
    known = AGENT_KINDS[kind].options
    if known is None:
        known = options_of(ProgramOptions)
        if key not in known:
            return key, value
    if key not in known:
        raise ValueError(f"{text}: {kind} has no option {key!r}; it has {', '.join(known) or 'none'}.")
    try:
        return key, read_setting(known[key], value)
    except (TypeError, ValueError):
        raise ValueError(f"{text}: {key} must be {in_words(known[key])}, got {value!r}.") from None


def uct_budget(text: str, argument: str) -> tuple[int | None, float | None]:
    """(simulations, seconds), of which one is None, for what stands after `uct:`."""
    seconds = re.fullmatch(r"(\d+(?:\.\d+)?)s", argument)
    if seconds and 0 < float(seconds[1]) <= MOST_SECONDS:
        return None, float(seconds[1])
    if seconds:
        raise ValueError(f"{text}: uct takes seconds above 0, and at most {MOST_SECONDS:,}.")
    if not argument.isdecimal():
        raise ValueError(f"{text}: uct takes a number of simulations, or of seconds with an s, like uct:0.5s.")
    if not 1 <= int(argument) <= MAX_PLAYOUTS:
        raise ValueError(f"{text}: uct takes 1 to {MAX_PLAYOUTS:,} simulations a move.")
    return int(argument), None


def words_of(command: str) -> list[str]:
    """A program and its arguments, as a shell reads them."""
    try:
        return shlex.split(command)
    except ValueError as problem:
        raise ValueError(f"{command!r}: can't be read as a command ({problem}).") from None


def unknown(kind: str, with_path: bool) -> str:
    """What to say of an unknown kind: the near ones, and where all are listed."""
    if kind.lower().endswith(".py"):
        written = " or ".join(f"{kind}:{name}" for name in defined_in(Path(kind))[:3] or ["NAME"])
        return f"An agent in a file is written like {written}, with the name of a function or class in it, no options."
    place = Path(kind.partition("@")[0])
    if (place.parts[:1] == ("runs",) and place.parts[1:]) or any((place / one / CARD).exists() for one in ("", *RUN)):
        net = place if (place / CARD).exists() or place.name in RUN else place / RUN[-1]
        return f"There is no agent {kind!r}. A net of yours is written alphazero:{net.as_posix()}@64."
    if found := defined_in(Path(f"{kind}.py")):
        return f"There is no agent {kind!r}. Did you mean {' or '.join(f'{kind}.py:{name}' for name in found[:3])}?"
    examples = {one: kind_named(one).example for one in [*AGENT_KINDS, *brought(AGENTS)]}
    examples |= {} if with_path else {short: short for short in SHIPPED}
    near = difflib.get_close_matches(kind, examples, n=3, cutoff=0.6)
    meant = " or ".join(examples[one] for one in near)
    hint = f"Did you mean {meant}?" if near else "There are greedy, uct:1000 and alphazero@64, for example."
    return f"There is no agent {kind!r}. {hint} `mock5 agents` lists all."


def defined_in(file: Path) -> list[str]:
    """The functions and classes of a Python file, which is not run for it; none if it can't be read."""
    try:
        found = ast.parse(file.read_bytes()).body
    except (OSError, ValueError, SyntaxError):
        return []
    names = [one.name for one in found if isinstance(one, (ast.FunctionDef, ast.ClassDef))]
    return [name for name in names if not name.startswith("_")]


def with_files(spec: Spec) -> Spec:
    """The same with the path of its files as it is from here. FileNotFoundError if they, or a program, are missing."""
    if AGENT_KINDS[spec.kind].program and shutil.which(program := words_of(spec.argument)[0]) is None:
        raise FileNotFoundError(f"{program}: there is no such program here.")
    if spec.kind == "file":
        file, _, name = spec.argument.rpartition(":")
        if not Path(file).is_file():
            raise FileNotFoundError(missing(Path(file)))
        return spec._replace(argument=f"{Path(file).resolve()}:{name}")
    path = Path(spec.argument)
    if not AGENT_KINDS[spec.kind].on_disk:
        return spec
    path = found_path(path)
    if path.exists():
        within = [path / name for name in RUN if not (path / CARD).exists() and (path / name / CARD).exists()]
        return spec._replace(argument=(within or [path])[0].as_posix())
    raise FileNotFoundError(missing(path))


def missing(path: Path) -> str:
    """What to say of a path that is not there: near ones in the last folder that is, or how a run comes to be."""
    folder, wanted = path, ""
    while not folder.is_dir() and folder != folder.parent:
        folder, wanted = folder.parent, folder.name
    if path.is_symlink():
        return f"{path}: is a link to what is not there."
    if path.is_dir() and path.suffix == ".py":
        return f"{path}: is a folder; an agent is in a file, written like my_agent.py:Center."
    there = sorted(one.name for one in folder.iterdir() if not one.name.startswith(".")) if folder.is_dir() else []
    if instead := instead_of(path):
        return f"{path}: there is no such file or folder. {instead}"
    near = difflib.get_close_matches(wanted, there, n=3)
    hint = f" In {'this folder' if folder == Path() else folder} there is {', '.join(near)}." if near else ""
    if not near and path.parts[:1] == ("runs",) and path.parts[1:]:
        hint = f" Train it first: mock5 train alphazero {Path(*path.parts[:2]).as_posix()} --preset laptop --minutes 13"
    return f"{path}: there is no such file or folder.{hint}"


def fingerprint(name: str, *, side: int = 9, k: int = 5) -> str:
    """What tells whether an agent is still the same, see `print_of`."""
    return print_of(with_files(parse(name, side, k)))


def print_of(spec: Spec) -> str:
    """An agent's whole print: kind, options, simulations, and twelve digits that change when its files do."""
    options = "".join(f",{key}={value}" for key, value in sorted(spec.options.items()))
    simulations = "" if spec.simulations is None else f"@{spec.simulations}"
    if not AGENT_KINDS[spec.kind].on_disk:
        argument = f":{spec.argument}" if spec.argument else ""
        return spec.kind + options + argument
    digest = hashlib.sha256()
    for file in files_of(spec):
        if file.is_file():
            digest.update(file.name.encode() + file.read_bytes())
    name = f":{spec.argument.rpartition(':')[2]}" if spec.kind == "file" else ""
    return f"{spec.kind}{name}{options}{simulations} {digest.hexdigest()[:12]}"


def files_of(spec: Spec) -> list[Path]:
    """The files that an agent plays with."""
    path = Path(spec.argument)
    if spec.kind == "file":
        return with_neighbors(Path(spec.argument.rpartition(":")[0]))
    if spec.kind == "alphago":
        names = {one: options_of(AlphaGoOptions)[one].default for one in ("policy", "fast", "value")} | spec.options
        return [path / names[one] for one in ("policy", "fast", "value") if names[one] is not None]
    return sorted(path.glob("*.safetensors")) if path.is_dir() else [path]


def with_neighbors(file: Path) -> list[Path]:
    """A Python file, and those beside it that it imports, directly or not."""
    found, waiting = set(), [file.absolute()]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        for base, name in imports_of(path):
            parts = name.split(".")
            for place in (base.joinpath(*parts[:depth]) for depth in range(1, len(parts) + 1)):
                waiting += [place.with_name(f"{place.name}.py"), place / "__init__.py"]
    return sorted(found)


def imports_of(path: Path) -> list[tuple[Path, str]]:
    """(folder, dotted name) of what a Python file may import from its neighbors; none if it can't be read as Python."""
    top, found = path.parent, []
    while (top / "__init__.py").is_file():
        top = top.parent
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError):
        return []  # it can't be run either
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(place, one.name) for one in node.names for place in {path.parent, top}]
        elif isinstance(node, ast.ImportFrom):
            begins = [f"{node.module}.{one.name}" if node.module else one.name for one in node.names]
            places = path.parents[node.level - 1 : node.level] if node.level else {path.parent, top}
            found += [(place, name) for name in begins for place in places]
    return found


def from_file(argument: str, seed: int | None):
    """The agent that a name stands for in a Python file, which is run: a class is called, with a seed if it takes one.

    Raises:
        ValueError: the file can't be run, has no such name, or what the name stands for is no agent.
    """
    file, _, name = argument.rpartition(":")
    path = Path(file)
    module_name = f"agent_in_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    module = sys.modules.get(module_name)
    if module is None:
        found = importlib.util.spec_from_file_location(module_name, path)
        module = sys.modules[module_name] = importlib.util.module_from_spec(found)
        sys.path.insert(0, str(path.parent))  # so that it can import what stands beside it
        before = set(sys.modules)
        try:
            found.loader.exec_module(module)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - it is the reader's program, and may raise anything
            del sys.modules[module_name]
            raise ValueError(f"{path.name} can't be run: {type(problem).__name__}: {problem}") from problem
        finally:
            sys.path.remove(str(path.parent))
            for other in set(sys.modules) - before - {module_name}:  # another folder may have a file of the same name
                beside = getattr(sys.modules[other], "__file__", None) or ""
                if Path(beside).parent == path.parent:
                    del sys.modules[other]
    made = vars(module).get(name)
    if made is None:
        raise ValueError(f"{path.name} has no {name}; it has {', '.join(agents_in(module)) or 'no agent'}.")
    if isinstance(made, type):
        try:
            takes_seed = "seed" in inspect.signature(made).parameters
            made = made(seed=seed) if takes_seed else made()
        except (Exception, SystemExit) as problem:  # noqa: BLE001
            raise ValueError(f"{path.name}: {name} can't be made: {type(problem).__name__}: {problem}") from problem
    if not callable(made):
        raise ValueError(f"{path.name}: {name} is no agent, which is a function from a game to a move.")
    check_plain(made)
    return made


def check_plain(agent) -> None:
    """A TypeError if an agent is a function that a call only prepares: an `async` one, or one that has a `yield`."""
    asked = agent if inspect.isroutine(agent) else inspect.getattr_static(agent, "__call__", None)
    if inspect.iscoroutinefunction(asked) or inspect.isgeneratorfunction(asked) or inspect.isasyncgenfunction(asked):
        has = "yield" if inspect.isgeneratorfunction(asked) else "async"
        raise TypeError(f"{agent_name(agent)} is no agent: it has `{has}`, and a plain function returns its move.")


def agents_in(module) -> list[str]:
    """The names of a module that may be agents: its own functions and classes."""
    own = [name for name, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__]
    return [name for name in own if callable(getattr(module, name)) and not name.startswith("_")]


def make(spec: Spec, name: str, seed: int | None):
    """The agent of these parts, which calls itself by this name. Imports torch or TensorFlow only where it must."""
    options = dict(spec.options)
    if spec.kind == "alphago" or spec.argument.endswith(".keras"):  # no banner, and the same sums on each machine
        for variable in ("TF_CPP_MIN_LOG_LEVEL", "TF_ENABLE_ONEDNN_OPTS"):
            os.environ.setdefault(variable, QUIET[variable])
    match spec.kind:
        case "uct":
            simulations, seconds = uct_budget(spec.text, spec.argument)
            made = FastUCT(simulations, seconds=seconds, seed=seed, **options)
        case "file":
            made = from_file(spec.argument, seed)
        case "policy" if spec.argument.endswith(".keras"):
            from mock5lib.alphago.games import NetPlayer
            from mock5lib.alphago.nets import kind_of, load_net

            net = load_net(spec.argument)
            if kind_of(net) == "value_net":
                raise ValueError(f"{spec.argument}: expected a policy, this is 'value_net'.")
            made = NetPlayer(net, options.get("temperature", 0.0), seed)
        case "policy":
            from mock5lib.nets.checkpoints import load_agent

            made = load_agent(spec.argument, seed=seed, **options)
        case "expert" | "alphazero":
            from mock5lib.nets.checkpoints import load_checkpoint
            from mock5lib.nets.nets import expert_of

            loaded, value = load_checkpoint(spec.argument), options.pop("value", None)
            expert = expert_of(loaded.net, encoder=loaded.encoder)
            expert = expert if value is None else constant_value(expert, value)
            made = SearchAgent(expert, spec.simulations, seed=seed, **{"forced_moves": None} | options)
            made.learned = loaded.card.get("board") or {}
        case "alphago":
            from mock5lib.alphago.train import load_alphago

            made = load_alphago(spec.argument, simulations=spec.simulations, seed=seed, **options)
        case _ if program := kind_named(spec.kind).program:
            made = program(shlex.split(spec.argument), seed=seed, **options)
        case _:
            made = Heuristic(spec.kind, seed)
    return named(made, name)


def named(agent, name: str):
    """An agent that calls itself by this name; one that can't be told its name is wrapped."""
    try:
        agent.name = name
    except AttributeError:  # a bound method or a builtin
        agent = partial(agent)
        agent.name = name
    return agent

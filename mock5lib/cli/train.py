"""`mock5 train …`: a net from records, by REINFORCE, as AlphaGo's three or by self-play; `mock5 report` and `prove`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from mock5lib.alphago.settings import AlphaGoSettings
from mock5lib.base.arguments import check_settings, setting, whole
from mock5lib.base.runs import KEEP_EVERY
from mock5lib.cli.common import (
    MAX_THREADS,
    MAX_WORKERS,
    NOTHING,
    Device,
    GameFile,
    Quiet,
    RecordsBoard,
    RecordsExact,
    RecordsK,
    Seed,
    Threads,
    options_of,
    plain_errors,
    read_records,
    recipe_for,
    start_of,
)
from mock5lib.course import keep_freed_memory
from mock5lib.learn.settings import ReinforceSettings, TrainSettings

app = typer.Typer(no_args_is_help=True, help="Train a net.")


@app.command()
@options_of(TrainSettings, steps=6000)
def supervised(
    records: Annotated[Path, typer.Argument(help="Game records: .npz, .bin, .psq or .sgf.")],
    out: Annotated[Path, typer.Argument(help="Folder for the checkpoint.")],
    net: Annotated[str, typer.Option(help="linear, hidden, stack, patterns, residual or expert.")] = "patterns",
    value: Annotated[bool, typer.Option("--value", help="A second head, for the outcome.")] = False,
    start: Annotated[Path | None, typer.Option(help="Go on from this checkpoint; its net counts, not --net.")] = None,
    split: Annotated[float, typer.Option(help="Share of the games held out.")] = 0.1,
    board: RecordsBoard = None,
    k: RecordsK = None,
    exact: RecordsExact = False,
    device: Device = "cpu",
    threads: Threads = 1,
    quiet: Quiet = False,
    *,
    settings: TrainSettings,
) -> None:
    """Train a net to predict the moves of records, and the outcomes with --value.

    \b
    Chapter 2's net, and one with two heads, for a search
      mock5 train supervised data/records/mixed_9x9.npz runs/copy
      mock5 train supervised data/records/mixed_9x9.npz runs/expert --value
    """
    with plain_errors(f"Nothing was written to {out}; the same command starts again.") as held:
        import torch

        from mock5lib.base.files import Lock
        from mock5lib.learn import train
        from mock5lib.nets import make_net, save_checkpoint
        from mock5lib.nets.checkpoints import check_place, net_to_go_on
        from mock5lib.nets.nets import device_named

        check_place(out)  # now, not after hours
        held.enter_context(Lock(out, whole=True))
        torch.set_num_threads(threads)
        keep_freed_memory()
        device = device_named(device, typer.echo)
        games = read_records(records, board, k, exact)
        if not hasattr(games, "k"):
            raise ValueError(f"{records}: holds games of {games.rule_text}; this command trains nets for k in a row.")
        learn_from, held_out = games.split(split, settings.seed)
        fitted = net_to_go_on(start, games.blank) if start else make_net(net, value=value, seed=settings.seed)
        run = train(fitted.to(device), learn_from, held_out, progress=not quiet, **asdict(settings))
        save_checkpoint(
            out,
            fitted,
            height=games.height,
            width=games.width,
            k=games.k,
            exact=games.exact,
            training={"supervised": run.settings, "start": str(start) if start else None},
            score={"top1": run.best.top1, "log_loss": run.best.log_loss},
        )
        typer.echo(f"{out}: {settings.steps} steps; on {len(held_out)} held-out games {run.best}")


@app.command()
@options_of(
    ReinforceSettings, iterations=400, lr=0.006, discount=0.97, entropy=0.003, opening_plies=6, evaluate_every=50
)
def reinforce(
    start: Annotated[Path, typer.Argument(help="Checkpoint to start from.")],
    folder: Annotated[Path, typer.Argument(help="Folder of the run; one that was killed goes on from there.")],
    against: Annotated[
        list[str] | None, typer.Option(help="An agent by its name, or a checkpoint; repeatable.")
    ] = None,
    keep_every: Annotated[int, typer.Option(help="Iterations between checkpoints.", min=1)] = 25,
    device: Device = "cpu",
    threads: Threads = 1,
    quiet: Quiet = False,
    *,
    settings: ReinforceSettings,
) -> None:
    """Improve a net by playing against opponents, and keep metrics and checkpoints in FOLDER.

    \b
    Chapter 3's run, from the net of chapter 2
      mock5 train reinforce data/checkpoints/supervised_9x9 runs/reinforced
    """
    with plain_errors(kept_in(folder, keep_every)):
        import torch

        from mock5lib.game.board import Rules
        from mock5lib.learn.policy_gradient import reinforce as improve
        from mock5lib.nets import load_checkpoint
        from mock5lib.nets.nets import device_named

        torch.set_num_threads(threads)
        keep_freed_memory()
        loaded = load_checkpoint(start, device=device_named(device, typer.echo))
        if "game" in loaded.card["board"]:
            raise ValueError(f"{start}: a net for {loaded.card['board']['game']}; REINFORCE is for k in a row.")
        rules = Rules(**loaded.card["board"])
        run = improve(
            loaded.net,
            [opponent(name) for name in against or ["mixed"]],
            settings,
            rules=rules,
            encoder=loaded.encoder,
            folder=folder,
            keep_every=keep_every,
            progress=not quiet,
            notes={"start": str(start)},
        )
        last = run.evaluations[-1] if run.evaluations else run.metrics[-1]
        typer.echo(f"{folder}: {len(run.metrics)} iterations, score {last['score']:.3f}, last checkpoint in the folder")


def opponent(name: str):
    """The agent of this name; the path of a checkpoint alone stands for its net, which draws its moves."""
    from mock5lib.game.board import Mock5
    from mock5lib.nets import load_agent

    return load_agent(name, temperature=1.0, seed=0) if Path(name).exists() else recipe_for(name, Mock5(9, 9)).make(0)


def kept_in(folder: Path, every: int) -> Callable[[], str]:
    """What Ctrl-C leaves of a run, in words, when it comes."""

    def said() -> str:
        if any(folder.glob("step-*")):
            return f"Checkpoints up to here are kept in {folder}; the same command goes on."
        if any(folder.glob("*.json")):
            return f"It was before the first checkpoint (every {every} rounds); the same command begins again."
        return NOTHING

    return said


USUAL = "fast,strong,reinforced,positions,value"


@app.command()
@options_of(AlphaGoSettings)
def alphago(
    records: Annotated[
        Path, typer.Argument(help="Game records of five in a row: .npz, .bin, .psq or .sgf; of Go: .npz or .sgf.")
    ],
    folder: Annotated[Path, typer.Argument(help="Where the nets go; stages whose file is there are passed over.")],
    settings: AlphaGoSettings,
    board: RecordsBoard = None,
    k: RecordsK = None,
    exact: RecordsExact = False,
    stages: Annotated[str, typer.Option(help="Which to run, with commas between.")] = USUAL,
    compare: Annotated[
        bool, typer.Option("--compare", help="The three comparisons, too: frozen, one_each, whole_games.")
    ] = False,
    seed: Seed = 0,
    threads: Annotated[int, typer.Option(help="CPU threads; results repeat exactly at 1.", min=1, max=MAX_THREADS)] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="One line a stage, none for each epoch.")] = False,
) -> None:
    """Train AlphaGo's nets from records and self-play: needs TensorFlow. Load them with `load_alphago(FOLDER)`.

    \b
    All five stages
      mock5 train alphago data/records/mixed_9x9.npz runs/alphago
    """

    def say(line: str) -> None:
        if not quiet or line.startswith(str(folder)):
            typer.echo(line)

    with plain_errors(f"The stages that are over are kept in {folder}; the same command goes on."):
        import numba

        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        os.environ["TF_NUM_INTRAOP_THREADS"] = os.environ["TF_NUM_INTEROP_THREADS"] = str(threads)
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        try:
            with no_stderr():
                from mock5lib.alphago.pipeline import COMPARISONS, train_alphago
        except ImportError as problem:
            raise ValueError(str(problem)) from None
        from mock5lib.base.progress import once, while_compiling

        asked = [stage.strip() for stage in stages.split(",") if stage.strip()] + list(COMPARISONS if compare else ())
        games = read_records(records, board, k, exact)
        with while_compiling(once(say)):
            train_alphago(folder, games, settings, stages=asked, seed=seed, say=say)


@contextmanager
def no_stderr():
    """TensorFlow's libraries write to file descriptor 2 while they load, whatever the log level."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


@dataclass(frozen=True)
class Running:
    """How long a run goes, who plays, and what is kept; see `alphazero.loop.alphazero`."""

    minutes: float | None = setting(None, "Wall time of playing and learning, in all.")
    iterations: int | None = setting(None, "In all, from the first; repeats exactly on a CPU.")
    cpu_seconds: float | None = setting(None, "Process time of playing and learning, in all.")
    keep_every: int = setting(KEEP_EVERY, "Iterations between checkpoints.", at_least=1)
    archive_every: int = setting(0, "Iterations between checkpoints that stay; 0: none.", at_least=0)
    device: str = setting("auto", "auto, cpu or cuda. auto takes a GPU if there is one.")
    workers: int | None = setting(None, "Processes that play while this one learns. Default: this one does both.")
    cluster: str | None = setting(None, "Ray cluster for the workers: HOST:PORT, auto or ray://HOST:PORT.")
    staleness: int | None = setting(None, "How many iterations old a net may be that plays. Default: 2 · workers − 1.")

    def __post_init__(self):
        check_settings(self)
        if self.workers is not None:
            whole("workers", self.workers, 1, MAX_WORKERS)


def list_fields(asked: bool) -> None:
    """Print what `--set` takes, and leave."""
    if asked:
        from mock5lib.alphazero.config import FIELDS, Config
        from mock5lib.base.arguments import in_words

        plain = Config()
        for name, one in FIELDS.items():
            typer.echo(f"{name}={getattr(plain, name)!r}".ljust(34) + f"{one.metadata['help']} ({in_words(one)})")
        raise typer.Exit()


@app.command()
@options_of(Running)
def alphazero(
    folder: Annotated[Path, typer.Argument(help="Folder of the run; one that was stopped or killed goes on.")],
    preset: Annotated[
        str | None,
        typer.Option(
            help="tiny (6 × 6, four in a row; the default), laptop (9 × 9), gpu (15 × 15), or own for a game of yours."
        ),
    ] = None,
    board: Annotated[int | None, typer.Option(help="Side of the board. Default: the preset's.")] = None,
    k: Annotated[int | None, typer.Option(help="In a row to win. Default: the preset's.")] = None,
    game: GameFile = None,
    start: Annotated[str | None, typer.Option(help="Checkpoint to begin with (warm start).")] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Equal seeds and --iterations give equal runs on one CPU thread, without --workers."),
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A field of the config, as name=value; repeatable. See --fields.")
    ] = None,
    fields_: Annotated[
        bool, typer.Option("--fields", help="List the config's fields.", is_eager=True, callback=list_fields)
    ] = False,
    threads: Annotated[
        int | None,
        typer.Option(help="CPU threads. Default: 1, where runs repeat; on CUDA all.", min=1, max=MAX_THREADS),
    ] = None,
    quiet: Quiet = False,
    *,
    settings: Running,
) -> None:
    """Train by self-play, and keep config, metrics, checkpoints and games in FOLDER.

    \b
    Four in a row on 6 × 6, in two minutes; 9 × 9, in a quarter of an hour
      mock5 train alphazero runs/small --minutes 2
      mock5 train alphazero runs/mine --preset laptop --minutes 13
    Settings of your own
      mock5 train alphazero runs/mine --board 9 --k 5 --set simulations=64
    Many computers
      mock5 train alphazero runs/mine --workers 8 --cluster 10.0.0.1:6379
    A game of your own
      mock5 train alphazero runs/own --game examples/reversi.py:Reversi
    """
    with plain_errors(kept_in(folder, settings.keep_every)):
        import numba
        import torch

        from mock5lib.alphazero import loop as az
        from mock5lib.base.progress import once, while_compiling
        from mock5lib.game.kit import bring

        threads = usual_threads(settings.device) if threads is None else threads
        torch.set_num_threads(threads)
        keep_freed_memory()
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        changes = {"height": board, "width": board, "k": k, "start": start, "seed": seed}
        if game is not None:
            changes |= bring(start_of(board, k, game))._asdict()
        changes = {name: value for name, value in changes.items() if value is not None} | parsed(set_ or [])
        config = az.preset(preset or ("own" if game else "tiny"), **changes)
        say = (lambda text: None) if quiet else typer.echo
        try:
            with while_compiling(once(say)):
                run = az.alphazero(config, folder=folder, log=None if quiet else typer.echo, **asdict(settings))
        except MemoryError as problem:
            raise ValueError(str(problem)) from None
        typer.echo(f"{folder}: {run.iteration} iterations, {run.buffer.games} games, {run.steps} steps.")
        typer.echo(f"Its net is {folder / 'last'}.")


def usual_threads(device: str) -> int:
    """CPU threads for self-play: 1 on a CPU, where runs then repeat exactly; on CUDA all, so that the trees keep up."""
    import numba
    import torch

    return numba.config.NUMBA_NUM_THREADS if device != "cpu" and torch.cuda.is_available() else 1


def parsed(settings: list[str]) -> dict:
    """name=value as config fields, see `read_field`."""
    from mock5lib.alphazero.config import read_field

    found = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign:
            raise ValueError(f"--set takes name=value, got {text!r}.")
        found[name] = read_field(name.strip(), value.strip())
    return found


def report(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    out: Annotated[Path | None, typer.Option(help="The file to write. Default: FOLDER/report.html.")] = None,
    game: GameFile = None,
) -> None:
    """Write one HTML page about a run of self-play: curves, strength, and a game before and after training.

    \b
    Here and in a file of another name
      mock5 report runs/mine
      mock5 report runs/mine --out mine.html
    """
    with plain_errors() as held:
        import matplotlib

        matplotlib.use("Agg")
        from mock5lib.alphazero.report import BEGINS, page_of_run
        from mock5lib.base.files import Lock, check_ours, write_whole
        from mock5lib.game.kit import bring

        if game is not None:
            bring(start_of(None, None, game))
        out = out or folder / "report.html"
        check_ours(out, BEGINS.encode(), "a report")
        held.enter_context(Lock(out, whole=True))
        text = page_of_run(folder)
        write_whole(out, text.encode())
        typer.echo(f"{out}: {len(text) / 1e6:.1f} MB. Open it in a browser.")


def prove(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    simulations: Annotated[int | None, typer.Option(help="A move. Default: as in the run's evaluations.")] = None,
    cap: Annotated[int, typer.Option(help="Positions after which to stop.", min=1)] = 200_000,
    threads: Threads = 1,
    quiet: Quiet = False,
) -> None:
    """Play a run's agent as first player against every defense. What came of it is kept in FOLDER/proof.json.

    \b
    A run of four in a row on 6 × 6; a larger board has too many defenses
      mock5 prove runs/small
    """
    with plain_errors() as held:
        import torch

        from mock5lib.alphazero.proof import prove as proved
        from mock5lib.alphazero.run_folder import read_config
        from mock5lib.base.files import Lock, write_whole
        from mock5lib.game.kit import NotBrought
        from mock5lib.nets import expert_of, load_checkpoint

        torch.set_num_threads(threads)
        try:
            config = read_config(folder)
        except NotBrought:
            config = None
        if config is None or config.game is not None:
            raise ValueError(f"{folder}: a run of another game; a proof follows rows, so it is for k in a row.")
        loaded = load_checkpoint(folder / "last")
        held.enter_context(Lock(folder / "proof.json"))
        simulations = simulations or config.evaluation_simulations
        expert, game = expert_of(loaded.net, encoder=loaded.encoder), config.rules.board()
        say = (lambda text: None) if quiet else typer.echo
        proof = proved(expert, game, simulations, cap=cap, say=say, c=config.c, fpu=config.fpu)
        result = {"simulations": simulations, "cap": cap, **asdict(proof)}
        write_whole(folder / "proof.json", (json.dumps(result) + "\n").encode())
        lines = [" ".join(f"{move // game.width},{move % game.width}" for move in line) for line in proof.failures[:5]]
        typer.echo("\n".join([str(proof), *(f"not won: {line}" for line in lines)]))

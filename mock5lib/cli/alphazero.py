"""`mock5 train alphazero`, `mock5 plot` and `mock5 prove`: self-play, its curves, and a proof against every defence.

mock5 train alphazero runs/tiny --preset tiny --minutes 1
mock5 train alphazero runs/mine --board 9 --k 5 --minutes 20 --set simulations=64 --set replay_ratio=8
mock5 train alphazero runs/mine --minutes 20 --workers 8 --cluster 10.0.0.1:6379
mock5 plot runs/tiny
mock5 prove runs/tiny
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from mock5lib.base.ranges import check_settings, setting, whole
from mock5lib.cli.common import MAX_THREADS, MAX_WORKERS, Quiet, Threads, options_of, plain_errors
from mock5lib.course import keep_freed_memory


@dataclass(frozen=True)
class Running:
    """How long a run goes, who plays, and what is kept; see `alphazero.loop.alphazero`."""

    minutes: float | None = setting(None, "Wall time of playing and learning, in all.")
    iterations: int | None = setting(None, "In all, from the first; repeats exactly on a CPU.")
    cpu_seconds: float | None = setting(None, "Process time of playing and learning, in all.")
    keep_every: int = setting(10, "Iterations between checkpoints.", at_least=1)
    archive_every: int = setting(0, "Iterations between checkpoints that stay; 0: none.", at_least=0)
    device: str = setting("auto", "auto, cpu or cuda. auto takes a GPU if there is one.")
    workers: int | None = setting(None, "Processes that play while this one learns. Default: this one does both.")
    cluster: str | None = setting(None, "Ray cluster for the workers: HOST:PORT, auto or ray://HOST:PORT.")
    staleness: int | None = setting(None, "How many iterations old a net may be that plays. Default: 2 · workers − 1.")

    def __post_init__(self):
        check_settings(self)
        if self.workers is not None:
            whole("workers", self.workers, 1, MAX_WORKERS)


@options_of(Running)
def alphazero(
    folder: Annotated[Path, typer.Argument(help="Folder of the run; one that was stopped or killed goes on.")],
    preset: Annotated[str, typer.Option(help="tiny (6 × 6, four in a row), laptop (9 × 9) or gpu (15 × 15).")] = "tiny",
    board: Annotated[int | None, typer.Option(help="Side of the board. Default: the preset's.")] = None,
    k: Annotated[int | None, typer.Option(help="In a row to win. Default: the preset's.")] = None,
    start: Annotated[str | None, typer.Option(help="Checkpoint to begin with (warm start).")] = None,
    seed: Annotated[int | None, typer.Option(help="Equal seeds give equal runs.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="Another field of the config, as name=value; repeatable.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(help="CPU threads. Default: 1, where runs repeat; on CUDA all.", min=1, max=MAX_THREADS),
    ] = None,
    quiet: Quiet = False,
    *,
    settings: Running,
) -> None:
    """Train by self-play, and keep config, metrics, checkpoints and games in FOLDER."""
    kept = f"Checkpoints up to here are kept in {folder}; the same command goes on."
    with plain_errors(kept, there=lambda: any(folder.glob("step-*"))):
        import numba
        import torch

        from mock5lib.alphazero import loop as az
        from mock5lib.base.progress import once, while_compiling

        threads = usual_threads(settings.device) if threads is None else threads
        torch.set_num_threads(threads)
        keep_freed_memory()
        numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
        changes = {"height": board, "width": board, "k": k, "start": start, "seed": seed}
        changes = {name: value for name, value in changes.items() if value is not None} | parsed(set_ or [])
        config = az.preset(preset, **changes)
        say = (lambda text: None) if quiet else typer.echo
        try:
            with while_compiling(once(say)):
                run = az.alphazero(config, folder=folder, log=None if quiet else typer.echo, **asdict(settings))
        except MemoryError as problem:
            raise ValueError(str(problem)) from None
        typer.echo(f"{folder}: {run.iteration} iterations, {run.buffer.games} games, {run.steps} steps.")


def usual_threads(device: str) -> int:
    """CPU threads for self-play: 1 on a CPU, where runs then repeat exactly; on CUDA all, so that the trees keep up."""
    import numba
    import torch

    return numba.config.NUMBA_NUM_THREADS if device != "cpu" and torch.cuda.is_available() else 1


def parsed(settings: list[str]) -> dict:
    """name=value as config fields; a value is JSON, or text."""
    found = {}
    for text in settings:
        name, sign, value = text.partition("=")
        if not sign:
            raise ValueError(f"--set takes name=value, got {text!r}.")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def plot(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    out: Annotated[Path | None, typer.Option(help="Where to write the picture. Default: FOLDER/curves.png.")] = None,
) -> None:
    """Draw a run's score, losses and speed over time."""
    with plain_errors():
        import matplotlib

        matplotlib.use("Agg")
        from mock5lib.base.files import write_figure
        from mock5lib.base.runs import read_metrics
        from mock5lib.show.runs import plot_run

        rows = read_metrics(folder)
        if not rows:
            raise ValueError(f"{folder}: holds no run with finished iterations.")
        out = out or folder / "curves.png"
        write_figure(out, plot_run(rows, title=folder.name), dpi=110)
        typer.echo(f"{out}: {len(rows)} iterations drawn.")


def prove(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    simulations: Annotated[int | None, typer.Option(help="A move. Default: as in the run's evaluations.")] = None,
    cap: Annotated[int, typer.Option(help="Positions after which to stop.", min=1)] = 200_000,
    threads: Threads = 1,
    quiet: Quiet = False,
) -> None:
    """Play a run's agent as first player against every defence. What came of it is kept in FOLDER/proof.json."""
    with plain_errors():
        import torch

        from mock5lib.alphazero.folder import read_config
        from mock5lib.alphazero.prove import prove as proved
        from mock5lib.base.files import write_whole
        from mock5lib.nets import expert_of, load_checkpoint

        torch.set_num_threads(threads)
        config, loaded = read_config(folder), load_checkpoint(folder / "last")
        simulations = simulations or config.evaluation_simulations
        expert, game = expert_of(loaded.net, encoder=loaded.encoder), config.rules.board()
        say = (lambda text: None) if quiet else typer.echo
        proof = proved(expert, game, simulations, cap=cap, say=say, c=config.c, fpu=config.fpu)
        result = {"simulations": simulations, "cap": cap, **asdict(proof)}
        write_whole(folder / "proof.json", (json.dumps(result) + "\n").encode())
        lines = [" ".join(f"{move // game.width},{move % game.width}" for move in line) for line in proof.failures[:5]]
        typer.echo("\n".join([str(proof), *(f"not won: {line}" for line in lines)]))

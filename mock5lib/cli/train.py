"""`mock5 train supervised` and `mock5 train reinforce`: a net from records, and the same net improved by playing."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from mock5lib.cli.alphago import alphago
from mock5lib.cli.alphazero import alphazero
from mock5lib.cli.common import Device, Quiet, Threads, options_of, plain_errors
from mock5lib.course import keep_freed_memory
from mock5lib.learn.settings import ReinforceSettings, TrainSettings

app = typer.Typer(no_args_is_help=True, help="Train a net.")
app.command()(alphago)
app.command()(alphazero)


@app.command()
@options_of(TrainSettings, steps=6000)
def supervised(
    records: Annotated[Path, typer.Argument(help="Game records: .npz, .psq or .sgf.")],
    out: Annotated[Path, typer.Argument(help="Folder for the checkpoint.")],
    net: Annotated[str, typer.Option(help="linear, hidden, stack, patterns, residual or expert.")] = "patterns",
    value: Annotated[bool, typer.Option("--value", help="A second head, for the outcome.")] = False,
    start: Annotated[Path | None, typer.Option(help="Go on from this checkpoint; its net counts, not --net.")] = None,
    split: Annotated[float, typer.Option(help="Share of the games held out.")] = 0.1,
    device: Device = "cpu",
    threads: Threads = 1,
    quiet: Quiet = False,
    *,
    settings: TrainSettings,
) -> None:
    """Train a net to predict the moves of records, and the outcomes with --value."""
    with plain_errors(f"Nothing was written to {out}; the same command starts again."):
        import torch

        from mock5lib.game.records import Records
        from mock5lib.learn import train
        from mock5lib.nets import load_checkpoint, make_net, save_checkpoint
        from mock5lib.nets.checkpoints import check_place
        from mock5lib.nets.nets import device_named

        check_place(out)  # now, not after hours
        torch.set_num_threads(threads)
        keep_freed_memory()
        device = device_named(device, typer.echo)
        games = Records.load(records)
        learn_from, held_out = games.split(split, settings.seed)
        fitted = load_checkpoint(start).net if start else make_net(net, value=value, seed=settings.seed)
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
    """Improve a net by playing against opponents, and keep metrics and checkpoints in FOLDER."""
    kept = f"Checkpoints up to here are kept in {folder}; the same command goes on."
    with plain_errors(kept, there=lambda: any(folder.glob("step-*"))):
        import torch

        from mock5lib.game.table import Rules
        from mock5lib.learn.reinforce import reinforce as improve
        from mock5lib.nets import load_checkpoint
        from mock5lib.nets.nets import device_named

        torch.set_num_threads(threads)
        keep_freed_memory()
        loaded = load_checkpoint(start, device=device_named(device, typer.echo))
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
    from mock5lib import names
    from mock5lib.nets import load_agent

    return load_agent(name, temperature=1.0, seed=0) if Path(name).exists() else names.agent(name, 0)

"""`mock5 train supervised` and `mock5 train reinforce`: a net from records, and the same net improved by playing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mock5lib.cli.alphago import alphago
from mock5lib.cli.alphazero import alphazero
from mock5lib.cli.common import Device, Quiet, Seed, Threads, plain_errors
from mock5lib.course import keep_freed_memory

app = typer.Typer(no_args_is_help=True, help="Train a net.")
app.command()(alphago)
app.command()(alphazero)


@app.command()
def supervised(
    records: Annotated[Path, typer.Argument(help="Game records: .npz, .psq or .sgf.")],
    out: Annotated[Path, typer.Argument(help="Folder for the checkpoint.")],
    net: Annotated[str, typer.Option(help="linear, hidden, stack, patterns, residual or expert.")] = "patterns",
    value: Annotated[bool, typer.Option("--value", help="A second head, for the outcome.")] = False,
    start: Annotated[Path | None, typer.Option(help="Go on from this checkpoint; its net counts, not --net.")] = None,
    steps: Annotated[int, typer.Option(min=1)] = 6000,
    batch_size: Annotated[int, typer.Option(min=1)] = 64,
    lr: Annotated[float, typer.Option(help="Highest learning rate.")] = 0.02,
    schedule: Annotated[str, typer.Option(help="one-cycle, cosine or constant.")] = "one-cycle",
    split: Annotated[float, typer.Option(help="Share of the games held out.")] = 0.1,
    evaluate_every: Annotated[int | None, typer.Option(help="Steps between evaluations. Default: at the end.")] = None,
    patience: Annotated[int | None, typer.Option(help="Stop after so many evaluations without a better one.")] = None,
    mistakes: Annotated[bool, typer.Option("--mistakes", help="Learn the generator's random moves too.")] = False,
    seed: Seed = 0,
    device: Device = "cpu",
    threads: Threads = 1,
    quiet: Quiet = False,
) -> None:
    """Train a net to predict the moves of records, and the outcomes with --value."""
    with plain_errors(f"Nothing was written to {out}; the same command starts again."):
        import torch

        from mock5lib.alphazero.loop import device_named
        from mock5lib.game.records import Records
        from mock5lib.learn import train as fit
        from mock5lib.nets import load_checkpoint, make_net, save_checkpoint
        from mock5lib.nets.checkpoints import check_place

        check_place(out)  # now, not after hours
        torch.set_num_threads(threads)
        keep_freed_memory()
        device = device_named(device, typer.echo)
        games = Records.load(records)
        learn_from, held_out = games.split(split, seed)
        fitted = load_checkpoint(start).net if start else make_net(net, value=value, seed=seed)
        run = fit(
            fitted.to(device),
            learn_from,
            held_out,
            steps=steps,
            batch_size=batch_size,
            lr=lr,
            schedule=schedule,
            evaluate_every=evaluate_every,
            patience=patience,
            mistakes=mistakes,
            seed=seed,
            progress=not quiet,
        )
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
        note = f" ({run.stopped})" if run.stopped else ""
        typer.echo(f"{out}: {run.best_step} steps{note}; on {len(held_out)} held-out games {run.best}")


@app.command()
def reinforce(
    start: Annotated[Path, typer.Argument(help="Checkpoint to start from.")],
    folder: Annotated[Path, typer.Argument(help="Folder of the run; one that was killed goes on from there.")],
    against: Annotated[
        list[str] | None, typer.Option(help="An agent by its name, or a checkpoint; repeatable.")
    ] = None,
    iterations: Annotated[int, typer.Option(min=1)] = 400,
    games: Annotated[int, typer.Option(help="Per iteration, even.")] = 64,
    lr: float = 0.006,
    clip: float = 1.0,
    discount: float = 0.97,
    baseline: Annotated[str, typer.Option(help="none, mean or value.")] = "mean",
    entropy: Annotated[float, typer.Option(help="Weight of the bonus for an undecided policy.")] = 0.003,
    kl: Annotated[float, typer.Option(help="Weight of the distance from the starting policy.")] = 0.0,
    opening_plies: Annotated[int, typer.Option(help="Random moves at the start of each pair of games.")] = 6,
    size: Annotated[int | None, typer.Option(help="Side of the board. Default: the checkpoint's board.")] = None,
    evaluate_every: Annotated[int, typer.Option(help="Iterations between evaluations, 0 for none.")] = 50,
    evaluation_games: int = 400,
    keep_every: Annotated[int, typer.Option(help="Iterations between checkpoints.", min=1)] = 25,
    seed: Seed = 0,
    device: Device = "cpu",
    threads: Threads = 1,
    quiet: Quiet = False,
) -> None:
    """Improve a net by playing against opponents, and keep metrics and checkpoints in FOLDER."""
    kept = f"Checkpoints up to here are kept in {folder}; the same command goes on."
    with plain_errors(kept, there=lambda: any(folder.glob("step-*"))):
        import torch

        from mock5lib.alphazero.loop import device_named
        from mock5lib.game.board import Mock5
        from mock5lib.game.table import Rules
        from mock5lib.learn.reinforce import ReinforceSettings
        from mock5lib.learn.reinforce import reinforce as improve
        from mock5lib.nets import load_checkpoint

        torch.set_num_threads(threads)
        keep_freed_memory()
        device = device_named(device, typer.echo)
        loaded = load_checkpoint(start, device=device)
        board = loaded.card["board"]
        rules = Rules(size or board["height"], size or board["width"], board["k"], board["exact"])
        Mock5(*rules[:3])  # a size that is no board's is refused before anything is written
        settings = ReinforceSettings(
            iterations=iterations,
            games=games,
            lr=lr,
            clip=clip,
            discount=discount,
            baseline=baseline,
            entropy=entropy,
            kl=kl,
            opening_plies=opening_plies,
            evaluate_every=evaluate_every,
            evaluation_games=evaluation_games,
            seed=seed,
        )
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

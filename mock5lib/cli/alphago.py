"""`mock5 train alphago`: AlphaGo's fast policy, strong policy and value net, stage by stage, into one folder."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from mock5lib.cli.common import MAX_THREADS, Seed, plain_errors

STAGES = "fast, strong, reinforced, positions, value; to compare with: frozen, one_each, whole_games"
USUAL = "fast,strong,reinforced,positions,value"


def alphago(
    records: Annotated[Path, typer.Argument(help="Game records: .npz, .psq or .sgf; games of Go: .npz.")],
    folder: Annotated[Path, typer.Argument(help="Where the nets go; a run that was stopped goes on from there.")],
    stages: Annotated[str, typer.Option(help=f"Which to run, with commas between: {STAGES}.")] = USUAL,
    compare: Annotated[bool, typer.Option("--compare", help="The three comparisons, too.")] = False,
    filters: Annotated[int, typer.Option(help="Of each hidden layer (AlphaGo: 192).", min=1)] = 32,
    layers: Annotated[int, typer.Option(help="Of the strong policy (13); the value net has 3 more.", min=2)] = 5,
    fast_steps: Annotated[int, typer.Option(help="Batches for the fast policy.", min=1)] = 1000,
    strong_steps: Annotated[int, typer.Option(help="Batches for the strong policy.", min=1)] = 1000,
    batch_size: Annotated[int, typer.Option(min=1)] = 128,
    iterations: Annotated[int, typer.Option(help="Steps of policy gradient.", min=1)] = 20,
    games: Annotated[int, typer.Option(help="Games for each such step.", min=1)] = 64,
    add_every: Annotated[int, typer.Option(help="Steps between two selves of the pool.", min=1)] = 5,
    value_positions: Annotated[int, typer.Option(help="Positions for the value net.", min=20)] = 8000,
    value_epochs: Annotated[int, typer.Option(help="Passes through them.", min=1)] = 6,
    seed: Seed = 0,
    threads: Annotated[int, typer.Option(help="CPU threads; results repeat exactly at 1.", min=1, max=MAX_THREADS)] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="One line a stage, none for each epoch.")] = False,
) -> None:
    """Train AlphaGo's nets from records and self-play: needs TensorFlow. Load them with `load_alphago(FOLDER)`."""
    with plain_errors(f"The stages that are over are kept in {folder}; the same command goes on."):
        quiet_tensorflow(threads)
        try:
            with no_stderr():
                from mock5lib.alphago.pipeline import COMPARISONS, Sizes, train_alphago
        except ImportError as problem:
            raise ValueError(str(problem)) from None
        from mock5lib.game.records import Records
        from mock5lib.go.records import GoRecords, is_go

        asked = [stage.strip() for stage in stages.split(",") if stage.strip()] + list(COMPARISONS if compare else ())
        sizes = Sizes(
            filters=filters,
            layers=layers,
            batch_size=batch_size,
            fast_steps=fast_steps,
            strong_steps=strong_steps,
            iterations=iterations,
            games=games,
            add_every=add_every,
            value_positions=value_positions,
            value_epochs=value_epochs,
        )
        train_alphago(
            folder,
            GoRecords.load(records) if is_go(records) else Records.load(records),
            sizes,
            stages=asked,
            seed=seed,
            say=sayer(folder, quiet),
        )


def quiet_tensorflow(threads: int) -> None:
    """Before TensorFlow is imported: no banner, and so many threads."""
    import numba

    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ["TF_NUM_INTRAOP_THREADS"] = os.environ["TF_NUM_INTEROP_THREADS"] = str(threads)
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))


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


def sayer(folder: Path, quiet: bool):
    """What prints a stage's lines; if quiet, only those about files in the folder."""

    def say(line: str) -> None:
        if not quiet or line.startswith(str(folder)):
            typer.echo(line)

    return say

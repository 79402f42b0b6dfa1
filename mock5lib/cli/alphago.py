"""`mock5 train alphago`: AlphaGo's fast policy, strong policy and value net, stage by stage, into one folder."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from mock5lib.alphago.sizes import Sizes
from mock5lib.cli.common import MAX_THREADS, Seed, options_of, plain_errors

USUAL = "fast,strong,reinforced,positions,value"


@options_of(Sizes)
def alphago(
    records: Annotated[Path, typer.Argument(help="Game records: .npz, .psq or .sgf; games of Go: .npz.")],
    folder: Annotated[Path, typer.Argument(help="Where the nets go; stages whose file is there are passed over.")],
    settings: Sizes,
    stages: Annotated[str, typer.Option(help="Which to run, with commas between.")] = USUAL,
    compare: Annotated[
        bool, typer.Option("--compare", help="The three comparisons, too: frozen, one_each, whole_games.")
    ] = False,
    seed: Seed = 0,
    threads: Annotated[int, typer.Option(help="CPU threads; results repeat exactly at 1.", min=1, max=MAX_THREADS)] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="One line a stage, none for each epoch.")] = False,
) -> None:
    """Train AlphaGo's nets from records and self-play: needs TensorFlow. Load them with `load_alphago(FOLDER)`."""

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
        from mock5lib.game.records import Records
        from mock5lib.go.records import GoRecords, is_go

        asked = [stage.strip() for stage in stages.split(",") if stage.strip()] + list(COMPARISONS if compare else ())
        games = (GoRecords if is_go(records) else Records).load(records)
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

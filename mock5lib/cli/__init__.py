"""The `mock5` command. Each module holds one group of commands and is added below. No chapter builds it.

    mock5 train supervised data/records/mixed_9x9.npz checkpoints/copy
    mock5 train reinforce checkpoints/copy runs/against_mixed --iterations 400
    mock5 play expert:data/checkpoints/supervised_9x9@64
    mock5 match uct:1000 mixed --games 40

Wrong input ends in one line that says what is wrong, and exit code 2.
"""

from __future__ import annotations

from typing import Annotated

import typer

from mock5lib.base.versions import VERSION
from mock5lib.cli import alphazero, bench, engine, ladder, match, play, records, train
from mock5lib.cli.common import any_terminal

app = typer.Typer(
    no_args_is_help=True,
    help="Five in a row, from UCT to AlphaZero.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(train.app, name="train")
app.command()(alphazero.plot)
app.command()(alphazero.prove)
app.command()(play.play)
app.command()(match.match)
app.command()(ladder.ladder)
app.command()(engine.engine)
app.add_typer(records.app, name="records")
app.command()(bench.bench)


def show_version(asked: bool) -> None:
    """Print the version and leave."""
    if asked:
        typer.echo(f"mock5 {VERSION}")
        raise typer.Exit()


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=show_version, is_eager=True)
    ] = False,
) -> None:
    """Five in a row, from UCT to AlphaZero."""


def run() -> None:
    """The command, on any terminal."""
    any_terminal()
    app(prog_name="mock5")

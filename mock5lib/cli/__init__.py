"""The `mock5` command. Each module holds one group of commands and is added below. No chapter builds it.

    mock5 play alphazero@64
    mock5 agents
    mock5 match uct:1000 mixed --games 40
    mock5 train supervised data/records/mixed_9x9.npz checkpoints/copy
    mock5 train reinforce checkpoints/copy runs/against_mixed --iterations 400

Wrong input ends in one line that says what is wrong, and exit code 2.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mock5lib.base import VERSION
from mock5lib.base.plugins import COMMANDS, brought
from mock5lib.cli import ladder, page, play, records, train

app = typer.Typer(
    no_args_is_help=True,
    help="Five in a row, from UCT to AlphaZero.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (play.play, ladder.agents, ladder.match, page.page, train.report, train.prove, ladder.ladder):
    app.command()(command)
app.command()(play.engine)
app.add_typer(records.app, name="records")
app.add_typer(train.app, name="train")
for name, group in brought(COMMANDS).items():
    app.add_typer(group.load(), name=name)


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
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks some of our letters shows a ? in their place
    app(prog_name="mock5")

"""The `mock5` command. Each module holds one group of commands and is added below. No chapter builds it.

    mock5 play alphazero@64
    mock5 agents
    mock5 match uct:1000 mixed --games 40
    mock5 train supervised data/records/mixed_9x9.npz checkpoints/copy
    mock5 train reinforce checkpoints/copy runs/against_mixed --iterations 400

Wrong input ends in one line that says what is wrong, and exit code 2.
"""

from __future__ import annotations

from typing import Annotated

import typer
from typer.core import TyperGroup

from mock5lib.base.versions import VERSION
from mock5lib.cli import agents, alphazero, engine, ladder, match, play, records, train
from mock5lib.cli.common import any_terminal

ORDER = ("play", "agents", "match", "records", "train", "plot", "prove", "ladder", "engine")  # as one meets them


class InOrder(TyperGroup):
    """The commands in the order in which a reader of the course meets them."""

    def list_commands(self, context) -> list[str]:
        return sorted(super().list_commands(context), key=ORDER.index)


app = typer.Typer(
    cls=InOrder,
    no_args_is_help=True,
    help="Five in a row, from UCT to AlphaZero.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(play.play)
app.command()(agents.agents)
app.add_typer(train.app, name="train")
app.command()(alphazero.plot)
app.command()(alphazero.prove)
app.command()(match.match)
app.command()(ladder.ladder)
app.command()(engine.engine)
app.add_typer(records.app, name="records")


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

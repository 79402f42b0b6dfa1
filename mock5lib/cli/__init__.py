"""The `mock5` command. Each module holds one group of commands and is added below. No chapter builds it.

    mock5 train supervised data/records/mixed_9x9.npz checkpoints/copy
    mock5 train reinforce checkpoints/copy runs/against_mixed --iterations 400
    mock5 play expert:data/checkpoints/supervised_9x9@64
    mock5 match uct:1000 mixed --games 40

Wrong input ends in one line that says what is wrong, and exit code 2.
"""

from __future__ import annotations

import typer

from mock5lib.cli import alphazero, bench, engine, ladder, match, play, records, train

app = typer.Typer(no_args_is_help=True, help="Five in a row, from UCT to AlphaZero.")
app.add_typer(train.app, name="train")
app.command()(alphazero.plot)
app.command()(alphazero.prove)
app.command()(play.play)
app.command()(match.match)
app.command()(ladder.ladder)
app.command()(engine.engine)
app.add_typer(records.app, name="records")
app.command()(bench.bench)


@app.callback()
def main() -> None:
    """Five in a row, from UCT to AlphaZero."""

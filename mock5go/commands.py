"""`mock5 go`: what this package adds to the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mock5lib.cli.common import NOTHING, Quiet, Seed, plain_errors

app = typer.Typer(no_args_is_help=True, help="Go: games of a program against itself, and our agents in other programs.")


@app.command()
def records(
    out: Annotated[Path, typer.Argument(help="File to write: .npz.")],
    games: Annotated[int, typer.Option(min=1)] = 100,
    size: Annotated[int, typer.Option(help="Side of the board.", min=2, max=19)] = 9,
    komi: Annotated[float, typer.Option(help="Points for white.")] = 7.5,
    program: Annotated[str | None, typer.Option(help="A Go program that speaks GTP. Default: GNU Go, level 1.")] = None,
    sample: Annotated[int, typer.Option(help="So many games also as OUT.sgf.", min=0)] = 0,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Let a Go program play itself from random openings; goes on after the games that the file holds.

    \b
    The games of chapter 9
      mock5 go records data/records/gnugo_9x9.npz --games 3000 --sample 20
    """
    import shlex

    kept = f"{out} holds the games so far; the same command goes on."
    with plain_errors(lambda: kept if out.exists() else NOTHING):
        from mock5go.records import GNU_GO, check_sgf, generate, save_sgf, to_sgf
        from mock5lib.base.contract import AgentFailure

        if sample:
            check_sgf(out.with_suffix(".sgf"))  # now, not after hours
        say = None if quiet else lambda done: typer.echo(f"\r{done} of {games} games", nl=False, err=True)
        command = shlex.split(program or GNU_GO)
        try:
            records = generate(out, games, command, size=size, komi=komi, seed=seed, report=say)
        except AgentFailure as problem:
            raise ValueError(f"{command[0]} {problem}.") from None
        typer.echo(f"{out}: {records!r}")
        if sample:
            names = {"PB": command[0], "PW": command[0]}
            texts = [to_sgf(records.game(number), **names) for number in range(min(sample, games))]
            typer.echo(f"{save_sgf(out.with_suffix('.sgf'), texts)}: {len(texts)} games")


@app.command()
def engine(
    agent: Annotated[str, typer.Option(help="Which agent plays; see `mock5 play --help`.")] = "uct:10000",
    seed: Seed = 0,
) -> None:
    """Be a Go program: speak GTP, Go's text protocol, on standard input and output.

    \b
    What Sabaki or GoGui starts
      mock5 go engine --agent uct:10000
    By hand: a move for black on an empty 9 × 9 board
      printf 'boardsize 9\\ngenmove b\\nquit\\n' | mock5 go engine --agent uct:1000
    """
    from mock5go.board import Go
    from mock5go.gtp import serve
    from mock5lib.cli.play import answer_as_engine

    answer_as_engine(agent, seed, Go(), serve)

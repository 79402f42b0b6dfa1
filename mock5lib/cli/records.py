"""`mock5 records`: make, look at and convert game records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from mock5lib.cli.common import (
    GameFile,
    Quiet,
    RecordsBoard,
    RecordsExact,
    RecordsK,
    Seed,
    empty_board,
    plain_errors,
    read_records,
)

app = typer.Typer(no_args_is_help=True, help="Game records: .npz, .bin, .psq, .sgf, and the games of a tournament.")

Source = Annotated[Path, typer.Argument(help="A file of records, or the folder of a tournament.")]


@app.command()
def info(
    source: Source, board: RecordsBoard = None, k: RecordsK = None, exact: RecordsExact = False, game: GameFile = None
) -> None:
    """How many games, how they ended, how long they are, and how they were made."""
    with plain_errors():
        records = read_records(source, board, k, exact, game)
        won = np.bincount(records.winners, minlength=3)
        lengths = records.lengths
        off = int(records.forfeits.sum())
        lines = [
            f"{len(records):,} games on {records.height}×{records.width}, {records.rule_text}; "
            f"{records.positions:,} positions",
            f"black won {won[1]:,}, white won {won[2]:,}, drawn {won[0]:,}; ended off the board {off:,}",
            f"moves a game: {lengths.min()} to {lengths.max()}, {lengths.mean():.1f} on average",
            *(f"{name}: {value}" for name, value in records.card.items()),
        ]
        typer.echo("\n".join(lines))


@app.command()
def show(
    source: Source,
    game: Annotated[int, typer.Argument(help="Which game, from 1.")] = 1,
    board: RecordsBoard = None,
    k: RecordsK = None,
    exact: RecordsExact = False,
    own: GameFile = None,
) -> None:
    """One game on a board, with its moves."""
    from rich.console import Console

    from mock5lib.cli.play import board_text

    with plain_errors():
        records = read_records(source, board, k, exact, own)
        if not 1 <= game <= len(records):
            raise ValueError(f"{source} has games 1 to {len(records)}, not {game}.")
        position = records.game(game - 1)
        winner, forfeit = int(records.winners[game - 1]), bool(records.forfeits[game - 1])
        name_of, length = getattr(position, "name_of", str), records.lengths[game - 1]
        off = " off the board" if forfeit else ""
        ending = ("a draw", "black won", "white won")[winner] + off + f" after {length} moves"
        Console().print(board_text(position))
        typer.echo(" ".join(map(name_of, position.history)) + "\n" + ending)


@app.command()
def convert(
    source: Source,
    out: Annotated[Path, typer.Argument(help="Its ending says the format: .npz, .bin or .sgf.")],
    board: RecordsBoard = None,
    k: RecordsK = None,
    exact: RecordsExact = False,
) -> None:
    """Write records in another format."""
    with plain_errors() as held:
        from mock5lib.base.files import Lock
        from mock5lib.game.record_formats import check_place

        records = read_records(source, board, k, exact)
        check_place(out, records.FORMAT)
        held.enter_context(Lock(out, whole=True))
        typer.echo(f"{records.save(out)}: written")


@app.command()
def generate(
    out: Annotated[Path, typer.Argument(help="File to write: .npz, .bin or .sgf.")],
    black: Annotated[
        str, typer.Argument(help="A heuristic agent: greedy, defensive, pt, df, mixed or random")
    ] = "mixed",
    white: Annotated[str, typer.Argument(help="The other agent.")] = "mixed",
    games: Annotated[int, typer.Option(min=1)] = 1000,
    board: Annotated[str, typer.Option(help="Side of the board, or rows x columns such as 9x12.")] = "9",
    randomness: Annotated[float, typer.Option(help="How often a player slips, 0 to 1.")] = 0.1,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Let two heuristic agents play games and keep them."""
    with plain_errors(f"Nothing was written to {out}; the same command starts again.") as held:
        from mock5lib.base.files import Lock
        from mock5lib.game.record_formats import check_place
        from mock5lib.gomoku.generator import generate as play

        check_place(out)
        held.enter_context(Lock(out, whole=True))
        start = empty_board(board, 5)
        size = start.height, start.width
        records = play(games, black, white, *size, randomness=randomness, seed=seed, progress=not quiet)
        typer.echo(f"{records.save(out)}: {records!r}")

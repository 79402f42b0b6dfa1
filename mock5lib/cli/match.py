"""`mock5 match`: two agents, many games, one score with its interval."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mock5lib.cli.common import Quiet, Seed, Workers, board_size, few_threads, plain_errors


def match(
    one: Annotated[str, typer.Argument(help="An agent by name; `mock5 agents` lists them.")],
    other: Annotated[str, typer.Argument(help="The other agent.")],
    games: Annotated[int, typer.Option(help="Even: each opening is played with both colours.")] = 100,
    board: Annotated[str, typer.Option(help="Side of the board, or rows x columns such as 9x12.")] = "9",
    k: Annotated[int, typer.Option(help="In a row to win.", min=1)] = 5,
    openings: Annotated[int, typer.Option(help="Random moves at the start of each pair of games.", min=0)] = 4,
    seconds: Annotated[
        float | None, typer.Option(help="Allowed for a move; each agent then plays in a process of its own.")
    ] = None,
    workers: Workers = 1,
    records: Annotated[Path | None, typer.Option(help="Write the games as .npz, .bin, .psq or .sgf.")] = None,
    seed: Seed = 0,
    quiet: Quiet = False,
) -> None:
    """Play a match from random openings, each with both colours, and say how sure the result is.

    A draw counts half. The interval is over pairs of games, since the two
    games from one opening are not independent. All games of a match go on
    side by side, so that a net sees them as one batch.

    \b
    Two heuristics
      mock5 match mixed greedy --games 1000
    UCT against a net with search, in two processes
      mock5 match uct:1000 expert@64 --games 40 --workers 2
    The same time for both
      mock5 match uct:0.5s "engine,seconds=0.5:/path/to/engine" --games 20
    """
    with plain_errors("Nothing was kept; the same command starts again."):
        few_threads()
        from mock5lib import Mock5, names
        from mock5lib.arena import match as play
        from mock5lib.arena.elo import elo_of, likelihood_of_superiority
        from mock5lib.game.record_formats import check_place

        if records is not None:
            check_place(records)  # now, not after hours
        start = Mock5(*board_size(board), k)
        side = max(start.height, start.width)
        one, other = (names.recipe(name, side=side, k=k) for name in (one, other))
        result = play(
            one,
            other,
            games,
            game=start,
            openings=openings,
            seed=seed,
            progress=not quiet,
            seconds=seconds,
            workers=workers,
        )
        low, middle, high = (elo_of(score) for score in (result.interval[0], result.score, result.interval[1]))
        sure = likelihood_of_superiority(result.wins, result.losses)
        text = f"{result}\nElo difference {middle:+.0f} ({low:+.0f} to {high:+.0f}); "
        text += f"{one.name} stronger with {100 * sure:.1f}%"
        if records is not None:
            text += f"\ngames written to {result.records.save(records)}"
        typer.echo(text)

"""What the groups of commands share: usual options, and errors in one line.

Commands import torch and TensorFlow inside their functions, so that `mock5 --help` answers at once.
"""

from __future__ import annotations

import errno
import inspect
import os
from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Annotated, get_type_hints

import typer

from mock5lib.base import interrupts

MAX_THREADS = 1024  # libraries end with a segmentation fault where the system gives them no more
Threads = Annotated[
    int, typer.Option(help="CPU threads of torch; results repeat exactly at 1.", min=1, max=MAX_THREADS)
]
MAX_WORKERS = 10_000
Workers = Annotated[int, typer.Option(help="Processes that play side by side.", min=1, max=MAX_WORKERS)]
Device = Annotated[str, typer.Option(help="cpu or cuda")]
Seed = Annotated[int, typer.Option(help="Equal seeds give equal results, unless an agent is limited by time.", min=0)]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar.")]


GameFile = Annotated[
    str | None,
    typer.Option("--game", help="A game of yours instead: FILE.py:CLASS, or FILE.py:CLASS,size=8. It is run."),
]

# Of records, where the file doesn't say them
RecordsBoard = Annotated[
    str | None, typer.Option("--board", help="Of the records, such as 9 or 9x12; a .bin needs it.")
]
RecordsK = Annotated[int | None, typer.Option("--k", help="In a row to win, where the records don't say it.", min=1)]
RecordsExact = Annotated[bool, typer.Option("--exact", help="More in a row than k don't win in the records.")]

NOTHING = "Nothing was written; the same command starts again."


@contextmanager
def plain_errors(kept: str | Callable[[], str] = NOTHING):
    """What the package says of wrong input, in one line and without a traceback; exit code 2.

    Ctrl-C ends the command, see `base.interrupts`; `kept`, or what it returns then, says what there is, and how to
    go on.
    Gives a stack, for what is held to the end of the command, such as a lock.
    """
    interrupts.kept = kept if callable(kept) else lambda: kept
    try:
        with ExitStack() as held:
            yield held
    except BrokenPipeError:  # nobody reads any more, as after `| head`: no fault of ours, and nothing to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise typer.Exit() from None
    except (ValueError, TypeError, IndexError, OverflowError, OSError) as problem:
        typer.echo(f"mock5: {sentence(problem)}", err=True)
        raise typer.Exit(2) from None
    finally:
        interrupts.stop_listening()


def sentence(problem: Exception) -> str:
    """What an exception says; of what the system refused, the path and the reason without its number."""
    if isinstance(problem, FileNotFoundError) and problem.filename:
        return f"{problem.filename}: there is no such file or folder."
    if isinstance(problem, OSError) and problem.strerror:
        if not problem.filename and problem.errno in (errno.ENOSPC, errno.EBADF, errno.EIO):
            return f"standard output: {problem.strerror}."  # files are named by `naming`
        return f"{problem.filename}: {problem.strerror}." if problem.filename else problem.strerror
    return str(problem)


def few_threads() -> None:
    """One thread for nets, and waiting threads that sleep, unless the user has said otherwise.

    Searches have threads of their own. Two sets of threads that wait by spinning took turns on the same two cores, and
    a match took 40 times as long. To be called before torch and numba are imported.
    """
    for name, value in (("OMP_NUM_THREADS", "1"), ("MKL_NUM_THREADS", "1"), ("OMP_WAIT_POLICY", "passive")):
        os.environ.setdefault(name, value)


def board_size(text: str) -> tuple[int, int]:
    """(height, width) of "9" or "9x12"."""
    parts = text.lower().replace("×", "x").split("x")
    if len(parts) > 2 or not all(part.strip().isdecimal() for part in parts):
        raise ValueError(f"A board is written 9 or 9x12 (rows × columns), got {text!r}.")
    return int(parts[0]), int(parts[-1])


BOARD, K = "9", 5  # what `--board` and `--k` are where nobody says it


def start_of(board: str | int | None, k: int | None, game: str | None):
    """The start of a command's `--game`, or else the board of its `--board` and `--k`."""
    if game is None:
        return empty_board(board, k)
    from mock5lib.game.kit import check_kit, game_named, lacking

    if board not in (BOARD, None) or k not in (K, None):
        raise ValueError("--board and --k are for k in a row; what a game of yours takes stands behind its name.")
    if Path(game.rpartition(":")[0]).is_file():
        typer.echo(f"{game.rpartition(':')[0]} is run: a game in a file is a program.", err=True)
    start = game_named(game)
    if not lacking(start):  # else UCT plays it all the same
        check_kit(start)
    return start


def empty_board(text: str, k: int):
    """The board of a command's `--board` and `--k`, where somebody can win."""
    from mock5lib.game.board import Mock5

    game = Mock5(*board_size(text), k)
    if k > max(game.height, game.width):
        raise ValueError(
            f"Nobody can win here: {k} in a row do not fit on a {game.height}×{game.width} board. See --k."
        )
    return game


def read_records(source, board: str | None = None, k: int | None = None, exact: bool = False, game: str | None = None):
    """The records of a file, or of a tournament's folder; board and rule where the file says none."""
    from mock5lib.arena.tournament import FILE, Tournament
    from mock5lib.course import found_path
    from mock5lib.game.records import GameRecords, records_in

    source = found_path(source)
    if game is not None:
        start_of(None, None, game)
    folder = source.parent if source.name == FILE else source
    height, width = board_size(board) if board else (None, None)
    if (folder / FILE).exists():
        records = Tournament.load(folder).records()
    else:
        kind = records_in(source)
        if kind is GameRecords and game is None:
            raise ValueError(f"{source}: holds a game of somebody's own; `mock5 records info` and `show` take --game.")
        records = kind.load(source, height=height, width=width, k=k, exact=exact or None)
    if not len(records):
        raise ValueError(f"{source}: holds no games.")
    return records


def recipe_for(name: str, game, label: str | None = None):
    """The recipe of an agent by its name, for this game; says so if a Python file is run for it."""
    from mock5lib import names

    side = max(getattr(game, "height", 9), getattr(game, "width", 9))
    made = names.recipe(name, label, side=side, k=getattr(game, "k", K))
    if names.is_program(name):
        typer.echo(f"{name.rpartition(':')[0]} is run: an agent in a file is a program.", err=True)
    return made


def options_of(settings: type, **defaults):
    """Let a command take the fields of a dataclass as options; it gets the whole as its argument `settings`.

    Args:
        settings: a dataclass; each field's metadata have a `help`. defaults: of the command, where they are others.
    """

    def decorate(command: Callable) -> Callable:
        def run(**given):
            try:
                made = settings(**{one.name: given.pop(one.name) for one in fields(settings)})
            except (ValueError, TypeError) as problem:
                typer.echo(f"mock5: {problem}", err=True)
                raise typer.Exit(2) from None
            return command(settings=made, **given)

        kinds, own = get_type_hints(settings), inspect.signature(command, eval_str=True)
        options = [
            inspect.Parameter(
                one.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=defaults.get(one.name, one.default),
                annotation=Annotated[kinds[one.name], typer.Option(help=one.metadata["help"])],
            )
            for one in fields(settings)
        ]
        kept = [parameter for parameter in own.parameters.values() if parameter.name != "settings"]
        run.__signature__ = own.replace(parameters=[*kept, *options])
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        return run

    return decorate

"""Games of a Go program against itself: a teacher for the chapter's policies.

Each game begins with one to six random stones, so that most games differ, and has its own random numbers, so that a
run that was cut off goes on with the next game. Finished games wait in a journal, one line of JSON each.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from mock5lib.base import ranges
from mock5lib.base.contract import AgentFailure
from mock5lib.base.files import Lock, as_lines, json_lines, naming, write_whole
from mock5lib.go.board import Go
from mock5lib.go.engine import GtpProgram, play_command
from mock5lib.go.records import GoRecords

# Area scoring with dead stones as they stand needs a program that takes them off before it passes.
GNU_GO = "gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead --never-resign"
LONGEST_OPENING = 6  # random stones


def opening_of(number: int, seed: int, size: int, is_legal: Callable[[int, int], bool]) -> list[int]:
    """The random moves that game `number` begins with; `is_legal(move, colour)` plays a move that is legal."""
    rng, moves = np.random.default_rng([seed, number]), []
    plies = int(rng.integers(1, LONGEST_OPENING + 1))
    while len(moves) < plies:
        move = int(rng.integers(size**2))
        if is_legal(move, 1 + len(moves) % 2):
            moves.append(move)
    return moves


def play_one(program: GtpProgram, number: int, size: int, komi: float, seed: int) -> dict:
    """A game of a program against itself: its number, how many moves are random, and the moves.

    Raises:
        AgentFailure: the program fails, or plays an illegal move.
    """
    game = Go(size, komi)
    program.set_up(game)
    program.ask(f"set_random_seed {number}")

    def is_legal(move: int, colour: int) -> bool:
        if game.why_illegal(move) is not None:
            return False
        program.ask(play_command(game, move, colour))
        game.apply(move)
        return True

    plies = len(opening_of(number, seed, size, is_legal))
    while game.winner is None:
        answer = program.ask(f"genmove {game.colour_name(game.player)}")
        try:
            game.apply(game.move_named(answer))
        except ValueError as problem:
            raise AgentFailure(f"played {answer[:40]!r} in game {number}: {problem}") from None
    return {"game": number, "opening": plies, "moves": game.history}


def generate(
    journal,
    games: int,
    command: list[str],
    *,
    size=9,
    komi=7.5,
    seed=0,
    known: GoRecords | None = None,
    report: Callable[[int], None] | None = None,
) -> GoRecords:
    """Play games 0 to `games` − 1 that neither the journal nor `known` holds yet, and return all of them.

    Args:
        journal: file that each finished game is added to. report: told after each game how many there are.
        known: the first games, from an earlier run by the same command.

    Raises:
        AgentFailure: the program fails; the journal holds what was finished.
        ValueError: the journal holds something else.
    """
    ranges.counts(games=games)
    journal, card = Path(journal), card_of(command, seed)
    about = card | {"size": size, "komi": komi}
    with Lock(journal):
        done = {row["game"]: row for row in [*rows_of(known), *read_journal(journal, about)]}
        left = [number for number in range(games) if number not in done]
        if left:
            program = GtpProgram(command, seconds=120)
            try:
                # without a last line that was cut short
                write_whole(journal, as_lines([about, *done.values()]))
                for number in left:
                    done[number] = play_one(program, number, size, komi, seed)
                    with naming(journal), journal.open("ab") as file:
                        file.write(as_lines([done[number]]))
                    if report is not None:
                        report(len(done))
            finally:
                program.close()
    return records_of([done[number] for number in range(games)], size, komi, card)


def card_of(command: list[str], seed: int) -> dict:
    """How games are made, for their records."""
    return {"made": "a program against itself", "command": " ".join(command), "seed": seed}


def rows_of(records: GoRecords | None) -> list[dict]:
    """The games of records as a journal keeps them; an opening is the marked stones at the beginning."""
    rows = []
    for number in range(len(records) if records is not None else 0):
        moves, part = records.moves_of(number), slice(records.offsets[number], records.offsets[number + 1])
        random = np.append(records.mistakes[part] & (moves < records.size**2), False)  # passes are marked, too
        rows.append({"game": number, "opening": int(random.argmin()), "moves": moves.tolist()})
    return rows


def read_journal(journal: Path, about: dict) -> list[dict]:
    """The games of a journal; a last line that was cut short is left out, and then played again.

    Args:
        about: its first line: how its games are made. Older journals lack it.

    Raises:
        ValueError: a line is no game, or its games were made in another way; names the file and the line.
    """
    data = journal.read_bytes() if journal.exists() else b""
    rows, rest = json_lines(data), data[data.rfind(b"\n") + 1 :]
    first_lines = (as_lines([about])[:-2], b'{"game": ')
    if not rows and not any(begins.startswith(rest[: len(begins)]) for begins in first_lines):
        raise ValueError(f"{journal}: is no journal of games, or one of games that were made in another way.")
    if rows and rows[0] and "game" not in rows[0]:
        if rows[0] != about:
            raise ValueError(f"{journal}: its games were made in another way, {rows[0]}; name another file.")
        rows[0] = about
    games = rows[1:] if rows and rows[0] is about else rows
    for number, row in enumerate(games, start=1 + len(rows) - len(games)):
        try:
            check_row(row, about["size"], about["komi"])
        except (KeyError, TypeError, ValueError, IndexError) as problem:
            raise ValueError(
                f"{journal}, line {number}: no game of these ({problem}); remove it, and it is played again."
            ) from None
    return games


def check_row(row: dict | None, size: int, komi: float) -> None:
    """Raise an exception unless this is a finished game of a journal."""
    if row is None:
        raise ValueError("no JSON object")
    ranges.whole("game", row["game"], 0)
    ranges.whole("opening", row["opening"], 0, len(row["moves"]))
    if Go(size, komi, history=row["moves"]).winner is None:
        raise ValueError("it is not over")


def records_of(rows: list[dict], size: int, komi: float, card: dict) -> GoRecords:
    """The games of a journal as records, whose random opening moves are marked."""
    games = [Go(size, komi, history=row["moves"]) for row in rows]
    mistakes = [np.arange(len(row["moves"])) < row["opening"] for row in rows]
    return GoRecords.from_games(games, mistakes=np.concatenate(mistakes), card=card)

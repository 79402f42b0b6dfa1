"""Games of a Go program against itself: a teacher for the chapter's policies.

Each game begins with one to six random stones, so that no two are alike, and has its own random numbers, so that a
run that was cut off goes on with the next game. Finished games wait in a journal, one line of JSON each.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from mock5lib.base import ranges
from mock5lib.base.contract import AgentFailure
from mock5lib.base.files import as_lines, json_lines, write_whole
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
    journal = Path(journal)
    done = {row["game"]: row for row in [*rows_of(known), *read_journal(journal)]}
    left = [number for number in range(games) if number not in done]
    if left:
        program = GtpProgram(command, seconds=120)
        journal.parent.mkdir(parents=True, exist_ok=True)
        write_whole(journal, as_lines(list(done.values())))  # without a last line that was cut short
        try:
            with journal.open("a", encoding="utf-8") as file:
                for number in left:
                    done[number] = play_one(program, number, size, komi, seed)
                    file.write(as_lines([done[number]]).decode())
                    file.flush()
                    if report is not None:
                        report(len(done))
        finally:
            program.close()
    card = card_of(command, seed)
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


def read_journal(journal: Path) -> list[dict]:
    """The games of a journal; a last line that was cut short is left out, and then played again."""
    rows = json_lines(journal.read_bytes()) if journal.exists() else []
    for number, row in enumerate(rows, start=1):
        if row is None or not {"game", "opening", "moves"} <= set(row):
            raise ValueError(f"{journal}: line {number} is no game; remove it, and it is played again.")
    return rows


def records_of(rows: list[dict], size: int, komi: float, card: dict) -> GoRecords:
    """The games of a journal as records, whose random opening moves are marked."""
    games = [Go(size, komi, history=row["moves"]) for row in rows]
    mistakes = [np.arange(len(row["moves"])) < row["opening"] for row in rows]
    return GoRecords.from_games(games, mistakes=np.concatenate(mistakes), card=card)

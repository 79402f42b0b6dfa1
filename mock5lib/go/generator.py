"""Games of a Go program against itself: a teacher for the chapter's policies.

Each game begins with one to six random stones, so that most games differ, and has its own random numbers, so that the
file of a run that was cut off goes on with the next game.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from mock5lib.base.contract import AgentFailure
from mock5lib.base.files import Lock
from mock5lib.game.record_formats import check_place
from mock5lib.game.records import concatenate
from mock5lib.go.board import Go
from mock5lib.go.gtp import GtpAgent, play_command
from mock5lib.go.records import GoRecords

# Area scoring with dead stones as they stand needs a program that takes them off before it passes.
GNU_GO = "gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead --never-resign"
LONGEST_OPENING = 6  # random stones
EVERY = 20  # games, the file is written


def generate(
    out, games: int, command: list[str], *, size=9, komi=7.5, seed=0, report: Callable[[int], None] | None = None
) -> GoRecords:
    """Let a program play against itself until a file of records holds so many games; what it holds already stays.

    Args:
        report: told after each game how many there are.

    Raises:
        AgentFailure: the program fails; the file holds what was finished.
    """
    out, card = Path(out), {"made": "a program against itself", "command": " ".join(command), "seed": seed}
    check_place(out, GoRecords.FORMAT)
    with Lock(out):
        parts = [GoRecords.load(out)] if out.exists() else []
        if parts and (parts[0].card, parts[0].size, parts[0].komi) != (card, size, komi):
            raise ValueError(f"{out}: it holds games that were made in another way; name another file.")
        first = sum(map(len, parts))
        program = GtpAgent(command, seconds=120)
        try:
            for number in range(first, games):
                parts.append(play_one(program, number, size, komi, seed, card))
                if report is not None:
                    report(number + 1)
                if number % EVERY == 0:
                    parts = [concatenate(parts)]
                    parts[0].save(out)
        finally:
            program.close()
            if len(parts) > 1:
                parts = [concatenate(parts)]
                parts[0].save(out)
    return parts[0]


def play_one(program: GtpAgent, number: int, size: int, komi: float, seed: int, card: dict) -> GoRecords:
    """Game `number` of a program against itself, its random moves marked."""
    game, rng = Go(size, komi), np.random.default_rng([seed, number])
    program.set_up(game)
    program.ask(f"set_random_seed {number}")
    opening = int(rng.integers(1, LONGEST_OPENING + 1))
    while len(game.history) < opening:
        move = int(rng.integers(size**2))
        if game.why_illegal(move) is None:
            program.ask(play_command(game, move, game.player))
            game.apply(move)
    while game.winner is None:
        answer = program.ask(f"genmove {game.colour_name(game.player)}")
        try:
            game.apply(game.move_named(answer))
        except ValueError as problem:
            raise AgentFailure(f"played {answer[:40]!r} in game {number}: {problem}") from None
    return GoRecords.from_games([game], mistakes=np.arange(len(game.history)) < opening, card=card)

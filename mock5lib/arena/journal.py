"""A file of JSON lines that grows as games end, and can be read after the writer was killed at any moment.

What was appended in one call is written at once and flushed to the disk. A last line that was cut short is no line: it
is dropped when the file is read, and overwritten by the next append. Who appends reads first, so that nothing is
written to a foreign file, and holds the file's `Lock` from then on.
"""

from __future__ import annotations

import os
from pathlib import Path

from mock5lib.arena.side_by_side import PlayedGame
from mock5lib.base.files import as_lines, json_lines, naming
from mock5lib.game.board import Mock5
from mock5lib.game.referee import Outcome


def append(path, entries: list[dict]) -> None:
    """Add a line for each entry, after the last whole line of the file; the file and its folder are made if need be."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path), open(path, "a+b") as file:
        file.truncate(whole_bytes(path))
        file.write(as_lines(entries))
        file.flush()
        os.fsync(file.fileno())


def keep(path, lines: int) -> None:
    """Cut the file after so many lines, if it has more."""
    path = Path(path)
    if path.exists():
        wanted = b"".join(path.read_bytes().splitlines(keepends=True)[:lines])
        if len(wanted) < path.stat().st_size:
            os.truncate(path, len(wanted))


def whole_bytes(path: Path) -> int:
    """Length of the file up to the end of its last whole line."""
    return path.read_bytes().rfind(b"\n") + 1


def read(path, begins: str) -> list[dict]:
    """The whole lines of a file; none if there is no such file.

    Args:
        begins: how the first line of such a file begins.

    Raises:
        ValueError: a line is no JSON object, or one cut short is not of ours; names the file and the line.
    """
    path = Path(path)
    data = path.read_bytes() if path.exists() else b""
    entries, rest = json_lines(data), data[data.rfind(b"\n") + 1 :]
    wanted = b'{"' if entries else begins.encode()
    if None in entries or rest[: len(wanted)] != wanted[: len(rest)]:
        number = 1 + (entries.index(None) if None in entries else len(entries))
        raise ValueError(
            f"{path}, line {number}: not a JSON object as we write it; this is no file of games, or it is damaged."
        )
    return entries


def game_entry(game: PlayedGame) -> list:
    """A game as [winner, reason, moves], with the winner and the reason as agents see them."""
    return [int(game.outcome), game.outcome.reason, " ".join(map(str, game.board.history))]


def check_winner(entry: list, agents) -> None:
    """A ValueError if the winner of an entry is not whom its reason names: one of the two is damaged."""
    winner, reason, _ = entry
    if winner not in (0, 1, 2) or not isinstance(winner, int) or not isinstance(reason, str):
        raise ValueError(f"the winner is 0, 1 or 2, with a reason; got {winner!r} and {reason!r}")
    won, lost = (f"{agents[winner - 1]} won", f"{agents[2 - winner]} ") if winner else ("draw", "draw ")
    if reason != won and not (reason.startswith(lost) and reason != f"{lost}won"):
        raise ValueError(f"winner {winner} and {reason!r} do not agree")


def game_of(entry: list, start: Mock5, agents, path) -> PlayedGame:
    """The game of an entry, which must go on from `start`.

    Raises:
        ValueError: it does not, breaks the rules, or its winner is not whom the reason names; names the file.
    """
    try:
        check_winner(entry, agents)
        winner, reason, moves = entry
        board, moves = start.copy(), [int(move) for move in moves.split()]
        opening = len(start.history)
        if moves[:opening] != start.history:
            raise ValueError("it has another opening")
        for move in moves[opening:]:
            board.apply(move)
    except (TypeError, ValueError, IndexError, AttributeError) as problem:
        raise ValueError(f"{Path(path)}: not a game of this match: {problem}") from None
    return PlayedGame(Outcome(winner, reason), board, len(moves) - opening)

"""Forced wins by continuous fours (VCF: victory by continuous fours), read exactly, for five in a row.

A *four* threatens five, so the other side must answer at the one point that stops it. A chain of fours therefore
leaves the defender no choice, and can be read to its end: Gomoku's counterpart of Go's ladder. The rules:

- A five that can be made at once is the win; nothing else need be read.
- If the defender could make five, the attacker's next stone must stop that. Two such points cannot be stopped.
- Each stone of the attacker must make a four. A four that can be completed at two points has won.
- The defender answers at the one point left. That stone may make a four too, and the second rule applies.

`forced_win`, `winning_starts` and `refutations` take games; `forced_wins_compiled.py` reads for them.
`readable_forced_win` is the plain twin. Depth is counted in fours: depth 0 sees a five and no more.
"""

from __future__ import annotations

import numpy as np

from mock5lib.base.arguments import whole
from mock5lib.game.board_compiled import WALL
from mock5lib.gomoku.forced_wins_compiled import Reading, find_win, make_reading, mark_refutations, mark_starts
from mock5lib.gomoku.lines_compiled import lines_of, load, new_position
from mock5lib.gomoku.threats import level_tables, require_five

DEPTH = 8  # fours that are read by default
MAX_DEPTH = 60
REMEMBERED = 1 << 16  # positions without a win that one reading remembers


# On games -------------------------------------------------------------------------------------------------------


def forced_win(game, player: int | None = None, depth: int = DEPTH) -> list[int] | None:
    """The shortest forced win by fours, as a line of moves: the attacker's, the forced reply, …, the five.

    Args:
        game: a running five-in-a-row game.
        player: who attacks and moves first, 1 or 2. Default: the player to move.
        depth: how many fours may come before the five, 0 to 60.

    Returns:
        An odd number of moves, of which the first, third, … are the attacker's; None if there is no such win.
    """
    reading, color = reading_of(game, player, depth)
    for fours in range(depth + 1):
        if find_win(reading, color, fours):
            line = reading.line[: reading.length[0]]
            return np.searchsorted(reading.position.lines.points, line).tolist()  # from padded to plain points
    return None


def winning_starts(game, player: int | None = None, depth: int = DEPTH) -> np.ndarray:
    """Where a forced win by fours starts, (H * W,) bool: all first moves of all such wins; see `forced_win`.

    Where five can be made at once, these are the points that make it.
    """
    mask = np.empty(len(game.cells), dtype=np.bool_)
    mark_starts(*reading_of(game, player, depth), depth, mask)
    return mask


def refutations(game, depth: int = DEPTH) -> np.ndarray:
    """Moves of the player to move after which the opponent, who has a forced win, has none: (H * W,) bool.

    All False if the opponent, were it their turn, had no such win; see `forced_win`. A move that wins refutes.
    """
    mask = np.empty(len(game.cells), dtype=np.bool_)
    mark_refutations(*reading_of(game, None, depth), depth, mask)
    return mask


def reading_of(game, player: int | None, depth: int) -> tuple[Reading, int]:
    """A game as compiled code reads it, and the attacker."""
    require_five(game)
    if player not in (None, 1, 2):
        raise ValueError(f"A player is 1 (black) or 2 (white), got {player!r}.")
    whole("A depth in fours", depth, 0, MAX_DEPTH)
    board = game.cells.copy()
    if game.winner is not None:
        board[board == 0] = WALL  # over: no move is left to read
    position = new_position(lines_of(game.height, game.width), level_tables())
    load(position, board, -1)
    return make_reading(position, game.exact, depth, REMEMBERED), player or game.player


# The readable twin ----------------------------------------------------------------------------------------------


def readable_forced_win(game, player: int, depth: int) -> list[int] | None:
    """A forced win by fours in plain Python, not always the shortest; the same answer, yes or no, as `forced_win`."""
    wins = winning_points(game, player)
    if wins:
        return wins[:1]
    threats = winning_points(game, 3 - player)
    if len(threats) > 1 or depth == 0:
        return None
    for move in threats or game.legal_moves():
        after = with_stone(game, move, player)
        completions = winning_points(after, player)
        if len(completions) > 1:
            return [move, *completions[:2]]
        if len(completions) == 1:
            rest = readable_forced_win(with_stone(after, completions[0], 3 - player), player, depth - 1)
            if rest is not None:
                return [move, completions[0], *rest]
    return None


def winning_points(game, player: int) -> list[int]:
    """The empty points where a stone of `player` wins at once."""
    return [move for move in game.legal_moves() if with_stone(game, move, player).winner == player]


def with_stone(game, move: int, player: int):
    """A copy of the game with one more stone, whoever's turn it is."""
    after = game.copy()
    after[move] = player
    return after

"""The exact solver for small games: the value of every position of tic-tac-toe, and its optimal moves.

The game is solved backwards by the definition itself (minimax): a finished game has its result, any other position
is as good as the best reply to it is bad. Positions are counted once each, not once per order of moves.
"""

from __future__ import annotations

from functools import lru_cache

from mock5lib.game.board import Mock5

TIC_TAC_TOE_POSITIONS = 5478  # reachable ones, the empty board and the finished ones included
TIC_TAC_TOE_RUNNING = 4520


class Oracle:
    """Exact values of every position that can be reached from `start`.

    Meant for tic-tac-toe (5,478 positions, a tenth of a second); a much larger game is refused.

    Args:
        start: the position to solve from, tic-tac-toe by default. It is left as it was.
        limit: number of positions at which solving gives up.

    Raises:
        ValueError: there are more positions than `limit`.
    """

    def __init__(self, start: Mock5 | None = None, limit: int = 200_000):
        self.limit = limit
        self._values: dict[tuple[bytes, int], int] = {}
        self._games: dict[tuple[bytes, int], Mock5] = {}
        self._solve((start or Mock5(3, 3, 3)).copy())

    def _solve(self, game: Mock5) -> int:
        key = (bytes(game.board), game.player)
        if key in self._values:
            return self._values[key]
        if len(self._values) >= self.limit:
            raise ValueError(f"The oracle solves games of at most {self.limit:,} positions; this one has more.")
        self._values[key] = 0  # holds the place while the replies are solved
        self._games[key] = game.copy()
        if game.winner is None:
            value = -1
            for move in game.legal_moves():
                game.apply(move)
                value = max(value, -self._solve(game))
                game.undo()
        else:
            value = 0 if game.winner == 0 else 1 if game.winner == game.player else -1
        self._values[key] = value
        return value

    def value(self, game: Mock5) -> int:
        """With best play on both sides: 1 if the player to move wins, 0 for a draw, −1 for a loss.

        Raises:
            KeyError: the position cannot be reached from the start that was solved.
        """
        try:
            return self._values[bytes(game.board), game.player]
        except KeyError:
            raise KeyError(f"{game!r} cannot be reached from the position that this oracle solved.") from None

    def move_values(self, game: Mock5) -> dict[int, int]:
        """Legal move → its exact value for the player who makes it."""
        game, values = game.copy(), {}
        for move in game.legal_moves():
            game.apply(move)
            values[move] = -self.value(game)
            game.undo()
        return values

    def optimal_moves(self, game: Mock5) -> list[int]:
        """The moves that keep the position's value; empty for a finished game."""
        return [move for move, value in self.move_values(game).items() if value == self.value(game)]

    def positions(self, running_only: bool = True) -> list[Mock5]:
        """A copy of every reachable position (of every one that still runs), in a fixed order."""
        return [game.copy() for game in self._games.values() if not running_only or game.winner is None]


@lru_cache(maxsize=1)
def tic_tac_toe() -> Oracle:
    """The solved game of tic-tac-toe; solved once per process."""
    return Oracle()

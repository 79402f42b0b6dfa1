"""A position for compiled code, and the questions that each game answers about it. k in a row answers here.

A *position* is a NamedTuple of arrays and rules. Its `counts` begin with the moves played and with who moves next, and
moves are numbers as on the readable board. Many positions with the same rules are one such tuple whose arrays have one
axis more, in front: `stack` makes it, and `at` looks at one of them in place.

Searches call the questions, and know no game. To be searched by `FastUCT` and by the forest, another game needs a
NamedTuple with the three methods of `Five`, an answer to each question, and an entry in `POSITIONS`; see `Go`'s, at the
end of `go/kernels.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mock5lib.base.compiled import answer, compiled, question
from mock5lib.game.board import Mock5
from mock5lib.game.encoders import MAX_HISTORY, FlatPositions
from mock5lib.game.kernels import RUNNING, count_playouts, mix, random_playout, wins_at

PLY, PLAYER = 0, 1  # the first entries of `counts`


# The questions --------------------------------------------------------------------------------------------------


@question
def at(positions, b):
    """Number b of stacked positions; what is played on it is played there."""


@question
def copy_into(target, source):
    """Make one position like another of the same rules."""


@question
def play(position, move):
    """Play a legal move."""


@question
def winner_of(position):
    """RUNNING (−1), 0 for a draw, 1 or 2; of a position that moves have been played on."""


@question
def mark_moves(position, mask, forced):
    """Mark the legal moves in `mask`, (A,) bool.

    With `forced` only those worth a look, by a look one ply ahead; returns 1 or −1 if that tells the value for the
    player to move, else 0.
    """


@question
def play_out(position, playouts, results, state):
    """Count in `results`, (3,) int64, how many random games from here end in a draw, in a win of 1 and of 2."""


@question
def key_of(position, seed):
    """A uint64 that depends on the position and on `seed`, a uint64."""


# Python's side --------------------------------------------------------------------------------------------------


def position_of(game) -> Any:
    """The position of a game.

    Raises:
        TypeError: there is no compiled position for this game; a subclass may have rules of its own, so it has none.
    """
    if type(game) not in POSITIONS:
        raise TypeError(
            f"The fast searches play Mock5 and Go, whose rules are compiled, got {type(game).__name__}; UCT and "
            "SearchTree play any game."
        )
    return POSITIONS[type(game)](game)


def stack(games) -> Any:
    """The positions of games with the same rules as one, whose arrays have an axis more, in front."""
    positions = [position_of(game) for game in games]
    if len({rules_of(position) for position in positions}) != 1:
        raise ValueError(f"Games taken together must share board and rules, and there must be some, unlike {games!r}.")
    return positions[0]._replace(
        **{name: np.stack([getattr(position, name) for position in positions]) for name in arrays_of(positions[0])}
    )


def room_for(position, *shape: int) -> Any:
    """Arrays for so many positions with the rules of one, in place of its own."""
    arrays = arrays_of(position).items()
    return position._replace(**{name: np.zeros((*shape, *array.shape), array.dtype) for name, array in arrays})


def chosen(positions, where) -> Any:
    """Some of stacked positions, or one: by any index of NumPy's, which decides whether they are a copy."""
    return positions._replace(**{name: array[where] for name, array in arrays_of(positions).items()})


def put(positions, where, new) -> None:
    """Write the arrays of `new` over some of stacked positions."""
    for name, array in arrays_of(positions).items():
        array[where] = getattr(new, name)


def arrays_of(position) -> dict[str, np.ndarray]:
    """The arrays of a position, by name; what is not among them are its rules."""
    return {name: part for name, part in position._asdict().items() if isinstance(part, np.ndarray)}


def rules_of(position) -> tuple:
    """Game, board and rules, to be compared."""
    return type(position), *(part for part in position if not isinstance(part, np.ndarray))


# k in a row -----------------------------------------------------------------------------------------------------


class Five(NamedTuple):
    """A position of k in a row on a board of A points. Stacked, each array is (B, …)."""

    board: np.ndarray  # (A,) int8 of 0, 1, 2
    counts: np.ndarray  # (2,) int32: stones on the board, and who moves
    last: np.ndarray  # (16,) int16, the last moves in a ring, that of ply p at p % 16; −1 for none
    height: int
    width: int
    k: int
    exact: bool

    @property
    def boards(self) -> np.ndarray:
        """The stones of stacked positions, (B, A) int8."""
        return self.board

    def states(self, history: int) -> FlatPositions:
        """Stacked positions as an expert takes them that wants to know so many of the last moves."""
        recent = self.last[np.arange(len(self.last))[:, None], places_in_ring(self.counts, history)]
        return FlatPositions(self.board, self.counts[:, PLAYER].astype(np.int8), recent, self.height, self.width)

    def identity(self) -> bytes:
        """Equal for equal positions with the same rules, however the game has come to them."""
        return self.board.tobytes() + self.counts.tobytes()


def places_in_ring(counts, history: int) -> np.ndarray:
    """Where `Five.last` has the last `history` moves, latest first: (B, history) for counts (B, 2)."""
    return (counts[:, :1] - 1 - np.arange(history)) % MAX_HISTORY


def fives(boards, players, recent, height: int, width: int, k: int, exact: bool) -> Five:
    """Stacked positions of boards (B, A), who moves (B,) and the last moves (B, up to 16), latest first."""
    counts = np.stack([np.count_nonzero(boards, axis=1), players], axis=1).astype(np.int32)
    last = np.full((len(counts), MAX_HISTORY), -1, np.int16)
    np.put_along_axis(last, places_in_ring(counts, recent.shape[1]), recent, axis=1)
    return Five(boards.astype(np.int8), counts, last, height, width, k, exact)


def five_of(game: Mock5) -> Five:
    """The position of a game."""
    stones, last = np.count_nonzero(game.cells), np.full(MAX_HISTORY, -1, np.int16)
    for ago, move in enumerate(game.history[: -MAX_HISTORY - 1 : -1]):
        last[(stones - 1 - ago) % MAX_HISTORY] = move
    counts = np.array([stones, game.player], np.int32)
    return Five(game.cells.copy(), counts, last, game.height, game.width, game.k, game.exact)


# Type of a game → a function that gives its position; Go adds its own.
POSITIONS: dict[type, Callable] = {Mock5: five_of}


@answer(at, Five)
def five_at(positions, b):
    p = positions
    return Five(p.board[b], p.counts[b], p.last[b], p.height, p.width, p.k, p.exact)


@answer(copy_into, Five)
def copy_five(target, source):
    for point in range(len(source.board)):
        target.board[point] = source.board[point]
    for ply in range(MAX_HISTORY):
        target.last[ply] = source.last[ply]
    target.counts[PLY], target.counts[PLAYER] = source.counts[PLY], source.counts[PLAYER]


@answer(play, Five)
def play_five(position, move):
    counts = position.counts
    position.board[move] = counts[PLAYER]
    position.last[counts[PLY] % MAX_HISTORY] = move
    counts[PLY] += 1
    counts[PLAYER] = 3 - counts[PLAYER]


@answer(winner_of, Five)
def winner_of_five(position):
    p, ply = position, position.counts[PLY]
    move = p.last[(ply - 1) % MAX_HISTORY]
    if move >= 0 and wins_at(p.board, p.height, p.width, p.k, p.exact, move):
        return np.int64(p.board[move])
    return np.int64(0 if ply == len(p.board) else RUNNING)


@answer(mark_moves, Five)
def mark_moves_of_five(position, mask, forced):
    p, player = position, position.counts[PLAYER]
    if forced:
        if mark_wins(p.board, p.height, p.width, p.k, p.exact, player, mask) > 0:
            return 1
        threats = mark_wins(p.board, p.height, p.width, p.k, p.exact, 3 - player, mask)
        if threats > 0:
            return -1 if threats > 1 else 0
    for move in range(len(p.board)):
        mask[move] = p.board[move] == 0
    return 0


@answer(play_out, Five)
def play_out_five(position, playouts, results, state):
    p = position
    count_playouts(p.board, p.height, p.width, p.k, p.exact, p.counts[PLAYER], playouts, results, state)


@answer(key_of, Five)
def key_of_five(position, seed):
    bits = seed
    for stone in position.board:
        bits = mix(bits + np.uint64(stone) + np.uint64(0x9E3779B97F4A7C15))
    return bits


@compiled
def mark_wins(board, height, width, k, exact, player, mask):
    """Mark in `mask` (A,) the empty points where a stone of `player` would win; returns how many there are.

    Looks at every k points in line: with k − 1 stones of `player` the remaining point, if empty, wins.
    """
    mask[:] = False
    count = 0
    for row in range(height):
        for col in range(width):
            for d_row, d_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_col = row + (k - 1) * d_row, col + (k - 1) * d_col
                if last_row >= height or last_col >= width or last_col < 0:
                    continue
                empty = lone_empty(board, row * width + col, d_row * width + d_col, k, player)
                if empty < 0 or mask[empty]:
                    continue
                if exact and (
                    holds(board, height, width, row - d_row, col - d_col, player)
                    or holds(board, height, width, last_row + d_row, last_col + d_col, player)
                ):
                    continue
                mask[empty] = True
                count += 1
    return count


@compiled
def lone_empty(board, point, step, k, player):
    """The one empty point of k in line, if all others hold stones of `player`; else -1."""
    empty = -1
    for _ in range(k):
        if board[point] != player:
            if board[point] != 0 or empty >= 0:
                return -1
            empty = point
        point += step
    return empty


@compiled
def holds(board, height, width, row, col, player):
    return 0 <= row < height and 0 <= col < width and board[row * width + col] == player


# Random playouts from games, for the readable UCT ---------------------------------------------------------------


def winner_of_random_play(game: Mock5, state) -> int:
    """The winner of random moves from a running game, 0 for a draw; the game stays as it is."""
    return random_playout(game.cells, game.height, game.width, game.k, game.exact, game.player, state)


# Type of a game → a function as above; Go adds its own. A subclass may have other rules, so it is not meant.
PLAYOUTS: dict[type, Callable] = {Mock5: winner_of_random_play}

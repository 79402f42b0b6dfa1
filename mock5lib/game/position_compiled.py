"""A position for compiled code, and the questions that each game answers about it. k in a row answers here.

A *position* is a NamedTuple of arrays and rules. Its `counts` begin with the moves played and with who moves next, and
moves are numbers as on the readable board. Many positions with the same rules are one such tuple whose arrays have one
axis more, in front: `stack` makes it, and `at` looks at one of them in place.

Searches, tables and records call the questions, and know no game. Another game brings what `game.kit` lists, and may
bring, in a module that it names as `compiled`, a NamedTuple with `counts`, `height`, `width` and, of stacked
positions, `boards` (B, H * W); answers to the questions (all but `mark_sensible`), and an entry in `POSITIONS`. Go's
stand at the end of `go/board_compiled.py`. A game without them is searched all the same, see `game.plain`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mock5lib.base.compiled import answer, compiled, question
from mock5lib.base.contract import check_game
from mock5lib.game.board import Mock5
from mock5lib.game.board_compiled import RUNNING, count_playouts, mix, random_playout, wins_at
from mock5lib.game.kit import check_kit, lacking
from mock5lib.game.plain import Plain, plain_of

PLY, PLAYER = 0, 1  # the first entries of `counts`
MAX_HISTORY = 16  # of the last moves, that a `Five` tells


# The questions --------------------------------------------------------------------------------------------------


@question
def at(positions, b):
    """Number b of stacked positions; what is played on it is played there.

    Pass the result straight to another compiled function: numba drops writes made through it in this one.
    """


@question
def copy_into(target, source):
    """Make one position like another of the same rules."""


@question
def play(position, move):
    """Play a legal move."""


@question
def is_legal(position, move):
    """Whether a move, any whole number, may be played in a running position."""


@question
def winner_of(position):
    """RUNNING (−1), 0 for a draw, 1 or 2; of a position that moves have been played on."""


@question
def mark_moves(position, mask, forced):
    """Mark the legal moves in `mask`, (A,) bool, and unmark the others.

    With `forced` only those worth a look, by a look one ply ahead; returns 1 or −1 if that tells the value for the
    player to move, else 0.
    """


@question
def mark_sensible(position, mask):
    """Mark the points worth a look for a policy over points, (H * W,) bool: legal, and in Go no own eye."""


@question
def play_out(position, playouts, results, state):
    """Count in `results`, (3,) int64, how many random games from here end in a draw, in a win of 1 and of 2."""


@question
def key_of(position, seed):
    """A uint64 that depends on the position and on `seed`, a uint64."""


# Python's side --------------------------------------------------------------------------------------------------


def stack(games) -> Any:
    """The positions of games with the same rules as one, whose arrays have an axis more, in front.

    What is stacked already stays as it is. Games without compiled answers are stacked as `Plain`.

    Raises:
        TypeError: no game, or one that does not say what a game of many must, see `game.kit`.
        ValueError: the games differ in board or rules, or there are none, or they break the rules of `game.kit`.
    """
    if isinstance(games, Plain) or hasattr(games, "counts"):
        return games
    kinds = {type(game) for game in games}
    for game in games:
        if type(game) not in DOORS:
            check_kit(game)
    check_alike(kinds)
    kind = kinds.pop()
    return POSITIONS[kind](games) if has_answers(kind) else plain_of(games)


def has_answers(kind: type) -> bool:
    """Whether games of this very class have compiled answers; imports the module that it names for them.

    A subclass may have rules of its own, so it has none.
    """
    module = vars(kind).get("compiled")
    if kind not in POSITIONS and module is not None:
        importlib.import_module(module)
        if kind not in POSITIONS:
            raise ValueError(f"{kind.__name__} names {module} for its compiled answers: it has none in POSITIONS.")
    return kind in POSITIONS


def judge(game) -> None:
    """Raise a TypeError for what is no game, and a ValueError for one that was changed by hand to what can't be."""
    check_game(game)
    if type(game) in DOORS:
        DOORS[type(game)](game)


def without_position(game) -> str:
    """Why a game has no position, as the end of a sentence; "" if it has one. It raises as `check_kit` does."""
    if type(game) in DOORS:
        return ""
    why = lacking(game)
    if not why:
        check_kit(game)
    return why


def looks_ahead(position) -> bool:
    """Whether a search may look one ply ahead: `mark_moves` heeds `forced`."""
    return bool(getattr(position, "looks_ahead", False))


def identity_of(position) -> Any:
    """Equal for equal positions with the same rules, however the game has come to them."""
    if hasattr(position, "identity"):
        return position.identity()
    return b"".join(array.tobytes() for array in arrays_of(position).values())


def check_alike(rules: set) -> None:
    """A ValueError unless there is one and no other."""
    if len(rules) != 1:
        raise ValueError("Games taken together must share board and rules, and there must be some.")


def position_of(game) -> Any:
    """The position of one game; raises as `stack` does."""
    return chosen(stack([game]), 0)


def stacked(positions: list) -> Any:
    """Positions as one."""
    check_alike({rules_of(position) for position in positions})
    return positions[0]._replace(
        **{name: np.stack([getattr(position, name) for position in positions]) for name in arrays_of(positions[0])}
    )


def room_for(position, *shape: int) -> Any:
    """Arrays for so many positions with the rules of one, in place of its own."""
    if isinstance(position, Plain):
        return position.of(np.empty(shape, object))
    arrays = arrays_of(position).items()
    return position._replace(**{name: np.zeros((*shape, *array.shape), array.dtype) for name, array in arrays})


def chosen(positions, where) -> Any:
    """Some of stacked positions, or one: by any index of NumPy's, which decides whether they are a copy."""
    if isinstance(positions, Plain):
        return positions.chosen(where)
    return positions._replace(**{name: array[where] for name, array in arrays_of(positions).items()})


def put(positions, where, new) -> None:
    """Write the arrays of `new` over some of stacked positions."""
    if isinstance(positions, Plain):
        return positions.put(where, new)
    for name, array in arrays_of(positions).items():
        array[where] = getattr(new, name)


def sensible_points(positions) -> np.ndarray:
    """What `mark_sensible` marks in stacked positions, (B, H * W) bool."""
    masks = np.zeros(positions.boards.shape, dtype=np.bool_)
    mark_all_sensible(positions, masks)
    return masks


@compiled(nogil=True)
def mark_all_sensible(positions, masks):
    for b in range(len(masks)):
        mark_sensible(at(positions, b), masks[b])


def arrays_of(position) -> dict[str, np.ndarray]:
    """The arrays of a position, by name; what is not among them are its rules."""
    return {name: part for name, part in position._asdict().items() if isinstance(part, np.ndarray)}


def rules_of(position) -> tuple:
    """Game, board and rules, to be compared."""
    if isinstance(position, Plain):
        return position.kind, position.options
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
    def looks_ahead(self) -> bool:
        """Whether `mark_moves` heeds `forced`."""
        return True

    @property
    def boards(self) -> np.ndarray:
        """The stones of stacked positions, (B, A) int8."""
        return self.board

    @property
    def players(self) -> np.ndarray:
        """Who moves next in stacked positions, (B,) int8."""
        return self.counts[:, PLAYER].astype(np.int8)

    def recent(self, moves: int) -> np.ndarray:
        """The last moves of stacked positions, up to 16, latest first, −1 for none: (B, moves) int16."""
        return np.take_along_axis(self.last, (self.counts[:, :1] - 1 - np.arange(moves)) % MAX_HISTORY, axis=1)

    def identity(self) -> bytes:
        """Equal for equal positions with the same rules, however the game has come to them."""
        return self.board.tobytes() + self.counts.tobytes()


def fives_of(games) -> Five:
    """The stones of games of k in a row as stacked positions, whatever the rules; stacked ones stay as they are."""
    if isinstance(games, Five):
        return games
    for game in games:
        check_made(game)
    check_alike(rules := {game._made for game in games})
    rules = rules.pop()
    board, players = np.stack([game.cells for game in games]), [game.player for game in games]
    running = np.array([game.winner is None for game in games])
    stones = np.count_nonzero(board, axis=1)
    last = np.array([ring_of(game.history, end) for game, end in zip(games, stones.tolist())])
    moves_are_points = last.dtype.kind == "i" and -1 <= last.min() <= last.max() < board.shape[1]
    if not moves_are_points or not are_possible(board, running, *rules):
        for game in games:
            check_five(game)  # says what is wrong
    counts = np.stack([stones, players], axis=1).astype(np.int32)
    return Five(board, counts, last.astype(np.int16), *rules)


def check_five(game: Any) -> None:
    """The door to compiled code of a game of k in a row, which its attributes may have been written to by hand.

    Raises:
        TypeError: no game. ValueError: a player, a stone, a move or a board that there is not, or the board shows that
            the game is over while it goes on.
    """
    check_made(game)
    points = game.height * game.width
    if not are_possible(game.cells[None], np.array([game.winner is None]), *game._made):
        wrong = np.flatnonzero((game.cells < 0) | (game.cells > 2))
        if len(wrong):
            raise ValueError(f"A point holds 0, 1 or 2; point {wrong[0]} holds {game.cells[wrong[0]]}.")
        raise ValueError("The board shows a finished game, but the game goes on: was it changed by hand?")
    for move in game.history[-MAX_HISTORY:]:
        if not isinstance(move, (int, np.integer)) or not 0 <= move < points:
            raise ValueError(f"A move of the history is a point from 0 to {points - 1}, got {move!r}.")


def check_made(game: Any) -> None:
    """The part of `check_five` that needs no look at the points."""
    if not isinstance(game, Mock5):
        check_game(game)
        raise TypeError(f"A game of k in a row is wanted, a Mock5; got {type(game).__name__}.")
    if isinstance(game.player, bool) or game.player not in (1, 2):
        raise ValueError(f"The player to move is 1 or 2, got {game.player!r}.")
    says = game.height, game.width, game.k, game.exact
    if says != game._made or len(game.cells) != len(game.board):
        now = f"{says} and {len(game.cells)} points"
        raise ValueError(f"This board was made as {game._made}, and now says {now}: make a new one.")


@compiled
def are_possible(boards, running, height, width, k, exact):
    """Whether stacked boards hold stones alone, and none of them is decided while its game runs."""
    for b in range(len(boards)):
        for point in range(boards.shape[1]):
            if not 0 <= boards[b, point] <= 2:
                return False
        if running[b] and is_decided(boards[b], height, width, k, exact):
            return False
    return True


@compiled
def is_decided(board, height, width, k, exact):
    """Whether a board is full or shows a winning row; each row is counted once, from its first stone."""
    full = True
    for row in range(height):
        for col in range(width):
            stone = board[row * width + col]
            if stone == 0:
                full = False
                continue
            for d_row, d_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
                r, c = row - d_row, col - d_col
                if r >= 0 and 0 <= c < width and board[r * width + c] == stone:
                    continue
                count = 0
                r, c = row, col
                while r < height and 0 <= c < width and board[r * width + c] == stone:
                    count, r, c = count + 1, r + d_row, c + d_col
                if count == k or (count > k and not exact):
                    return True
    return full


def ring_of(history: list[int], end: int) -> list[int]:
    """The last moves of a history as `Five.last` has them; the next ply is `end`."""
    recent = [-1] * (MAX_HISTORY - len(history)) + history[-MAX_HISTORY:]
    first = MAX_HISTORY - end % MAX_HISTORY
    return recent[first:] + recent[:first]


# Type of a game → a function that stacks the positions of such games; Go adds its own.
POSITIONS: dict[type, Callable] = {Mock5: fives_of}
# Type of a game → its door to compiled code, which raises; Go adds its own.
DOORS: dict[type, Callable] = {Mock5: check_five}


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


@answer(is_legal, Five)
def is_legal_in_five(position, move):
    return 0 <= move < len(position.board) and position.board[move] == 0


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


@answer(mark_sensible, Five)
def mark_sensible_of_five(position, mask):
    for move in range(len(mask)):
        mask[move] = position.board[move] == 0


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

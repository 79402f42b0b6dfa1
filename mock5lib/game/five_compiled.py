"""k in a row as compiled code knows it: its position, its door, its answers to the questions, and playouts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mock5lib.base.compiled import answer, compiled
from mock5lib.base.contract import check_game
from mock5lib.game.board import Mock5
from mock5lib.game.board_compiled import RUNNING, count_playouts, mix, random_playout, wins_at
from mock5lib.game.position_compiled import (
    DOORS,
    PLAYER,
    PLAYOUTS,
    PLY,
    POSITIONS,
    at,
    check_alike,
    copy_into,
    is_legal,
    key_of,
    mark_moves,
    mark_sensible,
    play,
    play_out,
    winner_of,
)

MAX_HISTORY = 16  # of the last moves, that a `Five` tells


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


POSITIONS[Mock5], DOORS[Mock5] = fives_of, check_five


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


PLAYOUTS[Mock5] = winner_of_random_play

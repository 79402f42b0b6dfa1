"""The rules of Go on flat arrays, compiled by numba: the fast twin of `board.py`, and random playouts.

Stones and their groups are kept in `groups_compiled.py`. A position that the rule of ko may have to remember is a
64-bit key (Zobrist 1970): twin positions have equal keys, and two others the same one with a chance of 1 in 10^19.

Points live on a padded board, whose index is `padded_point(move, size)` of `game/board_compiled.py`; index 0, a wall,
is the pass.
"""

from __future__ import annotations

from math import isfinite
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from mock5go.groups_compiled import (
    COLOR,
    EMPTIES,
    EMPTY_COUNT,
    HEAD,
    KO,
    LIBS,
    NEXT,
    PASSES,
    PLAYER,
    PLY,
    STONES,
    TAKEN,
    WHEN,
    WHERE,
    add_empty,
    in_atari,
    key_of_stone,
    put_stone,
    take_group,
)
from mock5lib.base.arguments import whole
from mock5lib.base.compiled import answer, compiled
from mock5lib.game import position_compiled as questions
from mock5lib.game.board_compiled import RUNNING, WALL, mix, padded_point, random_below

PASS = 0
LONG_AGO = -1_000_000  # the ply of stones that a game started with


class GoPosition(NamedTuple):
    """A game of Go under way; P points, walls included."""

    points: np.ndarray  # (10, P) int32: for each point its color, its group's head …; EMPTIES lists the empty points
    counts: np.ndarray  # (6,) int32: moves played, who moves, point of ko (0: none), passes, empty points, captures
    seen: np.ndarray  # (longest game + 1,) uint64: the key of the position after each move, from the first on
    size: int
    komi: float
    superko: bool
    max_moves: int

    alphago = "mock5go.alphago:KIT"
    height = property(lambda self: self.size)
    width = property(lambda self: self.size)

    @property
    def looks_ahead(self) -> bool:
        """Whether `mark_moves` heeds `forced`."""
        return False

    @property
    def boards(self) -> np.ndarray:
        """The stones of stacked positions, (B, size²) int8."""
        padded = self.points[:, COLOR, :-1].reshape(len(self.points), self.size + 2, self.size + 1)
        return padded[:, 1:-1, 1:].reshape(len(padded), self.size**2).astype(np.int8)

    def identity(self) -> bytes:
        """Equal for games that have come through the same positions, which the rule of ko may ask for."""
        return self.seen[: self.counts[PLY] + 1].tobytes() + self.counts[PLAYER].tobytes()


@compiled(nogil=True)
def new_position(board, size, player, komi, superko, max_moves):
    """The position of a board (size²,) int8, before the first move."""
    stride, width = size + 1, (size + 2) * (size + 1) + 1
    points, counts = np.zeros((10, width), np.int32), np.zeros(6, np.int32)
    position = GoPosition(points, counts, np.zeros(max_moves + 1, np.uint64), size, komi, superko, max_moves)
    points[COLOR], points[WHEN] = WALL, LONG_AGO
    counts[PLAYER] = player
    for move in range(size * size):
        points[COLOR, padded_point(move, size)] = 0
        add_empty(points, counts, padded_point(move, size))
    for move in range(size * size):
        if board[move] != 0:
            put_stone(points, counts, stride, padded_point(move, size), board[move])
            position.seen[0] ^= key_of_stone(padded_point(move, size), board[move])
    return position


@answer(questions.copy_into, GoPosition)
@compiled(nogil=True)
def copy_into(target, source):
    """Make one position like another of the same size and length."""
    target.points[:] = source.points
    target.counts[:] = source.counts
    target.seen[: source.counts[PLY] + 1] = source.seen[: source.counts[PLY] + 1]


@compiled(nogil=True)
def copy_of(source):
    """Another position like this one."""
    return GoPosition(
        source.points.copy(),
        source.counts.copy(),
        source.seen.copy(),
        source.size,
        source.komi,
        source.superko,
        source.max_moves,
    )


@answer(questions.at, GoPosition)
@compiled
def state_at(positions, b):
    """Position number b of stacked ones; what is played on it is played there."""
    p = positions
    return GoPosition(p.points[b], p.counts[b], p.seen[b], p.size, p.komi, p.superko, p.max_moves)


# Moves ----------------------------------------------------------------------------------------------------------


@compiled(nogil=True)
def play_at(position, at):
    """Play a legal move of the player who is to move: a padded point, or PASS."""
    points, counts, seen = position.points, position.counts, position.seen
    player, ply, stride = counts[PLAYER], counts[PLY], position.size + 1
    key = seen[ply]
    counts[KO] = 0
    if at == PASS:
        counts[PASSES] += 1
    else:
        counts[PASSES] = 0
        put_stone(points, counts, stride, at, player)
        points[WHEN, at] = ply + 1
        key ^= key_of_stone(at, player)
        taken, last = 0, 0
        for step in (-stride, -1, 1, stride):
            beside = at + step
            if points[COLOR, beside] == 3 - player and points[LIBS, points[HEAD, beside]] == 0:
                taken += points[STONES, points[HEAD, beside]]
                last = beside
                key ^= take_group(points, counts, stride, points[HEAD, beside])
        counts[TAKEN] += taken
        if taken == 1 and points[STONES, points[HEAD, at]] == 1 and in_atari(points, at):
            counts[KO] = last
    counts[PLY] = ply + 1
    counts[PLAYER] = 3 - player
    seen[ply + 1] = key


@compiled(nogil=True)
def is_legal_at(position, at):
    """Whether the player to move may put a stone on a padded point."""
    return may_stand(position, at) and is_new(position, at)


@compiled(nogil=True)
def may_stand(position, at):
    """Whether a stone on a padded point would be legal if positions could repeat."""
    points, counts, stride = position.points, position.counts, position.size + 1
    if points[COLOR, at] != 0 or at == counts[KO]:
        return False
    player = counts[PLAYER]
    for step in (-stride, -1, 1, stride):
        color = points[COLOR, at + step]
        if color == 0:
            return True
        if color != WALL and (color == player) != in_atari(points, points[HEAD, at + step]):
            return True
    return False


@compiled
def is_new(position, at):
    """Whether a stone that may stand makes a position that the rule of ko allows: without captures none repeats."""
    return (
        not position.superko or (position.counts[TAKEN] == 0 and not takes(position, at)) or not repeats(position, at)
    )


@compiled
def takes(position, at):
    """Whether a stone on a padded point captures."""
    points, stride = position.points, position.size + 1
    for step in (-stride, -1, 1, stride):
        beside = at + step
        if points[COLOR, beside] == 3 - position.counts[PLAYER] and in_atari(points, points[HEAD, beside]):
            return True
    return False


@compiled
def repeats(position, at):
    """Whether a stone on a padded point makes a position that there has been."""
    points, counts, stride = position.points, position.counts, position.size + 1
    player, ply = counts[PLAYER], counts[PLY]
    key = position.seen[ply] ^ key_of_stone(at, player)
    one = two = three = 0  # heads of the groups taken so far
    for step in (-stride, -1, 1, stride):
        beside = at + step
        if points[COLOR, beside] != 3 - player:
            continue
        head = points[HEAD, beside]
        if head == one or head == two or head == three or not in_atari(points, head):
            continue
        one, two, three = head, one, two
        stone = head
        while True:
            key ^= key_of_stone(stone, 3 - player)
            stone = points[NEXT, stone]
            if stone == head:
                break
    for earlier in range(ply, -1, -1):
        if position.seen[earlier] == key:
            return True
    return False


@compiled(inline="always")
def is_eye(position, at):
    """Whether an empty padded point is an eye of the player to move; see `Go.is_eye`."""
    points, player, stride = position.points, position.counts[PLAYER], position.size + 1
    for step in (-stride, -1, 1, stride):
        color = points[COLOR, at + step]
        if color != player and color != WALL:
            return False
    held, walls = 0, 0
    for step in (-stride - 1, -stride + 1, stride - 1, stride + 1):
        color = points[COLOR, at + step]
        held += color == 3 - player
        walls += color == WALL
    return held == 0 or (held == 1 and walls == 0)


@compiled(nogil=True)
def list_legal(position, moves):
    """Write the legal moves to `moves` in increasing order as padded points, then the pass; returns how many."""
    count = 0
    if is_over(position):
        return count
    for row in range(1, position.size + 1):
        for at in range(row * (position.size + 1) + 1, (row + 1) * (position.size + 1)):
            if is_legal_at(position, at):
                moves[count] = at
                count += 1
    moves[count] = PASS
    return count + 1


@answer(questions.mark_sensible, GoPosition)
def mark_sensible(position, mask):
    """Mark the legal points that are no own eye, (size²,) bool."""
    for move in range(len(mask)):
        at = padded_point(move, position.size)
        mask[move] = is_legal_at(position, at) and not is_eye(position, at)


# The end and the score --------------------------------------------------------------------------------------------


@compiled(inline="always")
def is_over(position):
    """Whether two passes or too many moves have ended the game."""
    return position.counts[PASSES] >= 2 or position.counts[PLY] >= position.max_moves


@compiled(nogil=True)
def lead_of(position):
    """Black's area less white's and komi."""
    points, counts, stride = position.points, position.counts, position.size + 1
    lead = 0
    for row in range(1, position.size + 1):
        for at in range(row * stride + 1, (row + 1) * stride):
            lead += (points[COLOR, at] == 1) - (points[COLOR, at] == 2)
    waiting, reached = np.empty(counts[EMPTY_COUNT], np.int32), np.zeros(points.shape[1], np.bool_)
    for i in range(counts[EMPTY_COUNT]):
        first = points[EMPTIES, i]
        if reached[first]:
            continue
        reached[first], waiting[0] = True, first
        count, done, borders = 1, 0, 0
        while done < count:
            at = waiting[done]
            done += 1
            for step in (-stride, -1, 1, stride):
                color = points[COLOR, at + step]
                if color == 0 and not reached[at + step]:
                    reached[at + step], waiting[count] = True, at + step
                    count += 1
                elif color == 1 or color == 2:
                    borders |= color
        lead += count * ((borders == 1) - (borders == 2))
    return lead - position.komi


@answer(questions.winner_of, GoPosition)
@compiled(nogil=True)
def winner_of(position):
    """RUNNING (−1), 0 for a draw, 1 or 2."""
    if not is_over(position):
        return RUNNING
    lead = lead_of(position)
    return 0 if lead == 0 else 1 if lead > 0 else 2


# Random playouts --------------------------------------------------------------------------------------------------


@compiled(nogil=True)
def random_move(position, state):
    """A uniform draw from `Go.playout_moves`: a legal point that is no own eye, or else PASS."""
    points, left = position.points, position.counts[EMPTY_COUNT]
    while left > 0:
        pick = random_below(state, left)
        at = points[EMPTIES, pick]
        if not is_eye(position, at) and is_legal_at(position, at):
            return at
        left -= 1  # it goes behind those that are still to be drawn from
        other = points[EMPTIES, left]
        points[EMPTIES, pick], points[EMPTIES, left] = other, at
        points[WHERE, other], points[WHERE, at] = pick, left
    return PASS


@compiled(nogil=True)
def play_out(position, state):
    """Play random moves to the end; the position is used up. Returns the winner."""
    while not is_over(position):
        play_at(position, random_move(position, state))
    return winner_of(position)


@compiled(nogil=True)
def random_playout(position, state):
    """The winner of random play from here; the position stays."""
    return play_out(copy_of(position), state)


@compiled(nogil=True)
def playout_tally(position, playouts, state):
    """How many of `playouts` random games from here end in (a draw, a win of 1, a win of 2): shape (3,) int64."""
    tally = np.zeros(3, np.int64)
    count_playouts(position, playouts, tally, state)
    return tally


@answer(questions.play_out, GoPosition)
@compiled(nogil=True)
def count_playouts(position, playouts, results, state):
    """`playout_tally`, added to `results`."""
    for _ in range(playouts):
        results[random_playout(position, state)] += 1


# From and to the readable board -----------------------------------------------------------------------------------


@compiled(nogil=True)
def play_moves(position, moves):
    """Play moves, numbers as on the readable board. Returns how many were legal; stops at the first that is not."""
    for number in range(len(moves)):
        at = point_of(moves[number], position.size)
        if is_over(position) or not (at == PASS or is_legal_at(position, at)):
            return number
        play_at(position, at)
    return len(moves)


def check_go(game) -> None:
    """The door to compiled code of a game of Go, written to by hand perhaps: a ValueError if it can't be one."""
    size, legal = whole("size", game.size, 2, 19), {0, 1, 2}
    whole("max_moves", game.max_moves, 0, 2**31 - 1)
    board, player = game.start
    if isinstance(game.player, bool) or {player, game.player} - {1, 2}:
        raise ValueError(f"The player to move is 1 or 2, got {game.player!r}.")
    if not set(board) <= legal or not set(bytes(game.board)) <= legal:
        raise ValueError("A point holds 0, 1 or 2; this board has been given something else.")
    if len(board) != size * size or len(game.board) != size * size:
        raise ValueError(f"A board of {size!r}×{size!r} has {len(board)} points.")
    wrong = [move for move in game.history if not isinstance(move, Integral) or not 0 <= move <= size * size]
    if wrong:
        raise ValueError(f"A move of the history is a point from 0 to {size * size - 1} or the pass, got {wrong[0]!r}.")
    if game.ko not in ("positional", "simple") or not isinstance(game.komi, Real) or not isfinite(game.komi):
        raise ValueError(f"ko is positional or simple and komi a number, got {game.ko!r} and {game.komi!r}.")


def position_of(game) -> GoPosition:
    """The compiled twin of a `Go` game, which goes through its door here."""
    check_go(game)
    board, player = game.start
    superko = game.ko == "positional"
    position = new_position(np.frombuffer(board, np.int8), game.size, player, game.komi, superko, game.max_moves)
    if play_moves(position, np.array(game.history, np.int64)) < len(game.history):
        raise ValueError("The history of this game has a move that is not legal: was it changed by hand?")
    if board_of(position).tobytes() != bytes(game.board):
        raise ValueError("The stones are not those that the history leads to: was the game changed by hand?")
    return position


@compiled
def move_at(at, size):
    """A padded point or PASS as a number on the readable board."""
    return size * size if at == PASS else (at // (size + 1) - 1) * size + at % (size + 1) - 1


@compiled(nogil=True)
def board_of(position):
    """The stones, (size²,) int8."""
    board = np.empty(position.size * position.size, np.int8)
    for move in range(len(board)):
        board[move] = position.points[COLOR, padded_point(move, position.size)]
    return board


def legal_moves_of(position: GoPosition) -> list[int]:
    """The legal moves as on the readable board."""
    moves = np.empty(position.size**2 + 1, np.int32)
    return [int(move_at(at, position.size)) for at in moves[: list_legal(position, moves)]]


# What searches ask ------------------------------------------------------------------------------------------------


@compiled
def point_of(move, size):
    """A number on the readable board as a padded point or PASS."""
    return PASS if move == size * size else padded_point(move, size)


@answer(questions.play, GoPosition)
def play_move(position, move):
    play_at(position, point_of(move, position.size))


@answer(questions.is_legal, GoPosition)
def is_legal_move(position, move):
    area = position.size * position.size
    return move == area or (0 <= move < area and is_legal_at(position, padded_point(move, position.size)))


@answer(questions.mark_moves, GoPosition)
def mark_moves_of_go(position, mask, forced):
    for move in range(len(mask) - 1):
        mask[move] = is_legal_at(position, padded_point(move, position.size))
    mask[len(mask) - 1] = True
    return 0


@answer(questions.key_of, GoPosition)
def key_of_position(position, seed):
    return mix(seed ^ position.seen[position.counts[PLY]] ^ np.uint64(position.counts[PLAYER]))

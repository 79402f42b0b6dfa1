"""The compiled answers for Reversi, which make it as fast as the package's own games; `reversi.py` is readable.

A board is two numbers of 64 bits, one for each player; bit p is the point p. So all stones move one point on at once,
by a shift, and all lines of a direction are followed together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from reversi import Reversi

from mock5lib.base.compiled import answer, compiled
from mock5lib.game import position_compiled as questions
from mock5lib.game.board_compiled import RUNNING, mix, random_below
from mock5lib.game.position_compiled import PLAYER, PLY, POSITIONS

NONE, ONE = np.uint64(0), np.uint64(1)  # beside such a number an ordinary 0 or 1 would make a float of the result


class Position(NamedTuple):
    """A position. Stacked, each array is (B, 2)."""

    stones: np.ndarray  # (2,) uint64: those of player 1 and of player 2
    counts: np.ndarray  # (2,) int32: moves played, and who moves
    size: int
    points: np.uint64  # all points of the board
    not_first: np.uint64  # those that are not in the first column
    not_last: np.uint64  # … in the last column

    height = width = property(lambda self: self.size)

    @property
    def boards(self) -> np.ndarray:
        """The stones of stacked positions, (B, size²) int8."""
        is_there = (self.stones[:, :, None] >> np.arange(self.size**2, dtype=np.uint64)) & ONE
        return (is_there[:, 0] + 2 * is_there[:, 1]).astype(np.int8)


def positions_of(games: list[Reversi]) -> Position:
    """The positions of games on one size of board, stacked."""
    size, boards = games[0].height, np.array([game.board for game in games])
    if any(game.height != size for game in games):
        raise ValueError("Games of Reversi taken together must have boards of one size.")
    bits = ONE << np.arange(size * size, dtype=np.uint64)
    column = np.arange(size * size) % size
    stones = np.stack([(bits * (boards == player)).sum(axis=1, dtype=np.uint64) for player in (1, 2)], axis=1)
    counts = np.array([(len(game.history), game.player) for game in games], np.int32)
    return Position(stones, counts, size, bits.sum(), bits[column > 0].sum(), bits[column < size - 1].sum())


POSITIONS[Reversi] = positions_of


@compiled
def axis(p, number):
    """One of the four axes: how far the next point on it lies, and where a step forward and a step back may end."""
    if number == 0:
        return np.uint64(1), p.not_first, p.not_last
    if number == 1:
        return np.uint64(p.size - 1), p.not_last, p.not_first
    if number == 2:
        return np.uint64(p.size), p.points, p.points
    return np.uint64(p.size + 1), p.not_first, p.not_last


@compiled
def moves_of(p, player):
    """Where a player's stone would enclose others, as bits."""
    own, other, found = p.stones[player - 1], p.stones[2 - player], NONE
    for number in range(4):
        step, ahead, behind = axis(p, number)
        forward, back = (own << step) & ahead & other, (own >> step) & behind & other
        for _ in range(p.size - 3):
            forward |= (forward << step) & ahead & other
            back |= (back >> step) & behind & other
        found |= (forward << step) & ahead | (back >> step) & behind
    return found & ~(own | other)


@compiled
def turned_by(own, other, stone, p):
    """The stones that change color by a new one, all as bits."""
    turned = NONE
    for number in range(4):
        step, ahead, behind = axis(p, number)
        line, reached = NONE, (stone << step) & ahead
        while reached & other != NONE:
            line, reached = line | reached, (reached << step) & ahead
        turned |= line if reached & own != NONE else NONE
        line, reached = NONE, (stone >> step) & behind
        while reached & other != NONE:
            line, reached = line | reached, (reached >> step) & behind
        turned |= line if reached & own != NONE else NONE
    return turned


@compiled
def put(p, move):
    """Play a move, a pass too."""
    me = p.counts[PLAYER] - 1
    if move < p.size * p.size:
        stone = ONE << np.uint64(move)
        turned = turned_by(p.stones[me], p.stones[1 - me], stone, p)
        p.stones[me] |= stone | turned
        p.stones[1 - me] &= ~turned
    p.counts[PLY] += 1
    p.counts[PLAYER] = 2 - me


@compiled
def count(bits):
    """How many bits are set."""
    found = 0
    while bits != NONE:
        bits &= bits - ONE
        found += 1
    return found


@compiled
def winner_by_count(p):
    lead = count(p.stones[0]) - count(p.stones[1])
    return 0 if lead == 0 else 1 if lead > 0 else 2


# The answers ----------------------------------------------------------------------------------------------------


@answer(questions.at, Position)
def at(positions, b):
    p = positions
    return Position(p.stones[b], p.counts[b], p.size, p.points, p.not_first, p.not_last)


@answer(questions.copy_into, Position)
def copy_into(target, source):
    for i in range(2):
        target.stones[i], target.counts[i] = source.stones[i], source.counts[i]


@answer(questions.play, Position)
def play(position, move):
    put(position, move)


@answer(questions.is_legal, Position)
def is_legal(position, move):
    moves, area = moves_of(position, position.counts[PLAYER]), position.size * position.size
    if move == area:
        return moves == NONE
    return 0 <= move < area and (moves >> np.uint64(move)) & ONE != NONE


@answer(questions.winner_of, Position)
def winner_of(position):
    if moves_of(position, 1) | moves_of(position, 2) != NONE:
        return RUNNING
    return winner_by_count(position)


@answer(questions.mark_moves, Position)
def mark_moves(position, mask, forced):
    moves = moves_of(position, position.counts[PLAYER])
    for move in range(len(mask) - 1):
        mask[move] = (moves >> np.uint64(move)) & ONE != NONE
    mask[len(mask) - 1] = moves == NONE
    return 0


@answer(questions.play_out, Position)
@compiled
def play_out(position, playouts, results, state):
    p, pass_move = position, position.size * position.size
    stones, counts = p.stones.copy(), p.counts.copy()
    for _ in range(playouts):
        passes = 0
        while passes < 2:
            moves = moves_of(p, p.counts[PLAYER])
            passes = passes + 1 if moves == NONE else 0
            move = pass_move
            if moves != NONE:
                for _ in range(random_below(state, count(moves))):
                    moves &= moves - ONE
                move = count((moves & (~moves + ONE)) - ONE)  # the number of the lowest bit
            put(p, move)
        results[winner_by_count(p)] += 1
        p.stones[:], p.counts[:] = stones, counts


@answer(questions.key_of, Position)
def key_of(position, seed):
    return mix(mix(seed ^ position.stones[0]) ^ position.stones[1] ^ np.uint64(position.counts[PLAYER]))

"""The compiled reading of forced wins by fours; see `forced_wins.py`, which holds the rules and the plain twin."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import mix
from mock5lib.gomoku.threat_codes import place_in_codes
from mock5lib.gomoku.threats import Threat

FOUR, OPEN_FOUR, FIVE, OVERLINE = int(Threat.FOUR), int(Threat.OPEN_FOUR), int(Threat.FIVE), int(Threat.OVERLINE)


class Reading(NamedTuple):
    """One board while it is read. Kernels leave `board` and `codes` as they found them."""

    height: int
    width: int
    exact: bool
    table: np.ndarray  # (2**20,) uint8, `threats.threat_table()`
    board: np.ndarray  # (A,) int8
    codes: np.ndarray  # (4, A) int32, line codes of the board
    failed: np.ndarray  # (slots, 2) uint64: a position's key, and how many fours were not enough there
    at: np.ndarray  # (depth + 1,) int64: frame d goes on looking for its four from this point on
    only: np.ndarray  # (depth + 1,) int64: the only point where it may be made, -1 for all
    keys: np.ndarray  # (depth + 1,) uint64: the key of the frame's position
    line: np.ndarray  # (2 * depth + 1,) int16: the moves so far, attacker and defender in turn
    length: np.ndarray  # (1,) int64: how many of them make the win that was found


@compiled(nogil=True)
def make_reading(board, height, width, exact, table, codes, depth, slots):
    """A fresh `Reading` of a board (A,) int8 and its line codes (4, A) int32, which change while it reads."""
    failed, at, only = np.zeros((slots, 2), np.uint64), np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    keys, line, length = np.zeros(depth + 1, np.uint64), np.zeros(2 * depth + 1, np.int16), np.zeros(1, np.int64)
    return Reading(height, width, exact, table, board, codes, failed, at, only, keys, line, length)


@compiled(inline="always")
def put(r, move, stone):
    """Place a stone."""
    r.board[move] = stone
    place_in_codes(r.codes, r.height, r.width, move, stone)


@compiled(inline="always")
def take(r, move, stone):
    """Take it back."""
    r.board[move] = 0
    place_in_codes(r.codes, r.height, r.width, move, stone)


@compiled(inline="always")
def level_at(r, colour, direction, point):
    """The threat level of `colour` at an empty point; bits above the level are for other uses of the table."""
    return (r.table[r.codes[direction, point]] >> (4 * (colour - 1))) & 7


@compiled(inline="always")
def is_five(level, exact):
    return level == FIVE or (level == OVERLINE and not exact)


@compiled
def wins_on(r, colour, point):
    """Whether a stone of `colour` on this empty point makes five."""
    for direction in range(4):
        if is_five(level_at(r, colour, direction, point), r.exact):
            return True
    return False


@compiled
def fives(r, colour, found):
    """Where `colour` can make five: up to two points go to `found` (2,); returns how many there are, 2 for more."""
    count = 0
    for point in range(len(r.board)):
        if r.board[point] == 0 and wins_on(r, colour, point):
            found[count] = point
            count += 1
            if count == 2:
                break
    return count


@compiled
def fives_near(r, colour, move, found):
    """`fives`, on the four lines through the stone at `move` alone."""
    row, col, count = move // r.width, move % r.width, 0
    direction = 0
    for d_row, d_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for offset in range(-4, 5):
            to_row, to_col = row + offset * d_row, col + offset * d_col
            if 0 <= to_row < r.height and 0 <= to_col < r.width:
                point = to_row * r.width + to_col
                if r.board[point] == 0 and is_five(level_at(r, colour, direction, point), r.exact):
                    found[count] = point
                    count += 1
                    if count == 2:
                        return count
        direction += 1
    return count


@compiled
def makes_four(r, colour, point):
    """Whether a stone of `colour` on this empty point makes a four, open or not, in some direction."""
    for direction in range(4):
        level = level_at(r, colour, direction, point)
        if level == FOUR or level == OPEN_FOUR:
            return True
    return False


@compiled
def position_key(r, colour):
    """A 64-bit key of the board and the attacker (Zobrist 1970)."""
    key = mix(np.uint64(colour))
    for point in range(len(r.board)):
        if r.board[point] != 0:
            key ^= mix(np.uint64(4 * (point + 1) + r.board[point]))
    return key


@compiled(inline="always")
def slot_of(r, key):
    return np.int64((key >> np.uint64(20)) % np.uint64(len(r.failed)))


@compiled
def next_four(r, colour, depth):
    """The next move of frame `depth` that makes a four, from `r.at[depth]` on; -1 if there is none left."""
    only = r.only[depth]
    start, stop = (r.at[depth], len(r.board)) if only < 0 else (max(only, r.at[depth]), only + 1)
    for point in range(start, stop):
        if r.board[point] == 0 and makes_four(r, colour, point):
            r.at[depth] = point + 1
            return point
    return -1


@compiled
def enter_frame(r, colour, depth, fours, only):
    """Open frame `depth`, unless its position is known not to win with so many `fours`. Returns whether it is open."""
    if fours == 0:
        return False
    key = position_key(r, colour) if depth > 0 else np.uint64(0)
    slot = slot_of(r, key)
    if depth > 0 and r.failed[slot, 0] == key and r.failed[slot, 1] >= np.uint64(fours):
        return False
    r.at[depth], r.only[depth], r.keys[depth] = 0, only, key
    return True


@compiled
def attack(r, colour, only, fours):
    """Whether `colour`, to move, wins by fours: without a five to make, and with none to stop but at `only`.

    Depth-first, one frame a four, for numba keeps no recursive function on disk; the moves on the board are those in
    `r.line`.

    Args:
        only: the one point where the first four may be made, -1 for all.
        fours: how many fours may be made.
    """
    found = np.empty(2, dtype=np.int64)
    depth = 0 if enter_frame(r, colour, 0, fours, only) else -1
    while depth >= 0:
        move = next_four(r, colour, depth)
        if move < 0:
            slot = slot_of(r, r.keys[depth])
            r.failed[slot, 0], r.failed[slot, 1] = r.keys[depth], np.uint64(fours - depth)
            depth -= 1
            take_back(r, colour, 2 * depth + 2, 2 * depth)
            continue
        put(r, move, colour)
        r.line[2 * depth] = move
        count = fives_near(r, colour, move, found)
        if count == 2:
            r.line[2 * depth + 1], r.line[2 * depth + 2], r.length[0] = found[0], found[1], 2 * depth + 3
            take_back(r, colour, 2 * depth + 1, 0)
            return True
        if count == 0:
            take(r, move, colour)
            continue
        reply = found[0]
        put(r, reply, 3 - colour)
        r.line[2 * depth + 1] = reply
        threats = fives_near(r, 3 - colour, reply, found)
        forced = found[0] if threats == 1 else -1
        if threats < 2 and enter_frame(r, colour, depth + 1, fours - depth - 1, forced):
            depth += 1
        else:
            take_back(r, colour, 2 * depth + 2, 2 * depth)
    return False


@compiled
def take_back(r, colour, stop, start):
    """Take the moves `r.line[start:stop]` off the board, of which the attacker made the first, third and so on."""
    for ply in range(max(start, 0), stop):
        take(r, r.line[ply], colour if ply % 2 == 0 else 3 - colour)


@compiled
def find_win(r, colour, depth):
    """Whether `colour`, to move, can make five, or wins by at most `depth` fours. The line is left in `r.line`."""
    found = np.empty(2, dtype=np.int64)
    if fives(r, colour, found) > 0:
        r.line[0], r.length[0] = found[0], 1
        return True
    threats = fives(r, 3 - colour, found)
    if threats == 2:
        return False
    return attack(r, colour, found[0] if threats == 1 else -1, depth)


@compiled
def mark_starts(r, colour, depth, mask):
    """Set `mask` (A,) bool where a forced win of `colour`, to move, starts; see `winning_starts`."""
    mask[:] = False
    found = np.empty(2, dtype=np.int64)
    if fives(r, colour, found) > 0:
        for point in range(len(r.board)):
            if r.board[point] == 0:
                mask[point] = wins_on(r, colour, point)
        return
    threats = fives(r, 3 - colour, found)
    for point in range(len(r.board)):
        if r.board[point] == 0 and (threats == 0 or (threats == 1 and point == found[0])):
            mask[point] = attack(r, colour, point, depth)


@compiled
def mark_refutations(r, colour, depth, mask):
    """Set `mask` (A,) bool where `colour`, to move, undoes the other side's forced win; see `refutations`."""
    mask[:] = False
    if not find_win(r, 3 - colour, depth):
        return
    line, length = r.line.copy(), r.length[0]
    for point in range(len(r.board)):
        if r.board[point] != 0:
            continue
        mask[point] = wins_on(r, colour, point)
        if not mask[point]:
            put(r, point, colour)
            # Most moves change nothing: then the line that was found still wins, and no search is needed.
            if not line_holds(r, 3 - colour, line, length):
                mask[point] = not find_win(r, 3 - colour, depth)
            take(r, point, colour)


@compiled
def line_holds(r, colour, line, length):
    """Whether the line found for `colour`, which is to move, still wins by force on this board."""
    found, ply, holds = np.empty(2, dtype=np.int64), 0, False
    while r.board[line[ply]] == 0:
        if ply + 1 == length:
            holds = wins_on(r, colour, line[ply])
            break
        threats = fives(r, 3 - colour, found)
        if threats == 2 or (threats == 1 and found[0] != line[ply]):
            break
        put(r, line[ply], colour)
        ply += 1
        count = fives_near(r, colour, line[ply - 1], found)
        if count != 1 or found[0] != line[ply]:
            holds = count == 2
            break
        put(r, line[ply], 3 - colour)
        ply += 1
    while ply > 0:
        ply -= 1
        take(r, line[ply], colour if ply % 2 == 0 else 3 - colour)
    return holds

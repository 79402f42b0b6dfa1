"""The reading of `forced_wins.py`, compiled by numba. Points are padded ones, see `lines_compiled.py`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import mix
from mock5lib.gomoku.lines_compiled import LineBoard, completes_five, is_five, level_at, place, step_along

# Compiled; points are padded ones, see `lines` --------------------------------------------------------------------


class Reading(NamedTuple):
    """One position while it is read. Kernels leave it as they found it."""

    position: LineBoard
    exact: bool
    failed: np.ndarray  # (slots, 2) uint64: a position's key, and how many fours were not enough there
    next: np.ndarray  # (depth + 1,) int64: frame d goes on looking for its four from this number of a point on
    only: np.ndarray  # (depth + 1,) int64: the only point where it may be made, -1 for all
    keys: np.ndarray  # (depth + 1,) uint64: the key of the frame's position
    line: np.ndarray  # (2 * depth + 1,) int64: the moves so far, attacker and defender in turn
    length: np.ndarray  # (1,) int64: how many of them make the win that was found


@compiled(nogil=True)
def make_reading(position, exact, depth, slots):
    """A fresh `Reading` of a position whose levels are known."""
    failed, start, only = np.zeros((slots, 2), np.uint64), np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    keys, line, length = np.zeros(depth + 1, np.uint64), np.zeros(2 * depth + 1, np.int64), np.zeros(1, np.int64)
    return Reading(position, exact, failed, start, only, keys, line, length)


@compiled
def take(position, at, stone):
    """Take a stone off that `place` has put there."""
    place(position, at, stone)
    position.board[at] = 0


@compiled
def fives(r, color, found):
    """Where `color` can make five: up to two points go to `found` (2,); returns how many there are, 2 for more."""
    count = 0
    for at in r.position.lines.points:
        if r.position.board[at] == 0 and completes_five(r.position.levels[at], color, r.exact):
            found[count] = at
            count += 1
            if count == 2:
                break
    return count


@compiled
def fives_near(r, color, move, found):
    """`fives`, on the four lines through the stone at `move` alone."""
    board, levels, count = r.position.board, r.position.levels, 0
    for direction in range(4):
        step = step_along(r.position.lines.stride, direction)
        for offset in range(-4, 5):
            at = move + offset * step
            if board[at] == 0 and is_five(level_at(levels[at], direction, color), r.exact):
                found[count] = at
                count += 1
                if count == 2:
                    return count
    return count


@compiled
def makes_four(levels, color):
    """Whether a stone of `color` on a point with these levels makes a four, open or not, in some direction."""
    found = levels & (
        (levels >> np.uint32(1)) ^ (levels >> np.uint32(2))
    )  # bit 0 of level 3, a four, and 5, an open one
    return found & (np.uint32(0x01010101) << np.uint32(4 * (color - 1))) != 0


@compiled
def position_key(r, color):
    """A 64-bit key of the board and the attacker (Zobrist 1970)."""
    key = mix(np.uint64(color))
    for at in r.position.lines.points:
        if r.position.board[at] != 0:
            key ^= mix(np.uint64(4 * at + r.position.board[at]))
    return key


@compiled(inline="always")
def slot_of(r, key):
    return np.int64((key >> np.uint64(20)) % np.uint64(len(r.failed)))


@compiled
def next_four(r, color, depth):
    """The next move of frame `depth` that makes a four, from `r.next[depth]` on; -1 if there is none left."""
    only, points = r.only[depth], r.position.lines.points
    for number in range(r.next[depth], len(points)):
        at = np.int64(points[number])
        if (only < 0 or at == only) and r.position.board[at] == 0 and makes_four(r.position.levels[at], color):
            r.next[depth] = number + 1
            return at
    return np.int64(-1)


@compiled
def enter_frame(r, color, depth, fours, only):
    """Open frame `depth`, unless its position is known not to win with so many `fours`. Returns whether it is open."""
    if fours == 0:
        return False
    key = position_key(r, color) if depth > 0 else np.uint64(0)
    slot = slot_of(r, key)
    if depth > 0 and r.failed[slot, 0] == key and r.failed[slot, 1] >= np.uint64(fours):
        return False
    r.next[depth], r.only[depth], r.keys[depth] = 0, only, key
    return True


@compiled
def attack(r, color, only, fours):
    """Whether `color`, to move, wins by fours: without a five to make, and with none to stop but at `only`.

    Depth-first, one frame a four, for numba keeps no recursive function on disk; the moves on the board are those in
    `r.line`.

    Args:
        only: the one point where the first four may be made, -1 for all.
        fours: how many fours may be made.
    """
    found = np.empty(2, dtype=np.int64)
    depth = 0 if enter_frame(r, color, 0, fours, only) else -1
    while depth >= 0:
        move = next_four(r, color, depth)
        if move < 0:
            slot = slot_of(r, r.keys[depth])
            r.failed[slot, 0], r.failed[slot, 1] = r.keys[depth], np.uint64(fours - depth)
            depth -= 1
            take_back(r, color, 2 * depth + 2, 2 * depth)
            continue
        place(r.position, move, color)
        r.line[2 * depth] = move
        count = fives_near(r, color, move, found)
        if count == 2:
            r.line[2 * depth + 1], r.line[2 * depth + 2], r.length[0] = found[0], found[1], 2 * depth + 3
            take_back(r, color, 2 * depth + 1, 0)
            return True
        if count == 0:
            take(r.position, move, color)
            continue
        reply = found[0]
        place(r.position, reply, 3 - color)
        r.line[2 * depth + 1] = reply
        threats = fives_near(r, 3 - color, reply, found)
        forced = found[0] if threats == 1 else -1
        if threats < 2 and enter_frame(r, color, depth + 1, fours - depth - 1, forced):
            depth += 1
        else:
            take_back(r, color, 2 * depth + 2, 2 * depth)
    return False


@compiled
def take_back(r, color, stop, start):
    """Take the moves `r.line[start:stop]` off the board, of which the attacker made the first, third and so on."""
    for ply in range(max(start, 0), stop):
        take(r.position, r.line[ply], color if ply % 2 == 0 else 3 - color)


@compiled
def find_win(r, color, depth):
    """Whether `color`, to move, can make five, or wins by at most `depth` fours. The line is left in `r.line`."""
    found = np.empty(2, dtype=np.int64)
    if fives(r, color, found) > 0:
        r.line[0], r.length[0] = found[0], 1
        return True
    threats = fives(r, 3 - color, found)
    if threats == 2:
        return False
    return attack(r, color, found[0] if threats == 1 else -1, depth)


@compiled
def mark_starts(r, color, depth, mask):
    """Set `mask` (A,) bool where a forced win of `color`, to move, starts; see `winning_starts`."""
    found, points = np.empty(2, dtype=np.int64), r.position.lines.points
    at_once = fives(r, color, found) > 0
    threats = 0 if at_once else fives(r, 3 - color, found)
    for point in range(len(points)):
        at = np.int64(points[point])
        mask[point] = False
        if r.position.board[at] == 0:
            if at_once:
                mask[point] = completes_five(r.position.levels[at], color, r.exact)
            elif threats == 0 or (threats == 1 and at == found[0]):
                mask[point] = attack(r, color, at, depth)


@compiled
def mark_refutations(r, color, depth, mask):
    """Set `mask` (A,) bool where `color`, to move, undoes the other side's forced win; see `refutations`."""
    mask[:] = False
    if not find_win(r, 3 - color, depth):
        return
    line, length, points = r.line.copy(), r.length[0], r.position.lines.points
    for point in range(len(points)):
        at = np.int64(points[point])
        if r.position.board[at] != 0:
            continue
        mask[point] = completes_five(r.position.levels[at], color, r.exact)
        if not mask[point]:
            place(r.position, at, color)
            # Most moves change nothing: then the line that was found still wins, and no search is needed.
            if not line_holds(r, 3 - color, line, length):
                mask[point] = not find_win(r, 3 - color, depth)
            take(r.position, at, color)


@compiled
def line_holds(r, color, line, length):
    """Whether the line found for `color`, which is to move, still wins by force on this board."""
    found, ply, holds = np.empty(2, dtype=np.int64), 0, False
    while r.position.board[line[ply]] == 0:
        if ply + 1 == length:
            holds = completes_five(r.position.levels[line[ply]], color, r.exact)
            break
        threats = fives(r, 3 - color, found)
        if threats == 2 or (threats == 1 and found[0] != line[ply]):
            break
        place(r.position, line[ply], color)
        ply += 1
        count = fives_near(r, color, line[ply - 1], found)
        if count != 1 or found[0] != line[ply]:
            holds = count == 2
            break
        place(r.position, line[ply], 3 - color)
        ply += 1
    while ply > 0:
        ply -= 1
        take(r.position, line[ply], color if ply % 2 == 0 else 3 - color)
    return holds

"""Stones and groups of Go in one array, kept up to date as stones come and go. Compiled by numba.

Every group has one record, at its `HEAD`: its stones, linked in a ring, and its *pseudo-liberties*, which count an
empty point once for each stone beside it. Their number, sum and sum of squares change by a few additions when a stone
comes or goes, and tell both things that the rules ask for: a group is captured when the number is 0, and has a single
liberty when all of them are one point, that is when number · squares = sum² (equality in Cauchy and Schwarz's).
"""

from __future__ import annotations

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import WALL, mix

COLOR, HEAD, NEXT, STONES, LIBS, SUM, SQUARES, EMPTIES, WHERE, WHEN = range(10)  # rows of `points`
PLY, PLAYER, KO, PASSES, EMPTY_COUNT, TAKEN = range(6)  # entries of `counts`


@compiled
def key_of_stone(at, stone):
    """The key of one stone."""
    return mix(np.uint64(at * 4 + stone) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x632BE59BD9B4E019))


@compiled(inline="always")
def add_empty(points, counts, at):
    """List a point as empty."""
    points[EMPTIES, counts[EMPTY_COUNT]] = at
    points[WHERE, at] = counts[EMPTY_COUNT]
    counts[EMPTY_COUNT] += 1


@compiled(inline="always")
def drop_empty(points, counts, at):
    """Take a point off the list of the empty ones."""
    counts[EMPTY_COUNT] -= 1
    last = points[EMPTIES, counts[EMPTY_COUNT]]
    points[EMPTIES, points[WHERE, at]] = last
    points[WHERE, last] = points[WHERE, at]


@compiled(inline="always")
def add_liberty(points, head, at, sign):
    """A pseudo-liberty more (sign 1) or less (−1) for a group."""
    points[LIBS, head] += sign
    points[SUM, head] += sign * at
    points[SQUARES, head] += sign * at * at


@compiled(inline="always")
def in_atari(points, head):
    """Whether a group has a single liberty."""
    total = np.int64(points[SUM, head])
    return points[LIBS, head] > 0 and np.int64(points[LIBS, head]) * points[SQUARES, head] == total * total


@compiled
def merge(points, one, other):
    """Make one group of two, given by their heads."""
    if points[STONES, one] < points[STONES, other]:
        one, other = other, one
    points[STONES, one] += points[STONES, other]
    points[LIBS, one] += points[LIBS, other]
    points[SUM, one] += points[SUM, other]
    points[SQUARES, one] += points[SQUARES, other]
    at = other
    while True:
        points[HEAD, at] = one
        at = points[NEXT, at]
        if at == other:
            break
    points[NEXT, one], points[NEXT, other] = points[NEXT, other], points[NEXT, one]


@compiled
def put_stone(points, counts, stride, at, stone):
    """Put a stone and join it to its neighbors; nothing is captured yet."""
    drop_empty(points, counts, at)
    points[COLOR, at], points[HEAD, at], points[NEXT, at] = stone, at, at
    points[STONES, at], points[LIBS, at], points[SUM, at], points[SQUARES, at] = 1, 0, 0, 0
    for step in (-stride, -1, 1, stride):
        beside = at + step
        color = points[COLOR, beside]
        if color == 0:
            add_liberty(points, at, beside, 1)
        elif color != WALL:
            add_liberty(points, points[HEAD, beside], at, -1)
    for step in (-stride, -1, 1, stride):
        beside = at + step
        if points[COLOR, beside] == stone and points[HEAD, beside] != points[HEAD, at]:
            merge(points, points[HEAD, beside], points[HEAD, at])


@compiled
def take_group(points, counts, stride, head):
    """Take a captured group off the board; returns the key of its stones."""
    key, stone = np.uint64(0), points[COLOR, head]
    at = head
    while True:
        points[COLOR, at] = 0
        add_empty(points, counts, at)
        key ^= key_of_stone(at, stone)
        at = points[NEXT, at]
        if at == head:
            break
    while True:
        for step in (-stride, -1, 1, stride):
            color = points[COLOR, at + step]
            if color == 1 or color == 2:
                add_liberty(points, points[HEAD, at + step], at, 1)
        at = points[NEXT, at]
        if at == head:
            break
    return key


@compiled
def list_liberties(points, stride, head, found):
    """Write the liberties of a group to `found`, each once and in any order; stops when that is full. Returns how many.

    The list is searched for each new one: keep it short.
    """
    count, at = 0, head
    while True:
        for step in (-stride, -1, 1, stride):
            beside = at + step
            if points[COLOR, beside] != 0:
                continue
            new = True
            for i in range(count):
                new &= found[i] != beside
            if new:
                found[count] = beside
                count += 1
                if count == len(found):
                    return count
        at = points[NEXT, at]
        if at == head:
            return count

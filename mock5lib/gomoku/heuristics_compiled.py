"""The heuristic agents compiled by numba: they choose points, make mistakes, and play whole games.

The scores by which they choose are kept by `lines_compiled.py`. The readable twin is `heuristics.py`, which looks at
the whole board each time; tests hold the two equal.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import drawn, random_below, random_unit, seeded
from mock5lib.gomoku.lines_compiled import (
    NOWHERE,
    Tables,
    clear,
    completes_five,
    level_at,
    load,
    new_position,
    place,
    point_at,
)
from mock5lib.gomoku.threats import level_tables

RANDOM, GREEDY, DEFENSIVE, PT, DF, MIXED = range(6)
HEURISTICS = ("random", "greedy", "defensive", "pt", "df", "mixed")


# base^own + weight * base^opponent, times `scale` to make both terms whole numbers: sums then never drift.
SCORINGS = {GREEDY: (10, 7, 10), DEFENSIVE: (9, 19, 20)}  # kind: (base, weight * scale, scale)
MIXTURE = ((GREEDY, 0.4), (DEFENSIVE, 0.4), (PT, 0.1), (DF, 0.1))
CANDIDATES = 8  # a mistake is drawn from at most so many points
OPEN_THREE_OR_MORE = np.uint32(0x44444444)  # levels 4 to 7 have this bit set, in each of the eight half-bytes
MAX_ATTEMPTS = 100  # a drawn game that is not kept is played again at most so often


# What a stone is worth -----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def tables_for(black: int, white: int, both_ways: bool = False) -> Tables:
    """The tables that a game between these two kinds needs; with `both_ways` each may take either color."""
    kinds = [(GREEDY, DEFENSIVE) if kind == MIXED else (kind,) for kind in (black, white)]
    asked = {(color, kind) for color in (1, 2) for kind in kinds[color - 1] if kind in SCORINGS}
    wanted = sorted(asked | {(3 - color, kind) for color, kind in asked if both_ways})
    slots = np.full((2, len(HEURISTICS)), -1, dtype=np.int64)
    values = np.zeros((len(wanted), 256), dtype=np.int32)
    for slot, (color, kind) in enumerate(wanted):
        slots[color - 1, kind] = slot
        values[slot] = byte_values(kind, color)
    units = np.array([1 / SCORINGS[kind][2] for _, kind in wanted], dtype=np.float64)
    greedy = np.stack([byte_values(GREEDY, color) for color in (1, 2)])
    return level_tables()._replace(values=values, units=units, slots=slots, greedy=greedy)


def byte_values(kind: int, color: int) -> np.ndarray:
    """Scaled value of each levels byte for a player of `color`, shape (256,) int32."""
    base, weight, scale = SCORINGS[kind]
    black, white = np.minimum(np.arange(256) & 15, 7), np.minimum(np.arange(256) >> 4, 7)
    own, other = (black, white) if color == 1 else (white, black)
    return (scale * base**own + weight * base**other).astype(np.int32)


# Choosing a point -----------------------------------------------------------------------------------------------


@compiled(inline="always", fastmath={"nnan", "nsz"})
def highest_in(scores, start, stop):
    """The largest of scores[start:stop]."""
    top = scores[start]
    for at in range(start + 1, stop):
        top = max(top, scores[at])
    return top


@compiled(nogil=True)
def highest_scored(position, scores, state):
    """The padded point with the highest score + uniform [0, 1). Only points within 1 of the maximum draw lots."""
    lines, row_tops, top = position.lines, position.row_tops, NOWHERE
    for row in range(lines.height):
        start = lines.points[row * lines.width]
        row_tops[row] = highest_in(scores, start, start + lines.width)
        top = max(top, row_tops[row])
    best, best_value = -1, top
    for row in range(lines.height):
        if row_tops[row] > top - 1:
            start = lines.points[row * lines.width]
            for at in range(start, start + lines.width):
                if scores[at] > top - 1:
                    value = scores[at] + random_unit(state)
                    if value > best_value or best < 0:
                        best, best_value = at, value
    return best


@compiled(nogil=True)
def pattern_score(levels, color, defends):
    """The score that the pt agent (df if `defends`) gives to a point with these levels: 1 to 6, or below 1."""
    if levels == 0:
        return 0.0
    largest, count, total = 0, 1, 0.0
    for direction in range(4):
        own, other = np.int64(level_at(levels, direction, color)), np.int64(level_at(levels, direction, 3 - color))
        total += own + 0.9 * other
        own_key = 2 * own + (1 if not defends or own >= 6 else 0)
        other_key = 2 * other + (1 if defends and other < 6 else 0)
        for key in (own_key, other_key):
            if key == largest:
                count += 1
            elif key > largest:
                largest, count = key, 1
    if largest >= 12:
        return 5.0 + largest % 2
    if largest >= 10 or (largest // 2 == 3 and count >= 2):
        return 3.0 + largest % 2
    if largest >= 8:
        return 1.0 + largest % 2
    return total / 24


@compiled(nogil=True)
def pattern_weights(position, color, defends):
    """Fill `position.weights` with the pt (df) policy for a position of three stones or more. Returns their sum."""
    weights, top = position.weights, 0.0
    for point in range(len(weights)):
        at = position.lines.points[point]
        weights[point] = pattern_score(position.levels[at], color, defends) if position.board[at] == 0 else 0.0
        top = max(top, weights[point])
    if top < 1:
        return weights.sum()
    total = 0.0
    for point in range(len(weights)):
        weights[point] = 1.0 if weights[point] == top else 0.0
        total += weights[point]
    return total


@compiled(nogil=True)
def opening_weights(position, stones, first):
    """Fill `position.weights` with the policy of pt and df for up to two stones. Returns their sum."""
    lines = position.lines
    row, col, radius = lines.height // 2, lines.width // 2, max(2, (lines.height - 15) // 2) - 1
    if stones > 0:
        row, col, radius = first // lines.width, first % lines.width, stones
    total = 0.0
    for point in range(len(position.weights)):
        near = abs(point // lines.width - row) <= radius and abs(point % lines.width - col) <= radius
        position.weights[point] = 1.0 if near and position.board[lines.points[point]] == 0 else 0.0
        total += position.weights[point]
    return total


@compiled(nogil=True)
def draw_weighted(position, total, state):
    """An empty padded point drawn in proportion to `position.weights`; uniformly if all are 0."""
    if total <= 0:
        return draw_empty(position, state)
    return position.lines.points[drawn(position.weights, len(position.weights), total, state)]


@compiled(nogil=True)
def draw_empty(position, state):
    """A uniform empty padded point, −1 if the board is full."""
    points = position.lines.points
    for _ in range(20):
        at = points[random_below(state, len(points))]
        if position.board[at] == 0:
            return np.int64(at)
    empties = 0
    for at in points:
        empties += position.board[at] == 0
    pick = random_below(state, empties) if empties > 0 else -1
    for at in points:
        if position.board[at] == 0:
            if pick == 0:
                return np.int64(at)
            pick -= 1
    return np.int64(-1)


@compiled(nogil=True)
def mixed_kind(state):
    """The agent that the mixed agent is for this move."""
    unit = random_unit(state)
    return GREEDY if unit < 0.4 else DEFENSIVE if unit < 0.8 else PT if unit < 0.9 else DF


@compiled(nogil=True)
def choose(position, kind, color, stones, first, state):
    """The padded point that an agent of this kind plays as `color`. At least one point must be empty.

    Args:
        stones: how many are on the board; first: the point (not padded) of the first of them.
    """
    if kind == MIXED:
        kind = mixed_kind(state)
    if kind == GREEDY or kind == DEFENSIVE:
        return np.int64(highest_scored(position, position.scores[position.tables.slots[color - 1, kind]], state))
    if kind == RANDOM:
        return draw_empty(position, state)
    if stones <= 2:
        total = opening_weights(position, stones, first)
    else:
        total = pattern_weights(position, color, kind == DF)
    return np.int64(draw_weighted(position, total, state))


# Mistakes -------------------------------------------------------------------------------------------------------


@compiled(nogil=True)
def is_quiet(position):
    """Whether no empty point makes an open three or more, for either color."""
    for at in position.lines.points:
        if position.board[at] == 0 and position.levels[at] & OPEN_THREE_OR_MORE:
            return False
    return True


@compiled(nogil=True)
def draw_mistake(position, color, state):
    """A padded point that looks like a mistake; see `generator.slip` for the rule."""
    points, greedy = position.lines.points, position.tables.greedy
    start, seen, best = random_below(state, len(points)), 0, NOWHERE
    found = np.empty(CANDIDATES, dtype=np.int64)
    for number in range(len(points)):
        at = points[(start + number) % len(points)]
        if position.board[at] == 0:
            value, levels = position.base[at] + random_unit(state), position.levels[at]
            for direction in range(4):
                value += greedy[color - 1, (levels >> np.uint32(8 * direction)) & np.uint32(255)] / 10
            if value > best:
                best = value
                found[seen % CANDIDATES] = at
                seen += 1
    return found[random_below(state, min(seen, CANDIDATES))]


@compiled(nogil=True)
def errs(position, randomness, state):
    """Whether the next move is a mistake: with chance randomness / 2, and in a quiet position with randomness more."""
    if randomness <= 0:
        return False
    if random_unit(state) < randomness / 2:
        return True
    return random_unit(state) < randomness and is_quiet(position)


# Whole games ----------------------------------------------------------------------------------------------------


@compiled(nogil=True)
def play_game(position, kinds, randomness, exact, opening, moves, mistakes, state):
    """Play one game from the empty board. Fills `moves` and `mistakes`; returns (number of moves, winner)."""
    points = position.lines.points
    clear(position)
    for number in range(len(points)):
        color = 1 + number % 2
        slips = False
        if number < len(opening) and opening[number] >= 0:
            at = np.int64(points[opening[number]])
        else:
            slips = errs(position, randomness, state)
            if slips:
                at = draw_mistake(position, color, state)
            else:
                at = choose(position, kinds[color - 1], color, number, np.int64(moves[0]), state)
        moves[number] = point_at(position, at)
        mistakes[number] = slips
        if completes_five(position.levels[at], color, exact):
            return number + 1, color
        place(position, at, color)
    return len(points), 0


@compiled(nogil=True)
def play_games(
    lines, tables, kinds, randomness, exact, draws, openings, swaps, seed, first_game, moves, mistakes, lengths, winners
):
    """Play len(moves) games; game g uses random stream first_game + g of `seed`, so threads may share the work.

    Args:
        kinds: (2,) int64, of black and white.
        draws: chance to keep a drawn game; one that is not kept is played again.
        openings: (G, L) int16: forced first moves, −1 where there are none; L may be 0.
        swaps: (G,) bool: whether the kinds change colors in game g. `tables` must serve both.
        moves, mistakes: (G, H * W) int16 and bool, filled up to `lengths` (G,) int32; winners: (G,) int8.
    """
    position = new_position(lines, tables)
    state = np.empty(1, dtype=np.uint64)
    for game in range(len(moves)):
        state[0] = seeded(seed, first_game + game)
        players = kinds[::-1] if swaps[game] else kinds
        for _ in range(MAX_ATTEMPTS):
            lengths[game], winners[game] = play_game(
                position, players, randomness, exact, openings[game], moves[game], mistakes[game], state
            )
            if winners[game] != 0 or draws >= 1 or random_unit(state) < draws:
                break


@compiled(nogil=True)
def choose_moves(lines, tables, kind, boards, players, firsts, seed):
    """The moves of an agent of this kind in a batch of positions, each with its own random stream of `seed`.

    Args:
        boards: (B, H * W) int8; players: (B,) who moves; firsts: (B,) the point of the first stone, −1 if none.

    Returns:
        (B,) int64, −1 where the board is full.
    """
    position = new_position(lines, tables)
    state = np.empty(1, dtype=np.uint64)
    moves = np.empty(len(boards), dtype=np.int64)
    for b in range(len(boards)):
        state[0] = seeded(seed, b)
        played = mixed_kind(state) if kind == MIXED else kind
        stones = load(position, boards[b], tables.slots[players[b] - 1, played])
        if stones == len(lines.points):
            moves[b] = -1
            continue
        moves[b] = point_at(position, choose(position, played, np.int64(players[b]), stones, firsts[b], state))
    return moves

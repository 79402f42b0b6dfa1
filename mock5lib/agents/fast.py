"""The heuristic agents compiled by numba: scores kept up to date stone by stone, and whole games played inside.

What a heuristic thinks of a point depends on the four lines through it. A new stone therefore changes the scores of
at most forty points, five to each side along four lines, and only these are worked out again. The readable twin is
`heuristics.py`, which looks at the whole board each time; tests hold the two equal.

A game lives on a padded board: five columns of walls right of each row and five rows of walls above and below, so
that a walk of five steps needs no look at the edges. Point (row, col) has the padded index
(row + 5) * (width + 5) + col + 5. Only k = 5 makes sense here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numba as nb
import numpy as np

from mock5lib.game import kernels
from mock5lib.game.kernels import REACH, WALL, code_shift, random_below, random_unit, seeded

RANDOM, GREEDY, DEFENSIVE, PT, DF, MIXED = range(6)
KINDS = ("random", "greedy", "defensive", "pt", "df", "mixed")
MIXTURE = ((GREEDY, 0.4), (DEFENSIVE, 0.4), (PT, 0.1), (DF, 0.1))

# base^own + weight * base^opponent, times `scale` to make both terms whole numbers: sums then never drift.
SCORINGS = {GREEDY: (10, 7, 10), DEFENSIVE: (9, 19, 20)}  # kind: (base, weight * scale, scale)

NOWHERE = -1e30  # the score of an occupied point or a wall
CANDIDATES = 8  # a mistake is drawn from at most so many points
OPEN_THREE_OR_MORE = np.uint32(0x44444444)  # levels 4 to 7 have this bit set, in each of the eight half-bytes
MAX_ATTEMPTS = 100  # a drawn game that is not kept is played again at most so often


class Lines(NamedTuple):
    """What all games on boards of one size share. P is the size of the padded board."""

    height: int
    width: int
    stride: int  # length of a padded row
    points: np.ndarray  # (H * W,) int32: the padded index of each point
    walls: np.ndarray  # (P,) int8: the empty padded board
    codes: np.ndarray  # (P, 4) int32: line codes of the empty board
    centre: np.ndarray  # (P,) float64: 1 + distance centre to corner − distance to centre; NOWHERE on walls


class Position(NamedTuple):
    """One game under way. S is the number of scores kept, one for each (colour, scoring) that is asked for."""

    board: np.ndarray  # (P,) int8
    codes: np.ndarray  # (P, 4) int32: the line code of each point in each direction
    levels: np.ndarray  # (P,) uint32: one byte per direction, black's level in its low half, white's in its high half
    base: np.ndarray  # (P,) float64: `Lines.centre`, and NOWHERE on occupied points
    sums: np.ndarray  # (S, P) int32: the scaled part of the score that comes from threats
    scores: np.ndarray  # (S, P) float64
    weights: np.ndarray  # (H * W,) float64: scratch for drawing a point


class Tables(NamedTuple):
    """What a stone is worth, by the byte that holds both colours' levels in one direction."""

    halves: np.ndarray  # (2, 1024, 2) int32: the class of each side of a line code [left or right, side, colour − 1]
    threats: np.ndarray  # (64 * 64,) uint8: level by left class * 64 + right class
    values: np.ndarray  # (S, 256) int32: scaled score of a byte
    units: np.ndarray  # (S,) float64: 1 / scale
    slots: np.ndarray  # (2, 6) int64: which of the S scores serves [colour − 1, kind], −1 for none
    greedy: np.ndarray  # (2, 256) int32: greedy's values for both colours, by which mistakes are drawn


# Set-up ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def lines_of(height: int, width: int) -> Lines:
    """The shared arrays for boards of this size."""
    stride = width + REACH
    size = (height + 2 * REACH) * stride + REACH
    rows, cols = np.divmod(np.arange(height * width), width)
    points = ((rows + REACH) * stride + cols + REACH).astype(np.int32)
    walls = np.full(size, WALL, dtype=np.int8)
    walls[points] = 0
    flat_codes = np.empty((4, height * width), dtype=np.int32)
    kernels.empty_codes(height, width, flat_codes)
    codes = np.zeros((size, 4), dtype=np.int32)
    codes[points] = flat_codes.T
    centre = np.full(size, NOWHERE)
    centre[points] = centrality(height, width)
    return Lines(height, width, stride, points, walls, codes, centre)


def centrality(height: int, width: int) -> np.ndarray:
    """1 + distance from the centre to a corner − distance from the centre, per point, shape (height * width,)."""
    centre_row, centre_col = (height - 1) / 2, (width - 1) / 2
    rows, cols = np.divmod(np.arange(height * width), width)
    return 1 + np.hypot(centre_row, centre_col) - np.hypot(rows - centre_row, cols - centre_col)


def scorings_of(kind: int) -> tuple[int, ...]:
    """Which of the two scorings an agent of this kind may ask for."""
    return (GREEDY, DEFENSIVE) if kind == MIXED else (kind,) if kind in SCORINGS else ()


@lru_cache(maxsize=64)
def tables_for(black: int, white: int) -> Tables:
    """The tables that a game between these two kinds needs."""
    return make_tables(scorings_of(black), scorings_of(white))


@lru_cache(maxsize=64)
def tables_for_both(one: int, other: int) -> Tables:
    """The tables for two kinds that take either colour."""
    wanted = tuple(sorted({*scorings_of(one), *scorings_of(other)}))
    return make_tables(wanted, wanted)


def make_tables(black: tuple[int, ...], white: tuple[int, ...]) -> Tables:
    """Tables for the scorings that black and white ask for."""
    wanted = [(1, kind) for kind in black] + [(2, kind) for kind in white]
    slots = np.full((2, len(KINDS)), -1, dtype=np.int64)
    values = np.zeros((len(wanted), 256), dtype=np.int32)
    for slot, (colour, kind) in enumerate(wanted):
        slots[colour - 1, kind] = slot
        values[slot] = byte_values(kind, colour)
    units = np.array([1 / SCORINGS[kind][2] for _, kind in wanted], dtype=np.float64)
    greedy = np.stack([byte_values(GREEDY, colour) for colour in (1, 2)])
    return Tables(*small_threat_tables(), values, units, slots, greedy)


@lru_cache(maxsize=1)
def small_threat_tables() -> tuple[np.ndarray, np.ndarray]:
    """`kernels.threat_table()` in 20 kB, so that it stays in a core's first cache: (`halves`, `threats`).

    For one colour, nothing beyond the first opponent's stone or wall counts. Of the 1,024 values that one side of a
    line code can take, only 63 then differ: j free or own points and a block (j = 0 to 4), or five and no block.
    """
    sides = np.arange(1 << (2 * REACH))
    cells = (sides[:, None] >> (2 * np.arange(REACH))) & 3  # (1024, 5); from the near end on the right side
    halves = np.stack(
        [
            np.stack([half_classes(near_to_far, colour) for colour in (1, 2)], axis=-1)
            for near_to_far in (cells[:, ::-1], cells)
        ]
    )
    threats = np.zeros((64, 64), dtype=np.uint8)
    table = kernels.threat_table() & 15
    threats[halves[0, :, None, 0], halves[1, None, :, 0]] = table[sides[:, None] | sides[None, :] << (2 * REACH)]
    return halves, threats.reshape(-1)


def half_classes(near_to_far: np.ndarray, colour: int) -> np.ndarray:
    """The class of one side of a line, (1024, 5) cells from the nearest outwards → (1024,) int32, 0 to 62."""
    free = np.cumprod((near_to_far == 0) | (near_to_far == colour), axis=1)
    own = ((near_to_far == colour) * free * (1 << np.arange(REACH))).sum(axis=1)
    return ((1 << free.sum(axis=1)) - 1 + own).astype(np.int32)


def byte_values(kind: int, colour: int) -> np.ndarray:
    """Scaled value of each levels byte for a player of `colour`, shape (256,) int32."""
    base, weight, scale = SCORINGS[kind]
    byte = np.arange(256)
    black, white = np.minimum(byte & 15, 7), np.minimum(byte >> 4, 7)
    own, other = (black, white) if colour == 1 else (white, black)
    return (scale * base**own + weight * base**other).astype(np.int32)


# One position ---------------------------------------------------------------------------------------------------


@nb.njit(cache=True, nogil=True)
def new_position(lines, tables):
    """Room for one game; `clear` makes it an empty board."""
    size, scores = len(lines.walls), len(tables.units)
    return Position(
        np.empty(size, dtype=np.int8),
        np.empty((size, 4), dtype=np.int32),
        np.empty(size, dtype=np.uint32),
        np.empty(size, dtype=np.float64),
        np.empty((scores, size), dtype=np.int32),
        np.empty((scores, size), dtype=np.float64),
        np.empty(lines.height * lines.width, dtype=np.float64),
    )


@nb.njit(cache=True, nogil=True)
def clear(lines, tables, position):
    """Take all stones off: no point makes anything, so only the distance to the centre tells points apart."""
    position.board[:] = lines.walls
    position.codes[:] = lines.codes
    position.levels[:] = 0
    position.base[:] = lines.centre
    for slot in range(len(tables.units)):
        nothing = 4 * tables.values[slot, 0]
        position.sums[slot] = nothing
        for at in range(len(lines.walls)):
            position.scores[slot, at] = lines.centre[at] + nothing * tables.units[slot]


@nb.njit(cache=True, inline="always")
def levels_byte(tables, code):
    """Both colours' levels for a line code, black's in the low half of a byte."""
    left, right = code & 1023, code >> 10
    black = tables.threats[tables.halves[0, left, 0] << 6 | tables.halves[1, right, 0]]
    white = tables.threats[tables.halves[0, left, 1] << 6 | tables.halves[1, right, 1]]
    return np.uint32(black) | np.uint32(white) << np.uint32(4)


@nb.njit(cache=True, inline="always")
def enter(tables, position, at, direction, code):
    """Give point `at` a new line code along one direction, and with it a new level and new scores."""
    position.codes[at, direction] = code
    levels, shift = position.levels[at], np.uint32(8 * direction)
    old, new = (levels >> shift) & np.uint32(255), levels_byte(tables, code)
    if new != old:
        position.levels[at] = levels ^ ((old ^ new) << shift)
        for slot in range(len(tables.units)):
            total = position.sums[slot, at] + tables.values[slot, new] - tables.values[slot, old]
            position.sums[slot, at] = total
            position.scores[slot, at] = position.base[at] + total * tables.units[slot]


@nb.njit(cache=True, inline="always")
def step_along(stride, direction):
    """What one step along a direction adds to a padded index: row, column, right-down, left-down."""
    return 1 if direction == 0 else stride + direction - 1 if direction < 3 else stride - 1


@nb.njit(cache=True, nogil=True)
def place(lines, tables, position, at, stone):
    """Put a stone on padded point `at`: up to forty points along four lines are worked out again."""
    position.board[at] = stone
    position.base[at] = NOWHERE
    for slot in range(len(tables.units)):
        position.scores[slot, at] = NOWHERE
    for direction in range(4):
        step = step_along(lines.stride, direction)
        for offset in range(1, REACH + 1):
            near = at + offset * step
            if position.board[near] == WALL:
                break
            enter(tables, position, near, direction, position.codes[near, direction] ^ (stone << code_shift(-offset)))
        for offset in range(1, REACH + 1):
            near = at - offset * step
            if position.board[near] == WALL:
                break
            enter(tables, position, near, direction, position.codes[near, direction] ^ (stone << code_shift(offset)))


@nb.njit(cache=True, inline="always")
def level_at(levels, direction, colour):
    """One colour's level in one direction, out of the four bytes of a point."""
    return (levels >> np.uint32(8 * direction + 4 * (colour - 1))) & np.uint32(15)


@nb.njit(cache=True, inline="always")
def completes_five(levels, colour, exact):
    """Whether a stone of `colour` on a point with these levels wins: five, or an overline where that wins too."""
    for direction in range(4):
        level = level_at(levels, direction, colour)
        if level == 6 or (level == 7 and not exact):
            return True
    return False


# Choosing a point -----------------------------------------------------------------------------------------------


@nb.njit(cache=True, inline="always", fastmath={"nnan", "nsz"})
def highest_in(scores, start, stop):
    """The largest of scores[start:stop]."""
    top = scores[start]
    for at in range(start + 1, stop):
        top = max(top, scores[at])
    return top


@nb.njit(cache=True, nogil=True)
def highest_scored(lines, scores, row_tops, state):
    """The padded point with the highest score + uniform [0, 1). Only points within 1 of the maximum draw lots."""
    top = NOWHERE
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


@nb.njit(cache=True, nogil=True)
def pattern_score(levels, colour, defends):
    """The score that the pt agent (df if `defends`) gives to a point with these levels: 1 to 6, or below 1."""
    if levels == 0:
        return 0.0
    largest, count, total = 0, 1, 0.0
    for direction in range(4):
        own, other = np.int64(level_at(levels, direction, colour)), np.int64(level_at(levels, direction, 3 - colour))
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


@nb.njit(cache=True, nogil=True)
def pattern_weights(lines, position, colour, defends):
    """Fill `position.weights` with the pt (df) policy for a position of three stones or more. Returns their sum."""
    weights, top = position.weights, 0.0
    for point in range(len(weights)):
        at = lines.points[point]
        weights[point] = pattern_score(position.levels[at], colour, defends) if position.board[at] == 0 else 0.0
        top = max(top, weights[point])
    if top < 1:
        return weights.sum()
    total = 0.0
    for point in range(len(weights)):
        weights[point] = 1.0 if weights[point] == top else 0.0
        total += weights[point]
    return total


@nb.njit(cache=True, nogil=True)
def opening_weights(lines, position, stones, first):
    """Fill `position.weights` with the policy of pt and df for up to two stones. Returns their sum."""
    row, col, radius = lines.height // 2, lines.width // 2, max(2, (lines.height - 15) // 2) - 1
    if stones > 0:
        row, col, radius = first // lines.width, first % lines.width, stones
    total = 0.0
    for point in range(len(position.weights)):
        near = abs(point // lines.width - row) <= radius and abs(point % lines.width - col) <= radius
        position.weights[point] = 1.0 if near and position.board[lines.points[point]] == 0 else 0.0
        total += position.weights[point]
    return total


@nb.njit(cache=True, nogil=True)
def draw_weighted(lines, position, total, state):
    """An empty padded point drawn in proportion to `position.weights`; uniformly if all are 0."""
    if total <= 0:
        return draw_empty(lines, position, state)
    left, last = random_unit(state) * total, -1
    for point in range(len(position.weights)):
        if position.weights[point] > 0:
            last = point
            left -= position.weights[point]
            if left < 0:
                break
    return lines.points[last]


@nb.njit(cache=True, nogil=True)
def draw_empty(lines, position, state):
    """A uniform empty padded point, −1 if the board is full."""
    points = len(lines.points)
    for _ in range(20):
        at = lines.points[random_below(state, points)]
        if position.board[at] == 0:
            return np.int64(at)
    empties = 0
    for at in lines.points:
        empties += position.board[at] == 0
    pick = random_below(state, empties) if empties > 0 else -1
    for at in lines.points:
        if position.board[at] == 0:
            if pick == 0:
                return np.int64(at)
            pick -= 1
    return np.int64(-1)


@nb.njit(cache=True, nogil=True)
def mixed_kind(state):
    """The agent that the mixed agent is for this move."""
    unit = random_unit(state)
    return GREEDY if unit < 0.4 else DEFENSIVE if unit < 0.8 else PT if unit < 0.9 else DF


@nb.njit(cache=True, nogil=True)
def choose(lines, tables, position, kind, colour, stones, first, row_tops, state):
    """The padded point that an agent of this kind plays as `colour`. At least one point must be empty.

    Args:
        stones: how many are on the board; first: the point (not padded) of the first of them.
    """
    if kind == MIXED:
        kind = mixed_kind(state)
    if kind == GREEDY or kind == DEFENSIVE:
        return np.int64(highest_scored(lines, position.scores[tables.slots[colour - 1, kind]], row_tops, state))
    if kind == RANDOM:
        return draw_empty(lines, position, state)
    if stones <= 2:
        total = opening_weights(lines, position, stones, first)
    else:
        total = pattern_weights(lines, position, colour, kind == DF)
    return np.int64(draw_weighted(lines, position, total, state))


# Mistakes -------------------------------------------------------------------------------------------------------


@nb.njit(cache=True, nogil=True)
def is_quiet(lines, position):
    """Whether no empty point makes an open three or more, for either colour."""
    for at in lines.points:
        if position.board[at] == 0 and position.levels[at] & OPEN_THREE_OR_MORE:
            return False
    return True


@nb.njit(cache=True, nogil=True)
def draw_mistake(lines, tables, position, colour, state):
    """A padded point that looks like a mistake; see `generator.slip` for the rule."""
    points = len(lines.points)
    start, seen, best = random_below(state, points), 0, NOWHERE
    found = np.empty(CANDIDATES, dtype=np.int64)
    for number in range(points):
        at = lines.points[(start + number) % points]
        if position.board[at] == 0:
            value, levels = position.base[at] + random_unit(state), position.levels[at]
            for direction in range(4):
                value += tables.greedy[colour - 1, (levels >> np.uint32(8 * direction)) & np.uint32(255)] / 10
            if value > best:
                best = value
                found[seen % CANDIDATES] = at
                seen += 1
    return found[random_below(state, min(seen, CANDIDATES))]


@nb.njit(cache=True, nogil=True)
def errs(lines, position, randomness, state):
    """Whether the next move is a mistake: with chance randomness / 2, and in a quiet position with randomness more."""
    if randomness <= 0:
        return False
    if random_unit(state) < randomness / 2:
        return True
    return random_unit(state) < randomness and is_quiet(lines, position)


# Whole games ----------------------------------------------------------------------------------------------------


@nb.njit(cache=True, nogil=True)
def play_game(lines, tables, position, kinds, randomness, exact, opening, row_tops, moves, mistakes, state):
    """Play one game from the empty board. Fills `moves` and `mistakes`; returns (number of moves, winner)."""
    clear(lines, tables, position)
    for number in range(len(lines.points)):
        colour = 1 + number % 2
        slips = False
        if number < len(opening) and opening[number] >= 0:
            at = np.int64(lines.points[opening[number]])
        else:
            slips = errs(lines, position, randomness, state)
            if slips:
                at = draw_mistake(lines, tables, position, colour, state)
            else:
                at = choose(
                    lines, tables, position, kinds[colour - 1], colour, number, np.int64(moves[0]), row_tops, state
                )
        row, col = at // lines.stride - REACH, at % lines.stride - REACH
        moves[number] = row * lines.width + col
        mistakes[number] = slips
        if completes_five(position.levels[at], colour, exact):
            return number + 1, colour
        place(lines, tables, position, at, colour)
    return len(lines.points), 0


@nb.njit(cache=True, nogil=True)
def play_games(
    lines, tables, kinds, randomness, exact, draws, openings, swaps, seed, first_game, moves, mistakes, lengths, winners
):
    """Play len(moves) games; game g uses random stream first_game + g of `seed`, so threads may share the work.

    Args:
        kinds: (2,) int64, of black and white.
        draws: chance to keep a drawn game; one that is not kept is played again.
        openings: (G, L) int16: forced first moves, −1 where there are none; L may be 0.
        swaps: (G,) bool: whether the kinds change colours in game g. `tables` must serve both.
        moves, mistakes: (G, H * W) int16 and bool, filled up to `lengths` (G,) int32; winners: (G,) int8.
    """
    position = new_position(lines, tables)
    row_tops = np.empty(lines.height, dtype=np.float64)
    state = np.empty(1, dtype=np.uint64)
    for game in range(len(moves)):
        state[0] = seeded(seed, first_game + game)
        players = kinds[::-1] if swaps[game] else kinds
        for _ in range(MAX_ATTEMPTS):
            lengths[game], winners[game] = play_game(
                lines, tables, position, players, randomness, exact, openings[game], row_tops,
                moves[game], mistakes[game], state,
            )  # fmt: skip
            if winners[game] != 0 or draws >= 1 or random_unit(state) < draws:
                break


@nb.njit(cache=True, nogil=True)
def load(lines, tables, position, board, slot):
    """Set up a whole board of (H * W,) stones; of the scores only number `slot` (−1: none). Returns the stones."""
    position.board[:] = lines.walls
    position.codes[:] = lines.codes
    position.base[:] = lines.centre
    stones = 0
    for point in range(len(board)):
        if board[point] != 0:
            stamp(lines, position, lines.points[point], board[point])
            stones += 1
    for at in lines.points:
        levels, total = np.uint32(0), 0
        for direction in range(4):
            byte = levels_byte(tables, position.codes[at, direction])
            levels |= byte << np.uint32(8 * direction)
            total += tables.values[slot, byte] if slot >= 0 else 0
        position.levels[at] = levels
        if slot >= 0:
            position.scores[slot, at] = position.base[at] + total * tables.units[slot]
    return stones


@nb.njit(cache=True, nogil=True)
def stamp(lines, position, at, stone):
    """Put a stone on the board and into its neighbours' line codes; levels and scores wait for `load`."""
    position.board[at] = stone
    position.base[at] = NOWHERE
    for direction in range(4):
        step = step_along(lines.stride, direction)
        for offset in range(1, REACH + 1):
            position.codes[at + offset * step, direction] ^= stone << code_shift(-offset)
            position.codes[at - offset * step, direction] ^= stone << code_shift(offset)


@nb.njit(cache=True, nogil=True)
def choose_moves(lines, tables, kind, boards, players, firsts, seed):
    """The moves of an agent of this kind in a batch of positions, each with its own random stream of `seed`.

    Args:
        boards: (B, H * W) int8; players: (B,) who moves; firsts: (B,) the point of the first stone, −1 if none.

    Returns:
        (B,) int64, −1 where the board is full.
    """
    position = new_position(lines, tables)
    row_tops = np.empty(lines.height, dtype=np.float64)
    state = np.empty(1, dtype=np.uint64)
    moves = np.empty(len(boards), dtype=np.int64)
    for b in range(len(boards)):
        state[0] = seeded(seed, b)
        played = mixed_kind(state) if kind == MIXED else kind
        stones = load(lines, tables, position, boards[b], tables.slots[players[b] - 1, played])
        if stones == len(lines.points):
            moves[b] = -1
            continue
        at = choose(lines, tables, position, played, np.int64(players[b]), stones, firsts[b], row_tops, state)
        moves[b] = (at // lines.stride - REACH) * lines.width + at % lines.stride - REACH
    return moves


# Looking inside, for tests and figures --------------------------------------------------------------------------


@nb.njit(cache=True, nogil=True)
def scores_after(lines, tables, history, colour, kind):
    """Scores of a greedy or defensive agent after these moves, placed one by one: (H * W,), 0 on occupied points."""
    position = new_position(lines, tables)
    clear(lines, tables, position)
    for number in range(len(history)):
        place(lines, tables, position, np.int64(lines.points[history[number]]), np.int64(1 + number % 2))
    scores = np.zeros(len(lines.points))
    for point in range(len(scores)):
        at = lines.points[point]
        if position.board[at] == 0:
            scores[point] = position.scores[tables.slots[colour - 1, kind], at]
    return scores


@nb.njit(cache=True, nogil=True)
def policy_after(lines, tables, history, colour, kind):
    """The pt or df policy after these moves, placed one by one, shape (H * W,)."""
    position = new_position(lines, tables)
    clear(lines, tables, position)
    for number in range(len(history)):
        place(lines, tables, position, np.int64(lines.points[history[number]]), np.int64(1 + number % 2))
    if len(history) <= 2:
        opening_weights(lines, position, len(history), np.int64(history[0]) if len(history) > 0 else -1)
    else:
        pattern_weights(lines, position, colour, kind == DF)
    return position.weights

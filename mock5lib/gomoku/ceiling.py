"""How well can a net predict a heuristic's moves at best? The exact chance of each move, position by position.

The heuristics break ties by lot, and the mixed one also draws which rule it follows. No predictor can be right more
often than by naming the most probable move each time: the mean of that chance is the *ceiling* of top-1 accuracy,
and the mean entropy of the chances is the *floor* of the log-loss.

Chances are exact up to rounding (`Heuristic.distribution` is the readable twin; tests hold the two equal). Only the
generator's random moves, where they are to be counted in, are sampled.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mock5lib.base import ranges
from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import seeded
from mock5lib.game.records import Records, numbers_below
from mock5lib.gomoku import heuristics_fast as fast
from mock5lib.gomoku.threat_codes import REACH

MAX_ORDER = 64  # Gauss–Legendre nodes: exact for up to 128 points within 1 of the best


class Ceiling(NamedTuple):
    """The limits of prediction on a set of positions."""

    top1: float  # mean chance of the most probable move: no predictor's expected accuracy is higher
    top3: float  # mean chance of the three most probable moves together
    log_loss: float  # mean entropy, nats: no predictor's expected log-loss is lower
    positions: int


def prediction_ceiling(
    records: Records, agent: str = "mixed", *, randomness: float = 0.0, samples: int = 200, seed: int = 0
) -> Ceiling:
    """The ceiling for predicting the moves of records whose both players were the heuristic `agent`.

    Args:
        randomness: 0 leaves out the positions in which the generator put a random move, as training does by default.
            The generator's value counts them in: the predictor then faces a mixture of the heuristic (exact) and of
            mistakes (by `samples` draws in each position; the mean of maxima comes out a little too high).
        seed: for those draws.

    Raises:
        ValueError: no such heuristic, a randomness outside [0, 1], or no positions.
    """
    ranges.share(randomness=randomness)
    where = np.arange(records.positions)
    if not randomness and records.mistakes is not None:
        where = where[~records.mistakes]
    if not len(where):
        raise ValueError("There are no positions to find a ceiling for.")
    sums = np.zeros(3)
    for start in range(0, len(where), 4096):
        chances = move_chances(records, where[start : start + 4096], agent, randomness, samples, seed)
        highest = -np.partition(-chances, 2, axis=1)[:, :3]
        entropy = -(chances * np.log(np.where(chances > 0, chances, 1.0))).sum()
        sums += highest.max(axis=1).sum(), highest.sum(), entropy
    return Ceiling(*(sums / len(where)).tolist(), len(where))


def move_chances(
    records: Records, where, agent: str = "mixed", randomness: float = 0.0, samples: int = 200, seed: int = 0
) -> np.ndarray:
    """The chance of each point to be played by `agent`, (B, H * W) float64, before the moves at places `where`."""
    ranges.one_of("A heuristic agent", agent, fast.KINDS)
    kind, shares = fast.KINDS.index(agent), np.zeros(len(fast.KINDS))
    for part, share in fast.MIXTURE if kind == fast.MIXED else ((kind, 1.0),):
        shares[part] = share
    chances = np.zeros((len(where), records.height * records.width))
    lines, tables = fast.lines_of(records.height, records.width), fast.tables_for(fast.MIXED, fast.MIXED)
    places = numbers_below(where, records.positions, "place in the moves")
    how = quadrature(), float(randomness), samples, np.uint64(seed)
    fill_chances(lines, tables, shares, records.moves, records.offsets, places, *how, chances)
    return chances


@lru_cache(maxsize=1)
def quadrature() -> np.ndarray:
    """Gauss–Legendre nodes and weights on [0, 1]: [order, 0 or 1, node], shape (MAX_ORDER + 1, 2, MAX_ORDER)."""
    table = np.zeros((MAX_ORDER + 1, 2, MAX_ORDER))
    for order in range(1, MAX_ORDER + 1):
        nodes, weights = np.polynomial.legendre.leggauss(order)
        table[order, 0, :order], table[order, 1, :order] = (nodes + 1) / 2, weights / 2
    return table


# Kernels --------------------------------------------------------------------------------------------------------


@compiled(nogil=True)
def fill_chances(lines, tables, shares, moves, offsets, where, quad, randomness, samples, seed, chances):
    """Fill `chances` (B, H * W), zeros before, with the mixture of the rules' chances by `shares`."""
    position = fast.new_position(lines, tables)
    scores, state = np.empty(len(lines.points)), np.empty(1, dtype=np.uint64)
    for b in range(len(where)):
        game = np.searchsorted(offsets, where[b], side="right") - 1
        stones = where[b] - offsets[game]
        fast.clear(lines, tables, position)
        for ply in range(stones):
            at = np.int64(lines.points[moves[offsets[game] + ply]])
            fast.place(lines, tables, position, at, np.int64(1 + ply % 2))
        colour, first = np.int64(1 + stones % 2), np.int64(moves[offsets[game]]) if stones else np.int64(-1)
        for kind in range(len(shares)):
            if shares[kind] > 0:
                add_rule(lines, tables, position, kind, colour, stones, first, shares[kind], scores, quad, chances[b])
        if randomness > 0:
            state[0] = seeded(seed, where[b])
            slips = randomness / 2
            if fast.is_quiet(lines, position):
                slips += (1 - slips) * randomness
            chances[b] *= 1 - slips
            for _ in range(samples):
                at = fast.draw_mistake(lines, tables, position, colour, state)
                chances[b, point_of(lines, at)] += slips / samples


@compiled(inline="always")
def point_of(lines, at):
    """The point (row * width + col) of a padded index."""
    return (at // lines.stride - REACH) * lines.width + at % lines.stride - REACH


@compiled(nogil=True)
def add_rule(lines, tables, position, kind, colour, stones, first, share, scores, quad, chances):
    """Add `share` times one rule's chances to `chances` (H * W,)."""
    if kind == fast.GREEDY or kind == fast.DEFENSIVE:
        kept = position.scores[tables.slots[colour - 1, kind]]
        for point in range(len(scores)):
            scores[point] = kept[lines.points[point]]
        add_highest_with_noise(scores, share, quad, chances)
        return
    total = 0.0
    if kind != fast.RANDOM:
        if stones <= 2:
            total = fast.opening_weights(lines, position, stones, first)
        else:
            total = fast.pattern_weights(lines, position, colour, kind == fast.DF)
    empties = len(scores) - stones
    for point in range(len(scores)):
        if total > 0:
            chances[point] += share * position.weights[point] / total
        elif position.board[lines.points[point]] == 0:
            chances[point] += share / empties


@compiled(nogil=True)
def add_highest_with_noise(scores, share, quad, chances):
    """Add `share` times the chance of each point to have the highest score after uniform [0, 1) noise on each.

    See `heuristics.highest_with_noise`: between neighbouring ends s_j + 1 the integrand is a polynomial.
    """
    top = scores.max()
    near = np.flatnonzero(scores > top - 1)
    close = scores[near] - top  # within (−1, 0]
    order = min(len(near) // 2 + 1, MAX_ORDER)
    low = 0.0
    for high in np.sort(close + 1):
        if high <= low:
            continue
        for q in range(order):
            x = low + (high - low) * quad[order, 0, q]
            product = 1.0
            for start in close:
                product *= min(x - start, 1.0)
            for number in range(len(near)):
                if close[number] + 1 >= high:  # here x − s is below 1 and, as x > 0 ≥ s, above 0
                    below = x - close[number]
                    chances[near[number]] += share * (high - low) * quad[order, 1, q] * product / below
        low = high

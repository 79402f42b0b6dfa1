"""The teacher whose moves a policy net of one's own has to predict: all that it does is known, so its ceiling is, too.

It gives each empty point of a 7 × 7 board a score, made of the eight neighbors, and plays the best. Every fifth move
is random.
"""

from functools import lru_cache

import numpy as np

SIDE = 7
POINTS = SIDE * SIDE
RANDOM = 0.2  # the share of moves that it plays anywhere
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def shifted(planes: np.ndarray, down: int, right: int) -> np.ndarray:
    """(B, 7, 7) as seen from each point at the point (down, right) of it; 0 beyond the edge."""
    wide = np.pad(planes, ((0, 0), (1, 1), (1, 1)))
    return wide[:, 1 + down : 1 + down + SIDE, 1 + right : 1 + right + SIDE]


def bridges(stones: np.ndarray) -> np.ndarray:
    """(B, 7, 7) bool: does the point lie between two of these stones, one on either side?"""
    found = np.zeros(stones.shape, bool)
    for down, right in DIRECTIONS:
        found |= shifted(stones, down, right) & shifted(stones, -down, -right)
    return found


def scores(boards: np.ndarray) -> np.ndarray:
    """(B, 49): what the teacher thinks of each point; −∞ where a stone lies. boards: (B, 49), 1 own, −1 other."""
    grid = boards.reshape(-1, SIDE, SIDE)
    own, other = grid == 1, grid == -1
    near = sum(shifted(own, d, r) + 0 for d in (-1, 0, 1) for r in (-1, 0, 1) if d or r)
    score = 100.0 * bridges(own) + 30.0 * bridges(other) + near
    return np.where(grid == 0, score, -np.inf).reshape(len(boards), POINTS)


def distribution(boards: np.ndarray) -> np.ndarray:
    """(B, 49): with what probability the teacher plays each point."""
    score, empty = scores(boards), boards == 0
    best = score >= score.max(axis=1, keepdims=True) - 1e-9
    return (1 - RANDOM) * best / best.sum(axis=1, keepdims=True) + RANDOM * empty / empty.sum(axis=1, keepdims=True)


def records(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """(boards int8 (count, 49), moves (count,)): positions of 6 to 20 stones, as the player to move sees them."""
    boards, moves = _records(count, seed)
    return boards.copy(), moves.copy()


@lru_cache(maxsize=8)
def _records(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    order = rng.random((count, POINTS)).argsort(axis=1)
    stones = rng.integers(6, 21, (count, 1))
    boards = np.where(order < stones, np.where(order % 2 == 0, -1, 1), 0).astype(np.int8)
    sums = distribution(boards).cumsum(axis=1)
    moves = (sums < rng.random((count, 1)) * sums[:, -1:]).sum(axis=1)
    return boards, moves


def expected_accuracy(chosen: np.ndarray, boards: np.ndarray) -> float:
    """The share of moves that these choices predict, on average over the teacher's randomness."""
    return float(distribution(boards)[np.arange(len(boards)), chosen].mean())


def ceiling(boards: np.ndarray) -> float:
    """The best that anybody could predict."""
    return float(distribution(boards).max(axis=1).mean())

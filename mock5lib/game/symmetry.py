"""The eight symmetries of a board, for moves, boards, planes and policies.

A symmetry is a pair (angle, flip): first, if flip is 1, mirror the columns; then turn by `angle` quarter turns
counter-clockwise. An odd angle swaps height and width, so on a board that is not square only four of the eight
map the board onto itself.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

SYMMETRIES = tuple((angle, flip) for flip in (0, 1) for angle in range(4))


def symmetries_of(height: int, width: int) -> list[tuple[int, int]]:
    """The (angle, flip) that keep the board's shape: eight on a square, four otherwise."""
    return [turn for turn in SYMMETRIES if height == width or turn[0] % 2 == 0]


def turned_shape(height: int, width: int, angle: int) -> tuple[int, int]:
    """(height, width) after `angle` quarter turns."""
    return (width, height) if angle % 2 else (height, width)


def transform(planes: np.ndarray, angle: int, flip: int) -> np.ndarray:
    """Turn the last two axes of `planes`, shape (…, H, W), into the symmetry (angle, flip). Returns a view."""
    if flip % 2:
        planes = planes[..., ::-1]
    return np.rot90(planes, angle % 4, axes=(-2, -1))


@lru_cache(maxsize=512)
def index_map(height: int, width: int, angle: int, flip: int) -> np.ndarray:
    """Where each point goes: `index_map[old] = new`, shape (height * width,), int64, read-only."""
    old_at_new = transform(np.arange(height * width).reshape(height, width), angle, flip).reshape(-1)
    new_of_old = np.empty_like(old_at_new)
    new_of_old[old_at_new] = np.arange(height * width)
    new_of_old.setflags(write=False)
    return new_of_old


def index_maps(height: int, width: int) -> np.ndarray:
    """The `index_map` of each of `symmetries_of` a board, (8 or 4, height * width) int64."""
    return np.stack([index_map(height, width, *turn) for turn in symmetries_of(height, width)])


def transform_moves(moves: ArrayLike, height: int, width: int, angle: int, flip: int) -> np.ndarray:
    """Moves (indices on a height × width board) as indices on the turned board; same shape as `moves`."""
    return index_map(height, width, angle, flip)[np.asarray(moves, dtype=np.int64)]


def transform_policy(policy: np.ndarray, height: int, width: int, angle: int, flip: int) -> np.ndarray:
    """A policy of shape (…, H * W) on the turned board, same shape."""
    policy = np.asarray(policy)
    planes = policy.reshape(*policy.shape[:-1], height, width)
    return transform(planes, angle, flip).reshape(policy.shape)


def inverse(angle: int, flip: int) -> tuple[int, int]:
    """The symmetry that undoes (angle, flip). A mirrored one undoes itself."""
    return (angle % 4, 1) if flip % 2 else (-angle % 4, 0)

"""A position as lists, arrays and tensors, by the names of the original package. `Mock5` has them as methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mock5lib.game.points import BLACK, EMPTY, WHITE

if TYPE_CHECKING:
    import torch


def board_for(game, player: int | None = None) -> list[int]:
    """The points as `player` (default: the player to move) sees them: 0 empty, 1 own stone, 2 other's."""
    player = viewer_of(game, player)
    own = (EMPTY, player, 3 - player)
    return [own[stone] for stone in game.board]


def viewer_of(game, player: int | None) -> int:
    if player not in (None, BLACK, WHITE):
        raise ValueError(f"A player is 1 (black) or 2 (white), got {player!r}.")
    return game.player if player is None else player


def numpy(game, player=None, one_hot_encoding=True, rank=None, dtype=None) -> np.ndarray:
    """The board as an array, seen by `player` (default: the player to move).

    Args:
        one_hot_encoding: True for three planes (empty, own, other); False for one plane of 0, 1, 2.
        rank: number of dimensions. One-hot: 3 (default) gives (3, height, width), 2 gives (3, height * width),
            1 gives (3 * height * width,). Otherwise: 1 (default) gives (height * width,), 2 (height, width).
        dtype: default float for planes, int64 otherwise.
    """
    seen = np.array(game.board_for(player), dtype=np.int64)
    shapes = {1: (-1,), 2: (game.height, game.width)}
    if one_hot_encoding:
        seen = (seen[None, :] == np.arange(3)[:, None]).astype(dtype or float)
        shapes = {1: (-1,), 2: (3, -1), 3: (3, game.height, game.width)}
    rank = rank if rank is not None else (3 if one_hot_encoding else 1)
    if rank not in shapes:
        raise ValueError(f"rank must be one of {sorted(shapes)} here, got {rank!r}.")
    return seen.reshape(shapes[rank]).astype(dtype or seen.dtype, copy=False)


def tensor(game, player=None, one_hot_encoding=True, rank=None, dtype=None) -> torch.Tensor:
    """`numpy()` as a torch tensor; planes are float32 unless `dtype` says otherwise."""
    import torch

    seen = torch.from_numpy(np.ascontiguousarray(game.numpy(player, one_hot_encoding, rank)))
    return seen.to(dtype or (torch.float if one_hot_encoding else torch.long))


def tensors_with_a_stone(game, player=None, one_hot_encoding=True, rank=None, dtype=None):
    """The board after each legal move, seen by `player` (default: who moves now): (indices, stacked tensors)."""
    import torch

    player, indices, views = viewer_of(game, player), game.legal_moves(), []
    for index in indices:
        game.apply(index)
        views.append(game.tensor(player, one_hot_encoding, rank, dtype))
        game.undo()
    if not views:
        raise ValueError(f"There is no legal move: the game is over ({game.outcome_text()}).")
    return indices, torch.stack(views)


def empty_array(game, empty=True, non_empty=False) -> list:
    """For each point `empty` or `non_empty`."""
    return [non_empty if stone else empty for stone in game.board]


def empty_numpy(game, rank=1, empty=1.0, non_empty=0.0, dtype=None) -> np.ndarray:
    """`empty_array` as an array of shape (height * width,), or (height, width) with rank=2."""
    array = np.array(game.empty_array(empty, non_empty), dtype=dtype or type(empty))
    return array.reshape(game.height, game.width) if rank == 2 else array


def empty_tensor(game, rank=1, empty=True, non_empty=False, dtype=None) -> torch.Tensor:
    """`empty_array` as a torch tensor of shape (height * width,), or (height, width) with rank=2."""
    import torch

    tensor = torch.tensor(game.empty_array(empty, non_empty), dtype=dtype)
    return tensor.view(game.height, game.width) if rank == 2 else tensor

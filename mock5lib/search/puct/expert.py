"""What the searches ask: an expert, a function from a batch of planes to log-priors and values.

    planes      (B, C, H, W) float32, as `game.encoders.three_planes` makes them: own stones, other's, empty points
    log-priors  (B, H * W): how likely each move is to be good; minus infinity for never. Occupied points may hold
                anything but NaN: they are masked, and the legal moves normalised, by the search
    values      (B,) in [-1, 1], for the player to move: 1 a win, 0 a draw, -1 a loss

NumPy arrays in; NumPy arrays, or what NumPy can read, out. `learn.nets.expert_of` makes an expert of a net.
"""

from __future__ import annotations

import numpy as np


def answer_arrays(answer, rows: int, points: int) -> tuple[np.ndarray, np.ndarray]:
    """An expert's answer as float32 arrays: log-priors (rows, points) and values (rows,).

    Raises:
        TypeError: the answer is not a pair.
        ValueError: a wrong shape.
    """
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise TypeError(f"An expert returns a pair (log_priors, values), got {type(answer).__name__}.")
    log_priors, values = (np.ascontiguousarray(part, dtype=np.float32) for part in answer)
    for name, array, shape in (("log-priors", log_priors, (rows, points)), ("values", values, (rows,))):
        if array.shape != shape:
            raise ValueError(f"The expert's {name} must have shape {shape}, got {array.shape}.")
    return log_priors, values


def constant_value(expert, value: float):
    """The expert with the same value for every position: 0 for a search that only priors and exact results lead.

    Raises:
        ValueError: a value that is no number in [-1, 1].
    """
    if isinstance(value, (bool, str)) or not -1 <= value <= 1:
        raise ValueError(f"value is a number from -1 to 1, got {value!r}.")

    def answer(planes):
        log_priors, values = expert(planes)
        return log_priors, np.full(len(values), value, dtype=np.float32)

    return answer


def check_numbers(log_priors: np.ndarray, values: np.ndarray) -> None:
    """Raise a ValueError for NaN, for a log-prior of plus infinity, and for a value outside [-1, 1]."""
    for name, array in (("log-priors", log_priors), ("values", values)):
        if np.isnan(array).any():
            raise ValueError(f"The expert's {name} contain NaN.")
    if (log_priors == np.inf).any():
        raise ValueError("The expert's log-priors contain plus infinity; a log-prior is a number or minus infinity.")
    if (np.abs(values) > 1).any():
        raise ValueError(f"The expert's values must lie in [-1, 1], got {values[np.abs(values) > 1][0]:g}.")

"""What the searches ask: an expert, which says how likely each move is to be good, and how good the position is.

    log-priors  (B, A): how likely each move is to be good; minus infinity for never. Illegal moves may hold any number:
                they are masked, and the legal moves normalized, by the search
    values      (B,) in [-1, 1], for the player to move: 1 a win, 0 a draw, -1 a loss

A search hands over positions, and the expert turns them into what it understands. Most experts are written as a plain
function of planes (B, C, H, W); `as_expert` makes an `Expert` of it, with the encoder that stands in the function's
attribute `encoder`, or with `three_planes` (own stones, other's, empty points) where there is none.
`nets.expert_of(net, encoder=…)` makes such a function of a net.

NumPy arrays in; NumPy arrays, or what NumPy can read, out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from mock5lib.game.encoders import three_planes


class Expert(Protocol):
    """An expert that is asked about positions."""

    def of_positions(self, games):
        """Log-priors (B, A) and values (B,) of unfinished positions; A is more than the greatest legal move.

        Args:
            games: a list of them from the readable tree; stacked positions (`game.position_compiled`) from the forest.
        """


class PlanesExpert:
    """A function of planes as an `Expert`.

    Args:
        function: planes (B, C, H, W) float32 → log-priors (B, A) and values (B,).
        encoder: makes the planes, see `game.encoders.Encoder.encode`.
    """

    def __init__(self, function: Callable, encoder=three_planes):
        self.function, self.encoder = function, encoder

    def of_positions(self, games):
        """See `Expert`."""
        return self.function(self.encoder.encode(games))


def as_expert(expert) -> Expert:
    """The expert itself if it is an `Expert`, else the function of planes as one."""
    if hasattr(expert, "of_positions"):
        return expert
    if hasattr(expert, "state_dict"):
        raise TypeError(
            f"An expert is wanted, and {type(expert).__name__} is a net: `nets.expert_of(net)` makes one of it."
        )
    if not callable(expert):
        raise TypeError(f"An expert is a function of planes, or has of_positions; got {expert!r}.")
    return PlanesExpert(expert, getattr(expert, "encoder", three_planes))


def constant_value(expert, value: float) -> Callable:
    """The function of planes with one value for every position: 0 for a search that priors and exact results lead."""
    if isinstance(value, (bool, str)) or not -1 <= value <= 1:
        raise ValueError(f"value is a number from -1 to 1, got {value!r}.")

    def answer(planes):
        log_priors, values = expert(planes)
        return log_priors, np.full(len(values), value, dtype=np.float32)

    answer.encoder = getattr(expert, "encoder", three_planes)  # type: ignore[attr-defined]
    return answer


def checked_answer(answer, rows: int, moves: int | None) -> tuple[np.ndarray, np.ndarray]:
    """An expert's answer as float32 arrays (rows, moves) and (rows,), for code that reads them without a look.

    `moves` is None where a game does not say how many there are.
    """
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise TypeError(f"An expert returns a pair (log_priors, values), got {type(answer).__name__}.")
    log_priors, values = (np.ascontiguousarray(part, dtype=np.float32) for part in answer)
    if log_priors.shape != (rows, log_priors.shape[-1] if moves is None else moves) or values.shape != (rows,):
        raise ValueError(
            f"An expert's log-priors must have shape {(rows, moves)} and its values {(rows,)}, "
            f"got {log_priors.shape} and {values.shape}."
        )
    if not (log_priors.max() < np.inf and np.abs(values).max() <= 1):  # false for NaN too
        raise ValueError(
            f"An expert's log-priors are numbers or minus infinity, and its values lie in [-1, 1]; the largest are "
            f"{log_priors.max():g} and {values[np.abs(values).argmax()]:g}."
        )
    return log_priors, values

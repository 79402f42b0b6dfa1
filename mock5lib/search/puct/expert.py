"""What the searches ask: an expert, which says how likely each move is to be good, and how good the position is.

    log-priors  (B, A): how likely each move is to be good; minus infinity for never. Illegal moves may hold anything
                but NaN: they are masked, and the legal moves normalised, by the search
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

from mock5lib.game.encoders import Encoder, three_planes


class Expert(Protocol):
    """An expert that is asked about positions.

    The forest calls `of_positions`, or in Go `of_states`; the readable tree calls `of_games`.

    Attributes:
        history: how many of the last moves it wants to know, 0 to 16.
    """

    history: int

    def of_positions(self, boards, players, recent, height: int, width: int):
        """Log-priors (B, H * W) and values (B,) of unfinished positions on one board.

        Args:
            boards: (B, H * W) int8 of 0, 1, 2. players: (B,) int8, who moves next.
            recent: (B, history) int16, the last moves, latest first, -1 for none.
        """

    def of_states(self, states):
        """Go's way to ask: log-priors (B, size² + 1) and values (B,) of B stacked `go.kernels.Position`s."""

    def of_games(self, games):
        """Log-priors (B, A) and values (B,) of unfinished games; A is more than the greatest legal move."""


class PlanesExpert:
    """A function of planes as an `Expert`.

    Args:
        function: planes (B, C, H, W) float32 → log-priors (B, A) and values (B,).
        encoder: makes the planes: `encode(games)` and, for the forest, `planes(…)` and `history`; see `game.encoders`.
    """

    def __init__(self, function: Callable, encoder=three_planes):
        self.function, self.encoder = function, encoder
        self.history = getattr(encoder, "history", 0)

    @property
    def plain(self) -> bool:
        """Whether the forest can write the planes itself: stones, and a plane for each of the last moves."""
        return type(self.encoder) is Encoder

    def of_positions(self, boards, players, recent, height: int, width: int):
        """See `Expert`."""
        return self.function(self.encoder.planes(boards, players, recent, height, width))

    def of_states(self, states):
        """See `Expert`."""
        return self.function(self.encoder.of_states(states))

    def of_games(self, games):
        """See `Expert`."""
        return self.function(self.encoder.encode(games))


def as_expert(expert) -> Expert:
    """The expert itself if it is an `Expert`, else the function of planes as one.

    Raises:
        TypeError: it is neither.
    """
    if any(hasattr(expert, way) for way in ("of_positions", "of_states", "of_games")):
        return expert
    if not callable(expert):
        raise TypeError(f"An expert is a function of planes, or has of_positions and of_games; got {expert!r}.")
    return PlanesExpert(expert, getattr(expert, "encoder", three_planes))


def constant_value(expert, value: float) -> Callable:
    """The function of planes with one value for every position: 0 for a search that priors and exact results lead.

    Raises:
        ValueError: a value that is no number in [-1, 1].
    """
    if isinstance(value, (bool, str)) or not -1 <= value <= 1:
        raise ValueError(f"value is a number from -1 to 1, got {value!r}.")

    def answer(planes):
        log_priors, values = expert(planes)
        return log_priors, np.full(len(values), value, dtype=np.float32)

    answer.encoder = getattr(expert, "encoder", three_planes)  # type: ignore[attr-defined]
    return answer


# Checking an answer ---------------------------------------------------------------------------------------------


def answer_arrays(answer, rows: int, points: int | None) -> tuple[np.ndarray, np.ndarray]:
    """An expert's answer as float32 arrays: log-priors (rows, points) and values (rows,); points None for any number.

    Raises:
        TypeError: the answer is not a pair.
        ValueError: a wrong shape.
    """
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise TypeError(f"An expert returns a pair (log_priors, values), got {type(answer).__name__}.")
    log_priors, values = (np.ascontiguousarray(part, dtype=np.float32) for part in answer)
    if points is None:
        points = log_priors.shape[-1]
    for name, array, shape in (("log-priors", log_priors, (rows, points)), ("values", values, (rows,))):
        if array.shape != shape:
            raise ValueError(f"The expert's {name} must have shape {shape}, got {array.shape}.")
    return log_priors, values


def check_numbers(log_priors: np.ndarray, values: np.ndarray) -> None:
    """Raise a ValueError for NaN, for a log-prior of plus infinity, and for a value outside [-1, 1]."""
    for name, array in (("log-priors", log_priors), ("values", values)):
        if np.isnan(array).any():
            raise ValueError(f"The expert's {name} contain NaN.")
    if (log_priors == np.inf).any():
        raise ValueError("The expert's log-priors contain plus infinity; a log-prior is a number or minus infinity.")
    if (np.abs(values) > 1).any():
        raise ValueError(f"The expert's values must lie in [-1, 1], got {values[np.abs(values) > 1][0]:g}.")

"""The fast policy of Go: a linear softmax over small local patterns, and rollouts that it plays itself.

AlphaGo's rollout policy has six kinds of features (Silver et al. 2016, Extended Data Table 4). Those that a 9×9 board
needs are here: the 3×3 pattern around the move, a move that saves a group from capture, and the eight points around
the previous move. A move that captures is added, for the paper's patterns count liberties and ours do not; its nakade
and 12-point response patterns, which take 40,000 weights, are left out.

`nets.fast_policy` trains the weights in Keras; here they play, compiled.
"""

from __future__ import annotations

import numpy as np

from mock5go import board_compiled as go
from mock5go.planes import GoPlanes
from mock5go.rollout_policy_compiled import draw, fill_features, last_move, play_rollouts
from mock5lib.alphago.rollout_policy import stream_of
from mock5lib.game.position_compiled import stack

PATTERNS = 4**8  # what stands on each of the eight points around: nothing, own stone, other's stone, off the board
FEATURES = 10
CLOSED = 30.0  # taken from a closed point's logit: as good as never played, and the loss of a teacher who did is finite
CHANNELS = 2 + FEATURES  # the pattern's number, whether the point is closed, the features


class GoFastPlanes(GoPlanes):
    """What the fast policy sees: for each point its pattern's number, whether it is closed, and ten features.

    Attributes:
        name: "go-fast". channels: 12.
    """

    def __init__(self):
        self.name, self.channels = "go-fast", CHANNELS

    def fill(self, positions: go.GoPosition, planes: np.ndarray) -> None:
        fill_features(positions, planes)


class GoFastPolicy:
    """A policy with a weight for each 3×3 pattern and each other feature.

    Args:
        patterns: (65536,) finite numbers. features: (10,) finite numbers.
        name: shown in matches. seed: of its moves as an agent.
    """

    def __init__(self, patterns, features, name: str = "fast policy", seed=None):
        self.patterns, self.features = np.asarray(patterns, np.float32), np.asarray(features, np.float32)
        shapes = self.patterns.shape, self.features.shape
        if shapes != ((PATTERNS,), (FEATURES,)):
            raise ValueError(f"Weights have shapes ({PATTERNS},) and ({FEATURES},), got {shapes[0]} and {shapes[1]}.")
        self.name, self.rng = name, np.random.default_rng(seed)

    def __call__(self, game) -> int:
        """A move drawn from the policy; a pass where no sensible point is left."""
        position, state = go.position_of(game), np.array([self.rng.integers(1, 2**63)], np.uint64)
        last, weights = last_move(position), np.empty(game.actions)
        return int(go.move_at(draw(position, last, self.patterns, self.features, weights, state), game.size))

    def rollouts(self, games, rollouts: int = 1, limit: int | None = None, *, seed=None) -> np.ndarray:
        """Mean outcomes of B running games, or stacked positions, played on: (B,) float32 for the player to move.

        Args:
            limit: after so many moves a game is counted as it stands; None for no limit.
            seed: a whole number, a numpy Generator, or None. Results don't depend on the number of threads.
        """
        states = stack(games)
        limit = states.max_moves if limit is None else int(limit)
        return play_rollouts(states, self.patterns, self.features, int(rollouts), limit, stream_of(seed))

"""The fast policy of Go: a linear softmax over small local patterns, and rollouts that it plays itself.

AlphaGo's rollout policy has six kinds of features (Silver et al. 2016, Extended Data Table 4). Those that a 9×9 board
needs are here: the 3×3 pattern around the move, a move that saves a group from capture, and the eight points around
the previous move. A move that captures is added, for the paper's patterns count liberties and ours do not; its nakade
and 12-point response patterns, which take 40,000 weights, are left out.

`alphago.nets.go_fast_policy` trains the weights in Keras; here they play, compiled.
"""

from __future__ import annotations

from math import exp

import numba as nb
import numpy as np

from mock5lib.alphago.fast_policy import stream_of
from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import drawn, padded_point, seeded
from mock5lib.game.position import stack
from mock5lib.go import kernels as go
from mock5lib.go.groups import COLOUR, EMPTIES, EMPTY_COUNT, HEAD, PLAYER, PLY, WHEN, in_atari
from mock5lib.go.kernels import state_at
from mock5lib.go.planes import GoPlanes

PATTERNS = 4**8  # what stands on each of the eight points around: nothing, own stone, other's stone, off the board
CAPTURES, SAVES, NEAR = 0, 1, 2  # numbers of the other features; the eight from NEAR on tell where the last move was
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

    def fill(self, positions: go.Position, planes: np.ndarray) -> None:
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


# Compiled -------------------------------------------------------------------------------------------------------


@compiled(inline="always")
def pattern_at(points, stride, player, at):
    """The number of the 3×3 pattern around a point."""
    number = 0
    for step in (-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1):
        colour = points[COLOUR, at + step]
        number = 4 * number + (3 - colour if player == 2 and (colour == 1 or colour == 2) else colour)
    return number


@compiled
def last_move(position):
    """The padded point of the last move; 0 if it was a pass or there is none."""
    for move in range(position.size * position.size):
        at = padded_point(move, position.size)
        if position.points[COLOUR, at] != 0 and position.points[WHEN, at] == position.counts[PLY]:
            return at
    return 0


@compiled(inline="always")
def features_at(points, stride, player, at, last):
    """Whether a move captures, whether it saves a group, and its direction from the last move (0 to 7, else −1)."""
    captures, threatened, gains = False, False, False
    for step in (-stride, -1, 1, stride):
        colour = points[COLOUR, at + step]
        if colour == 0:
            gains = True
        elif colour == 1 or colour == 2:
            atari = in_atari(points, points[HEAD, at + step])
            captures |= atari and colour != player
            threatened |= atari and colour == player
            gains |= not atari and colour == player
    direction, number = -1, 0
    for step in (-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1):
        if last != 0 and at == last + step:
            direction = number
        number += 1
    return captures, threatened and (captures or gains), direction


@compiled(nogil=True)
def fill_features(positions, planes):
    """Fill planes (B, 12, size²), zeros so far, of stacked positions; see `GoFastPlanes`."""
    for b in range(len(planes)):
        fill_one(state_at(positions, b), planes[b])


@compiled(nogil=True)
def fill_one(position, planes):
    """Fill planes (12, size²) of one position."""
    points, stride, player = position.points, position.size + 1, position.counts[PLAYER]
    last = last_move(position)
    for move in range(position.size * position.size):
        at = padded_point(move, position.size)
        if go.is_eye(position, at) or not go.is_legal(position, at):
            planes[1, move] = 1
            continue
        planes[0, move] = pattern_at(points, stride, player, at)
        captures, saves, direction = features_at(points, stride, player, at, last)
        planes[2 + CAPTURES, move], planes[2 + SAVES, move] = captures, saves
        if direction >= 0:
            planes[2 + NEAR + direction, move] = 1


@compiled(nogil=True)
def draw(position, last, patterns, features, weights, state):
    """Draw a move by the softmax of its logits; `last` is the padded point of the last move, 0 for none."""
    points, stride, player = position.points, position.size + 1, position.counts[PLAYER]
    count, total = position.counts[EMPTY_COUNT], 0.0
    for i in range(count):
        at = points[EMPTIES, i]
        weights[i] = 0.0
        if go.is_eye(position, at) or not go.may_stand(position, at):
            continue
        logit = patterns[pattern_at(points, stride, player, at)]
        captures, saves, direction = features_at(points, stride, player, at, last)
        if captures:
            logit += features[CAPTURES]
        if saves:
            logit += features[SAVES]
        if direction >= 0:
            logit += features[NEAR + direction]
        weights[i] = exp(logit)
        total += weights[i]
    while total > 0:
        place = drawn(weights, count, total, state)
        if place < 0:
            break
        if go.is_new(position, points[EMPTIES, place]):  # costly, so it is asked of the drawn one alone
            return points[EMPTIES, place]
        total -= weights[place]
        weights[place] = 0.0
    return go.PASS


@compiled(nogil=True, parallel=True)
def play_rollouts(states, patterns, features, rollouts, limit, seed):
    """`GoFastPolicy.rollouts`; position b uses random stream b of `seed`."""
    values = np.empty(len(states.points), np.float32)
    for b in nb.prange(len(values)):
        random = np.empty(1, np.uint64)
        random[0] = seeded(seed, b)
        start = state_at(states, b)
        work, weights, total = go.copy_of(start), np.empty(states.size * states.size), 0.0
        for _ in range(rollouts):
            go.copy_into(work, start)
            last, moves = last_move(start), 0
            while moves < limit and not go.is_over(work):
                last = draw(work, last, patterns, features, weights, random)
                go.play(work, last)
                moves += 1
            lead = go.lead_of(work) * (1 if start.counts[PLAYER] == 1 else -1)
            total += 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
        values[b] = total / rollouts
    return values

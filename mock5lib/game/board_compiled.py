"""The rules on flat int8 arrays, compiled by numba: the fast twin of `board.py`. Random numbers and playouts too.

A board is an int8 array of shape (height * width,), 0 empty, 1 black, 2 white; a batch is (B, height * width).
`Mock5.cells` is such an array. Results with a winner use RUNNING (-1), 0 for a draw, 1 or 2.

Every kernel that draws lots takes a random state: a uint64 array of shape (1,), made by `random_state(seed)`.
Batched kernels run in parallel threads, and give each board its own state, so that results do not depend on
the number of threads.
"""

from __future__ import annotations

import numpy as np

from mock5lib.base.compiled import compiled

RUNNING = -1
WALL = 3  # around a padded board; differs from every stone


# Random numbers -------------------------------------------------------------------------------------------------


@compiled(inline="always")
def mix(x):
    """Spread the bits of a uint64 (the finaliser of splitmix64; Steele et al. 2014). Never returns 0."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))) | np.uint64(1)


@compiled
def seeded(seed, stream):
    """The uint64 state of random stream number `stream` of `seed`."""
    return mix(mix(np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)) + np.uint64(stream) * np.uint64(0xD1B54A32D192ED03))


def random_state(seed: int, stream: int = 0) -> np.ndarray:
    """A fresh random state for the kernels, shape (1,), uint64. Equal seeds give equal results."""
    return np.array([seeded(np.uint64(seed), np.uint64(stream))], dtype=np.uint64)


@compiled(inline="always")
def next_random(state):
    """The next 64 random bits of `state` (xorshift64*; Marsaglia 2003, Vigna 2016)."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return x * np.uint64(0x2545F4914F6CDD1D)


@compiled(inline="always")
def random_below(state, n):
    """A uniform integer in [0, n), for n below 2**31."""
    return np.int64(((next_random(state) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@compiled(inline="always")
def random_unit(state):
    """A uniform float in [0, 1)."""
    return np.float64(next_random(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@compiled(inline="always")
def drawn(weights, count, total, state):
    """The number of one of `count` weights, drawn in proportion; `total` is their sum. −1 if none is above 0."""
    left, number = random_unit(state) * total, -1
    for i in range(count):
        if weights[i] > 0:
            left, number = left - weights[i], i
            if left < 0:
                break
    return number


# Rules ----------------------------------------------------------------------------------------------------------


@compiled(inline="always")
def row_through(board, height, width, move, d_row, d_col):
    """Stones in a row through the stone at `move`, along one direction and back."""
    stone, row, col, count = board[move], move // width, move % width, 1
    for sign in (1, -1):
        r, c = row + sign * d_row, col + sign * d_col
        while 0 <= r < height and 0 <= c < width and board[r * width + c] == stone:
            count += 1
            r += sign * d_row
            c += sign * d_col
    return count


@compiled(inline="always")
def wins_at(board, height, width, k, exact, move):
    """Whether the stone at `move` stands in a winning row: k or more, or exactly k."""
    for d_row, d_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
        count = row_through(board, height, width, move, d_row, d_col)
        if count == k or (count > k and not exact):
            return True
    return False


# Random playouts ------------------------------------------------------------------------------------------------
#
# A playout works on a padded copy of the board: one column of walls right of each row, one row of walls above and
# below. Every step of a row then ends at another stone or at a wall, and needs no look at the edges.


@compiled(inline="always")
def padded_point(move, width):
    """Index on the padded board of point `move`: rows are width + 1 long and one wall row comes first."""
    return (move // width + 1) * (width + 1) + move % width + 1


@compiled(nogil=True)
def pad(board, height, width, padded, empties):
    """Copy `board` into `padded`, walls around it; list padded indices of empty points. Returns how many."""
    padded[: (height + 2) * (width + 1) + 1] = WALL
    count = 0
    for row in range(height):
        at = (row + 1) * (width + 1) + 1
        for col in range(width):
            stone = board[row * width + col]
            padded[at + col] = stone
            empties[count] = at + col  # overwritten by the next one unless it counts: no branch to guess wrong
            count += stone == 0
    return count


@compiled(inline="always")
def wins_at_padded(padded, stride, k, exact, at, stone):
    """`wins_at` on a padded board whose rows are `stride` long."""
    for step in (1, stride, stride + 1, stride - 1):
        count = 1
        forward = at + step
        while padded[forward] == stone:
            count += 1
            forward += step
        back = at - step
        while padded[back] == stone:
            count += 1
            back -= step
        if count >= k and (count == k or not exact):
            return True
    return False


@compiled(nogil=True)
def playout_padded(padded, stride, k, exact, empties, count, player, state):
    """Play uniform random moves until the game ends; `padded` and `empties` are used up. Returns 0, 1 or 2."""
    while count > 0:
        pick = random_below(state, count)
        at = empties[pick]
        count -= 1
        empties[pick] = empties[count]
        padded[at] = player
        if wins_at_padded(padded, stride, k, exact, at, player):
            return player
        player = 3 - player
    return 0


@compiled(nogil=True)
def random_playout(board, height, width, k, exact, player, state):
    """The winner (0 for a draw) of random play from a running position; `player` moves next. Keeps `board`."""
    return np.argmax(playout_tally(board, height, width, k, exact, player, 1, state))


@compiled(nogil=True)
def playout_tally(board, height, width, k, exact, player, playouts, state):
    """How many of `playouts` random games from here end in (a draw, a win of 1, a win of 2): shape (3,) int64."""
    tally = np.zeros(3, dtype=np.int64)
    count_playouts(board, height, width, k, exact, player, playouts, tally, state)
    return tally


@compiled(nogil=True)
def count_playouts(board, height, width, k, exact, player, playouts, tally, state):
    """`playout_tally`, added to a tally."""
    size = (height + 2) * (width + 1) + 1
    room = np.empty(size + height * width, dtype=np.int16)
    padded, empties = room[:size], room[size:]
    for _ in range(playouts):
        count = pad(board, height, width, padded, empties)
        tally[playout_padded(padded, width + 1, k, exact, empties, count, player, state)] += 1

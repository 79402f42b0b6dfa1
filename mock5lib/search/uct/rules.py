"""What the fast UCT asks of a game, compiled: k in a row and Go answer here, and another game would answer here too.

A *root* is the position that a search starts from: `Five`, or Go's `Position`. From it `begin` makes a *work*, the room
in which simulations are played. The kernels call the functions at the end; which game's version they get,
numba decides by the type of that first argument while it compiles, so that asking costs nothing.

Moves are points of the padded board, whatever the game; 0, a wall, is Go's pass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mock5lib.base.compiled import answer, compiled
from mock5lib.game.board import Mock5
from mock5lib.game.kernels import RUNNING, mix, pad, padded_point, playout_padded, random_below, wins_at_padded
from mock5lib.go import kernels as go
from mock5lib.go.board import Go
from mock5lib.go.groups import PLAYER, PLY

NO_MOVE, PASS = -1, go.PASS  # what a tree keeps at a fresh root, and for a pass
TRIED = 4  # marks a tried move on the padded board for a moment; differs from stones, walls and empty points


class Five(NamedTuple):
    """A root of k in a row. Of B games at once `board` is (B, A) and `player` (B,)."""

    board: np.ndarray  # (A,) int8
    player: int
    height: int
    width: int
    k: int
    exact: bool


class FiveWork(NamedTuple):
    """A padded board now and at the root, the points that are empty at the root, in order, and room for a list."""

    padded: np.ndarray
    start: np.ndarray
    open_points: np.ndarray
    empties: np.ndarray
    stride: int
    k: int
    exact: bool


class GoWork(NamedTuple):
    """The position now and at the root, room for a playout, a list of moves, and marks of tried ones."""

    now: go.Position
    start: go.Position
    after: go.Position
    moves: np.ndarray
    tried: np.ndarray


def rules_of(game) -> tuple:
    """Size and rules. Raises TypeError for another game than these two, also of a subclass, with rules of its own."""
    if type(game) is Mock5:
        return Mock5, game.height, game.width, game.k, game.exact
    if type(game) is Go:
        return Go, game.size, game.komi, game.ko, game.max_moves
    raise TypeError(f"FastUCT plays Mock5 and Go alone, got {type(game).__name__}. UCT plays any game.")


def root_of(game) -> NamedTuple:
    """The root of a `Mock5` or a `Go` game."""
    if type(game) is Go:
        return go.position_of(game)
    return Five(game.cells, game.player, game.height, game.width, game.k, game.exact)


def roots_of(games: list) -> NamedTuple:
    """The roots of B games with the same rules as one, whose arrays have B rows: for `root_at`."""
    roots = [root_of(game) for game in games]
    names = ("points", "counts", "seen") if type(games[0]) is Go else ("board", "player")
    return roots[0]._replace(**{name: np.stack([getattr(root, name) for root in roots]) for name in names})


def point_of(game, move: int) -> int:
    """A move as the kernels write it."""
    return PASS if move == game.height * game.width else padded_point(move, game.width)


def move_of(game, point: int) -> int | None:
    """A move that the kernels wrote, as the game numbers it."""
    if point == NO_MOVE:
        return None
    row, col = divmod(point, game.width + 1)
    return (row - 1) * game.width + col - 1 if point != PASS else game.height * game.width


# k in a row -----------------------------------------------------------------------------------------------------


@compiled(inline="always")
def list_empties(padded, open_points, empties):
    """Write those of `open_points` that are empty now to `empties`; returns how many."""
    count = 0
    for point in open_points:
        empties[count] = point  # overwritten by the next one unless it counts: no branch to guess wrong
        count += padded[point] == 0
    return count


@compiled
def position_state(board, seed):
    """A random state that depends on the stones alone: the playouts of a position are then always the same."""
    bits = seed
    for stone in board:
        bits = mix(bits + np.uint64(stone) + np.uint64(0x9E3779B97F4A7C15))
    return bits


def five_begin(root):
    size = (root.height + 2) * (root.width + 1) + 1
    start, padded = np.empty(size, np.int8), np.empty(size, np.int8)
    open_points, empties = np.empty(len(root.board), np.int16), np.empty(len(root.board), np.int16)
    count = pad(root.board, root.height, root.width, start, open_points)
    return FiveWork(padded, start, open_points[:count], empties, root.width + 1, root.k, root.exact)


def five_root_at(roots, b):
    return Five(roots.board[b], roots.player[b], roots.height, roots.width, roots.k, roots.exact)


def five_mover(root):
    return root.player


def five_longest(root):
    return len(root.board)


def five_start_over(work):
    work.padded[:] = work.start


def five_count_legal(work):
    return len(work.open_points)


def five_put(work, move, mover):
    work.padded[move] = mover


def five_untried(work, tree, node, ordered, state):
    first, tried = tree[node].first, tree[node].tried
    for child in range(first, first + tried):
        work.padded[tree[child].move] = TRIED
    count = list_empties(work.padded, work.open_points, work.empties)
    for child in range(first, first + tried):
        work.padded[tree[child].move] = 0
    return work.empties[0] if ordered else work.empties[random_below(state, count)]


def five_judge(work, move, mover, legal):
    if wins_at_padded(work.padded, work.stride, work.k, work.exact, move, mover):
        return np.int64(mover), legal - 1
    return np.int64(0 if legal == 1 else RUNNING), legal - 1


def five_playouts(work, mover, playouts, results, ordered, seed, state):
    padded = work.padded
    if ordered:
        state[0] = position_state(padded, seed)
    leaf = padded.copy() if playouts > 1 else padded
    for number in range(playouts):
        if number > 0:
            padded[:] = leaf
        count = list_empties(padded, work.open_points, work.empties)
        results[playout_padded(padded, work.stride, work.k, work.exact, work.empties, count, mover, state)] += 1


# Go -------------------------------------------------------------------------------------------------------------


@compiled
def go_state(position, seed):
    """As `position_state`; who moves counts too."""
    return mix(seed ^ position.seen[position.counts[PLY]] ^ np.uint64(position.counts[PLAYER]))


def go_begin(root):
    moves, tried = np.empty(root.size * root.size + 1, np.int32), np.zeros(root.points.shape[1], np.bool_)
    return GoWork(go.copy_of(root), root, go.copy_of(root), moves, tried)


def go_root_at(roots, b):
    return go.Position(
        roots.points[b], roots.counts[b], roots.seen[b], roots.size, roots.komi, roots.superko, roots.max_moves
    )


def go_mover(root):
    return root.counts[PLAYER]


def go_longest(root):
    return root.max_moves


def go_start_over(work):
    go.copy_into(work.now, work.start)


def go_count_legal(work):
    return go.list_legal(work.now, work.moves)


def go_put(work, move, mover):
    go.play(work.now, move)


def go_untried(work, tree, node, ordered, state):
    first, tried, left = tree[node].first, tree[node].tried, 0
    for child in range(first, first + tried):
        work.tried[tree[child].move] = True
    for i in range(go.list_legal(work.now, work.moves)):
        if not work.tried[work.moves[i]]:
            work.moves[left] = work.moves[i]
            left += 1
    for child in range(first, first + tried):
        work.tried[tree[child].move] = False
    return work.moves[0] if ordered else work.moves[random_below(state, left)]


def go_judge(work, move, mover, legal):
    return np.int64(go.winner_of(work.now)), go.list_legal(work.now, work.moves)


def go_playouts(work, mover, playouts, results, ordered, seed, state):
    if ordered:
        state[0] = go_state(work.now, seed)
    for _ in range(playouts - 1):
        go.copy_into(work.after, work.now)
        results[go.play_out(work.after, state)] += 1
    results[go.play_out(work.now, state)] += 1


# What the kernels call ------------------------------------------------------------------------------------------


def begin(root):
    """A work for simulations from `root`."""


def root_at(roots, b):
    """Root number b of `roots_of` some games."""


def mover_at(root):
    """Who moves at the root."""


def longest(root):
    """A bound on the moves that a game can still take."""


def start_over(work):
    """Go back to the root."""


def count_legal(work):
    """How many moves are legal at the root, where the work stands."""


def put(work, move, mover):
    """Play a move."""


def untried_move(work, tree, node, ordered, state):
    """A random untried move of a node, at whose position the work stands; or the first in order."""


def judge(work, move, mover, legal):
    """The winner (or RUNNING), and how many moves are legal, after `mover` has played `move`, one of `legal`."""


def playouts_from(work, mover, playouts, results, ordered, seed, state):
    """Count in `results` who wins `playouts` random games from here; the work's position is used up.

    With `ordered` they depend on `seed` and the position alone.
    """


ANSWERS = {
    begin: (five_begin, go_begin),
    root_at: (five_root_at, go_root_at),
    mover_at: (five_mover, go_mover),
    longest: (five_longest, go_longest),
    start_over: (five_start_over, go_start_over),
    count_legal: (five_count_legal, go_count_legal),
    put: (five_put, go_put),
    untried_move: (five_untried, go_untried),
    judge: (five_judge, go_judge),
    playouts_from: (five_playouts, go_playouts),
}


def chosen(five, other):
    """The choice between two functions by a root's or a work's type."""
    return lambda first: five if first.instance_class in (Five, FiveWork) else other


for _question, _answers in ANSWERS.items():
    answer(_question, chosen(*_answers))

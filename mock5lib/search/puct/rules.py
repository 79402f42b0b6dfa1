"""What the forest asks of a game, compiled: k in a row and Go answer here. See `base.compiled.answer`.

k in a row is its board, in `Trees.boards` and `Trees.leaf_boards`. Go has positions beside them, with groups, the ko
and all earlier positions, in `Trees.root_points` and so on; for k in a row these are empty, with one dimension, and so
their type tells the games apart.
"""

from __future__ import annotations

import numpy as np

from mock5lib.base.compiled import answer, compiled
from mock5lib.game.kernels import RUNNING, padded_point, wins_at
from mock5lib.go import kernels as go
from mock5lib.go.board import Go
from mock5lib.go.groups import PLY

# k in a row -----------------------------------------------------------------------------------------------------


def five_start_leaf(points, t, g, row, s):
    t.leaf_boards[g, row] = t.boards[g]


def five_move_on(points, t, g, row, s, move, player):
    t.leaf_boards[g, row, move] = player


def five_judge(points, t, g, row, s, move, player, depth):
    board = t.leaf_boards[g, row]
    if wins_at(board, s.height, s.width, s.k, s.exact, move):
        return -1.0
    if t.games[g].stones + depth == len(board):
        return 0.0
    value = look_ahead_five(board, player, t.leaf_masks[g, row], s)
    return np.nan if value == 0 else np.float64(value)


def five_look_ahead(points, t, g, row, s, player):
    return look_ahead_five(t.leaf_boards[g, row], player, t.leaf_masks[g, row], s)


def five_play_root(points, t, g, move, s):
    game = t.games[g]
    t.boards[g, move] = game.player
    if wins_at(t.boards[g], s.height, s.width, s.k, s.exact, move):
        return np.int64(game.player)
    return np.int64(0 if game.stones + 1 == t.boards.shape[1] else RUNNING)


@compiled
def look_ahead_five(board, player, mask, s):
    """Mark the moves worth a look in `mask`; returns 1 or -1 where the rules know the value, else 0.

    The fast twin of `tree.look_one_ply_ahead`.
    """
    if s.forced_moves:
        if mark_wins(board, s.height, s.width, s.k, s.exact, player, mask) > 0:
            return 1
        threats = mark_wins(board, s.height, s.width, s.k, s.exact, 3 - player, mask)
        if threats > 0:
            return -1 if threats > 1 else 0
    for move in range(len(board)):
        mask[move] = board[move] == 0
    return 0


@compiled
def mark_wins(board, height, width, k, exact, player, mask):
    """Mark in `mask` (A,) the empty points where a stone of `player` would win; returns how many there are.

    Looks at every k points in line: with k − 1 stones of `player` the remaining point, if empty, wins.
    """
    mask[:] = False
    count = 0
    for row in range(height):
        for col in range(width):
            for d_row, d_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_col = row + (k - 1) * d_row, col + (k - 1) * d_col
                if last_row >= height or last_col >= width or last_col < 0:
                    continue
                empty = lone_empty(board, row * width + col, d_row * width + d_col, k, player)
                if empty < 0 or mask[empty]:
                    continue
                if exact and (
                    holds(board, height, width, row - d_row, col - d_col, player)
                    or holds(board, height, width, last_row + d_row, last_col + d_col, player)
                ):
                    continue
                mask[empty] = True
                count += 1
    return count


@compiled
def lone_empty(board, point, step, k, player):
    """The one empty point of k in line, if all others hold stones of `player`; else -1."""
    empty = -1
    for _ in range(k):
        if board[point] != player:
            if board[point] != 0 or empty >= 0:
                return -1
            empty = point
        point += step
    return empty


@compiled
def holds(board, height, width, row, col, player):
    return 0 <= row < height and 0 <= col < width and board[row * width + col] == player


# Go -------------------------------------------------------------------------------------------------------------


@compiled
def root_of(t, g, s):
    """The position at root g."""
    return go.Position(t.root_points[g], t.root_counts[g], t.root_seen[g], s.height, s.komi, s.superko, s.max_moves)


@compiled
def leaf_of(t, g, row, s):
    """The position in row `row` of the leaves of game g."""
    points, counts, seen = t.leaf_points[g, row], t.leaf_counts[g, row], t.leaf_seen[g, row]
    return go.Position(points, counts, seen, s.height, s.komi, s.superko, s.max_moves)


@compiled
def padded_move(move, size):
    """A move as Go's kernels write it."""
    return go.PASS if move == size * size else padded_point(move, size)


@compiled
def mark_legal(position, mask):
    """Mark the legal moves, (size² + 1,)."""
    for move in range(len(mask) - 1):
        mask[move] = go.is_legal(position, padded_point(move, position.size))
    mask[len(mask) - 1] = True


def go_start_leaf(points, t, g, row, s):
    go.copy_into(leaf_of(t, g, row, s), root_of(t, g, s))


def go_move_on(points, t, g, row, s, move, player):
    go.play(leaf_of(t, g, row, s), padded_move(move, s.height))


def go_judge(points, t, g, row, s, move, player, depth):
    leaf = leaf_of(t, g, row, s)
    winner = go.winner_of(leaf)
    if winner == RUNNING:
        mark_legal(leaf, t.leaf_masks[g, row])
        return np.nan
    return 0.0 if winner == 0 else 1.0 if winner == player else -1.0


def go_look_ahead(points, t, g, row, s, player):
    mark_legal(leaf_of(t, g, row, s), t.leaf_masks[g, row])
    return 0


def go_play_root(points, t, g, move, s):
    root = root_of(t, g, s)
    go.play(root, padded_move(move, s.height))
    t.boards[g] = go.board_of(root)
    return np.int64(go.winner_of(root))


# What the kernels call ------------------------------------------------------------------------------------------


def start_leaf(points, t, g, row, s):
    """Put the root's position of game g into row `row` of its leaves."""


def move_on(points, t, g, row, s, move, player):
    """Play a move there."""


def judge(points, t, g, row, s, move, player, depth):
    """The exact value of a position new to the tree, NaN if the expert must say; marks the moves worth a look.

    `move` has just been made, at `depth` plies below the root; `player` moves next.
    """


def look_ahead(points, t, g, row, s, player):
    """Mark the moves worth a look; returns 1 or -1 where the rules know the value, else 0."""


def play_root(points, t, g, move, s):
    """Play a move at root g; returns the winner or RUNNING."""


ANSWERS = {
    start_leaf: (five_start_leaf, go_start_leaf),
    move_on: (five_move_on, go_move_on),
    judge: (five_judge, go_judge),
    look_ahead: (five_look_ahead, go_look_ahead),
    play_root: (five_play_root, go_play_root),
}


def chosen(five, other):
    """The choice between two functions by the type of `Trees.root_points`."""
    return lambda points: five if points.ndim == 1 else other


for _question, _answers in ANSWERS.items():
    answer(_question, chosen(*_answers))


# For Python -----------------------------------------------------------------------------------------------------

PARTS = ("points", "counts", "seen")


def go_arrays(blank: Go | None, games: int, leaves: int) -> dict[str, np.ndarray]:
    """The arrays of `Trees` that hold Go's positions, all like `blank`; empty ones for k in a row."""
    if blank is None:
        return {f"{place}_{part}": np.zeros(0, np.int32) for place in ("root", "leaf") for part in PARTS}
    arrays = {part: getattr(go.position_of(blank), part) for part in PARTS}
    roots = {f"root_{part}": np.tile(one, (games, *[1] * one.ndim)) for part, one in arrays.items()}
    return roots | {f"leaf_{part}": np.tile(one, (games, leaves, *[1] * one.ndim)) for part, one in arrays.items()}


def put_games(t, s, which, games: list[Go]) -> None:
    """Put the positions of games of Go at some roots."""
    for g, game in zip(which, games, strict=True):
        go.copy_into(root_of(t, g, s), go.position_of(game))
        t.boards[g], t.games["player"][g], t.games["winner"][g] = game.cells, game.player, RUNNING


def is_legal_at(t, s, g: int, move: int) -> bool:
    """Whether a move is legal at root g."""
    if t.games["winner"][g] != RUNNING or not 0 <= move < t.root_moves.shape[1]:
        return False
    if t.root_points.ndim > 1:
        return int(move) in go.legal_moves_of(root_of(t, g, s))
    return t.boards[g, move] == 0


def leaf_states(t, s, where) -> go.Position:
    """Go's positions of some leaves, stacked: a copy."""
    parts = t.leaf_points[where], t.leaf_counts[where], t.leaf_seen[where]
    return go.Position(*parts, s.height, s.komi, s.superko, s.max_moves)


def board_of(game) -> dict:
    """Board and rules of a game, as the arguments of `Forest`."""
    if isinstance(game, Go):
        return {"go": Go(game.size, game.komi, ko=game.ko, max_moves=game.max_moves)}
    return {"height": game.height, "width": game.width, "k": game.k, "exact": game.exact}


def rules_of(game) -> tuple:
    """Board and rules of a game or a forest, to be compared."""
    go = game if isinstance(game, Go) else getattr(game, "go", None)
    if go is not None:
        return Go, go.size, go.komi, go.ko, go.max_moves
    return game.height, game.width, game.k, game.exact


def check_games(games: list) -> None:
    """Raise a ValueError for a finished game, or for games that differ in board or rules."""
    for number, game in enumerate(games):
        if game.winner is not None:
            raise ValueError(f"Game {number} is over (winner {game.winner}): there is no move to search for.")
        if rules_of(game) != rules_of(games[0]):
            raise ValueError(f"Games searched together must share board and rules; {game!r} is not like {games[0]!r}.")


def standing_at(forest, slot: int) -> tuple[bytes, int]:
    """What a game of a forest stands at: board, and who moves; of Go all positions so far, which ko asks for."""
    trees, player = forest.trees, int(forest.players[slot])
    if forest.go is None:
        return forest.boards[slot].tobytes(), player
    return trees.root_seen[slot, : trees.root_counts[slot, PLY] + 1].tobytes(), player


def position_before(game, moves: list[int]) -> tuple[bytes, int]:
    """The same for a game before its last `moves` were played."""
    player = game.player if len(moves) % 2 == 0 else 3 - game.player
    if isinstance(game, Go):
        position = go.position_of(game)
        return position.seen[: position.counts[PLY] + 1 - len(moves)].tobytes(), player
    cells = game.cells.copy()
    cells[moves] = 0
    return cells.tobytes(), player

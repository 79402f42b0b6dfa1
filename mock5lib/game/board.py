"""The board a learner holds: k in a row on any rectangle, with history, undo and symmetry.

The names follow lumiknit's package mock5 (2022), on which the course's Gomoku chapters are based. What differs
from it on purpose: a stone on a non-square board never lands transposed, `numpy()` runs on today's NumPy,
`duplicate()` keeps the player to move, and a finished game takes no further moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mock5lib.base.arguments import whole
from mock5lib.game import symmetry
from mock5lib.game.points import (
    BLACK,
    DIGITS,
    EMPTY,
    MAX_SIDE,
    STONES,
    WHITE,
    Cells,
    checked_stones,
    play_history,
    rays,
)
from mock5lib.game.referee import Outcome, play_game, read_human_move

if TYPE_CHECKING:
    import torch


class Mock5:
    """A game of k in a row on a `height` × `width` board; black (player 1) moves first.

    Args:
        height, width: sides of the board, 1 to 36; default: 15, and as wide as high.
        k: stones in a row that win, at least 1. It may exceed the board: then every game is a draw.
        board: `height * width` stones (0 empty, 1 black, 2 white) to start from. They are not part of the history.
        history: moves to play from there, in order.
        exact: if True, only a row of exactly k wins; a longer one (an overline) does not. Default: k or more.

    Attributes:
        board: the points in row-major order, 0 empty, 1 black, 2 white; index `row * width + col`. To edit a point
            write `game[row, col] = stone`, which judges the board anew.
        cells: the same memory as an int8 array of shape (height * width,).
        history: the moves played so far.
        player: who moves next, 1 or 2.

    Raises:
        TypeError, ValueError: for a size, a `k`, a board or a history that makes no sense.
    """

    __slots__ = ("height", "width", "k", "exact", "board", "cells", "history", "player", "_winner", "_rays", "_made")

    def __init__(self, height=15, width=None, k=5, *, board=None, history=None, exact=False):
        self.height = whole("height", height, 1, MAX_SIDE)
        self.width = self.height if width is None else whole("width", width, 1, MAX_SIDE)
        self.k = whole("k", k, 1, MAX_SIDE**2)
        if exact not in (False, True):
            raise TypeError(f"exact must be true or false, got {exact!r}.")
        self.exact = bool(exact)
        self._made = self.height, self.width, self.k, self.exact  # what `_rays` was made for
        # A winning row reaches k - 1 points from its last stone; one more tells an overline.
        self._rays = rays(self.height, self.width, min(self.k - 1 + self.exact, MAX_SIDE))
        self.board = Cells(checked_stones(board, self.height, self.width))
        self.cells = np.frombuffer(self.board, dtype=np.int8)
        self.history = []
        self.player = BLACK
        self._winner = self._judge_all()
        play_history(self, history)

    # The game contract: legal_moves, apply, undo, winner, player, copy; and the kit of `game.kit`

    actions = property(lambda self: len(self.board))
    rules = property(lambda self: dict(height=self.height, width=self.width, k=self.k, exact=self.exact))
    symmetries = property(lambda self: symmetry.symmetries_of(self.height, self.width))
    looks_ahead, compiled = True, "mock5lib.game.five_compiled"

    def legal_moves(self) -> list[int]:
        """The empty points in increasing order; none once the game is over."""
        if self.winner is not None:
            return []
        return [point for point, stone in enumerate(self.board) if not stone]

    def apply(self, move) -> None:
        """Play `move` (an index, or a pair (row, col)) for the player to move.

        Raises:
            TypeError: the move is neither an int nor a pair of ints.
            IndexError: it is off the board.
            ValueError: the point is occupied or the game is over. The game stays as it was in each case.
        """
        index = move if type(move) is int else self.index(move)
        board = self.board
        if not 0 <= index < len(board):
            raise IndexError(f"Move {index} is off the board: points are 0 to {len(board) - 1}.")
        if self.winner is not None:
            raise ValueError(f"The game is over ({self.outcome_text()}): no move can be played.")
        if board[index]:
            row, col = divmod(index, self.width)
            raise ValueError(f"Row {row}, column {col} is occupied by {self.color_name(board[index])}.")
        board[index] = player = self.player
        self.history.append(index)
        self.player = 3 - player
        if self.completes_row(index, player):
            self._winner = player
        elif EMPTY not in board:
            self._winner = 0

    def undo(self) -> int:
        """Take the last move back; does nothing if there is none. Returns the number of moves left."""
        if self.history:
            self.board[self.history.pop()] = EMPTY
            self.player = 3 - self.player
            self._winner = None  # a finished game takes no moves, so before its last move it was running
        return len(self.history)

    @property
    def winner(self) -> int | None:
        """None while the game runs, 0 for a draw (board full), else the player with k in a row."""
        return self._winner

    def copy(self) -> Mock5:
        """An independent copy: board, history, player to move and rules."""
        other = object.__new__(type(self))
        other.height, other.width, other.k, other.exact = self.height, self.width, self.k, self.exact
        other._rays, other._made = self._rays, self._made
        other.board = Cells(self.board)
        other.cells = np.frombuffer(other.board, dtype=np.int8)
        other.history = self.history.copy()
        other.player, other._winner = self.player, self._winner
        return other

    __copy__ = copy

    def __deepcopy__(self, memo) -> Mock5:
        return self.copy()

    def __reduce__(self):
        return _restore, (self.height, self.width, self.k, self.exact, bytes(self.board), self.history, self.player)

    # Who has won

    def completes_row(self, index: int, player: int) -> bool:
        """Whether a stone of `player` on this point makes k in a row, however the other stones came there."""
        board, k = self.board, self.k
        for one_way, other_way in self._rays[index]:
            row = 1
            for point in one_way:
                if board[point] != player:
                    break
                row += 1
            for point in other_way:
                if board[point] != player:
                    break
                row += 1
            if row == k or (row > k and not self.exact):
                return True
        return False

    def _judge_all(self) -> int | None:
        """The winner by a look through every stone. If both players have a row, the last mover wins."""
        winners = {stone for index, stone in enumerate(self.board) if stone and self.completes_row(index, stone)}
        if winners:
            return 3 - self.player if 3 - self.player in winners else self.player
        return None if EMPTY in self.board else 0

    # Points and text

    def index(self, move) -> int:
        """The index `row * width + col` of a move given as an int or as a pair (row, col).

        Raises:
            TypeError, IndexError: not a move, or off the board.
        """
        if isinstance(move, (int, np.integer)) and not isinstance(move, (bool, np.bool_)):
            if not 0 <= move < len(self.board):
                raise IndexError(f"Move {move} is off the board: points are 0 to {len(self.board) - 1}.")
            return int(move)
        if isinstance(move, (tuple, list)) and len(move) == 2:
            for name, value, size in (("row", move[0], self.height), ("column", move[1], self.width)):
                if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
                    raise TypeError(f"A {name} is a whole number, got {value!r}.")
                if not 0 <= value < size:
                    raise IndexError(f"There is no {name} {value}: {name}s are 0 to {size - 1}.")
            return int(move[0]) * self.width + int(move[1])
        raise TypeError(f"A move is an int or a pair (row, col), got {move!r}.")

    def name_of(self, index: int) -> str:
        """A point as the printed board names it, row, then column: '7A', 'A 1', for A1 is typed for another point."""
        row, col = divmod(index, self.width)
        return DIGITS[row] + " " * DIGITS[row].isalpha() + DIGITS[col]

    @staticmethod
    def color_name(player: int) -> str:
        """'black' or 'white'."""
        return ("empty", "black", "white")[player]

    def outcome_text(self) -> str:
        """The state of the game in words: 'running', 'a draw', 'black has won' or 'white has won'."""
        winner = self.winner
        if winner is None:
            return "running"
        return f"{self.color_name(winner)} has won" if winner else "a draw"

    def __getitem__(self, key) -> int:
        return self.board[self.index(key)]

    def __setitem__(self, key, stone) -> None:
        """Edit a point by hand: no history, no change of turn."""
        self.board[self.index(key)] = whole("a stone (0 empty, 1 black, 2 white)", stone, EMPTY, WHITE)
        self._winner = self._judge_all()

    def __str__(self) -> str:
        turn = f" [ Turn {len(self.history):3d} ; {self.player}P's turn (tone = {STONES[self.player]}) ]"
        lines = ["=" * 37, turn, "  | " + " ".join(DIGITS[: self.width]), "--+" + "--" * self.width]
        for row in range(self.height):
            stones = self.board[row * self.width : (row + 1) * self.width]
            lines.append(f"{DIGITS[row]} | " + " ".join(STONES[stone] for stone in stones))
        return "\n".join(lines)

    def __repr__(self) -> str:
        rule = f", k={self.k}" + (", exact=True" if self.exact else "")
        return f"<Mock5 {self.height}×{self.width}{rule}: {len(self.history)} moves, {self.outcome_text()}>"

    # Further names of the original package, which the notebook of 2022 calls

    duplicate = copy

    def check_win(self) -> int | None:
        """Same as `winner`."""
        return self.winner

    def can_place_at(self, row: int, col: int, player: int | None = None) -> bool:
        """Whether the point is empty and the game still runs; with `player` given, whether it is empty."""
        return self[row, col] == EMPTY and (player is not None or self.winner is None)

    def place_stone(self, row: int, col: int, player: int | None = None) -> bool:
        """Play at (row, col); returns False and does nothing if that is not allowed.

        With `player` given the stone is only put there, as an edit: no turn passes and the history stays.
        """
        if not self.can_place_at(row, col, player):
            return False
        if player is None:
            self.apply((row, col))
        else:
            self[row, col] = player
        return True

    def place_stone_at_index(self, index: int, player: int | None = None) -> bool:
        """`place_stone` with an index `row * width + col`."""
        return self.place_stone(*divmod(self.index(index), self.width), player)

    def replay(self, angle: int = 0, flip: int = 0) -> Mock5:
        """The same game seen in one of the eight symmetries: replays the history on the turned board.

        Args:
            angle: quarter turns counter-clockwise. Odd angles swap height and width.
            flip: 1 mirrors the columns first, 0 does not.
        """
        where = symmetry.index_map(self.height, self.width, angle, flip)
        height, width = symmetry.turned_shape(self.height, self.width, angle)
        return type(self)(height, width, self.k, history=[int(where[move]) for move in self.history], exact=self.exact)

    def numpy(self, player: int | None = None, one_hot_encoding: bool = True, dtype=None) -> np.ndarray:
        """The board as an array, seen by `player` (default: the player to move).

        Args:
            one_hot_encoding: True for planes (empty, own, other), shape (3, height, width), float unless `dtype` says
                otherwise; False for 0 (empty), 1 (own) and 2 (other), shape (height * width,).
        """
        player = self.player if player is None else whole("player", player, BLACK, WHITE)
        seen = np.array([EMPTY, player, 3 - player], dtype=np.int64)[self.cells]
        if not one_hot_encoding:
            return seen.astype(dtype or np.int64)
        planes = seen == np.arange(3)[:, None]
        return planes.reshape(3, self.height, self.width).astype(dtype or float)

    def tensor(self, player: int | None = None, one_hot_encoding: bool = True, dtype=None) -> torch.Tensor:
        """`numpy()` as a torch tensor; planes are float32 unless `dtype` says otherwise."""
        import torch

        seen = torch.from_numpy(self.numpy(player, one_hot_encoding))
        return seen.to(dtype or (torch.float if one_hot_encoding else torch.long))

    def play(
        self,
        input1=None,
        input2=None,
        random_first=True,
        print_intermediate_state=True,
        print_messages=True,
        rng: np.random.Generator | None = None,
    ) -> Outcome:
        """Let two agents play this game to its end; without an agent, a human types the moves.

        An agent that resigns, raises, or plays an illegal move loses.

        Args:
            input1, input2: agents, functions from a game to a move.
            random_first: draw who plays black; otherwise `input1` does.
            rng: for that draw.

        Returns:
            1 if `input1` won, 2 if `input2` did, 0 for a draw: an int that also has a `.reason` in words.
        """
        agents = [input1 or read_human_move, input2 or read_human_move]
        swapped = random_first and bool((rng or np.random.default_rng()).integers(2))
        if swapped:
            agents.reverse()
        outcome = play_game(self, *agents, show=print if print_intermediate_state else None)
        if print_messages:
            if print_intermediate_state:
                print(self)
            print(outcome.reason)
        return outcome.swapped() if swapped else outcome


def _restore(height, width, k, exact, stones, history, player) -> Mock5:
    """Rebuild a pickled game, hand edits included."""
    game = Mock5(height, width, k, board=stones, exact=exact)
    game.history, game.player = list(history), player
    return game


class Rules(NamedTuple):
    """The game played."""

    height: int = 9
    width: int = 9
    k: int = 5
    exact: bool = False

    def board(self) -> Mock5:
        """The empty board."""
        return Mock5(*self[:3], exact=self.exact)

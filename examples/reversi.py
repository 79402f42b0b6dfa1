"""Reversi on a small board: a game of one's own, for all that the course has built.

This file of plain Python is the whole game. `reversi_compiled.py` beside it says the rules once more, for speed alone:
copy both files, or this one without the line `compiled = …`.

Whoever moves puts a stone where it encloses stones of the other in a straight line, between it and another stone of
their own; these change color. A player who can enclose none passes; when neither can, the more stones win.

    mock5 play uct:1000 --game examples/reversi.py:Reversi
    mock5 match uct:1000 uct:100 --games 20 --game examples/reversi.py:Reversi
    mock5 train alphazero runs/reversi --game examples/reversi.py:Reversi --minutes 15

Moves are points, `row * size + column`, and the greatest move is the pass.
"""

from __future__ import annotations

from functools import lru_cache

from mock5lib.game.symmetry import SYMMETRIES


class Reversi:
    """A game of Reversi; player 1 begins, as in the usual rules.

    Args:
        size: side of the board: 4, 6 or 8.
    """

    symmetries = SYMMETRIES  # all eight; the start itself looks the same in four of them only
    compiled = "reversi_compiled"  # the file beside this one, for speed; without it, leave this line out

    def __init__(self, size: int = 6):
        if size not in (4, 6, 8):
            raise ValueError(f"Reversi is played on a board of 4, 6 or 8, got {size!r}.")
        self.height = self.width = size
        self.pass_move = size * size
        self.actions = size * size + 1  # how many moves there are, legal or not
        self.max_moves = 2 * size * size  # no game is longer: between two passes lies a stone
        self.rules = {"size": size}
        self.board = [0] * (size * size)
        self.player = 1
        self.history: list[int] = []
        self._before: list[tuple] = []  # for each move, what it turned and what was legal before it
        middle = (size // 2 - 1) * (size + 1)
        for point, stone in ((middle, 2), (middle + 1, 1), (middle + size, 1), (middle + size + 1, 2)):
            self.board[point] = stone
        self._judge()

    def enclosed(self, point: int, player: int) -> list[int]:
        """The stones that change color if `player` puts one on `point`; none: it is no move."""
        board, found = self.board, []
        if board[point]:
            return found
        for ray in rays(self.height)[point]:
            if board[ray[0]] != 3 - player:
                continue
            for steps, beyond in enumerate(ray):
                if board[beyond] != 3 - player:
                    if board[beyond] == player:
                        found += ray[:steps]
                    break
        return found

    def points_for(self, player: int) -> list[int]:
        """Where a player may put a stone."""
        return [point for point in range(self.pass_move) if self.enclosed(point, player)]

    def _judge(self) -> None:
        """Note the legal moves, and who has won."""
        self.winner = None
        self._legal = self.points_for(self.player)
        if self._legal:
            return
        if self.points_for(3 - self.player):
            self._legal = [self.pass_move]
            return
        black, white = self.board.count(1), self.board.count(2)
        self.winner = 0 if black == white else 1 if black > white else 2

    def legal_moves(self) -> list[int]:
        return list(self._legal)

    def apply(self, move: int) -> None:
        if move not in self._legal:
            raise ValueError(f"{self.name_of(move)} is not possible here")
        turned = [] if move == self.pass_move else self.enclosed(move, self.player)
        for point in [move, *turned] if turned else []:
            self.board[point] = self.player
        self.history.append(move)
        self._before.append((turned, self._legal))
        self.player = 3 - self.player
        self._judge()

    def undo(self) -> None:
        move, (turned, self._legal) = self.history.pop(), self._before.pop()
        for point in turned:
            self.board[point] = self.player
        if move != self.pass_move:
            self.board[move] = 0
        self.player, self.winner = 3 - self.player, None

    def copy(self) -> Reversi:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.board, other.history, other._before = self.board[:], self.history[:], self._before[:]
        return other

    def name_of(self, move) -> str:
        if move == self.pass_move:
            return "a pass"
        return f"row {move // self.width} column {move % self.width}" if move in range(self.pass_move) else repr(move)

    def score_text(self) -> str:
        """How the game stands, for the panel and the terminal."""
        return f"Black {self.board.count(1)}, White {self.board.count(2)}."


@lru_cache
def rays(size: int) -> list[list[list[int]]]:
    """For each point, the points from it to the edge, in each of the eight directions."""
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    found = []
    for point in range(size * size):
        lines = []
        for down, right in steps:
            row, col, line = point // size + down, point % size + right, []
            while 0 <= row < size and 0 <= col < size:
                line.append(row * size + col)
                row, col = row + down, col + right
            lines.append(line)
        found.append([line for line in lines if len(line) > 1])
    return found

"""The board of Go that a learner holds: groups, liberties, captures, ko, passes and area scoring, in plain steps.

`Go` meets the course's contract of a game, so that the searches of the earlier chapters play it as they are. Moves are
whole numbers: `row * width + col` for a point, and `size * size` for a pass. `board_compiled.py` is the compiled twin.

The rules are those of Tromp and Taylor (1995), which programs play by, with suicide forbidden: two passes in a row end
the game, and a player's area is the stones and the empty points that reach that player's stones alone. Dead stones
count as they stand, so they have to be captured before the passes.
"""

from __future__ import annotations

import numpy as np

from mock5go import board_compiled
from mock5lib.base.arguments import whole
from mock5lib.game.points import BLACK, EMPTY, STONES, WHITE, Cells, checked_stones, play_history
from mock5lib.game.position_compiled import DOORS, PLAYOUTS, POSITIONS, stacked
from mock5lib.game.symmetry import SYMMETRIES

SMALLEST, LARGEST = 2, 19
MOVES_A_POINT = 3  # in the longest game
KO_RULES = ("positional", "simple")
COLUMNS = "ABCDEFGHJKLMNOPQRST"  # as Go players name them: there is no I


class Go:
    """A game of Go; black (player 1) moves first.

    Args:
        size: side of the board, 2 to 19.
        komi: points that white gets for moving second.
        ko: "positional" forbids every move that brings an earlier position back (positional superko); "simple" forbids
            only to take back at once the single stone that has just taken a single stone.
        max_moves: the game is over, and counted as it stands, after so many moves; default: three for each point.
        board: `size * size` stones (0 empty, 1 black, 2 white) to start from. player: who moves first.
        history: moves to play from there, in order.

    Attributes:
        board: the points in row-major order, 0 empty, 1 black, 2 white. Don't edit: give `board=` to a new game.
        cells: the same memory as an int8 array of shape (size * size,).
        history: the moves played so far. player: who moves next, 1 or 2.
        height, width: both the size. pass_move: the number of a pass. actions: how many moves there are, size² + 1.

    Raises:
        TypeError, ValueError: for a size, a board or a history that makes no sense.
    """

    __slots__ = ("size", "komi", "ko", "max_moves", "board", "cells", "history", "player", "start", "_taken", "_seen")

    def __init__(self, size=9, komi=7.5, *, ko="positional", max_moves=None, board=None, player=BLACK, history=None):
        self.size = whole("size", size, SMALLEST, LARGEST)
        if not -1000 < komi < 1000:
            raise ValueError(f"komi must be a number between -1000 and 1000, got {komi!r}.")
        if ko not in KO_RULES:
            raise ValueError(f"ko must be one of {KO_RULES}, got {ko!r}.")
        self.komi, self.ko = float(komi), ko
        usual = MOVES_A_POINT * self.size**2
        self.max_moves = whole("max_moves", usual if max_moves is None else max_moves, 2, 10_000)
        self.board = Cells(checked_stones(board, self.size, self.size))
        self.cells = np.frombuffer(self.board, dtype=np.int8)
        self.player = whole("player", player, BLACK, WHITE)
        self.start = bytes(self.board), self.player
        self.history: list[int] = []
        self._taken: list[list[int]] = []  # for each move, the points of the stones that it captured
        self._seen: list[bytes] = [bytes(self.board)]  # the position before the first move and after each one
        for point, stone in enumerate(self.board):
            if stone and not self.liberties(point):
                raise ValueError(f"The {STONES[stone]} stone at {self.name_of(point)} has no liberty.")
        play_history(self, history)

    height = property(lambda self: self.size)
    width = property(lambda self: self.size)
    pass_move = property(lambda self: self.size**2)
    actions = property(lambda self: self.size**2 + 1)
    rules = property(lambda self: dict(size=self.size, komi=self.komi, ko=self.ko, max_moves=self.max_moves))
    symmetries = SYMMETRIES
    records = "mock5go.records:GoRecords"
    alphago = "mock5go.alphago:KIT"
    row_names = property(lambda self: [str(row) for row in range(self.size, 0, -1)])
    column_names = property(lambda self: list(COLUMNS[: self.size]))

    # The game contract: legal_moves, apply, undo, winner, player, copy

    def legal_moves(self) -> list[int]:
        """The points that may be played in increasing order, then the pass; none once the game is over."""
        if self.over:
            return []
        return [point for point in range(self.size**2) if self.why_illegal(point) is None] + [self.pass_move]

    def apply(self, move) -> None:
        """Play `move` (an index, or a pair (row, col)) for the player to move; `pass_move` passes.

        Raises:
            TypeError: the move is neither an int nor a pair of ints.
            IndexError: it is off the board.
            ValueError: it is not legal. The game stays as it was in each case.
        """
        move = self.index(move)
        if self.over:
            raise ValueError(f"The game is over ({self.outcome_text()}): no move can be played.")
        taken = []
        if move != self.pass_move:
            reason = self.why_illegal(move)
            if reason is not None:
                raise ValueError(f"{self.color_name(self.player)} may not play {self.name_of(move)}: {reason}.")
            taken = sorted(self.captures(move))
            self.board[move] = self.player
            for stone in taken:
                self.board[stone] = EMPTY
        self.history.append(move)
        self._taken.append(taken)
        self._seen.append(bytes(self.board))
        self.player = 3 - self.player

    def undo(self) -> int:
        """Take the last move back; does nothing if there is none. Returns the number of moves left."""
        if self.history:
            move = self.history.pop()
            self._seen.pop()
            for point in self._taken.pop():
                self.board[point] = self.player
            if move != self.pass_move:
                self.board[move] = EMPTY
            self.player = 3 - self.player
        return len(self.history)

    @property
    def winner(self) -> int | None:
        """None while the game goes on, else who has more after komi; 0 for a draw."""
        if not self.over:
            return None
        lead = self.lead()
        return 0 if lead == 0 else BLACK if lead > 0 else WHITE

    @property
    def over(self) -> bool:
        """Whether two passes in a row, or too many moves, have ended the game."""
        return len(self.history) >= self.max_moves or self.passes >= 2

    @property
    def passes(self) -> int:
        """How many of the last moves were passes, counted up to 2."""
        count = 0
        while count < min(2, len(self.history)) and self.history[-1 - count] == self.pass_move:
            count += 1
        return count

    def copy(self) -> Go:
        """An independent copy, with all that the rule of ko has to know."""
        other = object.__new__(type(self))
        other.size, other.komi, other.ko, other.max_moves = self.size, self.komi, self.ko, self.max_moves
        other.board = Cells(self.board)
        other.cells = np.frombuffer(other.board, dtype=np.int8)
        other.history, other.player, other.start = self.history.copy(), self.player, self.start
        other._taken, other._seen = self._taken.copy(), self._seen.copy()
        return other

    __copy__ = copy

    def __deepcopy__(self, memo) -> Go:
        return self.copy()

    def __reduce__(self):
        return _restore, (self.size, self.komi, self.ko, self.max_moves, *self.start, self.history)

    # Groups

    def neighbors(self, point: int) -> list[int]:
        """The two to four points beside one."""
        row, col = divmod(point, self.size)
        beside = ((row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col))
        return [r * self.size + c for r, c in beside if 0 <= r < self.size and 0 <= c < self.size]

    def group(self, point: int) -> set[int]:
        """The stones connected with the stone at `point`; of an empty point, the empty points connected with it."""
        color, found, waiting = self.board[point], {point}, [point]
        while waiting:
            for beside in self.neighbors(waiting.pop()):
                if self.board[beside] == color and beside not in found:
                    found.add(beside)
                    waiting.append(beside)
        return found

    def liberties(self, point: int) -> set[int]:
        """The empty points beside the group of the stone at `point`."""
        return {b for stone in self.group(point) for b in self.neighbors(stone) if self.board[b] == EMPTY}

    def captures(self, point: int, player: int | None = None) -> set[int]:
        """The opponent's stones that a stone of `player` (default: who moves) on the empty `point` would capture."""
        other, taken = 3 - (player or self.player), set()
        for beside in self.neighbors(point):
            if self.board[beside] == other and self.liberties(beside) == {point}:
                taken |= self.group(beside)
        return taken

    # What is legal

    def why_illegal(self, point: int) -> str | None:
        """Why the player to move may not play at `point`, as the end of a sentence; None if that is legal."""
        if self.board[point] != EMPTY:
            return "the point is occupied"
        beside = self.neighbors(point)
        if EMPTY not in (self.board[b] for b in beside):
            lives = any(self.board[b] == self.player and len(self.liberties(b)) > 1 for b in beside)
            if not lives and not self.captures(point):
                return "its stone would have no liberty, which is suicide"
        if point == self.ko_point() or (self.ko == "positional" and self._repeats(point)):
            return "that would bring an earlier position back, which is ko"
        return None

    def ko_point(self) -> int | None:
        """Where a single stone has just been taken by a single stone that could be taken back at once; else None."""
        if not self.history or len(self._taken[-1]) != 1:
            return None
        last, (point,) = self.history[-1], self._taken[-1]
        return point if len(self.group(last)) == 1 and self.liberties(last) == {point} else None

    def _repeats(self, point: int) -> bool:
        """Whether a legal stone at `point` makes a position that there has been."""
        taken = self.captures(point)
        if not taken and not any(self._taken):  # there have never been so many stones
            return False
        after = bytearray(self.board)
        after[point] = self.player
        for stone in taken:
            after[stone] = EMPTY
        return bytes(after) in self._seen

    def is_eye(self, point: int, player: int | None = None) -> bool:
        """Whether an empty point is an eye of `player` (default: who moves), which only a beginner would fill.

        All points beside it hold own stones, and the opponent holds at most one point across its corners, none if it
        stands at the edge.
        """
        player = player or self.player
        if self.board[point] != EMPTY or any(self.board[b] != player for b in self.neighbors(point)):
            return False
        row, col = divmod(point, self.size)
        corners = [(row + dr, col + dc) for dr in (-1, 1) for dc in (-1, 1)]
        inside = [r * self.size + c for r, c in corners if 0 <= r < self.size and 0 <= c < self.size]
        held = sum(self.board[corner] == 3 - player for corner in inside)
        return held == 0 or (held == 1 and len(inside) == 4)

    def playout_moves(self) -> list[int]:
        """What a random playout draws from: legal points that are no own eyes; a pass only where there is none."""
        moves = [move for move in self.legal_moves()[:-1] if not self.is_eye(move)]
        return moves or ([] if self.over else [self.pass_move])

    # The score

    def areas(self) -> tuple[int, int]:
        """The area of black and of white: stones, and empty points that reach stones of that color alone."""
        counts = [0, self.board.count(BLACK), self.board.count(WHITE)]
        left = {point for point, stone in enumerate(self.board) if stone == EMPTY}
        while left:
            region = self.group(left.pop())
            left -= region
            borders = {self.board[b] for point in region for b in self.neighbors(point)} - {EMPTY}
            if len(borders) == 1:
                counts[borders.pop()] += len(region)
        return counts[BLACK], counts[WHITE]

    def lead(self) -> float:
        """Black's area less white's area and komi."""
        black, white = self.areas()
        return black - white - self.komi

    def prisoners(self) -> tuple[int, int]:
        """How many stones black and white have captured."""
        by = [0, 0]
        for number, taken in enumerate(self._taken):
            by[(self.start[1] - 1 + number) % 2] += len(taken)
        return by[0], by[1]

    # Names and text

    def index(self, move) -> int:
        """The number of a move given as an int or as a pair (row, col). Raises TypeError, IndexError."""
        if isinstance(move, (int, np.integer)) and not isinstance(move, (bool, np.bool_)):
            if not 0 <= move <= self.pass_move:
                raise IndexError(f"Move {move} is off the board: moves are 0 to {self.pass_move}, which is the pass.")
            return int(move)
        if isinstance(move, (tuple, list)) and len(move) == 2:
            row, col = (whole(name, value, 0, self.size - 1) for name, value in zip(("row", "column"), move))
            return row * self.size + col
        raise TypeError(f"A move is an int or a pair (row, col), got {move!r}.")

    def name_of(self, move: int) -> str:
        """A move as Go players write it: column letter, then the row counted from the bottom; or "pass"."""
        if move == self.pass_move:
            return "pass"
        row, col = divmod(move, self.size)
        return f"{COLUMNS[col]}{self.size - row}"

    def move_named(self, name: str) -> int:
        """The move of a name such as "D4" or "pass". Raises ValueError."""
        text = name.strip().upper()
        if text == "PASS":
            return self.pass_move
        col, row = COLUMNS.find(text[:1]), text[1:]
        if text and 0 <= col < self.size and row.isascii() and row.isdigit() and 1 <= int(row[:3]) <= self.size:
            return (self.size - int(row)) * self.size + col
        raise ValueError(f"There is no point {name.strip()!r} on a {self.size}×{self.size} board.")

    @staticmethod
    def color_name(player: int) -> str:
        """'black' or 'white'."""
        return ("empty", "black", "white")[player]

    def outcome_text(self) -> str:
        """The state of the game in words: 'running', 'a draw', or who has won and by how much."""
        if not self.over:
            return "running"
        lead = self.lead()
        return f"{self.color_name(BLACK if lead > 0 else WHITE)} has won by {abs(lead):g}" if lead else "a draw"

    def score_text(self) -> str:
        """The captures, and the areas as they would be counted now, in words."""
        (black, white), (by_black, by_white) = self.areas(), self.prisoners()
        areas = f"Area: Black {black}, White {white} and komi {self.komi:g}."
        return f"{areas} Captured: by Black {by_black}, by White {by_white}."

    def __getitem__(self, key) -> int:
        return self.board[self.index(key)]

    def __str__(self) -> str:
        lines = []
        for row in range(self.size):
            stones = self.board[row * self.size : (row + 1) * self.size]
            lines.append(f"{self.size - row:2d} " + " ".join(STONES[stone] for stone in stones))
        return "\n".join([*lines, "   " + " ".join(COLUMNS[: self.size])])

    def __repr__(self) -> str:
        size = f"{self.size}×{self.size}"
        return f"<Go {size}, komi {self.komi:g}: {len(self.history)} moves, {self.outcome_text()}>"


def _restore(size, komi, ko, max_moves, board, player, history) -> Go:
    """Rebuild a pickled game."""
    return Go(size, komi, ko=ko, max_moves=max_moves, board=list(board), player=player, history=history)


PLAYOUTS[Go] = lambda game, state: board_compiled.random_playout(board_compiled.position_of(game), state)
DOORS[Go] = board_compiled.check_go
POSITIONS[Go] = lambda games: stacked([board_compiled.position_of(game) for game in games])

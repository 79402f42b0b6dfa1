"""Connect four by its rules alone: what the learner's class is compared with.

A cell is (row, column), row 0 at the bottom. The 69 ways to have four in a row are listed once; a move wins if one of
those through its cell is full of the mover's stones.
"""

from __future__ import annotations

HEIGHT, WIDTH, FOUR = 6, 7, 4
DIRECTIONS = {(0, 1): "across", (1, 0): "upright", (1, 1): "on a rising diagonal", (-1, 1): "on a falling diagonal"}


def all_lines() -> dict:
    """Each line of four cells, as {line: the name of its direction}."""
    lines = {}
    for row in range(HEIGHT):
        for column in range(WIDTH):
            for (up, right), name in DIRECTIONS.items():
                line = tuple((row + i * up, column + i * right) for i in range(FOUR))
                if 0 <= line[-1][0] < HEIGHT and line[-1][1] < WIDTH:
                    lines[line] = name
    return lines


LINES = all_lines()
LINES_THROUGH = {
    (row, column): [line for line in LINES if (row, column) in line] for row in range(HEIGHT) for column in range(WIDTH)
}


class Reference:
    """A game of connect four: the second game that meets the contract, `mock5lib.base.contract.Game`.

    stones: {(row, column): 1 or 2}. history: columns. player: who moves next. winner: None, 0, 1 or 2.
    four: the line that won, or None.
    """

    def __init__(self, history=()):
        self.stones, self.heights, self.history = {}, [0] * WIDTH, []
        self.cells = [0] * (HEIGHT * WIDTH)  # as the skeleton keeps them: row 0 is the TOP
        self.player, self.winner, self.four = 1, None, None
        for column in history:
            self.apply(column)

    def legal_moves(self) -> list:
        """The columns with room, in order; none once the game is over."""
        return [] if self.winner is not None else [c for c in range(WIDTH) if self.heights[c] < HEIGHT]

    def apply(self, column: int) -> None:
        """Drop a stone. ValueError for a column that is not legal."""
        if column not in self.legal_moves():
            raise ValueError(f"column {column} is not legal, only {self.legal_moves()}")
        cell = self.heights[column], column
        self.stones[cell] = mover = self.player
        self.cells[(HEIGHT - 1 - cell[0]) * WIDTH + column] = mover
        self.heights[column] += 1
        self.history.append(column)
        self.player = 3 - mover
        self.four = next((line for line in LINES_THROUGH[cell] if self._is_full_of(mover, line)), None)
        self.winner = mover if self.four else 0 if len(self.stones) == HEIGHT * WIDTH else None

    def undo(self) -> None:
        """Take the last stone back."""
        self.__init__(self.history[:-1])

    def copy(self) -> Reference:
        """The same position, of its own."""
        return Reference(self.history)

    def _is_full_of(self, player: int, line: tuple) -> bool:
        return all(self.stones.get(cell) == player for cell in line)

    def reason(self) -> str:
        """One sentence: why `winner` is what it is."""
        if self.four:
            first, last = self.four[0][1], self.four[-1][1]
            where = f"column {first}" if first == last else f"columns {first} to {last}"
            return f"Player {self.winner} has four {LINES[self.four]}, {where}."
        if self.winner == 0:
            return "All 42 cells are full and nobody has four in a row: a draw, 0."
        return "Nobody has four in a row and there is room left: the game still runs, None."

    def __str__(self) -> str:
        rows = [" ".join(".OX"[self.stones.get((r, c), 0)] for c in range(WIDTH)) for r in reversed(range(HEIGHT))]
        return "\n".join([*rows, " ".join(map(str, range(WIDTH)))])


def random_game(rng) -> list:
    """The columns of one game of uniform random moves, from the start to the end."""
    game = Reference()
    while game.winner is None:
        legal = game.legal_moves()
        game.apply(legal[int(rng.random() * len(legal))])
    return game.history

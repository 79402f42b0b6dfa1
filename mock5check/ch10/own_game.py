"""The classes `ConnectFour` and `Four`, declared by ours: its rules, and the kit that lets a net learn it."""

from mock5check.ch01.connect_four import because, plays
from mock5check.ch10 import lines
from mock5check.script import script
from mock5lib.game.kit import check_kit

four_in_a_row = lines.four_in_a_row.solution


class ConnectFour:
    """Connect four: stones fall down, four in a row win."""

    height, width = 6, 7

    def __init__(self):
        self.board = [0] * 42  # cell row * 7 + column, row 0 at the top
        self.history = []  # the columns played
        self.player = 1
        self.winner = None

    def __str__(self):
        rows = [self.board[7 * row : 7 * row + 7] for row in range(6)]
        return "\n".join(" ".join(".OX"[stone] for stone in row) for row in rows)

    def legal_moves(self):
        """The columns with room; none once the game is over."""
        if self.winner is not None:
            return []
        return [column for column in range(7) if self.board[column] == 0]

    def apply(self, column):
        """Drop a stone of the player to move, and judge the game."""
        if column not in self.legal_moves():
            raise ValueError(f"column {column} is not legal, only {self.legal_moves()}")
        cell = max(c for c in range(column, 42, 7) if self.board[c] == 0)
        self.board[cell] = self.player
        self.history.append(column)
        if four_in_a_row(self.board, cell):
            self.winner = self.player
        elif len(self.history) == 42:
            self.winner = 0
        self.player = 3 - self.player

    def undo(self):
        """Take the last stone back."""
        column = self.history.pop()
        cell = min(c for c in range(column, 42, 7) if self.board[c] != 0)
        self.board[cell] = 0
        self.player = 3 - self.player
        self.winner = None

    def copy(self):
        """Another game of the same class in the same state."""
        other = type(self)()
        other.board, other.history = self.board.copy(), self.history.copy()
        other.player, other.winner = self.player, self.winner
        return other


class Four(ConnectFour):
    """Connect four, with what a net and a search over many games need to know of it."""

    actions = 7  # a move is a column
    max_moves = 42  # then the board is full
    symmetries = [(0, 0), (0, 1)]  # as it is, and in a mirror

    def turned_move(self, move, angle, flip):
        """The column that this one becomes."""
        return 6 - move if flip else move


def look_at(names) -> list:
    """What each game says."""
    games = {name: game for name, game in names.items() if hasattr(game, "history")}
    games = {name: game for name, game in games.items() if not isinstance(game, type)}
    looks = [f"{name}.winner" for name in games]
    looks += [f"{name}.player" for name, game in games.items() if game.winner is None]
    looks += [f"sorted({name}.legal_moves())" for name in games]
    return looks + [f"list({name}.{part})" for name in games for part in ("history", "board")]


def copies_its_class(trial, game_class) -> None:
    """Exercise 3 builds on this class, and a copy of the greater class must be one, too."""
    greater = type("Greater", (game_class,), {})
    call = "class Greater(ConnectFour): pass\nGreater().copy()"
    answer = trial.call(greater().copy, shown=call)
    trial.require(
        type(answer) is greater,
        "This is a ConnectFour where it should be a Greater. Begin the copy with `type(self)()`, so that a class "
        "built on yours, as in exercise 3, copies itself.",
        call=call,
    )


QUESTIONS = {
    "Four.actions": "A move is a column, and there are 7 of them, legal or not.",
    "Four.max_moves": "Every move fills one of 42 cells, so no game is longer.",
    "sorted(map(tuple, Four.symmetries))": "Stones fall down, so a turned board is another game. A mirrored one isn't: "
    "(0, 0) leaves the board as it is, (0, 1) mirrors it.",
    "[Four().turned_move(move, 0, 0) for move in range(7)]": "Without a flip every column stays where it is.",
    "[Four().turned_move(move, 0, 1) for move in range(7)]": "In a mirror column 0 becomes 6, and column 3 stays.",
}


def questions(rng):
    """What the package asks the class."""
    yield from ([line] for line in QUESTIONS)


def its_kit_holds(trial, game_class) -> None:
    """The package's own trial, by a few random games."""
    if not hasattr(game_class, "apply"):
        trial.fail("`Four` has no rules. Begin it with `class Four(ConnectFour):`, and it inherits yours.")
    try:
        check_kit(game_class())
    except (TypeError, ValueError) as problem:
        trial.fail(f"The package tries each new game. It says: {problem}", call="check_kit(Four())")


def why_of_kit(line, names):
    """A sentence on what the line asks."""
    return QUESTIONS[line]


rules = script("ConnectFour", ConnectFour, cases=plays, why=because, looks=look_at, after=copies_its_class)
kit = script("Four", Four, cases=questions, why=why_of_kit, after=its_kit_holds)

"""The class `ConnectFour`, declared by ours: games are played on both, taken back and copied; then UCT plays it."""

from mock5check.script import script
from mock5lib.search.uct import UCT


class ConnectFour:
    """Connect four: stones fall down, four in a row win."""

    height, width, k = 6, 7, 4

    def __init__(self):
        self.board = [0] * 42  # cell row * 7 + column, row 0 at the top
        self.history = []  # the columns played
        self.player = 1
        self.winner = None

    def legal_moves(self):
        """The columns with room; none once the game is over."""
        if self.winner is not None:
            return []
        return [column for column in range(7) if self.board[column] == 0]  # the top cell is free

    def apply(self, column):
        """Drop a stone of the player to move, and judge the game."""
        if column not in self.legal_moves():
            raise ValueError(f"column {column} is not legal, only {self.legal_moves()}")
        row = max(row for row in range(6) if self.board[row * 7 + column] == 0)
        self.board[row * 7 + column] = self.player
        self.history.append(column)
        if self.makes_four(row, column):
            self.winner = self.player
        elif len(self.history) == 42:
            self.winner = 0
        self.player = 3 - self.player

    def makes_four(self, row, column):
        """Is the stone at (row, column) part of four or more in a row?"""
        for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
            count = 1
            for sign in (1, -1):
                r, c = row + sign * down, column + sign * right
                while 0 <= r < 6 and 0 <= c < 7 and self.board[r * 7 + c] == self.board[row * 7 + column]:
                    count += 1
                    r, c = r + sign * down, c + sign * right
            if count >= 4:
                return True
        return False

    def undo(self):
        """Take the last stone back."""
        column = self.history.pop()
        row = min(row for row in range(6) if self.board[row * 7 + column] != 0)
        self.board[row * 7 + column] = 0
        self.player = 3 - self.player
        self.winner = None  # before its last move the game was running

    def copy(self):
        """Another game in the same state."""
        other = ConnectFour()
        other.board = self.board.copy()
        other.history = self.history.copy()
        other.player = self.player
        other.winner = self.winner
        return other

    def __str__(self):
        rows = [" ".join(".OX"[stone] for stone in self.board[7 * row : 7 * row + 7]) for row in range(6)]
        return "\n".join([*rows, "0 1 2 3 4 5 6"])


# Columns: a four in each direction, four by a line that goes over the edge of the board, and games that end full.
GAMES = [
    *("0011223", "2233554", "0101010", "01122323363", "65544343303", "60011223", "3344556", "5061031", "0516536"),
    "436014551150160155104632660465204242223333",  # a draw
    "456444341232530611460223056031100536126255",  # won by the very last stone
]
RANDOM_GAMES = 60
WHY = {
    "winner": "`winner` is None until somebody has four in a row; then it's 1 or 2. It's 0 if all 42 cells are full.",
    "player": "Player 1 begins, and they take turns.",
    "legal_moves": "The legal moves are the columns that have room. Once the game is over there are none.",
    "apply": "This column isn't legal here, so `apply` should raise a ValueError and change nothing.",
    "history": "`history` holds the columns played, one after the other.",
    "board": "`board` holds the cells row by row, row 0 at the top: 0 is empty, 1 and 2 are the players' stones.",
}


def plays(rng):
    """Games by hand and at random, some of them taken back, and two that are played side by side."""
    yield ["game = ConnectFour()", "game.apply(3)", "game.apply(3)", "game.undo()", "game.undo()", "game.apply(4)"]
    yield ["game = ConnectFour()", "other = ConnectFour()", "game.apply(3)", "other.apply(0)"]
    for column in (-1, 7, 42):
        yield ["game = ConnectFour()", "game.apply(0)", f"game.apply({column})", "game.apply(1)"]
    for columns in GAMES:
        moves = [f"game.apply({column})" for column in columns]
        yield ["game = ConnectFour()", *moves, "game.apply(5)", *["game.undo()"] * 3, *moves[-3:]]
    for _ in range(RANDOM_GAMES):
        yield ["game = ConnectFour()", *at_random(rng, {"game": ConnectFour()})]
    for _ in range(RANDOM_GAMES // 3):
        steps, games = ["game = ConnectFour()"], {"game": ConnectFour()}
        steps += at_random(rng, games, most=int(rng.integers(30)))
        twin = games["game"].copy()
        yield [*steps, "twin = game.copy()", *at_random(rng, games | {"twin": twin}, most=12, back=0.4)]


def at_random(rng, games: dict, most: int = 99, back: float = 0.05) -> list:
    """Steps in these games; `back` is the share of moves that are taken back."""
    steps = []
    while len(steps) < most and not (most == 99 and games["game"].winner is not None):
        name = str(rng.choice(list(games)))
        game = games[name]
        if game.history and (game.winner is not None or rng.random() < back):
            game.undo()
            steps.append(f"{name}.undo()")
        else:
            column = int(rng.choice(range(7) if rng.random() < 0.1 else game.legal_moves()))
            steps.append(f"{name}.apply({column})")
            if column in game.legal_moves():
                game.apply(column)
    return steps


def look_at(names) -> list:
    """What each game says."""
    games = {name: game for name, game in names.items() if isinstance(game, ConnectFour)}
    looks = [f"{name}.winner" for name in games]
    looks += [f"{name}.player" for name, game in games.items() if game.winner is None]
    return looks + [f"sorted({name}.legal_moves())" for name in games]


def because(line: str, names: dict) -> str:
    """A sentence on what the line asks, and the right board."""
    name, _, asked = line.removeprefix("sorted(").removeprefix("list(").rstrip(")").partition("(")[0].partition(".")
    return f"{WHY.get(asked, '')} The game should now be\n{names[name]}"


def uct_plays_it(trial, game_class) -> None:
    """UCT, which knows nothing of the game but the contract, takes a win and blocks a loss."""
    for columns, best, what in [("001122", 3, "takes the win"), ("00112", 3, "blocks the row"), ("01010", 0, "blocks")]:
        game = game_class()
        for column in columns:
            game.apply(int(column))
        call = f"UCT(400, seed=0)(game) after the columns {columns}"
        move = trial.call(UCT(400, seed=0), game, shown=call, may_change=(0,), long=True)
        trial.require(
            move == best, f"With a sound game UCT {what}, in column {best}. With yours it plays {move}.", call=call
        )
        trial.require(
            len(str(game)) and game.winner is None, "After a search the game should be what it was before.", call=call
        )


connect_four = script("connect_four", ConnectFour, cases=plays, why=because, looks=look_at, after=uct_plays_it)

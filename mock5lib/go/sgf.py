"""Games of Go in SGF, the Smart Game Format (FF[4], GM[1]), read and written by the library sgfmill.

sgfmill counts rows from the bottom; here they count from the top, as everywhere in the course.
"""

from __future__ import annotations

from pathlib import Path

from sgfmill import sgf

from mock5lib.base.files import check_ours, write_whole
from mock5lib.go.board import BLACK, WHITE, Go

COLOURS = {"b": BLACK, "w": WHITE}
LETTERS = {BLACK: "b", WHITE: "w"}


def to_sgf(game: Go, *, result: str | None = None, **properties: str) -> bytes:
    """A game as SGF.

    Args:
        result: such as "B+R" where a player resigned; default: what the board says, if the game is over.
        properties: of the root, such as PB="GNU Go", which names black.
    """
    written = sgf.Sgf_game(size=game.size)
    root = written.get_root()
    root.set("KM", game.komi)
    root.set("RU", "Chinese")
    board, player = game.start
    if any(board):
        root.set_setup_stones(*([point_in(game, p) for p, s in enumerate(board) if s == c] for c in (BLACK, WHITE)))
        root.set("PL", LETTERS[player])
    if game.winner is not None and result is None:
        lead = game.lead()
        result = f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"
    for name, value in (({"RE": result} if result else {}) | properties).items():
        root.set(name, value)
    for move in game.history:
        written.extend_main_sequence().set_move(LETTERS[player], point_in(game, move))
        player = 3 - player
    return written.serialise()


def point_in(game: Go, move: int) -> tuple[int, int] | None:
    """A move as sgfmill writes it; None for a pass."""
    if move == game.pass_move:
        return None
    row, col = divmod(move, game.size)
    return game.size - 1 - row, col


def from_sgf(data: bytes | str, *, ko: str = "positional", source: str = "SGF") -> Go:
    """The main line of a game in SGF, on a board.

    A player who moves twice in a row is taken to have been answered by a pass.

    Raises:
        ValueError: no SGF of Go, a board of another size than 2 to 19, or an illegal move; names the source.
    """
    try:
        read = sgf.Sgf_game.from_bytes(data.encode() if isinstance(data, str) else data)
        root, nodes = read.get_root(), read.get_main_sequence()
        if root.has_property("GM") and root.get("GM") != 1:
            raise ValueError(f"it is game GM[{root.get('GM')}], Go is GM[1]")
        board, first = setup_of(read)
        game = Go(read.get_size(), read.get_komi(), ko=ko, board=board, player=first, max_moves=10_000)
        for node in nodes[1:]:
            colour, point = node.get_move()
            if colour is None:
                continue
            if game.player != COLOURS[colour]:
                game.apply(game.pass_move)
            game.apply(game.pass_move if point is None else (game.size - 1 - point[0], point[1]))
    except (ValueError, TypeError, LookupError, RecursionError) as problem:
        raise ValueError(f"{source}: not a game of Go that can be read ({problem}).") from None
    return game


def setup_of(read) -> tuple[list[int], int]:
    """The stones that the root sets up, and who moves first."""
    root, size = read.get_root(), read.get_size()
    board = [0] * size**2
    for colour, points in zip((BLACK, WHITE, 0), root.get_setup_stones()):
        for row, col in points:
            board[(size - 1 - row) * size + col] = colour
    handicap = any(board) and WHITE not in board
    first = COLOURS[root.get("PL")] if root.has_property("PL") else WHITE if handicap else BLACK
    return board, first


def check_sgf(path) -> None:
    """A ValueError if something is at the path that does not begin as a game that `to_sgf` gives."""
    check_ours(path, rb"\(;FF\[4\](CA\[UTF-8\]GM\[1\]|A[BW]\[)", "SGF of Go")


def save_sgf(path, games: list[bytes]) -> Path:
    """Write games, as `to_sgf` gives them, into one file, a collection, whole or not at all; see `check_sgf`."""
    check_sgf(path)
    return write_whole(path, b"\n".join(game.strip() for game in games) + b"\n")

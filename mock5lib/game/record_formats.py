"""The files of game records: .npz, the original generator's .bin, Gomocup's .psq and SGF (GM[4]).

A reader gives the arguments of `game.records.Records`, which checks them; a writer takes such records. Only .npz tells
all that they know: elsewhere the rule (k, exact) is given when reading and marks of mistakes are lost, and .bin knows
neither its board nor games that were forfeited.
"""

from __future__ import annotations

import io
import json
import re
import string
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from mock5lib.base import ranges
from mock5lib.base.files import check_ours, check_size, format_of, make_folder, write_whole
from mock5lib.game import kernels
from mock5lib.game.board import Mock5

NPZ_FORMAT = "mock5-records-1"
BEGINS = {  # how the files that we write begin
    ".npz": rb"PK\x03\x04.{26}format\.npy",
    ".bin": rb"[\0\1\2]\0\0\0.{2}\0\0",
    ".psq": rb"Piskvorky \d+x\d+,",
    ".sgf": rb"\(;FF\[4\]GM\[4\]CA",
}


def check_place(path: Path, format: str = "") -> None:
    """A ValueError if records can't be written to a path: no format's ending, or something else is there.

    Args:
        format: of the records, where they are not five in a row.
    """
    begins = BEGINS[known_ending(path)]
    make_folder(path.parent)
    for file in path.glob("*.psq") if path.suffix == ".psq" and path.is_dir() else [path]:
        check_ours(file, begins, f"{path.suffix} records")
    if path.suffix == ".npz" and format_of(path) not in (None, format or NPZ_FORMAT):
        raise ValueError(f"{path}: is there already and holds {format_of(path)!r}; it is not overwritten.")


def write(records, path: Path) -> Path:
    """Write records in the format of the path's ending; see `Records.save`."""
    check_place(path)
    if path.suffix == ".psq":
        return write_psq(records, path)
    return write_whole(path, {".npz": npz_bytes, ".bin": binary_bytes, ".sgf": sgf_bytes}[path.suffix](records))


def read(path: Path, height: int | None, width: int | None, k: int, exact: bool) -> dict:
    """What the file holds, as arguments of `Records`, by its ending; see `Records.load`."""
    if known_ending(path) in (".npz", ".bin"):
        return read_npz(path) if path.suffix == ".npz" else read_binary(path, height, width, k, exact)
    return (read_psq if path.suffix == ".psq" else read_sgf)(path, k, exact)


def known_ending(path: Path) -> str:
    """The path's ending; a ValueError if no format has it."""
    if path.suffix not in BEGINS:
        raise ValueError(f"{path}: records end in .npz, .bin, .psq or .sgf, this ends in {path.suffix!r}.")
    return path.suffix


# The compact format ---------------------------------------------------------------------------------------------


def npz_bytes(records) -> bytes:
    """The records as a compressed .npz archive; moves take one byte each on boards of up to 256 points."""
    small = records.height * records.width <= 256
    arrays = {
        "format": np.array(NPZ_FORMAT),
        "rule": np.array([records.height, records.width, records.k, records.exact], dtype=np.int32),
        "moves": records.moves.astype(np.uint8 if small else np.int16),
        "lengths": records.lengths.astype(np.int16),
        "winners": records.winners,
        "forfeits": np.packbits(records.forfeits),
        "card": np.array(json.dumps(records.card, sort_keys=True)),
    }
    if records.mistakes is not None:
        arrays["mistakes"] = np.packbits(records.mistakes)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


MAX_BYTES, MAX_PSQ_BYTES = 1 << 30, 1 << 20  # the first of an archive's arrays, too


def read_npz(path: Path) -> dict:
    """What a .npz archive holds; one of `DAMAGE` if the file is no such archive or is damaged."""
    with open_npz(path, NPZ_FORMAT) as archive:
        height, width, k, exact = archive["rule"].tolist()
        ranges.one_of("exact", exact, (0, 1))
        kept = {name: archive[name] for name in ("moves", "lengths", "winners")}
        if "mistakes" in archive:
            kept["mistakes"] = np.unpackbits(archive["mistakes"], count=len(kept["moves"]))
        forfeits = np.unpackbits(archive["forfeits"], count=len(kept["lengths"]))
        card = json.loads(str(archive["card"]))
    return kept | dict(height=height, width=width, k=k, exact=bool(exact), forfeits=forfeits, card=card)


@contextmanager
def open_npz(path: Path, format: str):
    """The arrays of an archive of this format; one of `DAMAGE` if the file is none, or they take more than is read."""
    with zipfile.ZipFile(path) as members:
        size = sum(member.file_size for member in members.infolist())
    if size > MAX_BYTES:
        raise ValueError(f"it takes {size:,} bytes, at most {MAX_BYTES:,} are read")
    with np.load(path, allow_pickle=False) as archive:
        if str(archive["format"]) != format:
            raise ValueError(f"its format is {str(archive['format'])!r}")
        yield archive


# The binary format of lumiknit's generator (2022) ---------------------------------------------------------------
#
# int32 pairs, little-endian: (winner, n), then n pairs (index, score).


def binary_bytes(records) -> bytes:
    """The records in the original generator's binary format.

    Raises:
        ValueError: a game was forfeited; the format has no place for that.
    """
    if records.forfeits.any():
        game = int(np.flatnonzero(records.forfeits)[0]) + 1
        raise ValueError(f"The binary format knows finished games only; game {game} was forfeited.")
    parts = []
    for game, winner in enumerate(records.winners):
        moves = records.moves_of(game)
        pairs = np.empty((1 + len(moves), 2), dtype="<i4")
        pairs[0] = winner, len(moves)
        pairs[1:, 0] = moves
        pairs[1:, 1] = binary_scores(int(winner), len(moves), records.height * records.width)
        parts.append(pairs.tobytes())
    return b"".join(parts)


def binary_scores(winner: int, moves: int, points: int) -> np.ndarray:
    """The score of each move: 10,000 less up to 30 % for a long game, negative for the loser's moves; 0 in a draw."""
    if winner == 0:
        return np.zeros(moves, dtype=np.int64)
    value = int(10_000 * (1 + 0.3 * (np.exp(-moves / points) - 1)))
    signs = np.where(np.arange(moves) % 2 == 0, 1, -1)
    return value * signs * (1 if winner == 1 else -1)


def read_binary(path: Path, height: int | None, width: int | None, k: int = 5, exact: bool = False) -> dict:
    """What the original generator's binary file holds; the scores follow from the rest and are not kept.

    Raises:
        ValueError: the board was not given, the file is cut short, or a game is against the rules.
    """
    if height is None or width is None:
        raise ValueError(f"{path}: a binary record does not tell its board; give height and width.")
    Mock5(height, width, k, exact=exact)  # checks the board
    check_size(path, MAX_BYTES, "a .bin")
    data = path.read_bytes()
    pairs = np.frombuffer(data, dtype="<i4", count=len(data) // 8 * 2).reshape(-1, 2)
    headers, end = kernels.games_in_pairs(pairs, height * width)
    if end < len(pairs):
        here, (winner, moves) = f"{path}, game {len(headers) + 1}", pairs[end]
        if winner in (0, 1, 2) and 1 <= moves <= height * width:
            raise ValueError(f"{here}: cut short, {len(pairs) - end - 1} of its {moves} moves are there.")
        raise ValueError(
            f"{here}: ({winner}, {moves}) is not a winner (0 to 2) and a number of moves (1 to {height * width})."
        )
    if len(data) % 8:
        raise ValueError(f"{path}: cut short after game {len(headers)}, {len(data) % 8} bytes are left over.")
    winners, lengths = pairs[headers].T
    kept = dict(moves=np.delete(pairs[:, 0], headers), lengths=lengths, winners=winners, card={"file": path.name})
    return kept | dict(height=height, width=width, k=k, exact=exact)


# Gomocup's .psq: one game a file --------------------------------------------------------------------------------
#
# "Piskvorky WIDTHxHEIGHT, 11:11, 0", then a line "column,row,milliseconds" for each move, counted from 1, then the two
# players, "-1", and "winner,rule" with 0 for a draw.


def write_psq(records, path: Path) -> Path:
    """Write one game as a file, several as files 0001.psq, 0002.psq … in a folder of this name."""
    if len(records) == 1:
        return write_whole(path, psq_text(records, 0).encode())
    path.mkdir(exist_ok=True)
    for game in range(len(records)):
        write_whole(path / f"{game + 1:04d}.psq", psq_text(records, game).encode())
    return path


def psq_text(records, game: int) -> str:
    """One game as the text of a .psq file."""
    lines = [f"Piskvorky {records.width}x{records.height}, 11:11, 0"]
    for move in records.moves_of(game):
        row, col = divmod(int(move), records.width)
        lines.append(f"{col + 1},{row + 1},0")
    lines += [*player_names(records), "-1", f"{records.winners[game]},{'Standard' if records.exact else 'Freestyle'}"]
    return "\n".join(lines) + "\n"


def player_names(records) -> tuple[str, str]:
    """Black's and white's names, from the card."""
    return str(records.card.get("black", "black")), str(records.card.get("white", "white"))


def read_psq(path: Path, k: int = 5, exact: bool = False) -> dict:
    """The game of a .psq file, or the games of all .psq files of a folder, in the order of their names.

    A game that is not decided on its board was forfeited, and the last line must say to whom (1 or 2). A 0 there is
    not relied on: tournaments also write it for games that somebody has won.
    """
    games = [parse_psq(file) for file in (sorted(path.glob("*.psq")) if path.is_dir() else [path])]
    if not games:
        raise ValueError(f"{path}: there is no .psq file in this folder.")
    boards = {board for board, *_ in games}
    if len(boards) > 1:
        raise ValueError(f"{path}: games on boards of several sizes, {sorted(boards)}.")
    height, width = boards.pop()
    parsed = [(moves, result) for _, moves, result, _ in games]
    black, white = games[0][3]
    return assembled(parsed, height, width, k, exact, {"file": path.name, "black": black, "white": white})


def parse_psq(file: Path) -> tuple[tuple[int, int], list[int], int | None, tuple[str, str]]:
    """((height, width), moves, winner 1 or 2 on the last line or None, names) of one .psq file."""
    check_size(file, MAX_PSQ_BYTES, "a .psq")
    lines = [line.strip() for line in file.read_text(encoding="latin-1").splitlines()]
    header = re.match(r"Piskvorky (\d{1,4})x(\d{1,4})", lines[0] if lines else "")
    if not header:
        raise ValueError(f"{file}: not a .psq file, its first line is not 'Piskvorky WIDTHxHEIGHT, …'.")
    width, height = int(header[1]), int(header[2])
    moves = []
    for line in lines[1:]:
        move = re.fullmatch(r"(\d+),\s*(\d+)(?:,\s*-?\d+)?", line)
        if not move:
            break
        col, row = (int(number) if len(number) < 10 else 0 for number in move.groups())
        if not (1 <= col <= width and 1 <= row <= height):
            here = f"{file}, game 1: move {len(moves) + 1}"
            raise ValueError(f"{here}, {line[:20]!r}, is off the {height}×{width} board.")
        moves.append((row - 1) * width + col - 1)
    rest = [line for line in lines[1 + len(moves) :] if line]
    if not any(re.fullmatch(r"-?\d+", line) for line in rest):
        raise ValueError(f"{file}: cut short, no line with the manager's status (such as -1) follows the moves.")
    result = re.fullmatch(r"([12]),.*", rest[-1])
    names = (rest[0], rest[1]) if len(rest) >= 3 else ("black", "white")
    return (height, width), moves, int(result[1]) if result else None, names


def assembled(games, height, width, k, exact, card) -> dict:
    """Arguments of `Records` from (moves, winner or None) pairs: the board decides, else the winner that is given."""
    lengths = [len(moves) for moves, _ in games]
    flat = np.array([move for moves, _ in games for move in moves], dtype=np.int64)
    winners, forfeits = [], []
    for moves, given in games:
        on_board = board_winner(moves, height, width, k, exact)
        forfeits.append(on_board is None and given in (1, 2))
        winners.append(given if given is not None else on_board if on_board is not None else 0)
    rule = dict(height=height, width=width, k=k, exact=exact)
    return dict(moves=flat, lengths=lengths, winners=winners, **rule, forfeits=forfeits, card=card)


def board_winner(moves, height, width, k, exact) -> int | None:
    """Who has won after these moves; None for a running game, and for moves that `Records` will refuse anyway."""
    try:
        return Mock5(height, width, k, exact=exact, history=list(moves)).winner
    except (ValueError, IndexError):
        return None


# SGF, game 4 (Gomoku) -------------------------------------------------------------------------------------------

MAX_SGF_BYTES, MAX_SGF_GAMES = 1 << 24, 100_000  # games and variations
LETTERS = string.ascii_lowercase + string.ascii_uppercase


def sgf_bytes(records) -> bytes:
    """All games as one SGF collection (FF[4], GM[4]); column first, row from the top."""
    size = str(records.width) if records.width == records.height else f"{records.width}:{records.height}"
    black, white = (sgf_escaped(name) for name in player_names(records))
    trees = []
    for game, winner in enumerate(records.winners):
        result = "Draw" if winner == 0 else "BW"[winner - 1] + ("+F" if records.forfeits[game] else "+")
        nodes = []
        for number, move in enumerate(records.moves_of(game)):
            row, col = divmod(int(move), records.width)
            nodes.append(f";{'BW'[number % 2]}[{LETTERS[col]}{LETTERS[row]}]")
        head = f"(;FF[4]GM[4]CA[UTF-8]SZ[{size}]PB[{black}]PW[{white}]RE[{result}]"
        trees.append(head + "".join(nodes) + ")\n")
    return "".join(trees).encode()


def sgf_escaped(text: str) -> str:
    """Text as an SGF value: a backslash before ], : and \\."""
    return re.sub(r"([\]\\:])", r"\\\1", text)


def read_sgf(path: Path, k: int = 5, exact: bool = False) -> dict:
    """The games of an SGF collection; of variations only the main line (each first one) is read.

    Raises:
        ValueError: cut short, not game 4, boards of several sizes, stones set up by hand, or moves out of turn.
    """
    games, boards, names = [], set(), ("black", "white")
    for number, nodes in enumerate(sgf_main_lines(path), start=1):
        where = f"{path}, game {number}"
        root = nodes[0]
        if root.get("GM") != ["4"]:
            raise ValueError(f"{where}: GM[4] is five in a row; this says GM{root.get('GM', ['1'])}.")
        height, width = sgf_size(root, where)
        boards.add((height, width))
        names = (first_value(root, "PB", "black"), first_value(root, "PW", "white")) if number == 1 else names
        games.append((sgf_moves(nodes, height, width, where), sgf_winner(root)))
    if len(boards) != 1:
        raise ValueError(f"{path}: games on boards of several sizes, {sorted(boards) or 'none at all'}.")
    card = {"file": path.name, "black": names[0], "white": names[1]}
    return assembled(games, *boards.pop(), k, exact, card)


def first_value(node: dict, name: str, default: str) -> str:
    """The first value of a property; the default where there is none."""
    return next(iter(node.get(name, ())), default)


def sgf_size(root: dict, where: str) -> tuple[int, int]:
    """(height, width) from SZ[size] or SZ[columns:rows]; SGF's default is 19."""
    said = first_value(root, "SZ", "19")
    size = re.fullmatch(r"(\d{1,4})(?::(\d{1,4}))?", said)
    if not size:
        raise ValueError(f"{where}: the size {said[:20]!r} is neither a number nor columns:rows.")
    return int(size[2] or size[1]), int(size[1])


def sgf_winner(root: dict) -> int | None:
    """The winner that RE gives: 1, 2, 0 for a draw, None if it tells nothing."""
    result = first_value(root, "RE", "?")
    if result[:2] in ("B+", "W+"):
        return 1 if result[0] == "B" else 2
    return 0 if result in ("0", "Draw", "Jigo") else None


def sgf_moves(nodes: list[dict], height: int, width: int, where: str) -> list[int]:
    """The moves along one line of nodes; black and white must take turns."""
    moves = []
    for node in nodes:
        if "AB" in node or "AW" in node:
            raise ValueError(f"{where}: stones set up by hand (AB, AW) cannot be recorded as moves.")
        for colour in (name for name in node if name in ("B", "W")):
            point = first_value(node, colour, "")
            if colour != "BW"[len(moves) % 2]:
                raise ValueError(f"{where}: move {len(moves) + 1}, {colour}[{point}], is out of turn.")
            col, row = (LETTERS.find(letter) for letter in point) if len(point) == 2 else (-1, -1)
            if not (0 <= row < height and 0 <= col < width):
                raise ValueError(f"{where}: move {len(moves) + 1}, [{point}], is off the {height}×{width} board.")
            moves.append(row * width + col)
    return moves


ESCAPED = re.compile(r"\\(.)", re.DOTALL)
VALUE = r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]"  # nothing is tried twice, so that time and memory are linear
SGF_TOKEN = re.compile(rf"\s*+(?:([()])|(;)[;\s]*+|([A-Za-z]++)\s*+(?:{VALUE}\s*+)?+(?:{VALUE}\s*+)*+)", re.DOTALL)


def sgf_plain(value: str) -> str:
    """A value without the escapes of `sgf_escaped`. From Python 3.12 on, r"\1" would take five times the memory."""
    return ESCAPED.sub(lambda escape: escape[1], value)


def sgf_main_lines(path: Path) -> list[list[dict]]:
    """For each game of the file the nodes of its main line, each a dict from property to its first value in a list."""
    check_size(path, MAX_SGF_BYTES, "an SGF")
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    games: list[list[dict]] = []
    depth, opened, closed, at = 0, 0, False, 0
    while at < len(text):
        token = SGF_TOKEN.match(text, at)
        if not token:
            raise ValueError(f"{path}, game {max(len(games), 1)}: not SGF, or cut short, at character {at}.")
        at = token.end()
        bracket, begins, name, value, _ = token.groups()
        if bracket == "(":
            depth += 1
            if (opened := opened + 1) > MAX_SGF_GAMES:
                raise ValueError(f"{path}: has more than {MAX_SGF_GAMES:,} games and variations; no more are read.")
            if depth == 1:
                games.append([])
                closed = False
        elif bracket == ")":
            depth -= 1
            closed = True  # whatever opens after the first ")" is a variation
        elif games and not closed and begins:
            games[-1].append({})
        elif games and not closed and games[-1]:
            games[-1][-1][name] = [] if value is None else [sgf_plain(value)]
    if depth != 0 or not games or not all(games):
        raise ValueError(f"{path}, game {max(len(games), 1)}: not SGF, or cut short: its brackets do not match.")
    return games

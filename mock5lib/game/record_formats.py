"""The files of game records: .npz, the original generator's .bin, SGF (GM[4]) and, to be read only, Gomocup's .psq.

A reader gives the arguments of `game.records.Records`, which checks them; a writer takes such records. Only .npz tells
all that they know: elsewhere marks of mistakes are lost. An .sgf of ours says its rule, as RU[k=3 exact]; for others,
.psq and .bin it is given when reading, and .bin knows neither its board nor games that were forfeited.
"""

from __future__ import annotations

import json
import re
import string
import zipfile
from functools import partial
from pathlib import Path

import numpy as np
from sgfmill import sgf_grammar

from mock5lib.base.files import check_ours, check_size, format_of, make_folder, npz_bytes, read_file, write_whole
from mock5lib.game.board import Mock5
from mock5lib.game.points import MAX_SIDE

NPZ_FORMAT = "mock5-records-1"
BEGINS = {  # how the files that we write begin
    ".npz": rb"PK\x03\x04.{26}format\.npy",
    ".bin": rb"[\0\1\2]\0\0\0.{2}\0\0",
    ".sgf": rb"\(;FF\[4\]GM\[4\]CA",
}
MAX_BYTES = 1 << 30  # that are read of arrays
MAX_TEXT_BYTES = 1 << 22  # of .psq and .sgf; a tree of SGF takes up to 200 times its text


def check_place(path: Path, format: str = NPZ_FORMAT) -> None:
    """A ValueError if records can't be written to a path: none of the endings, or something else is there."""
    if path.suffix not in (BEGINS if format == NPZ_FORMAT else [".npz"]):
        kinds = ".npz, .bin or .sgf" if format == NPZ_FORMAT else ".npz"
        raise ValueError(f"{path}: records are written as {kinds}, not as {path.suffix!r}.")
    make_folder(path.parent)
    reads = {".npz": partial(check_archive, format=format), ".bin": check_binary, ".sgf": check_our_sgf}
    check_ours(path, BEGINS[path.suffix], f"{path.suffix} records", reads[path.suffix])


def write(records, path: Path) -> Path:
    """Write records in the format of the path's ending; see `Records.save`."""
    check_place(path, records.FORMAT)
    if path.suffix == ".bin" and records.forfeits.any():
        game = int(np.flatnonzero(records.forfeits)[0]) + 1
        raise ValueError(
            f"{path}: a .bin has finished games only, and game {game} was forfeited; .npz and .sgf take it."
        )
    return write_whole(path, {".npz": archive_bytes, ".bin": binary_bytes, ".sgf": sgf_bytes}[path.suffix](records))


def read(kind, path: Path, height: int | None, width: int | None, k: int | None, exact: bool | None):
    """The records of class `kind` that a .bin, .psq or .sgf holds; see `Records.load`."""
    if path.suffix == ".bin":
        games, told = read_binary(path, height, width), None
    else:
        games, told = read_psq(path) if path.suffix == ".psq" else read_sgf(path)
    guessed = told is None and k is None and not exact
    rule = told or (k or 5, bool(exact))
    if isinstance(games, list):
        check_row_fits(path, games, rule[0])
        if guessed:
            check_not_shorter(path, games)
        games = assembled(path, games, *rule)
    try:
        return kind(**games, k=rule[0], exact=rule[1], source=str(path))
    except ValueError as problem:
        if not guessed or not re.search("over|winner", str(problem)):
            raise
        ask = "The file doesn't say its rule and was read as five in a row; give k, exact and board if that's wrong"
        raise ValueError(f"{problem} {ask} (--k, --exact, --board).") from None


def known_ending(path: Path, format: str) -> str:
    """The path's ending; a ValueError if no format that is read has it. Go's games are kept as .npz alone."""
    endings = [*BEGINS, ".psq"] if format == NPZ_FORMAT else [".npz"]
    if path.suffix in endings:
        return path.suffix
    if path.is_dir():
        found = sorted(one.name for one in path.iterdir() if one.suffix in endings)
        raise ValueError(f"{path}: is a folder; it holds {', '.join(found[:8]) or 'no records'}.")
    kinds = ".npz, .bin, .psq or .sgf" if format == NPZ_FORMAT else ".npz"
    raise ValueError(f"{path}: records end in {kinds}, this ends in {path.suffix!r}.")


# The compact format ---------------------------------------------------------------------------------------------


def archive_bytes(records, **more) -> bytes:
    """The records as a compressed .npz archive, with `more` arrays; moves take one byte where there are up to 256."""
    arrays = {
        "format": np.array(records.FORMAT),
        **records.rule_arrays(),
        "moves": records.moves.astype(np.uint8 if records.blank.actions <= 256 else np.int16),
        "lengths": records.lengths.astype(np.int16),
        "winners": records.winners,
        "forfeits": np.packbits(records.forfeits),
        "card": np.array(json.dumps(records.card, sort_keys=True)),
        "mistakes": np.packbits(records.mistakes),
    }
    return npz_bytes(arrays | more)


def check_archive(path: Path, format: str = NPZ_FORMAT, more: tuple[str, ...] = ()) -> None:
    """Raise what `DAMAGE` lists unless an archive holds records of this format whole, with `more` arrays."""
    check_size(path, MAX_BYTES, "an .npz")
    if format_of(path) != format:
        raise ValueError(f"it holds {format_of(path)!r}, not {format!r}")
    with np.load(path, allow_pickle=False) as kept:
        for name in ("moves", "lengths", "winners", "forfeits", "card", *more):
            kept[name]


def read_npz(kind, path: Path):
    """The records of class `kind` that a .npz archive holds."""
    check_size(path, MAX_BYTES, "an .npz")
    with zipfile.ZipFile(path) as members:
        size = sum(member.file_size for member in members.infolist())
    if size > MAX_BYTES:
        raise ValueError(f"it takes {size:,} bytes, at most {MAX_BYTES:,} are read")
    with np.load(path, allow_pickle=False) as kept:
        if str(kept["format"]) != kind.FORMAT:
            raise ValueError(f"its format is {str(kept['format'])!r}, not {kind.FORMAT!r}")
        moves, lengths, winners = (kept[name] for name in ("moves", "lengths", "winners"))
        marks = {"forfeits": np.unpackbits(kept["forfeits"], count=len(lengths))}
        if "mistakes" in kept:
            marks["mistakes"] = np.unpackbits(kept["mistakes"], count=len(moves))
        rule, card = kind.rule_in(kept), json.loads(str(kept["card"]))
    return kind(moves, lengths, winners, *rule, **marks, card=card, source=str(path))


# The binary format of lumiknit's generator (2022) ---------------------------------------------------------------
#
# int32 pairs, little-endian: (winner, n), then n pairs (index, score).


def binary_bytes(records) -> bytes:
    """The records in the original generator's binary format, which has no place for forfeited games."""
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
    """The score of each move: 10,000 less up to 30% for a long game, negative for the loser's moves; 0 in a draw."""
    if winner == 0:
        return np.zeros(moves, dtype=np.int64)
    value = int(10_000 * (1 + 0.3 * (np.exp(-moves / points) - 1)))
    signs = np.where(np.arange(moves) % 2 == 0, 1, -1)
    return value * signs * (1 if winner == 1 else -1)


def read_binary(path: Path, height: int | None, width: int | None) -> dict:
    """What the original generator's binary file holds; the scores follow from the rest and are not kept."""
    if height is None or width is None:
        raise ValueError(f"{path}: a binary record does not tell its board; give height and width (--board).")
    data = read_file(path, MAX_BYTES, "a .bin")
    pairs = np.frombuffer(data, dtype="<i4", count=len(data) // 8 * 2).reshape(-1, 2)
    winners, lengths, moves, at = [], [], [np.zeros(0, dtype=np.int32)], 0
    while at < len(pairs):
        here, (winner, length) = f"{path}, game {len(winners) + 1}", pairs[at].tolist()
        if winner not in (0, 1, 2) or not 1 <= length <= height * width:
            limits = f"a winner (0 to 2) and a number of moves (1 to {height * width})"
            raise ValueError(f"{here}: ({winner}, {length}) is not {limits}.")
        if at + length >= len(pairs):
            raise ValueError(f"{here}: cut short, {len(pairs) - at - 1} of its {length} moves are there.")
        winners.append(winner)
        lengths.append(length)
        moves.append(pairs[at + 1 : at + 1 + length, 0])
        at += 1 + length
    if len(data) % 8:
        raise ValueError(f"{path}: cut short after game {len(winners)}, {len(data) % 8} bytes are left over.")
    games = {"moves": np.concatenate(moves), "lengths": lengths, "winners": winners}
    return games | {"height": height, "width": width, "card": {"file": path.name}}


def check_binary(path: Path) -> None:
    """A ValueError unless a file is binary records to its end, of a board of any size."""
    read_binary(path, MAX_SIDE, MAX_SIDE)


# What .psq and SGF have in common -------------------------------------------------------------------------------


def player_names(records, game: int = 0) -> tuple[str, str]:
    """Black's and white's names in a game, from the card; in a match the second of each two games is the other way."""
    match = records.card.get("match")
    if isinstance(match, list) and len(match) == 2:
        one, other = map(str, match)
        return (other, one) if game % 2 else (one, other)
    return str(records.card.get("black", "black")), str(records.card.get("white", "white"))


def assembled(path: Path, games: list[tuple], k: int, exact: bool) -> dict:
    """Arguments of `Records` from some games, each (board's sides, moves, winner or None, names of both players).

    A game that is not decided on its board was forfeited, and its file must say to whom.
    """
    boards = {board for board, *_ in games}
    if len(boards) > 1:
        raise ValueError(f"{path}: games on boards of several sizes, {sorted(boards)}.")
    height, width = boards.pop()
    winners, forfeits = [], []
    for _, moves, said, _ in games:
        on_board = winner_by(height, width, k, exact, moves)  # if it's no game, `Records` will say what is wrong
        forfeits.append(on_board is None and said in (1, 2))
        winners.append(said if said is not None else on_board or 0)
    return {
        "moves": np.array([move for _, moves, *_ in games for move in moves], dtype=np.int64),
        "lengths": [len(moves) for _, moves, *_ in games],
        "winners": winners,
        "forfeits": forfeits,
        "card": {"file": path.name} | named([names for *_, names in games]),
    } | {"height": height, "width": width}


def named(pairs: list[tuple[str, str]]) -> dict:
    """What a card says of the players, from black's and white's names in each game."""
    black, white = pairs[0]
    if set(pairs) == {(black, white)}:
        return {"black": black, "white": white}
    if all(pair == ((white, black) if number % 2 else (black, white)) for number, pair in enumerate(pairs)):
        return {"match": [black, white]}
    return {"players": sorted({name for pair in pairs for name in pair})}


def winner_by(height: int, width: int, k: int, exact: bool, moves: list[int]) -> int | None:
    """Who has won after some moves; None if nobody, −1 if they are no game by this rule."""
    try:
        return Mock5(height, width, k, exact=exact, history=moves).winner
    except (ValueError, IndexError):
        return -1


def check_row_fits(path: Path, games: list[tuple], k: int) -> None:
    """A ValueError if a game has a winner on a board that is too small for a row of k."""
    for number, ((height, width), _, said, _) in enumerate(games, start=1):
        if said in (1, 2) and k > max(height, width):
            raise ValueError(
                f"{path}, game {number}: nobody can win {k} in a row on a {height}×{width} board, and somebody has."
            )


def check_not_shorter(path: Path, games: list[tuple]) -> None:
    """A ValueError if a file that tells no rule has games that five in a row leaves undecided and fewer decide."""
    undecided = [game for game in games if game[2] in (1, 2) and winner_by(*game[0], 5, False, game[1]) is None]
    for k in (4, 3) if undecided else ():
        fits = all(winner_by(*board, k, False, moves) != -1 for board, moves, *_ in games)
        if fits and any(winner_by(*board, k, False, moves) == said for board, moves, said, _ in undecided):
            raise ValueError(
                f"{path}: doesn't say its rule. As {k} in a row its games end as it says; as five in a row "
                f"{len(undecided)} of {len(games)} would end undecided. Say which it is: k (--k {k} or --k 5)."
            )


def plain_text(data: bytes, source: str) -> bytes:
    """The bytes of a text without the mark that some editors put before it; a ValueError if it is UTF-16."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ValueError(f"{source}: is written in UTF-16; save it as UTF-8.")
    return data.removeprefix(b"\xef\xbb\xbf")


def point_at(row: int, col: int, board: tuple[int, int], where: str, text: str) -> int:
    """The point of a move; a ValueError if it is off the board."""
    height, width = board
    if not (0 <= row < height and 0 <= col < width):
        raise ValueError(f"{where}, {text[:20]!r}, is off the {height}×{width} board.")
    return row * width + col


# Gomocup's .psq: one game a file --------------------------------------------------------------------------------
#
# "Piskvorky WIDTHxHEIGHT, 11:11, 0", then a line "column,row,milliseconds" for each move, counted from 1, then the two
# players, "-1", and "winner,rule" with 0 for a draw.


def read_psq(path: Path) -> tuple[list[tuple], None]:
    """The game of a .psq file, or the games of all .psq files of a folder, in the order of their names; no rule."""
    files = sorted(path.glob("*.psq")) if path.is_dir() else [path]
    if not files:
        raise ValueError(f"{path}: there is no .psq file in this folder.")
    return [parse_psq(file) for file in files], None


def parse_psq(file: Path) -> tuple:
    """The game of one .psq file, for `assembled`.

    A winner 0 in the last line is not relied on: tournaments also write it for games that somebody has won.
    """
    text = plain_text(read_file(file, MAX_TEXT_BYTES, "a .psq"), str(file)).decode("latin-1")
    lines = [line.strip() for line in text.splitlines()]
    header = re.match(r"Piskvorky (\d{1,4})x(\d{1,4})", lines[0] if lines else "")
    if not header:
        raise ValueError(f"{file}: not a .psq file, its first line is not 'Piskvorky WIDTHxHEIGHT, …'.")
    board, moves = (int(header[2]), int(header[1])), []
    for line in lines[1:]:
        move = re.match(r"(\d+),(\d+),", line)
        if not move:
            break
        col, row = (int(number[:9]) - 1 for number in move.groups())
        moves.append(point_at(row, col, board, f"{file}, game 1: move {len(moves) + 1}", line))
    rest = [line for line in lines[1 + len(moves) :] if line]
    if not any(re.fullmatch(r"-?\d+", line) for line in rest):
        raise ValueError(f"{file}: cut short, no line with the manager's status (such as -1) follows the moves.")
    result = re.fullmatch(r"([12]),.*", rest[-1])
    names = (rest[0], rest[1]) if len(rest) >= 3 else ("black", "white")
    return board, moves, int(result[1]) if result else None, names


# SGF, game 4 (Gomoku), by the grammar of the library sgfmill -------------------------------------------------------

PROPERTIES = "FF GM CA SZ RU PB PW RE B W".split()  # of the SGF that we write
LETTERS = string.ascii_lowercase + string.ascii_uppercase


def sgf_bytes(records) -> bytes:
    """All games as one SGF collection (FF[4], GM[4]); column first, row from the top."""
    size = str(records.width) if records.width == records.height else f"{records.width}:{records.height}"
    rule = rule_text(records.k, records.exact)
    trees = []
    for game, winner in enumerate(records.winners):
        result = "Draw" if winner == 0 else "BW"[winner - 1] + ("+F" if records.forfeits[game] else "+")
        nodes = []
        for number, move in enumerate(records.moves_of(game)):
            row, col = divmod(int(move), records.width)
            nodes.append(f";{'BW'[number % 2]}[{LETTERS[col]}{LETTERS[row]}]")
        black, white = (sgf_grammar.escape_text(name.encode()).decode() for name in player_names(records, game))
        head = f"(;FF[4]GM[4]CA[UTF-8]SZ[{size}]RU[{rule}]PB[{black}]PW[{white}]RE[{result}]"
        trees.append(head + "".join(nodes) + ")\n")
    return "".join(trees).encode()


def rule_text(k: int, exact: bool) -> str:
    """A rule as RU has it in our SGF; `rule_told` reads it."""
    return f"k={k}" + (" exact" if exact else "")


def rule_told(tree) -> tuple[int, bool] | None:
    """(k, exact) of a game in SGF of ours; None where another program has written it, which names no k."""
    found = re.fullmatch(r"k=(\d{1,2})( exact)?", value_of(tree.sequence[0], "RU", ""))
    return (int(found[1]), bool(found[2])) if found else None


def sgf_trees(data: bytes | str, source: str) -> list:
    """The games of a collection, as sgfmill parses them; a ValueError names the source."""
    data = plain_text(data.encode() if isinstance(data, str) else data, source)
    try:
        trees = sgf_grammar.parse_sgf_collection(data)
    except ValueError as problem:
        raise ValueError(f"{source}: not SGF, or cut short ({problem}).") from None
    for number, tree in enumerate(trees, start=1):
        for node in sgf_grammar.main_sequence_iter(tree):
            if "" in node:  # small letters do not count: of b[ee] nothing is left
                what = f"the property before [{node[''][0].decode('utf-8', 'replace')[:20]}] has no capital letter"
                raise ValueError(f"{source}: in game {number} {what}; a move is B[ee] or W[ee].")
    return trees


def check_our_sgf(path: Path) -> None:
    """A ValueError unless a file is SGF as `sgf_bytes` writes it: one that somebody has commented on is theirs."""
    _, told = read_sgf(path)
    trees = sgf_trees(read_file(path, MAX_TEXT_BYTES, "an SGF"), str(path))
    if told is None:
        raise ValueError("it says no rule")
    for tree in trees:
        for node in tree.sequence:
            for name in node.keys() - set(PROPERTIES):
                raise ValueError(f"it has {name}")
        if tree.children:
            raise ValueError("it has variations")


def read_sgf(path: Path) -> tuple[list[tuple], tuple[int, bool] | None]:
    """The games of an SGF collection, and their rule if told; of variations only the main line (each first one)."""
    trees = sgf_trees(read_file(path, MAX_TEXT_BYTES, "an SGF"), str(path))
    rules = {rule_told(tree) for tree in trees}
    if len(rules) > 1:
        raise ValueError(f"{path}: games by several rules; each file of records has one.")
    return [parse_sgf(tree, f"{path}, game {n}") for n, tree in enumerate(trees, start=1)], rules.pop()


def parse_sgf(tree, where: str) -> tuple:
    """The main line of one game, for `assembled`; black and white must take turns."""
    nodes = list(sgf_grammar.main_sequence_iter(tree))
    if (game := value_of(nodes[0], "GM", "1")) != "4":
        raise ValueError(f"{where}: five in a row is GM[4], this is GM[{game}].")
    size = re.fullmatch(r"(\d{1,4})(?::(\d{1,4}))?", value_of(nodes[0], "SZ", "19"))
    if not size:
        raise ValueError(f"{where}: the size {value_of(nodes[0], 'SZ', '')[:20]!r} is no number and no columns:rows.")
    board, moves = (int(size[2] or size[1]), int(size[1])), []
    for node in nodes:
        if "AB" in node or "AW" in node:
            raise ValueError(f"{where}: stones set up by hand (AB, AW) cannot be recorded as moves.")
        for color in (name for name in node if name in ("B", "W")):
            point, here = value_of(node, color, ""), f"{where}: move {len(moves) + 1}"
            if len(node[color]) > 1:
                raise ValueError(f"{here}: one {color} has {len(node[color])} points, and one move plays one.")
            if color != "BW"[len(moves) % 2]:
                raise ValueError(f"{here}, {color}[{point}], is out of turn.")
            col, row = (LETTERS.find(letter) for letter in point) if len(point) == 2 else (-1, -1)
            moves.append(point_at(row, col, board, here, point))
    result = value_of(nodes[0], "RE", "?")
    winner = {"B+": 1, "W+": 2}.get(result[:2], 0 if result in ("0", "Draw", "Jigo") else None)
    return board, moves, winner, (value_of(nodes[0], "PB", "black"), value_of(nodes[0], "PW", "white"))


def value_of(node: dict[str, list[bytes]], name: str, default: str) -> str:
    """The first value of a property; the default where there is none."""
    raw = node[name][0] if name in node else default.encode()
    return sgf_grammar.simpletext_value(raw).decode("utf-8", "replace")

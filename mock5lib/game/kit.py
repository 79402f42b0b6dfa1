"""A game of your own: what it brings so that everything here plays it, and where it is found.

UCT and `SearchTree` play any game of `base.contract`. What works on many games at once (the forest, nets, training by
self-play, records, tournaments) asks for a little more. Attributes of the game's class are enough:

    height, width, board    the drawing, and what a net sees: `board` is flat, each point 0, 1 or 2. A net sees own, the
                            other's and no stones, never the color; where that matters, the board must show it
    history                 the moves played
    actions                 how many moves there are, legal or not: they are the numbers below it

and, where the game has more to say than the default:

    rules                   the arguments that make it anew: `type(game)(**game.rules)` is its start. Default: none
    max_moves               the longest game. Default: `actions`, for no move is played twice in most games
    symmetries              pairs (angle, flip) under which the rules stay the same: 0 to 3 quarter turns, and whether
                            the columns are then turned round, see `game.symmetry`. Default: none
    turned_move             a function (move, angle, flip) → move. Default: moves are points, and what is no point stays
    looks_ahead             True: either player may be made the one to move, so that searches may look one ply ahead
    pass_move               the move that is no point
    compiled                the module beside it with compiled answers, see `game.position_compiled`
    records                 "module:class" of its games' records, where `records.GameRecords` would not do
    alphago                 "module:object", what AlphaGo's nets and training must know of it, see `alphago.kit`
    move_at                 a function point → move, for clicks on a board whose points are no moves: a column's
    name_of, score_text, color_name    how a move, the state of the game and a player are called

The players move in turn: where one of them can't, that is a move, too, a pass. The searches with an expert flip a
value's sign at every ply, so a game that passes by itself would come out wrong, and in silence. `check_kit` plays a few
random games to see that a game keeps to this, and is the door to all that trusts it.

A file names a game by its class and its options, and never says where the code is: whoever reads it brings the game,
or has a package installed that does, see `base.plugins`.
"""

from __future__ import annotations

import importlib
import inspect
import json
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mock5lib.base.arguments import whole
from mock5lib.base.contract import check_game
from mock5lib.base.plugins import GAMES, brought, thing_at
from mock5lib.game import symmetry

NEEDED = ("height", "width", "board", "history", "actions")
MOST_ACTIONS = 2**15 - 1  # a move is kept in 16 bits
TRIALS, TRIAL_MOVES = 8, 1_000  # random games that a new game is tried with, and moves in all of them


# What a game says, or the default ---------------------------------------------------------------------------------


def lacking(game) -> str:
    """What a game does not say, as the end of a sentence that begins with whoever asks for it; "" if it says all."""
    missing = [name for name in NEEDED if not hasattr(game, name)]
    named = " and ".join(f"`{name}`" for name in missing)
    return f"needs to know {named}, which {type(game).__name__} does not say" if missing else ""


def longest_game(game) -> int:
    """How many moves a game has at most."""
    return getattr(game, "max_moves", game.actions)


def symmetries_of(game) -> list[tuple[int, int]]:
    """The (angle, flip) under which the rules of a game stay the same, the identity first."""
    return list(getattr(game, "symmetries", ((0, 0),)))


def point_maps(game) -> np.ndarray:
    """Where each point goes in each of the game's symmetries: (S, H * W) int64."""
    return np.stack([symmetry.index_map(game.height, game.width, *turn) for turn in symmetries_of(game)])


def move_maps(game) -> np.ndarray:
    """Where each move goes in each of the game's symmetries: (S, actions) int64."""
    if hasattr(game, "turned_move"):
        return np.array([[game.turned_move(m, *turn) for m in range(game.actions)] for turn in symmetries_of(game)])
    points = point_maps(game)
    others = np.arange(points.shape[1], game.actions)  # a pass stays a pass
    return np.hstack([points, np.tile(others, (len(points), 1))])[:, : game.actions]


def starts_symmetric(start) -> bool:
    """Whether a start looks the same in all symmetries of its game: then the moves of a game may be turned, too."""
    board = np.array(start.board)
    return bool((board[point_maps(start)] == board).all())


# By name --------------------------------------------------------------------------------------------------------

KNOWN: dict[str, type] = {}  # name of a class → the class, of the games that were brought


class NotBrought(ValueError):
    """A file is about a game that nobody has brought."""


class GameRules(NamedTuple):
    """A game by its name and options: what a file says of it."""

    game: str
    options: dict

    def board(self) -> Any:
        """The game at its start; `NotBrought` if nobody has brought it."""
        kind = class_named(self.game)
        if kind is None:
            raise NotBrought(
                f"This is about {self.game}, a game that is not part of the package: bring it, as --game FILE.py:"
                f"{self.game} or by kit.bring({self.game}(…))."
            )
        return self.made(kind)

    def made(self, kind: type) -> Any:
        """A game of this class, at its start."""
        return kind(**self.options)


def class_named(name: str) -> type | None:
    """The class of a game that somebody has brought, or that an installed package brings."""
    if name not in KNOWN and name in brought(GAMES):
        KNOWN[name] = brought(GAMES)[name].load()
    return KNOWN.get(name)


def bring(game) -> GameRules:
    """Make a game of one's own known by the name of its class, so that files may name it; its name and options.

    Raises as `check_kit` does, and a ValueError if what its `rules` make is another game.
    """
    check_game(game)
    if not lacking(game):  # else UCT plays it all the same
        check_kit(game)
        check_start(game)
    KNOWN[type(game).__name__] = type(game)
    return rules_of_game(game)


def rules_of_game(game) -> GameRules:
    """The name of a game and its options, as a file of JSON keeps them. A TypeError if these are no plain values."""
    return GameRules(type(game).__name__, json.loads(json.dumps(dict(getattr(game, "rules", {})))))


def game_named(text: str) -> Any:
    """The game that "my_game.py:Reversi" or "my_game.py:Reversi,size=8" names, at its start; the file is run.

    It is imported by its plain name, so that workers, and machine code that was kept, find the same class again. A
    game that an installed package brings is named alone: "Go" or "Go,size=13".

    Raises:
        FileNotFoundError: there is no such file. ValueError, TypeError: it can't be run, its name is another module's,
            it has no such game, or the game can't be made with these options.
    """
    place, _, named = text.strip().rpartition(":")
    name, *options = split_options(named)
    kind = None if place else class_named(name)
    if kind is None:
        kind = class_in_file(place, name, text)
    given = dict(map(option, options))
    try:
        game = kind(**given)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - it is the reader's program, and may raise anything
        where = f"{Path(place).name}: " if place else ""
        raise ValueError(f"{where}{name} can't be made: {type(problem).__name__}: {problem}") from problem
    known, usual = bring(game).options, defaults_of(kind)
    for word, value in given.items():
        if known.get(word, usual.get(word, ...)) != value:
            raise ValueError(
                f"{name} was made with {word}={json.dumps(value)}, but its `rules` don't say so: add a property "
                f"`rules` that returns {{{word!r}: …}}."
            )
    return game


def defaults_of(kind: type) -> dict[str, Any]:
    """The arguments that make a game of this class, with their defaults."""
    return {one.name: one.default for one in inspect.signature(kind).parameters.values()}


def split_options(text: str) -> list[str]:
    """A text split at its commas, but for those within brackets or quotes: `size=3,piles=[1,2]` is two options."""
    pieces: list[str] = []
    for piece in text.split(","):
        last = pieces[-1] if pieces else ""
        if last.count("[") > last.count("]") or last.count("{") > last.count("}") or last.count('"') % 2:
            pieces[-1] += f",{piece}"
        else:
            pieces.append(piece)
    return pieces


def class_in_file(place: str, name: str, text: str) -> type:
    """The class of this name in a Python file, which is run; `text` is how somebody has written both."""
    if not place.endswith(".py") or not name.isidentifier():
        known = " or ".join(brought(GAMES))
        also = f", or is a game that is installed: {known}" if known else ""
        raise ValueError(f"A game is written like my_game.py:Hex, or my_game.py:Hex,size=7{also}; got {text!r}.")
    file = Path(place).resolve()
    if not file.is_file():
        raise FileNotFoundError(f"{place}: there is no such file.")
    kind = getattr(imported(file), name, None)
    if not isinstance(kind, type):
        raise ValueError(f"{file.name} has no class {name}.")
    return kind


def option(text: str) -> tuple[str, Any]:
    """One `key=value` of a game's options: the value as JSON has it, else a text."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip().isidentifier():
        raise ValueError(f"An option of a game is written key=value, got {text!r}.")
    try:
        return key.strip(), json.loads(value)
    except ValueError:
        return key.strip(), value


def imported(file: Path):
    """The module of a file, imported by its plain name."""
    before = sys.modules.get(file.stem)
    if before is None:
        if str(file.parent) not in sys.path:
            sys.path.append(str(file.parent))
        try:
            before = importlib.import_module(file.stem)
        except (Exception, SystemExit) as problem:  # noqa: BLE001
            raise ValueError(f"{file.name} can't be run: {type(problem).__name__}: {problem}") from problem
    there = getattr(before, "__file__", None)
    if there is None or Path(there).resolve() != file:
        raise ValueError(f"{file.name} has the name of another module, {there or file.stem}: rename the file.")
    return before


def place_of(kind: type) -> str:
    """How `game_named` finds a class in another process: its file and name, or a ValueError."""
    if kind.__name__ in brought(GAMES) and class_named(kind.__name__) is kind:
        return kind.__name__
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file is None or kind.__module__ == "__main__":
        raise ValueError(f"Other processes can't find {kind.__name__}: put it into a file of its own.")
    return f"{Path(file).resolve()}:{kind.__name__}"


# The modules that a class names -----------------------------------------------------------------------------------

POSITIONS: dict[type, Callable] = {}  # a game with compiled answers → what stacks such games as positions


def has_answers(kind: type) -> bool:
    """Whether games of this very class have compiled answers; imports the module that it names for them.

    A subclass may have rules of its own, so it has none.
    """
    if kind in POSITIONS:
        return True
    module = vars(kind).get("compiled")
    if module is None:
        return False
    named_by(kind, "compiled", module)
    if kind not in POSITIONS:
        raise ValueError(f"{kind.__name__} names {module} for its compiled answers: it has none in POSITIONS.")
    return True


def named_by(kind: type, word: str, place: str) -> None:
    """Import what a class says that it has in another module; a ValueError tells what to write or to leave out."""
    said, module = f"{kind.__name__} says {word} = {place!r}", place.partition(":")[0]
    try:
        thing_at(place)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - it is the reader's program, and may raise anything
        if isinstance(problem, ModuleNotFoundError) and problem.name == module:
            beside = Path(getattr(sys.modules.get(kind.__module__), "__file__", None) or "the game's file").name
            missing = f"there is no {module}.py beside {beside}: write it, or leave that line out"
            raise ValueError(f"{said}, and {missing}.") from None
        raise ValueError(f"{said}, which can't be imported: {type(problem).__name__}: {problem}") from problem


# The door -------------------------------------------------------------------------------------------------------

CHECKED: set[tuple] = set()  # (class, options, sizes) of the games that were tried
SIZES = ("height", "width", "actions")


def check_kit(game) -> None:
    """Judge a game before it is searched: its stones, and the first time that one of this kind comes, its kit.

    Raises:
        TypeError: it lacks something. ValueError: it says or does what it must not; a sentence says what.
    """
    known = type(game), repr(getattr(game, "rules", None)), *(getattr(game, size, None) for size in SIZES)
    if known not in CHECKED:
        check_new(game)
        CHECKED.add(known)
    if game.player not in (1, 2) or len(game.board) != game.height * game.width or not set(game.board) <= {0, 1, 2}:
        raise ValueError(f"The board of this {type(game).__name__} is no board of 0, 1 and 2: was it changed by hand?")


class BrokenPromise(ValueError):
    """What a game says or does is not what the searches rely on."""


def check_new(game) -> None:
    """Try a game by its numbers and by a few random games; raises as `check_kit` does."""
    check_game(game)
    name = type(game).__name__
    if why := lacking(game):
        raise TypeError(f"Whoever takes many games at once {why}; see mock5lib/game/kit.py.")
    for word in (*NEEDED, "player", "winner"):
        if callable(getattr(game, word)):
            raise TypeError(f"{name}.{word} is a method; write @property above it.")
    start = made_anew(game)
    check_numbers(start)
    if class_named(name) is type(game) and name in brought(GAMES):
        return  # a game of an installed package has tests of its own, and may be slow
    has_answers(type(game))
    for word in ("records", "alphago"):
        if (place := getattr(game, word, None)) is not None:
            named_by(type(game), word, place)
    rng, left = np.random.default_rng(0), TRIAL_MOVES
    try:
        for _ in range(TRIALS):
            left -= try_game(start, rng, left)
    except BrokenPromise:
        raise
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - it is the reader's program, and may raise anything
        where = traceback.extract_tb(problem.__traceback__)[-1]
        raise ValueError(
            f"A random game of {name} raised {type(problem).__name__}: {problem} ({Path(where.filename).name}, line "
            f"{where.lineno})."
        ) from problem


def made_anew(game) -> Any:
    """The start that a game's `rules` make; a TypeError or ValueError unless it has the same sizes."""
    name = type(game).__name__
    try:
        start = rules_of_game(game).made(type(game))
    except TypeError as problem:
        raise TypeError(f"{name}(**rules) must make the game anew, with plain values: {problem}.") from None
    same = all(getattr(start, size) == getattr(game, size) for size in SIZES)
    if not same or list(start.history) or start.winner is not None:
        raise ValueError(f"{name}(**rules) must make the start of such a game: say its arguments in `rules`.")
    return start


def check_start(game) -> None:
    """A ValueError unless a game that nobody has played on is the one that its `rules` make, as far as can be seen.

    A rule that shows only later is compared where the game keeps the argument under its name, as `self.misere`.
    """
    start = made_anew(game)
    if list(game.history):
        return
    words = [word for word in defaults_of(type(game)) if type(getattr(game, word, None)) in (bool, int, float, str)]
    here, anew = ({word: getattr(one, word, None) for word in words} | seen(one) for one in (game, start))
    name = type(game).__name__
    same_or_broken(here, anew, f"Say all arguments of {name} in its `rules`: {name}(**rules) has another")


def check_numbers(start) -> None:
    """A TypeError or ValueError unless the numbers and the board that a game says make sense."""
    name, points = type(start).__name__, start.height * start.width
    whole(f"{name}'s actions", start.actions, 1, MOST_ACTIONS)
    whole(f"{name}'s max_moves", longest_game(start), 1, MOST_ACTIONS)
    if len(start.board) != points or not set(start.board) <= {0, 1, 2}:
        raise ValueError(f"{name}'s board must be flat, with {points} points of 0, 1 or 2.")
    if start.player != 1:
        raise ValueError(f"Player 1 must begin {name}, got player {start.player!r}.")
    allowed = symmetry.symmetries_of(start.height, start.width)
    if not isinstance(getattr(start, "symmetries", ()), (list, tuple)):
        raise ValueError(f"{name}'s symmetries must be a list of pairs, some of {allowed}.")
    if symmetries_of(start)[0] != (0, 0) or not set(symmetries_of(start)) <= set(allowed):
        raise ValueError(f"{name}'s symmetries must be some of {allowed}, (0, 0) first.")
    if len(symmetries_of(start)) > 1 and start.actions < points and not hasattr(start, "turned_move"):
        raise ValueError(f"{name}'s moves are no points of its board, so its symmetries need `turned_move`.")


def try_game(start, rng: np.random.Generator, most: int) -> int:
    """Play one random game of at most so many moves, and take it back move by move.

    Beside it go a copy, which must come to the same, and the game in its symmetries. Returns the number of moves; a
    `BrokenPromise` says what was wrong.
    """
    name, game, began = type(start).__name__, start.copy(), seen(start)
    trail: list[dict] = []
    if type(game) is not type(start):
        raise BrokenPromise(f"{name}.copy() must give a {name}, got a {type(game).__name__}.")
    if game is start:
        raise BrokenPromise(f"{name}.copy() gives no copy: what is played on it changes the game itself.")
    turned = turned_games(start)
    while game.winner is None and len(trail) < most:
        legal = legal_in(game)
        if len(trail) >= longest_game(game):
            raise BrokenPromise(
                f"{name} went on after {len(trail)} moves: say the length of the longest game as `max_moves`."
            )
        trail.append(seen(game))
        other, move, player = game.copy(), legal[int(rng.integers(len(legal)))], game.player
        same_or_broken(trail[-1], seen(other), f"{name}.copy() in the middle of a game doesn't give the same")
        game.apply(move)
        same_or_broken(trail[-1], seen(other), f"What is played on a game changes its {name}.copy(), namely the")
        other.apply(move)
        same_or_broken(seen(game), seen(other), f"The same move on a game and on its {name}.copy() gives another")
        if len(game.history) != len(trail):
            raise BrokenPromise(f"{name}'s history must have each move, a pass too.")
        if game.history[-1] != move:
            raise BrokenPromise(f"{name}'s history must end with the move played, {move}; it has {game.history[-1]!r}.")
        if game.player != 3 - player:
            raise BrokenPromise(twice_in_a_row(game))
        for turn, (beside, points, moves) in turned.items():
            try_turned(game, turn, beside, points, int(moves[move]))
    if game.winner is not None and (game.winner not in (0, 1, 2) or list(game.legal_moves())):
        raise BrokenPromise(f"{name} is over with winner 0, 1 or 2 and no legal move, got {game.winner!r}.")
    same_or_broken(seen(game), seen(game.copy()), f"{name}.copy() at the end of a game doesn't give the same")
    same_or_broken(began, seen(start), f"What is played on {name}.copy() changes the game itself, namely the")
    for before in reversed(trail):
        game.undo()
        same_or_broken(before, seen(game), f"{name}.undo() doesn't bring back the")
    return len(trail)


def legal_in(game) -> list[int]:
    """The legal moves of a running game, or a `BrokenPromise`."""
    name, legal = type(game).__name__, game.legal_moves()
    if not isinstance(legal, (list, tuple)):
        raise BrokenPromise(f"{name}.legal_moves() must give a list, got a {type(legal).__name__}.")
    if not legal or not all(isinstance(one, (int, np.integer)) and 0 <= one < game.actions for one in legal):
        wanted = f"must have legal moves while it goes on, whole numbers below {game.actions}"
        raise BrokenPromise(f"{name} {wanted}; it has {in_short(legal)}.")
    if len(set(legal)) < len(legal):
        raise BrokenPromise(f"{name}.legal_moves() names a move twice: {in_short(sorted(legal))}.")
    return list(legal)


def in_short(moves) -> str:
    """A list of moves, the first eight of them."""
    return repr(list(moves)) if len(moves) < 9 else f"{list(moves[:8])!r} and so on"


def seen(game) -> dict[str, Any]:
    """All that can be seen of a game."""
    found = {name: getattr(game, name) for name in ("player", "winner")}
    return found | {"board": list(game.board), "history": list(game.history), "legal moves": sorted(game.legal_moves())}


def same_or_broken(right: dict[str, Any], found: dict[str, Any], said: str) -> None:
    """A `BrokenPromise` that names the first thing that differs, after the words of `said`."""
    for name, value in right.items():
        if found[name] != value:
            instead = "" if isinstance(value, list) else f": {found[name]!r} in place of {value!r}"
            raise BrokenPromise(f"{said} {name}{instead}.")


def turned_games(start) -> dict[tuple, tuple]:
    """{symmetry: (a start, the points' map, the moves' map)} for those in which the start looks the same."""
    board, found = np.array(start.board), {}
    for turn, points, moves in zip(symmetries_of(start), point_maps(start), move_maps(start)):
        if sorted(moves) != list(range(start.actions)):
            raise BrokenPromise(
                f"{type(start).__name__}.turned_move must give each move below {start.actions} once under {turn}."
            )
        if turn != (0, 0) and (board[points] == board).all():
            found[turn] = start.copy(), points, moves
    return found


def try_turned(game, turn: tuple, beside, points: np.ndarray, move: int) -> None:
    """Play the turned move in the turned game; a `BrokenPromise` unless that is the game, turned."""
    name, board = type(game).__name__, np.zeros(len(points), dtype=int)
    board[points] = list(game.board)
    if move in beside.legal_moves():
        beside.apply(move)
        if list(beside.board) == board.tolist() and beside.winner == game.winner:
            return
    raise BrokenPromise(f"{name}'s rules don't stay the same under its symmetry {turn}: leave it out of `symmetries`.")


def twice_in_a_row(game) -> str:
    """What to say of a game in which a player has moved twice in a row."""
    at_end = "after the last move, too" if game.winner is not None else "and a pass is a move"
    return (
        f"In {type(game).__name__} player {game.player} is to move after a move of player {game.player}. The players "
        f"must take turns ({at_end}): a search flips the sign of a value at every ply."
    )

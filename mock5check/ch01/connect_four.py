"""The check of the class `ConnectFour`: played beside the rules, taken back, copied, and searched by UCT."""

from __future__ import annotations

from functools import partial

import numpy as np

from mock5check.answers import same
from mock5check.ch01.four_rules import FOUR, HEIGHT, WIDTH, Reference, random_game
from mock5check.core import graded
from mock5check.frozen import shared_by_class, shared_by_copy
from mock5check.watch import EndlessLoop, bounded, learners_line, meaning
from mock5lib.search.uct.tree import UCT

RANDOM_GAMES = 2000
SEED = 32  # these games include a win on each of the 69 lines, draws, and wins with the very last stone

# Columns of short games, and what each shows.
GAMES = {
    "0011223": "four across",
    "2233554": "four across, completed from the inside",
    "0101010": "four upright",
    "01122323363": "four on a rising diagonal",
    "65544343303": "four on a falling diagonal",
    "60011223": "four of player 2",
    "3344556": "four across, up to the right edge",
    "001122": "three are not enough",
    "5061031": "two at the right edge and two at the left edge, one row higher, are no row",
    "0516536": "two at the left edge and two at the right edge, one row higher, are no row",
    "436014551150160155104632660465204242223333": "a full board and no four",
    "42131623536232640645310451342425115566": "column 0 alone has room",
    "24535043130434026021356215324241551100": "column 6 alone has room",
    "456444341232530611460223056031100536126255": "a four made by the very last stone",
}
DRAW = "436014551150160155104632660465204242223333"


@graded
def connect_four(trial, game_class) -> None:
    """Check the class `ConnectFour`: the contract of a game, two thousand random games, and UCT as its player."""
    _new_game(trial, game_class)
    for columns, shown in GAMES.items():
        _play_beside(trial, game_class, columns, watched=True, shown=f"Here: {shown}. ")
    _refusals(trial, game_class)
    _undo(trial, game_class)
    _refusals(trial, game_class, undone=True)
    _forth_and_back(trial, game_class)
    _moves_are_the_callers(trial, game_class)
    _copy(trial, game_class)
    rng = np.random.default_rng(SEED)
    for _ in range(RANDOM_GAMES):
        _play_beside(trial, game_class, random_game(rng))
    _uct_plays_it(trial, game_class)


def _new_game(trial, game_class) -> None:
    if not isinstance(game_class, type):
        trial.fail("Hand the class itself to the check: check.connect_four(ConnectFour).")
    game = trial.call(game_class)
    for name in ("legal_moves", "apply", "undo", "copy"):
        trial.require(callable(getattr(game, name, None)), f"The class needs a method `{name}`.")
    for name in ("winner", "player"):
        present = hasattr(type(game), name) or hasattr(game, name)
        trial.require(present, f"The game needs `{name}`, an attribute or a property.")
        method = callable(getattr(type(game), name, None))
        trial.require(
            not method, f"`{name}` is a method, but UCT reads game.{name} without (). Put @property above it."
        )
    _compare(trial, game, Reference(), watched=True)
    moves = game.legal_moves()
    trial.require(isinstance(moves, list | tuple), f"legal_moves() must give a list, it gave a {type(moves).__name__}.")
    whole = all(isinstance(move, int | np.integer) and not isinstance(move, bool) for move in moves)
    trial.require(whole, f"The columns must be whole numbers (int); legal_moves() gave {list(moves)}.")
    _attempt(trial, partial(game.apply, 3), "game.apply(3)", Reference())
    what = "This is a second game, and only in the first a stone was dropped. Do all games share a list of the class? "
    _compare(trial, game_class(), Reference(), what=what)
    _taken_back(trial, game_class)
    _side_by_side(trial, game_class)


def _taken_back(trial, game_class) -> None:
    """One game by itself, before two are compared: what `undo` gives back."""
    game, right = _play_beside(trial, game_class, "33", watched=True)
    _attempt(trial, game.undo, "game.undo()", right, watched=True)
    what = "Two stones were dropped into column 3, and then `undo` was called: the last one is off the board again, "
    _compare(trial, game, Reference([3]), what=f"{what}it is the turn of whoever had dropped it, and nobody has won. ")


def _side_by_side(trial, game_class) -> None:
    """Two new games at the same time: what is taken back in one is not the other's."""
    (one, right), (other, _) = (_play_beside(trial, game_class, columns, watched=True) for columns in ("33", "505"))
    what = "A second game was begun and played while this one waited, and the two share something. "
    what += "(A default argument `[]` is made once, for all calls.) "
    _attempt(trial, one.undo, "game.undo()", right, watched=True, what=what)
    _compare(trial, one, Reference([3]), what=what)
    _compare(trial, other, Reference([5, 0, 5]), what=what)


def _play_beside(trial, game_class, columns, watched: bool = False, shown: str = ""):
    """Play the columns on both and compare after each; returns both games. shown: said of the last position."""
    game, right = game_class(), Reference()
    for number, column in enumerate(map(int, columns), start=1):
        _attempt(trial, partial(game.apply, column), f"game.apply({column})", right, watched)
        right.apply(column)
        _compare(trial, game, right, watched, shown if number == len(columns) else "")
    return game, right


def _attempt(trial, action, name: str, right: Reference, watched: bool = False, what: str = ""):
    """What the learner's code gives; an exception is explained, with the moves that led to it.

    name: what was called. right: the position in which it was called. what: a sentence to begin the explanation with.
    """
    try:
        return bounded(action)() if watched else action()
    except (Exception, EndlessLoop) as error:
        why = what + meaning(error)
        if isinstance(error, NotImplementedError):
            why = "It is still blank: it raises NotImplementedError."
        elif isinstance(error, EndlessLoop):
            why = f"{what}It did not end after {error}."
        trial.fail(why, call=_told(name, right), line=learners_line(error))


def _compare(trial, game, right: Reference, watched: bool = False, what: str = "") -> None:
    """The learner's game must say what the reference says: winner, player, legal moves."""
    name = "game.winner"
    winner = _attempt(trial, lambda: game.winner, name, right, watched)
    if not same(winner, right.winner):
        hint = _shared(game) or _over_the_edge(winner, right)
        trial.fail(what + right.reason(), call=_told(name, right), hint=hint, answer=winner, right=right.winner)
    name = "game.player"
    player = _attempt(trial, lambda: game.player, name, right, watched)
    if right.winner is None and not same(player, right.player):
        why = f"{what}Stones on the board: {len(right.stones)}. Player 1 began, so player {right.player} is next."
        trial.fail(why, call=_told(name, right), hint=_shared(game), answer=player, right=right.player)
    cells = getattr(game, "board", None)
    if isinstance(cells, list) and len(cells) == HEIGHT * WIDTH and cells != right.cells:
        cell = next(i for i, (mine, theirs) in enumerate(zip(cells, right.cells)) if mine != theirs)
        trial.fail(
            f"{what}Stones fall to the lowest free cell. In `board`, row {cell // WIDTH} (row 0 is the top), column "
            f"{cell % WIDTH} should hold {right.cells[cell]}, and it holds {cells[cell]!r}.",
            call=_told("game.board", right),
            hint=_shared(game),
        )
    name = "game.legal_moves()"
    legal = _attempt(trial, lambda: sorted(game.legal_moves()), name, right, watched)
    if legal != right.legal_moves():
        why = "Columns 0 to 6 are legal while they have fewer than 6 stones."
        why = why if right.winner is None else "The game is over, so no move is legal."
        trial.fail(what + why, call=_told(name, right), hint=_shared(game), answer=legal, right=right.legal_moves())
    trial.cases += 1


def _shared(game) -> str | None:
    """Do all games share something that belongs to the class?"""
    name = shared_by_class(type(game))
    return f"`{name}` belongs to the class, so all games share it. Make self.{name} in `__init__`." if name else None


def _over_the_edge(winner, right: Reference) -> str | None:
    """Four stones at equal steps in the list of cells that are no row on the board, if they are the mistake."""
    if winner not in (1, 2) or right.winner is not None or not right.history:
        return None
    column = right.history[-1]
    last = (HEIGHT - right.heights[column]) * WIDTH + column
    for step in (1, WIDTH - 1, WIDTH, WIDTH + 1):
        run = [last]
        for way in (step, -step):
            cell = (last + way) % len(right.cells)
            while right.cells[cell] == winner and cell not in run:
                run.append(cell)
                cell = (cell + way) % len(right.cells)
        if len(run) >= FOUR:
            places = ", ".join(f"({cell // WIDTH}, {cell % WIDTH})" for cell in run[:FOUR])
            return (
                f"In the list of 42 cells these (row, column) lie {step} apart: {places}. But the line goes over an "
                "edge of the board. (Python's index −1 is the last cell.)"
            )
    return None


def _told(name: str, right: Reference) -> str:
    """What was called and how the position came about, with its picture."""
    if not right.history:
        return f"{name} in a new game"
    return f"{name} after the columns {right.history}; the right board is:\n{right}"


def _refusals(trial, game_class, undone: bool = False) -> None:
    """Moves that are not legal raise, and leave the game as it was. undone: so does an `undo` after it."""
    for columns, move, why in [
        ("333333", 3, "Column 3 is full."),
        ("333333", -1, "There is no column −1. Python's lists count −1 from the end; a game should not."),
        ("3", 7, "There is no column 7: they are 0 to 6."),
        ("", 7, "There is no column 7: they are 0 to 6."),
        ("000000", 7, "There is no column 7: they are 0 to 6."),
        ("0123456", 42, "There is no column 42: they are 0 to 6."),
        ("0011223", 5, "The game is over: player 1 has four across."),
    ]:
        game, right = _play_beside(trial, game_class, columns, watched=True)
        call = _told(f"game.apply({move})", right)
        try:
            bounded(game.apply)(move)
        except ValueError:
            what = f"apply({move}) was refused, and the game should be as before. "
            _compare(trial, game, right, what=what)
            if columns and undone:
                _attempt(trial, game.undo, "game.undo()", right, watched=True, what=what)
                what += f"Then undo() takes back the stone in column {columns[-1]}. "
                _compare(trial, game, Reference(right.history[:-1]), what=what)
        except EndlessLoop as error:
            trial.fail(f"It did not end after {error}.", call=call, line=learners_line(error))
        except Exception as error:
            trial.fail(f"{why} Raise a ValueError, not {type(error).__name__}.", call=call, line=learners_line(error))
        else:
            trial.fail(f"{why} It should raise a ValueError, and it raised nothing.", call=call)


def _undo(trial, game_class) -> None:
    """Undo inverts play, from the end of a game back to its start; and another game can follow."""
    for columns in GAMES:
        game, right = _play_beside(trial, game_class, columns)
        for _ in columns:
            _attempt(trial, game.undo, "game.undo()", right, watched=True)
            undone, right = right.history[-1], Reference(right.history[:-1])
            _compare(trial, game, right, watched=True, what=f"undo() took back a stone in column {undone}. ")
        for column in [3, 3, 4, 4, 5, 5, 6]:
            _attempt(trial, partial(game.apply, column), f"game.apply({column})", right)
            right.apply(column)
            _compare(trial, game, right, what="A whole game was undone, and this is another. ")


def _forth_and_back(trial, game_class) -> None:
    """A search plays and takes back thousands of moves in one game: nothing may be left of them."""
    game, right = _play_beside(trial, game_class, "334")
    for number in range(60):
        column = number % WIDTH
        what = f"In this game {number} moves were played and taken back before. Does `undo` take everything back? "
        _attempt(trial, partial(game.apply, column), f"game.apply({column})", right, what=what)
        _compare(trial, game, Reference([*right.history, column]), what=what)
        _attempt(trial, game.undo, "game.undo()", right, what=what)
        _compare(trial, game, right, what=what)


def _moves_are_the_callers(trial, game_class) -> None:
    """Whoever asks for the moves may change the list, and keep it: it is not the game's own."""
    for columns in ("", "33435"):
        game, right = _play_beside(trial, game_class, columns)
        moves = game.legal_moves()
        if isinstance(moves, list):
            moves.clear()
            what = (
                "The caller emptied the list that legal_moves() had given, and that changed the game. Give a new one. "
            )
            _compare(trial, game, right, what=what)
        kept, before = game.legal_moves(), list(game.legal_moves())
        for _ in range(HEIGHT):
            _attempt(trial, partial(game.apply, 0), "game.apply(0)", right)
            game.legal_moves()
            right.apply(0)
        trial.require(
            list(kept) == before,
            f"legal_moves() gave the list {before}. After six stones in column 0 that same list is {list(kept)}."
            " Give a new list each time: the caller may keep it.",
            call=_told("moves = game.legal_moves()", Reference(map(int, columns))),
        )


def _copy(trial, game_class) -> None:
    """A copy says what its original says; afterwards each goes its own way."""
    for columns in ["", "00000", "334", "0011223", DRAW[:-1], DRAW]:
        game, right = _play_beside(trial, game_class, columns)
        call = _told("game.copy()", right)
        twin = _attempt(trial, game.copy, "game.copy()", right, watched=True)
        trial.require(twin is not None, "copy() returned nothing. Is a `return` missing?", call=call)
        trial.require(twin is not game, "copy() returned the game itself.", call=call)
        name = shared_by_copy(game, twin)
        share = f"`{name}` of the copy is the very object of its original. " if name else ""
        _compare(trial, twin, right, watched=True, what="This is a copy. ")
        if right.winner is None:
            _go_their_own_ways(trial, game, twin, right, share)
        third = _attempt(trial, lambda twin=twin: twin.copy().copy(), "copy.copy().copy()", right, watched=True)
        _compare(trial, third, right, watched=True, what="This is a copy of a copy. ")
        if right.winner is None:
            _go_their_own_ways(trial, twin, third, right)
        if columns:
            _attempt(trial, twin.undo, "copy.undo()", right, watched=True, what="A copy can be undone too. ")
            _compare(trial, twin, Reference(right.history[:-1]), what="A copy can be undone too. ")
            _compare(trial, game, right, what=f"The COPY was undone, and that changed the original. {share}")


def _go_their_own_ways(trial, game, twin, right: Reference, share: str = "") -> None:
    """Both play on, in different columns where there are two, and take it back."""
    legal = right.legal_moves()
    ours, theirs = Reference([*right.history, legal[-1]]), Reference([*right.history, legal[0]])

    _attempt(trial, partial(twin.apply, legal[0]), f"copy.apply({legal[0]})", right, watched=True)
    _compare(trial, twin, theirs, what="This is a copy. ")
    _compare(trial, game, right, what=f"A COPY played column {legal[0]}, and that changed the original. {share}")
    _attempt(trial, partial(game.apply, legal[-1]), f"game.apply({legal[-1]})", right, watched=True)
    _compare(trial, game, ours, what=share)
    _compare(trial, twin, theirs, what=f"The ORIGINAL played column {legal[-1]}, and that changed the copy. {share}")

    what = f"A game and its copy each played on and took that back; do they share a list? {share}"
    for one, before, name in [(twin, theirs, "copy.undo()"), (game, ours, "game.undo()")]:
        _attempt(trial, one.undo, name, before, watched=True, what=what)
        _compare(trial, one, right, what=what)


def _uct_plays_it(trial, game_class) -> None:
    """UCT, which knows nothing of the game but the contract, takes a win and blocks a loss."""
    for columns, best, why in [
        ("001122", 3, "takes the win"),
        ("00112", 3, "blocks the row"),
        ("01010", 0, "blocks the column"),
    ]:
        game, right = _play_beside(trial, game_class, columns)
        player = UCT(400, seed=0)
        move = _attempt(trial, partial(player, game), "UCT(400)(game)", right)
        trial.require(
            move == best,
            f"UCT {why} here with a sound game: column {best}. With yours it plays {move}.",
            call=_told("UCT(400)(game)", right),
        )
        _compare(trial, game, right, what="After a search the game should be as before. ")

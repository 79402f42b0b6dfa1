"""A position for compiled code, and the questions that each game answers about it.

A *position* is a NamedTuple of arrays and rules. Its `counts` begin with the moves played and with who moves next, and
moves are numbers as on the readable board. Many positions with the same rules are one such tuple whose arrays have one
axis more, in front: `stack` makes it, and `at` looks at one of them in place.

Searches, tables and records call the questions, and know no game. A game brings what `game.kit` lists and, in a module
that its class names as `compiled`: a NamedTuple with `counts`, `height`, `width` and, of stacked positions, `boards`
(B, H * W); answers to the questions (all but `mark_sensible`); an entry in `POSITIONS`. k in a row has
`five_compiled.py`, Go `mock5go/board_compiled.py`. A game without them is searched all the same, see `game.plain`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mock5lib.base.compiled import compiled, question
from mock5lib.base.contract import check_game
from mock5lib.game.kit import POSITIONS, check_kit, has_answers, lacking
from mock5lib.game.plain import Plain, plain_of

PLY, PLAYER = 0, 1  # the first entries of `counts`

# What the module with a game's compiled answers enters here and in `POSITIONS`, by the type of the game. A subclass may
# have other rules, so it is not meant.
DOORS: dict[type, Callable] = {}  # → its door to compiled code, which raises; without one it is `kit.check_kit`
PLAYOUTS: dict[type, Callable] = {}  # → (game, random state) → the winner of random moves, for the readable UCT


# The questions --------------------------------------------------------------------------------------------------


@question
def at(positions, b):
    """Number b of stacked positions; what is played on it is played there.

    Pass the result straight to another compiled function: numba drops writes made through it in this one.
    """


@question
def copy_into(target, source):
    """Make one position like another of the same rules."""


@question
def play(position, move):
    """Play a legal move."""


@question
def is_legal(position, move):
    """Whether a move, any whole number, may be played in a running position."""


@question
def winner_of(position):
    """RUNNING (−1), 0 for a draw, 1 or 2; of a position that moves have been played on."""


@question
def mark_moves(position, mask, forced):
    """Mark the legal moves in `mask`, (A,) bool, and unmark the others.

    With `forced` only those worth a look, by a look one ply ahead; returns 1 or −1 if that tells the value for the
    player to move, else 0.
    """


@question
def mark_sensible(position, mask):
    """Mark the points worth a look for a policy over points, (H * W,) bool: legal, and in Go no own eye."""


@question
def play_out(position, playouts, results, state):
    """Count in `results`, (3,) int64, how many random games from here end in a draw, in a win of 1 and of 2."""


@question
def key_of(position, seed):
    """A uint64 that depends on the position and on `seed`, a uint64."""


# Python's side --------------------------------------------------------------------------------------------------


def stack(games) -> Any:
    """The positions of games with the same rules as one, whose arrays have an axis more, in front.

    What is stacked already stays as it is. Games without compiled answers are stacked as `Plain`.

    Raises:
        TypeError: no game, or one that does not say what a game of many must, see `game.kit`.
        ValueError: the games differ in board or rules, or there are none, or they break the rules of `game.kit`.
    """
    if isinstance(games, Plain) or hasattr(games, "counts"):
        return games
    check_alike(kinds := {type(game) for game in games})
    kind = kinds.pop()
    answered = has_answers(kind)
    if kind not in DOORS:
        for game in games:
            check_kit(game)
    return POSITIONS[kind](games) if answered else plain_of(games)


def judge(game) -> None:
    """Raise a TypeError for what is no game, and a ValueError for one that was changed by hand to what can't be."""
    check_game(game)
    if has_answers(type(game)) and type(game) in DOORS:
        DOORS[type(game)](game)


def without_position(game) -> str:
    """Why a game has no position, as the end of a sentence; "" if it has one. It raises as `check_kit` does."""
    if has_answers(type(game)) and type(game) in DOORS:
        return ""
    why = lacking(game)
    if not why:
        check_kit(game)
    return why


def looks_ahead(position) -> bool:
    """Whether a search may look one ply ahead: `mark_moves` heeds `forced`."""
    return bool(getattr(position, "looks_ahead", False))


def identity_of(position) -> Any:
    """Equal for equal positions with the same rules, however the game has come to them."""
    if hasattr(position, "identity"):
        return position.identity()
    return b"".join(array.tobytes() for array in arrays_of(position).values())


def check_alike(rules: set) -> None:
    """A ValueError unless there is one and no other."""
    if len(rules) != 1:
        raise ValueError("Games taken together must share board and rules, and there must be some.")


def position_of(game) -> Any:
    """The position of one game; raises as `stack` does."""
    return chosen(stack([game]), 0)


def stacked(positions: list) -> Any:
    """Positions as one."""
    check_alike({rules_of(position) for position in positions})
    return positions[0]._replace(
        **{name: np.stack([getattr(position, name) for position in positions]) for name in arrays_of(positions[0])}
    )


def room_for(position, *shape: int) -> Any:
    """Arrays for so many positions with the rules of one, in place of its own."""
    if isinstance(position, Plain):
        return position.of(np.empty(shape, object))
    arrays = arrays_of(position).items()
    return position._replace(**{name: np.zeros((*shape, *array.shape), array.dtype) for name, array in arrays})


def chosen(positions, where) -> Any:
    """Some of stacked positions, or one: by any index of NumPy's, which decides whether they are a copy."""
    if isinstance(positions, Plain):
        return positions.chosen(where)
    return positions._replace(**{name: array[where] for name, array in arrays_of(positions).items()})


def put(positions, where, new) -> None:
    """Write the arrays of `new` over some of stacked positions."""
    if isinstance(positions, Plain):
        return positions.put(where, new)
    for name, array in arrays_of(positions).items():
        array[where] = getattr(new, name)


def sensible_points(positions) -> np.ndarray:
    """What `mark_sensible` marks in stacked positions, (B, H * W) bool."""
    masks = np.zeros(positions.boards.shape, dtype=np.bool_)
    mark_all_sensible(positions, masks)
    return masks


@compiled(nogil=True)
def mark_all_sensible(positions, masks):
    for b in range(len(masks)):
        mark_sensible(at(positions, b), masks[b])


def arrays_of(position) -> dict[str, np.ndarray]:
    """The arrays of a position, by name; what is not among them are its rules."""
    return {name: part for name, part in position._asdict().items() if isinstance(part, np.ndarray)}


def rules_of(position) -> tuple:
    """Game, board and rules, to be compared."""
    if isinstance(position, Plain):
        return position.kind, position.options
    return type(position), *(part for part in position if not isinstance(part, np.ndarray))

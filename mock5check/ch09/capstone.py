"""The check of `is_captured`: ladders, breakers, edges, and positions of real games, read by a reader of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from mock5check.ch09.boards import board_of
from mock5check.ch09.chases import CHASES
from mock5check.core import graded
from mock5check.watch import kept_shut
from mock5lib.go import ladders
from mock5lib.go.board import Go


@dataclass(frozen=True)
class Reader:
    """A reader of ladders; the fields make the mistakes that the check knows.

    extends, takes: does the group run, does it take hunters that touch it? turns: does the hunter try "both" liberties,
    or only the "first" or the "last"? free: how many liberties are a rescue at once. depth: moves read at most; then
    the group counts as saved.
    """

    extends: bool = True
    takes: bool = True
    turns: str = "both"
    free: int = 3
    depth: int = 1000

    def __call__(self, game, prey: int) -> bool:
        """Is the group at `prey` captured?"""
        game = game.copy()
        if game.board[prey] == game.player:
            return not self.is_saved(game, prey, self.depth)
        return self.is_caught(game, prey, self.depth)

    def is_caught(self, game, prey: int, left: int) -> bool:
        """The hunter is to move, and the group has two liberties."""
        return self.catch(game, prey, left) is not None

    def is_saved(self, game, prey: int, left: int) -> bool:
        """The group's owner is to move, and it has one liberty."""
        return not left or self.rescue(game, prey, left) is not None

    def catch(self, game, prey: int, left: int) -> int | None:
        """The hunter's move that takes the group in the end."""
        moves = sorted(game.liberties(prey))
        moves = {"both": moves, "first": moves[:1], "last": moves[-1:]}[self.turns]
        for move in moves if left else []:
            if game.why_illegal(move) is None:
                game.apply(move)
                caught = len(game.liberties(prey)) == 1 and not self.is_saved(game, prey, left - 1)
                game.undo()
                if caught:
                    return move
        return None

    def rescue(self, game, prey: int, left: int) -> int | None:
        """The answer that saves the group."""
        for move in self.answers(game, prey):
            if game.why_illegal(move) is None:
                game.apply(move)
                liberties = len(game.liberties(prey))
                saved = liberties >= self.free or (liberties > 1 and not self.is_caught(game, prey, left - 1))
                game.undo()
                if saved:
                    return move
        return None

    def answers(self, game, prey: int) -> list[int]:
        """The moves that may save a group in atari."""
        found, other = set(game.liberties(prey)) if self.extends else set(), 3 - game.board[prey]
        around = {b for stone in game.group(prey) for b in game.neighbours(stone) if game.board[b] == other}
        for hunter in around if self.takes else ():
            liberties = game.liberties(hunter)
            found |= liberties if len(liberties) == 1 else set()
        return sorted(found)


SECONDS = 6.0  # for one position; a right reader needs hundredths
right_reader = Reader()
SLIPS = [
    (lambda game, prey: True, "It says True always."),
    (lambda game, prey: False, "It says False always."),
    (Reader(takes=False), "The group can also save itself by taking hunters that touch it and are in atari."),
    (Reader(extends=False), "The group can also run: its owner may play its last liberty."),
    (Reader(turns="first"), "The hunter may try both liberties, not only the one with the lower number."),
    (Reader(turns="last"), "The hunter may try both liberties, not only the one with the higher number."),
    (Reader(free=2), "With two liberties the group has not escaped yet: then the hunter gives atari again."),
    (lambda game, prey: not right_reader(game, prey), "True and False are the wrong way round."),
]

FREE = ".........  .........  ...XX....  ..XO.....  .........  .........  .........  .........  ........."
BROKEN = ".........  .........  ...XX....  ..XO.....  .........  .........  ......O..  .........  ........."
OFF_THE_WAY = ".........  .........  ...XX....  ..XO.....  .........  .........  .O.......  .........  ........."
_ROWS = ["." * 19, "...XX" + "." * 14, "..XO." + "." * 14, "." * 14 + "O...."]
LONG = " ".join(_ROWS[row] for row in (0, 0, 1, 2, *[0] * 15))
LONG_BROKEN = " ".join(_ROWS[row] for row in (0, 0, 1, 2, *[0] * 11, 3, 0, 0, 0))

NAMED = [
    ("a ladder on a free board", FREE, 2, 30),
    ("the same, with a stone of the group's colour on its way (a ladder breaker)", BROKEN, 2, 30),
    ("the same stone off the ladder's way", OFF_THE_WAY, 2, 30),
    ("a long ladder, on 19×19", LONG, 2, 60),
    ("a long ladder with a breaker near its end", LONG_BROKEN, 2, 60),
    ("a group on the edge, and the hunter to move", "..... ..... ..X.. .XO.. .....", 2, 17),
    ("a group in the corner that is in atari", "XO... .X... ..... ..... .....", 1, 1),
    ("a stone in atari in the corner", "OX... ..... ..... ..... .....", 1, 0),
    ("a stone in the corner with two liberties", "O.... ..... ..X.. ..... .....", 2, 0),
    ("a stone in the middle that is in atari", "..... ..X.. .XOX. ..... .....", 1, 12),
    ("a hunter in atari beside the group", ".OXO. OX.O. .XOX. ..X.. .....", 1, 12),
    ("a group with an eye, where the hunter may not play", ".OX.. OOX.. X.... ..... .....", 2, 1),
]


@cache
def positions() -> tuple:
    """(game, point, what it is) of every case, those made by hand first."""
    found = [(*board_of(text), player, prey, name) for name, text, player, prey in NAMED]
    found += [(*board_of(text), player, prey, "from a game") for player, prey, text in CHASES]
    return tuple((Go(size, board=board, player=player), prey, name) for board, size, player, prey, name in found)


@graded
def is_captured(trial, function) -> None:
    """Check `is_captured(game, prey)`: whether a ladder takes the group at `prey`."""
    names = {(bytes(game.board), prey): name for game, prey, name in positions()}

    def call(game, prey):
        colour = game.colour_name(game.player).capitalize()
        name = names[bytes(game.board), prey]
        return f"is_captured(game, {prey}): {name}, {colour} to move\nwhere game is\n{game}"

    def why(game, prey):
        fleeing = game.board[prey] == game.player
        move = (right_reader.rescue if fleeing else right_reader.catch)(game.copy(), prey, right_reader.depth)
        stones, one = len(game.group(prey)), len(game.liberties(prey)) == 1
        counted = f"{stones} stone{'s' * (stones > 1)} and {'one liberty' if one else 'two liberties'}"
        turn = "its owner is to move" if fleeing else "the hunter is to move"
        if move is None:
            found = "No answer saves it: captured." if fleeing else "No move of the hunter takes it: it escapes."
        else:
            found = f"It {'is saved' if fleeing else 'is captured'} by {game.name_of(move)}, which is point {move}."
        return f"The group at {game.name_of(prey)} has {counted}, and {turn}. {found}"

    doors = [(ladders, name) for name in ("is_ladder_capture", "is_ladder_escape", "can_be_saved", "can_be_caught")]
    doors += [(ladders, name) for name in ("answers_of", "is_saved", "captures_in_ladder", "mark_escapes")]
    with kept_shut(*doors, said="The reader of ladders is yours to write."):
        cases = [(game, prey) for game, prey, _ in positions()]
        trial.compare(function, cases, right=right_reader, why=why, slips=SLIPS, call=call, long=SECONDS)

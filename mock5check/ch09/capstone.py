"""The check of `is_captured`: ladders, breakers, edges, and positions of real games, read by a reader of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from mock5check.ch09.boards import board_of
from mock5check.ch09.chases import CHASES
from mock5check.core import graded
from mock5check.watch import kept_shut, learners_line, meaning
from mock5lib.go import ladders
from mock5lib.go.board import Go

_READ: dict = {}  # (reader, position, prey): captured?


@dataclass(frozen=True)
class Reader:
    """A reader of ladders; the fields make the mistakes that the check knows.

    extends, takes: does the group run, does it take hunters that touch it? turns: does the hunter try "both" liberties,
    or only the "first" or the "last"? free: how many liberties are a rescue at once. depth: moves read at most; then
    the group counts as saved. forgets: is ko forgotten at the "start", or "always"? black: is the group taken for black
    when asking whose "turn" it is, or which hunters it "takes"? keeps: whose successful moves are not taken back?
    """

    extends: bool = True
    takes: bool = True
    turns: str = "both"
    free: int = 3
    depth: int = 1000
    forgets: str = ""
    black: str = ""
    keeps: str = ""

    def __call__(self, game, prey: int) -> bool:
        """Is the group at `prey` captured? Each position is read once."""
        position = self, bytes(game.board), game.player, tuple(game.history), prey
        if position not in _READ:
            _READ[position] = self._reads(game, prey)
        return _READ[position]

    def _reads(self, game, prey: int) -> bool:
        game = _without_past(game) if self.forgets == "start" else game.copy()
        if (1 if "turn" in self.black else game.board[prey]) == game.player:
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
        game = _without_past(game) if self.forgets == "always" else game
        moves = (list if self.keeps else sorted)(game.liberties(prey))
        moves = {"both": moves, "first": moves[:1], "last": moves[-1:]}[self.turns]
        for move in moves if left else []:
            if game.why_illegal(move) is None:
                game.apply(move)
                caught = len(game.liberties(prey)) == 1 and not self.is_saved(game, prey, left - 1)
                if not (caught and "hunter" in self.keeps):
                    game.undo()
                if caught:
                    return move
        return None

    def rescue(self, game, prey: int, left: int) -> int | None:
        """The answer that saves the group."""
        game = _without_past(game) if self.forgets == "always" else game
        for move in self.answers(game, prey):
            if game.why_illegal(move) is None:
                game.apply(move)
                liberties = len(game.liberties(prey))
                saved = liberties >= self.free or (liberties > 1 and not self.is_caught(game, prey, left - 1))
                if not (saved and "owner" in self.keeps):
                    game.undo()
                if saved:
                    return move
        return None

    def answers(self, game, prey: int) -> list[int]:
        """The moves that may save a group in atari."""
        found, other = set(game.liberties(prey)) if self.extends else set(), 3 - game.board[prey]
        other = 2 if "takes" in self.black else other
        around = {b for stone in game.group(prey) for b in game.neighbours(stone) if game.board[b] == other}
        for hunter in around if self.takes else ():
            liberties = game.liberties(hunter)
            found |= liberties if len(liberties) == 1 else set()
        return list(found) if self.keeps else sorted(found)

    def line(self, game, prey: int, most: int = 8) -> str:
        """The first moves of the chase, by their names; whoever fails plays what is left."""
        game, named, closed = game.copy(), [], ""
        while len(named) < most:
            fleeing = game.board[prey] == game.player
            moves = self.answers(game, prey) if fleeing else sorted(game.liberties(prey))
            best = (self.rescue if fleeing else self.catch)(game, prey, self.depth)
            legal = [move for move in moves if game.why_illegal(move) is None]
            if best is None and not legal:
                closed = "; ".join(f"{game.name_of(move)} is closed to it: {game.why_illegal(move)}" for move in moves)
                break
            played, other = legal[0] if best is None else best, 3 - game.player
            named.append(f"{game.colour_name(game.player).capitalize()} {game.name_of(played)}")
            before = list(game.board).count(other)
            game.apply(played)
            if taken := before - list(game.board).count(other):
                named[-1] += f" (takes {taken})"
            if len(game.liberties(prey)) != (2 if fleeing else 1):
                break
        left = len(game.liberties(prey))
        end = ", …" if len(named) == most else f", and it has {left} libert{'y' if left == 1 else 'ies'}"
        end += f" ({closed})" if closed else ""
        return ", ".join(named) + end if named else ""


def _without_past(game: Go) -> Go:
    return Go(game.size, board=list(game.board), player=game.player)


SECONDS = 6.0  # for one position; a right reader needs hundredths
right_reader = Reader()
_PAST = "Ko is forgotten: a new Go(…, board=…) does not know the past, so a ko may go round for ever. Use game.copy()."
SLIPS = [
    (lambda game, prey: True, "It says True always."),
    (lambda game, prey: False, "It says False always."),
    (Reader(takes=False), "The group can also save itself by taking hunters that touch it and are in atari."),
    (Reader(extends=False), "The group can also run: its owner may play its last liberty."),
    (Reader(turns="first"), "The hunter may try both liberties, not only the one with the lower number."),
    (Reader(turns="last"), "The hunter may try both liberties, not only the one with the higher number."),
    (Reader(free=2), "With two liberties the group has not escaped yet: then the hunter gives atari again."),
    (lambda game, prey: not right_reader(game, prey), "True and False are the wrong way round."),
    (Reader(forgets="start"), _PAST),
    (Reader(forgets="always"), _PAST),
    *(
        (Reader(black=which), "The group may be white, too: ask game.board[prey].")
        for which in ("turn", "takes", "turn takes")
    ),
    *(
        (
            Reader(keeps=whose),
            "Take a move back before you return True, too, and return False only after ALL moves were tried.",
        )
        for whose in ("hunter", "owner", "hunter owner")
    ),
]

FREE = ".........  .........  ...XX....  ..XO.....  .........  .........  .........  .........  ........."
BROKEN = ".........  .........  ...XX....  ..XO.....  .........  .........  ......O..  .........  ........."
OFF_THE_WAY = ".........  .........  ...XX....  ..XO.....  .........  .........  .O.......  .........  ........."
_ROWS = ["." * 19, "...XX" + "." * 14, "..XO." + "." * 14, "." * 14 + "O...."]
LONG = " ".join(_ROWS[row] for row in (0, 0, 1, 2, *[0] * 15))
LONG_BROKEN = " ".join(_ROWS[row] for row in (0, 0, 1, 2, *[0] * 11, 3, 0, 0, 0))
CORNER = " ".join([".X" + "." * 17, "XO" + "." * 17, "X" + "." * 18, *["." * 19] * 16])
NAMED = [
    ("a ladder on a free board", FREE, 2, 30),
    ("the same, with a stone of the group's colour on its way (a ladder breaker)", BROKEN, 2, 30),
    ("the same stone off the ladder's way", OFF_THE_WAY, 2, 30),
    ("a long ladder, on 19×19", LONG, 2, 60),
    ("a long ladder with a breaker near its end", LONG_BROKEN, 2, 60),
    ("a ladder from one corner to the other, on 19×19", CORNER, 2, 20),
    (
        "a group that can take two stones, and is captured all the same",
        "OXOX.X O.OXXX OXX.XX OOOX.O OOXX.X .OOXOX",
        1,
        23,
    ),
    ("a group on the edge, and the hunter to move", "..... ..... ..X.. .XO.. .....", 2, 17),
    ("a group in the corner that is in atari", "XO... .X... ..... ..... .....", 1, 1),
    ("a stone in atari in the corner", "OX... ..... ..... ..... .....", 1, 0),
    ("a stone in the corner with two liberties", "O.... ..... ..X.. ..... .....", 2, 0),
    ("a stone in the middle that is in atari", "..... ..X.. .XOX. ..... .....", 1, 12),
    ("a hunter in atari beside the group", ".OXO. OX.O. .XOX. ..X.. .....", 1, 12),
    ("a hunter with two liberties, of which the stone beside the group has one", "OOOX OO.. XOXO X.XX", 1, 11),
    ("two hunters beside one stone of the group", "XXX. X.OX X.XO .XO.", 1, 11),
    ("a long row of hunters in atari beside the group", "..OXX X.X.O X.XOX XOOO. O.XOO", 2, 14),
    ("hunters in atari in two places beside the group", "X.OX O.X. ...O OXXO", 1, 13),
    ("a group with an eye, where the hunter may not play", ".OX.. OOX.. X.... ..... .....", 2, 1),
]


_TURNED = str.maketrans("OX", "XO")
WHITE = [
    (f"{name}; the group is white", text.translate(_TURNED), 3 - player, prey)
    for name, text, player, prey in (NAMED[0], NAMED[1], NAMED[6], NAMED[10])
]

# (board, player, the move that takes a ko, prey)
KOS = [
    (".OX. OX.X .OX. ....", 1, 6, 2),
    ("...X..XO. ..OXXXXXO .OOOO.XO. .XXXOXOOO XOXOOXXXO .OX.O.OO. .X.XXO... .X.XOO... ..XOO....", 2, 8, 17),
    (".XOO.OOX. .XO.OOXXX .XXO.OXX. ..XO.OXOX .XX.O.OOO .O.XXO.OO O.OXXOO.. .OXXXOXX. ....OX.X.", 1, 78, 76),
]

# (size, moves from the empty board, prey): superko decides, at the first move, later, or only in one of the lines
LONG_KOS = [
    (3, [5, 6, 3, 1, 7, 4, 0], 7),
    (3, [8, 1, 2, 7, 4, 3, 6, 5, 0, 7, 2, 3], 2),
    (4, [8, 9, 0, 3, 1, 11, 7, 12, 2, 6, 4], 0),
]


@cache
def positions() -> tuple:
    """(game, point, what it is) of every case, those made by hand first."""
    found = [(*board_of(text), player, prey, name) for name, text, player, prey in NAMED + WHITE]
    found += [(*board_of(text), player, prey, "from a game") for player, prey, text in CHASES]
    games = [(Go(size, board=board, player=player), prey, name) for board, size, player, prey, name in found]
    return tuple(games[: len(NAMED + WHITE)] + _after_kos() + games[len(NAMED + WHITE) :])


def _after_kos() -> list:
    """Positions in which a ko has just been taken, and the same stones without a past, where it may be taken back."""
    found = []
    for text, player, move, prey in KOS:
        board, size = board_of(text)
        game = Go(size, board=board, player=player, history=[move])
        taker, place = game.colour_name(player).capitalize(), game.name_of(move)
        found += [(game, prey, f"{taker} has just taken a ko at {place}")]
        found += [(_without_past(game), prey, "the same stones, but no move was played before")]
    for size, history, prey in LONG_KOS:
        game = Go(size, max_moves=1000, history=history)
        found += [(game, prey, f"after the moves {game.history}, where superko counts")]
    return found


@graded
def is_captured(trial, function) -> None:
    """Check `is_captured(game, prey)`: whether a ladder takes the group at `prey`."""
    names = {(bytes(game.board), prey, len(game.history)): name for game, prey, name in positions()}

    def call(game, prey):
        colour = game.colour_name(game.player).capitalize()
        name = names[bytes(game.board), prey, len(game.history)]
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
        tried = right_reader.answers(game, prey) if fleeing else sorted(game.liberties(prey))
        ko = [at for at in tried if (game.why_illegal(at) or "").endswith("ko")]
        found += f" Ko forbids {game.name_of(ko[0])}." if ko else ""
        line = right_reader.line(game, prey)
        found += f" The chase goes, for example: {line}." if line else ""
        return f"The group at {game.name_of(prey)} has {counted}, and {turn}. {found}"

    def observe(solution, game, prey):
        try:
            return solution(game, prey)
        except RecursionError as error:
            hint = _PAST if _goes_round(game, prey) else None
            trial.fail(meaning(error), call=call(game, prey), line=learners_line(error), hint=hint)

    doors = [(ladders, name) for name in ("is_ladder_capture", "is_ladder_escape", "can_be_saved", "can_be_caught")]
    doors += [(ladders, name) for name in ("answers_of", "is_saved", "captures_in_ladder", "mark_escapes")]
    with kept_shut(*doors, said="The reader of ladders is yours to write."):
        cases = [(game, prey) for game, prey, _ in positions()]
        rules = {"observe": observe, "lets_through": (RecursionError,)}
        trial.compare(function, cases, right=right_reader, why=why, slips=SLIPS, call=call, long=SECONDS, **rules)


def _goes_round(game, prey: int) -> bool:
    """Does a reader that forgets ko not come to an end here?"""
    try:
        Reader(forgets="always")(game, prey)
    except RecursionError:
        return True
    return False

"""The capstone of chapter 9, declared by its solution: a reader of ladders."""

import numpy as np

from mock5check.ch09.blanks import group_of
from mock5check.ch09.boards import CHASES, board_of
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5lib.go.board import Go

KO = ".OX. OX.X .OX. ....", 1, 6, 2  # Black takes a ko at 6
LONG_KOS = ([5, 6, 3, 1, 7, 4, 0], 7), ([8, 1, 2, 7, 4, 3, 6, 5, 0, 7, 2, 3], 2)  # 3×3: moves, a stone of the prey
TURNED = str.maketrans("OX", "XO")


def chases(rng):
    """(game, prey, what it is)"""
    for what, text, player, prey in CHASES:
        for stones, mover in ((text, player), (text.translate(TURNED), 3 - player)):
            board, size = board_of(stones)
            yield Go(size, board=board, player=mover), prey, what
    text, player, move, prey = KO
    board, size = board_of(text)
    game = Go(size, board=board, player=player, history=[move])
    yield game, prey, "a ko has just been taken at " + game.name_of(move)
    yield Go(size, board=list(game.board), player=game.player), prey, "the same stones, and no move before"
    for history, prey in LONG_KOS:
        yield (
            Go(3, max_moves=1000, history=history),
            prey,
            f"after the moves {history} from the empty board, where superko counts",
        )
    for game in crowded(rng):
        seen = set()
        for point in range(game.size**2):
            if game.board[point] and point not in seen:
                seen |= game.group(point)
                if len(game.liberties(point)) == (1 if game.board[point] == game.player else 2):
                    yield game, point, "a board drawn at random, without a past"


def crowded(rng):
    """Boards drawn at random, with a liberty for every stone."""
    for size in rng.integers(4, 7, 80).tolist():
        board = rng.choice(3, size**2, p=[0.4, 0.3, 0.3]).tolist()
        for point in np.flatnonzero(board).tolist():
            stones, liberties = group_of.solution(board, size, point)
            for stone in stones if not liberties else ():
                board[stone] = 0
        yield Go(size, board=board, player=int(rng.integers(1, 3)))


def called(game, prey, what):
    mover = game.colour_name(game.player).capitalize()
    return f"is_captured(game, {prey}): {what}; {mover} to move\nwhere game is\n{game}"


def in_a_ladder(solution, game, prey, what):
    try:
        return solution(game, prey)
    except RecursionError:
        raise Refused(
            "It calls itself without end (RecursionError). Is a move played at each step? And does ko hold? A new "
            "Go(…, board=…) knows no past, so a ko may go round for ever: use game.copy()."
        ) from None


def one_chase(game, prey, what):
    """Who wins, and how the chase may go: each side plays a move that works, or else its first one."""
    name, told, shut = game.name_of(prey), [], ""
    captured, game = is_captured.solution(game, prey), game.copy()
    while len(told) < 10:
        owners, liberties = game.board[prey] == game.player, game.liberties(prey)
        moves = sorted(game.legal_moves()[:-1], key=lambda move: move not in liberties)
        if len(liberties) != (1 if owners else 2):
            break
        move = next((move for move in moves if _works(game, prey, move, owners)), moves[0] if moves else None)
        closed = {at: said for at in liberties if (said := game.why_illegal(at))}
        shut = "".join(f" {game.name_of(at)} is not allowed: {said}." for at, said in closed.items())
        if shut and move not in liberties:
            break
        told.append(f"{game.colour_name(game.player).capitalize()} {game.name_of(move)}")
        game.apply(move)
    left = len(game.liberties(prey))
    chase = f" For example: {', '.join(told)}, and it has {left} libert{'y' if left == 1 else 'ies'}." if told else ""
    return f"The group at {name} {'is captured' if captured else 'escapes'}.{chase}{shut}"


def _works(game, prey, move, owners):
    """Does this move of the prey's owner, or else of the hunter, succeed?"""
    game.apply(move)
    left = len(game.liberties(prey))
    works = left > 2 or left == 2 and not caught(game, prey) if owners else left == 1 and not saved(game, prey)
    game.undo()
    return works


def caught(game, prey):
    """The hunter is to move, and the prey has two liberties: can it be captured?"""
    for move in game.liberties(prey):
        if game.why_illegal(move) is None:
            game.apply(move)
            success = len(game.liberties(prey)) == 1 and not saved(game, prey)
            game.undo()
            if success:
                return True
    return False


def saved(game, prey):
    """The owner is to move, and the prey has one liberty: can it be saved?"""
    answers = set(game.liberties(prey))
    for stone in game.group(prey):
        for beside in game.neighbours(stone):
            hunter = game.board[beside] == 3 - game.player
            if hunter and len(game.liberties(beside)) == 1:
                answers |= game.liberties(beside)
    for move in answers:
        if game.why_illegal(move) is None:
            game.apply(move)
            left = len(game.liberties(prey))
            success = left > 2 or (left == 2 and not caught(game, prey))
            game.undo()
            if success:
                return True
    return False


@exercise(
    cases=chases,
    observe=in_a_ladder,
    call=called,
    why=one_chase,
    uses=[caught, saved],
    lets_through=(RecursionError,),
    long=6.0,
)
def is_captured(game, prey):
    """Does a ladder take the group at `prey`?"""
    game = game.copy()
    if game.board[prey] == game.player:
        return not saved(game, prey)
    return caught(game, prey)

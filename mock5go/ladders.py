"""Reading ladders: can a group be taken by atari after atari, or does a move save it?

A ladder is a chase in which the hunter always leaves the group one liberty, so that only two kinds of answers have to
be read: the group extends at that liberty, or takes one of the hunter's groups that touches it and is in atari itself.
With three liberties it has escaped; with two the hunter may try either of them.

`ladders_compiled.py` is the compiled twin. Both count the moves that they try, and give up after `MOST`: then the group
counts as saved.
"""

from __future__ import annotations

from mock5go.board import Go
from mock5go.ladders_compiled import MOST


def is_ladder_capture(game: Go, move: int) -> bool:
    """Whether a legal move puts an opponent's group of two liberties into an atari that it cannot escape."""
    for beside in game.neighbors(move):
        if game.board[beside] == 3 - game.player and len(game.liberties(beside)) == 2:
            game.apply(move)
            caught = not can_be_saved(game, beside, [MOST])
            game.undo()
            if caught:
                return True
    return False


def is_ladder_escape(game: Go, move: int) -> bool:
    """Whether a legal move saves a group of the player to move that is in atari."""
    threatened = {min(game.group(point)) for point, stone in enumerate(game.board) if stone == game.player}
    for prey in threatened:
        if len(game.liberties(prey)) == 1 and move in answers_of(game, prey) and saves(game, move, prey, [MOST]):
            return True
    return False


def saves(game: Go, move: int, prey: int, left: list[int]) -> bool:
    """Whether a legal move of its owner gets the group at `prey` away."""
    game.apply(move)
    liberties = len(game.liberties(prey))
    safe = liberties > 2 or (liberties == 2 and not can_be_caught(game, prey, left))
    game.undo()
    return safe


def answers_of(game: Go, prey: int) -> list[int]:
    """What could save a group in atari: its liberty, and the liberties of hunters around it that are in atari."""
    other, answers = 3 - game.board[prey], set(game.liberties(prey))
    around = {b for stone in game.group(prey) for b in game.neighbors(stone) if game.board[b] == other}
    for hunter in around:
        liberties = game.liberties(hunter)
        if len(liberties) == 1:
            answers |= liberties
    return sorted(answers)


def can_be_saved(game: Go, prey: int, left: list[int]) -> bool:
    """Whether the player to move, who owns the group at `prey`, can save it from the atari that it is in.

    Args:
        left: [moves that may still be tried], which is counted down.
    """
    if game.over:
        return True
    for move in answers_of(game, prey):
        if game.why_illegal(move) is not None:
            continue
        if left[0] == 0:
            return True
        left[0] -= 1
        if saves(game, move, prey, left):
            return True
    return False


def can_be_caught(game: Go, prey: int, left: list[int]) -> bool:
    """Whether the player to move can take the opponent's group at `prey`, which has two liberties, in a ladder."""
    if game.over:
        return False
    for move in sorted(game.liberties(prey)):
        if game.why_illegal(move) is not None:
            continue
        if left[0] == 0:
            return False
        left[0] -= 1
        game.apply(move)
        caught = len(game.liberties(prey)) == 1 and not can_be_saved(game, prey, left)
        game.undo()
        if caught:
            return True
    return False

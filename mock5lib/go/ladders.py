"""Reading ladders: can a group be taken by atari after atari, or does a move save it?

A ladder is a chase in which the hunter always leaves the group one liberty, so that only two kinds of answers have to
be read: the group extends at that liberty, or takes one of the hunter's groups that touches it and is in atari itself.
With three liberties it has escaped; with two the hunter may try either of them.

First the readable version, then its compiled twin. Both count the moves that they try, and give up after `MOST`: then
the group counts as saved.
"""

from __future__ import annotations

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.go.board import Go
from mock5lib.go.groups import COLOUR, HEAD, NEXT, PLAYER, in_atari, list_liberties
from mock5lib.go.kernels import copy_into, copy_of, is_legal, is_over, play

MOST = 400  # moves tried in one reading


def is_ladder_capture(game: Go, move: int) -> bool:
    """Whether a legal move puts an opponent's group of two liberties into an atari that it cannot escape."""
    for beside in game.neighbours(move):
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
    around = {b for stone in game.group(prey) for b in game.neighbours(stone) if game.board[b] == other}
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


# The compiled twin ----------------------------------------------------------------------------------------------


@compiled
def liberties_up_to(position, at, most):
    """The number of liberties of the group of the stone at a padded point, counted up to `most`."""
    points = position.points
    return list_liberties(points, position.size + 1, points[HEAD, at], np.empty(most, np.int32))


@compiled
def list_answers(position, prey, answers):
    """As `answers_of`, in increasing order, for the group of the stone at a padded point; returns how many."""
    points, stride = position.points, position.size + 1
    head, other = points[HEAD, prey], 3 - points[COLOUR, prey]
    count, at, one = list_liberties(points, stride, head, answers[:1]), head, np.empty(1, np.int32)
    while True:
        for step in (-stride, -1, 1, stride):
            beside = at + step
            if points[COLOUR, beside] == other and in_atari(points, points[HEAD, beside]):
                list_liberties(points, stride, points[HEAD, beside], one)
                if not (answers[:count] == one[0]).any():
                    answers[count] = one[0]
                    count += 1
        at = points[NEXT, at]
        if at == head:
            break
    answers[:count].sort()
    return count


@compiled
def is_saved(position, prey, left):
    """Whether the group of the stone at padded point `prey` gets away.

    Args:
        left: (1,) moves that may still be tried, counted down.

    If its owner is to move, it is in atari; if the hunter is, it has two liberties.
    """
    fleeing = position.points[COLOUR, prey] == position.counts[PLAYER]
    if is_over(position):
        return True
    moves = np.empty(len(position.points[0]) if fleeing else 2, np.int32)
    if fleeing:
        count = list_answers(position, prey, moves)
    else:
        count = list_liberties(position.points, position.size + 1, position.points[HEAD, prey], moves)
        moves.sort()
    after = copy_of(position)
    for i in range(count):
        if not is_legal(position, moves[i]):
            continue
        if left[0] == 0:
            return True
        left[0] -= 1
        copy_into(after, position)
        play(after, moves[i])
        liberties = liberties_up_to(after, prey, 3)
        if fleeing and (liberties > 2 or (liberties == 2 and is_saved(after, prey, left))):
            return True
        if not fleeing and liberties == 1 and not is_saved(after, prey, left):
            return False
    return not fleeing


@compiled(nogil=True)
def captures_in_ladder(position, at, work):
    """The twin of `is_ladder_capture` for a legal padded point; `work` is room for another position."""
    points, player, stride = position.points, position.counts[PLAYER], position.size + 1
    for step in (-stride, -1, 1, stride):
        beside = at + step
        if points[COLOUR, beside] == 3 - player and liberties_up_to(position, beside, 3) == 2:
            copy_into(work, position)
            play(work, at)
            if not is_saved(work, beside, np.full(1, MOST)):
                return True
    return False


@compiled(nogil=True)
def mark_escapes(position, work, marks):
    """Set `marks` (P,) at the padded points that are ladder escapes, the twin of `is_ladder_escape`."""
    points, player = position.points, position.counts[PLAYER]
    answers = np.empty(points.shape[1], np.int32)
    for prey in range(points.shape[1]):
        if points[COLOUR, prey] != player or points[HEAD, prey] != prey or not in_atari(points, prey):
            continue
        for i in range(list_answers(position, prey, answers)):
            at = answers[i]
            if marks[at] or not is_legal(position, at):
                continue
            copy_into(work, position)
            play(work, at)
            liberties = liberties_up_to(work, prey, 3)
            marks[at] = liberties > 2 or (liberties == 2 and is_saved(work, prey, np.full(1, MOST)))

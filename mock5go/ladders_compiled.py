"""The compiled twin of `ladders.py`: the same reading, with points on the padded board."""

from __future__ import annotations

import numpy as np

from mock5go.board_compiled import copy_into, copy_of, is_legal_at, is_over, play_at
from mock5go.groups_compiled import COLOR, HEAD, NEXT, PLAYER, in_atari, list_liberties
from mock5lib.base.compiled import compiled

MOST = 400  # moves tried in one reading


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
    head, other = points[HEAD, prey], 3 - points[COLOR, prey]
    count, at, one = list_liberties(points, stride, head, answers[:1]), head, np.empty(1, np.int32)
    while True:
        for step in (-stride, -1, 1, stride):
            beside = at + step
            if points[COLOR, beside] == other and in_atari(points, points[HEAD, beside]):
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
    fleeing = position.points[COLOR, prey] == position.counts[PLAYER]
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
        if not is_legal_at(position, moves[i]):
            continue
        if left[0] == 0:
            return True
        left[0] -= 1
        copy_into(after, position)
        play_at(after, moves[i])
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
        if points[COLOR, beside] == 3 - player and liberties_up_to(position, beside, 3) == 2:
            copy_into(work, position)
            play_at(work, at)
            if not is_saved(work, beside, np.full(1, MOST)):
                return True
    return False


@compiled(nogil=True)
def mark_escapes(position, work, marks):
    """Set `marks` (P,) at the padded points that are ladder escapes, the twin of `is_ladder_escape`."""
    points, player = position.points, position.counts[PLAYER]
    answers = np.empty(points.shape[1], np.int32)
    for prey in range(points.shape[1]):
        if points[COLOR, prey] != player or points[HEAD, prey] != prey or not in_atari(points, prey):
            continue
        for i in range(list_answers(position, prey, answers)):
            at = answers[i]
            if marks[at] or not is_legal_at(position, at):
                continue
            copy_into(work, position)
            play_at(work, at)
            liberties = liberties_up_to(work, prey, 3)
            marks[at] = liberties > 2 or (liberties == 2 and is_saved(work, prey, np.full(1, MOST)))

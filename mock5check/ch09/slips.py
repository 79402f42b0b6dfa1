"""The slips that chapter 9's checks recognise, each with its cause; those of KoMemory are in ko.py."""

from __future__ import annotations

from functools import partial

from mock5check.ch09.boards import group_of, lead_of, neighbours, planes_after, played, playout_moves_of, regions_of

# 1

GROUP_SLIPS = [
    (
        partial(group_of, wraps="both"),
        "The last point of a row is no neighbour of the first point of the next row: row and column count, not only "
        "the number of the point.",
    ),
    (partial(group_of, wraps="left"), "The first point of a row has no left neighbour: point − 1 is in the row above."),
    (
        partial(group_of, wraps="right"),
        "The last point of a row has no right neighbour: point + 1 is in the row below.",
    ),
    (partial(group_of, diagonal=True), "Stones are connected along the lines, not diagonally."),
    (
        partial(group_of, one_step=True),
        "The neighbours of the neighbours belong to the group, too, and theirs: go on until nothing new is found.",
    ),
    (partial(group_of, alone=True), "The liberties are those of all stones of the group, not of the one at `point`."),
]

# 2

PLAY_SLIPS = [
    (
        partial(played, takes=False),
        "No stone leaves the board: take off opposing groups that have no liberty left AFTER the move. Do you look at "
        "the new board, with the new stone on it?",
    ),
    (partial(played, takes_one=True), "One move may capture several groups."),
    (partial(played, suicide=True), "A move that leaves its own group without a liberty is suicide, so it is illegal."),
    (partial(played, first=True), "Capture first, then look whether the own group has a liberty: a capture makes one."),
    (
        partial(played, lonely=True),
        "A stone without an empty point beside it may live: by the liberties of the group that it joins.",
    ),
]

# 4


def _territory(board, size, komi):
    return lead_of(board, size, komi) - board.count(1) + board.count(2)


def _close_by(board, size, komi):
    """An empty point counts for a colour only if it touches a stone itself."""
    alone = sum(
        (1 if colours == {1} else -1)
        for region, colours in regions_of(board, size)
        if len(colours) == 1
        for point in region
        if point in _beside(board, size, next(iter(colours)))
    )
    return float(board.count(1) - board.count(2) + alone - komi)


def _beside(board, size, colour):
    return {p for stone, c in enumerate(board) if c == colour for p in group_of(board, size, stone)[1]}


def _again_from_a_dead_end(board, size, komi):
    """The neighbours of a region's first point are waited for, and do not belong to it."""
    areas, seen = [0, board.count(1), board.count(2)], set()
    for start in range(size * size):
        if board[start] == 0 and start not in seen:
            beside = neighbours(size, start)
            region, colours = {start}, {board[b] for b in beside} - {0}
            waiting = [b for b in beside if board[b] == 0]
            while waiting:
                near = neighbours(size, waiting.pop())
                new = {b for b in near if board[b] == 0} - region
                colours |= {board[b] for b in near} - {0}
                region |= new
                waiting += new
            seen |= region
            if len(colours) == 1:
                areas[colours.pop()] += len(region)
    return float(areas[1] - areas[2] - komi)


LEAD_SLIPS = [
    (lambda board, size, komi: lead_of(board, size, -komi), "Komi is for White, so it makes Black's lead smaller."),
    (lambda board, size, komi: lead_of(board, size, 0), "Komi is missing."),
    (lambda board, size, komi: -lead_of(board, size, komi), "It is Black's lead that is asked for, not White's."),
    (_territory, "In area scoring the stones themselves count, too."),
    (lambda board, size, komi: float(board.count(1) - board.count(2) - komi), "Empty points count, too: see the text."),
    (_close_by, "A whole empty region belongs to one colour, with the points in its middle that touch no stone."),
    (
        _again_from_a_dead_end,
        "A region is counted more than once. Do the empty points beside its first point belong to it, and to what was "
        "seen, even if one of them is a dead end?",
    ),
]

# 5

EYE_SLIPS = [
    (lambda game: game.legal_moves()[:-1] or game.legal_moves(), "Own eyes must not be filled."),
    (
        partial(playout_moves_of, cornered=False),
        "The diagonal points are not looked at: a false eye is no eye, and must be filled to save what is around it.",
    ),
    (partial(playout_moves_of, edge=1), "At the edge and in a corner of the board one opposing stone makes it false."),
    (partial(playout_moves_of, middle=0), "Away from the edge it takes two opposing stones to make an eye false."),
    (partial(playout_moves_of, middle=2), "Away from the edge two opposing stones make an eye false."),
    (partial(playout_moves_of, both=True), "The opponent's eyes may be played where that is legal."),
    (partial(playout_moves_of, pass_too=True), "A pass is for the player who has no other move left."),
]

# 6

_CAPTURED = "Stones that are captured leave the board, and their points are liberties."
PLANES_SLIPS = [
    (partial(planes_after, most=7), "The last plane stands for 8 liberties or more, and the one before it for 7."),
    (partial(planes_after, shift=0), "Plane 0 stands for one liberty: a legal move never leaves none."),
    (partial(planes_after, before="none"), _CAPTURED),
    (partial(planes_after, before="one"), _CAPTURED),
    (partial(planes_after, before="last"), _CAPTURED),
    (lambda game: planes_after(game).transpose(0, 2, 1), "Rows and columns are swapped: planes[n, row, column]."),
    (partial(planes_after, alone=True), "The liberties are those of the whole group that the stone joins."),
]

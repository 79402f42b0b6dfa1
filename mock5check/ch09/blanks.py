"""What the reader of chapter 9 types: groups and liberties, a move with its captures, and a reader of ladders."""

import numpy as np

from mock5check.answers import NO_RETURN, Facts, Outcome
from mock5check.ch09.boards import CHASES, board_of, call_on_board, picture, random_games
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5go import ladders
from mock5go.board import Go


def points_with_stones(rng):
    """(board, size, point)"""
    for text, points in (
        (".O. ... ...", [1]),
        ("..O X.. ...", [2, 3]),  # no neighbors, though 2 and 3 are
        ("OO. .O. ...", [0, 4]),
        ("..O O.. ..O", [2, 3, 8]),
        ("O. .O", [0, 3]),
        ("OX. .X. ...", [0, 1]),
        (".XO.. XXO.. .OOX. ..XX. .....", [1, 2, 11, 13]),
        ("OOOOO ....O OOOOO O.... OOOOO", [0, 24]),
    ):
        yield from ((*board_of(text), point) for point in points)
    for game in random_games(rng):
        stones = np.flatnonzero(np.array(game.board)).tolist()
        yield from ((list(game.board), game.size, point) for point in stones[:3])


def two_sets(solution, board, size, point):
    answer = solution(board, size, point)
    pair = isinstance(answer, (tuple, list)) and len(answer) == 2
    if not pair or not all(isinstance(part, (set, frozenset)) for part in answer):
        pair = "Return a pair of sets: the points of the stones, and those of the liberties."
        raise Refused(NO_RETURN if answer is None else pair)
    stones, liberties = answer
    return Facts({"the stones": sorted(stones), "the liberties": sorted(liberties)})


@exercise(
    cases=points_with_stones,
    observe=two_sets,
    call=call_on_board("group_of"),
    why="The stones are all those of one color that are connected along the lines; the liberties are the empty points "
    "beside any of them.",
)
def group_of(board, size, point):
    """The stones of the group at a point, and its liberties: two sets."""
    stones, liberties, waiting = {point}, set(), [point]
    while waiting:
        row, col = divmod(waiting.pop(), size)
        for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if 0 <= r < size and 0 <= c < size:
                beside = r * size + c
                if board[beside] == 0:
                    liberties.add(beside)
                elif board[beside] == board[point] and beside not in stones:
                    stones.add(beside)
                    waiting.append(beside)
    return stones, liberties


def moves(rng):
    """(board, size, point, player)"""
    for text, point, player in (
        ("... ... ...", 4, 1),
        (".X. ... ...", 1, 1),
        (".O. O.. ...", 0, 2),  # suicide
        (".O. O.. ...", 0, 1),
        (".O. OX. .O.", 5, 1),  # a capture
        ("OX. .X. X..", 3, 2),
        (".XO XO. O..", 0, 1),
        (".X .O", 0, 1),
        (".OX OX. X..", 0, 2),  # a capture that makes the liberty
        ("O.O .O. OXX", 1, 2),
        (".O.O. OX.XO .O.O. ..... .....", 7, 1),  # two groups at once
        (".OOX. XXXO. OOO.. ..... .....", 0, 2),
        ("OOO O.O OOO", 4, 1),
        ("OOO O.O OOO", 4, 2),
        ("X.O XXO OOO", 1, 1),
        ("OO. OXX .X.", 2, 2),
    ):
        yield *board_of(text), point, player
    for game in random_games(rng):
        points = rng.permutation(game.size**2)[:5].tolist()
        yield from ((list(game.board), game.size, point, int(rng.integers(1, 3))) for point in points)


def new_board(solution, board, size, point, player):
    """The picture of the new board; None is an answer here."""
    answer = solution(board, size, point, player)
    if answer is board:
        raise Refused("It returned the board that it was given. Return a new list.")
    if answer is not None and not isinstance(answer, (list, tuple, np.ndarray)):
        raise Refused("Return a new list, the board after the move, or None.")
    if answer is not None and (len(answer) != size**2 or not set(answer) <= {0, 1, 2}):
        raise Refused(f"A board is a list of {size**2} numbers, each 0, 1 or 2.")
    return Outcome("None" if answer is None else "the board\n" + picture(list(map(int, answer)), size))


@exercise(
    cases=moves,
    observe=new_board,
    call=call_on_board("play"),
    why="On an occupied point the answer is None. Otherwise put the stone down, remove the opponent's groups that have "
    "no liberty left, and only then see whether the new stone's own group has one. If it hasn't, the answer is None.",
)
def play(board, size, point, player):
    """The board after a move of `player`, or None if the move is illegal."""
    if board[point] != 0:
        return None
    after = list(board)
    after[point] = player
    row, col = divmod(point, size)
    for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        beside = r * size + c
        if 0 <= r < size and 0 <= c < size and after[beside] == 3 - player:
            stones, liberties = group_of(after, size, beside)
            if not liberties:
                for stone in stones:
                    after[stone] = 0
    _, liberties = group_of(after, size, point)
    return after if liberties else None


def can_be_caught(game, prey):
    """As the chapter has it, with our answer to the other question."""
    for move in game.liberties(prey):
        if game.why_illegal(move) is None:
            after = game.copy()
            after.apply(move)
            if len(after.liberties(prey)) == 1 and not can_be_saved.solution(after, prey):
                return True
    return False


def preys(rng):
    """(game, a stone in atari whose owner is to move): made by hand, and from games."""
    found = [("OX. .X. X..", 1, 0), ("OX. .X. ...", 1, 0)]  # its liberty is suicide; leaves it one liberty
    for text, player, prey in (*found, *CHASES):
        board, size = board_of(text)
        game = Go(size, board=board, player=player)
        fleeing = board[prey] == player
        for move in [None] if fleeing else sorted(game.liberties(prey)):  # the hunter's move first
            if move is None or game.why_illegal(move) is None:
                after = game.copy()
                if move is not None:
                    after.apply(move)
                if len(after.liberties(prey)) == 1:
                    yield after, prey


@exercise(
    cases=preys,
    long=6.0,
    call=lambda game, prey: f"can_be_saved(game, {prey}), the group at {game.name_of(prey)}, where game is\n{game}",
    why=lambda game, prey: (
        f"The answers to try are {', '.join(map(game.name_of, ladders.answers_of(game, prey)))}. A legal one saves the "
        f"prey "
        "if it leaves it three liberties or more, or two and can_be_caught says no."
    ),
)
def can_be_saved(game, prey):
    """Whether its owner, who is to move, saves a prey in atari."""
    for move in ladders.answers_of(game, prey):
        if game.why_illegal(move) is None:
            after = game.copy()
            after.apply(move)
            liberties = len(after.liberties(prey))
            if liberties > 2 or (liberties == 2 and not can_be_caught(after, prey)):
                return True
    return False

"""The small exercises of chapter 9, each declared by its solution."""

import numpy as np

from mock5check.ch09.boards import board_of, call_on_board, members, random_games
from mock5check.spec import exercise
from mock5go.board import Go


def ends(rng):
    """(board, size, komi)"""
    for text, komi in (
        ("..O .O. O..", 0.5),
        ("O.. .O. ..X", 0.5),  # neutral points
        ("... ... ...", 7.5),
        ("... .X. ...", 0.5),
        (".OX. .OX. .OX. .OX.", -3.5),
        ("O.X O.X O.X", 0.0),
        ("XO.X. XOOXO XO.XO XOOXO .OXXO", 1.5),
        ("X.... OOOO. ..... .OOOO .....", 0.5),  # one region, far round
    ):
        yield *board_of(text), komi
    for game in random_games(rng, 30):
        yield list(game.board), game.size, float(rng.integers(-3, 15)) / 2


@exercise(
    cases=ends,
    call=call_on_board("lead"),
    why="Count a color's stones, and the empty regions that touch only that color. The lead is Black's minus White's "
    "minus komi.",
    shows={"areas": "the points of nobody, Black and White, one region after the other"},
)
def lead(board, size, komi):
    """Black's area minus White's, after komi."""
    areas, seen = [0, board.count(1), board.count(2)], set()
    for start in range(size * size):
        if board[start] or start in seen:
            continue
        region, colors, waiting = {start}, set(), [start]
        while waiting:
            row, col = divmod(waiting.pop(), size)
            for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                if 0 <= r < size and 0 <= c < size:
                    beside = r * size + c
                    if board[beside]:
                        colors.add(board[beside])
                    elif beside not in region:
                        region.add(beside)
                        waiting.append(beside)
        seen |= region
        if len(colors) == 1:
            areas[colors.pop()] += len(region)
    return areas[1] - areas[2] - komi


def position(text, player):
    board, size = board_of(text)
    return Go(size, 0.5, board=board, player=player)


KO = ".OX. O.OX .OX. ....", 5  # White takes a stone at 5


def games_with_a_past():
    """After a ko; passed once; over; forbidden by superko."""
    ko = position(KO[0], 2)
    ko.apply(KO[1])
    return [ko, Go(3, history=[4, 9]), Go(3, history=[4, 9, 9]), Go(2, history=[3, 1, 0, 4, 2, 1])]


def games_with_eyes(rng):
    """(game,)"""
    for text, player in (
        (".O... OO... ..... ..... .....", 1),  # in the corner
        (".O... OX... ..... ..... .....", 1),
        (".O.O. OOOOO ..... ..... .....", 1),  # on the edge
        ("O.O.. XO... ..... ..... .....", 1),
        ("..... ..O.. .O.O. ..O.. .....", 1),  # in the middle
        ("..... ..O.. .O.O. ..O.. .....", 2),
        ("..... .XO.. .O.O. ..O.. .....", 1),
        ("..... .XO.. .O.O. ..OX. .....", 1),
        ("..O.. OOO.. ..... ..... .....", 1),
        (".O.OO OOOOO OOOOO OOOOO OOOO.", 1),  # nothing but eyes
        (".X.XX XXXXX XXXXX XXXXX XXXX.", 2),
        (".O O.", 2),
        (".XO.. XXO.. OOO.. ..... .....", 1),
    ):
        yield (position(text, player),)
    yield from ((game,) for game in games_with_a_past())
    yield from ((game,) for game in random_games(rng, 30))


def moves(solution, game):
    return members(solution(game), (list, tuple), "Return a list of moves, which are whole numbers.")


def is_own_eye(game, point):
    """Whether an empty point is an eye of the player to move."""
    row, col = divmod(point, game.size)
    beside, across = [], []
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            r, c = row + dr, col + dc
            if (dr, dc) != (0, 0) and 0 <= r < game.size and 0 <= c < game.size:
                stone = game.board[r * game.size + c]
                (across if dr and dc else beside).append(stone)
    if any(stone != game.player for stone in beside):
        return False
    return across.count(3 - game.player) <= (1 if len(across) == 4 else 0)


@exercise(
    cases=games_with_eyes,
    observe=moves,
    uses=[is_own_eye],
    call=lambda game: f"playout_moves(game), player {game.player} to move, where game is\n{game}",
    why="List all legal points except the player's own eyes. Pass only if there are none. Once the game is over, "
    "return [].",
)
def playout_moves(game):
    """What a random playout may choose from."""
    legal = game.legal_moves()
    moves = [m for m in legal if m != game.pass_move and not is_own_eye(game, m)]
    return moves or legal[-1:]


def games_to_count(rng):
    """(game,)"""
    for text, player in (
        ("... ... ...", 1),
        (".O. OX. .O.", 1),  # a capture gives liberties
        (".X. X.X .X.", 1),
        (".O.O. ..... ..... ..... .....", 1),
        (".XO.. X.XO. .XO.. ..... .....", 1),
        (".OOO.O. ....... ..X.... .XXXX.. ..X.... ....... .......", 2),  # eight and more
        (".OOO.O. ....... ..X.... .XXXX.. ..X.... ....... .......", 1),
        ("XXX. OOO. .... ....", 1),
    ):
        yield (position(text, player),)
    yield from ((game,) for game in games_with_a_past())
    yield from ((game,) for game in random_games(rng, 12))


@exercise(
    cases=games_to_count,
    why="Plane n − 1 is 1 where a legal move leaves its group n liberties, after captured stones are off the board. "
    "The last plane is for eight or more.",
)
def liberties_after(game):
    """(8, size, size): how many liberties each legal move leaves its group."""
    planes = np.zeros((8, game.size, game.size), np.float32)
    for move in game.legal_moves():
        if move == game.pass_move:
            continue
        game.apply(move)
        liberties = len(game.liberties(move))
        game.undo()
        planes[min(liberties, 8) - 1, move // game.size, move % game.size] = 1
    return planes

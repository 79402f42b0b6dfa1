"""The small exercises of chapter 9, each declared by its solution."""

import numpy as np

from mock5check.answers import Outcome
from mock5check.ch09.boards import board_of, picture
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5check.watch import kept_shut
from mock5lib.go import planes as package_planes
from mock5lib.go.board import Go


def random_games(rng, count=12):
    """Games of Go after some random moves, with captures."""
    for size, moves in zip(rng.integers(2, 8, count), rng.integers(3, 60, count)):
        game = Go(int(size), 0.5)
        for _ in range(moves):
            if len(choices := game.playout_moves()):
                game.apply(int(rng.choice(choices)))
        yield game


def call_on_board(name):
    return lambda board, size, *rest: (
        f"{name}(board, {', '.join(map(str, (size, *rest)))}), where board is\n{picture(board, size)}"
    )


def points_with_stones(rng):
    """(board, size, point)"""
    for text, points in (
        (".O. ... ...", [1]),
        ("..O X.. ...", [2, 3]),  # no neighbours, though 2 and 3 are
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
        blank = "It returned nothing. Is a `return` missing?"
        raise Refused(blank if answer is None else "Return a pair of sets: the stones' points, the liberties' points.")
    return tuple(sorted(part) for part in answer)


@exercise(
    cases=points_with_stones,
    observe=two_sets,
    call=call_on_board("group_of"),
    why="The stones that are connected along the lines, and the empty points beside any of them.",
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
        raise Refused("It handed back the board that it was given. Return a new list.")
    if answer is not None and not isinstance(answer, (list, tuple, np.ndarray)):
        raise Refused("Return a new list, the board after the move, or None.")
    if answer is not None and (len(answer) != size**2 or not set(answer) <= {0, 1, 2}):
        raise Refused(f"A board is a list of {size**2} numbers, each 0, 1 or 2.")
    return Outcome("None" if answer is None else "the board\n" + picture(list(map(int, answer)), size))


@exercise(
    cases=moves,
    observe=new_board,
    call=call_on_board("play"),
    why="None on an occupied point. Otherwise put the stone down, take off the opposing groups without a liberty, and "
    "only then ask whether the new stone's group has one; if not, None.",
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
    why="Stones count, and empty regions that touch one colour only; Black's less White's, less komi.",
    shows=["areas"],
)
def lead(board, size, komi):
    """Black's area minus White's, after komi."""
    areas, seen = [0, board.count(1), board.count(2)], set()
    for start in range(size * size):
        if board[start] or start in seen:
            continue
        region, colours, waiting = {start}, set(), [start]
        while waiting:
            row, col = divmod(waiting.pop(), size)
            for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                if 0 <= r < size and 0 <= c < size:
                    beside = r * size + c
                    if board[beside]:
                        colours.add(board[beside])
                    elif beside not in region:
                        region.add(beside)
                        waiting.append(beside)
        seen |= region
        if len(colours) == 1:
            areas[colours.pop()] += len(region)
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


def sorted_moves(solution, game):
    said = "This exercise is about writing it yourself, from `game.board` and `game.legal_moves()`."
    with kept_shut((Go, "playout_moves"), (Go, "is_eye"), said=said):
        answer = solution(game)
    if not isinstance(answer, (list, tuple)) or not all(isinstance(move, (int, np.integer)) for move in answer):
        blank = "It returned nothing. Is a `return` missing?"
        raise Refused(blank if answer is None else "Return a list of moves, which are whole numbers.")
    return sorted(map(int, answer))


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
    observe=sorted_moves,
    uses=[is_own_eye],
    call=lambda game: f"playout_moves(game), player {game.player} to move, where game is\n{game}",
    why="All legal points that are no eyes of the player to move; the pass only where there is none; [] once the game "
    "is over.",
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


def with_the_planes_shut(solution, game):
    doors = [(package_planes.GoPlanes, name) for name in ("fill", "encode", "of_states")]
    doors += [(package_planes, "readable_planes"), (package_planes, "describe_move")]
    with kept_shut(*doors, said="This exercise is about computing the planes yourself."):
        return solution(game)


@exercise(
    cases=games_to_count,
    observe=with_the_planes_shut,
    why="Plane n − 1 has a 1 where a legal move leaves its group n liberties, with captured stones off the board; the "
    "last plane stands for eight or more.",
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

"""Checks of chapter 9's exercises: Go."""

from __future__ import annotations

from functools import cache
from traceback import walk_tb

import numpy as np

from mock5check.answers import NO_RETURN, describe_call, kind_problem, same, show
from mock5check.ch09 import boards
from mock5check.ch09.boards import (
    areas_of,
    board_of,
    lead_of,
    picture,
    planes_after,
    played,
    playout_moves_of,
    regions_of,
)
from mock5check.ch09.capstone import is_captured
from mock5check.ch09.ko import KoMemory
from mock5check.ch09.positions import ENDS, EYES, GROUPS, KO, LIBERTIES, LONG_KO, MOVES, RANDOM_ENDS
from mock5check.ch09.slips import EYE_SLIPS, GROUP_SLIPS, LEAD_SLIPS, PLANES_SLIPS, PLAY_SLIPS
from mock5check.core import graded, the_one_slip
from mock5check.frozen import right_when_new
from mock5check.watch import is_learners, kept_shut, learners_line, meaning
from mock5lib.go import planes
from mock5lib.go.board import Go

__all__ = ["KoMemory", "group_of", "is_captured", "lead", "liberties_after", "play", "playout_moves"]

KEPT = "The same call is right when everything is new. Do you keep something between calls, such as a default argument?"
COLOURS = ("empty", "Black (O)", "White (X)")


@cache
def _random_stones(seed: int, size: int, moves: int) -> tuple[int, ...]:
    rng, board, player = np.random.default_rng(seed), [0] * size**2, 1
    for _ in range(moves):
        after = played(board, size, int(rng.integers(size**2)), player)
        if after:
            board, player = after, 3 - player
    return tuple(board)


def random_board(seed: int, size: int, moves: int) -> list[int]:
    """A board after so many random moves, with captures and without ko."""
    return list(_random_stones(seed, size, moves))


def names(points, size: int, passes: bool = False) -> str:
    """Points with their rows and columns; what is no point of the board as it is. passes: may they be passes, too?"""
    plain = sorted((point for point in points if isinstance(point, (int, np.integer))), key=int)
    told = [f"{point} ({_place(int(point), size, passes)})" for point in plain[:8]]
    told += [show(point) for point in points if not isinstance(point, (int, np.integer))][:2]
    return ", ".join(told) + (f" and {len(points) - len(told)} more" if len(points) > len(told) else "")


def _place(point: int, size: int, passes: bool) -> str:
    if 0 <= point < size**2:
        return f"row {point // size}, column {point % size}"
    return "the pass" if passes and point == size**2 else "no point of this board"


# 1. Groups and liberties ----------------------------------------------------------------------------------------------


@graded
def group_of(trial, function) -> None:
    """Check `group_of(board, size, point)`: the stones of the group at a point, and its liberties."""
    cases = [(board, size, point) for text, points in GROUPS for board, size in [board_of(text)] for point in points]
    rng = np.random.default_rng(9)
    for size, moves in ((5, 30), (9, 90), (19, 600)):
        board = random_board(size, size, moves)
        stones = [point for point, stone in enumerate(board) if stone]
        cases += [(board, size, int(point)) for point in rng.permutation(stones)[:5]]
    snake = [1 if row % 2 == 0 or col == (18 if row % 4 == 1 else 0) else 0 for row in range(19) for col in range(19)]
    cases.append((snake, 19, 0))

    for board, size, point in cases:
        call = f"group_of(board, {size}, {point}), where board is\n{picture(board, size)}"
        answer = trial.call(function, list(board), size, point, shown=call)
        pair = isinstance(answer, (tuple, list)) and len(answer) == 2
        if not pair or not all(isinstance(part, (set, frozenset)) for part in answer):
            text = "Return a pair of sets: the points of the stones, and the points of the liberties."
            trial.fail(NO_RETURN if answer is None else text, call=call, answer=answer)
        right = boards.group_of(board, size, point)
        told = [
            difference_of(what, part, wanted, size)
            for what, part, wanted in zip(("the stones", "the liberties"), answer, right)
        ]
        hint = _hint_of_group(function, (list(board), size, point), right, cases) if any(told) else None
        trial.require(not any(told), " ".join(told).strip(), call=call, hint=hint)


def _hint_of_group(function, case: tuple, right: tuple, cases: list) -> str | None:
    if right_when_new(function, case, lambda answer: tuple(map(set, answer)) == right):
        return KEPT
    return the_one_slip(function, cases, GROUP_SLIPS)


def difference_of(what: str, points, right, size: int, passes: bool = False) -> str:
    """Which points are missing, and which are too many, in a sentence; empty if none is."""
    found = {"missing": set(right) - set(points), "too many": set(points) - set(right)}
    told = [f"{how}: {names(which, size, passes)}" for how, which in found.items() if which]
    return f"Of {what}, {'; '.join(told)}." if told else ""


# 2. A move that captures ----------------------------------------------------------------------------------------------


@graded
def play(trial, function) -> None:
    """Check `play(board, size, point, player)`: the board after a move, or None if it is illegal."""
    cases = [(*board_of(text), point, player) for text, point, player in MOVES]
    rng = np.random.default_rng(17)
    for size, moves in ((2, 7), (3, 14), (3, 17), (4, 40), (5, 60), (5, 61), (7, 130), (9, 200)):
        board = random_board(size, size, moves)
        points = range(size**2) if size < 5 else rng.permutation(size**2)[:8].tolist()
        cases += [(board, size, point, player) for point in points for player in (1, 2)]

    for board, size, point, player in cases:
        call = f"play(board, {size}, {point}, {player}), where board is\n{picture(board, size)}"
        wanted = played(board, size, point, player)
        answer = trial.call(function, list(board), size, point, player, shown=call, fresh=wanted is not None)
        both = answer is not None and wanted is not None
        problem = kind_problem(answer, wanted) if both else None
        if problem or not same(answer, wanted):
            hint = the_one_slip(function, cases, PLAY_SLIPS)
            reason = _capital(problem) if problem else _why_played(board, size, point, player, wanted)
            trial.fail(reason, call=call, hint=hint, answer=answer, right=wanted)
        trial.cases += 1
    board, size, point, player = cases[0]
    trial.call(function, list(board), size, point, player, fresh=True)  # once more: is it another list?
    board, size = board_of(".OX. O.OX .OX. ....")  # White takes a stone at 5, and Black takes that at 6
    after = trial.call(function, list(board), size, 5, 2, fresh=True)
    back = trial.call(
        function, list(after), size, 6, 1, fresh=True, shown=f"play(board, {size}, 6, 1), a ko taken back"
    )
    text = "Each call stands alone: nothing is remembered, and ko, which needs a memory, is left to exercise 3."
    trial.require(
        back is not None and list(back) == list(board), text, call=f"play(board, {size}, 6, 1), a ko taken back"
    )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _why_played(board, size: int, point: int, player: int, wanted) -> str:
    place = f"{COLOURS[player]} plays point {names([point], size)}"
    if board[point]:
        return f"{place}, where there is a stone already: None."
    if wanted is None:
        return f"{place}. Nothing is captured, and the stone's own group would have no liberty: suicide, so None."
    taken = [at for at in range(size**2) if board[at] and not wanted[at]]
    return f"{place}. Captured: {names(taken, size) or 'nothing'}. The board then is\n{picture(wanted, size)}"


# 4. Who has won? ------------------------------------------------------------------------------------------------------


@graded
def lead(trial, function) -> None:
    """Check `lead(board, size, komi)`: Black's area less White's area and komi."""
    cases = [(*board_of(text), komi) for text, komi in ENDS]
    for size, moves, komi in RANDOM_ENDS:
        cases.append((random_board(size, size, moves), size, komi))

    def why(board, size, komi):
        black, white = areas_of(board, size)
        neutral = sum(len(region) for region, colours in regions_of(board, size) if len(colours) != 1)
        return (
            f"Black has {board.count(1)} stones and {black - board.count(1)} empty points, White {board.count(2)} and "
            f"{white - board.count(2)}; {neutral} points are nobody's. {black} − {white} − {komi:g}."
        )

    def call(board, size, komi):
        return f"lead(board, {size}, {komi}), where board is\n{picture(board, size)}"

    trial.compare(function, cases, right=lead_of, why=why, slips=LEAD_SLIPS, call=call)


# 5. Eyes that playouts must not fill ----------------------------------------------------------------------------------


@graded
def playout_moves(trial, function) -> None:
    """Check `playout_moves(game)`: what a random playout may choose from."""
    cases = [(Go(size, 0.5, board=board, player=player),) for text, player in EYES for board, size in [board_of(text)]]
    ko = Go(4, board=board_of(KO[0])[0], player=2, ko="simple")
    ko.apply(5)
    over, passed, stopped = Go(3, history=[4, 9, 9]), Go(3, history=[4, 9]), Go(3, max_moves=2, history=[0, 1])
    cases += [
        (without_past(ko),),
        (ko,),
        (without_past(over),),
        (over,),
        (Go(3, 0, history=[9, 9]),),  # a draw, whose winner is 0
        (passed,),
        (stopped,),
        (Go(2, history=LONG_KO),),
    ]

    said = "This exercise is about writing it yourself, from `game.board` and `game.legal_moves()`."
    with kept_shut((Go, "playout_moves"), (Go, "is_eye"), said=said):
        for (game,) in cases:
            _check_moves(trial, function, game, cases)
        for seed, size in ((0, 4), (1, 5)):
            met = _playout(trial, function, seed, size)
            for (game,) in met:
                _check_moves(trial, function, game, met)


def without_past(game: Go) -> Go:
    """The same stones and the same player to move, and nothing was played before."""
    return Go(game.size, board=list(game.board), player=game.player, ko=game.ko)


def _check_moves(trial, function, game: Go, cases: list) -> None:
    """The moves for one position, in any order."""
    call = f"playout_moves(game), {COLOURS[game.player]} to move, where game is\n{game}"
    answer = trial.call(function, game, shown=call)
    if not isinstance(answer, (list, tuple)) or not _all_ints(answer):
        text = "Return a list of moves, which are whole numbers."
        trial.fail(NO_RETURN if answer is None else text, call=call, answer=answer)
    right = playout_moves_of(game)
    told = difference_of("the moves", answer, right, game.size, passes=True)
    if not told and len(answer) > len(right):
        told = "A move stands in the list more than once."
    hint = the_one_slip(function, cases, EYE_SLIPS, _sorted) if told else None
    trial.require(not told, f"{told} {_why_differs(game, answer, right)}{_why_moves(game)}", call=call, hint=hint)


def _why_differs(game: Go, answer, right: list) -> str:
    """Why one missing point is no eye, and why one that is too many may not be played."""
    told = []
    for move in sorted(set(right) - set(answer) - {game.pass_move})[:1]:
        told.append(f"{move} is no own eye: {_why_no_eye(game, move)}. ")
    for move in sorted(point for point in set(answer) - set(right) if 0 <= point < game.size**2)[:1]:
        problem = None if game.over else game.why_illegal(int(move))
        told += [f"{move} is not legal: {problem}. "] if problem else []
    return "".join(told)


def _why_no_eye(game: Go, point: int) -> str:
    beside = [game.board[b] for b in boards.neighbours(game.size, point)]
    if 0 in beside:
        return "beside it is an empty point"
    if 3 - game.player in beside:
        return "beside it is an opposing stone"
    held = sum(game.board[corner] == 3 - game.player for corner in boards.corners(game.size, point))
    edge = ", and it lies on the edge of the board" * (len(boards.corners(game.size, point)) < 4)
    return f"{held} opposing stone{'s' * (held > 1)} diagonally{edge}"


def _why_moves(game: Go) -> str:
    if game.over:
        return "The game is over, so there is no move."
    right = playout_moves_of(game)
    if right == [game.pass_move]:
        return f"No point is left that may be played and is no own eye, so there is the pass alone, {game.pass_move}."
    eyes = [move for move in game.legal_moves()[:-1] if move not in right]
    return f"Legal points that are own eyes: {names(eyes, game.size) or 'none'}. A pass is for when nothing is left."


def _sorted(solution, game):
    return sorted(solution(game))


def _all_ints(answer) -> bool:
    return all(isinstance(move, (int, np.integer)) and not isinstance(move, bool) for move in answer)


def _playout(trial, function, seed: int, size: int) -> list[tuple]:
    """The positions of one playout that samples from the learner's moves."""
    game, rng, met = Go(size, 0.5), np.random.default_rng(seed), []
    while not game.over:
        met.append((game.copy(),))
        moves = trial.call(function, game)
        if not isinstance(moves, (list, tuple)) or not len(moves) or not set(moves) <= set(game.legal_moves()):
            return met  # the comparison says what is wrong here
        game.apply(int(rng.choice(sorted(moves))))
    return met[:: max(1, len(met) // 12)]


# 6. Eight planes ------------------------------------------------------------------------------------------------------


@graded
def liberties_after(trial, function) -> None:
    """Check `liberties_after(game)`: one plane for each number of liberties that a move would leave its group."""
    cases = [(Go(size, board=board, player=player),) for text, player in LIBERTIES for board, size in [board_of(text)]]
    ko = Go(4, board=board_of(KO[0])[0], player=2, ko="simple")
    ko.apply(5)
    over = Go(3, history=[4, 9, 9])
    cases += [
        (without_past(ko),),
        (ko,),
        (without_past(over),),
        (over,),
        (Go(3, history=[4, 9]),),
        (Go(2, history=LONG_KO),),
    ]
    rng = np.random.default_rng(6)
    for size, plies in ((4, 15), (5, 20), (7, 45)):
        game = Go(size)
        for _ in range(plies):
            if not game.over:
                game.apply(int(rng.choice(playout_moves_of(game))))
        cases.append((game,))

    said = "This exercise is about computing the planes yourself."
    doors = [(planes.GoPlanes, "fill"), (planes.GoPlanes, "encode"), (planes.GoPlanes, "of_states")]
    doors += [(planes, "readable_planes"), (planes, "describe_move")]
    with kept_shut(*doors, said=said):
        for (game,) in cases:
            _check_planes(trial, function, game, cases)


def _check_planes(trial, function, game: Go, cases: list) -> None:
    call, plies, right = describe_call(function, (game,)), len(game.history), planes_after(game)
    try:
        answer = trial.call(function, game, shown=call, lets_through=(ValueError,))
    except ValueError as error:
        hint = "An earlier move was not taken back." if _moves_left(error, plies) else None
        trial.fail(meaning(error), call=call, line=learners_line(error), hint=hint)
    problem = kind_problem(answer, right)
    if problem:
        trial.fail(_capital(problem), call=call, answer=answer)
    if not same(answer, right):
        new = right_when_new(function, (game.copy(),), lambda found: same(found, right))
        hint = KEPT if new else the_one_slip(function, cases, PLANES_SLIPS)
        trial.fail(_why_planes(game, right), call=call, hint=hint, answer=answer, right=right)
    trial.cases += 1


def _moves_left(error: ValueError, plies: int) -> bool:
    """Had the learner's function a game, when it stopped, with more moves than at the beginning?"""
    frames = [frame for frame, _ in walk_tb(error.__traceback__) if is_learners(frame.f_code.co_filename)]
    games = [value for frame in frames for value in frame.f_locals.values() if isinstance(value, Go)]
    return any(len(game.history) > plies for game in games)


def _why_planes(game: Go, right: np.ndarray) -> str:
    if game.over:
        return "The game is over, so no move is legal: all planes are 0."
    told = [f"plane {n} has {int(plane.sum())}" for n, plane in enumerate(right) if plane.any()]
    found = f"Of the points that may be played, {', '.join(told)}." if told else "No point may be played: all are 0."
    empty = [point for point, stone in enumerate(game.board) if stone == 0]
    ko = [point for point in empty if (game.why_illegal(point) or "").endswith("ko")]
    return f"{COLOURS[game.player]} is to move. {found}{f' Ko forbids {names(ko, game.size)}.' if ko else ''}"

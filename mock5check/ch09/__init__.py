"""Checks of chapter 9's exercises: Go."""

from __future__ import annotations

from functools import cache

import numpy as np

from mock5check.answers import NO_RETURN, kind_problem, same, show
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
from mock5check.ch09.positions import ENDS, EYES, GROUPS, KO, LIBERTIES, MOVES, RANDOM_ENDS, SCRIPTS
from mock5check.ch09.slips import (
    EYE_SLIPS,
    GROUP_SLIPS,
    LEAD_SLIPS,
    MEMORY_SLIPS,
    PLANES_SLIPS,
    PLAY_SLIPS,
    RightMemory,
)
from mock5check.core import graded, the_one_slip
from mock5check.watch import kept_shut
from mock5lib.go import planes
from mock5lib.go.board import Go

__all__ = ["KoMemory", "group_of", "is_captured", "lead", "liberties_after", "play", "playout_moves"]

LETTERS = "ABCDEFGH"  # names of the boards of the scripts
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


def names(points, size: int) -> str:
    """Points with their rows and columns; what is no point of the board as it is."""
    plain = sorted((point for point in points if isinstance(point, (int, np.integer))), key=int)
    told = [f"{point} (row {point // size}, column {point % size})" for point in plain[:8]]
    told += [show(point) for point in points if not isinstance(point, (int, np.integer))][:2]
    return ", ".join(told) + (f" and {len(points) - len(told)} more" if len(points) > len(told) else "")


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
        hint = the_one_slip(function, cases, GROUP_SLIPS) if any(told) else None
        trial.require(not any(told), " ".join(told).strip(), call=call, hint=hint)


def difference_of(what: str, points, right, size: int) -> str:
    """Which points are missing, and which are too many, in a sentence; empty if none is."""
    found = {"missing": set(right) - set(points), "too many": set(points) - set(right)}
    told = [f"{how}: {names(which, size)}" for how, which in found.items() if which]
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
        answer, wanted = trial.call(function, list(board), size, point, player, shown=call, fresh=True), None
        wanted = played(board, size, point, player)
        both = answer is not None and wanted is not None
        problem = kind_problem(answer, wanted) if both else None
        if problem or not same(answer, wanted):
            hint = the_one_slip(function, cases, PLAY_SLIPS)
            reason = _capital(problem) if problem else _why_played(board, size, point, player, wanted)
            trial.fail(reason, call=call, hint=hint, answer=answer, right=wanted)
        trial.cases += 1


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


# 3. A memory for ko ---------------------------------------------------------------------------------------------------


@graded
def KoMemory(trial, memory_class) -> None:  # noqa: N802 - named like the class that it checks
    """Check the class `KoMemory(board, rule)` with `allows(after)`, `add(board)` and `copy()`."""
    given = [board_of(text)[0] for text in KO]
    cases = [(rule, script) for script in SCRIPTS for rule in ("simple", "positional")]
    why = (
        'Shown are the answers of all calls of `allows`, in turn. "simple" forbids the one position before the last '
        'move or pass; "positional" forbids all positions that there have been, the present one among them.'
    )

    def observe(build, rule, script):
        game = list(given[0])  # the game's own list, which goes on changing
        memories, found = {"memory": build(game, rule)}, []
        for step, *board in script:
            who, method = ("other", step[6:]) if step.startswith("other ") else ("memory", step)
            called = f"{who}.{method}({LETTERS[board[0]] if board else ''})"
            if not callable(getattr(memories[who], method, None)):
                trial.fail(f"There is no method `{method}` in what should be a KoMemory.", call=called)
            game[:] = given[board[0]] if board else game
            answer = trial.call(getattr(memories[who], method), *([game] if board else []), shown=called)
            if method == "copy":
                memories["other"] = answer
            found += [answer] if method == "allows" else []
        return found

    def call(rule, script):
        steps = [f"{step} {'' if not board else LETTERS[board[0]]}".strip() for step, *board in script]
        shown = sorted({0, *(board[0] for _, *board in script if board)})
        below = "\n".join(f"{LETTERS[i]}: {KO[i]}" for i in shown)
        return f"KoMemory(A, {rule!r}): {', '.join(steps)}; where the rows of the boards are\n{below}"

    trial.compare(memory_class, cases, right=RightMemory, why=why, slips=MEMORY_SLIPS, observe=observe, call=call)


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
    over = Go(3, history=[4, 9, 9])
    passed = Go(3, history=[4, 9])
    cases += [(ko,), (over,), (passed,)]

    said = "This exercise is about writing it yourself, from `game.board` and `game.legal_moves()`."
    with kept_shut((Go, "playout_moves"), (Go, "is_eye"), said=said):
        for (game,) in cases:
            _check_moves(trial, function, game, cases)
        for seed, size in ((0, 4), (1, 5)):
            met = _playout(trial, function, seed, size)
            for (game,) in met:
                _check_moves(trial, function, game, met)


def _check_moves(trial, function, game: Go, cases: list) -> None:
    """The moves for one position, in any order."""
    call = f"playout_moves(game), {COLOURS[game.player]} to move, where game is\n{game}"
    answer = trial.call(function, game, shown=call)
    if not isinstance(answer, (list, tuple)) or not _all_ints(answer):
        text = "Return a list of moves, which are whole numbers."
        trial.fail(NO_RETURN if answer is None else text, call=call, answer=answer)
    right = playout_moves_of(game)
    told = difference_of("the moves", answer, right, game.size)
    if not told and len(answer) > len(right):
        told = "A move stands in the list more than once."
    hint = the_one_slip(function, cases, EYE_SLIPS, _sorted) if told else None
    trial.require(not told, f"{told} {_why_moves(game)}", call=call, hint=hint)


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
    cases += [(ko,), (Go(3, history=[4, 9, 9]),), (Go(3, history=[4, 9]),)]
    rng = np.random.default_rng(6)
    for size, plies in ((4, 15), (5, 20), (7, 45)):
        game = Go(size)
        for _ in range(plies):
            if not game.over:
                game.apply(int(rng.choice(playout_moves_of(game))))
        cases.append((game,))

    def why(game):
        if game.over:
            return "The game is over, so no move is legal: all planes are 0."
        right = planes_after(game).reshape(8, -1)
        told = [f"plane {n} has {int(plane.sum())}" for n, plane in enumerate(right) if plane.any()]
        return f"{COLOURS[game.player]} is to move. Of the points that may be played, {', '.join(told)}."

    said = "This exercise is about computing the planes yourself."
    doors = [(planes.GoPlanes, "fill"), (planes.GoPlanes, "encode"), (planes.GoPlanes, "of_states")]
    doors += [(planes, "readable_planes"), (planes, "describe_move")]
    with kept_shut(*doors, said=said):
        trial.compare(function, cases, right=planes_after, why=why, slips=PLANES_SLIPS)

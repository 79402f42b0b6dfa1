"""Single cases of the exercises of chapter 2 whose right answer is more than one value to compare."""

import numpy as np

from mock5check.core import Trial, same
from mock5check.slips import NO_RETURN
from mock5lib.game.symmetry import transform_moves

DRAWS = 3000  # moves that a chooser is asked for in each case

# Planes -------------------------------------------------------------------------------------------------------------


def planes_case(trial: Trial, function, board, player, stones, right) -> None:
    height, width = stones.shape
    call = f"planes({board if len(board) < 12 else '[…]'}, player={player}, height={height}, width={width})"
    answer = trial.call(function, list(board), player, height, width)
    if answer is None:
        trial.fail(NO_RETURN, call=call)
    try:
        answer = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        trial.fail("Return one array of numbers, shape (3, height, width).", call=call)
    if answer.shape != right.shape:
        hint = "Height comes first: a row has `width` points." if answer.shape == (3, width, height) else None
        trial.fail(
            f"The shape is {answer.shape}, wanted {right.shape}: three planes, rows, columns.", call=call, hint=hint
        )
    if not np.array_equal(answer, right):
        why = f"On the board\n{stones}\nplayer {player} is to move."
        trial.fail(why, call=call, answer=answer, right=right, hint=_planes_hint(answer, right, player, stones))
    trial.cases += 1


def _planes_hint(answer, right, player, stones) -> str | None:
    wrong = {
        "Plane 0 holds the stones of the player TO MOVE, which need not be black.": (right[[1, 0, 2]], player == 2),
        "Own and the other's planes changed places.": (right[[1, 0, 2]], True),
        "The order is own, other, empty.": (right[[2, 0, 1]], True),
        "The third plane is 1 on EMPTY points.": (np.concatenate([right[:2], 1 - right[2:]]), True),
    }
    for cause, (planes_, applies) in wrong.items():
        if applies and same(answer, planes_):
            return cause
    if answer.max() > 1:
        return "A plane holds ones and zeros only, not the numbers of the players."
    turned = right.transpose(0, 2, 1).reshape(right.shape)
    if same(answer, turned):
        return "Rows and columns changed places. The board lists row after row: reshape to (height, width)."
    return "The board lists row after row: reshape(height, width), without turning it." if stones.size > 4 else None


# Split by game ------------------------------------------------------------------------------------------------------


def split_case(trial: Trial, function, lengths, fraction: float, seed: int) -> None:
    call = f"held_out({_few(lengths)}, {fraction}, np.random.default_rng({seed}))"
    mask = trial.call(function, lengths.copy(), fraction, np.random.default_rng(seed))
    if mask is None:
        trial.fail(NO_RETURN, call=call)
    mask = np.asarray(mask)
    if mask.shape == lengths.shape and lengths.sum() != len(lengths):
        hint = "np.repeat(chosen, lengths) carries an answer per game to the game's positions."
        trial.fail("This is one answer per GAME. Wanted is one per position.", call=call, hint=hint)
    if mask.shape != (lengths.sum(),) or mask.dtype != bool:
        trial.fail(
            f"Return an array of bool, one per position: {lengths.sum()} in all. "
            f"This has shape {mask.shape} and holds {mask.dtype}.",
            call=call,
        )
    per_game = [part for part in np.split(mask, np.cumsum(lengths)[:-1])]
    torn = [g for g, part in enumerate(per_game) if part.any() != part.all()]
    if torn:
        trial.fail(
            f"Game {torn[0]} is torn: {per_game[torn[0]].sum()} of its {lengths[torn[0]]} positions are held out, the "
            "others are learnt. Positions of one game are alike; choose whole GAMES.",
            call=call,
        )
    wanted = min(max(round(fraction * len(lengths)), 1), len(lengths) - 1)
    chosen = sum(part.all() for part in per_game)
    if chosen != wanted:
        hint = "True marks the positions that are held OUT." if chosen == len(lengths) - wanted else None
        trial.fail(
            f"{chosen} of {len(lengths)} games are held out. Wanted are round({fraction} · {len(lengths)}), at least 1 "
            f"and at most {len(lengths) - 1}: {wanted}.",
            call=call,
            hint=hint,
        )
    again = trial.call(function, lengths.copy(), fraction, np.random.default_rng(seed))
    trial.require(
        np.array_equal(mask, again),
        "The same generator gave another split. Draw from `rng` and nothing else.",
        call=call,
    )


def fair_split(trial: Trial, function) -> None:
    """Every game has the same chance to be held out, however long it is."""
    lengths = np.array([2, 40, 3, 3, 20, 2, 5, 9, 30, 4])
    counts = np.zeros(10)
    for seed in range(300):
        mask = np.asarray(trial.call(function, lengths.copy(), 0.3, np.random.default_rng(seed)))
        counts += [part.all() for part in np.split(mask, np.cumsum(lengths)[:-1])]
    worst = int(abs(counts / 300 - 0.3).argmax())
    trial.require(
        abs(counts[worst] / 300 - 0.3) < 0.13,
        f"With 300 different generators game {worst} of 10, {lengths[worst]} moves long, was held out "
        f"{int(counts[worst])} times where some 90 are expected. Each game should have the same chance: draw games, "
        "without repetition.",
        call="held_out([2, 40, 3, 3, 20, 2, 5, 9, 30, 4], 0.3, rng)",
    )


def _few(lengths) -> str:
    return (
        str(lengths.tolist()) if len(lengths) <= 8 else f"[{', '.join(map(str, lengths[:6]))}, … {len(lengths)} games]"
    )


# Turn an example ----------------------------------------------------------------------------------------------------


def turn_case(trial: Trial, function, before, move: int) -> None:
    channels, height, width = before.shape
    call = f"turn_example(planes of shape {before.shape}, {move})"
    answer = trial.call(function, before.copy(), move)
    if answer is None:
        trial.fail(NO_RETURN, call=call)
    if not (isinstance(answer, (tuple, list)) and len(answer) == 2):
        trial.fail("Return the pair (turned planes, turned move).", call=call)
    after, turned = np.asarray(answer[0]), answer[1]
    right = np.rot90(before, 1, axes=(1, 2))
    if after.shape != right.shape or not np.array_equal(after, right):
        trial.fail(
            f"Every plane of {height} × {width} turns to {width} × {height}, counter-clockwise: what was in the top "
            "right corner comes to the top left one.",
            call=call,
            hint=_turned_hint(before, after),
        )
    row, col = divmod(move, width)
    new_row, new_col = width - 1 - col, row
    target = int(transform_moves(move, height, width, 1, 0))
    if not same(turned, target):
        why = (
            f"The move stood on row {row}, column {col}. After the turn that is row {new_row}, column {new_col}, and a "
            f"row has now {height} points: {new_row}·{height} + {new_col} = {target}."
        )
        hint = _move_hint(turned, move, height, width)
        trial.fail(why, call=call, answer=turned, right=target, hint=hint)
    trial.cases += 1


def _turned_hint(before, after) -> str | None:
    if np.array_equal(after, before):
        return "The planes were not turned."
    if np.array_equal(after, np.rot90(before, -1, axes=(1, 2))):
        return "This is a clockwise turn."
    if np.array_equal(after, np.rot90(before)):
        return "np.rot90 turns the FIRST two axes unless told otherwise; here rows and columns are axes 1 and 2."
    if np.array_equal(after, before.transpose(0, 2, 1)):
        return "This mirrors the board at its diagonal; it is not a turn."
    return None


def _move_hint(turned, move: int, height: int, width: int) -> str | None:
    row, col = divmod(move, width)
    causes = [
        (move, "The move was not turned with the board. A network trained on this learns nonsense."),
        (col * height + height - 1 - row, "This is the clockwise turn of the move."),
        ((width - 1 - col) * width + row, "A row of the turned board has `height` points, not `width`."),
        (col * height + row, "This mirrors the move at the diagonal; it is not a turn."),
        ((height - 1 - col) * height + row, "The column counts from the far side of the WIDTH: width − 1 − column."),
    ]
    return next((cause for wrong, cause in causes if same(turned, wrong)), None)


# Policy to agent ----------------------------------------------------------------------------------------------------


def chooser_case(trial: Trial, function, scores, empty, epsilon: float, seed: int) -> None:
    call = f"choose({scores.tolist()}, {empty.astype(int).tolist()}, epsilon={epsilon}, rng), {DRAWS:,} times"
    rng = np.random.default_rng(seed)
    drawn = [trial.call(function, scores.copy(), empty.copy(), epsilon, rng) for _ in range(DRAWS)]
    if drawn[0] is None:
        trial.fail(NO_RETURN, call=call)
    if not all(isinstance(move, int | np.integer) and not isinstance(move, bool) for move in drawn):
        trial.fail("Return the index of a point, a whole number.", call=call, answer=drawn[0])
    wrong = [move for move in drawn if not 0 <= move < len(scores) or not empty[move]]
    if wrong:
        hint = "An index into a list of the empty points is not an index of the board: look it up in that list."
        trial.fail(
            f"It chose point {wrong[0]}, which is not empty. Empty points are {np.flatnonzero(empty).tolist()}.",
            call=call,
            hint=hint,
        )
    legal = np.where(empty, scores, 0)
    even = empty / empty.sum()
    right = even if legal.sum() == 0 else (1 - epsilon) * legal / legal.sum() + epsilon * even
    shares = np.bincount(drawn, minlength=len(scores)) / DRAWS
    if abs(shares - right).max() > 0.05:
        why = _chooser_why(legal, epsilon)
        trial.fail(
            why,
            call=call,
            answer=shares.round(2),
            right=right.round(3),
            hint=_chooser_hint(shares, legal, even, epsilon),
        )
    again = np.random.default_rng(seed)
    repeated = [trial.call(function, scores.copy(), empty.copy(), epsilon, again) for _ in range(50)]
    trial.require(
        repeated == drawn[:50], "The same generator gave other moves. Draw from `rng` and nothing else.", call=call
    )


def _chooser_why(legal, epsilon: float) -> str:
    if legal.sum() == 0:
        return "All empty points have score 0, so each has the same chance. (Shown: shares of the draws.)"
    return (
        f"With chance 1 − {epsilon} in proportion to the scores of empty points; else evenly. (Shown: shares of draws.)"
    )


def _chooser_hint(shares, legal, even, epsilon: float) -> str | None:
    total = legal.sum() or 1
    causes = [
        (
            (legal == legal.max()) / (legal == legal.max()).sum(),
            "This always plays the highest score. Draw in proportion.",
        ),
        (
            np.eye(len(legal))[legal.argmax()] * (1 - epsilon) + epsilon * even,
            "This plays the highest score with chance 1 − epsilon.",
        ),
        (legal / total, "Epsilon is not used."),
        (even, "This draws evenly and does not look at the scores."),
        (
            epsilon * legal / total + (1 - epsilon) * even,
            "Epsilon is the chance of the EVEN draw; here it is the other way round.",
        ),
    ]
    return next((cause for wrong, cause in causes if abs(shares - wrong).max() < 0.05), None)

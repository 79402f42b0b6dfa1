"""Single cases of the exercises of chapter 2 whose right answer is more than one value to compare."""

from functools import cache
from itertools import combinations

import numpy as np

from mock5check.ch02.slips import CHOICE_SLIPS, right_choice
from mock5check.core import Trial
from mock5check.watch import learners_line, meaning

DRAWS = 2500  # moves that a chooser is asked for in each case
SPLITS = 300  # generators that a split is tried with
KNOWN = {slip for slip, _ in CHOICE_SLIPS}
FEW_SPLITS = 6_000  # splits of two or three games, one after the other


# Split by game ------------------------------------------------------------------------------------------------------


def split_case(trial: Trial, function, lengths, fraction: float, seed: int) -> None:
    """One split: a mask of booleans over positions, whole games, the right number of them, repeatable."""
    call = f"held_out({_few(lengths)}, {fraction}, np.random.default_rng({seed}))"
    mask = _mask(trial, function, lengths, fraction, seed, call)
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
    twice = ""
    if chosen < wanted:
        twice = " Fewer than that: is the number rounded, not cut off, and at least 1? Can one game be drawn twice?"
    trial.require(
        chosen == wanted,
        f"{chosen} of {len(lengths)} games are marked True. Wanted are round({fraction} · {len(lengths)}), at least 1 "
        f"and at most {len(lengths) - 1}: {wanted}. (Python's round takes a half to the even number.){twice}",
        call=call,
    )
    again = _mask(trial, function, lengths, fraction, seed, call)
    trial.require(
        np.array_equal(mask, again),
        "The same generator gave another split. Draw from `rng` and nothing else.",
        call=call,
    )


def _mask(trial: Trial, function, lengths, fraction: float, seed, call: str) -> np.ndarray:
    """What the learner's function gives, if it is one boolean per position. seed: a number, or a generator."""
    mask = trial.call(function, lengths.copy(), fraction, np.random.default_rng(seed), shown=call)
    wanted = f"Return a NumPy array of booleans, one for each POSITION: {lengths.sum()} in all."
    if not isinstance(mask, np.ndarray):
        trial.fail(wanted, call=call, answer=mask)
    if mask.shape != (lengths.sum(),) or mask.dtype != bool:
        trial.fail(f"{wanted} This has shape {mask.shape} and holds {mask.dtype}.", call=call)
    return mask


def _many_masks(trial: Trial, function, lengths, fraction: float, rng, often: int, call: str) -> np.ndarray:
    """So many splits with one generator, looked at as one call."""
    _mask(trial, function, lengths, fraction, rng, call)
    return trial.call(
        lambda lengths, fraction, rng: np.stack([function(lengths, fraction, rng) for _ in range(often)]),
        lengths,
        fraction,
        rng,
        shown=call,
        long=True,
    )


def fair_split(trial: Trial, function) -> None:
    """Every game has the same chance to be held out, however long it is, and so has every pair of games."""
    lengths, told = np.array([2, 40, 3, 3, 20, 2, 5, 9, 30, 4]), "held_out([2, 40, 3, 3, 20, 2, 5, 9, 30, 4], 0.3, rng)"
    together = np.zeros((10, 10))
    for seed in range(SPLITS):
        mask = _mask(trial, function, lengths, 0.3, seed, told)
        chosen = np.array([part.all() for part in np.split(mask, np.cumsum(lengths)[:-1])], float)
        together += np.outer(chosen, chosen)
    counts = together.diagonal() / SPLITS
    trial.require(
        not np.isin(counts, (0, 1)).all(),
        f"{SPLITS} different generators gave one and the same split: `rng` is not used.",
        call=told,
    )
    worst = int(abs(counts - 0.3).argmax())
    trial.require(
        abs(counts[worst] - 0.3) < 0.13,
        f"With {SPLITS} different generators game {worst} of 10, {lengths[worst]} moves long, was held out "
        f"{int(counts[worst] * SPLITS)} times where some {int(0.3 * SPLITS)} are expected. Each game should have the "
        "same chance, however many positions it has and wherever it stands.",
        call=told,
    )
    for few, fraction in (([3, 5], 0.5), ([2, 4, 3], 0.3), ([2, 4, 3], 0.67), ([1] * 10, 0.1)):
        call, rng = f"held_out({few}, {fraction}, rng), {FEW_SPLITS:,} times with one rng", np.random.default_rng(7)
        masks = _many_masks(trial, function, np.array(few), fraction, rng, FEW_SPLITS, call)
        counts = masks.sum(axis=0)[np.cumsum([0, *few[:-1]])].tolist()
        even = FEW_SPLITS * round(fraction * len(few)) / len(few)
        trial.require(
            abs(np.array(counts) - even).max() < 200,  # five standard deviations
            f"The games were held out {counts} times; {even:,.0f} each are expected.",
            call=call,
        )
    four, rng = np.array([1, 2, 1, 3]), np.random.default_rng(9)
    call = "held_out([1, 2, 1, 3], 0.5, rng), 2,400 times with one rng"
    masks = _many_masks(trial, function, four, 0.5, rng, 2400, call)[:, [0, 1, 3, 4]].astype(int)
    pairs = {f"{a} and {b}": int((masks[:, a] & masks[:, b]).sum()) for a, b in combinations(range(4), 2)}
    trial.require(
        all(abs(count - 400) < 92 for count in pairs.values()),  # five standard deviations
        f"The six pairs of games were held out so often: {pairs}; about 400 times each is expected. Every pair has the "
        "same chance; `rng.permutation` or `rng.choice` without replacement sees to it.",
        call=call,
    )
    pairs = together[np.triu_indices(10, 1)]
    place = int(abs(pairs - SPLITS / 15).argmax())
    one, other = (int(axis[place]) for axis in np.triu_indices(10, 1))
    trial.require(
        3 <= pairs.min() and pairs.max() <= 45,
        f"With {SPLITS} different generators games {one} and {other} were held out together {int(pairs[place])} times "
        f"where some {SPLITS // 15} are expected. Draw each game by itself, not a block of neighbours.",
        call=told,
    )
    many, rng, call = (
        np.ones(400, int),
        np.random.default_rng(8),
        "held_out(400 games of 1 position, 0, rng), 500 times",
    )
    front = sum(int(_mask(trial, function, many, 0.0, rng, call)[:200].sum()) for _ in range(500))
    trial.require(
        194 < front < 306,
        f"The one game that is held out was among the first 200 of 400 games {front} times; about 250 are expected.",
        call=call,
    )


def _few(lengths) -> str:
    return (
        str(lengths.tolist()) if len(lengths) <= 8 else f"[{', '.join(map(str, lengths[:6]))}, … {len(lengths)} games]"
    )


# Policy to agent ----------------------------------------------------------------------------------------------------


def shares_of(chooser, scores, empty, epsilon: float, seed: int) -> np.ndarray:
    """How often a chooser plays each point, of DRAWS; the right shares, if it is the right one."""
    if chooser is right_choice:
        even, weights = empty / empty.sum(), np.where(empty, scores, 0.0)
        return even if weights.sum() == 0 else (1 - epsilon) * weights / weights.sum() + epsilon * even
    if chooser in KNOWN:
        return _shares_of_slip(chooser, tuple(scores.tolist()), tuple(empty.tolist()), epsilon, seed)
    return _shares(chooser, scores, empty, epsilon, seed)


@cache
def _shares_of_slip(slip, scores: tuple, empty: tuple, epsilon: float, seed: int) -> np.ndarray:
    """A known slip does the same each time, so it is asked once."""
    return _shares(slip, np.array(scores), np.array(empty), epsilon, seed)


def _shares(chooser, scores, empty, epsilon: float, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.bincount([chooser(scores, empty, epsilon, rng) for _ in range(DRAWS)], minlength=len(scores)) / DRAWS


def chooser_moves(trial: Trial, function, scores, empty, epsilon: float, seed: int) -> None:
    """A few moves: whole numbers, empty points, and the same again from an equal generator."""
    call = f"choose({scores.tolist()}, {empty.astype(int).tolist()}, epsilon={epsilon}, rng)"
    rounds = []
    for _ in range(2):
        rng = np.random.default_rng(seed)
        rounds.append([_chosen(trial, function, scores, empty, epsilon, rng, call) for _ in range(60)])
    for move in rounds[0]:
        if not isinstance(move, int | np.integer) or isinstance(move, bool):
            trial.fail("Return the index of a point, a whole number (an int).", call=call, answer=move)
        if not 0 <= move < len(scores) or not empty[move]:
            legal = np.flatnonzero(empty).tolist()
            trial.fail(f"Point {move} is not empty. The empty points of this board are {legal}.", call=call)
    trial.require(
        rounds[0] == rounds[1], "The same generator gave other moves. Draw from `rng` and nothing else.", call=call
    )
    several = (epsilon == 1 or np.where(empty, scores, 0).sum() == 0) and empty.sum() > 1
    trial.require(
        not several or len(set(rounds[0])) > 1,
        f"60 calls with one generator all gave point {rounds[0][0]}, and several have the same chance. Can every one "
        "of them be drawn? Is `rng` used?",
        call=call,
    )


def explores_as_often_as_told(trial: Trial, function) -> None:
    """With a small epsilon, too: the shares of the other cases are compared to four points of a hundred only."""
    scores, empty = np.eye(40)[0], np.ones(40, bool)
    for draws, epsilon in ((DRAWS, 0.04), (10_000, 0.004)):
        rng = np.random.default_rng(21)
        call = f"choose([1, 0, 0, … 0], all 40 empty, epsilon={epsilon}, rng), {draws:,} times"
        others = sum(_chosen(trial, function, scores, empty, epsilon, rng, call) != 0 for _ in range(draws))
        even = draws * epsilon * 39 / 40
        trial.require(
            abs(others - even) < 5 * even**0.5,
            f"A point of score 0 was chosen {others} times; with chance {epsilon} any of the 40 points is chosen, so "
            f"some {even:.0f} times are expected. Is epsilon taken as it is, not in hundredths?",
            call=call,
        )


def small_chances_count(trial: Trial, function) -> None:
    """Many points with a chance that is 0 in thousandths, or in ten-thousandths, are chosen now and then."""
    for points, score in ((81, 0.0004), (361, 0.00005)):
        scores, empty, rng = np.array([1.0] + [score] * (points - 1)), np.ones(points, bool), np.random.default_rng(23)
        call = f"choose([1, {score:g}, {score:g}, … {score:g}], all {points} empty, epsilon=0.0, rng), {DRAWS:,} times"
        others = sum(_chosen(trial, function, scores, empty, 0.0, rng, call) != 0 for _ in range(DRAWS))
        share = (points - 1) * score / scores.sum()
        even = DRAWS * share
        trial.require(
            abs(others - even) < 5 * even**0.5,
            f"Together the {points - 1} points of score {score:g} have {share:.2%} of the weight, so one of them is "
            f"chosen some {even:.0f} times; they were {others} times. A small chance counts as it is: are the chances "
            "rounded, or counted in tickets, of which such a point gets none or one?",
            call=call,
        )


def never_a_score_of_0(trial: Trial, function) -> None:
    """Without exploration a point of score 0 is never chosen, not even once in a hundred."""
    for scores in (np.array([0.0, 1.0, 1.0]), np.array([0.0, 3.0, 0.0, 4.0])):
        rng, empty = np.random.default_rng(22), np.ones(len(scores), bool)
        call = f"choose({scores.tolist()}, all empty, epsilon=0.0, rng), {DRAWS:,} times"
        wrong = sum(scores[_chosen(trial, function, scores, empty, 0.0, rng, call)] == 0 for _ in range(DRAWS))
        trial.require(
            not wrong,
            f"Points of score 0 were chosen {wrong} times, though epsilon is 0: they have no chance at all. Is the "
            "number that you draw a fraction with all its digits, and 0 itself no point's?",
            call=call,
        )


def _chosen(trial: Trial, function, scores, empty, epsilon: float, rng, call: str):
    """A chooser's answer; what NumPy says of chances that are none is explained."""
    try:
        return trial.call(function, scores, empty, epsilon, rng, shown=call, lets_through=(ValueError,))
    except ValueError as error:
        told = meaning(error)
        if np.where(empty, scores, 0).sum() == 0:
            told += (
                " All empty points have score 0 here, so their shares would be 0/0. (Scores on stones do not count.)"
            )
        elif "sum to 1" in str(error):
            told += " `p` must sum to 1: divide the weights by their sum."
        trial.fail(told, call=call, line=learners_line(error))


def chooser_why(scores, empty, epsilon: float, seed: int) -> str:
    """Where the right shares come from."""
    if np.where(empty, scores, 0).sum() == 0:
        return "All empty points have score 0, so each has the same chance. (Shown: shares of the moves.)"
    return f"With chance 1 − {epsilon} in proportion to the scores of empty points; else evenly. (Shown: shares.)"

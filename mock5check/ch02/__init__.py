"""The checks of the exercises of chapter 2, the policy net, each named after the function that the learner writes."""

import numpy as np

from mock5check.ch02.cases import (
    DRAWS,
    chooser_moves,
    chooser_why,
    explores_as_often_as_told,
    fair_split,
    never_a_score_of_0,
    shares_of,
    small_chances_count,
    split_case,
)
from mock5check.ch02.own_net import train_policy
from mock5check.ch02.slips import (
    CEILING_SLIPS,
    CHOICE_SLIPS,
    TEMPER_SLIPS,
    TURN_SLIPS,
    heated,
    right_choice,
    right_turn,
)
from mock5check.ch02.teacher import records
from mock5check.core import graded
from mock5lib import Mock5, agents

__all__ = ["ceiling", "choose", "held_out", "records", "tempered", "train_policy", "turn_example"]


def positions(seed: int, count: int = 4) -> list:
    """Positions from games of the mixed agent, with 5 to 25 stones."""
    found, rng = [], np.random.default_rng(seed)
    while len(found) < count:
        game, player = Mock5(9, 9), agents.mixed(rng)
        while game.winner is None and len(game.history) < 5 + 5 * len(found):
            game.apply(player(game))
        if game.winner is None:
            found.append(game)
    return found


# 1. Temperature -------------------------------------------------------------------------------------------------


@graded
def tempered(trial, function) -> None:
    """Check `tempered(chances, temperature)`: p^(1/T), summing to 1; at T = 0 equal shares for the highest."""
    rng = np.random.default_rng(6)
    cases = [([0.5, 0.3, 0.2], t) for t in (1.0, 0.5, 2.0, 0.0)]
    cases += [([0.4, 0.4, 0.2, 0.0], 0.0), ([0.4, 0.4, 0.2, 0.0], 0.5), ([0.7, 0.3, 0.0], 100.0), ([1.0], 0.5)]
    cases += [(np.full(81, 1 / 81), 0.001), ([0.011, 0.01, 0.979], 0.002), ([0.01] * 100, 0.0)]
    cases += [([0.500001, 0.499999], 0.0), ([0.500001, 0.499999], 1e-5), ([0.51, 0.49], 0.009), ([0.3, 0.4, 0.3], 1e-3)]
    cases += [(rng.dirichlet(np.ones(6)).round(3), t) for t in (0.1, 0.25, 1.5, 4.0)]
    cases += [([1 - 1e-9, 1e-9], 5.0), ([1 - 1e-7, 1e-7], 1.0), ([0.5 - 1e-10, 0.5 + 1e-10], 0.0)]
    cases += [([0.5, 0.4995, 0.0005], 1 / 1070), ([0.9999995, 5e-7], 1.0)]
    cases += [([1.0, 0.0], 200.0), ([0.6, 0.4], 2000.0), ([1 - 1e-10, 1e-10], 5.0), ([0.5 + 4e-13, 0.5 - 4e-13], 0.0)]
    cases += [([0.7, 0.3], 1e-5), (np.arange(1, 82) / 3321, 1e-5)]
    cases = [(np.array(chances), t) for chances, t in cases]
    trial.compare(function, cases, right=heated, why=_temper_why, slips=TEMPER_SLIPS, close=1e-7, fresh=True)


def _temper_why(chances, temperature) -> str:
    if temperature == 0:
        number = (chances == chances.max()).sum()
        return f"T = 0: only the highest, {chances.max():.13g}, remains; so many points have it: {number}."
    text = f"Each chance to the power 1/T = {1 / temperature:g}, then divided by their sum."
    lower = chances[chances < chances.max()]
    if temperature < 0.01 and len(lower):
        ratio = lower.max() / chances.max()
        text += (
            f" With all chances divided by the largest one, that one stays 1, and the next highest, {ratio:.6g} of it, "
            f"becomes {ratio ** (1 / temperature):.3g}. (A high power of a small number is 0 to a computer.)"
        )
    return text


# 2. Split by game -----------------------------------------------------------------------------------------------


@graded
def held_out(trial, function) -> None:
    """Check `held_out(lengths, fraction, rng)`: a mask over positions, whole games at random."""
    cases = [([3, 2, 4, 1], 0.25), ([3, 2, 4, 1], 0.5), ([5, 5], 0.1), ([5, 5], 0.9), ([7, 1, 30, 12, 9] * 8, 0.1)]
    cases += [([20, 1, 3] * 20, 0.3), ([1] * 300, 0.3), ([9] * 40, 0.05), ([4, 2, 9, 1, 3, 5, 7, 2, 6], 0.3)]
    cases += [
        ([2, 30, 4, 50, 6, 70, 8, 10], 0.5),
        ([3, 1, 4, 1, 5], 0.5),
        ([3, 1, 4, 1, 5, 9, 2], 0.5),
        ([1, 1, 1], 0.0),
        ([3, 1, 4, 1, 5], 1.0),
        ([3, 1, 4, 1, 5], 0.95),
    ]
    for seed, (lengths, fraction) in enumerate(cases):
        split_case(trial, function, np.array(lengths), fraction, seed)
    fair_split(trial, function)


# 3. Turn an example ---------------------------------------------------------------------------------------------


@graded
def turn_example(trial, function) -> None:
    """Check `turn_example(planes, move)`: both a quarter turn counter-clockwise, on any rectangle."""
    rng = np.random.default_rng(8)
    boards = [((1, 3, 3), move) for move in (0, 2, 4, 5)] + [((3, 2, 4), move) for move in range(8)]
    boards += [((3, 5, 2), int(move)) for move in rng.permutation(10)[:4]]
    boards += [((4, 9, 9), int(move)) for move in rng.permutation(81)[:6]]
    boards += [((3, 15, 15), 224), ((3, 15, 15), 33), ((3, 15, 15), 0), ((5, 12, 15), 179)]
    cases = [(rng.integers(0, 2, shape).astype(np.float32), move) for shape, move in boards]
    cases += [(rng.integers(0, 2, (2, 14, 13)).astype(np.int8), 150), (rng.random((2, 4, 3)), 5)]
    cases += [(rng.integers(-1, 3, shape), move) for shape, move in (((2, 1, 4), 0), ((2, 5, 1), 3), ((1, 2, 2), 3))]
    cases += [(rng.integers(0, 2, (2, *sides)), move) for sides, move in (((2, 3), 1), ((3, 2), 3), ((19, 19), 0))]

    def why(planes, move):
        height, width = planes.shape[1:]
        row, col = divmod(move, width)
        return (
            f"Every plane of {height} × {width} turns to {width} × {height}: the top right corner comes to the top "
            f"left. The move stood on row {row}, column {col}, and comes to row {width - 1 - col}, column {row}; a row "
            f"has now {height} points: {width - 1 - col}·{height} + {row} = {right_turn(planes, move)[1]}."
        )

    def call(planes, move):
        return f"turn_example(planes of shape {planes.shape}, {move})"

    trial.compare(function, cases, right=right_turn, why=why, slips=TURN_SLIPS, call=call)


# 4. Policy to agent ---------------------------------------------------------------------------------------------


@graded
def choose(trial, function) -> None:
    """Check `choose(scores, empty, epsilon, rng)`: draw in proportion; with chance epsilon, or if all are 0, evenly."""
    cases = [
        ([1, 0, 3, 0], [1, 1, 1, 1], 0.0),
        ([5, 1, 3, 0], [0, 1, 1, 0], 0.0),
        ([5, 1, 3, 0], [0, 1, 1, 1], 1.0),
        ([9, 2, 2, 4, 0, 0], [0, 1, 0, 1, 1, 1], 0.3),
        ([7, 0, 0, 0], [0, 1, 1, 1], 0.0),
        ([0, 0, 0], [1, 0, 1], 0.5),
        ([0, 8, 0, 0, 0], [1, 1, 1, 1, 1], 0.2),
        ([3e-30, 0, 1e-30, 5], [1, 1, 1, 0], 0.0),
        ([1, 2, 3, 4], [1, 1, 1, 1], 0.0),  # more than two of different worth
        ([6, 1, 0, 3, 2, 9, 5], [1, 1, 1, 1, 1, 0, 1], 0.25),
        ([3e9, 1e9, 0], [1, 1, 1], 0.1),
        (np.arange(25) % 7, np.arange(25) % 4 != 1, 0.1),
        ([1, *[0] * 26], np.arange(27) % 13 == 0, 0.5),  # few points are empty
        ([100, 0, 0], [1, 1, 1], 0.5),  # the scores do not sum to 1
        ([1, 0, 0], [1, 1, 1], 0.3),
        ([1, *[0] * 39], [1] * 40, 0.01),
        ([3e-120, 0, 1e-120, 1], [1, 1, 1, 0], 0.0),
        ([1, *[0.01] * 99], [1] * 100, 0.0),  # one point has half of the weight
        ([1, *[1e-6] * 99], [1] * 100, 0.0),  # hardly any weight lies on the others
    ]
    cases = [(np.array(s, float), np.array(e, bool), eps, seed) for seed, (s, e, eps) in enumerate(cases)]
    cases.append((np.array([3, 1, 0]), np.ones(3, bool), 0.0, 20))  # whole numbers
    for case in cases:
        chooser_moves(trial, function, *case)

    def call(scores, empty, epsilon, seed):
        return f"choose({scores.tolist()}, {empty.astype(int).tolist()}, epsilon={epsilon}, rng), {DRAWS:,} times"

    def shares(chooser):
        return lambda *case: shares_of(chooser, *case)

    trial.compare(
        shares(function),
        cases,
        right=shares(right_choice),
        why=chooser_why,
        slips=[(shares(slip), cause) for slip, cause in CHOICE_SLIPS],
        call=call,
        close=0.04,
        long=60.0,
    )
    explores_as_often_as_told(trial, function)
    never_a_score_of_0(trial, function)
    small_chances_count(trial, function)


# 5. The ceiling -------------------------------------------------------------------------------------------------


@graded
def ceiling(trial, function) -> None:
    """Check `ceiling(parts, weights)`: the best possible share of right guesses for a mixture of agents."""
    rng = np.random.default_rng(9)
    cases = [
        ([[[0.5, 0.5, 0.0]]], [1.0]),
        ([[[1.0, 0.0]], [[0.0, 1.0]]], [0.4, 0.6]),
        ([[[0.6, 0.4, 0], [1, 0, 0]], [[0.2, 0.1, 0.7], [0, 0, 1]]], [0.5, 0.5]),
    ]
    for size in [(2, 3, 4), (2, 3, 4), (4, 10, 9), (3, 1, 5), (4, 25, 25)]:
        cases.append((rng.dirichlet(np.full(size[2], 0.3), size=size[:2]), rng.dirichlet(np.ones(size[0]))))
    games = positions(10, 3)
    parts = [
        [agents.by_name(name, 0).distribution(game) for game in games] for name in ("greedy", "defensive", "pt", "df")
    ]
    cases.append((parts, [0.4, 0.4, 0.1, 0.1]))  # the mixed agent's, in real positions
    cases = [(np.array(parts, float), np.array(weights)) for parts, weights in cases]

    cases.append((np.array([[[1, 0]], [[0, 1]]]), np.array([0.4, 0.6])))  # whole numbers
    cases.append((np.array([[[1, 0]], [[1, 0]]]), np.array([0.4, 0.6])))  # the same weights once more
    cases.append((np.array([*[[[1.0, 0.0]]] * 4, [[0.0, 1.0]]]), np.array([0.1, 0.1, 0.1, 0.1, 0.6])))  # five agents

    def right(parts, weights):
        return float(np.tensordot(weights, parts, 1).max(axis=1).mean())

    def why(parts, weights):
        best = np.tensordot(weights, parts, 1).max(axis=1)
        shown = ", ".join(f"{chance:.3g}" for chance in best[:6]) + (", …" if len(best) > 6 else "")
        return (
            f"In each position the mixture's likeliest move has chance {shown}. The mean of these is {best.mean():.4g}."
        )

    trial.compare(function, cases, right=right, why=why, slips=CEILING_SLIPS)

"""The checks of the exercises of chapter 2, the policy net, each named after the function that the learner writes."""

import numpy as np

from mock5check.ch02.cases import DRAWS, chooser_moves, chooser_why, fair_split, shares_of, split_case
from mock5check.ch02.slips import (
    CEILING_SLIPS,
    CHOICE_SLIPS,
    GRADIENT_SLIPS,
    PLANES_SLIPS,
    POLICY_SLIPS,
    SCORE_SLIPS,
    TEMPER_SLIPS,
    TOP_SLIPS,
    TURN_SLIPS,
    heated,
    hit_rate,
    masked,
    right_choice,
    right_planes,
    right_turn,
    score_of,
)
from mock5check.core import graded
from mock5lib import Mock5, agents
from mock5lib.gomoku.threats import Analysis


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


# 1. The score of a point ----------------------------------------------------------------------------------------


@graded
def point_score(trial, function) -> None:
    """Check `point_score(own, other, centre, base, weight)`: centre + Σ base^own + weight · base^other."""
    rng = np.random.default_rng(1)
    cases = [
        ([4, 0, 0, 0], [0, 0, 4, 0], 5.5, 10, 0.7),
        ([0, 0, 0, 0], [0, 0, 0, 0], 1.0, 10, 0.7),
        ([1, 0, 2, 0], [3, 0, 0, 0], 2.0, 9, 0.95),
        ([5, 1, 1, 0], [1, 1, 2, 3], 3.25, 10, 0.7),
        ([7, 7, 0, 2], [6, 0, 7, 1], 1.5, 10, 0.7),
        ([2, 3, 0, 1], [1, 0, 2, 2], 0.0, 2.5, 1.5),
    ]
    for _ in range(20):
        own, other = (rng.integers(0, 8, 4).tolist() for _ in range(2))
        cases.append((own, other, float(rng.integers(1, 7)), int(rng.integers(2, 11)), 0.5))
    cases += _like_greedy()
    trial.compare(function, cases, right=score_of, why=_score_why, slips=SCORE_SLIPS)


def _score_why(own, other, centre, base, weight) -> str:
    powers, spoiled = [base**m for m in own], [base**o for o in other]
    return (
        f"Own lines {base}^{own} = {powers}, together {sum(powers)}. The opponent's {base}^{other} = {spoiled}, "
        f"together {sum(spoiled)}, times {weight}. Plus {centre:.4g} for the centre."
    )


def _like_greedy() -> list:
    """Points of a real board as `greedy` sees them."""
    game, cases = positions(2, 1)[0], []
    levels = Analysis(game).levels.astype(int)
    for point in game.legal_moves()[::9]:
        row, col = divmod(point, 9)
        centre = float(1 + np.hypot(4, 4) - np.hypot(row - 4, col - 4))
        own, other = (levels[colour, :, point].tolist() for colour in (game.player - 1, 2 - game.player))
        cases.append((own, other, centre, 10, 0.7))
    return cases


# 2. Planes ------------------------------------------------------------------------------------------------------


@graded
def planes(trial, function) -> None:
    """Check `planes(board, player, height, width)`: (own, other, empty) as ones and zeros, (3, height, width)."""
    rng = np.random.default_rng(3)
    cases = [([0, 1, 2, 0, 0, 1], 1, 2, 3), ([0, 1, 2, 0, 0, 1], 2, 2, 3), ([0] * 6, 2, 3, 2), ([1, 2, 1, 2], 1, 2, 2)]
    for height, width in [(3, 3), (9, 9), (4, 7), (5, 2), (1, 1)]:
        cases.append((rng.integers(0, 3, height * width).tolist(), int(rng.integers(1, 3)), height, width))
    cases += [(list(game.board), game.player, 9, 9) for game in positions(4, 3)]

    def as_numbers(solution, *case):
        answer = solution(*case)
        truths = isinstance(answer, np.ndarray) and answer.dtype == bool
        return answer.astype(float) if truths else answer  # true and false are as good as ones and zeros

    def why(board, player, height, width):
        return f"On the board\n{np.array(board).reshape(height, width)}\nplayer {player} is to move."

    trial.compare(function, cases, right=right_planes, why=why, slips=PLANES_SLIPS, observe=as_numbers)


# 3. Mask, then normalise ----------------------------------------------------------------------------------------


@graded
def log_policy(trial, function) -> None:
    """Check `log_policy(logits, empty)`: log-chances over the empty points, −∞ on the others, safe for large logits."""
    rng = np.random.default_rng(5)
    cases = [([1.0, 2.0, 3.0], [1, 1, 1]), ([1.0, 2.0, 3.0], [1, 1, 0]), ([0.0, 0.0, 5.0, 0.0], [0, 1, 0, 1])]
    cases += [([-4.0, 9.0], [1, 0]), ([1000.0, 1001.0, 3000.0], [1, 1, 0]), ([-2000.0, -2001.0, 0.0], [1, 1, 0])]
    cases += [([0.0, -200.0, 60.0], [1, 1, 0]), ([90.0, 0.0, -90.0], [1, 1, 1]), ([7.0], [1])]  # clipped, these change
    cases += [([800.0, 799.0, 1.0], [1, 1, 1]), ([-800.0, -801.0, 0.0], [1, 1, 0])]
    cases += [([-1e6, -1e6 - 2, 0.0], [1, 1, 0]), ([-1200.0, 3.0, -1201.0], [1, 0, 1])]
    cases += [(rng.normal(0, 3, n).round(2), [1, *rng.integers(0, 2, n - 1)]) for n in (4, 9, 9, 16, 81)]
    cases = [(np.array(logits), np.array(empty, dtype=bool)) for logits, empty in cases]

    def right(logits, empty):
        return masked(logits, empty)

    def why(logits, empty):
        legal = np.flatnonzero(empty).tolist()
        text = f"Empty points are {legal}; over them the chances exp(…) sum to 1. The others get −∞."
        if abs(logits).max() > 500:
            text += " exp() of numbers like these is 0 or infinite: first subtract the largest logit of an EMPTY point."
        return text

    trial.compare(function, cases, right=right, why=why, slips=POLICY_SLIPS)


# 4. Temperature -------------------------------------------------------------------------------------------------


@graded
def tempered(trial, function) -> None:
    """Check `tempered(chances, temperature)`: p^(1/T), summing to 1; at T = 0 equal shares for the highest."""
    rng = np.random.default_rng(6)
    cases = [([0.5, 0.3, 0.2], t) for t in (1.0, 0.5, 2.0, 0.0)]
    cases += [([0.4, 0.4, 0.2, 0.0], 0.0), ([0.4, 0.4, 0.2, 0.0], 0.5), ([0.7, 0.3, 0.0], 100.0), ([1.0], 0.5)]
    cases += [(np.full(81, 1 / 81), 0.001), ([0.011, 0.01, 0.979], 0.002), ([0.01] * 100, 0.0)]
    cases += [([0.500001, 0.499999], 0.0), ([0.500001, 0.499999], 1e-5), ([0.51, 0.49], 0.009), ([0.3, 0.4, 0.3], 1e-3)]
    cases += [(rng.dirichlet(np.ones(6)).round(3), t) for t in (0.1, 0.25, 1.5, 4.0)]
    cases = [(np.array(chances), t) for chances, t in cases]
    trial.compare(function, cases, right=heated, why=_temper_why, slips=TEMPER_SLIPS, close=1e-7)


def _temper_why(chances, temperature) -> str:
    if temperature == 0:
        highest = (chances == chances.max()).sum()
        return f"T = 0: only the highest, {chances.max():.7g}, remain. There are {highest} of them."
    text = f"Each chance to the power 1/T = {1 / temperature:g}, then divided by their sum."
    if temperature < 0.01:
        text += " So high a power of a small number is 0 to a computer: divide all chances by the largest one first."
    return text


# 5. Top-k accuracy ----------------------------------------------------------------------------------------------


@graded
def top_k(trial, function) -> None:
    """Check `top_k(scores, moves, k)`: the share of positions whose move is among the k highest scores."""
    rng = np.random.default_rng(7)
    small = np.array([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.6, 0.1, 0.3]])
    cases = [(small, [1, 0, 2, 0], 1), (small, [1, 1, 1, 1], 1), (small, [2, 1, 0, 2], 2), (small, [0, 2, 0, 1], 3)]
    cases += [(small[:1], [2], 1), (-small, [1, 0, 2, 0], 2), (small * 1e-9, [2, 1, 0, 2], 2)]
    for size, points, k in [(50, 9, 1), (50, 9, 3), (40, 81, 5), (30, 25, 10), (7, 25, 2)]:
        scores = rng.permuted(np.tile(np.arange(points) - 3.5, (size, 1)), axis=1)
        cases.append((scores, rng.integers(0, points, size), k))
    cases = [(scores, np.array(moves), k) for scores, moves, k in cases]

    def why(scores, moves, k):
        ranks = (scores > scores[np.arange(len(moves)), moves][:, None]).sum(axis=1) + 1
        shown = ranks.tolist() if len(ranks) <= 8 else f"[{', '.join(map(str, ranks[:8]))}, …]"
        hits = (ranks <= k).sum()
        return f"By their scores the moves are number {shown}. Number {k} or better: {hits} of {len(moves)}."

    trial.compare(function, cases, right=hit_rate, why=why, slips=TOP_SLIPS)


# 6. Split by game -----------------------------------------------------------------------------------------------


@graded
def held_out(trial, function) -> None:
    """Check `held_out(lengths, fraction, rng)`: a mask over positions, whole games at random."""
    cases = [([3, 2, 4, 1], 0.25), ([3, 2, 4, 1], 0.5), ([5, 5], 0.1), ([5, 5], 0.9), ([7, 1, 30, 12, 9] * 8, 0.1)]
    cases += [([20, 1, 3] * 20, 0.3), ([9] * 40, 0.05), ([4, 2, 9, 1, 3, 5, 7, 2, 6], 0.3)]
    cases += [
        ([2, 30, 4, 50, 6, 70, 8, 10], 0.5),
        ([3, 1, 4, 1, 5], 0.5),
        ([3, 1, 4, 1, 5, 9, 2], 0.5),
        ([1, 1, 1], 0.0),
    ]
    for seed, (lengths, fraction) in enumerate(cases):
        split_case(trial, function, np.array(lengths), fraction, seed)
    fair_split(trial, function)


# 7. Turn an example ---------------------------------------------------------------------------------------------


@graded
def turn_example(trial, function) -> None:
    """Check `turn_example(planes, move)`: both a quarter turn counter-clockwise, on any rectangle."""
    rng = np.random.default_rng(8)
    boards = [((1, 3, 3), move) for move in (0, 2, 4, 5)] + [((3, 2, 4), move) for move in range(8)]
    boards += [((3, 5, 2), int(move)) for move in rng.permutation(10)[:4]]
    boards += [((4, 9, 9), int(move)) for move in rng.permutation(81)[:6]]
    boards += [((3, 15, 15), 224), ((3, 15, 15), 33), ((3, 15, 15), 0), ((5, 12, 15), 179)]
    cases = [(rng.integers(0, 2, shape).astype(np.float32), move) for shape, move in boards]
    cases += [(rng.integers(0, 2, (2, 14, 13)).astype(np.int8), 150)]

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


# 8. Policy to agent ---------------------------------------------------------------------------------------------


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
        ([3e-12, 0, 1e-12, 5], [1, 1, 1, 0], 0.0),
        ([3e9, 1e9, 0], [1, 1, 1], 0.1),
    ]
    cases = [(np.array(s, float), np.array(e, bool), eps, seed) for seed, (s, e, eps) in enumerate(cases)]
    for case in cases:
        chooser_moves(trial, function, *case)

    def call(scores, empty, epsilon, seed):
        return f"choose({scores.tolist()}, {empty.astype(int).tolist()}, epsilon={epsilon}, rng), {DRAWS:,} times"

    trial.compare(
        function,
        cases,
        right=right_choice,
        why=chooser_why,
        slips=CHOICE_SLIPS,
        observe=shares_of,
        call=call,
        close=0.065,
    )


# 9. The ceiling -------------------------------------------------------------------------------------------------


@graded
def ceiling(trial, function) -> None:
    """Check `ceiling(parts, weights)`: the best possible share of right guesses for a mixture of agents."""
    rng = np.random.default_rng(9)
    cases = [
        ([[[0.5, 0.5, 0.0]]], [1.0]),
        ([[[1.0, 0.0]], [[0.0, 1.0]]], [0.4, 0.6]),
        ([[[0.6, 0.4, 0], [1, 0, 0]], [[0.2, 0.1, 0.7], [0, 0, 1]]], [0.5, 0.5]),
    ]
    for size in [(2, 3, 4), (4, 10, 9), (3, 1, 5), (4, 25, 25)]:
        cases.append((rng.dirichlet(np.full(size[2], 0.3), size=size[:2]), rng.dirichlet(np.ones(size[0]))))
    games = positions(10, 3)
    parts = [
        [agents.by_name(name, 0).distribution(game) for game in games] for name in ("greedy", "defensive", "pt", "df")
    ]
    cases.append((parts, [0.4, 0.4, 0.1, 0.1]))  # the mixed agent's, in real positions
    cases = [(np.array(parts, float), np.array(weights)) for parts, weights in cases]

    def right(parts, weights):
        return float(np.tensordot(weights, parts, 1).max(axis=1).mean())

    def why(parts, weights):
        best = np.tensordot(weights, parts, 1).max(axis=1)
        shown = ", ".join(f"{chance:.3g}" for chance in best[:6]) + (", …" if len(best) > 6 else "")
        return (
            f"In each position the mixture's likeliest move has chance {shown}. The mean of these is {best.mean():.4g}."
        )

    trial.compare(function, cases, right=right, why=why, slips=CEILING_SLIPS)


# 10. The gradient -----------------------------------------------------------------------------------------------


@graded
def gradient(trial, function) -> None:
    """Check `gradient(logits, empty, move)`: the derivative of −log p(move) with respect to the logits, p − one-hot."""
    rng = np.random.default_rng(11)
    cases = [([0.0, 0.0], [1, 1], 0), ([1.0, 2.0, 3.0], [1, 1, 1], 0), ([1.0, 2.0, 3.0], [1, 1, 0], 1)]
    cases += [([4.0, 0.0, 900.0, 2.0], [1, 1, 0, 1], 3), ([-2000.0, -2001.0, 0.0], [1, 1, 0], 1)]
    cases += [([60.0, 0.0, 61.0], [1, 1, 1], 1), ([1000.0, 998.0], [1, 1], 1), ([-1500.0, 2.0], [1, 0], 0)]
    for n in (5, 9, 16):
        empty = rng.integers(0, 2, n)
        move = int(rng.integers(n))
        empty[move] = 1
        cases.append((rng.normal(0, 2, n).round(2), empty, move))
    cases = [(np.array(logits), np.array(empty, bool), move) for logits, empty, move in cases]

    def right(logits, empty, move):
        return np.exp(masked(logits, empty)) - np.eye(len(logits))[move]

    def why(logits, empty, move):
        return (
            f"p over the empty points is {np.exp(masked(logits, empty)).round(3).tolist()}, and the move is {move}. "
            f"Nudging each logit by 0.0001 and looking at the loss gives {_numeric(logits, empty, move)}."
        )

    trial.compare(function, cases, right=right, why=why, slips=GRADIENT_SLIPS)


def _numeric(logits, empty, move: int) -> list:
    """The same derivative by finite differences."""
    steps = 1e-4 * np.eye(len(logits))
    return [
        round(float(masked(logits - s, empty)[move] - masked(logits + s, empty)[move]) / 2e-4 + 0.0, 3) for s in steps
    ]

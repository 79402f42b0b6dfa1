"""The checks of the exercises of chapter 2, the policy net, each named after the function that the learner writes."""

import numpy as np

from mock5check.ch02_cases import chooser_case, fair_split, planes_case, split_case, turn_case
from mock5check.ch02_slips import (
    CEILING_SLIPS,
    GRADIENT_SLIPS,
    POLICY_SLIPS,
    SCORE_SLIPS,
    TEMPER_SLIPS,
    TOP_SLIPS,
    heated,
    masked,
    slips,
)
from mock5check.core import Trial
from mock5lib import Mock5, agents
from mock5lib.game.encoders import three_planes
from mock5lib.gomoku.heuristics import greedy_scores
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


def point_score(function) -> None:
    """Check `point_score(own, other, centre, base, weight)`: centre + Σ base^own + weight · base^other."""
    trial = Trial("point_score")
    rng = np.random.default_rng(1)
    cases = [
        ([4, 0, 0, 0], [0, 0, 4, 0], 5.5, 10, 0.7),
        ([0, 0, 0, 0], [0, 0, 0, 0], 1.0, 10, 0.7),
        ([1, 0, 2, 0], [3, 0, 0, 0], 2.0, 9, 0.95),
        ([5, 1, 1, 0], [1, 1, 2, 3], 3.25, 10, 0.7),
    ]
    cases += [
        (
            rng.integers(0, 6, 4).tolist(),
            rng.integers(0, 6, 4).tolist(),
            float(rng.integers(1, 7)),
            int(rng.integers(2, 11)),
            0.5,
        )
        for _ in range(20)
    ]
    for own, other, centre, base, weight in cases:
        powers, spoiled = [base**m for m in own], [base**o for o in other]
        right = centre + sum(powers) + weight * sum(spoiled)
        why = (
            f"Own lines {base}^{own} = {powers}, together {sum(powers)}. The opponent's {base}^{other} = {spoiled}, "
            f"together {sum(spoiled)}, times {weight}. Plus {centre} for the centre."
        )
        wrong = slips(SCORE_SLIPS, np.array(own, float), np.array(other, float), centre, base, weight)
        trial.expect(function, own, other, centre, base, weight, right=right, why=why, likely=wrong)
    _like_greedy(trial, function)
    trial.passed()


def _like_greedy(trial: Trial, function) -> None:
    """The learner's score on a board is greedy's."""
    game = positions(2, 1)[0]
    levels = Analysis(game).levels.astype(int)
    for point in game.legal_moves()[::9]:
        row, col = divmod(point, 9)
        centre = 1 + np.hypot(4, 4) - np.hypot(row - 4, col - 4)
        own, other = (levels[colour, :, point].tolist() for colour in (game.player - 1, 2 - game.player))
        why = f"This is what agents.greedy_scores gives to row {row}, column {col} of\n{game}"
        right = float(greedy_scores(game)[point])
        trial.expect(function, own, other, float(centre), 10, 0.7, right=right, why=why)


# 2. Planes ------------------------------------------------------------------------------------------------------


def planes(function) -> None:
    """Check `planes(board, player, height, width)`: (own, other, empty) as ones and zeros, (3, height, width)."""
    trial = Trial("planes")
    rng = np.random.default_rng(3)
    cases = [([0, 1, 2, 0, 0, 1], 1, 2, 3), ([0, 1, 2, 0, 0, 1], 2, 2, 3), ([0] * 6, 2, 3, 2), ([1, 2, 1, 2], 1, 2, 2)]
    for height, width in [(3, 3), (9, 9), (4, 7), (5, 2)]:
        cases.append((rng.integers(0, 3, height * width).tolist(), int(rng.integers(1, 3)), height, width))
    for board, player, height, width in cases:
        stones = np.array(board).reshape(height, width)
        right = np.stack([stones == player, stones == 3 - player, stones == 0]).astype(float)
        planes_case(trial, function, board, player, stones, right)
    for game in positions(4, 3):
        right = three_planes.encode([game])[0]
        planes_case(trial, function, list(game.board), game.player, game.cells.reshape(9, 9), right)
    trial.passed()


# 3. Mask, then normalise ----------------------------------------------------------------------------------------


def log_policy(function) -> None:
    """Check `log_policy(logits, empty)`: log-chances over the empty points, −∞ on the others, safe for large logits."""
    trial = Trial("log_policy")
    rng = np.random.default_rng(5)
    cases = [([1.0, 2.0, 3.0], [1, 1, 1]), ([1.0, 2.0, 3.0], [1, 1, 0]), ([0.0, 0.0, 5.0, 0.0], [0, 1, 0, 1])]
    cases += [([-4.0, 9.0], [1, 0]), ([1000.0, 1001.0, 3000.0], [1, 1, 0]), ([-2000.0, -2001.0, 0.0], [1, 1, 0])]
    cases += [(rng.normal(0, 3, n).round(2).tolist(), [1, *rng.integers(0, 2, n - 1).tolist()]) for n in (4, 9, 9, 16)]
    for logits, empty in cases:
        logits, empty = np.array(logits), np.array(empty, dtype=bool)
        right = masked(logits, empty)
        with np.errstate(all="ignore"):
            wrong = slips(POLICY_SLIPS, logits, empty)
            legal = np.flatnonzero(empty).tolist()
            why = f"Empty points are {legal}; over them the chances exp(…) sum to 1. The others get −∞."
            if abs(logits).max() > 500:
                why += " Large logits overflow exp(): first subtract the largest of an EMPTY point. No chance changes."
            trial.expect(function, logits.copy(), empty.copy(), right=right, why=why, likely=wrong)
    trial.passed()


# 4. Temperature -------------------------------------------------------------------------------------------------


def tempered(function) -> None:
    """Check `tempered(chances, temperature)`: p^(1/T), summing to 1; at T = 0 equal shares for the highest."""
    trial = Trial("tempered")
    rng = np.random.default_rng(6)
    cases = [([0.5, 0.3, 0.2], t) for t in (1.0, 0.5, 2.0, 0.0)]
    cases += [([0.4, 0.4, 0.2, 0.0], 0.0), ([0.4, 0.4, 0.2, 0.0], 0.5), ([0.7, 0.3, 0.0], 100.0)]
    cases += [((np.full(81, 1 / 81)).tolist(), 0.001), ([0.011, 0.01, 0.979], 0.002), ([0.01] * 100, 0.0)]
    for t in (0.1, 0.25, 1.5, 4.0):
        chances = rng.dirichlet(np.ones(6))
        cases.append((chances.round(3).tolist(), t))
    for chances, temperature in cases:
        chances = np.array(chances)
        right = heated(chances, temperature)
        with np.errstate(all="ignore"):
            wrong = slips(TEMPER_SLIPS, chances, temperature)
            trial.expect(
                function,
                chances.copy(),
                temperature,
                right=right,
                why=_temper_why(chances, temperature),
                likely=wrong,
                close=1e-7,
            )
    trial.passed()


def _temper_why(chances, temperature) -> str:
    if temperature == 0:
        highest = (chances == chances.max()).sum()
        return f"T = 0: only the highest, {chances.max():.3g}, remain. There are {highest} of them."
    text = f"Each chance to the power 1/T = {1 / temperature:g}, then divided by their sum."
    if temperature < 0.01:
        text += " So high a power of a small number is 0 to a computer: divide all chances by the largest one first."
    return text


# 5. Top-k accuracy ----------------------------------------------------------------------------------------------


def top_k(function) -> None:
    """Check `top_k(scores, moves, k)`: the share of positions whose move is among the k highest scores."""
    trial = Trial("top_k")
    rng = np.random.default_rng(7)
    small = np.array([[0.1, 0.7, 0.2], [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.6, 0.1, 0.3]])
    cases = [
        (small, [1, 0, 2, 0], 1),
        (small, [1, 1, 1, 1], 1),
        (small, [2, 1, 0, 2], 2),
        (small, [0, 2, 0, 1], 3),
        (small[:1], [2], 1),
    ]
    for size, points, k in [(50, 9, 1), (50, 9, 3), (40, 81, 5), (30, 25, 10)]:
        cases.append(
            (rng.permuted(np.tile(np.arange(points) - 3.5, (size, 1)), axis=1), rng.integers(0, points, size), k)
        )
    for scores, moves, k in cases:
        moves = np.array(moves)
        ranks = (scores > scores[np.arange(len(moves)), moves][:, None]).sum(axis=1) + 1
        right = float(np.mean(ranks <= k))
        shown = ranks.tolist() if len(ranks) <= 8 else f"[{', '.join(map(str, ranks[:8]))}, …]"
        why = (
            f"By their scores the moves are number {shown}. Number {k} or better: {(ranks <= k).sum()} of {len(moves)}."
        )
        trial.expect(
            function, scores.copy(), moves.copy(), k, right=right, why=why, likely=slips(TOP_SLIPS, scores, moves, k)
        )
    trial.passed()


# 6. Split by game -----------------------------------------------------------------------------------------------


def held_out(function) -> None:
    """Check `held_out(lengths, fraction, rng)`: a mask over positions, whole games at random."""
    trial = Trial("held_out")
    cases = [
        ([3, 2, 4, 1], 0.25, 0),
        ([3, 2, 4, 1], 0.5, 1),
        ([5, 5], 0.1, 2),
        ([5, 5], 0.9, 3),
        ([7, 1, 30, 12, 9] * 8, 0.1, 4),
    ]
    cases += [
        ([20, 1, 3] * 20, 0.3, 5),
        ([9] * 40, 0.05, 6),
        ([4, 2, 9, 1, 3, 5, 7, 2, 6], 0.3, 8),
        ([2, 30, 4, 50, 6, 70, 8, 10], 0.5, 7),
    ]
    for lengths, fraction, seed in cases:
        split_case(trial, function, np.array(lengths), fraction, seed)
    fair_split(trial, function)
    trial.passed()


# 7. Turn an example ---------------------------------------------------------------------------------------------


def turn_example(function) -> None:
    """Check `turn_example(planes, move)`: both a quarter turn counter-clockwise, on any rectangle."""
    trial = Trial("turn_example")
    rng = np.random.default_rng(8)
    cases = [((1, 3, 3), move) for move in (0, 2, 4, 5)]
    cases += [((3, 2, 4), move) for move in range(8)] + [((3, 5, 2), int(move)) for move in rng.permutation(10)[:4]]
    cases += [((3, 9, 9), int(move)) for move in rng.permutation(81)[:8]]
    for shape, move in cases:
        turn_case(trial, function, rng.integers(0, 2, shape).astype(np.float32), move)
    trial.passed()


# 8. Policy to agent ---------------------------------------------------------------------------------------------


def choose(function) -> None:
    """Check `choose(scores, empty, epsilon, rng)`: draw in proportion; with chance epsilon, or if all are 0, evenly."""
    trial = Trial("choose")
    cases = [
        ([1, 0, 3, 0], [1, 1, 1, 1], 0.0),
        ([5, 1, 3, 0], [0, 1, 1, 0], 0.0),
        ([5, 1, 3, 0], [0, 1, 1, 1], 1.0),
        ([9, 2, 2, 4, 0, 0], [0, 1, 0, 1, 1, 1], 0.3),
        ([7, 0, 0, 0], [0, 1, 1, 1], 0.0),
        ([0, 0, 0], [1, 0, 1], 0.5),
        ([0, 8, 0, 0, 0], [1, 1, 1, 1, 1], 0.2),
    ]
    for number, (scores, empty, epsilon) in enumerate(cases):
        chooser_case(trial, function, np.array(scores, float), np.array(empty, bool), epsilon, number)
    trial.passed()


# 9. The ceiling -------------------------------------------------------------------------------------------------


def ceiling(function) -> None:
    """Check `ceiling(parts, weights)`: the best possible share of right guesses for a mixture of agents."""
    trial = Trial("ceiling")
    rng = np.random.default_rng(9)
    cases = [
        ([[[0.5, 0.5, 0.0]]], [1.0], "One agent, one position: the likeliest move has chance 0.5."),
        (
            [[[1.0, 0.0]], [[0.0, 1.0]]],
            [0.4, 0.6],
            "The first agent (0.4) plays point 0, the second (0.6) point 1. Guess 1.",
        ),
        (
            [[[0.6, 0.4, 0], [1, 0, 0]], [[0.2, 0.1, 0.7], [0, 0, 1]]],
            [0.5, 0.5],
            "Mixed, the chances are (0.4, 0.25, 0.35) and (0.5, 0, 0.5): the largest are 0.4 and 0.5, the mean 0.45.",
        ),
    ]
    for size in [(2, 3, 4), (4, 10, 9), (3, 1, 5), (4, 25, 25)]:
        parts = rng.dirichlet(np.full(size[2], 0.3), size=size[:2])
        cases.append(
            (
                parts,
                rng.dirichlet(np.ones(size[0])),
                "For each position mix the agents' chances by their weights and take the largest; then the mean.",
            )
        )
    cases.append(_from_a_game())
    for parts, weights, why in cases:
        parts, weights = np.array(parts, float), np.array(weights)
        right = float(np.tensordot(weights, parts, 1).max(axis=1).mean())
        trial.expect(
            function, parts.copy(), weights.copy(), right=right, why=why, likely=slips(CEILING_SLIPS, parts, weights)
        )
    trial.passed()


def _from_a_game():
    """The mixed agent's parts in real positions."""
    games = positions(10, 3)
    names = ("greedy", "defensive", "pt", "df")
    parts = [[agents.by_name(name, 0).distribution(game) for game in games] for name in names]
    return parts, [0.4, 0.4, 0.1, 0.1], "These are the chances of greedy, defensive, pt and df in three real positions."


# 10. The gradient -----------------------------------------------------------------------------------------------


def gradient(function) -> None:
    """Check `gradient(logits, empty, move)`: the derivative of −log p(move) by the logits, p − one-hot."""
    trial = Trial("gradient")
    rng = np.random.default_rng(11)
    cases = [
        ([0.0, 0.0], [1, 1], 0),
        ([1.0, 2.0, 3.0], [1, 1, 1], 0),
        ([1.0, 2.0, 3.0], [1, 1, 0], 1),
        ([4.0, 0.0, 900.0, 2.0], [1, 1, 0, 1], 3),
    ]
    for n in (5, 9, 16):
        empty = rng.integers(0, 2, n)
        move = int(rng.integers(n))
        empty[move] = 1
        cases.append((rng.normal(0, 2, n).round(2).tolist(), empty.tolist(), move))
    for logits, empty, move in cases:
        logits, empty = np.array(logits), np.array(empty, bool)
        right = np.exp(masked(logits, empty)) - np.eye(len(logits))[move]
        why = (
            f"p over the empty points is {np.exp(masked(logits, empty)).round(3).tolist()}. The played move is "
            f"{move}: there p − 1, elsewhere p. Nudging each logit by 0.0001 and looking at the loss gives "
            f"{_numeric(logits, empty, move)}."
        )
        with np.errstate(all="ignore"):
            wrong = slips(GRADIENT_SLIPS, logits, empty, move)
            trial.expect(function, logits.copy(), empty.copy(), move, right=right, why=why, likely=wrong)
    trial.passed()


def _numeric(logits, empty, move: int) -> list:
    """The same derivative by finite differences."""
    steps = 1e-4 * np.eye(len(logits))
    return [
        round(float(masked(logits - s, empty)[move] - masked(logits + s, empty)[move]) / 2e-4 + 0.0, 3) for s in steps
    ]

"""The checks of the exercises of chapter 5, MCTS with networks, each named after the function it checks."""

import math

import numpy as np

from mock5check.core import Trial, same
from mock5check.slips import NO_RETURN, likely

SEED = 5


def likely_arrays(slips: list, *args) -> dict:
    """`slips.likely` for mistakes whose answers are arrays."""
    return likely([(lambda *a, slip=slip: _as_key(slip(*a)), cause) for slip, cause in slips], *args)


def _as_key(answer):
    return tuple(answer.tolist()) if isinstance(answer, np.ndarray) else answer


# 1. The PUCT formula --------------------------------------------------------------------------------------------

PUCT_SLIPS = [
    (lambda q, p, total, n, c: None, NO_RETURN),
    (lambda q, p, total, n, c: q + c * p * math.sqrt(total) / n, "It is 1 + n: an untried move has n = 0."),
    (lambda q, p, total, n, c: q + c * p * math.sqrt(total / (1 + n)), "The root is of N alone, not of 1 + n."),
    (lambda q, p, total, n, c: q + c * p * math.sqrt(math.log(1 + total) / (1 + n)), "That is log-UCB, not PUCT."),
    (lambda q, p, total, n, c: q + c * math.sqrt(total) / (1 + n), "The prior is missing."),
    (lambda q, p, total, n, c: c * p * math.sqrt(total) / (1 + n), "The mean value q is missing."),
    (lambda q, p, total, n, c: q + p * math.sqrt(total) / (1 + n), "The constant c is missing."),
    (lambda q, p, total, n, c: q + c * p * total / (1 + n), "The root over N is missing."),
]


def puct_value(function) -> None:
    """Check `puct_value(q, prior, parent_visits, visits, c)`: q + c · P · √N / (1 + n)."""
    trial = Trial("puct_value")
    rng = np.random.default_rng(SEED)
    cases = [(0.5, 0.25, 16, 3, 2.0), (0.0, 0.5, 4, 0, 1.0), (-1.0, 0.1, 100, 9, 1.4), (0.3, 0.0, 50, 2, 1.4)]
    cases += [
        (round(q, 2), round(prior, 2), int(rng.integers(1, 400)), int(rng.integers(0, 40)), 1.4)
        for q, prior in zip(rng.uniform(-1, 1, 12).tolist(), rng.uniform(0, 1, 12).tolist())
    ]
    for q, prior, total, visits, c in cases:
        bonus = c * prior * math.sqrt(total) / (1 + visits)
        why = f"q is {q}, and c·P·√N / (1 + n) = {c}·{prior}·√{total} / {1 + visits} = {bonus:.4g}."
        wrong = likely(PUCT_SLIPS, q, prior, total, visits, c)
        trial.expect(function, q, prior, total, visits, c, right=q + bonus, why=why, likely=wrong)
    trial.passed()


# 2. Mask, then normalise ----------------------------------------------------------------------------------------


def right_priors(log_priors: np.ndarray, legal: list[int]) -> np.ndarray:
    """Priors (A,): 0 off `legal`, summing to 1 over it; equal shares where the net gives none of them a chance."""
    priors = np.zeros(len(log_priors))
    wanted = log_priors[legal]
    if wanted.max() == -np.inf:
        priors[legal] = 1 / len(legal)
    else:
        weights = np.exp(wanted - wanted.max())
        priors[legal] = weights / weights.sum()
    return priors


def _unmasked(log_priors, legal):
    return np.exp(log_priors) / np.exp(log_priors).sum()


def _not_normalised(log_priors, legal):
    priors = np.zeros(len(log_priors))
    priors[legal] = np.exp(log_priors[legal])
    return priors


MASK_SLIPS = [
    (lambda log_priors, legal: None, NO_RETURN),
    (_unmasked, "Illegal moves got a share. Take the legal ones only, then normalise."),
    (_not_normalised, "The legal priors no longer sum to 1: divide by their sum after masking."),
    (lambda p, legal: right_priors(p, legal)[legal], "Return one number for every point of the board, 0 off the list."),
    (lambda p, legal: np.isin(np.arange(len(p)), legal) / len(legal), "All legal moves are equal: is the net asked?"),
]


def masked_priors(function) -> None:
    """Check `masked_priors(log_priors, legal)`: zeros off `legal`, and the rest sums to 1."""
    trial = Trial("masked_priors")
    rng = np.random.default_rng(SEED)
    cases = [(np.log([0.5, 0.3, 0.2]), [0, 1, 2]), (np.log([0.5, 0.3, 0.2]), [1, 2])]
    cases += [(np.array([-np.inf, 0.0, -1.0, -np.inf]), [0, 1, 2]), (np.array([-2000.0, -2001.0, 0.0]), [0, 1])]
    cases += [(np.array([0.0, -np.inf, -np.inf, -np.inf]), [1, 2, 3])]
    for points in (5, 9, 9, 16):
        legal = np.sort(rng.choice(points, size=points // 2, replace=False)).tolist()
        cases.append((rng.normal(0, 2, points).round(2), legal))
    for log_priors, legal in cases:
        given, right = log_priors.copy(), right_priors(log_priors, legal)
        why = f"Only {legal} are legal. Their exp(log-prior), divided by their own sum, are the priors; others are 0."
        if log_priors[legal].max() < -700:
            why += " Such small numbers vanish in exp(): subtract the largest LEGAL log-prior first."
            if log_priors[legal].max() == -np.inf:
                why = f"The net gives {legal} no chance at all. 0 / 0 is NaN, so share equally among them."
        with np.errstate(all="ignore"):
            wrong = likely_arrays(MASK_SLIPS, log_priors, legal)
            trial.expect(function, given, list(legal), right=right, why=why, likely=wrong)
        trial.require(np.array_equal(given, log_priors), "It changed the array that it was given; work on a copy.")
    trial.passed()


# 3. The value of a leaf -----------------------------------------------------------------------------------------

LEAF_SLIPS = [
    (lambda winner, player, v: 1.0 if winner is not None else v, "A position is not won because it is over."),
    (lambda winner, player, v: v if not winner else 1.0 if winner == player else -1.0, "A draw is over too."),
    (
        lambda winner, player, v: v if winner is None else 0.0 if winner == 0 else 1.0 if winner != player else -1.0,
        "The value belongs to `player`, who moves next: if the other one has won, that is −1.",
    ),
    (lambda winner, player, v: v, "When the game is over, the rules know better than the net."),
    (
        lambda winner, player, v: -v if winner is None else 0.0 if winner == 0 else 1.0 if winner == player else -1.0,
        "The net speaks for the player to move already: no change of sign.",
    ),
]


def leaf_value(function) -> None:
    """Check `leaf_value(winner, player, net_value)`: the rules where the game is over, else the net."""
    trial = Trial("leaf_value")
    for winner in (None, 0, 1, 2):
        for player in (1, 2):
            for value in (0.25, -0.6):
                if winner is None:
                    right, why = value, "The game goes on: the net's value, which is for the player to move."
                elif winner == 0:
                    right, why = 0.0, "The board is full and nobody has a row: a draw is worth 0 to both."
                else:
                    right = 1.0 if winner == player else -1.0
                    why = f"Player {winner} won, player {player} would be next: {right:+.0f}, whatever the net says."
                wrong = likely(LEAF_SLIPS, winner, player, value)
                trial.expect(function, winner, player, value, right=right, why=why, likely=wrong)
    trial.passed()


# 4. Back up -----------------------------------------------------------------------------------------------------


class Node:
    """What the exercises' trees are made of."""

    def __init__(self, visits=0, value_sum=0.0):
        self.visits, self.value_sum = visits, value_sum

    def __repr__(self):
        return f"Node(visits={self.visits}, value_sum={self.value_sum:g})"


def state_of(path: list) -> list:
    """[(visits, value_sum), …]"""
    return [(node.visits, node.value_sum) for node in path]


def some_path(rng, depth: int) -> list:
    """Nodes from the root down, with some visits already."""
    return [Node(int(rng.integers(1, 20)), float(rng.integers(-8, 9)) / 2) for _ in range(depth)]


def backup(function) -> None:
    """Check `backup(path, value)`: a visit for each node, and the value, whose sign flips once per ply upwards."""
    trial = Trial("backup")
    rng = np.random.default_rng(SEED)
    for depth, value in ((1, 0.5), (2, 0.5), (3, 1.0), (4, -1.0), (3, 0.0), (5, 0.25), (6, -0.75)):
        path = some_path(rng, depth)
        before = state_of(path)
        call = f"backup({path}, {value})"
        trial.call(function, path, value)
        after = state_of(path)
        right = [(n + 1, w + value * (-1) ** (depth - 1 - i)) for i, (n, w) in enumerate(before)]
        if not np.allclose(after, right):
            trial.fail(
                "path[-1] is the leaf, and `value` belongs to the player who moves there. Each node gets one visit. "
                "One ply up the other player moves: there the same result counts with the other sign.",
                call=call,
                answer=after,
                right=right,
                hint=_backup_hint(before, after, value),
            )
        trial.cases += 1
    trial.passed()


def _backup_hint(before, after, value) -> str | None:
    depth, gains = len(before), [a[1] - b[1] for a, b in zip(after, before)]
    if after == before:
        return "Nothing has changed."
    if any(a[0] != b[0] + 1 for a, b in zip(after, before)):
        return "Each node on the path gets exactly one visit, leaf and root too."
    if depth > 1 and np.allclose(gains, value):
        return "The sign never flips."
    if np.allclose(gains, [-value * (-1) ** (depth - 1 - i) for i in range(depth)]):
        return "All signs are the other way round: at the leaf itself the value counts as it is."
    if np.allclose(gains, [value * (-1) ** i for i in range(depth)]):
        return "You started at the root. The value belongs to the leaf: start there."
    return None


# 5. Virtual loss ------------------------------------------------------------------------------------------------


def virtual_loss(fly, land) -> None:
    """Check `fly(path)` and `land(path, value)`: a lost visit while the leaf waits, and no trace of it afterwards."""
    trial = Trial("virtual_loss")
    rng = np.random.default_rng(SEED)
    for depth in (1, 2, 3, 5):
        path = some_path(rng, depth)
        before = state_of(path)
        trial.call(fly, path)
        after = state_of(path)
        flying = [(before[0][0] + 1, before[0][1])] + [(n + 1, w + 1) for n, w in before[1:]]
        trial.require(
            np.allclose(after, flying),
            f"After fly, (visits, value_sum) went from {before} to {after}; right is {flying}.",
            hint="Every node below the root: one visit, and a loss for who CHOSE it. Its value_sum belongs to the "
            "other player, for whom that is +1. The root is chosen by nobody: a visit, no value.",
        )
        value = float(rng.integers(-4, 5)) / 4
        trial.call(land, path, value)
        after = state_of(path)
        landed = [(n + 1, w + value * (-1) ** (depth - 1 - i)) for i, (n, w) in enumerate(before)]
        trial.require(
            np.allclose(after, landed),
            f"After fly and land with {value}, (visits, value_sum) went from {before} to {after}; right is {landed}.",
            hint="Nothing of the virtual loss may stay: take it away again, then back the true value up. The visit "
            "that fly counted is the real one now: it must not be counted twice.",
        )
    _two_in_flight(trial, fly, land)
    trial.passed()


def _two_in_flight(trial: Trial, fly, land) -> None:
    """Two leaves of one parent wait at once and land in the other order."""
    root, one, other = Node(5, 1.0), Node(2, -1.0), Node(1, 0.5)
    for path in ([root, one], [root, other]):
        trial.call(fly, path)
    trial.call(land, [root, other], 0.5)
    trial.call(land, [root, one], -1.0)
    right = [(7, 1.5), (3, -2.0), (2, 1.0)]
    found = state_of([root, one, other])
    trial.require(
        np.allclose(found, right),
        f"Two leaves in flight at once, landed in the other order: root and leaves are {found}, right is {right}.",
        hint="`land` must undo its own virtual loss only, not reset the nodes.",
    )


# 6. Temperature -------------------------------------------------------------------------------------------------


def right_policy(visits: np.ndarray, temperature: float) -> np.ndarray:
    """visits^(1/temperature), normalised; at 0 equal shares for the most visited."""
    share = visits / visits.max()
    with np.errstate(divide="ignore"):
        weights = (share == 1.0) if temperature == 0 else np.exp(np.log(share) / temperature)
    return weights / weights.sum()


TEMPERATURE_SLIPS = [
    (lambda visits, t: None, NO_RETURN),
    (lambda visits, t: visits / visits.sum(), "The temperature has no effect."),
    (lambda visits, t: visits**t / (visits**t).sum(), "The exponent is 1 / T, not T."),
    (lambda visits, t: np.exp(visits / t) / np.exp(visits / t).sum(), "That is a softmax; here it is a power."),
    (lambda visits, t: (np.arange(len(visits)) == visits.argmax()).astype(float), "Only T = 0 plays the best alone."),
    (lambda visits, t: visits ** (1 / t), "The shares do not sum to 1."),
]


def visit_policy(function) -> None:
    """Check `visit_policy(visits, temperature)`: shares of visits^(1/T), safe at small T, ties shared at T = 0."""
    trial = Trial("visit_policy")
    cases = [([6, 3, 1], t) for t in (1.0, 0.5, 2.0, 0.0)]
    cases += [([5, 0, 5, 2], 0.0), ([5, 0, 5, 2], 1.0), ([400, 399, 0, 1], 0.005), ([1, 0, 0], 1.25), ([90, 10], 0.08)]
    for visits, temperature in cases:
        visits = np.array(visits)
        right = right_policy(visits, temperature)
        why = f"Shares of visits^(1/T) with T = {temperature}. Unvisited moves get 0."
        if temperature == 0:
            why = "At T = 0 the most visited moves share everything."
        elif temperature <= 0.08:
            why += " 400^200 overflows: divide all visits by the greatest first, no share changes by that."
        with np.errstate(all="ignore"):
            wrong = likely_arrays(TEMPERATURE_SLIPS, visits.astype(float), temperature)
            trial.expect(function, visits.copy(), temperature, right=right, why=why, likely=wrong, close=1e-7)
    trial.passed()


# 7. Noise at the root only --------------------------------------------------------------------------------------


class FixedNoise:
    """Stands in for a generator: `dirichlet` gives back what it was made with, and notes what it was asked for."""

    def __init__(self, noise):
        self.noise, self.asked = np.array(noise), []

    def dirichlet(self, concentrations):
        """The fixed noise."""
        self.asked.append(np.asarray(concentrations, dtype=float))
        return self.noise.copy()


def noisy_priors(function) -> None:
    """Check `noisy_priors(priors, depth, rng, weight, total)`: Dirichlet noise at depth 0, untouched priors below."""
    trial = Trial("noisy_priors")
    cases = [([0.7, 0.2, 0.1], [0.1, 0.1, 0.8], 0, 0.25, 10.8), ([0.5, 0.5], [0.9, 0.1], 0, 0.5, 4.0)]
    cases += [([0.7, 0.2, 0.1], [0.1, 0.1, 0.8], depth, 0.25, 10.8) for depth in (1, 2, 7)]
    cases += [([1.0, 0.0, 0.0, 0.0], [0.25] * 4, 0, 0.25, 10.0), ([0.6, 0.4], [0.3, 0.7], 0, 0.0, 10.0)]
    for priors, noise, depth, weight, total in cases:
        given, rng = np.array(priors), FixedNoise(noise)
        right = given if depth else (1 - weight) * given + weight * np.array(noise)
        why = (
            f"Depth {depth} is below the root: no noise there."
            if depth
            else (f"At the root: (1 − {weight}) · priors + {weight} · noise, where the noise drawn here is {noise}.")
        )
        wrong = {}
        if depth:
            wrong = {tuple((1 - weight) * given + weight * np.array(noise)): "Noise belongs to the root alone."}
        else:
            wrong = {
                tuple(weight * given + (1 - weight) * np.array(noise)): "Weights swapped: `weight` is the noise's.",
                tuple(given + weight * np.array(noise)): "The sum is more than 1: the priors' part is 1 − weight.",
                tuple(given): "No noise was mixed in.",
            }
        trial.expect(function, given, depth, rng, weight, total, right=right, why=why, likely=wrong)
        trial.require(given.tolist() == priors, "It changed the priors that it was given; return new ones.")
        if depth == 0 and weight > 0:
            wanted = np.full(len(priors), total / len(priors))
            trial.require(
                len(rng.asked) == 1 and same(rng.asked[0], wanted),
                f"rng.dirichlet was asked {len(rng.asked)} times, with {[asked.tolist() for asked in rng.asked]}; "
                f"right is once, {wanted.tolist()}: the concentrations sum to total = {total}, equal for all moves.",
            )
    trial.passed()

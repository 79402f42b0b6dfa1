"""The small exercises of chapter 6, each declared by its solution."""

import numpy as np

from mock5check.spec import exercise


def games(rng):
    yield from (([1, 2, 1], 1, 1.0), ([1, 2, 1, 2], 1, 0.5), ([2, 1, 2], 0, 0.9), ([2], 2, 0.5), ([2, 1], 1, 0.0))
    yield from (([1, 1, 2], 1, 0.5), ([1, 2, 2, 1], 2, 0.5), ([1, 2] * 30, 1, 0.97))  # positions may have been left out
    for length in rng.integers(1, 12, 40):
        players = rng.integers(1, 3, length).tolist()
        yield players, int(rng.integers(0, 3)), round(float(rng.uniform(0, 1)), 2)


@exercise(
    cases=games,
    why="It's +1 where the winner is to move and −1 elsewhere, times gamma once for each position that follows.",
)
def outcomes(players, winner, gamma):
    """z of each position of a game."""
    if winner == 0:
        return [0.0] * len(players)
    last, targets = len(players) - 1, []
    for i, player in enumerate(players):
        sign = 1.0 if player == winner else -1.0
        targets.append(sign * gamma ** (last - i))
    return targets


def priors(rng):
    """(prior, empty, noise, weight)"""
    for prior, empty, noise, weight in (
        ([0.5, 0.3, 0.2], [1, 0, 1], [0.7, 0.3], 0.25),
        ([0.6, 0.4], [1, 1], [0.3, 0.7], 0.0),
        ([0.6, 0.4], [1, 1], [0.3, 0.7], 1.0),
        ([3, 1, 4, 0], [1, 0, 1, 1], [0.2, 0.3, 0.5], 0.25),  # whole numbers, and a prior of 0
        ([0.1, 0.9], [1, 0], [1.0], 0.25),
    ):
        yield np.array(prior), np.array(empty, bool), np.array(noise), weight
    for points in rng.integers(2, 12, 30):
        empty = rng.permutation(np.append(rng.random(points - 2) < 0.6, [True, False]))
        noise = rng.dirichlet(np.full(empty.sum(), 0.5))
        yield rng.dirichlet(np.ones(points)).round(3), empty, noise, round(float(rng.uniform(0, 1)), 2)


@exercise(
    cases=priors,
    fresh=True,
    why="Points with stones get 0. On the empty ones, mix (1 − weight) of the prior, normalized there, with weight of "
    "the noise.",
)
def noisy_prior(prior, empty, noise, weight):
    """The prior over the empty points, mixed with noise."""
    mixed = np.zeros(len(prior))
    mixed[empty] = (1 - weight) * prior[empty] / prior[empty].sum() + weight * noise
    return mixed


def batches(rng):
    """(log_priors, values, policies, outcomes, full)"""
    half = np.log([[0.5, 0.5]])
    yield half, np.zeros(1), np.array([[1.0, 0.0]]), np.ones(1), np.zeros(1)
    yield half, np.array([0.5]), np.array([[0.5, 0.5]]), np.array([-1.0]), np.ones(1)
    for count in rng.integers(1, 6, 30):
        logits = rng.normal(0, rng.choice([1, 8]), size=(count, 3))
        log_priors = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        policies, values = rng.dirichlet(np.ones(3), size=count), rng.uniform(-1, 1, count)
        yield log_priors, values, policies, rng.choice([-1.0, 0.0, 1.0], count), rng.integers(0, 2, count).astype(float)


@exercise(
    cases=batches,
    why="The policy loss is the mean of −Σ π log p over the positions with full = 1, or 0 if there are none. The value "
    "loss is the mean of (z − v)² over all of them.",
)
def losses(log_priors, values, policies, outcomes, full):
    """(policy loss over full searches, value loss over all)."""
    policy_loss = (-(policies * log_priors).sum(axis=1) * full).sum() / max(full.sum(), 1)
    value_loss = ((outcomes - values) ** 2).mean()
    return policy_loss, value_loss


def accounts(rng):
    """(new_positions, reuse, batch_size, debt)"""
    yield from ((64, 4.0, 64, 0), (10, 1.0, 64, 60), (0, 8.0, 32, 31), (100, 0.5, 32, 20), (7, 0.25, 32, 0.5))
    yield from ((0, 4.0, 64, 200), (0, 2.0, 32, 32), (5, 0.0, 8, 3.5), (0, 1.0, 16, 0), (100_000, 8.0, 64, 5))
    for new, reuse, debt in zip(rng.integers(0, 500, 30), rng.integers(1, 40, 30) / 4, rng.integers(0, 320, 30) / 5):
        yield int(new), float(reuse), 64, float(debt)


@exercise(
    cases=accounts,
    why=lambda new, reuse, size, debt: (
        f"{new} × {reuse:g} + {debt:g} = {debt + new * reuse:g} positions are owed, and a step trains on {size}."
    ),
)
def steps_owed(new_positions, reuse, batch_size, debt):
    """Steps to take now, and the debt that is left."""
    owed = debt + new_positions * reuse
    steps = int(owed // batch_size)
    return steps, owed - steps * batch_size


def gates(rng):
    """(games, gate, draws)"""
    yield from ((1, 0.5, 0.0), (2, 0.5, 0.5), (1, 0.4, 1.0), (8, 0.0, 0.4), (20, 0.55, 0.5), (50, 0.58, 0.2))
    yield from ((300, 0.565, 0.2), (1000, 0.51, 0.4), (100, 0.55, 0.2))  # 0.565 · 300 is 169.49999999999997
    for games in rng.integers(1, 60, 20):
        yield int(games), round(float(rng.uniform(0.3, 0.7)), 2), round(float(rng.uniform(0, 1)), 1)


@exercise(
    cases=gates,
    close=1e-7,
    long=8.0,
    why=lambda games, gate, draws: (
        f"A game gives 0, ½ or 1 point with chances {(1 - draws) / 2:g}, {draws:g}, {(1 - draws) / 2:g}. Return the "
        f"exact chance of a score above {gate * games:g} in {games} game{'s' if games > 1 else ''}."
    ),
)
def false_pass(games, gate, draws):
    """The chance that an equal net scores more than the gate."""
    chances = np.array([1.0])
    for _ in range(games):
        chances = np.convolve(chances, [(1 - draws) / 2, draws, (1 - draws) / 2])
    points = np.arange(2 * games + 1) / 2
    return chances[points > gate * games + 1e-9].sum()

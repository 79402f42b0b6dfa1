"""The checks of the exercises of chapter 6, AlphaZero, each named after the function that the learner writes."""

import numpy as np

from mock5check.ch06.capstone import alphazero
from mock5check.ch06.experiments import false_pass
from mock5check.core import graded

__all__ = ["alphazero", "false_pass", "losses", "noisy_prior", "outcomes", "steps_owed"]

# 1. Outcomes ----------------------------------------------------------------------------------------------------


def outcomes_of(players, winner, gamma) -> list:
    """The right answer to `outcomes`."""
    last = len(players) - 1
    signs = [0.0 if winner == 0 else 1.0 if player == winner else -1.0 for player in players]
    return [sign * gamma ** (last - i) + 0.0 for i, sign in enumerate(signs)]  # + 0.0: no minus before a zero


OUTCOME_SLIPS = [
    (lambda p, w, g: outcomes_of([1] * len(p), w, g), "That is Black's result in every position."),
    (lambda p, w, g: outcomes_of(p, p[-1] if w else 0, g), "Its last mover need not have won: look at `winner`."),
    (lambda p, w, g: outcomes_of(p, w, 1.0), "The discount is not used."),
    (lambda p, w, g: [z * g for z in outcomes_of(p, w, g)], "No position follows the last: its power is 0."),
    (
        lambda p, w, g: [z * g**i for i, z in enumerate(outcomes_of(p, w, 1.0))],
        "The exponent counts the positions that FOLLOW, not those before: the last has 0.",
    ),
    (lambda p, w, g: outcomes_of(p, w, g)[::-1], "The list is in the order of the positions, the first one first."),
    (lambda p, w, g: [-z for z in outcomes_of(p, w, g)], "The sign: the winner's positions are worth +1."),
    (
        lambda p, w, g: outcomes_of([p[-1] if (len(p) - i) % 2 else 3 - p[-1] for i in range(len(p))], w, g),
        "Players need not alternate: ask each position who was to move in it.",
    ),
]


@graded
def outcomes(trial, function) -> None:
    """Check `outcomes(players, winner, gamma)`: z of each position, discounted by the positions that followed."""
    rng = np.random.default_rng(2)
    cases = [([1, 2, 1], 1, 1.0), ([1, 2, 1, 2], 2, 1.0), ([1, 2, 1, 2], 1, 0.5), ([2, 1, 2], 0, 0.9), ([2], 2, 0.5)]
    cases += [([1, 1, 2], 1, 0.5), ([1, 2, 2, 1], 2, 0.5)]  # positions may have been left out
    cases += [([1, 2, 1], 2, 0.0), ([1], 1, 0.0), ([2, 1], 0, 0.0), ([1], 0, 0.5), ([1, 2] * 30, 1, 0.97)]
    for n, s, w in zip(rng.integers(2, 30, 10), rng.integers(0, 2, 10), rng.integers(0, 3, 10)):
        cases.append(((1 + (np.arange(n) + s) % 2).tolist(), int(w), round(float(rng.uniform(0.8, 1)), 2)))

    def why(players, winner, gamma):
        who = f"player {winner} won: +1 where {winner} is to move, −1 elsewhere" if winner else "a draw is 0 for both"
        return f"{who[0].upper()}{who[1:]}; times {gamma:g} once for each position that follows (0⁰ is 1)."

    trial.compare(function, cases, right=outcomes_of, why=why, slips=OUTCOME_SLIPS)


# 2. Noise -------------------------------------------------------------------------------------------------------


def noisy_of(prior, empty, noise, weight) -> np.ndarray:
    """The right answer to `noisy_prior`."""
    mixed = np.zeros(len(prior))
    mixed[empty] = (1 - weight) * prior[empty] / prior[empty].sum() + weight * noise
    return mixed


def _unscaled(prior, empty, noise, weight):
    mixed = np.zeros(len(prior))
    mixed[empty] = (1 - weight) * prior[empty] + weight * noise
    return mixed


def _over_all(prior, empty, noise, weight):
    mixed = np.zeros(len(prior))
    mixed[empty] = (1 - weight) * prior[empty] / prior.sum() + weight * noise
    return mixed


def _normalised_last(prior, empty, noise, weight):
    mixed = _unscaled(prior, empty, noise, weight)
    return mixed / mixed.sum()


def _noise_in_front(prior, empty, noise, weight):
    mixed = noisy_of(prior, empty, np.zeros(len(noise)), weight)
    mixed[: len(noise)] += weight * noise
    return mixed


NOISE_SLIPS = [
    (lambda p, e, noise, w: noisy_of(p, e, noise, 1 - w), "ε belongs to the noise, 1 − ε to the prior."),
    (_unscaled, "Divide the prior by its sum on empty points."),
    (_over_all, "Divide the prior by its sum on EMPTY points: what lies on stones is lost."),
    (_normalised_last, "First normalise the prior, then mix: after the mixing its share is no longer 1 − ε."),
    (_noise_in_front, "The noise belongs to the empty points, in their order, not to the first points of the board."),
    (
        lambda p, e, noise, w: noisy_of(p, e, noise, w).astype(p.dtype),
        "The array was made like `prior`, which may hold whole numbers: fractions are cut off. Make it of floats.",
    ),
    (
        lambda p, e, noise, w: np.where(e, noisy_of(p, e, noise, w), p),
        "What `prior` says of a STONE's point stays. It is 0.",
    ),
    (
        lambda p, e, noise, w: noisy_of(p, e, noise, w) * (p > 0),
        "A point without a prior gets its share of the noise, too.",
    ),
    (lambda p, e, noise, w: noisy_of(p, e, noise, w)[e], "Return a number for each point, 0 on stones."),
    (lambda p, e, noise, w: noisy_of(p, e, noise, 0.0), "No noise was mixed in."),
    (lambda p, e, noise, w: noisy_of(p, e, noise, 1.0), "Only the noise is left: the prior's part is 1 − ε."),
]


@graded
def noisy_prior(trial, function) -> None:
    """Check `noisy_prior(prior, empty, noise, weight)`: priors over the empty points, mixed with the noise."""
    rng = np.random.default_rng(3)
    cases = [([0.5, 0.3, 0.2], [1, 0, 1], [0.7, 0.3], 0.25), ([0.6, 0.4], [1, 1], [0.3, 0.7], 0.0)]
    cases += [([0.6, 0.4], [1, 1], [0.3, 0.7], 1.0), ([3, 1, 4, 0], [1, 0, 1, 1], [0.2, 0.3, 0.5], 0.25)]
    cases += [([0.6, 0.37, 0.03], [1, 1, 0], [0.5, 0.5], 0.0)]
    cases += [([0.6, 0.405], [1, 1], [0.5, 0.5], 0.0), ([0.6, 0.399999], [1, 1], [0.5, 0.5], 0.25)]
    cases += [([3, 1, 4, 0], [1, 0, 1, 1], [0.2, 0.3, 0.5], 0.0), ([2, 2], [1, 1], [0.5, 0.5], 0.25)]
    cases += [([0.1, 0.9], [1, 0], [1.0], 0.25), ([1e-9, 1.0, 3e-9], [1, 0, 1], [0.5, 0.5], 0.5)]
    cases += [([1e-50, 3e-50, 1.0], [1, 1, 0], [0.5, 0.5], 0.25)]  # 0 in single precision
    for n in (3, 9, 9, 16, 36):
        empty = np.append(rng.random(n - 2) < 0.6, [True, False])
        noise = rng.dirichlet(np.full(empty.sum(), 0.5))
        cases.append((rng.dirichlet(np.ones(n)), empty, noise, round(float(rng.uniform(0.1, 0.9)), 2)))

    def why(prior, empty, noise, weight):
        return (
            f"Occupied points get 0. On the empty ones ({empty.sum()}): {1 - weight:g} of the normalised prior and "
            f"{weight:g} of the noise, which comes in the order of the empty points."
        )

    cases = [(np.array(p), np.array(e, bool), np.array(noise), w) for p, e, noise, w in cases]
    trial.compare(function, cases, right=noisy_of, why=why, slips=NOISE_SLIPS, fresh=True)


# 3. The loss ----------------------------------------------------------------------------------------------------


def loss_of(log_priors, values, policies, outcomes, full) -> tuple:
    """The right answer to `losses`."""
    cross = -(policies * log_priors).sum(axis=1)
    return float((cross * full).sum() / max(full.sum(), 1)), float(((outcomes - values) ** 2).mean())


def _policy_part(wrong):
    """A slip in the policy loss alone."""
    return lambda p, v, t, z, f: (float(wrong(-(t * p).sum(axis=1), f)), loss_of(p, v, t, z, f)[1])


def _value_part(wrong):
    """A slip in the value loss alone."""
    return lambda p, v, t, z, f: (loss_of(p, v, t, z, f)[0], float(wrong(v, z, f)))


LOSS_SLIPS = [
    (lambda *case: loss_of(*case)[::-1], "The pair is (policy loss, value loss), in this order."),
    (_policy_part(lambda cross, f: cross.mean()), "Positions without a full search teach no policy."),
    (_policy_part(lambda cross, f: -(cross * f).sum() / max(f.sum(), 1)), "The sign: a log-probability is negative."),
    (_policy_part(lambda cross, f: (cross * f).mean()), "Divide by the number of full searches, not of all."),
    (_policy_part(lambda cross, f: (cross * f).sum()), "A mean over positions, not a sum."),
    (_policy_part(lambda cross, f: (cross * f).sum() / f.sum()), "Without a full search that is 0 / 0: NaN, not 0."),
    (_value_part(lambda v, z, f: ((z + v) ** 2).mean()), "The distance of z and v: z MINUS v."),
    (_value_part(lambda v, z, f: abs(z - v).mean()), "The distance is squared."),
    (_value_part(lambda v, z, f: ((z - v) ** 2).sum()), "A mean over positions, not a sum."),
    (_value_part(lambda v, z, f: ((z - v) ** 2 * f).sum() / max(f.sum(), 1)), "All positions teach the value."),
]


@graded
def losses(trial, function) -> None:
    """Check `losses(log_priors, values, policies, outcomes, full)`: (policy loss, value loss)."""
    rng = np.random.default_rng(5)
    shares, targets = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25]]), np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]])
    cases = [(np.log(shares), np.array([0.5, -0.5]), targets, np.array([1.0, 0.0]), np.array([1.0, 0.0]))]
    for count, points in [(1, 3), (4, 4), (6, 9), (8, 16)]:
        logits = rng.normal(0, 8, size=(count, points))
        log_priors = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        policies = rng.dirichlet(np.ones(points), size=count)
        values, results = rng.uniform(-1, 1, count), rng.choice([-1.0, 0.0, 1.0], count)
        full = np.ones(count) if count == 1 else (np.arange(count) % 3 == 1).astype(float)
        cases.append((log_priors, values, policies, results, full))
    for full in ([0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]):
        even, count = np.full((len(full), 4), 0.25), len(full)
        cases.append((np.log(even), np.zeros(count), even, np.ones(count), np.array(full)))
    sure = np.array([[0.0, -50.0], np.log([0.5, 0.5])]), np.zeros(2), np.array([[1.0, 0.0], [0.5, 0.5]])
    cases.append((*sure, np.ones(2), np.ones(2)))  # a policy loss of exactly 0 counts like any other

    def why(log_priors, values, policies, outcomes, full):
        if not full.any():
            return "No full search, no policy loss: 0, not NaN. The value loss is the mean over all positions."
        return "Policy: the mean of −Σ π log p over the positions with full = 1. Value: the mean of (z − v)² over all."

    trial.compare(function, cases, right=loss_of, why=why, slips=LOSS_SLIPS)


# 4. Reuse -------------------------------------------------------------------------------------------------------


def owed_of(new, reuse, size, debt) -> tuple[int, float]:
    """The right answer to `steps_owed`."""
    owed = debt + new * reuse
    return int(owed // size), float(owed % size)


def _rounded(new, reuse, size, debt, rounding) -> tuple[int, float]:
    steps = int(rounding((debt + new * reuse) / size))
    return steps, float(debt + new * reuse - steps * size)


OWED_SLIPS = [
    (lambda n, r, b, d: _rounded(n, r, b, d, np.ceil), "Only whole batches are taken: a debt is never negative."),
    (lambda n, r, b, d: _rounded(n, r, b, d, round), "Only whole batches are taken: a debt is never negative."),
    (lambda n, r, b, d: _rounded(n, r, b, d, lambda x: max(1, x)), "Perhaps no batch is full: then no step is taken."),
    (lambda n, r, b, d: _rounded(n, r, b, d, lambda x: min(1, x)), "More than one batch may be owed."),
    (lambda n, r, b, d: _rounded(n, r, b, d, lambda x: max(0, np.ceil(x) - 1)), "A batch that is just full is taken."),
    (lambda n, r, b, d: (owed_of(n, r, b, d)[0], owed_of(n, r, b, d)[1] / b), "The debt counts positions, not steps."),
    (lambda n, r, b, d: (owed_of(n, r, b, 0)[0], float(d)), "What was left over from before is lost."),
    (lambda n, r, b, d: owed_of(n, r, b, 0), "What was left over from before is lost."),
    (lambda n, r, b, d: (owed_of(n, r, b, d)[0], 0.0), "What is left over must be kept for the next round."),
    (lambda n, r, b, d: (int(d + n * r), 0.0), "A step trains on `batch_size` positions, not on one."),
    (lambda n, r, b, d: owed_of(n, 1, b, d), "`reuse` is not used."),
    (lambda n, r, b, d: owed_of(int(n * r), 1, b, d), "A part of a position is owed, too: do not round it away."),
    (lambda n, r, b, d: owed_of(n, r, b, d) if n else (0, float(d)), "A debt is paid also where nothing is new."),
]


@graded
def steps_owed(trial, function) -> None:
    """Check `steps_owed(new_positions, reuse, batch_size, debt)`: (steps to take now, debt that is left)."""
    rng = np.random.default_rng(6)
    cases = [(64, 4.0, 64, 0), (10, 1.0, 64, 0), (10, 1.0, 64, 60), (0, 8.0, 32, 31), (100, 0.5, 32, 20)]
    cases += [
        (7, 0.25, 32, 0.5),
        (7, 1.5, 32, 30),
        (7, 1 / 3, 32, 0.5),
        (100_000, 8.0, 64, 5),
    ]  # a part of a position is owed too
    cases += [
        (4095, 1.0, 4096, 0),
        (0, 1.0, 32, 31.75),
        (0, 4.0, 64, 200),
        (0, 8.0, 128, 127.9995),
        (0, 8.0, 128, 127.9999995),
        (0, 2.0, 32, 32),
        (0, 1.0, 16, 0),
        (5, 0.0, 8, 3.5),
        (64, 1.0, 64, 64),
    ]
    cases += [(int(rng.integers(0, 500)), float(rng.integers(1, 20)), 64, int(rng.integers(0, 64))) for _ in range(6)]

    def why(new, reuse, size, debt):
        return f"{new} × {reuse:g} + {debt:g} = {debt + new * reuse:g} owed; a step trains on {size}."

    trial.compare(function, cases, right=owed_of, why=why, slips=OWED_SLIPS)
    total, debt = 0, 0.0
    for _ in range(100):
        steps, debt = trial.call(function, 7, 3.0, 64, debt)
        total += steps
    trial.require(total == 32, f"100 rounds of 7 positions at reuse 3 owe 2,100: 32 steps of 64. Yours took {total}.")

"""The checks of the exercises of chapter 6, AlphaZero, each named after the function that the learner writes."""

from functools import lru_cache

import numpy as np

from mock5check.ch02_slips import slips
from mock5check.core import Trial
from mock5check.slips import NO_RETURN, likely
from mock5lib.game import symmetry

# 1. Temperature -------------------------------------------------------------------------------------------------


def visit_policy_of(visits, temperature) -> np.ndarray:
    """The right answer to `visit_policy`."""
    share = np.asarray(visits, float) / np.max(visits)
    weights = (share == 1).astype(float) if temperature == 0 else share ** (1 / temperature)
    return weights / weights.sum()


VISIT_SLIPS = [
    (lambda v, t: None, NO_RETURN),
    (lambda v, t: np.array(v) / np.sum(v), "The temperature is not used."),
    (lambda v, t: np.array(v, float) ** t / (np.array(v, float) ** t).sum(), "The exponent is 1/τ, not τ."),
    (lambda v, t: (np.array(v) / max(v)) ** (1 / t), "It does not sum to 1."),
]


def visit_policy(function) -> None:
    """Check `visit_policy(visits, temperature)`: N^(1/τ), normalised; τ = 0 shares all among the most visited."""
    trial = Trial("visit_policy")
    rng = np.random.default_rng(1)
    cases = [([6, 3, 1], 1.0), ([6, 3, 1], 0.5), ([6, 3, 0, 1], 0.0), ([4, 4, 2], 0.0), ([800, 799, 1], 0.002)]
    cases += [([0, 0, 7], 0.08), ([6, 3, 1], 4.0), ([90_000, 1], 0.01), ([800, 799, 1], 0.0), ([6, 0, 1], 4.0)]
    cases += [(rng.integers(0, 50, 9).tolist(), round(rng.uniform(0.1, 2), 2)) for _ in range(6)]
    for visits, temperature in cases:
        why = f"Each move's weight is N^(1/{temperature:g}); divide by their sum."
        if temperature == 0:
            why = "At τ = 0 the most visited moves share everything; the others get nothing."
        elif temperature < 0.1:
            why += " So large a power overflows: divide N by the largest N first."
        with np.errstate(all="ignore"):
            trial.expect(
                function,
                np.array(visits),
                temperature,
                right=visit_policy_of(visits, temperature),
                why=why,
                likely=slips(VISIT_SLIPS, tuple(visits), temperature),
            )
    trial.passed()


# 2. Outcomes ----------------------------------------------------------------------------------------------------


def outcomes_of(players, winner, gamma) -> list:
    """The right answer to `outcomes`."""
    last = len(players) - 1
    return [0.0 if winner == 0 else (1.0 if p == winner else -1.0) * gamma ** (last - i) for i, p in enumerate(players)]


OUTCOME_SLIPS = [
    (lambda p, w, g: None, NO_RETURN),
    (lambda p, w, g: outcomes_of([1] * len(p), w, g), "That is Black's result in every position."),
    (lambda p, w, g: outcomes_of(p, p[-1], g), "Its last mover need not have won: look at `winner`."),
    (lambda p, w, g: outcomes_of(p, w, 1.0), "The discount is not used."),
    (lambda p, w, g: [z * g for z in outcomes_of(p, w, g)], "No position follows the last: its power is 0."),
    (lambda p, w, g: [-z for z in outcomes_of(p, w, g)], "The sign: the winner's positions are worth +1."),
]


def outcomes(function) -> None:
    """Check `outcomes(players, winner, gamma)`: z of each position, discounted by the positions that followed."""
    trial = Trial("outcomes")
    rng = np.random.default_rng(2)
    cases = [([1, 2, 1], 1, 1.0), ([1, 2, 1, 2], 2, 1.0), ([1, 2, 1, 2], 1, 0.5), ([2, 1, 2], 0, 0.9), ([2], 2, 0.5)]
    cases += [([1, 1, 2], 1, 0.5), ([1, 2, 2, 1], 2, 0.5)]  # positions may have been left out
    cases += [
        ((1 + (np.arange(n) + s) % 2).tolist(), int(w), round(g, 2))
        for n, s, w, g in zip(
            rng.integers(2, 30, 10), rng.integers(0, 2, 10), rng.integers(0, 3, 10), rng.uniform(0.8, 1, 10)
        )
    ]
    for players, winner, gamma in cases:
        who = f"player {winner} won: +1 where {winner} is to move, −1 elsewhere" if winner else "a draw is 0 for both"
        trial.expect(
            function,
            list(players),
            winner,
            gamma,
            right=outcomes_of(players, winner, gamma),
            why=f"{who}; times {gamma:g} once for each position that follows.",
            likely=slips(OUTCOME_SLIPS, tuple(players), winner, gamma),
        )
    trial.passed()


# 3. Noise -------------------------------------------------------------------------------------------------------


def noisy_of(prior, empty, noise, weight) -> np.ndarray:
    """The right answer to `noisy_prior`."""
    mixed = np.zeros(len(prior))
    mixed[empty] = (1 - weight) * prior[empty] / prior[empty].sum() + weight * noise
    return mixed


def noisy_prior(function) -> None:
    """Check `noisy_prior(prior, empty, noise, weight)`: priors over the empty points, mixed with the noise."""
    trial = Trial("noisy_prior")
    rng = np.random.default_rng(3)
    for n in (3, 9, 9, 16, 36):
        empty = np.append(rng.random(n - 2) < 0.6, [True, False])
        prior, weight = rng.dirichlet(np.ones(n)), round(float(rng.uniform(0.1, 0.9)), 2)
        noise = rng.dirichlet(np.full(empty.sum(), 0.5))
        right = noisy_of(prior, empty, noise, weight)
        swapped = noisy_of(prior, empty, noise, 1 - weight)
        unscaled = np.zeros(n)
        unscaled[empty] = (1 - weight) * prior[empty] + weight * noise
        causes = {
            tuple(swapped): "ε belongs to the noise, 1 − ε to the prior.",
            tuple(unscaled): "Divide the prior by its sum on empty points.",
        }
        trial.expect(
            function,
            prior.copy(),
            empty.copy(),
            noise.copy(),
            weight,
            right=right,
            likely=causes,
            why=f"Occupied points get 0. On the {empty.sum()} empty ones: {1 - weight:g} of the normalised "
            f"prior and {weight:g} of the noise, which comes in the order of the empty points.",
        )
    given = {"prior": np.array([0.5, 0.3, 0.2]), "empty": np.array([True, False, True]), "noise": np.array([0.7, 0.3])}
    kept = {name: part.copy() for name, part in given.items()}
    trial.call(function, *given.values(), 0.25)
    for name, part in given.items():
        trial.require(np.array_equal(part, kept[name]), f"It changed the {name} that it was given: make a new array.")
    trial.passed()


# 4. Symmetry ----------------------------------------------------------------------------------------------------


def turned_example(function) -> None:
    """Check `turned_example(board, policy, turns, mirror)`: both turned alike, as a pair of square arrays."""
    trial = Trial("turned_example")
    rng = np.random.default_rng(4)
    for turns, mirror in [(0, False), (1, False), (0, True), (2, False), (3, True), (1, True), (3, False), (2, True)]:
        board = rng.integers(0, 3, (4, 4))
        policy = np.where(board == 0, rng.random((4, 4)).round(3), 0.0)
        right = tuple(symmetry.transform(part, turns, int(mirror)) for part in (board, policy))
        other = tuple(np.rot90(part, turns)[:, ::-1] if mirror else np.rot90(part, turns) for part in (board, policy))
        back = tuple(symmetry.transform(part, -turns, int(mirror)) for part in (board, policy))
        causes = [
            ((board, policy), "Nothing has turned."),
            ((right[0], policy), "The policy must turn as well."),
            (other, "First mirror, then turn."),
            (back, "Counter-clockwise, as `np.rot90` turns."),
        ]
        what = f"{'First mirror the columns, then ' if mirror else ''}turn {turns} quarter turns counter-clockwise"
        trial.expect(
            function,
            board.copy(),
            policy.copy(),
            turns,
            mirror,
            right=right,
            why=f"{what}, both of them.",
            likely={nested(value): cause for value, cause in reversed(causes)},
        )
    kept = board.copy(), policy.copy()
    trial.call(function, board, policy, 1, True)
    trial.require(all(map(np.array_equal, kept, (board, policy))), "It changed what it was given: make new arrays.")
    trial.passed()


def nested(value):
    """Arrays as tuples of tuples, which a dict can hold."""
    return tuple(nested(part) for part in value) if np.ndim(value) else value.item()


# 5. The loss ----------------------------------------------------------------------------------------------------


def loss_of(log_priors, values, policies, outcomes, full) -> tuple:
    """The right answer to `losses`."""
    cross = -(policies * log_priors).sum(axis=1)
    return float((cross * full).sum() / max(full.sum(), 1)), float(((outcomes - values) ** 2).mean())


LOSS_SLIPS = [
    (lambda p, v, t, z, f: -(t * p).sum(axis=1).mean(), "Positions without a full search teach no policy."),
    (lambda p, v, t, z, f: (t * p * f[:, None]).sum() / max(f.sum(), 1), "The sign: a log-probability is negative."),
    (lambda p, v, t, z, f: -(t * p * f[:, None]).sum() / len(f), "Divide by the number of full searches, not of all."),
    (lambda p, v, t, z, f: -(t * p * f[:, None]).sum(), "A mean over positions, not a sum."),
]


def losses(function) -> None:
    """Check `losses(log_priors, values, policies, outcomes, full)`: (policy loss, value loss)."""
    trial = Trial("losses")
    rng = np.random.default_rng(5)
    for count, points in [(1, 3), (4, 4), (6, 9), (8, 16)]:
        logits = rng.normal(0, 8, size=(count, points))
        log_priors = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        policies = rng.dirichlet(np.ones(points), size=count)
        values, results = rng.uniform(-1, 1, count), rng.choice([-1.0, 0.0, 1.0], count)
        full = np.ones(count) if count == 1 else (np.arange(count) % 3 == 1).astype(float)
        arguments = (log_priors, values, policies, results, full)
        right = loss_of(*arguments)
        causes = {(wrong(*arguments), right[1]): cause for wrong, cause in LOSS_SLIPS}
        causes[(right[0], float(((results + values) ** 2).mean()))] = "The distance of z and v: z MINUS v."
        trial.expect(
            function,
            *(part.copy() for part in arguments),
            right=right,
            likely=causes,
            why="Policy: the mean of −Σ π log p over the positions with full = 1. Value: the mean of (z − v)² "
            "over all positions.",
        )
    nothing = (np.log(np.full((2, 4), 0.25)), np.zeros(2), np.full((2, 4), 0.25), np.ones(2), np.zeros(2))
    trial.expect(function, *nothing, right=(0.0, 1.0), why="No full search, no policy loss: 0, not NaN.")
    trial.passed()


# 6. Reuse -------------------------------------------------------------------------------------------------------


def steps_owed(function) -> None:
    """Check `steps_owed(new_positions, reuse, batch_size, debt)`: (steps to take now, debt that is left)."""
    trial = Trial("steps_owed")
    rng = np.random.default_rng(6)
    cases = [(64, 4.0, 64, 0), (10, 1.0, 64, 0), (10, 1.0, 64, 60), (0, 8.0, 32, 31), (100, 0.5, 32, 20)]
    cases += [(7, 0.25, 32, 0.5), (7, 1.5, 32, 30)]  # a part of a position is owed too
    cases += [(int(rng.integers(0, 500)), float(rng.integers(1, 20)), 64, int(rng.integers(0, 64))) for _ in range(6)]
    for new, reuse, size, debt in cases:
        owed = debt + new * reuse
        right = (int(owed // size), owed % size)
        causes = {
            (int(new * reuse // size), debt): "What was left over from before is lost.",
            right[:1] + (0,): "What is left over must be kept for the next round.",
            (int(new * reuse), 0): "A step trains on `batch_size` positions, not on one.",
        }
        trial.expect(
            function,
            new,
            reuse,
            size,
            debt,
            right=right,
            likely=causes,
            why=f"{new} × {reuse:g} + {debt} = {owed:g} owed; a step trains on {size}.",
        )
    total, debt = 0, 0.0
    for _ in range(100):
        steps, debt = trial.call(function, 7, 3.0, 64, debt)
        total += steps
    trial.require(total == 32, f"100 rounds of 7 positions at reuse 3 owe 2,100: 32 steps of 64. Yours took {total}.")
    trial.passed()


# 7. An experiment: the starved gradient --------------------------------------------------------------------------


@lru_cache(maxsize=8)
def gap_of(reuse: float) -> float:
    """The right answer to `gap`."""
    from mock5lib.alphazero import loop as az

    run = az.alphazero(small_run(reuse), iterations=6, device="cpu", log=None)
    return run.metrics[-1]["policy_loss"] - run.metrics[-1]["target_entropy"]


def small_run(reuse: float):
    """The config of the experiment."""
    from mock5lib.alphazero import loop as az

    return az.preset(
        "tiny",
        height=5,
        width=5,
        games=24,
        simulations=8,
        fill=100,
        batch_size=32,
        replay_ratio=reuse,
        evaluate_every=0,
    )


def gap(function) -> None:
    """Check `gap(reuse)`: after six rounds, how far the policy loss lies above its floor."""
    trial = Trial("gap")
    for reuse in (0.5, 8.0):
        right = gap_of(reuse)
        trial.expect(
            function,
            reuse,
            right=right,
            close=1e-4,
            why="Of the last of six rounds with this reuse: policy_loss less target_entropy.",
        )
    trial.require(
        gap_of(0.5) > gap_of(8.0) + 0.3, "Expected outcome: the starved net stays much further above the floor."
    )
    trial.passed()


# 8. An experiment: the gate ---------------------------------------------------------------------------------------


def false_pass_of(games, gate, draws) -> float:
    """The right answer to `false_pass`."""
    chances = np.array([1.0])
    for _ in range(games):
        chances = np.convolve(chances, [(1 - draws) / 2, draws, (1 - draws) / 2])
    points = np.arange(2 * games + 1) / 2
    return float(chances[points > gate * games + 1e-9].sum())


FALSE_SLIPS = [
    (lambda n, g, d: None, NO_RETURN),
    (lambda n, g, d: false_pass_of(n, g - 1e-6, d), "The gate must be EXCEEDED: a score just at it does not pass."),
    (lambda n, g, d: false_pass_of(n, g, 0.0), "Draws are not counted: each gives half a point."),
]


def false_pass(function) -> None:
    """Check `false_pass(games, gate, draws)`: the chance that an equal net scores more than the gate."""
    trial = Trial("false_pass")
    cases = [(1, 0.5, 0.0), (2, 0.5, 0.0), (2, 0.5, 0.5), (1, 0.4, 1.0), (10, 0.5, 1.0), (10, 0.55, 0.5)]
    cases += [(20, 0.55, 0.5), (40, 0.55, 0.8), (100, 0.55, 0.2), (60, 0.5, 0.9), (50, 0.58, 0.2)]
    for games, gate, draws in cases:
        lost = (1 - draws) / 2
        trial.expect(
            function,
            games,
            gate,
            draws,
            right=false_pass_of(games, gate, draws),
            close=1e-7,
            likely=likely(FALSE_SLIPS, games, gate, draws),
            why=f"A game gives 0, ½ or 1 point with chances {lost:g}, {draws:g}, {lost:g}; it "
            f"passes with more than {gate * games:g} points.",
        )
    trial.require(
        false_pass_of(20, 0.55, 0.2) > 0.2 > 0.1 > false_pass_of(400, 0.55, 0.2),
        "Expected outcome: with 20 games an equal net passes often, with 400 hardly ever.",
    )
    trial.passed()

"""The checks of the exercises of chapter 3, REINFORCE, each named after the function that the learner writes."""

import numpy as np

from mock5check.ch02_slips import log_softmax, slips
from mock5check.ch03_slips import (
    ADVANTAGE_SLIPS,
    BASELINE_SLIPS,
    ENTROPY_SLIPS,
    OTHERS_SLIPS,
    OWN_SLIPS,
    PUSH_SLIPS,
    RETURN_SLIPS,
    entropy_of,
    own_of,
    push_of,
    running,
    scaled,
)
from mock5check.core import Trial

# 1. Returns -----------------------------------------------------------------------------------------------------


def returns(function) -> None:
    """Check `returns(z, moves, discount)`: G for each own move, z · discount^(own moves that followed)."""
    trial = Trial("returns")
    rng = np.random.default_rng(1)
    cases = [(1.0, 3, 0.5), (-1.0, 4, 0.9), (0.0, 2, 0.5), (1.0, 1, 0.3), (-1.0, 5, 1.0), (1.0, 0, 0.5)]
    cases += [(float(rng.choice([-1, 1])), int(rng.integers(2, 40)), round(rng.uniform(0.5, 1), 2)) for _ in range(10)]
    for z, moves, discount in cases:
        right = [z * discount ** (moves - 1 - t) for t in range(moves)]
        why = f"The last of the {moves} moves gets z = {z:g} itself; each one before it {discount:g} times the next's."
        trial.expect(function, z, moves, discount, right=right, why=why, likely=slips(RETURN_SLIPS, z, moves, discount))
    trial.passed()


# 2. Own moves ---------------------------------------------------------------------------------------------------


def own_moves(function) -> None:
    """Check `own_moves(history, opening, colour, winner)`: [(move, z), …] of the learner's own, chosen moves."""
    trial = Trial("own_moves")
    rng = np.random.default_rng(2)
    cases = [([4, 0, 8, 2, 6], 0, 1, 1), ([4, 0, 8, 2, 6], 0, 2, 1), ([4, 0, 8, 2, 6, 1], 2, 1, 2)]
    cases += [([4, 0, 8, 2, 6, 1], 3, 2, 2), ([7, 5, 3], 3, 1, 1), ([40, 41, 42, 43], 1, 1, 0)]
    for _ in range(12):
        plies = int(rng.integers(5, 30))
        history = rng.permutation(81)[:plies].tolist()
        cases.append((history, int(rng.integers(0, 6)), int(rng.integers(1, 3)), int(rng.integers(0, 3))))
    for history, opening, colour, winner in cases:
        right = own_of(history, opening, colour, winner)
        plies = [ply for ply in range(len(history)) if ply >= opening and ply % 2 == colour - 1]
        why = (
            f"Player {colour} moves at plies {'0, 2, 4' if colour == 1 else '1, 3, 5'} …; the first {opening} moves "
            f"were drawn at random, so plies {plies} are left. The winner is {winner}: {'a draw, ' * (winner == 0)}"
            f"z = {0 if winner == 0 else 1 if winner == colour else -1}."
        )
        wrong = slips(OWN_SLIPS, tuple(history), opening, colour, winner)
        trial.expect(function, list(history), opening, colour, winner, right=right, why=why, likely=wrong)
    trial.passed()


# 3. The push ----------------------------------------------------------------------------------------------------


def push(function) -> None:
    """Check `push(logits, empty, move, advantage)`: advantage · ∇ log π(move), 0 on occupied points."""
    trial = Trial("push")
    rng = np.random.default_rng(3)
    cases = [([0.0, 0.0, 0.0], [1, 1, 1], 0, 1.0), ([0.0, 0.0, 0.0], [1, 1, 0], 1, -1.0), ([1.0, 2.0], [1, 1], 1, 0.0)]
    cases += [([0.5, -1.0, 900.0], [1, 1, 0], 0, 0.5), ([800.0, 801.0, 799.0], [1, 1, 1], 2, 2.0)]
    for n in (4, 9, 9, 16):
        empty = np.append(rng.integers(0, 2, n - 2), [1, 1])
        cases.append((rng.normal(0, 2, n).round(2), empty, int(rng.choice(np.flatnonzero(empty))), rng.normal()))
    for logits, empty, move, advantage in cases:
        logits, empty = np.array(logits), np.array(empty, dtype=bool)
        with np.errstate(all="ignore"):
            chances = np.exp(log_softmax(np.where(empty, logits, -np.inf)))
            why = (
                f"π is {np.round(chances, 3).tolist()}. The derivative of log π({move}) is 1 − π at point {move} and "
                f"−π elsewhere; all of it times the advantage {advantage:.3g}."
            )
            given = logits.copy(), empty.copy()
            trial.expect(
                function,
                *given,
                move,
                advantage,
                right=push_of(logits, empty, move, advantage),
                why=why,
                likely=slips(PUSH_SLIPS, logits, empty, move, advantage),
            )
        unchanged = np.array_equal(given[0], logits) and np.array_equal(given[1], empty)
        trial.require(unchanged, "It changed the arrays that it was given, which the caller still needs. Copy them.")
    trial.passed()


# 4. A running mean ----------------------------------------------------------------------------------------------


def running_baseline(function) -> None:
    """Check `running_baseline(means, rate)`: for each batch the baseline made of EARLIER batches, beginning with 0."""
    trial = Trial("running_baseline")
    rng = np.random.default_rng(4)
    cases = [([1.0, 1.0, 1.0], 0.5), ([0.5], 0.1), ([-1.0, 1.0, 0.0, 1.0], 0.25), ([0.2, 0.4], 1.0)]
    cases += [(rng.uniform(-1, 1, 12).round(3).tolist(), round(rng.uniform(0.02, 0.5), 2)) for _ in range(6)]
    for means, rate in cases:
        why = (
            f"The first batch has 0 to subtract. After each batch b moves by {rate:g} of the way towards that batch's "
            "mean, and is used from the NEXT batch on."
        )
        trial.expect(
            function, list(means), rate, right=running(means, rate), why=why, likely=slips(BASELINE_SLIPS, means, rate)
        )
    changed = trial.call(function, [0.3, 0.1, 0.9], 0.5)
    trial.require(
        list(trial.call(function, [0.3, 0.1, -0.9], 0.5)) == list(changed),
        "The last batch's baseline changed with the last batch's own results: that would bias the gradient.",
    )
    trial.passed()


# 5. The others' mean --------------------------------------------------------------------------------------------


def others_mean(function) -> None:
    """Check `others_mean(results)`: for each game the mean result of all the OTHER games of the batch."""
    trial = Trial("others_mean")
    rng = np.random.default_rng(5)
    cases = [[1.0, -1.0], [1.0, 1.0, -1.0], [0.0, 0.0, 1.0, -1.0], [1.0] * 5]
    cases += [rng.choice([-1.0, 0.0, 1.0], n).tolist() for n in (4, 8, 20, 64)]
    for results in cases:
        z = np.array(results)
        right = (z.sum() - z) / (len(z) - 1)
        why = f"Game 0: the others' results sum to {z.sum() - z[0]:g}, and there are {len(z) - 1} of them."
        trial.expect(function, z.copy(), right=right, why=why, likely=slips(OTHERS_SLIPS, z))
    z = np.array([1.0, 0.0, -1.0, 1.0])
    first, flipped = trial.call(function, z.copy()), trial.call(function, np.append(-1.0, z[1:]))
    trial.require(np.isclose(first[0], flipped[0]), "A game's baseline must not change with that game's own result.")
    trial.passed()


# 6. Advantages to scale -----------------------------------------------------------------------------------------


def normalised(function) -> None:
    """Check `normalised(advantages)`: mean 0 and standard deviation 1; all 0 where they are all equal."""
    trial = Trial("normalised")
    rng = np.random.default_rng(6)
    cases = [[1.0, -1.0], [1.0, 0.0, -1.0, -1.0], [0.9, 1.1, 1.0], [0.3] * 4, [0.0, 0.0], [2.0]]
    cases += [[0.1] * 3, [0.7] * 6]  # equal, and np.std says 1e-17
    cases += [(rng.normal(0.4, 0.3, n)).round(3).tolist() for n in (5, 30, 200)]
    for advantages in cases:
        array = np.array(advantages)
        why = f"Their mean is {array.mean():.3g} and their standard deviation (divided by N) {array.std():.3g}."
        if array.std() < 1e-12:
            why += " They are all equal: nothing to prefer, so all are 0. 0/0 is not a number; nor is "
            why += "a standard deviation of 1e-17, which is rounding, something to divide by."
        with np.errstate(all="ignore"):
            trial.expect(
                function,
                array.copy(),
                right=scaled(array) + 0.0,
                why=why,
                likely=slips(ADVANTAGE_SLIPS, array),
                close=1e-6,
            )
    trial.passed()


# 7. Entropy -----------------------------------------------------------------------------------------------------


def mean_entropy(function) -> None:
    """Check `mean_entropy(log_chances)`: the mean over rows of −Σ π log π, in nats, with −∞ for impossible moves."""
    trial = Trial("mean_entropy")
    rng = np.random.default_rng(7)
    cases = [np.log([[0.5, 0.5]]), np.log(np.full((2, 4), 0.25)), np.array([[0.0, -np.inf]])]
    cases.append(np.array([[np.log(0.5), np.log(0.5), -np.inf], [0.0, -np.inf, -np.inf]]))
    for rows, n in [(1, 5), (3, 9), (6, 81)]:
        logits = rng.normal(0, 2, (rows, n))
        logits[:, 1:][rng.random((rows, n - 1)) < 0.4] = -np.inf
        cases.append(np.stack([log_softmax(row) for row in logits]))
    for log_chances in cases:
        each = [entropy_of(row) for row in log_chances]
        why = f"The rows have the entropies {np.round(each[:6], 3).tolist()} (nats); an impossible move counts 0."
        with np.errstate(all="ignore"):
            trial.expect(
                function,
                log_chances.copy(),
                right=float(np.mean(each)),
                why=why,
                likely=slips(ENTROPY_SLIPS, log_chances),
            )
    trial.passed()


# 8. The loss ----------------------------------------------------------------------------------------------------


def loss(function) -> None:
    """Check `loss(log_priors, values, moves, returns, beta)`: its value, and where its gradient goes."""
    import torch

    trial = Trial("loss")
    rng = np.random.default_rng(8)
    for rows, points, beta in [(1, 3, 0.0), (4, 9, 0.0), (4, 9, 0.1), (10, 81, 0.02)]:
        logits = torch.tensor(rng.normal(0, 1, (rows, points)), requires_grad=True)
        values = torch.tensor(rng.uniform(-1, 1, rows), requires_grad=True)
        moves, returned = torch.tensor(rng.integers(0, points, rows)), torch.tensor(rng.uniform(-1, 1, rows))
        log_priors = torch.log_softmax(logits, dim=1)
        parts = _loss_parts(log_priors, values, moves, returned)
        right = parts["policy"] - beta * parts["entropy"]
        answer = trial.call(function, log_priors, values, moves, returned, beta)
        call = f"loss(log_priors {tuple(log_priors.shape)}, values ({rows},), moves, returns, beta={beta})"
        one_number = isinstance(answer, torch.Tensor) and answer.ndim == 0
        trial.require(one_number, "Return one number, as a tensor with a gradient.", call=call)
        if not torch.isclose(answer, right):
            why = f"−mean of (G − v) · log π(a) is {parts['policy']:.6f}"
            why += f", the mean entropy {parts['entropy']:.6f}, with weight {beta} and a MINUS." if beta else "."
            hint = _loss_hint(answer, parts, beta, rows)
            trial.fail(why, call=call, answer=float(answer.detach()), right=float(right.detach()), hint=hint)
        trial.require(answer.requires_grad, "The answer has no gradient: keep log_priors attached.", call=call)
        wanted = torch.autograd.grad(right, logits, retain_graph=True)[0]
        found = torch.autograd.grad(answer, [logits, values], retain_graph=True, allow_unused=True)
        trial.require(
            found[0] is not None and torch.allclose(found[0], wanted),
            "The number is right, but its gradient by the logits is not.",
            call=call,
        )
        trial.require(
            found[1] is None or not found[1].any(),
            "The gradient also flows into `values`: this loss would push the values, to make the advantages "
            "look better. Use values.detach().",
            call=call,
        )
    trial.passed()


def _loss_parts(log_priors, values, moves, returned) -> dict:
    played = log_priors[range(len(moves)), moves]
    return {
        "policy": -((returned - values.detach()) * played).mean(),
        "entropy": -(log_priors.exp() * log_priors).sum(dim=1).mean(),
        "raw": -(returned * played).mean().detach(),
    }


def _loss_hint(answer, parts: dict, beta: float, rows: int) -> str | None:
    """The cause of a wrong loss, if it is a well-known one."""
    answer, p, e = float(answer.detach()), float(parts["policy"].detach()), float(parts["entropy"].detach())
    causes = [
        (-(p - beta * e), "The sign is turned round: optimisers go downhill."),
        (-p - beta * e, "The sign of the policy's part is turned round: optimisers go downhill."),
        (p + beta * e, "The bonus is to make the entropy LARGER, so it is subtracted from the loss."),
        (p, "The entropy bonus is missing."),
        ((p - beta * e) * rows, "Take the mean over the positions, not the sum."),
        (p - beta * e * rows, "Take the mean of the entropies over the positions, not the sum."),
        (float(parts["raw"]) - beta * e, "The baseline, the value, is not subtracted from the return."),
    ]
    return next((cause for wrong, cause in causes if np.isclose(answer, wrong)), None)

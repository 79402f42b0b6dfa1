"""The small exercises of chapter 3, each declared by its solution."""

from typing import NamedTuple

import numpy as np

from mock5check.answers import show
from mock5check.core import Refused
from mock5check.spec import exercise


def finished_games(rng):
    """(history, opening, color, winner)"""
    yield from (([4, 0, 8, 2, 6], 0, 1, 1), ([4, 0, 8, 2, 6], 0, 2, 1), ([4, 0, 8, 2, 6, 1], 3, 2, 2))
    yield from (([7, 5, 3], 3, 1, 1), ([40, 41, 42, 43], 1, 1, 0), ([], 0, 1, 0))
    for length in rng.integers(3, 12, 30):
        history = rng.permutation(81)[:length].tolist()
        yield history, int(rng.integers(0, 4)), int(rng.integers(1, 3)), int(rng.integers(0, 3))


def in_pairs(solution, *case):
    answer = solution(*case)
    if isinstance(answer, (list, tuple)) and any(len(part) != 2 for part in answer if hasattr(part, "__len__")):
        raise Refused("Return one list, of pairs: each move with its z.")
    return answer


@exercise(
    cases=finished_games,
    observe=in_pairs,
    why="Black moves at plies 0, 2, 4 …, White at 1, 3, 5 …. Leave out the first `opening` plies. z is 1 if `color` "
    "has won, 0 after a draw, and −1 otherwise.",
    shows={"z": "z for this side"},
)
def own_moves(history, opening, color, winner):
    """The moves that `color` chose after the opening, each with the result for that side."""
    z = 0.0 if winner == 0 else 1.0 if winner == color else -1.0
    return [(move, z) for ply, move in enumerate(history) if ply >= opening and ply % 2 == color - 1]


def steps(rng):
    """(logits, empty, move, advantage)"""
    for logits, empty, move, advantage in (
        ([0.0, 0.0, 0.0], [1, 1, 0], 1, -1.0),
        ([1.0, 2.0], [1, 1], 1, 0.0),
        ([0.5, -1.0, 900.0], [1, 1, 0], 0, 0.5),
        ([800.0, 801.0, 799.0], [1, 1, 1], 2, 2.0),
        ([-2000.0, -2001.0, 0.0], [1, 1, 0], 1, 1.0),
        ([2000.0, 0.0, -1.0], [1, 1, 1], 0, 1.0),
    ):
        yield np.array(logits), np.array(empty, bool), move, advantage
    for points in rng.integers(2, 9, 30):
        empty = rng.permutation(np.append(rng.random(points - 2) < 0.6, [True, True]))
        move = int(rng.choice(np.flatnonzero(empty)))
        yield rng.normal(0, 2, points).round(2), empty, move, round(float(rng.normal()), 2)


def why_pushed(logits, empty, move, advantage):
    said = f"The slope of log π({move}) is 1 − π at point {move} and −π at the others. Multiply it by {advantage:g}."
    if abs(logits).max() > 700:
        said += " exp() of such numbers is ∞ or 0: mask with −∞, and subtract the largest logit of an EMPTY point."
    return said


@exercise(cases=steps, why=why_pushed, shows={"weights": "e to the power of (logit − greatest), on empty points"})
def push(logits, empty, move, advantage):
    """Advantage times the derivative of log π(move) with respect to the logits."""
    masked = np.where(empty, logits, -np.inf)
    weights = np.exp(masked - masked.max())
    gradient = -weights / weights.sum()
    gradient[move] += 1
    return advantage * gradient


def some_results(rng):
    """(results,)"""
    yield from ((np.array(z),) for z in ([1.0, -1.0], [1.0, 1.0, -1.0], [1, 0, 0, -1, 1], [0, 1]))
    for count in rng.integers(2, 12, 20):
        yield (rng.choice([-1.0, 0.0, 1.0], count),)


@exercise(
    cases=some_results,
    fresh=True,
    why="Take the sum of all results minus the game's own, and divide by the number of the other games. (The mean of "
    "whole numbers needn't be whole.)",
)
def others_mean(results):
    """For each game the mean result of the other games."""
    return (results.sum() - results) / (len(results) - 1)


def policies(rng):
    """(log_chances,)"""
    with np.errstate(divide="ignore"):
        for chances in ([[0.5, 0.5]], [[0.25] * 4] * 2, [[1.0, 0.0]], [[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]):
            yield (np.log(chances),)
        yield (np.log([[1 - 8e-4, *[1e-4] * 8]]),)  # rare moves count, too
        for rows, moves in rng.integers(1, [4, 5], (20, 2)):  # so small that each is shown whole
            chances = rng.dirichlet(np.ones(moves + 1), rows) * (rng.random((rows, moves + 1)) < 0.7)
            chances[:, 0] += 0.1
            yield (np.log(chances / chances.sum(axis=1, keepdims=True)),)


@exercise(
    cases=policies,
    why="In each row take −Σ π log π, to which an impossible move adds 0. Then take the mean over the rows.",
    shows={"chances": "the probabilities"},
)
def mean_entropy(log_chances):
    """The mean entropy of the rows, in nats."""
    chances = np.exp(log_chances)
    finite = np.where(np.isfinite(log_chances), log_chances, 0.0)
    return -(chances * finite).sum(axis=1).mean()


class Loss(NamedTuple):
    value: float
    gradient_at_the_logits: np.ndarray
    gradient_at_the_values: np.ndarray


def batches(rng):
    """(logits, values, moves, returns, beta), as arrays"""
    for rows, moves, beta in [
        (1, 3, 0.0),
        (2, 3, 0.1),
        (4, 9, 1.0),
        *zip(*rng.integers(2, 6, (2, 15)), rng.random(15)),
    ]:
        logits, values, returns = rng.normal(size=(rows, moves)), rng.uniform(-1, 1, rows), rng.uniform(-1, 1, rows)
        yield logits.round(2), values.round(2), rng.integers(0, moves, rows), returns.round(2), round(float(beta), 2)


def with_gradients(solution, logits, values, moves, returns, beta):
    """The loss, and where its gradient goes."""
    import torch

    logits, values = (torch.tensor(part, requires_grad=True) for part in (logits, values))
    loss = solution(logits.log_softmax(dim=1), values, torch.tensor(moves), torch.tensor(returns), beta)
    if not isinstance(loss, torch.Tensor) or loss.ndim or logits.grad is not None:
        raise Refused(
            "Return one number, as a tensor without axes: `.mean()` gives one, `.item()` would cut off its gradient, "
            "and calling `backward` is up to the caller."
        )
    found = [torch.zeros_like(part) for part in (logits, values)]
    if loss.requires_grad:
        given = torch.autograd.grad(loss, [logits, values], allow_unused=True)
        found = [zero if part is None else part for part, zero in zip(given, found)]
    return Loss(float(loss.detach()), *(part.numpy() for part in found))


def call_of_loss(logits, values, moves, returns, beta):
    named = {"values": values, "moves": moves, "returns": returns}
    texts = [f"{name}={show(part.tolist())}" for name, part in named.items()]
    return (
        f"loss(log_priors,\n{', '.join(texts)}, beta={beta}), where\nlog_priors is the log_softmax of "
        f"{show(logits.tolist())}"
    )


@exercise(
    cases=batches,
    observe=with_gradients,
    call=call_of_loss,
    close=1e-5,
    why="The loss is −mean of (G − v) · log π(a), MINUS beta times the mean entropy. The gradient flows through "
    "log_priors in both parts, but not into `values`.",
    shows={"played": "log π(a)", "advantages": "G − v", "entropy": "the entropy"},
)
def loss(log_priors, values, moves, returns, beta):
    """REINFORCE with a value baseline and an entropy bonus."""
    played = log_priors.gather(1, moves[:, None])[:, 0]
    advantages = returns - values.detach()
    entropy = -(log_priors.exp() * log_priors).sum(dim=1)
    return -(advantages * played).mean() - beta * entropy.mean()

"""What the reader of chapter 3 types: estimate, step, return and loss. Each is declared by our version."""

from typing import NamedTuple

import numpy as np
import torch

from mock5check.core import Refused
from mock5check.spec import exercise

S = 4520  # rows of the chapter's table
no_baseline = np.zeros(S)


def some_games(rng):
    """(played, pi): a few games in few rows, so that a row comes up again"""
    few = [[([(0, 4)], 1.0)], [([(0, 4)], -1.0), ([(0, 4)], -1.0)], [([(0, 8), (7, 0)], 1.0), ([(0, 4)], 0.0)]]
    for games in rng.integers(1, 5, 12):
        rows = rng.integers(0, S, 3)
        turns = [rng.permutation(rows)[: rng.integers(1, 4)] for _ in range(games)]
        few.append([([(int(s), int(rng.integers(9))) for s in own], float(rng.integers(-1, 2))) for own in turns])
    for played in few:
        pi = np.full((S, 9), 1 / 9)
        for s in {s for steps, _ in played for s, _ in steps}:
            pi[s] = rng.dirichlet(np.ones(9)).round(2)
        yield played, pi


def estimates(rng):
    """(played, pi), or (played, pi, baseline)"""
    for number, (played, pi) in enumerate(some_games(rng)):
        yield played, pi
        yield played, pi, np.full(S, 0.5) if number % 2 else rng.uniform(-1, 1, S).round(1)


def call_of_estimate(played, pi, baseline=None):
    rows = sorted({s for steps, _ in played for s, _ in steps})
    of_rows = [f"pi[{s}] is {pi[s].tolist()}" for s in rows]
    of_rows += [] if baseline is None else [f"baseline[{s}] is {baseline[s]:g}" for s in rows]
    return "\n".join([f"estimate({played}, pi{'' if baseline is None else ', baseline'}), where", *of_rows])


@exercise(
    cases=estimates,
    call=call_of_estimate,
    why="Each own move (s, a) of a game adds (z − baseline[s]) · ([i = a] − pi[s, i]) to row s; at the end all is "
    "divided by the number of games.",
)
def estimate(played, pi, baseline=no_baseline):
    """The mean over games of (z − baseline) · Σ ∇ log π; see section 6."""
    gradient = np.zeros((S, 9))
    for steps, z in played:
        for s, move in steps:
            gradient[s] -= (z - baseline[s]) * pi[s]
            gradient[s, move] += z - baseline[s]
    return gradient / len(played)


def states(rng):
    """(theta, mean, pi, played, alpha)"""
    for number, (played, pi) in enumerate(some_games(rng)):
        yield rng.normal(size=(S, 9)).round(1), 0.25 * (number % 4), pi, played, [60.0, 1.0, 20.0][number % 3]


@exercise(
    cases=states,
    call=lambda theta, mean, pi, played, alpha: f"climb(theta, {mean}, pi, played, {alpha}), where played is\n{played}",
    why="The table plus alpha times the estimate, whose baseline is the OLD mean in every row. The new mean has gone a "
    "tenth of the way to the mean z of these games.",
)
def climb(theta, mean, pi, played, alpha):
    """The table after one step uphill, and the running mean after it."""
    theta = theta + alpha * estimate(played, pi, np.full(S, mean))
    return theta, mean + 0.1 * (np.mean([z for _, z in played]) - mean)


def finished(rng):
    """(z, turns, gamma)"""
    yield from ((1.0, 3, 0.5), (-1.0, 2, 0.9), (0.0, 4, 0.97), (1.0, 1, 0.5), (-1.0, 4, 1.0), (1.0, 0, 0.5))
    for turns in rng.integers(1, 9, 20):
        yield float(rng.integers(-1, 2)), int(turns), round(float(rng.uniform(0.3, 1)), 2)


@exercise(
    cases=finished,
    why="The last own move gets z itself, and every move before it gamma times as much as the one after it.",
)
def returns_in(z, turns, gamma):
    """G for each of our moves in a game, from the first to the last: a list."""
    return [gamma ** (turns - 1 - t) * z for t in range(turns)]


class Loss(NamedTuple):
    value: float
    gradient_at_the_logits: np.ndarray


def batches(rng):
    """(logits, moves, G, baseline), as arrays"""
    for rows, points in [(1, 2), (1, 3), (2, 3), (3, 3), *rng.integers(2, 6, (15, 2))]:
        logits, G = rng.normal(size=(rows, points)).round(1), rng.uniform(-1, 1, rows).round(2)
        yield logits, rng.integers(0, points, rows), G, round(float(rng.uniform(-0.5, 0.5)), 1)


def with_gradient(solution, logits, moves, G, baseline):
    """The loss, and its slope for each logit."""
    logits, G = torch.tensor(logits, dtype=torch.float32, requires_grad=True), torch.tensor(G, dtype=torch.float32)
    loss = solution(logits.log_softmax(dim=1), torch.tensor(moves), G, baseline)
    if loss is None:
        raise Refused("It returned nothing. Is a `return` missing?")
    if not isinstance(loss, torch.Tensor) or loss.ndim or not loss.requires_grad:
        raise Refused("Return one number as a tensor without axes: calculate with log_pi and take the `.mean()`.")
    return Loss(float(loss.detach()), torch.autograd.grad(loss, logits)[0].numpy())


@exercise(
    cases=batches,
    observe=with_gradient,
    close=1e-5,
    call=lambda logits, moves, G, baseline: (
        f"loss_of(log_pi, {moves.tolist()}, {G.tolist()}, {baseline}), tensors, where\n"
        f"log_pi is the log_softmax of {logits.tolist()}"
    ),
    why="Of each row of log_pi take the entry of the move played, times G − baseline; the loss is minus their mean.",
)
def loss_of(log_pi, moves, G, baseline):
    """The loss as a tensor: minus the mean of (G − b) log π(a | s) over own moves."""
    played = log_pi[range(len(moves)), moves]
    return -((G - baseline) * played).mean()

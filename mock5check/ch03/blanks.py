"""What the reader of chapter 3 types: estimate, step, return and loss. Each is declared by our version."""

from functools import cache

import numpy as np
import torch

from mock5check.answers import NO_RETURN, Facts, show
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5lib.game.oracle import tic_tac_toe

S = 4520  # rows of the chapter's table
no_baseline = np.zeros(S)


@cache
def legal_moves():
    """As the chapter has them: (S, 9), is this point empty in this row's position?"""
    return np.array([[point == 0 for point in game.board] for game in tic_tac_toe().positions()])


def policy(theta):
    """As the chapter has it: each row's softmax over its legal moves, (S, 9)."""
    weights = np.where(legal_moves(), np.exp(theta - theta.max(axis=1, keepdims=True)), 0.0)
    return weights / weights.sum(axis=1, keepdims=True)


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
    of_rows = [f"pi[{s}] is {show(pi[s].tolist())}" for s in rows]
    of_rows += [] if baseline is None else [f"baseline[{s}] is {baseline[s]:g}" for s in rows]
    return "\n".join([f"estimate({played}, pi{'' if baseline is None else ', baseline'}), where", *of_rows])


@exercise(
    cases=estimates,
    call=call_of_estimate,
    why="Each of our moves (s, a) adds (z − baseline[s]) · ([i = a] − pi[s, i]) to entry i of row s. At the end, "
    "divide everything by the number of games.",
)
def estimate(played, pi, baseline=no_baseline):
    """The mean over games of Σ (z − baseline) ∇ log π over our moves, as (S, 9)."""
    gradient = np.zeros((S, 9))
    for steps, z in played:
        for s, move in steps:
            gradient[s] -= (z - baseline[s]) * pi[s]
            gradient[s, move] += z - baseline[s]
    return gradient / len(played)


def states(rng):
    """(theta, mean, pi, played, alpha)"""
    for number, (played, _) in enumerate(some_games(rng)):
        theta = rng.normal(size=(S, 9)).round(1)
        yield theta, 0.25 * (number % 4), policy(theta), played, [60.0, 1.0, 20.0][number % 3]


@exercise(
    cases=states,
    call=lambda theta, mean, pi, played, alpha: f"climb(theta, {mean}, pi, played, {alpha}), where played is\n{played}",
    why="The new table is theta + alpha · estimate, whose baseline is the OLD mean in every row. The new mean goes a "
    "tenth of the way from the old one to the mean z of these games.",
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
    why="The last of our moves gets z itself, and every earlier one gets gamma times as much as the next.",
)
def returns_in(z, turns, gamma):
    """G for each of our moves in a game, from the first to the last: a list."""
    return [gamma ** (turns - 1 - t) * z for t in range(turns)]


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
        raise Refused(NO_RETURN)
    if not isinstance(loss, torch.Tensor):
        raise Refused(f"Return a tensor that holds one number, the loss; yours is {show(loss)}.")
    if loss.ndim:
        raise Refused(f"The loss should be one number; yours has shape {tuple(loss.shape)}. Take the `.mean()`.")
    if not loss.requires_grad:
        raise Refused("No gradient finds its way back to the net. Calculate with log_pi itself, all in torch.")
    (slopes,) = torch.autograd.grad(loss, logits)
    return Facts({"the loss": float(loss.detach()), "its gradient at the logits": slopes.numpy()})


@exercise(
    cases=batches,
    observe=with_gradient,
    close=1e-5,
    call=lambda logits, moves, G, baseline: (
        f"loss_of(log_pi, moves, G, {baseline}), where\nmoves is tensor({moves.tolist()}), G is "
        f"tensor({show(G.tolist())})\nand log_pi is the log_softmax of {show(logits.tolist())}"
    ),
    why="From each row of log_pi take the entry of the move played, and multiply it by that move's G − baseline. The "
    "loss is minus the mean of these products.",
)
def loss_of(log_pi, moves, G, baseline):
    """The loss as a tensor: minus the mean of (G − b) log π(a | s) over own moves."""
    played = log_pi[range(len(moves)), moves]
    return -((G - baseline) * played).mean()

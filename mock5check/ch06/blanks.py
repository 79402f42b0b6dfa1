"""What the reader of chapter 6 types: sampled moves, whose result z is, batches, the loss, Gumbel's halving."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from mock5check.answers import Facts, show
from mock5check.core import Refused
from mock5check.sampled import sampled
from mock5check.spec import exercise
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes
from mock5lib.game.symmetry import transform_policy
from mock5lib.nets import heads


def outcome(winner, player):
    """As the chapter has it: 1 for a win, −1 for a loss, 0 for a draw."""
    return 0.0 if winner == 0 else 1.0 if winner == player else -1.0


def as_tensor(rows):
    return torch.tensor(np.array(rows), dtype=torch.float32)


def scaled_q(value, priors, q, visits):
    """As the chapter has it."""
    tried = visits > 0
    mean = np.average(q[tried], weights=priors[tried])
    mixed = (value + visits.sum() * mean) / (1 + visits.sum())
    completed = np.where(tried, q, mixed)
    spread = max(np.ptp(completed), 1e-8)
    return (50 + visits.max()) * 0.1 * (completed - completed.min()) / spread


def roots(rng):
    """(visits, temperature)"""
    for visits, tau in (([1, 3], 1.0), ([1, 4], 0.25), ([4, 1, 0], 3.0), ([0, 2, 0, 2], 0.1), ([100, 110, 90], 0.1)):
        yield np.array(visits), tau
    yield rng.integers(0, 9, 6) + np.eye(6, dtype=int)[0], 0.7


def shares(visits, temperature):
    weights = (visits / visits.max()) ** (1 / temperature)
    return weights / weights.sum()


@sampled(cases=roots, chances=shares, event="move", why="The chance of a move is N^(1/τ), divided by the sum of these.")
def sample_move(visits, temperature, rng):
    """A move, sampled in proportion to visits^(1/temperature)."""
    weights = (visits / visits.max()) ** (1 / temperature)
    return int(rng.choice(len(visits), p=weights / weights.sum()))


def finished(rng):
    """(game, steps): a short win, a draw, random games; each with all of its positions, as in the chapter."""
    games = [[0, 3, 1, 4, 2], [0, 1, 2, 4, 3, 5, 7, 6, 8], *(rng.permutation(9) for _ in range(8))]
    for moves in games:
        game, steps = Mock5(3, 3, 3), []
        for move in moves:
            if game.winner is None:
                steps.append((game.copy(), rng.dirichlet(np.ones(9)).round(2)))
                game.apply(int(move))
        yield game, steps


def made(solution, game, steps):
    answer = solution(game, steps)
    if answer is not None and not isinstance(answer, (list, tuple)):
        raise Refused("Return a list, which can be gone through more than once.")
    for example in answer or ():
        if not (isinstance(example, Sequence) and len(example) == 3 and hasattr(example[0], "history")):
            raise Refused("Each example should be a triple: first the position, then π, then z.")
    return answer and [(list(position.history), pi, z) for position, pi, z in answer]


@exercise(
    cases=finished,
    observe=made,
    call=lambda game, steps: (
        f"examples_of(game, steps), a game that {f'player {game.winner} won' if game.winner else 'was drawn'}, and "
        f"steps in which players {[position.player for position, _ in steps]} were to move"
    ),
    why="z is outcome(game.winner, position.player). (A position is shown as the moves that led to it.)",
)
def examples_of(game, steps):
    """[(position, π, z), …] of a finished game."""
    return [(at, pi, outcome(game.winner, at.player)) for at, pi in steps]


def windows(rng):
    """(window, seed): positions that no symmetry turns into themselves, with a π of their own."""
    for number, starts in enumerate(([7, 2, 14], [0, 1, 2, 3, 4])):
        window = []
        for start in starts:
            position = Mock5(6, 6, 4, history=[start, 8, 16, 35][: 4 - len(window) % 2])
            pi = np.where(np.array(position.board) == 0, rng.random(36), 0)
            window.append((position, pi / pi.sum(), float(rng.integers(-1, 2))))
        yield window, number


def drawn(solution, window, seed):
    """What holds for all rows of a batch, and what comes up in it."""
    size = 50 * len(window)
    rng = np.random.default_rng(seed)
    batch, later, again = (solution(window, size, draws) for draws in (rng, rng, np.random.default_rng(seed)))
    if batch is None or len(batch) != 3 or not all(torch.is_tensor(part) for part in batch):
        raise Refused("Return three tensors: planes, policies and outcomes. `as_tensor` makes one of a list.")
    shapes = [tuple(part.shape) for part in batch]
    if shapes != [(size, 3, 6, 6), (size, 36), (size,)] or {part.dtype for part in batch} != {torch.float32}:
        kinds = ", ".join(f"{shape} of {part.dtype}" for shape, part in zip(shapes, batch))
        raise Refused(
            f"For {size} rows the tensors should have shapes ({size}, 3, 6, 6), ({size}, 36) and ({size},), all of "
            f"torch.float32. Yours are {kinds}."
        )
    known = {}
    for place, (position, pi, z) in enumerate(window):
        for turn in ((angle, flip) for angle in range(4) for flip in range(2)):
            planes = as_tensor(three_planes.encode([position.replay(*turn)])[0])
            known[planes.numpy().tobytes()] = place, turn, transform_policy(pi, 6, 6, *turn), z
    if not all(map(torch.equal, batch, again)):
        raise Refused("With equal generators it returns different batches. Draw from `rng`, and from nothing else.")
    rows, rows_later = ([known.get(planes.numpy().tobytes()) for planes in part[0]] for part in (batch, later))
    if all(map(torch.equal, batch, later)):
        raise Refused(
            "The same batch comes every time: a generator made here begins anew in each call. Draw from the `rng` "
            "you're given."
        )
    if [row and row[0] for row in rows] == [row and row[0] for row in rows_later] != [None] * size:
        raise Refused("The same positions come in the same order every time. Sample them, with `rng`.")
    good = [(row, pi.numpy(), float(z)) for row, pi, z in zip(rows, *batch[1:]) if row]
    return Facts(
        {
            "rows whose planes are a position of the window, turned": len(good),
            "rows whose π is turned like their planes": sum(np.allclose(pi, row[2], atol=1e-6) for row, pi, _ in good),
            "rows with the z of their position": sum(z == row[3] for row, _, z in good),
            "different positions in the batch": len({row[0] for row, _, _ in good}),
            "different pairs (angle, flip) in the batch": len({row[1] for row, _, _ in good}),
        }
    )


@exercise(
    cases=windows,
    observe=drawn,
    may_change=(2,),
    long=5.0,
    call=lambda window, seed: f"batch_of(window of {len(window)}, {50 * len(window)}, np.random.default_rng({seed}))",
    why="Each row is a position sampled from the window with rng, its board and π turned by the same random angle and "
    "flip, and its z.",
)
def batch_of(window, size, rng):
    """Planes, π and z of sampled positions, each in a random symmetry of the board."""
    planes, policies, outcomes = [], [], []
    for i in rng.integers(len(window), size=size):
        position, pi, z = window[i]
        angle, flip = int(rng.integers(4)), int(rng.integers(2))
        planes.append(three_planes.encode([position.replay(angle, flip)])[0])
        policies.append(transform_policy(pi, 6, 6, angle, flip))
        outcomes.append(z)
    return tuple(as_tensor(part) for part in (planes, policies, outcomes))


class Plain(nn.Module):
    """A net of few weights: logits (B, 9), not masked, and values (B, 1), as the chapter's net gives them."""

    def __init__(self, rng):
        super().__init__()
        self.policy, self.value = (nn.Parameter(as_tensor(rng.normal(0, 0.5, (27, size)))) for size in (9, 1))

    def forward(self, planes):
        return planes.flatten(1) @ self.policy, torch.tanh(planes.flatten(1) @ self.value)


def batches(rng):
    """(net, planes, policies, outcomes): some π are sure of one move."""
    for size in (1, 1, 2, 3, 5, 8):
        games = [Mock5(3, 3, 3, history=rng.permutation(9)[: rng.integers(0, 5)].tolist()) for _ in range(size)]
        weights = rng.integers(0, 4, (size, 9)) * [np.array(game.board) == 0 for game in games]
        weights = weights + 0.25 * (weights.sum(axis=1, keepdims=True) == 0) * [np.array(g.board) == 0 for g in games]
        policies = weights / weights.sum(axis=1, keepdims=True)
        planes = as_tensor(three_planes.encode(games))
        yield Plain(rng), planes, as_tensor(policies), as_tensor(rng.integers(-1, 2, size))


def measured(solution, net, planes, policies, outcomes):
    answer = solution(net, planes, policies, outcomes)
    if answer is None or not hasattr(answer, "__len__") or len(answer) != 3:
        raise Refused("Return three numbers: the policy loss, the value loss, and the floor of the policy loss.")
    if not all(torch.is_tensor(part) and part.numel() == 1 for part in answer):
        raise Refused("Each of the three should be a tensor of one number, a mean over the batch.")
    if not (answer[0] + answer[1]).requires_grad:
        raise Refused("No gradient finds its way from these losses back to the net. Calculate in torch throughout.")
    for part in (net.policy, net.value):
        part.grad = torch.zeros_like(part)
    try:
        (answer[0] + answer[1]).backward()
    except RuntimeError as error:
        if "second time" not in str(error):
            raise
        raise Refused("It calls `backward` itself. Return the losses; `train_step` does the rest.") from None
    told = dict(zip(("the policy loss", "the value loss", "the floor"), (float(part.detach()) for part in answer)))
    told["size of the gradient at the net's policy"] = float(net.policy.grad.abs().sum())
    return Facts(told | {"size of the gradient at the net's value": float(net.value.grad.abs().sum())})


@exercise(
    cases=batches,
    observe=measured,
    close=2e-5,
    call=lambda net, planes, policies, outcomes: (
        f"losses(net, planes, policies, outcomes), a batch of {len(planes)}, where\nthe policies are "
        f"{' and '.join(show(row.tolist()) for row in policies[:2])}{' …' * (len(planes) > 2)}\n"
        f"and the outcomes are {outcomes.tolist()}"
    ),
    why="For each board −Σ π log p over the moves, (z − v)², and −Σ π log π over the moves; then the mean of each over "
    "the batch. log p and v come from heads(net, planes).",
)
def losses(net, planes, policies, outcomes):
    """(policy loss, value loss, floor of the policy loss), means over the batch."""
    log_priors, values = heads(net, planes)  # masks the stones, then log-softmax
    floor = -torch.special.xlogy(policies, policies).sum(dim=1).mean()  # 0 · log 0 = 0
    policy_loss = -(policies * log_priors).sum(dim=1).mean()
    return policy_loss, ((outcomes - values) ** 2).mean(), floor


def candidates(rng):
    """(scores, priors, values, budget, value): what the simulations of each candidate will say, in turn."""
    drawn = rng.integers([2, 2], [9, 40], (14, 2)).tolist()
    for n, budget in ((2, 4), (3, 4), (4, 8), (8, 32), (8, 16), (5, 3), *drawn):
        priors = rng.dirichlet(np.ones(n)) * 0.98 + 0.02 / n
        scores = (np.log(priors) + rng.gumbel(size=n)).round(3)
        values = (rng.uniform(-1, 1, (n, 1)) + rng.normal(0, 0.2, (n, budget))).round(2)
        yield scores, priors.round(4), values, budget, round(float(rng.uniform(-0.5, 0.5)), 2)
    kept = 0
    while kept < 3:  # a budget too small for one simulation each, where the root's value decides
        priors = rng.dirichlet(np.ones(6)).round(4)
        scores = (np.log(priors + 0.01) + rng.gumbel(size=6)).round(3)
        values = np.repeat(rng.uniform(-1, 1, (6, 1)).round(2), 4, axis=1)
        said = [halved(sequential_halving.solution, scores, priors, values, 4, value) for value in (0.9, 0.0)]
        if said[0] != said[1]:
            kept += 1
            yield scores, priors, values, 4, 0.9
    fading = np.array([[0.9, *[-0.9] * 7], [0.8, *[-0.9] * 7], [0.5] * 8, [0.4] * 8])  # those dropped look better later
    yield np.log(np.full(4, 0.25)).round(3), np.full(4, 0.25), fading, 8, 0.0


def halved(solution, scores, priors, values, budget, value):
    """The move, and how often each was simulated."""
    said = [iter(row.tolist()) for row in values]

    def simulate(move):
        if not (0 <= move < len(said)):
            raise Refused(f"`simulate` was asked for move {move}; the moves are 0 to {len(said) - 1}.")
        answer = next(said[int(move)], None)
        if answer is None:
            raise Refused(f"Move {move} was simulated more than {budget} times, which is the whole budget.")
        return answer

    answer = solution(scores, priors, simulate, budget, value)
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise Refused("Return two things: the move to play, and the list of the moves simulated.")
    move, order = answer
    visits = np.bincount(np.array(order, dtype=int), minlength=len(scores))
    return Facts({"the move to play": int(move), "simulations of each move": visits.tolist()})


@exercise(
    cases=candidates,
    observe=halved,
    close=1e-6,
    call=lambda scores, priors, values, budget, value: (
        f"sequential_halving({scores.tolist()}, {priors.tolist()}, simulate, {budget}, {value}), where the simulations "
        f"of the {len(scores)} moves are worth about {values.mean(axis=1).round(2).tolist()}"
    ),
    why="In each of ⌈log2 n⌉ phases every candidate left gets max(1, budget // (phases · left)) simulations; then the "
    "better half stays, two at least. The last two share the rest, and the better one is played.",
)
def sequential_halving(scores, priors, simulate, budget, value=0.0):
    """The move to play, and the order of all visits."""
    q, visits, order = np.zeros(len(scores)), np.zeros(len(scores), dtype=int), []
    left, phases = np.arange(len(scores)), math.ceil(math.log2(len(scores)))
    while len(order) < budget:
        each = max(1, budget // (phases * len(left)))
        for move in np.tile(left, each)[: budget - len(order)]:
            visits[move] += 1
            q[move] += (simulate(move) - q[move]) / visits[move]
            order.append(int(move))
        total = scores + scaled_q(value, priors, q, visits)
        left = left[np.argsort(-total[left])][: max(2, len(left) // 2)]
    return int(left[0]), order

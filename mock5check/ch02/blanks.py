"""What the reader of chapter 2 types: planes, a turned example, the policy, a step. Each is declared by our version."""

import numpy as np
import torch
import torch.nn.functional as F

from mock5check.answers import NO_RETURN, Facts, show
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5lib import Mock5


def positions(rng):
    """(game,)"""
    yield from ((Mock5(2, 3, history=moves),) for moves in ([], [0], [0, 5], [4, 2, 3]))
    yield (Mock5(9, 9, history=[40, 30, 41]),)
    for height, width in rng.integers(1, 6, (20, 2)):
        points = rng.permutation(height * width)
        yield (Mock5(int(height), int(width), history=[int(p) for p in points[: rng.integers(len(points))]]),)


@exercise(
    cases=positions,
    why="Plane 0 is 1 at the stones of game.player, plane 1 at the other player's, plane 2 at the empty points. "
    "Everything else is 0.",
)
def planes_of(game):
    """The position as the player to move sees it, shape (3, H, W)."""
    own, other = game.cells == game.player, game.cells == 3 - game.player
    planes = np.stack([own, other, game.cells == 0])
    return planes.reshape(3, game.height, game.width).astype(np.float32)


def examples(rng):
    """(planes, move)"""
    for shape, moves in (
        ((1, 2, 2), range(4)),
        ((1, 2, 3), range(6)),
        ((2, 5, 2), (3, 8)),
        ((1, 15, 15), (0, 33, 224)),
    ):
        yield from ((rng.integers(0, 2, shape).astype(np.float32), move) for move in moves)
    for channels, height, width in rng.integers(1, 6, (30, 3)):
        yield rng.integers(0, 3, (channels, height, width)), int(rng.integers(height * width))


def why_turned(planes, move):
    height, width = planes.shape[1:]
    row, column = divmod(move, width)
    return (
        f"Planes of {height}×{width} become {width}×{height}, and the top right corner moves to the top left. The move "
        f"at row {row}, column {column} goes to row {width - 1 - column}, column {row}. A row then has {height} "
        f"{'point' if height == 1 else 'points'}."
    )


def both(solution, planes, move):
    answer = solution(planes, move)
    if isinstance(answer, np.ndarray):
        raise Refused("Return two things: the turned planes and the turned move.")
    return answer


@exercise(
    cases=examples,
    observe=both,
    why=why_turned,
    call=lambda planes, move: f"turn_example(planes, {move}), planes of shape {planes.shape}",
)
def turn_example(planes, move):
    """Planes and move after a quarter turn counter-clockwise."""
    height, width = planes.shape[1:]
    row, column = divmod(move, width)
    return np.rot90(planes, axes=(1, 2)), (width - 1 - column) * height + row


def logits_and_boards(rng):
    """(logits, boards): the logits with a channel, as a convolution's, or without"""
    yield np.array([[[[1.0, 3.0]]]]), np.array([[[0, 0]]])
    yield np.array([[[1.0, 3.0]]]), np.array([[[0, 1]]])
    yield np.array([[[0.0, 1000.0], [3.0, 1.0]]]), np.array([[[0, 2], [0, 0]]])
    for number, (batch, height, width) in enumerate(rng.integers(1, 4, (12, 3))):
        boards = rng.integers(0, 3, (batch, height, width))
        boards[:, 0, 0] = 0
        shape = (batch, height, width) if number % 2 else (batch, 1, height, width)
        yield rng.normal(0, 2, shape).round(1), boards


def believed(solution, logits, boards):
    """The log-probabilities, and the slopes of what is said of the first empty points."""
    logits = torch.tensor(logits, dtype=torch.float32, requires_grad=True)
    planes = torch.stack([torch.tensor(boards == c, dtype=torch.float32) for c in (1, 2, 0)], dim=1)
    answer = solution(lambda planes: logits.clone(), planes)
    if answer is None:
        raise Refused(NO_RETURN)
    wanted = (len(boards), boards[0].size)
    if not isinstance(answer, torch.Tensor):
        raise Refused(f"Return a tensor of shape {wanted}, which is (B, H·W); yours is {show(answer)}.")
    if answer.shape != wanted:
        raise Refused(f"The tensor should have shape {wanted}, which is (B, H·W); yours has {tuple(answer.shape)}.")
    if not answer.requires_grad:
        raise Refused("No gradient finds its way back to the net. Calculate with net(planes) itself, all in torch.")
    first = planes[:, 2].flatten(1).argmax(dim=1, keepdim=True)
    (slopes,) = torch.autograd.grad(answer.gather(1, first).sum(), logits)
    told = {"log-probabilities": answer.detach().numpy()}
    return Facts(told | {"gradient of the first empty points' log-probability, at the logits": slopes.numpy()})


@exercise(
    cases=logits_and_boards,
    observe=believed,
    close=1e-5,
    call=lambda logits, boards: (
        f"log_policy(net, planes), where\nnet(planes) is {show(logits.tolist())}, of shape {logits.shape}\n"
        f"and the boards are {boards.tolist()} (0 is empty)"
    ),
    why="Make one row of logits per board. Set those of occupied points to −10⁹, and then take log_softmax along the "
    "row, dim=1.",
)
def log_policy(net, planes):
    """Log-probabilities (B, H·W) from planes (B, 3, H, W); occupied points get −10⁹."""
    logits = net(planes).flatten(1)
    return logits.masked_fill(planes[:, 2].flatten(1) == 0, -1e9).log_softmax(dim=1)


def trainings(rng):
    """(seed, examples, learning rate, momentum)"""
    yield from ((0, 1, 0.1, 0.0), (1, 3, 0.1, 0.0), (2, 4, 0.5, 0.9), (3, 2, 1.0, 0.0))


def trained(solution, seed, examples, lr, momentum):
    """The losses of three steps, each on another batch, and where they led."""
    rng = np.random.default_rng(seed)
    net = torch.nn.Conv2d(3, 1, 3, padding=1)
    with torch.no_grad():
        for weights in net.parameters():
            weights.copy_(torch.tensor(rng.normal(0, 0.3, weights.shape)))
    optimizer, losses = torch.optim.SGD(net.parameters(), lr, momentum), []
    for _ in range(3):
        boards = rng.integers(0, 3, (examples, 3, 3))
        boards[:, 1, 1] = 0
        planes = torch.stack([torch.tensor(boards == c, dtype=torch.float32) for c in (1, 2, 0)], dim=1)
        moves = [rng.choice(np.flatnonzero(board == 0)) for board in boards]
        loss = solution(net, optimizer, planes, torch.tensor(np.array(moves)))
        if isinstance(loss, torch.Tensor):
            raise Refused("It returned a tensor. Return its number, `loss.item()`.")
        losses.append(loss)
    if None in losses:
        raise Refused(NO_RETURN)
    told = {f"loss of the {word} step": loss for word, loss in zip(("first", "second", "third"), losses)}
    weights = torch.cat([weights.detach().flatten() for weights in net.parameters()]).numpy()
    return Facts(told | {"the net's weights after the three steps": weights})


@exercise(
    cases=trainings,
    observe=trained,
    may_change=(0, 1, 2),
    close=1e-5,
    call=lambda seed, examples, lr, momentum: (
        f"train_step(net, optimizer, planes, moves), three times, with batches of {examples} and SGD(lr={lr})"
    ),
    why="The loss is −mean of log p of the moves. Clear the old gradient, compute the new one, take one step, and "
    "return the loss as it was before the step.",
)
def train_step(net, optimizer, planes, moves):
    """Move every weight a little downhill. Returns the loss of the batch."""
    loss = F.nll_loss(log_policy(net, planes), moves)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()

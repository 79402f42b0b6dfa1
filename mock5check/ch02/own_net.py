"""The check of a policy net of one's own: its contract, its first steps, and its distance from the ceiling."""

import time
from collections import Counter
from contextlib import contextmanager

import numpy as np

from mock5check.answers import show
from mock5check.ch02 import teacher
from mock5check.core import graded

EXAMPLES, FEW = 100_000, 8_000  # how many may be trained on, in the end and at first
SECONDS = 120.0  # of processor time, for the whole training
WITHIN = 0.03  # of the ceiling


@graded
def train_policy(trial, function) -> None:
    """Check `train_policy(boards, moves, examples, seed)`: it returns a policy that predicts the teacher's moves."""
    boards, moves = teacher.records(30_000, seed=0)
    exam, _ = teacher.records(2_000, seed=1)
    trial.stage("the contract, on small data")
    _contract(trial, function, boards[:600], moves[:600], exam)
    trial.stage(f"the first {FEW:,} examples: does it learn at all?")
    _learns(trial, function, boards, moves, exam)
    trial.stage(f"{EXAMPLES:,} examples: within three points of the ceiling")
    _reaches_the_ceiling(trial, function, boards, moves, exam)


def _train(trial, function, boards, moves, examples: int, seed: int):
    call = f"train_policy(boards, moves, {examples}, {seed}), with {len(boards):,} examples"
    policy = trial.call(function, boards, moves, examples, seed, shown=call, long=True, seconds=3 * SECONDS)
    if not callable(policy):
        trial.fail("Return the policy, a function of boards.", call=call, answer=policy)
    return policy, call


def _ask(trial, policy, boards, call: str) -> np.ndarray:
    """What the policy says of boards, if these are distributions over their empty points."""
    call = f"policy = {call}\nthen policy(boards), with an array of shape {boards.shape}"
    answer = trial.call(policy, boards, shown=call, long=True, seconds=SECONDS)
    fits = isinstance(answer, np.ndarray) and answer.shape == boards.shape and answer.dtype.kind == "f"
    if not fits:
        trial.fail(f"A policy returns a NumPy array of floats of shape {boards.shape}.", call=call, answer=answer)
    finite = np.isfinite(answer).all() and (answer >= 0).all()
    trial.require(finite, "Probabilities are numbers from 0 to 1. Is there a logarithm, or a NaN?", call=call)
    on_stones = float(np.where(boards == 0, 0, answer).max())
    text = f"The probability of a point where a stone lies is 0; here one is {on_stones:.2g}. Mask before the softmax."
    trial.require(on_stones <= 1e-7, text, call=call)
    sums = answer.sum(axis=1)
    text = f"The probabilities of each board sum to 1. These sum to {show(sums[:4].astype(float))} …"
    trial.require(np.allclose(sums, 1, atol=1e-4), text, call=call)
    return answer


def _contract(trial, function, boards, moves, exam) -> None:
    for examples in (0, 1, 300):
        policy, call = _train(trial, function, boards, moves, examples, 0)
        for some in (exam[:1], exam[:7], exam[:300], _extreme()):
            _ask(trial, policy, some, call)
    first = _ask(trial, policy, exam[:50], call)
    mirrored = np.stack([_ask(trial, policy, exam[i : i + 1], call)[0] for i in range(50)])
    text = "A board alone and the same board among others should get the same answer, except for rounding."
    trial.require(np.allclose(first, mirrored, atol=1e-4), text, call=call)
    again, _ = _train(trial, function, boards, moves, 300, 0)
    other, _ = _train(trial, function, boards, moves, 300, 1)
    text = "Equal seeds should give equal policies."
    trial.require(np.allclose(first, _ask(trial, again, exam[:50], call), atol=1e-5), text)
    even = exam[:50] == 0
    flat = np.allclose(first, even / even.sum(axis=1, keepdims=True), atol=1e-6)
    text = (
        "It says the same of every empty point. Do the boards reach the net, and the net's answers the softmax?"
        if flat
        else "Two seeds gave the very same policy. Both the first weights and the order of examples come from the seed."
    )
    trial.require(not np.allclose(first, _ask(trial, other, exam[:50], call), atol=1e-7), text)
    text = "A later call of train_policy changed the policy of an earlier one. Make a new net in each call."
    trial.require(np.allclose(first, _ask(trial, policy, exam[:50], call), atol=1e-6), text)


def _extreme() -> np.ndarray:
    """An empty board, a full one but for one point, and one with own stones only."""
    full = np.where(np.arange(teacher.POINTS) % 2 == 0, 1, -1).astype(np.int8)
    full[17] = 0
    own = (np.arange(teacher.POINTS) < 9).astype(np.int8)
    return np.stack([np.zeros(teacher.POINTS, np.int8), full, own])


def _share(policy_says, exam) -> float:
    return teacher.expected_accuracy(policy_says.argmax(axis=1), exam)


def _learns(trial, function, boards, moves, exam) -> None:
    """From nothing it is no better than a guess; after some examples it is, and it was not the answers that it saw."""
    untrained, call = _train(trial, function, boards, moves, 0, 0)
    before = _share(_ask(trial, untrained, exam, call), exam)
    text = f"Before any training it predicts {before:.0%} of the moves. What it knows should come from the examples."
    trial.require(before < 0.25, text, call=call)
    with _boards_trained_on() as seen:
        policy, call = _train(trial, function, boards, moves, FEW, 0)
    most = max(seen.values(), default=0)
    text = (
        f"The net saw {most:,} boards in training; an example that is shown twice counts twice, and {FEW:,} are "
        "allowed. (Do you measure something by the way? Do it under torch.no_grad().)"
    )
    trial.require(most <= 1.4 * FEW, text, call=call)
    after = _share(_ask(trial, policy, exam, call), exam)
    text = (
        f"After {FEW:,} examples it predicts {after:.0%} of the moves on new boards; before, it was {before:.0%}. "
        "More than 15 % is asked for. Does the loss fall? Do the boards and the moves of a batch still belong together?"
    )
    trial.require(after > 0.15 and after > before + 0.05, text, call=call)
    _follows_the_data(trial, function, boards, moves, exam)


@contextmanager
def _boards_trained_on():
    """{module: boards it was called with, with gradients}; modules that are called by other modules do not count."""
    import torch
    from torch.nn.modules import module as modules

    seen, inside = Counter(), []

    def before(module, given):
        if not inside and torch.is_grad_enabled() and module.training and given and torch.is_tensor(given[0]):
            seen[module] += len(given[0])
        inside.append(module)

    def after(module, given, answer):
        inside.pop()

    hooks = [
        modules.register_module_forward_pre_hook(before),
        modules.register_module_forward_hook(after, always_call=True),
    ]
    try:
        yield seen
    finally:
        for hook in hooks:
            hook.remove()


def _follows_the_data(trial, function, boards, moves, exam) -> None:
    """With another teacher it learns another policy: this one takes the opponent's side."""
    policy, call = _train(trial, function, -boards, moves, FEW, 0)
    call = f"{call} of another teacher"
    share = _share(_ask(trial, policy, exam, call), -exam)
    text = (
        f"Another teacher plays as if the opponent's stones were its own. After {FEW:,} examples the policy predicts "
        f"{share:.0%} of its moves; more than 15 % is asked for. What it knows should come from the examples."
    )
    trial.require(share > 0.15, text, call=call)


def _reaches_the_ceiling(trial, function, boards, moves, exam) -> None:
    start = time.process_time()
    policy, call = _train(trial, function, boards, moves, EXAMPLES, 0)
    seconds = time.process_time() - start
    share, best = _share(_ask(trial, policy, exam, call), exam), teacher.ceiling(exam)
    text = f"The training took {seconds:.0f} seconds of processor time. It may take {SECONDS:.0f}."
    trial.require(seconds <= SECONDS, text, call=call)
    text = (
        f"On 2,000 new boards it predicts {share:.1%} of the moves, and nobody could predict more than {best:.1%}. "
        f"Within three points is asked for, {best - WITHIN:.1%}. The teacher looks at the eight neighbours of a point: "
        "does your net? Can it say 'and'? Does the step size fall towards the end?"
    )
    trial.require(share >= best - WITHIN, text, call=call)

"""The check of a policy net of one's own: what every policy owes, its first steps, its distance from the ceiling."""

import time

import numpy as np

from mock5check.ch02 import teacher
from mock5check.core import graded

EXAMPLES, FEW = 100_000, 8_000  # how many may be trained on, in the end and at first
SECONDS = 120.0  # of processor time, for the whole training
SMALL, SOON = 600, 30.0  # so few boards take no longer
WITHIN = 0.03  # of the ceiling
GUESSED, LEARNED = 0.25, 0.15  # of the moves: at most before any training, at least after the first examples
LIKELY = -2.2  # the mean logarithm of the probability of the teacher's moves; the solution's is −1.8
EQUAL = (
    "Equal seeds should give equal policies. Set torch's own seed before you make the net: `torch.manual_seed(seed)`."
)
STILL = (
    "It's still the policy of 0 examples. Is there a loop over batches, with `backward` and a step of the optimizer "
    "in it? Does the policy ask the net that was trained?"
)
FLAT = (
    "It says the same about every empty point. Do the boards reach the net, and do the net's answers reach the "
    "softmax? Does a filter see more than its own point?"
)


@graded
def train_policy(trial, function) -> None:
    """Check `train_policy(boards, moves, examples, seed)`: it returns a policy that predicts the teacher's moves."""
    boards, moves = teacher.records(30_000, seed=0)
    exam, _ = teacher.records(2_000, seed=1)
    trial.stage("what every policy owes, on small data")
    _contract(trial, function, boards[:SMALL], moves[:SMALL], exam[:50])
    trial.stage(f"the first {FEW:,} examples: does it learn at all?")
    early = _learns(trial, function, boards, moves, exam)
    trial.stage(f"{EXAMPLES:,} examples: within three points of the ceiling")
    _reaches_the_ceiling(trial, function, boards, moves, exam, early)


def _train(trial, function, boards, moves, examples: int, seed: int = 0):
    """(the policy, the call as text)"""
    call = f"policy = train_policy(boards, moves, {examples}, {seed}), with {len(boards):,} boards"
    seconds = 3 * SECONDS if len(boards) > SMALL else SOON
    policy = trial.call(function, boards, moves, examples, seed, shown=call, long=True, seconds=seconds)
    if not callable(policy):
        trial.fail("Return the policy, a function of boards.", call=call, answer=policy)
    return policy, call


def _ask(trial, policy, boards, call: str) -> np.ndarray:
    """What the policy says of boards, if these are distributions over their empty points."""
    call = f"{call}\nthen policy(boards), with an array of shape {boards.shape}"
    answer = trial.call(policy, boards, shown=call, long=True, seconds=SECONDS)
    wanted = f"A policy returns a NumPy array of floats of shape {boards.shape}"
    if not isinstance(answer, np.ndarray) or answer.dtype.kind != "f":
        trial.fail(f"{wanted}; `.numpy()` makes one of a tensor.", call=call, answer=answer)
    text = f"{wanted}, with a row for each board, even for a single one. Yours has shape {answer.shape}."
    trial.require(answer.shape == boards.shape, text, call=call)
    finite = np.isfinite(answer).all() and (answer >= 0).all()
    trial.require(finite, "Probabilities are between 0 and 1. Is the softmax missing? Is there a NaN?", call=call)
    sums = answer.sum(axis=1)
    worst = float(sums[abs(sums - 1).argmax()])
    text = (
        f"The probabilities of each board, along axis 1, should sum to 1. Here those of one board sum to {worst:.4g}."
    )
    trial.require(abs(worst - 1) < 1e-3, text, call=call)
    on_stones = float(np.where(boards == 0, 0, answer).max())
    text = (
        f"Where there's a stone the probability should be 0; here one is {on_stones:.2g}. Set the logit there to −10⁹ "
        "BEFORE the softmax, and mask the points with stones, not the empty ones."
    )
    trial.require(on_stones < 1e-6, text, call=call)
    return answer.copy()


def _contract(trial, function, boards, moves, exam) -> None:
    """Distributions, also where little or nothing was trained; the seed decides, and one policy is not another."""
    untrained, call = _train(trial, function, boards, moves, 0)
    before = _steady(trial, untrained, exam, call)
    _guesses(trial, before, exam, call)
    again, on_others = (
        _ask(trial, _train(trial, function, boards[::step].copy(), moves[::step].copy(), 0)[0], exam, call)
        for step in (1, -1)
    )
    trial.require(np.allclose(before, again, atol=1e-6), EQUAL, call=f"{call}, twice")
    text = "With examples = 0 nothing is trained, and yet the policy depends on the boards or moves that it's given."
    trial.require(np.allclose(before, on_others, atol=1e-6), text, call=f"{call}, then with others")
    _ask(trial, untrained, np.zeros((1, teacher.POINTS), np.int8), call)
    policy, then = _train(trial, function, boards, moves, 300)
    text = "A later call of train_policy changed the policy of an earlier one. Make a new net in each call."
    trial.require(np.allclose(before, _ask(trial, untrained, exam, call), atol=1e-6), text, call=f"{call}\n{then}")
    first = _steady(trial, policy, exam, then)
    again, other = (_ask(trial, _train(trial, function, boards, moves, 300, seed)[0], exam, then) for seed in (0, 1))
    trial.require(np.allclose(first, again, atol=1e-5), EQUAL, call=then)
    text = "Two seeds gave the same policy. The first weights and the order of examples should both come from the seed."
    trial.require(_flat(first, exam) or not np.allclose(first, other, atol=1e-7), text, call=then)


def _steady(trial, policy, boards, call: str) -> np.ndarray:
    """What the policy says of boards, if it says the same of each alone."""
    together = _ask(trial, policy, boards, call)
    alone = np.concatenate([_ask(trial, policy, boards[i : i + 1], call) for i in range(len(boards))])
    text = (
        "A board gets a different answer alone than among others, or when asked twice. BatchNorm looks at the whole "
        "batch, and dropout is random, until `net.eval()`. Call that before the policy answers."
    )
    trial.require(np.allclose(together, alone, atol=1e-4), text, call=call)
    return together


def _flat(answer, boards) -> bool:
    """Does it say the same of every empty point?"""
    even = boards == 0
    return np.allclose(answer, even / even.sum(axis=1, keepdims=True), atol=1e-6)


def _share(says, exam) -> float:
    return teacher.expected_accuracy(says.argmax(axis=1), exam)


def _guesses(trial, says, exam, call: str) -> float:
    """The share that it predicts before any training, if that's no more than a guess finds."""
    before = _share(says, exam)
    text = (
        f"Before any training it predicts {before:.0%} of the moves. Count the training's steps from `examples`, and "
        "make a new net in each call."
    )
    trial.require(before < GUESSED, text, call=call)
    return before


def _learns(trial, function, boards, moves, exam) -> float:
    """From nothing it is no better than a guess; after some examples it is. Returns the share that it then predicts."""
    untrained, call = _train(trial, function, boards, moves, 0)
    says = _ask(trial, untrained, exam, call)
    before = _guesses(trial, says, exam, call)
    policy, call = _train(trial, function, boards, moves, FEW)
    now = _ask(trial, policy, exam, call)
    after = _share(now, exam)
    text = "Does the loss fall? Do a batch's boards and moves still belong together? Is the step size far off?"
    text = FLAT if _flat(now, exam) else STILL if np.allclose(now, says, atol=1e-7) else text
    text = (
        f"After {FEW:,} examples it predicts {after:.0%} of the moves on new boards; before it was {before:.0%}. "
        + text
    )
    trial.require(after > LEARNED and after > before + 0.05, text, call=call)
    text = (
        f"After {FEW:,} examples it predicts {after:.0%} of the moves already: it was trained on far more of them. A "
        "step with a batch of 128 boards shows 128 examples."
    )
    trial.require(after < teacher.ceiling(exam) - WITHIN, text, call=call)
    return after


def _reaches_the_ceiling(trial, function, boards, moves, exam, early: float) -> None:
    start = time.process_time()
    policy, call = _train(trial, function, boards, moves, EXAMPLES)
    seconds = time.process_time() - start
    says = _ask(trial, policy, exam, call)
    share, best = _share(says, exam), teacher.ceiling(exam)
    text = f"The training took {seconds:.0f} seconds of processor time. It may take {SECONDS:.0f}."
    trial.require(seconds <= SECONDS, text, call=call)
    text = f"On 2,000 new boards it predicts {share:.1%} of the moves, and nobody could predict more than {best:.1%}. "
    if share < early - 0.02:
        text += (
            f"After {FEW:,} examples it was {early:.1%}: it got WORSE with more of them. Are the gradients cleared "
            "before each step? Are new rows taken for each batch? Is the step size too large?"
        )
    else:
        text += (
            f"Within three points is asked for, {best - WITHIN:.1%}. The teacher looks at the eight neighbors of a "
            "point: does your net, with both colors apart? Can it say 'and'? Are ALL boards used? Does the step size "
            "fall toward the end?"
        )
    trial.require(share >= best - WITHIN, text, call=call)
    fit = (teacher.distribution(exam) * np.log(np.maximum(says, 1e-12))).sum(axis=1).mean()
    text = (
        "Its first choices are good, but its probabilities are not: the mean logarithm of the chance that it gives to "
        f"the teacher's moves is {fit:.2f}, and {LIKELY} is asked for. Every fifth move is anywhere, so no empty "
        "point has next to no chance. Are the LOGITS handed to the loss, and the softmax of the same ones returned?"
    )
    trial.require(fit >= LIKELY, text, call=call)

"""The check of a policy net of one's own: its contract, its first steps, and its distance from the ceiling."""

import time
from collections import Counter
from contextlib import contextmanager

import numpy as np

from mock5check.ch02 import teacher
from mock5check.core import graded

EXAMPLES, FEW = 100_000, 8_000  # how many may be trained on, in the end and at first
SECONDS = 120.0  # of processor time, for the whole training
WITHIN = 0.03  # of the ceiling
LIKELY = -2.2  # the mean logarithm of the probability of the teacher's moves; the solution's is −1.8
LOOKED_AT = 8  # boards that a net may see before any training, to find its shapes
BATCHES = 16  # in a training that nothing is left over from; batches made of 2, 4 or 8 parts are whole in it, too
UNSTEADY = "The same question got two answers. Is there noise in the policy, or dropout (`net.eval()` stops it)?"
STILL = "After the training the policy is still that of 0 examples: is there a step of the optimiser for each batch?"
UNSEEN = (
    "After the training the policy is still that of 0 examples: the net saw no board at all (in training mode, with "
    "gradients). Are there epochs and batches, also where the boards are more than the examples, or fewer?"
)
FLAT = (
    "It says the same of every empty point. Do the boards reach the net, and the net's answers the softmax? Does a "
    "filter see more than its own point?"
)


@graded
def train_policy(trial, function) -> None:
    """Check `train_policy(boards, moves, examples, seed)`: it returns a policy that predicts the teacher's moves."""
    boards, moves = teacher.records(30_000, seed=0)
    exam, _ = teacher.records(2_000, seed=1)
    trial.stage("the contract, on small data")
    batch = _contract(trial, function, boards[:600], moves[:600], exam)
    _whole_batches(trial, function, boards, moves, batch)
    trial.stage(f"the first {FEW:,} examples: does it learn at all?")
    early = _learns(trial, function, boards, moves, exam)
    trial.stage(f"{EXAMPLES:,} examples: within three points of the ceiling")
    _reaches_the_ceiling(trial, function, boards, moves, exam, early)


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
    trial.require(finite, "Probabilities are numbers from 0 to 1. Is the softmax missing? Is there a NaN?", call=call)
    over_boards = np.allclose(answer.sum(axis=0)[(boards == 0).any(axis=0)], 1, atol=1e-3)
    trial.require(
        not over_boards or np.allclose(answer.sum(axis=1), 1, atol=1e-3),
        "The probabilities of each POINT sum to 1 over the boards that were asked about. Take the softmax over the "
        "points of each board, axis 1.",
        call=call,
    )
    on_stones = float(np.where(boards == 0, 0, answer).max())
    text = f"The probability of a point where a stone lies is 0; here one is {on_stones:.2g}. Before the softmax "
    text += "its logit must be −10⁹ or so: a factor 0, −10 or −100 is not enough. What is made of the probabilities "
    text += "afterwards, like a mean over turned boards, must leave it 0."
    stones = answer[boards != 0]
    if (boards != 0).any(axis=1).sum() > 1 and np.ptp(stones) < 1e-4 * on_stones:
        text = (
            f"The probability of a point where a stone lies is 0; here it is {on_stones:.2g} on every stone of every "
            "board. Is something added after the softmax, or the answer mixed with an even one?"
        )
    nothing = np.argwhere((boards == 0) & (answer == 0))
    if on_stones > 1e-3 and len(nothing):
        board, point = map(int, nothing[0])
        text = (
            f"A point where a stone lies has the probability {on_stones:.2g}, and point {point} of board {board}, "
            "which is empty, has none. Are the wrong points masked? Point p lies in row p // 7 and column p % 7. Or is "
            "this an answer about other boards, kept from an earlier call?"
        )
    trial.require(on_stones == 0, text, call=call)
    sums = answer.sum(axis=1)
    worst = float(sums[abs(sums - 1).argmax()])
    text = f"The probabilities of each board sum to 1. Here those of one sum to {worst:.6g}; they are {answer.dtype}."
    trial.require(np.allclose(sums, 1, atol=1e-4), text, call=call)
    return answer


def _contract(trial, function, boards, moves, exam) -> int:
    """What holds for every policy; returns the largest batch that its net was shown."""
    _starts_untrained(trial, function, boards, moves, exam[:50])
    batch = _shows_as_many(trial, function, boards[:100], moves[:100], 2_000)[2]
    for some in (1, 100):
        policy, call = _train(trial, function, boards[:some], moves[:some], 1_000, 0)
        _ask(trial, policy, exam[:7], call)
    for examples in (0, 1, 200, 300):
        with _boards_trained_on() as seen:
            policy, call = _train(trial, function, boards, moves, examples, 0)
        if examples:
            _as_many_as_told(trial, seen, examples, call)
            batch = seen.batch(examples)[1] or batch
        for some in (exam[:1], exam[:7], exam[:300], _extreme()):
            _ask(trial, policy, some, call)
        if not examples:
            _alone_as_among_others(trial, policy, exam[:50], call)
    first = _ask(trial, policy, exam[:50], call)
    kept = first.copy()
    trial.require(np.allclose(first, _ask(trial, policy, exam[:50], call), atol=1e-6), UNSTEADY, call=call)
    _alone_as_among_others(trial, policy, exam[:50], call)
    text = "The answer to an earlier question changed with a later one. Make a new array in each call of the policy."
    trial.require(np.array_equal(first, kept), text, call=call)
    again, _ = _train(trial, function, boards, moves, 300, 0)
    other, _ = _train(trial, function, boards, moves, 300, 1)
    text = "A later call of train_policy changed the policy of an earlier one. Make a new net in each call."
    trial.require(np.allclose(first, _ask(trial, policy, exam[:50], call), atol=1e-6), text)
    text = "Equal seeds should give equal policies."
    trial.require(np.allclose(first, _ask(trial, again, exam[:50], call), atol=1e-5), text)
    text = (
        FLAT
        if _is_flat(first, exam[:50])
        else "Two seeds gave the very same policy. Both the first weights and the order of examples come from the seed."
    )
    trial.require(not np.allclose(first, _ask(trial, other, exam[:50], call), atol=1e-7), text)
    return batch


def _starts_untrained(trial, function, boards, moves, exam) -> None:
    """With no examples there is no training, and the first weights come from the seed."""
    answers = []
    for seed in (0, 1):
        with _boards_trained_on() as seen:
            policy, call = _train(trial, function, boards, moves, 0, seed)
        most = max(seen.values(), default=0)
        text = (
            f"With `examples` = 0 the net saw {most:,} boards in training. Count the steps from `examples`, not from "
            "the number of boards. (Do you measure something by the way? Do it under torch.no_grad().)"
        )
        trial.require(most <= LOOKED_AT, text, call=call)
        answers.append(_ask(trial, policy, exam, call))
    text = "Two policies handed out one and the same array. Make a new one in each call of a policy."
    trial.require(not np.shares_memory(*answers), text, call=call)
    text = (
        "With `examples` = 0, seeds 0 and 1 gave the very same policy. Its first weights come from the seed: is a new "
        "net made in each call, and the seed set before?"
    )
    trial.require(_is_flat(answers[0], exam) or not np.allclose(*answers, atol=1e-7), text, call=call)
    for others, text in (
        (moves, "Seed 0 gave another first policy after seed 1 than before. Is the seed set BEFORE the net is made?"),
        (moves[::-1].copy(), "With `examples` = 0 nothing is trained, yet with other moves the policy is another one."),
    ):
        policy, call = _train(trial, function, boards, others, 0, 0)
        trial.require(np.allclose(answers[0], _ask(trial, policy, exam, call), atol=1e-7), text, call=call)


def _alone_as_among_others(trial, policy, boards, call: str) -> None:
    """Each board gets the same answer alone."""
    among = _ask(trial, policy, boards, call).copy()
    alone = np.stack([_ask(trial, policy, boards[i : i + 1], call)[0] for i in range(len(boards))])
    text = (
        "A board alone and the same board among others should get the same answer, except for rounding. (BatchNorm "
        "looks at the whole batch until `net.eval()`, which the policy needs also where nothing was trained.)"
    )
    trial.require(np.allclose(among, alone, atol=1e-4), text, call=call)


def _is_flat(answer, boards) -> bool:
    """Does it say the same of every empty point?"""
    even = boards == 0
    return np.allclose(answer, even / even.sum(axis=1, keepdims=True), atol=1e-6)


def _extreme() -> np.ndarray:
    """An empty board, a full one but for one point, and one with own stones only."""
    full = np.where(np.arange(teacher.POINTS) % 2 == 0, 1, -1).astype(np.int8)
    full[17] = 0
    own = (np.arange(teacher.POINTS) < 9).astype(np.int8)
    return np.stack([np.zeros(teacher.POINTS, np.int8), full, own])


def _share(policy_says, exam) -> float:
    return teacher.expected_accuracy(policy_says.argmax(axis=1), exam)


def _learns(trial, function, boards, moves, exam) -> float:
    """From nothing it is no better than a guess; after some examples it is, and it was not the answers that it saw.

    Returns the share that it predicts after these examples.
    """
    untrained, call = _train(trial, function, boards, moves, 0, 0)
    before = _share(_ask(trial, untrained, exam, call), exam)
    text = f"Before any training it predicts {before:.0%} of the moves. What it knows should come from the examples."
    trial.require(before < 0.25, text, call=call)
    policy, call, _ = _shows_as_many(trial, function, boards, moves, FEW)
    after = _share(_ask(trial, policy, exam, call), exam)
    text = (
        f"After {FEW:,} examples it predicts {after:.0%} of the moves on new boards; before, it was {before:.0%}. "
        "More than 15 % is asked for. Does the loss fall? Do the boards and the moves of a batch still belong together?"
    )
    trial.require(after > 0.15 and after > before + 0.05, text, call=call)
    _follows_the_data(trial, function, boards, moves, exam, after)
    return after


def _shows_as_many(trial, function, boards, moves, examples: int) -> tuple:
    """(the policy, the call, the batch) of a training that shows its net about as many boards as it was told to."""
    untrained, before = _train(trial, function, boards, moves, 0, 0)
    first = _ask(trial, untrained, boards[:50], before).copy()
    trial.require(np.allclose(first, _ask(trial, untrained, boards[:50], before), atol=1e-6), UNSTEADY, call=before)
    with _boards_trained_on() as seen:
        policy, call = _train(trial, function, boards, moves, examples, 0)
    _as_many_as_told(trial, seen, examples, call)
    text = (
        "The policy of 0 examples changed when another one was trained with the same seed: make a new net in each call."
    )
    trial.require(np.allclose(_ask(trial, untrained, boards[:50], before), first, atol=1e-7), text, call=call)
    now = _ask(trial, policy, boards[:50], call)
    text = FLAT if _is_flat(now, boards[:50]) else STILL if seen else UNSEEN
    trial.require(not np.allclose(now, first, atol=1e-7), text, call=call)
    return policy, call, seen.batch(examples)[1]


def _as_many_as_told(trial, seen, examples: int, call: str) -> None:
    """What is left over from the last batch may stay unused, or be filled up; a net may judge single points, too."""
    most, batch, _ = seen.batch(examples)
    text = (
        f"The net saw {most:,} boards in training, up to {batch} at a time; an example that is shown twice counts "
        f"twice, and {examples:,} are to be shown, also if there are fewer boards; less than a batch may stay "
        "unused, or be added."
    )
    more = " Do you measure something by the way? Do it under torch.no_grad()." * (most > examples)
    trial.require(not most or examples - batch < most < examples + batch + LOOKED_AT, text + more, call=call)


class _Seen(Counter):
    """{module: boards}, and the sizes of its batches."""

    def __init__(self):
        super().__init__()
        self.sizes = {}

    def add(self, module, boards: int) -> None:
        """This module was called with so many boards."""
        self[module] += boards
        self.sizes.setdefault(module, Counter())[boards] += 1

    def batch(self, examples: int) -> tuple[int, int, int]:
        """Of the module that saw the most: (boards, the largest batch, how many times it came)."""
        if not self:
            return 0, 0, 0
        module, most = self.most_common(1)[0]
        batch = max(self.sizes[module])
        times, points = self.sizes[module][batch], teacher.POINTS
        if most % points == batch % points == 0 and most > points * examples - batch:  # a net of single points
            most, batch = most // points, batch // points
        return most, batch, times


@contextmanager
def _boards_trained_on():
    """{module: boards it was called with, with gradients}; modules that are called by other modules do not count."""
    import torch
    from torch.nn.modules import module as modules

    seen, inside = _Seen(), []

    def before(module, given):
        if not inside and torch.is_grad_enabled() and module.training and given and torch.is_tensor(given[0]):
            seen.add(module, len(given[0]))
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


def _whole_batches(trial, function, boards, moves, batch: int) -> None:
    """So many examples, and boards, as fill whole batches: nothing is left over, so each of them is shown."""
    for _ in range(2):  # with more boards a batch may be larger
        examples = batch * max(1, min(BATCHES, FEW // max(batch, 1)))
        with _boards_trained_on() as seen:
            _, call = _train(trial, function, boards[:examples], moves[:examples], examples, 0)
        most, found, times = seen.batch(examples)
        if found == batch:
            break
        batch = found
    if not batch or found != batch or most - times * batch > LOOKED_AT:  # batches of several sizes
        return
    text = (
        f"The net saw {times * batch:,} boards in training, {batch} at a time. {examples:,} examples fill "
        f"{examples // batch} whole batches and nothing is left over, so exactly {examples:,} are to be shown. Does "
        "the loop over the batches begin and end where it should?"
    )
    trial.require(times * batch == examples, text, call=call)


def _follows_the_data(trial, function, boards, moves, exam, before: float) -> None:
    """With another teacher it learns another policy: this one takes the opponent's side."""
    policy, call = _train(trial, function, -boards, moves, FEW, 0)
    call = f"{call} of another teacher"
    share = _share(_ask(trial, policy, exam, call), -exam)
    text = (
        f"Another teacher plays as if the opponent's stones were its own. After {FEW:,} examples the policy predicts "
        f"{share:.0%} of its moves, and of the first teacher's it was {before:.0%}. What it knows should come from the "
        "boards and moves that it is given, not from other cells or earlier calls; and a step size that is too large "
        "makes a net deaf to all but luck."
    )
    trial.require(share > max(0.15, 0.6 * before), text, call=call)


def _reaches_the_ceiling(trial, function, boards, moves, exam, early: float) -> None:
    start = time.process_time()
    with _boards_trained_on() as seen:
        policy, call = _train(trial, function, boards, moves, EXAMPLES, 0)
    seconds = time.process_time() - start
    _as_many_as_told(trial, seen, EXAMPLES, call)
    says = _ask(trial, policy, exam, call)
    share, best = _share(says, exam), teacher.ceiling(exam)
    text = f"The training took {seconds:.0f} seconds of processor time. It may take {SECONDS:.0f}."
    trial.require(seconds <= SECONDS, text, call=call)
    text = (
        f"On 2,000 new boards it predicts {share:.1%} of the moves, and nobody could predict more than {best:.1%}. "
        f"Within three points is asked for, {best - WITHIN:.1%}. The teacher looks at the eight neighbours of a point: "
        "does your net, with both colours apart? Can it say 'and'? Are ALL boards used? Does the step size fall "
        "towards the end, and is it neither too small nor too large?"
    )
    if share < early - 0.02:
        text = (
            f"On 2,000 new boards it predicts {share:.1%} of the moves; after {FEW:,} examples it was {early:.1%}. It "
            "got WORSE with more of them: are the gradients cleared before each step? Is the step size too large? Are "
            "new rows taken for each batch? Is the loss the plain cross-entropy of the moves? (Labels that are "
            "smoothed over points with a logit of −10⁹ make it huge.)"
        )
    trial.require(share >= best - WITHIN, text, call=call)
    surprise = (teacher.distribution(exam) * np.log(np.maximum(says, 1e-12))).sum(axis=1).mean()
    text = (
        "Its first choices are good, but its probabilities are not: the mean logarithm of the chance that it gives to "
        f"the teacher's moves is {surprise:.2f}, and {LIKELY} is asked for. Every fifth move is anywhere, so no empty "
        "point has next to no chance. Are the LOGITS handed to the loss, and the softmax of the same ones returned?"
    )
    trial.require(surprise >= LIKELY, text, call=call)

"""The capstone of chapter 6: the net that learns, by what it does."""

from functools import cache

import numpy as np

from mock5check.answers import kind_problem, same
from mock5check.ch06.searching import SIZE
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes


@cache
def lesson() -> tuple:
    """64 positions with policies and outcomes to be learnt by heart: (planes, policies, outcomes)."""
    rng = np.random.default_rng(64)
    games = [some_position(rng) for _ in range(64)]
    policies = np.zeros((64, 25))
    for row, game in zip(policies, games):
        row[rng.choice(game.legal_moves(), size=2, replace=False)] = 0.75, 0.25
    return three_planes.encode(games), policies, rng.choice([-1.0, 1.0, 0.0], size=64)


def some_position(rng):
    game = Mock5(*SIZE[:2], k=SIZE[2])
    for _ in range(int(rng.integers(2, 14))):
        if game.winner is None:
            game.apply(int(rng.choice(game.legal_moves())))
    return game if game.winner is None else some_position(rng)


def answers_of(trial, expert, planes, call: str) -> tuple:
    """(log-priors, values) of an expert of the learner's, usable ones."""
    answer = trial.call(expert, planes, shown=call, long=True)
    right = np.zeros((len(planes), 25)), np.zeros(len(planes))
    problem = kind_problem(answer, right)
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call)
    log_priors, values = answer
    legal = planes[:, 2].reshape(len(planes), 25) == 1
    trial.require(
        not (np.isnan(log_priors[legal]).any() or np.isnan(values).any()), "The answers contain NaN.", call=call
    )
    fine = np.isfinite(log_priors[legal]).all() and np.isfinite(values).all() and abs(values).max() <= 1 + 1e-6
    trial.require(fine, "Log-priors of the empty points must be finite numbers and values lie in [−1, 1].", call=call)
    return log_priors, values


def _shares(log_priors, legal) -> np.ndarray:
    """softmax over the legal moves, (B, 25)."""
    logits = np.where(legal, log_priors, -np.inf)
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def _advice(log_priors, shares, policies, far: float, before: float) -> str:
    if (log_priors >= 0).all() and same(log_priors.sum(axis=1), np.ones(len(log_priors)), 1e-3):
        return "The expert's numbers are none below 0 and sum to 1: these are probabilities. Return their LOGARITHMS."
    best = policies.argmax(axis=1)
    if shares[np.arange(len(shares)), best].mean() > 0.9:
        return (
            "It gives the best move nearly all, and the policies to be learnt give it 0.75: the target is the WHOLE "
            "policy, not its best move: −Σ π · log p, averaged over the batch."
        )
    worse = ""
    if far > before - 0.02:
        worse = f"Before them it was {before:.2f}: "
        worse += (
            "that is worse. Is the sign of the loss right, and is the step too large? " if far > before + 0.02 else ""
        )
        worse += "" if far > before + 0.02 else "it learns nothing. Is the policy's loss in it? "
    return (
        f"{worse}The policy's loss is −Σ π · log p, averaged over the batch, where log p are NORMALISED: does a "
        "log_softmax stand before it? Are the gradients cleared before each step? Is the step size large enough? Do "
        "the expert's answers come from the net that learns?"
    )


def _advice_on_values(trial, Learner, planes, policies, outcomes, values) -> str:
    """Why the values were not learnt: all of them alike, or the outcomes change nothing."""
    pair, call = [], "learner.learn(planes, policies, outcomes), and a second learner with the outcomes turned round"
    for some in (outcomes, -outcomes):
        learner = trial.call(Learner, 1, long=True, seconds=60.0)
        for _ in range(3):
            trial.call(learner.learn, planes, policies, some, shown=call, long=True)
        pair.append(answers_of(trial, learner.expert, planes, call))
    if same(*pair, 1e-7):
        return (
            "The outcomes change nothing: with all of them turned round it learns the same. Is the value's loss in the "
            "sum, and is the value cut off from its net by `detach`, `item`, `torch.tensor(…)` or `no_grad`?"
        )
    if abs(values - outcomes.mean()).max() < 0.2:
        return (
            f"All values are near {outcomes.mean():.2f}, the mean of all outcomes: did each value meet EVERY outcome? "
            "Arrays of shapes (B, 1) and (B,) make one of (B, B); give both the shape (B,)."
        )
    return "Its loss is (z − v)², averaged over the batch. Does the value see the whole board, and is its sign right?"


def _one_step(trial, learner, batch: list) -> None:
    """`learn` takes one step of the optimiser, and leaves the batch as it was."""
    from torch.optim.optimizer import register_optimizer_step_post_hook

    steps, call = [], "learner.learn(planes, policies, outcomes), in single precision"
    before = answers_of(trial, learner.expert, batch[0], call)
    hook = register_optimizer_step_post_hook(lambda *_: steps.append(1))
    try:
        trial.call(learner.learn, *batch, shown=call, long=True)
    finally:
        hook.remove()
    trial.require(len(steps) <= 1, f"One call takes ONE gradient step; it took {len(steps)}.", call=call)
    after = answers_of(trial, learner.expert, batch[0], call)
    trial.require(
        not any(map(np.shares_memory, after, before)),
        "The expert's answer after the step is written over that before it. Return new arrays each time.",
        call=call,
    )
    trial.require(
        not same(after, before, 1e-7),
        "After one call of `learn` the answers are what they were: one call takes one gradient step.",
        call=call,
    )


def _by_turns(trial, Learner, batch: list) -> None:
    """Two learners of one seed that learn the same by turns stay alike."""
    call = "one, other = Learner(3), Learner(3), which learn the same five times, by turns"
    pair = [trial.call(Learner, 3, long=True, seconds=60.0) for _ in range(2)]
    for _ in range(5):
        for learner in pair:
            trial.call(learner.learn, *batch, shown=call, long=True)
    trial.require(
        same(*(answers_of(trial, learner.expert, batch[0], call) for learner in pair), 1e-4),
        "They answer differently now. All that is left to chance in `learn` must come from the learner's own seed.",
        call=call,
    )


def _all_rows(trial, Learner, batch: list) -> None:
    """The last rows of a large batch count as the first do."""
    call = "learner.learn with 128 examples, of which the last 64 have other outcomes and policies the second time"
    changed = [batch[0], np.concatenate([batch[1][:64], batch[1][64:][::-1]]), np.append(batch[2][:64], -batch[2][64:])]
    answers = []
    for some in (batch, changed):
        learner = trial.call(Learner, 4, long=True, seconds=60.0)
        trial.call(learner.learn, *some, shown=call, long=True)
        answers.append(answers_of(trial, learner.expert, batch[0], call))
    trial.require(not same(*answers, 1e-7), "It answers the same: each row of a batch must count.", call=call)


def check_learner(trial, Learner) -> None:
    planes, policies, outcomes = (part.copy() for part in lesson())  # a learner may write into them
    learner, twin, other = (trial.call(Learner, seed, long=True, seconds=60.0) for seed in (1, 1, 2))
    call = "Learner(1).expert(planes)"
    one, same_seed, another = (answers_of(trial, net.expert, planes, call) for net in (learner, twin, other))
    trial.require(
        same(one, answers_of(trial, learner.expert, planes, call), 1e-5),
        "Asked twice, the expert answers differently. Is dropout at work? `net.eval()` stops it, until `net.train()`.",
        call=call,
    )
    trial.require(same(one, same_seed, 1e-5), "Two learners of one seed must begin alike.", call=call)
    trial.require(not same(one, another, 1e-5), "Learners of different seeds must differ.", call=call)
    for rows in (1, 5):
        few = answers_of(trial, learner.expert, planes[:rows], call)
        whole = tuple(part[:rows] for part in one)
        trial.require(same(few, whole, 1e-3), "An answer must not depend on the other boards of a batch.", call=call)
    _one_step(trial, other, [part.astype(np.float32) for part in (planes, policies, outcomes)])
    _by_turns(trial, Learner, [planes, policies, outcomes])
    _all_rows(trial, Learner, [np.concatenate([part, part]) for part in (planes, policies, outcomes)])
    legal = planes[:, 2].reshape(-1, 25) == 1
    for _ in range(200):
        trial.call(
            learner.learn, planes, policies, outcomes, shown="learner.learn(planes, policies, outcomes)", long=True
        )
    log_priors, values = answers_of(trial, learner.expert, planes, call)
    shares = _shares(log_priors, legal)
    said = "200 calls of learner.learn with one batch of 64 examples, then learner.expert"
    far, off = abs(shares - policies).max(axis=1).mean(), abs(values - outcomes).mean()
    before = abs(_shares(one[0], legal) - policies).max(axis=1).mean()
    trial.require(
        far < 0.15,
        f"After 200 steps on the same 64 examples the policy (softmax over the empty points) should be theirs; it is "
        f"off by {far:.2f}. {_advice(log_priors, shares, policies, far, before)}",
        call=said,
    )
    trial.require(
        off < 0.2,
        f"After 200 steps on the same 64 examples the values should be their outcomes; they are off by {off:.2f}. "
        f"{_advice_on_values(trial, Learner, planes, policies, outcomes, values) if off >= 0.2 else ''}",
        call=said,
    )
    trial.require(
        same(answers_of(trial, twin.expert, planes, call), same_seed, 1e-6),
        "What one learner learns must not change another.",
        call=said,
    )

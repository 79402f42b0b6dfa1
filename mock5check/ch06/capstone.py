"""The check of the capstone of chapter 6: AlphaZero in parts and as a whole, on 5×5 with four in a row.

Each part that has one right answer is compared with ours, a net must learn a batch by heart, and only what passes all
of it is trained, until it beats 500 playouts with 64 simulations a move.
"""

from contextlib import contextmanager
from functools import cache

import numpy as np

from mock5check.answers import kind_problem, same
from mock5check.ch06.parts import PARTS as FUNCTIONS
from mock5check.ch06.ring import ring
from mock5check.core import graded
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes
from mock5lib.search.puct import immediate_wins

PARTS = {"Ring": ring, **FUNCTIONS}  # {name: its check}
SIMULATIONS, PLAYOUTS = 64, 500  # a move, in the match
ROUNDS, LOOK = 20, 5  # of training at most; between two looks
SEEN = 1 / 3  # of the wins in one, by the net alone, before a match is worth its time
PAIRS = 12  # of games, at most; with an untrained net the search wins one game in three, with ours eight of ten


@graded
def alphazero(trial, Ring, improved_policy, gumbel_root, search, self_play, Learner, alphazero) -> None:
    """Check the seven parts of AlphaZero, each by itself, and then what they learn together."""
    with one_thread():
        for name, mine in zip(PARTS, (Ring, improved_policy, gumbel_root, search, self_play), strict=True):
            trial.stage(name)
            PARTS[name].__wrapped__(trial, mine)  # the check as it is within another trial
        trial.stage("Learner")
        check_learner(trial, Learner)
        trial.stage(f"alphazero: up to {ROUNDS} rounds of training, and matches against {PLAYOUTS:,} playouts")
        counted = trial.cases
        check_loop(trial, alphazero, search)
        trial.cases = counted + 1  # how much was looked at until it won depends on the machine


@contextmanager
def one_thread():
    """Compiled code on one thread, from the start: where numba starts its own, torch takes as many, and a small net
    then needs twenty times as long."""
    import numba

    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(threads)


alphazero.parts = tuple(PARTS.values())


# Positions and answers ------------------------------------------------------------------------------------------------


def some_positions(rng, count: int, fits=lambda game: True) -> list:
    """Unfinished positions of 5×5 that fit."""
    found = []
    while len(found) < count:
        game = Mock5(5, 5, k=4)
        for _ in range(int(rng.integers(2, 14))):
            if game.winner is None:
                game.apply(int(rng.choice(game.legal_moves())))
        if game.winner is None and fits(game):
            found.append(game)
    return found


def answers_of(trial, expert, planes, call: str) -> tuple:
    """(policies over the empty points, values) by an expert of the learner's."""
    if not callable(expert):
        trial.fail("This should be an expert, a function of planes, such as `learner.expert`.", call=call)
    answer = trial.call(expert, planes, shown=call, long=True)
    problem = kind_problem(answer, (np.zeros((len(planes), 25)), np.zeros(len(planes))))
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call)
    legal, values = planes[:, 2].reshape(-1, 25) == 1, np.array(answer[1], float)
    fine = np.isfinite(answer[0][legal]).all() and np.isfinite(values).all() and abs(values).max() <= 1 + 1e-6
    text = "The log-priors of empty points must be finite, and the values between −1 and 1."
    trial.require(fine, text, call=call)
    trial.require(answer[0].min() < 0, "These are probabilities. Return their LOGARITHMS.", call=call)
    logits = np.where(legal, answer[0].astype(float), -np.inf)
    policies = np.exp(logits - logits.max(axis=1, keepdims=True))
    return policies / policies.sum(axis=1, keepdims=True), values


# A net ----------------------------------------------------------------------------------------------------------------


def lesson() -> tuple:
    """64 positions with policies and outcomes to be learned by heart: (planes, policies, outcomes)."""
    rng = np.random.default_rng(64)
    games, policies = some_positions(rng, 64), np.zeros((64, 25))
    for row, game in zip(policies, games):
        row[rng.choice(game.legal_moves(), size=2, replace=False)] = 0.75, 0.25
    return three_planes.encode(games), policies, rng.choice([-1.0, 1.0, 0.0], size=64)


def check_learner(trial, Learner) -> None:
    planes, policies, outcomes = lesson()
    learner, twin, other = (trial.call(Learner, seed, shown=f"Learner({seed})", long=True) for seed in (1, 1, 2))
    call = "learner.expert(planes)"
    before, alike, another = (answers_of(trial, some.expert, planes, call) for some in (learner, twin, other))
    text = "Two learners of one seed answer differently. Do the first weights come from it? Is dropout at work?"
    trial.require(same(before, alike, 1e-5), text, call=call)
    trial.require(
        not same(before, another, 1e-5), "Learners with different seeds answer alike. Is the seed used?", call=call
    )
    few = answers_of(trial, learner.expert, planes[:5], call)
    text = "The answer about a board depends on which other boards are in the batch."
    trial.require(same(few, tuple(part[:5] for part in before), 1e-3), text, call=call)
    for _ in range(200):
        trial.call(
            learner.learn, planes, policies, outcomes, shown="learner.learn(planes, policies, outcomes)", long=True
        )
    learned, values = answers_of(trial, learner.expert, planes, call)
    trial.require(
        same(answers_of(trial, twin.expert, planes, call), alike, 1e-6),
        "Another learner has learned as well. Do they share a net?",
    )
    said = "200 calls of learner.learn with one batch of 64 examples, then learner.expert"
    text = "Nothing changed. Does each call take a step of the optimizer, on the weights of the net that answers?"
    trial.require(not same(learned, before[0], 1e-6), text, call=said)
    far, first = (abs(some - policies).max(axis=1).mean() for some in (learned, before[0]))
    advice = (
        "The policy's loss is −Σ π · log p, averaged over the batch, with log p from a log_softmax. Is its sign right? "
        "Is the step size? Are the gradients cleared before each step?"
    )
    if learned[np.arange(64), policies.argmax(axis=1)].mean() > 0.9:
        advice = "Learn the WHOLE policy: its best move should get 0.75, not 1."
    text = f"The policies are off by {far:.2f} on average; before they were by {first:.2f}. {advice}"
    trial.require(far < 0.15, text, call=said)
    off, mean = abs(values - outcomes).mean(), outcomes.mean()
    advice = f"All are near {mean:.2f}, the mean of the outcomes: if (B, 1) meets (B,), each value meets EVERY outcome."
    if abs(values - mean).max() > 0.2:
        advice = (
            "The value's loss is (z − v)², averaged over the batch. Is it in the sum? Does its gradient reach the net?"
        )
    trial.require(off < 0.2, f"The values are off by {off:.2f} on average. {advice}", call=said)


# The loop -------------------------------------------------------------------------------------------------------------


@cache
def wins_in_one() -> tuple:
    """40 positions in which a move wins at once: (planes, [winning moves])."""
    games = some_positions(
        np.random.default_rng(40), 40, lambda game: len(game.legal_moves()) > 10 and immediate_wins(game, game.player)
    )
    return three_planes.encode(games), [immediate_wins(game, game.player) for game in games]


def check_loop(trial, alphazero, search) -> None:
    rounds = trial.call(alphazero, 1, shown="alphazero(1)", long=True)
    trial.require(
        hasattr(rounds, "__next__"), "alphazero should be a generator that yields an expert after each round."
    )
    planes, winning = wins_in_one()
    answers, scores = [], []
    for number in range(1, ROUNDS + 1):
        expert, call = _next(trial, rounds, number)
        answers.append(answers_of(trial, expert, planes, call)[0])
        if number == 1:
            again, _ = _next(trial, alphazero(1), 1)
            text = "A second alphazero(1) answers differently. Everything random should come from the seed."
            trial.require(same(answers_of(trial, again, planes, call)[0], answers[0], 1e-4), text, call=call)
        if number == 3:
            text = "The net still answers as it did after the first round. Does it learn?"
            trial.require(not same(answers[0], answers[2], 1e-6), text, call=call)
        if number % LOOK == 0:
            seen = np.mean([row.argmax() in moves for row, moves in zip(answers[-1], winning)])
            text = (
                f"The net alone plays a winning move in {seen:.0%} of 40 positions where a move wins at once. If "
                "boards are turned, are their policies, too? Is each new example learned from often enough?"
            )
            trial.require(seen >= SEEN or number < ROUNDS / 2, text, call=call)
            if seen >= SEEN and _beats_playouts(trial, search, expert, scores):
                return
    told = ", ".join(f"{points:g}–{lost:g}" for points, lost in scores)
    trial.fail(f"After {ROUNDS} rounds it still doesn't beat {PLAYOUTS:,} playouts. Its matches so far: {told}.")


def _next(trial, rounds, number: int) -> tuple:
    """(the next expert, the call as text)"""
    call = f"next(…) of alphazero(1), round {number}"
    try:
        return trial.call(lambda: next(rounds), shown=call, long=True, seconds=120, lets_through=StopIteration), call
    except StopIteration:
        trial.fail("The loop has ended. Let it run forever; the check stops it.", call=call)


def _beats_playouts(trial, search, expert, scores: list) -> bool:
    """Does it win a match against the playouts? Pairs of games are played until that is certain."""
    from mock5lib.arena import match
    from mock5lib.search.uct_compiled import FastUCT

    def player(game):
        shown = f"search(game, expert, {SIMULATIONS}, None), in the match"
        return int(trial.call(search, game, expert, SIMULATIONS, None, shown=shown, long=True)[0])

    points, lost = 0.0, 0.0
    for pair in range(PAIRS):
        result = match(player, FastUCT(PLAYOUTS, seed=pair), 2, game=Mock5(5, 5, k=4), openings=2, seed=pair)
        points, lost = points + 2 * result.score, lost + 2 * (1 - result.score)
        if max(points, lost) > PAIRS:
            break
    scores.append((points, lost))
    return points > PAIRS

"""The check of the capstone of chapter 6: AlphaZero in parts and as a whole, on 5×5 with four in a row.

Cheap stages first: the ring, the formulas, sequential halving, one search, one game, one net. Only what passes them all
is trained: until it beats 1,000 playouts with 64 simulations a move, or two minutes of computing are used up.
"""

import time
from contextlib import contextmanager
from functools import cache

import numpy as np

from mock5check.answers import same, show
from mock5check.ch06.endings import SIMULATIONS
from mock5check.ch06.formulas import (
    IMPROVED_SLIPS,
    ROOT_SLIPS,
    improved_cases,
    nearly_equal_cases,
    right_gumbel,
    right_improved,
    root_cases,
)
from mock5check.ch06.halving import Told
from mock5check.ch06.learner import answers_of, check_learner, some_position
from mock5check.ch06.parts import check_self_play, wins
from mock5check.ch06.ring import check_ring
from mock5check.ch06.searching import SIZE, check_search, move_in_match
from mock5check.core import CheckFailed, graded
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes

PLAYOUTS = 1000
TRAINING = 120.0  # seconds of computing
EARLY, SEEN = 40.0, 1 / 3  # by then the net alone must see so many of the wins in one; right ones had 0.50 to 0.68
LOOK = 4.0  # seconds of training between two looks
GLANCE, GOOD = 20, 0.62  # games of a first look, and the score from which a longer match is worth while
MATCH, BATCH = 120, 10  # games of that match at most; pairs between two verdicts
# Who scores 0.5 against the playouts passes with a chance of under 2 % in all thirty looks together
# (tests/test_capstone_odds.py counts it).
STRONGER = {"elo0": 0, "elo1": 100, "alpha": 0.01, "beta": 0.2}


@graded
def alphazero(trial, Ring, improved_policy, gumbel_root, search, self_play, Learner, alphazero) -> None:
    """Check the seven parts of AlphaZero, each by itself, and then what they learn together."""
    with one_thread():
        trial.stage("the ring")
        check_ring(trial, Ring)
        trial.stage("the improved policy")
        for cases, close in ((improved_cases(), 1e-9), (nearly_equal_cases(), 1e-6)):
            trial.compare(
                improved_policy,
                cases,
                right=right_improved,
                why=_why_improved,
                slips=IMPROVED_SLIPS,
                close=close,
                fresh=True,
            )
        trial.stage("sequential halving")
        told = Told()
        trial.compare(
            gumbel_root,
            root_cases(),
            right=right_gumbel,
            observe=told.observe,
            why=told.why,
            slips=ROOT_SLIPS,
            call=_root_call,
        )
        trial.stage("one search")
        check_search(trial, search)
        trial.stage("one game against itself")
        check_self_play(trial, self_play)
        trial.stage("one net")
        check_learner(trial, Learner)
        trial.stage("the loop: up to two minutes of training, then a match against 1,000 playouts")
        counted = trial.cases
        _loop(trial, alphazero, search)
        trial.cases = counted + 1  # how much was looked at until it won depends on the machine


# 2, 3. The formulas ----------------------------------------------------------------------------------------------


def _why_improved(log_priors, value, visits, q) -> str:
    tried = visits > 0
    if not tried.any():
        return "Nothing was tried: all completed q are equal, so the prior remains."
    priors = np.exp(log_priors)
    mean = (priors[tried] * q[tried]).sum() / priors[tried].sum()
    mixed = (value + visits.sum() * mean) / (1 + visits.sum())
    return (
        f"Moves without a visit are worth {mixed:.4g}, made of v = {value:.4g} and the tried moves' mean {mean:.4g}. "
        f"Then the completed q are rescaled to [0, 1], times (50 + {visits.max()}) · 0.1, and added to log p; softmax."
    )


def _root_call(log_priors, value, gumbels, truth, budget, considered) -> str:
    priors = f"exp(log_priors) is {show(np.exp(log_priors).round(3))}"
    if log_priors.min() < -20:
        priors = f"log_priors is {show(log_priors)}"
    shown = gumbels.round(3)
    shown = shown if len(set(shown)) == len(set(gumbels)) else gumbels
    return (
        f"gumbel_root(log_priors, {value:.3g}, gumbels, simulate, {budget}, {considered}), where\n"
        f"{priors} and gumbels is {show(shown)}"
    )


# 7. The loop -----------------------------------------------------------------------------------------------------


@cache
def wins_in_one() -> tuple:
    """40 positions in which a move wins at once: (planes, [winning moves])."""
    rng, found = np.random.default_rng(40), []
    while len(found) < 40:
        game = some_position(rng)
        winning = [move for move in game.legal_moves() if wins(game, move)]
        if winning and len(game.legal_moves()) > 10:
            found.append((game, winning))
    games, moves = zip(*found)
    return three_planes.encode(games), moves


def _loop(trial, alphazero, search) -> None:
    rounds = trial.call(alphazero, 1, shown="alphazero(1)", long=True)
    trial.require(hasattr(rounds, "__next__"), "alphazero is a generator: it yields an expert after each round.")
    planes, winning = wins_in_one()[0].copy(), wins_in_one()[1]
    used, looked, seen, scores = 0.0, 0.0, [], []
    while True:
        start, call = time.process_time(), f"next(…) of alphazero(1), round {len(seen) + 1}"
        try:
            expert = trial.call(
                lambda: next(rounds), shown=call, long=True, seconds=4 * TRAINING, lets_through=(StopIteration,)
            )
        except StopIteration:
            trial.fail("The loop has ended. Let it go on without end; the check stops it.", call=call)
        used += time.process_time() - start
        if not callable(expert):
            trial.fail(
                "alphazero yields an expert, a function of planes: `learner.expert`, not the learner.", call=call
            )
        log_priors, _ = answers_of(trial, expert, planes, call)
        seen.append(np.where(planes[:, 2].reshape(-1, 25) == 1, log_priors, -np.inf))
        if len(seen) == 1:
            _repeats_itself(trial, alphazero, planes, seen[0])
        if len(seen) == 3:
            still = same(np.exp(seen[0]), np.exp(seen[2]), 1e-6)
            trial.require(
                not still, "After three rounds the net still answers as after the first: does it learn?", call=call
            )
        if used - looked >= LOOK or used >= TRAINING:
            looked = used
            found = np.mean([row.argmax() in moves for row, moves in zip(seen[-1], winning)])
            if used > EARLY:
                trial.require(
                    found >= SEEN,
                    f"After {EARLY:g} seconds of computing the net alone plays a winning move in {found:.0%} of 40 "
                    "positions where a move wins at once. Is what the loop learns what its games teach: if boards are "
                    "turned, are the policies turned with them, and do the outcomes keep their signs? "
                    "Do its games differ?",
                    call=call,
                )
            if found >= SEEN and _beats(trial, search, expert, scores):  # before that no match is worth its time
                return
        if used >= TRAINING:
            told = ", ".join(f"{score:.2f}" for score in scores[-6:])
            trial.fail(
                f"After two minutes of computing it does not beat {PLAYOUTS:,} playouts. Its scores so far: {told}.",
                call=call,
            )


def _repeats_itself(trial, alphazero, planes, first) -> None:
    """A second program of the same seed must answer as the first after one round."""
    call, legal = "next(alphazero(1)), and again, with a second alphazero(1)", planes[:, 2].reshape(-1, 25) == 1
    expert = trial.call(lambda: next(alphazero(1)), shown=call, long=True, seconds=TRAINING)
    trial.require(
        same(answers_of(trial, expert, planes, call)[0][legal], first[legal], 1e-4),
        "Two programs of the same seed answer differently after one round: all that is left to chance, the net's first "
        "weights, the games, the samples and the symmetries, must come from the seed.",
        call=call,
    )


def _beats(trial, search, expert, scores: list) -> bool:
    """Does it beat the playouts? First twenty games for a look; if they go well, as many as a sequential test wants."""
    from mock5lib.arena import match
    from mock5lib.arena.sequential import SequentialTest
    from mock5lib.search.uct.compiled import FastUCT

    failed = []

    def player(game):
        try:
            return move_in_match(trial, search, game, expert, SIMULATIONS)
        except CheckFailed as problem:
            failed.append(problem)
            raise

    def played(games, seed, **options):
        start = Mock5(*SIZE[:2], k=SIZE[2])
        result = match(player, FastUCT(PLAYOUTS, seed=seed), games, game=start, openings=2, seed=seed, **options)
        if failed:
            raise failed[0]
        return result

    seed = 10 * len(scores)
    scores.append(played(GLANCE, seed).score)
    if scores[-1] < GOOD:
        return False
    result = played(MATCH, seed + 1, stop=SequentialTest(**STRONGER), batch=BATCH)
    scores.append(result.score)
    if result.verdict == "stronger":
        trial.require(True, "")
        return True
    return False


@contextmanager
def one_thread():
    """Compiled code on one thread: a small net would spend its time on waking others."""
    import numba

    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(threads)

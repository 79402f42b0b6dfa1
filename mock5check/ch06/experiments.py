"""The checks of the two experiments of chapter 6, whose outcome is told beforehand."""

from contextlib import contextmanager
from functools import cache

import numpy as np

from mock5check.core import graded

# 7. An experiment: the starved gradient --------------------------------------------------------------------------


def small_run(reuse: float):
    """The config of the experiment."""
    from mock5lib.alphazero import loop as az

    return az.preset(
        "tiny",
        height=5,
        width=5,
        games=24,
        simulations=8,
        fill=100,
        batch_size=32,
        replay_ratio=reuse,
        evaluate_every=0,
    )


ROUNDS = 6
GAP_SLIPS = [
    (lambda rows: rows[-1]["policy_loss"], "That is the loss itself. Subtract its floor, the target_entropy."),
    (lambda rows: -_gap(rows), "The sign: the loss lies above its floor."),
    (lambda rows: rows[-1]["value_loss"] - rows[-1]["target_entropy"], "Take the policy_loss, not the value_loss."),
    (lambda rows: _gap(rows[:1]) if rows[0]["policy_loss"] else None, "Take the LAST round's numbers, metrics[-1]."),
]


def _gap(rows: list) -> float:
    return rows[-1]["policy_loss"] - rows[-1]["target_entropy"]


@graded
def gap(trial, function) -> None:
    """Check `gap(reuse)`: after six rounds, how far the policy loss lies above its floor."""
    if not callable(function):
        trial.call(function)
    print("Compiling …", end=" ", flush=True)
    _compile()
    gaps = {}
    for reuse in (0.5, 8.0):
        print(f"training at reuse {reuse:g} …", end=" ", flush=True)
        gaps[reuse] = _one_gap(trial, function, reuse)
    print()
    trial.require(gaps[0.5] > gaps[8.0] + 0.3, "Expected outcome: the starved net stays much further above the floor.")


def _one_gap(trial, function, reuse: float) -> float:
    """The learner's answer, if it is the gap of the run that the text asks for."""
    answer, runs, call = *_watched_run(trial, function, reuse), f"gap({reuse:g})"
    asked = 'Run az.alphazero(small_run(reuse), iterations=6, device="cpu", log=None) once in each call'
    trial.require(len(runs) <= 1, f"{asked}; here it ran {len(runs)} times.", call=call)
    config, run = runs[0] if runs else _own_run(reuse)  # it may have been called by another name
    trial.require(config == small_run(reuse), f"{asked}, with the reuse that is given.", call=call)
    rows = [row for row in run.metrics]
    trial.require(len(rows) == ROUNDS, f"{asked}; here it ran {len(rows)} rounds.", call=call)
    trial.compare(
        lambda rows: answer,
        [(rows,)],
        right=_gap,
        slips=GAP_SLIPS,
        close=1e-6,
        call=lambda rows: call,
        why="Of the last of six rounds with this reuse: policy_loss less target_entropy.",
    )
    return answer


@contextmanager
def _one_thread():
    """Compiled code on one thread: so small a run would spend its time on waking others."""
    import numba

    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(threads)


@cache
def _compile() -> None:
    """One round of training, so that what is compiled at its first call is compiled before the clock starts."""
    from mock5lib.alphazero import loop as az

    az.alphazero(small_run(1.0), iterations=1, device="cpu", log=None)


@cache
def _own_run(reuse: float) -> tuple:
    """(config, run) of the training that the text asks for."""
    from mock5lib.alphazero import loop as az

    with _one_thread():
        return small_run(reuse), az.alphazero(small_run(reuse), iterations=ROUNDS, device="cpu", log=None)


def _watched_run(trial, function, reuse: float) -> tuple:
    """(what the function returns, [(config, run)] of the trainings that it ran)."""
    from mock5lib.alphazero import loop as az

    runs, train = [], az.alphazero

    def noted(config, *args, **kwargs):
        runs.append((config, train(config, *args, **kwargs)))
        return runs[-1][1]

    az.alphazero = noted
    try:
        with _one_thread():
            return trial.call(function, reuse, seconds=300.0), runs
    finally:
        az.alphazero = train


# 8. An experiment: the gate ---------------------------------------------------------------------------------------


def false_pass_of(games, gate, draws) -> float:
    """The right answer to `false_pass`."""
    chances = np.array([1.0])
    for _ in range(games):
        chances = np.convolve(chances, [(1 - draws) / 2, draws, (1 - draws) / 2])
    points = np.arange(2 * games + 1) / 2
    return float(chances[points > gate * games + 1e-9].sum())


def _no_margin(games, gate, draws):
    chances = np.array([1.0])
    for _ in range(games):
        chances = np.convolve(chances, [(1 - draws) / 2, draws, (1 - draws) / 2])
    return float(chances[np.arange(2 * games + 1) / 2 > gate * games].sum())


FALSE_SLIPS = [
    (lambda n, g, d: false_pass_of(n, g - 1e-6, d), "The gate must be EXCEEDED: a score just at it does not pass."),
    (lambda n, g, d: false_pass_of(n, g, 0.0), "Draws are not counted: each gives half a point."),
    (_no_margin, "0.58 · 50 is 28.999999999999996 to a computer: compare with a little room for rounding."),
    (lambda n, g, d: 1 - false_pass_of(n, g, d), "That is the chance NOT to pass."),
]


@graded
def false_pass(trial, function) -> None:
    """Check `false_pass(games, gate, draws)`: the chance that an equal net scores more than the gate."""
    cases = [(1, 0.5, 0.0), (2, 0.5, 0.0), (2, 0.5, 0.5), (1, 0.4, 1.0), (10, 0.5, 1.0), (10, 0.55, 0.5)]
    cases += [(20, 0.55, 0.5), (40, 0.55, 0.8), (100, 0.55, 0.2), (60, 0.5, 0.9), (50, 0.58, 0.2), (9, 0.5, 0.3)]

    def why(games, gate, draws):
        lost = (1 - draws) / 2
        return (
            f"A game gives 0, ½ or 1 point with chances {lost:g}, {draws:g}, {lost:g}; it passes with more than "
            f"{gate * games:g} points."
        )

    trial.compare(function, cases, right=false_pass_of, why=why, slips=FALSE_SLIPS, close=1e-7)

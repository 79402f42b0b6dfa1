"""What the checks lean on: a right judge of connect four, fair trees, an end to endless loops."""

import gc
import itertools
import statistics
import sys
import time

import numpy as np
import pytest

from mock5check import CheckFailed, ch00, ch01
from mock5check.answers import same
from mock5check.ch01.connect_four import GAMES, ConnectFour
from mock5check.ch01.grown import grown_tree, places
from mock5check.watch import EndlessLoop, bounded
from mock5lib.search.uct.tree import player_into


def test_the_judge_of_connect_four_agrees_with_openspiel():
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed here")
    rng = np.random.default_rng(0)
    for columns in [*GAMES, *[None] * 300]:
        theirs, ours = pyspiel.load_game("connect_four").new_initial_state(), ConnectFour()
        while not theirs.is_terminal() and (columns is None or len(ours.history) < len(columns)):
            assert theirs.legal_actions() == ours.legal_moves() and theirs.current_player() + 1 == ours.player
            column = int(columns[len(ours.history)] if columns else rng.choice(ours.legal_moves()))
            theirs.apply_action(column)
            ours.apply(column)
        assert theirs.is_terminal() == (ours.winner is not None)
        if theirs.is_terminal():
            assert theirs.returns()[0] == {0: 0, 1: 1, 2: -1}[ours.winner]


@pytest.mark.parametrize("slip", [*(slip for slip, _ in ch00.SCORE_SLIPS), lambda wins, draws, losses: None])
def test_the_check_of_chapter_0_catches_a_slip_and_names_its_cause(slip):
    with pytest.raises(CheckFailed, match="hint:|`return` missing"):
        ch00.score(slip)


def test_the_check_of_chapter_0_accepts_the_right_share(capsys):
    ch00.score(lambda wins, draws, losses: (wins + draws / 2) / (wins + draws + losses))
    assert "passed" in capsys.readouterr().out


def test_the_slips_are_told_apart_in_the_first_case_of_each_table():
    answers = [(slip(5, 4, 1), cause) for slip, cause in ch00.SCORE_SLIPS]
    for i, (answer, cause) in enumerate(answers):
        assert all(cause == other or not same(answer, theirs) for theirs, other in answers[:i]), cause


def test_an_endless_loop_is_stopped_and_tracing_is_off_again():
    def endless(number):
        while number:
            number += 1

    with pytest.raises(EndlessLoop, match="1,000 steps"):
        bounded(endless, steps=1000)(1)
    assert sys.gettrace() is None
    assert bounded(sum)([1, 2]) == 3 and bounded(None) is None


def test_an_endless_loop_is_stopped_by_the_clock_where_its_lines_are_slow_or_not_the_learners():
    def slow(number):
        while True:
            time.sleep(0.01)

    def in_a_library(number):
        return next(filter(None, map(statistics.fmean, itertools.repeat([0.0]))))

    for function in (slow, in_a_library):
        with pytest.raises(EndlessLoop, match="0.3 seconds"):
            bounded(function, seconds=0.3)(1)


@pytest.mark.parametrize("body", ["while number: number += 1", "while 1: number = [n for n in (1, 2)]"])
def test_an_endless_loop_on_one_line_is_stopped_too(body):
    made = {}
    exec(f"def on_one_line(number):\n    {body}", made)
    with pytest.raises(EndlessLoop):  # by its steps or by the clock, as fast as the machine is
        bounded(made["on_one_line"], seconds=0.3)(1)


@pytest.mark.parametrize("steps", range(1000, 1008))
def test_an_endless_loop_is_stopped_though_python_drops_what_a_callback_of_gc_raises(steps):
    def endless(number):
        while number:
            gc.collect(0)
            if (number := number + 1) > 10_000:
                return "never stopped"

    def callback(phase, info):
        return phase

    gc.callbacks.append(callback)
    try:
        with pytest.raises(EndlessLoop):
            bounded(endless, steps=steps)(1)
    finally:
        gc.callbacks.remove(callback)


@pytest.mark.parametrize("steps", range(1000, 1008))
def test_an_endless_loop_is_stopped_though_python_drops_what_a_closed_generator_raises(steps):
    """`any` closes its generator at the first true; what is raised in it at that moment is lost, and the tracer."""

    def endless(number):
        while number:
            any(n >= 0 for n in range(3))
            if (number := number + 1) > 10_000:
                return "never stopped"

    with pytest.raises(EndlessLoop):
        bounded(endless, steps=steps)(1)


def test_an_endless_loop_inside_a_generator_is_stopped_too():
    def turns(number):
        while True:
            number += 1
            if number < 0:
                yield number

    with pytest.raises(EndlessLoop):
        bounded(lambda: next(turns(1)), steps=1000)()


def test_an_endless_loop_that_catches_every_exception_is_stopped_too():
    def stubborn(number):
        while True:
            try:
                number += 1
            except Exception:
                pass

    with pytest.raises(EndlessLoop):
        bounded(stubborn, steps=1000)(1)


def test_a_long_but_finite_answer_is_not_stopped():
    def long(number):
        return sum(i for i in range(number))

    assert bounded(long, steps=10_000)(1000) == 499_500


def test_the_trees_that_the_checks_grow_obey_the_rules_of_uct():
    root, game = grown_tree([0, 4, 8], 80)
    assert game.history == [0, 4, 8] and root.visits == 80 == sum(child.visits for child in root.children)
    for moves, node in places(root).items():
        assert player_into(node) == (1 if len(moves) % 2 == 0 else 2)
        assert 0 <= node.wins <= node.visits


def test_a_game_is_not_handed_in_as_an_object(capsys):
    with pytest.raises(CheckFailed, match="itself"):
        ch01.connect_four(ConnectFour())

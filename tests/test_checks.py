"""What checks lean on: fair trees, an end to endless loops, what the package says; and some of what they say."""

import gc
import itertools
import re
import statistics
import sys
import time

import numpy as np
import pytest

from mock5check import CheckFailed, ch00, ch01, ch07, ch09
from mock5check.ch01.connect_four import ConnectFour
from mock5check.ch01.grown import grown_tree, places
from mock5check.ch09 import blanks
from mock5check.spec import edited
from mock5check.watch import EndlessLoop, bounded, within
from mock5go import ladders, ladders_compiled
from mock5go.board import Go
from mock5go.planes import planes48
from mock5lib import Mock5
from mock5lib.search.uct import player_into


def test_the_check_of_chapter_0_knows_each_of_its_slips_and_accepts_the_right_share(capsys):
    ch00.score(lambda wins, draws, losses: (wins + draws / 2) / (wins + draws + losses))
    assert "passed" in capsys.readouterr().out
    for old, new, cause in ch00.score.slips:
        with pytest.raises(CheckFailed, match=f"hint: +{re.escape(cause)}"):
            ch00.score(*edited(ch00.score.source, old, new, ch00.score.solution))


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


def test_no_callback_of_gc_can_drop_the_end_of_an_endless_loop_at_full_speed():
    called = []

    def endless():
        while not called:
            gc.collect(0)
        return "a callback ran, and would have dropped it"

    def callback(phase, info):
        called.append(phase)

    gc.callbacks.append(callback)
    try:
        with pytest.raises(EndlessLoop):
            within(endless, 0.05)()
        gc.collect(0)
        assert called, "they are back"
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


def test_a_loop_that_tries_until_it_works_and_catches_everything_is_stopped_too():
    def retry(move):
        while True:
            try:
                return Mock5(3, 3, k=3).apply(move)
            except:  # noqa: E722
                continue

    with pytest.raises(EndlessLoop, match="1,000 steps"):
        bounded(retry, steps=1000)(99)
    with pytest.raises(EndlessLoop, match="0.1 seconds"):
        within(retry, 0.1)(99)


def test_nothing_comes_after_an_endless_loop_though_it_takes_long_to_leave_it():
    def endless():
        return [[] for _ in range(1_000_000)], spin()

    def spin():
        while True:
            pass

    with pytest.raises(EndlessLoop, match="0.5 seconds") as caught:  # its traceback holds all frames
        within(endless, 0.5)()
    end = time.perf_counter() + 0.3
    while time.perf_counter() < end:
        pass
    assert caught.value.args == ("0.5 seconds",)


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


def cases_of(check):
    return check.cases(np.random.default_rng(0))


def test_what_chapter_9_declares_says_what_the_package_says():
    for board, size, komi in cases_of(ch09.lead):
        assert ch09.lead.solution(board, size, komi) == Go(size, komi, board=board).lead()
    for board, size, point in cases_of(blanks.group_of):
        game = Go(size, board=board)
        assert blanks.group_of.solution(board, size, point) == (game.group(point), game.liberties(point))
    for (game,) in cases_of(ch09.playout_moves):
        assert sorted(ch09.playout_moves.solution(game)) == sorted(game.playout_moves())
    for (game,) in cases_of(ch09.liberties_after):
        assert (ch09.liberties_after.solution(game) == planes48.encode([game])[0, 36:44]).all()
    for game, prey in cases_of(blanks.can_be_saved):
        assert blanks.can_be_saved.solution(game, prey) == ladders.can_be_saved(game, prey, [ladders_compiled.MOST])


def test_what_came_back_and_what_a_line_led_to_is_said_in_words():
    with pytest.raises(CheckFailed, match=r"returned: ''\n(.*\n)*.*expected: None"):
        ch07.verdict(lambda pairs, *rest: "")
    with pytest.raises(CheckFailed, match="returned: a ValueError, raised\n(.*\n)*.*expected: None"):
        ch07.read_move(lambda line, *sides: int("x"))

"""What exercises are made with: the gate, the learner's notebook, and how a check speaks. test_gate.py judges each."""

from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from mock5check import CheckFailed, Trial
from mock5check.answers import Changes, describe_call, same
from mock5check.core import graded
from mock5lib import Mock5
from tools import exercises as tool
from tools.gate import blanked, changed, exercises_of, form_problems, judge, start_of, why_not_rejected

ROOT = Path(__file__).resolve().parent.parent
MASTERS = sorted((ROOT / "solutions").glob("*.ipynb"))


def test_exercises_are_what_the_masters_give():
    differing = [path.name for path in tool.drift()]
    assert not differing, f"run `make exercises`: {differing}"


# --- the gate itself, on a small notebook of its own ---

TITLE = """## Exercise 1: half of it
Difficulty: ●○○ · 10 minutes
<details><summary>Hint 1: a nudge</summary>What is half of 3?</details>
<details><summary>Hint 2: the idea</summary>Divide.</details>
<details><summary>Hint 3: nearly the code</summary>`return x / …`</details>"""

SOLUTION = """def half(x):
    # BEGIN SOLUTION
    return x / 2
    # END SOLUTION"""

CHECK = """from mock5check import Trial

class check:
    @staticmethod
    def half(function):
        trial = Trial("half")
        trial.compare(function, [(0,), (1,), (-3,)], right=lambda x: x / 2, why="Half of it.")
        trial.passed()"""


def small_master(check_source=CHECK, title=TITLE):
    return new_notebook(
        cells=[
            new_markdown_cell("# Exercises\nTime budget: 10 minutes"),
            new_code_cell(check_source),
            new_markdown_cell(title, metadata={"tags": ["exercise"]}),
            new_code_cell(SOLUTION, metadata={"tags": ["solution"]}, execution_count=1),
            new_markdown_cell("Because two halves make one.", metadata={"tags": ["solution-note"]}),
            new_code_cell("check.half(half)", metadata={"tags": ["check"]}, execution_count=2),
        ]
    )


def refused(change, check_source=CHECK) -> str | None:
    """What the gate says of one wrong solution of the small notebook."""
    (exercise,) = exercises_of(small_master(check_source))
    cells = blanked(exercise) if change is None else changed(exercise, change)
    return why_not_rejected(exercise, start_of([exercise], "half"), cells)


@pytest.mark.parametrize(
    "change",
    [None, ("x / 2", "x * 2"), ("x / 2", "str(x / 2)"), "def half(x): return x / 0", ("return x / 2", "x / 2")],
)
def test_a_sound_check_rejects_the_blank_and_wrong_solutions(change):
    assert refused(change) is None


@pytest.mark.parametrize("change", [("x / 2", "x * 0.5"), "def half(x):\n    y = x / 4\n    return y + y"])
def test_the_gate_catches_a_wrong_solution_that_is_right(change):
    assert refused(change) == "it is accepted"


def test_the_gate_catches_a_check_that_accepts_everything():
    assert refused(None, "class check:\n    half = staticmethod(lambda function: None)") == "it is accepted"


def test_the_gate_catches_a_check_that_crashes_instead_of_explaining():
    crashing = "class check:\n    half = staticmethod(lambda function: 1 / (function(2) == 1))"
    assert "not rejected with an explanation" in refused(("x / 2", "x * 2"), crashing)


def test_the_gate_catches_a_check_that_rejects_a_right_solution():
    (exercise,) = exercises_of(small_master(CHECK.replace("x: x / 2", "x: x")))
    namespace = start_of([exercise], "half")
    assert "half" in str(judge(exercise, namespace, changed(exercise, ("x / 2", "x * 0.5"))))


def test_a_change_of_text_that_is_gone_from_the_solution_is_an_error():
    with pytest.raises(ValueError, match="occurs 0 times"):
        refused(("x / 3", "x"))


def test_an_exercise_wants_difficulty_minutes_and_three_folded_hints():
    (exercise,) = exercises_of(small_master(title="## Exercise 1: half of it"))
    assert len(form_problems(exercise)) == 2


# --- how a learner's notebook is made ---


def test_a_blank_keeps_the_indentation_and_what_stands_around_it():
    assert tool.blank(SOLUTION + "\n\nprint(1)") == (
        'def half(x):\n    raise NotImplementedError("your code here")\n\nprint(1)'
    )


def test_helpers_of_a_solution_leave_room_for_the_learners_own():
    helper = "# BEGIN SOLUTION\ndef twice(x):\n    return 2 * x\n# END SOLUTION\n\n"
    assert tool.blank(helper + SOLUTION).splitlines()[0] == tool.ROOM
    assert "twice" not in tool.blank(helper + SOLUTION)


UNPAIRED = ["x = 1", "# BEGIN SOLUTION\nx = 1", "# END SOLUTION", SOLUTION + "\n# END SOLUTION"]


@pytest.mark.parametrize("source", UNPAIRED)
def test_marks_that_do_not_pair_are_an_error(source):
    with pytest.raises(ValueError, match="SOLUTION"):
        tool.blank(source)


def test_the_learners_notebook_has_no_solution_no_note_and_no_outputs():
    exercise = tool.make_exercise(small_master(), "", "exercises/ex00.ipynb")
    text = nbformat.writes(exercise)
    assert "x / 2" not in text.replace("x: x / 2", "") and "Because" not in text and "your code here" in text
    assert all(cell.execution_count is None and not cell.outputs for cell in exercise.cells if cell.cell_type == "code")


def test_drift_sees_an_edited_a_missing_and_an_orphaned_exercise(tmp_path):
    (tmp_path / "course.toml").write_text('repository = ""')
    (tmp_path / "solutions").mkdir()
    (tmp_path / "exercises").mkdir()
    nbformat.write(small_master(), tmp_path / "solutions" / "ex00.ipynb")
    target = tmp_path / "exercises" / "ex00.ipynb"
    assert tool.drift(tmp_path) == [target]
    target.write_text(tool.exercise_texts(tmp_path)[target], encoding="utf-8")
    assert tool.drift(tmp_path) == []
    target.write_text(target.read_text("utf-8").replace("Divide", "Multiply"), encoding="utf-8")
    assert tool.drift(tmp_path) == [target]
    target.unlink()
    (tmp_path / "exercises" / "ex99.ipynb").write_text("{}")
    assert tool.drift(tmp_path) == [target, tmp_path / "exercises" / "ex99.ipynb"]


# --- how a check speaks ---


def checked(function, cases=((3,), (0,), (-1,)), right=lambda x: x / 2, why="Half of it.", **options):
    """The verdict of a check that compares `function` with `right`, as text."""
    trial = Trial("half")
    try:
        trial.compare(function, cases, right=right, why=why, **options)
        trial.passed()
    except CheckFailed as failed:
        return str(failed)
    return "passed"


def test_a_check_explains_what_was_called_what_came_back_what_is_right_and_why():
    def half(x):
        return x * 2

    said = checked(half, slips=[(lambda x: x * 2, "You doubled it.")])
    for piece in ("check.half", "half(3)", "6", "1.5", "Half of it.", "You doubled it."):
        assert piece in said


def test_a_hint_is_given_only_where_one_slip_alone_answers_every_case_alike():
    doubles, slips = lambda x: x * 2, [(lambda x: x * 2, "doubled"), (lambda x: x + 3, "three added")]
    assert "doubled" in checked(doubles, slips=slips)
    assert "hint" not in checked(lambda x: x + x if x > 0 else 7, slips=slips)
    assert "hint" not in checked(doubles, slips=[*slips, (lambda x: x + x, "added to itself")])
    assert "hint" not in checked(doubles, cases=[(3,)], slips=slips)


def test_what_a_call_leaves_to_the_next_is_named_and_no_slip_that_it_then_looks_like():
    kept = []

    def largest_so_far(x):
        kept.append(x)
        return max(kept)

    slips = [(lambda x: 9, "always 9")]
    said = checked(largest_so_far, cases=[(3,), (9,), (1,)], right=lambda x: x, slips=slips)
    assert "What does one call leave behind for the next" in said and "always 9" not in said


def test_a_check_that_passes_says_so_in_one_line(capsys):
    assert checked(lambda x: x / 2) == "passed"
    assert capsys.readouterr().out == "check.half: passed, 3 cases.\n"


@pytest.mark.parametrize("not_a_function", [3, None, "half"])
def test_a_check_given_no_function_says_so(not_a_function):
    assert "function itself" in checked(not_a_function)


def test_a_blank_is_told_apart_from_an_error_and_named_where_the_answer_calls_it():
    def unwritten(x):
        raise NotImplementedError("your code here")

    def half(x):
        return unwritten(x) / 2

    assert "It is still blank" in checked(unwritten) and "ZeroDivisionError" in checked(lambda x: x / 0)
    assert "`unwritten`, which `half` calls, is still blank" in checked(half)


def test_a_crash_is_shown_with_the_learners_own_line():
    def outer(x):
        return inner(x)

    def inner(x):
        return np.add(x, [1, 2, 3])[7]

    said = checked(outer)
    assert "return np.add(x, [1, 2, 3])[7]" in said and "An index is out of range" in said and "Traceback" not in said


def test_long_work_runs_at_full_speed_and_is_stopped_all_the_same():
    trial = Trial("half")
    assert trial.call(lambda x: sum(range(x)), 3_000_000, long=True) == sum(range(3_000_000))

    def endless(x):
        while True:
            x = -x

    with pytest.raises(CheckFailed, match="stopped after 0.2 seconds"):
        trial.call(endless, 1, long=True, seconds=0.2)
    assert "stopped after 0.2 seconds" in checked(endless, long=0.2)


def test_a_check_of_several_stages_numbers_them(capsys):
    trial = Trial("half")
    trial.stage("the contract")
    trial.stage("the strength")
    assert capsys.readouterr().out == "  1. the contract\n  2. the strength\n"


def test_an_argument_that_was_changed_is_named():
    def sorts(numbers, other):
        numbers.sort()
        return 0.0

    def deep(numbers, other):
        other[0]["board"][1] += 1
        return 0.0

    case = [([3, 1], [{"board": np.zeros(3)}])]
    assert "`numbers`" in checked(sorts, case, right=lambda *args: 0.0)
    assert "`other`" in checked(deep, case, right=lambda *args: 0.0)


def test_an_answer_that_a_later_call_changes_is_refused_and_the_buffer_named():
    buffer = np.zeros(1)

    def shares(x):
        buffer[0] = x / 2
        return buffer

    assert "all calls return `buffer`" in checked(shares, right=lambda x: np.array([x / 2]))


@pytest.mark.parametrize(
    "answer, right, said",
    [
        ("1.5", 1.5, "the text '1.5'"),
        (np.array([1.5]), 1.5, "a single number"),
        (True, 1.0, "is True"),
        (2.0, 2, "whole number"),
        ([1.0, 2.0], np.array([1.0, 2.0]), "NumPy array of shape (2,)"),
        (1.0, np.array([1.0]), "NumPy array of shape (1,)"),
        (np.array(["1", "2"]), np.array([1.0, 2.0]), "should hold numbers; yours holds <U1"),
        (np.zeros((2, 1)), np.zeros(2), "should have shape (2,); yours has shape (2, 1)"),
        ((x for x in (1, 2)), (1.0, 2.0), "a pair"),
        ({0: 1, 1: 2}, (1.0, 2.0), "a pair"),
        ([1.0], [1.0, 2.0], "should have 2 elements; yours has 1"),
        (None, 1.0, "`return` missing"),
    ],
)
def test_an_answer_of_another_kind_is_refused_with_a_sentence(answer, right, said):
    assert said in checked(lambda x: answer, cases=[(3,)], right=lambda x: right)


def test_of_what_was_observed_only_what_differs_is_told_and_numbers_are_rounded():
    def observe(solution, x):
        return Changes({"visits of the root": 1, "wins of the root": solution(x) / 3} if solution(x) else {})

    said = checked(lambda x: 2 * x, right=lambda x: x, cases=[(1,)], observe=observe)
    assert "differs:  wins of the root: 0.666667; should be 0.333333\n" in said and "visits" not in said
    said = checked(lambda x: 0, right=lambda x: x, cases=[(1,)], observe=observe)
    assert "visits of the root: unchanged; should be 1" in said and "returned" not in said


def test_parts_of_an_answer_are_named_as_one_would_name_them():
    said = checked(lambda x: (1, (2, [3])), right=lambda x: (1, (2, [3, 4])), cases=[(3,)])
    assert "The second result of the second result should have 2 elements; yours has 1." in said
    said = checked(lambda x: ["a", "c"], right=lambda x: ["a", ["b"] * 40], cases=[(3,)])
    assert "Entry 1 should be a list; yours is the text 'c'." in said
    assert "entry [1] is 7, should be 2" in checked(lambda x: [1, 7] * 20, right=lambda x: [1, 2] * 20, cases=[(3,)])


def test_nan_is_explained_where_no_slip_is_known():
    said = checked(lambda x: np.array([np.nan, 1.0]), right=lambda x: np.ones(2), cases=[(3,)])
    assert "NaN means 0/0" in said


def test_a_crash_has_a_hint_where_one_slip_alone_crashes_and_answers_as_it_does():
    slips = [(lambda x: 1 / x, "0 has no inverse"), (lambda x: None.half, "an attribute of None")]
    said = checked(lambda x: x**-1, cases=[(1,), (0,)], right=lambda x: 1 / x if x else 0, slips=slips)
    assert "ZeroDivisionError" in said and "hint:     0 has no inverse" in said
    said = checked(lambda x: [].half, slips=slips)  # it always crashes, for another reason
    assert "an attribute of None" not in said


def test_the_last_cases_are_tried_once_more():
    calls = []

    def tires(x):
        calls.append(x)
        return x / 2 if len(calls) <= 3 else 0.0

    assert "This was right the first time, and now it isn't" in checked(tires, cases=[(1,), (2,), (3,)])


@pytest.mark.parametrize("size", [2, 81])
def test_two_numbers_that_print_alike_are_shown_with_more_digits(size):
    right = np.full(size, 0.1)
    said = checked(lambda x: right + 1e-8, right=lambda x: right, cases=[(3,)])
    assert "0.10000001" in said and "0.1" in said.replace("0.10000001", "")


def test_a_long_answer_is_shown_where_it_first_differs():
    right = np.zeros((9, 9))
    answer = right.copy()
    answer[3, 4] = 0.25
    said = checked(lambda x: answer, cases=[(3,)], right=lambda x: right)
    assert "entry [3, 4] is 0.25, should be 0; 1 of 81 entries differs" in said and len(said.splitlines()) < 8
    assert "float32" not in checked(lambda x: answer, cases=[(3,)], right=lambda x: right.astype(np.float32))


def test_a_check_that_can_not_read_an_answer_says_so_instead_of_crashing():
    @graded
    def half(trial, function):
        raise RuntimeError("tensors of two sizes")

    with pytest.raises(CheckFailed, match="couldn't make sense"):
        half(lambda x: x)


@pytest.mark.parametrize(
    "answer, right, equal",
    [
        (1, 1.0, True),
        (True, 1, False),
        (1, True, False),
        (None, 0, False),
        (None, None, True),
        ([1, 2], (1, 2.0), True),
        ([1, 2], (2, 1), False),
        ("12", [1, 2], False),
        ("1", 1, False),
        (1.0000001, 1, False),
        (float("nan"), 1, False),
        ([1], 1, False),
        ("a", "a", True),
        ({1: 2}, {1: 2}, True),
        ((np.zeros((2, 3)), 1), (np.zeros((2, 3)), 1), True),
    ],
)
def test_sameness_is_by_value_and_not_by_type(answer, right, equal):
    assert same(answer, right) is equal


def test_a_game_among_the_arguments_is_shown_as_its_board():
    text = describe_call(len, (Mock5(3, 3, k=3), 1.4))
    assert text.startswith("len(game, 1.4)\nwhere game is\n") and str(Mock5(3, 3, k=3)) in text


def test_a_notebook_shows_the_explanation_without_a_traceback():
    assert CheckFailed("one\ntwo")._render_traceback_() == ["one", "two"]

"""Every exercise: its solution passes its check, its blank and each of its mutants do not, and it drifts nowhere."""

import importlib.util
import runpy
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from mock5check import CheckFailed, Trial
from tools import exercises as tool
from tools.gate import exercises_of, gate

ROOT = Path(__file__).resolve().parent.parent
MASTERS = sorted((ROOT / "solutions").glob("*.ipynb"))


def mutants_of(master: Path) -> dict:
    """MUTANTS of tests/mutants/chNN.py for solutions/exNN_*.ipynb; {} without such a file."""
    path = ROOT / "tests" / "mutants" / f"ch{master.name[2:4]}.py"
    return runpy.run_path(str(path))["MUTANTS"] if path.exists() else {}


@cache
def read_exercises(master: Path) -> tuple:
    return tuple(exercises_of(nbformat.read(master, as_version=4)))


@cache
def verdicts(master: Path) -> dict:
    return gate(list(read_exercises(master)), mutants_of(master))


CASES = [(master, exercise.title) for master in MASTERS for exercise in read_exercises(master)]


@pytest.mark.parametrize("master, title", CASES, ids=[f"{m.stem}: {t}" for m, t in CASES])
def test_the_solution_passes_and_the_blank_and_every_mutant_are_rejected(master, title):
    found = verdicts(master)[title]
    assert not found, f"{title}:\n" + "\n".join(found)


@pytest.mark.parametrize("master", MASTERS, ids=lambda path: path.stem)
def test_every_mutant_belongs_to_an_exercise(master):
    names = {exercise.check_name for exercise in read_exercises(master)}
    assert set(mutants_of(master)) <= names


@pytest.mark.parametrize("master", MASTERS, ids=lambda path: path.stem)
def test_titles_within_a_notebook_differ(master):
    titles = [exercise.title for exercise in read_exercises(master)]
    assert titles and len(set(titles)) == len(titles)


def test_exercises_are_what_the_masters_give():
    differing = [path.name for path in tool.drift()]
    assert not differing, f"run `make exercises`: {differing}"


# --- the gate itself, on a small notebook of its own ---

TITLE = """## Exercise 1: half of it
Difficulty: ●○○ · 10 minutes
<details><summary>Hint</summary>Divide.</details>"""

SOLUTION = """def half(x):
    # BEGIN SOLUTION
    return x / 2
    # END SOLUTION"""

CHECK = """from mock5check import Trial

class check:
    @staticmethod
    def half(function):
        trial = Trial("half")
        for x in (0, 1, -3):
            trial.expect(function, x, right=x / 2, why="Half of it.")
        trial.passed()"""

MUTANTS = {
    "doubles": ("x / 2", "x * 2"),
    "rounds": ("x / 2", "x // 2"),
    "no-op": "def half(x): return x",
    "crashes": "def half(x): return x / 0",
}


def small_master(check_source=CHECK, solution=SOLUTION, title=TITLE):
    return new_notebook(
        cells=[
            new_markdown_cell("# Exercises\nTime budget: 10 minutes"),
            new_code_cell(check_source),
            new_markdown_cell(title, metadata={"tags": ["exercise"]}),
            new_code_cell(solution, metadata={"tags": ["solution"]}, execution_count=1),
            new_markdown_cell("Because two halves make one.", metadata={"tags": ["solution-note"]}),
            new_code_cell("check.half(half)", metadata={"tags": ["check"]}, execution_count=2),
        ]
    )


def small_gate(mutants=MUTANTS, **parts):
    (found,) = gate(exercises_of(small_master(**parts)), {"half": mutants}).values()
    return found


def test_the_gate_accepts_a_sound_exercise():
    assert small_gate() == []


def test_the_gate_catches_a_check_that_accepts_everything():
    found = small_gate(check_source="class check:\n    half = staticmethod(lambda function: None)")
    assert "the blank is accepted" in found
    assert sum("is accepted" in problem for problem in found) == 5


def test_the_gate_catches_a_check_that_rejects_the_solution():
    assert any("solution is rejected" in p for p in small_gate(check_source=CHECK.replace("right=x / 2", "right=x")))


def test_the_gate_catches_a_check_that_crashes_instead_of_explaining():
    found = small_gate(check_source="class check:\n    half = staticmethod(lambda function: 1 / (function(2) == 1))")
    assert any("'doubles' is not rejected with an explanation" in problem for problem in found)


def test_the_gate_wants_four_mutants():
    assert small_gate(mutants=dict(list(MUTANTS.items())[:3])) == ["it has 3 mutants, fewer than 4"]


def test_the_gate_catches_a_mutant_that_is_right():
    assert small_gate(mutants=MUTANTS | {"fine": "def half(x): return x / 2"}) == ["the mutant 'fine' is accepted"]


def test_the_gate_catches_a_mutant_whose_text_is_gone_from_the_solution():
    assert "occurs 0 times" in small_gate(mutants=MUTANTS | {"old": ("x / 3", "x")})[0]


def test_the_gate_wants_difficulty_minutes_and_a_folded_hint():
    assert len(small_gate(title="## Exercise 1: half of it")) == 2


def test_a_blank_keeps_the_indentation_and_what_stands_around_it():
    assert tool.blank(SOLUTION + "\n\nprint(1)") == (
        'def half(x):\n    raise NotImplementedError("your code here")\n\nprint(1)'
    )


UNPAIRED = ["x = 1", "# BEGIN SOLUTION\nx = 1", "# END SOLUTION", SOLUTION + "\n# END SOLUTION"]


@pytest.mark.parametrize("source", UNPAIRED)
def test_marks_that_do_not_pair_are_an_error(source):
    with pytest.raises(ValueError, match="SOLUTION"):
        tool.blank(source)


def test_the_learners_notebook_has_no_solution_no_note_and_no_outputs():
    exercise = tool.make_exercise(small_master(), "", "exercises/ex00.ipynb")
    text = nbformat.writes(exercise)
    assert "x / 2" not in text.replace("right=x / 2", "") and "Because" not in text and "your code here" in text
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


def test_a_check_explains_what_was_called_what_came_back_what_is_right_and_why():
    def half(x):
        return x * 2

    with pytest.raises(CheckFailed) as failed:
        Trial("half").expect(half, 3, right=1.5, why="Half of three.", likely={6: "You doubled it."})
    for piece in ("check.half", "half(3)", "6", "1.5", "Half of three.", "You doubled it."):
        assert piece in str(failed.value)


def test_a_check_that_passes_says_so_in_one_line(capsys):
    trial = Trial("half")
    trial.expect(lambda x: x / 2, 3, right=1.5, why="")
    trial.passed()
    assert capsys.readouterr().out == "check.half: passed, 1 case.\n"


@pytest.mark.parametrize("not_a_function, piece", [(3, "function itself"), (None, "function itself")])
def test_a_check_given_no_function_says_so(not_a_function, piece):
    with pytest.raises(CheckFailed, match=piece):
        Trial("half").expect(not_a_function, 3, right=1.5, why="")


def test_a_blank_is_told_apart_from_an_error():
    def unwritten(x):
        raise NotImplementedError("your code here")

    with pytest.raises(CheckFailed, match="still blank"):
        Trial("half").call(unwritten, 3)
    with pytest.raises(CheckFailed, match="ZeroDivisionError"):
        Trial("half").call(lambda x: x / 0, 3)


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
        (1.0000001, 1, False),
        (float("nan"), 1, False),
        ([1], 1, False),
        ("a", "a", True),
        ({1: 2}, {1: 2}, True),
    ],
)
def test_sameness_is_by_value_and_not_by_type(answer, right, equal):
    from mock5check.core import same

    assert same(answer, right) is equal


def test_a_game_among_the_arguments_is_shown_as_its_board():
    from mock5check.core import describe_call
    from mock5lib import Mock5

    text = describe_call(len, (Mock5(3, 3, k=3),), {"c": 1.4})
    assert text.startswith("len(game, c=1.4)\nwhere game is\n") and str(Mock5(3, 3, k=3)) in text


def test_a_notebook_shows_the_explanation_without_a_traceback():
    assert CheckFailed("one\ntwo")._render_traceback_() == ["one", "two"]


@pytest.mark.parametrize("chapter", sorted({master.name[2:4] for master in MASTERS}))
def test_every_chapter_with_exercises_has_a_check_module(chapter):
    assert importlib.util.find_spec(f"mock5check.ch{chapter}")

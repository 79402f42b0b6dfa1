"""Blanks in chapters: whatever is typed into them, the chapter goes on; what is right is what it goes on with."""

import runpy
from pathlib import Path

import nbformat
import pytest

from mock5check.ch01 import blanks
from mock5check.your_turn import turns_of
from tools.notebooks import execute

ROOT = Path(__file__).resolve().parent.parent
TYPED = sorted(path.parent.name for path in (ROOT / "mock5check").glob("ch*/blanks.py"))

BLANK = "raise NotImplementedError('your code here')"
WRONG = "return w / v"
RIGHT = "return w / v + c * math.sqrt(math.log(parent_visits) / v)"


def typed(body: str) -> tuple:
    """The names of a notebook in which this body of `uct_value` was typed, and what its cell says."""
    said = []
    names = {"your_turn": turns_of(blanks, said.append)}
    exec("import math\nSQRT2 = 2**0.5", names)
    exec(f"@your_turn\ndef uct_value(w, v, parent_visits, c=SQRT2):\n    {body}", names)
    (verdict,) = said
    return names, verdict


@pytest.mark.parametrize(
    "body, said",
    [
        (BLANK, "`uct_value` is still blank: the chapter goes on with ours."),
        (WRONG, "`uct_value` is not right yet: the chapter goes on with ours."),
        (RIGHT, "`uct_value`: yours, from here on."),
    ],
)
def test_the_chapter_goes_on_whatever_is_typed(body, said):
    names, verdict = typed(body)
    assert said in repr(verdict)
    assert names["uct_value"](6, 10, 15) == pytest.approx(1.3359, abs=1e-4)


def test_a_blank_may_call_itself():
    _, verdict = typed(
        "return w / v + uct_value(0, v, parent_visits, c) if w else c * math.sqrt(math.log(parent_visits) / v)"
    )
    assert "yours, from here on" in repr(verdict)


def test_ours_stands_in_a_fold_and_uses_the_notebooks_own_names():
    names, verdict = typed(BLANK)
    assert "<summary>Ours</summary>" in verdict._repr_html_() and "math.log(parent_visits)" in verdict._repr_html_()
    assert names["uct_value"].__globals__ is names
    assert "differs" not in repr(verdict) and "check.uct_value: not yet" in repr(typed(WRONG)[1])


def test_a_blank_under_another_name_is_a_sentence():
    with pytest.raises(NameError, match="no blank named uct"):

        @turns_of(blanks)
        def uct():
            pass


@pytest.mark.slow
@pytest.mark.parametrize("chapter", TYPED)
def test_a_chapter_runs_to_its_end_on_unusual_right_solutions(chapter):
    """What is drawn is drawn in another order, so outputs differ; but every assert of the chapter holds."""
    (path,) = (ROOT / "chapters").glob(f"{chapter}_*.ipynb")
    rights = runpy.run_path(str(ROOT / f"tests/rights/{chapter}.py"))["BLANKS"]
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.source.startswith("@your_turn"):
            name = cell.source.partition("def ")[2].partition("(")[0]
            cell.source = "@your_turn\n" + list(rights[name].values())[-1]
    execute(notebook, path.parent, seconds=3600)  # as long as the others' cells may take: the machine may be busy
    said = [str(cell.outputs) for cell in notebook.cells if cell.source.startswith("@your_turn")]
    assert said and all("yours, from here on" in text for text in said)

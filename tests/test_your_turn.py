"""Blanks in chapters: whatever is typed into them, the chapter goes on; what is right is what it goes on with."""

import importlib
import linecache
import runpy
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch
from readers import FORMS, READERS

from mock5check.ch01 import blanks
from mock5check.core import Crashed
from mock5check.spec import names_of
from mock5check.your_turn import converted, turns_of
from mock5lib import Mock5
from tools.notebooks import execute

ROOT = Path(__file__).resolve().parent.parent
TYPED = sorted(path.parent.name for path in (ROOT / "mock5check").glob("ch*/blanks.py"))

BLANK = "raise NotImplementedError('your code here')"
WRONG = "return w / v"
RIGHT = "return w / v + c * math.sqrt(math.log(parent_visits) / v)"


def run(source: str, names: dict, cell: str) -> None:
    """Execute a cell, whose lines a traceback finds."""
    linecache.cache[cell] = (len(source), None, source.splitlines(keepends=True), cell)
    exec(compile(source, cell, "exec"), names)


def typed(body: str, before: str = "") -> tuple:
    """The names of a notebook in which this body of `uct_value` was typed, and what its cell says."""
    said = []
    names = {"your_turn": turns_of(blanks, said.append)}
    run(f"import math\nSQRT2 = 2**0.5\n{before}", names, "<an earlier cell>")
    run(f"@your_turn\ndef uct_value(w, v, parent_visits, c=SQRT2):\n    {body}", names, "<the cell>")
    (verdict,) = said
    return names, verdict


def typed_in(chapter: str, source: str) -> tuple:
    """The names of a notebook of this chapter in which a blank was typed so, and what its cell says."""
    declared, said = importlib.import_module(f"mock5check.{chapter}.blanks"), []
    names = {}
    for part in (part for part in vars(declared).values() if hasattr(part, "slips")):
        names |= names_of(part.solution)
    names |= {"your_turn": turns_of(declared, said.append)}
    run(source if "@your_turn" in source else f"@your_turn\n{source}", names, "<the cell>")
    return names, str(said[0])


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


@pytest.mark.parametrize("ending", [KeyboardInterrupt, GeneratorExit])
def test_whatever_ends_the_judging_the_version_before_is_in_force_or_ours(ending):
    def stop(*_):
        raise ending

    names = {"your_turn": turns_of(blanks, lambda verdict: None), "stop": stop}
    exec("import math\nSQRT2 = 2**0.5", names)
    cell = "@your_turn\ndef uct_value(w, v, parent_visits, c=SQRT2):\n    {}"
    for body in ("stop()", RIGHT, "stop()"):
        try:
            exec(cell.format(body), names)
        except ending:
            assert body == "stop()"
        assert names["uct_value"](6, 10, 15) == pytest.approx(1.3359, abs=1e-4)
    with pytest.raises(ending):
        exec(cell.format(WRONG + " + stop()"), names)
    assert names["uct_value"].__code__.co_filename == "<string>", "the reader's, accepted before, and not ours"


@pytest.mark.parametrize("body, said", [("exit()", "It ended the program"), ("while True: pass", "It was stopped")])
def test_an_exit_and_an_endless_line_are_told_like_any_other_mistake(body, said):
    names, verdict = typed(body)
    assert said in repr(verdict) and "in `uct_value`, line 3 of your cell:" in repr(verdict)
    assert names["uct_value"](6, 10, 15) == pytest.approx(1.3359, abs=1e-4)


@pytest.mark.parametrize("error", ["NotImplementedError('softmax of Long')", "NotImplementedError()"])
def test_blank_is_only_what_says_your_code_here(error):
    assert "still blank" not in repr(typed(f"raise {error}")[1]) and "still blank" in repr(typed(BLANK)[1])


def test_a_line_is_named_with_its_function_and_the_judged_cell_is_shown_where_another_one_crashes():
    before = "def helper(v):\n    return 1 / 0"
    said = repr(typed("return helper(v)", before)[1])
    assert "in `uct_value`, line 3 of your cell:  return helper(v)" in said
    assert "which leads to `helper`, line 4 of an earlier cell:  return 1 / 0" in said
    assert "line 3 of your cell:  return uct_value(w, v, parent_visits)" in repr(
        typed("return uct_value(w, v, parent_visits)")[1]
    )


@pytest.mark.parametrize("chapter, source, case, kind", FORMS)
def test_an_accepted_answer_comes_in_the_form_that_the_chapter_uses(chapter, source, case, kind):
    names, said = typed_in(chapter, source)
    name = source[4 : source.index("(")]
    answer = names[name](*case)
    assert "yours, from here on" in said and type(answer) is kind
    assert not isinstance(answer, list) or type(answer[0]) in (int, float)


@pytest.mark.parametrize(
    "answer, like",
    [
        ((1, 2), [0]),
        (np.arange(2), [0]),
        ([frozenset({1}), set()], ({0}, {0})),
        (np.bool_(True), False),
        (np.ones(2), np.ones(2, np.float32)),
        (torch.ones(2, dtype=torch.float64), torch.ones(2)),
        ([(0, np.int64(1))], [(0, 1.0)]),
    ],
)
def test_what_is_converted_is_of_our_kind_throughout(answer, like):
    found = converted(answer, like)
    assert type(found) is type(like) and getattr(found, "dtype", 0) == getattr(like, "dtype", 0)
    assert converted(found, like) is found and "numpy" not in str(type(found[0]) if isinstance(found, list) else "")


@pytest.mark.parametrize("chapter", TYPED)
def test_every_unusual_right_solution_is_the_readers_from_there_on_and_answers_as_typed(chapter):
    declared = importlib.import_module(f"mock5check.{chapter}.blanks")
    for name, solutions in runpy.run_path(str(ROOT / f"tests/rights/{chapter}.py"))["BLANKS"].items():
        check = vars(declared)[name]
        for source in (source for source in solutions.values() if isinstance(source, str)):
            names, said = typed_in(chapter, source)
            assert "yours, from here on" in said, source
            ours, theirs = check.answers(), check.answers(names[name])
            assert [type(one) for one in theirs] == [type(one) for one in ours] or name == "wins_at_once", source
            assert not any(isinstance(one, Crashed) for one in theirs)


@pytest.mark.parametrize("answer, like", [((2, 3), 12), ("a", 1.0), ({1: 2}, [0]), (None, 0), (object(), np.ones(2))])
def test_what_can_not_be_converted_stays_as_it_is(answer, like):
    assert converted(answer, like) is answer


def test_a_decorated_function_is_taken_and_what_is_no_function_is_a_sentence():
    names, said = typed_in("ch07", "@your_turn\n@np.vectorize\ndef expected(d):\n    return 1 / (1 + 10 ** (-d / 400))")
    assert "yours, from here on" in said and names["expected"](np.array([0.0, 400.0]))[1] == pytest.approx(10 / 11)
    with pytest.raises(TypeError, match="stands above a function"):
        typed_in("ch07", "@your_turn\n@property\ndef expected(d):\n    return d")


def test_an_accepted_function_may_be_called_by_the_names_of_its_arguments_that_the_chapter_uses():
    names, said = typed_in(
        "ch01", "def uct_value(a, b, n, k=SQRT2):\n    return a / b + k * math.sqrt(math.log(n) / b)"
    )
    assert "yours" in said and names["uct_value"](w=6, v=10, parent_visits=15, c=0.0) == 0.6


def test_planes_in_double_precision_are_accepted_and_become_single():
    names, said = typed_in(
        "ch02",
        "def planes_of(game):\n    cells = game.cells.reshape(game.height, game.width)\n"
        "    return np.stack([cells == game.player, cells == 3 - game.player, cells == 0]) * 1.0",
    )
    assert "yours" in said and names["planes_of"](Mock5(2, 3)).dtype == np.float32


def test_two_accepted_answers_of_chapter_3_fit_together():
    """`gradient_of` makes a tensor of the returns, and hands it to `loss_of`."""
    names, _ = typed_in("ch03", "def returns_in(z, turns, gamma):\n    return z * gamma ** np.arange(turns)[::-1]")
    loss = "def loss_of(log_pi, moves, G, baseline):\n    chosen = log_pi[range(len(moves)), moves]\n"
    others, said = typed_in("ch03", f"{loss}    return -(G - baseline) @ chosen / len(moves)")
    G = torch.tensor([g for _ in range(2) for g in names["returns_in"](1.0, 3, 0.97)])
    log_pi = torch.randn(6, 9, requires_grad=True).log_softmax(dim=1)
    others["loss_of"](log_pi, torch.arange(6), G, 0.1).backward()
    assert "yours" in said and G.dtype == torch.float32


@pytest.mark.parametrize("chapter, source, said", READERS)
def test_what_readers_typed_is_refused_with_the_word_that_helps(chapter, source, said):
    assert said in typed_in(chapter, source)[1]


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

"""Every exercise: unusual right solutions pass its check; its blank and each wrong solution do not. One test for each.

`make test` takes the blank and three wrong solutions of each exercise, drawn by hash and so always the same; `make
test-all` takes all of them. The solutions themselves are judged where their notebooks are executed.

What a chapter's reader types, its blanks, are declared like exercises, in mock5check/chNN/blanks.py; here they stand as
a chapter of their own, "chNN.blanks".
"""

import importlib
import re
import runpy
from contextlib import nullcontext
from functools import cache
from hashlib import sha256
from pathlib import Path
from unittest import mock

import nbformat
import numpy as np
import pytest

from mock5check import core
from mock5check.watch import within
from tools.exercises import BEGIN, END
from tools.gate import (
    Exercise,
    blanked,
    changed,
    definitions,
    exercises_of,
    form_problems,
    judge,
    start_of,
    why_not_rejected,
)

ROOT = Path(__file__).resolve().parent.parent
MASTERS = {f"ch{path.name[2:4]}": path for path in sorted((ROOT / "solutions").glob("*.ipynb"))}
BLANKS = {f"{path.parent.name}.blanks": path for path in sorted((ROOT / "mock5check").glob("ch*/blanks.py"))}
IN_SAMPLE = 3


def tables(chapter: str) -> tuple[dict, dict]:
    """{check: {name: change}} of the wrong and of the unusual right solutions of a chapter, or of its blanks."""
    if chapter in BLANKS:
        wrong = {name: wrong_by_declaration(check) for name, check in declared(chapter).items()}
        return wrong, runpy.run_path(str(ROOT / f"tests/rights/{chapter[:4]}.py"))["BLANKS"]
    wrong = runpy.run_path(str(ROOT / f"tests/mutants/{chapter}.py"))
    plain, edge = wrong["MUTANTS"], wrong.get("EDGE", {})
    both = {name: plain.get(name, {}) | edge.get(name, {}) for name in plain | edge}
    both |= {name: wrong_by_declaration(check) for name, check in declared(chapter).items()}
    for name, parts in declared_parts(chapter).items():
        both[name] |= {f"{part.solution.__name__}: {slip[2]}": slip[:2] for part in parts for slip in part.slips}
    return both, runpy.run_path(str(ROOT / f"tests/rights/{chapter}.py"))["RIGHT"]


def declared(chapter: str) -> dict:
    """{name: check} of the exercises that are declarations (mock5check/spec.py)."""
    checks = vars(importlib.import_module(f"mock5check.{chapter}"))
    return {name: check for name, check in checks.items() if hasattr(check, "slips")}


def declared_parts(chapter: str) -> dict:
    """{name: checks} of the capstones some of whose functions are declared."""
    checks = vars(importlib.import_module(f"mock5check.{chapter}"))
    return {
        name: check.parts for name, check in checks.items() if hasattr(check, "parts") and name not in declared(chapter)
    }


def wrong_by_declaration(check) -> dict:
    """{name: change}: each slip, and what can go wrong with any function."""
    wrong = {f"{number}. {cause}": (old, new) for number, (old, new, cause) in enumerate(check.slips, 1)}
    for part in getattr(check, "parts", [check]):
        name, case = part.solution.__name__, next(iter(part.cases(np.random.default_rng(0))))
        again = f"right = {name}\ndef {name}(*args):\n    "
        if "return" in part.source:
            wrong[f"{name} returns nothing"] = f"{again}right(*args)"
            wrong[f"{name} returns a text"] = f"{again}return str(right(*args))"
        wrong[f"{name} never ends"] = f"{again}while True:\n        args = list(args)"
        changing = [i for i, value in enumerate(case) if isinstance(value, (list, np.ndarray)) and len(value)]
        if changing:
            changes = f"args[{changing[0]}][0] += 1"
            wrong[f"{name} changes an argument"] = f"{again}answer = right(*args)\n    {changes}\n    return answer"
    return wrong


@cache
def exercises(chapter: str) -> dict:
    """{check: exercise} of a chapter's notebook of solutions, in order, or of the chapter's blanks."""
    if chapter in BLANKS:
        return {name: as_exercise(name, check) for name, check in declared(chapter).items()}
    found = exercises_of(nbformat.read(MASTERS[chapter], as_version=4))
    return {exercise.check_name: exercise for exercise in found}


def as_exercise(name: str, check) -> Exercise:
    head, body = check.source.split('"""\n', 1)
    cell = f'{head}"""\n    {BEGIN}\n{body}\n    {END}'
    return Exercise(name, "", cells=[(cell, True)], check=f"check.{name}({name})")


@cache
def start(chapter: str, check: str) -> dict:
    """The names that an attempt finds.

    For a declared one no notebook is run: its module has the solutions, and of the notebook's cells the definitions do.
    """
    exercise = declared(chapter).get(check)
    if exercise is None:
        return start_of(list(exercises(chapter).values()), check)
    names = {}
    for part in (part for one in declared(chapter).values() for part in getattr(one, "parts", [one])):
        module = vars(importlib.import_module(part.solution.__module__))
        names |= {name: getattr(value, "solution", value) for name, value in module.items()}
    given = definitions(list(exercises(chapter).values()), check)
    return names | given | {"check": importlib.import_module(f"mock5check.{chapter}")}


def drawn(names) -> list:
    """The sample of `make test`: no author chooses it, and it is the same in every run."""
    return sorted(names, key=lambda name: sha256(name.encode()).digest())[:IN_SAMPLE]


def attempts(chapter: str, check: str) -> tuple[list, list]:
    """What the gate judges of an exercise, in the sample of `make test` and besides: parameters of a test."""
    wrong, right = tables(chapter)
    sample, rest = [pytest.param(chapter, check, "blank", None, id=f"{chapter}: {check}: blank")], []
    for kind, changes in {"wrong": wrong[check], "right": right[check]}.items():
        chosen = drawn(changes) if kind == "wrong" else []
        for name, change in changes.items():
            kind = "endless" if name.endswith(" never ends") else kind
            part = pytest.param(chapter, check, kind, change, id=f"{chapter}: {check}: {kind}: {name}")
            (sample if name in chosen else rest).append(part)
    return sample, rest


def soon(function, seconds: float):
    """`within`, for what surely never ends."""
    return within(function, min(seconds, 1.0))


def gate_of(parameters: list, slow: bool) -> type:
    """A class of tests, which pytest-xdist's loadscope keeps on one worker, for the names that its solutions share."""

    class Gate:
        @pytest.mark.parametrize("chapter, check, kind, change", parameters)
        def test_a_right_solution_passes_and_a_wrong_one_is_rejected_with_a_reason(self, chapter, check, kind, change):
            exercise = exercises(chapter)[check]
            namespace = start(chapter, check)
            cells = blanked(exercise) if kind == "blank" else changed(exercise, change)
            if kind == "right":
                assert judge(exercise, namespace, cells) is None
                return
            with mock.patch.object(core, "within", soon) if kind == "endless" else nullcontext():
                assert why_not_rejected(exercise, namespace, cells) is None

    return pytest.mark.slow(Gate) if slow else Gate


PARTS = {(chapter, check): attempts(chapter, check) for chapter in (*BLANKS, *MASTERS) for check in exercises(chapter)}
TestSample = gate_of([part for sample, _ in PARTS.values() for part in sample], slow=False)
globals().update(
    {
        f"Test_{chapter.replace('.', '_')}_{check}": gate_of(rest, slow=True)
        for (chapter, check), (_, rest) in PARTS.items()
    }
)


@pytest.mark.parametrize("chapter", BLANKS)
def test_each_slip_in_a_blank_is_answered_with_its_own_sentence(chapter):
    for name, check in declared(chapter).items():
        for old, new, cause in check.slips:
            said = judge(exercises(chapter)[name], start(chapter, name), changed(exercises(chapter)[name], (old, new)))
            assert cause in str(said), f"{name}: {new}"


@pytest.mark.parametrize("chapter", MASTERS)
def test_the_solution_in_the_notebook_is_word_for_word_the_declared_one(chapter):
    for name, exercise in exercises(chapter).items():
        check = getattr(importlib.import_module(f"mock5check.{chapter}"), name)
        cells = [source for source, is_solution in exercise.cells if is_solution]
        lines = [line for line in "\n\n\n".join(cells).splitlines() if line.strip() not in (BEGIN, END)]
        text = re.sub("\n{3,}", "\n\n\n", "\n".join(lines))
        if hasattr(check, "slips"):
            assert text == check.source, f"{chapter}: {name}"
        for part in getattr(check, "parts", []):
            assert set(part.source.split("\n\n\n")) <= set(text.split("\n\n\n")), part.solution.__name__


@pytest.mark.parametrize("chapter", BLANKS)
def test_a_chapter_has_each_of_its_blanks_once_with_our_signature_and_nothing_typed(chapter):
    (path,) = (ROOT / "chapters").glob(f"{chapter[:4]}_*.ipynb")
    cells = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.source.startswith("@your_turn")]
    heads = [exercise.cells[0][0].split(f"    {BEGIN}")[0] for exercise in exercises(chapter).values()]
    assert sorted(cells) == sorted(
        f'@your_turn\n{head}    raise NotImplementedError("your code here")' for head in heads
    )


@pytest.mark.parametrize("chapter", MASTERS)
def test_every_wrong_and_every_right_solution_belongs_to_an_exercise_and_finds_its_text(chapter):
    for table in tables(chapter):
        assert set(table) <= set(exercises(chapter))
    for table in tables(chapter):
        for check, changes in table.items():
            for change in changes.values():
                changed(exercises(chapter)[check], change)  # ValueError where its text does not occur once


@pytest.mark.parametrize("chapter", MASTERS)
def test_each_exercise_has_its_form_enough_solutions_of_both_kinds_and_a_title_of_its_own(chapter):
    wrong, right = tables(chapter)
    for check, exercise in exercises(chapter).items():
        assert form_problems(exercise) == []
        enough = 1 if check == "alphazero" else 3  # in one each part is unusual: to train takes a minute
        assert len(wrong[check]) >= 8 and len(right[check]) >= enough, check
    assert len({exercise.title for exercise in exercises(chapter).values()}) == len(exercises(chapter)) > 0

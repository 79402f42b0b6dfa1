"""The gate every exercise passes: right solutions are accepted, its blank and each wrong solution are rejected.

An exercise is the run of cells from a markdown cell tagged `exercise` to a code cell tagged `check`. Its mutants are
wrong solutions that the check must catch; tests/mutants/chNN.py lists them under the name of the check (EDGE beside
MUTANTS holds those that answer rightly in the middle and wrongly at the edge):

    MUTANTS = {
        "uct_value": {
            "sign flipped": ("w / v +", "w / v -"),                     # (text in the solution, what replaces it)
            "always zero": "def uct_value(w, v, parent, c): return 0",  # source, run after the solution
        },
    }

tests/rights/chNN.py lists unusual right solutions in the same form, as RIGHT. tests/test_gate.py runs each as a test.
"""

import ast
import contextlib
import io
import linecache
import re
from dataclasses import dataclass, field
from itertools import dropwhile
from unittest import mock

from mock5check.ch07 import conversation
from mock5check.core import CheckFailed
from tools.exercises import blank, exercise_title
from tools.stamp import tags

MAGIC = re.compile(r"(?m)^(\s*)[%!].*$")  # lines that only IPython understands
HINTS = ("a nudge", "the idea", "nearly the code")


@dataclass
class Exercise:
    """One exercise of a master notebook.

    before: sources of the code cells between the previous check and this exercise's title.
    cells: (source, is it a solution) of each code cell from the title to the check, the check excluded.
    check: source of the check cell.
    """

    title: str
    text: str
    before: list = field(default_factory=list)
    cells: list = field(default_factory=list)
    check: str | None = None

    @property
    def given(self) -> list:
        """Sources of the cells in front of the first solution, which are run once, as a learner runs them."""
        return [source for source, _ in self.cells[: len(self.cells) - len(self.attempt)]]

    @property
    def attempt(self) -> list:
        """The cells from the first solution on, which are run for each try."""
        return list(dropwhile(lambda cell: not cell[1], self.cells)) or self.cells

    @property
    def check_name(self) -> str:
        """The name in the one call `check.name(…)` of the check cell. ValueError if there is not exactly one."""
        names = [
            node.func.attr
            for node in ast.walk(ast.parse(self.check or ""))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "check"
        ]
        if len(names) != 1:
            raise ValueError(f"{self.title}: the check cell must call check.name(…) once, it calls {names}.")
        return names[0]


def exercises_of(notebook) -> list:
    """The exercises of a master notebook, in order. ValueError where the tags do not fit together."""
    found, waiting, current = [], [], None
    for cell in notebook.cells:
        if "exercise" in tags(cell):
            if current is not None:
                raise ValueError(f"{current.title}: no cell tagged check before the next exercise.")
            current = Exercise(exercise_title(cell.source), cell.source, before=waiting)
            waiting = []
        elif cell.cell_type != "code":
            continue
        elif current is None:
            if {"solution", "check"} & set(tags(cell)):
                raise ValueError(f"a solution or check cell stands outside an exercise:\n{cell.source}")
            waiting.append(cell.source)
        elif "check" in tags(cell):
            current.check = cell.source
            found.append(current)
            current = None
        else:
            current.cells.append((cell.source, "solution" in tags(cell)))
    if current is not None:
        raise ValueError(f"{current.title}: no cell tagged check follows.")
    return found


def form_problems(exercise: Exercise) -> list:
    """What is missing from an exercise's form, one sentence each."""
    found = []
    if not re.search(r"(?i)difficulty\b.*\b\d+\s*min", exercise.text, re.DOTALL):
        found.append("its text must state 'Difficulty' and a number of minutes")
    folded = re.findall(r"<details><summary>Hint \d: (.*?)</summary>", exercise.text)
    if tuple(folded) != HINTS:
        found.append(f"its text must fold three hints, {', '.join(HINTS)}; it folds {folded}")
    if not any(is_solution for _, is_solution in exercise.cells):
        found.append("it has no cell tagged solution")
    return found


def start_of(exercises: list, check_name: str) -> dict:
    """The names that a solution finds in its notebook: those of the solved exercises before it, and of the cells given.

    exercises: all of one notebook's, in order.
    """
    namespace = {"__name__": "__main__"}
    for exercise in exercises:
        for source in [*exercise.before, *exercise.given]:
            _run(source, namespace)
        if exercise.check_name == check_name:
            return namespace
        for source, _ in exercise.attempt:
            _run(source, namespace)
    raise ValueError(f"no exercise is checked by check.{check_name}")


def definitions(exercises: list, check_name: str) -> dict:
    """Of the cells given up to an exercise only what takes no time: imports, functions, classes and constants."""
    kinds, namespace = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef), {"__name__": "__main__"}
    until = [exercise.check_name for exercise in exercises].index(check_name)
    for source in (source for exercise in exercises[: until + 1] for source in [*exercise.before, *exercise.given]):
        nodes = ast.parse(MAGIC.sub(r"\1pass", source)).body
        constants = [node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)]
        kept = [ast.unparse(node) for node in nodes if isinstance(node, kinds) or node in constants]
        _run("\n".join(kept), namespace)
    return namespace


def blanked(exercise: Exercise) -> list:
    """The cells of an attempt as the learner first sees them."""
    return [blank(source) if is_solution else source for source, is_solution in exercise.attempt]


def changed(exercise: Exercise, change) -> list:
    """The cells of an attempt with a change of the solution in place: (old, new), or source that is run after it.

    ValueError where `old` does not occur exactly once.
    """
    if isinstance(change, str):
        last = max(i for i, (_, is_solution) in enumerate(exercise.attempt) if is_solution)
        sources = [source for source, _ in exercise.attempt]
        return [*sources[: last + 1], change, *sources[last + 1 :]]
    old, new = change
    count = sum(source.count(old) for source, is_solution in exercise.cells if is_solution)
    if count != 1:
        raise ValueError(f"{old!r} occurs {count} times in the solution, it must occur once")
    return [source.replace(old, new) if is_solution else source for source, is_solution in exercise.attempt]


def why_not_rejected(exercise: Exercise, namespace: dict, sources: list) -> str | None:
    """None if the check rejects `sources` with an explanation, else what it does."""
    with mock.patch.object(conversation, "PATIENCE", 2.0):  # with an engine that keeps silent
        verdict = judge(exercise, namespace, sources)
    if verdict is None:
        return "it is accepted"
    if isinstance(verdict, RuntimeError) and "your code here" in str(verdict):  # a blank class says so itself
        return None
    if not isinstance(verdict, CheckFailed) or "couldn't make sense" in str(verdict):
        return f"it is not rejected with an explanation but with {verdict!r}"
    return None


def judge(exercise: Exercise, namespace: dict, sources: list) -> Exception | None:
    """Run cells and check in a copy of `namespace`: None if the check passes, else what was raised."""
    scratch = dict(namespace)
    try:
        for source in sources:
            _run(source, scratch)
    except Exception as error:
        return RuntimeError(f"a cell before the check raised {error!r}")
    try:
        _run(exercise.check, scratch)
    except Exception as error:
        return error
    return None


def _run(source: str, namespace: dict) -> None:
    """Execute one code cell, its printing kept quiet. Lines that only IPython understands are left out."""
    source = MAGIC.sub(r"\1pass", source)
    name = f"<cell {abs(hash(source))}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)  # for tracebacks
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, name, "exec"), namespace)

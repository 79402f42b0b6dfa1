"""An exercise that is a class, or several functions: the learner's and the right ones follow the same script.

    def memories(rng):                                # scripts: lists of steps, each a line of Python
        yield ["memory = KoMemory(A, 'simple')", "memory.add(B)", "memory.allows(A)"]

    ko_memory = script("ko_memory", KoMemory, cases=memories, given={"A": A, "B": B}, why="The board before the last.")

What each line says, its value or what it raises, must be the same. `looks` are further lines, looked at after each
step. Slips stand in the text file beside the module, under the name of the check.
"""

import ast
import inspect
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache
from pathlib import Path

import numpy as np

from mock5check.answers import Outcome, kind_problem, same, show
from mock5check.core import CheckFailed, graded, once, the_one_slip
from mock5check.frozen import shared_by_class
from mock5check.spec import _slips_in, edited
from mock5check.watch import bounded


def declared(name: str, *parts: Callable) -> tuple:
    """(the text of the right classes and functions, the slips of the check `name` in the text file beside them)"""
    slips = _slips_in(Path(inspect.getsourcefile(parts[0])).with_suffix(".slips")).get(name, [])
    return "\n\n\n".join(inspect.getsource(part).rstrip() for part in parts), slips


class Raises(Outcome):
    """What stands for the value of a line that raises."""


def script(
    name: str,
    *parts: Callable,
    cases: Callable[..., Iterable[list[str]]],
    why: str | Callable[[str, dict], str],
    given: dict | None = None,
    looks: Callable[[dict], Iterable[str]] = lambda names: (),
    after: Callable | None = None,
) -> Callable:
    """Make the check `name` of these classes or functions, the right ones.

    cases(rng): scripts; the shortest come first. why: a sentence or two, or a function of the line where they differ,
    and of the names that the right one has there. given: names that lines may use. looks: from the names that the right
    one has after a step, the lines to look at. after(trial, *mine): what no script can say, such as how often.
    """
    source, slips = declared(name, *parts)

    def begin(some: tuple) -> dict:
        return deepcopy(given or {}) | {part.__name__: one for part, one in zip(parts, some, strict=True)}

    @cache
    def with_looks(steps: tuple) -> list:
        """[(line, what the right one says, is it a step)], the looks after each step among them."""
        names, lines = begin(parts), []
        for step in steps:
            lines.append((step, deepcopy(says(step, names)), True))
            lines += [(look, deepcopy(says(look, names)), False) for look in looks(names)]
        return lines

    @bounded
    def transcript(some: tuple, lines: list) -> list:
        names = begin(some)
        return [deepcopy(says(line, names)) for line, *_ in lines]

    ours = once(transcript)

    @cache
    def known() -> tuple:
        """(scripts, the case of each with its looks, slips): worked out once."""
        scripts = sorted(map(tuple, cases(np.random.default_rng(0))), key=len)
        wrong = [(edited(source, old, new, *parts), cause) for old, new, cause in slips]
        return scripts, {steps: (with_looks(steps),) for steps in scripts}, wrong

    def hint(mine: tuple, failing: tuple) -> str | None:
        scripts, shown, wrong = known()
        tried = [shown[failing], *map(shown.get, scripts)]  # that one first: it tells most slips apart
        if cause := the_one_slip(mine, tried, wrong, transcript, run=lambda some: some, ours=ours):
            return cause
        shared = next(filter(None, map(shared_by_class, mine, parts)), None)
        return f"`{shared}` belongs to the class, so all of its objects share it. Is that meant?" if shared else None

    def follow(trial, mine: tuple, steps: tuple) -> None:
        lines, names, before = with_looks(steps), begin(mine), ""
        for place, (line, wanted, is_step) in enumerate(lines):
            call = _with(before, line)
            lets = Exception if isinstance(wanted, Raises) else ()
            try:
                answer = trial.call(says, line, names, lets, shown=in_short(call), may_change=(1,))
            except CheckFailed as failed:
                cause = None if failed.verdict else hint(mine, steps)
                raise CheckFailed(f"{failed}\n  hint:     {cause}" if cause else str(failed)) from None
            trial.cases += 1
            before = call if is_step else before
            if not same(answer, wanted):
                unsaid = lets or answer is None and not line.endswith(")")  # an attribute may be None
                problem = None if unsaid else kind_problem(answer, wanted)
                if callable(answer):
                    problem = "this is a method, and it is read without (). Put @property above it."
                right = begin(parts)
                for earlier, *_ in lines[: place + 1]:
                    says(earlier, right)
                because = problem[0].upper() + problem[1:] if problem else why(line, right) if callable(why) else why
                trial.fail(because, call=in_short(call), hint=hint(mine, steps), answer=answer, right=wanted)

    def check(trial, *mine):
        for part, own in zip(parts, mine, strict=True):
            if not callable(own):
                trial.fail(f"Hand `{part.__name__}` itself to the check, not {show(own)}.")
        for steps in known()[0]:
            follow(trial, mine, steps)
        if after:
            after(trial, *mine)

    check.__name__ = check.__qualname__ = name
    check = graded(check)
    check.solution, check.source, check.slips, check.cases = parts[0], source, slips, cases
    return check


def _with(steps: str, line: str) -> str:
    """The steps and one more line, as text of up to 100 characters a line."""
    if not steps:
        return line
    return steps + ("; " if len(steps) - steps.rfind("\n") + len(line) < 100 else "\n") + line


def in_short(call: str) -> str:
    """A long script without its middle."""
    lines = call.splitlines()
    return call if len(lines) < 15 else "\n".join([*lines[:5], f"… {len(lines) - 9} more lines …", *lines[-4:]])


@cache
def _compiled(line: str) -> tuple:
    """(the line's code, is it an expression, the name that it gives to something)"""
    node = ast.parse(line).body[0]
    value, target = isinstance(node, ast.Expr), node.targets[0] if isinstance(node, ast.Assign) else None
    code = compile(line, "<frozen script>", "eval" if value else "exec")  # a name that is nobody's cell
    return code, value, target.id if isinstance(target, ast.Name) else None


def says(line: str, names: dict, lets=Exception):
    """What a line says: its value; what it raises, if it may; of an assignment, whether there was something."""
    code, value, target = _compiled(line)
    try:
        answer = eval(code, names)
    except lets as error:
        return Raises(f"raises {type(error).__name__}")
    return answer if value else None if target is None or names[target] is None else Outcome("an object")

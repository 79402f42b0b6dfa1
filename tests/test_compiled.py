"""Numba's cache: machine code is kept, and thrown away when a source that it was made from changes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mock5lib
from mock5lib.base import compiled

ROOT = Path(__file__).resolve().parent.parent
CALLER = """from mock5lib.base.compiled import compiled
from mock5lib.callee import inner


@compiled
def outer(x):
    return inner(x)
"""
CALLEE = """from mock5lib.base.compiled import compiled
from mock5lib.constant import STEP


@compiled{options}
def inner(x):
    return {sign}(x + STEP)
"""


PLAY_ALL = """
from mock5lib import Mock5, names
from mock5lib.base.progress import while_compiling
from mock5lib.cli.ladder import LISTED

told = []
with while_compiling(lambda runs: told.append(name)):
    for name in LISTED:
        for side in (9, 15) if "alphago" not in name else (9,):
            agent, game = names.agent(name, 0, side=side), Mock5(side, side)
            for _ in range(2):
                game.apply(agent(game))
print(told)
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the package's ground floor, with a compiled function that calls one of another file."""
    package = tmp_path / "mock5lib"
    shutil.copytree(Path(mock5lib.__file__).parent / "base", package / "base")
    (package / "__init__.py").write_text("")
    (package / "caller.py").write_text(CALLER)
    (package / "callee.py").write_text(CALLEE.format(options="", sign="+"))
    (package / "constant.py").write_text("STEP = 1\n")
    return package


def answer(package, cache=None) -> tuple[int, int]:
    """What `outer(1)` gives in a process of its own, and how often its machine code came from the cache."""
    code = "from mock5lib.caller import outer; print(outer(1), sum(outer.stats.cache_hits.values()))"
    environment = {
        **os.environ,
        "PYTHONPATH": str(package.parent),
        **({"NUMBA_CACHE_DIR": str(cache)} if cache else {}),
    }
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=package.parent, check=True)
    return tuple(int(number) for number in done.stdout.split())


@pytest.mark.parametrize("options", ["", '(inline="always")'])
@pytest.mark.slow
def test_a_change_in_a_callees_file_reaches_the_caller(copy, options):
    callee, constant = copy / "callee.py", copy / "constant.py"
    callee.write_text(CALLEE.format(options=options, sign="+"))
    assert answer(copy) == (2, 0)
    (copy / "other.py").write_text("STEP = 3\n")  # is imported by neither
    assert answer(copy) == (2, 1)  # from the cache
    callee.write_text(CALLEE.format(options=options, sign="-"))
    assert answer(copy) == (-2, 0)
    constant.write_text("STEP = 2\n")
    assert answer(copy) == (-3, 0)
    assert answer(copy) == (-3, 1)


def test_machine_code_of_a_type_that_has_another_name_now_is_thrown_away(copy):
    before = "from typing import NamedTuple\n\nclass Old(NamedTuple):\n    x: int\n\n"
    kernel = "from mock5lib.base.compiled import compiled\n\n@compiled\ndef read(pair):\n    return pair.x\n\n"
    outer = "def outer(x):\n    return read({}(x))\n\nouter.stats = read.stats\n"
    (copy / "caller.py").write_text(before + kernel + outer.format("Old"))
    assert [answer(copy) for _ in range(2)] == [(1, 0), (1, 1)]
    (copy / "caller.py").write_text(before.replace("Old", "New") + kernel + outer.format("New"))
    assert answer(copy) == (1, 0)


def test_the_cache_may_lie_elsewhere(copy, tmp_path):
    assert [answer(copy, tmp_path / "cache") for _ in range(2)] == [(2, 0), (2, 1)]
    assert list((tmp_path / "cache").rglob("*.nbi")) and not list(copy.rglob("*.nbi"))


def test_who_waits_for_the_compiler_is_told_and_who_reads_what_is_kept_is_not(copy):
    watched = "told = []\nwith while_compiling(told.append):\n    outer(1), outer(2)\nprint(told)"
    code = f"from mock5lib.base.progress import while_compiling\nfrom mock5lib.caller import outer\n{watched}"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=copy.parent) for _ in "12"]
    assert [done.stdout.strip() for done in runs] == ["[True, False]", "[]"]


@pytest.mark.slow
def test_after_set_up_no_agent_waits_for_the_compiler():
    assert subprocess.run([sys.executable, "-m", "tools.compile"], cwd=ROOT).returncode == 0
    told = subprocess.run([sys.executable, "-c", PLAY_ALL], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_without_any_folder_for_the_cache_a_function_is_compiled_all_the_same(monkeypatch):
    def nowhere(function, sources):
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(compiled, "MachineCode", nowhere)
    assert compiled.compiled(lambda x: x + 1)(1) == 2


def test_kernels_know_the_modules_that_they_are_made_from():
    def imported(module):
        waiting, found = [compiled.PACKAGE / module], set()
        while waiting:
            found.add(file := waiting.pop())
            waiting += set(compiled.read(file)[1]) - found
        return {str(file.relative_to(compiled.PACKAGE)) for file in found}

    assert {"game/board_compiled.py", "search/gumbel_compiled.py", "search/trees_compiled.py"} <= imported(
        "search/puct_compiled.py"
    )
    assert {"gomoku/lines_compiled.py", "gomoku/threats.py"} <= imported("gomoku/generator.py")

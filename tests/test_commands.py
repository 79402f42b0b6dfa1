"""Every command that the documentation names is run, so that none is promised that is gone.

Collected are `mock5 …`, `python -m …` and `python SCRIPT.py …`, from blocks of code and from backticks, in the READMEs,
the guide, CONTRIBUTING.md, the chapters and data/; and the examples of each `--help`. Each runs in an empty folder just
as it is written. What would take long is cut short by options put behind it (of an option given twice the last counts),
so that all that the line names is still read. Only what PARSED_ONLY lists is not begun: the real parser reads its
options, and that is all.
"""

import argparse
import importlib.util
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

typer = pytest.importorskip("typer")
from typer.cli import get_docs_for_click
from typer.core import TyperCommand
from typer.testing import CliRunner

from mock5lib.cli import app
from mock5lib.game.records import records_in

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "mock5lib/README.md", "mock5check/README.md")]
PAGES += [path for kind in ("guide/*.md", "chapters/*.ipynb", "data/**/*.md") for path in sorted(ROOT.glob(kind))]
SCRIPTS = sorted(ROOT.glob("data/**/*.py"))
COMMAND = re.compile(r"(?:[!$] ?)?(?:\w+=\S+ )*(?P<line>(?:mock5|(?:\.venv/bin/)?python(?= -m | \S+\.py)) \S.*)")

PARSED_ONLY = {  # a line that is like this: why it is not begun
    r"--cluster": "needs other computers",
    r"python -m bench": "takes minutes, even with --quick, or a GPU",
    r"python -m tools\.": "writes into the repository; other tests run these",
    r"python \S+\.py": "trains and plays for minutes",
}
INSTEAD = {  # what is for the reader to fill in, or would take long → what stands there in the test
    r"^\.venv/bin/": "",
    r"alphazero(,\S+?)?:…": r"alphazero\1:runs/any/best",
    r"uct:\d{4,}": "uct:10",
    r"(?<=@)\d+": "4",
    r"train alphazero --workers N --staleness S": "train alphazero runs/any --workers 1 --staleness 1",
    r"--agent NAME": "--agent greedy",
    r"--add group$": "",
    r"group/ada\.py:agent": "examples/center.py:center",
    r"/path/to/(engine|foo)": f"{sys.executable} {ROOT}/tests/gomocup_engine.py",
    r"(?<=pytest )(.*)chNN_name": r"\1ch00_welcome",
    r"-k chNN": "-k ch00",
    r"(?<=pytest )(.*)chapters solutions": r"\1chapters/ch00_welcome.ipynb",
    r"(?<=pytest )(.*) tests(/test_gate.py|/test_colab.py|\b(?!/))": r"\1 tests/test_ranges.py",
    r"(?<=[ =])(?=(chapters|tests|examples)/)": f"{ROOT}/",
}
BEHIND = {  # a line that is like this: what is put behind it, so that it takes seconds
    "mock5 match": "--games 2",
    "mock5 ladder": "--rounds 1 --pairs 1 --workers 1",
    "mock5 ladder(?!.*--only)": "--add one=random --add other=random --only one --only other",
    'mock5 ladder(?!.*--only).* --add "(?P<label>[^=]+)=': r'--only "\g<label>"',
    "mock5 (records generate|go records)": "--games 2",
    "mock5 go records": f"--program '{sys.executable} {ROOT}/tests/gtp_program.py passes'",
    "mock5 train supervised": "--steps 2",
    "mock5 train reinforce": "--iterations 2 --games 4 --evaluate-every 0",
    "mock5 train alphago": "--filters 4 --layers 3 --fast-steps 2 --strong-steps 2 --batch-size 8 --iterations 2 "
    "--games 4 --value-positions 20 --value-epochs 1",
    "mock5 train alphazero": "--iterations 1 --device cpu --set simulations=4 --set games=4 --set plies=2 "
    "--set fill=10 --set evaluate_every=0",
    "mock5 train alphazero.* --workers": "--workers 1",
    "mock5 prove": "--cap 3 --simulations 2",
    "python -m venv": "--without-pip",
    "python -m pip": "--help",
    "python -m jupyterlab": "--version",
    "python -m pytest": "--collect-only -q -n 0 -p no:cacheprovider",
}
TYPED = {  # a line that is like this: what is typed while it runs
    "mock5 play": "4 4\nresign\nquit\n",
    "mock5 engine": "START 9\nTURN 4,4\nEND\n",
    "mock5 go engine": "boardsize 9\nclear_board\ngenmove b\nquit\n",
}
READ = re.compile(
    r"(?:--start|(?:alphazero|policy)\S*?:|train (?:supervised|alphago)|report|page|prove|records (?:info|show))"
    r" ?([\w./]+)"
)
LONG = re.compile("train (alphago|alphazero.* --workers)|ladder.* --only|pytest")  # these take the longest


def written(path: Path) -> str:
    """The text of a page. Of a notebook's code only what speaks to the reader: comments, and lines for the shell."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    texts = []
    for cell in json.loads(text)["cells"]:
        lines = "".join(cell["source"]).splitlines()
        if cell["cell_type"] == "code":
            lines = [re.sub("^#", "", re.sub("^!", "    !", line)) for line in lines if line.startswith(("#", "!"))]
        texts.append("\n".join(lines))
    return "\n\n".join(texts)


def commands(text: str) -> list[str]:
    """The commands in blocks of code and in backticks, each once."""
    text = re.sub(r"\s*\\\n\s*", " ", text)
    fences = re.findall(r"(?ms)^ *```[^\n]*\n(.*?)^ *```", text)
    rest = re.sub(r"(?ms)^ *```.*?^ *```", "", text)
    lines = [line.strip() for block in fences for line in block.splitlines()]
    lines += [line.strip() for line in re.findall("(?m)^ {4}.*", rest)]
    lines += [" ".join(span.split()) for span in re.findall(r"`((?:[^`\n]|\n(?!\n))+)`", rest)]
    return list(dict.fromkeys(found["line"] for found in map(COMMAND.fullmatch, lines) if found))


def lines(parsed_only: bool) -> list:
    """The documented lines that are run, or those that are parsed only, as parameters of a test."""

    found = [(path.relative_to(ROOT).as_posix(), line) for path in PAGES for line in commands(written(path))]
    command, known = typer.main.get_command(app), {line for _, line in found}
    helps = get_docs_for_click(obj=command, ctx=typer.Context(command), name="mock5")
    found += [("--help", line) for line in re.findall("(?m)^ +(mock5 .*)", helps) if line not in known]
    return [
        pytest.param(
            line,
            id=f"{page}: {line[:70]}",
            marks=[pytest.mark.slow] * bool((LONG.search(line) or page == "--help") and not parsed_only),
        )
        for page, line in found
        if parsed_only == any(re.search(pattern, line) for pattern in PARSED_ONLY)
    ]


def words_of(line: str) -> list[str]:
    """The line as it is run: no comment, nothing left to fill in, and cut short."""
    for pattern, text in INSTEAD.items():
        line = re.sub(pattern, text, line)
    found = {re.search(pattern, line): text for pattern, text in BEHIND.items()}
    behind = [match.expand(text) for match, text in found.items() if match]
    return shlex.split(line, comments=True) + shlex.split(" ".join(behind))


def mock5(words: list[str], typed: str | None = None) -> None:
    """Run the command in this process, where the libraries are loaded already; it must succeed."""
    result = CliRunner().invoke(app, words, input=typed)
    assert result.exit_code == 0, f"mock5 {shlex.join(words)}\n{result.output}\n{result.exception!r}"


def process(words: list[str], typed: str | None = None) -> None:
    """Run the command in a process of its own; it must succeed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, input=typed, env=environment, capture_output=True, text=True)
    fine = (0, 5) if "pytest" in words else (0,)  # 5: no test of the one file has the mark that is asked for
    assert done.returncode in fine, f"{shlex.join(words)}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def short_run(tmp_path_factory):
    """A run of two rounds, for what reads the folder of a run."""
    folder = tmp_path_factory.mktemp("run") / "run"
    mock5([*words_of(f"mock5 train alphazero {folder} --preset tiny")[1:], "--iterations", "2"])
    return folder


def put(name: str, short_run: Path) -> None:
    """A stored file or folder in the working folder, at the place from which a line reads it."""
    stored = ROOT / name
    if not name.startswith("data/"):  # one of the reader's own
        own = {".npz": "data/records/gnugo_9x9.npz", "best": "data/checkpoints/alphazero_9x9"}
        own["last"] = own["best"]
        stored = next((ROOT / file for ending, file in own.items() if name.endswith(ending)), short_run)
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    if stored.is_dir():
        shutil.copytree(stored, name, dirs_exist_ok=True)
    else:  # a few of its games, since planes are made of all
        records_in(stored).load(stored).select(range(40)).save(name)


@pytest.mark.parametrize("line", lines(parsed_only=False))
def test_a_documented_command_works(line, short_run, tmp_path, monkeypatch):
    if "alphago" in line:
        pytest.importorskip("tensorflow")
    monkeypatch.chdir(tmp_path)
    words = words_of(line)
    for name in READ.findall(shlex.join(words)):
        put(name, short_run)
    typed = next((text for pattern, text in TYPED.items() if re.search(pattern, line)), None)
    if words[0] == "python":
        process([sys.executable, *words[1:]])
    elif "engine" in words[1:3]:  # it ends its process
        process([sys.executable, "-m", "mock5lib.cli", *words[1:]], typed)
    else:
        mock5(words[1:], typed)


class Parsed(BaseException):
    """The real parser has taken the line."""


@pytest.mark.parametrize("line", lines(parsed_only=True))
def test_a_documented_command_that_is_too_much_for_a_test_is_at_least_understood(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # should one begin after all
    words = words_of(line)
    if words[0] == "mock5":
        monkeypatch.setattr(TyperCommand, "invoke", lambda *_: None)
        mock5(words[1:])
        return
    path, given = ROOT / words[1], words[2:]
    if words[1] == "-m":
        found, given = importlib.util.find_spec(words[2]), words[3:]
        path = Path(found.origin)
        path = path.with_name("__main__.py") if found.submodule_search_locations else path
    if "ArgumentParser" not in path.read_text(encoding="utf-8"):  # nothing would stop it before it begins
        assert given == [], "what takes no options is documented without"
        return
    real = argparse.ArgumentParser.parse_args

    def parse(*arguments):
        raise Parsed(real(*arguments))

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    monkeypatch.setattr(sys, "argv", [str(path), *given])
    with pytest.raises(Parsed) as parsed:
        runpy.run_path(str(path), run_name="__main__")
    if words[1:3] == ["-m", "bench"]:  # it looks for them later
        benches = {file.stem for file in path.parent.glob("[!_]*.py")} | {"gpu"}
        assert set(parsed.value.args[0].names) <= benches


def test_commands_are_found_in_blocks_and_backticks_and_prose_is_none():
    text = "In 2022 the mock5 package, or `mock5`: `mock5 play\nuct:10`, as `python x`.\n\n"
    text += "    X=1 mock5 train \\\n        alphazero  # slow\n\n```\n!mock5 agents\n.venv/bin/python -m a --b\n```\n"
    assert commands(text) == [
        "mock5 agents",
        ".venv/bin/python -m a --b",
        "mock5 train alphazero  # slow",
        "mock5 play uct:10",
    ]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_script_of_a_stored_run_can_be_imported_and_then_does_nothing(script, tmp_path, monkeypatch):
    if "alphago" in script.read_text(encoding="utf-8"):
        pytest.importorskip("tensorflow")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def files():
        return {path: path.stat().st_mtime_ns for path in [*script.parent.rglob("*"), *tmp_path.rglob("*")]}

    before = files()
    spec = importlib.util.spec_from_file_location("script_of_a_run", script)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert files() == before
    assert 'if __name__ == "__main__":' in script.read_text(encoding="utf-8")


def names_of(run: str) -> dict:
    """What the script of a run defines."""
    return runpy.run_path(str(ROOT / "data" / "runs" / run / "run.py"))


def test_the_settings_of_the_stored_runs_are_ones_that_the_package_takes():
    for run in ("ablations_9x9", "alphazero_ablations"):
        script = names_of(run)
        configs = [script["config_of"](name, 0) for name in script["SETTINGS"]]
        assert all(one != other for i, one in enumerate(configs) for other in configs[:i])
    assert names_of("reinforce_9x9")["recipe"]().iterations > 0
    clone = names_of("search_clone")
    assert all(clone["recipe"](name).games > 0 for name in clone["RECIPES"])

"""What is chosen where a GPU is found: the command of chapter 10, and the threads of the command line."""

import subprocess
import sys
from pathlib import Path

import nbformat
import psutil
import pytest
import torch
from typer.testing import CliRunner

from mock5lib.alphazero import loop as az
from mock5lib.cli import app

CHAPTER = Path(__file__).parent.parent / "chapters" / "ch10_your_own_run.ipynb"


def command_of_the_chapter(gpu: bool, home: Path, monkeypatch, rehearsal: bool = False) -> list[str]:
    """What the chapter's cells would start, after `python -m mock5lib.cli`."""
    cells = [cell.source for cell in nbformat.read(CHAPTER, as_version=4).cells if cell.cell_type == "code"]
    asked, begun = (i for i, source in enumerate(cells) if "COMMAND = [sys" in source or "def start()" in source)
    started = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **options: started.append(command))
    names = {"GPU": gpu, "MINUTES": 20, "HOME": home, "RUN": home / "my_run", "REHEARSAL": rehearsal}
    names |= {"sys": sys, "subprocess": subprocess, "psutil": psutil}
    exec("\n".join([cells[asked], cells[begun]]), names)
    (command,) = started
    assert command[:3] == [sys.executable, "-m", "mock5lib.cli"]
    return command[3:]


@pytest.mark.parametrize("gpu, rehearsal", [(True, False), (False, False), (False, True)])
def test_chapter_10_starts_what_the_command_line_understands(gpu, rehearsal, tmp_path, monkeypatch):
    asked = {}

    def note(config, **options):
        asked.update(options, config=config)
        raise ValueError("enough")

    arguments = command_of_the_chapter(gpu, tmp_path, monkeypatch, rehearsal)
    monkeypatch.setattr(az, "alphazero", note)
    assert "enough" in CliRunner().invoke(app, arguments).output
    assert asked["folder"] == tmp_path / "my_run"
    if gpu:
        assert asked["config"] == az.preset("gpu", evaluate_every=5)
        assert asked["device"] == "cuda" and asked["minutes"] == 20
    else:
        assert asked["config"].rules == az.preset("laptop").rules and asked["device"] == "cpu"
        assert (asked["minutes"], bool(asked["iterations"])) == ((None, True) if rehearsal else (20, False))


def test_the_trees_get_all_threads_only_where_a_gpu_answers(monkeypatch):
    import numba

    from mock5lib.cli.train import usual_threads

    for gpu, device, most in ((True, "auto", True), (True, "cuda", True), (True, "cpu", False), (False, "auto", False)):
        monkeypatch.setattr(torch.cuda, "is_available", lambda gpu=gpu: gpu)
        assert usual_threads(device) == (numba.config.NUMBA_NUM_THREADS if most else 1)

"""`mock5 train alphago` without TensorFlow: one line says what is wrong."""

import builtins
import sys

import pytest

pytest.importorskip("typer")
from typer.testing import CliRunner

from mock5lib.cli import app
from mock5lib.gomoku.generator import generate


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    return generate(20, "mixed", "mixed", 7, 7, randomness=0.1, seed=1).save(tmp_path_factory.mktemp("r") / "r.npz")


def run(*arguments):
    return CliRunner().invoke(app, ["train", "alphago", *map(str, arguments)])


def test_without_tensorflow_the_command_says_so(tmp_path, records, monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **options):
        if name.split(".")[0] in ("keras", "tensorflow"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real(name, *arguments, **options)

    for module in [name for name in sys.modules if name.startswith("mock5lib.alphago.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", without)
    result = run(records, tmp_path)
    assert result.exit_code == 2 and "need TensorFlow" in result.output

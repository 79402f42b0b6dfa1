"""`mock5 train alphago`: it trains, goes on where it stopped, and says in one line what is wrong."""

import builtins
import sys

import pytest

pytest.importorskip("typer")
from typer.testing import CliRunner

from mock5lib.cli import app
from mock5lib.gomoku.generator import generate

TINY = ["--filters", "4", "--layers", "3", "--fast-steps", "2", "--strong-steps", "2", "--batch-size", "8"]
TINY += ["--iterations", "2", "--games", "4", "--value-positions", "20", "--value-epochs", "1"]


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    return generate(20, "mixed", "mixed", 7, 7, randomness=0.1, seed=1).save(tmp_path_factory.mktemp("r") / "r.npz")


def run(*arguments):
    return CliRunner().invoke(app, ["train", "alphago", *map(str, arguments)])


@pytest.mark.slow
def test_the_command_trains_stage_by_stage_and_goes_on_where_it_stopped(tmp_path, records):
    pytest.importorskip("tensorflow")
    first = run(records, tmp_path / "nets", *TINY, "--stages", "fast,strong")
    assert first.exit_code == 0, first.output
    assert "strong: epoch 1, accuracy" in first.output and "value.keras" not in first.output
    rest = run(records, tmp_path / "nets", *TINY, "--quiet")
    assert rest.exit_code == 0, rest.output
    assert rest.output.count("is there already") == 2 and "epoch" not in rest.output
    assert {path.name for path in (tmp_path / "nets").glob("*.*")} == {
        ".lock",
        "fast.keras",
        "strong.keras",
        "reinforced.keras",
        "positions.npz",
        "value.keras",
    }


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

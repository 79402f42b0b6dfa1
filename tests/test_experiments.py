"""The scripts beside the results in data/runs: each starts, and its settings are ones that the package takes."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = sorted((ROOT / "data" / "runs").rglob("*.py"))


def names_of(run: str) -> dict:
    """What the script of a run defines."""
    return runpy.run_path(str(ROOT / "data" / "runs" / run / "run.py"))


def test_each_script_lies_in_the_folder_of_its_results():
    for script in SCRIPTS:
        assert script.parent.parent.name == "runs"
        results = [path for path in script.parent.iterdir() if path.suffix in (".jsonl", ".npz")]
        assert results and (script.parent / "README.md").exists()


@pytest.mark.parametrize("run", ["ablations_9x9", "alphazero_ablations"])
def test_each_ablation_is_a_config_of_its_own(run):
    script = names_of(run)
    configs = [script["config_of"](name, 0) for name in script["SETTINGS"]]
    assert all(one != other for i, one in enumerate(configs) for other in configs[:i])


def test_the_recipes_of_the_long_runs_are_settings_of_today():
    assert names_of("reinforce_9x9")["recipe"]().iterations > 0
    clone = names_of("search_clone")
    for name in clone["RECIPES"]:
        assert clone["recipe"](name).games > 0

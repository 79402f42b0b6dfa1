"""What is chosen where a GPU is found: chapter 6's cell that trains there, and the threads of the command line."""

import json
from pathlib import Path
from types import SimpleNamespace

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pytest
import torch

from mock5lib.alphazero import loop as az

CHAPTER = Path(__file__).parent.parent / "chapters" / "ch06_alphazero.ipynb"


def the_cell() -> str:
    """The source of the one cell that asks for the scale."""
    cells = json.loads(CHAPTER.read_text(encoding="utf-8"))["cells"]
    (source,) = (text for text in ("".join(cell["source"]) for cell in cells) if "course.scale ==" in text)
    return source


def run_cell(monkeypatch, scale: str, gpu: bool):
    """Run the cell; returns its names, and the config and minutes that it asked for."""
    torch.set_num_threads(1)
    asked = {}

    def preset(name, **changes):
        asked["config"] = az.preset(name, **changes)
        return az.Config(height=4, width=4, k=3, games=6, plies=5, simulations=8, window=300, fill=20, batch_size=16)

    def train(config, minutes):
        asked["minutes"] = minutes
        return az.alphazero(config, iterations=4, device="cpu", log=None)

    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpu)
    monkeypatch.setattr(plt, "show", lambda: None)
    names = {
        "course": SimpleNamespace(scale=scale),
        "torch": torch,
        "plt": plt,
        "az": SimpleNamespace(preset=preset, alphazero=train),
    }
    exec(the_cell(), names)
    plt.close("all")
    return names, asked


def test_with_a_gpu_and_its_scale_the_preset_is_trained_at_full_size_within_the_budget(monkeypatch):
    names, asked = run_cell(monkeypatch, "gpu", True)
    config, full = asked["config"], az.preset("gpu")
    assert config.height == 15 and config.sizes == full.sizes
    assert (config.games, config.plies, config.simulations) == (full.games, full.plies, full.simulations)
    assert 0 < asked["minutes"] <= 3
    assert len(names["gpu_rows"]) == 4


@pytest.mark.parametrize(("scale", "gpu"), [("cpu", True), ("gpu", False), ("cpu", False)])
def test_without_either_nothing_is_trained_and_the_cell_says_so(monkeypatch, capsys, scale, gpu):
    names, asked = run_cell(monkeypatch, scale, gpu)
    assert not asked and "gpu_rows" not in names
    assert "nothing is trained here" in capsys.readouterr().out


def test_the_trees_get_all_threads_only_where_a_gpu_answers(monkeypatch):
    import numba

    from mock5lib.cli.alphazero import usual_threads

    for gpu, device, most in ((True, "auto", True), (True, "cuda", True), (True, "cpu", False), (False, "auto", False)):
        monkeypatch.setattr(torch.cuda, "is_available", lambda gpu=gpu: gpu)
        assert usual_threads(device) == (numba.config.NUMBA_NUM_THREADS if most else 1)

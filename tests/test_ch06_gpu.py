"""What is chosen where a GPU is found: chapter 6's cell that trains there, and the threads of the command line."""

from pathlib import Path

import nbformat
import pytest
import torch

from mock5lib.alphazero import loop as az
from tools.notebooks import execute

CHAPTER = Path(__file__).parent.parent / "chapters" / "ch06_alphazero.ipynb"


def said_by_the_cell() -> str:
    """What the one cell that asks for the scale prints, run in a kernel after the set-up and what it imports."""
    chapter = nbformat.read(CHAPTER, as_version=4)
    (cell,) = (cell for cell in chapter.cells if cell.cell_type == "code" and "course.scale ==" in cell.source)
    (set_up,) = (cell for cell in chapter.cells if "setup" in cell.metadata.get("tags", ()))
    imports = "import matplotlib.pyplot as plt\nimport torch\nfrom mock5lib.alphazero import loop as az"
    chapter.cells = [set_up, nbformat.v4.new_code_cell(imports), cell]
    execute(chapter, CHAPTER.parent)
    return "".join(output.get("text", output.get("data", {}).get("text/plain", "")) for output in cell.outputs)


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["cpu", "gpu"])
def test_without_a_gpu_and_its_scale_nothing_is_trained_and_the_cell_says_so(monkeypatch, scale):
    monkeypatch.setenv("MOCK5_SCALE", scale)
    if scale == "gpu":
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert "nothing is trained here" in said_by_the_cell()


@pytest.mark.slow
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA GPU")
def test_with_a_gpu_and_its_scale_the_preset_is_trained_and_drawn(monkeypatch):
    """Three minutes of playing and learning; the cell itself asserts on the rows that it draws."""
    monkeypatch.setenv("MOCK5_SCALE", "gpu")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    said = said_by_the_cell()
    assert "Figure" in said and "nothing is trained" not in said


def test_the_preset_for_a_gpu_plays_on_the_large_board_with_many_games_at_once():
    """The chapter's cell changes nothing else of it."""
    config, full = az.preset("gpu", fill=10_000, evaluate_every=10, evaluation_games=20), az.preset("gpu")
    assert config.game.height == config.game.width == 15 and config.net == full.net
    assert config.selfplay == full.selfplay and config.selfplay.games >= 512


def test_the_trees_get_all_threads_only_where_a_gpu_answers(monkeypatch):
    import numba

    from mock5lib.cli.alphazero import usual_threads

    for gpu, device, most in ((True, "auto", True), (True, "cuda", True), (True, "cpu", False), (False, "auto", False)):
        monkeypatch.setattr(torch.cuda, "is_available", lambda gpu=gpu: gpu)
        assert usual_threads(device) == (numba.config.NUMBA_NUM_THREADS if most else 1)

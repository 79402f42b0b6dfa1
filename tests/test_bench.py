"""The benchmark runner; and `python -m bench gpu`: what it refuses to measure, and all its steps, tiny, on the CPU."""

import json
import platform

import numpy as np
import pytest
import torch

from bench import gpu
from bench.__main__ import table
from bench._rows import machine, row
from mock5lib import load_agent
from mock5lib.nets.cuda import CapturedExpert


def test_the_table_has_one_line_a_row_and_what_is_kept_names_no_machine():
    rows = [row("playouts", 1234.5, "playouts/s"), row("games", 2, "games/s", "readable", 1)]
    assert table("Speed", rows).row_count == 2
    assert platform.node() not in json.dumps(machine()) and machine()["libraries"]["numpy"] == np.__version__


def test_without_a_gpu_one_sentence_says_so_and_nothing_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    said = []
    assert gpu.main(None, tmp_path / "bench", said.append) == 1
    assert said == ["bench gpu: No CUDA GPU found here. `python -m bench gpu --device cpu` tries the same steps, tiny."]
    assert not (tmp_path / "bench").exists()


@pytest.mark.parametrize("defect, said", [("stale", "differ by"), ("wrong", "differ by")])
def test_a_device_that_answers_wrongly_is_not_measured(monkeypatch, tmp_path, defect, said):
    answer, first = CapturedExpert.__call__, {}

    def broken(expert, planes):
        right = answer(expert, planes)
        if defect == "wrong":
            return right[0], np.clip(right[1] + 0.1, -1, 1)
        return first.setdefault(planes.tobytes(), right)

    monkeypatch.setattr(CapturedExpert, "__call__", broken)
    lines = []
    assert gpu.main("cpu", tmp_path, lines.append) == 1
    assert said in lines[-1] and not list((tmp_path / "steps").iterdir())


@pytest.mark.slow
def test_every_step_runs_on_a_cpu_and_a_call_that_was_cut_off_goes_on(tmp_path, monkeypatch):
    said = []
    torch.set_num_threads(1)

    def cut_off(job):
        """the step in which the call ends"""
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setitem(gpu.STEPS, "mixed", cut_off)
        with pytest.raises(KeyboardInterrupt):
            gpu.main("cpu", tmp_path, said.append)
    done = list(gpu.STEPS)[: list(gpu.STEPS).index("mixed")]
    assert sorted(path.stem for path in (tmp_path / "steps").iterdir()) == sorted(done)
    assert gpu.main("cpu", tmp_path, said.append) == 0
    assert [line for line in said if "done before" in line] == [f"{name}: done before" for name in done]
    results = json.loads((tmp_path / "kept/results.json").read_text())
    assert results["mixed"]["games"] == results["stored"]["games"] == gpu.TINY.games
    assert {one["halves"] for one in results["search"]["rows"]} == {1, 2}
    assert all(0 < one["busy"] <= 1.01 for one in results["search"]["rows"])
    assert (
        load_agent(tmp_path / "kept/checkpoint").name and "simulations/s" in (tmp_path / "kept/README.md").read_text()
    )

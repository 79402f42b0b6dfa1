"""`python -m bench gpu`: what it needs, what it refuses to measure, and all its steps at a tiny size on the CPU."""

import json

import numpy as np
import pytest
import torch

from bench import _gpu
from bench import _gpu_tests as device_tests
from mock5lib import load_agent
from mock5lib.nets.cuda_graph import CapturedExpert
from mock5lib.nets.nets import half_type

CPU = torch.device("cpu")


def a_job(folder):
    return _gpu.job_for("cpu", quick=False, folder=folder)


def test_without_a_gpu_one_sentence_says_so_and_nothing_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    said = []
    assert _gpu.main(None, quick=False, folder=tmp_path / "bench", say=said.append) == 1
    assert said == ["bench gpu: No CUDA GPU found here. `python -m bench gpu --device cpu` tries the same steps, tiny."]
    assert not (tmp_path / "bench").exists()


def test_the_card_names_the_folder_and_a_quick_run_stays_out_of_the_kept_data(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "NVIDIA H100 80GB HBM3")
    whole, quick = _gpu.job_for("cuda", quick=False), _gpu.job_for("cuda", quick=True)
    assert whole.kept == _gpu.ROOT / "data" / "runs" / "gpu_h100_80gb_hbm3" and whole.size.minutes == 15
    assert _gpu.ROOT / "data" not in quick.kept.parents and quick.work != whole.work


@pytest.mark.parametrize("capability, wanted", [((7, 5), torch.float16), ((8, 0), torch.bfloat16)])
def test_a_card_without_bfloat16_gets_float16(monkeypatch, capability, wanted):
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    assert half_type(torch.device("cuda")) == wanted and half_type(CPU) == torch.bfloat16


@pytest.mark.parametrize("defect, said", [("stale", "new weights were not seen"), ("wrong", "differ by")])
def test_a_device_that_answers_wrongly_is_not_measured(monkeypatch, tmp_path, defect, said):
    answer, first = CapturedExpert.__call__, {}

    def broken(expert, planes):
        right = answer(expert, planes)
        if defect == "wrong":
            return right[0], np.clip(right[1] + 0.1, -1, 1)
        return first.setdefault(planes.tobytes(), right)

    monkeypatch.setattr(CapturedExpert, "__call__", broken)
    lines = []
    assert _gpu.main("cpu", quick=True, folder=tmp_path, say=lines.append) == 1
    assert said in lines[-1] and not list((tmp_path / "steps").iterdir())


def test_out_of_memory_is_told_and_names_the_settings_to_lower(tmp_path):
    assert "Lower games" in device_tests.out_of_memory(a_job(tmp_path))


@pytest.mark.slow
def test_every_step_runs_on_a_cpu_and_a_call_that_was_cut_off_goes_on(tmp_path, monkeypatch):
    """The training is a process of its own that is killed and resumed; the call is cut off after it."""
    job, said = a_job(tmp_path), []
    torch.set_num_threads(1)
    names = list(_gpu.steps())
    steps = _gpu.steps()

    def cut_off(job):
        """the step in which the call ends"""
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(_gpu, "steps", lambda: {**steps, "mixed": cut_off})
        with pytest.raises(KeyboardInterrupt):
            _gpu.run(job, said.append)
    done = names[: names.index("mixed")]
    assert sorted(path.stem for path in (tmp_path / "steps").iterdir()) == sorted(done)
    assert _gpu.main("cpu", quick=False, folder=tmp_path, say=said.append) == 0
    assert [line for line in said if "done before" in line] == [f"{name}: done before" for name in done]

    results = json.loads((job.kept / "results.json").read_text())
    assert results["killed"]["checkpoint"] >= 1 and results["trained"]["iteration"] >= results["killed"]["checkpoint"]
    assert results["mixed"]["games"] == results["stored"]["games"] == job.size.games
    assert {row["halves"] for row in results["search"]["rows"]} == {1, 2}
    assert all(0 < row["busy"] <= 1.01 for row in results["search"]["rows"])
    assert {path.name for path in job.kept.glob("*.png")} == {"curves.png", "speed.png"}
    assert load_agent(job.kept / "checkpoint").name and "kill" in (job.kept / "README.md").read_text()

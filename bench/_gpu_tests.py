"""What must hold before a device is measured: the captured net answers as the plain one does, and memory has an end."""

from __future__ import annotations

from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
import torch

from mock5lib import Mock5
from mock5lib.alphazero import loop as az
from mock5lib.game.encoders import three_planes
from mock5lib.game.table import OCCUPIED
from mock5lib.nets.cuda_graph import CapturedExpert, padded
from mock5lib.nets.nets import expert_of, make_net

# Largest difference of two answers, see `difference`. The two run the same net, but a library may choose another way to
# convolve for another batch, and TF32 and float16 have 10 bits of fraction, bfloat16 has 7.
TOLERANCE = {"float32": 0.02, "16 bits": 0.15}
BATCHES = (1, 9, 64, 300)


def tests(job) -> dict:
    """the captured net answers as the plain one, sees new weights, pads its batches; out of memory is told"""
    found = {}
    for name, sizes in (("residual", job.size.residual), ("patterns", job.size.patterns)):
        for precision, half in (("float32", False), ("16 bits", True)):
            if name == "patterns" and half:
                continue  # it plays in float32 everywhere
            net = make_net(name, value=True, seed=0, **sizes).eval().to(job.device)
            found[f"{name}, {precision}"] = captured_as_plain(net, sizes, half, precision, job)
    found["out of memory"] = out_of_memory(job)
    return {"largest difference": found, "tolerance": TOLERANCE}


def planes_of(count: int, side: int, seed: int = 0) -> np.ndarray:
    """Planes (count, 3, side, side) of unfinished positions with up to 12 random stones."""
    rng, games = np.random.default_rng(seed), []
    for _ in range(count):
        game = Mock5(side, side)
        for move in rng.permutation(side * side)[: rng.integers(13)]:
            if game.winner is None:
                game.apply(int(move))
        games.append(game)
    return three_planes.encode(games)


def difference(one, other) -> float:
    """The largest difference of two answers: of log-priors, in units of their spread over a board, and of values.

    An untrained net's priors lie close together, so that the same difference says more than it would of a trained one.
    """
    legal = other[0] > OCCUPIED / 2
    spread = np.array([row[which].std() for row, which in zip(other[0], legal)])
    priors = np.where(legal, np.abs(one[0] - other[0]), 0).max(axis=1) / spread
    return float(max(priors.max(), np.abs(one[1] - other[1]).max()))


def captured_as_plain(net, sizes: dict, half: bool, precision: str, job) -> float:
    """The largest difference between the captured and the plain net; an AssertionError says what is wrong."""
    what = f"{precision} on {job.device}"
    captured, worst = CapturedExpert(net, half=half), 0.0

    def compare(when: str) -> None:
        nonlocal worst
        plain = expert_of(net, half=half)
        for batch in BATCHES:
            planes = planes_of(batch, job.size.side, seed=batch)
            found = difference(captured(planes), plain(planes))
            assert found <= TOLERANCE[precision], f"{what}: captured and plain net differ by {found:.4f} {when}."
            worst = max(worst, found)

    compare("at first")
    padding = {shape[0] for shape in captured.recordings}
    assert padding == {padded(batch) for batch in BATCHES}, f"{what}: batches were padded to {sorted(padding)}."
    assert captured.graphs == (job.device.type == "cuda"), f"{what}: the net could not be captured."
    planes = planes_of(9, job.size.side, seed=5)
    before = captured(planes)
    other = make_net(net.made["net"], value=True, seed=1, **sizes).to(job.device)
    with torch.no_grad():
        for weights, newest in zip(net.parameters(), other.parameters()):
            weights.copy_(newest)  # in place, as training does
    captured.refresh()
    assert difference(captured(planes), before) > 2 * TOLERANCE[precision], f"{what}: new weights were not seen."
    compare("after new weights")
    return worst


def out_of_memory(job) -> str:
    """What is said when memory ends; an AssertionError if it does not name the settings, or if nothing works after."""
    changes = {} if job.device.type == "cuda" else job.size.changes
    config = az.preset("gpu", **{**changes, "evaluate_every": 0})
    said = ""
    try:
        with exhausted(job.device):
            az.alphazero(config, iterations=30, device=job.device.type, log=None)
    except MemoryError as problem:
        said = str(problem)
    assert "GPU memory" in said and "batch_size" in said, f"Out of memory was told as {said!r}."
    net = make_net("residual", value=True, seed=0, **job.size.residual).to(job.device)
    assert np.isfinite(CapturedExpert(net)(planes_of(9, job.size.side))[1]).all(), "After it, the net does not answer."
    return said


@contextmanager
def exhausted(device: torch.device):
    """A device with hardly any memory: 16 MiB on a GPU; elsewhere a gradient step that finds none."""
    if device.type != "cuda":
        with patch.object(az, "descend", side_effect=torch.OutOfMemoryError("imitated")):
            yield
        return
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(2**24 / torch.cuda.get_device_properties(device).total_memory)
    try:
        yield
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
        torch.cuda.empty_cache()

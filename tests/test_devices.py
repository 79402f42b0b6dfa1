"""Nothing of a run mixes devices.

The device "meta" stands for a GPU: every machine has it; its tensors have shape and type but no numbers, can't be mixed
with those of the CPU, and can't be copied off it. With a GPU the last test runs for real.
"""

from pathlib import Path

import numpy as np
import pytest
import torch

from mock5lib.alphazero import loop as az
from mock5lib.alphazero.folder import RunFolder
from mock5lib.alphazero.replay import Sample
from mock5lib.learn.supervised import descend
from mock5lib.nets.blocks import fuse_norms
from mock5lib.nets.checkpoints import load_checkpoint
from mock5lib.nets.cuda_graph import Direct, Recording
from mock5lib.nets.nets import device_of, heads, make_net

META = torch.device("meta")
NETS = {"patterns": {"layers": 1}, "residual": {"blocks": 1}, "hidden": {}, "stack": {}, "linear": {}, "expert": {}}
SMALL = dict(
    height=4,
    width=4,
    k=3,
    games=6,
    plies=5,
    simulations=8,
    window=300,
    fill=20,
    batch_size=16,
    replay_ratio=4,
    opponents=("mcts:20", "past"),
    evaluation_games=2,
    evaluation_simulations=8,
)


def test_the_stand_in_refuses_a_mix_of_devices():
    with pytest.raises(RuntimeError, match="device cpu"):
        torch.zeros(3, device=META) + torch.zeros(3)


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("name", NETS)
def test_a_net_answers_from_its_own_device(name, value):
    net = make_net(name, value=value, **NETS[name]).eval().to(META)
    with torch.inference_mode():
        log_priors, values = heads(net, torch.zeros(5, 3, 9, 9, device=META))
    assert log_priors.device == META and log_priors.shape == (5, 81)
    assert values is None or (values.device == META and values.shape == (5,))


@pytest.mark.parametrize("name", NETS)
def test_a_recording_works_on_the_nets_device(name):
    half = name != "patterns"
    net = make_net(name, value=True, **NETS[name]).eval()
    net = (fuse_norms(net).to(torch.bfloat16) if half else net).to(META)
    with torch.inference_mode():
        recording = Recording(net, (8, 3, 9, 9), torch.bfloat16 if half else torch.float32, Direct(META))
        recording.replay()
    assert recording.device_planes.device == recording.device_answers.device == META
    assert recording.planes.device == recording.answers.device == torch.device("cpu")
    assert recording.answers.shape == recording.device_answers.shape == (8, 82)


@pytest.mark.parametrize("name", NETS)
def test_a_gradient_step_stays_on_the_nets_device(name):
    net = make_net(name, value=True, **NETS[name]).to(META)
    optimizer = torch.optim.AdamW(net.parameters())
    sample = [np.zeros((4, 3, 6, 6)), np.full((4, 36), 1 / 36), np.zeros(4), np.ones(4)]
    losses = az.losses_of(net, Sample(*(part.astype(np.float32) for part in sample)))
    assert all(loss.device == META and loss.dtype == torch.float32 for loss in losses)
    descend(net, losses[0] + losses[1], optimizer, 1.0)
    assert optimizer.state and all(slot["exp_avg"].device == META for slot in optimizer.state.values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run"
    torch.set_num_threads(1)
    az.alphazero(az.changed(az.Config(), **SMALL, evaluate_every=2), iterations=4, folder=path, device="cpu", log=None)
    return path


@pytest.mark.filterwarnings("ignore:for .*copying from a non-meta parameter")
def test_a_run_that_goes_on_stays_on_its_device(folder):
    config = az.changed(az.Config(), **SMALL, evaluate_every=2)
    run = az.AlphaZeroRun(config, "meta")
    before = [id(weights) for weights in run.player.parameters()]
    with RunFolder(folder, config) as kept:
        kept.resume(run, lambda text: None)
    assert run.iteration == 4 and run.past is not None
    assert {device_of(net).type for net in (run.net, run.average, run.player)} == {"meta"}
    assert [id(weights) for weights in run.player.parameters()] == before  # what a recording reads stays in its place
    assert {slot["exp_avg"].device.type for slot in run.optimizer.state.values()} == {"meta"}
    assert {slot["step"].device.type for slot in run.optimizer.state.values()} == {"cpu"}


def test_the_loop_keeps_the_players_tensors(folder):
    config = az.changed(az.Config(), **SMALL, evaluate_every=2)
    run = az.AlphaZeroRun(config)
    before = [weights.data_ptr() for weights in (*run.player.parameters(), *run.player.buffers())]
    with RunFolder(folder, config) as kept:
        kept.resume(run, lambda text: None)
    for _ in range(2):
        az.iterate(run)
    az.evaluate(run)
    assert [weights.data_ptr() for weights in (*run.player.parameters(), *run.player.buffers())] == before


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA GPU")
@pytest.mark.parametrize("name", ["patterns", "residual"])
def test_a_run_on_cuda_goes_on_and_its_checkpoint_loads_without_a_gpu(tmp_path, name):
    sizes = {"reach": 3} if name == "patterns" else {"channels": 8, "blocks": 1}
    config = az.changed(az.Config(), **SMALL, net=name, sizes=sizes, evaluate_every=2)
    az.alphazero(config, iterations=4, folder=tmp_path / "run", keep_every=2, device="cuda", log=None)
    run = az.alphazero(config, iterations=6, folder=tmp_path / "run", keep_every=2, device="cuda", log=None)
    assert run.iteration == 6 and device_of(run.player).type == "cuda" and run.selfplay.halves == 2
    assert 0 < run.metrics[-1]["net_seconds"] <= run.metrics[-1]["selfplay_seconds"]
    loaded = load_checkpoint(tmp_path / "run" / "last").net
    assert device_of(loaded).type == "cpu"
    for one, other in zip(loaded.state_dict().values(), run.player.state_dict().values()):
        assert np.array_equal(one.numpy(), other.cpu().numpy())

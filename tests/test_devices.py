"""Nothing of a run mixes devices.

The device "meta" stands for a GPU: every machine has it; its tensors have shape and type but no numbers, can't be mixed
with those of the CPU, and can't be copied off it. With a GPU the last test runs for real.
"""

from contextlib import contextmanager
from inspect import getclosurevars, unwrap
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from mock5lib.alphazero import loop as az
from mock5lib.alphazero.replay import Sample
from mock5lib.alphazero.run_folder import SelfPlayFolder
from mock5lib.base.runs import RunFolder
from mock5lib.game.board import Rules
from mock5lib.gomoku.generator import generate
from mock5lib.learn import CloneSettings, ReinforceSettings, Trainer, evaluate, train
from mock5lib.learn.policy_gradient import reinforce
from mock5lib.learn.search_clone import clone_search
from mock5lib.learn.trainer import descend
from mock5lib.nets import nets
from mock5lib.nets.blocks import fuse_norms
from mock5lib.nets.checkpoints import load_checkpoint, save_checkpoint
from mock5lib.nets.cuda import CapturedExpert
from mock5lib.nets.nets import NetAgent, NetPolicy, device_of, expert_of, heads, make_net

META = torch.device("meta")
NETS = {"patterns": {"layers": 1}, "residual": {"blocks": 1}, "hidden": {}, "stack": {}, "linear": {}, "expert": {}}
SMALL = dict(height=4, width=4, k=3, games=6, plies=5, simulations=8, window=300, fill=20, batch_size=16)
SMALL |= dict(replay_ratio=4, opponents=("mcts:20", "past"), evaluation_games=2, evaluation_simulations=8)


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("name", NETS)
def test_a_net_answers_from_its_own_device(name, value):
    net = make_net(name, value=value, **NETS[name]).eval().to(META)
    with torch.inference_mode():
        log_priors, values = heads(net, torch.zeros(5, 3, 9, 9, device=META))
    assert log_priors.device == META and log_priors.shape == (5, 81)
    assert values is None or (values.device == META and values.shape == (5,))


@pytest.mark.parametrize("name", NETS)
def test_what_is_recorded_stays_on_the_nets_device(name):
    half = name != "patterns"
    net = make_net(name, value=True, **NETS[name]).eval()
    net = (fuse_norms(net).to(torch.bfloat16) if half else net).to(META)
    expert = CapturedExpert(net)
    expert.dtype = torch.bfloat16 if half else torch.float32
    with torch.inference_mode():
        answers = expert.work(torch.zeros(8, 3, 9, 9, device=META))
    assert answers.device == META and answers.dtype == torch.float32 and answers.shape == (8, 82)


@pytest.mark.parametrize("name", NETS)
def test_a_net_of_16_bits_answers(name):
    net = make_net(name, value=True, **NETS[name]).eval().to(torch.float16)
    planes = torch.zeros(2, 3, 9, 9, dtype=torch.float16)
    planes[0, 2] = 1  # an empty board, and one that is full
    with torch.inference_mode():
        log_priors, values = heads(net, planes)
    assert torch.isfinite(log_priors).all() and torch.isfinite(values).all()


@pytest.mark.parametrize("capability, wanted", [((7, 5), torch.float16), ((8, 0), torch.bfloat16)])
def test_a_card_without_bfloat16_gets_float16(monkeypatch, capability, wanted):
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    assert nets.half_type(torch.device("cuda")) == wanted and nets.half_type(torch.device("cpu")) == torch.bfloat16


def test_an_agent_made_before_training_follows_it_on_a_gpu_too(monkeypatch):
    net = make_net("hidden", value=True)
    monkeypatch.setattr(nets, "device_of", lambda net: torch.device("cuda"))
    for expert in (expert_of(net), NetPolicy(net).expert, NetAgent(net).policy.expert):
        assert getclosurevars(unwrap(expert)).nonlocals["used"] is net


class OnlyInside(TorchDispatchMode):
    """Counts convolutions; each must run while a context is open."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = 0, 0

    @contextmanager
    def context(self, net, benchmark=None):
        self.open += 1
        yield
        self.open -= 1

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if "convolution" in str(func):
            assert self.open, f"{func} runs in the precision that happens to be set"
            self.seen += 1
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("way", ["records", "reinforce", "clone"])
def test_every_convolution_of_learning_runs_in_the_precision_that_the_net_wants(way, monkeypatch):
    inside = OnlyInside()
    for room in ("nets.nets", "learn.trainer", "learn.policy_gradient"):
        monkeypatch.setattr(f"mock5lib.{room}.convolutions", inside.context)
    net, rules = make_net("patterns", value=True, reach=2, seed=0), Rules(5, 5, 3)
    with inside:
        if way == "records":
            records = generate(2, "random", "random", 5, 5, seed=0, workers=1)
            train(net, records, steps=1, progress=False)
            evaluate(net, records)
        elif way == "reinforce":
            settings = ReinforceSettings(iterations=1, games=2, kl=0.1)
            reinforce(net, "random", settings, rules=rules, progress=False)
        else:
            settings = CloneSettings(episodes=2, games=2, simulations=2, steps=1)
            clone_search(net, settings, opponent="random", rules=rules, progress=False)
    assert inside.seen


@pytest.mark.filterwarnings("ignore:for .*copying from a non-meta parameter")
def test_a_net_given_to_be_filled_stays_on_its_device(tmp_path):
    there = save_checkpoint(tmp_path / "net", make_net("hidden", seed=0))
    net = make_net("hidden", seed=1).to(META)
    assert load_checkpoint(there, net).net is net and device_of(net) == META
    assert device_of(load_checkpoint(there).net).type == "cpu"


@pytest.mark.filterwarnings("ignore:for .*copying from a non-meta parameter")
def test_learning_that_goes_on_stays_on_its_device(tmp_path):
    def trainer_on(device):
        net = make_net("hidden", seed=0).to(device)
        return Trainer(net, torch.optim.Adam(net.parameters()))

    first = trainer_on("cpu")
    with RunFolder(tmp_path / "run", {}) as store:
        first.resume(store)
        first.step(sum(weights.square().sum() for weights in first.net.parameters()), "Step 1")
        first.keep(store, [{"step": 1}], {})
    second = trainer_on(META)
    with RunFolder(tmp_path / "run", {}) as store:
        assert second.resume(store)[0] == [{"step": 1}]
    assert device_of(second.net) == META
    assert {slot["exp_avg"].device for slot in second.optimizer.state.values()} == {META}


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
    az.alphazero(az.Config(**SMALL, evaluate_every=2), iterations=4, folder=path, device="cpu", log=None)
    return path


@pytest.mark.filterwarnings("ignore:for .*copying from a non-meta parameter")
def test_a_run_that_goes_on_stays_on_its_device(folder):
    config = az.Config(**SMALL, evaluate_every=2)
    run = az.AlphaZeroRun(config, "meta")
    before = [id(weights) for weights in run.player.parameters()]
    with SelfPlayFolder(folder, config) as kept:
        kept.go_on(run, lambda text: None)
    assert run.iteration == 4 and run.past is not None
    assert {device_of(net).type for net in (run.net, run.average, run.player)} == {"meta"}
    assert [id(weights) for weights in run.player.parameters()] == before  # what a recording reads stays in its place
    assert {slot["exp_avg"].device.type for slot in run.optimizer.state.values()} == {"meta"}
    assert {slot["step"].device.type for slot in run.optimizer.state.values()} == {"cpu"}


def test_the_loop_keeps_the_players_tensors(folder):
    config = az.Config(**SMALL, evaluate_every=2)
    run = az.AlphaZeroRun(config)
    before = [weights.data_ptr() for weights in (*run.player.parameters(), *run.player.buffers())]
    with SelfPlayFolder(folder, config) as kept:
        kept.go_on(run, lambda text: None)
    for _ in range(2):
        az.iterate(run)
    az.evaluate(run)
    assert [weights.data_ptr() for weights in (*run.player.parameters(), *run.player.buffers())] == before


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA GPU")
@pytest.mark.parametrize("name", ["patterns", "residual"])
def test_a_run_on_cuda_goes_on_and_its_checkpoint_loads_without_a_gpu(tmp_path, name):
    sizes = {"reach": 3} if name == "patterns" else {"channels": 8, "blocks": 1}
    config = az.Config(**SMALL, net=name, sizes=sizes, evaluate_every=2)
    az.alphazero(config, iterations=4, folder=tmp_path / "run", keep_every=2, device="cuda", log=None)
    run = az.alphazero(config, iterations=6, folder=tmp_path / "run", keep_every=2, device="cuda", log=None)
    assert run.iteration == 6 and device_of(run.player).type == "cuda" and len(run.selfplay.parts) == 2
    assert 0 < run.metrics[-1]["net_seconds"] <= run.metrics[-1]["selfplay_seconds"]
    loaded = load_checkpoint(tmp_path / "run" / "last").net
    assert device_of(loaded).type == "cpu"
    for one, other in zip(loaded.state_dict().values(), run.player.state_dict().values()):
        assert np.array_equal(one.numpy(), other.cpu().numpy())

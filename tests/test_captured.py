"""The captured expert: a recording per batch size that reads the live weights.

All but CUDA's graphs runs on a CPU, where the steps of a recording are done one by one. That a net can be recorded is
tried on a GPU, the last test; that it stays on its device and looks at no number, in `test_devices.py`.
"""

import copy
import warnings
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import numpy as np
import pytest
import torch

from mock5lib.alphazero import loop as az
from mock5lib.game.board import Mock5
from mock5lib.game.encoders import three_planes
from mock5lib.nets.cuda import LEAST, CapturedExpert, Metered, padded
from mock5lib.nets.nets import expert_of, make_net

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
NETS = {
    "patterns": {"width": 4, "reach": 3, "head": 8},
    "residual": {"channels": 8, "blocks": 1},
    "hidden": {"channels": 8, "first": 3},
    "expert": {},
}


def a_net(name="hidden", seed=0):
    return make_net(name, value=True, seed=seed, **NETS[name]).eval()


def planes_of(count, size=6, seed=0):
    """Planes of positions with 0 to 12 random stones."""
    rng = np.random.default_rng(seed)
    games = [Mock5(size, size, 5) for _ in range(count)]
    for game in games:
        for move in rng.permutation(size * size)[: rng.integers(13)]:
            if game.winner is None:
                game.apply(int(move))
    return three_planes.encode(games) if games else np.zeros((0, 3, size, size), np.float32)


def shift_weights(net, by=0.05):
    """Change a net's weights in place, as training does."""
    with torch.no_grad():
        for weights in net.parameters():
            weights.lerp_(torch.full_like(weights, by), 0.3)


def agree(one, other, atol=1e-5):
    return all(a.shape == b.shape and np.allclose(a, b, atol=atol) for a, b in zip(one, other))


# Batch sizes ----------------------------------------------------------------------------------------------------


def test_a_batch_is_padded_by_less_than_a_quarter():
    sizes = [padded(batch) for batch in range(1, 5000)]
    assert all(batch <= size for batch, size in enumerate(sizes, 1)) and sizes == sorted(sizes)
    assert all(size < 1.25 * batch for batch, size in enumerate(sizes, 1) if batch > LEAST)
    assert len(set(sizes)) < 45 and {8, 512, 1024} < set(sizes)


# Answers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", NETS)
def test_it_answers_as_the_plain_expert_does_whatever_the_batch(name, device):
    net = a_net(name).to(device)
    plain, expert = expert_of(net, half=False), CapturedExpert(net, half=False)
    for batch in (1, 7, 8, 9, 33, 2, 40, 33):
        planes = planes_of(batch, seed=batch)
        assert agree(expert(planes), plain(planes), 1e-5 if device == "cpu" else 1e-3)
    assert {shape[0] for shape in expert.recordings} == {8, 10, 40}


def test_a_weight_whose_tensor_is_replaced_makes_it_record_anew():
    net, other = a_net(seed=0), a_net(seed=1)
    expert = CapturedExpert(net)
    expert(planes_of(9)), expert(planes_of(30))
    shift_weights(net)
    expert.refresh()
    assert len(expert.recordings) == 2  # they read the weights where these are
    for mine, theirs in zip(net.parameters(), other.parameters()):
        mine.data = theirs.data.clone()
    expert.refresh()
    assert agree(expert(planes_of(9)), expert_of(other)(planes_of(9)))
    assert len(expert.recordings) == 1


def test_a_copy_in_half_precision_takes_the_newest_weights_when_told():
    net = a_net("residual")
    expert = CapturedExpert(net, half=True)
    first = expert(planes_of(9))
    assert agree(first, expert_of(net, half=True)(planes_of(9)), 1e-2)
    shift_weights(net)
    net.trunk[1].running_mean.add_(0.2)  # is folded into the copy's convolutions
    assert agree(expert(planes_of(9)), first, 0)
    expert.refresh()
    assert agree(expert(planes_of(9)), expert_of(net, half=True)(planes_of(9)), 1e-2)
    assert len(expert.recordings) == 1


def test_boards_of_another_size_get_a_recording_of_their_own():
    net = a_net("patterns")
    expert, plain = CapturedExpert(net), expert_of(net)
    for size in (6, 9, 6):
        assert agree(expert(planes_of(5, size)), plain(planes_of(5, size)))
    assert set(expert.recordings) == {(8, 3, 6, 6), (8, 3, 9, 9)}


def test_no_boards_get_no_answer():
    log_priors, values = CapturedExpert(a_net())(planes_of(0))
    assert log_priors.shape == (0, 36) and values.shape == (0,)


def test_a_net_without_a_value_head_answers_0():
    net = make_net("hidden", seed=0, channels=4, first=3)
    assert not CapturedExpert(net)(planes_of(3))[1].any()


def test_the_running_statistics_of_batch_norm_are_used_while_the_net_trains():
    net = a_net("residual")
    expert, expected = CapturedExpert(net), expert_of(net)(planes_of(9))
    net.train()
    assert agree(expert(planes_of(9)), expected)


def test_answers_stay_as_they_were_when_the_memory_is_used_again():
    expert = CapturedExpert(a_net())
    first = expert(planes_of(9, seed=1))
    kept = copy.deepcopy(first)
    expert(planes_of(9, seed=2))
    assert agree(first, kept, 0)


def test_the_rows_of_an_earlier_larger_batch_do_not_touch_a_smaller_one():
    net = a_net()
    fresh, used = CapturedExpert(net), CapturedExpert(net)
    used(planes_of(12, seed=1))
    assert agree(used(planes_of(11, seed=2)), fresh(planes_of(11, seed=2)), 0)


def test_threads_that_ask_at_once_each_get_their_own_answer():
    net = a_net()
    expert, plain = CapturedExpert(net), expert_of(net)
    batches = [planes_of(9 + seed % 3, seed=seed) for seed in range(40)]
    with ThreadPoolExecutor(4) as pool:
        for planes, answer in zip(batches, pool.map(expert, batches)):
            assert agree(answer, plain(planes))


def test_seconds_count_the_work_of_any_expert():
    expert = Metered(lambda planes: planes)
    assert expert.seconds == 0
    expert(planes_of(1))
    first = expert.seconds
    expert(planes_of(1))
    assert 0 < first < expert.seconds


# In the loop ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("average", [0.0, 0.9])
def test_self_play_with_a_captured_net_follows_the_player_from_round_to_round(device, average):
    small = dict(height=4, width=4, k=3, games=6, plies=5, simulations=8, window=300, fill=20, batch_size=16)
    small |= dict(net="residual", sizes={"channels": 4, "blocks": 1}, evaluation_games=2, evaluation_simulations=4)
    config = az.Config(**small, average=average, opponents=("random",))
    run = az.AlphaZeroRun(config, device, capture=True)
    for _ in range(5):
        row = az.iterate(run)
    assert run.steps > 0 and row["net_seconds"] > 0 and row["simulations"] > 0
    kept = run.expert()
    assert kept is run.expert() and kept.recordings
    assert agree(kept(planes_of(8, 4)), expert_of(run.player)(planes_of(8, 4)), 1e-5 if device == "cpu" else 2e-2)
    assert az.evaluate(run)[0]["games"] == 2
    assert not az.AlphaZeroRun(config).capture


# What can't be recorded -----------------------------------------------------------------------------------------


def failing(monkeypatch, problem):
    """A captured expert on the CPU that tries to record, which fails; and the streams that are made current."""
    streams = []
    names = dict(graph_pool_handle=lambda: "pool", current_stream=lambda device: "before", set_stream=streams.append)
    names |= dict(make_graphed_callables=Mock(side_effect=problem))
    for name, instead in names.items():
        monkeypatch.setattr(torch.cuda, name, instead)
    expert = CapturedExpert(a_net())
    expert.graphs = True
    return expert, streams


def test_a_net_that_can_not_be_captured_runs_all_the_same_and_says_so_once(monkeypatch):
    expert, streams = failing(monkeypatch, RuntimeError("operation not permitted when stream is capturing"))
    plain = expert_of(expert.net)
    with pytest.warns(RuntimeWarning, match="could not be captured as a CUDA graph .*not permitted"):
        answer = expert(planes_of(9))
    assert agree(answer, plain(planes_of(9))) and streams == ["before"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert agree(expert(planes_of(20)), plain(planes_of(20)))
    assert torch.cuda.make_graphed_callables.call_count == 1 and not expert.graphs


@pytest.mark.parametrize("masked", [False, True], ids=["as it is", "behind the error of a recording that has no end"])
def test_out_of_memory_while_recording_is_told_and_nothing_else_is(monkeypatch, masked):
    ended = torch.OutOfMemoryError("CUDA out of memory")
    problem = RuntimeError("capture was invalidated") if masked else ended
    problem.__context__ = ended if masked else None
    expert, _ = failing(monkeypatch, problem)
    with warnings.catch_warnings(), pytest.raises(torch.OutOfMemoryError):
        warnings.simplefilter("error")
        expert(planes_of(9))
    assert expert.graphs  # with more room it would be tried again


# On a GPU -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA GPU")
@pytest.mark.parametrize("name", NETS)
def test_on_cuda_a_graph_is_captured_and_follows_the_weights(name):
    net = a_net(name).to("cuda")
    expert = CapturedExpert(net)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for batch in (9, 64, 9):
            assert agree(expert(planes_of(batch)), expert_of(net)(planes_of(batch)), 5e-2)
    net.load_state_dict(a_net(name, seed=1).state_dict())
    expert.refresh()
    assert agree(expert(planes_of(9)), expert_of(net)(planes_of(9)), 5e-2)
    assert expert.graphs and len(expert.recordings) == 2 and expert.seconds > 0

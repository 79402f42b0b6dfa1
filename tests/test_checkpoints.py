"""Checkpoints: what is saved comes back; whatever else lies there is refused by name."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
import torch

import mock5lib
from mock5lib import Mock5
from mock5lib.game.encoders import history, three_planes
from mock5lib.nets.checkpoints import load_agent, load_checkpoint, read_card, save_checkpoint
from mock5lib.nets.nets import make_net

KEPT = Path(__file__).parent.parent / "data" / "checkpoints"


@pytest.fixture
def net():
    return make_net("stack", value=True, channels=8, layers=2, seed=0).eval()


@pytest.fixture
def saved(net, tmp_path):
    return save_checkpoint(tmp_path / "small", net, training={"steps": 5}, score={"score": 0.5}, name="small net")


def answers(net):
    with torch.inference_mode():
        return net(torch.from_numpy(three_planes.encode([Mock5(9, 9, history=[40, 41, 31])])))


@pytest.mark.parametrize("name", ["linear", "hidden", "stack", "patterns", "residual"])
@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_a_net_comes_back_with_the_same_answers(name, temperature, tmp_path):
    net = make_net(name, value=True, temperature=temperature, seed=3).eval()
    again = load_checkpoint(save_checkpoint(tmp_path / "net", net)).net
    assert all(torch.equal(one, other) for one, other in zip(answers(net), answers(again)))


def test_the_card_tells_net_board_training_score_and_versions(saved):
    card = read_card(saved)
    assert card["net"] == {"net": "stack", "value": True, "temperature": 1.0, "channels": 8, "layers": 2}
    assert card["board"] == {"height": 9, "width": 9, "k": 5, "exact": False} and card["encoder"] == "planes3"
    assert card["training"] == {"steps": 5} and card["score"] == {"score": 0.5}
    assert {"python", "torch", "numpy", "safetensors"} <= set(card["libraries"])


def test_an_agent_loads_in_one_line_and_plays_boards_of_any_size(saved):
    agent = mock5lib.load_agent(saved)
    assert agent.name == "small net" and agent.checkpoint.card["score"] == {"score": 0.5}
    assert [agent(Mock5(size, size)) in range(size * size) for size in (9, 15)] == [True, True]
    drawn = [load_agent(saved, temperature=1.0, seed=4).moves([Mock5(9, 9)] * 20) for _ in range(2)]
    assert drawn[0] == drawn[1] and len(set(drawn[0])) > 1


def test_the_encoder_comes_back_too(tmp_path):
    encoder = history(2)
    net = make_net("stack", planes=encoder.channels, channels=8, layers=2)
    agent = load_agent(save_checkpoint(tmp_path / "net", net, encoder=encoder))
    assert agent.policy.encoder.name == "planes3+last2" and agent(Mock5(9, 9, history=[40])) != 40


def test_saving_again_replaces_the_checkpoint_whole(net, saved):
    with torch.no_grad():
        next(net.parameters()).mul_(2)
    save_checkpoint(saved, net)
    assert torch.equal(answers(load_checkpoint(saved).net)[0], answers(net)[0])
    assert sorted(path.name for path in saved.parent.iterdir()) == ["small"]


def test_a_net_of_ones_own_is_filled_from_its_checkpoint(tmp_path):
    own = torch.nn.Conv2d(3, 1, 3, padding=1)
    path = save_checkpoint(tmp_path / "own", own)
    again = torch.nn.Conv2d(3, 1, 3, padding=1)
    assert torch.equal(load_checkpoint(path, again).net.weight, own.weight)
    with pytest.raises(ValueError, match="own"):
        load_checkpoint(path)


# What is no checkpoint


def test_nothing_at_the_path_is_a_file_not_found_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        load_agent(tmp_path / "nowhere")


def test_weights_cut_short_name_the_file(saved):
    file = saved / "net.safetensors"
    whole = file.read_bytes()
    for length in (0, 4, 100, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:length])
        with pytest.raises(ValueError, match="net.safetensors"):
            load_agent(saved)
    file.unlink()
    with pytest.raises(ValueError, match="net.safetensors"):
        load_agent(saved)


def test_weights_of_another_run_are_noticed(saved, tmp_path):
    other = save_checkpoint(tmp_path / "other", make_net("stack", value=True, channels=8, layers=2, seed=1))
    (saved / "net.safetensors").write_bytes((other / "net.safetensors").read_bytes())
    with pytest.raises(ValueError, match="net.safetensors.*not the weights"):
        load_agent(saved)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"format": "other"}', "\x00\x01", "[" * 100_000], ids=lambda text: text[:9]
)
def test_a_card_cut_short_or_foreign_names_the_file(saved, text):
    (saved / "card.json").write_text(text)
    with pytest.raises(ValueError, match="card.json"):
        load_agent(saved)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"net": {"net": "stack", "value": True, "channels": 9, "layers": 2}}, "shape"),
        ({"net": {"net": "hidden", "value": True, "channels": 8}}, "trunk"),
        ({"net": {"net": "stack", "channels": 8, "layers": 2}}, "'value.*none in the net"),
        ({"net": {"net": "unheard-of"}}, "unheard-of"),
        ({"net": {"net": "stack", "value": "no", "channels": 8, "layers": 2}}, "value is true or false, got 'no'"),
        ({"encoder": "planes9"}, "planes9"),
        *(
            ({part: wrong}, f"card.json: its '{part}' is")
            for part, wrong in [
                *dict.fromkeys(("board", "encoder", "net", "sha256")).items(),
                *[("net", "resnet"), ("net", [["net", 1]]), ("board", "9x9")],
            ]
        ),
    ],
)
def test_a_card_that_does_not_fit_the_weights_or_lacks_a_part_says_how(saved, change, message):
    file = saved / "card.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(ValueError, match=message) as caught:
        load_agent(saved)
    assert "small" in str(caught.value)


def test_a_folder_or_file_that_is_no_checkpoint_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("hello")
    for path in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(ValueError, match=path.name):
            load_agent(path)


def test_a_net_given_to_fill_keeps_its_weights_when_they_do_not_fit(saved):
    other = make_net("hidden", channels=8, seed=0)
    before = answers(other).clone()
    with pytest.raises(ValueError, match="small: .*trunk.0.weight"):
        load_checkpoint(saved, other)
    assert torch.equal(answers(other), before)


def test_weights_with_nan_are_not_written_and_the_old_checkpoint_stays(net, saved):
    before = answers(load_checkpoint(saved).net)[0]
    with torch.no_grad():
        next(net.parameters())[0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        save_checkpoint(saved, net)
    assert torch.equal(answers(load_checkpoint(saved).net)[0], before)


def test_a_card_of_somebody_elses_is_not_overwritten(net, tmp_path):
    (tmp_path / "card.json").write_text('{"title": "my cards"}')
    with pytest.raises(ValueError, match="not a card of the format"):
        save_checkpoint(tmp_path, net)
    assert (tmp_path / "card.json").read_text() == '{"title": "my cards"}'


def test_a_save_that_fails_leaves_no_trace_and_keeps_the_old_one(net, saved, monkeypatch):
    before = answers(load_checkpoint(saved).net)[0]

    def full_disk(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        save_checkpoint(saved, make_net("stack", channels=8, layers=2))
    monkeypatch.undo()
    assert torch.equal(answers(load_checkpoint(saved).net)[0], before)
    assert sorted(path.name for path in saved.parent.iterdir()) == ["small"]


# The course's own


def test_the_courses_checkpoints_of_this_kind_load_and_play():
    paths = [card.parent for card in KEPT.glob("*/card.json")]
    assert paths
    for path in paths:
        assert load_agent(path)(Mock5(9, 9, history=[40])) in Mock5(9, 9, history=[40]).legal_moves()


def test_the_card_holds_a_sha_256_of_each_file_beside_it(net, tmp_path):
    path = save_checkpoint(tmp_path / "net", net, extra_files={"more.bin": b"more"})
    sums = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in path.iterdir()}
    del sums["card.json"]
    assert read_card(path)["sha256"] == sums and set(sums) == {"net.safetensors", "more.bin"}


@pytest.mark.parametrize("path", sorted(str(card.parent.relative_to(KEPT)) for card in KEPT.rglob("card.json")))
def test_the_weights_that_the_course_ships_are_those_that_their_card_was_written_for(path):
    folder = KEPT / path
    data = (folder / "net.safetensors").read_bytes()
    assert read_card(folder)["sha256"] == {"net.safetensors": hashlib.sha256(data).hexdigest()}

"""AlphaGo's nets in Keras: layer by layer, out of Keras, into files and back."""

import zipfile

import numpy as np
import pytest
from games import random_game

keras = pytest.importorskip("keras", reason="chapter 4 needs TensorFlow")
pytest.importorskip("tensorflow")

from mock5lib.alphago.nets import (
    fast_policy,
    fast_policy_of,
    load_net,
    policy_function,
    read_card,
    save_net,
    strong_policy,
    value_function,
    value_net,
)
from mock5lib.alphago.planes import StonePlanes, planes48, planes49
from mock5lib.alphago.rollout_policy import FastPolicy


def games(count=6, height=9, width=9):
    return [random_game(height, width, 5, False, 5 * number, number) for number in range(count)]


def layer_list(net):
    """(kind, filters or units, side, activation) of each layer with weights."""
    return [
        (
            type(layer).__name__,
            getattr(layer, "filters", None) or layer.units,
            getattr(layer, "kernel_size", None),
            layer.activation.__name__,
        )
        for layer in net.layers
        if layer.weights
    ]


# The published nets


def test_the_strong_policy_has_the_13_published_layers():
    net = strong_policy(19, 19)
    first, others = ("Conv2D", 192, (5, 5), "relu"), ("Conv2D", 192, (3, 3), "relu")
    assert layer_list(net) == [first, *[others] * 11, ("Conv2D", 1, (1, 1), "linear")]
    assert [type(layer).__name__ for layer in net.layers[13:]] == ["Flatten", "Softmax"]
    assert net.input_shape == (None, 19, 19, 48) and net.output_shape == (None, 361)
    assert all(layer.output.shape[1:3] == (19, 19) for layer in net.layers[:13])
    assert net.count_params() == (25 * 48 * 192 + 192) + 11 * (9 * 192 * 192 + 192) + (192 + 1) == 3_882_433


def test_the_value_net_has_the_16_published_layers():
    net = value_net(19, 19)
    assert layer_list(net)[:12] == layer_list(strong_policy(19, 19))[:12]
    assert layer_list(net)[12:] == [
        ("Conv2D", 192, (3, 3), "relu"),
        ("Conv2D", 1, (1, 1), "relu"),
        ("Dense", 256, None, "relu"),
        ("Dense", 1, None, "tanh"),
    ]
    assert net.input_shape == (None, 19, 19, 49) and net.output_shape == (None, 1)
    convolutions = (25 * 49 * 192 + 192) + 12 * (9 * 192 * 192 + 192) + (192 + 1)
    assert net.count_params() == convolutions + (361 * 256 + 256) + (256 + 1) == 4_312_130


def test_small_nets_come_by_arguments_and_equal_seeds_make_equal_nets():
    net = strong_policy(9, 9, filters=8, layers=4, first=3, seed=1)
    assert [row[1:3] for row in layer_list(net)] == [(8, (3, 3))] * 3 + [(1, (1, 1))]
    assert len(layer_list(value_net(9, 9, filters=8, layers=6, dense=16))) == 6
    again, other = (strong_policy(9, 9, filters=8, layers=4, first=3, seed=seed) for seed in (1, 2))
    assert all(np.array_equal(one, two) for one, two in zip(net.get_weights(), again.get_weights()))
    assert not np.array_equal(net.get_weights()[0], other.get_weights()[0])
    assert not np.array_equal(net.get_weights()[2], net.get_weights()[4])  # nor are two layers of one net alike


def test_the_softmax_runs_over_the_points_of_the_board():
    """A softmax on the convolution itself would make every output 1."""
    probabilities = np.exp(policy_function(strong_policy(9, 9, filters=4, layers=3, seed=0))(planes48.encode(games())))
    assert probabilities.shape == (6, 81)
    assert probabilities.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (probabilities < 0.9).all()


# Out of Keras


def test_the_compiled_functions_say_what_the_nets_say():
    policy, value = strong_policy(9, 9, filters=4, layers=3, seed=0), value_net(9, 9, filters=4, layers=5, seed=0)
    planes = planes49.encode(games())
    last = planes.transpose(0, 2, 3, 1)
    assert np.exp(policy_function(policy)(planes[:, :48])) == pytest.approx(policy(last[..., :48]).numpy(), abs=1e-6)
    values = value_function(value)(planes)
    assert values.shape == (6,) and values == pytest.approx(value(last).numpy()[:, 0], abs=1e-6)
    assert (abs(values) <= 1).all()


def test_a_compiled_function_follows_the_net_and_compiles_once():
    net = strong_policy(9, 9, filters=4, layers=3, seed=0)
    function, planes = policy_function(net), planes48.encode(games())
    before = function(planes)
    function(planes[:2])
    assert function._compiled.experimental_get_tracing_count() == 1
    net.set_weights([weights * 0 for weights in net.get_weights()])
    assert function(planes) == pytest.approx(np.full((6, 81), -np.log(81)), abs=1e-5) and before.std() > 0


@pytest.mark.parametrize("reach", [1, 3, 5])
def test_the_fast_policy_out_of_keras_is_the_net_over_the_empty_points(reach):
    net = fast_policy(7, 9, reach, seed=3)
    net.layers[0].kernel.assign(np.random.default_rng(0).normal(size=net.layers[0].kernel.shape))
    some = games(8, 7, 9)
    said = net(StonePlanes(reach).encode(some).transpose(0, 2, 3, 1)).numpy()
    said[np.stack([game.cells for game in some]) != 0] = 0
    assert fast_policy_of(net).scores(some) == pytest.approx(said / said.sum(axis=1, keepdims=True), abs=1e-5)


def test_only_a_fast_policy_makes_a_fast_policy():
    with pytest.raises(ValueError, match="strong_policy"):
        fast_policy_of(strong_policy(9, 9, filters=4, layers=3))
    assert isinstance(fast_policy_of(fast_policy()), FastPolicy)


# Files


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda: strong_policy(9, 9, filters=4, layers=3), "strong_policy"),
        (lambda: value_net(9, 9, filters=4, layers=5), "value_net"),
        (lambda: fast_policy(9, 9, 3), "fast_policy"),
    ],
)
def test_a_net_comes_back_from_its_file_with_its_card(tmp_path, make, kind):
    net = make()
    path = save_net(tmp_path / "new" / "net.keras", net, training={"steps": 3})
    again = load_net(path, kind, board=(9, 9))
    assert all(np.array_equal(one, two) for one, two in zip(net.get_weights(), again.get_weights()))
    card = read_card(path)
    assert card["net"] == kind and card["board"]["height"] == 9 and card["training"] == {"steps": 3}
    assert [file.name for file in path.parent.iterdir()] == ["net.keras"]


def test_a_missing_file_is_named_with_what_was_expected(tmp_path):
    with pytest.raises(FileNotFoundError, match="no.keras.*a value net"):
        load_net(tmp_path / "no.keras", "value_net")


def test_files_cut_short_or_of_another_kind_are_named(tmp_path):
    path = save_net(tmp_path / "net.keras", strong_policy(9, 9, filters=4, layers=3))
    data = path.read_bytes()
    for number, wrong in enumerate((data[: len(data) // 2], data[:10], b"", b"no net at all", zipped("a.txt"))):
        bad = tmp_path / f"bad{number}.keras"
        bad.write_bytes(wrong)
        with pytest.raises(ValueError, match=f"bad{number}.keras: not a .keras file, or cut short"):
            load_net(bad)
    with pytest.raises(ValueError, match="cut short"):
        read_card(tmp_path / "bad0.keras")


def test_a_net_is_not_written_over_another_file(tmp_path):
    (tmp_path / "net.keras").write_bytes(b"dear diary")
    with pytest.raises(ValueError, match="net.keras: is there already.*not overwritten"):
        save_net(tmp_path / "net.keras", fast_policy(9, 9, 3))
    assert (tmp_path / "net.keras").read_bytes() == b"dear diary"


def zipped(name):
    import io

    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, "text")
    return buffer.getvalue()


def test_a_net_of_another_kind_board_or_plane_count_is_refused(tmp_path):
    path = save_net(tmp_path / "net.keras", strong_policy(9, 9, filters=4, layers=3))
    for expectation, text in (
        ({"kind": "value_net"}, "expected a value net, this is 'strong_policy'"),
        ({"board": (15, 15)}, "15×15 board, this one is for 9×9"),
    ):
        with pytest.raises(ValueError, match=text) as problem:
            load_net(path, **expectation)
        assert "net.keras" in str(problem.value)
    foreign = tmp_path / "foreign.keras"
    keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)], name="foreign").save(foreign)
    with pytest.raises(ValueError, match="this is 'foreign'"):
        load_net(foreign)


def test_nothing_in_a_file_runs(tmp_path):
    net = keras.Sequential([keras.Input((9, 9, 48)), keras.layers.Lambda(lambda planes: planes)], name="strong_policy")
    net.save(tmp_path / "net.keras")
    with pytest.raises(ValueError, match="net.keras: not a .keras file.*Lambda"):
        load_net(tmp_path / "net.keras")


def test_a_net_with_nan_weights_is_not_written(tmp_path):
    net = strong_policy(9, 9, filters=4, layers=3)
    net.layers[0].kernel.assign(net.layers[0].kernel * np.nan)
    with pytest.raises(ValueError, match="NaN"):
        save_net(tmp_path / "net.keras", net)
    assert list(tmp_path.iterdir()) == []

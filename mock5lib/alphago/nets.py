"""AlphaGo's nets in Keras: the strong policy, the value net and the fast policy, and how they leave Keras.

As published (Silver et al. 2016, Methods, "Neural network architecture"; the slides after Pumperla and Ferguson 2019
state the same layers):

    strong policy   13 layers: 192 filters of 5×5, 11 layers of 192 filters of 3×3, one filter of 1×1, softmax
    value net       16 layers: the same first 12, one more of 192 3×3 filters, one filter of 1×1, dense 256, tanh

`strong_policy(19, 19)` and `value_net(19, 19)` are those; with fewer filters and layers they train on a laptop. The
softmax runs over the board's points: flatten first. (A softmax on the convolution itself would normalize over its
one channel, and every output would be 1.) The paper gives the policy's last layer one bias a point; ours has one.

Planes go in channels last, (B, H, W, C): on a CPU, channels-first convolutions need oneDNN. The functions that leave
Keras (`policy_function`, `value_function`) take the course's (B, C, H, W) and are compiled once for all batch sizes.

This module needs TensorFlow and Keras 3; nothing else in the package does.
"""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
try:
    import keras
    import tensorflow as tf
except ImportError as problem:
    raise ImportError(
        "Chapter 4's nets need TensorFlow 2.16 or later with Keras 3, which is not installed here: "
        "`pip install tensorflow` (or tensorflow-cpu). The other chapters work without it."
    ) from problem
if keras.backend.backend() != "tensorflow":
    raise ImportError(f"Chapter 4's nets need Keras on TensorFlow; KERAS_BACKEND is {keras.backend.backend()!r} here.")

from mock5lib.alphago.kit import Kit, kit_named
from mock5lib.base.files import DAMAGE, check_ours, make_folder, write_whole
from mock5lib.game.encoders import Encoder

STRONG, VALUE, FAST = "strong_policy", "value_net", "fast_policy"
FORMAT = "mock5-keras-1"
LOWEST = 1e-30  # a probability is at least this before its logarithm is taken


# The nets -------------------------------------------------------------------------------------------------------


def strong_policy(
    height: int = 19,
    width: int = 19,
    planes: int = 48,
    *,
    filters: int = 192,
    layers: int = 13,
    first: int = 5,
    seed: int | None = None,
    game: str = "",
) -> keras.Sequential:
    """The strong policy: planes (B, H, W, planes) → probabilities of the points (B, H * W).

    Args:
        game: the name of another game's class, such as "Go"; the net's own name then ends in it.
        filters: of each hidden layer. layers: all convolutions, the last one included, at least 2.
        first: side of the first layer's filters, odd; the other hidden layers have 3 × 3.
        seed: of the first weights; None takes Keras's global state.
    """
    net = tower(name_of(STRONG, game), (height, width, planes), layers - 1, filters, first, seed)
    net.add(convolution(1, 1, None, seed, layers))
    net.add(keras.layers.Flatten())
    net.add(keras.layers.Softmax())
    return net


def value_net(
    height: int = 19,
    width: int = 19,
    planes: int = 49,
    *,
    filters: int = 192,
    layers: int = 16,
    first: int = 5,
    dense: int = 256,
    seed: int | None = None,
    game: str = "",
) -> keras.Sequential:
    """The value net: planes (B, H, W, planes) → the outcome for the player to move, (B, 1) in [−1, 1].

    Args:
        layers: all layers with weights: layers − 3 hidden convolutions, the 1 × 1, two dense ones. At least 4.
        dense: units of the hidden dense layer. The others: see `strong_policy`.
    """
    net = tower(name_of(VALUE, game), (height, width, planes), layers - 3, filters, first, seed)
    net.add(convolution(1, 1, "relu", seed, layers, bias=1.0))  # alone in its layer: if it dies, the net does
    net.add(keras.layers.Flatten())
    net.add(keras.layers.Dense(dense, activation="relu", kernel_initializer=initializer(seed, layers + 1)))
    net.add(keras.layers.Dense(1, activation="tanh", kernel_initializer=initializer(seed, layers + 2)))
    return net


def fast_policy(height: int = 9, width: int = 9, reach: int = 5, *, seed: int | None = None) -> keras.Sequential:
    """The fast policy: one wide filter over `StonePlanes(reach)` and a softmax.

    (B, H + 2 · reach, W + 2 · reach, 3) → probabilities of the points (B, H * W). Its logits are linear in the stones,
    so it *is* a linear softmax over local patterns; `fast_policy_of` takes it out of Keras. It has no bias, which a
    softmax would not see.
    """
    net = keras.Sequential([keras.Input((height + 2 * reach, width + 2 * reach, 3))], name=FAST)
    kernel = keras.initializers.RandomNormal(stddev=0.01, seed=seed)
    net.add(keras.layers.Conv2D(1, 2 * reach + 1, padding="valid", use_bias=False, kernel_initializer=kernel))
    net.add(keras.layers.Flatten())
    net.add(keras.layers.Softmax())
    return net


def name_of(kind: str, game: str) -> str:
    """What a net is called: its kind, and its game if that isn't five in a row. Whoever writes the file keeps it."""
    return f"{kind}_{game}" if game else kind


def kind_of(net: keras.Model) -> str:
    """One of "strong_policy", "value_net" and "fast_policy"; the whole name of a net that is none of these."""
    return next((kind for kind in WHAT if net.name == kind or net.name.startswith(f"{kind}_")), net.name)


def kit_of_net(net: keras.Model) -> Kit:
    """The kit of the game that a net was made for; a ValueError if nobody has brought the game."""
    return kit_named(net.name[len(kind_of(net)) + 1 :])


def tower(name: str, shape: tuple, count: int, filters: int, first: int, seed) -> keras.Sequential:
    """An input and `count` hidden convolutions: the first of side `first`, others of 3."""
    net = keras.Sequential([keras.Input(shape)], name=name)
    for number in range(1, count + 1):
        net.add(convolution(filters, first if number == 1 else 3, "relu", seed, number))
    return net


def convolution(
    filters: int, side: int, activation: str | None, seed: int | None, number: int, bias: float = 0.0
) -> keras.layers.Layer:
    """Layer `number`, a convolution that keeps the board's size; `bias` is what it begins with."""
    first = {"kernel_initializer": initializer(seed, number), "bias_initializer": keras.initializers.Constant(bias)}
    return keras.layers.Conv2D(filters, side, padding="same", activation=activation, **first)


def initializer(seed: int | None, number: int) -> keras.initializers.Initializer:
    """First weights for layer `number`, scaled for ReLU (He et al. 2015)."""
    return keras.initializers.HeNormal(seed=None if seed is None else 1000 * seed + number)


# Out of Keras ---------------------------------------------------------------------------------------------------


class NetFunction:
    """A net as a compiled function of the course's planes, (B, C, H, W) float32, for searches and agents.

    It uses the net itself, so it follows later training. One `tf.function` serves all batch sizes; asking
    `net.predict` for one position costs a hundred times as much. `kind` is the net's kind, `shape` the (C, H, W) of
    its planes, `kit` what is known of its game.
    """

    def __init__(self, net: keras.Model, answer):
        height, width, channels = net.input_shape[1:]
        self.net, self.kind, self.shape, self.kit = net, kind_of(net), (channels, height, width), kit_of_net(net)

        @tf.function(input_signature=[tf.TensorSpec((None, channels, height, width), tf.float32)])
        def compiled(planes):
            return answer(net(tf.transpose(planes, (0, 2, 3, 1)), training=False))

        self._compiled = compiled

    def __call__(self, planes) -> np.ndarray:
        return self._compiled(np.ascontiguousarray(planes, dtype=np.float32)).numpy()


def policy_function(net: keras.Model) -> NetFunction:
    """A policy net as a function from planes (B, C, H, W) to log-probabilities (B, H * W), float32.

    Occupied points are not masked: whoever uses it masks them and normalizes.
    """
    return NetFunction(net, lambda probabilities: tf.math.log(tf.maximum(probabilities, LOWEST)))


def value_function(net: keras.Model) -> NetFunction:
    """A value net as a function from planes (B, C, H, W) to values (B,), float32, for the player to move."""
    return NetFunction(net, lambda values: values[:, 0])


def fast_policy_of(net: keras.Model, name: str = "fast policy"):
    """The fast policy's net as a policy that plays rollouts without Keras. A copy: make it anew after training."""
    if kind_of(net) != FAST:
        raise ValueError(f"A fast policy is made by `fast_policy`; this is {net.name!r}.")
    return kit_of_net(net).fast_policy(net, name)


def encoder_of(net: keras.Model) -> Encoder:
    """The planes that a net of the usual kind takes: 48, 49, or those of a fast policy."""
    channels, kit = net.input_shape[-1], kit_of_net(net)
    if kind_of(net) == FAST:
        return kit.fast_planes(net)
    if channels not in (48, 49):
        raise ValueError(f"The {net.name} takes {channels} planes; AlphaGo's planes are 48, or 49 with the color.")
    return kit.planes48 if channels == 48 else kit.planes49


def board_of(net: keras.Model) -> tuple[int, int]:
    """(height, width) of the board that a net was made for."""
    margin = 2 * getattr(encoder_of(net), "reach", 0)  # the fast policy of five in a row sees walls around the board
    return net.input_shape[1] - margin, net.input_shape[2] - margin


# Files ----------------------------------------------------------------------------------------------------------

CARD = "card.json"
WHAT = {STRONG: "a strong policy", VALUE: "a value net", FAST: "a fast policy"}


def save_net(path, net: keras.Model, **notes) -> Path:
    """Write a net, with its optimizer if it is compiled, as a `.keras` file; it appears whole or not at all.

    A card (`read_card`) goes into the file: kind, board, encoder, library versions, and `notes`, such as training=…,
    score=…, which must be plain values that JSON can hold. A ValueError if something else is at the path.
    """
    path = Path(path)
    wrong = [weights.path for weights in net.weights if not np.isfinite(weights.numpy()).all()]
    if wrong:
        raise ValueError(f"{path}: not written, the weights {wrong[0]!r} of the net hold NaN or infinity.")
    (height, width), game = board_of(net), kit_of_net(net).game
    card = {
        "format": FORMAT,
        "framework": "keras",
        "net": kind_of(net),
        "encoder": encoder_of(net).name,
        "board": {"height": height, "width": width} | ({"game": game} if game else {"k": 5, "exact": False}),
        "parameters": net.count_params(),
        **notes,
        "libraries": {library.__name__: library.__version__ for library in (keras, tf, np)},
    }
    make_folder(path.parent)
    check_ours(path, rb"PK\x03\x04", "a net", check_whole)
    with TemporaryDirectory() as folder:
        draft = Path(folder) / path.name
        net.save(draft)
        with zipfile.ZipFile(draft, "a") as archive:
            archive.writestr(CARD, json.dumps(card, indent=2, ensure_ascii=False) + "\n")
        return write_whole(path, draft.read_bytes())


def check_whole(path: Path) -> None:
    """A ValueError unless `save_net` has written this file, and its bytes are those that were written."""
    if read_card(path).get("format") != FORMAT:
        raise ValueError("it has no card of ours")
    with zipfile.ZipFile(path) as archive:
        if damaged := archive.testzip():
            raise ValueError(f"{damaged} in it is damaged")


def load_net(path, kind: str | None = None, board: tuple[int, int] | None = None) -> keras.Model:
    """Read a net from a `.keras` file, such as `save_net` or Keras's `ModelCheckpoint` writes; nothing in it runs.

    Args:
        kind: "strong_policy", "value_net" or "fast_policy" that it must be; board: (height, width). None takes any.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is cut short, no `.keras` file, or another net than expected; names the file.
    """
    path, expected = Path(path), WHAT.get(kind, "one of the nets of AlphaGo")
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file; expected {expected} in a .keras file.")
    read_card(path)
    try:
        net = keras.models.load_model(path, safe_mode=True)
    except Exception as problem:  # Keras, h5py and zipfile each fail in ways of their own
        reason = (str(problem).strip() or type(problem).__name__).splitlines()[0]
        raise ValueError(f"{path}: not a .keras file, or cut short ({reason}).") from None
    if kind_of(net) not in WHAT or kind not in (None, kind_of(net)):
        raise ValueError(f"{path}: expected {expected}, this is {net.name!r}.")
    try:
        found = board_of(net)
    except ValueError as problem:
        raise ValueError(f"{path}: {problem}") from None
    if board is not None and found != tuple(board):
        wanted = f"{WHAT[kind_of(net)]} for a {board[0]}×{board[1]} board"
        raise ValueError(f"{path}: expected {wanted}, this one is for {found[0]}×{found[1]}.")
    return net


def read_card(path) -> dict:
    """The card of a `.keras` file that `save_net` wrote; an empty one if Keras wrote it alone."""
    try:
        with zipfile.ZipFile(path) as archive:
            return json.loads(archive.read(CARD)) if CARD in archive.namelist() else {}
    except FileNotFoundError:
        raise
    except DAMAGE as problem:
        raise ValueError(f"{path}: not a .keras file, or cut short ({problem}).") from None

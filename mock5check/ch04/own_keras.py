"""The check of a training with Keras: what is held out, what is kept, when it stops, what the file holds."""

import inspect
import itertools
import logging
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import numpy as np

from mock5check.ch04.trained import EPOCHS, KEYS, PATIENCE, SIDE, called, check_file, lesson, trained
from mock5check.core import graded


@graded
def train(trial, function) -> None:
    """Check `train(planes, moves, games, path, epochs, seed)`: (model, history, held_out)."""
    with tempfile.TemporaryDirectory() as folder, _without_remarks():
        trial.stage("one epoch: the contract")
        with _eagerly():
            first = trained(trial, function, Path(folder) / "first.keras", lesson(120, 0), 1, 0)
        trial.stage("the same once more: equal seeds, equal histories")
        with _eagerly():
            again = trained(trial, function, Path(folder) / "again.keras", lesson(120, 0), 1, 0)
        text = (
            "Twice the same seed, and other games were held out. They need a generator with the seed: "
            "`np.random.default_rng(seed)`, for one; `keras.utils.set_random_seed` does not reach such a generator."
        )
        trial.require(np.array_equal(first[2], again[2]), text)
        text = (
            "Twice the same seed, and the same games were held out, but the histories differ: the net's first weights "
            "and the order of the examples come from Keras's generators. `keras.utils.set_random_seed(seed)` sets them."
        )
        trial.require(all(np.allclose(first[1][key], again[1][key], atol=1e-4) for key in KEYS), text)
        trial.stage("the same with other held-out positions: the training must not know them")
        with _eagerly():
            _others_held_out(trial, function, Path(folder) / "others.keras", first)
        trial.stage("a game with most of the positions: games are chosen, not positions")
        with _eagerly():
            planes, moves, _ = lesson(120, 0)
            games = np.random.default_rng(4).permutation(np.concatenate([np.full(100, 17), 3 * np.arange(20)]))
            trained(trial, function, Path(folder) / "uneven.keras", (planes, moves, games), 1, 3)
        trial.stage("moves that nobody can predict: it must not learn the held-out ones by heart")
        _nothing_to_learn(trial, function, Path(folder) / "random.keras")
        trial.stage("a val_loss that the check prescribes: it stops as soon as it no longer falls, and not before")
        _prescribed(trial, function, Path(folder) / "prescribed.keras", first[2])
        trial.stage("moves that follow a rule: it learns, it stops, it keeps the best")
        _learns(trial, function, Path(folder) / "rule.keras")


def _others_held_out(trial, function, path: Path, first: tuple) -> None:
    """Other boards and moves in the held-out places: the loss and the accuracy of the training stay as they were."""
    planes, moves, games = lesson(120, 0)
    other_planes, other_moves, _ = lesson(120, 1, random=1.0)
    held_out = first[2]
    planes[held_out], moves[held_out] = other_planes[held_out], other_moves[held_out] // SIDE  # of the first row
    _, history, _ = trained(trial, function, path, (planes, moves, games), 1, 0)
    before, now = ([float(told[key][0]) for key in ("loss", "accuracy")] for told in (first[1], history))
    trial.require(
        np.allclose(before, now, atol=1e-4),
        f"With other positions in the held-out places the first epoch has a `loss` of {now[0]:.4f} and an `accuracy` "
        f"of {now[1]:.4f}; before it was {before[0]:.4f} and {before[1]:.4f}. What is held out must be used for "
        "validation and for nothing else: not for a first guess of the weights, a normalisation or mirror images "
        "either.",
    )


@contextmanager
def _eagerly():
    """To trace a graph takes longer than one epoch of a small training."""
    import tensorflow as tf

    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # tf.data remarks that it does not do so
            yield
    finally:
        tf.config.run_functions_eagerly(before)


@contextmanager
def _without_remarks():
    """TensorFlow says that many small trainings are slow; here they are wanted."""
    logger = logging.getLogger("tensorflow")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _nothing_to_learn(trial, function, path: Path) -> None:
    """Whoever also trains on what is held out, learns even that by heart."""
    planes, moves, _ = lesson(200, 3, random=1.0)
    games = np.repeat(100 * np.arange(-3, 6), [12, 13, 12, 100, 13, 12, 13, 12, 13])
    games = np.random.default_rng(0).permutation(games)
    _, history, _ = trained(trial, function, path, (planes, moves, games), EPOCHS, 1)
    text = (
        f"These moves are random, and yet the val_loss fell to {min(history['val_loss']):.2f}; guessing has "
        "ln 25 = 3.22. "
        "Are held-out positions trained on?"
    )
    trial.require(min(history["val_loss"]) > 2.9, text)
    _stops(trial, history)


def _stops(trial, history) -> None:
    """It ends with the first epoch that is the third in a row without a smaller val_loss, neither sooner nor later."""
    losses = np.array(history["val_loss"])
    right = _epochs_for(losses, EPOCHS)
    text = (
        f"The history tells of {len(losses)} epochs, the best one was number {int(losses.argmin()) + 1}. Stop as "
        f"soon as {PATIENCE} epochs in a row have brought no smaller val_loss than the least before them, not even a "
        f"little, or after {EPOCHS} epochs."
    )
    trial.require(len(losses) == right, text)


STEP = 5e-7  # less than any step size that a learner asks for, and more than float32 loses of 2.4
SCRIPT = [3.0, 2.5, 2.7, 2.6, 2.4, *(2.4 - step * STEP for step in (1, 2, 3, 4, 4)), 2.6, 2.5, 2.7, 2.45]  # and so on


def _prescribed(trial, function, path: Path, held_out) -> None:
    """Whoever stops by another number, asks for steps of some size, or trains an epoch less, is found out."""
    _scripted(trial, function, path, SCRIPT, EPOCHS, 0)
    rising = [3.0, 2.5, 2.7, 2.6]  # and then the epochs run out
    other = _scripted(trial, function, path, rising, len(rising), 5)
    text = "With seed 5 the same games are held out as with seed 0. Choose them by the `seed`."
    trial.require(not np.array_equal(held_out, other), text)


def _scripted(trial, function, path: Path, script: list, epochs: int, seed: int) -> np.ndarray:
    """A training in which every callback, and the history, see the script's val_loss; returns what was held out."""
    import keras

    said, after = itertools.chain(script, itertools.repeat(script[-1])), []

    class Script(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            logs["val_loss"], logs["val_accuracy"] = next(said), 1 / (1 + epoch)
            after.append((self.model, self.model.get_weights()))

    real = keras.Model.fit

    def fit(model, *args, **options):
        bound = inspect.signature(real).bind(model, *args, **options)
        text = (
            "The losses should be plain cross-entropies, in which each position counts alike: without `class_weight`."
        )
        trial.require(bound.arguments.get("class_weight") is None, text)
        weights = bound.arguments.get("sample_weight")
        text = text.replace("class_weight", "sample_weight")
        trial.require(weights is None or bool((np.asarray(weights) == 1).all()), text)
        given = bound.arguments.get("callbacks")
        if isinstance(given, keras.callbacks.CallbackList):
            given.callbacks.insert(0, Script())
        else:
            given = list(given) if isinstance(given, (list, tuple)) else [given] if given else []
            bound.arguments["callbacks"] = [Script(), *given]
        return real(*bound.args, **bound.kwargs)

    with mock.patch.object(keras.Model, "fit", fit):
        call, (model, history, held_out) = called(trial, function, path, lesson(120, 0), epochs, seed)
    losses = history["val_loss"]
    if losses[: len(script)] != script[: len(losses)]:
        rounded = np.allclose(losses[: len(script)], script[: len(losses)], atol=1e-3)
        text = "The history's numbers are rounded. Give them back as `fit` tells them."
        trial.require(not rounded, text, call=call)
        return held_out  # no `fit` with validation data, so nothing was prescribed; the other stages judge it
    right = _epochs_for(script, epochs)
    text = (
        f"The check made the val_loss {', '.join(f'{loss:.8g}' for loss in script)}. "
        f"It trained {len(losses)} of at most {epochs} epochs; right are {right}. Stop as soon as {PATIENCE} epochs "
        "in a row have brought no smaller val_loss than the least before them, however small the step, and neither "
        "sooner nor later. "
        "(`EarlyStopping` has `monitor`, `patience`, `min_delta` and `start_from_epoch`.)"
    )
    trial.require(len(losses) == right, text, call=call)
    planes = lesson(120, 0)[0]
    _best_epochs_weights(trial, model, after, losses, planes, call)
    check_file(trial, keras, model, path, planes, call)
    return held_out


def _epochs_for(losses, epochs: int) -> int:
    """How many epochs there are to be with this val_loss: to the third in a row without a new least one."""
    since = [epoch - int(np.argmin(losses[: epoch + 1])) for epoch in range(len(losses))]
    return since.index(PATIENCE) + 1 if PATIENCE in since else epochs


def _best_epochs_weights(trial, model, after: list, losses: list, planes, call: str) -> None:
    """after: (the model that was fitted, its weights) at each epoch's end."""
    epochs = []  # after which of them the fitted model answered as the one that came back
    for epoch, (fitted, weights) in enumerate(after):
        now = fitted.get_weights()
        fitted.set_weights(weights)
        says = np.asarray(fitted(planes))
        fitted.set_weights(now)
        epochs += [epoch] * bool(np.allclose(says, np.asarray(model(planes)), atol=1e-5))
    best = int(np.argmin(losses))
    whose = f"those of epoch {epochs[0] + 1}" if epochs else "those of no epoch's end"
    trial.require(
        any(losses[epoch] == losses[best] for epoch in epochs),
        f"The check made the val_loss {', '.join(f'{loss:.8g}' for loss in losses)}. The weights that came back should "
        f"be those of epoch {best + 1}, with the least val_loss, and are {whose}. Give back the best ones also where "
        "the epochs run out before it stops.",
        call=call,
    )


def _learns(trial, function, path: Path) -> None:
    planes, moves, _ = lesson(900, 1)
    games = np.random.default_rng(1).permutation(np.repeat(100 * np.arange(-3, 8), [*[30, 140] * 5, 50]))
    model, history, _ = trained(trial, function, path, (planes, moves, games), EPOCHS, 2)
    _stops(trial, history)
    planes, moves, _ = lesson(600, 99, random=0.0)
    right = float((np.asarray(model(planes)).argmax(axis=1) == moves).mean())
    text = (
        "The moves follow a rule that one layer can say, but for 15 % that are random. On new positions the "
        "model finds "
        f"{right:.0%} of the rule's moves; 80 % is asked for. Is the net large enough, the step size, the "
        "data in order?"
    )
    trial.require(right >= 0.8, text)

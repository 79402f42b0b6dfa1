"""The check of a training with Keras: what is held out, what is kept, when it stops, what the file holds."""

import inspect
import io
import itertools
import logging
import tempfile
import warnings
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from unittest import mock

import numpy as np

from mock5check.answers import show
from mock5check.core import graded

SIDE, POINTS, EPOCHS, PATIENCE = 5, 25, 40, 3
SECONDS = 120.0  # for one training; a right one needs five
KEYS = ("loss", "accuracy", "val_loss", "val_accuracy")


def lesson(count: int, seed: int, random: float = 0.15) -> tuple:
    """(planes (N, 5, 5, 3), moves (N,), games (N,)): the answer is the point below the opponent's only stone.

    random: the share of moves that are played anywhere. The points of the last row are answered in the first.
    """
    rng = np.random.default_rng(seed)
    games = 1000 + 5 * np.repeat(np.arange(count), rng.integers(1, 11, count))[:count]
    games = rng.permutation(games)  # positions of one game need not stand side by side
    planes = np.zeros((count, POINTS, 3), np.float32)
    planes[:, :, 0] = rng.random((count, POINTS)) < 0.2
    stone = rng.integers(0, POINTS, count)
    planes[np.arange(count), stone] = (0, 1, 0)
    planes[:, :, 2] = 1 - planes[:, :, :2].sum(axis=2)
    moves = np.where(rng.random(count) < random, rng.integers(0, POINTS, count), (stone + SIDE) % POINTS)
    return planes.reshape(count, SIDE, SIDE, 3), moves.astype(np.int64), games


@graded
def train(trial, function) -> None:
    """Check `train(planes, moves, games, path, epochs, seed)`: (model, history, held_out)."""
    with tempfile.TemporaryDirectory() as folder, _without_remarks():
        trial.stage("one epoch: the contract")
        with _eagerly():
            first = _train(trial, function, Path(folder) / "first.keras", lesson(120, 0), 1, 0)
        trial.stage("the same once more: equal seeds, equal histories")
        with _eagerly():
            again = _train(trial, function, Path(folder) / "again.keras", lesson(120, 0), 1, 0)
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
        trial.stage("moves that nobody can predict: it must not learn the held-out ones by heart")
        _nothing_to_learn(trial, function, Path(folder) / "random.keras")
        trial.stage("a val_loss that the check prescribes: it stops as soon as it no longer falls, and not before")
        _prescribed(trial, function, Path(folder) / "prescribed.keras", first[2])
        trial.stage("moves that follow a rule: it learns, it stops, it keeps the best")
        _learns(trial, function, Path(folder) / "rule.keras")


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


def _train(trial, function, path: Path, data: tuple, epochs: int, seed: int) -> tuple:
    """One training whose parts fit together: (model, history, held_out)."""
    import keras

    call, (model, history, held_out) = _called(trial, function, path, data, epochs, seed)
    planes, moves, _ = data
    _probabilities(trial, model, planes, call)
    _best_is_kept(trial, model, history, planes, moves, held_out, call)
    _file(trial, keras, model, path, planes, call)
    return model, history, held_out


def _called(trial, function, path: Path, data: tuple, epochs: int, seed: int) -> tuple:
    """(the call as text, what it returned), if that is of the right form."""
    import keras

    planes, moves, games = data
    call = f"train(planes, moves, games, path, {epochs}, {seed}), with {len(moves)} positions"
    with redirect_stdout(io.StringIO()) as printed:
        answer = trial.call(
            function, planes, moves, games, str(path), epochs, seed, shown=call, long=True, seconds=SECONDS
        )
    text = f"Nothing is to be printed, but there was {show(printed.getvalue()[:60])}. `fit` has a `verbose`."
    trial.require(not printed.getvalue(), text, call=call)
    text = "Return three things: the model, the history (a dict) and which positions were held out (booleans)."
    trial.require(isinstance(answer, (tuple, list)) and len(answer) == 3, text, call=call)
    model, history, held_out = answer
    trial.require(isinstance(model, keras.Model), f"The first should be a Keras model, not {show(model)}.", call=call)
    dict_of_lists = isinstance(history, dict) and set(KEYS) <= set(history)
    text = f"The history should be a dict with {', '.join(KEYS)}: `fit` returns an object whose `.history` is one."
    if isinstance(history, dict):
        lacking = ", ".join(key for key in KEYS if key not in history)
        text = (
            f"The history has no {lacking}. (Without validation data, or if there are none in it, `val_` is missing.)"
        )
    trial.require(dict_of_lists, text, call=call)
    lengths = {len(history[key]) for key in KEYS}
    text = f"The history tells of {sorted(lengths)} epochs; there may be from 1 to {epochs}."
    trial.require(len(lengths) == 1 and 1 <= min(lengths) <= epochs, text, call=call)
    _held_out(trial, held_out, games, call)
    return call, (model, history, held_out)


def _held_out(trial, held_out, games, call: str) -> None:
    fits = isinstance(held_out, np.ndarray) and held_out.shape == games.shape and held_out.dtype == bool
    trial.require(fits, f"`held_out` should be an array of {len(games)} booleans, not {show(held_out)}.", call=call)
    inside, outside = set(games[held_out].tolist()), set(games[~held_out].tolist())
    both = len(inside & outside)
    text = f"{both} {'game stands' if both == 1 else 'games stand'} on both sides of the split. Hold out whole games."
    trial.require(not inside & outside, text, call=call)
    share = len(inside) / len(inside | outside)
    text = f"{share:.0%} of the games are held out. A fifth of them is asked for, from 15 % to 25 %."
    trial.require(0.15 <= share <= 0.25, text, call=call)
    if len(inside | outside) < 15:
        return  # few games may stand side by side by chance
    order = sorted(inside | outside)
    block = [order.index(game) for game in inside]
    text = "The games that are held out stand side by side. Choose them at random."
    trial.require(max(block) - min(block) >= len(block), text, call=call)


def _probabilities(trial, model, planes, call: str) -> None:
    says = np.asarray(model(planes[:8]))
    text = f"For planes of shape (8, 5, 5, 3) the model should answer with shape (8, {POINTS}), not {says.shape}."
    trial.require(says.shape == (8, POINTS), text, call=call)
    sums = says.sum(axis=1)
    text = f"The model's answers should be probabilities. Their sums are {show(sums[:4].astype(float))}."
    trial.require((says >= 0).all() and np.allclose(sums, 1, atol=1e-4), text, call=call)


def _best_is_kept(trial, model, history, planes, moves, held_out, call: str) -> None:
    """The model that comes back is the best epoch's, judged on just the held-out positions."""
    chances = np.asarray(model(planes), dtype=float)
    kept = chances[np.arange(len(moves)), moves][held_out]
    loss, unclipped = (float(-np.log(np.maximum(kept, least)).mean()) for least in (1e-7, 1e-45))
    losses = history["val_loss"]
    best = min(losses)
    text = (
        f"On the held-out positions the model's cross-entropy is {loss:.4f}, and the least val_loss of the history is "
        f"{best:.4f}, in epoch {int(np.argmin(losses)) + 1} of {len(losses)}. They should be the same. "
    )
    near = min(abs(loss - best), abs(unclipped - best)) < 2e-3 * max(1, best)
    if not near and kept.min() < 1e-7:  # Keras may know logits where we see 0
        said = model.evaluate(planes[held_out], moves[held_out], verbose=0, return_dict=True)["loss"]
        near = abs(float(said) - best) < 2e-3 * best
    if not near:
        reason = _another_loss(model, chances, moves, held_out, best) or _whose_weights(unclipped, history)
        trial.fail(text + reason, call=call)
    said, right = history["val_accuracy"][int(np.argmin(losses))], chances.argmax(axis=1)[held_out] == moves[held_out]
    text = (
        f"In the best epoch the history has a val_accuracy of {said:.3f}. The accuracy is the share of positions whose "
        f"most probable point is the right one; for this model and what is held out it is {right.mean():.3f}. "
        '`metrics=["accuracy"]` finds the kind that fits the loss.'
    )
    trial.require(abs(said - right.mean()) < 1.5 / len(right) + 1e-3, text, call=call)


def _another_loss(model, chances, moves, held_out, best: float) -> str:
    """What the least val_loss is instead, if that can be seen: of other positions, or with something added."""
    rows, count, rest = np.arange(len(moves)), len(moves), np.flatnonzero(~held_out)
    losses = -np.log(np.maximum(chances[rows, moves], 1e-7))
    twice = np.exp(chances[rows, moves]) / np.exp(chances).sum(axis=1)
    penalty = float(sum(np.asarray(part) for part in model.losses))
    last = "It is that of the LAST positions, which `validation_split` takes. Give `fit` its `validation_data`."
    candidates = [
        (losses[rest], "It is that of the positions NOT held out. `validation_data` should be those that are."),
        (losses, "It is that of ALL positions. `validation_data` should be those that are held out, and no more."),
        (losses[int(count * 0.8) :], last),
        (losses[rest][int(len(rest) * 0.8) :], last),
        (losses[held_out] + penalty, "A penalty on weights is in it. The losses should be cross-entropies alone."),
        (
            -np.log(twice[held_out]),
            "It comes from a second softmax: the loss takes the answers for logits (`from_logits`), and they are "
            "probabilities.",
        ),
    ]
    for values, text in candidates:
        if len(values) and abs(float(values.mean()) - best) < 1e-4 * max(1, best):
            return text
    return ""


def _whose_weights(loss: float, history: dict) -> str:
    """Which epoch the model is from, if its cross-entropy tells; and why that may be."""
    near = [epoch for epoch, said in enumerate(history["val_loss"]) if abs(loss - said) < 2e-3 * max(1, said)]
    if len(near) != 1:
        return (
            "No epoch's val_loss is this one, so either it was not measured on the positions that are held out, "
            "or it is no plain cross-entropy of the model's probabilities, or the model was changed afterwards."
        )
    epoch, count = near[0], len(history["val_loss"])
    text = f"The model has the weights of epoch {epoch + 1}, which "
    if epoch == count - 1 and count < EPOCHS:  # whoever stops by another number, and restores, has an earlier one
        return f"{text}is the last one. EarlyStopping gives the best ones back only with `restore_best_weights=True`."
    least = history["loss"][epoch] == min(history["loss"])
    most = history["val_accuracy"][epoch] == max(history["val_accuracy"])
    if least != most and epoch < count - 1:
        what = "least `loss`, that of the training positions" if least else "greatest `val_accuracy`"
        return f"{text}has the {what}. The `monitor` should be `val_loss`, from the first epoch on."
    return f"{text}is not the best. EarlyStopping's `monitor` and `restore_best_weights` decide which ones come back."


def _file(trial, keras, model, path: Path, planes, call: str) -> None:
    trial.require(path.exists(), f"There is no file at `path` ({path.name}).", call=call)
    try:
        loaded = keras.models.load_model(path)
    except Exception as error:
        trial.fail(f"keras.models.load_model can't read the file: {error}", call=call)
    text = (
        "The model in the file is not compiled, so `load_model(path).fit(…)` would refuse to go on. Save the model "
        "that was compiled and trained."
    )
    trial.require(getattr(loaded, "optimizer", None) is not None, text, call=call)
    same = np.allclose(np.asarray(loaded(planes[:50])), np.asarray(model(planes[:50])), atol=1e-5)
    text = (
        "The model in the file answers otherwise than the model that came back. Both should be the best epoch's, that "
        "of the least val_loss."
    )
    trial.require(same, text, call=call)


def _nothing_to_learn(trial, function, path: Path) -> None:
    """Whoever also trains on what is held out, learns even that by heart."""
    planes, moves, _ = lesson(200, 3, random=1.0)
    games = np.repeat(100 * np.arange(-3, 6), [12, 13, 12, 100, 13, 12, 13, 12, 13])
    games = np.random.default_rng(0).permutation(games)
    _, history, _ = _train(trial, function, path, (planes, moves, games), EPOCHS, 1)
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
    since = [epoch - int(losses[: epoch + 1].argmin()) for epoch in range(len(losses))]
    right = since.index(PATIENCE) + 1 if PATIENCE in since else EPOCHS
    text = (
        f"It trained {len(losses)} epochs, and the best one was number {int(losses.argmin()) + 1}. Stop as soon as "
        f"{PATIENCE} epochs in a row have brought no smaller val_loss, not even a little, or after {EPOCHS} epochs."
    )
    trial.require(len(losses) == right, text)


STEP = 5e-7  # less than any step size that a learner asks for, and more than float32 loses of 2.4
SCRIPT = [3.0, 2.5, 2.7, 2.6, 2.4, 2.4 - STEP, 2.4 - 2 * STEP, 2.4 - 3 * STEP, 2.4 - 4 * STEP]  # and so it stays


def _prescribed(trial, function, path: Path, held_out) -> None:
    """Whoever stops by another number, asks for steps of some size, or trains an epoch less, is found out."""
    _scripted(trial, function, path, SCRIPT, EPOCHS, 0)
    falling = [3 - 0.1 * epoch for epoch in range(5)]
    other = _scripted(trial, function, path, falling, len(falling), 5)
    text = "With seed 5 the same games are held out as with seed 0. Choose them by the `seed`."
    trial.require(not np.array_equal(held_out, other), text)


def _scripted(trial, function, path: Path, script: list, epochs: int, seed: int) -> np.ndarray:
    """A training in which every callback, and the history, see the script's val_loss; returns what was held out."""
    import keras

    said = itertools.chain(script, itertools.repeat(script[-1]))

    class Script(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            logs["val_loss"], logs["val_accuracy"] = next(said), 1 / (1 + epoch)

    real = keras.Model.fit

    def fit(model, *args, **options):
        bound = inspect.signature(real).bind(model, *args, **options)
        given = bound.arguments.get("callbacks")
        if isinstance(given, keras.callbacks.CallbackList):
            given.callbacks.insert(0, Script())
        else:
            given = list(given) if isinstance(given, (list, tuple)) else [given] if given else []
            bound.arguments["callbacks"] = [Script(), *given]
        return real(*bound.args, **bound.kwargs)

    with mock.patch.object(keras.Model, "fit", fit):
        call, (model, history, held_out) = _called(trial, function, path, lesson(120, 0), epochs, seed)
    losses = history["val_loss"]
    if losses[: len(script)] != script[: len(losses)]:
        return held_out  # no `fit` with validation data, so nothing was prescribed; the other stages judge it
    right = min(len(script) + PATIENCE, epochs)
    text = (
        f"The check made the val_loss {', '.join(f'{loss:.8g}' for loss in script)}, and then always the last of them. "
        f"It trained {len(losses)} of at most {epochs} epochs; right are {right}. Stop as soon as {PATIENCE} epochs "
        "in a row have brought no smaller val_loss, however small the step, and neither sooner nor later. "
        "(`EarlyStopping` has `monitor`, `patience`, `min_delta` and `start_from_epoch`.)"
    )
    trial.require(len(losses) == right, text, call=call)
    _file(trial, keras, model, path, lesson(120, 0)[0], call)
    return held_out


def _learns(trial, function, path: Path) -> None:
    planes, moves, _ = lesson(900, 1)
    games = np.random.default_rng(1).permutation(np.repeat(100 * np.arange(-3, 8), [*[30, 140] * 5, 50]))
    model, history, _ = _train(trial, function, path, (planes, moves, games), EPOCHS, 2)
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

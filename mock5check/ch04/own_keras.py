"""The check of a training with Keras: what is held out, when it stops, which weights come back, does it learn?"""

import io
import logging
import tempfile
import warnings
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import numpy as np

from mock5check.answers import show
from mock5check.core import graded

SIDE, POINTS = 5, 25
EPOCHS, PATIENCE = 40, 3
SECONDS = 120.0  # for one training; a right one needs two
FEW, SOON = 200, 30.0  # so few positions take no longer
LEARNED = 0.9  # the share of a rule's moves that is to be found; one layer of 3×3 filters finds 85%, ours 99%
KEPT = "Is EarlyStopping's `restore_best_weights=True` missing, or does it watch something other than val_loss?"
KEYS = ("loss", "accuracy", "val_loss", "val_accuracy")


def lesson(count: int, seed: int, random: float) -> tuple:
    """(planes (N, 5, 5, 3), moves (N,), games (N,)): the answer is the point below the opponent's only stone.

    random: the share of moves that are played anywhere. The points of the last row are answered in the first.
    """
    rng = np.random.default_rng(seed)
    games = rng.permutation(1000 + 5 * np.repeat(np.arange(count), rng.integers(1, 11, count))[:count])
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
        trial.stage("two epochs on 120 positions, twice with one seed and once with another")
        data = lesson(120, 0, random=0.15)
        with _eagerly():
            _, history, held_out = _trained(trial, function, folder, data, 2, 0)
            _, history_again, held_out_again = _trained(trial, function, folder, data, 2, 0)
            _, _, held_out_otherwise = _trained(trial, function, folder, data, 2, 5)
        text = "With the same seed, different games were held out. Make a generator from the seed: `default_rng(seed)`."
        trial.require(np.array_equal(held_out, held_out_again), text)
        text = "Seeds 0 and 5 hold out the same games. Choose them by the `seed`."
        trial.require(not np.array_equal(held_out, held_out_otherwise), text)
        text = (
            "With the same seed, the histories differ. The net's first weights and the order of the examples come from "
            "Keras's own generators, which `keras.utils.set_random_seed(seed)` sets."
        )
        trial.require(all(np.allclose(history[key], history_again[key], atol=1e-4) for key in KEYS), text)

        trial.stage("random moves, which nobody can predict: it stops early and gives the best weights back")
        _, history, _ = _trained(trial, function, folder, lesson(200, 3, random=1.0), EPOCHS, 1)
        text = (
            f"These moves are random, and yet the val_loss fell to {min(history['val_loss']):.2f}; guessing gives ln "
            f"25 "
            "= 3.22. Does it train on the held-out positions, too?"
        )
        trial.require(min(history["val_loss"]) > 2.9, text)

        trial.stage("moves that follow a rule: it learns")
        model, _, _ = _trained(trial, function, folder, lesson(900, 1, random=0.15), EPOCHS, 2)
        planes, moves, _ = lesson(600, 99, random=0.0)
        right = float((np.asarray(model(planes)).argmax(axis=1) == moves).mean())
        text = (
            f"On new positions the model finds {right:.0%} of the rule's moves, not {LEARNED:.0%}. Is the net large "
            "enough, and does it see the whole board (a 3×3 filter doesn't)? Is the step size right? Does each "
            "position still have its own move?"
        )
        trial.require(right >= LEARNED, text)


def _trained(trial, function, folder: str, data: tuple, epochs: int, seed: int) -> tuple:
    """(model, history, held_out) of one training whose parts fit together."""
    import keras

    planes, moves, games = data
    call = f"train(planes, moves, games, path, {epochs}, {seed}), with {len(moves)} positions"
    path = Path(folder) / "model.keras"
    path.unlink(missing_ok=True)
    with redirect_stdout(io.StringIO()) as printed:
        seconds = SOON if len(moves) <= FEW else SECONDS
        answer = trial.call(
            function, planes, moves, games, str(path), epochs, seed, shown=call, long=True, seconds=seconds
        )
    text = f"It should print nothing, but it printed {show(printed.getvalue()[:60])}. `fit` has a `verbose`."
    trial.require(not printed.getvalue(), text, call=call)
    text = "Return three things: the model, the history and which positions were held out."
    trial.require(isinstance(answer, (tuple, list)) and len(answer) == 3, text, call=call)
    model, history, held_out = answer
    trial.require(isinstance(model, keras.Model), f"The first should be a Keras model, not {show(model)}.", call=call)
    text = f"The history should be a dict, not {show(history)}: what `fit` returns has one as its `.history`."
    trial.require(isinstance(history, dict), text, call=call)
    lacking = ", ".join(key for key in KEYS if key not in history)
    text = f"The history has no {lacking}. Without `validation_data` nothing in it begins with `val_`."
    trial.require(not lacking, text, call=call)
    _held_out(trial, held_out, games, call)
    _probabilities(trial, model, planes, call)
    _stopped(trial, history["val_loss"], epochs, call)
    _best_is_kept(trial, model, history["val_loss"], planes, moves, held_out, call)
    _file(trial, keras, model, path, planes, call)
    return model, history, held_out


def _held_out(trial, held_out, games, call: str) -> None:
    fits = isinstance(held_out, np.ndarray) and held_out.shape == games.shape and held_out.dtype == bool
    trial.require(fits, f"`held_out` should be an array of {len(games)} booleans, not {show(held_out)}.", call=call)
    inside, outside = set(games[held_out].tolist()), set(games[~held_out].tolist())
    both = len(inside & outside)
    text = f"{both} {'game is' if both == 1 else 'games are'} on both sides of the split. Hold out whole games."
    trial.require(not both, text, call=call)
    share = len(inside) / len(inside | outside)
    text = f"{share:.0%} of the games are held out. It should be a fifth of them."
    trial.require(0.15 <= share <= 0.25, text, call=call)
    places = np.flatnonzero(np.isin(sorted(inside | outside), list(inside)))
    text = "The games held out are all next to each other. Choose them at random."
    trial.require(np.ptp(places) >= len(places), text, call=call)


def _probabilities(trial, model, planes, call: str) -> None:
    says = np.asarray(model(planes[:8]), float)
    text = f"For planes of shape (8, 5, 5, 3) the model should answer with shape (8, {POINTS}), not {says.shape}."
    trial.require(says.shape == (8, POINTS), text, call=call)
    text = f"The model's answers should be probabilities. Their sums are {show(says.sum(axis=1)[:4])}."
    trial.require((says >= 0).all() and np.allclose(says.sum(axis=1), 1, atol=1e-4), text, call=call)


def _stopped(trial, losses: list, epochs: int, call: str) -> None:
    """It ends with the first epoch that is the third in a row without a new least val_loss."""
    since = [epoch - int(np.argmin(losses[: epoch + 1])) for epoch in range(len(losses))]
    right = min(since.index(PATIENCE) + 1, epochs) if PATIENCE in since else epochs
    text = (
        f"It ran {len(losses)} epochs, and the lowest val_loss came in epoch {np.argmin(losses) + 1}. Stop as soon as "
        f"{PATIENCE} epochs in a row haven't brought a lower one, or after {epochs} epochs."
    )
    trial.require(len(losses) == right, text, call=call)


def _best_is_kept(trial, model, losses: list, planes, moves, held_out, call: str) -> None:
    """On just the held-out positions the model has the least val_loss."""
    chances = np.asarray(model(planes), float)[np.arange(len(moves)), moves]
    if chances.min() < 1e-7:
        return  # Keras may know logits where we see 0
    each = -np.log(chances)
    loss, best = float(each[held_out].mean()), min(losses)

    def like(one, other):
        return abs(one - other) < 5e-3 * max(1.0, other)

    epochs = [f"{epoch}" for epoch, said in enumerate(losses, 1) if like(loss, said)]
    reasons = [
        (like(each[~held_out].mean(), best), "It is measured on the positions NOT held out."),
        (like(each.mean(), best), "It is measured on ALL positions."),
        (like(each[-(len(moves) // 5) :].mean(), best), "It is measured on the LAST positions, by `validation_split`?"),
        (epochs, f"The weights are those of epoch {' or '.join(epochs)}. {KEPT}"),
        (True, "Is it measured on other positions, or is it something other than a plain cross-entropy?"),
    ]
    text = (
        f"On the held-out positions the returned model's cross-entropy is {loss:.4f}. It should be the lowest "
        f"val_loss, {best:.4f}, which came in epoch {np.argmin(losses) + 1} of {len(losses)}. "
    )
    trial.require(like(loss, best), text + next(reason for fits, reason in reasons if fits), call=call)


def _file(trial, keras, model, path: Path, planes, call: str) -> None:
    trial.require(path.exists(), "There is no file at `path`.", call=call)
    try:
        loaded = keras.models.load_model(path)
    except Exception as error:
        trial.fail(f"keras.models.load_model can't read the file: {' '.join(str(error).split())[:300]}", call=call)
    text = "The model in the file isn't compiled, so its training can't continue. Save the one that was trained."
    trial.require(getattr(loaded, "optimizer", None) is not None, text, call=call)
    same = np.allclose(np.asarray(loaded(planes[:50])), np.asarray(model(planes[:50])), atol=1e-5)
    trial.require(same, "The model in the file gives different answers from the one returned.", call=call)


@contextmanager
def _eagerly():
    """To trace a graph takes longer than two epochs of a small training."""
    import tensorflow as tf

    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)


@contextmanager
def _without_remarks():
    """TensorFlow says that many small trainings are slow, and tf.data that it does not run eagerly."""
    logger = logging.getLogger("tensorflow")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)

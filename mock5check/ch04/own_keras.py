"""The check of a training with Keras: what is held out, what is kept, when it stops, what the file holds."""

import io
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

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
    games = np.repeat(np.arange(count), rng.integers(1, 11, count))[:count]
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
    with tempfile.TemporaryDirectory() as folder:
        trial.stage("one epoch: the contract")
        first = _train(trial, function, Path(folder) / "first.keras", lesson(120, 0), 1, 0)
        trial.stage("moves that nobody can predict: it must not learn the held-out ones by heart")
        _nothing_to_learn(trial, function, Path(folder) / "random.keras")
        trial.stage("planes that are all alike: it stops when the val_loss no longer falls, and not before")
        _slowly(trial, function, Path(folder) / "alike.keras")
        trial.stage("moves that follow a rule: it learns, it stops, it keeps the best")
        _learns(trial, function, Path(folder) / "rule.keras")
        trial.stage("the first training once more: equal seeds, equal histories")
        again = _train(trial, function, Path(folder) / "again.keras", lesson(120, 0), 1, 0)
        text = (
            "Equal seeds should give equal histories, and the same games held out. `keras.utils.set_random_seed` helps."
        )
        equal = all(np.allclose(first[1][key], again[1][key], atol=1e-4) for key in KEYS)
        trial.require(equal and np.array_equal(first[2], again[2]), text)


def _train(trial, function, path: Path, data: tuple, epochs: int, seed: int) -> tuple:
    """One training whose parts fit together: (model, history, held_out)."""
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
    trial.require(dict_of_lists, text, call=call)
    lengths = {len(history[key]) for key in KEYS}
    text = f"The history tells of {sorted(lengths)} epochs; there may be from 1 to {epochs}."
    trial.require(len(lengths) == 1 and 1 <= min(lengths) <= epochs, text, call=call)
    _held_out(trial, held_out, games, call)
    _probabilities(trial, model, planes, call)
    _best_is_kept(trial, model, history, planes[held_out], moves[held_out], call)
    _file(trial, keras, model, path, planes, call)
    return model, history, held_out


def _held_out(trial, held_out, games, call: str) -> None:
    fits = isinstance(held_out, np.ndarray) and held_out.shape == games.shape and held_out.dtype == bool
    trial.require(fits, f"`held_out` should be an array of {len(games)} booleans, not {show(held_out)}.", call=call)
    inside, outside = set(games[held_out].tolist()), set(games[~held_out].tolist())
    text = f"{len(inside & outside)} games stand on both sides of the split. Hold out whole games."
    trial.require(not inside & outside, text, call=call)
    share = len(inside) / len(inside | outside)
    text = f"{share:.0%} of the games are held out. A fifth of them is asked for, from 15 % to 25 %."
    trial.require(0.15 <= share <= 0.25, text, call=call)
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


def _best_is_kept(trial, model, history, planes, moves, call: str) -> None:
    """The model that comes back is the best epoch's, judged on just the held-out positions."""
    says = np.asarray(model(planes), dtype=float)
    loss = float(-np.log(np.maximum(says[np.arange(len(moves)), moves], 1e-7)).mean())
    best = min(history["val_loss"])
    text = (
        f"On the held-out positions the model's cross-entropy is {loss:.4f}, and the least val_loss of the history is "
        f"{best:.4f}, in epoch {int(np.argmin(history['val_loss']))} of {len(history['val_loss'])}. They "
        "should be the same: "
        "validate on just these positions, give back the weights of the best epoch, and give the loss "
        "probabilities if the "
        "model answers with probabilities."
    )
    trial.require(abs(loss - best) < 2e-3 * max(1, best), text, call=call)


def _file(trial, keras, model, path: Path, planes, call: str) -> None:
    trial.require(path.exists(), f"There is no file at `path` ({path.name}).", call=call)
    try:
        loaded = keras.models.load_model(path)
    except Exception as error:
        trial.fail(f"keras.models.load_model can't read the file: {error}", call=call)
    trial.require(
        loaded.optimizer is not None and loaded.optimizer.iterations is not None, "Save the whole model.", call=call
    )
    same = np.allclose(np.asarray(loaded(planes[:50])), np.asarray(model(planes[:50])), atol=1e-5)
    text = "The model in the file answers otherwise than the model that came back. Both should be the best epoch's."
    trial.require(same, text, call=call)


def _nothing_to_learn(trial, function, path: Path) -> None:
    """Whoever also trains on what is held out, learns even that by heart."""
    planes, moves, games = lesson(200, 3, random=1.0)
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


def _slowly(trial, function, path: Path) -> None:
    """All planes are alike, so only how often each point is played can be learnt, in many small steps.

    Whoever stops by another number, or asks for steps of some size, stops while the val_loss still falls.
    """
    rng = np.random.default_rng(7)
    planes, moves, games = lesson(300, 7)
    planes[:] = 0, 0, 1
    moves = rng.choice(POINTS, size=len(moves), p=np.arange(1, POINTS + 1) ** 3 / (np.arange(1, POINTS + 1) ** 3).sum())
    _, history, _ = _train(trial, function, path, (planes, moves, games), EPOCHS, 4)
    _stops(trial, history)


def _learns(trial, function, path: Path) -> None:
    model, history, _ = _train(trial, function, path, lesson(900, 1), EPOCHS, 2)
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

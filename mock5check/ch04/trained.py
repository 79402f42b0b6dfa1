"""What one training with Keras gives back: its form, whose weights it has, what its file holds."""

import io
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np

from mock5check.answers import show

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


def trained(trial, function, path: Path, data: tuple, epochs: int, seed: int) -> tuple:
    """One training whose parts fit together: (model, history, held_out)."""
    import keras

    call, (model, history, held_out) = called(trial, function, path, data, epochs, seed)
    planes, moves, _ = data
    _probabilities(trial, model, planes, call)
    _best_is_kept(trial, model, history, planes, moves, held_out, call)
    check_file(trial, keras, model, path, planes, call)
    return model, history, held_out


def called(trial, function, path: Path, data: tuple, epochs: int, seed: int) -> tuple:
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


def check_file(trial, keras, model, path: Path, planes, call: str) -> None:
    trial.require(path.exists(), f"There is no file at `path` ({path.name}).", call=call)
    try:
        loaded = keras.models.load_model(path)
    except Exception as error:
        said = " ".join(str(error).split())
        told = said if len(said) <= 400 else f"{said[:250]} … {said[-150:]}"
        trial.fail(f"keras.models.load_model can't read the file: {told}", call=call)
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

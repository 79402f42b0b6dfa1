"""AlphaGo's pipeline in Keras (Silver et al. 2016): from records to three nets, stage by stage, and to one agent.

    train_policy            the fast and the strong policy learn to predict the moves of records
    `policy_gradient`       the strong policy plays against a pool of its earlier selves, and learns from who won
    value_positions         games by those policies, one position of each: the value net's data
    train_value             the value net learns to predict who wins from there
    load_alphago            the three from their files into one agent

`pipeline.train_alphago` runs them all into a folder and goes on where it stopped. The records' policy, not the
one that learnt by playing, gives the search its priors: it was the better one in the paper, for it spreads over more
moves.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mock5lib.alphago.experience import Experience
from mock5lib.alphago.nets import (
    FAST,
    STRONG,
    VALUE,
    NetFunction,
    board_of,
    encoder_of,
    fast_policy_of,
    is_go,
    keras,
    load_net,
    policy_function,
    save_net,
    value_function,
)
from mock5lib.alphago.search import AlphaGo
from mock5lib.base import ranges
from mock5lib.game.records import Records
from mock5lib.game.table import sample_moves
from mock5lib.go.records import GoRecords
from mock5lib.go.table import sample_sensible

Report = Callable[[dict], None] | None  # told of each epoch or iteration as it ends

# Stage 1: policies from records -----------------------------------------------------------------------------------


def train_policy(
    net,
    records: Records,
    *,
    epochs: int = 1,
    steps: int = 200,
    batch_size: int = 128,
    learning_rate: float = 1e-3,
    held_out: Records | None = None,
    checkpoints=None,
    resume: bool = False,
    mistakes: bool = False,
    seed: int = 0,
    verbose: int = 0,
    report: Report = None,
) -> list[dict]:
    """Teach a policy net to predict the moves of records: cross-entropy, each position in a random symmetry.

    Args:
        net: the strong or the fast policy; trained in place.
        epochs: how often `steps` batches are learnt; the net is judged and a checkpoint written after each.
        learning_rate: of Adam.
        held_out: records to judge by, up to 4,096 positions of them.
        checkpoints: a folder for one `.keras` file an epoch; None writes none.
        resume: go on after the newest checkpoint in that folder. The result is that of an uninterrupted run.
        mistakes: learn, and be judged, in positions in which the generator played a random move, too.
        verbose: as in Keras's `fit`. report: is given each row of what is returned, as soon as it is known.

    Returns:
        For each epoch run: epoch, loss, accuracy and, with `held_out`, val_loss and val_accuracy.

    Raises:
        ValueError: records of another board, numbers out of range, or a checkpoint that is damaged or of another net.
    """
    ranges.counts(epochs=epochs, steps=steps, batch_size=batch_size)
    check_records(net, records)
    net.compile(keras.optimizers.Adam(learning_rate), "sparse_categorical_crossentropy", metrics=["accuracy"])
    judged = None if held_out is None else arrays_of(held_out, net, 4096, mistakes)
    done = restore_newest(net, checkpoints) if resume and checkpoints is not None else 0

    def batches(epoch: int):
        return endless_batches(records, net, batch_size, mistakes, [seed, epoch])

    return fit(net, batches, steps, range(done, epochs), judged, checkpoints, verbose, report)


def fit(net, batches: Callable, steps: int, epochs: range, judged, checkpoints, verbose: int, report: Report) -> list:
    """Learn `steps` of `batches(epoch)` in each epoch, keep and report it; returns the rows of all epochs."""
    history = []
    for epoch in epochs:
        at = dict(steps_per_epoch=steps, initial_epoch=epoch, epochs=epoch + 1)
        judge = dict(validation_data=judged, validation_batch_size=512)
        fitted = net.fit(batches(epoch), **at, **judge, shuffle=False, verbose=verbose)
        keep_epoch(net, checkpoints, epoch + 1)
        history.append({"epoch": epoch + 1} | {name: values[-1] for name, values in fitted.history.items()})
        if report is not None:
            report(history[-1])
    return history


def endless_batches(records: Records, net, batch_size: int, mistakes: bool, seed):
    """(planes, moves) for Keras, channels last: pass after pass through the records."""
    rng, encoder = np.random.default_rng(seed), encoder_of(net)
    while True:
        for batch in records.batches(batch_size, encoder=encoder, mistakes=mistakes, seed=rng):
            yield channels_last(batch.planes), batch.moves


def channels_last(planes: np.ndarray) -> np.ndarray:
    """(B, C, H, W) → (B, H, W, C), in that order in memory."""
    return np.ascontiguousarray(planes.transpose(0, 2, 3, 1))


def spread_positions(records: Records, most: int, mistakes: bool) -> np.ndarray:
    """Up to `most` places in `records.moves`, evenly spread."""
    where = np.arange(records.positions)
    if not mistakes and records.mistakes is not None:
        where = where[~records.mistakes]
    return where[np.unique(np.linspace(0, len(where) - 1, min(most, len(where))).astype(np.int64))]


def arrays_of(records: Records, net, most: int, mistakes: bool) -> tuple[np.ndarray, np.ndarray]:
    """(planes, moves) of up to `most` positions of some records, evenly spread."""
    batch = records.positions_at(spread_positions(records, most, mistakes), encoder_of(net))
    return channels_last(batch.planes), batch.moves


def policy_accuracy(net, records: Records, most: int = 4096, *, mistakes: bool = False) -> float:
    """How often the most probable legal move of a net, or of its `policy_function`, was played: from 0 to 1.

    Judged on up to `most` positions, evenly spread over the records; `mistakes` counts the generator's random moves,
    too, which nobody can predict.
    """
    policy = net if isinstance(net, NetFunction) else policy_function(net)
    where = spread_positions(records, most, mistakes)
    encoder, hits = encoder_of(policy.net), 0
    for chunk in np.array_split(where, -(-len(where) // 512)):
        batch = records.positions_at(chunk, encoder)
        if isinstance(records, GoRecords):
            moves = sample_sensible(policy(batch.planes), records.sensible_at(chunk), 0, None)
        else:
            boards = 1 - records.positions_at(chunk).planes[:, 2].reshape(len(chunk), -1)  # the plane of empty points
            moves = sample_moves(policy(batch.planes), 0, None, boards)
        hits += (moves == batch.moves).sum()
    return float(hits / len(where))


def keep_epoch(net: keras.Model, checkpoints, epoch: int) -> None:
    """Write a net after an epoch, if there is a folder for it."""
    if checkpoints is not None:
        save_net(Path(checkpoints) / f"{net.name}_{epoch:03d}.keras", net)


def restore_newest(net, checkpoints) -> int:
    """Give `net`, which is compiled, weights and optimizer of its newest checkpoint, if any; returns its epoch."""
    found = sorted(Path(checkpoints).glob(f"{net.name}_*.keras"))
    if found:
        take_state(net, found[-1])
    return int(found[-1].stem.rsplit("_", 1)[1]) if found else 0


def take_state(net, path: Path) -> None:
    """Copy the weights and the optimizer's state of a stored net."""
    path.read_bytes()  # a disk that can't be read now is no damage: h5py makes no difference
    saved = load_net(path, net.name, board_of(net), net.input_shape[-1])
    try:
        net.set_weights(saved.get_weights())
    except ValueError as problem:
        raise ValueError(f"{path}: a net of other layers than the one to go on with ({problem}).") from None
    if saved.optimizer is not None:
        net.optimizer.build(net.trainable_variables)
        for variable, value in zip(net.optimizer.variables, saved.optimizer.variables):
            variable.assign(value)


def check_records(net, records: Records) -> None:
    """Raise a ValueError unless the records are of the net's game, Go or freestyle five in a row, on its board."""
    board = board_of(net)
    if (records.height, records.width) != board:
        raise ValueError(
            f"The {net.name} is for {board[0]}×{board[1]} boards, the records are on {records.height}×{records.width}."
        )
    if isinstance(records, GoRecords) != is_go(net):
        raise ValueError(f"The {net.name} is for another game than these records, {records!r}.")
    if not is_go(net) and (records.k != 5 or records.exact):
        raise ValueError(
            f"AlphaGo's planes are for freestyle five in a row, the records are k={records.k}, exact={records.exact}."
        )


# Stage 3: the value net -------------------------------------------------------------------------------------------


def train_value(
    net,
    experience: Experience,
    *,
    epochs: int = 10,
    batch_size: int = 64,
    learning_rate: float = 1e-3,
    held_out: Experience | None = None,
    symmetries: bool = True,
    checkpoints=None,
    resume: bool = False,
    seed: int = 0,
    verbose: int = 0,
    report: Report = None,
) -> list[dict]:
    """Teach the value net to predict outcomes: mean squared error.

    Args:
        net: the value net; trained in place. epochs: passes through the experience.
        held_out: other games, see `Experience.split`.
        checkpoints, resume, verbose, report: as in `train_policy`.
        symmetries: turn positions by lot.

    Returns:
        For each epoch run: epoch, loss and, with `held_out`, val_loss, both mean squared errors. Always saying the
        mean outcome gives an error of about 1 less the share of draws.

    Raises:
        ValueError: experience of another board, or numbers out of range.
    """
    ranges.counts(epochs=epochs, batch_size=batch_size)
    board = board_of(net)
    if (experience.height, experience.width) != board:
        raise ValueError(
            f"The value net is for {board[0]}×{board[1]} boards, the experience is on "
            f"{experience.height}×{experience.width}."
        )
    net.compile(keras.optimizers.Adam(learning_rate), "mean_squared_error")
    encoder, judged = encoder_of(net), None
    if held_out is not None:
        batch = held_out.positions_at(np.arange(len(held_out)), encoder)
        judged = channels_last(batch.planes), batch.outcomes
    done = restore_newest(net, checkpoints) if resume and checkpoints is not None else 0

    def batches(epoch: int):
        found = experience.batches(batch_size, encoder=encoder, symmetries=symmetries, seed=[seed, epoch])
        return ((channels_last(batch.planes), batch.outcomes) for batch in found)

    steps = -(-len(experience) // batch_size)
    history = fit(net, batches, steps, range(done, epochs), judged, checkpoints, verbose, report)
    warn_if_dead(net, experience, encoder)
    return history


def warn_if_dead(net, experience: Experience, encoder) -> None:
    """Say so if the net gives one answer to everything: a layer's ReLUs have died, most easily its single filter."""
    some = experience.positions_at(np.linspace(0, len(experience) - 1, min(64, len(experience))).astype(int), encoder)
    if len(some.planes) > 1 and np.ptp(value_function(net)(some.planes)) < 1e-6:
        warnings.warn(
            "The value net answers the same to every position: it has died. Take another seed for its first "
            "weights, or a lower learning rate.",
            stacklevel=3,
        )


# The agent --------------------------------------------------------------------------------------------------------


def load_alphago(folder, *, policy="strong.keras", fast="fast.keras", value="value.keras", **options) -> AlphaGo:
    """The agent from three files of a folder.

    Args:
        policy, fast, value: their names there, or paths; fast may be None for λ = 0, value for λ = 1.
        options: those of `search.alphago.AlphaGo`.

    Raises:
        FileNotFoundError: one is missing. ValueError: one is cut short, of another kind, or for another board.
    """
    folder = Path(folder)
    strong = load_net(folder / policy, STRONG)
    board = board_of(strong)
    quick = None if fast is None else fast_policy_of(load_net(folder / fast, FAST, board))
    judge = None if value is None else value_function(load_net(folder / value, VALUE, board))
    return AlphaGo(policy_function(strong), quick, judge, **options)

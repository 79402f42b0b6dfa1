"""AlphaGo's pipeline in Keras (Silver et al. 2016): from records to three nets, stage by stage, and to one agent.

    train_policy            the fast and the strong policy learn to predict the moves of records
    train_policy_gradient   the strong policy plays against a pool of its earlier selves, and learns from who won
    `games.value_positions` games by those policies, one position of each: the value net's data
    train_value             the value net learns to predict who wins from there
    load_alphago            the three from their files into one agent

`pipeline.train_alphago` runs them all into a folder. The records' policy, not the one that learned by playing, gives
the search its priors: it was the better one in the paper, for it spreads over more moves.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mock5lib.alphago.experience import Experience
from mock5lib.alphago.games import self_play
from mock5lib.alphago.kit import kit_of
from mock5lib.alphago.nets import (
    FAST,
    LOWEST,
    STRONG,
    VALUE,
    NetFunction,
    board_of,
    encoder_of,
    fast_policy_of,
    keras,
    kit_of_net,
    load_net,
    policy_function,
    tf,
    value_function,
)
from mock5lib.alphago.search import AlphaGo
from mock5lib.base import arguments
from mock5lib.game.lockstep_compiled import OCCUPIED
from mock5lib.game.records import Records

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
    seed: int = 0,
    report: Report = None,
) -> list[dict]:
    """Teach a policy net to predict the moves of records: cross-entropy, each position in a random symmetry.

    The records' mistakes, random moves that their generator put in, are left out.

    Args:
        net: the strong or the fast policy; trained in place.
        epochs: how often `steps` batches are learned; the net is judged after each.
        learning_rate: of Adam.
        held_out: records to judge by, up to 4,096 positions of them.
        report: is given each row of what is returned, as soon as it is known.

    Returns:
        For each epoch: epoch, loss, accuracy and, with `held_out`, val_loss and val_accuracy.
    """
    check_records(net, records)
    net.compile(keras.optimizers.Adam(learning_rate), "sparse_categorical_crossentropy", metrics=["accuracy"])
    encoder, judged = encoder_of(net), None
    if held_out is not None:
        batch = held_out.positions_at(spread_positions(held_out, 4096), encoder)
        judged = channels_last(batch.planes), batch.moves

    def batches(epoch: int):
        rng = np.random.default_rng([seed, epoch])
        while True:  # pass after pass through the records
            for batch in records.batches(batch_size, encoder=encoder, mistakes=False, seed=rng):
                yield channels_last(batch.planes), batch.moves

    return fit(net, batches, steps, epochs, judged, report)


def fit(net, batches: Callable, steps: int, epochs: int, judged, report: Report) -> list[dict]:
    """Learn `steps` of `batches(epoch)` in each epoch and report it; returns the rows of all epochs."""
    history = []
    for epoch in range(epochs):
        at = dict(steps_per_epoch=steps, initial_epoch=epoch, epochs=epoch + 1)
        judge = dict(validation_data=judged, validation_batch_size=512)
        fitted = net.fit(batches(epoch), **at, **judge, shuffle=False, verbose=0)
        history.append({"epoch": epoch + 1} | {name: values[-1] for name, values in fitted.history.items()})
        if report is not None:
            report(history[-1])
    return history


def channels_last(planes: np.ndarray) -> np.ndarray:
    """(B, C, H, W) → (B, H, W, C), in that order in memory."""
    return np.ascontiguousarray(planes.transpose(0, 2, 3, 1))


def spread_positions(records: Records, most: int) -> np.ndarray:
    """Up to `most` places in `records.moves` that are no mistakes, evenly spread."""
    where = np.flatnonzero(~records.mistakes)
    return where[np.unique(np.linspace(0, len(where) - 1, min(most, len(where))).astype(np.int64))]


def policy_accuracy(net, records: Records, most: int = 4096) -> float:
    """How often the most probable legal move of a net, or of its `policy_function`, was played: from 0 to 1.

    Judged on up to `most` positions, evenly spread over the records; their generator's random moves, which nobody can
    predict, don't count.
    """
    policy = net if isinstance(net, NetFunction) else policy_function(net)
    where = spread_positions(records, most)
    encoder, hits = encoder_of(policy.net), 0
    for chunk in np.array_split(where, -(-len(where) // 512)):
        batch = records.positions_at(chunk, encoder)
        moves = np.where(records.sensible_at(chunk), policy(batch.planes), -np.inf).argmax(axis=1)
        hits += (moves == batch.moves).sum()
    return float(hits / len(where))


def check_records(net, records: Records) -> None:
    """Raise a ValueError unless the records are of the net's game, on its board."""
    board = board_of(net)
    if (records.height, records.width) != board:
        raise ValueError(
            f"The {net.name} is for {board[0]}×{board[1]} boards, the records are on {records.height}×{records.width}."
        )
    kit = kit_of_net(net)
    if kit_of(records.blank) is not kit:
        raise ValueError(f"The {net.name} is for another game than these records, {records!r}.")
    if why := kit.refuses(records.blank):
        raise ValueError(f"AlphaGo {why}: these are {records!r}.")


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
    seed: int = 0,
    report: Report = None,
) -> list[dict]:
    """Teach the value net to predict outcomes: mean squared error.

    Args:
        net: the value net; trained in place. epochs: passes through the experience.
        held_out: other games, see `Experience.split`.
        symmetries: turn positions by lot.
        report: as in `train_policy`.

    Returns:
        For each epoch: epoch, loss and, with `held_out`, val_loss, both mean squared errors. Always saying the mean
        outcome gives an error of about 1 less the share of draws.
    """
    check_records(net, experience.records)
    net.compile(keras.optimizers.Adam(learning_rate), "mean_squared_error")
    encoder, judged = encoder_of(net), None
    if held_out is not None:
        batch = held_out.positions_at(slice(None), encoder)
        judged = channels_last(batch.planes), batch.outcomes

    def batches(epoch: int):
        found = experience.batches(batch_size, encoder=encoder, symmetries=symmetries, seed=[seed, epoch])
        return ((channels_last(batch.planes), batch.outcomes) for batch in found)

    history = fit(net, batches, -(-len(experience) // batch_size), epochs, judged, report)
    some = experience.positions_at(np.linspace(0, len(experience) - 1, min(64, len(experience))).astype(int), encoder)
    if len(some.planes) > 1 and np.ptp(value_function(net)(some.planes)) < 1e-6:  # most easily, its single filter died
        warnings.warn(
            "The value net answers the same to every position: its ReLUs have died. Take another seed for its first "
            "weights, or a lower learning rate.",
            stacklevel=2,
        )
    return history


# The agent --------------------------------------------------------------------------------------------------------


def load_alphago(folder, *, policy="strong.keras", fast="fast.keras", value="value.keras", **options) -> AlphaGo:
    """The agent from three files of a folder.

    Args:
        policy, fast, value: their names there, or paths; fast may be None for λ = 0, value for λ = 1.
        options: those of `search.AlphaGo`.

    Raises:
        FileNotFoundError: one is missing. ValueError: one is cut short, of another kind, or for another board.
    """
    folder = Path(folder)
    strong = load_net(folder / policy, STRONG)
    board = board_of(strong)
    quick = None if fast is None else fast_policy_of(load_net(folder / fast, FAST, board))
    judge = None if value is None else value_function(load_net(folder / value, VALUE, board))
    return AlphaGo(policy_function(strong), quick, judge, **options)


def train_policy_gradient(
    net,
    *,
    iterations: int,
    games: int = 64,
    opponents: str = "pool",
    add_every: int = 5,
    learning_rate: float = 1e-4,
    seed: int = 0,
    report: Report = None,
) -> list[dict]:
    """Let the strong policy play against earlier selves and learn from who won (REINFORCE; Williams 1992).

    An iteration plays `games` games against one opponent, each from two random moves, and takes one step of Adam along
    the mean of (z − b) · ∇ log π(move), with z the outcome and b the batch's mean of it.

    Args:
        net: the strong policy; trained in place.
        opponents: "pool" draws one of the earlier selves by lot, as AlphaGo did; "frozen" is always the first self,
            as in the slides after Pumperla and Ferguson (2019).
        add_every: iterations between two selves of the pool (AlphaGo: 500).
        report: is given each row of what is returned, as soon as it is known.

    Returns:
        For each iteration: iteration, opponent (of which iteration), score against it, loss, entropy in nats.
    """
    arguments.one_of("opponents", opponents, ("pool", "frozen"))
    net.compile(keras.optimizers.Adam(learning_rate))
    net.optimizer.build(net.trainable_variables)
    step, learner = gradient_step(net), policy_function(net)
    rival = keras.models.clone_model(net)
    opponent = policy_function(rival)
    pool, log = {0: net.get_weights()}, []
    for iteration in range(1, iterations + 1):
        rng = np.random.default_rng([seed, iteration])
        which = int(rng.choice(list(pool))) if opponents == "pool" else 0
        rival.set_weights(pool[which])
        experience, score = self_play(learner, opponent, games, opening_moves=2, seed=rng)
        planes = channels_last(experience.positions_at(slice(None), encoder_of(net)).planes)
        advantages = experience.outcomes - experience.outcomes.mean()
        loss, entropy = step(planes, experience.moves, advantages, experience.legal_points())
        log.append(
            {"iteration": iteration, "opponent": which, "score": score, "loss": float(loss), "entropy": float(entropy)}
        )
        if iteration % add_every == 0:
            pool[iteration] = net.get_weights()
        if report is not None:
            report(log[-1])
    return log


def gradient_step(net):
    """One compiled step of policy gradient: (planes, moves, advantages, legal) → loss, entropy.

    π is the softmax over the legal moves, from which the moves were drawn.
    """
    channels = net.input_shape[1:]
    shapes = [tf.TensorSpec((None, *channels), tf.float32), tf.TensorSpec((None,), tf.int16)]
    shapes += [tf.TensorSpec((None,), tf.float32), tf.TensorSpec((None, net.output_shape[1]), tf.bool)]

    @tf.function(input_signature=shapes)
    def step(planes, moves, advantages, legal):
        with tf.GradientTape() as tape:
            scores = tf.math.log(tf.maximum(net(planes, training=True), LOWEST))
            log_policy = tf.nn.log_softmax(tf.where(legal, scores, OCCUPIED))
            chosen = tf.gather(log_policy, tf.cast(moves, tf.int32), batch_dims=1)
            loss = -tf.reduce_mean(advantages * chosen)
        gradients = tape.gradient(loss, net.trainable_variables)
        net.optimizer.apply(gradients, net.trainable_variables)
        entropy = -tf.reduce_mean(tf.reduce_sum(tf.exp(log_policy) * tf.where(legal, log_policy, 0.0), axis=1))
        return loss, entropy

    return step

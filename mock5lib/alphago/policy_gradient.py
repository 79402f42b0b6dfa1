"""AlphaGo's second stage: the strong policy plays its earlier selves and learns from who won (Silver et al. 2016)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mock5lib.alphago import nets as keras_nets
from mock5lib.alphago.games import self_play
from mock5lib.alphago.nets import encoder_of, keras, policy_function, read_card, save_net, tf
from mock5lib.alphago.train import Report, channels_last, take_state
from mock5lib.base import ranges
from mock5lib.game.table import OCCUPIED


def train_policy_gradient(
    net,
    *,
    iterations: int,
    games: int = 64,
    opponents: str = "pool",
    add_every: int = 5,
    learning_rate: float = 1e-4,
    opening_moves: int = 2,
    baseline: bool = True,
    folder=None,
    resume: bool = False,
    seed: int = 0,
    report: Report = None,
) -> list[dict]:
    """Let the strong policy play against earlier selves and learn from who won (REINFORCE; Williams 1992).

    An iteration plays `games` games against one opponent and takes one step of Adam along the mean of
    (z − b) · ∇ log π(move), with z the outcome and b the batch's mean of it.

    Args:
        net: the strong policy; trained in place.
        opponents: "pool" draws one of the earlier selves by lot, as AlphaGo did; "frozen" is always the first self,
            as in the slides after Pumperla and Ferguson (2019).
        add_every: iterations between two selves of the pool (AlphaGo: 500).
        baseline: whether b is subtracted.
        folder: keeps the selves, one `.keras` file each; None keeps them in memory only.
        resume: go on from the newest self in the folder.
        report: is given each row of what is returned, as soon as it is known.

    Returns:
        For each iteration: iteration, opponent (of which iteration), score against it, loss, entropy in nats.

    Raises:
        ValueError: numbers out of range, or a self that is damaged or of another net.
    """
    ranges.counts(iterations=iterations, games=games, add_every=add_every)
    if opponents not in ("pool", "frozen"):
        raise ValueError(f"opponents is 'pool' or 'frozen', got {opponents!r}.")
    net.compile(keras.optimizers.Adam(learning_rate))
    net.optimizer.build(net.trainable_variables)
    selves = Selves(net, folder, resume)
    step, learner = gradient_step(net), policy_function(net)
    rival = keras.models.clone_model(net)
    opponent = policy_function(rival)
    for iteration in range(selves.last + 1, iterations + 1):
        rng = np.random.default_rng([seed, iteration])
        which = selves.draw(rng) if opponents == "pool" else 0
        rival.set_weights(selves.weights[which])
        experience, score = self_play(learner, opponent, games, opening_moves=opening_moves, seed=rng)
        planes = experience.positions_at(np.arange(len(experience)), encoder_of(net)).planes
        advantages = experience.outcomes - (experience.outcomes.mean() if baseline else 0)
        loss, entropy = step(channels_last(planes), experience.moves, advantages, experience.open_points())
        selves.log.append(
            {"iteration": iteration, "opponent": which, "score": score, "loss": float(loss), "entropy": float(entropy)}
        )
        if iteration % add_every == 0 or iteration == iterations:
            selves.add(net, iteration)
        if report is not None:
            report(selves.log[-1])
    return selves.log


class Selves:
    """The selves of a policy by iteration: weights in memory, and in a folder if there is one.

    Attributes:
        weights: iteration → weights. last: the newest iteration. log: what `train_policy_gradient` returns.
    """

    def __init__(self, net, folder, resume: bool):
        self.folder, self.weights, self.log, self.last = None if folder is None else Path(folder), {}, [], 0
        if resume and self.folder is not None and self.files():
            self.load(net, self.files()[-1])
        if not self.weights:
            self.add(net, 0)

    def files(self) -> list[Path]:
        """The files of the selves, oldest first."""
        return sorted(self.folder.glob("self_*.keras"))

    def load(self, net, newest: Path) -> None:
        """Take all selves up to one, whose log is kept; `net` is that one then."""
        weights, log = {}, read_card(newest)["log"]
        for path in self.files():
            if path <= newest:
                take_state(net, path)
                self.last = int(path.stem.split("_")[1])
                weights[self.last] = net.get_weights()
        self.weights, self.log = weights, log

    def draw(self, rng) -> int:
        """The iteration of one of the selves, by lot."""
        return int(rng.choice(list(self.weights)))

    def add(self, net, iteration: int) -> None:
        """Keep the net as it is now."""
        self.weights[iteration] = net.get_weights()
        if self.folder is not None:
            save_net(self.folder / f"self_{iteration:05d}.keras", net, iteration=iteration, log=self.log)


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
            scores = tf.math.log(tf.maximum(net(planes, training=True), keras_nets.LOWEST))
            log_policy = tf.nn.log_softmax(tf.where(legal, scores, OCCUPIED))
            chosen = tf.gather(log_policy, tf.cast(moves, tf.int32), batch_dims=1)
            loss = -tf.reduce_mean(advantages * chosen)
        gradients = tape.gradient(loss, net.trainable_variables)
        net.optimizer.apply(gradients, net.trainable_variables)
        entropy = -tf.reduce_mean(tf.reduce_sum(tf.exp(log_policy) * tf.where(legal, log_policy, 0.0), axis=1))
        return loss, entropy

    return step

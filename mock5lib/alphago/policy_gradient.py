"""AlphaGo's second stage: the strong policy plays its earlier selves and learns from who won (Silver et al. 2016)."""

from __future__ import annotations

import numpy as np

from mock5lib.alphago.games import self_play
from mock5lib.alphago.nets import LOWEST, encoder_of, keras, policy_function, tf
from mock5lib.alphago.train import Report, channels_last
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
    ranges.one_of("opponents", opponents, ("pool", "frozen"))
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

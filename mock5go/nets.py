"""Go's fast policy as a net in Keras; the other two are made by `mock5lib.alphago.nets`. It needs TensorFlow."""

from __future__ import annotations

from mock5go.rollout_policy import CHANNELS, CLOSED, PATTERNS
from mock5lib.alphago.nets import FAST, keras, name_of


def fast_policy(height: int = 9, width: int = 9, reach: int | None = None, *, seed: int | None = None) -> keras.Model:
    """The fast policy: (B, H, W, 12), see `GoFastPlanes`, → probabilities of the points (B, H * W).

    A weight for each 3×3 pattern and each feature, all 0 at first; `fast_policy_of` takes them out of Keras.

    Args:
        reach, seed: what other games' fast policies need; here the reach is given, and nothing is drawn.
    """
    seen = keras.Input((height, width, CHANNELS))
    pattern = keras.layers.Embedding(PATTERNS, 1, embeddings_initializer="zeros", name="patterns")
    features = keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros", name="features")
    logits = pattern(keras.ops.cast(seen[..., 0], "int32"))[..., 0] + features(seen[..., 2:])[..., 0]
    logits = keras.layers.Flatten()(logits - CLOSED * seen[..., 1])
    return keras.Model(seen, keras.layers.Softmax()(logits), name=name_of(FAST, "Go"))

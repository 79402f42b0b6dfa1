"""The mistakes that are often made in the exercises of chapter 2, and the right answers that they go by.

Each table lists (function that makes the mistake, its cause), the more frequent first.
"""

import numpy as np

# The right answers ------------------------------------------------------------------------------------------------


def log_softmax(logits) -> np.ndarray:
    """log of softmax, stable."""
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum())


def heated(chances, temperature) -> np.ndarray:
    """The right answer to `tempered`."""
    scaled = np.asarray(chances, float) / np.max(chances)
    weights = (scaled == 1).astype(float) if temperature == 0 else scaled ** (1 / temperature)
    return weights / weights.sum()


# The mistakes ----------------------------------------------------------------------------------------------------


def _above_zero(wrong):
    """A slip that shows only at temperatures above 0."""
    return lambda p, t: wrong(p, t) if t else heated(p, 0)


def _at_zero(wrong):
    """A slip that shows only at temperature 0."""
    return lambda p, t: heated(p, t) if t else wrong(p)


def _a_little_added(little):
    return lambda p, t: heated(p + little, t)


def _by_logarithms(little):
    return lambda p, t: np.exp(log_softmax(np.log(p + little) / t))


def _cut_off(little):
    return lambda p, t: heated(np.maximum(p, little), t)


LITTLE = (1e-15, 1e-12, 1e-10, 1e-9, 1e-8)  # what is added, or taken at least, for fear of log(0)
STAYS_0 = "A chance of 0 stays 0 at every T: add nothing to the chances, and cut nothing off."

TEMPER_SLIPS = [  # of chances (array), temperature
    (_above_zero(lambda p, t: (p / p.max()) ** (1 / t)), "They must sum to 1: divide by their sum."),
    (_above_zero(lambda p, t: p ** (1 / t)), "They must sum to 1: divide by their sum."),
    *[(_above_zero(_a_little_added(little)), STAYS_0) for little in LITTLE],
    *[(_a_little_added(little), STAYS_0) for little in LITTLE],
    *[(_above_zero(_by_logarithms(little)), STAYS_0) for little in LITTLE],
    *[(_above_zero(_cut_off(little)), STAYS_0) for little in LITTLE],
    (
        _above_zero(lambda p, t: (p / p.mean()) ** (1 / t) / ((p / p.mean()) ** (1 / t)).sum()),
        "A high power of a number above 1 is ∞ to a computer: divide by the LARGEST chance first.",
    ),
    (
        _above_zero(lambda p, t: heated(p, 1 / t)),
        "This is p to the power T. It is 1/T: a low temperature, a high power.",
    ),
    (
        _above_zero(lambda p, t: np.exp((p - p.max()) / t) / np.exp((p - p.max()) / t).sum()),
        "This is a softmax of CHANCES. exp() was applied to them already: raise them to the power 1/T.",
    ),
    (_above_zero(lambda p, t: p), "The temperature is not used, except at 0."),
    (lambda p, t: p, "The temperature is not used."),
    (
        _above_zero(lambda p, t: p ** (1 / t) / (p ** (1 / t)).sum()),
        "A high power of a small chance is 0 to a computer.",
    ),
    (
        lambda p, t: heated(p, t) if t >= 0.01 else heated(p, 0),
        "A temperature near 0 is not 0: chances that are nearly equal stay comparable.",
    ),
    (_at_zero(lambda p: (p == p.max()) * 1.0), "At T = 0 the highest have equal shares that sum to 1."),
    (
        _at_zero(lambda p: np.eye(len(p))[p.argmax()]),
        "At T = 0 several points may be highest, and argmax takes only the first. They share equally.",
    ),
    (_at_zero(lambda p: np.full(len(p), 1 / len(p))), "At T = 0 only the highest remain."),
]


def _turned(planes, move, turned_planes, turned_move):
    """One wrong pair for `turn_example`; both are functions of (planes or move, height, width)."""
    height, width = planes.shape[1:]
    return turned_planes(planes), turned_move(*divmod(move, width), height, width)


def _counter(planes):
    return np.rot90(planes, axes=(1, 2))


def right_turn(planes, move):
    """The right answer to `turn_example`."""
    return _turned(planes, move, _counter, lambda r, c, h, w: (w - 1 - c) * h + r)


TURN_SLIPS = [
    (
        lambda p, m: _turned(p, m, _counter, lambda r, c, h, w: r * w + c),
        "The move was not turned with the board. A network trained on this learns nonsense.",
    ),
    (
        lambda p, m: _turned(p, m, _counter, lambda r, c, h, w: c * h + h - 1 - r),
        "The planes turn counter-clockwise, and the move clockwise.",
    ),
    (
        lambda p, m: _turned(p, m, lambda x: np.rot90(x, -1, axes=(1, 2)), lambda r, c, h, w: c * h + h - 1 - r),
        "This is a clockwise turn.",
    ),
    (
        lambda p, m: _turned(p, m, _counter, lambda r, c, h, w: (w - 1 - c) * w + r),
        "A row of the turned board has `height` points, not `width`.",
    ),
    (
        lambda p, m: _turned(p, m, _counter, lambda r, c, h, w: c * h + r),
        "The move is mirrored at the diagonal; that is not a turn.",
    ),
    (
        lambda p, m: _turned(p, m, _counter, lambda r, c, h, w: (h - 1 - c) * h + r),
        "The column counts from the far side of the WIDTH: width − 1 − column.",
    ),
    (
        lambda p, m: _turned(p, m, _counter, lambda r, c, h, w: (w - c) * h + r),
        "The last column, width − 1, becomes row 0: width − 1 − column.",
    ),
    (
        lambda p, m: (_counter(p), (p.shape[2] - 1 - m % p.shape[1]) * p.shape[1] + m // p.shape[1]),
        "A row of the board has `width` points: divmod(move, width) gives the row and the column.",
    ),
    (
        lambda p, m: (np.rot90(p, -1, axes=(1, 2)), right_turn(p, m)[1]),
        "The planes turn clockwise, and the move counter-clockwise: axes=(1, 2), not (2, 1).",
    ),
    (
        lambda p, m: _turned(p, m, lambda x: x.transpose(0, 2, 1), lambda r, c, h, w: c * h + r),
        "Planes and move are mirrored at the diagonal; that is not a turn.",
    ),
    (
        lambda p, m: (p.reshape(p.shape[0], p.shape[2], p.shape[1]), right_turn(p, m)[1]),
        "reshape only deals the same numbers into rows of another length; it turns nothing.",
    ),
    (lambda p, m: (p, right_turn(p, m)[1]), "The planes were not turned."),
    (
        lambda p, m: (np.rot90(p), right_turn(p, m)[1]),
        "np.rot90 turns the FIRST two axes unless told otherwise; here rows and columns are axes 1 and 2.",
    ),
    (lambda p, m: (p.transpose(0, 2, 1), right_turn(p, m)[1]), "The planes are mirrored at the diagonal, not turned."),
]


def right_choice(scores, empty, epsilon, rng):
    """The right answer to `choose`."""
    points = np.flatnonzero(empty)
    weights = scores[points]
    if weights.sum() == 0 or rng.random() < epsilon:
        return int(rng.choice(points))
    return int(rng.choice(points, p=weights / weights.sum()))


def _best_choice(scores, empty, epsilon, rng):
    points = np.flatnonzero(empty)
    adventure = scores[points].sum() == 0 or rng.random() < epsilon
    return int(rng.choice(points) if adventure else points[scores[points].argmax()])


def _weighed(change):
    """A slip in the weights alone."""

    def wrong(scores, empty, epsilon, rng):
        points = np.flatnonzero(empty)
        if scores[points].sum() == 0 or rng.random() < epsilon:
            return int(rng.choice(points))
        weights = change(scores[points])
        return int(rng.choice(points, p=weights / weights.sum()))

    return wrong


def _nearly_zero(scores, empty, epsilon, rng):
    small = np.allclose(scores[empty], 0)
    return right_choice(scores, empty, 1 if small else epsilon, rng)


CHOICE_SLIPS = [
    (_weighed(lambda w: np.exp(w - w.max())), "That is a softmax of the scores. Draw in proportion to the scores."),
    (_weighed(lambda w: w**2), "That is in proportion to the squares of the scores."),
    (_weighed(lambda w: w * (w >= np.sort(w)[-2:].min())), "Only the two best are ever played. Draw from all of them."),
    (_nearly_zero, "Very small scores count, too: compare their sum with 0 itself, and add nothing to them."),
    (_best_choice, "With chance 1 − epsilon this plays the highest score. Draw in proportion."),
    (lambda s, e, eps, rng: right_choice(s, e, 0, rng), "Epsilon is not used."),
    (lambda s, e, eps, rng: right_choice(s, e, 1, rng), "This draws evenly and does not look at the scores."),
    (
        lambda s, e, eps, rng: right_choice(s, e, 1 - eps, rng),
        "Epsilon is the chance of the EVEN draw, not 1 − epsilon.",
    ),
    (
        lambda s, e, eps, rng: np.flatnonzero(e).tolist().index(right_choice(s, e, eps, rng)),
        "That is a place in the list of the empty points. Look up there which point of the board it is.",
    ),
]

CEILING_SLIPS = [  # of parts (A, S, N), weights (A,)
    (
        lambda p, w: (w[:, None] * p.max(axis=2)).sum(axis=0).mean(),
        "This knows each agent's best move, but not WHICH agent moves. Mix the chances first, then take the largest.",
    ),
    (
        lambda p, w: np.tensordot(w, p, 1).max(axis=0).mean(),
        "Axis 0 of the mixture are the positions. Take the largest over the points, axis 1.",
    ),
    (lambda p, w: p.max(axis=(0, 2)).mean(), "This takes the largest chance of any one agent. Mix the chances first."),
    (lambda p, w: p.mean(axis=0).max(axis=1).mean(), "The weights are not used: every agent counts alike here."),
    (
        lambda p, w: np.tensordot(w, p, 1).mean(axis=0).max(),
        "This is one best move for ALL positions. Each has its own: first the largest, then the mean over positions.",
    ),
    (lambda p, w: np.tensordot(w, p, 1).max(), "This is the most predictable position. Take the mean over positions."),
    (lambda p, w: np.tensordot(w, p, 1).max(axis=1).sum(), "This is a sum over positions. Divide by their number."),
    (lambda p, w: p[w.argmax()].max(axis=1).mean(), "This looks at the most frequent agent only."),
    (
        lambda p, w: (np.tensordot(w, p, 1) ** 2).sum(axis=1).mean(),
        "This guesses by drawing from p. To always name the likeliest move is better.",
    ),
]

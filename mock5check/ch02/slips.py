"""The mistakes that are often made in the exercises of chapter 2, and the right answers that they go by.

Each table lists (function that makes the mistake, its cause), the more frequent first.
"""

import numpy as np

# The right answers ------------------------------------------------------------------------------------------------


def log_softmax(logits) -> np.ndarray:
    """log of softmax, stable."""
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum())


def masked(logits, empty) -> np.ndarray:
    """The right answer to `log_policy`."""
    return log_softmax(np.where(empty, np.asarray(logits, float), -np.inf))


def heated(chances, temperature) -> np.ndarray:
    """The right answer to `tempered`."""
    scaled = np.asarray(chances, float) / np.max(chances)
    weights = (scaled == 1).astype(float) if temperature == 0 else scaled ** (1 / temperature)
    return weights / weights.sum()


def hit_rate(scores, moves, k) -> float:
    """The right answer to `top_k`."""
    return float(np.mean((scores > scores[np.arange(len(moves)), moves][:, None]).sum(axis=1) < k))


# The mistakes ----------------------------------------------------------------------------------------------------


def score_of(own, other, centre, base, weight):
    """The right answer to `point_score`."""
    return centre + sum(base**m + weight * base**o for m, o in zip(own, other))


def _of_arrays(wrong):
    """A slip that is written for arrays of levels."""
    return lambda m, o, c, b, w: float(wrong(np.array(m, float), np.array(o, float), c, b, w))


_SCORE_SLIPS = [  # of own, other (arrays), centre, b, w
    (lambda m, o, c, b, w: (b**m + w * b**o).sum(), "The part for the centre is missing."),
    (lambda m, o, c, b, w: c + (b**m).sum(), "The opponent's lines are missing."),
    (lambda m, o, c, b, w: c + (w * b**m + b**o).sum(), "The weight belongs to the OPPONENT's lines."),
    (lambda m, o, c, b, w: c + w * (b**m + b**o).sum(), "The weight is for the opponent's lines only."),
    (lambda m, o, c, b, w: c + (b**m + b**o).sum(), "The opponent's lines count too much: `weight` is not used."),
    (
        lambda m, o, c, b, w: c + (b**m + (w * b) ** o).sum(),
        "Only the base is raised to the level: w · (b^o), not (w·b)^o.",
    ),
    (
        lambda m, o, c, b, w: c + (m**b + w * o**b).sum(),
        "Base and exponent changed places: b to the power of the level.",
    ),
    (
        lambda m, o, c, b, w: c + (b * m + w * b * o).sum(),
        "This multiplies. Each level is worth b times the one below: b to the power m.",
    ),
    (
        lambda m, o, c, b, w: c + b ** m.sum() + w * b ** o.sum(),
        "Raise each direction's level, then add; not the other way.",
    ),
    (lambda m, o, c, b, w: c + b ** m.max() + w * b ** o.max(), "All four directions count, not just the strongest."),
    (lambda m, o, c, b, w: c + (b**m)[m > 0].sum() + w * (b**o)[o > 0].sum(), "Level 0 counts too: b⁰ is 1."),
    (lambda m, o, c, b, w: c + (b**m - w * b**o).sum(), "Spoiling the opponent's line is good: it is added."),
]
SCORE_SLIPS = [(_of_arrays(wrong), cause) for wrong, cause in _SCORE_SLIPS]

POLICY_SLIPS = [  # of logits (array), empty (bool array)
    (lambda x, e: log_softmax(x), "Occupied points still have a chance. Mask them."),
    (
        lambda x, e: np.where(e, log_softmax(x), -np.inf),
        "You normalised over ALL points and masked afterwards: the legal chances do not sum to 1.",
    ),
    (lambda x, e: log_softmax(np.where(e, x, 0.0)), "A logit of 0 is not a chance of 0. Mask with −∞ (-np.inf)."),
    (lambda x, e: log_softmax(x * e), "A logit of 0 is not a chance of 0. Mask with −∞ (-np.inf)."),
    (
        lambda x, e: log_softmax(np.where(e, -np.inf, x)),
        "This masks the EMPTY points. `empty` is True where one may play.",
    ),
    (lambda x, e: np.exp(masked(x, e)), "These are the chances. Return their logarithms."),
    (lambda x, e: masked(x, e)[e], "Keep one entry per point; occupied points have −∞."),
    (lambda x, e: np.where(e, x, -np.inf), "The logits are masked but not normalised: the chances must sum to 1."),
    (lambda x, e: masked(x, e) / np.log(10), "This is the logarithm to base 10. Use np.log."),
]


def _above_zero(wrong):
    """A slip that shows only at temperatures above 0."""
    return lambda p, t: wrong(p, t) if t else heated(p, 0)


def _at_zero(wrong):
    """A slip that shows only at temperature 0."""
    return lambda p, t: heated(p, t) if t else wrong(p)


TEMPER_SLIPS = [  # of chances (array), temperature
    (_above_zero(lambda p, t: (p / p.max()) ** (1 / t)), "They must sum to 1: divide by their sum."),
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

TOP_SLIPS = [  # of scores (B, N), moves (B,), k
    (lambda s, m, k: hit_rate(s, m, k) * len(m), "This is a number of positions. Divide by how many there are."),
    (lambda s, m, k: hit_rate(-s, m, k), "These are the k LOWEST scores."),
    (lambda s, m, k: hit_rate(s, m, k + 1), "One too many counts as a hit: the k best, not k + 1."),
    (lambda s, m, k: hit_rate(s, m, k - 1), "One too few counts as a hit: the k-th best is a hit too."),
    (lambda s, m, k: hit_rate(s, m, 1), "Only the very best counts here. `k` is not used."),
    (lambda s, m, k: 1 - hit_rate(s, m, k), "These are the misses."),
    (
        lambda s, m, k: hit_rate(s, m, k) / k,
        "A position is one hit or none, whatever k is: divide by the number of positions.",
    ),
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
    (lambda p, m: (p, right_turn(p, m)[1]), "The planes were not turned."),
    (
        lambda p, m: (np.rot90(p), right_turn(p, m)[1]),
        "np.rot90 turns the FIRST two axes unless told otherwise; here rows and columns are axes 1 and 2.",
    ),
    (lambda p, m: (p.transpose(0, 2, 1), right_turn(p, m)[1]), "The planes are mirrored at the diagonal, not turned."),
]


def right_planes(board, player, height, width):
    """The right answer to `planes`."""
    stones = np.array(board).reshape(height, width)
    return np.stack([stones == player, stones == 3 - player, stones == 0]).astype(float)


PLANES_SLIPS = [
    (lambda b, p, h, w: right_planes(b, 1, h, w), "Plane 0 holds the stones of the player TO MOVE, not black's."),
    (lambda b, p, h, w: right_planes(b, p, h, w)[[1, 0, 2]], "Own and the other's planes changed places."),
    (lambda b, p, h, w: right_planes(b, p, h, w)[[2, 0, 1]], "The order is own, other, empty."),
    (
        lambda b, p, h, w: np.concatenate([right_planes(b, p, h, w)[:2], 1 - right_planes(b, p, h, w)[2:]]),
        "The third plane is 1 on EMPTY points.",
    ),
    (
        lambda b, p, h, w: right_planes(b, p, w, h).transpose(0, 2, 1),
        "The board lists row after row: reshape(height, width), without turning it.",
    ),
    (lambda b, p, h, w: right_planes(b, p, w, h), "Height comes first: reshape(height, width)."),
    (lambda b, p, h, w: right_planes(b, p, h, w)[:2], "The third plane, the empty points, is missing."),
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


CHOICE_SLIPS = [
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

GRADIENT_SLIPS = [  # of logits, empty, move
    (lambda x, e, a: np.exp(masked(x, e)), "This is p alone. The move that was played is missing: subtract 1 there."),
    (
        lambda x, e, a: np.eye(len(x))[a] - np.exp(masked(x, e)),
        "The sign: this is the direction that RAISES log p, the loss is −log p.",
    ),
    (lambda x, e, a: np.exp(log_softmax(x)) - np.eye(len(x))[a], "p must be normalised over the empty points only."),
    (
        lambda x, e, a: np.where(e, np.exp(log_softmax(x)) - np.eye(len(x))[a], 0),
        "p must be normalised over the empty points only: mask first.",
    ),
    (
        lambda x, e, a: -np.eye(len(x))[a] / np.exp(masked(x, e))[a],
        "This is the derivative by the CHANCE of the move. Wanted is the one by the logits.",
    ),
    (lambda x, e, a: -masked(x, e)[a], "This is the loss itself."),
    (
        lambda x, e, a: (np.exp(masked(x, e)) - np.eye(len(x))[a]) / len(x),
        "Do not divide by the number of points: the loss is of one position.",
    ),
]

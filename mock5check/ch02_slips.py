"""The mistakes that are often made in the exercises of chapter 2, and the right answers that they go by.

Each table lists (function that makes the mistake, its cause), the more frequent first.
"""

import numpy as np

from mock5check.slips import NO_RETURN, likely


def slips(wrong: list, *args) -> dict:
    """`likely`, for functions that return arrays: these become nested tuples, which a dict can hold."""
    return likely([(lambda *a, slip=slip: as_tuples(slip(*a)), cause) for slip, cause in wrong], *args)


def as_tuples(value):
    """An array as nested tuples; anything else as it is."""
    if isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value):
        return tuple(as_tuples(item) for item in value)
    return value.item() if isinstance(value, np.generic | np.ndarray) else value


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

SCORE_SLIPS = [  # of own, other (arrays), centre, b, w
    (lambda m, o, c, b, w: None, NO_RETURN),
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

POLICY_SLIPS = [  # of logits (array), empty (bool array)
    (lambda x, e: None, NO_RETURN),
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

TEMPER_SLIPS = [  # of chances (array), temperature
    (lambda p, t: None, NO_RETURN),
    (lambda p, t: p ** (1 / t), "They must sum to 1: divide by their sum."),
    (lambda p, t: heated(p, 1 / t), "This is p to the power T. It is 1/T: a small temperature makes large powers."),
    (
        lambda p, t: np.exp(p / t) / np.exp(p / t).sum(),
        "This is a softmax of CHANCES. exp() was applied to them already: raise them to the power 1/T.",
    ),
    (lambda p, t: p, "The temperature is not used."),
    (lambda p, t: (p == p.max()) * 1.0, "The highest have equal shares that sum to 1."),
    (
        lambda p, t: np.eye(len(p))[p.argmax()],
        "Several points are highest, and argmax takes only the first. They share equally.",
    ),
]

TOP_SLIPS = [  # of scores (B, N), moves (B,), k
    (lambda s, m, k: None, NO_RETURN),
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

CEILING_SLIPS = [  # of parts (A, S, N), weights (A,)
    (lambda p, w: None, NO_RETURN),
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
    (lambda x, e, a: None, NO_RETURN),
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

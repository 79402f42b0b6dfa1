"""The mistakes that are often made in the exercises of chapter 3, and the right answers that they go by.

Each table lists (function that makes the mistake, its cause), the more frequent first.
"""

import numpy as np

from mock5check.ch02.slips import log_softmax

# The right answers ------------------------------------------------------------------------------------------------


def returns_of(z, moves, discount) -> list:
    """The right answer to `returns`."""
    return [float(z * discount ** (moves - 1 - t)) for t in range(moves)]


def own_of(history, opening, colour, winner) -> list:
    """The right answer to `own_moves`."""
    z = 0.0 if winner == 0 else 1.0 if winner == colour else -1.0
    return [(move, z) for ply, move in enumerate(history) if ply >= opening and ply % 2 == colour - 1]


def push_of(logits, empty, move, advantage) -> np.ndarray:
    """The right answer to `push`."""
    chances = np.exp(log_softmax(np.where(empty, logits, -np.inf)))
    return advantage * (np.eye(len(chances))[move] - chances)


def running(means, rate) -> list:
    """The right answer to `running_baseline`."""
    used, b = [], 0.0
    for mean in means:
        used.append(b)
        b += rate * (mean - b)
    return used


def scaled(advantages, ddof=0) -> np.ndarray:
    """The right answer to `normalised`."""
    spread = advantages.std(ddof=ddof) if len(advantages) > ddof else 0.0
    return (advantages - advantages.mean()) / spread if spread > 1e-12 else np.zeros(len(advantages))


def entropy_of(log_chances) -> float:
    """The entropy of one row, in nats."""
    chances = np.exp(log_chances)
    return float(-(chances * np.where(chances > 0, log_chances, 0.0)).sum())


# The mistakes -----------------------------------------------------------------------------------------------------

RETURN_SLIPS = [  # of z, moves, discount
    (lambda z, n, d: [z * d**t for t in range(n)], "The wrong way round: the LAST move gets z in full."),
    (lambda z, n, d: [z] * n, "The discount is not used."),
    (lambda z, n, d: [z * d ** (n - t) for t in range(n)], "No move follows the last one: its exponent is 0."),
    (lambda z, n, d: [z * d * (n - 1 - t) for t in range(n)], "The discount to the POWER of the moves that followed."),
    (lambda z, n, d: [d ** (n - 1 - t) for t in range(n)], "The result is missing: a loss gives negative returns."),
    (lambda z, n, d: [0.0] * (n - 1) + [z], "All moves get a share, not only the last."),
    (lambda z, n, d: np.cumsum([z * d ** (n - 1 - t) for t in range(n)]), "One reward, at the end: nothing to add up."),
]

OWN_SLIPS = [  # of history, opening, colour, winner
    (lambda h, o, c, w: own_of(h, 0, c, w), "The opening's random moves are in it. Nobody chose them."),
    (lambda h, o, c, w: own_of(h, o, 3 - c, 0 if w == 0 else 3 - w), "These are the OPPONENT's moves."),
    (lambda h, o, c, w: [(m, own_of([*h, 0, 0], 0, c, w)[0][1]) for m in h[o:]], "The opponent's moves are in it too."),
    (lambda h, o, c, w: own_of(h, o, c, 3 - c if w == 0 else w), "A draw is worth 0, not −1."),
    (lambda h, o, c, w: own_of(h, o, c, 3 - w if w else 0), "The sign of the result is turned round."),
    (lambda h, o, c, w: own_of(h, o, c, w) if w == c else [], "Lost and drawn games teach too: keep their moves."),
    (lambda h, o, c, w: [m for m, _ in own_of(h, o, c, w)], "Return pairs: the move and the result."),
    (
        lambda h, o, c, w: [(m, z) for m, z in own_of(h[o:], 0, c, w)],
        "Black is at the even plies of the WHOLE game, opening included.",
    ),
]

PUSH_SLIPS = [  # of logits, empty, move, advantage
    (lambda x, e, a, b: -push_of(x, e, a, b), "The sign is turned round: this is the slope of the LOSS, −log π."),
    (lambda x, e, a, b: push_of(x, e, a, 1.0), "The advantage is missing."),
    (lambda x, e, a, b: push_of(x, np.ones_like(e), a, b), "Occupied points take part in the softmax. Mask them."),
    (lambda x, e, a, b: b * np.eye(len(x))[a], "The −π part is missing: a chance can only rise if others fall."),
    (lambda x, e, a, b: push_of(x, e, a, b) * np.eye(len(x))[a], "All other points go down a little, by their chance."),
    (
        lambda x, e, a, b: np.exp(log_softmax(np.where(e, x, -np.inf)))[a] * push_of(x, e, a, b),
        "This is the derivative of π itself. Its logarithm's derivative has no factor π in front.",
    ),
]

BASELINE_SLIPS = [  # of means, rate
    (lambda m, r: running([*m, 0.0], r)[1:], "Each batch's own mean is in its baseline: note b BEFORE it moves."),
    (lambda m, r: running(m, 1 - r), "Rate and memory are swapped: b moves by `rate` of the way, and keeps the rest."),
    (lambda m, r: m, "This is each batch's own mean, which depends on the moves that were played."),
    (lambda m, r: [0.0, *m[:-1]], "This is the mean of the last batch alone. `rate` is not used."),
    (lambda m, r: [0.0] * len(m), "The baseline never moves."),
    (lambda m, r: [np.mean(m)] * len(m), "The mean of ALL batches looks into the future."),
    (lambda m, r: [m[0], *running(m, r)[1:]], "The first batch's own mean is its baseline. It begins with 0."),
]


def others_of(z) -> np.ndarray:
    """The right answer to `others_mean`."""
    return (z.sum() - z) / (len(z) - 1)


OTHERS_SLIPS = [  # of results
    (lambda z: np.full(len(z), z.mean()), "This includes the game itself. Leave it out."),
    (lambda z: (z.sum() - z) / len(z), "One fewer is summed up, so divide by one fewer."),
    (lambda z: z - (z.sum() - z) / (len(z) - 1), "These are the advantages. Return the baselines."),
    (lambda z: np.full(len(z), z.sum() / (len(z) - 1)), "Leave each game's own result out of its sum."),
    (lambda z: np.roll(z, 1), "That is one other game. Take the mean of all others."),
]


def _with_spread(wrong):
    """A slip that shows only where the advantages differ."""
    return lambda a: wrong(a) if a.std() > 1e-12 else np.zeros(len(a))


ADVANTAGE_SLIPS = [  # of advantages
    (_with_spread(lambda a: a / a.std()), "The mean is not subtracted."),
    (_with_spread(lambda a: a - a.mean()), "They are not divided by the standard deviation."),
    (_with_spread(lambda a: (a - a.mean()) / a.var()), "This divides by the VARIANCE; its root is wanted."),
    (_with_spread(lambda a: (a - a.mean()) / abs(a - a.mean()).max()), "This divides by the largest, not by np.std."),
    (lambda a: scaled(a, ddof=1), "This is divided by N − 1. np.std divides by N."),
    (_with_spread(lambda a: (a - a.mean()) * a.std()), "Divide by the standard deviation; this multiplies."),
    (lambda a: scaled(a) if a.std() > 1e-12 else a, "Equal advantages should all become 0."),
    (lambda a: (a - a.mean()) / (a.std() + 1e-8), "A number added to a small spread changes the answer."),
    (lambda a: (a - a.mean()) / a.std(), "Where all are equal this divides by 0, or by a rounding error."),
    (
        lambda a: (a - a.mean()) / (a.std() or 1),
        "The spread of equal numbers need not be exactly 0: rounding is enough.",
    ),
]

ENTROPY_SLIPS = [  # of log_chances (B, N)
    (
        lambda x: -(np.exp(x) * x).sum(axis=1).mean(),
        "0 · (−∞) is not a number. Replace the −∞ of impossible moves before you multiply.",
    ),
    (lambda x: -np.mean([entropy_of(row) for row in x]), "The sign is turned round: entropy is not negative."),
    (lambda x: np.sum([entropy_of(row) for row in x]), "Take the mean over the rows, not the sum."),
    (lambda x: np.mean([entropy_of(row) for row in x]) / np.log(2), "This is in bits. Use the natural logarithm."),
    (lambda x: np.sum([entropy_of(row) for row in x]) / x.size, "Sum over a row's moves; the mean is over rows only."),
    (lambda x: np.array([entropy_of(row) for row in x]), "Return one number: the mean over the rows."),
    (lambda x: -np.mean([row[np.isfinite(row)].sum() for row in x]), "Weigh each log π with π."),
]

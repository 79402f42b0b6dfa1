"""The mistakes that are often made in the exercises of chapter 3, and the right answers that they go by.

Each table lists (function that makes the mistake, its cause), the more frequent first.
"""

import numpy as np

from mock5check.ch02.slips import log_softmax

# The right answers ------------------------------------------------------------------------------------------------


def own_of(history, opening, colour, winner) -> list:
    """The right answer to `own_moves`."""
    z = 0.0 if winner == 0 else 1.0 if winner == colour else -1.0
    return [(move, z) for ply, move in enumerate(history) if ply >= opening and ply % 2 == colour - 1]


def push_of(logits, empty, move, advantage) -> np.ndarray:
    """The right answer to `push`."""
    chances = np.exp(log_softmax(np.where(empty, logits, -np.inf)))
    return advantage * (np.eye(len(chances))[move] - chances) + 0.0  # no −0


def entropy_of(log_chances) -> float:
    """The entropy of one row, in nats."""
    chances = np.exp(log_chances)
    return float(-(chances * np.where(chances > 0, log_chances, 0.0)).sum())


# The mistakes -----------------------------------------------------------------------------------------------------

OWN_SLIPS = [  # of history, opening, colour, winner
    (lambda h, o, c, w: own_of(h, 0, c, w), "The opening's random moves are in it. Nobody chose them."),
    (lambda h, o, c, w: own_of(h, o, 3 - c, 0 if w == 0 else 3 - w), "These are the OPPONENT's moves."),
    (lambda h, o, c, w: [(m, own_of([*h, 0, 0], 0, c, w)[0][1]) for m in h[o:]], "The opponent's moves are in it too."),
    (lambda h, o, c, w: own_of(h, o, c, 3 - c if w == 0 else w), "A draw is worth 0, not −1."),
    (lambda h, o, c, w: own_of(h, o, c, 3 - w if w else 0), "The sign of the result is turned round."),
    (lambda h, o, c, w: own_of(h, o, c, w) if w else [], "Drawn games teach too: keep their moves, with z = 0."),
    (lambda h, o, c, w: own_of(h, o + 1, c, w), "Ply `opening` is the first that was chosen: `>=`, not `>`."),
    (lambda h, o, c, w: own_of(h, o, c, w)[:-1], "The last move is missing."),
    (lambda h, o, c, w: own_of(h, o, c, w) if w == c else [], "Lost and drawn games teach too: keep their moves."),
    (lambda h, o, c, w: [m for m, _ in own_of(h, o, c, w)], "Return pairs: the move and the result."),
    (
        lambda h, o, c, w: [(m, z) for m, z in own_of(h[o:], 0, c, w)],
        "Black is at the even plies of the WHOLE game, opening included.",
    ),
]

SHIFT = "Subtract the largest logit of the EMPTY points before `np.exp`, so that the largest power is exp(0) = 1."


def overflowing(shift, masked=lambda x, empty: np.where(empty, np.exp(x), 0.0)):
    """`push_of` with the logits shifted by something else."""

    def push(logits, empty, move, advantage):
        weights = masked(logits - shift(logits, empty), empty)
        return advantage * (np.eye(len(logits))[move] - weights / weights.sum())

    return push


MASKS = (-50.0, -100.0, -1e3, -1e4, -1e5, -1e6, -1e7, -1e8, -1e9)


def masked_with(number: float, closed: bool):
    """`push_of` with a number in place of −∞. closed: are occupied points set to 0 at the end?"""

    def push(logits, empty, move, advantage):
        found = push_of(np.where(empty, logits, number), np.ones_like(empty), move, advantage)
        return found * empty if closed else found

    return push


BELOW = "Your mask is a number, and a logit may lie below it: then the occupied points are likelier. Mask with −∞."
PUSH_SLIPS = [  # of logits, empty, move, advantage
    *((masked_with(number, closed), BELOW) for number in MASKS for closed in (False, True)),
    (
        lambda x, e, a, b: push_of(x, e, a, 1.0) + (b - 1.0) * np.eye(len(x))[a],
        "The advantage multiplies all of the slope, the −π of each point, too.",
    ),
    (lambda x, e, a, b: -push_of(x, e, a, b), "The sign is turned round: this is the slope of the LOSS, −log π."),
    (lambda x, e, a, b: push_of(x, e, a, 1.0), "The advantage is missing."),
    (lambda x, e, a, b: push_of(x, np.ones_like(e), a, b), "Occupied points take part in the softmax. Mask them."),
    (lambda x, e, a, b: b * np.eye(len(x))[a], "The −π part is missing: a chance can only rise if others fall."),
    (lambda x, e, a, b: push_of(x, e, a, b) * np.eye(len(x))[a], "All other points go down a little, by their chance."),
    (
        lambda x, e, a, b: np.exp(log_softmax(np.where(e, x, -np.inf)))[a] * push_of(x, e, a, b),
        "This is the derivative of π itself. Its logarithm's derivative has no factor π in front.",
    ),
    (overflowing(lambda x, e: 0.0), SHIFT),
    (overflowing(lambda x, e: 0.0, lambda x, e: np.exp(x) * e), SHIFT),
    (overflowing(lambda x, e: x.max()), SHIFT),
    (overflowing(lambda x, e: x[e].mean()), SHIFT),
    (overflowing(lambda x, e: x.mean()), SHIFT),
    (
        lambda x, e, a, b: push_of(x * e, np.ones_like(e), a, b),
        "A logit of 0 is no mask: exp(0) = 1. Occupied points need −∞.",
    ),
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


ENTROPY_SLIPS = [  # of log_chances (B, N)
    (
        lambda x: -(np.exp(x) * x).sum(axis=1).mean(),
        "0 · (−∞) is not a number. Replace the −∞ of impossible moves before you multiply.",
    ),
    (lambda x: -np.mean([entropy_of(row) for row in x]), "The sign is turned round: entropy is not negative."),
    (lambda x: np.sum([entropy_of(row) for row in x]), "Take the mean over the rows, not the sum."),
    (lambda x: np.mean([entropy_of(row) for row in x]) / np.log(2), "This is in bits. Use the natural logarithm."),
    (lambda x: np.sum([entropy_of(row) for row in x]) / x.size, "Sum over a row's moves; the mean is over rows only."),
    (
        lambda x: np.sum([entropy_of(row) for row in x]) / x.shape[1],
        "Sum along each row, `axis=1`, and divide by the number of ROWS, not of moves.",
    ),
    (lambda x: np.array([entropy_of(row) for row in x]), "Return one number: the mean over the rows."),
    (lambda x: -np.mean([row[np.isfinite(row)].sum() for row in x]), "Weigh each log π with π."),
]

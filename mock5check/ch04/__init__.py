"""The checks of the exercises of chapter 4, AlphaGo, each named after the function that the learner writes."""

import math

import numpy as np

from mock5check.ch04.defects import night
from mock5check.ch04.own_keras import train
from mock5check.ch04.own_search import my_search
from mock5check.ch04.sampling import one_per_game
from mock5check.core import graded

__all__ = ["add_stone", "board_softmax", "my_search", "night", "one_per_game", "select", "train"]

# 1. A softmax over the board ------------------------------------------------------------------------------------


def softmax(scores, axis):
    """The softmax along one axis, safe for large scores."""
    weights = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return weights / weights.sum(axis=axis, keepdims=True)


SOFTMAX_SLIPS = [  # of scores (B, H, W)
    (lambda x: softmax(x, 2).reshape(len(x), -1), "Each ROW sums to 1. Flatten first: all points of a board share it."),
    (lambda x: softmax(x, 1).reshape(len(x), -1), "Each COLUMN sums to 1. All points of a board share it."),
    (lambda x: softmax(x, 0).reshape(len(x), -1), "This normalises over the boards. Each board stands alone."),
    (lambda x: softmax(x.reshape(1, -1), 1).reshape(len(x), -1), "All boards together sum to 1; each should."),
    (
        lambda x: softmax(x.reshape(len(x), -1), 1) / len(x),
        "All boards together sum to 1; each should: sum along axis 1, and keep that axis.",
    ),
    (
        lambda x: softmax(x.reshape(-1, len(x)).T, 1),
        "Numbers of different boards got mixed up: `reshape(B, -1)` keeps each board's own in its row.",
    ),
    (lambda x: np.ones((len(x), x[0].size)), "A softmax over one channel is 1 everywhere."),
    (lambda x: softmax(x.reshape(len(x), -1), 1).reshape(x.shape), "The shape should be (B, H·W)."),
    (
        lambda x: _less(x, x.mean(axis=(1, 2))),
        "Subtract each board's GREATEST score: less the mean, or any other, e^s may be too large.",
    ),
    (lambda x: _less(x, 0.0), "Nothing is subtracted, so e^1000 is infinite, and infinite by infinite is nan."),
]


def _less(scores, what) -> np.ndarray:
    """The softmax with something else than the greatest score subtracted."""
    weights = np.exp(scores.reshape(len(scores), -1) - np.reshape(what, (-1, 1)))
    return weights / weights.sum(axis=1, keepdims=True)


@graded
def board_softmax(trial, function) -> None:
    """Check `board_softmax(scores)`: (B, H, W) → (B, H·W), each row a distribution over the points."""
    rng = np.random.default_rng(1)
    two = np.array([[[0.0, 1.0], [2.0, 0.0]], [[1.0, 1.0], [0.0, 3.0]]])
    cases = [
        np.zeros((1, 2, 2)),
        np.array([[[0.0, 1.0], [2.0, 3.0]]]),
        two,
        np.array([[[1000.0, 1001.0], [999.0, 0.0]]]),
    ]
    cases += [rng.normal(0, 2, shape) for shape in ((2, 3, 3), (3, 4, 5), (4, 9, 9), (1, 1, 1))]
    high, low = np.zeros((1, 9, 9)), np.full((1, 9, 9), -2000.0)
    high[0, 4, 4], low[0, 2, 7] = 1000.0, 0.0
    cases += [
        np.array([[[1, 3, 0], [2, 0, 2]]]),
        high,
        low,
        np.array([[[1000.0, 999.0]], [[0.0, 1.0]]]),
        np.array([[[-2000.0, -2001.0]], [[60.0, 61.0]]]),
        np.array([[[-2400.1, -2400.0], [-2400.3, -2401.7]]]),  # float32 has no such numbers
    ]

    def right(scores):
        return softmax(scores.reshape(len(scores), -1), 1)

    def why(scores):
        boards = "is 1 board" if len(scores) == 1 else f"are {len(scores)} boards"
        text = f"The {scores[0].size} points of a board share one sum; there {boards}."
        if abs(scores).max() > 100:
            text += " e^1000 is too large for a float, e^−1000 is 0: subtract the greatest score first, and no more"
            text += ", each board its OWN: −1,000 is too low for the others." if len(scores) > 1 else "."
        return text

    trial.compare(function, [(scores,) for scores in cases], right=right, why=why, slips=SOFTMAX_SLIPS)


# 2. The window of a new stone -----------------------------------------------------------------------------------


def window(logits, row, col, weights, turned=True):
    """The logits after a stone at (row, col): point p gets weights[reach + stone − p]."""
    reach, new = len(weights) // 2, logits.copy()
    for r, c in np.ndindex(logits.shape):
        down, right = (row - r, col - c) if turned else (r - row, c - col)
        if abs(down) <= reach and abs(right) <= reach:
            new[r, c] += weights[reach + down, reach + right]
    return new


WINDOW_SLIPS = [  # of logits, row, col, weights
    (
        lambda x, r, c, w: window(x, r, c, w, turned=False),
        "The window is not turned round: a point ABOVE the stone sees the stone BELOW itself.",
    ),
    (lambda x, r, c, w: window(np.zeros_like(x), r, c, w), "The old logits are missing: the window is ADDED."),
    (lambda x, r, c, w: 2 * x - window(x, r, c, w), "The window is subtracted; add it."),
    (lambda x, r, c, w: window(x, c, r, w) if c < len(x) and r < len(x[0]) else None, "Row and column are swapped."),
    (lambda x, r, c, w: window(x, r, c, w[::-1]), "It must be turned in both directions, rows and columns."),
    (lambda x, r, c, w: window(x, r, c, w[:, ::-1]), "It must be turned in both directions, rows and columns."),
    (lambda x, r, c, w: window(x, r, c, w.T), "Rows and columns of the weights are exchanged."),
    (lambda x, r, c, w: window(x, r, c, w.T, turned=False), "Rows and columns of the weights are exchanged."),
]


def _wrapped(logits, row, col, weights, below=True):
    """A slip: what sticks out at the top and on the left (below: on all sides) comes in again on the other side."""
    reach, new = len(weights) // 2, logits.copy()
    for r, c in np.ndindex(weights.shape):
        y, x = row + r - reach, col + c - reach
        if below or y < len(new) and x < len(new[0]):
            new[y % len(new), x % len(new[0])] += weights[::-1, ::-1][r, c]
    return new


WRAPPED = "The window must be cut at the edge: in NumPy row −1 is the last row."
WINDOW_SLIPS += [(_wrapped, WRAPPED), (lambda x, r, c, w: _wrapped(x, r, c, w, below=False), WRAPPED)]


@graded
def add_stone(trial, function) -> None:
    """Check `add_stone(logits, row, col, weights)`: new logits (H, W) after one more stone."""
    rng = np.random.default_rng(2)
    nine = np.arange(9.0).reshape(3, 3)
    cases = [(np.zeros((5, 5)), 2, 2, nine), (np.ones((5, 5)), 0, 4, nine)]
    for height, width, reach in ((6, 4, 1), (7, 9, 2), (9, 9, 5), (9, 9, 5), (3, 4, 4)):
        point = int(rng.integers(height)), int(rng.integers(width))
        cases.append((rng.normal(size=(height, width)), *point, rng.normal(size=(2 * reach + 1, 2 * reach + 1))))

    yours = []

    def observe(solution, *case):
        answer = solution(*case)
        if solution is not window:
            yours.append(answer)
        return answer

    def why(logits, row, col, weights):
        reach, (r, c) = len(weights) // 2, _first_wrong(yours[-1], window(logits, row, col, weights))
        down, right = row - r, col - c
        text = f"reach is {reach}, and the stone stands at ({row}, {col}). From point ({r}, {c}) it is {down} down and "
        text += f"{right} to the right, so this point "
        if max(abs(down), abs(right)) > reach:
            return f"{text}is too far away and keeps its logit."
        return (
            f"{text}gets weights[{reach + down}, {reach + right}] more, which is "
            f"{weights[reach + down, reach + right]:.4g}."
        )

    trial.compare(function, cases, right=window, why=why, slips=WINDOW_SLIPS, observe=observe)


def _first_wrong(answer, right) -> tuple:
    """The first point (row, column) where they differ."""
    if not isinstance(answer, np.ndarray) or answer.shape != right.shape:
        return 0, 0
    wrong = np.argwhere(~np.isclose(answer.astype(float), right, rtol=1e-9, atol=1e-9))
    return tuple(map(int, wrong[0])) if len(wrong) else (0, 0)


# 3. Selection ---------------------------------------------------------------------------------------------------


def formula(priors, visits, totals, parent_visits, c, sign=-1.0, power=0.5, one=1):
    """Q + u of each child; `totals` belong to the player to move at the child."""
    q = np.divide(sign * totals, visits, out=np.zeros(len(visits)), where=visits > 0)
    return q + c * priors * parent_visits**power / (one + visits)


SELECT_SLIPS = [  # of priors, visits, totals, parent_visits, c
    (lambda *a: int(formula(*a, sign=1.0).argmax()), "The sign of Q: what is good for the child is bad for us."),
    (lambda *a: int(formula(*a, power=1.0).argmax()), "Take the square ROOT of the parent's visits."),
    (lambda *a: int(formula(*a, power=0.0).argmax()), "The parent's visits are missing."),
    (lambda p, v, t, n, c: int((-t + c * p * np.sqrt(n) / (1 + v)).argmax()), "Q is the MEAN, total by visits."),
    (
        lambda p, v, t, n, c: int(formula(p, v, t, v.sum(), c).argmax()),
        "Take the parent_visits that are given. The sum of the children's is 0 at first: no prior would count.",
    ),
    (
        lambda p, v, t, n, c: int(np.where(v > 0, formula(p, v, t, n, c), np.inf).argmax()),
        "A child without visits always wins here. Is Q 0/0 there, which is nan, and argmax takes nan for the greatest? "
        "Or infinite, as in UCT? It is 0, and the prior decides.",
    ),
    (
        lambda p, v, t, n, c: int(formula(p, v, t, max(n - 1, 0), c).argmax()),
        "Take parent_visits as given, not 1 less.",
    ),
    (lambda p, v, t, n, c: int(formula(p, v, t, n + 1, c).argmax()), "Take parent_visits as given, not 1 more."),
    (lambda p, v, t, n, c: int(formula(p, v, t, max(n, 1), c).argmax()), "Take parent_visits as given, 0 too."),
    (
        lambda p, v, t, n, c: int((-t / (1 + v) + formula(p, v, 0 * t, n, c)).argmax()),
        "Q is the total by the visits; only in u there is a 1 more in the denominator.",
    ),
    (lambda p, v, t, n, c: int(formula(p / p.sum(), v, t, n, c).argmax()), "Take P as given; it need not sum to 1."),
    (
        lambda *a: int(np.flatnonzero(formula(*a) >= formula(*a).max())[-1]),
        "Of equal ones the FIRST index is asked for, not the last.",
    ),
    (
        lambda *a: int(max(range(len(a[0])), key=lambda i: (formula(*a)[i], a[0][i]))),
        "Of equal ones the FIRST index is asked for, whatever their priors.",
    ),
    (
        lambda *a: int(max(range(len(a[0])), key=lambda i: (formula(*a)[i], -a[2][i] / max(a[1][i], 1)))),
        "Of equal ones the FIRST index is asked for, whatever their Q.",
    ),
    (
        lambda p, v, t, n, c: int(formula(p, v, t, math.isqrt(n) ** 2, c).argmax()),
        "The root is no whole number: `int`, `round` and `isqrt` cut it.",
    ),
    (lambda p, v, t, n, c: int(p.argmax()), "That is the highest prior. What was found counts, too."),
    (lambda p, v, t, n, c: int(v.argmax()), "The most visits choose the move to PLAY, not the next to look at."),
    (
        lambda p, v, t, n, c: int(np.where(v > 0, 1 + formula(p, v, t, n, c), formula(p, v, t, n, c)).argmax()),
        "Values lie between −1 and 1: what is worth q to the opponent is worth −q to us, not 1 − q.",
    ),
    (lambda *a: int(formula(*a).argmin()), "The greatest Q + u is asked for, not the least."),
]


def _with_first(q):
    """A slip in which a child without visits has this Q."""
    return lambda p, v, t, n, c: int(np.where(v > 0, formula(p, v, t, n, c), q + c * p * np.sqrt(n)).argmax())


SELECT_SLIPS += [
    (_with_first(-1.0), "Q of a child without visits is 0, not −1."),
    (_with_first(1.0), "Q of a child without visits is 0, not 1."),
]


@graded
def select(trial, function) -> None:
    """Check `select(priors, visits, totals, parent_visits, c)`: the index of the greatest Q + u."""
    rng = np.random.default_rng(3)
    cases = [([0.5, 0.5], [10, 1], [4.0, -0.4], 12, 1.0), ([0.4, 0.4, 0.2], [8, 8, 0], [-4.0, 4.0, 0.0], 17, 1.0)]
    cases.append(([0.6, 0.399, 0.001], [3, 2, 0], [0.0, 0.0, 0.0], 6, 1.0))
    cases += [([0.1, 0.9], [1, 99], [-0.5, -45.0], 101, 5.0), ([0.2, 0.5, 0.3], [0, 0, 0], [0.0, 0.0, 0.0], 1, 5.0)]
    cases += [([0.999, 0.001], [10, 0], [5.0, 0.0], 11, 0.5), ([0.999, 0.001], [10, 0], [-2.0, 0.0], 11, 0.5)]
    cases += [([0.2, 0.8], [0, 0], [0.0, 0.0], 0, 2.0), ([0.3, 0.3, 0.4], [4, 2, 1], [0, -1, 1], 8, 0.0)]
    cases += [([0.5, 0.5], [1, 3], [-0.5, -1.2], 5, 0.1), ([0.1, 0.2], [1, 0], [-0.3, 0.0], 2, 1.0)]
    cases += [([0.5, 0.5], [4, 4], [-1.0, -1.0004], 9, 1.0), ([0.2, 0.8], [3, 2], [-1.8, 0.0], 30, 0.5)]
    cases.append(([0.2, 0.8], [3, 2], [-1.2, 0.0], 30, 0.5))
    cases += [([0.5, 0.5], [10, 10], [8.0, 2.0], 21, 0.1), ([0.5, 0.5], [1, 3], [-0.5, -1.5], 5, 0.0)]
    for n in (2, 5, 5, 9, 30, 30, 30, 81, 81, 81):
        visits = rng.integers(0, 40, n)
        totals = np.round(visits * rng.uniform(-1, 1, n), 2)
        c = float(rng.choice([0.5, 2.0, 5.0]))
        cases.append((rng.dirichlet(np.ones(n)), visits, totals, int(visits.sum()) + 1, c))
    cases = [(np.array(p, float), np.array(v, int), np.array(t, float), n, c) for p, v, t, n, c in cases]
    for priors, totals, c in (([1, 0], [-1, -3], 0.1), ([0, 1], [-2, -2], 1.0)):  # whole numbers
        cases.append((np.array(priors), np.array([4, 4]), np.array(totals), 9, c))
    cases.append((np.array([0.5, 0.5, 0.0]), np.array([2, 3, 4]), np.array([2.0, 3.0, 4.0]), 10, 0.0))  # all are lost
    nothing = np.zeros(2)
    cases.append((np.full(2, 0.5), np.array([1, 1]), np.array([3.0, 2.0]), 3, 0.0))  # values beyond −1
    cases.append((np.full(2, 0.5), np.array([1, 1]), np.array([-1.2, -1.5]), 3, 1.0))
    cases.append((nothing, np.array([1, 0]), nothing, 2, 1.0))  # equal, and without a prior
    cases.append((nothing, np.array([1, 1]), np.array([-0.5, -0.500001]), 3, 1.0))  # nearly equal
    cases.append((nothing, np.array([1, 1]), np.array([-0.5, -0.50000001]), 3, 1.0))
    cases += [(np.full(4, 0.25), np.zeros(4, int), np.zeros(4), 1, c) for c in (1.0, 2.0, 3.0)]  # the first of four

    some, none = np.array([0, 1]), np.array([0.5, 0.0])  # equal: the one by its prior, the other by its Q
    cases += [(none, some, np.array([0.0, -1.0]), 4, 1.0), (none[::-1], some[::-1], np.array([-1.0, 0.0]), 4, 1.0)]
    cases.append((np.array([0.5, 0.1]), some, np.array([0.0, -0.55]), 2, 1.0))  # the root of 2 is no whole number
    many = np.zeros(255)
    cases.append((rng.choice([0, 0.25, 0.5], 255), many.astype(int), many, 1, 1.0))  # the first of many

    yours = []

    def right(*case):
        return int(formula(*case).argmax())

    def observe(solution, *case):
        answer = solution(*case)
        if solution is not right:
            yours.append(answer)
        return answer

    def why(*case):
        return _two_scores(formula(*case), yours[-1])

    trial.compare(function, cases, right=right, why=why, slips=SELECT_SLIPS, observe=observe)


def _two_scores(scores, chosen) -> str:
    """Q + u of what was chosen and of the right one."""
    best = int(scores.argmax())
    told = f"Q + u is {np.round(scores, 4).tolist()}" if len(scores) <= 6 else f"Q + u is {scores[best]:.4f} at {best}"
    if isinstance(chosen, (int, np.integer)) and 0 <= chosen < len(scores) and chosen != best:
        gap = scores[best] - scores[chosen]
        if gap == 0:
            return f"{told}; {best} and {chosen} have the same, and the first of equal ones is asked for."
        return f"{told}; at {best} it is greater by {gap:.4g} than at {chosen}."
    return f"{told}."

"""The right Gumbel root of the capstone of chapter 6, and ways to break it (Danihelka et al. 2022)."""

from math import ceil, floor, log2
from typing import NamedTuple

import numpy as np


def right_scaled_q(log_priors, value, visits, q, **broken) -> np.ndarray:
    """σ(completed q), (n,)."""
    tried, priors = visits > 0, np.exp(log_priors.astype(broken.get("precision", float)))
    weights = np.ones(tried.sum()) if broken.get("plain_mean") else priors[tried]
    mean = (weights * q[tried]).sum() / weights.sum() if tried.any() else 0.0
    mixed = (value + visits.sum() * mean) / (1 + visits.sum())
    mixed = {"value": value, "zero": 0.0, "mean": mean}.get(broken.get("untried"), mixed)
    completed = np.where(tried, q, mixed)
    if broken.get("not_rescaled"):
        unit = (completed + 1) / 2
    else:
        unit = (completed - completed.min()) / max(np.ptp(completed), 1e-8)
    most = 0 if broken.get("no_visits") else visits.sum() if broken.get("sum_of_visits") else visits.max()
    return (50 + most) * broken.get("scale", 0.1) * unit


def right_improved(log_priors, value, visits, q, **broken) -> np.ndarray:
    """The right answer to `improved_policy`."""
    logits = log_priors + broken.get("sign", 1) * right_scaled_q(log_priors, value, visits, q, **broken)
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def _improved(**options):
    return lambda *case: right_improved(*case, **options)


def _overflows(log_priors, value, visits, q):
    weights = np.exp(log_priors + right_scaled_q(log_priors, value, visits, q))
    return weights / weights.sum()


SINGLE = (
    "exp(−150) is 0 in single precision (float32), and 0/0 is NaN. Calculate in double precision, as NumPy does on its "
    "own; for a tensor say dtype=torch.float64."
)
IMPROVED_SLIPS = [
    (lambda log_priors, value, visits, q: visits / max(visits.sum(), 1), "Those are the shares of the visits."),
    (lambda log_priors, value, visits, q: np.exp(log_priors), "That is the prior: nothing of the search is in it."),
    (_improved(precision=np.float32), SINGLE),
    (_improved(untried="zero"), "A move without a visit is not worth 0: it gets the mixture."),
    (_improved(untried="value"), "A move without a visit gets the mixture of v and the mean, not v alone."),
    (_improved(untried="mean"), "The net's own value v is missing from the mixture."),
    (_improved(plain_mean=True), "The mean over the tried moves is weighted by their priors."),
    (_improved(not_rescaled=True), "Rescale the completed q so that the least is 0 and the greatest 1."),
    (_improved(no_visits=True), "σ grows with the most visits of a move: 50 + max N."),
    (_improved(sum_of_visits=True), "σ takes the GREATEST number of visits, not their sum."),
    (_improved(scale=1.0), "The factor 0.1 of σ is missing."),
    (_improved(sign=-1), "The sign: good values RAISE a move's share."),
    (
        lambda lp, v, n, q: np.exp(right_scaled_q(lp, v, n, q)) / np.exp(right_scaled_q(lp, v, n, q)).sum(),
        "The prior is missing.",
    ),
    (lambda lp, v, n, q: np.exp(lp + right_scaled_q(lp, v, n, q)), "It does not sum to 1."),
    (_overflows, "exp of a large number is ∞, and ∞/∞ is NaN: subtract the largest of log p + σ before exp."),
    (lambda lp, v, n, q: right_improved(lp, -v, n, q), "v is the net's value for the player to move: its sign stays."),
]


def improved_cases() -> list:
    """(log_priors, value, visits, q), the last ones with a single move, without visits, far apart, with many visits.

    Right answers agree in nine digits.
    """
    rng = np.random.default_rng(6)
    cases = [
        (np.log([0.5, 0.3, 0.2]), 0.1, np.array([2, 1, 0]), np.array([0.5, -0.25, 0.0])),
        (np.log([0.2, 0.3, 0.5]), -0.6, np.array([0, 0, 4]), np.array([0.0, 0.0, -0.8])),
        (np.log([0.25, 0.25, 0.5]), 0.0, np.array([3, 3, 3]), np.array([0.2, 0.3, 0.25])),
        (np.log([0.7, 0.3]), 0.4, np.array([1, 1]), np.array([0.1, 0.1])),
    ]
    for moves in (5, 9, 20, 25):
        visits = rng.integers(0, 12, moves) * (rng.random(moves) < 0.6)
        q = np.where(visits > 0, rng.uniform(-1, 1, moves), 0.0)
        cases.append((np.log(rng.dirichlet(np.ones(moves))), float(rng.uniform(-1, 1)), visits, q))
    cases.append((np.log([0.5, 0.3, 0.2]), 0.6, np.array([4, 2, 0]), np.array([0.0, -0.5, 0.0])))  # a mean of exactly 0
    cases.append((np.log([0.3, 0.3, 0.4]), 0.5, np.array([1, 1, 0]), np.array([1, -1, 0])))  # whole numbers
    cases.append((np.array([0.0]), 0.3, np.array([16]), np.array([-0.2])))
    cases.append((np.log([0.6, 0.3, 0.1]), 0.9, np.zeros(3, dtype=int), np.zeros(3)))
    cases.append((np.array([0.0, -30.0, -30.0]), 0.1, np.array([0, 300, 1]), np.array([0.0, 0.9, 0.7])))
    cases.append((np.array([-1e-9, -60.0, -200.0]), -1.0, np.array([900, 3, 1]), np.array([-1.0, 1.0, 0.5])))
    cases.append((np.log([0.5, 0.3, 0.2]), 0.1, np.array([9000, 10, 0]), np.array([0.3, -0.2, 0.0])))  # σ is over 900
    # the visited moves have next to no prior, so little that it is 0 in single precision
    cases.append((np.array([-150.0, 0.0]), 0.2, np.array([1, 0]), np.array([0.5, 0.0])))
    cases.append((np.array([-199.0, -200.0, 0.0]), -0.4, np.array([2, 1, 0]), np.array([0.5, -0.5, 0.0])))
    cases.append((np.array([-100.0, -101.0, -103.0]), 0.0, np.array([0, 1, 1]), np.array([0.0, 1.0, -1.0])))
    cases.append((np.array([-200.0, -200.3]), 0.0, np.zeros(2, dtype=int), np.zeros(2)))
    return cases


def nearly_equal_cases() -> list:
    """Where the values hardly differ: a little added anywhere is seen; right answers agree in six digits."""
    thirds, visits = np.log(np.full(3, 1 / 3)), np.array([5, 5, 0])
    return [
        (np.log([0.7, 0.3]), 0.4, np.array([1, 1]), np.array([0.1, 0.1 + 5e-9])),
        (thirds, 0.9, visits, np.array([0.9, 0.9001, 0.0])),
        (thirds, 0.5, visits, np.array([0.5, 0.5 + 1e-7, 0.0])),
    ]


# Sequential halving -----------------------------------------------------------------------------------------------


class Phase(NamedTuple):
    """What happened in one phase: its candidates, their share, what is used up, who stays, and g + log p + σ."""

    before: list
    each: int
    used: int
    left: list
    scores: np.ndarray


class Halving(NamedTuple):
    """What is compared: the three things that are returned, and how often `simulate` was called for each move."""

    move: int
    visits: np.ndarray
    q: np.ndarray
    simulations_counted: np.ndarray


def right_gumbel(log_priors, value, gumbels, simulate, budget, considered, **broken) -> tuple:
    """The right answer to `gumbel_root`."""
    scores = log_priors * broken.get("prior", 1) + gumbels * broken.get("noise", 1)
    by = {"log_priors": log_priors, "gumbels": gumbels}.get(broken.get("candidates_by"), scores)
    visits, q = np.zeros(len(scores), dtype=int), np.zeros(len(scores))
    left = np.argsort(-by, kind=broken.get("sorting", "stable"))[: len(scores) if broken.get("all") else considered]
    left = np.sort(left) if broken.get("sorted") else left
    phases = max(1, broken.get("round", ceil)(log2(considered if broken.get("from_considered") else len(left))))
    used, least, told = 0, broken.get("least", 2), broken.get("told", [])
    while used < budget:
        before, each = left, max(1, budget // (phases * len(left)))
        order = np.repeat(left, each) if broken.get("in_blocks") else np.tile(left, each)
        for move in order if broken.get("over") else order[: budget - used]:
            used += 1
            visits[move] += 1
            found = broken.get("seen_by", 1) * simulate(int(move))
            q[move] = found if broken.get("last") else q[move] + (found - q[move]) / visits[move]
        of = scores if broken.get("of_scores") else log_priors
        sigma = broken.get("sigma", 1) * right_scaled_q(of, value, visits, q)
        if broken.get("halves", True) and not (broken.get("no_last") and used >= budget):
            now = sigma + {"log_priors": log_priors, "gumbels": gumbels}.get(broken.get("halved_by"), scores)
            left = left if broken.get("as_before") else np.sort(left)
            left = left[np.argsort(-now[left], kind=broken.get("sorting", "stable"))][: max(least, len(left) // 2)]
        told.append(Phase(before.tolist(), each, used, left.tolist(), scores + sigma))
    return _chosen(left, scores + sigma, visits, q, broken), visits, _as_returned(visits, q, value, broken)


def _chosen(left, scores, visits, q, broken) -> int:
    """The move to play, or another one."""
    if broken.get("most_visited"):
        return int(visits.argmax())
    if broken.get("best_q"):
        return int(np.where(visits > 0, q, -2).argmax())
    return int(scores.argmax() if broken.get("best_of_all") else left[0])


def _as_returned(visits, q, value, broken) -> np.ndarray:
    """q, or a q that is wrong where nothing was tried."""
    return np.where(visits > 0, q, {"value": value, "nan": np.nan}.get(broken.get("untried_q"), 0.0))


def observed_root(solution, log_priors, value, gumbels, truth, budget, considered, order=None) -> tuple:
    """What came back and how often each move was simulated; the k-th simulation of a move has a value of its own.

    order: a list that gets the simulated moves in their order.
    """
    count = np.zeros(len(truth), dtype=int)

    def simulate(move):
        count[move] += 1
        if order is not None:
            order.append(int(move))
        if truth.ndim == 2:  # the values of a move's simulations in turn
            return float(truth[move, count[move] - 1])
        return float(np.clip(truth[move] + 0.3 * np.sin(7 * move + 3 * count[move]), -1, 1))

    answer = solution(log_priors, value, gumbels, simulate, budget, considered)
    return Halving(*answer, count) if isinstance(answer, tuple) and len(answer) == 3 else answer


def _root(**options):
    return lambda *case: right_gumbel(*case, **options)


ROOT_SLIPS = [
    (_root(noise=0), "The Gumbel numbers are not used."),
    (_root(prior=0), "The log-priors are missing from the scores: g + log p."),
    (_root(all=True), "Only the `considered` moves of the highest g + log p are candidates."),
    (_root(halves=False), "Nothing is ever dropped: after each phase only the better half stays."),
    (_root(least=1), "The last two candidates stay until the budget is used up."),
    (_root(over=True), "It took more simulations than the budget allows."),
    (_root(round=floor), "The number of phases is log₂ rounded UP."),
    (_root(sigma=0), "After a phase the candidates are compared with σ(q), too."),
    (_root(sigma=-1), "The sign of σ(q): high values are good, they belong to the player who chooses."),
    (_root(of_scores=True), "σ weighs q̄ by the priors, so it is given log p alone, not g + log p."),
    (_root(last=True), "q is the MEAN of a move's simulations, not the last of them."),
    (_root(most_visited=True), "The move to play is the best of those left, not the first of the most visited."),
    (_root(best_q=True), "The move to play has the highest g + log p + σ(q) of those left, not the highest q."),
    (_root(best_of_all=True), "The move to play is the best of those LEFT; one that was dropped does not come back."),
    (_root(from_considered=True), "m is the number of candidates, at most n: with fewer moves there are fewer phases."),
    (
        _root(in_blocks=True),
        "In turn: one simulation of each candidate, then the next of each; not all of one at once.",
    ),
    (_root(no_last=True), "Also when the budget is used up, the better half is taken a last time."),
    (_root(seen_by=-1), "The value of `simulate` is for the player to move at the root: its sign stays."),
    (_root(candidates_by="log_priors"), "Candidates have the highest g + log p, not the highest log p."),
    (_root(candidates_by="gumbels"), "Candidates have the highest g + log p, not the highest g."),
    (_root(sorted=True), "Simulate the candidates in the order of g + log p, the best first, not by their numbers."),
    (
        _root(sorting="quicksort"),
        'Of equal scores the lower number comes first, and np.argsort keeps that order only with kind="stable".',
    ),
    (_root(as_before=True), "Of equal scores the lower number comes first, also where it came later before."),
    (_root(halved_by="log_priors"), "The better half is by g + log p + σ: here g is missing."),
    (_root(halved_by="gumbels"), "The better half is by g + log p + σ: here log p is missing."),
    (_root(untried_q="value"), "q of a move without a visit is 0 in what is returned."),
    (_root(untried_q="nan"), "q of a move without a visit is 0 in what is returned, not NaN."),
]


def always(values, budget: int) -> np.ndarray:
    """Each move's simulations all have its value."""
    return np.tile(np.asarray(values, float)[:, None], budget)


def root_cases() -> list:
    """(log_priors, value, gumbels, hidden values, budget, considered), the short ones first."""
    rng = np.random.default_rng(16)
    hidden = np.array([0.6, -0.4, 0.3, -0.2, 0.1, -0.6, 0.4, 0.0])
    flat, still = np.log(np.full(8, 1 / 8)), np.zeros(8)
    cases = [
        (flat, 0.0, np.arange(8) / 10, hidden, 8, 8),
        (flat, 0.0, np.arange(8) / 10, hidden, 32, 8),
        (np.log([0.6, 0.3, 0.1]), 0.2, np.array([0.0, 2.0, 0.5]), np.array([0.1, -0.2, 0.3]), 4, 2),
        (np.array([0.0]), -0.3, np.array([1.0]), np.array([-0.3]), 5, 16),
        (np.log([0.7, 0.3]), 0.0, np.array([0.2, 0.1]), np.array([-0.5, 0.5]), 1, 4),
        (flat, 0.5, still, hidden, 16, 3),
        (np.log([0.6, 0.4]), 0.0, np.zeros(2), np.array([0.0, 1.0]), 4, 1),  # a single candidate
        (np.log([0.5, 0.3, 0.2]), 0.0, np.zeros(3), np.array([0.1, 0.2, 0.3]), 16, 8),  # fewer moves than considered
        (np.log([0.1, 0.4, 0.2, 0.2, 0.1]), 0.1, np.array([1.5, 0.0, 0.7, -0.4, 1.0]), hidden[:5], 32, 16),
        # of many equal scores the lower numbers come first
        (np.log(np.repeat([2, 3], [15, 10]) / 60), 0.0, np.zeros(25), np.linspace(-0.9, 0.9, 25) % 0.7, 32, 16),
        (flat, 0.1, still, np.full(8, 5.0), 12, 6),  # all are equal all the time, since no value is above 1
        # the second of four is the best in the end, so it is the first in the next phase
        (np.log(np.full(4, 0.25)), 0.0, np.array([0.3, 0.2, 0.1, 0.0]), np.array([-0.2, 0.8, 0.1, -0.5]), 7, 4),
        # v decides: moves without a visit are worth more than all others, so these lie close together
        (
            np.log([0.13, 0.11, 0.26, 0.5]),
            0.95,
            np.array([0.9, 0.5, -0.9, -0.2]),
            np.array([-0.4, -0.4, 0.1, -0.1]),
            3,
            2,
        ),
        # 1 is ahead of 0 after the first phase; in the end both have the same mean
        (
            np.log(np.full(4, 0.25)),
            0.0,
            np.zeros(4),
            np.array([[0.0, 1.0, 0.5], [1.0, 0.0, 0.5], [-1.0, -1.0, 0.0], [-1.0, -1.0, 0.0]]),
            6,
            4,
        ),
        # a move that was dropped would be the best of all in the end
        (np.log([0.75, 0.237, 0.013]), 0.1, np.array([0.19, 3.56, 1.3]), np.array([-0.47, -0.97, 0.63]), 10, 3),
        (
            np.log([0.03, 0.04, 0.06, 0.87]),
            0.1,
            np.array([4.23, 0.48, 0.67, 3.13]),
            np.array([-0.69, 0.63, -0.22, -0.89]),
            9,
            3,
        ),
    ]
    # two moves are left: they go on by turns, and after each phase the better one comes first
    cases.append((np.log([0.6, 0.4]), 0.0, np.zeros(2), np.array([-1.0, 1.0]), 3, 2))
    values = np.array(
        [
            [1.0, 0.5, 1.0, 0.0, -1.0, 0.5, -1.0, 0.5, -0.5, 0.5],
            [1.0, -1.0, 0.0, 0.5, 1.0, -1.0, 0.0, -1.0, -1.0, -1.0],
            [-1.0, 0.0, 0.5, 0.5, 0.5, 0.5, -1.0, 0.5, -0.5, 1.0],
        ]
    )
    cases.append((np.array([-0.67, -0.99, -1.9]), 0.0, np.array([-1.0, 1.0, 0.3]), values, 10, 3))
    # nearly equal scores are not equal
    cases.append((np.log([0.5, 0.5]), 0.0, np.array([0.0, 1e-8]), always([0.0] * 2, 2), 2, 2))
    # many equal scores after a phase
    hidden, gumbels = np.arange(25) % 4 * 0.1, np.arange(25) % 3 * 0.5
    cases.append((np.full(25, -np.log(25)), 0.0, gumbels, always(hidden, 60), 60, 25))
    # the priors with the Gumbel numbers would weigh q̄ otherwise than the priors alone
    values = np.array([-0.5, -0.4, -0.2, -0.3])
    priors, gumbels = np.array([-2.8, -0.5, -2.6, -1.3]), np.array([-0.1, 1.1, 0.2, -0.5])
    cases.append((priors, 0.9, gumbels, always(values, 4), 4, 3))
    # scores that are equal in single precision
    gumbels = np.array([1.000001, 1.000004, -250.0])
    cases.append((np.array([-200.0, -200.0, 0.0]), 0.0, gumbels, always([0.3] * 3, 1), 1, 1))
    cases.append((np.array([-150.0, -150.0]), 0.0, np.array([0.0, 1e-6]), always([0.3] * 2, 2), 2, 2))
    # candidates with next to no prior
    gumbels = np.array([200.0, 200.5, -20.0])
    cases.append((np.array([-150.0, -151.0, 0.0]), 0.1, gumbels, always([0.3, -0.2, 0.0], 6), 6, 2))
    for moves, budget, considered in (
        (6, 20, 6),
        (9, 64, 16),
        (12, 50, 5),
        (18, 33, 7),
        (25, 16, 8),
        (25, 32, 16),
        (25, 7, 16),
    ):
        priors = rng.dirichlet(np.full(moves, 2.0))
        cases.append(
            (np.log(priors), rng.uniform(-1, 1), rng.gumbel(size=moves), rng.uniform(-1, 1, moves), budget, considered)
        )
    return cases

"""The checks of the exercises of chapter 5, MCTS with networks, each named after the function it checks."""

import numpy as np

from mock5check.answers import kind_problem, same
from mock5check.ch05.capstone import puct_search
from mock5check.ch05.flight import Node, virtual_loss
from mock5check.core import graded, the_one_slip
from mock5check.watch import learners_line, meaning

__all__ = ["Node", "masked_priors", "proven_value", "puct_scores", "puct_search", "virtual_loss"]

SEED = 5

# 1. Mask, then normalise ----------------------------------------------------------------------------------------


def right_priors(log_priors: np.ndarray, legal: list[int]) -> np.ndarray:
    """Priors (A,): 0 off `legal`, summing to 1 over it; equal shares where the net gives none of them a chance."""
    priors = np.zeros(len(log_priors))
    wanted = log_priors[legal]
    if wanted.max() == -np.inf:
        priors[legal] = 1 / len(legal)
    else:
        weights = np.exp(wanted - wanted.max())
        priors[legal] = weights / weights.sum()
    return priors


def _not_normalised(log_priors, legal):
    priors = np.zeros(len(log_priors))
    priors[legal] = np.exp(log_priors[legal])
    return priors


def _shares_of_all(log_priors, legal):
    """Equal shares of all points, where only the legal ones should share."""
    none = log_priors[legal].max() == -np.inf
    return np.full(len(log_priors), 1 / len(log_priors)) if none else right_priors(log_priors, legal)


def _minus_a_billion(log_priors, legal):
    """A softmax with the illegal moves at −1e9, which is more than −inf."""
    logits = np.where(np.isin(np.arange(len(log_priors)), legal), log_priors, -1e9)
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


MASK_SLIPS = [
    (
        lambda p, legal: np.exp(p) / np.exp(p).sum(),
        "Illegal moves got a share. Take the legal ones only, then normalise.",
    ),
    (_not_normalised, "The legal priors no longer sum to 1: divide by their sum after masking."),
    (lambda p, legal: right_priors(p, legal)[legal], "Return one number for every point of the board, 0 off the list."),
    (lambda p, legal: np.isin(np.arange(len(p)), legal) / len(legal), "All legal moves are equal: is the net asked?"),
    (
        lambda p, legal: right_priors(p, legal).astype(p.dtype),
        "The array was made like `log_priors`, which may hold whole numbers: fractions are cut off. Make it of floats.",
    ),
    (_shares_of_all, "Where the net gives no legal move a chance, only the LEGAL moves share."),
    (_minus_a_billion, "−1e9 is more than −inf: where all legal moves have −inf, the illegal ones get the shares."),
]


@graded
def masked_priors(trial, function) -> None:
    """Check `masked_priors(log_priors, legal)`: zeros off `legal`, and the rest sums to 1."""
    rng = np.random.default_rng(SEED)
    cases = [(np.log([0.5, 0.3, 0.2]), [0, 1, 2]), (np.log([0.5, 0.3, 0.2]), [1, 2]), (np.log([0.5, 0.3, 0.2]), [2, 0])]
    cases += [(np.array([-np.inf, 0.0, -1.0, -np.inf]), [0, 1, 2]), (np.array([-2000.0, -2001.0, 0.0]), [0, 1])]
    cases += [(np.array([0.0, -np.inf, -np.inf, -np.inf]), [1, 2, 3]), (np.array([0.0, -np.inf, -np.inf]), [2, 1])]
    cases += [(np.array([-6000.0, -np.inf, 0.0]), [0, 1]), (np.array([1000.0, 999.0, 0.0]), [0, 1])]
    cases += [(np.array([0, -1, -2]), [0, 1]), (np.array([0.0, -8.0, -1.0]), [0, 1]), (np.array([0.0]), [0])]
    cases += [(np.array([-20_000.0, -20_003.0]), [0, 1]), (np.array([-2e9, -np.inf, 0.0]), [0, 1])]
    cases += [(np.array([0.0, -800.0]), [0, 1]), (np.array([-900.0, 0.0, -1.0]), [1, 0])]
    cases += [(np.array([-3.0, -1.0]), [1]), (np.array([-60.0, 0.0, -61.0, -1.0]), [2, 0])]
    cases += [(np.array([-5000.1, -5000.2]), [0, 1]), (np.append(0.0, np.full(360, -np.inf)), list(range(361)))]
    for points in (5, 9, 9, 16):
        legal = rng.choice(points, size=points // 2, replace=False).tolist()  # in any order
        cases.append((rng.normal(0, 2, points).round(2), legal))

    def why(log_priors, legal):
        if log_priors[legal].max() == -np.inf:
            return f"The net gives {legal} no chance at all. 0 / 0 is NaN, so share equally among them."
        if len(legal) > 16:
            return (
                "All points are legal, and the net is sure of one: that has 1, and exp(−∞) is 0. Add nothing to either."
            )
        are = "is" if len(legal) == 1 else "are"
        text = (
            f"Only {legal} {are} legal. Their exp(log-prior), divided by their own sum, are the priors; others are 0."
        )
        if np.isneginf(log_priors[legal]).any():
            text += " exp(−∞) is 0, however small the others are."
        if -6000 < log_priors[legal].max() < -5000:
            text += " In single precision (float32) −5000.1 is −5000.1001: calculate in float64, and subtract first."
        elif log_priors[legal].max() < -700:
            text += (
                " Such small numbers vanish in exp(): subtract the largest LEGAL log-prior first, and cut off nothing."
            )
        return text

    trial.compare(function, cases, right=right_priors, why=why, slips=MASK_SLIPS)
    for log_priors, legal in cases:
        priors, call = trial.call(function, log_priors, legal), trial.last_call
        closed = np.delete(priors, legal)
        text = f"A move that is not legal has the prior 0, exactly; here one has {abs(closed).max(initial=0):.3g}."
        trial.require((closed == 0).all(), text, call=call)
        text = f"The priors sum to 1; these sum to {float(priors.sum()):.12g}."
        near = 1e-6 if priors.dtype == np.float32 else 1e-9
        trial.require(abs(float(priors.sum()) - 1) < near, text, call=call)


# 2. The urgency of a first visit ---------------------------------------------------------------------------------


def scores_of(priors, visits, totals, value, c, reduction, first=None, sign=1, mean=np.maximum, bonus=None):
    """The right answer to `puct_scores`; the options make it wrong."""
    seen = visits > 0
    q = sign * totals / mean(visits, 1)
    first = value - reduction * np.sqrt(priors[seen].sum()) if first is None else first(priors, seen, value, reduction)
    return np.where(seen, q, first) + (bonus or right_bonus)(priors, visits, c)


def right_bonus(priors, visits, c, total=lambda n: np.sqrt(1 + n), below=lambda n: 1 + n):
    """The second term of each move."""
    return c * priors * total(visits.sum()) / below(visits)


def _first(rule):
    return lambda *args: scores_of(*args, first=rule)


def _bonus(rule):
    return lambda *args: scores_of(*args, bonus=rule)


def _clipped(least):
    return _first(lambda p, seen, value, r: max(least, value - r * np.sqrt(p[seen].sum())))


def _whole_numbers(priors, visits, totals, value, c, reduction):
    """For an array of Q that was made like `totals`, which may hold whole numbers."""
    q = np.full_like(totals, value - reduction * np.sqrt(priors[visits > 0].sum()))
    q[visits > 0] = (totals / np.maximum(visits, 1))[visits > 0]
    return q + right_bonus(priors, visits, c)


N_SLIP = "N counts the visit of the node itself, too: 1 + the sum."
URGENCY_SLIPS = [
    (_first(lambda p, seen, value, r: 0.0), "A move without a visit has Q = 0 here; that is the plain formula."),
    (_first(lambda p, seen, value, r: value), "The reduction is missing."),
    (_first(lambda p, seen, value, r: value - r), "The reduction grows with the priors of the moves already tried."),
    (_first(lambda p, seen, value, r: value - r * p[seen].sum()), "The ROOT of the priors that were tried is missing."),
    (
        _first(lambda p, seen, value, r: value - r * np.sqrt(p[~seen].sum())),
        "Add up the priors of the moves that HAVE been tried.",
    ),
    (
        _first(lambda p, seen, value, r: value - r * np.sqrt(max(1 - p[~seen].sum(), 0))),
        "These priors do not sum to 1. Add up those of the tried moves, as the formula says.",
    ),
    (_first(lambda p, seen, value, r: value + r * np.sqrt(p[seen].sum())), "Untried moves are valued LOWER: subtract."),
    (_first(lambda p, seen, value, r: np.inf), "That tries every move once before all else, as UCT does."),
    (_first(lambda p, seen, value, r: value - 0.2 * np.sqrt(p[seen].sum())), "Use the argument `reduction`."),
    (
        _first(lambda p, seen, value, r: value - r * np.sqrt(min(1, p[seen].sum()))),
        "The priors may sum to more than 1. Take them as they are.",
    ),
    (_clipped(-1.0), "Q of a move without a visit may fall below −1: no limit is asked for."),
    (_clipped(0.0), "Q of a move without a visit may fall below 0: no limit is asked for."),
    (
        lambda *args: scores_of(*args, sign=-1),
        "The totals belong to the player who chooses already: no change of sign.",
    ),
    (lambda *args: scores_of(*args, mean=lambda n, one: one), "Q is the MEAN of a move's visits: total / visits."),
    (
        lambda *args: scores_of(*args, mean=lambda n, one: n + one),
        "Q is total / visits. 1 + n belongs to the second term.",
    ),
    (lambda p, *args: scores_of(p / p.sum(), *args), "The priors need not sum to 1. Take them as they are."),
    (_whole_numbers, "An array made like `totals` holds whole numbers if they are whole, and drops the rest."),
    (_bonus(lambda p, n, c: right_bonus(p, n, c, total=np.sqrt)), N_SLIP),
    (_bonus(lambda p, n, c: right_bonus(p, n, c, total=lambda all: 1 + all)), "The root of N is missing."),
    (
        _bonus(lambda p, n, c: right_bonus(p, n, c, total=lambda all: np.log(1 + all))),
        "Take the ROOT of N, no logarithm.",
    ),
    (_bonus(lambda p, n, c: right_bonus(p, n, c, below=lambda n: 1)), "The second term is divided by 1 + n."),
    (_bonus(lambda p, n, c: right_bonus(p, n, c, below=lambda n: np.maximum(n, 1))), "The denominator is 1 + n."),
    (_bonus(lambda p, n, c: right_bonus(np.ones(len(p)), n, c)), "The prior is missing from the second term."),
    (_bonus(lambda p, n, c: right_bonus(p, n, 1.4)), "Use the argument `c`: it is not always 1.4."),
    (_bonus(lambda p, n, c: right_bonus(p, n, 1.0)), "The second term begins with c."),
    (_bonus(lambda p, n, c: 0.0), "The second term is missing: c·P·√N / (1 + n)."),
]


@graded
def puct_scores(trial, function) -> None:
    """Check `puct_scores(priors, visits, totals, value, c, reduction)`: PUCT of each move, with first-play urgency."""
    rng = np.random.default_rng(SEED)
    cases = [([0.5, 0.3, 0.2], [3, 0, 0], [1.5, 0, 0], 0.4, 1.4, 0.2), ([0.6, 0.4], [0, 0], [0, 0], -0.5, 1.4, 0.2)]
    cases += [([0.6, 0.4], [0, 0], [0, 0], 0.0, 2.0, 0.2), ([0.1, 0.2, 0.7], [4, 2, 0], [-2, 1, 0], 0.3, 1.0, 0.5)]
    cases += [([0.25] * 4, [1, 1, 1, 1], [1, -1, 0.5, 0], 0.2, 1.4, 0.3), ([1.0], [0], [0], 1.0, 1.4, 0.2)]
    cases += [([0.0, 1.0], [2, 0], [-2, 0], 0.1, 0.0, 0.0), ([0.5, 0.5], [3, 0], [-3, 0], -0.95, 1.4, 0.4)]
    for moves in (3, 9, 9, 81):
        visits = rng.integers(0, 30, moves) * (rng.random(moves) < 0.6)
        totals = (visits * rng.uniform(-1, 1, moves)).round(2)
        cases.append((rng.dirichlet(np.ones(moves)), visits, totals, round(float(rng.uniform(-1, 1)), 2), 1.4, 0.2))
    cases += [
        ([2.0, 2.0], [1, 0], [0, 0], 0.0, 1.0, 0.5),
        ([0.5, 0.25], [1, 0], [0.5, 0], 0.2, 1.0, 0.3),
        ([0.25, 0.25, 0.25], [0, 2, 1], [0, 1, -1], 0.5, 1.4, 0.2),
    ]
    cases = [(np.array(p, float), np.array(n), np.array(w, float), v, c, r) for p, n, w, v, c, r in cases]
    cases.append((np.array([0.5, 0.5]), np.array([3, 0]), np.array([2, 0]), 0.4, 1.0, 0.2))  # whole numbers

    def why(priors, visits, totals, value, c, reduction):
        tried = priors[visits > 0].sum()
        text = (
            f"Moves with a visit have Q = total / visits. The others have {value} − {reduction}·√{tried:.3g} = "
            f"{value - reduction * np.sqrt(tried):.4g}. N = 1 + {visits.sum()}, and c is {c}."
        )
        if len(priors) <= 9:
            second = right_bonus(priors, visits, c)
            q = scores_of(priors, visits, totals, value, c, reduction) - second
            text += f"\nQ is {_digits(q)}, the second term {_digits(second)}."
        return text

    trial.compare(function, cases, right=scores_of, why=why, slips=URGENCY_SLIPS)


def _digits(array) -> str:
    return np.array2string(np.round(array, 4), separator=", ")


# 3. What is proven ------------------------------------------------------------------------------------------------


def right_proof(children):
    """A win if one child is lost for its player; else nothing is known while one is open; else the best of them."""
    if any(value == -1 for value in children if value is not None):
        return 1
    if any(value is None for value in children):
        return None
    return max(-value for value in children)


def _signless(children):
    """For a solver that forgets whose values these are."""
    if any(value == 1 for value in children if value is not None):
        return 1
    return None if any(value is None for value in children) else max(children)


def _instead(of, worth):
    """For a function that takes one value for another."""
    return lambda children: right_proof([worth if value is of else value for value in children])


PROOF_SLIPS = [
    (lambda c: None, "It gives None for every list. Is a `return` missing?"),
    (lambda c: 1 if -1 in c else None, "It gives None where all children are proven. Is a `return` missing?"),
    (
        lambda c: 0 if 0 in c and -1 not in c else right_proof(c),
        "A draw is certain here, but the move of which nothing is proven may win.",
    ),
    (_instead(None, 1), "None is no loss for us: nothing is known of that move, it may be −1, our win."),
    (lambda c: right_proof(c[:1]), "Only the first child is looked at."),
    (lambda c: right_proof(c[-1:]), "Only the last child counts: each one overwrites what the others said."),
    (lambda c: 1 if -1 in c else None if None in c else -1, "If the best that is left is a draw, 0, we get 0."),
    (
        lambda c: right_proof(c[: c.index(None) + 1] if None in c else c),
        "It stops at the first None. A child after it may be −1, and then we win.",
    ),
    (_signless, "A child's value belongs to the player to move THERE, the opponent: its −1 is our win."),
    (
        lambda c: None if None in c else right_proof(c),
        "One move that wins for certain is enough, whatever the others are worth.",
    ),
    (
        lambda c: right_proof([v for v in c if v is not None] or [None]),
        "A move of which nothing is proven may still be the best.",
    ),
    (lambda c: right_proof([v or None for v in c]), "0 is a proven draw; only None is unknown. Both count as false."),
    (lambda c: right_proof([v or 0 for v in c]), "None is not a draw: nothing is known of that move."),
    (
        lambda c: None if right_proof(c) is None else min(-v for v in c if v is not None),
        "The player to move takes the BEST move.",
    ),
]


@graded
def proven_value(trial, function) -> None:
    """Check `proven_value(children)`: 1, 0, −1 or None for the player to move."""
    cases = [
        [-1],
        [1],
        [0],
        [None],
        [1, -1],
        [None, -1],
        [1, 1, 1],
        [1, 0, 1],
        [0, None],
        [1, None],
        [0, 0],
        [1, None, 0],
    ]
    cases += [
        [-1, None],
        [-1, None, 0],
        [-1, 1, None],
        [None, None],
        [0, -1, None],
        [1, 1, None, 1],
        [0, 1, 0],
        [-1, -1],
        [0, 1, None, -1, 1],
    ]

    for place, children in enumerate(cases):
        passed = [((case,), right_proof(case)) for case in cases[:place]]
        _one_proof(trial, function, children, [(case,) for case in cases], passed)


def _one_proof(trial, function, children: list, cases: list, passed: list) -> None:
    """None is an answer like the others, so `compare`, for which it is a missing `return`, does not do."""
    call = f"proven_value({children})"
    try:
        answer = trial.call(function, list(children), shown=call, lets_through=(TypeError,))
    except TypeError as error:
        because = meaning(error)
        if "NoneType" in str(error):
            because += " None is no number: deal with it before you calculate with the children."
        trial.fail(because, call=call, line=learners_line(error))
    right = right_proof(children)
    problem = None if answer is None else kind_problem(answer, right)
    if problem or not same(answer, right):
        trial.fail(
            problem[0].upper() + problem[1:] if problem else _proof_why(children),
            call=call,
            hint=the_one_slip(function, cases, PROOF_SLIPS, passed=passed),
            answer=answer,
            right=right,
        )
    trial.cases += 1


def _proof_why(children: list) -> str:
    right = right_proof(children)
    if right == 1:
        return "One child is −1: there the opponent is to move and has lost. We go there and win."
    if right is None:
        return "No child is −1, and of some nothing is proven: one of those may still be −1."
    return f"Every child is proven. The best for us is the least for the opponent, {-right}, so we get {right}."

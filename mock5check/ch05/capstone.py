"""The check of the capstone of chapter 5: a search from an empty cell, visit for visit equal to the package's.

First small cases, one idea each, whose right answer can be derived by hand; then fifty positions with experts of all
kinds, the last of them with a stored two-headed net. `right_search` is the search itself, with options that break it.
"""

from functools import cache
from math import log, sqrt

import numpy as np

from mock5check.answers import difference, kind_problem, same
from mock5check.core import graded, the_one_slip
from mock5check.watch import kept_shut
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes
from mock5lib.search.puct.forest import Forest
from mock5lib.search.puct.tree import SearchTree

BASE = 100  # of the seeds of the fifty positions: no choice among moves is so near that rounding would decide it
CLOSE = 1e-4  # the package keeps its priors in half as many digits


# A right search, and ways to break it ------------------------------------------------------------------------------


class _Node:
    """What is kept of a position; its sum of values belongs to the player to move there."""

    def __init__(self):
        self.priors, self.children, self.visits, self.total, self.value = None, {}, 0, 0.0, None


def right_search(game, expert, simulations, c, **broken):
    """(visits, q), as the package's search finds them."""
    root = _Node()
    _enter(root, game, expert, broken)
    root.visits, root.total = broken.get("root_visits", 1), root.value
    for _ in range(simulations + broken.get("more", 0)):
        _simulate(root, game.copy(), expert, c, broken)
    visits, q = np.zeros(len(game.board), dtype=np.int64), np.zeros(len(game.board))
    for move, child in root.children.items():
        visits[move], q[move] = child.visits, broken.get("sign_out", -1) * child.total / max(child.visits, 1)
    return visits, q


def _simulate(root, game, expert, c, broken) -> None:
    path = [root]
    while path[-1].priors is not None:
        node = path[-1]
        move = _choose(node, c, broken)
        game.apply(move)
        path.append(node.children.setdefault(move, _Node()))
    leaf = path[-1]
    if leaf.value is None:
        _enter(leaf, game, expert, broken)
    value = leaf.value
    for node in reversed(path if not (broken.get("lost_end") and game.winner is not None) else path[:-1]):
        node.visits, node.total = node.visits + 1, node.total + value
        value = value if broken.get("no_flip") else -value


def _choose(node, c, broken) -> int:
    def score(move):
        child, prior = node.children.get(move), node.priors[move]
        n = child.visits if child else 0
        q = broken.get("sign", -1) * child.total / n if n else broken.get("untried", lambda node: 0.0)(node)
        total = node.visits if not broken.get("children_only") else node.visits - 1
        bonus = broken.get("bonus", lambda total, n: sqrt(total) / (1 + n))(total, n)
        return q + c * prior * bonus

    if broken.get("low_index"):
        return max(node.priors, key=lambda move: (score(move), -move))
    return max(node.priors, key=lambda move: (score(move), node.priors[move], -move))


def _enter(node, game, expert, broken) -> None:
    """The value of a new position and, of an unfinished one, its priors."""
    if game.winner is not None:
        node.value = broken.get("won", -1.0) if game.winner else broken.get("drawn", 0.0)
        return
    log_priors, values = expert(three_planes.encode([game]))
    legal = game.legal_moves()
    chosen, everything = np.asarray(log_priors[0], float)[legal], np.asarray(log_priors[0], float)
    top = everything.max() if broken.get("unmasked") else chosen.max()
    if np.isneginf(chosen).all():
        shares = np.full(len(legal), 1 / len(legal))
    else:
        weights = np.exp(chosen - top)
        shares = weights / (np.exp(everything - top).sum() if broken.get("unmasked") else weights.sum())
    node.priors, node.value = dict(zip(legal, shares.tolist())), broken.get("value", 1) * float(values[0])


def _broken(**options):
    return lambda *case: right_search(*case, **options)


def _mean(node):
    return node.total / node.visits


SLIPS = [
    (_broken(sign=1, sign_out=1), "The sign: a child's values belong to the player to move THERE, your opponent."),
    (
        _broken(sign=1),
        "The sign where you CHOOSE: a child's mean belongs to its own player, the opponent of the chooser.",
    ),
    (_broken(sign_out=1), "The sign of the q that you return: it belongs to the player to move at the root."),
    (_broken(no_flip=True), "On the way up the value must change its sign at each ply."),
    (_broken(value=-1), "The net's value belongs to the player to move in the position it was asked about."),
    (_broken(won=1.0), "Where a game has been won, the player who would be to move has LOST: −1."),
    (_broken(drawn=1.0), "A draw is worth 0."),
    (_broken(drawn=-1.0), "A draw is worth 0."),
    (_broken(won=0.0), "A won game counts as a draw: its value is −1 for the player who would be to move."),
    (_broken(lost_end=True), "A simulation that ends in a finished game counts a visit for that position, too."),
    (_broken(children_only=True), "N counts the expert's own look at the node too, so it is 1 before the first child."),
    (_broken(root_visits=0), "The root has been looked at once before the first simulation: its N starts at 1."),
    (_broken(more=-1), "The look at the root is not one of the simulations."),
    (_broken(more=1), "That is one simulation too many."),
    (_broken(untried=_mean), "A move without a visit has q = 0, not the value of its parent."),
    (_broken(untried=lambda node: np.inf), "That tries every move once before all else, as UCT does; here q = 0."),
    (_broken(untried=lambda node: -1.0), "A move without a visit has q = 0, not −1."),
    (
        _broken(bonus=lambda total, n: sqrt(log(1 + total) / (1 + n))),
        "That is the log-UCB rule. PUCT: c·P·√N / (1 + n).",
    ),
    (_broken(bonus=lambda total, n: total / (1 + n)), "The root of N is missing."),
    (_broken(bonus=lambda total, n: sqrt(total / (1 + n))), "1 + n stands outside of the root."),
    (_broken(bonus=lambda total, n: sqrt(total) / max(n, 1)), "The denominator is 1 + n."),
    (_broken(unmasked=True), "Priors are normalised over the LEGAL moves."),
    (_broken(low_index=True), "Of equal scores the higher PRIOR comes first, and only then the lower index."),
]


# Experts, and a look at what they are asked -------------------------------------------------------------------------


def table_expert(size: int, weights=None, value=0.0):
    """Priors in these proportions (equal without) whatever the position, and a value that may depend on the planes."""
    with np.errstate(divide="ignore"):
        log_priors = np.log(np.ones(size) if weights is None else np.asarray(weights, float))

    def expert(planes):
        values = [value(own, other) if callable(value) else value for own, other, _ in planes]
        return np.tile(log_priors, (len(planes), 1)), np.array(values, float)

    return expert


def hashed_expert(seed: int, sharp: float = 1.0):
    """An expert that knows nothing but is of one opinion: random numbers, the same ones whenever a position returns."""

    def answer(planes):
        code = [seed, *np.packbits(planes[:2].astype(bool)).tolist()]
        rng = np.random.default_rng(code)
        return sharp * rng.normal(size=planes[0].size), float(np.tanh(rng.normal()))

    def expert(planes):
        rows, values = zip(*map(answer, planes))
        return np.array(rows), np.array(values)

    return expert


@cache
def net_expert():
    """The stored two-headed net of 9×9."""
    from mock5lib.course import course_file
    from mock5lib.nets import expert_of, load_checkpoint

    return expert_of(load_checkpoint(course_file("data/checkpoints/supervised_9x9")).net)


class Watched:
    """An expert that keeps what it is asked and answers, for a look at it afterwards; of `many` positions at once?"""

    def __init__(self, expert, many: bool = False):
        self.many = many
        self.expert, self.asked, self.answers, self.problem = expert, [], [], None

    def __call__(self, planes):
        problem = None
        if not isinstance(planes, np.ndarray) or planes.ndim != 4:
            problem = (
                f"planes of shape (1, 3, H, W), as `three_planes.encode([game])` makes them; it got {_kind(planes)}"
            )
        elif len(planes) != 1 and not self.many:
            problem = f"one position at a time; it got {len(planes)}"
        if problem:
            self.problem = self.problem or f"The expert must be asked about {problem}."
            raise ValueError(self.problem)
        answer = self.expert(planes)
        self.asked += list(planes.copy())
        self.answers.append((answer, [part.copy() for part in answer]))
        return answer

    def changed(self) -> bool:
        return any(not np.array_equal(a, b) for answer, copies in self.answers for a, b in zip(answer, copies))


def _kind(value) -> str:
    return f"an array of shape {value.shape}" if hasattr(value, "shape") else f"a {type(value).__name__}"


def asked_problem(watched: Watched, game, others: int) -> str | None:
    """What is wrong with the questions, in a sentence; `others` is how many the package's search had."""
    for planes in watched.asked:
        own, other, empty = planes if planes.shape == (3, game.height, game.width) else np.zeros((3, 1, 1))
        if not ((own + other + empty) == 1).all():
            return "The expert was asked about planes that are no position: use `three_planes.encode([game])`."
        if _has_row(own, game.k) or _has_row(other, game.k) or not empty.any():
            return "The expert was asked about a finished game. There the rules know the value: −1, or 0 for a draw."
    if len(watched.asked) > others:
        return (
            f"The expert was asked {len(watched.asked)} times where {others} are enough: once for each new "
            "position, the root included. Keep in the node what it said."
        )
    return None


def _has_row(stones: np.ndarray, k: int) -> bool:
    """Do k of these stones stand in a row?"""
    height, width = stones.shape
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for r, c in np.argwhere(stones):
            end_r, end_c = r + (k - 1) * dr, c + (k - 1) * dc
            if end_r < height and 0 <= end_c < width and all(stones[r + i * dr, c + i * dc] for i in range(k)):
                return True
    return False


# The cases ------------------------------------------------------------------------------------------------------------


def small_cases() -> list:
    """[(case, one sentence about it)]: (game, expert, simulations, c), each for one idea."""
    empty, five = Mock5(3, 3, k=3), Mock5(1, 5, k=3)
    open_two = Mock5(3, 3, k=3, history=[0, 3, 1, 4])  # Black wins at 2, White threatens 5
    full = Mock5(3, 3, k=3, history=[0, 1, 2, 4, 3, 5, 7])  # two empty points, no win any more
    occupied = 1e-12 * np.array([1, 3.1, 7.3, 2.2, 1e12, 4.5, 1, 1, 1])
    tilted = [1.07, 2.13, 3.31, 4.09, 5.23, 6.01, 7.17, 8.03, 9.41]

    def likes_centre(own, other):
        return 0.8 * float(own[1, 1]) - 0.8 * float(other[1, 1])

    return [
        ((empty, table_expert(9, tilted), 1, 1.4), "One simulation: to the move of the highest prior."),
        ((empty, table_expert(9, tilted), 2, 1.4), "N = 2, one visited move, q = 0 everywhere: u decides."),
        ((empty, table_expert(9), 4, 1.4), "All scores are equal: the lower index comes first."),
        ((five, table_expert(5, [2, 1, 3, 1, 3]), 7, 0.0), "c = 0 and all values 0: equal scores, so the prior."),
        ((empty, table_expert(9, [1, 1.3, 1, 1.7, 4.3, 1, 1, 1, 1]), 16, 1.4), "All values are 0: the priors decide."),
        ((Mock5(3, 3, k=3, history=[4]), table_expert(9, occupied), 24, 1.0),
         "The expert gives most of its policy to an occupied point: the legal priors are divided by THEIR sum."),
        ((Mock5(3, 3, k=3, history=[4]), table_expert(9, [0, 0, 0, 0, 1, 0, 0, 0, 0]), 6, 1.4),
         "The expert gives no legal move any chance: equal priors for all of them."),
        ((empty, table_expert(9, value=0.6), 5, 1.4), "What is good for whoever moves below is bad here."),
        ((empty, table_expert(9, tilted, likes_centre), 40, 1.4), "Whoever has the centre stands better."),
        ((empty, hashed_expert(3), 30, 1.4), "Priors and values of all kinds."),
        ((open_two, table_expert(9, value=0.1), 30, 1.0), "One move wins at once, and the opponent threatens to win."),
        ((full, table_expert(9, tilted, 0.3), 9, 1.0), "Every line is a draw, worth 0, after two plies."),
        ((five, table_expert(5, [1, 2.3, 5.1, 2, 1.2], -0.2), 25, 1.4), "A board of one row: three in a row win."),
    ]  # fmt: skip


@cache
def big_case(number: int) -> tuple:
    """Position `number` of fifty: (game, expert, simulations, c), what the package finds, how often it asks."""
    rng = np.random.default_rng(BASE + number)
    shapes = [(3, 3, 3), (4, 4, 3), (5, 5, 4), (4, 6, 4), (6, 5, 4)]
    height, width, k = (9, 9, 5) if number >= 40 else shapes[number % 5]
    most, game = 24 if number >= 40 else height * width - 3, None
    while game is None or game.winner is not None:
        game = Mock5(height, width, k=k)
        for _ in range(int(rng.integers(5 if number >= 40 else 0, most))):
            if game.winner is None:
                game.apply(int(rng.choice(game.legal_moves())))
    expert = net_expert() if number >= 40 else hashed_expert(number, float(rng.choice([0.3, 1.0, 3.0])))
    case = (game, expert, int(rng.integers(30, 61)), float(rng.choice([0.7, 1.4, 2.5])))
    return case, *package_search(*case)


def package_search(game, expert, simulations, c) -> tuple:
    """((visits, q), how many positions the expert is asked about) of the package's readable search."""
    watched = Watched(expert)
    result = SearchTree(game, watched, c=c).search(simulations)
    return (result.visits, result.q), len(watched.asked)


# The check ----------------------------------------------------------------------------------------------------------


@graded
def puct_search(trial, function) -> None:
    """Check `puct_search(game, expert, simulations, c)`: small cases, then fifty positions beside the package."""
    trial.stage("thirteen small cases")
    cases = small_cases()
    for case, idea in cases:
        _judge(trial, function, case, *package_search(*case), idea, [one for one, _ in cases])
    trial.stage("forty positions with made-up experts")
    for number in range(40):
        _judge(
            trial,
            function,
            *big_case(number),
            "All small cases were right, so the rules are; look for what only a longer search does.",
        )
    trial.stage("ten positions with a two-headed net")
    for number in range(40, 50):
        _judge(
            trial,
            function,
            *big_case(number),
            "All cases with a made-up expert were right; this one asks the stored net of 9×9.",
        )


def _judge(trial, function, case, right, asked: int, idea: str, small=()) -> None:
    """One search of the learner's beside the package's, which asks its expert `asked` times."""
    game, expert, simulations, c = case
    watched = Watched(expert)
    call = f"puct_search(game, expert, {simulations}, {c:g}), where game is\n{game}"
    try:
        with kept_shut((SearchTree, "__init__"), (Forest, "__init__"), said="the package's search is the judge here"):
            answer = trial.call(function, game, watched, simulations, c, shown=call)
    finally:
        if watched.problem:
            trial.fail(watched.problem, call=call)
    problem = kind_problem(answer, right) or _dtype_problem(answer)
    if problem:
        trial.fail(problem[0].upper() + problem[1:], call=call, answer=answer)
    trial.require(not watched.changed(), "It changed the arrays that the expert answered. Work on a copy.", call=call)
    for name, mine, theirs in zip(("visits", "q"), answer, right):
        if not same(mine, theirs, CLOSE):
            where = difference(mine, theirs, CLOSE) or f"they are {mine}, right is {theirs}"
            told = f" They sum to {mine.sum():g}." if name == "visits" and mine.sum() != simulations else ""
            hint = the_one_slip(function, small, SLIPS, _both, CLOSE) if small else None
            trial.fail(f"About this case: {idea} Your {name}: {where}.{told}", call=call, hint=hint)
    problem = asked_problem(watched, game, asked)
    trial.require(problem is None, problem or "", call=call)


def _both(solution, game, expert, simulations, c):
    visits, q = solution(game, expert, simulations, c)
    return np.asarray(visits, float), np.asarray(q, float)


def _dtype_problem(answer) -> str | None:
    if answer[0].dtype.kind not in "iu":
        return f"visits are whole numbers; this array holds {answer[0].dtype}."
    return None if answer[1].dtype.kind == "f" else f"q holds fractions; this array holds {answer[1].dtype}."

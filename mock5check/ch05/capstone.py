"""The check of the capstone of chapter 5: a search from an empty cell, visit for visit equal to the package's.

First small cases, one idea each, whose right answer can be derived by hand; then fifty positions with experts of all
kinds, the last of them with a stored two-headed net.
"""

from functools import cache

import numpy as np

from mock5check.answers import difference, kind_problem, same
from mock5check.ch05.search import SLIPS
from mock5check.core import KEPT_BEFORE, graded, the_one_slip
from mock5check.frozen import right_when_new
from mock5check.watch import EndlessLoop, bounded, kept_shut
from mock5lib import Mock5
from mock5lib.search.puct.forest import Forest
from mock5lib.search.puct.tree import SearchTree

BASE = 100  # of the seeds of the fifty positions: no choice among moves is so near that rounding would decide it
LOOKED_INTO = 60  # simulations, to find where a search begins to be another one
CLOSE = 2e-6  # the package keeps its priors and values in half as many digits


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
        won = not game.exact and (_has_row(own, game.k) or _has_row(other, game.k))  # exact: four in a row are no three
        if won or not empty.any():
            return "The expert was asked about a finished game. There the rules know the value: −1, or 0 for a draw."
    if len(watched.asked) > others:
        return (
            f"The expert was asked {len(watched.asked)} times where {others} are enough: once for each new "
            "position, the root included. Keep in the node what it said; or does the walk below the root go where the "
            "rules do not lead?"
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

    def sure(own, other):
        return likes_centre(own, other) / 0.8

    def nearly(own, other):
        first_stone = other.ravel().argmax()
        return 0.5 + 4e-7 * (1, 0, 2)[first_stone] if own.sum() == 0 and other.sum() == 1 else 0.0

    def hardly(own, other):
        return 1e-10 if own.sum() == 0 and other.sum() == 1 else 0.0

    return [
        ((empty, table_expert(9, tilted), 1, 1.4), "One simulation: to the move of the highest prior."),
        ((empty, table_expert(9), 4, 1.4), "All scores are equal: the lower index comes first."),
        ((empty, table_expert(9, tilted), 2, 1.4), "N = 2, one visited move, q = 0 everywhere: u decides."),
        ((Mock5(1, 3, k=3), table_expert(3, value=nearly), 4, 0.0),
         "The q of the three moves are some −0.5 and differ in the seventh digit: all below 0, and not equal."),
        ((empty, table_expert(9, tilted, 0.123456), 5, 1.4), "The values have six digits, and so have their means."),
        ((Mock5(1, 3, k=3), table_expert(3, value=hardly), 2, 0.0),
         "After the first simulation move 0 has a Q that is less than 0 by 1e-10; the others have 0, which is more."),
        ((Mock5(1, 3, k=3), far_below, 6, 1.4), "Log-priors of −20,000: only their differences count."),
        ((Mock5(1, 3, k=3), far_down, 1, 1.4), "Log-priors of −2·10⁹ and −3·10⁹; a move with −inf has none."),
        ((five, table_expert(5, [2, 1, 3, 1, 3]), 7, 0.0), "c = 0 and all values 0: equal scores, so the prior."),
        ((empty, table_expert(9, [1, 1.3, 1, 1.7, 4.3, 1, 1, 1, 1]), 16, 1.4), "All values are 0: the priors decide."),
        ((empty, table_expert(9, value=0.6), 5, 1.4), "What is good for whoever moves below is bad here."),
        ((empty, table_expert(9, tilted, likes_centre), 40, 1.4), "Whoever has the centre stands better."),
        ((empty, hashed_expert(3), 30, 1.4), "Priors and values of all kinds."),
        ((empty, hashed_expert(4), 30, 0.0), "c = 0: of equal scores the higher prior, below the root, too."),
        ((open_two, table_expert(9, value=0.1), 30, 1.0), "One move wins at once, and the opponent threatens to win."),
        ((Mock5(1, 9, k=9), table_expert(9, [2, 1, 1, 1, 1, 2, 1, 1, 1]), 5, 1.4),
         "Two priors, and many moves with each: of equal scores the higher prior, then the lower index."),
        ((Mock5(5, 5, k=5), table_expert(25, [1, 2, 1, 1, 2] * 5), 12, 1.4),
         "Two priors, and many moves with each: of equal scores the higher prior, then the lower index."),
        ((Mock5(1, 2, k=2), table_expert(2), 600, 1.4), "Two moves, and 300 visits for each of them."),
        ((Mock5(3, 3, k=3, history=[0, 1, 3, 2, 4, 6, 7, 5]), table_expert(9), 4, 1.4),
         "A single move, which wins: it gets all visits, and a q of 1."),
        ((Mock5(3, 3, k=3, board=[1, 1, 0, 2, 2, 0, 0, 0, 0]), table_expert(9), 20, 1.4),
         "A game that began from a board with stones, so its history is empty: `copy` keeps them."),
        ((Mock5(1, 6, k=3, exact=True, board=[1, 1, 0, 1, 2, 0]), table_expert(6), 20, 1.4),
         "A game in which just three in a row win, and four do not: `copy` keeps that, too."),
        ((Mock5(1, 3, k=5), table_expert(3, None, 1.0), 5, 0.0),
         "c is 0, and whatever is tried, the opponent is sure to win: a score of −1 may be the greatest one."),
        ((Mock5(1, 3, k=5), of_three, 5, 0.0),
         "c is 0, and scores are equal to the last bit: the higher prior comes first, however often it was visited."),
        ((full, table_expert(9, tilted, 0.3), 9, 1.0), "Every line is a draw, worth 0, after two plies."),
        ((five, table_expert(5, [1, 2.3, 5.1, 2, 1.2], -0.2), 25, 1.4), "A board of one row: three in a row win."),
        ((empty, table_expert(9, tilted, sure), 40, 1.4), "The expert is certain: values of exactly 1 and −1."),
        ((Mock5(3, 3, k=3, history=[4]), table_expert(9, occupied), 24, 1.0),
         "The expert gives most of its policy to an occupied point: the legal priors are divided by THEIR sum."),
        ((Mock5(3, 3, k=3, history=[4]), table_expert(9, [0, 0, 0, 0, 1, 0, 0, 0, 0]), 6, 1.4),
         "The expert gives no legal move any chance: equal priors for all of them, not 0 / 0."),
        ((empty, first_three, 6, 1.4), "Only three moves have a chance; the others have −inf, so their prior is 0."),
        ((empty, two_of_the_free, 6, 1.0), "A move of prior 0 has Q = 0, which is more than a Q below 0."),
        ((Mock5(3, 3, k=3, history=[8]), tiny, 40, 0.5), "Legal log-priors are below −2000; only differences count."),
        ((Mock5(7, 8, k=8), one_line, 53, 1.4),
         "Only the first free point has a chance: one line of play, to the 53rd stone. Nothing limits the depth."),
        ((empty, below_the_root, 200, 1.0), "Below the root the expert gives no move any chance: equal priors there."),
    ]  # fmt: skip


def of_three(planes):
    """Priors in eighths and values in halves, by the board."""
    early = {(0, 0, 0): ((5, 2, 1), -0.5), (2, 0, 0): ((1, 5, 2), 0.5), (0, 2, 0): ((1, 5, 2), 0.5)}
    late = {(0, 0, 2): ((5, 2, 1), 0.0), (2, 0, 1): ((1, 2, 5), -1.0), (1, 2, 0): ((5, 2, 1), 0.0)}
    known = {**early, **late}
    rows = [known.get(tuple((own + 2 * other).ravel().astype(int)), ((1, 1, 1), 0.0)) for own, other, _ in planes]
    return np.log([row[0] for row in rows]), np.array([row[1] for row in rows])


def far_below(planes):
    """Log-priors of −20,003, −20,001 and −20,000, whatever the position; value 0."""
    return np.array([[-20_003.0, -20_001.0, -20_000.0]] * len(planes)), np.zeros(len(planes))


def far_down(planes):
    """Log-priors of −∞, −2·10⁹ and −3·10⁹, whatever the position; value 0."""
    return np.array([[-np.inf, -2e9, -3e9]] * len(planes)), np.zeros(len(planes))


def first_three(planes):
    """A chance for moves 0, 1 and 2 alone, whatever the position; value 0."""
    return np.array([[0.0, -1.0, -2.0] + [-np.inf] * 6] * len(planes)), np.zeros(len(planes))


def _by_position(answer):
    """An expert from a function of the free points, (A,) bool, and the planes: the log-priors and a value."""

    def expert(planes):
        rows, values = zip(*(answer(one[2].ravel() > 0, one) for one in planes))
        return np.array(rows), np.array(values, float)

    return expert


@_by_position
def two_of_the_free(free, planes):
    """Equal chances for the first two free points, none for the rest; good for whoever is to move."""
    return np.where(free & (np.cumsum(free) <= 2), 0.0, -np.inf), 0.5


@_by_position
def one_line(free, planes):
    """A chance for the first free point alone; value 0, and 0.5 from the 41st stone on."""
    return np.where(free & (np.cumsum(free) == 1), 0.0, -np.inf), 0.5 * (planes[:2].sum() > 40)


@_by_position
def tiny(free, planes):
    """Log-priors far apart whose exp() is 0, and great ones where a point is taken; good for whoever is to move."""
    return np.where(free, 25.0 * np.arange(9) - 2200.0, 0.0), 1.0


@_by_position
def below_the_root(free, planes):
    """Equal chances on the empty board, none at all on any other; values of all kinds."""
    return np.full(9, 0.0 if free.all() else -np.inf), np.sin(planes.ravel() @ np.arange(27))


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
    cases = small_cases()
    trial.stage(f"{len(cases)} small cases")
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
            told, hint = "", the_one_slip(function, small, SLIPS, _both, CLOSE) if small else None
            if name == "visits" and mine.sum() != simulations:
                told = f" They sum to {mine.sum():g}; {simulations} simulations were asked for."
                hint = hint or _grows(function, case, mine)
            if not hint and right_when_new(function, (game.copy(), *case[1:]), lambda found: _alike(found, right)):
                hint = KEPT_BEFORE
            told += _where_it_begins(function, case)
            trial.fail(f"About this case: {idea} Your {name}: {where}.{told}", call=call, hint=hint)
    problem = asked_problem(watched, game, asked)
    trial.require(problem is None, problem or "", call=call)


def _alike(found, right) -> bool:
    return all(same(np.asarray(mine, float), np.asarray(theirs, float), CLOSE) for mine, theirs in zip(found, right))


def _where_it_begins(function, case) -> str:
    """Between which two numbers of simulations it becomes another search, and what is right there."""
    game, expert, simulations, c = case

    def both(number) -> tuple:
        right = package_search(game, expert, number, c)[0] if number else np.zeros((2, len(game.board)))
        return bounded(function)(game.copy(), expert, number, c) if number else right, right

    fine, number = 0, min(simulations, LOOKED_INTO)
    try:
        if _alike(*both(number)):
            return ""
        while number - fine > 1:
            middle = (fine + number) // 2
            fine, number = (middle, number) if _alike(*both(middle)) else (fine, middle)
        (_, before), (found, right) = both(fine), both(number)
    except (Exception, EndlessLoop):
        return ""
    move, so_far = int((right[0] - before[0]).argmax()), f" With {fine} it is right." * (fine > 0)
    return (
        f"{so_far} With {number} simulation{'s' * (number > 1)} it differs: the last one should begin with "
        f"move {move}, whose q is then {right[1][move]:.6g}, after {right[0][move]} "
        f"visit{'' if right[0][move] == 1 else 's'}; {_others(found, right, move)}."
    )


def _others(found, right, move: int) -> str:
    """What the learner's search has instead."""
    visits, q = np.asarray(found[0], float), np.asarray(found[1], float)
    if visits[move] != right[0][move]:
        return f"in yours it began with move {int((visits - right[0]).argmax())}"
    return f"in yours this q is {q[move] + 0.0:.6g}"


def _both(solution, game, expert, simulations, c):
    visits, q = solution(game, expert, simulations, c)
    return np.asarray(visits, float), np.asarray(q, float)


def _grows(function, case, visits) -> str | None:
    """Does the same search find more visits when it is asked again?"""
    try:
        again = bounded(function)(*case)[0]
    except (Exception, EndlessLoop):
        return None
    kept = "Asked again, it finds more visits: the tree of the call before is still there. Begin with a new one."
    return kept if again.sum() > visits.sum() else None


def _dtype_problem(answer) -> str | None:
    kinds = [part.dtype.kind for part in answer]
    if kinds[0] == "f" and kinds[1] in "iu":
        return "the visits come first, and then q."
    if answer[0].dtype.kind not in "iu":
        return f"visits are whole numbers; this array holds {answer[0].dtype}."
    return None if answer[1].dtype.kind == "f" else f"q holds fractions; this array holds {answer[1].dtype}."

"""The capstone of chapter 5, declared: a search from an empty cell, on small boards with made-up experts."""

import math

import numpy as np

from mock5check.answers import Facts, Outcome, show
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes

# Experts ------------------------------------------------------------------------------------------------------------


def table_expert(size: int, weights=None, value=0.0):
    """Priors in these proportions (equal without) whatever the position, and a value that may depend on the planes."""
    with np.errstate(divide="ignore"):
        log_priors = np.log(np.ones(size) if weights is None else np.asarray(weights, float))

    def expert(planes):
        values = [value(own, other) if callable(value) else value for own, other, _ in planes]
        return np.tile(log_priors, (len(planes), 1)), np.array(values, float)

    return expert


class Opinion:
    """An expert that knows nothing but is of one opinion: random numbers, the same ones whenever a position returns."""

    def __init__(self, seed: int, sharp: float = 1.0, level: float = 0.0):
        self.seed, self.sharp, self.level = seed, sharp, level

    def __call__(self, planes):
        rows, values = zip(*map(self.of_one, planes))
        return np.array(rows), np.array(values)

    def of_one(self, planes):
        rng = np.random.default_rng([self.seed, *np.packbits(planes[:2].astype(bool)).tolist()])
        return self.level + self.sharp * rng.normal(size=planes[0].size), float(np.tanh(rng.normal()))

    def __repr__(self) -> str:
        return "expert"


# The cases ----------------------------------------------------------------------------------------------------------


def far_below(planes):
    """Log-priors whose exp() is 0, whatever the position; only their differences count."""
    return np.tile(-2000.0 - 2 * np.arange(9), (len(planes), 1)), np.full(len(planes), 0.5)


def first_three(planes):
    """A chance for moves 0, 1 and 2 alone, whatever the position; good for whoever is to move."""
    return np.array([[0.0, -1.0, -2.0] + [-np.inf] * 6] * len(planes)), np.full(len(planes), 0.5)


def searches(rng):
    """(game, expert, simulations, c)"""
    empty, tilted = Mock5(3, 3, k=3), [1.07, 2.13, 3.31, 4.09, 5.23, 6.01, 7.17, 8.03, 9.41]
    yield empty, table_expert(9), 4, 1.4  # equal scores: the lower index
    yield empty, table_expert(9, [2, 1, 3, 1, 3, 1, 1, 1, 1]), 7, 0.0  # equal scores: the higher prior
    yield empty, table_expert(9, tilted), 2, 1.4
    yield empty, table_expert(9, tilted, 0.6), 5, 1.4
    yield empty, far_below, 6, 1.4
    yield empty, first_three, 6, 1.4
    yield Mock5(3, 3, k=3, history=[0, 3, 1, 4]), table_expert(9, value=0.1), 20, 1.0  # a win and a threat
    yield Mock5(3, 3, k=3, history=[0, 1, 2, 4, 3, 5, 7]), table_expert(9, tilted, 0.3), 9, 1.0  # only draws
    yield Mock5(3, 3, k=3, history=[4]), table_expert(9, [1, 3, 7, 2, 1e6, 4, 1, 1, 1]), 9, 1.0  # much on a taken point
    yield Mock5(3, 3, k=3, history=[4]), table_expert(9, [0, 0, 0, 0, 1, 0, 0, 0, 0]), 6, 1.4  # no legal move likes it
    yield Mock5(3, 3, k=3, history=[0, 1, 3, 2, 4, 6, 7, 5]), table_expert(9), 3, 1.4  # a single move
    yield Mock5(1, 3, k=5), table_expert(3, value=1.0), 5, 0.0  # a score of −1 may be the highest
    yield Mock5(5, 5, k=5), table_expert(25, [1, 2, 1, 1, 2] * 5), 9, 1.4  # many are equal
    yield Mock5(2, 3, k=3), Opinion(3), 150, 1.4  # many ways to one position
    for number, (height, width, k) in enumerate([(3, 3, 3), (3, 4, 3), (4, 4, 3), (2, 6, 4)] * 3):
        game = Mock5(height, width, k=k)
        for move in rng.permutation(height * width)[: rng.integers(0, 7)].tolist():
            if game.winner is None:
                game.apply(move)
        if game.winner is not None:
            game.undo()
        for simulations in (1, 2, 3, 6, 15, 50):
            expert, c = Opinion(number, float(rng.choice([0.3, 1.0, 3.0]))), float(rng.choice([0.7, 1.4, 2.5]))
            yield game, expert, simulations, c


def found(function, game, expert, simulations, c) -> dict:
    """{"move 4": (visits, q)}, and whether the expert was asked oftener than once for each new position."""
    asked = []

    def counted(planes):
        if np.ndim(planes) != 4:
            raise ValueError("the expert takes planes of shape (1, 3, H, W): `three_planes.encode([game])`")
        asked.append(planes)
        return expert(planes)

    answer, shape = function(game, counted, simulations, c), (len(game.board),)
    if not isinstance(answer, (tuple, list)) or [getattr(part, "shape", None) for part in answer] != [shape, shape]:
        raise Refused(f"Return two arrays of shape {shape}, the visits and q, not {show(answer)}.")
    visits, q = answer
    if visits.dtype.kind not in "iu":
        raise Refused(f"The visits come first, as whole numbers, and then q. Your first array holds {visits.dtype}.")
    some = [move for move in range(len(visits)) if visits[move] or q[move]]
    told = {f"move {move}": (int(visits[move]), round(float(q[move]), 9)) for move in some}
    often = len(asked) if len(asked) > simulations + 1 else Outcome("at most once for each new position")
    return Moves(told | {"times that the expert was asked": often})


class Moves(Facts):
    absent = "no visit"


def why(game, expert, simulations, c) -> str:
    """What the expert says at the root, and where the first simulations go."""
    search, begun, before = puct_search.solution, [], 0
    for number in range(1, min(simulations, 12) + 1):
        now = search(game, expert, number, c)[0]
        begun.append(str((now - before).argmax()))
        before = now
    log_priors, values = expert(three_planes.encode([game]))
    return (
        f"Moves are shown as (visits, q). At the root the expert answers {show(log_priors[0].round(3))} and "
        f"{values[0]:.3g}. The simulations should start with these moves, one after the other: {', '.join(begun)}"
        f"{', …' if simulations > len(begun) else '.'}"
    )


# The solution -------------------------------------------------------------------------------------------------------


class Place:
    """A position: its value by the rules or the expert, and the priors of its moves."""

    def __init__(self, game, expert):
        self.children, self.priors, self.visits, self.value_sum = {}, {}, 0, 0.0
        if game.winner is not None:
            self.value = -1.0 if game.winner else 0.0  # whoever would be to move has lost
        else:
            log_priors, values = expert(three_planes.encode([game]))
            self.value = float(values[0])
            self.priors = legal_priors(log_priors[0], game.legal_moves())


def legal_priors(log_priors, legal):
    """Priors of the legal moves, highest first."""
    chosen = log_priors[legal]
    greatest = chosen.max()
    weights = np.ones(len(legal)) if greatest == -np.inf else np.exp(chosen - greatest)
    priors = dict(zip(legal, (weights / weights.sum()).tolist()))
    return dict(sorted(priors.items(), key=lambda pair: (-pair[1], pair[0])))


def score(node, move, c):
    """PUCT of a move, for the player who chooses it."""
    child = node.children.get(move)
    q, visits = (-child.value_sum / child.visits, child.visits) if child else (0.0, 0)
    return q + c * node.priors[move] * math.sqrt(node.visits) / (1 + visits)


def walk(root, game, expert, c):
    """One simulation; `game` is played on."""
    path = [root]
    while path[-1].priors and path[-1].visits:  # neither finished nor new
        node = path[-1]
        move = max(node.priors, key=lambda move: score(node, move, c))
        game.apply(move)
        if move not in node.children:
            node.children[move] = Place(game, expert)
        path.append(node.children[move])
    value = path[-1].value
    for node in reversed(path):
        node.visits, node.value_sum = node.visits + 1, node.value_sum + value
        value = -value


@exercise(
    cases=searches,
    observe=found,
    uses=[Place, legal_priors, score, walk],
    call=lambda game, expert, simulations, c: f"puct_search(game, expert, {simulations}, {c:g}), where game is\n{game}",
    close=2e-6,
    why=why,
)
def puct_search(game, expert, simulations, c):
    """(visits, q) of the root's moves after a search with PUCT."""
    root = Place(game, expert)
    for _ in range(1 + simulations):  # the first one looks at the root itself
        walk(root, game.copy(), expert, c)
    visits, q = np.zeros(len(game.board), dtype=int), np.zeros(len(game.board))
    for move, child in root.children.items():
        visits[move], q[move] = child.visits, -child.value_sum / child.visits
    return visits, q

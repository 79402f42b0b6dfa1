"""AlphaGo's search from its parts, declared: visit for visit, on small boards with made-up nets."""

from collections import Counter

import numpy as np

from mock5check.answers import Facts, is_number, show
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5lib import Mock5


def nets_of(seed: int, kind: str = "") -> tuple:
    """(policy, value, rollout), random but the same whenever a board returns.

    kind: "blind" (the policy is 0), "half" (0 at every other point) or "even" (all scores 1, all values 0).
    """

    def drawn(number: int, game):
        if game.winner is not None:
            raise ValueError("this game is over, and no net is asked about its result")
        return np.random.default_rng([seed, number, *game.board])

    def policy(game):
        scores = np.exp(2 * drawn(0, game).normal(size=len(game.board)))
        return {"": scores, "blind": 0 * scores, "half": scores * (np.arange(len(scores)) % 2), "even": scores**0}[kind]

    def value(game):
        return 0.0 if kind == "even" else drawn(1, game).uniform(-1, 1)

    def rollout(game):
        return 0 if kind == "even" else int(drawn(2, game).integers(-1, 2))

    return policy, value, rollout


def searches(rng):
    """(game, policy, value, rollout, simulations, lam, c)"""
    empty = Mock5(3, 3, k=3)
    yield Mock5(3, 3, k=3, history=[0, 3, 1, 4, 2]), *nets_of(0), 3, 0.5, 1.0  # over
    yield empty, *nets_of(0, "even"), 5, 0.5, 1.0  # all are equal: in order
    yield Mock5(3, 3, k=3, history=[0, 1, 3, 2, 4, 6, 7, 5]), *nets_of(1), 3, 0.5, 1.0  # a single move
    for number, kind in enumerate(["", "blind", "", "half"] * 3):
        height, width = ((3, 3), (3, 4), (3, 3), (2, 5))[number % 4]
        game = Mock5(height, width, k=3)
        for move in rng.permutation(height * width)[: rng.integers(0, 7)].tolist():
            game = game if game.winner is not None else Mock5(height, width, k=3, history=[*game.history, move])
        if game.winner is not None:
            game.undo()
        lam, c = [0.5, 0.0, 1.0, 0.25][number % 4], [1.0, 2.0, 0.5, 5.0, 0.0][number % 5]
        for simulations in (1, 2, 3, 6, 15, 50):
            yield game, *nets_of(number, kind), simulations, lam, c


def found(function, game, *rest) -> dict:
    """{"move 4": (visits, q)}, and whether a net was asked oftener than once for each simulation and the root."""
    *nets, simulations, lam, c = rest
    asked = Counter()

    def counted(net):
        def ask(position):
            asked[net.__name__] += 1
            return net(position)

        return ask

    answer = function(game, *map(counted, nets), simulations, lam, c)
    if not isinstance(answer, dict) or set(answer) != set(game.legal_moves()):
        raise Refused(f"Return a dict with an entry for each legal move, {game.legal_moves()}, not {show(answer)}.")
    for move, pair in answer.items():
        fits = isinstance(pair, (tuple, list)) and len(pair) == 2 and all(map(is_number, pair))
        if not fits or int(pair[0]) != pair[0]:
            raise Refused(f"The entry of move {move} should be (visits, q), not {show(pair)}.")
    told = {f"move {move}": (int(answer[move][0]), round(float(answer[move][1]), 9)) for move in game.legal_moves()}
    more = {f"times that `{net}` was asked": n for net, n in asked.items() if n > simulations + 1}
    return AtMost(told | more)


class AtMost(Facts):
    absent = "at most once for each simulation and the root"


def why(game, policy, value, rollout, simulations, lam, c) -> str:
    """What a right search looks at, in order."""
    met = []

    def noted(position):
        met.append(f"{position.history[len(game.history) :]}")
        return value(position)

    my_search.solution(game, policy, noted, rollout, simulations, lam, c)
    some = f"the position{'s' * (len(met) > 2)} after these moves from the root: {', '.join(met[1:9])}"
    some = f"{some}{', …' * (len(met) > 9)}" if met[1:] else "no other position"
    many = f"come {simulations} simulations, which evaluate"
    one = "comes 1 simulation, which evaluates"
    return (
        f"Moves are shown as (visits, q). First the root is evaluated. Then {one if simulations == 1 else many} {some}."
    )


class Place:
    """A position; `total` belongs to the player to move here."""

    def __init__(self, prior=1.0):
        self.prior, self.children = prior, {}
        self.visits, self.total = 0, 0.0


def evaluate(place, game, policy, value, rollout, lam):
    """Give a position its children; returns what it is worth to the player to move."""
    if game.winner is not None:
        return -1.0 if game.winner else 0.0  # whoever would be to move has lost
    legal, scores = game.legal_moves(), policy(game)
    whole = sum(scores[move] for move in legal)
    place.children = {move: Place(scores[move] / whole if whole else 1 / len(legal)) for move in legal}
    return (1 - lam) * value(game) + lam * rollout(game)


def mean_of(child):
    """Q of the move to `child`, for the player who chooses it."""
    return -child.total / child.visits if child.visits else 0.0


@exercise(
    cases=searches,
    observe=found,
    uses=[Place, evaluate, mean_of],
    call=lambda game, policy, value, rollout, simulations, lam, c: (
        f"my_search(game, policy, value, rollout, {simulations}, {lam}, {c}), where game is\n{game}"
    ),
    close=1e-8,
    why=why,
)
def my_search(game, policy, value, rollout, simulations, lam, c):
    """AlphaGo's search: {move: (visits, mean for the player to move)} for each legal move."""
    root = Place()

    def simulate(place, here):
        if not place.children:
            worth = evaluate(place, here, policy, value, rollout, lam)
        else:
            curious = c * np.sqrt(place.visits)

            def score(move):
                child = place.children[move]
                return mean_of(child) + curious * child.prior / (1 + child.visits)

            move = max(place.children, key=score)
            here.apply(move)
            worth = -simulate(place.children[move], here)
        place.visits += 1
        place.total += worth
        return worth

    for _ in range(1 + simulations if game.winner is None else 0):
        simulate(root, game.copy())
    return {move: (child.visits, mean_of(child)) for move, child in root.children.items()}

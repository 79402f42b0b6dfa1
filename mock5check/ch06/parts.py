"""The parts of chapter 6's capstone that have one right answer, each declared by its solution: from the formulas of
the Gumbel root (Danihelka et al. 2022) to a whole game against itself."""

import math
from typing import NamedTuple

import numpy as np

from mock5check.answers import show
from mock5check.ch05.capstone import Opinion
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5lib import Mock5
from mock5lib.game.encoders import three_planes
from mock5lib.search.puct import look_one_ply_ahead

PARTS = {}  # {name: its check}


def part(**declaration):
    """Declare a part; its name remains the solution's, which later parts use."""

    def declare(solution):
        PARTS[solution.__name__] = exercise(**declaration)(solution)
        return solution

    return declare


# The formulas ---------------------------------------------------------------------------------------------------------


def roots(rng):
    """(log_priors, value, visits, q)"""
    yield np.log([0.5, 0.3, 0.2]), 0.1, np.array([2, 1, 0]), np.array([0.5, -0.25, 0.0])
    yield np.log([0.5, 0.3, 0.2]), 0.6, np.array([4, 2, 0]), np.array([0.0, -0.5, 0.0])  # a mean of exactly 0
    yield np.log([0.6, 0.3, 0.1]), 0.9, np.zeros(3, int), np.zeros(3)
    yield np.log([0.7, 0.3]), 0.4, np.array([1, 1]), np.array([0.1, 0.1])
    yield np.array([0.0]), 0.3, np.array([16]), np.array([-0.2])
    for number in range(80):
        moves = int(rng.integers(1, 8))
        visits = rng.integers(0, 5, moves) * rng.choice([1, 1, 4000])
        q = rng.integers(-4, 5, moves) / 4 if number % 2 else rng.uniform(-1, 1, moves).round(3)
        log_priors = np.log(rng.dirichlet(np.ones(moves)) + 1e-6)
        yield log_priors, round(float(rng.uniform(-1, 1)), 2), visits, np.where(visits > 0, q, 0.0)


def scaled_q(log_priors, value, visits, q):
    """σ(completed q): a move without a visit has the mixture of the net's value and the mean q."""
    tried, priors = visits > 0, np.exp(log_priors)
    mean = np.average(q[tried], weights=priors[tried]) if tried.any() else 0.0
    mixed = (value + visits.sum() * mean) / (1 + visits.sum())
    completed = np.where(tried, q, mixed)
    spread = max(np.ptp(completed), 1e-8)
    return (50 + visits.max()) * 0.1 * (completed - completed.min()) / spread


@part(
    cases=roots,
    uses=[scaled_q],
    fresh=True,
    why="Complete q, rescale it to [0, 1], multiply by 0.1 · (50 + the most visits), add log p, and take the softmax.",
    shows={"mean": "the tried moves' mean q", "mixed": "what untried moves get", "completed": "the completed q"},
)
def improved_policy(log_priors, value, visits, q):
    """softmax(log p + σ(completed q)) over the legal moves."""
    logits = log_priors + scaled_q(log_priors, value, visits, q)
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


class Halving(NamedTuple):
    """What came back, after which simulations."""

    simulated: list
    move: int
    visits: np.ndarray
    q: np.ndarray


def halvings(rng):
    """(log_priors, value, gumbels, the values of each move's simulations in turn, budget, considered)"""
    flat, hidden = np.log(np.full(8, 1 / 8)), np.array([0.6, -0.4, 0.3, -0.2, 0.1, -0.6, 0.4, 0.0])
    for budget, considered in ((8, 8), (32, 8), (16, 3)):
        yield flat, 0.5, np.arange(8) / 10, np.tile(hidden[:, None], 12), budget, considered
    by_turns = np.tile([[0.0, 1.0], [1.0, 0.0], [-1.0, -1.0], [-1.0, -1.0]], 6)  # in the end 0 and 1 are equal
    yield np.log(np.full(4, 1 / 4)), 0.0, np.zeros(4), by_turns, 6, 4
    for number in range(150):
        moves = int(rng.integers(1, 7))
        priors = rng.dirichlet(np.full(moves, rng.choice([0.5, 3])))
        gumbels, hidden = rng.gumbel(size=moves), rng.uniform(-1, 1, (moves, 12))
        if number % 2:  # equal scores and equal means come up
            priors, hidden = np.full(moves, 1 / moves), rng.integers(-2, 3, (moves, 12)) / 2
            gumbels = rng.integers(0, 3, moves) / 2
        budget, considered = rng.integers(1, 13), rng.integers(1, 9)
        yield np.log(priors), round(float(rng.uniform(-1, 1)), 2), gumbels, hidden, int(budget), int(considered)


def halved(solution, log_priors, value, gumbels, hidden, budget, considered):
    """Run it; the k-th simulation of a move has a value of its own."""
    order = []

    def simulate(move):
        order.append(int(move))
        return float(hidden[move, (order.count(move) - 1) % 12])

    answer = solution(log_priors, value, gumbels, simulate, budget, considered)
    return Halving(order, *answer) if isinstance(answer, (tuple, list)) and len(answer) == 3 else answer


@part(
    cases=halvings,
    uses=[scaled_q],
    observe=halved,
    call=lambda log_priors, value, gumbels, hidden, budget, considered: (
        f"gumbel_root(log_priors, {value:.3g}, gumbels, simulate, {budget}, {considered}), where\n"
        f"exp(log_priors) is {show(np.exp(log_priors).round(3).tolist())} and gumbels is "
        f"{show(gumbels.round(3).tolist())}"
    ),
    why="Simulate the candidates in turn, phase by phase. After each phase keep the better half, by g + log p + σ.",
    shows={"phases": "phases", "each": "visits for each move in a phase", "left": "moves left"},
)
def gumbel_root(log_priors, value, gumbels, simulate, budget, considered):
    """(index of the move to play, visits, q) after sequential halving."""
    scores = log_priors + gumbels
    visits, q = np.zeros(len(scores), dtype=int), np.zeros(len(scores))
    left = np.argsort(-scores, kind="stable")[:considered]
    phases = max(1, math.ceil(math.log2(len(left))))
    while visits.sum() < budget:
        each = max(1, budget // (phases * len(left)))
        for move in np.tile(left, each)[: budget - visits.sum()]:
            visits[move] += 1
            q[move] += (simulate(int(move)) - q[move]) / visits[move]
        now = scores + scaled_q(log_priors, value, visits, q)
        left = np.array(sorted(left, key=lambda i: (-now[i], i)))[: max(2, len(left) // 2)]
    return int(left[0]), visits, q


# A search -------------------------------------------------------------------------------------------------------------


def positions(rng):
    """(game, expert, budget, seed of the rng or None)"""
    set_up = Mock5(4, 4, k=3, board=[2, 0, 2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    yield set_up, Opinion(0), 12, None
    for seed in range(60):
        height, width, k = ((3, 3, 3), (3, 3, 3), (3, 4, 3), (5, 4, 4), (5, 5, 4))[seed % 5]
        game = Mock5(height, width, k=k)
        for move in rng.permutation(height * width)[: rng.integers(0, height * width - 2)]:
            after = game.copy()
            after.apply(int(move))
            game = game if after.winner is not None else after
        budget = int(rng.integers(1, (3, 12, 40)[seed % 3]))
        yield game, Opinion(seed, level=(0.0, 3.0, -2.0)[seed % 3]), budget, seed if seed % 4 else None


class Found(NamedTuple):
    """What a search found."""

    move: int
    policy: np.ndarray


def searched(solution, game, expert, budget, seed):
    answer = solution(game, expert, budget, None if seed is None else np.random.default_rng(seed))
    return Found(*answer) if isinstance(answer, (tuple, list)) and len(answer) == 2 else answer


class Place:
    """An unfinished position in the tree; its edges' statistics belong to the player who moves from it."""

    def __init__(self, game, expert):
        self.moves, exact = look_one_ply_ahead(game)
        log_priors, values = expert(three_planes.encode([game]))
        chosen = log_priors[0, self.moves].astype(float)
        chosen -= chosen.max()
        self.log_priors = chosen - np.log(np.exp(chosen).sum())
        self.priors = np.exp(self.log_priors)
        self.known, self.value = exact is not None, float(values[0]) if exact is None else exact
        self.visits, self.totals = np.zeros(len(self.moves)), np.zeros(len(self.moves))
        self.below = {}


def walk(root, game, expert, slot):
    """One simulation that begins with the move in this slot; its value for the player to move at the root."""
    node, path = root, []
    while True:
        path.append((node, slot))
        game.apply(node.moves[slot])
        if game.winner is not None:
            value = -1.0 if game.winner else 0.0
            break
        new = slot not in node.below
        if new:
            node.below[slot] = Place(game, expert)
        node = node.below[slot]
        if new or node.known:
            value = node.value
            break
        mean = node.totals / np.maximum(node.visits, 1)
        bonus = 1.25 * node.priors * math.sqrt(1 + node.visits.sum()) / (1 + node.visits)
        slot = int((mean + bonus).argmax())
    for node, slot in reversed(path):
        value = -value
        node.visits[slot] += 1
        node.totals[slot] += value
    return value


@part(
    cases=positions,
    uses=[Place, walk],
    observe=searched,
    close=1e-5,
    long=20.0,
    call=lambda game, expert, budget, seed: (
        f"search(game, expert, {budget}, {'None' if seed is None else 'rng'}), player {game.player} to move, "
        f"where game is\n{game}"
    ),
    why="Simulations start with the move that `gumbel_root` asks for. Below the root PUCT chooses, for the player to "
    "move there. A value changes its sign at each step up.",
    shows={"gumbels": "the Gumbel noise", "log_priors": "log-priors", "visits": "visits", "q": "q"},
)
def search(game, expert, budget, rng):
    """(the move to play, the improved policy over all points)."""
    root = Place(game, expert)
    gumbels = np.zeros(len(root.moves)) if rng is None else rng.gumbel(size=len(root.moves))

    def simulate(slot):
        return walk(root, game.copy(), expert, slot)

    log_priors = root.log_priors
    best, visits, q = gumbel_root(log_priors, root.value, gumbels, simulate, budget, 8)
    policy = np.zeros(len(game.board))
    policy[root.moves] = improved_policy(log_priors, root.value, visits, q)
    return root.moves[best], policy


# A game ---------------------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """The examples of a game, part by part."""

    moves: list
    outcomes: list
    planes: np.ndarray
    policies: np.ndarray


def played(solution, expert, seed):
    """Run it, and see which moves were made between its examples."""
    examples = solution(expert, np.random.default_rng(seed))
    if not isinstance(examples, list) or not all(isinstance(one, (tuple, list)) and len(one) == 3 for one in examples):
        raise Refused("Return a list with (planes, policy, outcome) for each move.")
    planes, policies, outcomes = zip(*examples)
    stones = [np.asarray(some)[:2].sum(axis=0).ravel() for some in planes]
    moves = [int((after - before).argmax()) for before, after in zip(stones, stones[1:])]
    return Played(moves, [float(outcome) for outcome in outcomes], np.array(planes, float), np.array(policies))


@part(
    cases=lambda rng: ((Opinion(seed), seed) for seed in range(4)),
    observe=played,
    close=1e-5,
    long=30.0,
    call=lambda expert, seed: f"self_play(expert, np.random.default_rng({seed}))",
    why="Each example is a position before its move, own stones first, the policy of its search and the result for the "
    "player to move there; what the search returns is played.",
)
def self_play(expert, rng):
    """The examples (planes, policy, outcome) of one game on 5×5, four in a row."""
    game, steps = Mock5(5, 5, k=4), []
    while game.winner is None:
        move, policy = search(game, expert, 16, rng)
        steps.append((three_planes.encode([game])[0], policy, game.player))
        game.apply(move)
    won = {0: 0.0, 1: 1.0, 2: -1.0}[game.winner]  # for player 1
    return [(planes, policy, won if player == 1 else -won) for planes, policy, player in steps]

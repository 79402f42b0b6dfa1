"""AlphaGo for five in a row, 9×9, one thread: planes, rollouts, and the mixed search

The slides after Pumperla and Ferguson (2019) search one leaf at a time and ask `model.predict` for each position. Their
form is timed here with its tree in order: with `predict` for the rollouts' moves too, as they have it, and with our
compiled rollouts, so that only the search is compared.
"""

import os
import time

import numpy as np

from bench._rows import best_rate, row
from mock5lib import Mock5
from mock5lib.alphago.fast_policy import FastPolicy
from mock5lib.alphago.planes import StonePlanes, planes48, readable_planes
from mock5lib.alphago.search import AlphaGo, MixedEvaluator
from mock5lib.game.position import stack
from mock5lib.gomoku.generator import generate
from mock5lib.search.puct.tree import SearchTree

WANTED = {"rollouts": 5_000, "search": 30}
SIMULATIONS = 400


def encoding(seconds: float) -> list[dict]:
    """Boards a second in 48 planes."""
    records = generate(100, "mixed", "mixed", 9, 9, randomness=0.2, seed=1)
    where = np.random.default_rng(0).integers(records.positions, size=1000)
    offsets = np.searchsorted(records.offsets, where, side="right") - 1
    games = [records.game(g, int(at - records.offsets[g])) for g, at in zip(offsets, where)]
    positions = stack(games)

    def readable():
        for game in games[:10]:
            readable_planes(game)
        return 10

    fast = best_rate(lambda: len(planes48.encode(positions)), seconds)
    slow = best_rate(readable, seconds)
    return [row("48 planes, wins by up to 8 fours read", fast, "boards/s", "readable twin", slow)]


def rolling_out(fast: FastPolicy, seconds: float) -> list[dict]:
    """Whole games of the fast policy from the empty board."""
    positions = stack([Mock5(9, 9)] * 200)

    def work():
        return len(fast.rollouts(positions, seed=1))

    plain = best_rate(work, seconds)
    note = f"wanted: {WANTED['rollouts']:,}; {plain / WANTED['rollouts']:.1f}×"
    return [row("fast policy's rollouts", plain, "games/s", note=note)]


class Predicting:
    """A net asked by `model.predict`, one batch of planes (B, C, H, W) at a time."""

    def __init__(self, net, answer):
        self.net, self.answer = net, answer

    def __call__(self, planes):
        return self.answer(self.net.predict(planes.transpose(0, 2, 3, 1), verbose=0))


class PredictingRollouts:
    """Rollouts as in the slides: the fast policy's net is asked by `predict` at every move, the best move is played."""

    def __init__(self, net, reach: int):
        self.net, self.encoder = net, StonePlanes(reach)

    def rollouts(self, positions, rollouts, limit, *, seed):
        p = positions
        return np.array([self.one(board, who, p.height, p.width, limit) for board, who in zip(p.board, p.players)])

    def one(self, board, player, height, width, limit):
        game = Mock5(height, width, board=board)
        game.player = first = int(player)
        for _ in range(limit):
            if game.winner is not None:
                break
            planes = self.encoder.encode([game]).transpose(0, 2, 3, 1)
            scores = self.net.predict(planes, verbose=0)[0] * (game.cells == 0)
            game.apply(int(scores.argmax()))
        return 0.0 if not game.winner else 1.0 if game.winner == first else -1.0


def searching(quick: bool) -> list[dict]:
    """Simulations a second from a position of two stones, with the same nets."""
    for name, setting in (("NUM_INTRAOP_THREADS", "1"), ("NUM_INTEROP_THREADS", "1"), ("CPP_MIN_LOG_LEVEL", "3")):
        os.environ.setdefault(f"TF_{name}", setting)
    from mock5lib.alphago import nets

    policy = nets.strong_policy(9, 9, filters=32, layers=5, first=3, seed=0)
    value = nets.value_net(9, 9, filters=32, layers=8, first=3, dense=64, seed=0)
    quick_net = nets.fast_policy(9, 9, 5, seed=0)
    fast, game = nets.fast_policy_of(quick_net), Mock5(9, 9, history=[40, 41])
    compiled = nets.policy_function(policy), nets.value_function(value)
    predicted = Predicting(policy, lambda p: np.log(np.maximum(p, 1e-30))), Predicting(value, lambda v: v[:, 0])
    turns = 1 if quick else 3

    def rate(run, simulations):
        best = 0.0
        for _ in range(turns):
            start = time.perf_counter()
            run(simulations)
            best = max(best, simulations / (time.perf_counter() - start))
        return best

    def ours(leaves):
        agent = AlphaGo(compiled[0], fast, compiled[1], simulations=SIMULATIONS, leaves=leaves, keep_tree=False, seed=0)
        agent.search([game])
        return rate(lambda _: agent.search([game]), SIMULATIONS)

    def slides(rollouts, simulations):
        evaluator = MixedEvaluator(predicted[0], rollouts, predicted[1], seed=0)
        tree = SearchTree(game, evaluator, c=5.0, max_depth=50)
        return rate(tree.search, simulations)

    one, eight, sixteen = ours(1), ours(8), ours(16)
    same, whole = slides(fast, 10), slides(PredictingRollouts(quick_net, 5), 1 if quick else 2)
    name, note = "mixed search, {} leaves a batch", f"wanted: {WANTED['search']}×"
    same_as, whole_as = "predict, one leaf, compiled rollouts", "predict everywhere, as in the slides"
    return [
        row(name.format(8), eight, "simulations/s", same_as, same, note),
        row(name.format(8), eight, "simulations/s", whole_as, whole, note),
        row(name.format(16), sixteen, "simulations/s", same_as, same, note),
        row(name.format(1), one, "simulations/s", same_as, same, note),
    ]


def run(quick: bool = False) -> list[dict]:
    """All rows; `quick` takes a tenth of the time."""
    seconds = 0.2 if quick else 2.0
    weights = np.random.default_rng(0).normal(0, 0.3, (11, 11, 3))
    return encoding(seconds) + rolling_out(FastPolicy(weights), seconds) + searching(quick)

"""The check of AlphaGo's search from its parts: visit for visit what the formula says, on short games."""

import math
from typing import NamedTuple

import numpy as np

from mock5check.answers import is_number, show
from mock5check.ch03.small_games import Misere, Nine
from mock5check.ch04.searched_games import CASES, EXACT, HALF, NAMES, NEAR, SURE, TINY, Nets, Wide
from mock5check.core import graded


class Rules(NamedTuple):
    """AlphaGo's search; other values than these make it wrong in a way that learners do."""

    flip: int = -1  # what a worth is multiplied by on each step back
    view: int = -1  # and a child's mean, when its parent looks at it
    swapped: bool = False  # is λ on the other term?
    root: float = 0.5  # the power of the parent's visits
    normal: bool = True  # do the priors of the legal moves sum to 1?
    own_visit: int = 1  # does the visit that evaluated a node count as one of its own?
    lost: bool = False  # has the player to move always lost when a game is over?
    first: float = 0.0  # Q of a move without visits
    tried: int = 1  # what the visits of a move are counted from, in the denominator
    v: int = 1  # what the value net's answer is multiplied by
    z: int = 1  # and the rollout's
    rooted: bool = False  # does the value net answer for the root's player?
    total: bool = False  # is Q the total?
    draw: float = 0.0  # what a draw is worth
    last: bool = False  # does the last one of equal moves win?
    shown: int = 1  # what the q that comes back is multiplied by


PLAIN = Rules()
SLIPS = [
    (
        Rules(flip=1, view=1),
        "The value does not change its sign from ply to ply: what is good for one is bad for the other.",
    ),
    (Rules(flip=1), "On the way back the worth must change its sign at EACH step, from player to player."),
    (Rules(view=1), "A child's mean belongs to the player to move THERE. Whoever chooses it is the other one."),
    (Rules(swapped=True), "λ is the weight of the ROLLOUT, 1 − λ that of the value net."),
    (Rules(root=1.0), "Take the square ROOT of the parent's visits."),
    (Rules(root=0.0), "The parent's visits are missing."),
    (Rules(own_visit=2), "The parent's visits are taken as they are, without a 1 more."),
    (Rules(tried=0), "The move's visits stand in the denominator with a 1 more: 1 + N."),
    (Rules(normal=False), "The priors of the legal moves should sum to 1: divide by their sum."),
    (Rules(own_visit=0), "The visit that evaluated a node counts among its visits."),
    (Rules(lost=True), "Ask a finished game who has won: here it may be the player to move."),
    (Rules(first=-1.0), "Q of a move without visits is 0, not −1."),
    (Rules(first=1.0), "Q of a move without visits is 0, not 1."),
    (Rules(first=math.inf), "That tries each move once before all else, as UCT does. Q is 0 without visits."),
    (Rules(v=-1), "The sign of v: `value` answers for the player to move at the game that it is asked about."),
    (Rules(z=-1), "The sign of z: `rollout` answers for the player to move at the game that it is asked about."),
    (Rules(v=-1, z=-1), "The sign of v and z: both are for the player to move at the game that they are asked about."),
    (Rules(rooted=True), "v is for the player to move at ITS game, not for the root's player."),
    (Rules(total=True), "Q is the mean: the total divided by the visits."),
    (Rules(draw=-1.0), "A draw is worth 0, to both players."),
    (Rules(draw=-1.0, lost=True), "A game that is over is not always lost: ask `game.winner`, and a draw is worth 0."),
    (Rules(last=True), "Of equal moves the FIRST one in `legal_moves()` is chosen."),
    (Rules(shown=-1), "The q that comes back is for the player to move at `game`: its sign is the other one."),
]


class _Node:
    def __init__(self, prior: float = 1.0):
        self.prior, self.children, self.visits, self.total = prior, {}, 0, 0.0  # total: for the player to move here

    def q(self, rules: Rules) -> float:
        """The mean for the player who chose to come here."""
        whole = 1 if rules.total else self.visits
        return rules.view * self.total / whole if self.visits else rules.first

    def score(self, curious: float, rules: Rules) -> float:
        """Q + u."""
        return self.q(rules) + curious * self.prior / max(rules.tried + self.visits, 1)


def searched(game, policy, value, rollout, simulations, lam, c, rules: Rules = PLAIN, told: list | None = None) -> dict:
    """The right answer to `my_search`; other rules make it wrong. told: gets (moves, worth) of each simulation."""
    root, start = _Node(), len(game.history)

    def simulate(node: _Node, here) -> float:
        if not node.children:
            worth = _evaluate(node, here, policy, value, rollout, lam, rules, game.player)
            if told is not None:
                told.append((here.history[start:], worth))
        else:
            curious = c * max(node.visits - 1 + rules.own_visit, 0) ** rules.root
            order = list(node.children.items())[:: -1 if rules.last else 1]
            move, child = max(order, key=lambda item: item[1].score(curious, rules))
            here.apply(move)
            worth = rules.flip * simulate(child, here)
        node.visits += 1
        node.total += worth
        return worth

    for _ in range(simulations + 1):
        simulate(root, game.copy())
    return {
        move: (child.visits, rules.shown * child.q(rules) if child.visits else 0.0)
        for move, child in root.children.items()
    }


def _evaluate(node: _Node, game, policy, value, rollout, lam, rules: Rules, root_player: int) -> float:
    if game.winner is not None:
        lost = game.winner != game.player or rules.lost
        return rules.draw if game.winner == 0 else -1.0 if lost else 1.0
    legal, scores = game.legal_moves(), policy(game)
    total = float(scores[legal].sum()) if rules.normal else 1.0
    node.children = {move: _Node(float(scores[move]) / total if total else 1 / len(legal)) for move in legal}
    lam = 1 - lam if rules.swapped else lam
    v = rules.v * value(game) * (-1 if rules.rooted and game.player != root_player else 1)
    return (1 - lam) * v + lam * rules.z * rollout(game)


# The check ------------------------------------------------------------------------------------------------------------

CLOSE = 1e-9  # of the q that comes back


@graded
def my_search(trial, function) -> None:
    """Check `my_search(game, policy, value, rollout, simulations, lam, c)`: {move: (visits, q)}."""
    trial.stage("the contract")
    game = Nine(history=(4,))
    _one(trial, function, (Nine, (4,), 5, 0.5, 2.0, 20, False))
    _compare(trial, function, (Nine, (4,), 0, 0.5, 2.0, 20, False))
    over = Nine(history=(0, 3, 1, 4, 2))
    call = f"my_search(game, …), where the game is over: {over}"
    nets = Nets(0)
    answer = trial.call(function, over, *nets.functions(), 5, 0.5, 1.0, may_change=(1, 2, 3), shown=call)
    trial.require(answer == {}, f"No move is legal: return an empty dict, not {show(answer)}.", call=call)
    trial.stage(f"visit for visit, on {len(CASES)} positions")
    for case in CASES:
        _compare(trial, function, case)
    trial.stage("and on forty more")
    rng = np.random.default_rng(0)
    for seed in range(40):
        game = (Misere, Nine, Wide, Nine)[seed % 4]
        history = tuple(rng.permutation(9)[: rng.integers(0, 5)].tolist())
        if game(history=history).winner is None:
            lam, c = round(float(rng.uniform(0, 1)), 2), round(float(rng.uniform(0.3, 4)), 2)
            _compare(trial, function, (game, history, int(rng.integers(1, 60)), lam, c, 100 + seed, seed % 10 == 0))


def _told(case) -> str:
    game, history, simulations, lam, c, _, blind = case
    more = {
        False: "",
        True: ", and `policy` is 0 everywhere",
        HALF: ", and `policy` is 0 at every other point",
        NEAR: ", and the scores of `policy` differ in the ninth digit",
        EXACT: ", and the scores of `policy` are 1 to 4, the values quarters, so that some moves are exactly equal",
        SURE: ", and `policy` is 1 everywhere, `value` is 1, too",
        TINY: ", and the scores of `policy` are some 1e-12",
    }[blind]
    call = f"my_search(game, policy, value, rollout, {simulations}, {lam}, {c})"
    return f"{call}, where game is {NAMES[game]}{more}:\n{game(history=history)}"


def _one(trial, function, case) -> tuple:
    """(what it found, the nets that it asked) of one search within its rules."""
    kind, history, simulations, lam, c, seed, blind = case
    game, nets, call = kind(history=history), Nets(seed, blind), _told(case)
    answer = trial.call(function, game, *nets.functions(), simulations, lam, c, may_change=(1, 2, 3), shown=call)
    if not isinstance(answer, dict) or set(answer) != set(game.legal_moves()):
        trial.fail(f"Return a dict with an entry for each legal move, {game.legal_moves()}.", call=call, answer=answer)
    for move, pair in answer.items():
        fits = isinstance(pair, (tuple, list)) and len(pair) == 2 and all(map(is_number, pair))
        if not fits or not isinstance(pair[0], (int, np.integer)):
            trial.fail(
                f"The entry of move {move} should be (visits, q), a whole number and a number.", call=call, answer=pair
            )
    text = "It changed an array that `policy` gave. That array belongs to the policy: work on a copy."
    trial.require(not nets.spoiled(), text, call=call)
    text = f"`{nets.finished}` was asked about a game that is over. Its result is known: ask the game."
    trial.require(nets.finished is None, text, call=call)
    total = sum(visits for visits, _ in answer.values())
    text = (
        f"The visits of the moves add up to {total}. The root is evaluated first; then come {simulations} simulations."
    )
    kept = " Is there one too many, or does a call keep the tree of an earlier one?" if total > simulations else ""
    trial.require(total == simulations, text + kept, call=call)
    for name, asked in nets.asked.items():
        text = (
            f"`{name}` was asked {asked} times. Each of {simulations} simulations, and the root, needs it once at most."
        )
        trial.require(asked <= simulations + 1, text, call=call)
    return answer, nets


def _compare(trial, function, case) -> None:
    kind, history, simulations, lam, c, seed, blind = case
    (answer, nets), right_nets = _one(trial, function, case), Nets(seed, blind)
    right = searched(kind(history=history), *right_nets.functions(), simulations, lam, c)
    for move, (visits, q) in right.items():
        mine = answer[move]
        if int(mine[0]) != visits or abs(float(mine[1]) - q) > CLOSE:
            nearly = int(mine[0]) == visits and abs(float(mine[1]) - q) < 2e-6
            digits = 12 if nearly else 6
            more = " Is it rounded, or in single precision?" if nearly else _where_it_begins(trial, function, case)
            trial.fail(
                f"Move {move} should have {visits} {'visit' if visits == 1 else 'visits'} and a q of "
                f"{_rounded(q, digits)}; it has {mine[0]} and {_rounded(mine[1], digits)}.{more}",
                call=_told(case),
                hint=_the_slip(trial, function),
            )
    asked, wanted = nets.asked["rollout"], right_nets.asked["rollout"]
    text = (
        f"`rollout` was asked {asked} times; {wanted} new positions were met, and each is evaluated, also a board that "
        "is reached in another way: that is a node of its own, and a rollout is chance."
    )
    # What the root is worth reaches no answer, so it need not be asked for.
    trial.require(lam == 0 or asked >= wanted - 1, text, call=_told(case))


def _where_it_begins(trial, function, case) -> str:
    """Between which two numbers of simulations it becomes another search, and what the right one does, in numbers."""
    kind, history, simulations, lam, c, seed, blind = case
    fine, number = 0, simulations
    while number - fine > 1:
        middle = (fine + number) // 2
        part = (kind, history, middle, lam, c, seed, blind)
        alike = _alike(_one(trial, function, part)[0], _right(part))
        fine, number = (middle, number) if alike else (fine, middle)
    if not number:
        return ""
    before = _right((kind, history, number - 1, lam, c, seed, blind))
    nets, game, path = Nets(seed, blind), kind(history=history), []
    searched(game, *nets.functions(), number, lam, c, told=path)
    policy = nets.policy(game)
    total, curious = sum(float(policy[move]) for move in before), c * number**0.5
    priors = {move: float(policy[move]) / total if total else 1 / len(before) for move in before}
    scores = {move: q + curious * priors[move] / (1 + visits) for move, (visits, q) in before.items()}
    shown = ", ".join(f"{move}: {_rounded(score)}" for move, score in scores.items())
    moves, worth = path[-1]
    return (
        f"\n{f'With {fine} it is right. ' * (fine > 0)}With {number} simulation{'s' * (number > 1)} it differs: before "
        f"the last one the root has {number} visit{'s' * (number > 1)}, and Q + u of its moves is {shown}. It should "
        f"play {list(moves)}, and the position there is worth {_rounded(worth)} to the player who is to move in it."
    )


def _rounded(q, digits: int = 6) -> str:
    """So many digits, and no −0."""
    return f"{round(float(q), digits) + 0.0:.{digits}g}"


def _right(case, rules: Rules = PLAIN) -> dict:
    kind, history, simulations, lam, c, seed, blind = case
    return searched(kind(history=history), *Nets(seed, blind).functions(), simulations, lam, c, rules)


def _the_slip(trial, function) -> str | None:
    """The one known slip that answers all cases as the learner's function does."""
    mine = [(case, _one(trial, function, case)[0]) for case in CASES[:11]]
    causes = {cause for rules, cause in SLIPS if all(_alike(answer, _right(case, rules)) for case, answer in mine)}
    return causes.pop() if len(causes) == 1 else None


def _alike(answer: dict, other: dict) -> bool:
    return all(int(answer[m][0]) == v and abs(float(answer[m][1]) - q) < CLOSE for m, (v, q) in other.items())

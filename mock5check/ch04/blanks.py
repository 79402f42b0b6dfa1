"""What the reader of chapter 4 types: planes, a stone's window, one position per game, Q and u, a leaf's worth."""

from itertools import combinations

import numpy as np

from mock5check.answers import NO_RETURN, Facts, is_number, show
from mock5check.core import Refused
from mock5check.sampled import alone_and_in_pairs, sampled
from mock5check.spec import exercise
from mock5lib import Mock5
from mock5lib.alphago.planes import planes49


def positions(rng):
    """(game,): of many lengths, and of boards that are not square."""
    for size, moves in (((5, 5), []), ((5, 5), [7]), ((5, 6), [0, 29, 5]), ((6, 5), list(range(0, 27, 3)))):
        yield (Mock5(*size, history=moves),)
    for stones in rng.integers(1, 20, 20):
        yield (Mock5(5, 6, history=rng.choice(30, stones, replace=False).tolist()),)


def planes_of(solution, game):
    """The eight planes; Refused if there are not eight, or they are no numbers."""
    planes = solution(game)
    if isinstance(planes, np.ndarray) and planes.ndim == 2:
        raise Refused(f"Each plane should have the board's rows and columns, (8, H, W); yours has {planes.shape}.")
    return planes.astype(float) if isinstance(planes, np.ndarray) and planes.dtype.kind in "biuf" else planes


@exercise(
    cases=positions,
    observe=planes_of,
    why="Each stone is a single 1: the last move's on plane 0, the one before on plane 1, and so on. Plane 7 holds all "
    "the older ones, too.",
)
def turns_since(game):
    """Planes (8, H, W): how many turns ago each stone was played, one-hot."""
    planes = np.zeros((8, game.height * game.width))
    for ago, move in enumerate(reversed(game.history)):
        planes[min(ago, 7), move] = 1
    return planes.reshape(8, game.height, game.width)


def stones(rng):
    """(logits, row, col, weights)"""
    nine = np.arange(9.0).reshape(3, 3)
    yield from ((np.zeros((3, 3)), 1, 1, nine), (np.ones((2, 3)), 0, 2, nine), (np.zeros((4, 2)), 3, 0, nine))
    yield from ((np.zeros((1, 2)), 0, 1, nine), (np.ones((2, 1)), 1, 0, nine))
    for height, width, reach in rng.integers([2, 2, 1], [7, 7, 4], (25, 3)):  # a larger window stands behind the small
        window = rng.integers(-9, 10, (2 * reach + 1, 2 * reach + 1)) / 2
        yield rng.normal(size=(height, width)).round(1), int(rng.integers(height)), int(rng.integers(width)), window


@exercise(
    cases=stones,
    fresh=True,
    call=lambda logits, row, col, weights: (
        f"add_stone(logits, {row}, {col}, weights), where logits is\n{logits}\nand weights is\n{weights}"
    ),
    why="To a point that sees the stone d rows below it and e columns to its right, add weights[reach + d, reach + e]. "
    "Points farther away than `reach` keep their logits.",
)
def add_stone(logits, row, col, weights):
    """New logits (H, W): each point near the stone gets its weight."""
    side = len(weights)
    reach = side // 2
    wide = np.pad(logits, reach)
    wide[row : row + side, col : col + side] += weights[::-1, ::-1]
    return wide[reach:-reach, reach:-reach]


def numbers_of_games(rng):
    """(games,)"""
    yield from (
        (np.array(games),)
        for games in ([7, 7, 7], [1, 2, 1, 2, 2], [5], [-1, 3, -1, 0, 3, 3], [4, 9, 9, 9, 9], [6] * 8)
    )


def each_position(games):
    """That each position is kept, and each pair of positions."""
    chances = alone_and_in_pairs([1 / (games == game).sum() for game in games])
    chances[len(games) :] *= [one != other for one, other in combinations(games, 2)]
    return chances


def positions_kept(kept, games):
    kept = np.asarray(kept)
    if kept.size and kept.dtype.kind == "f":
        raise Refused("The indices are floats. They should be integers, as of an array with dtype=int.")
    if not set(kept) <= set(range(len(games))) or sorted(games[kept]) != sorted(set(games.tolist())):
        raise Refused("Return exactly one position of each game, by its index.")
    if (np.diff(kept) <= 0).any():
        raise Refused("The indices should be sorted.")
    return alone_and_in_pairs(np.isin(np.arange(len(games)), kept))


@sampled(
    cases=numbers_of_games,
    chances=each_position,
    happened=positions_kept,
    event="position",
    why="Every position of a game should be equally likely, whichever ones are chosen from the other games.",
)
def one_per_game(games, rng):
    """Sorted indices, one position of each game at random."""
    chosen = [rng.choice(np.flatnonzero(games == game)) for game in np.unique(games)]
    return np.sort(chosen)


class Node:
    """As the chapter has it."""

    def __init__(self, parent=None, prior=1.0):
        self.parent, self.prior, self.children = parent, prior, {}
        self.visits, self.total = 0, 0.0


def statistics(rng):
    """(prior, visits, total, parent_visits, c)"""
    yield from ((0.5, 0, 0.0, 1, 5.0), (0.2, 4, 2.0, 9, 5.0), (0.2, 4, -2.0, 9, 5.0), (0.1, 3, 0.0, 20, 2.0))
    yield from ((0.3, 1, -1.0, 2, 0.0), (0.75, 100, 20.0, 400, 2.0), (0.0, 2, 1.0, 4, 1.0))
    for visits, more in rng.integers([0, 1], [20, 30], (30, 2)).tolist():
        prior, mean = rng.uniform([0, -1], [1, 1]).round(2).tolist()
        yield prior, visits, round(visits * mean, 2), visits + more, float(rng.choice([0.5, 2, 5]))


def both_terms(solution, prior, visits, total, parent_visits, c):
    child = Node(Node(), prior)
    child.visits, child.total = visits, total
    return solution(child, parent_visits, c)


@exercise(
    cases=statistics,
    observe=both_terms,
    call=lambda prior, visits, total, parent_visits, c: (
        f"terms(child, {parent_visits}, {c:g}), where child has prior {prior:g}, visits {visits}, total {total:g}"
    ),
    why="Q is minus the child's mean, total / visits, or 0 before its first visit. u is c · P · √N_parent / (1 + N).",
)
def terms(child, parent_visits, c):
    """Q and u of the move to `child`, for the player who chooses it."""
    q = -child.total / child.visits if child.visits else 0.0
    return q, c * child.prior * np.sqrt(parent_visits) / (1 + child.visits)


def judge_leaf(game, nets, rng):
    """As the chapter has it: v and z of an unfinished position, for the player to move."""
    v = float(nets["value"](planes49.encode([game]))[0])
    return v, float(nets["fast"].rollouts([game], limit=100, seed=rng)[0])


class Says:
    """A net that always gives one answer; it is asked as a value net, or for a rollout, which draws from its seed."""

    def __init__(self, answer):
        self.answer, self.asked = answer, 0

    def __call__(self, planes):
        self.asked += 1
        return np.full(len(planes), self.answer)

    def rollouts(self, games, limit, seed):
        np.random.default_rng(seed).random()
        return self(games)


def leaves(rng):
    """(game, v, z, lam)"""
    going = Mock5(5, 5, history=[12, 7])
    won = {1: Mock5(5, 5, history=[0, 5, 1, 6, 2, 7, 3, 8, 4]), 2: Mock5(5, 5, history=[24, 5, 0, 6, 1, 7, 2, 8, 3, 9])}
    planes49.encode([going])  # its tables are made now, and no call of the learner's waits for them
    drawn = Mock5(5, 5, board=[1, 1, 2, 2, 1, 2, 2, 1, 1, 2] * 2 + [1, 1, 2, 2, 1])
    yield from ((going, 0.4, 1.0, 0.5), (going, 0.4, -1.0, 0.25), (going, 0.4, 1.0, 0.0), (going, 0.4, 1.0, 1.0))
    for over in (won[1], won[2], drawn):
        yield from ((over, 0.4, 1.0, lam) for lam in (0.0, 0.5, 1.0))
    for v, lam in rng.uniform([-1, 0], [1, 1], (20, 2)).round(2).tolist():
        yield going, v, float(rng.integers(-1, 2)), lam


def worth(solution, game, v, z, lam):
    """The answer, and what it asked for: what has the weight 0 may be left out."""
    nets, rng = {"value": Says(v), "fast": Says(z)}, np.random.default_rng(5)
    answer = solution(game, nets, lam, rng)
    if not is_number(answer):
        raise Refused(NO_RETURN if answer is None else f"Return one number; yours is {show(answer)}.")
    told = {"the answer": answer}
    if game.winner is not None or lam < 1:
        told["how often the value net was asked"] = nets["value"].asked
    if game.winner is not None or lam > 0:
        told |= {"how many rollouts were played": nets["fast"].asked, "what `rng` draws next": rng.random()}
    return Facts(told)


def the_leaf(game, v, z, lam):
    over = {None: f"judge_leaf gives v {v:g} and z {z:g}", 0: "game.winner is 0"}
    state = over.get(game.winner, f"game.winner is {game.winner}, and game.player {game.player}")
    return f"leaf_value(game, nets, {lam:g}, rng), where {state}"


@exercise(
    cases=leaves,
    observe=worth,
    call=the_leaf,
    why="(1 − λ)·v + λ·z while the game runs, both from one call of judge_leaf with `rng`. Once it's over, no net is "
    "asked: 0 for a draw and −1 otherwise, since the player to move has lost.",
)
def leaf_value(game, nets, lam, rng):
    """What a leaf is worth to the player to move."""
    if game.winner is not None:
        return 0.0 if game.winner == 0 else -1.0
    v, z = judge_leaf(game, nets, rng)
    return (1 - lam) * v + lam * z

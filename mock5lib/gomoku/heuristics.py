"""The heuristic agents: random, greedy, defensive, pt, df and mixed, after lumiknit's package mock5 (2022).

Make one by its name and a seed: `agents.greedy(seed=0)`. Calling it with a game gives a move; `moves(games)` answers
many games at once, compiled (`heuristics_compiled.py`). All but `random` look at threats of five, so they
ask for k = 5.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from mock5lib.base import arguments
from mock5lib.base.arguments import generator_of
from mock5lib.game.board import Mock5
from mock5lib.game.five_compiled import Five, fives_of
from mock5lib.game.position_compiled import judge
from mock5lib.game.records import Records
from mock5lib.gomoku.heuristics_compiled import HEURISTICS, MIXTURE, choose_moves, tables_for
from mock5lib.gomoku.lines_compiled import centrality, lines_of
from mock5lib.gomoku.threats import FIVE_IN_A_ROW, Analysis, Threat, require_five

LARGEST_OPENING = 2  # with so many stones or fewer, pt and df go by the place of the first stone alone


# What they think of each point ----------------------------------------------------------------------------------


def greedy_scores(game) -> np.ndarray:
    """Score of each point for the player to move, shape (H * W,), 0 on occupied points: attack counts most."""
    return threat_scores(game, base=10.0, weight=0.7)


def defensive_scores(game) -> np.ndarray:
    """As `greedy_scores`, but the opponent's threats weigh nearly as much as one's own."""
    return threat_scores(game, base=9.0, weight=0.95)


def threat_scores(game, base: float, weight: float) -> np.ndarray:
    """Centrality plus, over the four directions, base^own level + weight * base^opponent's level."""
    levels = Analysis(game).levels
    own, other = levels[game.player - 1], levels[2 - game.player]
    scores = centrality(game.height, game.width) + (base**own + weight * base**other).sum(axis=0)
    return np.where(game.cells == 0, scores, 0.0)


def pt_policy(game) -> np.ndarray:
    """The pt agent's policy, shape (H * W,): equal weight to all points of the most urgent class, 0 to others."""
    return pattern_policy(game, defends=False)


def df_policy(game) -> np.ndarray:
    """The df agent's policy: as `pt_policy`, but among equals the opponent's threat comes first."""
    return pattern_policy(game, defends=True)


def pattern_policy(game, defends: bool) -> np.ndarray:
    """The policy of df (`defends`) or pt; 0 on occupied points, and all 0 where nothing speaks for any point."""
    require_five(game)
    empty = game.cells == 0
    stones = int(np.count_nonzero(game.cells))
    if stones <= LARGEST_OPENING:
        return opening_policy(game, stones) * empty
    scores = pattern_scores(game, defends) * empty
    top = scores.max()
    return (scores == top).astype(float) if top >= 1 else scores


def pattern_scores(game, defends: bool) -> np.ndarray:
    """Urgency of each point, shape (H * W,): classes 6 (wins) to 1 (open three), below 1 for weaker threats.

    Each direction gives a key for the own level and one for the opponent's: twice the level, plus 1 for the color
    that comes first among equals, which is the own one in pt and the opponent's in df. A five always belongs first
    to who moves. The largest key decides, and so does how often it occurs: two fours are as good as an open four.
    """
    levels = Analysis(game).levels.astype(int)
    own, other = levels[game.player - 1], levels[2 - game.player]
    if defends:
        keys = np.concatenate([2 * own + (own >= Threat.FIVE), 2 * other + (other < Threat.FIVE)])
    else:
        keys = np.concatenate([2 * own + 1, 2 * other])
    largest = keys.max(axis=0)
    count = (keys == largest).sum(axis=0)
    two_fours = (largest // 2 == Threat.FOUR) & (count >= 2)
    return np.select(
        [largest >= 2 * Threat.FIVE, (largest >= 2 * Threat.OPEN_FOUR) | two_fours, largest >= 2 * Threat.OPEN_THREE],
        [5 + largest % 2, 3 + largest % 2, 1 + largest % 2],
        default=(own + 0.9 * other).sum(axis=0) / 24,
    )


def opening_policy(game, stones: int) -> np.ndarray:
    """1 on a square: around the center of an empty board, or around the first of one or two stones."""
    if stones == 0:
        row, col, radius = game.height // 2, game.width // 2, max(2, (game.height - 15) // 2) - 1
    else:
        row, col = divmod(first_stone(game), game.width)
        radius = stones
    rows, cols = np.divmod(np.arange(game.height * game.width), game.width)
    return ((abs(rows - row) <= radius) & (abs(cols - col) <= radius)).astype(float)


def first_stone(game) -> int:
    """The point of the stone that was placed first; by index where no history tells. −1 on an empty board."""
    if game.history and game.cells[game.history[0]]:
        return game.history[0]
    stones = np.flatnonzero(game.cells)
    return int(stones[0]) if len(stones) else -1


SCORES = {"greedy": greedy_scores, "defensive": defensive_scores}
POLICIES = {"pt": pt_policy, "df": df_policy}
for _name, _function in (SCORES | POLICIES).items():
    _function.name = _name


# The agents -----------------------------------------------------------------------------------------------------


class Heuristic:
    """An agent by one of the six rules.

    Args:
        kind: "random", "greedy", "defensive", "pt", "df" or "mixed".
        seed: a whole number, a numpy Generator, or None for other moves each time.

    Attributes:
        kind: its rule. name: the kind, unless another is given to it. rng: the agent's own random numbers.
    """

    def __init__(self, kind: str, seed=None):
        arguments.one_of("A heuristic agent", kind, HEURISTICS)
        self.kind = self.name = kind
        self.rng = generator_of(seed)

    def __repr__(self) -> str:
        return f"agents.{self.kind}()"

    def __call__(self, game) -> int | None:
        """A move for the player to move; None once the game is over."""
        judge(game)
        if self.kind == "random":
            moves = game.playout_moves() if hasattr(game, "playout_moves") else game.legal_moves()
            return int(moves[self.rng.integers(len(moves))]) if moves else None
        if game.winner is not None:
            return None
        kind = self.kind
        if kind == "mixed":
            kinds, chances = zip(*MIXTURE)
            kind = HEURISTICS[self.rng.choice(kinds, p=chances)]
        if kind in SCORES:
            noisy = SCORES[kind](game) + self.rng.random(len(game.cells))
            return int(np.where(game.cells == 0, noisy, -np.inf).argmax())
        weights = policy_or_uniform(POLICIES[kind](game), game)
        return int(self.rng.choice(len(weights), p=weights))

    def refuses(self, game) -> str:
        """Why it can't play a game, as the end of a sentence, or ""."""
        if self.kind == "random":
            return ""
        if type(game) is not Mock5:
            return f"plays five in a row, not {type(game).__name__}"
        return "" if game.k == FIVE_IN_A_ROW else f"plays five in a row, not {game.k}"

    def moves(self, games) -> list[int | None]:
        """A move in each of many games, compiled; the same rule as one game at a time, other lots drawn."""
        if self.kind == "random" or not games:
            return [self(game) for game in games]
        for game in games:
            if getattr(game, "k", FIVE_IN_A_ROW) != FIVE_IN_A_ROW:
                require_five(game)  # which says so
        positions = fives_of(games)
        firsts = np.array([first_stone(game) for game in games], dtype=np.int64)
        moves = self.choose(positions, firsts, self.rng)
        return [int(move) if move >= 0 else None for move in moves]

    def choose(self, positions: Five, firsts, rng: np.random.Generator) -> np.ndarray:
        """Moves of stacked positions, (B,) int64, −1 where a board is full; see `heuristics_fast.choose_moves`."""
        kind, seed = HEURISTICS.index(self.kind), rng.integers(1 << 63, dtype=np.uint64)
        lines, tables = lines_of(positions.height, positions.width), tables_for(kind, kind)
        return choose_moves(lines, tables, kind, positions.board, positions.players, firsts, seed)

    def distribution(self, game) -> np.ndarray:
        """The exact chance of each point to be played, shape (H * W,), summing to 1: what a net can learn at best."""
        if not (game.cells == 0).any():
            raise ValueError("The board is full: there is no move to give a chance to.")
        if self.kind == "mixed":
            return sum(chance * chances_of(HEURISTICS[kind], game) for kind, chance in MIXTURE)
        return chances_of(self.kind, game)


def chances_of(kind: str, game) -> np.ndarray:
    """`Heuristic.distribution` for one rule."""
    if kind in SCORES:
        return highest_with_noise(np.where(game.cells == 0, SCORES[kind](game), -np.inf))
    return policy_or_uniform(POLICIES[kind](game) if kind in POLICIES else np.zeros(len(game.cells)), game)


def policy_or_uniform(weights: np.ndarray, game) -> np.ndarray:
    """The weights of empty points scaled to sum 1; equal chances where all are 0."""
    weights = np.where(game.cells == 0, weights, 0.0)
    if weights.sum() == 0:
        weights = (game.cells == 0).astype(float)
    return weights / weights.sum()


def highest_with_noise(scores: np.ndarray) -> np.ndarray:
    """The chance of each entry to be the highest after uniform [0, 1) noise is added to each; same shape.

    Entry i ends at x with density 1 on [s_i, s_i + 1), and wins if all others end below x: the chance is the
    integral of the product of their distribution functions, a polynomial between neighboring ends s_j + 1.
    """
    chances = np.zeros(len(scores))
    near = np.flatnonzero(scores > scores.max() - 1)
    close = scores[near] - scores.max()  # within (−1, 0]
    ends = np.unique(np.concatenate([[0.0], close + 1]))
    nodes, weights = legendre(len(near) // 2 + 1)  # exact for the degree at hand
    for low, high in zip(ends[:-1], ends[1:]):
        x = (low + high) / 2 + (high - low) / 2 * nodes
        below = np.clip(x - close[:, None], 0, 1)
        open_ended = close + 1 >= high  # these may still end at x: there x − s is above 0
        others = below.prod(axis=0) / below[open_ended]
        chances[near[open_ended]] += (high - low) / 2 * (others @ weights)
    return chances


legendre = lru_cache(maxsize=None)(np.polynomial.legendre.leggauss)  # nodes and weights on [−1, 1]


# How well can a net predict them at best? ------------------------------------------------------------------------
#
# Ties are broken by lot, and the mixed one also draws which rule it follows. No predictor can be right more often than
# by naming the most probable move each time: the mean of that chance is the *ceiling* of top-1 accuracy.


class Ceiling(NamedTuple):
    """The limits of prediction on a set of positions."""

    top1: float  # mean chance of the most probable move: no predictor's expected accuracy is higher
    top3: float  # mean chance of the three most probable moves together
    positions: int


def prediction_ceiling(records: Records, agent: str = "mixed") -> Ceiling:
    """The ceiling for predicting the moves of records whose both players were the heuristic `agent`.

    Positions in which the generator put a random move are left out, as training does by default.
    """
    teacher, highest = by_name(agent), []
    for number in range(len(records)):
        game = records.game(number, 0)
        for place in range(records.offsets[number], records.offsets[number + 1]):
            if records.mistakes is None or not records.mistakes[place]:
                highest.append(np.sort(teacher.distribution(game))[-3:])
            game.apply(int(records.moves[place]))
    if not highest:
        raise ValueError("There are no positions to find a ceiling for.")
    chances = np.array(highest)
    return Ceiling(float(chances[:, -1].mean()), float(chances.sum(axis=1).mean()), len(chances))


# By name --------------------------------------------------------------------------------------------------------


def _maker(kind: str, text: str):
    def make(seed=None) -> Heuristic:
        return Heuristic(kind, seed)

    make.__name__ = make.__qualname__ = kind
    make.__doc__ = f"{text}\n\n    Args:\n        seed: a whole number, a numpy Generator, or None.\n    "
    return make


random = _maker("random", "An agent that plays a uniform legal move, in any game.")
greedy = _maker("greedy", "An agent that plays the point with the highest `greedy_scores`, ties broken by noise.")
defensive = _maker("defensive", "An agent that plays the point with the highest `defensive_scores`, likewise.")
pt = _maker("pt", "An agent that draws from `pt_policy`.")
df = _maker("df", "An agent that draws from `df_policy`.")
mixed = _maker("mixed", "The mixed opponent: 0.4 greedy, 0.4 defensive, 0.1 pt and 0.1 df, drawn anew each move.")


def by_name(name: str, seed=None) -> Heuristic:
    """The heuristic agent of this name: `by_name("greedy", seed=0)` is `greedy(seed=0)`. `mock5lib.agent` makes any."""
    return Heuristic(name, seed)

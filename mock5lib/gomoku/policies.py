"""From a policy to an agent: sampling, temperature, scaling; and the first way to compare two agents.

A policy is a function from a game to non-negative scores, one per move (index `row * width + col`). It may have a
`name`, and a method `scores(games)` that answers many games at once with an array (B, H * W), as nets do.
The transformers are those of lumiknit's notebook "18. 8th Attempt: MCTS with Networks" (2022).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mock5lib.base import arguments
from mock5lib.base.arguments import generator_of
from mock5lib.base.contract import Named, agent_name
from mock5lib.game.board import Mock5
from mock5lib.game.referee import play_game

# From a policy to an agent --------------------------------------------------------------------------------------


class PolicyAgent(Named):
    """An agent that draws a legal move in proportion to the policy's scores, uniformly if all of them are 0.

    Args:
        policy: a function from a game to non-negative scores.
        epsilon: chance, from 0 to 1, to play a uniform legal move instead.
        seed: a whole number, a numpy Generator, or None.
    """

    def __init__(self, policy, epsilon: float = 0.0, seed=None):
        arguments.share(epsilon=epsilon)
        self.policy, self.epsilon, self.rng = policy, epsilon, generator_of(seed)
        self.name = f"stochastic({agent_name(policy)})"

    def __call__(self, game) -> int | None:
        return self._draw(game, self.policy(game))

    def moves(self, games) -> list[int | None]:
        """A move in each of many games; a policy with `scores(games)` is asked once for all of them."""
        many = self.policy.scores(games) if hasattr(self.policy, "scores") else map(self.policy, games)
        return [self._draw(game, scores) for game, scores in zip(games, many)]

    def _draw(self, game, scores) -> int | None:
        legal = game.legal_moves()
        if not legal:
            return None
        scores = checked_scores(scores, game, agent_name(self.policy))[legal]
        total = scores.sum()
        if total == 0 or self.rng.random() < self.epsilon:
            return int(legal[self.rng.integers(len(legal))])
        return int(self.rng.choice(legal, p=scores / total))


agent = PolicyAgent  # `agents.agent(policy)`, the notebook's name


def checked_scores(scores, game, name: str) -> np.ndarray:
    """The scores as a float64 vector with one finite, non-negative entry per point, or a ValueError."""
    scores = np.asarray(scores, dtype=np.float64)
    points = getattr(game, "actions", scores.size)
    if scores.shape != (points,):
        raise ValueError(f"A policy gives one score per point, shape ({points},); {name} gave shape {scores.shape}.")
    wrong = np.flatnonzero(~(np.isfinite(scores) & (scores >= 0)))
    if len(wrong):
        raise ValueError(
            f"A policy's scores are finite and at least 0; {name} gave {scores[wrong[0]]} to point {wrong[0]}."
        )
    return scores


# Policies and their transformers --------------------------------------------------------------------------------


def uniform(game) -> np.ndarray:
    """The policy that gives each point 1, shape (H * W,)."""
    return np.ones(game.height * game.width)


def softmax(scores, tau: float = 1.0) -> np.ndarray:
    """exp(scores / tau), scaled to sum 1. A score of −inf gets chance 0.

    Args:
        tau: temperature, above 0. Near 0 only the highest counts; large values even the chances out.
    """
    arguments.above(0, tau=tau)
    scores = np.asarray(scores, dtype=np.float64)
    if np.isnan(scores).any() or not np.isfinite(scores.max(initial=-np.inf)):
        raise ValueError("softmax needs at least one finite score and none that is NaN or +inf.")
    weights = np.exp((scores - scores.max()) / tau)
    return weights / weights.sum()


def pt_softmax(policy, tau: float = 1.0):
    """The policy with its scores put through `softmax` over the legal moves; 0 elsewhere."""
    arguments.above(0, tau=tau)
    return _on_legal_moves(policy, lambda scores: softmax(scores, tau), f"pt_softmax({agent_name(policy)},tau={tau})")


def pt_norm(policy):
    """The policy with its legal moves' scores divided by the largest of them; all 0 stay 0."""
    return _on_legal_moves(policy, lambda scores: scores / (scores.max() or 1.0), f"pt_norm({agent_name(policy)})")


def _on_legal_moves(policy, function, name: str):
    """A policy that passes another's scores of the legal moves through `function`; 0 elsewhere. Batched if it is."""

    def of_scores(scores, game):
        scores, legal = np.asarray(scores, dtype=np.float64), game.legal_moves()
        result = np.zeros(len(scores))
        if legal:
            result[legal] = function(scores[legal])
        return result

    def transformed(game):
        return of_scores(policy(game), game)

    if hasattr(policy, "scores"):
        transformed.scores = lambda games: [of_scores(row, game) for row, game in zip(policy.scores(games), games)]
    transformed.name = name
    return transformed


# Comparing two agents -------------------------------------------------------------------------------------------


@dataclass
class Stat:
    """A running count of results, as one side sees them. A draw is half a win."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.draws

    def update_by_result(self, result: int, side: int = 1) -> None:
        """Count a game won by player `result` (0: a draw), as player `side` sees it."""
        if result not in (0, 1, 2) or side not in (1, 2):
            raise ValueError(f"A result is 0, 1 or 2 and a side 1 or 2, got {result!r} and {side!r}.")
        self.wins += result == side
        self.losses += result == 3 - side
        self.draws += result == 0

    def win_rate(self) -> float:
        """(wins + draws / 2) / games; NaN before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else float("nan")

    def dup(self) -> Stat:
        """A copy that later counting does not change."""
        return Stat(self.wins, self.losses, self.draws)

    def __sub__(self, other: Stat) -> Stat:
        """What was counted since `other`, an earlier copy."""
        return Stat(self.wins - other.wins, self.losses - other.losses, self.draws - other.draws)


class AgentTest(NamedTuple):
    """What `test_agents` found; lengths are average numbers of moves, 0 where there was no such game."""

    names: tuple[str, str]
    games: int
    wins: tuple[int, int]
    draws: int
    win_lengths: tuple[float, float]
    draw_length: float

    def __str__(self) -> str:
        labels = f"1 {self.names[0]}", f"2 {self.names[1]}", "draws"
        rows = list(zip(labels, (*self.wins, self.draws), (*self.win_lengths, self.draw_length)))
        wide = max(len(label) for label, *_ in rows)
        lines = [f"{'':{wide}}   won  share  moves"] + [
            f"{label:{wide}} {count:5d}  {count / self.games:5.3f} {length:6.1f}" for label, count, length in rows
        ]
        return "\n".join([f"{self.games} games", *lines])


def test_agents(games: int, agent1, agent2, height: int = 15, width: int = 15, k: int = 5, verbose=True) -> AgentTest:
    """Let two agents play whole games from the empty board, the first one black in every other game.

    For paired openings, intervals and many games at once see `mock5lib.arena.matches`.

    Args:
        games: how many, at least 1.
        verbose: print the small table that `str()` of the result gives.
    """
    lengths: list[list[int]] = [[], [], []]  # of draws, of wins of agent 1, of wins of agent 2
    for number in range(games):
        game, swapped = Mock5(height, width, k), number % 2 == 1
        winner = play_game(game, *((agent2, agent1) if swapped else (agent1, agent2)))
        winner = winner.swapped() if swapped else winner
        lengths[winner].append(len(game.history))
    draws, wins1, wins2 = ((len(some), float(np.mean(some)) if some else 0.0) for some in lengths)
    result = AgentTest(
        (agent_name(agent1), agent_name(agent2)), games, (wins1[0], wins2[0]), draws[0], (wins1[1], wins2[1]), draws[1]
    )
    if verbose:
        print(result)
    return result


test_agents.__test__ = False  # its name is the notebook's; pytest should not take it for a test

"""Many games of k in a row side by side on flat arrays, for whoever plays hundreds of them at once.

A `Table` is `Mock5` by the hundred: it plays a move in each of some games, judges them, and tells the positions that
they went through. `random_openings` begins games on it, and `sample_moves` draws the moves that a net proposes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.board import Mock5
from mock5lib.game.kernels import RUNNING, wins_at

# What an occupied point gets in place of its score. exp() of it is exactly 0; unlike −inf it leaves 0 · log 0 = 0.
OCCUPIED = -1e9


class Rules(NamedTuple):
    """The game played."""

    height: int = 9
    width: int = 9
    k: int = 5
    exact: bool = False


class Table:
    """G games from the empty board.

    `go.table.GoTable` is the same for Go.

    Attributes:
        boards: (G, H * W) int8 of 0, 1, 2. histories: (G, H * W) int16, the moves in order, −1 after the last.
        plies: (G,) int64, moves played. winners: (G,) int8, `RUNNING` (−1), 0 for a draw, 1 or 2.
    """

    def __init__(self, games: int, rules: Rules):
        points = rules.height * rules.width
        self.rules = rules
        self.boards = np.zeros((games, points), dtype=np.int8)
        self.histories = np.full((games, points), -1, dtype=np.int16)
        self.plies = np.zeros(games, dtype=np.int64)
        self.winners = np.full(games, RUNNING, dtype=np.int8)

    @property
    def running(self) -> np.ndarray:
        """Numbers of the games that are not over."""
        return np.flatnonzero(self.winners == RUNNING)

    def players(self, games) -> np.ndarray:
        """Who is to move, 1 or 2: (B,) int8."""
        return (1 + self.plies[games] % 2).astype(np.int8)

    def place(self, games, moves) -> None:
        """Play a move in each of these games; an illegal one loses the game at once.

        Raises:
            ValueError: not as many moves as games, or a game that is not there; compiled code would not notice.
        """
        games, moves, count = np.asarray(games, np.int64), np.asarray(moves, np.int64), len(self.winners)
        if games.shape != moves.shape or not ((games >= 0) & (games < count)).all():
            raise ValueError(f"A table of {count} games takes a move for each game named, from 0 to {count - 1}.")
        self._place(games, moves)

    def _place(self, games, moves) -> None:
        place_moves(self.boards, self.histories, self.plies, self.winners, games, moves, *self.rules)

    def clear(self, games) -> None:
        """Begin these games anew."""
        self.boards[games], self.histories[games], self.plies[games], self.winners[games] = 0, -1, 0, RUNNING

    def planes(self, games, encoder) -> np.ndarray:
        """Planes (B, C, H, W) of these games."""
        recent = self.recent(games, encoder.history)
        return encoder.planes(self.boards[games], self.players(games), recent, *self.rules[:2])

    def sample(self, games, log_priors, temperature: float, rng) -> np.ndarray:
        """A move in each of these games: see `sample_moves`."""
        return sample_moves(log_priors, temperature, rng, self.boards[games])

    def recent(self, games, moves: int, plies=None) -> np.ndarray:
        """The last moves, latest first, −1 for none, (B, moves) int16: now, or after the first `plies` moves (B,)."""
        ago = (self.plies[games] if plies is None else plies)[:, None] - 1 - np.arange(moves)
        last = np.take_along_axis(self.histories[games], np.maximum(ago, 0), axis=1)
        return np.where(ago >= 0, last, -1).astype(np.int16)

    def positions(self, games, plies, moves: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Positions that games went through: boards (B, H * W), players to move (B,) int8, `recent` (B, moves).

        Args:
            games, plies: (B,) which game, and after how many of its moves. moves: how many of the last ones to tell.
        """
        boards = np.zeros((len(games), self.boards.shape[1]), dtype=np.int8)
        fill_boards(boards, self.histories, games, plies)
        return boards, (1 + plies % 2).astype(np.int8), self.recent(games, moves, plies)

    def results(self, games, players) -> np.ndarray:
        """1, 0 or −1 as these games were won, drawn or lost by these players: (B,) float64."""
        winners = self.winners[games]
        return np.where(winners == 0, 0.0, np.where(winners == players, 1.0, -1.0))

    def game(self, number: int) -> Mock5:
        """One of the games on a board."""
        history = self.histories[number, : self.plies[number]].tolist()
        return Mock5(*self.rules[:3], exact=self.rules.exact, history=history)


def random_openings(table: Table, games, sample: Callable[[int], np.ndarray], attempts: int = 1000) -> None:
    """Begin games with random moves that leave them undecided.

    Args:
        games: (N,) one opening each, or (N, 2): the games of a row share their opening.
        sample: n → random moves for n openings, (n, plies). It is asked anew for those that decide their game.

    Raises:
        ValueError: none of the attempts left a game undecided.
    """
    left = np.asarray(games).reshape(len(games), -1)
    for _ in range(attempts):
        moves = sample(len(left))
        table.clear(left)
        for ply in range(moves.shape[1]):
            undecided = table.winners[left] == RUNNING
            table.place(left[undecided], np.broadcast_to(moves[:, ply : ply + 1], left.shape)[undecided])
        left = left[table.winners[left[:, 0]] != RUNNING]
        if not len(left):
            return
    raise ValueError(f"No opening of {moves.shape[1]} random moves leaves this game undecided; choose fewer.")


@compiled(nogil=True)
def place_moves(boards, histories, plies, winners, games, moves, height, width, k, exact):
    """Play moves[i] in games[i] and judge it; a move off the board or on a stone loses the game."""
    for i in range(len(games)):
        game, move = games[i], moves[i]
        player = 1 + plies[game] % 2
        if move < 0 or move >= height * width or boards[game, move] != 0:
            winners[game] = 3 - player
            continue
        boards[game, move] = player
        histories[game, plies[game]] = move
        plies[game] += 1
        if wins_at(boards[game], height, width, k, exact, move):
            winners[game] = player
        elif plies[game] == height * width:
            winners[game] = 0


@compiled(nogil=True)
def fill_boards(boards, histories, games, plies):
    """Put the first plies[i] moves of games[i] on the empty boards[i]."""
    for i in range(len(games)):
        for ply in range(plies[i]):
            boards[i, histories[games[i], ply]] = 1 + ply % 2


# Sampling moves -------------------------------------------------------------------------------------------------


def sample_moves(log_priors, temperature: float, rng: np.random.Generator, boards=None) -> np.ndarray:
    """A move for each row of log-priors (B, H * W): the best at temperature 0, else drawn from p^(1/temperature).

    Adding Gumbel noise and taking the maximum draws from the softmax (Gumbel 1954).

    Args:
        boards: (B, H * W) whose occupied points are left out. Default: the log-priors leave them out already.
    """
    if boards is not None:
        log_priors = np.where(boards == 0, log_priors, OCCUPIED)
    if temperature > 0:
        log_priors = log_priors / temperature + rng.gumbel(size=log_priors.shape)
    return log_priors.argmax(axis=1)


def sample_visited(policies, best, temperature, rng: np.random.Generator) -> np.ndarray:
    """A move for each row of shares of visits (G, A), drawn from p^(1/temperature); `best` where that is 0. (G,) int64.

    By the inverse of the distribution function: one random number a row, and moves without visits are never drawn.

    Args:
        best: (G,) moves. temperature: a number or (G,).
    """
    temperature = np.broadcast_to(temperature, len(policies))
    share = policies / policies.max(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):  # log 0 is minus infinity, and its weight 0
        weights = np.exp(np.log(share) / np.where(temperature > 0, temperature, 1.0)[:, None])
    sums = weights.cumsum(axis=1)
    drawn = (sums > (rng.random(len(policies)) * sums[:, -1])[:, None]).argmax(axis=1)
    return np.where(temperature > 0, drawn, best).astype(np.int64)

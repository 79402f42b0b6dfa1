"""Many games side by side on flat arrays, for whoever plays hundreds of them at once.

A `Table` is a board by the hundred: it plays a move in each of some games, judges them, and tells the positions that
they went through. `random_openings` begins games on it, and `sample_moves` draws the moves that a net proposes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game import plain
from mock5lib.game.board_compiled import RUNNING
from mock5lib.game.kit import longest_game
from mock5lib.game.position_compiled import PLAYER, at, chosen, is_legal, play, put, sensible_points, stack, winner_of
from mock5lib.game.records import replayed

ILLEGAL = -2  # beside the winners that `winner_of` tells


# What an occupied point gets in place of its score. exp() of it is exactly 0; unlike −inf it leaves 0 · log 0 = 0.
OCCUPIED = -1e9


class Table:
    """G games from the start `blank`, of any game that has the kit of `game.kit`.

    Attributes:
        positions: the games as they stand, stacked, see `game.position_compiled`.
        histories: (G, longest game) int16, the moves in order, −1 after the last. plies: (G,) int64, moves played.
        winners: (G,) int8, `RUNNING` (−1), 0 for a draw, 1 or 2.
    """

    def __init__(self, games: int, blank):
        self.blank, self.start = blank, stack([blank])
        self.positions = chosen(self.start, np.zeros(games, dtype=np.int64))
        self.histories = np.full((games, longest_game(blank)), -1, dtype=np.int16)
        self.plies = np.zeros(games, dtype=np.int64)
        self.winners = np.full(games, RUNNING, dtype=np.int8)

    boards = property(lambda self: self.positions.boards)

    @property
    def running(self) -> np.ndarray:
        """Numbers of the games that are not over."""
        return np.flatnonzero(self.winners == RUNNING)

    def players(self, games) -> np.ndarray:
        """Who is to move, 1 or 2: (B,) int8."""
        return self.positions.counts[games, PLAYER].astype(np.int8)

    def place(self, games, moves) -> None:
        """Play a move in each of these games; an illegal one loses the game at once.

        Raises:
            ValueError: not as many moves as games, a game that is not there, or one that is longer than it says;
                compiled code would not notice.
        """
        games, moves, count = np.asarray(games, np.int64), np.asarray(moves, np.int64), len(self.winners)
        if games.shape != moves.shape or not ((games >= 0) & (games < count)).all():
            raise ValueError(f"A table of {count} games takes a move for each game named, from 0 to {count - 1}.")
        if (self.plies[games] >= self.histories.shape[1]).any():
            name = type(self.blank).__name__
            raise ValueError(f"A game of {name} went on after {self.histories.shape[1]} moves: see its `max_moves`.")
        place = plain.place_moves if isinstance(self.positions, plain.Plain) else place_moves
        place(self.positions, self.histories, self.plies, self.winners, games, moves)

    def note(self, games, moves, winners) -> None:
        """Moves that somebody else has played on `positions`, one in each of these games, and who has won by them."""
        self.histories[games, self.plies[games]] = moves
        self.plies[games] += 1
        self.winners[games] = winners

    def clear(self, games) -> None:
        """Begin these games anew."""
        put(self.positions, games, self.start)
        self.histories[games], self.plies[games], self.winners[games] = -1, 0, RUNNING

    def sample(self, games, log_priors, temperature: float, rng) -> np.ndarray:
        """A move in each of these games: see `sample_sensible`."""
        return sample_sensible(log_priors, chosen(self.positions, games), temperature, rng)

    def positions_at(self, games, plies) -> Any:
        """Positions that these games went through, stacked: each after so many of its moves."""
        first = games * self.histories.shape[1]
        return replayed(self.blank, self.histories.reshape(-1), first, first + plies)

    def results(self, games, players) -> np.ndarray:
        """1, 0 or −1 as these games were won, drawn or lost by these players: (B,) float64."""
        winners = self.winners[games]
        return np.where(winners == 0, 0.0, np.where(winners == players, 1.0, -1.0))

    def game(self, number: int):
        """One of the games on a board."""
        board = self.blank.copy()
        for move in self.histories[number, : self.plies[number]].tolist():
            board.apply(move)
        return board


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
def place_moves(positions, histories, plies, winners, games, moves):
    """Play moves[i] in games[i] and judge it; one that is not legal loses the game."""
    for i in range(len(games)):
        game, winner = games[i], play_and_judge(at(positions, games[i]), moves[i])
        if winner != ILLEGAL:
            histories[game, plies[game]] = moves[i]
            plies[game] += 1
        winners[game] = winner if winner != ILLEGAL else 3 - positions.counts[game, PLAYER]


@compiled
def play_and_judge(position, move):
    """The winner after a move, `ILLEGAL` if it may not be played."""
    if not is_legal(position, move):
        return ILLEGAL
    play(position, move)
    return winner_of(position)


# Sampling moves -------------------------------------------------------------------------------------------------


def sample_moves(log_priors, temperature: float, rng: np.random.Generator) -> np.ndarray:
    """A move for each row of log-priors (B, H * W): the best at temperature 0, else drawn from p^(1/temperature).

    Adding Gumbel noise and taking the maximum draws from the softmax (Gumbel 1954). An occupied point is never drawn,
    however high the temperature, nor however low.
    """
    if not temperature > 0:
        return log_priors.argmax(axis=1)
    with np.errstate(over="ignore"):  # at a temperature near 0 all but the best may become minus infinity
        below_best = np.subtract(log_priors, log_priors.max(axis=1, keepdims=True), dtype=np.float64) / temperature
    noisy = below_best + rng.gumbel(size=log_priors.shape)
    return np.where(log_priors > OCCUPIED / 2, noisy, -np.inf).argmax(axis=1)


def sample_sensible(log_priors, positions, temperature: float, rng: np.random.Generator) -> np.ndarray:
    """A move for each row of log-priors (B, H * W) among the sensible points of stacked positions.

    In Go a pass where there are none.
    """
    sensible = sensible_points(positions)
    moves = sample_moves(np.where(sensible, log_priors, OCCUPIED), temperature, rng)
    return np.where(sensible.any(axis=1), moves, sensible.shape[1])


def sample_visited(policies, best, temperature, rng: np.random.Generator) -> np.ndarray:
    """A move for each row of shares of visits (G, A), drawn from p^(1/temperature); `best` where that is 0. (G,) int64.

    By the inverse of the distribution function: one random number a row, and moves without visits are never drawn.

    Args:
        best: (G,) moves. temperature: a number or (G,).
    """
    temperature = np.broadcast_to(temperature, len(policies))
    share = policies / policies.max(axis=1, keepdims=True)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):  # log 0 is minus infinity, and its weight 0
        weights = np.exp(np.log(share) / np.where(temperature > 0, temperature, 1.0)[:, None])
        weights = np.where(share > 0, weights, 0.0)
    sums = weights.cumsum(axis=1)
    drawn = (sums > (rng.random(len(policies)) * sums[:, -1])[:, None]).argmax(axis=1)
    return np.where(temperature > 0, drawn, best).astype(np.int64)

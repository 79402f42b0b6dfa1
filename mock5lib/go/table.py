"""Many games of Go side by side, for whoever plays hundreds of them at once: `game.table.Table`, for Go."""

from __future__ import annotations

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import RUNNING
from mock5lib.game.table import OCCUPIED, checked_places, sample_moves
from mock5lib.go import kernels
from mock5lib.go.board import Go
from mock5lib.go.groups import PLAYER
from mock5lib.go.records import GoRecords


class GoTable:
    """G games from the position of `blank`, which must be an empty board if records are wanted.

    Attributes:
        states: the positions, stacked. histories: (G, longest game) int16, the moves in order, −1 after the last.
        plies: (G,) int64, moves played. winners: (G,) int8, `RUNNING` (−1), 0 for a draw, 1 or 2.
    """

    def __init__(self, games: int, blank: Go):
        self.blank, self.states = blank, stack([blank] * games)
        self.histories = np.full((games, blank.max_moves), -1, dtype=np.int16)
        self.plies = np.zeros(games, dtype=np.int64)
        self.winners = np.full(games, RUNNING, dtype=np.int8)

    @property
    def running(self) -> np.ndarray:
        """Numbers of the games that are not over."""
        return np.flatnonzero(self.winners == RUNNING)

    def players(self, games) -> np.ndarray:
        """Who is to move, 1 or 2: (B,) int8."""
        return self.states.counts[games, PLAYER].astype(np.int8)

    def place(self, games, moves) -> None:
        """Play a move in each of these games; an illegal one loses the game at once."""
        games, moves = checked_places(games, moves, len(self.winners))
        place_moves(self.states, self.histories, self.plies, self.winners, games, moves)

    def planes(self, games, encoder) -> np.ndarray:
        """Planes (B, C, H, W) of these games, by an encoder of `go.planes`."""
        return encoder.of_states(chosen(self.states, games))

    def sensible(self, games) -> np.ndarray:
        """The points that may be played and are no own eye: (B, size²) bool."""
        return sensible_points(chosen(self.states, games))

    def sample(self, games, log_priors, temperature: float, rng) -> np.ndarray:
        """A move in each of these games, as `sample_moves` draws it; a pass where no sensible point is left."""
        return sample_sensible(log_priors, self.sensible(games), temperature, rng)

    def results(self, games, players) -> np.ndarray:
        """1, 0 or −1 as these games were won, drawn or lost by these players: (B,) float64."""
        winners = self.winners[games]
        return np.where(winners == 0, 0.0, np.where(winners == players, 1.0, -1.0))

    def records(self, card=None) -> GoRecords:
        """All games, which are over."""
        moves = np.concatenate([history[:plies] for history, plies in zip(self.histories, self.plies)])
        return GoRecords(moves, self.plies, self.winners, self.blank.size, self.blank.komi, card=card)


def sample_sensible(log_priors, sensible, temperature: float, rng) -> np.ndarray:
    """A move for each row of log-priors (B, size²) among the sensible points (B, size²); a pass if there are none."""
    moves = sample_moves(np.where(sensible, log_priors, OCCUPIED), temperature, rng)
    return np.where(sensible.any(axis=1), moves, sensible.shape[1])


def stack(games: list[Go]) -> kernels.Position:
    """The positions of games with the same rules, stacked. Raises ValueError for others, or none."""
    rules = {(game.size, game.komi, game.ko, game.max_moves) for game in games}
    if len(rules) != 1:
        raise ValueError(f"Games of Go are stacked by the same rules, got {sorted(rules) or 'no games'}.")
    parts = [kernels.position_of(game) for game in games]
    arrays = {name: np.stack([getattr(part, name) for part in parts]) for name in ("points", "counts", "seen")}
    return parts[0]._replace(**arrays)


def chosen(states: kernels.Position, where) -> kernels.Position:
    """Some of stacked positions: a copy."""
    return states._replace(points=states.points[where], counts=states.counts[where], seen=states.seen[where])


@compiled
def state_at(states, b):
    """Position number b of stacked ones; what is played on it is played there."""
    return kernels.Position(
        states.points[b], states.counts[b], states.seen[b], states.size, states.komi, states.superko, states.max_moves
    )


@compiled(nogil=True)
def place_moves(states, histories, plies, winners, games, moves):
    """Play moves[i] in games[i]; one that is not legal loses the game."""
    for i in range(len(games)):
        game, position = games[i], state_at(states, games[i])
        player = position.counts[PLAYER]
        if moves[i] < 0 or moves[i] > states.size * states.size or kernels.play_moves(position, moves[i : i + 1]) == 0:
            winners[game] = 3 - player
            continue
        histories[game, plies[game]] = moves[i]
        plies[game] += 1
        winners[game] = kernels.winner_of(position)


@compiled(nogil=True)
def sensible_points(states):
    """The legal points that are no own eye, (B, size²) bool."""
    mask = np.zeros((len(states.points), states.size * states.size), np.bool_)
    for b in range(len(mask)):
        kernels.mark_sensible(state_at(states, b), mask[b])
    return mask

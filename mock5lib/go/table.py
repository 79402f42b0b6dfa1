"""Many games of Go side by side, for whoever plays hundreds of them at once: `game.table.Table`, for Go."""

from __future__ import annotations

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.kernels import RUNNING
from mock5lib.game.position import chosen, stack
from mock5lib.game.table import OCCUPIED, Table, sample_moves
from mock5lib.go import kernels
from mock5lib.go.board import Go
from mock5lib.go.groups import PLAYER
from mock5lib.go.records import GoRecords


class GoTable(Table):
    """G games from the position of `blank`, which must be an empty board if records are wanted.

    Attributes:
        states: the positions, stacked. histories, plies, winners: as in `Table`.
    """

    def __init__(self, games: int, blank: Go):
        self.blank, self.states = blank, stack([blank] * games)
        self.histories = np.full((games, blank.max_moves), -1, dtype=np.int16)
        self.plies = np.zeros(games, dtype=np.int64)
        self.winners = np.full(games, RUNNING, dtype=np.int8)

    def players(self, games) -> np.ndarray:
        """Who is to move, 1 or 2: (B,) int8."""
        return self.states.counts[games, PLAYER].astype(np.int8)

    def _place(self, games, moves) -> None:
        place_moves(self.states, self.histories, self.plies, self.winners, games, moves)

    def planes(self, games, encoder) -> np.ndarray:
        """Planes (B, C, H, W) of these games, by an encoder of `go.planes`."""
        return encoder.of_states(chosen(self.states, games))

    def sample(self, games, log_priors, temperature: float, rng) -> np.ndarray:
        """A move in each of these games, as `sample_moves` draws it; a pass where no sensible point is left."""
        sensible = sensible_points(chosen(self.states, games))
        return sample_sensible(log_priors, sensible, temperature, rng)

    def records(self, card=None) -> GoRecords:
        """All games, which are over."""
        moves = self.histories[self.histories >= 0]
        return GoRecords(moves, self.plies, self.winners, self.blank.size, self.blank.komi, card=card)


def sample_sensible(log_priors, sensible, temperature: float, rng) -> np.ndarray:
    """A move for each row of log-priors (B, size²) among the sensible points (B, size²); a pass if there are none."""
    moves = sample_moves(np.where(sensible, log_priors, OCCUPIED), temperature, rng)
    return np.where(sensible.any(axis=1), moves, sensible.shape[1])


@compiled(nogil=True)
def place_moves(states, histories, plies, winners, games, moves):
    """Play moves[i] in games[i]; one that is not legal loses the game."""
    for i in range(len(games)):
        game, position = games[i], kernels.state_at(states, games[i])
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
        kernels.mark_sensible(kernels.state_at(states, b), mask[b])
    return mask

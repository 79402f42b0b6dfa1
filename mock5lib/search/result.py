"""What a search found at its root, whatever the search: visits, values, a policy, the top moves and the tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mock5lib.base.arguments import temperatures


class Candidate(NamedTuple):
    """One move at the root."""

    move: int
    visits: float
    rate: float  # w/v: wins and half the draws of the player to move, over visits; in [0, 1]
    q: float  # the same as a value in [-1, 1]
    prior: float


def moves_listed(game) -> int:
    """How many moves the arrays of a result list: a game's `actions`, or up to its greatest legal move."""
    return getattr(game, "actions", None) or max(game.legal_moves()) + 1


class SearchResult:
    """The root's statistics after a search. Arrays are indexed by move; shape (H * W,) on a board, one more in Go.

    Values belong to the player to move at the root: 1 is a win, 0 a draw, -1 a loss. A game that
    does not say how many moves there are has arrays up to its greatest legal move. Printed, it has both scales: the
    value in [-1, 1], and the w/v of its best moves in [0, 1].

    Args:
        visits: how often each move was tried, (moves,).
        q: mean value of each move in [-1, 1], 0 where it was not tried, (moves,).
        prior: share of each move before the search, (moves,). Plain UCT knows none: uniform over legal moves.
        value: mean value of the position in [-1, 1].
        move: the move that the search's own final rule chose.
        simulations: how many simulations this search ran; visits kept from an earlier search are not among them.
        game: a copy of the position that was searched; the tree's picture shows its boards.
        root: the tree's root node, or a function that builds it when it is first asked for.
    """

    def __init__(self, visits, q, prior, value, *, move, simulations, game=None, root=None):
        self.visits = visits
        self.q = q
        self.prior = prior
        self.value = float(value)
        self.move = move
        self.simulations = simulations
        self.game = game
        self._root = root

    @property
    def rates(self) -> np.ndarray:
        """w/v of each move in [0, 1]; NaN where it was never tried. Shape (moves,)."""
        return np.where(self.visits > 0, (self.q + 1) / 2, np.nan)

    @property
    def root(self):
        """The root of the searched tree (`mock5lib.search.uct.Node` after UCT), or None."""
        if callable(self._root):
            self._root = self._root()
        return self._root

    def policy(self, temperature: float = 1.0) -> np.ndarray:
        """Probabilities visits^(1/temperature), normalized, shape (moves,) (Silver et al. 2017, Methods).

        Temperature 0 puts all on the most visited move; equally visited ones share.
        """
        return policies_of(self.visits[None], temperature)[0]

    def top(self, n: int = 5) -> list[Candidate]:
        """The `n` most visited moves, most visited first; equal visits by rate, then by index."""
        tried = np.flatnonzero(self.visits)
        order = tried[np.lexsort((-self.q[tried], -self.visits[tried]))]
        return [
            Candidate(int(m), self.visits[m].item(), (self.q[m].item() + 1) / 2, self.q[m].item(), self.prior[m].item())
            for m in order[:n]
        ]

    def __repr__(self) -> str:
        best = ", ".join(f"{c.move}: {c.rate:.3f} of {c.visits}" for c in self.top(3))
        return f"<SearchResult move {self.move}, value {self.value:+.3f}; w/v of visits: {best}>"


def policies_of(visits: np.ndarray, temperature) -> np.ndarray:
    """`SearchResult.policy` of many positions: visits and result (G, moves), temperature a number or (G,)."""
    temperature = np.broadcast_to(np.asarray(temperature, dtype=np.float64), len(visits))[:, None]
    temperatures(temperature=temperature.min().item())  # of which NaN is the least
    share = visits / np.maximum(visits.max(axis=1, keepdims=True), 1)
    with np.errstate(divide="ignore"):  # log 0 is minus infinity, and its weight 0
        weights = np.where(temperature > 0, np.exp(np.log(share) / np.clip(temperature, 1e-300, 1e300)), share == 1)
    return weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)

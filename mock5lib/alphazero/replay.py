"""The replay buffer of self-play: the newest positions, each with what the search found there and how the game ended.

A position is kept once and turned into one of the board's symmetries when it is drawn, by lot.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mock5lib.game.board import Mock5
from mock5lib.game.encoders import fill_planes
from mock5lib.game.kit import move_maps, point_maps
from mock5lib.game.position_compiled import PLAYER
from mock5lib.game.records import replayed


class SelfPlayGame(NamedTuple):
    """A finished game of self-play: n moves, of which the last m were searched (the first n − m were drawn by lot)."""

    moves: np.ndarray  # (n,) int16
    policies: np.ndarray  # (m, A) float16: the target of the policy, a distribution over the moves
    full: np.ndarray  # (m,) bool: whether the search was a full one, whose policy is worth learning
    values: np.ndarray  # (m,) float32: what the search thought of the position, for the player to move
    winner: int  # 0 for a draw, 1 or 2
    resigned: bool  # the loser gave up: the board does not say who won


class Sample(NamedTuple):
    """B positions drawn for a training step."""

    planes: np.ndarray  # (B, 3, H, W) float32: own stones, other's, empty points
    policies: np.ndarray  # (B, A) float32
    outcomes: np.ndarray  # (B,) float32: the discounted result for the player to move
    full: np.ndarray  # (B,) float32: 1 where the policy is a target, else 0


def outcomes_of(game: SelfPlayGame, discount: float = 1.0, search_share: float = 0.0) -> np.ndarray:
    """The value target of each searched position, (m,) float32, for the player to move there.

    The winner's positions get +discount^d and the loser's −discount^d, where d is the number of moves that followed
    the one played there: the last mover's own last move is not discounted. A draw is 0 for both.

    Args:
        search_share: how much of the search's own value to mix in, from 0 to 1.
    """
    plies, searched = len(game.moves), len(game.policies)
    ply = np.arange(plies - searched, plies)
    sign = np.where(1 + ply % 2 == game.winner, 1.0, -1.0) if game.winner else np.zeros(searched)
    results = sign * discount ** (plies - 1 - ply)
    return ((1 - search_share) * results + search_share * game.values).astype(np.float32)


class ReplayBuffer:
    """The last `window` positions of self-play on one board.

    Args:
        window: how many positions, at least 1; older ones give way to newer ones.
        discount, search_share: of the value targets, see `outcomes_of`.
        game: the start of the games; default: k in a row on this board.

    Attributes:
        added: positions that ever came in. games: games that ever came in.
    """

    def __init__(
        self, window: int, height: int, width: int, discount: float = 1.0, search_share: float = 0.0, *, game=None
    ):
        self.window, self.height, self.width, self.blank = int(window), height, width, game or Mock5(height, width)
        self.discount, self.search_share = discount, search_share
        self.added = self.games = 0
        points = height * width
        self.boards = np.zeros((self.window, points), dtype=np.int8)
        self.players = np.zeros(self.window, dtype=np.int8)
        self.policies = np.zeros((self.window, self.blank.actions), dtype=np.float16)
        self.outcomes = np.zeros(self.window, dtype=np.float32)
        self.full = np.zeros(self.window, dtype=bool)
        # _from[s, new] = old: row s gathers a board in symmetry s, and a policy likewise
        self._from, self._moves_from = (np.argsort(maps(self.blank), axis=1) for maps in (point_maps, move_maps))

    def __len__(self) -> int:
        return min(self.added, self.window)

    def __repr__(self) -> str:
        return f"<ReplayBuffer: {len(self)} of {self.window} positions, {self.height}×{self.width}>"

    def add(self, game: SelfPlayGame, discount: float | None = None) -> None:
        """Put a game's searched positions in, their outcomes discounted by the buffer's or another; old ones go."""
        moves, searched = game.moves, len(game.policies)
        first = len(moves) - searched
        rows = (self.added + np.arange(searched)) % self.window
        positions = replayed(self.blank, moves, np.zeros_like(rows), np.arange(first, len(moves)))
        self.boards[rows], self.players[rows] = positions.boards, positions.counts[:, PLAYER]
        self.policies[rows] = game.policies
        self.outcomes[rows] = outcomes_of(game, self.discount if discount is None else discount, self.search_share)
        self.full[rows] = game.full
        self.added += searched
        self.games += 1

    def sample(self, size: int, rng: np.random.Generator, augment: bool = True) -> Sample:
        """Draw positions with replacement, each in a symmetry of the board drawn by lot."""
        if not len(self):
            raise ValueError("The replay buffer is empty: no game of self-play has ended yet.")
        rows = rng.integers(len(self), size=size)
        turns = rng.integers(len(self._from), size=size) if augment else np.zeros(size, dtype=np.int64)
        return self.rows(rows, turns)

    def rows(self, rows, turns=None) -> Sample:
        """Some positions by row, each in symmetry number `turns` (default: as played)."""
        rows = np.asarray(rows)
        turns = np.zeros(len(rows), dtype=np.int64) if turns is None else turns
        boards = self.boards[rows[:, None], self._from[turns]]
        planes = np.empty((len(rows), 3, boards.shape[1]), dtype=np.float32)
        fill_planes(boards, self.players[rows], np.zeros((len(rows), 0), dtype=np.int16), planes)
        policies = self.policies[rows[:, None], self._moves_from[turns]].astype(np.float32)
        policies /= np.maximum(policies.sum(axis=1, keepdims=True), 1e-6)  # float16 rounds
        return Sample(
            planes.reshape(len(rows), 3, self.height, self.width),
            policies,
            self.outcomes[rows],
            self.full[rows].astype(np.float32),
        )


# Games in flat arrays, for files --------------------------------------------------------------------------------


def pack_games(games: list[SelfPlayGame], points: int) -> dict[str, np.ndarray]:
    """Games as flat arrays; `unpack_games` takes them apart again."""
    return {
        "lengths": np.array([len(game.moves) for game in games], dtype=np.int32),
        "searched": np.array([len(game.policies) for game in games], dtype=np.int32),
        "winners": np.array([game.winner for game in games], dtype=np.int8),
        "resigned": np.array([game.resigned for game in games], dtype=bool),
        "moves": joined([game.moves for game in games], np.int16),
        "policies": joined([game.policies for game in games], np.float16, points),
        "full": joined([game.full for game in games], bool),
        "values": joined([game.values for game in games], np.float32),
    }


def joined(parts: list, kind, *shape) -> np.ndarray:
    """Arrays one after the other; an empty one of that kind where there are none."""
    return np.concatenate([np.zeros((0, *shape), dtype=kind), *parts]).astype(kind)


def unpack_games(arrays) -> list[SelfPlayGame]:
    """The games of `pack_games`."""
    moves = np.split(arrays["moves"], np.cumsum(arrays["lengths"])[:-1])
    cuts = np.cumsum(arrays["searched"])[:-1]
    parts = zip(moves, *(np.split(arrays[name], cuts) for name in ("policies", "full", "values")))
    ends = zip(arrays["winners"].tolist(), arrays["resigned"].tolist())
    return [SelfPlayGame(*part, *end) for part, end in zip(parts, ends)]

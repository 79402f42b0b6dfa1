"""Positions of a game without compiled answers: the readable games themselves, many of them in an array of objects.

`game.position_compiled` hands them out where a game has no compiled answers, and whoever keeps many positions (a
forest, a table, records) has a form of its kernels in plain Python for them: some stand here, and the forest's in
`search/forest_plain.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mock5lib.game.board_compiled import RUNNING
from mock5lib.game.kit import rules_of_game


class Plain:
    """Positions of one game, with the same rules.

    Attributes:
        games: an array of them, of any shape; or one game, as one position.
        kind: its class. options: what its `rules` say, as text.
    """

    def __init__(self, games: Any, kind: type, options: str, looks_ahead: bool):
        self.games, self.kind, self.options, self.looks_ahead = games, kind, options, looks_ahead

    height = property(lambda self: self.games.flat[0].height)
    width = property(lambda self: self.games.flat[0].width)

    @property
    def boards(self) -> np.ndarray:
        """The stones, (B, H * W) int8."""
        return np.array([game.board for game in self.games], np.int8)

    @property
    def counts(self) -> np.ndarray:
        """Moves played, and who moves: (B, 2) int32."""
        return np.array([(len(game.history), game.player) for game in self.games], np.int32)

    def recent(self, moves: int) -> np.ndarray:
        """The last moves, latest first, −1 for none or for one that is no point: (B, moves) int16."""
        points = self.height * self.width
        found = np.full((len(self.games), moves), -1, np.int16)
        for row, game in zip(found, self.games):
            last = [move if move < points else -1 for move in game.history[: -moves - 1 : -1]]
            row[: len(last)] = last
        return found

    def identity(self) -> tuple:
        """Equal for equal positions, however the game has come to them."""
        return tuple(self.games.board), self.games.player, tuple(self.games.legal_moves())

    def of(self, games: Any) -> Plain:
        """Other positions of the same game."""
        return Plain(games, self.kind, self.options, self.looks_ahead)

    def chosen(self, where) -> Plain:
        """Some of the positions, or one; a slice shares its games, all other choices are copies."""
        found = self.games[where]
        if isinstance(found, np.ndarray) and not isinstance(where, slice):
            found = in_array([game.copy() for game in found.flat])
        return self.of(found)

    def put(self, where, new: Plain) -> None:
        """Put copies of other positions in the place of some."""
        which = np.arange(len(self.games))[where]
        for number, game in zip(which.flat, np.broadcast_to(new.games, which.shape).flat):  # no two share a game
            self.games[number] = game.copy()


def plain_of(games) -> Plain:
    """Copies of games with the same rules as positions; they have been through `check_kit`."""
    first = games[0]
    options = repr(rules_of_game(first).options)
    if any(repr(rules_of_game(game).options) != options for game in games):
        raise ValueError("Games taken together must share board and rules, and there must be some.")
    looks_ahead = bool(getattr(first, "looks_ahead", False))
    return Plain(in_array([game.copy() for game in games]), type(first), options, looks_ahead)


def in_array(games: list) -> np.ndarray:
    """Games as an array of objects, (B,)."""
    array = np.empty(len(games), object)
    for number, game in enumerate(games):
        array[number] = game
    return array


# Kernels of others, in plain Python -----------------------------------------------------------------------------


def winner_in(game) -> int:
    """RUNNING (−1), 0 for a draw, 1 or 2."""
    return RUNNING if game.winner is None else game.winner


def place_moves(positions: Plain, histories, plies, winners, games, moves) -> None:
    """As `lockstep_compiled.place_moves`: play moves[i] in games[i]; one that is not legal loses the game."""
    for number, move in zip(games.tolist(), moves.tolist()):
        game = positions.games[number]
        if move not in game.legal_moves():
            winners[number] = 3 - game.player
            continue
        game.apply(move)
        histories[number, plies[number]] = move
        plies[number] += 1
        winners[number] = winner_in(game)


def replayed(start, moves, first, where, maps, turns) -> np.ndarray:
    """As `records.play_up_to`: game number b after moves[first[b]:where[b]], turned by maps[turns[b]]."""
    games: list = []
    before = None  # (first, turn, where) of the game before
    for begin, end, turn in zip(first.tolist(), where.tolist(), turns.tolist()):
        game, done = start, begin
        if before is not None and before[:2] == (begin, turn) and before[2] <= end:
            game, done = games[-1], before[2]  # it goes on from there
        game = game.copy()
        for move in maps[turn, moves[done:end]].tolist():
            game.apply(move)
        games.append(game)
        before = begin, turn, end
    return in_array(games)


def first_wrong_game(start, moves, offsets, winners, forfeits) -> int:
    """As `records.first_wrong_game`: the number of the first game that is not as its record says, −1 for none."""
    for number, (said, forfeit) in enumerate(zip(winners.tolist(), forfeits.tolist())):
        game = start.copy()
        try:
            for move in moves[offsets[number] : offsets[number + 1]].tolist():
                game.apply(move)
        except (ValueError, IndexError, TypeError):
            return number
        if not (game.winner is None and 1 <= said <= 2 if forfeit else game.winner is not None and game.winner == said):
            return number
    return -1

"""Random games to the end, compiled: what searches play out with, by the type of the game."""

from __future__ import annotations

from collections.abc import Callable

from mock5lib.game.board import Mock5
from mock5lib.game.kernels import random_playout


def play_out_five(game: Mock5, state) -> int:
    """The winner of random moves from a running game, 0 for a draw; the game stays as it is."""
    return random_playout(game.cells, game.height, game.width, game.k, game.exact, game.player, state)


# Type of a game → a function as above; Go adds its own. A subclass may have other rules, so it is not meant.
PLAYOUTS: dict[type, Callable] = {Mock5: play_out_five}

"""What AlphaGo's nets, search and training must know of a game; `FIVE` is that of five in a row.

Another game brings a kit of its own, an object like `FIVE`. Its class says where, as `alphago = "module:object"`, and
so does the NamedTuple of its stacked positions. A net says its game in its name: see `nets.strong_policy`.
"""

from __future__ import annotations

import functools

import numpy as np

from mock5lib.alphago import planes
from mock5lib.alphago.planes import StonePlanes
from mock5lib.alphago.rollout_policy import FastPolicy
from mock5lib.base.plugins import thing_at
from mock5lib.game.board import Mock5
from mock5lib.game.encoders import Encoder
from mock5lib.game.five_compiled import Five
from mock5lib.game.kit import class_named


class Kit:
    """Five in a row's; the kit of another game is a subclass.

    Attributes:
        game: the name of the game's class, as its nets have it after their kind; "" for five in a row.
        name: the game in a sentence.
        planes48, planes49: what the strong policy and the value net see.
        fast_net: where the net of the fast policy is made: "module:function" of (height, width, reach, *, seed).
    """

    game, name = "", "five in a row"
    planes48: Encoder = planes.planes48
    planes49: Encoder = planes.planes49
    fast_net = "mock5lib.alphago.nets:fast_policy"

    def start(self, height: int, width: int):
        """The game at its start, on a board of this size."""
        return Mock5(height, width)

    def refuses(self, game) -> str:
        """Why the planes don't show a game of this kind, as the end of a sentence, or ""."""
        if game.k == 5 and not game.exact:
            return ""
        return f"plays five or more in a row, not {f'exactly {game.k}' if game.exact else game.k}"

    def fast_planes(self, net) -> Encoder:
        """What a fast policy's net sees."""
        return StonePlanes(net.layers[0].kernel_size[0] // 2)

    def fast_policy(self, net, name: str):
        """A fast policy's net as a policy that plays rollouts without Keras; a copy."""
        return FastPolicy(net.layers[0].kernel.numpy()[:, :, :, 0], name)

    def answers(self, games, points) -> list[int | None]:
        """The moves of a policy over points that has chosen a point in each game; None where none is empty."""
        return [int(point) if 0 in game.board else None for point, game in zip(points, games)]

    def log_priors(self, positions, planes: np.ndarray, log_policy: np.ndarray) -> np.ndarray:
        """Log-priors of all moves (B, A) from those of the points (B, H * W); planes: `planes49` of the positions."""
        return log_policy


FIVE = Kit()


def kit_of(thing) -> Kit | None:
    """The kit of a game or of stacked positions; None if the game has none."""
    return kit_of_class(type(thing))


@functools.cache
def kit_of_class(kind: type) -> Kit | None:
    """The kit that a class of games, or of positions, names."""
    if kind in (Mock5, Five):
        return FIVE
    place = getattr(kind, "alphago", None)
    return None if place is None else thing_at(place)


def kit_named(game: str) -> Kit:
    """The kit of a game by the name of its class, "" for five in a row. A ValueError if there is none."""
    kind = class_named(game) if game else Mock5
    kit = None if kind is None else kit_of_class(kind)
    if kit is None:
        raise ValueError(f"It is for {game}, a game that nobody has brought, or that AlphaGo's nets don't know.")
    return kit


def refusal(game, kit: Kit | None, board: tuple | None) -> str:
    """Why nets of a kit and for a board (None: any) can't play a game, as the end of a sentence, or ""."""
    own = kit_of(game)
    if own is None or kit not in (None, own):
        return f"is a net for {(kit or FIVE).name}, not for {type(game).__name__}"
    if why := own.refuses(game):
        return why
    if board is not None and tuple(board) != (game.height, game.width):
        return f"is a net for {board[0]}×{board[1]} boards, not for {game.height}×{game.width}"
    return ""

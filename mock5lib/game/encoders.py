"""Feature planes: a position as a stack of H × W planes for a net, seen by the player to move.

`three_planes` gives own stones, the opponent's stones and empty points. `history(n)` adds one plane for each of the
last n moves. Stones never move or leave a Gomoku board, so the last moves and the stones tell all earlier boards.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

import numpy as np

from mock5lib.base.arguments import whole
from mock5lib.base.compiled import compiled
from mock5lib.game.board import Mock5
from mock5lib.game.five_compiled import MAX_HISTORY
from mock5lib.game.kit import rules_of_game
from mock5lib.game.position_compiled import PLAYER, stack


class Encoder:
    """Turns positions into planes.

    Args:
        history: how many of the last moves get a plane each, 0 to 16, the latest first.

    Attributes:
        name: "planes3", or "planes3+last4" and so on; `by_name` makes the encoder again.
        channels: number of planes, 3 + history.
    """

    def __init__(self, history: int = 0):
        whole("history of an encoder", history, 0, MAX_HISTORY)
        self.history = history
        self.channels = 3 + history
        self.name = "planes3" + (f"+last{history}" if history else "")

    def __repr__(self) -> str:
        return f"encoders.by_name({self.name!r})"

    def encode(self, games) -> np.ndarray:
        """Planes (B, C, H, W), float32, of games with one board and rule, or of stacked positions."""
        positions = stack(games)
        shape = len(positions.counts), self.channels, positions.height, positions.width
        planes = np.empty(shape, dtype=np.float32)
        self.fill(positions, planes.reshape(*shape[:2], -1))
        return planes

    def fill(self, positions, planes: np.ndarray) -> None:
        """Write the planes of stacked positions, (B, C, H * W)."""
        players = positions.counts[:, PLAYER].astype(np.int8)
        fill_planes(positions.boards, players, self.recent(positions), planes)

    def recent(self, positions) -> np.ndarray:
        """The last moves of stacked positions, latest first, −1 for none: (B, history) int16."""
        if not self.history:
            return np.zeros((len(positions.counts), 0), np.int16)
        if not hasattr(positions, "recent"):
            raise TypeError(f"{self.name} shows the last moves, which a {type(positions).__name__} does not tell.")
        return positions.recent(self.history)


@compiled(nogil=True)
def fill_planes(boards, players, recent, planes):
    """Fill `planes`, shape (B, C, H * W): own, other, empty, then the last C − 3 moves."""
    for b in range(len(boards)):
        for plane in range(3):  # one after the other: each is a loop that the processor does many points at a time
            wanted = 0 if plane == 2 else players[b] if plane == 0 else 3 - players[b]
            for point in range(boards.shape[1]):
                planes[b, plane, point] = boards[b, point] == wanted
        for ago in range(planes.shape[1] - 3):
            planes[b, 3 + ago] = 0
            if recent[b, ago] >= 0:
                planes[b, 3 + ago, recent[b, ago]] = 1


three_planes = Encoder()


# By name --------------------------------------------------------------------------------------------------------


def of_stones(name: str) -> Encoder | None:
    """The encoder of this name, None if there is none of this kind."""
    found = re.fullmatch(r"planes3(?:\+last(\d+))?", name)
    return Encoder(int(found[1] or 0)) if found else None


# How the names of a kind look → what makes such an encoder. A module with encoders of its own adds them here, and is
# named below: it is loaded when a name asks for an encoder that is not there yet.
ENCODERS: dict[str, Callable[[str], Encoder | None]] = {"'planes3' or 'planes3+lastN'": of_stones}
ELSEWHERE = ("mock5lib.alphago.planes",)


def by_name(name: str) -> Encoder:
    """The encoder of this name, as a checkpoint's card has it.

    Raises:
        ValueError: there is no such encoder.
    """
    encoder = among_known(name)
    if encoder is None:
        for module in ELSEWHERE:
            import_module(module)
        encoder = among_known(name)
    if encoder is None:
        raise ValueError(f"An encoder is named {' or '.join(ENCODERS)}, got {name!r}.")
    return encoder


def among_known(name: str) -> Encoder | None:
    """The encoder of this name in the modules that are loaded."""
    made = (make(name) for make in ENCODERS.values())
    return next((encoder for encoder in made if encoder is not None), None)


def history(moves: int) -> Encoder:
    """The encoder with one more plane for each of the last `moves` moves."""
    return Encoder(moves)


def not_learned(game, encoder, learned: dict) -> str:
    """Why a net can't play a game, as the end of a sentence, or "": it has learned another game, or another k.

    learned: the game as the card of its net says it; empty where nobody knows.
    """
    name, known = type(game).__name__, learned.get("game")
    if known is not None or "k" in learned:
        own = known or "k in a row"
        if (known or "Mock5") != name:
            return f"is a net for {own}, not for {name}"
        if known and learned.get("options") != rules_of_game(game).options:
            return f"has learned {name} with {learned.get('options')}, not with {rules_of_game(game).options}"
    k = learned.get("k")
    return f"has learned {k} in a row, not {game.k}" if k and type(game) is Mock5 and game.k != k else ""

"""What the check of AlphaGo's search lets it search: small games, nets that a seed makes, and the cases."""

from functools import lru_cache

import numpy as np

from mock5check.ch03.small_games import Misere, Nine, SmallGame

SURE = "sure"  # equal scores, and whoever is to move is sure to win
HALF, TINY, NEAR = "half", 1e-12, "near"  # kinds of a policy that is blind: at every other point, or nearly so
EXACT = "exact"  # scores of 1 to 4, and values in quarters: equal moves are equal to the last bit


@lru_cache(maxsize=100_000)
def _drawn(seed: tuple, kind: str, *arguments):
    """What a generator with this seed draws first."""
    return getattr(np.random.default_rng(seed), kind)(*arguments)


def _position(game) -> tuple:
    """What tells it from other positions of its game: the board, and in one game also who is to move."""
    return (*game.board, game.player) if isinstance(game, Heap) else tuple(game.board)


class Nets:
    """Three functions of a position that are fixed by a seed; they count how often they are asked, and of what."""

    def __init__(self, seed: int, blind: bool | str = False, sharp: float = 2.0):
        self.seed, self.blind, self.sharp = seed, blind, sharp
        self.asked = {"policy": 0, "value": 0, "rollout": 0}
        self.finished = None
        self.handed_out = {}  # board: the array, which is the policy's own, and what it held

    def _drawn(self, name: str, game, *how):
        self.asked[name] += 1
        if game.winner is not None:
            self.finished = name
        return _drawn((self.seed, len(name), *_position(game)), *how)

    def policy(self, game) -> np.ndarray:
        """A score for each point, taken ones too; all 0 if it is blind, every other one if it is half blind, tiny."""
        scores = np.exp(self.sharp * self._drawn("policy", game, "normal", 0, 1, len(game.board)))
        if self.blind == HALF:
            scores[::2] = 0.0
        elif self.blind == EXACT:
            scores = scores.argsort().argsort() % 4 + 1.0
        elif self.blind == SURE:
            scores = np.ones(len(game.board))
        elif self.blind == NEAR:
            scores = 1 + 1e-9 * scores.argsort().argsort()
        elif self.blind:
            scores *= TINY if self.blind == TINY else 0.0
        return self.handed_out.setdefault(_position(game), (scores, scores.copy()))[0]

    def spoiled(self) -> bool:
        """Has anybody written into an array that `policy` gave?"""
        return any(not np.array_equal(now, then) for now, then in self.handed_out.values())

    def value(self, game) -> float:
        """From −1 to 1, for the player to move."""
        value = float(self._drawn("value", game, "uniform", -1, 1))
        if self.blind == SURE:
            return 1.0
        return round(4 * value) / 4 if self.blind == EXACT else value

    def rollout(self, game) -> float:
        """1, 0 or −1 for the player to move."""
        return float(self._drawn("rollout", game, "integers", -1, 2))

    def functions(self) -> tuple:
        """The three, in the order of the call."""
        return self.policy, self.value, self.rollout


WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
ROWS = [
    tuple(4 * (row + k * down) + col + k * right for k in range(3))
    for row, col in np.ndindex(3, 4)
    for down, right in WAYS
    if row + 2 * down < 3 and 0 <= col + 2 * right < 4
]


class Wide(SmallGame):
    """Three in a row on 3 rows of 4 points, the last of which is never played."""

    points = 12

    def legal_moves(self) -> list:
        """The empty points but the last."""
        return [move for move in super().legal_moves() if move != 11]

    def judged(self, move: int) -> int | None:
        """The winner after `move`, 0 for a draw, None while the game goes on."""
        if any(move in row and all(self.board[p] == self.player for p in row) for row in ROWS):
            return self.player
        return None if 0 in self.board[:11] else 0


class Backwards(Nine):
    """Tic-tac-toe whose moves are listed from the last to the first."""

    def legal_moves(self) -> list:
        """The empty points, the greatest first."""
        return super().legal_moves()[::-1]


class Second(Nine):
    """Tic-tac-toe in which player 2 begins."""

    first = 2


class Heap(SmallGame):
    """Seven sticks: move 0 takes one, move 1 takes two, the last stick wins. A board says not who is to move."""

    points = 7

    def legal_moves(self) -> list:
        """What the sticks that are left allow."""
        return [] if self.winner is not None else [move for move in (0, 1) if self.board.count(0) > move]

    def _enter(self, move) -> None:
        if move not in self.legal_moves():
            raise ValueError(f"move {move} is not legal, only {self.legal_moves()}")
        for _ in range(move + 1):
            self.board[self.board.index(0)] = 1
        self.history.append(int(move))
        self.winner, self.player = None if 0 in self.board else self.player, 3 - self.player


NAMES = {
    Nine: "tic-tac-toe",
    Backwards: "tic-tac-toe that lists its legal moves from the last to the first",
    Second: "tic-tac-toe in which player 2 begins",
    Misere: "tic-tac-toe in which three in a row LOSE",
    Wide: "three in a row on 3 rows of 4 points, the last of which is never legal",
    Heap: "seven sticks, of which move 0 takes one and move 1 two (X is taken), and the last one wins",
}
LAST = (2, 1, 8, 0, 3, 4, 7, 6)  # eight moves, after which the ninth makes three in a row
CASES = [  # game, moves so far, simulations, λ, c, seed, blind
    (Nine, (), 1, 0.5, 2.0, 0, False),
    (Nine, (), 12, 0.0, 2.0, 1, False),
    (Nine, (4,), 12, 1.0, 2.0, 2, False),
    (Nine, (0, 4, 8), 40, 0.5, 1.0, 3, False),
    (Nine, (0, 4, 8, 2), 60, 0.25, 5.0, 4, False),
    (Nine, (0, 1, 3), 80, 0.5, 0.5, 5, False),
    (Misere, (0, 1, 3), 80, 0.5, 1.0, 6, False),
    (Misere, (0, 4, 1, 8, 5), 60, 0.75, 2.0, 7, False),
    (Wide, (5,), 40, 0.5, 1.5, 14, False),
    (Nine, (0, 4, 8, 2, 6, 3), 40, 0.5, 2.0, 8, True),
    (Nine, (0, 4, 8, 2, 6, 3, 5), 30, 0.5, 1.5, 9, False),
    (Misere, (4, 0), 120, 0.3, 3.0, 10, False),
    (Nine, (8,), 120, 0.9, 1.0, 11, False),
    (Nine, (4, 1), 12, 0.5, 2.0, 12, HALF),
    (Misere, (0, 4, 8), 60, 0.5, 1.0, 13, HALF),
    (Nine, (0, 4, 8), 40, 0.5, 1.0, 15, False),  # the fourth once more, with other nets; and in another game
    (Misere, (0, 4, 8), 40, 0.5, 1.0, 3, False),
    (Wide, (0, 1, 4, 6, 10), 80, 0.4, 2.0, 16, HALF),
    (Nine, (4, 1), 40, 0.5, 2.0, 17, TINY),
    (Nine, (4,), 30, 0.5, 0.0, 18, False),
    (Backwards, (4,), 40, 0.5, 2.0, 19, True),
    (Backwards, (4, 0), 30, 0.5, 0.0, 20, False),
    (Nine, (4,), 3, 0.0, 1.0, 23, NEAR),
    (Second, (0, 4, 8), 60, 0.5, 1.0, 21, False),
    (Nine, (4, 0), 200, 0.5, 0.3, 102, False),  # near ties: the fourth digit decides
    (Nine, (0, 4, 8, 2, 6, 3, 5, 1), 6, 0.5, 1.0, 22, False),
    *((Nine, (0, 4, 8, 2, 6), simulations, 0.0, 1.0, seed, EXACT) for seed, simulations in enumerate((9, 16, 25, 36))),
    *((Nine, (4, 0), simulations, 0.0, 2.0, seed, EXACT) for seed, simulations in enumerate((9, 30, 60))),
    (Nine, (0, 4, 8, 2, 6), 36, 0.0, 0.5, 27, EXACT),  # 1e-8 more, or single precision, decides between equals
    (Nine, (0, 4, 8, 2), 25, 0.0, 2.0, 31, EXACT),
    (Nine, (), 14, 0.0, 0.0, 30, SURE),  # all moves have a Q of −1 after nine simulations
    (Heap, (), 40, 0.25, 1.5, 28, False),  # the same board comes with either player to move
    (Heap, (1,), 25, 0.5, 1.0, 29, False),
    (Misere, LAST, 3, 0.5, 0.0, 24, False),  # the only move loses, and c is 0: a score of −1 is the best one
]

"""Small games of the course's contract, for what learns or searches, and an opponent."""

from __future__ import annotations

import numpy as np

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class SmallGame:
    """A game of the course's contract on a short board; moves are its points. A subclass says how it is judged."""

    points = 9
    starts = ((),)  # the moves that have been made when a game begins
    preset = 0  # stones that lie there at the start

    def __init__(self, history=()):
        self.board, self.history, self.player, self.winner = [0] * self.points, [], 1, None
        for move in history or ():
            self._enter(move)

    def legal_moves(self) -> list:
        """The empty points; none once the game is over."""
        return [] if self.winner is not None else [p for p, stone in enumerate(self.board) if stone == 0]

    def apply(self, move) -> None:
        """Play a move. ValueError if it is not legal."""
        self._enter(move)

    def _enter(self, move) -> None:
        if self.winner is not None or not 0 <= move < self.points or self.board[move]:
            raise ValueError(f"move {move} is not legal, only {self.legal_moves()}")
        self.board[move] = self.player
        self.history.append(int(move))
        self.winner, self.player = self.judged(int(move)), 3 - self.player

    def undo(self) -> None:
        """Take the last move back."""
        self.board[self.history.pop()] = 0
        self.player, self.winner = 3 - self.player, None

    def copy(self) -> SmallGame:
        """The same position, of its own."""
        return type(self)(history=self.history)

    def __str__(self) -> str:
        return " ".join(".XO"[stone] for stone in self.board)


class Nine(SmallGame):
    """Tic-tac-toe."""

    def judged(self, move: int) -> int | None:
        """The winner after `move`, 0 for a draw, None while the game goes on."""
        if any(move in line and all(self.board[p] == self.player for p in line) for line in LINES):
            return self.player
        return None if 0 in self.board else 0


class Reply(SmallGame):
    """Each takes one of five cards; player 1's decides what player 2's next one is worth, and what the others are."""

    points = 5
    right = (  # after these moves which card is right, and what it does
        ((0,), 1, "wins, and all others lose"),
        ((3,), 4, "wins, and all others lose"),
        ((1,), 2, "wins, and all others draw"),
        ((2,), 3, "draws, and all others lose"),
        ((4,), 0, "draws, and all others lose"),
    )

    def judged(self, move: int) -> int | None:
        """Player 2 wins, draws or loses with its card."""
        if len(self.history) < 2:
            return None
        first, second = self.history
        special, other = {1: (2, 0), 2: (0, 1), 4: (0, 1)}.get(first, (2, 1))
        return special if second == (first + 1) % 5 else other


class Lamps(SmallGame):
    """A stone of each player lies there at the start; whose lies where says which card wins for player 1, at once."""

    points, preset = 7, 2
    cards = {(0, 6): 1, (6, 0): 2, (1, 5): 3, (1, 2): 4, (5, 0): 6}
    starts = tuple(cards)
    right = tuple((start, card, "wins, and all others lose") for start, card in cards.items())

    def judged(self, move: int) -> int | None:
        """Player 1 wins with the one card, and loses with all others."""
        if len(self.history) <= self.preset:
            return None
        return 1 if move == self.cards[tuple(self.history[:2])] else 2


class Gamble(SmallGame):
    """Card 0 is a sure draw; with the others the reply decides, and they lose three times of five."""

    points = 6
    right = (((), 0, "draws, and all others win two games of five"),)

    def judged(self, move: int) -> int | None:
        """Decided by the two cards."""
        if len(self.history) < 2:
            return None
        first, second = self.history
        return 0 if first == 0 else 1 if (second - first) % 6 in (1, 2) else 2


class Opponent:
    """Completes three in a row where it can, else plays at random. `opened` counts the games that it began.

    said: its moves, each after the moves before it.
    """

    def __init__(self, seed: int):
        self.rng, self.opened, self.said = np.random.default_rng(seed), 0, []

    def __call__(self, game) -> int:
        moves = game.legal_moves()
        self.opened += len(game.history) == game.preset
        if isinstance(game, Nine):
            moves = [move for move in moves if _makes_three(game, move)] or moves
        move = int(moves[int(self.rng.integers(len(moves)))])
        self.said.append([*game.history, move])
        return move


def _makes_three(game, move: int) -> bool:
    board, player = game.board, game.player
    return any(move in line and all(p == move or board[p] == player for p in line) for line in LINES)


def play_out(game, policy, opponent, color: int, rng) -> int:
    """Play a game to its end, `policy` as `color`, its moves sampled; returns its result, 1, 0 or −1."""
    while game.winner is None:
        if game.player == color:
            chances = policy(game)
            game.apply(int(rng.choice(len(chances), p=chances / chances.sum())))
        else:
            game.apply(opponent(game))
    return 0 if game.winner == 0 else 1 if game.winner == color else -1

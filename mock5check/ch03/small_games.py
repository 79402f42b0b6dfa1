"""Four small games for the check of a whole REINFORCE, and fixed opponents for them."""

from __future__ import annotations

import numpy as np

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
RANKS = (2, 0, 4, 1, 3)  # what the cards are worth; nobody says so but the results


class SmallGame:
    """A game of the course's contract on a short board; moves are its points. A subclass says how it is judged.

    `ledger` is shared by all copies: games started and moves made.
    """

    points = 9

    def __init__(self, ledger: dict | None = None, history=()):
        self.board, self.history, self.player, self.winner = [0] * self.points, [], 1, None
        self.ledger = {"started": 0, "applied": 0} if ledger is None else ledger
        for move in history:
            self._enter(move)

    def legal_moves(self) -> list:
        """The empty points; none once the game is over."""
        return [] if self.winner is not None else [p for p, stone in enumerate(self.board) if stone == 0]

    def apply(self, move) -> None:
        """Play a move. ValueError if it is not legal."""
        self._enter(move)
        self.ledger["applied"] += 1

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
        return type(self)(self.ledger, self.history)

    def __str__(self) -> str:
        return " ".join(".XO"[stone] for stone in self.board)


class Nine(SmallGame):
    """Tic-tac-toe."""

    def judged(self, move: int) -> int | None:
        """The winner after `move`, 0 for a draw, None while the game goes on."""
        if any(move in line and all(self.board[p] == self.player for p in line) for line in LINES):
            return self.won_by(self.player)
        return None if 0 in self.board else 0

    def won_by(self, player: int) -> int:
        """Who wins if this player makes three in a row."""
        return player


class Misere(Nine):
    """Whoever makes three in a row LOSES."""

    def won_by(self, player: int) -> int:
        return 3 - player


class Cards(SmallGame):
    """Each takes one of five cards that lie face down; the higher one wins."""

    points = 5

    def judged(self, move: int) -> int | None:
        if len(self.history) < 2:
            return None
        first, second = self.history
        return 1 if RANKS[first] > RANKS[second] else 2


class Follow(SmallGame):
    """Five cards in a circle: player 2 wins with the card that follows player 1's, and with no other."""

    points = 5

    def judged(self, move: int) -> int | None:
        if len(self.history) < 2:
            return None
        first, second = self.history
        return 2 if second == (first + 1) % 5 else 1


class Opponent:
    """Completes three in a row where it can if that wins, and avoids it if that loses; else plays at random.

    `opened` counts the games that it began.
    """

    def __init__(self, seed: int):
        self.rng, self.opened = np.random.default_rng(seed), 0

    def __call__(self, game) -> int:
        moves = game.legal_moves()
        self.opened += not game.history
        if isinstance(game, Nine):
            rows = [move for move in moves if _makes_three(game, move)]
            wanted = [m for m in moves if m not in rows] if isinstance(game, Misere) else rows
            moves = wanted or moves
        return int(moves[int(self.rng.integers(len(moves)))])


def _makes_three(game, move: int) -> bool:
    board, player = game.board, game.player
    return any(move in line and all(p == move or board[p] == player for p in line) for line in LINES)


def play_out(game, policy, opponent, colour: int, rng) -> int:
    """Play a game to its end, `policy` as `colour`, its moves sampled; returns its result, 1, 0 or −1."""
    while game.winner is None:
        if game.player == colour:
            chances = policy(game)
            game.apply(int(rng.choice(len(chances), p=chances / chances.sum())))
        else:
            game.apply(opponent(game))
    return 0 if game.winner == 0 else 1 if game.winner == colour else -1

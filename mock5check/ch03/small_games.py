"""Six small games for the check of a whole REINFORCE, and fixed opponents for them."""

from __future__ import annotations

from itertools import permutations

import numpy as np

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
RANKS = (2, 0, 4, 1, 3)  # what the cards are worth; nobody says so but the results


def new_ledger() -> dict:
    """Games started, moves made, and moves made where the opponent had said another."""
    return {"started": 0, "applied": 0, "unplayed": 0}


class SmallGame:
    """A game of the course's contract on a short board; moves are its points. A subclass says how it is judged.

    `ledger` is shared by all copies. `asked` is the move that the opponent has given here, until one is made.
    """

    points = 9
    first = 1  # the player who begins
    preset = 0  # stones that lie there at the start

    def __init__(self, ledger: dict | None = None, history=()):
        self.board, self.history, self.player, self.winner = [0] * self.points, [], self.first, None
        self.ledger, self.asked = new_ledger() if ledger is None else ledger, None
        for move in history:
            self._enter(move)

    def legal_moves(self) -> list:
        """The empty points; none once the game is over."""
        return [] if self.winner is not None else [p for p, stone in enumerate(self.board) if stone == 0]

    def apply(self, move) -> None:
        """Play a move. ValueError if it is not legal."""
        self._enter(move)
        self.ledger["applied"] += 1
        self.ledger["unplayed"] += self.asked not in (None, move)
        self.asked = None

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


class Truce(SmallGame):
    """Six cards; player 1 draws with one of them and loses with the others, whatever player 2 takes."""

    points, best, idea, note = 6, 3, "always draws, and every other loses", ""
    result = {True: 0, False: 2}

    def judged(self, move: int) -> int | None:
        taken = self.history[self.preset :]
        return self.result[taken[0] == self.best] if len(taken) == 2 else None


class Bonus(Truce):
    """Player 1 wins with one of six cards and draws with the others. A stone of player 2 lies on a seventh point."""

    points, first, preset = 7, 2, 1
    best, idea = 1, "always wins, and every other draws"
    note = " (One stone lies there from the start: whose turn it is says `game.player`, not the number of stones.)"
    result = {True: 1, False: 0}

    def __init__(self, ledger=None, history=()):
        super().__init__(ledger, history or [self.points - 1])


class LateTruce(Truce):
    """The same for player 2, with four cards."""

    points, best, games = 4, 2, 2000

    def judged(self, move: int) -> int | None:
        return {True: 0, False: 1}[self.history[1] == self.best] if len(self.history) == 2 else None


class LateBonus(LateTruce):
    """Player 2 wins with one of four cards and draws with the others."""

    best, idea = 1, "always wins, and every other draws"

    def judged(self, move: int) -> int | None:
        return {True: 2, False: 0}[self.history[1] == self.best] if len(self.history) == 2 else None


class Gamble(SmallGame):
    """Four cards; player 1 draws with card 0, and with card 1 wins against two of the three replies; else it loses."""

    points, best, games = 4, 1, 2000
    idea = "wins against two of the three replies; number 0 always draws, and every other loses"

    def judged(self, move: int) -> int | None:
        if len(self.history) < 2:
            return None
        first, second = self.history
        return 0 if first == 0 else 1 if first == 1 and second in (2, 3) else 2


class Refuge(Gamble):
    """The same with six cards: card 1 wins against two of the FIVE replies only, so that the draw is better."""

    points, best, games = 6, 0, 3000
    idea = "always draws; number 1 wins against two of the five replies only, and every other loses"


class LateGamble(SmallGame):
    """Five cards, three moves; player 2 draws with card 1, and with card 2 wins unless player 1 then takes card 1."""

    points, best, games = 5, 2, 4000
    idea = "wins in two of three games; number 1 always draws, and every other loses"

    def judged(self, move: int) -> int | None:
        if len(self.history) < 3:
            return None
        _, second, third = self.history
        return 0 if second == 1 else 2 if second == 2 and self.wins(third) else 1

    def wins(self, third: int) -> bool:
        """Does player 2's card 2 win after player 1's second card?"""
        return third != 1


class LateRefuge(LateGamble):
    """The same, where card 2 wins ONLY if player 1 then takes card 1, so that the draw is better."""

    best, idea = 1, "always draws; number 2 wins in one of three games only, and every other loses"

    def wins(self, third: int) -> bool:
        """Does player 2's card 2 win after player 1's second card?"""
        return third == 1


class Riddle(SmallGame):
    """Nine points with four stones; player 1 is to move, and one point wins at once, while all others lose.

    Which one it is follows from the stones alone. The positions come in pairs that names with a mistake (a sum, powers
    of 2, a mirror image, the stones of one side) can't tell apart, though each one's point is empty in the other, too.
    """

    preset = 4
    right = {
        (0, 5, 2, 6): 1,
        (6, 2, 8, 3): 7,
        (0, 4, 1, 5): 2,
        (0, 4, 3, 7): 6,
        (0, 1, 4, 6): 8,
        (4, 0, 6, 7): 2,
        (0, 1, 3, 4): 6,
        (2, 1, 5, 4): 8,
        (0, 3, 1, 4): 2,
        (4, 0, 5, 6): 3,
        (0, 1, 3, 7): 6,
        (0, 1, 8, 2): 4,
        (1, 0, 4, 2): 7,
        (4, 0, 5, 2): 3,
    }

    def __init__(self, ledger=None, history=()):
        if not history:  # each position twice running, so that a player of either colour meets it
            history = list(self.right)[(ledger["started"] - 1) // 2 % len(self.right)]
        super().__init__(ledger, history)

    def judged(self, move: int) -> int | None:
        if len(self.history) <= self.preset:
            return None
        return 1 if self.right[tuple(self.history[: self.preset])] == move else 2


class Opponent:
    """Completes three in a row where it can if that wins, and avoids it if that loses; else plays at random.

    `opened` counts the games that it began.
    """

    def __init__(self, seed: int):
        self.rng, self.opened = np.random.default_rng(seed), 0

    def __call__(self, game) -> int:
        moves = game.legal_moves()
        self.opened += len(game.history) == game.preset
        if isinstance(game, Nine):
            rows = [move for move in moves if _makes_three(game, move)]
            wanted = [m for m in moves if m not in rows] if isinstance(game, Misere) else rows
            moves = wanted or moves
        game.asked = int(moves[int(self.rng.integers(len(moves)))])
        return game.asked


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


def alike_but_for(what: str) -> list:
    """Pairs of histories of four moves on nine points, player 1 to move, that differ in one thing.

    what: "colours" (the stones exchanged), "own" (player 1's first stone elsewhere) or "other" (player 2's).
    """
    pairs = []
    for a, b, c, d in permutations(range(9), 4):
        if a < c and b < d:
            free = next(p for p in range(9) if p not in (a, b, c, d))
            changed = {"colours": (b, a, d, c), "own": (free, b, c, d), "other": (a, free, c, d)}[what]
            pairs.append(((a, b, c, d), changed))
    return pairs

"""The search of lumiknit, "18. 8th Attempt: MCTS with Networks" (2022), re-created with its defects to compare with.

One leaf at a time, one Python object for each node, 225 slots for its children whether they exist or not. What is
wrong with it (each is a trap of chapter 05):
- A game that is over backs up 1 for whoever moved last, so a draw counts as a win.
- A finished position never joins the path of its simulation: its visits stay 1, and the most visited move is another.
- The expert's value is for the player to move, the 1 of a finished game for the player who moved: one sign is wrong.
- The first visit to a finished position is scored by the expert instead of by the rules.
"""

from __future__ import annotations

import numpy as np


class PublishedNode:
    """Visits n, value sum w and prior of a position, the expert's policy in it, and a slot for each move."""

    def __init__(self, prior: float, policy: np.ndarray, value: float, visits: int, points: int):
        self.prior, self.policy, self.w, self.n = prior, policy, value, visits
        self.children: list[PublishedNode | None] = [None] * points


class PublishedSearch:
    """One tree for one game.

    Args:
        game: the position to search from, a `Mock5`.
        expert: a function from a game to (probabilities (A,), value).
        rng: for the small random numbers that break ties.
        c: weight of the exploration term.
    """

    def __init__(self, game, expert, rng: np.random.Generator, c: float = 1.4):
        self.game, self.expert, self.rng, self.c = game.copy(), expert, rng, c
        self.points = game.height * game.width
        policy, value = expert(self.game)
        self.root = PublishedNode(1.0, policy, value, 0, self.points)

    def choose(self, node: PublishedNode) -> int:
        """The empty point of the highest w/n + c·P·√(log(1 + N) / (1 + n))."""
        best, best_score = None, -np.inf
        for move in range(self.points):
            if self.game.board[move] == 0:
                child = node.children[move]
                if child is None:
                    score = self.c * node.policy[move] * np.sqrt(np.log(1 + node.n))
                else:
                    score = child.w / child.n + self.c * child.prior * np.sqrt(np.log(1 + node.n) / (1 + child.n))
                score += self.rng.uniform() * 0.0001
                if score > best_score:
                    best, best_score = move, score
        return best

    def explore(self) -> None:
        """One iteration."""
        path, node, depth = [], self.root, len(self.game.history)
        while node is not None:
            winner = self.game.check_win()
            if winner is not None:
                break
            move = self.choose(node)
            path.append(node)
            node = node.children[move]
            self.game.apply(move)
        if winner is not None:
            value = 1.0
        else:
            policy, value = self.expert(self.game)
            path[-1].children[move] = PublishedNode(path[-1].policy[move], policy, value, 1, self.points)
        for node in reversed(path):
            value = -value
            node.n += 1
            node.w += value
        while len(self.game.history) > depth:
            self.game.undo()

    def decide(self, iterations: int) -> int:
        """The most visited move after so many iterations."""
        for _ in range(iterations):
            self.explore()
        visits = [child.n if child is not None else -1 for child in self.root.children]
        return int(np.argmax(visits))

"""Is an agent unbeatable? It plays first against every defense, and every line is followed to its end.

The agent is deterministic: a fixed number of simulations from a fresh tree, no noise, equal moves by index. Positions
that are equal by a symmetry of the board are looked at once, in one chosen orientation. The agent's moves there are a
whole strategy: if no line fails, nobody can beat whoever plays them.

Where the player to move can win at once, or must block a threat, its search looks at no other moves
(`forced_moves`), so none is run there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game import symmetry
from mock5lib.game.board import Mock5
from mock5lib.game.five_compiled import mark_wins
from mock5lib.game.position_compiled import PLAYER, PLY, chosen
from mock5lib.search.forest_compiled import Forest


@dataclass
class Proof:
    """What came of playing against every defense.

    Attributes:
        positions: in which the agent was to move, up to symmetry. searched: of them, how many took a search.
        replies: of the defender, tried in all of them. won, drawn, lost: lines that ended so, for the agent.
        longest_win: moves of both sides in the longest line that was won.
        complete: whether every line was followed to its end; False where `cap` stopped it.
        failures: the moves of lines that were not won, at most 100 of them.
    """

    positions: int = 0
    searched: int = 0
    replies: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    longest_win: int = 0
    complete: bool = True
    failures: list[list[int]] = field(default_factory=list)

    # Whether every defense was tried and every line won.
    unbeatable = property(lambda self: self.complete and self.drawn + self.lost == 0)

    @property
    def counts(self) -> str:
        """What was tried so far, and how it ended."""
        return (
            f"{self.positions} positions up to symmetry ({self.searched} searched), {self.replies} replies tried: "
            f"{self.won} lines won, {self.drawn} drawn, {self.lost} lost"
        )

    def __str__(self) -> str:
        found = self.counts
        if not self.complete:
            return f"{found}; stopped at the cap, so this is no proof."
        ending = f"the longest win takes {self.longest_win} moves"
        if self.unbeatable:
            return f"{found}; {ending}. No defense holds: as first player the agent is unbeatable."
        return f"{found}; {ending}. {self.drawn + self.lost} lines were not won."


def prove(
    expert: Callable,
    game: Mock5,
    simulations: int = 100,
    *,
    cap: int = 200_000,
    batch: int = 256,
    book: dict[bytes, int] | None = None,
    say: Callable = lambda text: None,
    **options,
) -> Proof:
    """Play an agent from `game`, where it is to move, against every defense.

    Args:
        expert: as in `search.forest_compiled`. simulations, options: of its search (`forced_moves` is on).
        cap: positions after which to stop. batch: positions searched side by side.
        book: gets each move that was searched, by the bytes of its board in the chosen orientation.
        say: gets a line of text for each pair of moves.
    """
    tree = Defenses(game, expert, simulations, batch, {} if book is None else book, options)
    proof = tree.proof
    while len(tree.boards) and proof.complete:
        left, depth = cap - proof.positions, int((tree.boards[0] != 0).sum())
        if len(tree.boards) > left:
            tree.boards, tree.lines, proof.complete = tree.boards[:left], tree.lines[:left], False
        tree.next_pair()
        say(f"after {depth} stones: {proof.counts}")
    return proof


class Defenses:
    """The positions of one depth in which the agent is to move, and the way to the next depth.

    Attributes:
        boards: (n, A) int8, each in its chosen orientation, none twice. lines: the moves that led to each.
    """

    def __init__(self, game: Mock5, expert, simulations: int, batch: int, book: dict[bytes, int], options: dict):
        self.rules = (game.height, game.width, game.k, game.exact)
        self.player, self.expert, self.simulations, self.book = game.player, expert, simulations, book
        self.forest = Forest(batch, *self.rules, nodes=simulations + 2, **{**options, "forced_moves": True})
        self.goes_to = symmetry.index_maps(game.height, game.width)
        self.comes_from = np.argsort(self.goes_to, axis=1)
        self.proof = Proof()
        self.boards, self.lines = self.distinct(game.cells[None].copy(), [list(game.history)])

    def distinct(self, boards, lines) -> tuple[np.ndarray, list[list[int]]]:
        """Boards and lines turned into the orientation whose bytes come first; each position once."""
        kept: dict[bytes, list[int]] = {}
        for views, line in zip(boards[:, self.comes_from], lines):
            first, turn = min((view.tobytes(), turn) for turn, view in enumerate(views))
            if first not in kept:
                kept[first] = self.goes_to[turn][line].tolist()
        array = np.frombuffer(b"".join(kept), dtype=np.int8).reshape(-1, len(self.goes_to[0]))
        return array, list(kept.values())

    def next_pair(self) -> None:
        """The agent moves in every position, then the defender in every way; what is undecided comes next."""
        proof, other = self.proof, 3 - self.player
        proof.positions += len(self.boards)
        at_once = winning_points(self.boards, self.player, *self.rules).any(axis=1)
        if at_once.any():
            proof.won += int(at_once.sum())
            proof.longest_win = max(proof.longest_win, int((self.boards[0] != 0).sum()) + 1)
        boards, going = self.boards[~at_once].copy(), np.flatnonzero(~at_once)
        moves = self.agent_moves(boards)
        boards[np.arange(len(boards)), moves] = self.player
        lines = [self.lines[n] + [int(move)] for n, move in zip(going, moves)]
        left = (boards == 0).sum(axis=1)
        proof.drawn += int((left == 0).sum())
        failed = [lines[n] for n in np.flatnonzero(left == 0)]
        defeats = winning_points(boards, other, *self.rules)
        nodes, replies = np.nonzero((boards == 0) & ~defeats)
        proof.lost += int(defeats.sum())
        proof.replies += len(nodes) + int(defeats.sum())
        failed += [lines[n] + [int(defeats[n].argmax())] for n in np.flatnonzero(defeats.any(axis=1))]
        after = boards[nodes]
        after[np.arange(len(after)), replies] = other
        lines = [lines[n] + [int(reply)] for n, reply in zip(nodes, replies)]
        full = left[nodes] == 1
        proof.drawn += int(full.sum())
        failed += [lines[n] for n in np.flatnonzero(full)]
        proof.failures += failed[: 100 - len(proof.failures)]
        self.boards, self.lines = self.distinct(after[~full], [lines[n] for n in np.flatnonzero(~full)])

    def agent_moves(self, boards) -> np.ndarray:
        """The agent's move in each position (n, A), in none of which it wins at once: a block, or a fresh search's."""
        threats = winning_points(boards, 3 - self.player, *self.rules)
        moves = threats.argmax(axis=1)
        free = np.flatnonzero(~threats.any(axis=1))
        self.proof.searched += len(free)
        for start in range(0, len(free), self.forest.games):
            lot = free[start : start + self.forest.games]
            which, positions = np.arange(len(lot)), chosen(self.forest.start, np.zeros_like(lot))
            positions.board[:], positions.counts[:, PLAYER] = boards[lot], self.player
            positions.counts[:, PLY] = np.count_nonzero(boards[lot], axis=1)
            self.forest.reset(positions, which)
            self.forest.search(self.expert, np.where(np.arange(self.forest.games) < len(lot), self.simulations, 0))
            moves[lot] = self.forest.best_moves()[which]
            self.book.update((boards[n].tobytes(), int(moves[n])) for n in lot)
        return moves


@compiled
def winning_points(boards, player, height, width, k, exact):
    """Where a stone of `player` would win at once: (n, A) bool."""
    masks = np.zeros(boards.shape, dtype=np.bool_)
    for n in range(len(boards)):
        mark_wins(boards[n], height, width, k, exact, player, masks[n])
    return masks

"""UCT one phase at a time, each told in a sentence: for drawing, and for stepping through by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from mock5lib.search.uct import (
    SQRT2,
    Node,
    UCTOptions,
    backup,
    check_budget,
    check_running,
    expand,
    player_into,
    random_moves,
    select,
    take_back,
    ucb1,
)


@dataclass
class Step:
    """What one phase of a simulation did, for showing.

    Attributes:
        phase: "select", "expand", "simulate" or "backup".
        simulation: number of the simulation, from 1.
        root: the tree as it is now (it goes on growing).
        path: nodes from the root to where the phase ended.
        new_node: the node just added, if any.
        playout: the random moves of this simulation's playout, once it has been played.
        result: the winner of the playout (0 for a draw), once it is known.
        text: one sentence that says what happened.
    """

    phase: str
    simulation: int
    root: Node
    path: list[Node]
    text: str
    new_node: Node | None = None
    playout: list = field(default_factory=list)
    result: int | None = None


def uct_steps(game, simulations: int = 100, c: float = SQRT2, rng=None) -> Iterator[Step]:
    """UCT from `game`, one phase at a time: yields a `Step` after each. `game` is left as it is.

    Args:
        rng: for the random draws: a `numpy.random.Generator`, a seed, or None.

    Raises:
        ValueError: the game is over, or `simulations` is below 1.
    """
    check_budget(simulations, None)
    UCTOptions(c)  # checks it
    check_running(game)
    return _steps(game.copy(), simulations, c, np.random.default_rng(rng))


def _steps(game, simulations: int, c: float, rng: np.random.Generator) -> Iterator[Step]:
    root = Node(game)
    for number in range(1, simulations + 1):
        node = select(root, game, c)
        yield Step("select", number, root, path_to(node), _select_text(node, c))
        leaf = expand(node, game, rng)
        new = leaf if leaf is not node else None
        yield Step("expand", number, root, path_to(leaf), _expand_text(leaf, new), new)
        moves = random_moves(game, rng)
        winner = game.winner
        yield Step("simulate", number, root, path_to(leaf), _simulate_text(moves, winner), new, moves, winner)
        for _ in moves:
            game.undo()
        backup(leaf, winner)
        take_back(leaf, root, game)
        yield Step("backup", number, root, path_to(leaf), _backup_text(leaf, winner), new, moves, winner)


def path_to(node: Node) -> list[Node]:
    """The nodes from the root down to `node`."""
    path = [node]
    while path[-1].parent is not None:
        path.append(path[-1].parent)
    return path[::-1]


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _select_text(node: Node, c: float) -> str:
    end = f"{_count(len(node.untried), 'move')} untried" if node.untried else "the game is over there"
    if node.parent is None:
        return f"Select: stay at the root, {end}."
    scores = [f"{n.move} ({n.wins:g}/{n.visits}, UCB {ucb1(n, n.parent.visits, c):.2f})" for n in path_to(node)[1:]]
    return f"Select: the greatest UCB leads down by move {', then '.join(scores)}; {end}."


def _expand_text(leaf: Node, new: Node | None) -> str:
    if new is None:
        return "Expand: nothing to add, the game is over at this node."
    left = _count(len(new.parent.untried), "move")
    return f"Expand: player {new.parent.player} tries move {new.move} for the first time; {left} untried at its parent."


def _winner_text(winner: int) -> str:
    return f"player {winner} wins" if winner else "a draw"


def _simulate_text(moves: list, winner: int) -> str:
    if not moves:
        return f"Simulate: no playout needed, the rules say {_winner_text(winner)}."
    return f"Simulate: {_count(len(moves), 'random move')} to the end: {_winner_text(winner)}."


def _backup_text(leaf: Node, winner: int) -> str:
    path, now = path_to(leaf), f"the leaf now has {leaf.wins:g}/{leaf.visits}"
    nodes = "the root gets" if len(path) == 1 else f"{len(path)} nodes on the path get"
    if winner == 0:
        return f"Back up: {nodes} a visit and a score of ½ each; {now}."
    gained = sum(player_into(node) == winner for node in path)
    if gained == 0:
        return f"Back up: {nodes} a visit and a score of 0, since player {winner} moved into none of them; {now}."
    return f"Back up: {nodes} a visit, and the {gained} that player {winner} moved into also a score of 1; {now}."

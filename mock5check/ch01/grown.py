"""Trees that the checks grow, and words for the places in them."""

from math import sqrt

import numpy as np

from mock5lib import Mock5
from mock5lib.search.uct import Node, run_simulation, simulate


def grown_tree(history=(), simulations: int = 60, seed: int = 0) -> tuple:
    """Tic-tac-toe after `history`, and its tree after so many simulations: (root, game)."""
    game, rng = Mock5(3, 3, k=3, history=list(history)), np.random.default_rng(seed)
    root = Node(game)
    for _ in range(simulations):
        run_simulation(root, game, sqrt(2), rng, lambda position: simulate(position, rng))
    return root, game


def places(root: Node) -> dict:
    """{moves from the root: node} of every node. It goes from the root down, as a wrong answer may have cut parents."""
    found, waiting = {}, [((), root)]
    while waiting:
        moves, node = waiting.pop()
        found[moves] = node
        waiting += [((*moves, child.move), child) for child in node.children]
    return found


def deepest(root: Node) -> tuple:
    """The moves to a node as far down as any."""
    return max(places(root), key=len)


def position_in_words(history) -> str:
    """A position, given by the moves that led to it."""
    return f"the position after moves {list(history)}" if len(history) else "the empty board"


def in_words(moves) -> str:
    """The place of a node, given by the moves from the root down to it."""
    return f"the node after moves {list(moves)}" if moves else "the root"

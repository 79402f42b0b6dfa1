"""Trees that the checks grow, and words for the places in them."""

from math import sqrt

import numpy as np

from mock5lib import Mock5
from mock5lib.search.uct.tree import Node, run_simulation, simulate


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


def statistics(root: Node) -> dict:
    """{moves from the root: (visits, wins)} of every node."""
    return {moves: (node.visits, node.wins) for moves, node in places(root).items()}


def in_words(moves) -> str:
    """The place of a node, given by the moves from the root down to it."""
    return f"the node after moves {list(moves)}" if moves else "the root"


def capital(text: str) -> str:
    """The text with a great first letter."""
    return text[0].upper() + text[1:]


def moved_into(node: Node) -> int:
    """Who moved into the node; at the root the player who is not to move there."""
    return node.parent.player if node.parent else 3 - node.player


def points(winner: int, player: int) -> float:
    """What a result is worth to a player: 1 for a win, 1/2 for a draw, 0 for a loss."""
    return 0.5 if winner == 0 else float(winner == player)


def links(tree: dict) -> list:
    """[(parent, visits, wins, player, children, untried, move)]: all that could be changed in the nodes of a tree."""
    return [(n.parent, n.visits, n.wins, n.player, list(n.children), list(n.untried), n.move) for n in tree.values()]


LINKS = ("parent", "visits", "wins", "player", "children", "untried", "move")  # the order of `links`


def changed_link(tree: dict, before: list, apart=()) -> tuple | None:
    """(moves to the first node that differs from what `links(tree)` was, the attribute that differs), or None."""
    for moves, was, now in zip(tree, before, links(tree)):
        for name, old, new in zip(LINKS, was, now):
            if (moves, name) not in apart and old != new:
                return moves, name
    return None

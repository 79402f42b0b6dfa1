"""What the reader of chapter 1 types: the formula and three of the four steps. Each is declared by our version."""

import math

import numpy as np

from mock5check.answers import Changes, Facts, show
from mock5check.ch01.grown import deepest, grown_tree, in_words, places, position_in_words
from mock5check.ch01.small import snapshot, what_changed
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5lib import Mock5
from mock5lib.search.uct import Node

SQRT2 = math.sqrt(2)


def score(winner, player):
    """As the chapter has it: 1 for a win, 1/2 for a draw, 0 for a loss."""
    return 0.5 if winner == 0 else float(winner == player)


def children(rng):
    """(w, v, visits of the parent, c)"""
    yield from ((6, 10, 15), (3, 4, 15), (0, 1, 15), (0.5, 1, 1), (6, 10, 15, 0), (6, 10, 15, 1.0), (3, 4, 15, 0.3))
    for v, more, c in zip(rng.integers(1, 40, 30), rng.integers(0, 40, 30), rng.integers(0, 16, 30)):
        yield int(rng.integers(0, 2 * v + 1)) / 2, int(v), int(v + more), int(c) / 4


@exercise(cases=children, why="It's w/v + c · √( ln(the parent's visits) / v ).")
def uct_value(w, v, parent_visits, c=SQRT2):
    """Average score plus a bonus for a move that we know little about."""
    return w / v + c * math.sqrt(math.log(parent_visits) / v)


def best_child(node, c):
    """As the chapter has it: the child with the highest UCT value."""
    return max(node.children, key=lambda child: uct_value.solution(child.wins, child.visits, node.visits, c))


def trees():
    """(root, game): trees of many sizes, one of them of a game that is over."""
    over = [0, 3, 1, 4, 8, 5]
    starts = ([], 0), (over, 3), ([0, 4, 8], 4), ([], 30), ([0, 4, 8], 40), ([4], 90)
    for number, (history, simulations) in enumerate(starts):
        yield grown_tree(history, simulations, seed=number)


def walks(rng):
    """(root, game, c)"""
    for root, game in trees():
        yield from ((root, game, c) for c in (0.0, SQRT2, 4.0))


def place_of(root, node, word: str) -> str:
    """The name of a node of this tree."""
    if node is None:
        raise Refused(f"It returned nothing. Is a `return` missing? The answer is the {word}.")
    found = [moves for moves, other in places(root).items() if other is node]
    return in_words(found[0]) if found else f"{show(node)}, which is not a node of the tree"


def walked(solution, root, game, c):
    before, start = snapshot(root), len(game.history)
    node = solution(root, game, c)
    found = {"the node returned": place_of(root, node, "node where the walk ends")}
    found["moves played on `game`"] = str(game.history[start:])
    return Changes(found | {name: f"{value}" for name, value in snapshot(root).items() if before.get(name) != value})


@exercise(
    cases=walks,
    observe=walked,
    may_change=(0, 1),
    call=lambda root, game, c: (
        f"select(root, game, {c:.3g}), where the root has {root.visits} visits and is {position_in_words(game.history)}"
    ),
    why="Go on to best_child(node, c) for as long as the node has children and no untried moves, and play each move on "
    "`game`.",
)
def select(node, game, c):
    """Walk down through fully expanded nodes; `game` follows."""
    while not node.untried and node.children:
        node = best_child(node, c)
        game.apply(node.move)
    return node


def nodes_to_expand(rng):
    """(root, game, moves from the root to a node, seed)"""
    for root, game in trees():
        for moves in {(), deepest(root)}:
            node = places(root)[moves]
            if node.untried or not node.children:  # where a walk ends; further up nobody expands
                yield from ((root, game, moves, seed) for seed in range(3))


def expanded(solution, root, game, moves, seed):
    """What came back, and what has become of the node and of the game."""
    for move in moves:
        game.apply(move)
    node, start = places(root)[moves], len(game.history)
    known = list(node.children)
    answer = solution(node, game, np.random.default_rng(seed))
    new = [child for child in node.children if child not in known]
    facts = {
        "it returned": "the node" if answer is node else "the new child" if answer in new else _stranger(answer),
        "new nodes in node.children": len(new),
        "node.untried": list(node.untried),
        "moves played on `game`": game.history[start:],
    }
    for child in new[:1] or [answer] * _is_node(answer) * (answer is not node):
        facts |= {
            "child.move": show(child.move),
            "child.parent": "the node" if child.parent is node else show(child.parent),
            "child.player": child.player,
            "child.untried": list(child.untried),
            "child.visits": child.visits,
        }
    return Facts(facts)


def _stranger(answer) -> str:
    """What came back in place of the node or its new child."""
    return "a node that isn't in node.children" if _is_node(answer) else show(answer)


def _is_node(answer) -> bool:
    """Is it a node, of the package or of the chapter?"""
    return all(hasattr(answer, name) for name in ("move", "parent", "player", "untried", "visits"))


@exercise(
    cases=nodes_to_expand,
    observe=expanded,
    may_change=(0, 1, 2),
    call=lambda root, game, moves, seed: (
        f"expand(node, game, np.random.default_rng({seed})), where node is {in_words(moves)}, "
        f"and the root is {position_in_words(game.history)}"
    ),
    why="Take the untried move at the index rng.integers(len(node.untried)) out of the list, play it, and add a Node "
    "for it to the children.",
    shows={"move": "the move to take"},
)
def expand(node, game, rng):
    """Add a child for one untried move."""
    if not node.untried:
        return node
    move = node.untried.pop(int(rng.integers(len(node.untried))))
    game.apply(move)
    child = Node(game, move, parent=node)
    node.children.append(child)
    return child


def draw_worth_nothing(winner, player):
    return float(winner == player)


def leaves(rng):
    """(root, moves from it to the leaf, winner, score)"""
    yield from ((Node(Mock5(3, 3, k=3)), (), winner, score) for winner in (2, 1, 0))
    for root, _ in list(trees())[2:]:
        lines = list(places(root))
        for moves in [deepest(root), (), *(lines[i] for i in rng.integers(0, len(lines), 3))]:
            yield from ((root, moves, winner, score) for winner in (1, 2, 0))
            yield root, moves, 0, draw_worth_nothing


def entered(solution, root, leaf, winner, score):
    return what_changed(lambda node, winner: solution(node, winner, score), root, leaf, winner)


@exercise(
    cases=leaves,
    observe=entered,
    may_change=(0,),
    call=lambda root, leaf, winner, score: (
        f"backup(node, {winner}{', draw_worth_nothing' if score is draw_worth_nothing else ''}), "
        f"where node is {in_words(leaf)}"
    ),
    why="Every node from the leaf up to the root gets one visit, and score(winner, the player who moved into it).",
    shows={"moved_into": "the players who moved into the nodes, from the leaf up"},
)
def backup(node, winner, score=score):
    """Enter a result into every node from here up to the root."""
    while node is not None:
        moved_into = node.parent.player if node.parent else 3 - node.player
        node.visits += 1
        node.wins += score(winner, moved_into)
        node = node.parent

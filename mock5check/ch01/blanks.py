"""What the reader of chapter 1 types: the formula and three of the four steps. Each is declared by our version."""

import math

import numpy as np

from mock5check.answers import show
from mock5check.ch01.grown import deepest, grown_tree, in_words, places
from mock5check.ch01.small import snapshot, what_changed
from mock5check.core import Refused
from mock5check.spec import exercise
from mock5lib import Mock5
from mock5lib.search.uct import Node, best_child

SQRT2 = math.sqrt(2)


def score(winner, player):
    """As the chapter has it: 1 for a win, 1/2 for a draw, 0 for a loss."""
    return 0.5 if winner == 0 else float(winner == player)


def children(rng):
    """(w, v, visits of the parent, c)"""
    yield from ((6, 10, 15), (3, 4, 15), (0, 1, 15), (0.5, 1, 1), (6, 10, 15, 0), (6, 10, 15, 1.0), (3, 4, 15, 0.3))
    for v, more, c in zip(rng.integers(1, 40, 30), rng.integers(0, 40, 30), rng.integers(0, 16, 30)):
        yield int(rng.integers(0, 2 * v + 1)) / 2, int(v), int(v + more), int(c) / 4


@exercise(cases=children, why="The average w/v, plus c times the root of ln(the parent's visits) / v.")
def uct_value(w, v, parent_visits, c=SQRT2):
    """Average score plus a bonus for a move that we know little about."""
    return w / v + c * math.sqrt(math.log(parent_visits) / v)


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
        raise Refused(f"It returned nothing. Is a `return` missing? Wanted is the {word}.")
    found = [moves for moves, other in places(root).items() if other is node]
    return in_words(found[0]) if found else "a node outside of the tree"


def walked(solution, root, game, c):
    before, start = snapshot(root), len(game.history)
    node = solution(root, game, c)
    found = {"what it returned": place_of(root, node, "node where the walk ends")}
    found["the game went on with"] = str(game.history[start:])
    return found | {name: f"now {value}" for name, value in snapshot(root).items() if before.get(name) != value}


@exercise(
    cases=walks,
    observe=walked,
    may_change=(0, 1),
    call=lambda root, game, c: f"select(root, game, {c:.3g}), after {root.visits} simulations from {game.history}",
    why="On to best_child(node, c) as long as nothing is untried and there are children; `game` plays each move.",
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
        yield from ((root, game, moves, seed) for moves in {(), deepest(root)} for seed in range(3))


def expanded(solution, root, game, moves, seed):
    """What came back, and what has become of the node and of the game."""
    for move in moves:
        game.apply(move)
    node, start = places(root)[moves], len(game.history)
    known = list(node.children)
    answer = solution(node, game, np.random.default_rng(seed))
    new = [child for child in node.children if child not in known]
    facts = {
        "what it returned": "the node" if answer is node else "the new child" if answer in new else show(answer),
        "new children": len(new),
        "still untried": list(node.untried),
        "the game went on with": game.history[start:],
    }
    for child in new[:1]:
        facts |= {
            "its move": child.move,
            "its parent": "the node" if child.parent is node else show(child.parent),
            "who moves at the child": child.player,
            "untried at the child": list(child.untried),
            "visits of the child": child.visits,
        }
    return facts


@exercise(
    cases=nodes_to_expand,
    observe=expanded,
    may_change=(0, 1, 2),
    call=lambda root, game, moves, seed: (
        f"expand(node, game, np.random.default_rng({seed})), where node is {in_words(moves)} from {game.history}"
    ),
    why="The untried move at rng.integers(how many are untried) is taken out and played; its Node joins the children.",
    shows={"move": "the move"},
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
        f"where node comes after moves {list(leaf)} from the root"
    ),
    why="Each node from the leaf to the root gets a visit, and score(winner, who moved into it).",
    shows={"moved_into": "the players who moved into the nodes, from the leaf up"},
)
def backup(node, winner, score=score):
    """Enter a result into every node from here up to the root."""
    while node is not None:
        moved_into = node.parent.player if node.parent else 3 - node.player
        node.visits += 1
        node.wins += score(winner, moved_into)
        node = node.parent

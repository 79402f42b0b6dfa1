"""What a forest has found in one of its games: a `SearchResult`, and the tree as objects that can be read and drawn."""

from __future__ import annotations

import numpy as np

from mock5lib.search.puct.arrays import EXACT, EXPANDED
from mock5lib.search.puct.tree import SearchNode
from mock5lib.search.result import SearchResult


class ForestResult(SearchResult):
    """A `SearchResult` that also has:

    improved: softmax(log-prior + σ(completed q)), (A,): the policy target of a Gumbel root.
    full: whether the tree ran out of nodes, so that fewer simulations were run than asked for.
    """

    def __init__(self, *arguments, improved, full, **options):
        super().__init__(*arguments, **options)
        self.improved, self.full = improved, full


def tree_of(nodes: np.ndarray, player: int) -> SearchNode:
    """The nodes (n,) NODE of one tree as objects; `player` moves at the root."""
    made: list[SearchNode] = []
    for record in nodes:
        parent = made[record["parent"]] if record["parent"] >= 0 else None
        mover = 3 - parent.player if parent else player
        move = int(record["move"]) if record["move"] >= 0 else None
        node = SearchNode(mover, move, parent, float(record["prior"]))
        node.visits, node.value_sum = int(record["visits"]), float(record["value_sum"])
        node.value, node.exact = float(record["value"]), bool(record["state"] == EXACT)
        node.priors = {} if record["state"] == EXPANDED else None
        if parent:
            parent.children[node.move] = node
            parent.priors[node.move] = node.prior
        made.append(node)
    return made[0]

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


class TreeRecord:
    """The nodes of one tree, (nodes,) NODE; called, it builds them as objects."""

    def __init__(self, nodes: np.ndarray, player: int):
        self.nodes, self.player = nodes, player

    def __call__(self) -> SearchNode:
        made: list[SearchNode] = []
        for record in self.nodes:
            parent = made[record["parent"]] if record["parent"] >= 0 else None
            player = 3 - parent.player if parent else self.player
            move = int(record["move"]) if record["move"] >= 0 else None
            node = SearchNode(player, move, parent, float(record["prior"]))
            node.visits, node.value_sum = int(record["visits"]), float(record["value_sum"])
            node.value, node.exact = float(record["value"]), bool(record["state"] == EXACT)
            node.priors = {} if record["state"] == EXPANDED else None
            if parent:
                parent.children[node.move] = node
                parent.priors[node.move] = node.prior
            made.append(node)
        return made[0]


def policies_of(visits: np.ndarray, temperature) -> np.ndarray:
    """visits^(1/temperature), normalised, (G, A) float64; see `Forest.policies`."""
    temperature = np.broadcast_to(np.asarray(temperature, dtype=np.float64), len(visits))[:, None]
    if not (temperature >= 0).all():
        raise ValueError(f"temperature must be at least 0, got {temperature.min()}.")
    share = visits / np.maximum(visits.max(axis=1, keepdims=True), 1)
    with np.errstate(divide="ignore"):  # log 0 is minus infinity, and its weight 0
        weights = np.where(temperature > 0, np.exp(np.log(share) / np.maximum(temperature, 1e-300)), share == 1)
    return weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)

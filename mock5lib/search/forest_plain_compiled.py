"""A forest for games without compiled answers: trees are walked by machine code, and the moves played in Python.

The walk from the root to a leaf asks no game, only the tree. So machine code walks down all trees that want one more
leaf; Python plays each walk's moves on a copy of the root's game and looks at where it ends; and the next call settles
that and walks on. What stands in the trees is the same as after `puct_compiled.py` and `trees_compiled.py`, whose
functions of these names these replace.
"""

from __future__ import annotations

import numpy as np

from mock5lib.base.compiled import compiled
from mock5lib.game.board_compiled import RUNNING
from mock5lib.game.kit import twice_in_a_row
from mock5lib.game.plain import Plain, winner_in
from mock5lib.search.gumbel_compiled import considered_slot
from mock5lib.search.puct import look_one_ply_ahead
from mock5lib.search.puct_compiled import back_up, choose_slot, open_child
from mock5lib.search.trees_compiled import EXACT, EXPANDED, NEW, move_root

WALK = np.dtype(
    [
        ("value", np.float64),  # of where it ended, for the player to move there, NaN if the expert must say
        ("node", np.int32),  # where it ended; or, if `opens`, the parent of the node to be
        ("plies", np.int32),  # moves from the root, in the game's row of `paths`
        ("opens", np.bool_),  # whether the last move opens a new node
        ("waits", np.bool_),  # for Python to look at the position
    ],
    align=True,
)


def select_leaves(t, roots: Plain, leaves: Plain, s) -> None:
    """As `puct_compiled.select_leaves`. A ValueError if a player moves twice in a row."""
    games = len(t.games)
    walks, paths = np.zeros(games, WALK), np.zeros((games, t.nodes.shape[1]), np.int16)
    t.games["waiting"] = 0
    walk_on(t, walks, paths, s, True)
    while walks["waits"].any():
        for g in np.flatnonzero(walks["waits"]).tolist():
            row, game = int(t.games["waiting"][g]), roots.games[g].copy()
            plies, player = int(walks["plies"][g]), game.player
            for move in paths[g, :plies].tolist():
                game.apply(move)
            if game.player != (3 - player if plies % 2 else player):
                raise ValueError(twice_in_a_row(game))
            moves, walks["value"][g] = look_at(game, s.forced_moves)
            t.leaf_masks[g, row] = False
            t.leaf_masks[g, row, moves] = True
            leaves.games[g, row] = game
        walk_on(t, walks, paths, s, False)


def look_at(game, forced: bool) -> tuple[list[int], float]:
    """The moves worth a look, and the exact value of a position for the player to move; NaN if the expert must say."""
    if game.winner is not None:
        return [], 0.0 if game.winner == 0 else 1.0 if game.winner == game.player else -1.0
    moves, exact = look_one_ply_ahead(game) if forced else (game.legal_moves(), None)
    return moves, np.nan if exact is None else exact


@compiled(nogil=True)
def walk_on(t, walks, paths, s, begin):
    """Settle the walks that Python has looked at, and walk on in their trees until each waits again or is done."""
    for g in range(len(t.games)):
        walk, game = walks[g], t.games[g]
        if walk.waits:
            settle(t, g, walk)
        elif not begin:
            continue
        walk.waits, goes_on = False, True
        while (
            goes_on and not walk.waits and game.waiting < t.leaves.shape[1] and game.done + game.waiting < game.wanted
        ):
            goes_on = walk_down(t, g, walk, paths[g], s)


@compiled
def walk_down(t, g, walk, path, s):
    """One walk, as `puct_compiled.descend`. False if the search of this step ends with it."""
    nodes, game, index, depth = t.nodes[g], t.games[g], 0, 0
    while nodes[index].state == EXPANDED and depth < s.max_depth:
        node, edges = nodes[index], t.edges[g, index]
        slot = -1
        if index == 0 and s.considered > 0:
            slot = considered_slot(t, g, game.done + game.waiting, s)
        if slot < 0:
            slot = choose_slot(node, nodes, edges, s)
        path[depth] = edges[slot].move
        depth += 1
        if slot < node.opened:
            index = edges[slot].child
            continue
        if game.used == len(nodes):
            game.full = True
            game.wanted = game.done + game.waiting
            return False
        walk.node, walk.plies, walk.opens, walk.waits = index, depth, True, True
        return True
    if nodes[index].state != NEW:  # exact, or as deep as the tree may grow
        back_up(nodes, index, np.float64(nodes[index].value), 0)
        game.done += 1
        return True
    if index > 0 or nodes[0].pending > 0:
        return False
    walk.node, walk.plies, walk.opens, walk.waits = 0, 0, False, True  # the root itself, at its first look
    return True


@compiled
def settle(t, g, walk):
    """Enter what Python has seen at the end of a walk: an exact value is backed up, a leaf waits for the expert."""
    nodes, game, index = t.nodes[g], t.games[g], walk.node
    row, known = game.waiting, not np.isnan(walk.value)
    t.leaves[g, row].exact = 0
    if walk.opens:
        index = open_child(t, g, index, EXACT if known else NEW, walk.value)
        if known:
            back_up(nodes, index, walk.value, 0)
            game.done += 1
            return
    elif known:
        t.leaves[g, row].exact = np.int8(walk.value)
    t.leaves[g, row].node = index
    game.waiting += 1
    while index >= 0:
        nodes[index].pending += 1
        index = nodes[index].parent


def first_illegal(t, roots: Plain, moves) -> int:
    """As `trees_compiled.first_illegal`."""
    for g, move in enumerate(moves.tolist()):
        if move != -1 and (t.games["winner"][g] != RUNNING or move not in roots.games[g].legal_moves()):
            return g
    return -1


def advance_roots(t, roots: Plain, moves) -> None:
    """As `trees_compiled.advance_roots`."""
    for g, move in enumerate(moves.tolist()):
        if move >= 0:
            roots.games[g].apply(move)
            move_root(t, g, move, winner_in(roots.games[g]))

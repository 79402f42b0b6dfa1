"""A picture of a search tree (matplotlib): small boards, w/v below them, edges as wide as their share of visits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Circle, PathPatch
from matplotlib.path import Path

from mock5lib.show import geometry, palette
from mock5lib.show.boards import BoardText, bare_axes, draw_board, style

GAP = 0.55  # between neighbouring nodes, in boards
LEVEL = 2.3  # from one layer to the next, in boards
PATH_COLOUR = palette.OKABE_ITO["blue"]
WINS = "below each node: w/v, the score of the player who moved there, over the visits"
NEW_COLOUR = palette.OKABE_ITO["vermillion"]


class _Shown:
    """One node of the picture: a node of the tree, or a summary of the children that are not drawn."""

    def __init__(self, node, moves: tuple, depth: int, hidden: int = 0):
        self.node, self.moves, self.depth, self.hidden = node, moves, depth, hidden
        self.children: list[_Shown] = []
        self.parent: _Shown | None = None
        self.x = 0.0


def plot_tree(
    root,
    game=None,
    ax: Axes | None = None,
    *,
    path: Iterable | None = None,
    new_node=None,
    max_depth: int | None = None,
    max_children: int = 9,
    max_nodes: int = 24,
    title: str | None = None,
    caption: str | None = None,
    value: Callable | None = None,
    unit: float | None = None,
) -> Axes:
    """Draw a search tree, its most visited nodes first in line for a place.

    Args:
        root: a node with `move`, `player`, `children` (list or dict of nodes), `visits`, `wins`; or what a search
            found.
        game: the position at the root; with it every node of a board up to 5x5 is drawn as a small board. Default:
            that of the search, if it was on a board.
        caption: below the picture; default: what the nodes' texts mean. "" for none.
        path: nodes to highlight, root first. new_node: the node that was just added.
        max_depth, max_children, max_nodes: what does not fit is summarised as "+12 more".
        value: function from a node to the text below it; default: its `label()`, else `wins/visits`.
        unit: side of a node in inches; default: as large as fits the width of a page.

    Returns:
        The Axes.

    Raises:
        ValueError: if the search kept no tree.
    """
    if hasattr(root, "root"):
        game, root = root.game if game is None and hasattr(root.game, "height") else game, root.root
        if root is None:
            raise ValueError("This search kept no tree, so there is none to draw.")
    caption = getattr(root, "caption", WINS) if caption is None else caption
    path = list(path or [])
    must = {id(node) for node in path} | ({id(new_node)} if new_node is not None else set())
    tree = _choose_nodes(root, must, max_depth, max_children, max_nodes)
    _place_nodes(tree)
    shown = list(_walk(tree))
    height = 1 + max(node.depth for node in shown)
    left, right = min(n.x for n in shown), max(n.x for n in shown)
    small = hasattr(game, "height") and geometry.uses_cells(game.height, game.width)
    with style():
        if ax is None:
            unit = unit or min(0.72, 10.5 / (right - left + 2.0))
            spare = max(0.0, 5.4 / unit - (right - left + 2.0)) / 2  # room for title and caption of a narrow tree
            left, right = left - spare, right + spare
            tall = unit * ((height - 1) * LEVEL + 1.8) + (0.35 if title else 0) + (0.3 if caption else 0)
            _, ax = plt.subplots(figsize=(unit * (right - left + 2.0), tall), layout="constrained")
        bare_axes(ax, (left - 1.0, right + 1.0), ((height - 1) * LEVEL + 1.15, -0.65))
        on_path = _path_ids(path)
        text_of = value or getattr(type(root), "label", None) or wins_label
        for node in shown:
            for child in node.children:
                _draw_edge(ax, node, child, on_path, new_node, small)
        longest = max((len(text_of(n.node)) for n in shown if n.node is not None and n.depth), default=1)
        size = min(0.33, 2.3 / longest)  # a long text must not run into the neighbour's
        for node in shown:
            _draw_node(ax, node, game, small, on_path, new_node, text_of, size)
        if title:
            ax.set_title(title)
        if caption:
            ax.set_xlabel(caption, color=palette.QUIET, fontsize=8.5)
    return ax


def wins_label(node) -> str:
    """The text below a node of plain UCT: wins/visits."""
    return f"{geometry.number_text(node.wins)}/{node.visits}"


def children_of(node) -> list:
    """The child nodes in order of their moves, whether they are kept in a list or in a dict."""
    children = node.children.values() if hasattr(node.children, "values") else node.children
    return sorted(children, key=lambda child: _move_key(child.move))


def _move_key(move) -> tuple:
    return tuple(move) if isinstance(move, (tuple, list)) else (move,)


def _path_ids(path: Iterable) -> set[int]:
    return {id(node) for node in path}


def _choose_nodes(root, must: set[int], max_depth: int | None, max_children: int, max_nodes: int) -> _Shown:
    """The part of the tree to draw: repeatedly the most visited node whose parent is drawn already."""
    tree = _Shown(root, (), 0)
    frontier, count = _candidates(tree), 1
    while frontier:
        best = max(frontier, key=lambda c: (id(c.node) in must, c.node.visits, -c.depth))
        frontier.remove(best)
        forced = id(best.node) in must
        fits = count < max_nodes and len(best.parent.children) < max_children
        if not forced and (not fits or (max_depth is not None and best.depth > max_depth)):
            best.parent.hidden += 1
            continue
        best.parent.children.append(best)
        count += 1
        frontier += _candidates(best)
    for node in list(_walk(tree)):
        node.children.sort(key=lambda child: _move_key(child.node.move))
        if node.hidden and node.children:
            node.children.append(_Shown(None, node.moves, node.depth + 1, node.hidden))
            node.hidden = 0
    return tree


def _candidates(shown: _Shown) -> list[_Shown]:
    result = []
    for child in children_of(shown.node):
        candidate = _Shown(child, (*shown.moves, child.move), shown.depth + 1)
        candidate.parent = shown
        result.append(candidate)
    return result


def _walk(shown: _Shown) -> Iterator[_Shown]:
    yield shown
    for child in shown.children:
        yield from _walk(child)


def _place_nodes(tree: _Shown) -> None:
    """Tidy layered layout after Reingold and Tilford (1981): subtrees side by side as close as their contours allow."""
    _shift(tree, -_contours(tree)[0][0])


def _contours(shown: _Shown) -> tuple[list[float], list[float]]:
    """Lay out a subtree around x = 0 at its root; returns its left and right contour, one x per layer."""
    if not shown.children:
        shown.x = 0.0
        return [0.0], [0.0]
    step = 1.0 + GAP
    left, right = [], []
    for child in shown.children:
        child_left, child_right = _contours(child)
        offset = max((r + step - x for x, r in zip(child_left, right, strict=False)), default=0.0)
        _shift(child, offset)
        child_left, child_right = [x + offset for x in child_left], [x + offset for x in child_right]
        left = left + child_left[len(left) :]
        right = child_right + right[len(child_right) :]
    middle = (shown.children[0].x + shown.children[-1].x) / 2
    for child in shown.children:
        _shift(child, -middle)
    shown.x = 0.0
    return [0.0] + [x - middle for x in left], [0.0] + [x - middle for x in right]


def _shift(shown: _Shown, offset: float) -> None:
    for node in _walk(shown):
        node.x += offset


def _draw_edge(ax: Axes, parent: _Shown, child: _Shown, on_path: set[int], new_node, small: bool) -> None:
    x1, y1 = parent.x, parent.depth * LEVEL + (0.94 if small else 0.9)
    x2, y2 = child.x, child.depth * LEVEL - 0.48
    if child.node is None:
        _add_elbow(ax, x1, y1, x2, y2, palette.FAINT, 0.8, (0, (2, 2)), None)
        return
    share = child.node.visits / max(1, parent.node.visits)
    highlighted = id(parent.node) in on_path and id(child.node) in on_path
    fresh = child.node is new_node
    colour = NEW_COLOUR if fresh else PATH_COLOUR if highlighted else palette.EDGE
    width = 0.9 + 3.6 * share
    gid = "edge-" + "-".join(map(str, child.moves))
    _add_elbow(ax, x1, y1, x2, y2, colour, width, "-", gid, zorder=0.6 if highlighted or fresh else 0.4)
    ink = colour if highlighted or fresh else palette.QUIET
    if small:  # a disc shows its move inside
        beside = {"color": ink, "zorder": 0.9, "ha": "left"}  # of the edge
        ax.add_artist(BoardText(x2 + 0.14, y2 - 0.18, _move_text(child.node.move), 0.3, **beside))


def _add_elbow(
    ax: Axes,
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    colour: str,
    width: float,
    dashes: str | tuple,
    gid: str | None,
    zorder: float = 0.4,
) -> None:
    """Down to a level above the children, across, and down again, with rounded corners."""
    bus = y2 - 0.54
    turn = min(0.18, abs(x2 - x1) / 2, bus - y1)
    side = turn if x2 > x1 else -turn
    points = [(x1, y1), (x1, bus - turn), (x1, bus), (x1 + side, bus)]
    points += [(x2 - side, bus), (x2, bus), (x2, bus + turn), (x2, y2)]
    elbow = Path(points, [1, 2, 3, 3, 2, 3, 3, 2])
    patch = PathPatch(elbow, fill=False, ec=colour, lw=width, ls=dashes, capstyle="round", zorder=zorder)
    patch.set_gid(gid)
    ax.add_patch(patch)


def _move_text(move) -> str:
    return ",".join(map(str, move)) if isinstance(move, (tuple, list)) else str(move)


def _draw_node(
    ax: Axes, shown: _Shown, game, small: bool, on_path: set[int], new_node, text_of: Callable, size: float
) -> None:
    x, y = shown.x, shown.depth * LEVEL
    if shown.node is None:
        ax.add_artist(BoardText(x, y - 0.18, f"+{shown.hidden}\nmore", 0.3, color=palette.QUIET, linespacing=1.25))
        return
    fresh, highlighted = shown.node is new_node, id(shown.node) in on_path
    edge = NEW_COLOUR if fresh else PATH_COLOUR if highlighted else None
    gid = "node-" + "-".join(map(str, shown.moves))
    if small:
        _draw_small_board(ax, game, shown.moves, x, y, edge)
    else:
        _draw_disc(ax, shown, x, y, edge)
    ink = edge or palette.INK
    ax.add_artist(BoardText(x, y + 0.71, text_of(shown.node), size, color=ink, gid=gid))
    if shown.hidden:
        ax.add_artist(BoardText(x, y + 1.04, f"+{shown.hidden} more", 0.23, color=palette.QUIET))


def _draw_small_board(ax: Axes, game, moves: tuple, x: float, y: float, edge: str | None) -> None:
    position = game.copy()
    for move in moves:
        position.apply(move)
    side = max(position.height, position.width)
    cell = 1.0 / (side + 0.2)
    origin = (x - (position.width - 1) / 2 * cell, y - (position.height - 1) / 2 * cell)
    options = {"numbers": False, "last": bool(moves), "coordinates": False, "zorder": 1.0}
    draw_board(ax, position, origin=origin, cell=cell, edge=edge, edge_width=2.0 if edge else 0.8, **options)


def _draw_disc(ax: Axes, shown: _Shown, x: float, y: float, edge: str | None) -> None:
    """A node without a board: a stone in the colour of the player who moved into it (the root is plain)."""
    mover = 3 - shown.node.player if shown.moves else None
    face = palette.STONE_FACE.get(mover, palette.BOARD_FACE)
    disc = Circle((x, y), 0.44, fc=face, ec=edge or palette.STONE_EDGE[2], lw=2.4 if edge else 0.9, zorder=1)
    ax.add_patch(disc)
    if shown.moves:
        text = _move_text(shown.node.move)
        ax.add_artist(BoardText(x, y, text, 0.36 if len(text) < 3 else 0.28, color=palette.STONE_TEXT[mover], zorder=2))

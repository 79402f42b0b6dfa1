"""A picture of a search tree (matplotlib): small boards, w/v below them, edges as wide as their share of visits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Circle, PathPatch
from matplotlib.path import Path

from mock5lib.show import geometry, palette
from mock5lib.show.boards import BoardText, bare_axes, draw_board, style

GAP = 0.55  # between neighboring nodes, in boards
LEVEL = 2.3  # from one layer to the next, in boards
PATH_COLOR = palette.OKABE_ITO["blue"]
WINS = "below each node: w/v, the score of the player who moved there, over the visits"
NEW_COLOR = palette.OKABE_ITO["vermillion"]


class _Shown:
    """One node of the picture: a node of the tree, or a summary of the children that are not drawn."""

    def __init__(self, node, parent: _Shown | None = None, hidden: int = 0):
        self.node, self.parent, self.hidden = node, parent, hidden
        self.depth = parent.depth + 1 if parent else 0
        self.moves = (*parent.moves, node.move) if parent and node is not None else ()
        self.children: list[_Shown] = []
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
        max_depth, max_children, max_nodes: what does not fit is summarized as "+12 more".
        value: function from a node to the text below it; default: its `label()`, else `wins/visits`.
        unit: side of a node in inches; default: as large as fits the width of a page.

    Returns:
        The Axes.
    """
    if hasattr(root, "root"):
        game, root = root.game if game is None and hasattr(root.game, "height") else game, root.root
        if root is None:
            raise ValueError("This search kept no tree, so there is none to draw.")
    caption = getattr(root, "caption", WINS) if caption is None else caption
    path = list(path or [])
    must = {id(node) for node in path} | ({id(new_node)} if new_node is not None else set())
    tree = _choose_nodes(root, must, max_depth, max_children, max_nodes)
    _shift(tree, -_contours(tree)[0][0])
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
        on_path = {id(node) for node in path}
        text_of = value or getattr(type(root), "label", None) or wins_label
        longest = max((len(text_of(n.node)) for n in shown if n.node is not None and n.depth), default=1)
        size = min(0.33, 2.3 / longest)  # a long text must not run into the neighbor's
        for node in shown:
            if node.node is None:
                more = f"+{node.hidden}\nmore"
                place = node.x, node.depth * LEVEL - 0.18
                ax.add_artist(BoardText(*place, more, 0.3, color=palette.QUIET, linespacing=1.25))
                _draw_edge(ax, node.parent, node, None, small)
                continue
            fresh, chosen = node.node is new_node, id(node.node) in on_path
            color = NEW_COLOR if fresh else PATH_COLOR if chosen else None
            _draw_node(ax, node, game, small, color, text_of(node.node), size)
            if node.parent is not None:
                chosen = chosen and id(node.parent.node) in on_path
                color = NEW_COLOR if fresh else PATH_COLOR if chosen else None
                _draw_edge(ax, node.parent, node, color, small)
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


def _choose_nodes(root, must: set[int], max_depth: int | None, max_children: int, max_nodes: int) -> _Shown:
    """The part of the tree to draw: repeatedly the most visited node whose parent is drawn already."""
    tree = _Shown(root)
    drawn, waiting = [tree], _children(tree)
    while waiting:
        best = max(waiting, key=lambda c: (id(c.node) in must, c.node.visits, -c.depth))
        waiting.remove(best)
        fits = len(drawn) < max_nodes and len(best.parent.children) < max_children
        if id(best.node) in must or (fits and (max_depth is None or best.depth <= max_depth)):
            best.parent.children.append(best)
            drawn.append(best)
            waiting += _children(best)
        else:
            best.parent.hidden += 1
    for node in drawn:
        node.children.sort(key=lambda child: _move_key(child.node.move))
        if node.hidden and node.children:
            node.children.append(_Shown(None, node, node.hidden))
            node.hidden = 0
    return tree


def _children(parent: _Shown) -> list[_Shown]:
    return [_Shown(child, parent) for child in children_of(parent.node)]


def _walk(shown: _Shown) -> Iterator[_Shown]:
    yield shown
    for child in shown.children:
        yield from _walk(child)


def _contours(shown: _Shown) -> tuple[list[float], list[float]]:
    """Lay out a subtree around x = 0 at its root; returns its left and right contour, one x per layer.

    Subtrees stand side by side as close as their contours allow (Reingold and Tilford 1981).
    """
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


def _draw_edge(ax: Axes, parent: _Shown, child: _Shown, color: str | None, small: bool) -> None:
    """Down to a level above the children, across, and down again, with rounded corners."""
    x1, y1 = parent.x, parent.depth * LEVEL + (0.94 if small else 0.9)
    x2, y2 = child.x, child.depth * LEVEL - 0.48
    bus = y2 - 0.54
    turn = min(0.18, abs(x2 - x1) / 2, bus - y1)
    side = turn if x2 > x1 else -turn
    points = [(x1, y1), (x1, bus - turn), (x1, bus), (x1 + side, bus)]
    points += [(x2 - side, bus), (x2, bus), (x2, bus + turn), (x2, y2)]
    if child.node is None:
        look = {"ec": palette.FAINT, "lw": 0.8, "ls": (0, (2, 2)), "zorder": 0.4}
    else:
        width = 0.9 + 3.6 * child.node.visits / max(1, parent.node.visits)
        look = {"ec": color or palette.EDGE, "lw": width, "zorder": 0.6 if color else 0.4}
        look["gid"] = "edge-" + "-".join(map(str, child.moves))
    ax.add_patch(PathPatch(Path(points, [1, 2, 3, 3, 2, 3, 3, 2]), fill=False, capstyle="round", **look))
    if small and child.node is not None:  # a disc shows its move inside
        beside = {"color": color or palette.QUIET, "zorder": 0.9, "ha": "left"}  # of the edge
        ax.add_artist(BoardText(x2 + 0.14, y2 - 0.18, _move_text(child.node.move), 0.3, **beside))


def _move_text(move) -> str:
    return ",".join(map(str, move)) if isinstance(move, (tuple, list)) else str(move)


def _draw_node(ax: Axes, shown: _Shown, game, small: bool, color: str | None, text: str, size: float) -> None:
    x, y = shown.x, shown.depth * LEVEL
    if small:
        position = game.copy()
        for move in shown.moves:
            position.apply(move)
        cell = 1.0 / (max(position.height, position.width) + 0.2)
        origin = (x - (position.width - 1) / 2 * cell, y - (position.height - 1) / 2 * cell)
        edge = {"edge": color or palette.BOARD_EDGE, "edge_width": 2.0 if color else 0.8}
        last = bool(shown.moves)
        draw_board(ax, position, origin=origin, cell=cell, numbers=False, last=last, coordinates=False, **edge)
    else:  # a stone in the color of the player who moved into it; the root is plain
        mover = 3 - shown.node.player if shown.moves else None
        look = {"fc": palette.STONE_FACE.get(mover, palette.BOARD_FACE), "ec": color or palette.STONE_EDGE[2]}
        ax.add_patch(Circle((x, y), 0.44, lw=2.4 if color else 0.9, zorder=1, **look))
        if shown.moves:
            move, ink = _move_text(shown.node.move), palette.STONE_TEXT[mover]
            ax.add_artist(BoardText(x, y, move, 0.36 if len(move) < 3 else 0.28, color=ink, zorder=2))
    gid = "node-" + "-".join(map(str, shown.moves))
    ax.add_artist(BoardText(x, y + 0.71, text, size, color=color or palette.INK, gid=gid))
    if shown.hidden:
        ax.add_artist(BoardText(x, y + 1.04, f"+{shown.hidden} more", 0.23, color=palette.QUIET))

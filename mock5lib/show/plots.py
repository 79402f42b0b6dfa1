"""Pictures for the chapters: boards, policies, search trees, curves and bars (matplotlib).

Every function returns the Axes (or the Figure, where there are several), so a cell can assert on what was drawn.
Stones carry a gid such as `stone-12`, heat tiles `heat-12`, nodes of a tree `node-3-4` (the moves that lead there).
"""

from .boards import HEAT, SIGNED_HEAT, plot_board, plot_boards, plot_policy, style
from .curves import plot_bars, plot_curves, plot_uct_terms, uct_terms
from .tree import plot_tree

__all__ = [
    "HEAT",
    "SIGNED_HEAT",
    "plot_bars",
    "plot_board",
    "plot_boards",
    "plot_curves",
    "plot_policy",
    "plot_tree",
    "plot_uct_terms",
    "style",
    "uct_terms",
]

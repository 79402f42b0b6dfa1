"""Pictures (matplotlib, SVG) and widgets for notebooks.

All chapters look at their results with it; no chapter builds it.
"""

from mock5lib.base.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "boards": "HEAT SIGNED_HEAT headline plot_board plot_boards plot_policy style",
        "tree": "plot_tree",
        "curves": "plot_bars plot_curves plot_uct_terms uct_terms",
        "svg": "svg_board",
        "widgets.board": "BoardWidget",
        "widgets.play": "GameViewer PlayPanel",
        "widgets.steps": "FormulaSlider UCTStepper",
    },
)

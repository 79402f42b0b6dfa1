"""Pictures in matplotlib and SVG, and panels for notebooks: a board to play on, games and searches to step through.

Every chapter looks at its results with it; no chapter builds it.
"""

from mock5lib.base.imports import lazy_names

__all__, __getattr__, __dir__ = lazy_names(
    __name__,
    {
        "boards": "HEAT SIGNED_HEAT headline plot_board plot_boards plot_policy style",
        "tree": "plot_tree",
        "curves": "plot_bars plot_curves plot_run plot_timeline plot_uct_terms uct_terms",
        "ladder": "plot_cross_table plot_differences plot_ladder plot_narrow_ladder plot_strength_by_time",
        "svg": "svg_board",
        "widget": "BoardWidget",
        "play": "GameViewer PlayPanel",
        "steps": "FormulaSlider UCTStepper",
    },
)

"""Pictures and panels: matplotlib plots, an SVG board, widgets. Names load what they need when first used."""

from importlib import import_module

_HOME = {
    "plot_board": "plots",
    "plot_boards": "plots",
    "plot_policy": "plots",
    "plot_tree": "plots",
    "plot_curves": "plots",
    "plot_bars": "plots",
    "plot_uct_terms": "plots",
    "style": "plots",
    "svg_board": "svg",
    "BoardWidget": "board_widget",
    "PlayPanel": "panels",
    "GameViewer": "panels",
    "UCTStepper": "panels",
    "FormulaSlider": "panels",
}
__all__ = sorted(_HOME)


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError(f"module 'mock5lib.show' has no attribute {name!r}")
    return getattr(import_module(f".{_HOME[name]}", __name__), name)


def __dir__():
    return __all__

"""Panels for notebooks (ipywidgets, API of 7.7): play, look through games, take a search apart."""

from .play import GameViewer, PlayPanel
from .steps import FormulaSlider, UCTStepper

__all__ = ["FormulaSlider", "GameViewer", "PlayPanel", "UCTStepper"]

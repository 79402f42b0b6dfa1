"""Widgets for notebooks (ipywidgets, API of 7.7): the board, play, look through games, take a search apart.

All chapters use it; no chapter builds it.
"""

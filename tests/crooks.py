"""Agents that misbehave, for matches in which they play in processes of their own: those import this module."""

import os
import time
from functools import partial

from mock5lib import agents
from mock5lib.base import Recipe


def first_free(game):
    return game.legal_moves()[0]


def last_free(game):
    return game.legal_moves()[-1]


class Crook:
    """Plays the first free point, and `how` on its third turn of each game."""

    def __init__(self, how, seed):
        self.name, self.how = how, how

    def __call__(self, game):
        return first_free(game) if len(game.history) < 4 else getattr(self, self.how)(game)

    def stalls(self, game):
        while True:
            time.sleep(60)

    def dies(self, game):
        os._exit(7)

    def raises(self, game):
        raise RuntimeError("out of ideas")

    def strays(self, game):
        return -1

    def hides(self, game):
        return lambda: 0  # an answer that cannot be sent to another process


def crook(how):
    """The recipe of a crook."""
    return Recipe(how, partial(Crook, how))


def unborn(seed):
    raise ValueError("no weights here")


def heuristic(kind):
    """The recipe of a heuristic agent."""
    return Recipe(kind, partial(agents.by_name, kind))


def plain(function):
    """The recipe of a function."""
    return Recipe(function.__name__, partial(give, function))


def give(agent, seed):
    return agent

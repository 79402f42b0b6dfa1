"""For mypy (`make lint`), which reads it and never runs it: who meets which contract of `mock5lib.base.contract`."""

from mock5lib.base.contract import Agent, Game
from mock5lib.game.board import Mock5
from mock5lib.search.agent import SearchAgent
from mock5lib.search.uct import UCT
from mock5lib.search.uct_compiled import FastUCT


def games(five: Mock5) -> list[Game]:
    return [five]


def agents(uct: UCT, fast: FastUCT, expert: SearchAgent) -> list[Agent]:
    return [uct, fast, expert]

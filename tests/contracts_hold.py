"""For mypy (`make lint`), which reads it and never runs it: who meets which contract of `mock5lib.base.contract`."""

from mock5lib.base.contract import Agent, Deadline, Game, KeepsTree, ManyBoards, Searcher
from mock5lib.game.board import Mock5
from mock5lib.search.puct.agent import SearchAgent
from mock5lib.search.uct.compiled import FastUCT
from mock5lib.search.uct.tree import UCT


def games(five: Mock5) -> list[Game]:
    return [five]


def agents(uct: UCT, fast: FastUCT, expert: SearchAgent) -> list[Agent]:
    return [uct, fast, expert]


def many_boards(fast: FastUCT, expert: SearchAgent) -> list[ManyBoards]:
    return [fast, expert]


def searchers(uct: UCT, fast: FastUCT, expert: SearchAgent) -> list[Searcher]:
    return [uct, fast, expert]


def trees(uct: UCT, fast: FastUCT, expert: SearchAgent) -> list[KeepsTree]:
    return [uct, fast, expert]


def deadlines(uct: UCT, fast: FastUCT, expert: SearchAgent) -> list[Deadline]:
    return [uct, fast, expert]

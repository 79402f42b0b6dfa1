"""mock5lib: from plain UCT on tic-tac-toe to AlphaZero on five-in-a-row. The course's chapters build it.

    Mock5           a board: k in a row of any size, Mock5(9) or Mock5(15, 15, k=5)
    agent           an agent by its name: agent("uct:1000"), agent("alphazero@64")
    match           a match of two agents: print(match("greedy", "random", games=20, game=Mock5(9)))
    Tournament      all against all, kept in a folder, with ratings
    UCT, FastUCT    tree search with random playouts, readable and compiled
    SearchTree      tree search with a net, readable: chapter 5's PUCT
    SearchAgent     the same, compiled, for many games at once, as an agent
    load_agent      a stored net as an agent
    test_agents     whole games of two agents from the empty board, as a small table
    show.PlayPanel  a board in a notebook, against any agent

An agent and a game of your own are written after `mock5lib.base.contract`; `mock5lib.game.kit` says what nets and
matches ask of a game besides. `agents` are the hand-written ones, `env` is the board as an environment of PettingZoo.
`import mock5lib` brings the board alone; the other names load what they need when they are first used.
"""

from importlib import import_module

from mock5lib.base import VERSION
from mock5lib.base import imports as _import_order  # noqa: F401 - before any import of TensorFlow
from mock5lib.base import interrupts as _interrupts  # noqa: F401 - first: from here on the command hears Ctrl-C
from mock5lib.game.board import Mock5
from mock5lib.game.points import BLACK, EMPTY, WHITE

__version__ = VERSION

_ROOMS = ("alphago", "alphazero", "arena", "gomoku", "learn", "names", "nets", "search", "show")
_HOME = {
    **dict.fromkeys(("UCT", "FastUCT", "SearchTree", "SearchAgent"), "search"),
    "env": "environment",
    "agent": "names",
    "match": "arena",
    "Tournament": "arena",
    "test_agents": "gomoku",
    "load_agent": "nets",
}
__all__ = ["BLACK", "EMPTY", "WHITE", "Mock5"]


def __getattr__(name: str):
    if name in _ROOMS:
        return import_module(f"mock5lib.{name}")
    if name == "agents":  # the heuristics, as the chapters call them
        return import_module("mock5lib.gomoku")
    if name in _HOME:
        return getattr(import_module(f"mock5lib.{_HOME[name]}"), name)
    raise AttributeError(f"module 'mock5lib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, *_HOME, "agents"])


def _plot(self, **options):
    """Draw the board; the options are those of `mock5lib.show.plot_board`. Returns the Axes."""
    from mock5lib.show import plot_board

    return plot_board(self, **options)


Mock5.plot = _plot  # a name of the original package; the board itself draws nothing

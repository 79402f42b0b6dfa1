"""mock5lib: from plain UCT on tic-tac-toe to AlphaZero on five-in-a-row. The course's chapters build it.

`import mock5lib` brings the board alone; the other names load what they need when they are first used.
"""

from importlib import import_module

from mock5lib.game.board import BLACK, EMPTY, WHITE, Mock5

__version__ = "0.1.0"

_ROOMS = ("agents", "arena", "check", "env", "learn", "search", "show", "specs")
_HOME = {"match": "arena", "test_agents": "agents", "load_agent": "learn.checkpoints"}
__all__ = ["BLACK", "EMPTY", "WHITE", "Mock5"]


def __getattr__(name: str):
    if name in _ROOMS:
        return import_module(f"mock5lib.{name}")
    if name in _HOME:
        return getattr(import_module(f"mock5lib.{_HOME[name]}"), name)
    raise AttributeError(f"module 'mock5lib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, *_HOME])

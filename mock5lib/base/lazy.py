"""A room's names, each loaded when it is first used, so that importing the room brings no heavy library."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy_names(room: str, homes: dict[str, str]) -> tuple[list[str], Callable, Callable]:
    """What a room's `__init__` binds to `__all__`, `__getattr__` and `__dir__`.

    Args:
        room: the package, as in `__name__`.
        homes: module → the names it holds, separated by blanks.
    """
    where = {name: module for module, names in homes.items() for name in names.split()}

    def __getattr__(name: str) -> Any:
        if name in where:
            return getattr(import_module(f"{room}.{where[name]}"), name)
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return sorted(where), __getattr__, lambda: sorted(where)

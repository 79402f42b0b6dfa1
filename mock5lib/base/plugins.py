"""What a package beside this one brings, found by its metadata and never imported by name: `mock5go` brings Go.

[project.entry-points."mock5lib.games"]       the name of a game's class = "module:class", see `game.kit`
[project.entry-points."mock5lib.agents"]      the word of a kind of agents = "module:a names.Kind"
[project.entry-points."mock5lib.commands"]    the name of a group of commands = "module:a typer app"
"""

from __future__ import annotations

import functools
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

GAMES, AGENTS, COMMANDS = "mock5lib.games", "mock5lib.agents", "mock5lib.commands"


@functools.cache
def brought(group: str) -> dict[str, EntryPoint]:
    """The name of each thing of a group that an installed package brings, and where it is; `.load()` imports it."""
    return {one.name: one for one in entry_points(group=group)}


def thing_at(place: str) -> Any:
    """What a text such as "mock5go.records:GoRecords" names; a module, if it names no more."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)

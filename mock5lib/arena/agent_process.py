"""Agents by recipe, and an agent in a process of its own: it may stall or die, and only loses its game."""

from __future__ import annotations

import multiprocessing
import os
import threading
import weakref
from collections.abc import Callable
from typing import NamedTuple

from mock5lib.arena.side_by_side import too_late
from mock5lib.base.contract import AgentFailure, agent_name, moves_of
from mock5lib.base.interrupts import children_deaf_to_interrupts

START_SECONDS = 120.0  # to import libraries, load weights and compile kernels
GRACE_SECONDS = 0.5  # for the way there and back of a question


class Recipe(NamedTuple):
    """How to make an agent anew: what a match needs to give each part of it fresh agents, in any process.

    `make` is a function from a seed to an agent. For other processes it must be one that pickle can name: a function
    or class of a module, or a `functools.partial` of one.
    """

    name: str
    make: Callable[[int], object]


class AgentProcess:
    """The agent of a recipe in a process of its own; it looks like any agent.

    Args:
        recipe: what to make. seed: what to make it from.
        seconds: allowed for a move, None for no limit. Many boards asked at once have their seconds together. An agent
            that takes longer is ended, and made anew for the next question.

    A question that gets no answer raises `AgentFailure`; what the agent itself raises comes through.
    """

    own_clock = True  # a match leaves the time to it

    def __init__(self, recipe: Recipe, seed: int = 0, seconds: float | None = None):
        self.recipe, self.seed, self.seconds, self.name = recipe, seed, seconds, recipe.name
        self._process = self._pipe = self._end = None

    def __call__(self, game):
        return self._ask([game], together=False)[0]

    def moves(self, games) -> list:
        """The agent's answers to many boards: by its own `moves` where it has one."""
        return self._ask(list(games), together=True)

    def close(self) -> None:
        """End the process."""
        if self._end is not None:
            self._end()
        self._process = self._pipe = self._end = None

    def _ask(self, games: list, together: bool) -> list:
        if not games:
            return []
        if self._process is None or not self._process.is_alive():
            self._start()
        limit = None if self.seconds is None else self.seconds * len(games) + GRACE_SECONDS
        try:
            self._pipe.send((together, games))
            return self._answer(limit, too_late(self.seconds))
        except OSError:
            raise self._death() from None

    def _answer(self, limit: float | None, late: AgentFailure) -> list:
        """What the process sends next; else raises `late`, or tells of its death."""
        try:
            if not self._pipe.poll(limit):
                self.close()
                raise late
            answer = self._pipe.recv()
        except (EOFError, OSError):
            raise self._death() from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _start(self) -> None:
        self.close()
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(self.recipe, self.seed, theirs), daemon=True)
        with children_deaf_to_interrupts():
            self._process.start()
        theirs.close()
        self._end = weakref.finalize(self, end, self._process, self._pipe)
        try:
            self._answer(START_SECONDS, AgentFailure(f"was not ready after {START_SECONDS:g} s"))
        except AgentFailure:
            self.close()
            raise

    def _death(self) -> AgentFailure:
        """What to say of a process that is gone."""
        self._process.join(1.0)
        code = self._process.exitcode
        self.close()
        return AgentFailure(f"died (exit code {code})")


def end(process, pipe) -> None:
    """Make sure that a process is gone."""
    pipe.close()
    if process.is_alive():
        process.kill()
    process.join()


def serve(recipe: Recipe, seed: int, pipe) -> None:
    """Run in the process: make the agent, then answer (together, games) until the other end is closed."""
    die_with_parent()
    try:
        agent = recipe.make(seed)
    except Exception as problem:  # noqa: BLE001 - whatever it is, the other side should know
        pipe.send(AgentFailure(f"cannot be made: {problem}"))
        return
    pipe.send([])
    while True:
        try:
            together, games = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = moves_of(agent, games) if together else [agent(game) for game in games]
        except Exception as problem:  # noqa: BLE001 - it loses its game, not its life
            answer = problem
        try:
            pipe.send(answer)
        except Exception:  # noqa: BLE001 - an answer or an exception that cannot be sent
            pipe.send(AgentFailure(f"answered what cannot be sent: {answer!r}"[:500]))


def die_with_parent() -> None:
    """End this process when the one that started it is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


def made(agent, seed: int, seconds: float | None = None, own_process: bool = False):
    """An agent from a recipe, in a process of its own if `own_process`; an agent is given back as it is."""
    if not isinstance(agent, Recipe):
        return agent
    return AgentProcess(agent, seed, seconds) if own_process else agent.make(seed)


def name_of(agent) -> str:
    """The name of an agent or of a recipe."""
    return agent.name if isinstance(agent, Recipe) else agent_name(agent)

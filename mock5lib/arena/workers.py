"""Who plays a match's games, and where: agents by recipe, in this process or in others.

The parts of a match or a tournament are batches, each with fresh agents where they are given as recipes. A batch
depends on nothing but its own seed. So it gives the same games in this process or in another, before or after the
others, and a match that was stopped can go on with the batches that are missing.

Several workers are a pool of processes on this computer: they begin at once, and need nothing to be installed.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import NamedTuple

import numba
import numpy as np

from mock5lib import names
from mock5lib.arena.side_by_side import PlayedPairs, play_pairs, too_late
from mock5lib.base import arguments
from mock5lib.base.contract import AgentFailure, Named, Recipe, agent_name, moves_of, refusal
from mock5lib.base.interrupts import children_deaf_to_interrupts
from mock5lib.base.progress import announce_compiling

UNGUARDED = 77  # exit code of a process that begins by running its program once more, which starts processes
START_SECONDS = 120.0  # of an agent's process, to import libraries, load weights and compile kernels
GRACE_SECONDS = 0.5  # for the way there and back of a question
THREAD_LIMITS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")

the_agent = None  # of a process that is an agent's own


def player_of(agent, game):
    """An agent or recipe as it is; the name of an agent, such as "uct:1000", as a recipe for this game.

    Raises:
        TypeError: neither of them. ValueError, FileNotFoundError: see `names.agent`.
    """
    if isinstance(agent, str):
        side = max(getattr(game, "height", 9), getattr(game, "width", 9))
        return names.recipe(agent, agent, side=side, k=getattr(game, "k", 5))
    if isinstance(agent, type):
        raise TypeError(f"{agent.__name__} is a class; make an agent of it first, such as {agent.__name__}().")
    names.check_plain(agent)
    if not (isinstance(agent, Recipe) or callable(agent) or hasattr(agent, "moves")):
        raise TypeError(
            f"An agent is a name such as 'greedy', a function from a game to a move, or a Recipe; got {agent!r}."
        )
    return agent


def check_meeting(players: list, game, own_process: bool = False) -> None:
    """Raise a ValueError that names the first agent that can't play this game, and says why.

    Args:
        players: agents and recipes; of a recipe an agent is made and asked, if told so in a process of its own.
    """
    for player in players:
        agent = player
        if isinstance(player, Recipe):
            agent = AgentProcess(player) if own_process else player.make(0)
        try:
            why = refusal(agent, game)
        except AgentFailure:  # it can't be made, or dies: it will lose its games, with the reason
            why = ""
        finally:
            if agent is not player and hasattr(agent, "close"):
                agent.close()
        if why:
            raise ValueError(why)


def name_of(agent) -> str:
    """The name of an agent or of a recipe."""
    return agent.name if isinstance(agent, Recipe) else agent_name(agent)


# An agent in a process of its own -------------------------------------------------------------------------------


class AgentProcess(Named):
    """The agent of a recipe in a process of its own, where it may stall or die; it looks like any agent.

    Args:
        recipe: what to make. seed: what to make it from.
        seconds: allowed for a move, None for no limit. Many boards asked at once have their seconds together. An agent
            that takes longer is ended, and made anew for the next question.

    A question that gets no answer raises `AgentFailure`; what the agent itself raises comes through.
    """

    own_clock = True  # a match leaves the time to it

    def __init__(self, recipe: Recipe, seed: int = 0, seconds: float | None = None):
        self.recipe, self.seed, self.seconds, self.name = recipe, seed, seconds, recipe.name
        self._pool: ProcessPoolExecutor | None = None

    def __call__(self, game):
        return self._ask([game], together=False)[0]

    def refuses(self, game) -> str:
        """Why the agent can't play a game, as the end of a sentence, or ""."""
        self._begin()
        return self._have(START_SECONDS, AgentFailure("gave no answer"), refusal_of_agent, game)

    def moves(self, games) -> list:
        """The agent's answers to many boards: by its own `moves` where it has one."""
        return self._ask(list(games), together=True)

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            for process in self._pool._processes.values():
                process.kill()
            self._pool.shutdown()
        self._pool = None

    def _begin(self) -> None:
        """Start the process, if it does not run, and make the agent in it."""
        if self._pool is None:
            end_if_run_again()
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=end_with_parent)
            late = AgentFailure(f"was not ready after {START_SECONDS:g} s")
            try:
                self._have(START_SECONDS, late, become_agent, self.recipe, self.seed)
            except AgentFailure:
                self.close()
                raise

    def _ask(self, games: list, together: bool) -> list:
        self._begin()
        limit = None if self.seconds is None else self.seconds * len(games) + GRACE_SECONDS
        return self._have(limit, too_late(self.seconds), answers_of_agent, games, together)

    def _have(self, limit: float | None, late: AgentFailure, function: Callable, *arguments):
        """What a function returns or raises in the process within so many seconds, else `late` is raised."""
        with children_deaf_to_interrupts():
            future = self._pool.submit(function, *arguments)
        (process,) = self._pool._processes.values()
        try:
            return future.result(limit)
        except BrokenProcessPool:
            self.close()
            check_guarded([process])
            raise AgentFailure(f"died (exit code {process.exitcode})") from None
        except TimeoutError:
            if future.done():  # it is the agent's own
                raise
            self.close()
            raise late from None


def become_agent(recipe: Recipe, seed: int) -> None:
    """Make the agent, once in its process."""
    global the_agent
    try:
        the_agent = recipe.make(seed)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - whatever it is, it loses by it
        raise AgentFailure(f"cannot be made: {problem}") from None


def answers_of_agent(games: list, together: bool) -> list:
    """In the agent's process: its answers to some games."""
    try:
        return moves_of(the_agent, games) if together else [the_agent(game) for game in games]
    except SystemExit:
        raise AgentFailure("tried to end the program") from None


def refusal_of_agent(game) -> str:
    """In the agent's process: why it can't play a game, or ""."""
    refuses = getattr(the_agent, "refuses", None)
    return refuses(game) if callable(refuses) else ""


def end_if_run_again() -> None:
    """End a process that Python has only just begun: it runs its whole program again, up to here.

    A new process imports the program that started it. Without a guard it would start processes in its turn.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        os._exit(UNGUARDED)


def check_guarded(processes: list) -> None:
    """A RuntimeError that says what to do if one of these processes has ended because the program has no guard."""
    if any(process.exitcode == UNGUARDED for process in processes):
        raise RuntimeError(
            'Processes that a program starts import it first: put what it does under `if __name__ == "__main__":`.'
        ) from None


def end_with_parent() -> None:
    """End this process when the one that started it is gone, however it went."""
    parent = multiprocessing.parent_process()
    threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()


# Batches --------------------------------------------------------------------------------------------------------


class Batch(NamedTuple):
    """Pairs of games between two agents, all side by side.

    Args:
        agents: two agents or recipes. starts: a position for each pair of games.
        seed: whole numbers that both recipes' seeds are made from. seconds: allowed for a move.
    """

    agents: tuple
    starts: list
    seed: tuple[int, ...] = (0,)
    seconds: float | None = None


def play_batch(batch: Batch, finished: Callable[[int], None] = lambda games: None, own_process=False) -> PlayedPairs:
    """Play one batch. Agents from recipes play in processes of their own if told so, or if a move's time is limited."""
    own_process, made = own_process or batch.seconds is not None, []
    try:
        for agent, seed in zip(batch.agents, np.random.SeedSequence(batch.seed).generate_state(2).tolist()):
            if isinstance(agent, Recipe):
                agent = AgentProcess(agent, seed, batch.seconds) if own_process else agent.make(seed)
            made.append(agent)
        return play_pairs(batch.starts, *made, seconds=batch.seconds, finished=finished)
    finally:
        for recipe, agent in zip(batch.agents, made):
            if isinstance(recipe, Recipe) and hasattr(agent, "close"):
                agent.close()


def play_batches(
    batches: list[Batch], workers: int = 1, finished: Callable[[int], None] = lambda games: None
) -> Iterator[PlayedPairs]:
    """Play batches, several at a time if there are workers, and give what was played in the order of the batches.

    Args:
        workers: processes; 1 plays in this one. Several need recipes.
        finished: called with a number of games that have ended.
    """
    arguments.whole("workers", workers, 1)
    if workers == 1:
        for batch in batches:
            yield play_batch(batch, finished)
        return
    strangers = [agent for batch in batches for agent in batch.agents if not isinstance(agent, Recipe)]
    if strangers:
        raise ValueError(f"Several workers need agents as recipes (see arena.Recipe); {strangers[0]!r} is none.")
    waiting, own_process = list(batches), False
    while waiting:
        try:
            for played in in_processes(list(waiting), workers, own_process):
                waiting.pop(0)
                finished(len(played.games))
                yield played
        except BrokenProcessPool:  # an agent took its process down: find out which, by giving each its own
            if own_process:
                raise
            own_process = True


def in_processes(batches: list[Batch], workers: int, own_process: bool) -> Iterator[PlayedPairs]:
    """Each batch in order, played by a pool of processes."""
    end_if_run_again()
    context, others = multiprocessing.get_context("spawn"), set(multiprocessing.active_children())
    pool, started = ProcessPoolExecutor(min(workers, len(batches)), mp_context=context, initializer=begin_worker), []
    try:
        with children_deaf_to_interrupts():
            futures = [pool.submit(play_batch, batch, own_process=own_process) for batch in batches]
        started = list(pool._processes.values())
        for future in futures:
            yield future.result()
    except BrokenProcessPool:
        pool.shutdown()
        check_guarded(started)
        raise
    except KeyboardInterrupt:
        for worker in set(multiprocessing.active_children()) - others:
            worker.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def begin_worker() -> None:
    """One thread for each library of a worker, and none that outlives the process that started it."""
    end_with_parent()
    os.environ.update({name: "1" for name in THREAD_LIMITS})
    numba.set_num_threads(1)
    announce_compiling(partial(print, file=sys.stderr))

"""Who plays a match's games, and where: agents by recipe, in this process, in others, or on a cluster.

The parts of a match or a tournament are batches, each with fresh agents where they are given as recipes. A batch
depends on nothing but its own seed. So it gives the same games in this process or in another, before or after the
others, and a match that was stopped can go on with the batches that are missing.

On one computer several workers are a pool of processes: they begin at once, and need nothing to be installed. On many
computers they are tasks of Ray.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import NamedTuple

import numba
import numpy as np

from mock5lib.arena.side_by_side import PlayedPairs, play_pairs, too_late
from mock5lib.base import ranges
from mock5lib.base.cluster import using_ray
from mock5lib.base.contract import AgentFailure, agent_name, moves_of
from mock5lib.base.interrupts import children_deaf_to_interrupts, kill_children

START_SECONDS = 120.0  # of an agent's process, to import libraries, load weights and compile kernels
GRACE_SECONDS = 0.5  # for the way there and back of a question
RETRIES = 3  # of a batch whose process is lost; then each agent gets a process of its own
THREAD_LIMITS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")


class Recipe(NamedTuple):
    """How to make an agent anew: what a match needs to give each part of it fresh agents, in any process.

    `make` is a function from a seed to an agent. For other processes it must be one that pickle can name: a function
    or class of a module, or a `functools.partial` of one.
    """

    name: str
    make: Callable[[int], object]


def name_of(agent) -> str:
    """The name of an agent or of a recipe."""
    return agent.name if isinstance(agent, Recipe) else agent_name(agent)


# An agent in a process of its own -------------------------------------------------------------------------------


class AgentProcess:
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
        self._process = None

    def __call__(self, game):
        return self._ask([game], together=False)[0]

    def moves(self, games) -> list:
        """The agent's answers to many boards: by its own `moves` where it has one."""
        return self._ask(list(games), together=True)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
        self._process = None

    def _ask(self, games: list, together: bool) -> list:
        if self._process is None:
            self._start()
        limit = None if self.seconds is None else self.seconds * len(games) + GRACE_SECONDS
        return self._answer(limit, too_late(self.seconds), (games, together))

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(self.recipe, self.seed, theirs), daemon=True)
        with children_deaf_to_interrupts():
            self._process.start()
        theirs.close()
        try:
            self._answer(START_SECONDS, AgentFailure(f"was not ready after {START_SECONDS:g} s"))
        except AgentFailure:
            self.close()
            raise

    def _answer(self, limit: float | None, late: AgentFailure, question=None):
        """What the process answers within so many seconds, else `late` is raised."""
        try:
            if question is not None:
                self._pipe.send(question)
            if not self._pipe.poll(limit):
                self.close()
                raise late
            answer = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join(1.0)
            code = self._process.exitcode
            self.close()
            raise AgentFailure(f"died (exit code {code})") from None
        if isinstance(answer, Exception):
            raise answer
        return answer


def serve(recipe: Recipe, seed: int, pipe) -> None:
    """Run in the process: make the agent, then answer (games, together) until the other end is closed."""
    end_with_parent()
    try:
        agent = recipe.make(seed)
    except Exception as problem:  # noqa: BLE001 - whatever it is, the other side should know
        pipe.send(AgentFailure(f"cannot be made: {problem}"))
        return
    pipe.send([])
    while True:
        try:
            games, together = pipe.recv()
        except EOFError:
            return
        try:
            answer = moves_of(agent, games) if together else [agent(game) for game in games]
        except Exception as problem:  # noqa: BLE001 - it loses its game, not its life
            answer = problem
        try:
            pipe.send(answer)
        except Exception:  # noqa: BLE001 - an answer or an exception that cannot be sent
            pipe.send(AgentFailure(f"answered what cannot be sent: {answer!r}"[:500]))


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
    batches: list[Batch],
    workers: int = 1,
    finished: Callable[[int], None] = lambda games: None,
    cluster: str | None = None,
) -> Iterator[PlayedPairs]:
    """Play batches, several at a time if there are workers, and give what was played in the order of the batches.

    Args:
        workers: processes; 1 plays in this one. Several need recipes.
        cluster: address of the Ray cluster whose processes they are, see `base.cluster`; default: this computer's own.
        finished: called with a number of games that have ended.

    Raises:
        ValueError: no workers, or agents that other processes cannot make. ClusterError: the cluster is not there.
    """
    ranges.at_least(1, workers=workers)
    if workers == 1 and cluster is None:
        for batch in batches:
            yield play_batch(batch, finished)
        return
    strangers = [agent for batch in batches for agent in batch.agents if not isinstance(agent, Recipe)]
    if strangers:
        raise ValueError(f"Several workers need agents as recipes (see arena.Recipe); {strangers[0]!r} is none.")
    play = in_processes if cluster is None else partial(in_cluster, address=cluster)
    waiting, own_process = list(batches), False
    while waiting:
        try:
            for played in play(list(waiting), workers, own_process):
                waiting.pop(0)
                finished(len(played.games))
                yield played
        except BrokenProcessPool:  # an agent took its process down: find out which, by giving each its own
            if own_process:
                raise
            own_process = True


def in_processes(batches: list[Batch], workers: int, own_process: bool) -> Iterator[PlayedPairs]:
    """Each batch in order, played by a pool of processes."""
    context, others = multiprocessing.get_context("spawn"), multiprocessing.active_children()
    pool = ProcessPoolExecutor(min(workers, len(batches)), mp_context=context, initializer=begin_worker)
    try:
        with children_deaf_to_interrupts():
            futures = [pool.submit(play_batch, batch, own_process=own_process) for batch in batches]
        for future in futures:
            yield future.result()
    except KeyboardInterrupt:
        kill_children(but=others)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def in_cluster(batches: list[Batch], workers: int, own_process: bool, address: str) -> Iterator[PlayedPairs]:
    """Each batch in order, played by tasks of Ray. One whose process or computer is lost is played again elsewhere.

    Files that agents load must be on each computer under the same path, relative ones below the same working folder.
    """
    with using_ray(workers, address) as ray:
        task = ray.remote(play_elsewhere).options(num_cpus=1, max_retries=RETRIES, scheduling_strategy="SPREAD")
        waiting, asked = deque(batches), deque()
        try:
            while waiting or asked:
                while waiting and len(asked) < workers:
                    batch = ray.cloudpickle.dumps(waiting.popleft())
                    asked.append(task.remote(batch, own_process, os.getcwd()))
                yield ray.get(asked.popleft())
        except ray.exceptions.RayTaskError as problem:
            raise problem.cause from None
        except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError) as problem:
            raise BrokenProcessPool(str(problem)) from None


def play_elsewhere(batch: bytes, own_process: bool, folder: str) -> PlayedPairs:
    """`play_batch` on any computer: the batch is read when the limits of its libraries are set."""
    limit_threads()
    if os.path.isdir(folder):
        os.chdir(folder)
    return play_batch(pickle.loads(batch), own_process=own_process)


def begin_worker() -> None:
    """One thread for each worker, and none that outlives the process that started it."""
    end_with_parent()
    limit_threads()


def limit_threads() -> None:
    """One thread for each library of this process."""
    os.environ.update({name: "1" for name in THREAD_LIMITS})
    numba.set_num_threads(1)

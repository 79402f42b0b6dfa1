"""Batches: the parts of a match or a tournament, each with fresh agents where they are given as recipes.

A batch depends on nothing but its own seed. So it gives the same games in this process or in another, before or after
the others, and a match that was stopped can go on with the batches that are missing.

On one computer several workers are a pool of processes: they begin at once, and need nothing to be installed. On many
computers they are tasks of Ray. `python -m bench cluster` compares what both take on one computer.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from math import inf

import numba
import numpy as np

from mock5lib.arena.agent_process import Recipe, die_with_parent, made
from mock5lib.arena.side_by_side import PlayedPairs, play_pairs
from mock5lib.base import ranges
from mock5lib.base.cluster import using_ray
from mock5lib.base.contract import HasProcess
from mock5lib.base.interrupts import children_deaf_to_interrupts, kill_children

RETRIES = 3  # of a batch whose process is lost; then each agent gets a process of its own
THREAD_LIMITS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")


@dataclass(frozen=True)
class Batch:
    """Pairs of games between two agents, all side by side.

    Args:
        agents: two agents or recipes. starts: a position for each pair of games.
        seed: whole numbers that both recipes' seeds are made from. seconds: allowed for a move.
    """

    agents: tuple
    starts: list
    seed: tuple[int, ...] = (0,)
    seconds: float | None = None

    def __post_init__(self):
        if self.seconds is not None and not 0 < self.seconds < inf:
            raise ValueError(f"seconds for a move must be above 0 and finite, got {self.seconds!r}.")


def play_batch(batch: Batch, finished: Callable[[int], None] = lambda games: None, own_process=False) -> PlayedPairs:
    """Play one batch. Agents from recipes play in processes of their own if told so, or if a move's time is limited."""
    seeds = np.random.SeedSequence(batch.seed).generate_state(2).tolist()
    own_process = own_process or batch.seconds is not None
    agents = [made(agent, seed, batch.seconds, own_process) for agent, seed in zip(batch.agents, seeds)]
    try:
        return play_pairs(batch.starts, *agents, seconds=batch.seconds, finished=finished)
    finally:
        for recipe, agent in zip(batch.agents, agents):
            if isinstance(recipe, Recipe) and isinstance(agent, HasProcess):
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
    waiting, own_process = list(batches), False
    while waiting:
        try:
            play = in_processes if cluster is None else partial(in_cluster, address=cluster)
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
    context = multiprocessing.get_context("spawn")
    others = multiprocessing.active_children()
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
    die_with_parent()
    limit_threads()


def limit_threads() -> None:
    """One thread for each library of this process."""
    os.environ.update({name: "1" for name in THREAD_LIMITS})
    numba.set_num_threads(1)

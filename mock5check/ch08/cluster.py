"""A cluster that is imitated: its clock moves only by what it is asked to do, so a program always takes the same time.

cluster = Cluster(workers=4)
promise = cluster.play(2, weights, task)    # worker 2 gets to work; the call returns at once
result = cluster.get(promise)               # waits for the answer
"""

from __future__ import annotations

import numpy as np

BANDWIDTH = 1e7  # bytes per second, out of the one machine that hands out the work
CALL = 0.001  # seconds to send a message without weights


class Ref:
    """What `put` returns: where the value lies, and whose stores hold it."""

    def __init__(self, value, cluster=None):
        self.value, self.cluster = value, cluster


class Promise:
    """What `play` returns: an answer that will be there at a time, which nobody knows beforehand."""

    def __init__(self, ready: float, value):
        self._ready, self._value = ready, value


class Cluster:
    """Workers 0, 1, … that play tasks; each does one at a time, in the order in which they came.

    Args:
        workers: how many. seconds: task → how long it takes; nobody knows before it is done. result: (task, weights) →
            what `get` gives for it.

    Attributes:
        played: the tasks that were handed out, in turn.
    """

    def __init__(self, workers: int = 4, seconds=None, result=None):
        self.workers, self._seconds, self._result = workers, seconds or (lambda task: 1.0), result or result_of
        self._clock, self._sent, self.played = 0.0, 0, []
        self._free, self._spans = [0.0] * workers, [[] for _ in range(workers)]

    @property
    def clock(self) -> float:
        """Seconds since the beginning; only the calls below move it."""
        return self._clock

    @property
    def busy(self) -> list[float]:
        """Seconds of work that each worker has done by now; what it is still at tells nobody how long it will take."""
        return [sum(max(0.0, min(end, self.clock) - start) for start, end in spans) for spans in self._spans]

    @property
    def sent(self) -> int:
        """Bytes of weights that went out."""
        return self._sent

    def put(self, value) -> Ref:
        """Send a value to all workers' object stores, once."""
        self._send(value)
        return Ref(np.array(value), self)

    def play(self, worker: int, weights, task) -> Promise:
        """Have a worker play a task with these weights: an array, which is sent along, or what `put` returned."""
        if worker not in range(self.workers):
            raise ValueError(
                f"A worker is one of 0 to {self.workers - 1}, got {worker!r}: `cluster.workers` says how many."
            )
        if isinstance(weights, Ref):
            if weights.cluster is not self:
                raise ValueError("This ref comes from another cluster: `put` the weights into this one.")
            weights = weights.value
        elif weights is None:
            raise ValueError("A task is played with weights: an array, or what `put` returned. Got None.")
        else:
            self._send(weights)
        self._clock += CALL
        start, seconds = max(self.clock, self._free[worker]), self._seconds(task)
        self._free[worker] = start + seconds
        self._spans[worker].append((start, start + seconds))
        self.played.append(task)
        return Promise(self._free[worker], self._result(task, weights))

    def get(self, promise: Promise | list):
        """Wait for an answer, or for a list of them."""
        if isinstance(promise, (list, tuple)):
            return [self.get(one) for one in promise]
        self._clock = max(self.clock, promise._ready)
        return promise._value

    def wait(self, promises) -> tuple[list[Promise], list[Promise]]:
        """Wait until the first of these answers is there: (those that are there, the others)."""
        promises = list(promises)
        if not promises:
            raise ValueError("There is nothing to wait for: no promise was given.")
        self._clock = max(self.clock, min(promise._ready for promise in promises))
        ready = [promise for promise in promises if promise._ready <= self.clock]
        return ready, [promise for promise in promises if promise._ready > self.clock]

    def _send(self, value) -> None:
        size = np.asarray(value).nbytes
        self._sent += size
        self._clock += size / BANDWIDTH


def result_of(task, weights) -> str:
    """What a task's games are, here a text; it depends on the weights that played them."""
    return f"games of task {task}, played with {float(np.asarray(weights).sum()):.12g}"

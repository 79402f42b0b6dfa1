"""Ray, quiet: on this computer, or on a cluster that runs already. It comes with `pip install mock5lib[cluster]`.

Ray (Moritz et al. 2018) starts processes on many computers, carries arrays between them through each computer's object
store, and says when one of them is gone. `using_ray` is how the package gets at it, so that it prints nothing, keeps
its files in one short-lived folder, and leaves no process behind.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

from mock5lib.base import ranges
from mock5lib.base.files import warn
from mock5lib.base.interrupts import before_the_end

STORE, SHARE = 200 * 2**20, 64 * 2**20  # bytes of the object store of a local start: at least, and per worker
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is sent to Ray's makers
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # a worker without a GPU keeps CUDA_VISIBLE_DEVICES as it is
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # what happens to workers is said by those who started them, on one line
}
LONGEST = 30  # letters of the folder for temporary files: the paths of Ray's sockets have 107 at most
REACH = 10.0  # seconds for a cluster's port to answer; Ray itself tries for a minute or more, and prints meanwhile
CONNECTIONS = 3  # from outside: a cluster gives the process that it starts for us half a minute
STARTS = 10  # on a busy machine: Ray gives its own processes 15 seconds (its issue 65983)


class ClusterError(OSError):
    """The cluster can't be reached, or has gone; says what to do."""


def ray_library() -> ModuleType:
    """The library, silenced.

    Raises:
        ValueError: it is not installed; says how to get it, and what works without.
    """
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError:
        raise ValueError(
            "Many workers need Ray, which is not installed: pip install 'mock5lib[cluster]'. Without workers and "
            "without a cluster the same command works, in one process."
        ) from None
    logging.getLogger("ray").setLevel(logging.ERROR)
    return ray


@contextmanager
def using_ray(cpus: int, address: str | None = None) -> Iterator[ModuleType]:
    """Ray, connected, for the time of the block. Where the program is connected already, that connection is used.

    Args:
        cpus: workers that a local start has room for, whatever the number of cores; a cluster has its own.
        address: of a cluster, as HOST:PORT, "auto" for the one that this computer belongs to, or ray://HOST:PORT from
            outside; None or "local" starts Ray on this computer, and ends it afterwards.

    Raises:
        ValueError: Ray is not installed. ClusterError: there is no cluster at this address.
    """
    ranges.at_least(1, cpus=cpus)
    if address not in (None, "local", "auto"):
        check_reached(address)
    ray = ray_library()
    if ray.is_initialized():
        yield ray
    elif address in (None, "local"):
        with local_ray(ray, cpus):
            yield ray
    else:
        connect(ray, address)
        try:
            yield ray
        finally:
            ray.shutdown()


def check_reached(address: str) -> None:
    """Raise a ValueError unless this is HOST:PORT or ray://HOST:PORT, and a ClusterError unless something is there."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or "/" in host or not port.isdecimal() or not 0 < int(port[:6]) < 1 << 16:
        raise ValueError(f"The address of a cluster is HOST:PORT, auto or ray://HOST:PORT, got {address!r}.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH).close()
    except (OSError, UnicodeError) as problem:
        why = getattr(problem, "strerror", None) or str(problem)
        raise ClusterError(f"{address}: no Ray cluster answers there ({why}); `ray start --head` starts one.") from None


def connect(ray: ModuleType, address: str) -> None:
    """Connect to a cluster; from outside again, where the process that it starts for us did not come up in its time.

    Raises:
        ClusterError: there is no cluster, or it does not take us.
    """
    say_what_happens_to_the_connection()
    for left in reversed(range(CONNECTIONS)):
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
            return
        except (OSError, RuntimeError, ValueError) as problem:
            lines = str(problem).strip().split("\n")
            busy = lines[0].startswith("Initialization failure from server")  # what follows is the server's traceback
            if busy and left:
                continue
            why = lines[-1] if busy else lines[0]
            raise ClusterError(
                f"{address}: no Ray cluster answers there ({why}); `ray start --head` starts one."
            ) from None


def say_what_happens_to_the_connection() -> None:
    """Let Ray's client, which works from outside a cluster, say that its connection is cut and that it tries again."""
    log = logging.getLogger("ray.util.client.dataclient")
    log.setLevel(logging.WARNING)
    if not log.handlers:
        log.addHandler(Teller())


class Teller(logging.Handler):
    """Says each message in a line."""

    def emit(self, record: logging.LogRecord) -> None:
        warn(f"Cluster: {record.getMessage()}")


@contextmanager
def local_ray(ray: ModuleType, cpus: int) -> Iterator[None]:
    """Ray's own processes on this computer, and their files, for the time of the block."""
    usual = tempfile.gettempdir()
    short = usual if len(usual) < LONGEST or not os.path.isdir("/tmp") else "/tmp"
    folder = tempfile.mkdtemp(prefix="m5", dir=short)

    def clear() -> None:
        kill_descendants()
        shutil.rmtree(folder, ignore_errors=True)

    with before_the_end(clear):
        try:
            patiently(
                ray.init,
                folder,
                address="local",
                num_cpus=cpus,
                include_dashboard=False,
                log_to_driver=False,
                logging_level="ERROR",
                object_store_memory=max(STORE, cpus * SHARE),
                _temp_dir=folder,
            )
            yield
        finally:
            ray.shutdown()
            kill_descendants(folder)  # of a start that failed
            shutil.rmtree(folder, ignore_errors=True)


def patiently(start: Callable, folder: str, **options):
    """`start(**options)`, again where Ray's processes, with their files in `folder`, did not come up in its time.

    Raises:
        ClusterError: they never do.
    """
    for left in reversed(range(STARTS)):
        try:
            return start(**options)
        except Exception as problem:  # Ray raises nothing narrower
            if "timed out during startup" not in str(problem):
                raise
            kill_descendants(folder)
            if not left:
                raise ClusterError(f"Ray does not start on this computer: {problem}") from None


def kill_descendants(name: str = "") -> None:
    """Kill the processes that this one has started, and theirs: all, or those whose command names something."""
    import psutil  # Ray brings it

    for process in psutil.Process().children(recursive=True):
        try:
            if name in " ".join(process.cmdline()):
                process.kill()
        except psutil.Error:  # it has just ended
            continue

"""Ray (Moritz et al. 2018) for the time of a block: on this computer, or on a cluster that runs already.

It comes with `pip install mock5lib[cluster]`.
"""

from __future__ import annotations

import logging
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import ModuleType

from mock5lib.base.interrupts import before_the_end

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is sent to Ray's makers
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # a worker without a GPU keeps CUDA_VISIBLE_DEVICES as it is
}
HERE_ALONE = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"  # where it is 0, as on a Mac, a local Ray listens on 127.0.0.1 alone
STARTS = 5  # on a busy machine: Ray gives its own processes 15 seconds (its issue 65983)
REACH = 10.0  # seconds for a cluster's port to answer; Ray itself tries for a minute or more, and prints meanwhile


class ClusterError(OSError):
    """The cluster can't be reached, or has gone; says what to do."""


@contextmanager
def using_ray(cpus: int, address: str | None = None) -> Iterator[ModuleType]:
    """Ray, connected, for the time of the block. Where the program is connected already, that connection is used.

    Args:
        cpus: workers that a local start has room for, whatever the number of cores; a cluster has its own.
        address: of a cluster, as HOST:PORT, "auto" for the one that this computer belongs to, or ray://HOST:PORT from
            outside; None or "local" starts Ray on this computer, and ends it afterwards.

    Raises:
        ValueError: Ray is not installed, or this is no address.
        ClusterError: there is no cluster at this address, or it refuses us.
    """
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    elsewhere = None if address == "local" else address
    try:
        if elsewhere is None:
            os.environ[HERE_ALONE] = "0"  # read while Ray is imported
        else:
            reach(elsewhere)
        import ray
    except ImportError:
        raise ValueError(
            "Many workers need Ray, which is not installed: pip install 'mock5lib[cluster]'. Without workers and "
            "without a cluster the same command works, in one process."
        ) from None
    finally:
        os.environ.pop(HERE_ALONE, None)
    logging.getLogger("ray").setLevel(logging.ERROR)
    if ray.is_initialized():
        yield ray
        return
    if elsewhere is not None:
        connect(ray, elsewhere)
        try:
            yield ray
        finally:
            ray.shutdown()
        return
    short = "/tmp" if os.path.isdir("/tmp") else None  # the paths of Ray's sockets have 107 letters at most
    folder = tempfile.mkdtemp(prefix="m5", dir=short)
    remove = partial(shutil.rmtree, folder, ignore_errors=True)
    with before_the_end(remove), before_the_end(partial(kill, folder)):
        try:
            start(ray, cpus, folder)
            yield ray
        finally:
            ray.shutdown()
            clear(folder)


def start(ray: ModuleType, cpus: int, folder: str) -> None:
    """Ray's own processes on this computer, with their files in a folder. They ask for the token in ~/.ray."""
    options = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR", "_temp_dir": folder}
    store = (200 + 64 * cpus) * 2**20  # bytes
    for left in reversed(range(STARTS)):
        try:
            ray.init("local", num_cpus=cpus, object_store_memory=store, **options)
            return
        except Exception as problem:  # Ray raises nothing narrower
            clear(folder)
            if not left or "timed out during startup" not in str(problem):
                raise ClusterError(f"Ray does not start on this computer: {problem}") from None


def clear(folder: str) -> None:
    """End those of Ray's processes that a failed start has left, and remove their files."""
    kill(folder)
    shutil.rmtree(folder, ignore_errors=True)


def kill(folder: str) -> None:
    """End Ray's processes at once: some would wait a minute for others that have ended with ours."""
    import psutil  # Ray brings it

    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            words = process.cmdline()
            if folder in " ".join(words) or words[:1] and words[0].startswith("ray::"):
                process.kill()


def reach(address: str) -> None:
    """Make sure, before Ray is imported, that a cluster answers; where it asks for a token, let Ray show ours.

    Of itself Ray shows it for "auto" alone. It must not show it unasked: without tokens on the other side, the actors
    that it starts there never run.
    """
    if address == "auto":
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not (host and port.isdecimal()):
        raise ValueError(f"The address of a cluster is HOST:PORT, auto or ray://HOST:PORT, got {address!r}.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH).close()
    except (OSError, OverflowError, ValueError) as problem:
        raise no_cluster(address, problem) from None
    if refuses(address, token=""):
        if refuses(address, our_token()):
            raise ClusterError(no_token(address))
        os.environ["RAY_AUTH_MODE"] = "token"


def connect(ray: ModuleType, address: str) -> None:
    """Connect to a cluster; a ClusterError says why it can't be done."""
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR")
    except ray.exceptions.AuthenticationError:
        raise ClusterError(no_token(address)) from None
    except (OSError, RuntimeError, ValueError) as problem:
        raise no_cluster(address, problem) from None


def no_cluster(address: str, problem: Exception) -> ClusterError:
    why = str(problem).strip().split("\n")[0]
    return ClusterError(
        f"{address}: no Ray cluster answers there ({why}); `ray start --head` starts one. HOST:PORT is for the "
        "computers of the cluster; from any other, take ray://HOST:10001."
    )


def our_token() -> str:
    """The token in one of the three places where Ray looks for it, or nothing."""
    kept = Path(os.environ.get("RAY_AUTH_TOKEN_PATH") or Path.home() / ".ray" / "auth_token")
    with suppress(OSError):
        return os.environ.get("RAY_AUTH_TOKEN") or kept.read_text().strip()
    return ""


def no_token(address: str) -> str:
    return (
        f"{address}: the cluster asks for a token, and there is none here, or another cluster's; copy "
        "~/.ray/auth_token from the computer on which `ray start --head` was run."
    )


def refuses(address: str, token: str) -> bool:
    """Whether a cluster refuses a question that shows this token, or none if it is empty."""
    import grpc  # Ray's client brings it

    question = "RayletDriver/ClusterInfo" if address.startswith("ray://") else "NodeInfoGcsService/GetClusterId"
    with grpc.insecure_channel(address.removeprefix("ray://")) as channel:
        try:
            shown = [("authorization", f"Bearer {token}")] if token else []
            channel.unary_unary(f"/ray.rpc.{question}")(b"", timeout=REACH, metadata=shown)
        except grpc.RpcError as problem:
            return problem.code() == grpc.StatusCode.UNAUTHENTICATED
    return False

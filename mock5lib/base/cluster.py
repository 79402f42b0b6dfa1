"""Ray (Moritz et al. 2018) for the time of a block: on this computer, or on a cluster that runs already.

It comes with `pip install mock5lib[cluster]`.
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from types import ModuleType

from mock5lib.base.interrupts import before_the_end

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is sent to Ray's makers
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # a worker without a GPU keeps CUDA_VISIBLE_DEVICES as it is
}
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
    try:
        import ray
    except ImportError:
        raise ValueError(
            "Many workers need Ray, which is not installed: pip install 'mock5lib[cluster]'. Without workers and "
            "without a cluster the same command works, in one process."
        ) from None
    logging.getLogger("ray").setLevel(logging.ERROR)
    if ray.is_initialized():
        yield ray
        return
    if address not in (None, "local"):
        connect(ray, address)
        try:
            yield ray
        finally:
            ray.shutdown()
        return
    short = "/tmp" if os.path.isdir("/tmp") else None  # the paths of Ray's sockets have 107 letters at most
    folder = tempfile.mkdtemp(prefix="m5", dir=short)
    with before_the_end(partial(clear_behind_us, folder)):
        try:
            start(ray, cpus, folder)
            yield ray
        finally:
            ray.shutdown()
            clear(folder, whose=folder)


def start(ray: ModuleType, cpus: int, folder: str) -> None:
    """Ray's own processes on this computer, with their files in a folder. They ask for the token in ~/.ray."""
    from ray._private import ray_constants

    options = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR", "_temp_dir": folder}
    store = (200 + 64 * cpus) * 2**20  # bytes
    usual = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False  # as on a Mac: then Ray listens on 127.0.0.1 alone
    try:
        for left in reversed(range(STARTS)):
            try:
                ray.init("local", num_cpus=cpus, object_store_memory=store, **options)
                return
            except Exception as problem:  # Ray raises nothing narrower
                clear(folder, whose=folder)
                if not left or "timed out during startup" not in str(problem):
                    raise ClusterError(f"Ray does not start on this computer: {problem}") from None
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = usual


def clear(folder: str, whose: str) -> None:
    """End the processes of this program that are left and have `whose` in their command; remove Ray's files."""
    import psutil  # Ray brings it

    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has just ended
            if whose in " ".join(process.cmdline()):
                process.kill()
    shutil.rmtree(folder, ignore_errors=True)


def clear_behind_us(folder: str) -> None:
    """`clear` for all processes of this program, a moment later: without its raylet, Ray would end us at once."""
    import psutil

    numbers = [str(process.pid) for process in psutil.Process().children(recursive=True)]
    orders = f"sleep 0.2; kill -9 {' '.join(numbers)}; rm -rf {shlex.quote(folder)}"
    quiet = subprocess.DEVNULL
    subprocess.Popen(["sh", "-c", orders], start_new_session=True, stdin=quiet, stdout=quiet, stderr=quiet)


def connect(ray: ModuleType, address: str) -> None:
    """Connect to a cluster; a ClusterError says why it can't be done."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if address != "auto" and not (host and port.isdecimal()):
        raise ValueError(f"The address of a cluster is HOST:PORT, auto or ray://HOST:PORT, got {address!r}.")
    try:
        if address != "auto":
            socket.create_connection((host.strip("[]"), int(port)), REACH).close()
            show_token(address)
        ray.init(address, log_to_driver=False, logging_level="ERROR")
    except ray.exceptions.AuthenticationError:
        raise ClusterError(no_token(address)) from None
    except ClusterError:
        raise
    except (OSError, OverflowError, RuntimeError, ValueError) as problem:
        why = str(problem).strip().split("\n")[0]
        raise ClusterError(
            f"{address}: no Ray cluster answers there ({why}); `ray start --head` starts one. HOST:PORT is for the "
            "computers of the cluster; from any other, take ray://HOST:10001."
        ) from None


def show_token(address: str) -> None:
    """Let Ray show the token that it keeps to a cluster that asks for one; of itself it does so for "auto" alone."""
    from ray._private.authentication import authentication_token_setup as tokens

    if not refuses(address, {}):
        return
    tokens.maybe_enable_token_auth_if_token_available(warn_if_disabled=False)
    if refuses(address, tokens.AuthenticationTokenLoader.instance().get_token_for_http_header()):
        raise ClusterError(no_token(address))


def no_token(address: str) -> str:
    return (
        f"{address}: the cluster asks for a token, and there is none here, or another cluster's; copy "
        "~/.ray/auth_token from the computer on which `ray start --head` was run."
    )


def refuses(address: str, token: dict[str, str]) -> bool:
    """Whether a cluster refuses a question that shows this token."""
    import grpc  # Ray's client brings it

    question = "RayletDriver/ClusterInfo" if address.startswith("ray://") else "NodeInfoGcsService/GetClusterId"
    with grpc.insecure_channel(address.removeprefix("ray://")) as channel:
        try:
            channel.unary_unary(f"/ray.rpc.{question}")(b"", timeout=REACH, metadata=list(token.items()))
        except grpc.RpcError as problem:
            return problem.code() == grpc.StatusCode.UNAUTHENTICATED
    return False

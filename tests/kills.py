"""What a kill leaves: a copy of a folder before a change of the file system is what signal 9 leaves there."""

import contextlib
import os
import shutil
import sys

WATCHERS: list = []  # what to call before each change of the file system in the working folder


def listen(name: str, arguments: tuple) -> None:
    if not WATCHERS or name not in ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate"):
        return
    path, writes = arguments[0], os.O_WRONLY | os.O_RDWR
    if name == "open" and not (isinstance(arguments[2], int) and arguments[2] & writes):
        return
    if isinstance(path, int) or os.path.isabs(path) and not os.fspath(path).startswith(os.getcwd()):
        return
    watcher = WATCHERS.pop()
    try:
        watcher()
    finally:
        WATCHERS.append(watcher)


@contextlib.contextmanager
def before_each_change(watcher):
    if not hasattr(listen, "hooked"):  # a hook stays until the process ends
        sys.addaudithook(listen)
        listen.hooked = True
    WATCHERS.append(watcher)
    try:
        yield
    finally:
        WATCHERS.clear()


def states_before_each_change(folder, copies, work) -> list:
    """Do some work on a folder, and keep in `copies` what it was like before each change."""
    states, before = [], os.getcwd()

    def keep() -> None:
        if folder.exists():
            states.append(shutil.copytree(folder, copies / f"{len(states):04d}"))

    os.chdir(folder.parent)
    try:
        with before_each_change(keep):
            work()
    finally:
        os.chdir(before)
    return states

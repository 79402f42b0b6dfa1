"""A foreign program at the end of two pipes: lines to it and from it, within bounds of time and memory.

Whatever it does, hang, print without end, die or start programs of its own, is over when `close` returns; and if this
process itself is killed, a small watcher ends it. What it has put into a session of its own lives on.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Iterator
from typing import TextIO

from mock5lib.base.contract import AgentFailure

LINE_BYTES = 4096  # the rest of a longer line is dropped
ERROR_BYTES = 16384  # of the end of its error output that are kept
CHUNK = 1 << 16  # bytes that are read at once: as many as wait in a pipe
DEATH_SECONDS = 0.5  # from the end of its output to its own

# Bounds the address space, in KiB, where the system can, and becomes the program: engines take their tables at once.
LIMIT = 'ulimit -v "$1" 2>/dev/null; shift; exec "$@"'
# Waits for the end of its input, which comes when the process that holds the other end is gone, and kills a group.
WATCH = 'read -r line; kill -s KILL -- "-$1" 2>/dev/null'


class EngineProcess:
    """A running program.

    Args:
        command: program and arguments.
        memory: bytes of address space it may use, where the system can limit that (Linux). None: no limit.
    """

    def __init__(self, command: list[str], memory: int | None = None):
        if os.name == "nt":
            raise AgentFailure("cannot be started: foreign engines run on Linux and macOS only")
        if memory is not None:
            command = ["/bin/sh", "-c", LIMIT, "limit", str(max(memory // 1024, 1)), *command]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        try:
            self.process = subprocess.Popen(command, **pipes, bufsize=0, start_new_session=True)
        except OSError as problem:
            raise AgentFailure(f"cannot be started: {problem.strerror or problem}") from None  # without its path
        watcher = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "watcher", str(self.process.pid)], stdin=subprocess.PIPE, start_new_session=True
        )
        os.set_blocking(self.process.stdin.fileno(), False)
        self._open = [self.process.stdout, self.process.stderr]
        self._lines: deque[str] = deque()
        self._rest = self._errors = b""  # of a line that has not ended; of its error output
        self._end = weakref.finalize(self, end, self.process, watcher)

    def send(self, *lines: str, seconds: float = 1.0) -> None:
        """Send lines, each ended by LF: an engine that looks at whole lines would take a CR for part of the last word.

        What it has printed before is forgotten.

        Raises:
            AgentFailure: the program has ended, or has not read them after so many seconds.
        """
        data, deadline = "".join(f"{line}\n" for line in lines).encode(), time.monotonic() + seconds
        while data:
            writable = self._read(deadline - time.monotonic(), writing=True)
            self._lines.clear()
            try:
                data = data[os.write(self.process.stdin.fileno(), data) :] if writable else data
            except OSError:
                raise self._death() from None
            if data and time.monotonic() > deadline:
                raise AgentFailure("does not read its input")

    def lines(self, seconds: float) -> Iterator[str]:
        """The lines that it prints in so many seconds, as they come; LF, CR LF or CR ends one, empty ones are left out.

        Raises:
            AgentFailure: it has ended and there are no more lines.
        """
        deadline = time.monotonic() + seconds
        while True:
            while self._lines:
                yield self._lines.popleft()
            left = deadline - time.monotonic()
            if left <= 0:
                return
            if self.process.stdout not in self._open:
                raise self._death()
            self._read(left)

    def close(self, farewell: str, seconds: float) -> None:
        """Say farewell, then end the program and all that it has started, after so many seconds at the latest."""
        try:
            self.send(farewell, seconds=0.1)
            self.process.wait(seconds)
        except (AgentFailure, subprocess.TimeoutExpired):
            pass
        self._end()

    def _read(self, seconds: float, writing: bool = False) -> bool:
        """Take in what it prints next within so many seconds; whether it can be written to, if that is awaited too."""
        awaited = [self.process.stdin] if writing else []
        readable, writable, _ = select.select(self._open, awaited, [], max(seconds, 0))
        for pipe in readable:
            data = os.read(pipe.fileno(), CHUNK)
            if not data:
                self._open.remove(pipe)
            elif pipe is self.process.stderr:
                self._errors = (self._errors + data)[-ERROR_BYTES:]
            else:
                *lines, rest = (self._rest + data).replace(b"\r", b"\n").split(b"\n")
                self._rest = rest[:LINE_BYTES]
                self._lines.extend(line[:LINE_BYTES].decode(errors="replace") for line in lines if line)
        return bool(writable)

    def _death(self) -> AgentFailure:
        """How it ended, with the last line of its errors."""
        try:
            code = self.process.wait(DEATH_SECONDS)
        except subprocess.TimeoutExpired:
            return AgentFailure("closed its output")
        self._read(0)
        last = self._errors.decode(errors="replace").strip().splitlines()[-1:]
        return AgentFailure(f"died (exit code {code})" + "".join(f": {line[:200]}" for line in last))


def end(process: subprocess.Popen, watcher: subprocess.Popen) -> None:
    """Kill a program with all that is in its session, and collect what is left."""
    watcher.kill()
    try:  # its group may outlive it
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    for one in (watcher, process):
        one.wait()
    for pipe in (watcher.stdin, process.stdin, process.stdout, process.stderr):
        pipe.close()


def conversation(given: int, taken: int) -> Iterator[tuple[str, TextIO]]:
    """The other side: each line of one file descriptor, with a file for the answer, which goes to another."""
    options = {"encoding": "utf-8", "errors": "replace", "closefd": False}
    with open(given, **options) as lines, open(taken, "w", newline="\n", **options) as answers:
        for line in lines:
            yield line, answers
            answers.flush()

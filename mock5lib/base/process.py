"""A foreign program at the end of two pipes: lines to it and from it, within bounds of time and memory.

Whatever it does, hang, print without end, die, or start programs of its own, is over when `close` returns; and if this
process itself is killed, a small watcher ends it. What it has put into a session of its own lives on.
"""

from __future__ import annotations

import errno
import os
import queue
import select
import shutil
import signal
import subprocess
import threading
import time
import weakref

LINE_BYTES = 4096  # the rest of a longer line is dropped
WAITING_LINES = 256  # read ahead; when so many wait, the program waits too
STDERR_BYTES = 16384  # of the end of its error output that are kept
CLOSING_SECONDS = 0.5  # to end by itself

# Bounds the address space, in KiB, where the system can, and becomes the program.
LIMIT = 'ulimit -v "$1" 2>/dev/null; shift; exec "$@"'
# Waits for the end of its input, which comes when the process that holds the other end is gone, and kills a group.
WATCH = 'read -r line; kill -s KILL -- "-$1" 2>/dev/null'


class EngineGone(RuntimeError):
    """The program has ended, or does not read what it is sent."""


class EngineProcess:
    """A running program.

    Args:
        command: program and arguments. folder: to run it in; default: this one.
        memory: bytes of address space it may use, where the system can limit that (Linux). None: no limit.

    Raises:
        OSError: it cannot be started, or this is Windows, whose pipes cannot be watched as this needs it.
    """

    def __init__(self, command: list[str], folder=None, memory: int | None = None):
        if os.name == "nt":
            raise OSError("foreign engines are started on Linux and macOS only")
        pipe = subprocess.PIPE
        command = limited(command, memory)
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, bufsize=0, start_new_session=True
        )
        watcher = start_watcher(self.process.pid)
        self._lines: queue.Queue = queue.Queue(WAITING_LINES)
        self._errors = bytearray()
        self._over = threading.Event()
        os.set_blocking(self.process.stdin.fileno(), False)
        readers = [
            threading.Thread(target=read_lines, args=(self.process.stdout, self._lines, self._over), daemon=True),
            threading.Thread(target=keep_tail, args=(self.process.stderr, self._errors), daemon=True),
        ]
        for reader in readers:
            reader.start()
        self._error_reader = readers[1]
        self._end = weakref.finalize(self, end, self.process, watcher, self._over, readers)

    def send(self, *lines: str, seconds: float = 1.0) -> None:
        """Send lines, each ended by LF: an engine that looks at whole lines would take a CR for part of the last word.

        Raises:
            EngineGone: the program has ended, or has not read them after so many seconds.
        """
        data, deadline = "".join(f"{line}\n" for line in lines).encode(), time.monotonic() + seconds
        pipe = self.process.stdin
        while data:
            try:
                written = os.write(pipe.fileno(), data)
            except BlockingIOError:
                written = 0
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([], [pipe], [], left)[1]:
                    raise EngineGone("does not read its input") from None
            except (OSError, ValueError):
                raise EngineGone(self.death()) from None
            data = data[written:]

    def line(self, seconds: float) -> str | None:
        """The next line it has printed, without its end; None if there is none after so many seconds.

        Raises:
            EngineGone: it has ended and there are no more lines.
        """
        try:
            line = self._lines.get(timeout=max(seconds, 0)) if seconds > 0 else self._lines.get_nowait()
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise EngineGone(self.death())
        return line

    def drain(self) -> None:
        """Drop the lines that wait."""
        for _ in range(2 * WAITING_LINES):  # it may print faster than this
            if self.line(0) is None:
                return

    @property
    def errors(self) -> str:
        """The end of what it has printed as errors."""
        return bytes(self._errors).decode(errors="replace")

    def death(self) -> str:
        """How it ended, with the last line of its errors."""
        try:
            code = self.process.wait(CLOSING_SECONDS)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._error_reader.join(1.0)  # it ends when the pipe does
        last = self.errors.strip().splitlines()[-1:]
        return f"died (exit code {code})" + "".join(f": {line[:200]}" for line in last)

    def wait(self, seconds: float) -> bool:
        """Whether it ends by itself within so many seconds."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        """End the program and all that it has started."""
        self._end()


def limited(command: list[str], memory: int | None) -> list[str]:
    """The command, begun with a bounded address space: engines take their tables in the first moment.

    Raises:
        FileNotFoundError: there is no such program.
    """
    if memory is None:
        return command
    if shutil.which(command[0]) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), command[0])
    return ["/bin/sh", "-c", LIMIT, "limit", str(max(memory // 1024, 1)), *command]


def start_watcher(pid: int) -> subprocess.Popen:
    """A process that kills the group of `pid` when this process is gone."""
    return subprocess.Popen(
        ["/bin/sh", "-c", WATCH, "watcher", str(pid)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def end(process: subprocess.Popen, watcher: subprocess.Popen, over: threading.Event, readers) -> None:
    """Close the pipes, give the program a moment, then kill it with all it started, and collect what is left."""
    over.set()
    try:
        process.stdin.close()
    except OSError:
        pass
    try:
        process.wait(CLOSING_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    watcher.kill()
    watcher.wait()
    watcher.stdin.close()
    try:  # its group may outlive it
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()
    for reader in readers:
        reader.join(1.0)
    for pipe in (process.stdout, process.stderr):
        pipe.close()


def read_lines(pipe, lines: queue.Queue, over: threading.Event) -> None:
    """Put the lines of a pipe into a queue, and None at its end."""
    for line in split_lines(pipe.fileno()):
        while not over.is_set():
            try:
                lines.put(line.decode(errors="replace"), timeout=0.1)
                break
            except queue.Full:
                continue
        if over.is_set():
            return
    while not over.is_set():
        try:
            lines.put(None, timeout=0.1)
            return
        except queue.Full:
            continue


def split_lines(descriptor: int, line_bytes: int = LINE_BYTES):
    """The lines of a file descriptor as they come, bytes without their ends, each cut after `line_bytes`.

    LF, CR LF or CR ends a line; empty lines are passed over.
    """
    line = bytearray()
    while data := read_some(descriptor):
        for piece in data.replace(b"\r", b"\n").splitlines(keepends=True):
            line += piece.rstrip(b"\n")[: line_bytes - len(line)]
            if piece.endswith(b"\n"):
                if line:
                    yield bytes(line)
                line.clear()
    if line:
        yield bytes(line)


def read_some(descriptor: int) -> bytes:
    """What can be read now, or nothing at the end or once the pipe is closed."""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


def keep_tail(pipe, tail: bytearray) -> None:
    """Read a pipe to its end and keep the last bytes."""
    while data := read_some(pipe.fileno()):
        tail += data
        del tail[:-STDERR_BYTES]

"""Files and folders that are there whole or not at all, that one process writes at a time, and whose damage is seen.

A killed process leaves temporaries (`.NAME.xxxxxxxx`) behind and, if it was replacing a folder just then, the old one
in `.NAME.old.xxxxxxxx/NAME`. `standing` finds it for a reader; `heal` puts it back, and removes the temporaries.
"""

from __future__ import annotations

import errno
import glob
import hashlib
import io
import json
import os
import re
import shutil
import socket
import sys
import tempfile
import tokenize
import zipfile
import zlib
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import numpy as np

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
    import msvcrt

SUMS = "SHA256SUMS"  # of a folder's files, as `sha256sum -c SHA256SUMS` reads it
LOCK = ".lock"
# What damaged, encrypted or lying archives raise; RuntimeError takes in RecursionError and NotImplementedError.
DAMAGE = (OSError, EOFError, LookupError, TypeError, ValueError, ArithmeticError, MemoryError, RuntimeError)
DAMAGE += (zipfile.BadZipFile, zlib.error, SyntaxError, tokenize.TokenError)
A_SUM = re.compile(rb', "(s.m|.um|su.)": ".{8}"}$')  # of a line; its name may be damaged, too


def warn(text: str) -> None:
    """A line on stderr, whatever else was asked to be quiet."""
    print(text, file=sys.stderr, flush=True)


# Whole or not at all --------------------------------------------------------------------------------------------


def write_whole(path: str | Path, data: bytes) -> Path:
    """Write a file under a temporary name beside it, then rename it: it is there whole or not at all."""
    path = Path(path)
    with naming(path):
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    return path


@contextmanager
def naming(path: Path):
    """What the system refuses within the block is said of this path: of a full disk it names none, or a temporary."""
    try:
        yield
    except OSError as problem:
        if problem.errno is None:
            raise
        raise OSError(problem.errno, problem.strerror, str(path)) from problem


def check_ours(path: str | Path, begins: bytes, what: str) -> None:
    """A ValueError if there is a file at the path that holds something and is not ours, or a folder: it would be lost.

    Args:
        begins: an expression for how such files begin. what: they are called.
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path}: is a folder; nothing is written there.")
    if path.exists():
        with open(path, "rb") as file:
            head = file.read(1024)
        if head and not re.match(begins, head, re.DOTALL):
            raise ValueError(f"{path}: is there already and does not begin as {what} of ours; it is not overwritten.")


def write_figure(path, figure, ours: bytes = rb"\x89PNG.*Matplotlib", **options) -> Path:
    """Write a figure of Matplotlib, with options of its `savefig`; it is there whole or not at all.

    Args:
        ours: an expression for how a PNG begins that may be replaced. Matplotlib signs its own.

    Raises:
        ValueError: something else is there, which would be lost.
    """
    stream, kind = io.BytesIO(), Path(path).suffix[1:] or "png"
    if kind == "png":
        check_ours(path, ours, "a picture")
    figure.savefig(stream, format=kind, **options)
    return write_whole(path, stream.getvalue())


def replace_folder(path: Path, files: dict[str, bytes]) -> None:
    """Write files into a new folder beside `path`, then move it there; what was there is removed last."""
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh, old = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.")), None
        try:
            for name, data in files.items():
                (fresh / name).write_bytes(data)
            fresh.chmod(0o755)
            if path.exists():
                old = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.old."))
                os.replace(path, old / path.name)
            os.replace(fresh, path)
        except BaseException:
            if old is not None and not path.exists():
                os.replace(old / path.name, path)
            shutil.rmtree(fresh, ignore_errors=True)
            raise
        finally:
            if old is not None and path.exists():
                shutil.rmtree(old, ignore_errors=True)


def make_folder(path: Path) -> None:
    """Make a folder if it is not there; a ValueError if it, or one that it would lie in, is a file."""
    for one in (path, *path.parents):
        if one.exists() and not one.is_dir():
            raise ValueError(f"{one}: is a file; a folder is needed there.")
    path.mkdir(parents=True, exist_ok=True)


def remove_folder(path: Path) -> None:
    """Remove a folder whole or not at all: it has another name before the first of its files goes."""
    doomed = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    os.replace(path, doomed / path.name)
    shutil.rmtree(doomed)


def standing(path: Path) -> Path:
    """The folder, or the one that it was to replace, if a process was killed between the two."""
    if path.exists():
        return path
    name = glob.escape(path.name)
    return next(iter(sorted(path.parent.glob(f".{name}.old.*/{name}"))), path)


def left_behind(name: str, ours: str) -> re.Match | None:
    """Whether a name is that of a temporary for a file or folder whose name matches the expression `ours`."""
    return re.fullmatch(rf"\.(?P<name>{ours})(?P<old>\.old)?\.[a-z0-9_]{{8}}", name)


def heal(folder: Path, ours: str) -> None:
    """Put back what a killed process was replacing, and remove its temporaries; the folder's lock is held.

    Args:
        ours: an expression for the names of the files and folders that we write there.
    """
    for path in list(folder.iterdir()) if folder.is_dir() else ():
        found = left_behind(path.name, ours)
        if not found:
            continue
        kept = path / found["name"]
        if found["old"] and kept.exists() and not (folder / found["name"]).exists():
            os.replace(kept, folder / found["name"])
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def set_aside(folder: Path, paths: list[Path]) -> Path:
    """Move files and folders, which are in `folder`, into a new folder `set-aside-1` (or 2, …) there."""
    aside = next(path for path in (folder / f"set-aside-{number}" for number in count(1)) if not path.exists())
    for path in paths:
        target = aside / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(path, target)
    return aside


# Damage ---------------------------------------------------------------------------------------------------------


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def sums_of(files: dict[str, bytes]) -> bytes:
    """The content of `SHA256SUMS` for a folder's files."""
    return "".join(f"{digest(data)}  {name}\n" for name, data in files.items()).encode()


def check_sums(folder: Path) -> None:
    """A ValueError that names the first file that is missing or not as it was written; none without `SHA256SUMS`."""
    file = folder / SUMS
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        wanted, _, name = line.partition("  ")
        if not name or not (folder / name).is_file():
            raise ValueError(f"{folder / name}: is named in {SUMS} and not there.")
        if digest((folder / name).read_bytes()) != wanted:
            raise ValueError(f"{folder / name}: damaged, its bytes are not those that were written.")


def check_size(path: Path, most: int, what: str) -> None:
    """A ValueError if a file has more bytes than are read."""
    if path.stat().st_size > most:
        raise ValueError(f"{path}: has {path.stat().st_size:,} bytes; {what} is read up to {most:,}.")


def format_of(path: Path) -> str | None:
    """What an archive says its format is; None where it says nothing, or can't be read."""
    try:
        with zipfile.ZipFile(path) as members:
            if members.getinfo("format.npy").file_size > 1000:
                return None
        with np.load(path, allow_pickle=False) as archive:
            return str(archive["format"])
    except DAMAGE:
        return None


def json_lines(data: bytes) -> list[dict | None]:
    """The whole lines of a file of JSON objects, None for one that is damaged; a last line cut short is no line.

    A line that ends with its sum (`as_lines`) must agree with it, and is given without it.
    """
    return [json_object(unsummed(line)) for line in data.split(b"\n")[:-1]]


def unsummed(line: bytes) -> bytes:
    """A line without its sum; nothing where the two do not agree, one of no sum as it is."""
    found = A_SUM.search(line)
    if not found:
        return line
    rest = line[: found.start()]
    return rest + b"}" if found.group() == sum_of(rest) else b""


def sum_of(line: bytes) -> bytes:
    """How a line ends that begins so: its CRC-32, which sees any flipped bit."""
    return f', "sum": "{zlib.crc32(line):08x}"}}'.encode()


def json_object(text: bytes) -> dict | None:
    """A JSON object, None for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def as_lines(rows: list[dict], *, sums: bool = False) -> bytes:
    """Rows as lines of JSON, each with its sum at its end if so wished: a flipped digit is seen, too."""
    lines = [json.dumps(row, ensure_ascii=False).encode() for row in rows]
    return b"".join((line[:-1] + sum_of(line[:-1]) if sums else line) + b"\n" for line in lines)


# One process at a time ------------------------------------------------------------------------------------------


class Lock:
    """`with Lock(path):` only one process writes the file or folder.

    The system drops the lock when its process ends, however it ends: a lock file left by a killed one holds nobody up.

    Raises:
        BlockingIOError: it is held; names the process that holds it.
    """

    def __init__(self, path):
        path = Path(path)
        self.what, self.file = path, path / LOCK if path.is_dir() else path.parent / f".{path.name}{LOCK}"

    def __enter__(self) -> Lock:
        make_folder(self.file.parent)
        while True:
            self.handle = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o644)
            if not try_lock(self.handle):
                holder = os.read(self.handle, 200).decode(errors="replace").strip() or "another process"
                os.close(self.handle)
                raise BlockingIOError(f"{self.what}: {holder} is writing there; wait until it ends, or stop it.")
            try:
                if os.path.samestat(os.fstat(self.handle), os.stat(self.file)):
                    break
            except FileNotFoundError:
                pass
            os.close(self.handle)  # the one who held it has just removed it
        os.ftruncate(self.handle, 0)
        os.write(self.handle, f"process {os.getpid()} on {socket.gethostname()}".encode())
        return self

    def __exit__(self, *_) -> None:
        if fcntl is not None:  # Windows removes no open file; there it stays, and holds nobody up
            self.file.unlink(missing_ok=True)
        os.close(self.handle)


def try_lock(handle: int) -> bool:
    """Lock an open file for this process; False if another holds it. True where the file system knows no locks."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            os.lseek(handle, 1 << 20, os.SEEK_SET)  # beyond the text, so that others can read it
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
            os.lseek(handle, 0, os.SEEK_SET)
    except OSError as problem:
        if problem.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            return False
        if problem.errno not in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL):
            raise
    return True

"""Files and folders that are there whole or not at all, that one process writes at a time, and that name their damage.

A draft has a name of its own, `.NAME.PROCESS-RANDOM.draft`: two writers of one NAME never write one draft, and no file
of a user's has such a name. What a killed process leaves behind, whoever next holds the lock of that place removes.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import re
import secrets
import shutil
import stat
import tokenize
import zipfile
import zlib
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout

LOCK = ".lock"
DRAFT = re.compile(r"\.(.+)\.\d+-[0-9a-f]{8}\.(draft|replaced|removed)", re.DOTALL)
MOST = 1 << 32  # bytes of a file that are read: far more than any of ours has
MOST_CARD = 1 << 24  # of one that describes something in a few lines
PICTURE = rb"\x89PNG.*Software\0mock5lib"
# What damaged, encrypted or lying archives raise; RuntimeError takes in RecursionError and NotImplementedError.
DAMAGE = (OSError, EOFError, LookupError, TypeError, ValueError, ArithmeticError, MemoryError, RuntimeError)
DAMAGE += (zipfile.BadZipFile, zlib.error, SyntaxError, tokenize.TokenError)


# Whole or not at all --------------------------------------------------------------------------------------------


def write_whole(path: str | Path, data: bytes) -> Path:
    """Write a file under another name beside it, then rename it: it is there whole or not at all. A link stays one."""
    path = Path(path)
    check_link(path)
    path = path.resolve() if path.is_symlink() else path
    draft = draft_of(path)
    with naming(path):
        try:
            with open(draft, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    return path


def draft_of(path: Path, kind: str = "draft") -> Path:
    """A name beside a file or folder, which nobody else takes: to write it there, or to move away what is to go.

    Args:
        kind: "draft"; "replaced", which goes once the new one is there; "removed".
    """
    return path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.{kind}")


def tidy(folder: Path, name: str | None = None) -> None:
    """Remove what killed processes have left in a folder and below it, or of one name in it; its lock must be held.

    A folder that was moved away, and whose new one did not come, is moved back.
    """
    for path in sorted(folder.rglob(".*") if name is None else folder.glob(".*")):
        left = DRAFT.fullmatch(path.name)
        if not left or name not in (None, left[1]):
            continue
        if left[2] == "replaced" and not path.with_name(left[1]).exists():
            os.replace(path, path.with_name(left[1]))
        elif path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def naming(path: Path):
    """What the system refuses within the block is said of this path: of a full disk it names none, or a draft."""
    try:
        yield
    except OSError as problem:
        if problem.errno is None:
            raise
        raise OSError(problem.errno, problem.strerror, str(path)) from problem


def check_ours(path: str | Path, begins: bytes, what: str, read: Callable[[Path], object] | None = None) -> None:
    """A ValueError if a file is at the path that is none of ours, or a folder: it would be lost.

    Args:
        begins: an expression for how ours begin.
        read: reads one of ours whole, and raises what `DAMAGE` lists if it can't.
    """
    path = Path(path)
    check_link(path)
    if path.exists() and not path.is_file():
        raise ValueError(f"{path}: is no file that can be written anew; nothing is written there.")
    if path.exists():
        with open(path, "rb") as file:
            head = file.read(1024)
        if head and not re.match(begins, head, re.DOTALL):
            raise ValueError(f"{path}: is there already and does not begin as {what} of ours; it is not overwritten.")
        try:
            if head and read is not None:
                read(path)
        except DAMAGE as problem:
            raise ValueError(
                f"{path}: is there already and can't be read as {what} of ours ({problem}); it is not overwritten."
            ) from None


def write_figure(path, figure, **options) -> Path:
    """Write a figure of Matplotlib as a PNG, with options of its `savefig`; it is there whole or not at all.

    It is signed, and replaces another one that is; a ValueError if something else is there, which would be lost.
    """
    stream = io.BytesIO()
    check_ours(path, PICTURE, "a picture")
    figure.savefig(stream, format="png", metadata={"Software": "mock5lib"}, **options)
    return write_whole(path, stream.getvalue())


def replace_folder(path: Path, files: dict[str, bytes]) -> None:
    """Write files into a new folder beside `path`, then move it there; what was there is removed last."""
    draft, old = draft_of(path), draft_of(path, "replaced")
    with naming(path):
        draft.mkdir(parents=True)
        try:
            for name, data in files.items():
                write_whole(draft / name, data)
            while True:
                with suppress(FileNotFoundError):
                    os.replace(path, old)
                try:
                    os.replace(draft, path)
                    break
                except OSError as problem:
                    if problem.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                        raise
                    shutil.rmtree(old, ignore_errors=True)  # another process has put its folder there in between
        except BaseException:
            if old.exists() and not path.exists():
                os.replace(old, path)
            shutil.rmtree(draft, ignore_errors=True)
            raise
        finally:
            shutil.rmtree(old, ignore_errors=True)


def make_folder(path: Path) -> None:
    """Make a folder if it is not there; a ValueError if it, or one that it would lie in, is a file."""
    for one in (path, *path.parents):
        check_link(one)
        if one.exists() and not one.is_dir():
            raise ValueError(f"{one}: is a file; a folder is needed there.")
    path.mkdir(parents=True, exist_ok=True)
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path.absolute()))


def remove_folder(path: Path) -> None:
    """Remove a folder whole or not at all: it has another name before the first of its files goes."""
    doomed = draft_of(path, "removed")
    os.replace(path, doomed)
    shutil.rmtree(doomed)


# Damage ---------------------------------------------------------------------------------------------------------


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def check_link(path: Path) -> None:
    """A ValueError if a path is a link, or lies below one, that leads back to itself: there is no file at its end."""
    try:
        path.stat()
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise ValueError(f"{path}: is a link that leads back to itself; there is no file.") from None


def check_size(path: Path, most: int = MOST, what: str = "such a file") -> None:
    """A ValueError if a file has more bytes than are read, or is none: a pipe never ends, nor does /dev/zero."""
    check_link(path)
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise ValueError(f"{path}: is a pipe or a device, not a file that can be read.")
    if found.st_size > most:
        raise ValueError(f"{path}: has {found.st_size:,} bytes; {what} is read up to {most:,}.")


def read_file(path: str | Path, most: int = MOST, what: str = "such a file") -> bytes:
    """The bytes of a file; see `check_size`."""
    check_size(Path(path), most, what)
    return Path(path).read_bytes()


def format_of(path: Path) -> str | None:
    """What an archive says its format is; None where it says nothing, or can't be read."""
    try:
        check_size(path)
        with zipfile.ZipFile(path) as members:
            if members.getinfo("format.npy").file_size > 1000:
                return None
        with np.load(path, allow_pickle=False) as archive:
            return str(archive["format"])
    except DAMAGE:
        return None


def npz_bytes(arrays: dict[str, np.ndarray]) -> bytes:
    """Arrays as a compressed .npz archive."""
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def json_lines(data: bytes) -> list[dict | None]:
    """The whole lines of a file of JSON objects, None for one that is damaged; a last line cut short is no line."""
    return [json_object(line) for line in data.split(b"\n")[:-1]]


def json_object(text: bytes) -> dict | None:
    """A JSON object, None for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def as_lines(rows: list[dict]) -> bytes:
    """Rows as lines of JSON."""
    return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def read_rows(path: str | Path, begins: bytes) -> list[dict]:
    """The whole lines of a file of JSON objects that begins like this; none if there is no file."""
    check_link(Path(path))
    data = read_file(path) if Path(path).exists() else b""
    rows = json_lines(data)
    if data[: len(begins)] != begins[: len(data)] or None in rows:
        number = 1 + rows.index(None) if None in rows else 1
        raise ValueError(f"{path}, line {number}: not as we write it; this is no file of games, or it is damaged.")
    return rows


def append_rows(path: str | Path, rows: list[dict]) -> None:
    """Add rows to a file of JSON lines, in the place of a last line that was cut short; they are on the disk then."""
    with naming(Path(path)), open(path, "a+b") as file:
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        file.write(as_lines(rows))
        file.flush()
        os.fsync(file.fileno())


# One process at a time ------------------------------------------------------------------------------------------


class Lock:
    """`with Lock(path):` only one process writes the file or folder; what a killed one left there is removed first.

    The system drops the lock when its process ends, however it ends. The empty lock file in a folder stays, as may
    that of a killed process.

    Args:
        whole: the folder at the path is replaced as a whole, and its lock file stands beside it, not in it.

    Raises:
        BlockingIOError: another process holds it.
    """

    def __init__(self, path, whole: bool = False):
        path = Path(path)
        self.what, self.inside = path, path.is_dir() and not whole
        self.file = path / LOCK if self.inside else path.parent / f".{path.name}{LOCK}"

    def __enter__(self) -> Lock:
        make_folder(self.file.parent)
        self.lock = FileLock(self.file)
        try:
            self.lock.acquire(timeout=0)
        except Timeout:
            raise BlockingIOError(
                f"{self.what}: another process is writing there; wait until it ends, or stop it."
            ) from None
        tidy(self.file.parent, None if self.inside else self.what.name)
        return self

    def __exit__(self, *_) -> None:
        if not self.inside:  # while it is held: whoever has opened it by now finds that it has no name, and tries again
            with suppress(OSError):
                self.file.unlink()
        self.lock.release()

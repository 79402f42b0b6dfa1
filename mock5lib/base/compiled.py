"""`compiled`: numba's `njit` with a cache on disk that knows which sources the machine code was made from.

Numba looks at the file of the compiled function alone. But its callees are compiled into it, with the constants of
their modules, so that after an edit in another file the old machine code would go on. Here the cache's key is a hash
of the function's module and of every module of this package that it imports, and those import, at their top. A module
that asks a `question` counts as importing all that have an `answer`.

A game outside of this package brings answers, too. Machine code for its types is kept apart from ours, in an index of
its own for each such file, under the hash of this file: numba unpickles all types of an index, and one of a reader's
file would end every later process that doesn't have that file.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import numba
import numba.extending
from numba.core.caching import FunctionCache, IndexDataCacheFile

PACKAGE = Path(__file__).parents[1]
IMPORTS = re.compile(r"^(?:from ([\w.]+) import (\([^)]*\)|.*)|import ([\w.]+))", re.MULTILINE)


def compiled(function=None, **options):
    """Compile a function: `@compiled` or `@compiled(nogil=True)`; the options are those of `numba.njit`."""
    if function is None:
        return functools.partial(compiled, **options)
    dispatcher, file = numba.njit(**options)(function), Path(function.__code__.co_filename)
    try:
        dispatcher._cache = MachineCode(function, source_hash(file) if file.is_file() else "")
    except RuntimeError:  # there is no folder to keep machine code in: it is compiled anew in each process
        pass
    return dispatcher


class MachineCode(FunctionCache):
    """The machine code of one function on disk: an index for our types, and one for each game outside of the package.

    Args:
        sources: the hash of all that the machine code is made from, but for what answers of such a game add.
    """

    def __init__(self, function: Callable, sources: str):
        super().__init__(function)
        # Read before anything else of the index, whose types may have other names by now and would not unpickle.
        self._cache_file._version = f"{self._cache_file._version} {sources}"
        self._ours = self._cache_file

    def _load_overload(self, sig, target_context):
        return super()._load_overload(sig, target_context) if self._open_index(sig) else None

    def _save_overload(self, sig, data):
        if self._open_index(sig):
            with suppress(OSError):  # of a full disk: what can't be kept is compiled again
                super()._save_overload(sig, data)

    def _open_index(self, sig) -> bool:
        """Take the index for these types; False if nothing can be kept for them, as for a class of a notebook."""
        files = [file_of(kind) for kind in foreign_kinds(sig)]
        if None in files:
            return False
        self._cache_file, there = self._ours, sorted(file for file in files if file)
        if there:
            name = self._ours._index_name.removesuffix(".nbi")
            place = sha256(" ".join(map(str, there)).encode()).hexdigest()[:12]
            file = IndexDataCacheFile(self._ours._cache_path, f"{name}.{place}", self._ours._source_stamp)
            file._version = " ".join([self._ours._version, *(SOURCES[one] for one in there)])
            self._cache_file = file
        return True


def foreign_kinds(sig) -> set[type]:
    """The NamedTuples outside of this package among the types of arguments, at any depth."""
    found: set[type] = set()
    waiting = list(getattr(sig, "args", sig))
    while waiting:
        one = waiting.pop()
        waiting += getattr(one, "types", ())  # of a tuple
        kind = getattr(one, "instance_class", None)
        if kind is not None and kind.__module__.partition(".")[0] != PACKAGE.name:
            found.add(kind)
    return found


def file_of(kind: type) -> Path | None:
    """The file with answers that a class was imported from by its name; None where no other process would find it."""
    module = sys.modules.get(kind.__module__)
    file = getattr(module, "__file__", None)
    if kind.__module__ == "__main__" or file is None or getattr(module, kind.__qualname__, None) is not kind:
        return None
    return Path(file).resolve() if Path(file).resolve() in SOURCES else None


SOURCES: dict[Path, str] = {}  # a file outside of this package with answers → the hash of its sources at its import
ANSWERS: dict[Callable, dict[type, Callable]] = {}  # question → type of its first argument → answer


def question(function: Callable) -> Callable:
    """Let each game answer: compiled code that calls `function` runs the `answer` for the type of its first argument.

    So one kernel serves several games, and asking costs nothing: the choice is made while it is compiled, and the
    answer written into the caller (as a function of its own it would count references to each array at each call).
    """
    answers = ANSWERS[function] = {}

    def implementation(first, *rest):
        kind = getattr(first, "instance_class", type(first))
        if kind not in answers:
            raise numba.errors.NumbaError(f"{kind.__name__} has no answer to {function.__name__!r}.")
        return answers[kind]

    implementation.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    numba.extending.overload(function, inline="always")(implementation)
    return function


def answer(asked: Callable, kind: type) -> Callable:
    """Make the function below the answer to a question about a NamedTuple `kind`; its arguments have the same names."""

    def note(function):
        plain = getattr(function, "py_func", function)
        file = Path(plain.__code__.co_filename).resolve()
        if not file.is_relative_to(PACKAGE) and file.is_file():
            SOURCES[file] = source_hash(file)  # now: it may be edited before anything is compiled
        ANSWERS[asked][kind] = plain
        return function

    return note


def source_hash(file: Path) -> str:
    """The hash of a module and of all that it imports, directly or not, from this package and from its own."""
    return hash_of_ours(file) if file.is_relative_to(PACKAGE) else hash_now(file)


def hash_now(file: Path) -> str:
    """`source_hash`, of the files as they are."""
    waiting, found = [file], set()
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += read(module)[1]
    return sha256(b"".join(read(module)[0] for module in sorted(found))).hexdigest()


hash_of_ours = functools.cache(hash_now)


def read(file: Path) -> tuple[bytes, list[Path]]:
    """The hash of one file, and the files that it imports at its top: of this package, and of its own."""
    return read_ours(file) if file.is_relative_to(PACKAGE) else read_now(file)


def read_now(file: Path) -> tuple[bytes, list[Path]]:
    """`read`, of the file as it is."""
    source = file.read_bytes()
    imported = [path for found in IMPORTS.finditer(source.decode()) for path in files_of(file, *found.groups(""))]
    if b"\n@question" in source:
        imported += [path for path in sorted(PACKAGE.rglob("*.py")) if b"\n@answer" in path.read_bytes()]
    return sha256(source).digest(), imported


def files_of(file: Path, module: str, names: str, alone: str) -> list[Path]:
    """Which files `from module import names`, or `import alone`, means in a file: of this package, and of its own."""
    parts = (module or alone).split(".")
    root = PACKAGE.parent if parts[0] == PACKAGE.name else file.parent
    if parts[0] != PACKAGE.name and (file.parent / "__init__.py").is_file():
        while (root / "__init__.py").is_file():
            root = root.parent
        if parts[0] != file.relative_to(root).parts[0]:
            return []
    folder = root.joinpath(*parts)
    tried = [folder.with_suffix(".py"), *(folder / f"{name}.py" for name in re.findall(r"\w+", names))]
    return [path for path in [*tried, folder / "__init__.py"] if path.is_file()]


read_ours = functools.cache(read_now)

"""`compiled`: numba's `njit` with a cache on disk that knows which sources the machine code was made from.

Numba looks at the file of the compiled function alone. But its callees are compiled into it, with the constants of
their modules, so that after an edit in another file the old machine code would go on. Here the cache's key is a hash
of the function's module and of every module of this package that it imports, and those import, at their top. A module
that asks a `question` counts as importing all that have an `answer`.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numba
import numba.extending

PACKAGE = Path(__file__).parents[1]
IMPORTS = re.compile(rf"^from {PACKAGE.name}((?:\.\w+)*) import (\([^)]*\)|.*)", re.MULTILINE)


def compiled(function=None, **options):
    """Compile a function: `@compiled` or `@compiled(nogil=True)`; the options are those of `numba.njit`."""
    if function is None:
        return functools.partial(compiled, **options)
    try:
        dispatcher = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # there is no folder to keep machine code in: it is compiled anew in each process
        return numba.njit(**options)(function)
    file, kept = Path(function.__code__.co_filename), dispatcher._cache._cache_file
    if file.is_relative_to(PACKAGE) and file.is_file():
        # Read before anything else of the index, whose types may have other names by now and would not unpickle.
        kept._version = f"{kept._version} {source_hash(file)}"
    return dispatcher


ANSWERS: dict[Callable, dict[type, Callable]] = {}  # question → type of its first argument → answer


def question(function: Callable) -> Callable:
    """Let each game answer: compiled code that calls `function` runs the `answer` for the type of its first argument.

    So one kernel serves several games, and asking costs nothing: the choice is made while it is compiled, and the
    answer written into the caller (as a function of its own it would count references to each array at each call).
    """
    answers = ANSWERS[function] = {}

    def implementation(first, *rest):
        return answers[first.instance_class]

    implementation.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    numba.extending.overload(function, inline="always")(implementation)
    return function


def answer(asked: Callable, kind: type) -> Callable:
    """Make the function below the answer to a question about a NamedTuple `kind`; its arguments have the same names."""

    def note(function):
        plain = getattr(function, "py_func", function)
        if not Path(plain.__code__.co_filename).is_relative_to(PACKAGE):
            raise ValueError(f"{plain.__name__} must stand in a file of {PACKAGE.name}: others' edits would be missed.")
        ANSWERS[asked][kind] = plain
        return function

    return note


@functools.cache
def source_hash(file: Path) -> str:
    """The hash of a module of this package and of all that it imports from the package, directly or not."""
    waiting, found = [file], set()
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += read(module)[1]
    return sha256(b"".join(read(module)[0] for module in sorted(found))).hexdigest()


@functools.cache
def read(file: Path) -> tuple[bytes, list[Path]]:
    """The hash of one file, and the files of this package that it imports at its top."""
    source = file.read_bytes()
    imported = []
    for module, names in IMPORTS.findall(source.decode()):
        folder = PACKAGE.joinpath(*module.split(".")[1:])
        tried = [folder.with_suffix(".py"), *(folder / f"{name}.py" for name in re.findall(r"\w+", names))]
        imported += [path for path in [*tried, folder / "__init__.py"] if path.is_file()]
    if b"\n@question" in source:
        imported += [path for path in sorted(PACKAGE.rglob("*.py")) if b"\n@answer" in path.read_bytes()]
    return sha256(source).digest(), imported

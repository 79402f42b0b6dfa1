"""How modules are loaded: a room's names when they are first used, and triton before TensorFlow.

TensorFlow and triton each bring an LLVM of their own. A process that loads triton after TensorFlow dies with a
segmentation fault; the other way round both work. PyTorch's ordinary wheel for Linux (the CUDA build) has triton with
it, and torch's first optimizer loads it. So an `import tensorflow` after `import mock5lib`, whoever asks for it, loads
triton first where it is installed. Where TensorFlow is there already, triton stays out; torch then works as its CPU
build does, which has none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.util import find_spec
from typing import Any


class _TritonFirst(MetaPathFinder):
    """Finds no module; asked for TensorFlow, it sees to it that triton is loaded."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname == "tensorflow" and "triton" not in sys.modules and find_spec("triton"):
            import_module("triton")
        return None


if "tensorflow" not in sys.modules:
    sys.meta_path.insert(0, _TritonFirst())
else:
    # `import triton` is then an ImportError, which torch expects
    sys.modules.setdefault("triton", None)  # type: ignore[arg-type]


def lazy_names(room: str, homes: dict[str, str]) -> tuple[list[str], Callable, Callable]:
    """What a room's `__init__` binds to `__all__`, `__getattr__` and `__dir__`.

    Args:
        room: the package, as in `__name__`.
        homes: module → the names it holds, separated by blanks.
    """
    where = {name: module for module, names in homes.items() for name in names.split()}

    def __getattr__(name: str) -> Any:
        if name in where:
            return getattr(import_module(f"{room}.{where[name]}"), name)
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return sorted(where), __getattr__, lambda: sorted(where)

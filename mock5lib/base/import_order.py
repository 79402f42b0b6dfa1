"""TensorFlow and triton in one process: triton comes first.

Each brings an LLVM of its own. A process that loads triton after TensorFlow dies with a segmentation fault; the other
way round both work. PyTorch's ordinary wheel for Linux (the CUDA build) has triton with it, and torch's first optimizer
loads it. So an `import tensorflow` after `import mock5lib`, whoever asks for it, loads triton first where it is
installed. Where TensorFlow is there already, triton stays out; torch then works as its CPU build does, which has none.
"""

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.util import find_spec


class _TritonFirst(MetaPathFinder):
    """Finds no module; asked for TensorFlow, it sees to it that triton is loaded."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname == "tensorflow" and "triton" not in sys.modules and find_spec("triton"):
            import_module("triton")
        return None


if "tensorflow" not in sys.modules:
    sys.meta_path.insert(0, _TritonFirst())
else:
    sys.modules.setdefault("triton", None)  # type: ignore[arg-type]  # makes `import triton` an ImportError, which torch expects

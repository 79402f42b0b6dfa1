"""What the figures of a benchmark depend on."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version

LIBRARIES = ("mock5lib", "numpy", "numba", "torch", "tensorflow", "tensorflow-cpu", "open-spiel", "mctspy")


def machine() -> dict:
    """What the figures depend on: processors, Python, libraries, threads. Nothing that names a machine."""
    libraries = {}
    for name in LIBRARIES:
        try:
            libraries[name] = version(name)
        except PackageNotFoundError:
            continue
    return {
        "cpu_count": os.cpu_count(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
        "libraries": libraries,
        "threads": {name: value for name, value in os.environ.items() if name.endswith("_NUM_THREADS")},
    }

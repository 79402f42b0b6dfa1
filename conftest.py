"""For every test, of the package and of the notebooks: fixed conditions, and an order that finds faults early."""

import os

from tools.conditions import FIXED

os.environ.update(FIXED)  # before NumPy, numba or torch is imported; notebook kernels inherit it


def pytest_collection_modifyitems(items):
    """Fast tests first, then notebooks, then what needs a browser or an environment of its own."""
    items.sort(key=lambda item: 2 if item.get_closest_marker("slow") else int(item.path.suffix == ".ipynb"))

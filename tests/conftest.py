"""For the tests of the package: the same examples in every run, no deadlines, and figures without a screen."""

import sys

import hypothesis
import matplotlib
import pytest
from browsers import launched

from mock5lib.course import keep_freed_memory

matplotlib.use("Agg")  # the notebooks' kernels draw inline

# The first call of a numba kernel compiles it, so a time limit per example would measure the compiler.
hypothesis.settings.register_profile("course", deadline=None, derandomize=True)
hypothesis.settings.load_profile("course")


@pytest.fixture(autouse=True)
def same_conditions():
    """TensorFlow takes the first setting back when it trains, a command the second; torch is then slower."""
    keep_freed_memory()
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="module")
def browser():
    """One Chromium for all tests of a module."""
    with launched() as browser:
        yield browser

"""For the tests of the package: the same examples in every run, no deadlines, and figures without a screen."""

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
def memory_is_kept():
    """TensorFlow takes the setting back when it trains; torch in the same process then takes three times as long."""
    keep_freed_memory()


@pytest.fixture(scope="module")
def browser():
    """One Chromium for all tests of a module."""
    with launched() as browser:
        yield browser

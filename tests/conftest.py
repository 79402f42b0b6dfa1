"""For the tests of the package: the same examples in every run, no deadlines, and figures without a screen."""

import hypothesis
import matplotlib

matplotlib.use("Agg")  # the notebooks' kernels draw inline

# The first call of a numba kernel compiles it, so a time limit per example would measure the compiler.
hypothesis.settings.register_profile("course", deadline=None, derandomize=True)
hypothesis.settings.load_profile("course")

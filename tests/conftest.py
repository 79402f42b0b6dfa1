"""For the tests of the package: figures are drawn without a screen. (The notebooks' kernels draw inline.)"""

import matplotlib

matplotlib.use("Agg")

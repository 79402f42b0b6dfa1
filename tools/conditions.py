"""The fixed conditions under which notebooks are executed and tested: one thread, one seed of hashes, no GPU.

`MOCK5_GPU=0 pytest tests/test_captured.py tests/test_devices.py` runs the tests that need a GPU, on card 0.

`conftest.py` sets them for every test process (its notebook kernels inherit them) and `tools/notebooks.py` for the
kernels that store the outputs, so that a stored output and a tested one come from the same machine settings.
"""

import os

FIXED = {
    # Two test processes run side by side. With two threads each they were 40 times slower than with one,
    # and torch's last digits depend on the number of threads.
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    # TensorFlow's banner goes to stderr and would fail the comparison; oneDNN changes last digits by machine.
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "KERAS_BACKEND": "tensorflow",
    "CUDA_VISIBLE_DEVICES": os.environ.get("MOCK5_GPU", ""),
    "PYTHONHASHSEED": "0",
    # Outputs are compared: a compiler that runs is not announced in them, see `mock5lib/base/progress.py`.
    "MOCK5_COMPARED": "1",
    # Jupyter looks in .venv before the user's own folders.
    "JUPYTER_PREFER_ENV_PATH": "1",
}

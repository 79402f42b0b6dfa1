"""The fixed conditions under which notebooks are executed and tested: one thread, one seed of hashes, no GPU.

`conftest.py` sets them for every test process (its notebook kernels inherit them) and `tools/notebooks.py` for the
kernels that store the outputs, so that a stored output and a tested one come from the same machine settings.
"""

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
    "CUDA_VISIBLE_DEVICES": "",
    "PYTHONHASHSEED": "0",
    # Jupyter looks in .venv before the user's own folders.
    "JUPYTER_PREFER_ENV_PATH": "1",
}

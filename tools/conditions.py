"""The fixed conditions under which notebooks are executed and tested: one thread, one seed of hashes, no GPU.

`MOCK5_GPU=0 pytest tests/test_captured.py tests/test_devices.py` runs the tests that need a GPU, on card 0.

`conftest.py` sets them for every test process (its notebook kernels inherit them) and `tools/notebooks.py` for the
kernels that store the outputs, so that a stored output and a tested one come from the same machine settings.

`MOCK5_PROCESSOR=older pytest …` imitates another processor: what is compared then must hold on both.
"""

import os
import platform

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

# Vector instructions as in 2008, for each library that chooses its code by the processor. Sums are taken in another
# order then, so last bits differ; a training multiplies them, as a newer processor than ours would.
OLDER = {
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR X86_V3",
    "OPENBLAS_CORETYPE": "Nehalem",
    "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    "ATEN_CPU_CAPABILITY": "default",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "NUMBA_CPU_NAME": "nehalem",
    "NUMBA_CPU_FEATURES": "",
    "TF_ENABLE_ONEDNN_OPTS": "1",
}
WANTS_OLDER = os.environ.get("MOCK5_PROCESSOR") == "older"
CAN_BE_OLDER = (platform.system(), platform.machine()) == ("Linux", "x86_64")
if WANTS_OLDER and CAN_BE_OLDER:
    FIXED |= OLDER

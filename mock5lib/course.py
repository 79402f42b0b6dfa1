"""What a notebook's set-up cell calls: quiet, reproducible settings, and one look at the machine.

course = setup(seed=0)
rng = np.random.default_rng(course.seed)
path = course_file("data/records/greedy.npz")
"""

import ctypes
import importlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

NOT_IN_COLAB = ("anywidget", "sgfmill")  # all else is there
SHOWN = ("mock5lib", "numpy", "numba", "torch", "tensorflow", "keras")

# One thread and no chatter, as in the tests: a learner then sees the very numbers that the text speaks of.
QUIET = {
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "KERAS_BACKEND": "tensorflow",
}
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of malloc.h


@dataclass(frozen=True)
class Course:
    """The settings of a notebook."""

    seed: int  # from which it makes its random generators
    gpu: str | None  # the name of the GPU, if there is one


def setup(seed: int = 0) -> Course:
    """Settle threads and logging, print versions, device and seed, and return them.

    Raises ValueError for a seed that is no whole number from 0.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed must be a whole number of at least 0, got {seed!r}.")
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    if "torch" in sys.modules:  # it has read the environment already
        sys.modules["torch"].set_num_threads(1)
    keep_freed_memory()
    if "ipykernel" in sys.modules:  # figures with twice the pixels, so that their text is crisp
        importlib.import_module("matplotlib_inline.backend_inline").set_matplotlib_formats("retina")
    missing = [name for name in NOT_IN_COLAB if importlib.util.find_spec(name) is None]
    if "google.colab" in sys.modules and missing:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *missing], check=True)
    if shutil.which("mock5") is None:  # a kernel of .venv does not know .venv's commands; now `!mock5 agents` runs
        os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    if "ipykernel" in sys.modules:  # a first fast cell may wait for the compiler; in Colab it does
        importlib.import_module("mock5lib.base.progress").announce_compiling(print)
    gpu = gpu_name()
    print(f"Python {platform.python_version()} · " + " · ".join(versions()))
    print(f"device {gpu or 'CPU'} · seed {seed}")
    return Course(seed, gpu)


def versions() -> list[str]:
    """Installed versions as "name 1.2.3", without importing anything."""
    shown = []
    for name in SHOWN:
        for distribution in (name, f"{name}-cpu"):
            try:
                shown.append(f"{name} {version(distribution)}")
                break
            except PackageNotFoundError:
                continue
    return shown


def course_file(name: str) -> Path:
    """The path of a file or folder of the repository, such as "data/records/greedy.npz".

    It is looked for above the working folder and beside the package. Where only the package is installed (Colab),
    the repository is fetched once, to the folder `mock5-course`. Raises FileNotFoundError naming the file.
    """
    places = [Path.cwd(), *Path.cwd().parents, Path(__file__).resolve().parent.parent, Path("mock5-course").resolve()]
    for place in places:
        if (place / "course.toml").is_file() and (place / name).exists():
            return place / name
    address = os.environ.get("COURSE_REPO")
    if address and not Path("mock5-course").exists():
        subprocess.run(["git", "clone", "--quiet", "--depth", "1", address, "mock5-course"], check=True)
        return course_file(name)
    raise FileNotFoundError(f"{name} is not in the course's repository; looked above {Path.cwd()} and beside mock5lib.")


def found_path(path: str | Path) -> Path:
    """The path, or one that begins with data/ in the course's repository if nothing is there: for what is only read."""
    path = Path(path)
    if path.parts[:1] == ("data",) and not path.exists():
        with suppress(FileNotFoundError):
            return course_file(path.as_posix())
    return path


def gpu_name() -> str | None:
    """The name of the first CUDA GPU that this process may use, or None. Asks the driver, imports nothing."""
    if os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1") or shutil.which("nvidia-smi") is None:
        return None
    query = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip().split("\n")[0] or None


def keep_freed_memory() -> None:
    """Let this process keep the memory that it frees, instead of fetching it anew from the system at each step.

    A step of training frees some hundred megabytes and asks for the same again. On Linux (glibc) small nets learn up to
    half as fast again with this; elsewhere nothing happens. See mallopt(3).
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, 32 << 20)
        mallopt(M_TRIM_THRESHOLD, 1 << 30)

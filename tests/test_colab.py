"""The Colab path: an empty folder, one notebook, the course's libraries but no mock5lib, and the repository's address.

Nothing here needs a network: the address is a local bare clone, and pip is told that there is no index.
"""

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
# The set-up is the same in all; MOCK5_COLAB=all runs every chapter this way.
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb" if os.environ.get("MOCK5_COLAB") == "all" else "ch00*.ipynb"))
LIST_VERSIONS = """
import importlib.metadata as metadata, json
print(json.dumps({d.metadata["Name"]: d.version for d in metadata.distributions()}))
"""
WHERE = "import mock5lib\nprint(mock5lib.__file__)"


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def mirror_of_the_libraries(folder: Path) -> None:
    """Links to everything installed here except mock5lib.

    The links stand outside the new environment's own site-packages, so pip may see but never remove them.
    """
    folder.mkdir()
    for site in {path for path in sys.path if path.endswith("site-packages")}:
        for entry in Path(site).iterdir():
            if "mock5lib" not in entry.name and entry.suffix != ".pth" and not (folder / entry.name).exists():
                (folder / entry.name).symlink_to(entry)


def bare_clone(folder: Path) -> Path:
    """A bare clone of the working tree as it is now, committed or not."""
    listed = run("git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
    tree = folder / "tree"
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    git = ["git", "-C", tree, "-c", "user.name=test", "-c", "user.email=test@localhost"]
    run(*git, "init", "-q")
    run(*git, "add", "-A")
    run(*git, "commit", "-q", "-m", "as it is now")
    run("git", "clone", "-q", "--bare", tree, folder / "course.git")
    return folder / "course.git"


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    """An environment that looks to a notebook like Colab: its python, and the variables its kernels get."""
    folder = tmp_path_factory.mktemp("colab")
    mirror_of_the_libraries(folder / "libraries")
    standin = folder / "standin" / "google" / "colab"
    standin.mkdir(parents=True)
    (standin / "__init__.py").write_text('"""Stands in for the module that only Colab has."""\n')

    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "colab.pth").write_text(f"{folder / 'libraries'}\n{folder / 'standin'}\n")

    kernel = folder / "kernels" / "colab"
    kernel.mkdir(parents=True)
    variables = {
        "COURSE_REPO": f"file://{bare_clone(folder)}",
        "PIP_NO_INDEX": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
        "PYTHONPATH": "",
    }
    specification = {
        "argv": [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Colab",
        "language": "python",
        "env": variables,
    }
    (kernel / "kernel.json").write_text(json.dumps(specification))
    return SimpleNamespace(python=python, site=site, kernels=folder / "kernels", environment=os.environ | variables)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not on PATH; Colab has it")
@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_alone_in_an_empty_folder_installs_the_package_and_runs(chapter, colab, tmp_path):
    def versions():
        return json.loads(run(colab.python, "-c", LIST_VERSIONS, env=colab.environment, cwd=tmp_path))

    run(colab.python, "-m", "pip", "uninstall", "-q", "-y", "mock5lib", env=colab.environment, cwd=tmp_path)
    before = versions()
    assert "mock5lib" not in before and {"torch", "numba", "ipywidgets"} <= set(before)
    shutil.copy2(chapter, tmp_path)

    notebook = nbformat.read(tmp_path / chapter.name, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(WHERE))
    kernels = KernelSpecManager(kernel_dirs=[str(colab.kernels)])
    NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_name="colab", kernel_spec_manager=kernels),
        timeout=1500,
        resources={"metadata": {"path": str(tmp_path)}},
    ).execute()

    imported_from = Path(notebook.cells[-1].outputs[0].text.strip())
    assert imported_from.is_relative_to(colab.site), f"mock5lib came from {imported_from}"
    after = versions()
    assert after.pop("mock5lib", None)
    assert after == before

"""Execute notebooks under the conditions of the tests and store their outputs.

    python -m tools.notebooks                          all of chapters/ and solutions/
    python -m tools.notebooks chapters/ch01_uct.ipynb  just these

A notebook that fails is left as it was. What is stored is what `pytest --nbval` compares with.
"""

import base64
import os
import sys
import time
from io import BytesIO
from pathlib import Path

from tools.conditions import FIXED

os.environ.update(FIXED)  # the kernels inherit it

import nbformat  # noqa: E402
from jupyter_client.kernelspec import KernelSpecManager  # noqa: E402
from jupyter_client.manager import AsyncKernelManager  # noqa: E402
from nbclient import NotebookClient  # noqa: E402
from nbclient.exceptions import CellExecutionError  # noqa: E402
from PIL import Image  # noqa: E402

from mock5lib.base.files import write_whole  # noqa: E402
from tools.form import problems, undescribed  # noqa: E402
from tools.stamp import ROOT, notebook_text, read_repository, stamp_notebook  # noqa: E402

CELL_LIMIT = 240  # seconds
NOTEBOOK_LIMIT = 240  # seconds, a budget that is reported when exceeded


def execute(notebook, folder: Path, seconds: int = CELL_LIMIT) -> None:
    """Run every cell in a fresh kernel of this Python, in `folder`, and keep the outputs in `notebook`.

    seconds: how long one cell may take.
    """
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # time stamps of an editor
    kernels = KernelSpecManager(kernel_dirs=[str(Path(sys.prefix, "share", "jupyter", "kernels"))])
    client = NotebookClient(
        notebook,
        km=AsyncKernelManager(kernel_name="python3", kernel_spec_manager=kernels),
        timeout=seconds,
        resources={"metadata": {"path": str(folder)}},
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],  # its warnings are about the connection
    )
    client.execute()


def shrink_pictures(notebook) -> None:
    """Make each PNG one of 256 colors, in place: a third of the bytes, and no eye sees the difference."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if png := output.get("data", {}).get("image/png"):
                small = BytesIO()
                picture = Image.open(BytesIO(base64.b64decode(png))).convert("RGBA")
                card = Image.new("RGBA", picture.size, "white")
                card.alpha_composite(picture)
                card.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
                output["data"]["image/png"] = base64.b64encode(small.getvalue()).decode()


def store(path: Path, repository: str) -> bool:
    """Execute the notebook at `path` and write it back; False, and the reason printed, when it can't be kept."""
    name = path.relative_to(ROOT).as_posix()
    notebook = nbformat.read(path, as_version=4)
    stamp_notebook(notebook, repository, name)
    start = time.perf_counter()
    try:
        execute(notebook, path.parent)
        shrink_pictures(notebook)
    except CellExecutionError as error:
        print(f"{name}: failed, left as it was\n{error}")
        return False
    seconds = time.perf_counter() - start
    write_whole(path, notebook_text(notebook).encode())
    over = f" (over the budget of {NOTEBOOK_LIMIT} s)" if seconds > NOTEBOOK_LIMIT else ""
    print(f"{name}: {seconds:.0f} s{over}", flush=True)
    found = problems(notebook, repository) + undescribed(notebook)
    for problem in found:
        print(f"    {problem}")
    return not found


def main(arguments: list) -> int:
    paths = [Path(argument).resolve() for argument in arguments]
    paths = paths or sorted([*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("solutions/*.ipynb")])
    missing = [path for path in paths if not path.is_file()]
    if missing:
        print(f"No such notebook: {', '.join(map(str, missing))}")
        return 2
    repository = read_repository()
    kept = [store(path, repository) for path in paths]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Stamp the repository's address and the set-up cell into every notebook; into README.md the address.

python -m tools.stamp                           bring everything in line with course.toml
python -m tools.stamp --repository owner/name   write that address to course.toml first
"""

import argparse
import re
import tomllib
from pathlib import Path

import nbformat

from mock5lib.base.files import write_whole

ROOT = Path(__file__).resolve().parent.parent
SETUP_TAGS = ["setup", "nbval-ignore-output"]
PREDICTION = "Predict before you run"
FIRST = "chapters/ch00_welcome.ipynb"

SETUP_CELL = """\
# Set-up, the same in every notebook. In Colab it installs mock5lib and nothing else.
import os, subprocess, sys

try:
    import google.colab  # noqa: F401
except ImportError:
    pass  # not in Colab: `make lab` has installed everything
else:
    address = os.environ.get("COURSE_REPO") or "{address}"
    if not address:
        sys.exit("Where is the course on GitHub? Above this cell add one that says "
                 "%env COURSE_REPO=owner/name and run it first.")
    if "/" in address and ":" not in address:
        address = "https://github.com/" + address
    os.environ["COURSE_REPO"] = address
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    if subprocess.run([*pip, "--no-build-isolation", "git+" + address]).returncode:
        sys.exit(f"pip found no course at {{address}}: is COURSE_REPO right?")

from mock5lib.course import setup

course = setup(seed=0)"""

CLONE = """
```
git clone --depth 1 {address} five-in-a-row
cd five-in-a-row
make lab     # sets up .venv on first use, then opens JupyterLab on your own copy, in my/
make test    # runs the tests, in ten minutes, once you have changed something
```
"""
DOWNLOAD = """
Press *Code → Download ZIP* on this page (20 MB), unpack it, and double-click
[book/play/index.html](book/play/index.html) in the folder; the link here shows only its source.
"""
COLAB = """
## In Colab
Each chapter has a badge that opens it in Colab. Its set-up cell installs `mock5lib` from this repository and changes no
package that Colab ships. The first fast cells compile what they need, once, and say so. In a fork, first run
a cell with `%env COURSE_REPO=owner/name` (`%env` sets an environment variable of the notebook).
"""


def read_repository(root: Path = ROOT) -> str:
    """The address in course.toml as "owner/name", or "" while it is not known."""
    return tomllib.loads((root / "course.toml").read_text(encoding="utf-8"))["repository"]


def write_repository(repository: str, root: Path = ROOT) -> None:
    """Put "owner/name" into course.toml. ValueError if it is anything else."""
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repository):
        raise ValueError(f'The address must be "owner/name" on GitHub, got {repository!r}: make links REPO=owner/name.')
    path = root / "course.toml"
    text = re.sub(r'(?m)^repository = ".*"$', f'repository = "{repository}"', path.read_text(encoding="utf-8"))
    write_whole(path, text.encode())


def setup_source(repository: str) -> str:
    """The source of the set-up cell; while the address is not known, it asks for one."""
    return SETUP_CELL.format(address=f"https://github.com/{repository}" if repository else "")


def badge_source(repository: str, notebook: str) -> str:
    """Markdown of the "Open in Colab" badge of `notebook` (its path in the repository); "" without an address."""
    if not repository:
        return ""
    image = "https://colab.research.google.com/assets/colab-badge.svg"
    return f"[![Open in Colab]({image})](https://colab.research.google.com/github/{repository}/blob/main/{notebook})"


def readme_blocks(repository: str) -> dict[str, str]:
    """What stands in README.md between `<!-- name -->` and `<!-- /name -->`; without an address, what needs none."""
    if not repository:
        return {"badge": "", "play": DOWNLOAD, "clone": CLONE.format(address="<the address of this page>"), "colab": ""}
    owner, name = repository.split("/")
    address = f"https://github.com/{repository}"
    tests = f"[![tests]({address}/actions/workflows/tests.yml/badge.svg)]({address}/actions/workflows/tests.yml)"
    site = f"https://{owner}.github.io/{name}/"
    return {
        "badge": f"\n[**Play**]({site}play/) · [**Read**]({site}) · {badge_source(repository, FIRST)} {tests}\n",
        "play": f"\n[**Open the board**]({site}play/) in your browser.\n",
        "clone": CLONE.format(address=f"{address}.git"),
        "colab": COLAB,
    }


def filled_readme(text: str, repository: str) -> str:
    """The text of README.md with its blocks as they should be; a block that it does not have is left out."""
    for name, block in readme_blocks(repository).items():
        marked = re.compile(rf"(<!-- {name} -->).*?(<!-- /{name} -->)", re.DOTALL)
        text = marked.sub(lambda found, block=block: found[1] + block + found[2], text)
    return text


def tags(cell) -> list:
    """The tags of a notebook cell."""
    return cell.metadata.get("tags", [])


def stamp_notebook(notebook, repository: str, path: str) -> None:
    """Make the set-up cell and the badge of `notebook` what they should be, in place; outputs stay."""
    setup = [cell for cell in notebook.cells if "setup" in tags(cell)]
    if not setup:
        setup = [nbformat.v4.new_code_cell(id="setup")]
        first_code = next((i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"), len(notebook.cells))
        notebook.cells.insert(first_code, setup[0])
    setup[0].source = setup_source(repository)
    setup[0].metadata["tags"] = list(SETUP_TAGS)
    fold(notebook)

    notebook.cells = [cell for cell in notebook.cells if "badge" not in tags(cell)]
    badge = badge_source(repository, path)
    if badge:
        notebook.cells.insert(1, nbformat.v4.new_markdown_cell(badge, id="badge", metadata={"tags": ["badge"]}))


def fold(notebook) -> None:
    """Fold the source of cells tagged `setup` or `figure`, and the output that answers a prediction, in place."""
    asked = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            asked = PREDICTION in cell.source
            continue
        folded = {"source_hidden": bool({"setup", "figure"} & set(tags(cell))), "outputs_hidden": asked}
        for name in ("jupyter", "collapsed"):
            cell.metadata.pop(name, None)
        if any(folded.values()):
            cell.metadata["jupyter"] = {name: True for name, hidden in folded.items() if hidden}
        if asked:  # JupyterLab writes the same twice, and would change the file on opening it
            cell.metadata["collapsed"] = True


def drop_stale_views(notebook) -> None:
    """Leave a widget's picture where there is one: the widget itself lived in a kernel that is gone."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data or "image/svg+xml" in data:
                data.pop("application/vnd.jupyter.widget-view+json", None)


def alt_text(cell) -> str:
    """What a code cell's picture shows, in words, from where myst-nb reads it: metadata mystnb.image.alt; or ""."""
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")


def describe_pictures(notebook) -> None:
    """Copy each cell's alt text to the pictures it shows, in place: there nbconvert looks for it."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            for kind in [kind for kind in output.get("data", {}) if kind.startswith("image/")]:
                described = output.metadata.setdefault(kind, {})
                described.pop("alt", None)
                if alt_text(cell):
                    described["alt"] = alt_text(cell)
                if not described:
                    del output.metadata[kind]


def notebook_text(notebook) -> str:
    """The notebook as it is written to disk: one form, so that equal notebooks are equal files."""
    drop_stale_views(notebook)
    describe_pictures(notebook)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def stamped_texts(root: Path = ROOT) -> dict:
    """Every file that carries a stamp, as {path: the text it should have}."""
    repository = read_repository(root)
    texts = {}
    for path in sorted([*root.glob("chapters/*.ipynb"), *root.glob("solutions/*.ipynb")]):
        notebook = nbformat.read(path, as_version=4)
        stamp_notebook(notebook, repository, path.relative_to(root).as_posix())
        texts[path] = notebook_text(notebook)
    readme = root / "README.md"
    texts[readme] = filled_readme(readme.read_text(encoding="utf-8"), repository)
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repository", help="owner/name on GitHub")
    repository = parser.parse_args().repository
    if repository is not None:
        try:
            write_repository(repository)
        except ValueError as error:
            parser.error(str(error))
    for path, text in stamped_texts().items():
        if path.read_text(encoding="utf-8") != text:
            write_whole(path, text.encode())
            print(f"stamped {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

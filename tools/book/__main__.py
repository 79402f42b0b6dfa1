"""Build the site into build/book/site from what is committed; nothing is executed.

    python -m tools.book            the whole site
    python -m tools.book --slides   only the slides, in build/book/site/slides

Open build/book/site/index.html, or serve the folder.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

import nbformat
from sphinx.cmd.build import build_main

from tools.book.landing import contents, ladder, landing, slides_page
from tools.book.own import bring_your_own, command_page
from tools.book.pages import page, text_for_page
from tools.book.reference import reference
from tools.book.slides import build_slides
from tools.stamp import ROOT, read_repository

FOLDERS = ("chapters", "exercises", "solutions")
PICTURES = {"data/figures/blank.svg": "blank.svg"} | {  # what pages of our own show: file → its name in _static
    f"data/ladder/{board}/{name}.png": f"{name}_{board}.png"
    for board in ("9x9", "15x15")
    for name in ("ladder", "ladder_narrow")
}


def build(target: Path, root: Path = ROOT) -> None:
    """Build the site of the repository at `root` into `target`/site.

    Raises:
        RuntimeError: Sphinx warned of something, such as a link to a page that is not there.
        ValueError: a slide shows what its chapter does not have.
    """
    source, site = target / "source", target / "site"
    for old in (source, site):
        shutil.rmtree(old, ignore_errors=True)
    write_sources(source, root)
    strict = ["-q", "-W", "--keep-going", "-E"]
    if build_main([*strict, "-c", str(root / "book"), "-d", str(target / "trees"), str(source), str(site)]):
        raise RuntimeError("The site was not built: see the warnings above.")
    for name in notebooks(root):
        copy(root / name, site / "notebooks" / name)
    for name, shown in PICTURES.items():
        copy(root / name, site / "_static" / shown)
    build_slides(site, root)
    shutil.copytree(root / "book/play", site / "play")


def notebooks(root: Path) -> list:
    """The paths of the notebooks that are pages, with slashes."""
    return [path.relative_to(root).as_posix() for folder in FOLDERS for path in sorted(root.glob(f"{folder}/*.ipynb"))]


def write_sources(source: Path, root: Path) -> None:
    """Write what Sphinx reads into `source`: a page for each notebook, the guide, the package, the ladder."""
    repository = read_repository(root)
    files = f"https://github.com/{repository}/blob/main" if repository else ""
    guide = [path.relative_to(root).as_posix() for path in sorted(root.glob("guide/*.md"))]
    read = {name: nbformat.read(root / name, as_version=4) for name in notebooks(root)}
    chapters = {Path(name).stem: notebook for name, notebook in read.items() if name.startswith("chapters/")}
    pages = {*read, *guide}
    for name, notebook in read.items():
        write(source / name, nbformat.writes(page(notebook, name, files, pages)))
    for name in guide:
        write(source / name, text_for_page((root / name).read_text(encoding="utf-8"), name, files, pages))
    write(source / "ladder.md", ladder(root))
    write(source / "slides.md", slides_page(root, chapters))
    described = {"bring_your_own": bring_your_own(root, files, pages), "command": command_page(), **reference(root)}
    for name, text in described.items():
        write(source / f"{name}.md", text)
    write(source / "index.md", landing(root, chapters, repository) + contents(read, guide, described))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.book", description=__doc__.splitlines()[0])
    parser.add_argument("--slides", action="store_true", help="only the slides")
    parser.add_argument("--to", type=Path, default=ROOT / "build/book", metavar="FOLDER", help="default: build/book")
    arguments = parser.parse_args()
    site, start = arguments.to.resolve() / "site", time.perf_counter()
    try:
        if arguments.slides:
            build_slides(site, ROOT)
        else:
            build(site.parent)
    except (RuntimeError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    built = site / "slides" if arguments.slides else site
    size = sum(file.stat().st_size for file in built.rglob("*") if file.is_file())
    print(f"{built}: {size / 1e6:.0f} MB, {time.perf_counter() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

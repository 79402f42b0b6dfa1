"""Build the site into build/book/site from what is committed; nothing is executed.

    python -m tools.book            the whole site

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

from tools.book.landing import ladder, landing
from tools.book.pages import heading, page, text_for_page
from tools.stamp import ROOT, read_repository

SECTIONS = {"chapters": "Chapters", "exercises": "Exercises", "solutions": "Solutions"}
GUIDE = "For groups"
FIGURES = [f"data/ladder/{board}/ladder.png" for board in ("9x9", "15x15")]


def build(target: Path, root: Path = ROOT) -> None:
    """Build the site of the repository at `root` into `target`/site.

    Raises:
        RuntimeError: Sphinx warned of something, such as a link to a page that is not there.
    """
    source, site = target / "source", target / "site"
    for old in (source, site):
        shutil.rmtree(old, ignore_errors=True)
    write_sources(source, root)
    if build_main(
        ["-q", "-W", "--keep-going", "-c", str(root / "book"), "-d", str(target / "trees"), str(source), str(site)]
    ):
        raise RuntimeError("The site was not built: see the warnings above.")
    for name in notebooks(root):
        copy(root / name, site / "notebooks" / name)
    copy(root / "data/figures/ladder_panel.png", site / "_static/panel.png")
    if (root / "book/play").is_dir():
        shutil.copytree(root / "book/play", site / "play")


def notebooks(root: Path) -> list:
    """The paths of the notebooks that are pages, with slashes."""
    return sorted(path.relative_to(root).as_posix() for folder in SECTIONS for path in root.glob(f"{folder}/*.ipynb"))


def write_sources(source: Path, root: Path) -> None:
    """Write what Sphinx reads into `source`: a page for each notebook, the guide, the landing page, the ladder."""
    repository = read_repository(root)
    files = f"https://github.com/{repository}/blob/main" if repository else ""
    guide = [path.relative_to(root).as_posix() for path in sorted(root.glob("guide/*.md"))]
    read = {name: nbformat.read(root / name, as_version=4) for name in notebooks(root)}
    pages = {*read, *guide}
    for name, notebook in read.items():
        write(source / name, nbformat.writes(page(notebook, name, files, pages)))
    for name in guide:
        write(source / name, text_for_page((root / name).read_text(encoding="utf-8"), name, files, pages))
    for name in FIGURES:
        copy(root / name, source / name)
    write(source / "ladder.md", ladder(root))
    chapters = {Path(name).stem: notebook for name, notebook in read.items() if name.startswith("chapters/")}
    front = landing(
        root,
        chapters,
        repository=repository,
        play=(root / "book/play/index.html").exists(),
        guide=guide[0].replace(".md", ".html") if guide else "",
        slides=False,
    )
    write(source / "index.md", "\n\n".join([FRONT, front, *contents(read, guide)]))


FRONT = "---\nhide-toc: true\n---\n# From UCT to AlphaZero on five-in-a-row"


def contents(read: dict, guide: list) -> list:
    """The tables of contents, one for each section of the sidebar."""
    trees = []
    for folder, caption in SECTIONS.items():
        lines = [
            f"{name[len(folder) + 3 :][:2].lstrip('0') or 0} · {heading(read[name])[1]} <{name[:-6]}>"
            for name in read
            if name.startswith(f"{folder}/")
        ]
        trees.append(toctree(caption, lines + ["All agents, with intervals <ladder>"] * (folder == "chapters")))
    return trees + ([toctree(GUIDE, [name[:-3] for name in guide])] if guide else [])


def toctree(caption: str, lines: list) -> str:
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *lines, "```"])


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy(file: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.book", description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "build/book", metavar="FOLDER", help="default: build/book")
    arguments = parser.parse_args()
    start = time.perf_counter()
    try:
        build(arguments.to.resolve())
    except RuntimeError as error:
        print(error)
        return 1
    site = arguments.to / "site"
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    print(f"{site / 'index.html'}: {size / 1e6:.0f} MB, {time.perf_counter() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

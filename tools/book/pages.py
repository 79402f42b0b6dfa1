"""A committed notebook as a page of the site: what is folded, where its links lead, what is left out.

Nothing is executed. What `tools.stamp` says in Jupyter's terms is said here in those of myst-nb.
"""

from __future__ import annotations

import copy
import re
from pathlib import Path, PurePosixPath

from nbformat.v4 import new_markdown_cell

from tools.exercises import BEGIN, END
from tools.stamp import PREDICTION, tags

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(((?:[^()\s]|\([^()\s]*\))+)\)")
DETAILS = re.compile(r"<details><summary>(.*?)</summary>\s*(.*?)\s*</details>", re.DOTALL)
MARKS = re.compile(rf"(?m)^ *(?:{BEGIN}|{END})(?:\n|\Z)")
ASIDE = {PREDICTION: "predict", "Exercise": "turn"}  # how a quotation begins: its class on the page
BESIDE = {  # how the paths of a chapter's pages begin, before its number: the word of a button, and what it is for
    "chapters/ch": ("Chapter", "The chapter itself"),
    "exercises/ex": ("Exercises", "The exercises to this chapter"),  # a chapter itself leads to them in its first line
    "solutions/ex": ("Solutions", "The same exercises, solved"),
    "slides/ch": ("Slides", "The slides of this chapter"),
    "guide/ch": ("Guide", "How to lead a group through this chapter"),
}
SETUP, FIGURE, ANSWER = "Set-up, the same in every notebook", "The code of this figure", "Show the answer"


def page(notebook, path: str, source: str, pages: set):
    """A new notebook for Sphinx, made from a committed one.

    path: where the notebook stands in the repository, with slashes.
    source: the web address under which the repository's files are seen, or "" while there is none.
    pages: the paths of all pages of the site; a link to any other file leads to `source`.
    """
    shown = copy.deepcopy(notebook)
    cells = [cell for cell in shown.cells if "badge" not in tags(cell)]
    shown.cells = [piece for cell in cells for piece in (_code(cell) if cell.cell_type == "code" else [cell])]
    for cell in shown.cells:
        if cell.cell_type == "markdown":
            cell.source = text_for_page(cell.source, path, source, pages)
        for output in cell.get("outputs", []):  # pictures have twice the pixels of the width they are shown at
            if width := output.get("metadata", {}).get("image/png", {}).get("width"):
                cell.metadata.setdefault("mystnb", {}).setdefault("image", {})["width"] = f"{width}px"
    folder, name = PurePosixPath(path).parts[-2:]
    if folder == "solutions":
        shown.cells[0].source = shown.cells[0].source.replace("# Exercises for", "# Solutions for", 1)
        for cell in shown.cells:
            if cell.cell_type == "code":
                cell.source = MARKS.sub("", cell.source).rstrip("\n")
    elif folder == "exercises" and f"solutions/{name}" in pages:
        further = [f"[The same exercises, solved](../solutions/{name})"]
        later = f"chapters/ch{int(name[2:4]) + 1:02d}"
        further += [f"[The next chapter](../{other})" for other in sorted(pages) if other.startswith(later)]
        shown.cells.append(new_markdown_cell("---\n\n" + " · ".join(further)))
    return shown


def text_for_page(text: str, path: str, source: str, pages: set) -> str:
    """Markdown as it stands in the repository at `path`, as a page needs it."""
    for beginning, name in ASIDE.items():
        text = re.sub(rf"(?m)^(?=> \*\*{beginning})", f"{{.{name}}}\n", text)
    # With blank lines around it, what is folded is read as markdown and not as HTML.
    text = DETAILS.sub(r"<details><summary>\1</summary>\n\n\2\n\n</details>", text)
    return relink(text, path, source, pages)


def relink(text: str, path: str, source: str, pages: set) -> str:
    """`text`, in which each link to a file that is no page leads to `source`, or is plain words while there is none."""
    folder = PurePosixPath(path).parent

    def led(match):
        picture, words, target = match.groups()
        if picture or re.match(r"[a-z]+:|#", target):
            return match[0]
        file = plain(folder / target.partition("#")[0])
        if file in pages:
            return match[0]
        return f"[{words}]({source}/{file})" if source else words

    return LINK.sub(led, text)


def plain(path: PurePosixPath) -> str:
    """`path` without the dots in it."""
    parts = []
    for part in path.parts:
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(part for part in parts if part != ".")


def _code(cell) -> list:
    """A code cell as one or two cells: where source and output are both folded, each gets a fold of its own."""
    hidden = cell.metadata.pop("jupyter", {})
    source, output = hidden.get("source_hidden"), hidden.get("outputs_hidden") and cell.outputs
    cell.metadata.setdefault("tags", [])
    if "setup" in tags(cell):
        return [_folded(cell, "hide-cell", SETUP)]
    if source and output:
        answer = copy.deepcopy(cell)
        answer.id, cell.outputs = f"{cell.id}-answer", []
        answer.metadata.tags.append("remove-input")
        return [_folded(cell, "hide-input", FIGURE), _folded(answer, "hide-output", ANSWER)]
    if source:
        return [_folded(cell, "hide-input", FIGURE)]
    return [_folded(cell, "hide-output", ANSWER)] if output else [cell]


def _folded(cell, tag: str, prompt: str):
    """The cell, folded as `tag` says under the words `prompt`, in place."""
    cell.metadata.tags.append(tag)
    cell.metadata.setdefault("mystnb", {}).update(code_prompt_show=prompt, code_prompt_hide=prompt)
    return cell


def buttons(page: str, repository: str, decks: set, pages: set) -> list:
    """(word, address, purpose) of each button above a page; those that need the course's address only if it has one.

    page: its path without ending, "chapters/ch01_uct". decks: the chapters with slides, {"ch01_uct"}. pages: the paths
    of all pages, without ending. An address within the site has no "https:".
    """
    place = re.fullmatch(r"(chapters|exercises|solutions|guide)/..(\d\d)\w*", page)
    if not place:
        return []
    found, (folder, number) = [], place.groups()
    if folder != "guide":
        found.append(("Notebook", f"notebooks/{page}.ipynb", "Download this notebook"))
    if folder != "guide" and repository:
        there = f"{repository}/blob/main/{page}.ipynb"
        found.append(("Colab", f"https://colab.research.google.com/github/{there}", "Run this notebook in Colab"))
        found.append(("Source", f"https://github.com/{there}", "See this notebook in the repository"))
    shown = {f"slides/{stem}" for stem in decks}
    for beginning, (word, purpose) in BESIDE.items():
        for other in sorted(pages | shown):
            if other.startswith(beginning + number) and other != page and (word, folder) != ("Exercises", "chapters"):
                found.append((word, f"{other}.html", purpose))
    return found


def heading(notebook) -> tuple:
    """("Chapter 1", "UCT on tic-tac-toe"): the two halves of the notebook's title."""
    kind, _, name = notebook.cells[0].source.splitlines()[0].removeprefix("# ").partition(" · ")
    return kind, name or kind


def promises(root: Path) -> dict:
    """What one builds in each chapter, as the road in README.md says it: {"ch01_uct": "Tree search in four …"}."""
    rows = re.findall(
        r"(?m)^\| ch\d\d \| \[[^\]]*\]\(chapters/(\w+)\.ipynb\)[^|]*\| (.*?) \|",
        (root / "README.md").read_text(encoding="utf-8"),
    )
    return {stem: words[0].upper() + words[1:] for stem, words in rows}


def anchor(title: str) -> str:
    """The anchor of a heading, as Jupyter makes it: the notebooks link to those."""
    return title.replace(" ", "-")

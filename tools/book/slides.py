"""A deck of slides for each chapter, written from book/slides.toml: which cells, in which order, with one line each.

A slide shows one thing of the chapter as it is committed: a picture, a formula, a function, what a cell prints, or a
question. reveal.js shows them, from a copy in book/reveal/.
"""

from __future__ import annotations

import ast
import base64
import re
import shutil
import tomllib
from html import escape, unescape
from pathlib import Path

import nbformat
import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from PIL import Image
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from tools.book.formulas import mathml
from tools.book.pages import anchor, heading, promises
from tools.stamp import PREDICTION, alt_text

FEWEST, MOST = 15, 26  # slides of a deck, with its title and what must stick
BEYOND = 2  # those two, which are no rows of slides.toml
MOST_LINES = 18  # of code or print on a slide
EDGE = 5  # pixels left around what is cut out of a picture
DASHED = 12  # columns of a cut that a dashed line may begin or end in
INLINE = re.compile(r"\$([^$]+)\$")
BLOCK = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
PICTURES = {"image/svg+xml": "svg", "image/png": "png"}  # the sharper first


def build_slides(site: Path, root: Path) -> list:
    """Write a deck for each chapter that has one into `site`/slides; the names of those chapters.

    Raises:
        ValueError: book/slides.toml names what is not in the chapter.
    """
    folder = site / "slides"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root / "book/reveal", folder / "reveal", ignore=shutil.ignore_patterns("README.md"))
    for name in ("math.woff2", "stone.svg"):
        shutil.copyfile(root / "book/static" / name, folder / "reveal" / name)
    colors = HtmlFormatter(style="default").get_style_defs(".light pre")
    colors += "\n" + HtmlFormatter(style="github-dark").get_style_defs(".dark pre")
    (folder / "reveal/code.css").write_text(colors, encoding="utf-8")
    templates = Environment(loader=FileSystemLoader(root / "book"), undefined=StrictUndefined, autoescape=True)
    decks, builds = read_decks(root), promises(root)
    for stem, table in decks.items():
        notebook = nbformat.read(root / f"chapters/{stem}.ipynb", as_version=4)
        slides = deck(notebook, table, stem, folder)
        kind, name = heading(notebook)
        words = {"kind": kind, "name": name, "promise": inline(builds[stem]), "stem": stem, "slides": slides}
        words["notes"] = add_notes(notebook, slides, (root / f"guide/{stem[:4]}.md").read_text(encoding="utf-8"))
        (folder / f"{stem}.html").write_text(templates.get_template("slides.html").render(words), encoding="utf-8")
    return list(decks)


def read_decks(root: Path) -> dict:
    """{"ch01_uct": [[kind, cell, line, …], …]}: book/slides.toml, for those chapters that are there."""
    tables = tomllib.loads((root / "book/slides.toml").read_text(encoding="utf-8"))
    return {stem: tables[stem]["slides"] for stem in sorted(tables) if (root / f"chapters/{stem}.ipynb").exists()}


def deck(notebook, table: list, stem: str, folder: Path) -> list:
    """The slides of a chapter, a dict each: section, its anchor, what is shown and the words to it (HTML).

    Pictures are written to `folder`.
    """
    sections, cells, section = {}, {}, ""
    for cell in notebook.cells:
        found = re.findall(r"(?m)^## (.+)$", cell.source) if cell.cell_type == "markdown" else []
        section = re.sub(r"[*`]", "", found[-1]) if found else section
        sections[cell.id], cells[cell.id] = section, cell
    slides = []
    for number, row in enumerate(table, start=2):
        kind, which, line, rows, parts = [*row, *["", None, ""][len(row) - 2 :]]
        name, _, part = which.partition(".")
        where = f"book/slides.toml, {stem}, slide {number} ({kind} {which!r})"
        slide = {"kind": kind, "line": inline(line), "parts": [inline(part) for part in parts.split(" | ") if part]}
        if kind == "words":
            nowhere = dict.fromkeys(("cell", "section", "anchor"), "")
            slides.append({**slide, **nowhere, "shown": inline(which)})
            continue
        if name not in cells:
            raise ValueError(f"{where}: the chapter has no such cell. Name another, or take the slide out.")
        try:
            if kind == "picture":
                shown = picture(cells[name], rows, folder / f"pictures/{stem}_{name}", line)
            else:
                shown = SHOW[kind](cells[name], part)
        except (KeyError, IndexError, TypeError, SyntaxError) as error:
            raise ValueError(f"{where}: the cell has no such thing to show ({error!r}).") from error
        title = sections[name]
        slides.append({**slide, "cell": name, "section": title, "anchor": anchor(title), "shown": Markup(shown)})
    return slides


def add_notes(notebook, slides: list, page: str) -> list:
    """Give each slide as notes what the guide's page of its chapter says there; returns what must stick.

    A question gets its answer from the guide, the first slide of a section its minutes, what to show and what people
    misunderstand.
    """
    parts = dict(re.findall(r"(?ms)^## (.+?)\n(.*?)(?=^## |\Z)", page))
    said = {title: re.split(r"\n\n|\n(?=[-|]|\d\. )", text.strip()) for title, text in parts.items()}
    questions = [cell.id for cell in notebook.cells if f"> **{PREDICTION}.**" in cell.source]
    told = set()
    for slide in slides:
        place, notes = f"#{slide['anchor']})", []
        if slide["kind"] == "ask":
            notes.append(said["Ask before you run"][questions.index(slide["cell"])])
        if slide["section"] and place not in told:
            told.add(place)
            titles = "Two hours", "What to show live", "Three misunderstandings"
            notes += [block for title in titles for block in said[title] if place in block]
        slide["notes"] = [_note(block) for block in notes]
    return [_note(block) for block in said["What must stick"]]


def _note(block: str) -> Markup:
    """An item or a row of the guide as one paragraph."""
    row = re.fullmatch(r"\| (\d:\d\d) \| (\d+) \| (.*) \|", block)
    text = f"**{row[1]}, {row[2]} minutes.** {row[3]}" if row else re.sub(r"^(-|\d\.) ", "", block)
    return inline(" ".join(text.split()))


def picture(cell, rows: list | None, file: Path, line: str) -> str:
    """The cell's picture, as a file beside the deck; of a PNG, only those `rows`.

    What is drawn falls into bands with nothing between them: a title, boards, what is written below them. [1] leaves
    out the first band, [2, 3] shows the third alone. [0.5, 1.0] is the lower half, where there is no gap to cut at, and
    [0.0, 0.5, 0.9, 1.0] the upper one above what is written at the foot, the axis.
    """
    shown = [(kind, output) for kind in PICTURES for output in cell.outputs if kind in output.get("data", {})]
    kind, output = shown[0]
    data = output.data[kind]
    file = file.with_name(f"{file.name}{'_'.join(map(str, ['', *(rows or [])])).replace('.', '')}.{PICTURES[kind]}")
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(base64.b64decode(data) if kind == "image/png" else data.encode("utf-8"))
    if rows:
        _crop(file, rows)
    return f'<img src="pictures/{file.name}" alt="{escape(alt_text(cell) or line)}">'


def _crop(file: Path, rows: list) -> None:
    image = Image.open(file)
    ink = np.asarray(image.convert("L")) < 250
    edges = np.flatnonzero(np.diff(np.r_[False, ink.any(axis=1), False]))  # a band begins, ends, the next one begins …
    if isinstance(rows[0], float):
        cuts = [_clean_cut(ink, share) for share in rows]
    else:
        chosen = slice(*rows) if len(rows) > 1 else slice(rows[0], None)
        cuts = [edges[::2][chosen][0], edges[1::2][chosen][-1]]
    parts = [(max(0, top - EDGE), min(image.height, bottom + EDGE)) for top, bottom in zip(cuts[::2], cuts[1::2])]
    columns = np.flatnonzero(np.any([ink[top:bottom].any(axis=0) for top, bottom in parts], axis=0))
    left, right = columns[0] - EDGE, columns[-1] + EDGE + 1
    shown = Image.new("RGB", (right - left, sum(bottom - top for top, bottom in parts)), "white")
    height = 0
    for top, bottom in parts:
        shown.paste(image.crop((left, top, right, bottom)).convert("RGB"), (0, height))
        height += bottom - top
    shown.quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)  # as the notebooks keep them


def _clean_cut(ink, share: float) -> int:
    """The row nearest to `share` of the height at which no letter and no dot is cut, only lines that go on below."""
    height = len(ink)
    wanted = round(share * height)
    if wanted in (0, height):
        return wanted
    reach = height // 30
    for row in sorted(range(wanted - reach, wanted + reach + 1), key=lambda row: abs(row - wanted)):
        band = ink[max(0, row - EDGE - 1) : row + EDGE + 1]
        if np.count_nonzero(band.any(axis=0) & ~band.all(axis=0)) <= DASHED:
            return row
    raise IndexError(f"no row near {share} of the height where a cut hits nothing")


def code(cell, part: str) -> str:
    """The cell's source, or one function or class of it, colored; of a blank, ours."""
    source = cell.source
    if source.startswith("@your_turn"):
        verdict = cell.outputs[0].data["text/html"]
        source = unescape(verdict.partition("<summary>Ours</summary><pre>")[2].partition("</pre>")[0])
    names = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    if part in names:
        source = ast.get_source_segment(source, names[part])
    return _short(source, highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)))


def printed(cell, _) -> str:
    """What the cell prints."""
    text = "".join(output.text for output in cell.outputs if output.output_type == "stream").rstrip()
    return _short(text, escape(text))


def _short(text: str, html: str) -> str:
    lines = text.splitlines()
    if not 0 < len(lines) <= MOST_LINES:
        raise IndexError(f"{len(lines)} lines, where a slide holds 1 to {MOST_LINES}")
    size = min(56, 1980 / max(map(len, lines)), 385 / len(lines))  # pixels, as large as the slide holds
    return f'<pre style="--size: {size:.1f}px"><code>{html}</code></pre>'


def formula(cell, _) -> str:
    """The cell's first formula on a line of its own."""
    return mathml(BLOCK.findall(cell.source)[0].strip(), display=True)


def ask(cell, _) -> str:
    """The question that the cell asks before one runs what follows; a board in it keeps its lines."""
    words = re.findall(rf"(?ms)^> \*\*{PREDICTION}\.\*\*(.+?)(?:\n\n|\Z)", cell.source)[0]
    parts = re.sub(r"(?m)^> ?", "", words).split("```")  # words, a board, words …
    shown = [_words(part) if number % 2 == 0 else _board(part) for number, part in enumerate(parts)]
    return f'<div class="question">{"".join(shown)}</div>'


def _words(text: str) -> str:
    return f"<p>{inline(' '.join(text.split()))}</p>" if text.strip() else ""


def _board(text: str) -> str:
    return f"<pre><code>{escape(text.strip(chr(10)))}</code></pre>"


def inline(text: str) -> Markup:
    """One line of markdown, with formulas, as HTML."""
    formulas = [mathml(latex, display=False) for latex in INLINE.findall(text)]
    html = MarkdownIt().renderInline(INLINE.sub("\x00", text))
    # What a chapter links to lies elsewhere from a slide.
    html = re.sub(r"</?a\b[^>]*>", "", html)
    return Markup(re.sub("[\x00\ufffd]", lambda _: formulas.pop(0), html))


SHOW = {"code": code, "printed": printed, "formula": formula, "ask": ask}

"""The pages that no notebook makes: the landing page with the road of chapters, the ladder, the list of slides."""

from __future__ import annotations

import json
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt

from tools.book.pages import heading, promises
from tools.book.slides import BEYOND, read_decks

# The rungs that the landing page shows, best first, as data/ladder/9x9/table.json calls them: what each is, and its
# chapter.
RUNGS = {
    "AlphaZero 200": ("taught itself; 200 simulations a move", 6),
    "AlphaZero 16": ("the same net, 16 simulations", 6),
    "expert 200": ("learned by imitation; 200 simulations", 5),
    "AlphaZero, no search": ("the self-taught net, one look", 6),
    "REINFORCE net": ("learned from who won; one look, no search", 3),
    "AlphaGo, mixed": ("three nets and playouts", 4),
    "supervised net": ("imitates the rules; one look", 2),
    "greedy": ("among the best of our rules of thumb", 2),
    "mixed": ("one of four rules of thumb, drawn for each move", 2),
    "UCT 10,000": ("no knowledge, 10,000 playouts a move", 1),
    "UCT 1,000": ("no knowledge, 1,000 playouts a move", 1),
    "random": ("", 0),
}
SHORT = {  # what the sidebar calls the pages for groups; that of a chapter is its number
    "guide/README": "Overview",
    "reference/index": "Overview",
    "bring_your_own": "Bring your own",
    "command": "The command",
    "guide/eight_weeks": "Eight weeks",
    "guide/one_afternoon": "One afternoon",
    "slides": "Slides",
}
NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def landing(root: Path, chapters: dict, repository: str) -> str:
    """The landing page in MyST markdown, without its contents, from book/landing.html.

    chapters: {"ch01_uct": its notebook}. repository: "owner/name" or "".
    """
    templates = Environment(loader=FileSystemLoader(root / "book"), undefined=StrictUndefined, autoescape=True)
    table = json.loads((root / "data/ladder/9x9/table.json").read_text(encoding="utf-8"))
    html = templates.get_template("landing.html").render(
        road=road(chapters, promises(root)),
        rungs=rungs(table["ladder"], chapters),
        games=f"{table['games']:,}",
        count=NUMBERS[len(chapters)],
        repository=repository,
    )
    # An empty line would end the block of HTML in markdown.
    block = "\n".join(line for line in html.splitlines() if line.strip())
    return f"---\nhide-toc: true\n---\n# From UCT to AlphaZero on five-in-a-row\n\n{block}\n"


def contents(notebooks: dict, guide: list, described: dict) -> str:
    """The tables of contents, in MyST markdown: one for each section of the sidebar.

    notebooks: {path: notebook}. guide: the paths of the guide's pages. described: those about the package.
    """
    trees = {"Chapters": [], "Exercises": [], "Solutions": []}
    for path, notebook in notebooks.items():
        folder, stem = path.removesuffix(".ipynb").split("/")
        name = f" · {heading(notebook)[1]}" if folder == "chapters" else ""
        trees[folder.capitalize()].append(f"{int(stem[2:4])}{name} <{folder}/{stem}>")
    trees["Chapters"].append("All agents on the ladder <ladder>")
    pages = [page.removesuffix(".md") for page in guide]
    trees["The package"] = [f"{SHORT.get(page) or page.split('/')[1]} <{page}>" for page in described]
    trees["For groups"] = [f"{SHORT.get(page) or int(page[-2:])} <{page}>" for page in [*pages, "slides"]]
    lines = [["", "```{toctree}", ":hidden:", f":caption: {name}", "", *trees[name], "```", ""] for name in trees]
    return "\n".join(line for tree in lines for line in tree)


def slides_page(root: Path, chapters: dict) -> str:
    """The list of decks in MyST markdown. The decks are no pages of Sphinx, so the links to them are HTML."""
    rows = [
        f'<li><a href="slides/{stem}.html">{" · ".join(heading(chapters[stem]))}</a>: {len(rows) + BEYOND} slides</li>'
        for stem, rows in read_decks(root).items()
    ]
    about = (
        "A deck for each chapter, to be shown while somebody talks: one idea a slide, taken from the chapter. "
        "The small line at the foot of a slide leads to its place in the chapter. The keys are those of reveal.js: "
        "arrows, `F` for the full screen, `Esc` for all slides at once, `?` for the rest. "
        "`S` opens a window for the speaker, with the time, the next slide and what the guide says of this one. "
        "Add `?print-pdf` to the address to print a deck."
    )
    return "\n".join(["# Slides", "", about, "", "<ul>", *rows, "</ul>", ""])


def road(chapters: dict, builds: dict) -> list:
    """A dict for each chapter: number, page, title, what one builds (HTML)."""
    return [
        {
            "number": int(stem[2:4]),
            "page": f"chapters/{stem}.html",
            "title": heading(notebook)[1],
            "builds": MarkdownIt().renderInline(builds[stem]),
        }
        for stem, notebook in sorted(chapters.items())
    ]


def rungs(players: list, chapters: dict) -> list:
    """A dict for each rung of the landing page: name, Elo, length of its bar in percent. players: the ladder's."""
    ratings = {player["name"]: player["elo"] for player in players}
    pages = {int(stem[2:4]): f"chapters/{stem}.html" for stem in chapters}
    top = max(ratings.values())
    return [
        {
            "name": name,
            "what": what,
            "page": pages.get(chapter, ""),
            "elo": f"{ratings[name]:,.0f}",
            "length": round(max(0, ratings[name]) / top * 100),
            "own": name.startswith("AlphaZero"),
        }
        for name, (what, chapter) in RUNGS.items()
    ]


def ladder(root: Path) -> str:
    """The page of the ladder in MyST markdown, from data/ladder/."""
    pieces = [
        "# The ladder",
        "Every agent of the course against every other, from paired random openings. "
        "[Chapter 7](chapters/ch07_ladder.ipynb) shows how it is measured, and lets you play against each rung.",
    ]
    for board in ("9x9", "15x15"):
        text = (root / f"data/ladder/{board}/ladder.md").read_text(encoding="utf-8")
        title, _, rest = text.partition("\n")
        words = title.removeprefix("# ")
        alt = f"{words}: each agent's Elo above random play with its 95% interval; the table below has the numbers."
        picture = (
            f'<picture><source media="(max-width: 600px)" srcset="_static/ladder_narrow_{board}.png">'
            f'<img src="_static/ladder_{board}.png" alt="{alt}"></picture>'
        )
        rest = rest.replace("| | agent |", "| rank | agent |")  # a screen reader names each column
        pieces += [f"#{title}", picture, re.sub(r"(?m)^#", "##", rest).strip()]
    return "\n\n".join(pieces) + "\n"

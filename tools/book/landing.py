"""The pages that no notebook makes: the landing page with the road of chapters, and the ladder."""

from __future__ import annotations

import json
import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt

from tools.book.pages import heading, promise

# The rungs that the landing page shows, best first, as data/ladder/9x9/table.json calls them: what each is, and its
# chapter.
RUNGS = {
    "AlphaZero 200": ("taught itself; 200 simulations a move", 6),
    "AlphaZero 16": ("the same net, 16 simulations", 6),
    "expert 200": ("learnt by imitation; 200 simulations", 5),
    "REINFORCE net": ("learnt from who won; one look, no search", 3),
    "AlphaZero, no search": ("the self-taught net, one look", 6),
    "AlphaGo, mixed": ("three nets and playouts", 4),
    "greedy": ("the best of our rules of thumb", 2),
    "supervised net": ("imitates the rules; one look", 2),
    "mixed": ("six rules of thumb, one at random", 2),
    "UCT 10,000": ("no knowledge, 10,000 playouts a move", 1),
    "UCT 1,000": ("no knowledge, 1,000 playouts a move", 1),
    "random": ("", 0),
}
LEFT = 1000  # Elo at which the bars begin
NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def landing(root: Path, chapters: dict, **about) -> str:
    """The landing page in MyST markdown, from book/landing.html.

    chapters: {"ch01_uct": its notebook}. about: what else the template names.
    """
    templates = Environment(loader=FileSystemLoader(root / "book"), undefined=StrictUndefined, autoescape=True)
    table = json.loads((root / "data/ladder/9x9/table.json").read_text(encoding="utf-8"))
    html = templates.get_template("landing.html").render(
        road=road(chapters),
        rungs=rungs(table["ladder"], chapters),
        games=f"{table['games']:,}",
        count=NUMBERS[len(chapters)],
        **about,
    )
    # An empty line would end the block of HTML in markdown.
    return "\n".join(line for line in html.splitlines() if line.strip())


def road(chapters: dict) -> list:
    """A dict for each chapter: number, page, title, what one builds (HTML)."""
    return [
        {
            "number": int(stem[2:4]),
            "page": f"chapters/{stem}.html",
            "title": heading(notebook)[1],
            "builds": MarkdownIt().renderInline(promise(notebook)),
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
            "length": round(max(0, ratings[name] - LEFT) / (top - LEFT) * 100),
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
        alt = f"{words}: each agent's Elo above random play with its 95 % interval; the table below has the numbers."
        pieces += [f"#{title}", f"![{alt}](data/ladder/{board}/ladder.png)", re.sub(r"(?m)^#", "##", rest).strip()]
    return "\n\n".join(pieces) + "\n"

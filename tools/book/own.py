"""Two pages for whoever has finished: what README.md and CONTRIBUTING.md say of things of one's own, and the command.

Neither is written twice: the first takes their sections as they stand, the second the help of `mock5` itself.
"""

from __future__ import annotations

import re
from pathlib import Path

import typer
from typer.cli import get_docs_for_click

from tools.book.pages import anchor, text_for_page

SECTIONS = {"README.md": ("When you have finished", "Bring your own"), "CONTRIBUTING.md": ("Add a game",)}


def bring_your_own(root: Path, source: str, pages: set) -> str:
    """The page in MyST markdown. source, pages: as `tools.book.pages.page` takes them."""
    pieces = [
        "# Bring your own",
        "A net of your own on the ladder, on a page and on a phone; an agent in one file; a game in one file. For a "
        "group's tournament see [the last evening](guide/eight_weeks.md#How-it-ends), for all options [the command]"
        "(command.md).",
    ]
    for file, titles in SECTIONS.items():
        text = (root / file).read_text(encoding="utf-8")
        pieces += [f"## {title}\n\n{section(text, title)}" for title in titles]
    text = "\n\n".join(pieces).replace("(CONTRIBUTING.md#add-a-game)", f"(#{anchor('Add a game')})")
    return text_for_page(text + "\n", "README.md", source, pages | {"command.md"})


def section(text: str, title: str) -> str:
    """What stands under a heading of the second level, without comments of HTML.

    Raises:
        ValueError: there is no such heading.
    """
    found = re.search(rf"(?ms)^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text)
    if not found:
        raise ValueError(f"No section '{title}' is there any more: tools/book/own.py shows it on the site.")
    return re.sub(r"<!--.*?-->", "", found[1]).strip()


def command_page() -> str:
    """The help of `mock5` and of each of its commands, in MyST markdown, as Typer writes it."""
    from mock5lib.cli import app

    command = typer.main.get_command(app)
    told = get_docs_for_click(obj=command, ctx=typer.Context(command), name="mock5", title="The command")
    begin = "In a terminal run `source .venv/bin/activate` first; in a notebook write `!mock5`."
    told = told.replace("\n\n", f"\n\n{begin} How to begin is in [Bring your own](bring_your_own.md).\n\n", 1)
    return re.sub(r"\x08\n(.*?)\n\n", r"```text\n\1\n```\n\n", told, flags=re.DOTALL)  # examples, line by line

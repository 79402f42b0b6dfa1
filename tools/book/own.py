"""Two pages for whoever has finished: what README.md and CONTRIBUTING.md say of things of one's own, and the command.

Neither is written twice: the first takes their sections as they stand, the second the help of `mock5` itself.
"""

from __future__ import annotations

import re
from pathlib import Path

import typer

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
    """The help of `mock5` and of each of its commands, in MyST markdown."""
    from mock5lib.cli import app

    pieces = [
        "# The command",
        "What `mock5 --help` says, and the same for each command. In a terminal run `source .venv/bin/activate` first; "
        "in a notebook write `!mock5`. How to begin is in [Bring your own](bring_your_own.md).",
    ]
    for name, command in _commands("mock5", typer.main.get_command(app)):
        pieces += [f"## {name}", *_words(command.help or ""), _parameters(command)]
    return "\n\n".join(filter(None, pieces)) + "\n"


def _commands(name: str, command) -> list:
    """(name, command) of each command below this one, groups resolved."""
    below = getattr(command, "commands", None)
    if below is None:
        return [(name, command)]
    return [one for word, other in below.items() if not other.hidden for one in _commands(f"{name} {word}", other)]


def _words(text: str) -> list:
    """A command's help as paragraphs; what stands behind \\b are examples, line by line."""
    words, _, examples = text.partition("\b")
    paragraphs = [" ".join(part.split()) for part in words.strip().split("\n\n")]
    return [*paragraphs, f"```text\n{examples.strip()}\n```" if examples else ""]


def _parameters(command) -> str:
    """A table of arguments and options."""
    rows = []
    for one in command.params:
        if one.hidden or one.name == "help":
            continue
        option = one.opts[0].startswith("-")
        name = ", ".join(one.opts + one.secondary_opts) if option else one.name.upper()
        shown = one.default not in (None, False, "", ()) and not callable(one.default)
        default = f" Default: `{one.default}`." if shown else ""
        words = (one.help or "").replace("|", "\\|")
        rows.append(f"| `{name}` | {words}{default} |")
    return "\n".join(["| option | what it is |", "| --- | --- |", *rows]) if rows else ""

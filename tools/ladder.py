"""Write the ladder's table in README from data/ladder/9x9/table.json.

    python -m tools.ladder

tests/test_notebooks.py compares the two, so run it after `mock5 ladder`.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARKED = re.compile(r"<!-- ladder -->.*?<!-- /ladder -->", re.DOTALL)


def table() -> str:
    """The ladder as a Markdown table between its marks: agent, Elo above random, 95 % interval, score."""
    kept = json.loads((ROOT / "data/ladder/9x9/table.json").read_text(encoding="utf-8"))
    return "\n".join(["<!-- ladder -->", *rows_of(kept["ladder"]), "<!-- /ladder -->"])


def rows_of(players: list[dict]) -> list[str]:
    """Lines of a Markdown table of players, as `Tournament.table()["ladder"]` has them; an open end is a dash."""
    rows = ["| agent | Elo | 95 % interval | score |", "| --- | ---: | --- | ---: |"]
    for one in players:
        name, score = one["name"].replace("|", "\\|"), one["points"] / one["games"]
        low, high = ("–" if end is None else f"{end:.0f}" for end in (one["low"], one["high"]))
        rows.append(f"| {name} | {one['elo']:.0f} | {low} to {high} | {score:.2f} |")
    return rows


def filled(text: str) -> str:
    """README's text with the table as it is now.

    Raises:
        ValueError: there are no marks for it.
    """
    if not MARKED.search(text):
        raise ValueError("README.md has no <!-- ladder --> … <!-- /ladder --> for the table.")
    return MARKED.sub(lambda _: table(), text)


if __name__ == "__main__":
    readme = ROOT / "README.md"
    readme.write_text(filled(readme.read_text(encoding="utf-8")), encoding="utf-8")

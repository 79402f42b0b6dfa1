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
    rows = ["| agent | Elo | 95 % interval | score |", "| --- | ---: | --- | ---: |"]
    for one in kept["ladder"]:
        score = one["points"] / one["games"]
        rows.append(f"| {one['name']} | {one['elo']:.0f} | {one['low']:.0f} to {one['high']:.0f} | {score:.2f} |")
    return "\n".join(["<!-- ladder -->", *rows, "<!-- /ladder -->"])


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

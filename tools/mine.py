"""Your own copy of the notebooks, in my/, where typing and autosave spoil no `git pull`. `make lab` opens it.

    python -m tools.mine        copy what is not there yet

A copy that you have changed is never overwritten; one that you have not is kept up to date.
"""

import json
from hashlib import sha256
from pathlib import Path

from mock5lib.base.files import write_whole
from tools.stamp import ROOT

FOLDERS = ("chapters", "exercises")
BEYOND = (
    "data",
    "guide",
    "mock5check",
    "mock5go",
    "mock5lib",
    "solutions",
)  # what the notebooks link to and is not copied


def as_copied(path: Path) -> str:
    """A notebook's text, its links to the rest of the repository right from my/."""
    text = path.read_text(encoding="utf-8")
    for folder in BEYOND:
        text = text.replace(f"](../{folder}", f"](../../{folder}")
    return text


def sum_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def bring_up_to_date(root: Path = ROOT) -> list:
    """Copy what is new or unchanged. Returns a sentence for each copy of an older edition that somebody has changed."""
    known = root / "my" / ".editions.json"  # {notebook: the sum of the edition that its copy was made from}
    editions = json.loads(known.read_text(encoding="utf-8")) if known.is_file() else {}
    said = []
    for path in sorted(path for folder in FOLDERS for path in (root / folder).glob("*.ipynb")):
        name, text = path.relative_to(root).as_posix(), as_copied(path)
        copy = root / "my" / name
        if not copy.exists() or sum_of(copy.read_text(encoding="utf-8")) == editions.get(name):
            copy.parent.mkdir(parents=True, exist_ok=True)
            write_whole(copy, text.encode())
            editions[name] = sum_of(text)
        elif editions.get(name) != sum_of(text):
            said.append(f"{name} has a newer edition. Yours stays: rename my/{name} to get the new one beside it.")
    write_whole(known, json.dumps(editions, indent=1).encode())
    return said


if __name__ == "__main__":
    print("\n".join(bring_up_to_date()) or "Your copies of the notebooks are in my/; what you type there stays yours.")

"""Write what the page that plays is served as, from its modules, the course's checkpoints and the ladders.

    python -m tools.page            writes book/play/page.js, board.css, src/ladder.js and nets/*.js
    python -m tools.page --check    says what is out of date, and fails if anything is

A browser runs neither modules nor workers from a plain folder (file://), so the modules in `book/play/src`, and the
board that the notebooks' widget shares, become one classic script, `page.js`. A worker is made of the same text.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

from mock5lib.base.files import write_whole
from mock5lib.cli.page import packed

ROOT = Path(__file__).resolve().parent.parent
PLAY, STATIC = ROOT / "book" / "play", ROOT / "mock5lib" / "show" / "static"
# In an order in which each needs only those before it.
MODULES = "rules net tree uct heuristics agents records drawing board thinker curve ladder".split()
MODULES += "opponents parts keeping main".split()
NETS = {
    "alphazero_tiny": "alphazero_tiny/round_60",
    "alphazero_tiny_10": "alphazero_tiny/round_10",
    "supervised_9x9": "supervised_9x9",
    "reinforced_9x9": "reinforced_9x9",
    "alphazero_9x9": "alphazero_9x9",
    "supervised_15x15": "supervised_15x15",
    "alphazero_15x15": "alphazero_15x15",
}
GENERATED = "// Written by `python -m tools.page`; do not edit.\n"


# Elo ------------------------------------------------------------------------------------------------------------


def ladder_module() -> str:
    """The ladders' ratings as a module: {side: {label: Elo}}, rounded as `ladder.md` rounds them."""
    ratings = {}
    for side in (9, 15):
        table = json.loads((ROOT / "data" / "ladder" / f"{side}x{side}" / "table.json").read_text())
        ratings[side] = {row["name"]: round(row["elo"]) for row in table["ladder"]}
    text = ",\n".join(f"  {side}: {json.dumps(elo, ensure_ascii=False)}" for side, elo in ratings.items())
    return f"{GENERATED}/** @type {{Record<number, Record<string, number>>}} */\nexport const ELO = {{\n{text},\n}};\n"


# The script -----------------------------------------------------------------------------------------------------

IMPORT = re.compile(r'^import (\{[^}]*\}|\w+) from "[^"]*?(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
DEFAULT = re.compile(r"^export default ", re.MULTILINE)
START = """if (typeof document === "undefined") thinker.work();
else {
  globalThis.mock5Net = thinker.netArrived;
  globalThis.mock5 = { rules, net, tree, uct, heuristics, agents, records, drawing, board, thinker, opponents, parts };
  globalThis.mock5.page = new main.Page(mock5Script);
  globalThis.mock5.page.start();
  if (location.protocol.startsWith("http")) navigator.serviceWorker?.register("sw.js").catch(() => {});
}
"""


def scope(name: str, text: str) -> str:
    """A module as a constant of that name: what it exports, by name; its imports are taken from the constants before.

    Raises:
        ValueError: it imports or exports in a way that is not understood.
    """

    def taken(found: re.Match) -> str:
        return "" if found[1] == found[2] else f"const {found[1]} = {found[2]};\n"

    names = EXPORT.findall(text)
    body = EXPORT.sub("", IMPORT.sub(taken, text))
    body, defaults = DEFAULT.subn("return ", body)
    if left := re.search(r"^\s*(import|export) .*", body, re.MULTILINE):
        raise ValueError(f"{name}.js: this import or export is not understood: {left[0].strip()}")
    ending = "" if defaults else f"return {{ {', '.join(names)} }};\n"
    return f"// {name}.js\nconst {name} = (() => {{\n{body}{ending}}})();\n"


def page_script(texts: dict[str, str]) -> str:
    """All modules, {name: text} in an order in which each needs only those before it, as one classic script."""
    scopes = "\n".join(scope(name, text) for name, text in texts.items())
    return f'{GENERATED}(function mock5Script() {{\n"use strict";\n{scopes}\n{START}}})();\n'


# All files ------------------------------------------------------------------------------------------------------


def files() -> dict[Path, str]:
    """What is written: path → text."""
    ladder = ladder_module()
    places = {name: (STATIC if name == "board" else PLAY / "src") / f"{name}.js" for name in MODULES}
    texts = {name: ladder if name == "ladder" else place.read_text("utf-8") for name, place in places.items()}
    made = {places["ladder"]: ladder, PLAY / "page.js": page_script(texts)}
    made[PLAY / "board.css"] = "/* Copied by `python -m tools.page`. */\n" + (STATIC / "board.css").read_text("utf-8")
    for name, folder in NETS.items():
        net = json.dumps(packed(name, ROOT / "data" / "checkpoints" / folder))
        made[PLAY / "nets" / f"{name}.js"] = f"{GENERATED}mock5Net({net});\n"
    return made


def main(arguments: list[str] | None = None) -> int:
    """Write or check; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.page", description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file is out of date")
    check = parser.parse_args(arguments).check
    stale = {
        path: text for path, text in files().items() if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        if not check:
            path.parent.mkdir(exist_ok=True)
            write_whole(path, text.encode())
        print(f"{path.relative_to(ROOT)}: {'out of date' if check else f'{len(text):,} characters'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())

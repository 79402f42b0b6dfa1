"""Draw the picture of README.md that shows a blank of chapter 1: a slip, what the cell says to it, and no slip.

python data/figures/blank.py        writes data/figures/blank.svg, from the root of the repository
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

from pygments import lex
from pygments.lexers import PythonLexer
from pygments.styles import get_style_by_name

from mock5check.ch01 import blanks
from mock5check.your_turn import turns_of
from mock5lib.base.files import write_whole
from mock5lib.show import palette

TARGET = Path(__file__).with_name("blank.svg")
CHAPTER, CELL = "chapters/ch01_uct.ipynb", "e2b2205f"
BLANK = 'raise NotImplementedError("your code here")'
TYPED = ("w / v + c * math.sqrt(math.log(v) / parent_visits)", "w / v + c * math.sqrt(math.log(parent_visits) / v)")
WIDTH, LINE, SIDE, PAD = 640, 19, 16, 10  # pixels
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace"


def cell_source() -> str:
    """The blank, as the chapter has it."""
    cells = json.loads(Path(CHAPTER).read_text(encoding="utf-8"))["cells"]
    return "".join(next(cell["source"] for cell in cells if cell["id"] == CELL))


def verdict(source: str) -> str:
    """What the cell says once it is run."""
    said: list = []
    names = {"your_turn": turns_of(blanks, said.append)}
    exec(f"import math\nSQRT2 = 2**0.5\n{source}", names)
    return repr(said[0])


def colored(source: str) -> list[str]:
    """The lines of Python source as SVG."""
    style, text = get_style_by_name("default"), ""
    for token, word in lex(source, PythonLexer()):
        color = style.style_for_token(token)["color"]
        text += f'<tspan fill="#{color}">{escape(word)}</tspan>' if color and word.strip() else escape(word)
    return text.rstrip("\n").split("\n")


def drawing() -> str:
    """The SVG text."""
    parts, top = [], 1
    for typed in TYPED:
        source = cell_source().replace(BLANK, f"return {typed}")
        for lines, is_code in ((colored(source), True), (escape(verdict(source)).split("\n"), False)):
            height = LINE * len(lines) + 2 * PAD
            if is_code:
                box = f'x="1" y="{top}" width="{WIDTH - 2}" height="{height}" rx="5"'
                parts.append(f'<rect {box} fill="#f5f5f5" stroke="#d0d0d0"/>')
                box = f'x="{SIDE + 28}" y="{top + height - PAD - LINE}" width="{WIDTH - 2 * SIDE - 28}" height="{LINE}"'
                parts.append(f'<rect {box} fill="#fff3c4"/>')  # what is typed
                note = f'x="{WIDTH - SIDE - 6}" y="{top + height - PAD - 5}" text-anchor="end" font-style="italic"'
                parts.append(f'<text {note} fill="{palette.QUIET}">you type</text>')
            for number, line in enumerate(lines):
                inwards = len(line) - len(line.lstrip())
                line = "\N{NO-BREAK SPACE}" * inwards + line[inwards:]  # others are dropped at a line's beginning
                bold = ' font-weight="bold"' if "right yet" in line or "yours" in line or "hint:" in line else ""
                parts.append(f'<text x="{SIDE}" y="{top + PAD + LINE * number + 14}"{bold}>{line}</text>')
            top += height
    label = "A cell of chapter 1: a slip, the check's explanation, and the function once it is right"
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" role="img" aria-label="{escape(label)}">'
    )
    look = f'<g font-family="{FONT}" font-size="13" fill="{palette.INK}">'
    ground = f'<rect width="{WIDTH}" height="{top}" rx="6" fill="{palette.PAPER}"/>'
    return f"{head}{ground}{look}{''.join(parts)}</g></svg>\n"


if __name__ == "__main__":
    write_whole(TARGET, drawing().encode())
    print(f"{TARGET}: {TARGET.stat().st_size:,} bytes")

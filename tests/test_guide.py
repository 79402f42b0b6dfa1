"""The pages for group leaders and the slides say what the chapters say: numbers, sections, exercises, minutes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

from tools.book.pages import anchor
from tools.book.slides import read_decks
from tools.stamp import alt_text

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "guide").glob("ch*.md"))
OTHERS = sorted({*(ROOT / "guide").glob("*.md")} - {*PAGES})
PREDICTION = "> **Predict before you run.**"
HOURS = {"Two hours": 2, "Every evening": 2, "The plan": 4}  # what a plan under this title fills
LINK = re.compile(r"\[([^\]]+)\]\(((?:[^()\s]|\([^()\s]*\))+)\)")
NUMBER = re.compile(r"\d+(?:[.,–:/]\d+)*%?")
# Numbers that are no measurements: clock, minutes, sizes of boards and disks, items, names of chapters and weeks.
FREE = [
    r"(?m)^\| \d:\d\d \| \d+ \|",
    r"\d+ minutes",
    r"\d+×\d+",
    r"[\d.]+ GB",
    r"(?m)^\d\. ",
    r"(?i)\b(?:chapters?|weeks?|sections?|exercises?|week) \d+(?:(?:, \d+)* (?:and|to|or) \d+)?",
]


@cache
def notebook(path: Path):
    return nbformat.read(path, as_version=4)


@cache
def sections(path: Path) -> dict:
    """Heading → text, stored output and pictures in words of that section of a notebook; "" → of the whole notebook."""
    lines, everything = [], []
    found = {"": everything}
    for cell in notebook(path).cells:
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else []:
            if heading := re.match(r"#{1,4} (.*)", line):
                if not line.startswith("### "):
                    lines = []
                found[heading[1].strip()] = lines
            lines.append(line)
            everything.append(line)
        for output in cell.get("outputs", []):
            shown = (output.get("text", "") or output.get("data", {}).get("text/plain", "")).splitlines()
            lines += shown
            everything += shown
        lines += [alt_text(cell)]
        everything += [alt_text(cell)]
    return {heading: "\n".join(lines) for heading, lines in found.items()}


def chapter(page: Path) -> Path:
    """The notebook that a page is about."""
    return next((ROOT / "chapters").glob(f"{page.stem}_*.ipynb"))


def blocks(text: str) -> list[str]:
    """The paragraphs, items and table rows of a page: within each, numbers belong to the sections it links to."""
    return [block for block in re.split(r"\n\n|\n(?=[-|#]|\d\. )", text) if block.strip()]


def heading_of(target: str) -> tuple:
    """(path, heading) of a link into a notebook; the heading is None if it does not exist."""
    file, _, fragment = target.partition("#")
    path = (ROOT / "guide" / file).resolve()
    return path, next((one for one in sections(path) if anchor(one.replace("*", "")) == fragment), None)


def sources(block: str, page: Path) -> list[str]:
    """The texts in which a block's numbers are looked for: the sections that it links to, or else its chapter."""
    linked = [heading_of(target) for _, target in LINK.findall(block) if "/chapters/" in target]
    if linked:
        return [sections(path)[heading] for path, heading in linked]
    return [sections(chapter(page))[""]] if page in PAGES else []


def without_links(block: str) -> str:
    """A block with the words of its links taken out: they name chapters, sections and exercises."""
    return LINK.sub("", block)


def plain(text: str) -> str:
    """`text` with numbers in one form: 4,520 is 4520, and 24 % is 24%."""
    return re.sub(r"(?<=\d),(?=\d{3})|(?<=\d) (?=%)", "", text)


def numbers(block: str) -> list[str]:
    """The numbers of a block, outside of quoted code, that a chapter must have measured or stated."""
    text = re.sub(r"`[^`]*`", "", without_links(block))
    for pattern in FREE:
        text = re.sub(pattern, "", text)
    return NUMBER.findall(plain(text))


def stands_in(number: str, text: str) -> bool:
    return re.search(rf"(?<![\d.]){re.escape(number)}(?![\d%]|\.\d)", plain(text)) is not None


def missing_numbers(page: Path, text: str) -> list:
    return [
        (number, block[:70])
        for block in blocks(text)
        for number in numbers(block)
        if not any(stands_in(number, source) for source in sources(block, page))
    ]


def part(text: str, title: str) -> str:
    return text.split(f"\n## {title}\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: page.stem)
def test_every_number_of_a_page_stands_in_the_chapter_or_the_section_that_it_speaks_of(page):
    assert missing_numbers(page, page.read_text(encoding="utf-8")) == []


def test_a_number_that_no_chapter_measured_is_found():
    page = ROOT / "guide/ch01.md"
    text = page.read_text(encoding="utf-8")
    assert "1211" in text
    assert [number for number, _ in missing_numbers(page, text.replace("1211", "1212"))] != []


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: page.stem)
def test_a_plan_has_no_gaps_and_fills_its_hours(page):
    text = page.read_text(encoding="utf-8")
    for plan in text.split("\n## "):
        clock = 0
        for hour, minute, length in re.findall(r"(?m)^\| (\d):(\d\d) \| (\d+) \|", plan):
            assert int(hour) * 60 + int(minute) == clock, plan.splitlines()[0]
            clock += int(length)
        title = plan.splitlines()[0]
        assert clock == 60 * HOURS.get(title, 0), title


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: page.stem)
def test_each_section_and_exercise_that_a_page_names_is_there(page):
    text = page.read_text(encoding="utf-8")
    for words, target in LINK.findall(text):
        assert (page.parent / target.partition("#")[0]).exists(), target
        if ".ipynb#" not in target:
            continue
        _, heading = heading_of(target)
        assert heading, f"{page.name} leads to {target}, which is not there any more: change the page with the notebook"
        for kind, number in re.findall(r"(chapter|section) (\d+)", words.lower()):
            stands = heading if kind == "section" else target.partition("/ch0")[2]
            assert re.match(rf"{number}[._]", stands), (words, target)
        if words.startswith("Exercise"):
            assert words == heading


@pytest.mark.parametrize("page", [*PAGES, *OTHERS], ids=lambda page: page.stem)
def test_the_minutes_of_an_exercise_are_those_that_it_states(page):
    text = " ".join(page.read_text(encoding="utf-8").split())
    for target, minutes in re.findall(r"\]\((\.\./exercises/[^\s]+#Exercise[^\s]+)\) \((\d+) minutes\)", text):
        path, heading = heading_of(target)
        assert heading, target
        stated = re.search(r"\*\*Difficulty\*\*.*?(\d+) minutes", sections(path)[heading])
        assert stated[1] == minutes, heading


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_asks_the_predictions_of_its_chapter_and_leaves_out_none(page):
    asked = blocks(part(page.read_text(encoding="utf-8"), "Ask before you run"))
    items = [block for block in asked if block.strip().startswith("- ")]
    linked = [heading_of(LINK.search(block)[2])[1] for block in items]
    chapters = sections(chapter(page)).items()
    counts = {heading: text.count(PREDICTION) for heading, text in chapters if heading[:1].isdigit()}
    assert linked == [heading for heading, count in counts.items() for _ in range(count)], "in the chapter's order"


def test_the_index_names_each_page_once():
    text = (ROOT / "guide/README.md").read_text(encoding="utf-8")
    named = [target for _, target in LINK.findall(text)]
    assert sorted(named) == sorted(path.name for path in (ROOT / "guide").glob("*.md") if path.name != "README.md")


@pytest.mark.parametrize("stem", read_decks(ROOT))
def test_every_number_of_a_slide_stands_in_its_chapter_or_in_what_it_shows(stem):
    path, missing = ROOT / f"chapters/{stem}.ipynb", []
    cells = {cell.id: f"{cell.source}\n{alt_text(cell)}" for cell in notebook(path).cells}
    for kind, which, *words in read_decks(ROOT)[stem]:
        said = " | ".join([which if kind == "words" else "", *(one for one in words if isinstance(one, str))])
        known = sections(path)[""] + cells.get(which.partition(".")[0], "")
        missing += [(number, said) for number in numbers(said) if not stands_in(number, known)]
    assert missing == []

"""Chapter 4's museum: fourteen defects, and each names a test that there is."""

import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent


def museum() -> list[str]:
    """The museum's numbered sections, text and code."""
    notebook = nbformat.read(ROOT / "chapters" / "ch04_alphago.ipynb", 4)
    text = "\n".join(cell.source for cell in notebook.cells)
    return re.split(r"(?m)^### (?=\d)", text[text.index("\n## 11. ") : text.index("\n## 12. ")])[1:]


def test_the_museum_shows_all_fourteen_defects_in_order():
    assert [int(section.split(".")[0]) for section in museum()] == list(range(1, 15))


def test_each_defect_has_its_right_form_and_a_test_of_ours():
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py"))
    for section in museum():
        named = re.findall(r"`(test_\w+)`", section)
        assert named and "*right:*" in section.lower() and "assert" in section, section[:40]
        for name in named:
            assert f"def {name}(" in tests, name

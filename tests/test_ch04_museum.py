"""Chapter 4's museum: three defects, and for each a test that keeps it out of the package."""

import re
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent

TESTS = {  # exhibit → what goes red when the package has its defect
    "A mean that is not a mean": "test_every_node_counts_its_own_look_and_its_childrens_visits",
    "No change of sign": "test_a_value_belongs_to_the_player_to_move_and_flips_once_per_ply",
    "Asking who moves after the game is over": "test_outcomes_belong_to_the_player_who_moves_before_the_rollout",
}


def museum() -> dict[str, str]:
    """Title of each exhibit → its text and code."""
    notebook = nbformat.read(ROOT / "chapters" / "ch04_alphago.ipynb", 4)
    text = "\n".join(cell.source for cell in notebook.cells)
    exhibits = re.split(r"(?m)^### Exhibit \d: ", text[text.index("\n## 11. ") : text.index("\n## 12. ")])[1:]
    return {exhibit.split("\n")[0]: exhibit for exhibit in exhibits}


def test_each_defect_of_the_museum_is_shown_with_its_right_form():
    assert list(museum()) == list(TESTS)
    for title, exhibit in museum().items():
        assert "*printed:*" in exhibit and "*right:*" in exhibit and "assert" in exhibit, title


def test_each_defect_of_the_museum_has_a_test_of_ours():
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py"))
    for name in TESTS.values():
        assert f"def {name}(" in tests, name

"""A real browser on chapter 7: a move against each of two rungs of its panel, and a hint."""

import os
from pathlib import Path

import nbformat
import pytest
from browsers import ROOT, in_browser
from test_browser import opened, run_all_cells, serving

pytestmark = pytest.mark.slow
NOTEBOOK = ROOT / "chapters" / "ch07_ladder.ipynb"
START = 10  # stones on the board when the game is handed over


def panel_alone(folder: Path) -> Path:
    """The set-up, the imports and the panel of the chapter; its other cells run without a browser, under nbval."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    notebook.cells = [*code[:2], *(cell for cell in code if "PlayPanel(" in cell.source)]
    assert len(notebook.cells) == 3
    nbformat.write(notebook, folder / NOTEBOOK.name)
    return folder / NOTEBOOK.name


def play(page, board, moves: int) -> None:
    """Click free points until so many moves were played and answered."""
    for number in range(1, moves + 1):
        taken = {stone.get_attribute("data-move") for stone in board.locator(".m5-stone").all()}
        free = next(str(move) for move in (40, 30, 50, 32, 48, 20, 60, 10, 70, 2, 6, 74, 78) if str(move) not in taken)
        board.locator(f".m5-point[data-move='{free}']").click()
        wait_for_stones(page, board, START + 2 * number)


def wait_for_stones(page, board, stones: int) -> None:
    """Wait until so many stones lie on the board."""
    page.wait_for_function(
        "([board, n]) => board.querySelectorAll('.m5-stone').length === n", arg=[board.element_handle(), stones]
    )


@in_browser
def test_two_rungs_of_the_ladder_can_be_played_with_their_thoughts_shown(tmp_path):
    with serving(panel_alone(tmp_path), tmp_path) as address, opened(address) as page:
        run_all_cells(page)
        panel = page.locator(".jp-OutputArea-output").filter(has=page.get_by_role("button", name="New game")).first
        panel.scroll_into_view_if_needed()
        board = panel.locator(".m5-board")
        for rung in ("uct:1000", "expert 64"):
            panel.get_by_role("combobox").select_option(label=rung)
            wait_for_stones(page, board, START)
            play(page, board, 1)  # from mid-game a rung may have won after two
        plain = panel.inner_html()
        panel.get_by_role("button", name="Hint").click()
        longer = "([panel, length]) => panel.innerHTML.length > length + 500"
        page.wait_for_function(longer, arg=[panel.element_handle(), len(plain)])
        assert "%" in panel.inner_text() or "%" in panel.inner_html()
        assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
        if os.environ.get("MOCK5_SCREENSHOT"):
            panel.screenshot(path=os.environ["MOCK5_SCREENSHOT"])

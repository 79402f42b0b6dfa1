"""A real browser: chapter 00 in JupyterLab, all cells run, a point clicked, its stone and the reply seen."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from browsers import PATIENCE, ROOT, SECOND, in_browser, launched

pytestmark = pytest.mark.slow

# MOCK5_BROWSER_NOTEBOOK: another notebook with a play panel, to try this out.
NOTEBOOK = Path(os.environ.get("MOCK5_BROWSER_NOTEBOOK", ROOT / "chapters" / "ch00_welcome.ipynb"))
STORED = "as_stored.ipynb"  # the same notebook, with its outputs


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """The address of the notebook in a JupyterLab server of its own."""
    with serving(NOTEBOOK, tmp_path_factory.mktemp("lab")) as address:
        yield address


@contextmanager
def serving(notebook: Path, folder: Path):
    """A JupyterLab server on a copy of a notebook, in an empty folder: the address of the notebook in it."""
    (folder / "course").mkdir()
    strip_outputs(notebook, folder / "course" / notebook.name)
    shutil.copy2(notebook, folder / "course" / STORED)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = [
        "--no-browser",
        "--allow-root",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder / 'course'}",
        "--IdentityProvider.token=course",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
    ]
    own = {f"JUPYTER_{what}_DIR": str(folder / what) for what in ("CONFIG", "DATA", "RUNTIME")}
    own |= {"JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"), "JUPYTERLAB_WORKSPACES_DIR": str(folder / "spaces")}
    log = folder / "server.log"
    with log.open("w") as sink:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *arguments], env=os.environ | own, stdout=sink, stderr=sink
        )
    try:
        wait_until_up(f"http://127.0.0.1:{port}/api?token=course", server, log)
        yield f"http://127.0.0.1:{port}/lab/tree/{notebook.name}?token=course"
    finally:
        server.terminate()
        server.wait(timeout=120)  # it waits for its kernels, on a machine that may be busy


def strip_outputs(source: Path, target: Path) -> None:
    """Copy a notebook without what it showed, so that only what runs here is seen."""
    notebook = nbformat.read(source, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nbformat.write(notebook, target)


def wait_until_up(address: str, server: subprocess.Popen, log: Path) -> None:
    """Ask the server until it answers, for five minutes at most."""
    for _ in range(1200):
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


@pytest.fixture
def page(lab):
    """The notebook, open in Chromium."""
    with opened(lab) as page:
        yield page


@contextmanager
def opened(address: str):
    """A page of Chromium at an address."""
    with launched() as browser:
        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(PATIENCE)
        page.goto(address, wait_until="commit")
        yield page


def run_all_cells(page) -> None:
    """Menu Run, then Run All Cells; wait until every code cell has its number."""
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()  # the kernel is there
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    page.wait_for_function(
        """() => {
            const prompts = [...document.querySelectorAll(".jp-CodeCell .jp-InputArea-prompt")];
            return prompts.length && prompts.every((prompt) => /\\[\\d+\\]/.test(prompt.textContent));
        }"""
    )


@in_browser
def test_a_click_puts_a_stone_and_the_agent_replies(page):
    run_all_cells(page)
    panel = page.locator(".jp-OutputArea-output").filter(has=page.get_by_role("button", name="New game"))
    panel = panel.first
    panel.scroll_into_view_if_needed()
    stones = panel.locator(".m5-stone")
    before = stones.count()
    board = panel.locator(".m5-board")
    size = board.locator("[data-move].m5-point").count()
    taken = {stone.get_attribute("data-move") for stone in stones.all()}
    point = next(str(move) for move in range(size // 2, size) if str(move) not in taken)

    board.locator(f".m5-point[data-move='{point}']").click()

    stone = board.locator(f".m5-stone[data-move='{point}']")
    stone.wait_for(state="attached")
    mine = stone.get_attribute("data-player")
    theirs = "2" if mine == "1" else "1"
    page.wait_for_function(
        "([board, n]) => board.querySelectorAll('.m5-stone').length === n", arg=[board.element_handle(), before + 2]
    )
    reply = board.locator(f".m5-stone[data-player='{theirs}']")
    assert reply.count() >= 1 and reply.first.is_visible()
    assert stone.is_visible() and stone.bounding_box()["width"] > 5
    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']").count() == 0
    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    page.locator(".jp-Notebook").first.screenshot(path=os.environ.get("MOCK5_SCREENSHOT"))


def test_opening_a_chapter_does_not_mark_it_as_changed(lab):
    with opened(lab.replace(NOTEBOOK.name, STORED)) as page:
        page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()  # the kernel has said who it is
        page.wait_for_selector(".lm-DockPanel-tabBar li.jp-mod-current:not(.jp-mod-dirty)")
        page.wait_for_timeout(3 * SECOND)
        assert page.locator(".lm-DockPanel-tabBar li.jp-mod-dirty").count() == 0


def test_what_a_kernel_says_of_itself_is_not_saved():
    rules = SimpleNamespace(FileContentsManager=SimpleNamespace())
    exec((ROOT / "tools/jupyter_server_config.py").read_text(encoding="utf-8"), {"c": rules})  # as Jupyter does
    content = nbformat.read(NOTEBOOK, as_version=4)
    stored = dict(content.metadata)
    content.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3.14"}, "widgets": {}}
    rules.FileContentsManager.pre_save_hook(model={"type": "notebook", "content": content}, path="a")
    assert content.metadata == stored

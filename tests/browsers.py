"""The browser that the tests drive: Chromium without a window, if there is one; and a server of files for it."""

import functools
import http.server
import shutil
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SECOND = 1000  # Playwright counts milliseconds
PATIENCE = 120 * SECOND  # the machine may be busy with other tests
in_browser = pytest.mark.skipif(CHROMIUM is None, reason=f"none of {', '.join(BROWSERS)} is on PATH")


@contextmanager
def launched():
    """One Chromium; without any, the test is skipped."""
    if CHROMIUM is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is on PATH")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE)
        yield browser
        browser.close()


@contextmanager
def opened(browser, address, home="", **options):
    """A fresh page; what it complains of, does not find, or asks of a place not below `home`, fails the test."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    page, complaints = context.new_page(), []
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda problem: complaints.append(str(problem)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    own = ("blob:", "data:", "about:", home or address.rpartition("/")[0])
    page.on("request", lambda asked: complaints.append(asked.url) if not asked.url.startswith(own) else None)
    page.goto(address)
    yield page
    context.close()
    assert complaints == []


@contextmanager
def served(folder):
    """A server of a folder's files: its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""The browser that the tests drive: Chromium without a window, if there is one."""

import shutil
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
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()

"""The site, built once from what is committed, in a real browser: nothing is missing and no request leaves it."""

import re
import subprocess
import sys
from contextlib import contextmanager
from html import unescape
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from browsers import ROOT, in_browser, opened, served

pytestmark = pytest.mark.slow
pytest.importorskip("sphinx", reason="the site needs Sphinx")
from tools.book.slides import read_decks
from tools.stamp import alt_text

PAGES = [
    "index",
    "chapters/ch01_uct",
    "exercises/ex01_uct",
    "solutions/ex01_uct",
    "ladder",
    "slides",
    "bring_your_own",
    "command",
    "search",
    "guide/ch01",
    "reference/index",
    "reference/search",
    "play/index",
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site, under a sub-path of its server."""
    target = tmp_path_factory.mktemp("book")
    command = [sys.executable, "-m", "tools.book", "--to", str(target)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    return target / "site"


@pytest.fixture(scope="module")
def address(site):
    """The site's address on a web server of our own, below a folder as on GitHub's pages: http://…/site/."""
    with served(site.parent) as server:
        yield f"{server}/{site.name}/"


@contextmanager
def seen(browser, address: str, width: int = 1280, scheme: str = "light"):
    """A page that has loaded all it wants; nothing may leave the site, or be missing in it."""
    look = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    with opened(browser, address, home=address.split("/site/")[0], **look) as page:
        page.wait_for_load_state("networkidle")
        yield page


LOADED = re.compile(r'<(?:img|script|iframe|source|link rel="stylesheet")[^>]*="((?:https?:)?//[^"]*)"')
SCRIPT = re.compile(r"(<script[^>]*>).*?</script>", re.DOTALL)


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site):
    pages = {path: SCRIPT.sub(r"\1", path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    anchors = {path: {"", "top", *map(unescape, re.findall(r'\s(?:id|name)="(.*?)"', pages[path]))} for path in pages}
    assert len(pages) > 40
    for path, html in pages.items():
        assert LOADED.findall(html) == [], path
        for link in {urlsplit(unescape(link)) for link in re.findall(r'\s(?:href|src)="(.*?)"', html)}:
            if link.scheme or link.netloc:
                continue
            target = (path.parent / unquote(link.path)).resolve() if link.path else path
            target = target / "index.html" if target.is_dir() else target
            assert target.is_relative_to(site) and target.exists(), (path, link)
            assert target not in pages or unquote(link.fragment) in anchors[target], (path, link)


def test_each_notebook_is_a_page_and_can_be_downloaded_as_it_is_committed(site):
    notebooks = [path for folder in ("chapters", "exercises", "solutions") for path in ROOT.glob(f"{folder}/*.ipynb")]
    assert len(notebooks) >= 22
    for path in notebooks:
        name = path.relative_to(ROOT).as_posix()
        assert (site / name.replace(".ipynb", ".html")).exists()
        assert (site / "notebooks" / name).read_bytes() == path.read_bytes()


def test_every_picture_says_in_words_what_it_shows_and_no_dead_widget_is_left(site):
    pages = [*site.glob("chapters/*.html"), *site.glob("solutions/*.html"), site / "ladder.html", site / "index.html"]
    for path in pages:
        html = path.read_text(encoding="utf-8")
        pictures = re.findall(r"<img[^>]*>", html)
        texts = [re.search(r'alt="([^"]*)"', picture) for picture in pictures]
        assert all(text and len(text[1]) >= 20 and "_images/" not in text[1] for text in texts), path.name
        assert "widget-view" not in html, path.name
    stored = nbformat.read(ROOT / "chapters/ch00_welcome.ipynb", as_version=4)
    html = unescape((site / "chapters/ch00_welcome.html").read_text(encoding="utf-8"))
    assert all(alt_text(cell) in html for cell in stored.cells)


@in_browser
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_from_a_plain_folder_and_below_a_sub_path_and_fits_a_phone(browser, site, address, name):
    with seen(browser, f"file://{site}/{name}.html") as page:
        assert page.title()
    with seen(browser, f"{address}{name}.html", width=390) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, "the page itself does not scroll sideways"


@in_browser
@pytest.mark.parametrize("served", [True, False])
def test_the_search_finds_chapters_before_exercises_and_solutions_last(browser, site, address, served):
    home = address if served else f"file://{site}/"
    with seen(browser, f"{home}search.html?q=virtual+loss") as page:
        page.locator("#search-results .search-summary", has_text="found").wait_for()
        page.locator("#search-results li a", has_text="Chapter 5").first.wait_for()
        links = page.locator("#search-results li > a")
        found = links.evaluate_all("links => links.map(link => link.href.split('/').at(-2))")
        order = ["chapters", "guide", "exercises", "solutions", "reference"]
        assert found == sorted(found, key=order.index) and len({*found}) == len(order)
        if served:  # from a folder a page may not read another
            page.locator("#search-results li .context", has_text="virtual loss").first.wait_for()


@in_browser
def test_the_search_finds_what_is_for_things_of_ones_own_and_leaves_out_the_set_up_cell(browser, site):
    with seen(browser, f"file://{site}/search.html?q=own+agent") as page:  # served, it would fetch excerpts as we leave
        page.locator("#search-results li a").first.wait_for()
        assert page.locator("#search-results li a").first.get_attribute("href").startswith("bring_your_own.html")
    with seen(browser, f"file://{site}/search.html?q=subprocess") as page:
        page.locator("#search-results .search-summary", has_text=re.compile("found|did not match")).wait_for()
        shown = page.locator("#search-results").text_content()
        assert "Set-up, the same" not in shown and shown.count("Exercises") < 3, "every notebook begins with it"


@in_browser
def test_code_is_copied_as_it_stands(browser, address):
    with seen(browser, f"{address}chapters/ch01_uct.html") as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        cell = page.locator("div.cell_input", has_text="def playout(").first
        cell.hover()
        cell.get_by_role("button", name="Copy").click()
        cell.get_by_role("button", name="Copied").wait_for()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("def playout(") and copied == cell.locator("pre").text_content().rstrip()
        assert page.locator("div.cell_output button.copy").count() == 0


@in_browser
def test_play_now_goes_on_with_the_game_of_the_landing_page_also_in_a_plain_folder(browser, site):
    with seen(browser, f"file://{site}/index.html") as page:
        board = page.frame_locator(".hero-board iframe")
        board.locator("svg").first.click()
        page.wait_for_function("document.querySelector('.call.first').hash.length > 3")
        game = page.locator(".call.first").evaluate("link => link.hash")
        page.locator(".call.first").click()
        page.wait_for_url("**/play/index.html#*")
        page.locator(".m5-stone").first.wait_for()
        assert page.evaluate("location.hash").startswith(game[:8])


@in_browser
@pytest.mark.parametrize("page_name", sorted(path.stem for path in ROOT.glob("guide/ch*.md")))
def test_a_page_of_the_guide_prints_on_one_sheet(browser, site, page_name):
    with seen(browser, f"file://{site}/guide/{page_name}.html") as page:
        page.evaluate("print = addEventListener = () => {}")
        page.get_by_role("button", name="Print on one sheet").click()
        assert page.locator("#ask-before-you-run li").first.is_visible() and not page.locator("#homework").is_visible()
        assert re.findall(rb"/Count \d+", page.pdf(format="A4", prefer_css_page_size=True)) == [b"/Count 1"]


@in_browser
def test_the_speaker_has_a_window_with_notes(browser, address):
    with seen(browser, f"{address}slides/ch01_uct.html#/3") as page:
        page.wait_for_function("Reveal.isReady()")
        with page.expect_popup() as notes:
            page.keyboard.press("s")
        notes.value.locator(".speaker-controls-notes", has_text="Expect to hear").wait_for()


@in_browser
def test_the_button_of_the_theme_makes_page_and_board_dark(browser, address):
    with seen(browser, f"{address}index.html") as page:
        board, ground = page.frame_locator(".hero-board iframe"), "getComputedStyle(document.body).backgroundColor"
        board.locator("html[theme='light']").wait_for(state="attached")
        light = page.evaluate(ground)
        assert not board.locator("#theme").is_visible(), "one switch is enough"
        page.locator(".theme-toggle-content .theme-toggle").click()  # from "as the system has it", which is light here
        board.locator("html[theme='dark']").wait_for(state="attached")
        assert page.evaluate("document.body.dataset.theme") == "dark" and page.evaluate(ground) != light
        page.wait_for_function("document.querySelector('.hero-board iframe').style.height")
        assert board.locator("html").evaluate("root => root.scrollHeight <= innerHeight"), "the frame shows all of it"


@in_browser
def test_answers_and_hints_are_folded_until_they_are_asked_for(browser, address):
    with seen(browser, f"{address}chapters/ch01_uct.html") as page:
        folds = page.locator("article details")
        assert folds.count() > 15 and page.locator("article details[open]").count() == 0
        assert page.locator("article math").count() > 20
        page.goto(f"{address}exercises/ex01_uct.html")
        hint = page.locator("details", has_text="Hint 1: a nudge").first
        words = hint.locator("p").first
        assert not words.is_visible()
        hint.locator("summary").click()
        assert words.is_visible()


@in_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES[:3])
def test_axe_finds_nothing_serious(browser, address, name, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    # All sections look alike, and a whole chapter's ten thousand colored words take axe half a minute.
    rest = {"exclude": [["article > section > section:nth-of-type(n+4)"]]} if "/" in name else None
    with seen(browser, f"{address}{name}.html", scheme=scheme) as page:
        found = axe.Axe().run(page, context=rest).response["violations"]
    worst = [rule for rule in found if rule["impact"] in ("serious", "critical")]
    assert [f"{rule['id']}: {rule['nodes'][0]['html']}" for rule in worst] == []


OVERFLOW = """async () => {
  const found = [];
  for (const [number, slide] of document.querySelectorAll(".slides > section").entries()) {
    Reveal.slide(number);
    const boxes = [slide, ...slide.querySelectorAll(".shown, pre, .line, .parts")];
    const over = () => boxes.some(
      box => box.scrollWidth > box.clientWidth + 2 || box.scrollHeight > box.clientHeight + 2);
    const blank = () => [...slide.querySelectorAll("img")].some(img => !img.naturalWidth || img.clientHeight < 200);
    for (let tries = 0; tries < 2000; tries++) {  // a long formula is being set smaller, a picture is being loaded
      await new Promise(done => setTimeout(done, 30));
      if (!over() && !blank()) break;
    }
    if (over() || blank()) found.push(number + 1);
  }
  return found;
}"""


# Words smaller than this on the screen, in pixels: code, and what is read.
SMALLEST = """() => [...document.querySelectorAll(".slides :is(pre, .line, .parts, .shown p)")]
    .filter(box => parseFloat(getComputedStyle(box).fontSize) * Reveal.getScale() < (box.tagName === "PRE" ? 10 : 15))
    .map(box => box.textContent)"""


@in_browser
@pytest.mark.parametrize("stem", read_decks(ROOT))
def test_every_slide_fits_its_screen_also_an_upright_one_and_no_request_leaves(browser, address, stem):
    with seen(browser, f"{address}slides/{stem}.html") as page:
        page.wait_for_function("Reveal.isReady()")
        assert page.evaluate(OVERFLOW) == []
        page.set_viewport_size({"width": 390, "height": 760})  # a telephone, held upright
        page.wait_for_function("document.documentElement.classList.contains('upright')")
        assert (page.evaluate(OVERFLOW), page.evaluate(SMALLEST)) == ([], [])

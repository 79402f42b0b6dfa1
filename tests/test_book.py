"""The pieces of the site: a notebook as a page, its formulas, the landing page, the slides."""

import base64
import json
import re
from io import BytesIO
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

pytest.importorskip("sphinx", reason="the site needs Sphinx")
from tools.book import landing, own, pages, slides
from tools.book.formulas import mathml
from tools.book.reference import one_a_line
from tools.stamp import fold

ROOT = Path(__file__).resolve().parent.parent
ALL = {"chapters/ch00_welcome.ipynb", "chapters/ch01_uct.ipynb", "exercises/ex01_uct.ipynb", "solutions/ex01_uct.ipynb"}


def shown(*cells, path="chapters/ch01_uct.ipynb", source=""):
    notebook = new_notebook(cells=[new_markdown_cell("# Exercises for chapter 1 · UCT"), *cells])
    fold(notebook)
    return pages.page(notebook, path, source, ALL).cells[1:]


def code(source="x", *tags):
    outputs = [new_output("stream", name="stdout", text="1")]
    return new_code_cell(source, outputs=outputs, execution_count=1, metadata={"tags": list(tags)})


# --- what is folded ---


def test_what_jupyter_folds_is_folded_on_the_page():
    question = new_markdown_cell("> **Predict before you run.** How many?")
    cells = shown(code("a", "setup"), code("b"), code("c", "figure"), question, code("d"))
    assert [cell.metadata.tags[-1:] for cell in cells if cell.cell_type == "code"] == [
        ["hide-cell"],
        [],
        ["hide-input"],
        ["hide-output"],
    ]
    assert cells[-1].metadata["mystnb"]["code_prompt_show"] == pages.ANSWER


def test_the_answer_to_a_prediction_and_its_code_are_folded_apart():
    _, source, answer = shown(new_markdown_cell("> **Predict before you run.** Where?"), code("plot()", "figure"))
    assert source.metadata.tags == ["figure", "hide-input"] and source.outputs == []
    assert answer.metadata.tags == ["figure", "remove-input", "hide-output"] and answer.outputs[0].text == "1"


def test_the_committed_notebook_stays_as_it_was():
    notebook = new_notebook(cells=[new_markdown_cell("# A · B\n[x](gone.py)"), code("a", "setup")])
    before = nbformat.writes(notebook)
    pages.page(notebook, "chapters/a.ipynb", "", ALL)
    assert nbformat.writes(notebook) == before


def test_the_badge_of_colab_is_left_out_because_its_picture_lies_elsewhere():
    assert shown(new_markdown_cell("[![Open](https://x/y.svg)](z)", metadata={"tags": ["badge"]})) == []


def test_questions_and_hints_are_read_as_markdown():
    (cell,) = shown(new_markdown_cell("> **Exercise.** Go.\n\n<details><summary>The answer</summary>At $c$.</details>"))
    assert cell.source.startswith("{.turn}\n> **Exercise.**")
    assert "</summary>\n\nAt $c$.\n\n</details>" in cell.source


# --- where links lead ---


@pytest.mark.parametrize(
    "text, without, with_address",
    [
        ("[x](ch00_welcome.ipynb#11.-Glossary)", None, None),
        ("[x](../exercises/ex01_uct.ipynb)", None, None),
        ("[x](#here) [y](https://z.org)", None, None),
        ("[`planes.py`](../mock5lib/a/planes.py)", "`planes.py`", "[`planes.py`](SITE/mock5lib/a/planes.py)"),
        ("[x](ch01_uct.ipynb#8.-Files-(optional))", None, None),
        ("[x](a/b(1).py)", "x", "[x](SITE/chapters/a/b(1).py)"),
        ("[x](../data/README.md#top)", "x", "[x](SITE/data/README.md)"),
    ],
)
def test_a_link_to_a_file_leads_to_the_repository_or_is_plain_words_while_there_is_none(text, without, with_address):
    assert pages.relink(text, "chapters/ch01_uct.ipynb", "", ALL) == (without or text)
    assert pages.relink(text, "chapters/ch01_uct.ipynb", "SITE", ALL) == (with_address or text)


def test_exercises_lead_to_their_solutions_and_solutions_say_what_they_are():
    assert "../solutions/ex01_uct.ipynb" in shown(path="exercises/ex01_uct.ipynb")[-1].source
    notebook = new_notebook(cells=[new_markdown_cell("# Exercises for chapter 1 · UCT")])
    solved = pages.page(notebook, "solutions/ex01_uct.ipynb", "", ALL)
    assert solved.cells[0].source == "# Solutions for chapter 1 · UCT" and len(solved.cells) == 1


def test_the_marks_of_a_solution_are_for_authors_and_not_on_its_page():
    source = "def f(x):\n    # BEGIN SOLUTION\n    return x\n    # END SOLUTION\n\n\nf(1)  # BEGIN SOLUTION is a mark"
    (cell,) = shown(code(source, "solution"), path="solutions/ex01_uct.ipynb")
    assert cell.source == "def f(x):\n    return x\n\n\nf(1)  # BEGIN SOLUTION is a mark"
    (cell,) = shown(code("# BEGIN SOLUTION\nx = 1\n# END SOLUTION"), path="solutions/ex01_uct.ipynb")
    assert cell.source == "x = 1"


def test_colab_and_source_have_buttons_only_while_there_is_an_address():
    page = "chapters/ch01_uct"
    found = {word: address for word, address, _ in pages.buttons(page, "some-one/course", set(), set())}
    assert found["Colab"].endswith("/github/some-one/course/blob/main/chapters/ch01_uct.ipynb")
    assert found["Source"] == "https://github.com/some-one/course/blob/main/chapters/ch01_uct.ipynb"
    assert pages.buttons(page, "", set(), set()) == [("Notebook", f"notebooks/{page}.ipynb", "Download this notebook")]


def test_each_page_of_a_chapter_leads_to_its_others():
    site = {"chapters/ch01_uct", "exercises/ex01_uct", "solutions/ex01_uct", "guide/ch01"}
    for page in site:
        found = {address for _, address, _ in pages.buttons(page, "", {"ch01_uct", "ch02_net"}, site | {"ladder"})}
        twice = {"exercises/ex01_uct"} if page.startswith("chapters") else set()  # its own first line leads there
        others = {f"{one}.html" for one in (site | {"slides/ch01_uct"}) - twice if one != page}
        assert found - {f"notebooks/{page}.ipynb"} == others
    assert pages.buttons("guide/README", "", {"ch01_uct"}, site) == []


# --- formulas ---


@pytest.mark.parametrize(
    "latex, holds, holds_not",
    [
        (r"\log p", '<mi>log</mi><mspace width="0.167em" /><mi>p</mi>', "<mo>"),
        (r"\log(p)", "<mi>log</mi><mo", "mspace"),
        (r"x = -y", 'form="prefix"', ""),
        (r"x - y", "<mo>−</mo>", "prefix"),
        (r"f(x) - y", "<mo>−</mo>", "prefix"),
        (r"a/b", '<mo lspace="0" rspace="0">/</mo>', ""),
        (r"-\infty", "<mi>∞</mi>", ""),
        (r"\max_a Q", "<munder><mi>max</mi><mi>a</mi></munder>", "msub"),
        (r"331{,}968", 'rspace="0"', ""),
        (r"\overline{x}", '<mo stretchy="true">‾</mo>', "accent"),
    ],
)
def test_a_formula_is_spaced_as_in_print(latex, holds, holds_not):
    found = mathml(latex, display=True)
    assert holds in found and (not holds_not or holds_not not in found)


def test_a_formula_keeps_its_tex_for_those_who_hear_it():
    assert r'alttext="\frac{1}{2} &lt; x"' in mathml(r"\frac{1}{2} < x", display=False)


def test_a_formula_that_can_not_be_read_is_named():
    with pytest.raises(ValueError, match=r"\\begin\{nosuch"):
        mathml(r"\begin{nosuch} x", display=True)


# --- the landing page ---


def chapters():
    return {path.stem: nbformat.read(path, as_version=4) for path in sorted(ROOT.glob("chapters/*.ipynb"))}


def test_each_chapter_stands_on_the_road_with_a_sentence():
    road = landing.road(chapters(), pages.promises(ROOT))
    assert [stop["number"] for stop in road] == list(range(len(road))) and len(road) >= 8
    assert all(20 < len(stop["builds"]) < 200 and stop["title"] for stop in road)


def test_the_landing_page_claims_what_the_data_say():
    html = landing.landing(ROOT, chapters(), repository="")
    last = (ROOT / "data/runs/alphazero_9x9/metrics.jsonl").read_text().splitlines()[-1]
    assert "13 minutes" in html and round(json.loads(last)["cpu_seconds"] / 60) == 13
    players = json.loads((ROOT / "data/ladder/9x9/table.json").read_text())["ladder"]
    by_name = {player["name"]: player for player in players}
    rules = [by_name[name]["high"] for name in ("greedy", "defensive", "mixed", "df", "pt")]
    assert by_name["AlphaZero, no search"]["low"] > max(rules), "without search it beats every rule of thumb"
    assert f"{by_name['AlphaZero 200']['elo']:,.0f}" in html


def test_each_name_of_a_docstring_has_a_line_of_its_own_on_the_site():
    lines = [
        "A sentence. games: as it was.",
        "Args:",
        "    name: shown; default: the rule. seed, rng: of its moves,",
        "        a number. k: in a row.",
        "Raises:",
        "    ValueError: a size. board: as it was.",
    ]
    one_a_line("class", lines)
    assert [line.rstrip() for line in lines[2:6]] == [
        "    name: shown; default: the rule.",
        "    seed, rng: of its moves,",
        "        a number.",
        "    k: in a row.",
    ]
    assert lines[0] == "A sentence. games: as it was." and lines[-1] == "    ValueError: a size. board: as it was."


def test_a_property_may_have_a_colon_in_its_sentence():
    napoleon = pytest.importorskip("sphinx.ext.napoleon")
    lines = ["Those that failed: each with its reason."]
    one_a_line("property", lines)
    shown = napoleon.GoogleDocstring(lines, what="property", name="faults").lines()
    assert "\n".join(shown).strip() == "Those that failed: each with its reason."


def test_there_is_no_address_on_the_landing_page_before_there_is_one():
    assert "git clone" not in landing.landing(ROOT, chapters(), repository="")
    html = landing.landing(ROOT, chapters(), repository="some-one/course")
    assert "git clone --depth 1 https://github.com/some-one/course\ncd course" in html
    assert "\n\n" not in html.partition("five-in-a-row\n\n")[2], "an empty line would end the block of HTML"


def test_the_packages_that_publish_the_site_are_pinned():
    """The workflow picks their lines from requirements.txt, which as a whole is no file of constraints."""
    workflow = (ROOT / ".github/workflows/pages.yml").read_text(encoding="utf-8")
    wanted = re.search(r"grep -E '(.*?)' requirements.txt", workflow)[1]
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    picked = [line for line in lines if re.match(wanted, line)]
    assert len(picked) == wanted.count("|") + 1, picked
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", line) for line in picked), picked


def test_the_page_of_ones_own_is_made_of_the_readme_and_a_section_that_is_gone_is_named():
    text = own.bring_your_own(ROOT, "", {"chapters/ch10_your_own_run.ipynb"})
    assert "def center(game)" in text and "[how](#Add-a-game)" in text and "mock5 page runs/mine" in text
    assert "--game examples/reversi.py:Reversi" in text and "<!--" not in text
    with pytest.raises(ValueError, match="No section 'Gone'"):
        own.section("# A\n\n## Here\n", "Gone")


def test_the_page_of_the_command_has_every_command_with_its_options():
    pytest.importorskip("typer")
    text = own.command_page()
    for name, option in (("match", "--openings"), ("train alphazero", "--preset"), ("records show", "--game")):
        part = text.split(f"# `mock5 {name}`\n")[1].split("\n## ")[0]
        assert f"* `{option}" in part, name
    assert "```text\nTwo heuristics\n  mock5 match mixed greedy --games 1000\n" in text
    assert "\b" not in text


# --- the slides ---


def test_each_deck_shows_what_its_chapter_has_in_15_to_26_slides(tmp_path):
    decks = slides.read_decks(ROOT)
    assert {f"ch0{number}" for number in range(8)} <= {stem[:4] for stem in decks}
    assert set(slides.build_slides(tmp_path, ROOT)) == set(decks)
    for stem, table in decks.items():
        html = (tmp_path / f"slides/{stem}.html").read_text(encoding="utf-8")
        assert slides.FEWEST <= html.count("<section") == len(table) + slides.BEYOND <= slides.MOST, stem
        assert html.count("<img") >= 7, f"{stem}: the pictures carry a deck"
        assert html.count('<aside class="notes">') >= len(table) / 3, f"{stem}: the guide says little of its sections"


@pytest.mark.parametrize(
    "row, complaint",
    [
        (["picture", "gone0000", "x"], "has no such cell"),
        (["formula", "text", "x"], "no such thing to show"),
        (["picture", "code", "x"], "no such thing to show"),
        (["ask", "text"], "no such thing to show"),
        (["printed", "long", "x"], "40 lines"),
        (["dance", "text", "x"], "no such thing to show"),
    ],
)
def test_a_slide_of_something_that_is_not_there_is_named(row, complaint, tmp_path):
    long = code("print()")
    long.outputs[0].text = "a\n" * 40
    notebook = new_notebook(cells=[new_markdown_cell("# A · B", id="text"), code(), long])
    notebook.cells[1].id, notebook.cells[2].id = "code", "long"
    with pytest.raises(ValueError, match=f"slides.toml, ch01_uct, slide 2.*{complaint}"):
        slides.deck(notebook, [row], "ch01_uct", tmp_path)


def test_a_slide_says_where_in_the_chapter_it_comes_from_and_shows_one_function(tmp_path):
    two = code("def first():\n    return 1\n\n\ndef second():\n    return 2")
    two.id = "two"
    notebook = new_notebook(cells=[new_markdown_cell("# A · B\n## 3. Steps"), two])
    (slide,) = slides.deck(notebook, [["code", "two.second", "with $x$"]], "ch01_uct", tmp_path)
    assert (slide["section"], slide["anchor"]) == ("3. Steps", "3.-Steps")
    assert "second" in slide["shown"] and "first" not in slide["shown"] and "<math" in slide["line"]


def test_the_speaker_is_told_what_the_guide_says_of_a_section_and_the_answer_to_a_question(tmp_path):
    cells = [
        new_markdown_cell("# A · B\n## 3. Steps", id="a"),
        *(new_markdown_cell(f"> **Predict before you run.** {word}?", id=word) for word in ("one", "two")),
    ]
    table = [["words", "A sentence", ""], ["ask", "two"], ["ask", "one"]]
    link = "[section 3](../chapters/ch01_uct.ipynb#3.-Steps)"
    page = (
        "# A\n\n## What must stick\n\n1. First.\n2. Second.\n\n## Two hours\n\n| from | minutes | what |\n"
        f"| --- | --- | --- |\n| 0:10 | 15 | Go to {link}. |\n\n## What to show live\n\n- A tree,\n  {link}.\n\n"
        f"## Ask before you run\n\n- One ({link})? 1.\n- Two ({link})? 2.\n\n## Three misunderstandings\n\n1. **No.**\n"
    )
    notebook = new_notebook(cells=cells)
    shown = slides.deck(notebook, table, "ch01_uct", tmp_path)
    assert slides.add_notes(notebook, shown, page) == ["First.", "Second."]
    assert [slide["notes"] for slide in shown] == [
        [],
        ["Two (section 3)? 2.", "<strong>0:10, 15 minutes.</strong> Go to section 3.", "A tree, section 3."],
        ["One (section 3)? 1."],
    ]


def test_a_slide_shows_those_bands_of_a_picture_that_it_names_and_a_band_that_is_not_there_is_named(tmp_path):
    drawn, file = Image.new("L", (60, 100), 255), BytesIO()
    drawn.paste(0, (5, 10, 25, 20))  # a title
    drawn.paste(0, (15, 40, 55, 90))
    drawn.save(file, "PNG")
    cell = code("figure")
    cell.id, cell.outputs = (
        "two",
        [new_output("display_data", {"image/png": base64.b64encode(file.getvalue()).decode()})],
    )
    notebook = new_notebook(cells=[cell])
    row = ["picture", "two", "A line", [1], "left | right"]
    (slide,) = slides.deck(notebook, [row], "ch01_uct", tmp_path)
    assert Image.open(tmp_path / "pictures/ch01_uct_two_1.png").size == (50, 60)
    assert slide["parts"] == ["left", "right"]
    with pytest.raises(ValueError, match="slide 2.*no such thing"):
        slides.deck(notebook, [["picture", "two", "A line", [5]]], "ch01_uct", tmp_path)


def test_a_part_of_a_picture_is_cut_where_no_letter_is_and_takes_the_axis_with_it(tmp_path):
    file, drawn = tmp_path / "figure.png", Image.new("L", (200, 600), 255)
    drawn.paste(0, (100, 0, 102, 600))  # a line that goes on below
    for top in (top for row in range(30, 500, 100) for top in range(row, row + 40, 8)):
        drawn.paste(0, (20, top, 80, top + 4))  # five strokes to a row of letters
    drawn.paste(0, (20, 560, 180, 580))  # the axis
    drawn.save(file)
    slides._crop(file, [0.0, 0.39, 0.9, 1.0])  # 234: through the third row, which begins at 230
    rows = (np.asarray(Image.open(file).convert("L"))[:, :40] < 128).any(axis=1)
    strokes = np.diff(np.flatnonzero(np.diff(rows))).tolist()[::2]
    assert strokes == [4] * 10 + [20], "two whole rows, and the axis"
    for top in range(200, 500, 8):
        drawn.paste(0, (20, top, 80, top + 4))
    drawn.save(file)
    with pytest.raises(IndexError, match="no row near 0.5"):
        slides._crop(file, [0.0, 0.5])


def test_a_board_in_a_question_keeps_its_lines_on_the_slide(tmp_path):
    source = "> **Predict before you run.** Two stones:\n>\n> ```\n> 2  X .\n> 1  . O\n> ```\n>\n> Which\n> one?"
    notebook = new_notebook(cells=[new_markdown_cell("# A · B", id="a"), new_markdown_cell(source, id="text")])
    (slide,) = slides.deck(notebook, [["ask", "text"]], "ch01_uct", tmp_path)
    assert "<p>Two stones:</p><pre><code>2  X .\n1  . O</code></pre><p>Which one?</p>" in slide["shown"]

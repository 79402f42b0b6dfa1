"""The notebooks are executed, say something that can fail, and have the form of a chapter; and the rules bite."""

import re
from pathlib import Path

import nbformat
import pytest
from markdown_it import MarkdownIt
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import stamp
from tools.form import problems, too_large, undescribed

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted([*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("solutions/*.ipynb")])
CHAPTERS = [path for path in NOTEBOOKS if path.parent.name == "chapters"]


def test_every_chapter_has_a_number_of_its_own_that_the_readme_knows():
    numbers = [path.name[:4] for path in NOTEBOOKS if path.parent.name == "chapters"]
    known = re.findall(r"^\| (ch\d\d) \|", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert numbers and len(set(numbers)) == len(numbers) and set(numbers) <= set(known)
    assert numbers[0] == "ch00", "the welcome comes first"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_executed_and_says_something_that_can_fail(path):
    found = problems(nbformat.read(path, as_version=4), stamp.read_repository())
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_picture_is_described_in_words(path):
    found = undescribed(nbformat.read(path, as_version=4))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_code_of_a_chapter_can_be_taken_in_at_a_glance(path):
    assert not too_large(nbformat.read(path, as_version=4))


def test_a_long_cell_or_line_is_named_unless_it_is_folded():
    long, wide = code("x = 1\n\n" * 21), code("x = 1  # " + "y" * 80)
    assert [text.split(": ")[1][:20] for text in too_large(notebook(long, wide))] == [
        "21 lines; 20 at most",
        "a line of more than ",
    ]
    assert not too_large(notebook(code("x = 1\n" * 21, tags=["figure"]), code("x = 1\n" * 20)))


def test_badges_and_set_up_cells_follow_the_one_address():
    differing = [path.name for path, text in stamp.stamped_texts().items() if path.read_text("utf-8") != text]
    assert not differing, f"run `python -m tools.stamp`: {differing}"


# --- the rules themselves, each broken once ---


def printed(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def figure():
    return new_output("display_data", data={"image/png": "aGVsbG8=", "text/plain": "<Figure>"})


def code(source, *outputs, tags=(), count=2):
    return new_code_cell(source, outputs=list(outputs), metadata={"tags": list(tags)}, execution_count=count)


def setup_cell():
    return code(stamp.setup_source(""), printed("Python 3"), tags=stamp.SETUP_TAGS, count=1)


def notebook(*cells, title="# A chapter\nTime budget: 10 minutes.", setup=None):
    return new_notebook(cells=[new_markdown_cell(title), setup or setup_cell(), *cells])


def test_a_sound_notebook_has_no_problems():
    sound = notebook(
        code("x = 1\nassert x == 1\nx", new_output("execute_result", data={"text/plain": "1"})),
        code("plot(x)", figure(), count=3),
    )
    assert problems(sound, "") == []


BROKEN = {
    "was not executed": code("print(1)", count=None),
    "not run top to bottom": code("print(1)", count=7),
    "is empty": code(" "),
    "shows an error": code("1/0", new_output("error", ename="E", evalue="", traceback=[])),
    "prints to stderr": code("warn()", printed("careful", "stderr")),
    "shows a figure": code("plot()", figure()),
    "has no assert": code("print(time())", printed("1"), tags=["nbval-ignore-output"]),
    "steers nbval": code("print(1)", tags=["nbval-skip"]),
    "steers nbval by skipping or by a comment": code("# NBVAL_IGNORE_OUTPUT\nprint(1)"),
    "prints 26 lines": code("loop()", printed("a\n" * 26)),
    "prints a path of one machine": code("print(p)", printed("/home/someone/x")),
}


@pytest.mark.parametrize("problem", BROKEN)
def test_a_broken_rule_is_found(problem):
    found = problems(notebook(BROKEN[problem]), "")
    assert len(found) == 1 and problem in found[0]


POOR = {
    "": "no alt text",
    "A board.": "8 characters",
    "x" * 401: "401 characters",
    "A board with a fork\nand its cure.": "on one line",
    "A board with a fork for black": "not sentences",
    "Figure of a board with a fork for black.": "begins with",
}


@pytest.mark.parametrize("text", POOR)
def test_a_picture_needs_an_alt_text_that_says_what_it_shows(text):
    shown = code("plot()", figure())
    shown.metadata["mystnb"] = {"image": {"alt": text}}
    assert len(found := undescribed(notebook(shown))) == 1 and POOR[text] in found[0]
    shown.metadata["mystnb"] = {"image": {"alt": "A 9×9 board on which black has a fork."}}
    assert undescribed(notebook(shown)) == []


def test_an_alt_text_stands_with_each_picture_of_its_cell_and_goes_when_it_is_taken_away():
    shown = code("plot()", figure(), printed("1"))
    for text in ("A board.", "Another board.", ""):
        shown.metadata["mystnb"] = {"image": {"alt": text}}
        stored = nbformat.reads(stamp.notebook_text(notebook(shown)), as_version=4).cells[-1].outputs
        assert stored[0].metadata.get("image/png", {}) == ({"alt": text} if text else {})
        assert stored[1].output_type == "stream"


@pytest.mark.parametrize("vacuous", ["assert True", "# assert x == 1", "print('assert x')"])
def test_an_assert_that_can_not_fail_does_not_count(vacuous):
    assert "shows a figure" in problems(notebook(code(vacuous, figure())), "")[0]


def test_an_expected_error_may_be_shown_when_it_is_tagged():
    expected = code("1/0", new_output("error", ename="E", evalue="", traceback=[]), tags=["raises-exception"])
    assert problems(notebook(expected), "") == []


def test_title_time_budget_and_set_up_cell_are_wanted():
    assert "title" in problems(notebook(title="Time budget: 10 minutes"), "")[0]
    assert "Time budget" in problems(notebook(title="# A chapter"), "")[0]
    edited = code(stamp.setup_source("") + "\nmore()", tags=stamp.SETUP_TAGS, count=1)
    assert "differs" in problems(notebook(setup=edited), "")[0]
    assert "must be the set-up cell" in problems(notebook(setup=code("x = 1", count=1)), "")[0]


# --- what is folded ---


def test_set_up_and_figure_code_are_folded_and_so_is_the_answer_to_a_prediction():
    found = notebook(
        new_markdown_cell("> **Predict before you run.** How many?"),
        code("helper = 1"),
        code("print(1)", printed("1"), tags=["figure"], count=3),
        new_markdown_cell("One."),
        code("print(2)", printed("2"), count=4),
    )
    stamp.fold(found)
    folded = [cell.metadata.get("jupyter", {}) for cell in found.cells if cell.cell_type == "code"]
    hidden = {"outputs_hidden": True}
    assert folded == [{"source_hidden": True}, hidden, {"source_hidden": True, **hidden}, {}]


def test_a_stored_widget_is_its_picture():
    data = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "image/png": "aGVsbG8="}
    found = notebook(code("panel", new_output("display_data", data=dict(data))))
    assert "widget-view" not in stamp.notebook_text(found) and "aGVsbG8=" in stamp.notebook_text(found)


# --- the address ---


def test_links_rewrite_badge_and_set_up_cell_and_keep_the_outputs(tmp_path):
    (tmp_path / "course.toml").write_text('# one place\nrepository = ""\n')
    (tmp_path / "README.md").write_text("# Course\n<!-- badge --><!-- /badge -->\n")
    (tmp_path / "chapters").mkdir()
    path = tmp_path / "chapters" / "ch00_welcome.ipynb"
    nbformat.write(notebook(code("print(1)", printed("1"))), path)

    stamp.write_repository("some-one/a.course", tmp_path)
    assert (tmp_path / "course.toml").read_text().startswith("# one place\n")
    for _ in range(2):  # the second time changes nothing
        for file, text in stamp.stamped_texts(tmp_path).items():
            file.write_text(text, encoding="utf-8")
        stamped = nbformat.read(path, as_version=4)
        badge = "https://colab.research.google.com/github/some-one/a.course/blob/main/chapters/ch00_welcome.ipynb"
        assert badge in stamped.cells[1].source and badge in (tmp_path / "README.md").read_text()
        assert "https://github.com/some-one/a.course" in stamped.cells[2].source
        assert len(stamped.cells) == 4 and stamped.cells[3].outputs[0].text == "1"


def test_the_readme_speaks_of_colab_only_once_there_is_an_address():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    here, there = stamp.filled_readme(text, ""), stamp.filled_readme(text, "some-one/course")
    assert "Colab" not in here and "git clone --depth 1 <the address of this page>" in here
    assert "## In Colab" in there and "git clone --depth 1 https://github.com/some-one/course.git" in there
    assert "actions/workflows/tests.yml/badge.svg" in there and "https://some-one.github.io/course/" in there
    html = MarkdownIt().render(there)  # behind a comment on the same line nothing would be a link
    assert '<a href="https://some-one.github.io/course/play/"><strong>Play' in html
    assert stamp.filled_readme(there, "") == here


@pytest.mark.parametrize("address", ["", "owner", "https://github.com/owner/name", "a/b/c", 'a/b"'])
def test_an_address_that_is_not_owner_and_name_is_refused(address, tmp_path):
    with pytest.raises(ValueError, match="owner/name"):
        stamp.write_repository(address, tmp_path)


def test_every_file_that_the_readme_shows_or_leads_to_is_there():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset)="([^"]+)"', text)
    assert len(found) > 25
    assert [path for path in found if "://" not in path and not (ROOT / path.partition("#")[0]).exists()] == []

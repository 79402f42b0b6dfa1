"""The form a notebook must have, so that comparing its outputs means something.

nbval skips cells that were never executed and does not compare figures: a notebook could pass and show nothing.
`problems` lists what would make it vacuous, and what departs from the form of a chapter.
"""

import ast
import re

from tools.stamp import SETUP_TAGS, alt_text, setup_source, tags

MAX_LINES = 25  # of text that one cell prints
MAX_COLUMNS = 88  # of code, so that no line is cut at the width of a laptop
MAX_CODE = 20  # lines of a cell that is not folded, blank ones not counted
ALT_LENGTH = range(20, 401)  # characters of an alt text: a sentence or three
FIGURES = ("image/png", "image/jpeg")  # nbval compares image/svg+xml, but not these
NBVAL_COMMENT = re.compile(r"^\s*#\s*(NBVAL_\w+|PYTEST_VALIDATE_IGNORE_OUTPUT)", re.MULTILINE)
HOME_PATH = re.compile(r"(?:/home/|/root/|/Users/|[A-Z]:\\Users\\)\S*")


def problems(notebook, repository: str) -> list:
    """What is wrong with an executed notebook, one sentence each; [] when all is well.

    repository: "owner/name" or "", as in course.toml; the set-up cell depends on it.
    """
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    found = _opening(notebook, code, repository)
    if not code:
        return [*found, "has no code cell"]
    for number, cell in enumerate(code, start=1):
        before = code[number - 2] if number > 1 else None
        found += [f"code cell {number} ({_first_line(cell)}): {problem}" for problem in _cell(cell, before, number)]
    return found


def _opening(notebook, code, repository: str) -> list:
    """A title, a time budget near the top, and the one set-up cell as the first code cell."""
    found = []
    first = notebook.cells[0] if notebook.cells else None
    if first is None or first.cell_type != "markdown" or not first.source.startswith("# "):
        found.append("the first cell must be markdown that starts with a title, '# …'")
    opening = [cell.source for cell in notebook.cells[:5] if cell.cell_type == "markdown"]
    if not any("time budget" in text.lower() and re.search(r"\d", text) for text in opening):
        found.append("none of the first cells states a 'Time budget' with a number")
    setup = [cell for cell in notebook.cells if "setup" in tags(cell)]
    if len(setup) != 1 or code[:1] != setup:
        found.append("the first code cell must be the set-up cell, and there must be one (python -m tools.stamp)")
    elif setup[0].source != setup_source(repository) or tags(setup[0]) != SETUP_TAGS:
        found.append("the set-up cell differs from the other notebooks' (python -m tools.stamp)")
    return found


def too_large(notebook) -> list:
    """Code cells of a chapter that a reader could not take in at a glance, one sentence each."""
    found = []
    for number, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), start=1):
        where = f"code cell {number} ({_first_line(cell)})"
        lines = [line for line in cell.source.splitlines() if line.strip()]
        if len(lines) > MAX_CODE and not {"setup", "figure"} & set(tags(cell)):
            found.append(f"{where}: {len(lines)} lines; {MAX_CODE} at most, or the tag figure, which folds it")
        if any(len(line) > MAX_COLUMNS for line in lines):
            found.append(f"{where}: a line of more than {MAX_COLUMNS} characters")
    return found


def _cell(cell, before, number: int) -> list:
    """What is wrong with one code cell; `before` is the code cell before it."""
    found = []
    if not cell.source.strip():
        return ["is empty"]
    if cell.execution_count is None:
        return ["was not executed (make notebooks)"]
    if cell.execution_count != number:
        found.append(f"has execution count {cell.execution_count}: not run top to bottom (make notebooks)")
    types = [output.output_type for output in cell.outputs]
    if "error" in types and "raises-exception" not in tags(cell):
        found.append("shows an error and is not tagged raises-exception")
    if any(output.get("name") == "stderr" for output in cell.outputs):
        found.append("prints to stderr")
    forbidden = [tag for tag in tags(cell) if tag in ("nbval-skip", "nbval-raises-exception")]
    if forbidden or NBVAL_COMMENT.search(cell.source):
        found.append("steers nbval by skipping or by a comment; only the tag nbval-ignore-output is allowed")
    if "nbval-ignore-output" in tags(cell) and "setup" not in tags(cell) and not _asserts(cell):
        found.append("is tagged nbval-ignore-output and has no assert")
    if _has_figure(cell) and not _asserts(cell) and not (before is not None and _asserts(before)):
        found.append("shows a figure, and neither it nor the code cell before it asserts anything")
    text = printed_text(cell)
    if len(text.splitlines()) > MAX_LINES:
        found.append(f"prints {len(text.splitlines())} lines, more than {MAX_LINES}")
    if "setup" not in tags(cell) and HOME_PATH.search(text):
        found.append(f"prints a path of one machine: {HOME_PATH.search(text)[0]}")
    return found


def undescribed(notebook) -> list:
    """The pictures that have no good alt text, one sentence each. CONTRIBUTING.md says how one is written."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    found = []
    for number, cell in enumerate(code, start=1):
        pictures = [kind for output in cell.outputs for kind in output.get("data", {}) if kind.startswith("image/")]
        problem = _poor(alt_text(cell)) if pictures else None
        found += [f"code cell {number} ({_first_line(cell)}): {problem}"] if problem else []
    return found


def _poor(text: str) -> str | None:
    """Why `text` does not do as an alt text, or None."""
    if not text:
        return "shows a picture that has no alt text (metadata mystnb.image.alt)"
    if len(text) not in ALT_LENGTH:
        return f"has an alt text of {len(text)} characters, not {ALT_LENGTH.start} to {ALT_LENGTH.stop - 1}"
    if text != " ".join(text.split()) or not text.endswith((".", "?", "!")):
        return f"has an alt text that is not sentences on one line: {text[-30:]!r}"
    if re.match(r"(an? |the )?(image|picture|figure|plot|screenshot)\b", text, re.IGNORECASE):
        return f"has an alt text that begins with what a screen reader says anyway: {text[:30]!r}"
    return None


def printed_text(cell) -> str:
    """All text that a cell prints or shows, its value included, errors not."""
    pieces = []
    for output in cell.outputs:
        if output.output_type == "stream":
            pieces.append(output.text)
        elif output.output_type in ("execute_result", "display_data"):
            pieces.append(str(output.data.get("text/plain", "")) + "\n")
    return "".join(pieces)


def _has_figure(cell) -> bool:
    return any(kind in output.get("data", {}) for output in cell.outputs for kind in FIGURES)


def _asserts(cell) -> bool:
    """Does the cell contain an assert statement that could fail? The set-up cell's is about no result."""
    if "setup" in tags(cell):
        return False
    lines = [line for line in cell.source.splitlines() if not line.lstrip().startswith(("%", "!"))]
    try:
        tree = ast.parse("\n".join(lines))
    except SyntaxError:
        return False
    checks = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    return any(not isinstance(node.test, ast.Constant) for node in checks)


def _first_line(cell) -> str:
    lines = cell.source.strip().splitlines()
    return lines[0][:50] if lines else "blank"

"""Write exercises/ from the masters in solutions/: blanks for the solutions, no outputs.

A master marks its cells with tags:
    exercise       markdown: title, difficulty, minutes, a folded hint; an exercise begins here
    solution       code: what stands between "# BEGIN SOLUTION" and "# END SOLUTION" becomes a blank
    check          code: one call `check.name(what the learner wrote)`; the exercise ends here
    solution-note  markdown for the solved notebook only
"""

import re
from pathlib import Path

import nbformat

from mock5lib.base.files import write_whole
from tools.stamp import ROOT, notebook_text, read_repository, stamp_notebook, tags

BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"
BLANK = 'raise NotImplementedError("your code here")'
ROOM = "# Here is room for functions and classes of your own."


def blank(source: str) -> str:
    """`source` with every marked region replaced by one line that raises NotImplementedError.

    A region at the left margin, where a cell must not raise, holds helpers of the solution: room takes its place.
    Raises ValueError if the marks are missing or do not pair.
    """
    lines, inside, regions = [], False, 0
    for line in source.splitlines():
        mark = line.strip()
        if mark == BEGIN and not inside:
            inside, regions = True, regions + 1
            margin = line[: line.index(BEGIN)]
            lines.append(margin + BLANK if margin else ROOM)
        elif mark == END and inside:
            inside = False
        elif mark in (BEGIN, END):
            raise ValueError(f"{mark!r} out of place in the solution cell:\n{source}")
        elif not inside:
            lines.append(line)
    if inside or not regions:
        raise ValueError(f"a solution cell needs {BEGIN!r} and {END!r}:\n{source}")
    return "\n".join(lines)


def make_exercise(solution, repository: str, path: str):
    """The learner's notebook made from a master: a new notebook, to be stored at `path` in the repository."""
    exercise = nbformat.from_dict(solution)
    exercise.cells = [cell for cell in exercise.cells if "solution-note" not in tags(cell)]
    for cell in exercise.cells:
        for editor_noise in ("execution", "collapsed", "scrolled"):
            cell.metadata.pop(editor_noise, None)
        if cell.cell_type != "code":
            continue
        cell.outputs, cell.execution_count = [], None
        if "solution" in tags(cell):
            cell.source = blank(cell.source)
    exercise.cells = [cell for cell in exercise.cells if cell.source.strip()]
    stamp_notebook(exercise, repository, path)
    return exercise


def exercise_texts(root: Path = ROOT) -> dict:
    """{path in exercises/: the text it should have}, one for each master."""
    repository = read_repository(root)
    texts = {}
    for master in sorted(root.glob("solutions/*.ipynb")):
        path = f"exercises/{master.name}"
        texts[root / path] = notebook_text(make_exercise(nbformat.read(master, as_version=4), repository, path))
    return texts


def drift(root: Path = ROOT) -> list:
    """Paths in exercises/ that differ from what the masters give, or have no master."""
    texts = exercise_texts(root)
    differing = [path for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text]
    return differing + [path for path in sorted(root.glob("exercises/*.ipynb")) if path not in texts]


def exercise_title(source: str) -> str:
    """The title of an exercise's markdown cell, its first heading without the marks."""
    heading = re.search(r"(?m)^#+\s*(.+)$", source)
    return heading[1].strip() if heading else "untitled exercise"


def main() -> None:
    texts = exercise_texts()
    for path in drift():
        print(f"{'wrote' if path in texts else 'removed'}: {path.relative_to(ROOT)}")
        if path in texts:
            path.parent.mkdir(exist_ok=True)
            write_whole(path, texts[path].encode())
        else:
            path.unlink()


if __name__ == "__main__":
    main()

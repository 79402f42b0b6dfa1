"""The package's reference: a page for each room, with what it exports, from the sources alone; nothing is imported."""

from __future__ import annotations

import ast
import re
from pathlib import Path

FRONT = """\
from mock5lib import Mock5, UCT, FastUCT, SearchTree, SearchAgent
from mock5lib import Tournament, agent, load_agent, match

print(match(agent("uct:1000", seed=0), "greedy", games=20, game=Mock5(9, 9)))"""
ROOMS = ("game", "search", "gomoku", "nets", "learn", "alphago", "alphazero", "arena", "engines", "show", "base")
PACKAGES = (*(f"mock5lib.{room}" for room in ROOMS), "mock5go")


def reference(root: Path) -> dict[str, str]:
    """The pages in MyST markdown, by their paths on the site: an overview, and one for each room and for mock5go."""
    pages, rows = {"reference/index": ""}, []
    for package in PACKAGES:
        path, page = root.joinpath(*package.split("."), "__init__.py"), package.rpartition(".")[2]
        text = path.read_text(encoding="utf-8")
        about, exports = ast.get_docstring(ast.parse(text)), exported(text)
        blocks = [
            directive(package, path.parent / f"{module}.py", name)
            for module, names in exports.items()
            for name in names
        ]
        links = ", ".join(f"`{name}`" for names in exports.values() for name in names)
        rows.append(f"| [{package}]({page}.md) | {links} |")
        heading = f"# {package}\n\n{about}\n\n`from {package} import …`"
        pages[f"reference/{page}"] = "\n\n".join([heading, *filter(None, blocks)]) + "\n"
    pages["reference/index"] = "\n".join(
        [
            "# The package",
            "",
            "What chapters build, a program of yours can use, and so can [what you bring](../bring_your_own.md). "
            "The most used names come from the top:",
            "",
            f"```python\n{FRONT}\n```",
            "",
            "| room | what it exports |",
            "| --- | --- |",
            *rows,
            "",
        ]
    )
    return pages


def exported(text: str) -> dict[str, list[str]]:
    """Module → the names that a room's `__init__` takes from it, as its call of `lazy_names` says."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "lazy_names":
            return {module: names.split() for module, names in ast.literal_eval(node.args[1]).items()}
    return {}


def directive(package: str, file: Path, name: str) -> str:
    """What shows a class or function of a module with its docstring; "" for another kind of name."""
    kinds = {ast.ClassDef: "class", ast.FunctionDef: "function"}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if type(node) in kinds and node.name == name:
            kind = kinds[type(node)]
            members = "   :members:\n" if kind == "class" else ""
            return f"```{{eval-rst}}\n.. autoapi{kind}:: {package}.{file.stem}.{name}\n{members}```"
    return ""


ANOTHER = re.compile(r"(?<=[.;] )(?=(?!default\b)[a-z]\w*(?:, \w+)*: )")  # where a line goes on to a further name


def one_a_line(what: str, lines: list[str]) -> None:
    """Make a docstring plain to Sphinx's parser, in place: sources save lines, which it would swallow names for.

    In "Args" and "Attributes" each name gets a line of its own. A property's sentence may have a colon, before which
    the parser would see a type; an empty type stops that.
    """
    if what in ("attribute", "data", "property") and lines:
        lines[0] = f": {lines[0]}"
    found, inside, margin = [], False, None
    for line in lines:
        if line.strip() and not line.startswith(" "):
            inside, margin = line.strip() in ("Args:", "Attributes:"), None
        elif inside and line.strip():
            margin = line[: -len(line.lstrip())] if margin is None else margin  # of the first name, and so of all
        first, *others = ANOTHER.split(line) if margin is not None else [line]
        found += [first, *(margin + other for other in others)]
    lines[:] = found

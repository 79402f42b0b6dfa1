"""`mock5 bench`: the benchmarks of the course's repository."""

from __future__ import annotations

import subprocess
import sys
from typing import Annotated

import typer

from mock5lib.cli.common import Json, plain_errors


def bench(
    names: Annotated[list[str] | None, typer.Argument(help="Which; none: all. A wrong name lists them.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Shorter runs; nothing is kept.")] = False,
    device: Annotated[str | None, typer.Option(help="cpu, or cuda for those that can use it.")] = None,
    as_json: Json = False,
) -> None:
    """Run benchmarks, print their tables, and keep them in runs/bench/.

    \b
    mock5 bench uct game
    mock5 bench search --device cuda
    mock5 bench gpu
    """
    with plain_errors():
        from mock5lib.course import course_file

        root = course_file("bench/__main__.py").parent.parent
        there = sorted(path.stem for path in (root / "bench").glob("[!_]*.py"))
        for name in names or []:
            if name not in [*there, "gpu"]:
                raise ValueError(f"There is no benchmark {name!r}; there are {', '.join(there)} and gpu.")
        where = ["--device", device] if device else []
        flags = [flag for flag, on in (("--quick", quick), ("--json", as_json)) if on]
        command = [sys.executable, "-m", "bench", *(names or []), *where, *flags]
        raise typer.Exit(subprocess.run(command, cwd=root).returncode)

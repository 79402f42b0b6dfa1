"""Run benchmarks, print each as a table, and keep it in runs/bench/; with --keep in data/bench/, for the chapters.

    python -m bench                all: speed and cluster
    python -m bench speed          what the compiled twins are worth
    python -m bench speed --quick  shorter, to try a benchmark out; nothing is kept
    python -m bench gpu            everything about one GPU, in about 7 minutes; see bench/gpu.py

A benchmark is a module bench/<name>.py with `run(quick) -> list of rows`, and a first docstring line for its title.
A row (`_rows.row`) is a dict:
    name     what was measured
    rate     how much of it, a number
    unit     of the rate, such as "simulations/s"
    against  what it is compared with, measured in the same run, or None
    ratio    rate / rate of `against`, or None
    note     anything a reader needs to know, may be ""
"""

import argparse
import importlib
import json
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench._rows import machine
from mock5lib.base.files import write_whole

ROOT = Path(__file__).resolve().parent.parent
NAMES = sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py") if path.stem != "gpu")


def table(title: str, rows: list) -> Table:
    """The rows side by side with what they are compared with."""
    shown = Table(title=title, title_justify="left")
    for column in ("what", "rate", "unit", "compared with", "ratio", "note"):
        shown.add_column(column, justify="right" if column in ("rate", "ratio") else "left")
    for row in rows:
        rate = f"{row['rate']:,.4g}" if row["rate"] < 1000 else f"{row['rate']:,.0f}"
        ratio = "" if row["ratio"] is None else f"{row['ratio']:,.2f}×"
        shown.add_row(row["name"], rate, row["unit"], row["against"] or "", ratio, row["note"])
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"which: {', '.join(NAMES)}; or gpu, alone")
    parser.add_argument("--quick", action="store_true", help="shorter runs; nothing is kept")
    parser.add_argument("--keep", action="store_true", help="keep the results in data/bench/, which chapters read")
    parser.add_argument("--device", choices=("cpu", "cuda"), help="of `gpu` alone: cpu tries its steps out, tiny")
    parser.add_argument("--folder", type=Path, help="of `gpu` alone: where its steps are kept instead of runs/")
    chosen = parser.parse_args()
    if chosen.names == ["gpu"]:
        from bench import gpu

        return gpu.main(chosen.device, chosen.folder)
    if unknown := sorted(set(chosen.names) - set(NAMES)):
        parser.error(f"no benchmark named {', '.join(unknown)}; there are: {', '.join(NAMES)}, and gpu, alone")
    console = Console(width=None if sys.stdout.isatty() else 140)
    for name in chosen.names or NAMES:
        module, start = importlib.import_module(f"bench.{name}"), time.perf_counter()
        rows = module.run(chosen.quick)
        console.print(table(module.__doc__.splitlines()[0], rows))
        if not chosen.quick:
            result = {"command": f"python -m bench {name} --keep", "seconds": round(time.perf_counter() - start, 1)}
            text = json.dumps({**result, "machine": machine(), "rows": rows}, indent=2, ensure_ascii=False) + "\n"
            path = ROOT / ("data" if chosen.keep else "runs") / "bench" / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text.encode())
            console.print(f"kept in {path.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

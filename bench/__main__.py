"""Run benchmarks, print each as a table, and keep it in runs/bench/; with --keep in data/bench/, for the chapters.

    python -m bench              all
    python -m bench uct game     some
    python -m bench uct --quick  shorter, to try a benchmark out; nothing is kept
    python -m bench search --device cuda    on a GPU; kept as search_gpu
    python -m bench gpu          everything about one GPU, in 25 minutes; see bench/_gpu.py

A benchmark is a module bench/<name>.py with `run(quick) -> list of rows`, and a first docstring line for its title.
A row is a dict:
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
import os
import signal
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench._machine import machine

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "data" / "bench"  # what chapters read
YOURS = ROOT / "runs" / "bench"
KEYS = {"name", "rate", "unit", "against", "ratio", "note"}


def names() -> list:
    """The benchmarks there are: modules in this folder that do not begin with an underscore."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def check_rows(name: str, rows: list) -> list:
    """`rows` as they came, or a ValueError that says which key of which row is missing or unknown."""
    for number, row in enumerate(rows):
        if set(row) != KEYS:
            raise ValueError(f"bench/{name}.py, row {number}: keys {sorted(row)}, wanted {sorted(KEYS)}.")
    return rows


def table(title: str, rows: list) -> Table:
    """The rows side by side with what they are compared with."""
    shown = Table(title=title, title_justify="left")
    for column in ("what", "rate", "unit", "compared with", "ratio", "note"):
        shown.add_column(column, justify="right" if column in ("rate", "ratio") else "left")
    for row in rows:
        ratio = "" if row["ratio"] is None else f"{row['ratio']:,.2f}×"
        shown.add_row(
            row["name"],
            f"{row['rate']:,.4g}" if row["rate"] < 1000 else f"{row['rate']:,.0f}",
            row["unit"],
            row["against"] or "",
            ratio,
            row["note"],
        )
    return shown


def keep(name: str, result: dict, folder: Path) -> Path:
    """Write one result as JSON under a temporary name, then rename."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(temporary, path)
    return path


def leave(number: int, _frame) -> None:
    """End by an exception: `subprocess.run` then ends the process that measures for this one."""
    sys.exit(128 + number)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help=f"which: {', '.join(names())}; or gpu, alone")
    parser.add_argument("--quick", action="store_true", help="shorter runs; nothing is kept")
    parser.add_argument("--device", choices=("cpu", "cuda"), help="cpu, or cuda where a benchmark can use it")
    parser.add_argument("--folder", type=Path, help="of `gpu` alone: where its steps are kept instead of runs/")
    parser.add_argument("--keep", action="store_true", help="keep the results in data/bench/, which chapters read")
    chosen = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, leave)
    if chosen.names == ["gpu"]:
        from bench import _gpu

        return _gpu.main(chosen.device, chosen.quick, chosen.folder)
    chosen.device = chosen.device or os.environ.get("MOCK5_DEVICE", "cpu")
    os.environ["MOCK5_DEVICE"] = chosen.device  # before a benchmark is imported, and for its processes
    unknown = sorted(set(chosen.names) - set(names()))
    if unknown:
        parser.error(f"no benchmark named {', '.join(unknown)}; there are: {', '.join(names())}, and gpu, alone")
    console = Console(width=None if sys.stdout.isatty() else 140)
    for name in chosen.names or names():
        module = importlib.import_module(f"bench.{name}")
        if chosen.device != "cpu" and not hasattr(module, "DEVICE"):
            parser.error(f"the benchmark {name} runs on the CPU only")
        start = time.perf_counter()
        rows = check_rows(name, module.run(chosen.quick))
        seconds = round(time.perf_counter() - start, 1)
        console.print(table((module.__doc__ or name).splitlines()[0], rows))
        if not chosen.quick:
            device, kept = ("", name) if chosen.device == "cpu" else (f" --device {chosen.device}", f"{name}_gpu")
            command = f"python -m bench {name}{device} --keep"
            result = {"command": command, "seconds": seconds, "machine": machine(), "rows": rows}
            console.print(f"kept in {keep(kept, result, KEPT if chosen.keep else YOURS).relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

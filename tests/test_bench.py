"""The benchmark runner: what it keeps is whole, complete and names no machine."""

import json
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.__main__ import check_rows, keep, table
from bench._machine import machine
from bench._plan import BATCH, GAMES, SIMULATIONS, STEPS, mean_plies, plan

ROW = {"name": "playouts", "rate": 1234.5, "unit": "playouts/s", "against": "readable", "ratio": 3.1, "note": ""}


def test_a_kept_result_is_read_back_as_it_was(tmp_path):
    path = keep("game", {"machine": machine(), "rows": [ROW]}, tmp_path)
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert kept["rows"] == [ROW] and kept["machine"]["libraries"]["numpy"]
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_what_is_kept_names_no_machine():
    assert platform.node() not in json.dumps(machine())


def test_a_row_with_a_missing_key_is_named():
    with pytest.raises(ValueError, match="row 1"):
        check_rows("game", [ROW, {"name": "playouts"}])


def test_the_table_has_one_line_a_row():
    assert table("Speed", [ROW, ROW]).row_count == 2


def test_the_plan_for_many_workers_is_arithmetic_on_what_was_measured():
    measured = dict(
        boards=500, weights_bytes=2**20, position_bytes=500, rounds=50, positions=1e5, store=2**30, trained=100
    )
    rows = check_rows("cluster", plan(measured, workers=1000))
    found = {row["name"].removeprefix("plan, 1,000 cores: "): row for row in rows if "cores" in row["name"]}
    seconds = GAMES * mean_plies() * SIMULATIONS / (500 * 1000)
    assert found["time"]["rate"] == pytest.approx(seconds / 3600)
    assert found["positions trained on"]["rate"] == pytest.approx(STEPS * BATCH / seconds)
    assert found["positions trained on"]["ratio"] == pytest.approx(STEPS * BATCH / seconds / 100)
    assert found["saturates first"]["note"] == "positions trained on"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_a_benchmark_ends_the_process_that_measures_too(number):
    root = Path(__file__).resolve().parent.parent
    bench = subprocess.Popen([sys.executable, "-m", "bench", "match"], cwd=root, stderr=subprocess.PIPE)

    def children() -> list[str]:
        return subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(bench.pid)], capture_output=True, text=True
        ).stdout.split()

    while not (child := [one for one in children() if Path(f"/proc/{one}/cmdline").exists()]):
        assert bench.poll() is None, bench.stderr.read()
        time.sleep(0.01)
    bench.send_signal(number)
    assert bench.wait(60) == 128 + number and not Path(f"/proc/{child[0]}").exists()
    bench.stderr.close()

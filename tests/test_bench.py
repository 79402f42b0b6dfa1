"""The benchmark runner: what it keeps is whole, complete and names no machine."""

import json
import platform

import pytest

from bench.__main__ import check_rows, keep, machine, table

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

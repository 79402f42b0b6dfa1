"""Pictures of a tournament: their data are those of the table."""

import json
from pathlib import Path

import pytest

from mock5lib.show.ladder import plot_cross_table, plot_differences, plot_ladder, plot_strength_by_time

KEPT = Path(__file__).resolve().parent.parent / "data" / "ladder"
ROWS = [
    {"name": "strong", "elo": 900.0, "low": 850.0, "high": None},
    {"name": "weak", "elo": 0.0, "low": None, "high": 60.0},
    {"name": "middle", "elo": 400.0, "low": 350.0, "high": 450.0},
]


def test_the_strongest_is_on_top_and_open_ends_reach_beyond_all():
    ax = plot_ladder(ROWS)
    points, *intervals = ax.lines
    assert points.get_xdata().tolist() == [0, 400, 900] and points.get_ydata().tolist() == [0, 1, 2]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["weak", "middle", "strong"]
    ends = [line.get_xdata() for line in intervals]
    assert list(ends[1]) == [350, 450] and ends[2][1] > 900 and ends[0][0] < 0


def test_each_run_is_a_point_and_their_mean_is_written():
    ax = plot_differences(
        {"one": [(-30.0, -60.0, 5.0), (-50.0, -80.0, -20.0)], "two": [(10.0, 0.0, 20.0)]}, zero="base"
    )
    assert ax.lines[0].get_xdata().tolist() == [-30, -50] and ax.lines[1].get_xdata().tolist() == [10]
    assert ax.lines[0].get_ydata().mean() == 0 and ax.lines[1].get_ydata().tolist() == [1]
    assert [text.get_text() for text in ax.texts] == ["−40", "+10", "base"]


@pytest.mark.parametrize("folder", ["9x9", "15x15", "ablations_9x9", "go_9x9"])
def test_the_page_of_a_ladder_and_its_table_round_to_the_same_numbers(folder):
    kept = KEPT / folder
    page = [line.split(" | ")[1:4] for line in (kept / "ladder.md").read_text().splitlines() if line.startswith("| ")]
    players = json.loads((kept / "table.json").read_text(encoding="utf-8"))["ladder"]
    rounded = [[one["name"], f"{one['elo']:.0f}", f"{one['low']:.0f} to {one['high']:.0f}"] for one in players]
    assert page[2:] == rounded and len(page) > 12


def test_the_cross_table_shows_its_scores_and_leaves_gaps():
    scores = [[None, 0.75, 1], [0.25, None, None], [0, None, None]]
    ax = plot_cross_table(["a", "b", "c"], scores)
    shown = ax.images[0].get_array()
    assert shown[0, 1] == 0.75 and shown.mask.sum() == 5
    assert sorted(text.get_text() for text in ax.texts) == ["0", "100", "25", "75"]


def test_a_close_up_shows_those_whose_intervals_are_narrow_and_each_kind_has_a_color():
    sure = [{"name": f"sure {n}", "elo": 1000.0 + n, "low": 990.0 + n, "high": 1010.0 + n} for n in range(3)]
    kinds = {"strong": "net", "weak": "rules", **{row["name"]: "rules" for row in sure}}
    whole, near = plot_ladder(ROWS[:2] + sure, kinds=kinds, close_up=True).figure.axes
    low, high = near.get_xlim()
    assert 900 < low < 990 and 1012 < high < 1100 and whole.get_xlim()[0] < 0
    assert [text.get_text() for text in near.texts] == ["1000", "1001", "1002"]
    assert [text.get_text() for text in whole.texts] == ["0", "900"]
    assert [text.get_text() for text in whole.get_legend().get_texts()] == ["net", "rules"]
    colors = whole.collections[0].get_facecolors()
    assert (colors[0] != colors[1]).any() and (colors[0] == colors[2:]).all()
    assert len(plot_ladder(sure, close_up=True).figure.axes) == 1, "there is nothing to enlarge"
    assert len(plot_ladder(ROWS[:2] + sure[:1], close_up=True).figure.axes) == 1, "one alone is no comparison"


def test_what_lies_beyond_luck_has_another_color():
    groups = {"far": [(-90.0, -100.0, -80.0)], "touching": [(-90.0, -130.0, -50.0)], "up": [(90.0, 70.0, 110.0)]}
    far, touching, up, *_ = plot_differences(groups, luck=60).lines
    assert far.get_color() == up.get_color() != touching.get_color()


def test_players_without_a_time_are_left_out_and_names_do_not_overlap():
    crowd = [{"name": f"agent {number}", "elo": 100.0 + number, "low": None, "high": None} for number in range(12)]
    ax = plot_strength_by_time(ROWS + crowd, {"strong": 0.01, "weak": 0.001, **{row["name"]: 0.002 for row in crowd}})
    assert {line.get_label() for line in ax.lines} == {"strong", "weak", *(row["name"] for row in crowd)}
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) == len(ax.lines) and not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])

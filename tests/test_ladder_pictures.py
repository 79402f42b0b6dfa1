"""Pictures of a tournament: their data are those of the table."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from mock5lib.show.ladder import plot_cross_table, plot_differences, plot_ladder, plot_strength_by_time
from tools.ladder import rows_of

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
    plt.close("all")


def test_each_run_is_a_point_and_their_mean_is_written():
    ax = plot_differences(
        {"one": [(-30.0, -60.0, 5.0), (-50.0, -80.0, -20.0)], "two": [(10.0, 0.0, 20.0)]}, zero="base"
    )
    assert ax.lines[0].get_xdata().tolist() == [-30, -50] and ax.lines[1].get_xdata().tolist() == [10]
    assert ax.lines[0].get_ydata().mean() == 0 and ax.lines[1].get_ydata().tolist() == [1]
    assert [text.get_text() for text in ax.texts] == ["-40", "+10", "base"]
    with pytest.raises(ValueError, match="at least one run of each kind"):
        plot_differences({"one": []})
    plt.close("all")


def test_a_markdown_table_copes_with_open_ends_and_odd_names():
    rows = rows_of([{"name": "guest: a|b", "elo": 12.4, "low": None, "high": 60.0, "points": 3, "games": 4}])
    assert rows[2] == "| guest: a\\|b | 12 | – to 60 | 0.75 |"


def test_the_cross_table_shows_its_scores_and_leaves_gaps():
    scores = [[None, 0.75, 1], [0.25, None, None], [0, None, None]]
    ax = plot_cross_table(["a", "b", "c"], scores)
    shown = ax.images[0].get_array()
    assert shown[0, 1] == 0.75 and shown.mask.sum() == 5
    assert sorted(text.get_text() for text in ax.texts) == ["0", "100", "25", "75"]
    with pytest.raises(ValueError, match="3 names need scores"):
        plot_cross_table(["a", "b", "c"], np.zeros((2, 2)))
    plt.close("all")


def test_players_without_a_time_are_left_out_and_names_do_not_overlap():
    crowd = [{"name": f"agent {number}", "elo": 100.0 + number, "low": None, "high": None} for number in range(12)]
    ax = plot_strength_by_time(ROWS + crowd, {"strong": 0.01, "weak": 0.001, **{row["name"]: 0.002 for row in crowd}})
    assert {line.get_label() for line in ax.lines} == {"strong", "weak", *(row["name"] for row in crowd)}
    boxes = [text.get_window_extent() for text in ax.texts]
    assert len(boxes) >= 3 and not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    with pytest.raises(ValueError, match="at least one player"):
        plot_strength_by_time(ROWS, {})
    plt.close("all")


def test_an_empty_ladder_is_refused():
    with pytest.raises(ValueError, match="at least one player"):
        plot_ladder([])

"""Two forests in turns, the timeline of who worked when, and its picture."""

import time

import numpy as np
import pytest
from experts import uniform_expert

from mock5lib.alphazero import loop as az
from mock5lib.alphazero.config import Config
from mock5lib.alphazero.selfplay import SelfPlay
from mock5lib.search.forest_compiled import Forest, Span, Timeline, search_in_turns
from mock5lib.show.curves import plot_timeline


def filled(*spans):
    timeline = Timeline()
    timeline.spans = [Span(*span) for span in spans]
    return timeline


def test_each_forest_has_a_lane_and_the_net_one_of_its_own():
    for count, lanes in ((1, {"trees", "net"}), (2, {"trees 1", "trees 2", "net"})):
        timeline, forests = Timeline(), [Forest(3, 6, 6, 4, nodes=30, seed=seed) for seed in range(count)]
        search_in_turns(forests, uniform_expert, 10, timeline=timeline)
        assert {span.lane for span in timeline.spans} == lanes
        assert all(0 <= span.start <= span.end for span in timeline.spans)


def test_the_net_works_for_one_forest_at_a_time_and_a_forest_waits_for_its_own_answer():
    timeline, forests = Timeline(), [Forest(3, 6, 6, 4, nodes=30, seed=seed) for seed in (1, 2)]
    search_in_turns(forests, uniform_expert, 10, timeline=timeline)
    for lane in ("net", "trees 1", "trees 2"):
        mine = sorted(span for span in timeline.spans if span.lane == lane)
        assert all(one.end <= other.start for one, other in zip(mine, mine[1:]))


def test_while_the_expert_works_elsewhere_the_other_half_is_walked():
    timeline, forests = Timeline(), [Forest(2, 6, 6, 4, nodes=30, seed=seed) for seed in (1, 2)]

    def elsewhere(planes):
        time.sleep(0.01)
        return uniform_expert(planes)

    search_in_turns(forests, elsewhere, 8, timeline=timeline)
    net = [span for span in timeline.spans if span.lane == "net"]
    trees = [span for span in timeline.spans if span.lane.startswith("trees")]
    assert any(one.start < other.start and other.end < one.end for one in net for other in trees)


@pytest.mark.parametrize("halves", [1, 2])
def test_noting_changes_no_game_of_self_play(halves):
    def games(timeline):
        played = SelfPlay(Config(height=4, width=4, k=3, games=6, simulations=8), halves=halves)
        played.play(uniform_expert, 6, np.random.default_rng(0), timeline)
        return played.table.histories.tolist()

    timeline = Timeline()
    assert games(timeline) == games(None) and timeline.spans


def test_a_round_of_self_play_notes_its_gradient_steps():
    small = dict(height=4, width=4, k=3, games=6, plies=9, simulations=8, window=300, fill=1, batch_size=16)
    config = az.Config(**small)
    run, timeline = az.AlphaZeroRun(config), Timeline()
    az.iterate(run, timeline)
    lanes = [span.lane for span in timeline.spans]
    assert set(lanes) == {"trees", "net", "gradients"} and lanes.count("gradients") == run.steps > 0


def test_a_share_is_of_the_time_from_the_first_start_to_the_last_end():
    timeline = filled(("trees", 1.0, 2.0), ("net", 2.0, 5.0), ("net", 5.0, 5.5), ("trees", 5.5, 6.0))
    assert timeline.share("net") == 0.7 and timeline.share("gradients") == 0
    with pytest.raises(ValueError, match="empty"):
        Timeline().share("net")


def test_a_call_that_fails_is_noted_too():
    timeline = Timeline()
    with pytest.raises(ZeroDivisionError):
        timeline.watch("net", lambda: 1 / 0)()
    assert timeline.spans[0].lane == "net"


def test_the_picture_has_a_bar_for_each_span_and_says_the_share_that_it_shows():
    timeline = filled(
        ("trees 1", 1.0, 1.002), ("net", 1.002, 1.006), ("trees 2", 1.003, 1.005), ("gradients", 1.008, 1.01)
    )
    ax = plot_timeline(timeline)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["trees 1", "trees 2", "net", "gradients"]
    assert {bar.get_gid(): round(bar.get_width(), 6) for bar in ax.patches} == {
        "trees 1-0": 2,
        "trees 2-3000": 2,
        "net-2000": 4,
        "gradients-8000": 2,
    }
    assert ax.get_title("left") == "The net is at work for 60% of the time"
    part = plot_timeline(timeline, between=(0.001, 0.005), device="GPU")
    assert part.get_xlim() == (1, 5) and "GPU is at work for 75%" in part.get_title("left") and len(part.patches) == 3

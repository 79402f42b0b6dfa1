"""Pictures, the board widget and the panels: what is drawn, what a click does, what a stored notebook holds."""

import base64
import json
import math
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import numba
import numpy as np
import pytest

from mock5lib import Mock5
from mock5lib.search.uct_step_by_step import uct_steps
from mock5lib.show import (
    BoardWidget,
    FormulaSlider,
    GameViewer,
    PlayPanel,
    UCTStepper,
    geometry,
    palette,
    plot_bars,
    plot_board,
    plot_boards,
    plot_curves,
    plot_policy,
    plot_tree,
    plot_uct_terms,
    svg_board,
)
from mock5lib.show.curves import spread_out

STATIC = Path(__file__).parent.parent / "mock5lib" / "show" / "static"
TICTACTOE = [4, 0, 8, 2]
BLACK_WON = [0, 3, 1, 4, 2]


def tictactoe(history=()):
    return Mock5(3, 3, k=3, history=list(history))


def gids(ax, start):
    return sorted(str(p.get_gid()) for p in [*ax.patches, *ax.texts] if str(p.get_gid()).startswith(start))


def texts(ax):
    return [text.get_text() for text in ax.texts]


# ---------------------------------------------------------------- boards in matplotlib


def test_a_board_shows_every_stone_its_number_and_a_ring_on_the_last():
    ax = plot_board(tictactoe(TICTACTOE))
    assert gids(ax, "stone-") == ["stone-0", "stone-2", "stone-4", "stone-8"]
    assert gids(ax, "last-") == ["last-2"]
    colors = [(text.get_text(), text.get_color()) for text in ax.texts[-4:]]  # white on black, dark on white
    assert colors == [("2", "#1E1E20"), ("4", "#1E1E20"), ("1", "#FFFFFF"), ("3", "#FFFFFF")]


def test_row_zero_is_at_the_top_and_coordinates_are_those_of_the_printed_board():
    ax = plot_board(Mock5(12, 11), numbers=False)
    bottom, top = ax.get_ylim()
    assert bottom > top
    assert texts(ax) == list("0123456789A") + list("0123456789AB")


def test_a_winning_row_is_marked_from_end_to_end():
    ax = plot_board(tictactoe(BLACK_WON))
    (line,) = ax.lines
    assert list(line.get_xdata()) == [0, 2] and list(line.get_ydata()) == [0, 0]
    assert not plot_board(tictactoe(TICTACTOE)).lines


def test_an_overline_is_no_winning_row_under_the_exact_rule():
    row = [0, 10, 1, 11, 2, 12, 4, 13, 5, 20, 3]
    exact = Mock5(3, 10, k=5, history=row, exact=True)
    free = Mock5(3, 10, k=5, history=row)
    assert geometry.winning_line(exact) == []
    assert geometry.winning_line(free) == [0, 1, 2, 3, 4, 5]
    both = Mock5(3, 7, k=5, board=[1] * 6 + [0] * 8 + [1] * 5 + [0] * 2, exact=True)
    assert geometry.winning_line(both) == [14, 15, 16, 17, 18]


def test_heat_lies_on_empty_points_and_not_on_stones_zero_or_nan():
    heat = [1.0, 0.0, 0.0, math.nan, 9.0, 0.5, 0.0, 0.25, 0.0]
    ax = plot_board(tictactoe([4]), heat=heat)
    assert gids(ax, "heat-") == ["heat-0", "heat-5", "heat-7"]


def test_boards_with_the_same_heat_limit_have_one_scale_and_what_exceeds_it_is_drawn_deepest():
    assert palette.heat_strengths([2.0, -1.0, 0.0], 3) == [1.0, -0.5, None]
    assert palette.heat_strengths([2.0, -1.0, 0.0], 3, limit=4.0) == [0.5, -0.25, None]
    assert palette.heat_strengths([2.0, -9.0, 0.0], 3, limit=4.0) == [0.5, -1.0, None]
    colors = []
    for heat in ([0.0] * 8 + [2.0], [4.0] + [0.0] * 7 + [2.0]):
        ax = plot_board(tictactoe([4]), heat=heat, heat_limit=4.0)
        colors += [patch.get_facecolor() for patch in ax.patches if patch.get_gid() == "heat-8"]
    assert len(colors) == 2 and colors[0] == colors[1]


def test_heat_and_marks_of_the_wrong_size_are_refused():
    with pytest.raises(ValueError, match="The heat has 4 values; this board has 9 points"):
        plot_board(tictactoe(), heat=[1, 2, 3, 4])
    with pytest.raises(IndexError, match="no point 9 to mark: this board has points 0 to 8"):
        plot_board(tictactoe(), marks={9: "a"})
    with pytest.raises(ValueError, match="at least 0; the smallest here is -1"):
        plot_policy(tictactoe(), [-1] + [0] * 8)


def test_a_policy_is_labeled_in_percent_on_the_empty_points():
    ax = plot_policy(tictactoe([4]), lambda game: [3, 1, 0, 0, 4, 0, 0, 0, 0])
    assert texts(ax)[6:] == ["38", "12"]


def test_text_on_heat_can_always_be_read():
    def luminance(color):
        r, g, b = (palette.to_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    for strength in np.linspace(-1, 1, 41):
        ground = palette.heat_tile(strength)
        bright, dark = sorted((luminance(ground), luminance(palette.text_color_on(ground))), reverse=True)
        assert (bright + 0.05) / (dark + 0.05) > 3.0, f"unreadable at {strength:.2f}"


def test_many_boards_make_one_figure():
    figure = plot_boards([tictactoe(BLACK_WON[:n]) for n in range(5)], [f"after {n}" for n in range(5)], columns=3)
    shown = [ax for ax in figure.axes if ax.axison]
    assert [len(gids(ax, "stone-")) for ax in shown] == [0, 1, 2, 3, 4]


# ---------------------------------------------------------------- trees


def grown_tree(simulations, game=None, seed=1):
    return list(uct_steps(game or tictactoe(), simulations, rng=seed))[-1]


def test_every_node_of_a_small_tree_is_drawn_with_its_wins_and_visits():
    step = grown_tree(4)
    ax = plot_tree(step.root, tictactoe(), path=step.path, new_node=step.new_node)
    drawn = {t.get_gid(): t.get_text() for t in ax.texts if str(t.get_gid()).startswith("node-")}
    expected = {f"node-{c.move}": f"{c.wins:g}/{c.visits}" for c in step.root.children}
    assert drawn == {"node-": f"{step.root.wins:g}/4", **expected}
    assert sum(gid == "board" for gid in (p.get_gid() for p in ax.patches)) == 5


def test_what_a_tree_leaves_out_is_counted():
    step = grown_tree(300)
    ax = plot_tree(step.root, tictactoe(), max_depth=1, max_children=4)
    assert "+5\nmore" in texts(ax)
    hidden = [int(t.split()[0][1:]) for t in texts(ax) if re.fullmatch(r"\+\d+ more", t)]
    most_visited = sorted(step.root.children, key=lambda c: -c.visits)[:4]
    assert sorted(hidden) == sorted(len(c.children) for c in most_visited)


def test_the_path_is_drawn_however_rarely_it_was_visited():
    step = grown_tree(200)
    rare = min(step.root.children, key=lambda c: c.visits)
    ax = plot_tree(step.root, tictactoe(), path=[step.root, rare], max_nodes=1, max_children=1)
    assert f"node-{rare.move}" in gids(ax, "node-")


def test_no_text_of_a_tree_runs_into_another():
    step = grown_tree(3000)
    ax = plot_tree(step.root, tictactoe(), path=step.path, new_node=step.new_node)
    ax.figure.canvas.draw()
    boxes = [t.get_window_extent() for t in ax.texts if t.get_text()]
    clashes = [(i, j) for i, a in enumerate(boxes) for j, b in enumerate(boxes[:i]) if a.overlaps(b)]
    assert len(boxes) > 40 and clashes == []


def test_a_larger_board_or_another_game_is_drawn_with_discs():
    step = grown_tree(20, Mock5(9, 9))
    assert not gids(plot_tree(step.root, Mock5(9, 9)), "board")
    assert not gids(plot_tree(step.root), "board")


def test_children_kept_in_a_dict_are_drawn_too():
    leaf = SimpleNamespace(move=3, player=2, parent=None, children={}, visits=1, wins=0.5)
    root = SimpleNamespace(move=None, player=1, parent=None, children={3: leaf}, visits=1, wins=0.5)
    assert gids(plot_tree(root, tictactoe()), "node-") == ["node-", "node-3"]


# ---------------------------------------------------------------- curves and bars


def test_curves_keep_their_data_their_bands_and_their_names_at_the_ends():
    x = [1, 10, 100]
    ax = plot_curves(x, {"a": ([1, 2, 3], [0, 1, 2], [2, 3, 4]), "b": [3.0, 3, 3]}, log_x=True, reference={"chance": 1})
    assert [line.get_label() for line in ax.lines[:2]] == ["a", "b"]
    assert list(ax.lines[0].get_ydata()) == [1, 2, 3]
    assert [c.get_gid() for c in ax.collections] == ["band-a"]
    assert {t.get_text() for t in ax.texts} == {"a", "b", "chance"}
    ax.figure.canvas.draw()
    boxes = [t.get_window_extent() for t in ax.texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[i + 1 :])


def test_labels_that_want_the_same_place_share_it_evenly():
    assert spread_out([0, 100], 10) == [0, 100]
    assert spread_out([50, 50, 50], 10) == [40, 50, 60]
    assert spread_out([95, 99], 10, 0, 100) == [90, 100]
    assert spread_out([0.0, 12.0, 13.0], 10) == pytest.approx([-5 / 3, 25 / 3, 55 / 3])


def test_bars_have_the_given_lengths_in_the_given_order():
    ax = plot_bars({"first": (0.5, 0.4, 0.6), "second": 0.25}, percent=True, highlight="first")
    assert [bar.get_width() for bar in ax.patches] == [0.5, 0.25]
    assert [t.get_text() for t in ax.texts][:2] == ["50%", "25%"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    ax = plot_bars({"first": (0.5, 0.4, 0.6), "second": (0.3, 0.2, 0.4)}, percent=True, reference={"alone": 0.35})
    strokes = [segment for collection in ax.collections for segment in getattr(collection, "get_segments", list)()]
    assert sum(1 for (x, _), (other, _) in strokes if x == other == 0.35) == 3, "a reference is drawn in every gap"


def test_the_formula_is_stacked_from_its_two_terms_and_the_unvisited_child_comes_first():
    ax = plot_uct_terms([("a", 1, 4), ("b", 3, 4)], 1.0)
    a_mean, a_bonus = ax.patches[0].get_height(), ax.patches[1].get_height()
    assert a_mean == 0.25 and a_bonus == pytest.approx(math.sqrt(math.log(8) / 4))
    assert ax.uct_chosen == 1 and ax.uct_scores[0] == pytest.approx(a_mean + a_bonus)
    assert plot_uct_terms([("a", 1, 4), ("new", 0, 0)], 0.1).uct_chosen == 1


def test_drawing_leaves_the_settings_of_matplotlib_as_they_were():
    before = dict(matplotlib.rcParams)
    plot_policy(tictactoe(), [1] * 9, title="even")
    assert dict(matplotlib.rcParams) == before


# ---------------------------------------------------------------- SVG


def elements(svg, cls):
    return [e for e in ET.fromstring(svg).iter() if e.get("class") == cls]


def test_the_svg_board_is_valid_xml_with_one_circle_a_stone():
    svg = svg_board(tictactoe(TICTACTOE), numbers=True, heat=range(9), labels=["<&>"] + [""] * 8)
    stones = {(int(e.get("data-move")), int(e.get("data-player"))) for e in elements(svg, "m5-stone")}
    assert stones == {(4, 1), (0, 2), (8, 1), (2, 2)}
    assert [e.get("data-move") for e in elements(svg, "m5-last")] == ["2"]
    assert [e.text for e in elements(svg, "m5-label")] == ["<&>"]


def test_numbers_yield_to_labels_that_stand_on_stones():
    game = tictactoe(TICTACTOE)
    assert len(elements(svg_board(game, numbers=True), "m5-number")) == 4
    assert not elements(svg_board(game, numbers=True, labels=["a"] + [""] * 8), "m5-number")


def test_the_winning_row_is_struck_below_its_stones_so_that_no_digit_is_crossed():
    picture = str(svg_board(tictactoe(BLACK_WON), numbers=True))
    assert picture.index("m5-win") < picture.index("m5-stone") < picture.index("m5-ring") < picture.index("m5-number")


def test_the_svg_board_uses_no_style_sheet_and_no_script():
    assert not re.search(r"<style|<script|style=|url\(|href", svg_board(Mock5(15, 15, history=[112, 113])))


def test_games_whose_moves_are_columns_are_drawn_without_numbers():
    board = [0] * 42
    board[38], board[31] = 1, 2  # both in column 3
    game = SimpleNamespace(height=6, width=7, board=board, history=[3, 3], player=1, winner=None)
    svg = svg_board(game, numbers=True)
    assert len(elements(svg, "m5-stone")) == 2 and not elements(svg, "m5-last") and not elements(svg, "m5-number")


# ---------------------------------------------------------------- the widget


def test_the_widget_takes_over_the_game():
    widget = BoardWidget(tictactoe(BLACK_WON))
    assert (widget.height, widget.width, widget.stones) == (3, 3, [1, 1, 1, 2, 2, 0, 0, 0, 0])
    assert (widget.history, widget.line, widget.player) == (BLACK_WON, [0, 1, 2], 0)
    widget.update(Mock5(9, 9, history=[40]), message="hello", heat=[math.nan] + [1.0] * 80)
    assert (widget.height, widget.player, widget.message, widget.heat[:2]) == (9, 2, "hello", [None, 1.0])
    assert widget.drawing.count("m5-stone") == 1
    widget.stones = [1] + [0] * 80  # it is drawn anew
    assert 'class="m5-stone" data-move="0" data-player="1"' in widget.drawing
    widget.heat = [0.0] * 80 + [1.0]
    assert 'class="m5-heat" data-move="80"' in widget.drawing


def test_a_click_calls_back_and_two_clicks_on_one_point_count_twice():
    widget, seen = BoardWidget(tictactoe()), []
    widget.on_move(seen.append)
    widget.clicked = {"move": 4, "n": 1}
    widget.clicked = {"move": 4, "n": 2}
    assert seen == [4, 4]


@pytest.mark.parametrize("click", [{"move": 9, "n": 1}, {"move": -1}, {"move": "x", "n": 1}, {"n": 1}, {"move": None}])
def test_a_click_off_the_board_or_without_sense_or_on_a_disabled_board_is_ignored(click):
    widget, seen = BoardWidget(tictactoe()), []
    widget.on_move(seen.append)
    widget.clicked = click
    disabled = BoardWidget(tictactoe(), enabled=False)
    disabled.on_move(seen.append)
    disabled.clicked = {"move": 4, "n": 1}
    assert seen == []


def test_a_board_is_stored_with_a_still_picture_of_twice_the_size_it_is_shown_at():
    data, metadata = BoardWidget(tictactoe(BLACK_WON))._repr_mimebundle_()
    png = base64.b64decode(data["image/png"])
    width, height = (int.from_bytes(png[i : i + 4], "big") for i in (16, 20))
    assert metadata["image/png"] == {"width": width // 2, "height": height // 2}
    assert data["image/svg+xml"].count("m5-win") == 1


def test_the_widget_state_is_plain_json():
    widget = BoardWidget(tictactoe([4])).update(tictactoe([4]), heat=np.array([math.inf, math.nan] + [1.0] * 7))
    shared = [name for name in BoardWidget.class_trait_names(sync=True) if not name.startswith("_")]
    state = widget.get_state([*shared, "_geometry"])
    assert json.loads(json.dumps(state, allow_nan=False)) == state


# ---------------------------------------------------------------- playing


def lowest(game):
    return game.legal_moves()[0]


def panel_on(game=None, opponent=lowest, **options):
    return PlayPanel(opponent, game or tictactoe(), **options)


def test_the_humans_stone_is_on_the_board_while_the_agent_thinks():
    seen = []

    def watcher(game):
        seen.append((panel.board.stones[4], panel.board.enabled, panel.status))
        return game.legal_moves()[0]

    panel = panel_on(opponent=watcher)
    panel.click(4)
    assert seen == [(1, False, "watcher is thinking …")]
    assert panel.board.enabled


def test_the_board_says_when_the_agent_waits_for_the_compiler():
    seen, first = [], numba.njit(lambda moves: moves[0])

    def watcher(game):
        return int(first(np.array(game.legal_moves())))

    panel = panel_on(opponent=watcher)
    panel.board.observe(lambda change: seen.append(change["new"]), "message")
    panel.click(4)
    assert seen[:3] == ["watcher is thinking …", "watcher: compiling, once …", "watcher is thinking …"]


def test_an_illegal_click_changes_nothing_and_says_why():
    panel = panel_on()
    panel.click(4)
    for point, reason in ((99, ""), (0, ""), (4, "Row 1 column 1 is taken by Black. ")):
        panel.board.clicked = {"move": point, "n": point}
        panel.click(point)
        assert panel.game.history == [4, 0] and panel.status.startswith(f"That move cannot be played. {reason}")
        assert panel.status.endswith("Your move, Black.")


PANELS = {  # options, and what is done: points clicked, buttons pressed → the game, its result, what is said
    "the agent answers": ({}, [4], [4, 0], None, "lowest played row 0 column 0. Your move, Black."),
    "back by both moves": ({}, [4, 8, "undo"], [4, 0], None, "Taken back. Your move, Black."),
    "back to the beginning": ({}, [4, "undo", "undo"], [], None, "There is no move of yours to take back."),
    "won": ({}, [4, 2, 6], [4, 0, 2, 1, 6], 1, "You win: three in a row for Black."),
    "back by the winning move alone": ({}, [4, 2, 6, "undo"], [4, 0, 2, 1], None, "Taken back. Your move, Black."),
    "lost": ({}, [8, 7, 3], [8, 0, 7, 1, 3, 2], 2, "lowest wins: three in a row for White."),
    "a click after the end": ({}, [8, 7, 3, 5], [8, 0, 7, 1, 3, 2], 2, "Press New game to play again."),
    "drawn": ({"game": Mock5(1, 2, k=2)}, [0], [0, 1], 0, "A draw"),
    "the agent begins": ({"human": 2}, [], [0], None, "lowest played row 0 column 0. Your move, White."),
    "its first move stays": ({"human": 2}, ["undo"], [0], None, "There is no move of yours to take back."),
    "colors swapped in a game": ({}, [4, "swap"], [4, 0, 1], None, "Your move, White."),
    "and after one": ({}, [4, 2, 6, "swap"], [0], None, "Your move, White."),
    "and for the next": ({}, [4, 2, 6, "swap", "new_game"], [0], None, "Your move, White."),
}


@pytest.mark.parametrize("what", PANELS)
def test_a_game_is_played_by_clicks_and_buttons(what):
    options, done, history, result, words = PANELS[what]
    panel = panel_on(**options)
    for step in done:
        getattr(panel, step)() if isinstance(step, str) else panel.click(step)
    assert (panel.game.history, panel.result) == (history, result) and words in panel.status
    assert [stone != 0 for stone in panel.board.stones] == [point in history for point in range(len(panel.game.board))]


def test_the_hint_is_drawn_on_empty_points_and_goes_with_its_button():
    panel = panel_on(overlay=lambda game: [1, 2, 3, 4, 90, 0, 0, 0, 0])
    assert panel.board.heat == []
    panel.hint.value = True
    assert panel.board.heat[4] == 90 and panel.board.labels[4] == "90"
    panel.click(4)
    assert panel.board.labels[4] == "" and panel.board.labels[3] == "4"
    panel.hint.value = False
    assert panel.board.heat == [] and panel.board.labels == []


def test_a_search_result_serves_as_a_hint_and_a_hint_that_fails_stops_nothing():
    panel = panel_on(overlay=lambda game: SimpleNamespace(visits=np.arange(9)))
    panel.hint.value = True
    assert panel.board.heat == list(range(9))
    broken = panel_on(overlay=lambda game: [1, 2])
    broken.hint.value = True
    assert "No hint: ValueError: The heat has 2 values; this board has 9 points" in broken.status
    broken.click(4)
    assert broken.game.history == [4, 0]


def test_a_new_opponent_says_so_and_begins_a_game():
    panel = panel_on(opponent={"low": lowest, "high": lambda game: game.legal_moves()[-1]})
    panel.click(4)
    panel.choice.value = "high"
    assert panel.status == "A new game against high. Your move, Black." and panel.game.history == []
    panel.click(1)
    assert panel.game.history == [1, 8]


def test_a_hint_says_that_it_is_thought_about():
    seen = []
    panel = panel_on(overlay=lambda game: seen.append(panel.status) or [0.0] * 9)
    panel.hint.value = True
    assert seen == ["Your move, Black. Thinking of a hint …"]
    assert panel.status == "Your move, Black. Hint: percent of all scores."
    panel.hint.value = False
    assert panel.status == "Your move, Black."


def test_a_seed_draws_the_color():
    drawn = [panel_on(human=None, seed=seed).human for seed in range(20)]
    assert set(drawn) == {1, 2} and drawn == [panel_on(human=None, seed=seed).human for seed in range(20)]


def test_nonsense_for_a_panel_is_refused():
    with pytest.raises(ValueError, match=r"human is 1 \(black\), 2 \(white\) or None"):
        panel_on(human=3)
    with pytest.raises(TypeError, match="opponent is an agent"):
        PlayPanel({})


def test_the_viewer_walks_through_a_game_and_leaves_it_alone():
    game = tictactoe(BLACK_WON)
    viewer = GameViewer([game, tictactoe(TICTACTOE)])
    assert viewer.ply == 5 and viewer.board.line == [0, 1, 2]
    assert viewer.board.message == "Move 5 of 5: Black at row 0 column 2. Black wins."
    viewer.ply = 2
    assert viewer.board.history == [0, 3] and viewer.board.line == []
    viewer.ply = 0
    assert viewer.board.message == "The first position; 5 moves follow."
    viewer.choice.value = "game 2"
    assert viewer.ply == 4 and game.history == BLACK_WON


# ---------------------------------------------------------------- the search panels


def test_the_stepper_goes_phase_by_phase_and_shows_the_searchs_own_sentence():
    stepper, steps = UCTStepper(seed=3), uct_steps(tictactoe(), 50, rng=3)
    for _ in range(12):
        stepper.step()
        expected = next(steps)
        assert (stepper.phase, stepper.text) == (expected.phase, expected.text)
        assert expected.text in stepper.words.value
    assert stepper.simulation == 3 and stepper.root.visits == 3


def test_the_playout_is_shown_while_it_is_played_only():
    stepper = UCTStepper()
    shown = []
    for _ in range(4):
        stepper.step()
        shown.append("<svg" in stepper.playout.value)
    assert shown == [False, False, True, False]


def test_whole_simulations_end_at_the_back_up_and_stop_at_the_last():
    stepper = UCTStepper(simulations=7)
    stepper.step()
    stepper.finish_simulation()
    assert (stepper.phase, stepper.simulation) == ("backup", 1)
    stepper.run(10)
    assert stepper.root.visits == 7 and stepper.finished
    assert "All 7 simulations are done." in stepper.words.value
    stepper.restart()
    assert stepper.root.visits == 0 and not stepper.finished


def test_an_unused_stepper_is_stored_with_a_tree_that_has_grown():
    stepper, used = UCTStepper(seed=3), UCTStepper(seed=3)
    used.run(8)
    assert stepper.pictures() == used.pictures() and stepper.root.visits == 0


def test_the_slider_moves_the_choice_from_the_best_to_the_least_tried():
    panel = FormulaSlider([("good", 7, 10), ("rare", 1, 2)], c=0.0)
    assert panel.chosen == "good"
    first = bytes(panel.picture.value)
    panel.c = 2.0
    assert panel.chosen == "rare" and panel.picture.value != first
    assert panel.text == "UCT goes to rare: good has the better w/v, but rare has been tried less."
    node = grown_tree(30).root
    assert len(FormulaSlider(node).scores) == 9

"""Boards of Go: drawn on crossings with Go's names, and played on with passes, captures and the areas as they stand."""

from mock5go.board import Go
from mock5lib.show import BoardWidget, GameViewer, PlayPanel, plot_board, svg_board

CAPTURE = ("B1", "A1", "A2")  # black takes the white stone in the corner with the third move
PASS = 25


def go_after(*names, size=5) -> Go:
    game = Go(size, 0.5)
    for name in names:
        game.apply(game.move_named(name))
    return game


def passer(game):
    return game.pass_move


def texts(ax) -> list[str]:
    return [artist.get_text() for artist in ax.artists + ax.texts]


def test_a_small_board_of_go_has_letters_below_numbers_that_count_upwards_and_stones_on_crossings():
    game = go_after("C3")
    ax = plot_board(game, numbers=False)
    names = texts(ax)
    assert names == ["A", "B", "C", "D", "E", "5", "4", "3", "2", "1"]
    lines = next(c for c in ax.collections).get_segments()
    assert len(lines) == 10 and lines[0][0][1] == 0  # five lines each way, from the first point on
    assert all(f">{name}</text>" in svg_board(game) for name in "ABCDE12345")


def test_a_pass_and_a_captured_stone_leave_no_mark_and_no_number():
    game = go_after(*CAPTURE, "pass")
    ax = plot_board(game)
    assert sorted(texts(ax)[-2:]) == ["1", "3"]
    assert "m5-last" not in svg_board(game)
    game.apply(game.move_named("A1"))  # the captured stone's point is played on again
    assert svg_board(game, numbers=True).count("m5-number") == 3 and ">5</text>" in svg_board(game, numbers=True)


def test_the_widget_knows_gos_names_and_is_drawn_as_the_function_draws():
    widget = BoardWidget(go_after(*CAPTURE))
    assert (widget.columns, widget.rows) == (list("ABCDE"), list("54321"))
    assert widget.svg() == svg_board(go_after(*CAPTURE))
    assert set(widget.pictures()) == {"image/svg+xml", "image/png"}


def test_a_human_passes_and_two_passes_end_the_game_with_the_areas():
    panel = PlayPanel({"the passer": passer}, go_after(*CAPTURE), human=2)
    panel.click(12)  # C3
    assert panel.status.startswith("the passer passed. Your move, White. Area: Black 3, White 1 and komi 0.5.")
    assert panel.status.endswith("Captured: by Black 1, by White 0.")
    panel.pass_turn()
    assert panel.result == 1 and panel.status.startswith("the passer wins. Area: Black 3, White 1")
    panel.undo()
    assert panel.result is None and panel.game.history[-1] == PASS


def test_a_forbidden_move_says_why_in_a_sentence():
    panel = PlayPanel({"the passer": passer}, go_after(*CAPTURE), human=2)
    panel.click(20)  # A1: suicide
    assert "White may not play A1: its stone would have no liberty, which is suicide. Your move" in panel.status
    panel.click(15)
    assert "A2 is taken by Black. Your move" in panel.status


def test_a_hint_with_a_share_for_the_pass_is_drawn_on_the_points():
    panel = PlayPanel({"the passer": passer}, Go(5), overlay=lambda game: [1.0] * game.actions)
    panel.hint.value = True
    assert len(panel.board.heat) == 25 and "No hint" not in panel.status


def test_the_panel_of_another_game_has_no_pass():
    def names(panel):
        return [widget.description for widget in panel.children[0].children]

    assert "Pass" in names(PlayPanel({"the passer": passer}, Go(5)))
    assert "Pass" not in names(PlayPanel({"the passer": passer}))


def test_the_viewer_names_moves_and_passes_as_go_players_do():
    viewer = GameViewer(go_after(*CAPTURE, "pass"))
    assert viewer.board.message.startswith("Move 4 of 4: White passed. Area: Black 25, White 0")
    viewer.ply = 1
    assert viewer.board.message.startswith("Move 1 of 4: Black at B1.")

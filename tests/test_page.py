"""The page that plays (book/play), in a real browser from a plain folder: held equal to the package, and played on."""

import json
import re

import numpy as np
import page_vectors
import pytest
import reference_vectors
from browsers import ROOT, in_browser, opened, served

from mock5lib import Mock5
from mock5lib.game.points import typed_point
from mock5lib.game.records import Records
from mock5lib.gomoku.heuristics import df_policy, pt_policy
from mock5lib.names import agent
from mock5lib.search.puct import immediate_wins
from mock5lib.show import geometry, svg
from tools import page as builder

PLAY = ROOT / "book" / "play"
INDEX = (PLAY / "index.html").as_uri()
TINY_10 = "data/checkpoints/alphazero_tiny/round_10"
STRONG = f"{INDEX}#board=9&against=alphazero_9x9@64&you=black&moves="
BLACK_WINS = [0, 9, 1, 10, 2, 11, 3, 12, 4]  # on 9×9, along the first row


def browser_tests(function):
    """Mark a test that needs a browser."""
    return pytest.mark.slow(in_browser(function))


@pytest.fixture
def page(browser):
    """The page, opened from its folder."""
    with opened(browser, INDEX) as page:
        yield page


def wait_for_stones(page, stones: int) -> None:
    """Wait until so many stones lie on the board."""
    page.wait_for_function("n => document.querySelectorAll('.m5-stone').length === n", arg=stones)


def click(page, move: int) -> None:
    page.locator(f".m5-point[data-move='{move}']").click()


def letters(moves, side: int) -> str:
    """Moves as a link holds them."""
    return "".join("abcdefghijklmno"[move % side] + "abcdefghijklmno"[move // side] for move in moves)


# What the page is made of ---------------------------------------------------------------------------------------


def test_the_served_files_are_those_that_modules_checkpoints_and_ladders_make():
    assert builder.main(["--check"]) == 0


def test_the_service_worker_keeps_every_net_and_every_file_that_the_page_asks_for():
    worker, index = (PLAY / "sw.js").read_text(), (PLAY / "index.html").read_text()
    assert json.loads(re.search(r"NETS = (\[.*?\]);", worker, re.DOTALL)[1]) == list(builder.NETS)
    asked = re.findall(r'(?:href|src)="(\w[\w.]*)"', index)
    assert {"page.js", "page.css", "board.css"} <= set(asked)
    assert set(asked) <= set(json.loads(re.search(r"FILES = (\[.*?\]);", worker)[1]))


def test_the_page_and_its_first_net_are_less_than_300_kilobytes():
    files = ["index.html", "page.css", "board.css", "page.js", "nets/alphazero_9x9.js"]
    assert sum((PLAY / file).stat().st_size for file in files) < 300_000


# Held equal to the package --------------------------------------------------------------------------------------

VISITS = """async ([positions, simulations]) => {
    const nets = {};
    for (const name of new Set(positions.map(({net}) => net))) {
        nets[name] = new mock5.net.Net(await mock5.thinker.loadNet(name));
    }
    return positions.map(({side, k, net, history}) => {
        const game = new mock5.rules.Game(side, side, k, history);
        const { visits } = new mock5.tree.SearchTree(game, nets[net]).search(simulations);
        return Object.fromEntries(Array.from(visits, (n, move) => [move, n]).filter(([, n]) => n));
    });
}"""


@browser_tests
@pytest.mark.parametrize("side", page_vectors.BOARDS)
def test_the_pages_search_visits_every_move_as_often_as_mock5libs(page, side):
    stored = [one for one in page_vectors.load() if one["side"] == side]
    assert len(stored) == page_vectors.POSITIONS
    found = page.evaluate(VISITS, [stored, page_vectors.SIMULATIONS])
    assert found == [one["visits"] for one in stored]


@pytest.mark.slow
@pytest.mark.parametrize("side", page_vectors.BOARDS)
def test_the_stored_visits_are_what_mock5libs_search_finds(side):
    stored = [one for one in page_vectors.load() if one["side"] == side][:: page_vectors.POSITIONS // 8]
    for net in page_vectors.BOARDS[side][1]:
        some = [one for one in stored if one["net"] == net]
        found = page_vectors.visits_with(side, net, [one["history"] for one in some], exact=True)
        assert found == [one["visits"] for one in some]


class Dice:
    """Park and Miller's random numbers, which the browser makes too, with the names of numpy's generators."""

    def __init__(self, seed: int):
        self.state = seed

    def random(self) -> float:
        self.state = self.state * 16807 % (2**31 - 1)
        return self.state / (2**31 - 1)


@browser_tests
@pytest.mark.parametrize("side", page_vectors.BOARDS)
def test_the_pages_uct_visits_every_move_as_often_as_mock5libs_also_in_a_tree_that_it_keeps(page, side):
    from mock5lib.search.uct import UCT, simulate

    positions = [one["history"] for one in page_vectors.load() if one["side"] == side][::20]
    said = page.evaluate(
        """([side, k, positions]) => positions.map((history, number) => {
            let state = number + 1;
            const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
            const game = new mock5.rules.Game(side, side, k, history);
            const tree = new mock5.uct.UCT(game, random);
            const found = [];
            for (const simulations of [300, 100]) {
                const { move, visits } = tree.search(simulations);
                found.push([move, Array.from(visits)]);
                tree.advance(move);
                if (tree.game.winner !== null) break;
                tree.advance(tree.game.legalMoves()[0]);
                if (tree.game.winner !== null) break;
            }
            return found;
        })""",
        [side, page_vectors.BOARDS[side][0], positions],
    )
    for number, (history, searches) in enumerate(zip(positions, said)):
        game, agent = Mock5(side, side, k=page_vectors.BOARDS[side][0], history=history), UCT()
        dice = agent.rng = Dice(number + 1)
        agent.playout = lambda game, dice=dice: simulate(game, dice)
        for simulations, (move, visits) in zip((300, 100), searches):
            found = agent.search(game, simulations)
            assert (found.move, found.visits.tolist()) == (move, visits)
            game.apply(move)
            if game.winner is None:
                game.apply(game.legal_moves()[0])


@browser_tests
def test_an_opponent_that_keeps_its_tree_plays_the_moves_of_mock5libs_search_agent(page):
    from mock5lib.nets import load_checkpoint
    from mock5lib.search.agent import SearchAgent

    net = load_checkpoint(ROOT / "data" / "checkpoints" / "alphazero_9x9").net
    agent, rng = SearchAgent(page_vectors.exact_expert(net), 64, forced_moves=True), np.random.default_rng(3)
    game = Mock5(9, 9, history=[40, 30])
    while game.winner is None and len(game.history) < 16:
        game.apply(agent(game))
        if game.winner is None:
            game.apply(int(rng.choice(game.legal_moves())))
    found = page.evaluate(
        """async history => {
            const net = new mock5.net.Net(await mock5.thinker.loadNet("alphazero_9x9"));
            const agent = new mock5.agents.Agent("alphazero_9x9@64", () => net);
            return history.map((move, ply) => ply < 2 || ply % 2 ? move
                : agent.move(new mock5.rules.Game(9, 9, 5, history.slice(0, ply))));
        }""",
        game.history,
    )
    assert found == game.history


@browser_tests
def test_the_heuristics_read_positions_as_the_reference_does(page):
    positions = [one for one in reference_vectors.positions() if one["winner"] is None]
    found = page.evaluate(
        """positions => positions.map(({height, width, history}) => {
            const game = new mock5.rules.Game(height, width, 5, history), h = mock5.heuristics;
            return {
                threats: h.threatLevels(game).map((rows) => rows.map((row) => Array.from(row))),
                greedy: h.threatScores(game, 10, 0.7), defensive: h.threatScores(game, 9, 0.95),
                pt: h.patternPolicy(game, false), df: h.patternPolicy(game, true),
            };
        })""",
        [{key: one[key] for key in ("height", "width", "history")} for one in positions],
    )
    for one, said in zip(positions, found):
        assert said["threats"] == [one["threats"]["1"], one["threats"]["2"]]
        np.testing.assert_allclose(said["greedy"], one["greedy_score"], atol=1e-5)
        np.testing.assert_allclose(said["defensive"], one["defensive_score"], atol=1e-5)
        game = Mock5(one["height"], one["width"], history=one["history"])
        np.testing.assert_allclose(said["pt"], pt_policy(game), atol=1e-12)
        np.testing.assert_allclose(said["df"], df_policy(game), atol=1e-12)


@browser_tests
def test_the_board_is_drawn_as_svg_py_draws_it(page):
    games = [Mock5(9, 9, history=BLACK_WINS), Mock5(6, 6, k=4, history=[14]), Mock5(15, 15, history=[112, 97, 96])]
    for game in games:
        heat = [float(x) for x in np.random.default_rng(0).normal(size=game.height * game.width)]
        labels = [str(point) if point % 7 == 0 else "" for point in range(game.height * game.width)]
        for extras in ({}, {"heat": heat}, {"heat": heat, "labels": labels}, {"numbers": False}):
            line = geometry.winning_line(game)
            drawn = page.evaluate(
                "([h, w, board, history, extras]) => mock5.drawing.svgDrawing(h, w, board, history, extras)",
                [game.height, game.width, list(game.board), game.history, {"line": line, **extras}],
            )
            assert drawn == svg.svg_drawing(
                game.height, game.width, list(game.board), game.history, line=line, **extras
            )


@browser_tests
def test_games_go_from_the_page_to_mock5lib_and_back(page, tmp_path):
    page.goto(f"{INDEX}#board=9&against=greedy&you=white&moves={letters(BLACK_WINS, 9)}")
    page.get_by_text("look-ahead wins").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SGF").click()
    saved = tmp_path / "page.sgf"
    download.value.save_as(saved)
    records = Records.load(saved)
    assert records.moves_of(0).tolist() == BLACK_WINS and records.winners.tolist() == [1]
    assert (records.card["black"], records.card["white"]) == ("greedy", "you")

    game = Mock5(9, 9, history=[0, 40, 1, 41, 2, 42, 8, 43, 7, 44])
    ours, gomocups = Records.from_games([game]).save(tmp_path / "ours.sgf"), tmp_path / "gomocups.psq"
    moves = "".join(f"{move % 9 + 1},{move // 9 + 1},0\n" for move in game.history)
    gomocups.write_text(f"Piskvorky 9x9, 11:11, 0\n{moves}black\nwhite\n-1\n0,Freestyle\n")
    for again in (ours, gomocups):
        page.goto(STRONG)
        wait_for_stones(page, 0)
        page.get_by_label("Open a file").set_input_files(again)
        wait_for_stones(page, 10)
        assert page.evaluate("() => mock5.page.game.history") == game.history


@browser_tests
@pytest.mark.parametrize(
    "text, said",
    [
        ("hello", "Neither a .psq nor an SGF file"),
        ("(;GM[1]SZ[9])", "GM[1]"),
        ("(;GM[4]SZ[9];B[aa];B[bb])", "out of turn"),
        ("(;GM[4]SZ[19];B[aa])", "boards of 6, 9 and 15"),
        ("(;GM[4]SZ[9];B[aa];W[aa])", "is occupied"),
        ("(;GM[4]SZ[9]RU[k=4];B[aa])", "This board is for 5 in a row; the file's rule is k=4"),
        ("Piskvorky 9x9, 11:11, 0\n10,1,0\nme\nyou\n-1\n", "off the 9×9 board"),
        ("Piskvorky 9x9, 11:11, 0\n1,1,0\n", "cut short"),
    ],
)
def test_a_file_that_is_no_game_is_refused_in_a_sentence_and_changes_nothing(page, text, said):
    click(page, 40)
    wait_for_stones(page, 2)
    page.get_by_label("Open a file").set_input_files(
        {"name": "odd.sgf", "mimeType": "text/plain", "buffer": text.encode()}
    )
    page.locator("#kept").get_by_text(said).wait_for()
    assert page.locator(".m5-stone").count() == 2


# Playing --------------------------------------------------------------------------------------------------------


@browser_tests
def test_a_whole_game_is_played_by_clicks_and_reviewed(page):
    page.goto(STRONG)
    page.locator("#hint").click()
    for _ in range(41):
        if page.evaluate("() => mock5.page.game.winner") is not None:
            break
        before = page.locator(".m5-stone").count()
        free = page.evaluate("() => mock5.page.game.legalMoves()[0]")
        click(page, free)
        page.wait_for_function(
            "n => !mock5.page.waiting && (mock5.page.game.winner !== null || mock5.page.game.history.length === n)",
            arg=before + 2,
        )
    assert page.evaluate("() => mock5.page.game.winner") == 2, "the first free points do not beat AlphaZero"
    assert "AlphaZero 64 wins: five in a row for White." in page.locator(".m5-status").inner_text()
    page.locator("#falls button").first.click()  # handing moves away costs something
    numbers = [int(re.search(r"Move (\d+)", text)[1]) for text in page.locator("#falls button").all_inner_texts()]
    assert all(number % 2 for number in numbers), "your own moves come first, and you are Black"
    assert page.locator(".m5-played").count() == page.locator(".m5-better").count() == 1
    assert page.locator("#curve .curve").get_attribute("d").count("L") == page.evaluate(
        "() => mock5.page.game.history.length"
    )


@browser_tests
def test_the_keyboard_alone_plays_undoes_and_swaps(page):
    page.locator(".m5-point[tabindex='0']").focus()
    for key in ("ArrowUp", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    wait_for_stones(page, 2)
    assert page.locator(".m5-stone[data-move='30']").get_attribute("data-player") == "1"
    page.get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    wait_for_stones(page, 0)
    page.get_by_role("button", name="Swap").focus()
    page.keyboard.press("Enter")
    wait_for_stones(page, 1)  # the opponent begins
    assert "Your move, White." in page.locator(".m5-status").inner_text()


@browser_tests
def test_a_new_game_keeps_the_color_and_the_last_one_can_be_brought_back(page):
    click(page, 40)
    wait_for_stones(page, 2)
    page.get_by_role("button", name="Swap").click()
    wait_for_stones(page, 3)
    moves = page.evaluate("() => mock5.page.game.history")
    page.get_by_role("button", name="New game").click()
    page.locator(".m5-status", has_text="Your move, White.").wait_for()
    last = page.get_by_role("button", name="Last game")
    assert page.get_by_role("button", name="Resign").is_visible(), "no button moves into the place of another"
    last.click()
    wait_for_stones(page, 3)
    assert page.evaluate("() => [mock5.page.game.history, mock5.page.you]") == [moves, 2]
    for throw_away in (
        lambda: page.locator("#side").select_option("6"),
        lambda: page.evaluate("() => { location.hash = 'board=15&against=random&you=black&moves=' }"),
        lambda: page.get_by_label("Open a file").set_input_files(
            {"name": "a.sgf", "mimeType": "text/plain", "buffer": b"(;GM[4]SZ[9];B[aa])"}
        ),
    ):
        throw_away()
        last.click()
        wait_for_stones(page, 3)
        assert page.evaluate("() => mock5.page.game.history") == moves
    page.get_by_role("button", name="New game").click()
    page.locator(".m5-status", has_text="Your move, White.").wait_for()
    click(page, 0)  # who has gone on does not want the old game any more
    wait_for_stones(page, 3)
    assert not last.is_visible()


@browser_tests
def test_after_a_lost_game_one_tries_again_or_plays_the_other_color(page):
    page.goto(f"{INDEX}#board=9&against=greedy&you=white&moves={letters(BLACK_WINS, 9)}")
    page.locator(".m5-status", has_text="look-ahead wins").wait_for()
    assert "first" in page.get_by_role("button", name="Try again").get_attribute("class")
    page.get_by_role("button", name="Play Black").click()
    page.locator(".m5-status", has_text="The return game. Your move, Black.").wait_for()
    assert page.locator(".m5-stone").count() == 0 and page.get_by_role("button", name="Swap").is_visible()
    page.goto(f"{INDEX}#board=9&against=greedy&you=black&moves={letters([40, 30], 9)}&resigned=white")
    page.locator(".m5-status", has_text="White resigned: Black wins.").wait_for()
    assert page.get_by_role("button", name="New game").is_visible(), "nobody tries again what is won"


@browser_tests
def test_who_resigns_loses_gets_a_review_and_may_take_it_back(page, tmp_path):
    page.goto(STRONG)
    resign = page.get_by_role("button", name="Resign")
    assert resign.is_disabled(), "there is nothing to give up yet"
    for move in (0, 8):
        before = page.locator(".m5-stone").count()
        click(page, move)
        wait_for_stones(page, before + 2)
    resign.click()
    assert "You resigned: AlphaZero 64 wins." in page.locator(".m5-status").inner_text()
    page.locator("#reviewing", has_text="No move cost").or_(page.locator("#falls button").first).first.wait_for()
    assert not resign.is_visible() and page.url.count("&resigned=black") == 1
    page.locator(".m5-point[data-move='72']").click(force=True)  # nothing happens any more
    with page.expect_download() as download:
        page.get_by_role("button", name="Save SGF").click()
    saved = tmp_path / "resigned.sgf"
    download.value.save_as(saved)
    record = Records.load(saved)
    assert record.winners.tolist() == [2] and record.forfeits.all() and record.lengths.tolist() == [4]
    address = page.url
    for again in (lambda: page.goto(address), lambda: page.get_by_label("Open a file").set_input_files(saved)):
        page.goto(INDEX + "#board=9&against=greedy&you=black&moves=")
        wait_for_stones(page, 0)
        again()
        page.locator(".m5-status", has_text="You resigned").wait_for()
    page.get_by_role("button", name="Undo").click()
    assert "The game goes on. Your move, Black." in page.locator(".m5-status").inner_text()
    click(page, 72)
    wait_for_stones(page, 6)


@browser_tests
def test_a_link_holds_the_game_its_opponent_and_the_sides(page):
    moves = [112, 113, 96]
    page.goto(f"{INDEX}#board=15&against=defensive&you=black&moves={letters(moves, 15)}")
    wait_for_stones(page, 4)  # it is the opponent's turn, and it plays
    assert page.locator("#against").input_value() == "defensive"
    assert page.evaluate("() => mock5.page.game.history")[:3] == moves
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    wait_for_stones(page, 4)


@browser_tests
def test_a_net_that_does_not_arrive_is_said_and_a_click_asks_again(browser):
    with served(PLAY) as home:
        context = browser.new_context(service_workers="block")
        page = context.new_page()
        page.route("**/nets/*", lambda route: route.abort())
        page.goto(f"{home}/index.html#board=9&against=alphazero_9x9&you=black&moves=")
        click(page, 40)
        page.get_by_text("The net could not be loaded. Are you offline?").wait_for()
        page.unroute("**/nets/*")
        click(page, 0)
        wait_for_stones(page, 2)
        assert page.evaluate("() => mock5.page.game.history[0]") == 40
        context.close()


@browser_tests
def test_in_a_frame_of_the_site_there_are_the_board_and_its_buttons_alone(browser):
    page = browser.new_page(viewport={"width": 416, "height": 656})
    page.goto(f"{INDEX}?small")
    page.locator(".m5-point").first.wait_for(state="attached")
    assert not page.locator("header").is_visible() and not page.locator(".side").first.is_visible()
    box = page.get_by_role("button", name="Hint").bounding_box()
    assert box["y"] + box["height"] < 656
    page.goto(INDEX)
    page.locator(".m5-point").first.wait_for(state="attached")
    assert page.locator("header").is_visible() and not page.get_by_role("link", name="Course").is_visible()
    page.close()


@browser_tests
def test_a_hint_shows_one_kind_of_number_at_a_time(page):
    click(page, 40)
    wait_for_stones(page, 2)
    page.get_by_role("button", name="Hint").click()
    page.locator(".m5-heat").first.wait_for(state="attached")
    numbers = "() => ['label', 'line-number', 'number'].map((kind) => [...document.querySelectorAll(`.m5-${kind}`)]"
    numbers += ".filter((one) => getComputedStyle(one).display !== 'none').length)"
    visits, line, played = page.evaluate(numbers)
    assert visits and (line, played) == (0, 0)
    assert "AlphaZero 200 gives Black" in page.locator("#said").inner_text()
    page.get_by_role("button", name="Expected moves").click()
    page.locator(".m5-line").first.wait_for(state="attached")
    visits, line, played = page.evaluate(numbers)
    assert line and (visits, played) == (0, 0)
    page.get_by_role("button", name="Move numbers").click()
    page.wait_for_function("() => !document.querySelector('.m5-line')")
    assert page.evaluate(numbers) == [0, 0, 2]
    page.get_by_role("button", name="Hint").click()
    assert page.locator(".m5-heat, .m5-line").count() == 0


@browser_tests
def test_whoever_beats_a_rung_without_help_meets_the_next_also_after_coming_back(browser):
    four = [0, 9, 1, 11, 2, 13, 3, 15]  # black wins at 4
    with opened(browser, INDEX) as page:
        opponent = page.locator("#against")
        assert opponent.input_value() == "uct@100", "whom a newcomer can beat"
        for hinted, said in (
            (True, "You win, with help: five in a row for Black."),
            (False, "You beat UCT 100: five in a row for Black."),
        ):
            page.goto(f"{INDEX}#board=9&against=uct@100&you=black&moves={letters(four, 9)}")
            wait_for_stones(page, 8)
            if hinted:
                hint = page.get_by_role("button", name="Hint")
                hint.click()
                page.reload()
                assert hint.get_attribute("aria-pressed") == "true", "a reload forgets neither the hint"
                hint.click()
                page.reload()
                wait_for_stones(page, 8)  # nor that there was one
            click(page, 4)
            page.locator(".m5-status", has_text=said).wait_for()
            counted = "Not counted: you had a hint" if hinted else "Beaten on the way up: 1 of"
            page.locator("#said", has_text=counted).wait_for(state="attached")
        page.get_by_role("button", name="Next: UCT 1,000").click()
        wait_for_stones(page, 0)
        assert opponent.input_value() == "uct@1000"
        page.goto("about:blank")
        page.goto(INDEX)
        assert opponent.input_value() == "uct@1000"
        assert page.locator("#rungs button").nth(1).inner_text() == "✓ UCT 100 · 430"
        page.locator("#rungs button", has_text="random").click()
        assert opponent.input_value() == "random"


@browser_tests
def test_to_choose_who_begins_is_no_help_and_to_change_sides_later_is(page):
    for move in (None, 40):
        page.goto("about:blank")
        page.goto(f"{INDEX}#board=9&against=random&you=black&moves=")
        if move is not None:
            click(page, move)
            wait_for_stones(page, 2)
        page.get_by_role("button", name="Swap").click()
        wait_for_stones(page, 1 if move is None else 3)
        assert page.evaluate("() => mock5.page.helped") == (move is not None)


def one_ply(game, rng) -> int:
    """What a newcomer sees at once: a win, a win to block, and otherwise a point near the last stone."""
    for player in (game.player, 3 - game.player):
        if wins := immediate_wins(game, player):
            return wins[0]
    row, column = divmod(game.history[-1], game.width) if game.history else (game.height // 2, game.width // 2)
    away = [max(abs(move // game.width - row), abs(move % game.width - column)) for move in game.legal_moves()]
    return int(rng.choice(np.array(game.legal_moves())[np.array(away) == min(away)]))


@pytest.mark.slow
@pytest.mark.parametrize("side", page_vectors.BOARDS)
def test_who_looks_one_move_ahead_beats_the_first_two_rungs_and_loses_to_the_fourth(side):
    k, games = page_vectors.BOARDS[side][0], 180 // side
    lists = re.search(rf"\n  {side}: \[\s*`([^`]+)`", (PLAY / "src" / "opponents.js").read_text())[1].split()
    for rung, beaten in ((0, True), (1, True), (3, False)):
        name = lists[rung].replace("uct@", "uct:").replace("alphazero_tiny_10", f"policy:{TINY_10}")
        opponent, rng, points = agent(name, seed=rung, side=side, k=k), np.random.default_rng(rung), 0.0
        for number in range(games):
            game, mine = Mock5(side, side, k=k), 1 + number % 2
            while game.winner is None:
                game.apply(one_ply(game, rng) if game.player == mine else int(opponent(game)))
            points += 0.5 if game.winner == 0 else game.winner == mine
        assert (points > games / 2) == beaten, f"{points} of {games} against {name}"


@browser_tests
def test_every_stop_of_the_tab_key_has_a_name(page):
    names = []
    for _ in range(12):
        page.keyboard.press("Tab")
        names.append(
            page.evaluate("() => document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()")
        )
    assert "row 4 column 4, empty" in names and all(names)


@browser_tests
def test_buttons_stand_above_the_fold_of_a_laptop_and_the_board_whole_on_a_telephone_on_its_side(browser):
    for width, height in ((1366, 650), (1280, 720), (844, 390), (667, 375)):
        with opened(browser, INDEX, viewport={"width": width, "height": height}) as page:
            assert page.locator("#board svg").first.bounding_box()["width"] > 0.7 * height
            for place in ("#hint", ".m5-board"):
                box = page.locator(place).bounding_box()
                assert box["y"] + box["height"] <= height, (width, height, place)


@browser_tests
def test_on_a_telephone_board_and_review_are_seen_together(browser):
    over = f"{INDEX}#board=9&against=greedy&you=white&moves={letters(BLACK_WINS, 9)}"
    with opened(browser, over, viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True) as page:
        page.locator("#falls button").first.wait_for()
        page.get_by_role("button", name="Review").tap()
        page.locator("#falls button").first.tap()
        page.locator(".m5-better").wait_for(state="attached")
        board, line = page.locator("#board svg").bounding_box(), page.locator("#falls button").first.bounding_box()
        assert board["y"] >= 0 and line["y"] >= board["y"] + board["height"] and line["y"] + line["height"] <= 664


@browser_tests
def test_on_the_large_board_a_finger_taps_twice(browser):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    with opened(browser, f"{INDEX}#board=15&against=random&you=black&moves=", **phone) as page:
        point = page.locator(".m5-point[data-move='112']")
        point.tap()
        assert page.locator(".m5-ghost.m5-on").count() == 1 and page.locator(".m5-stone").count() == 0
        assert page.locator(".m5-status").inner_text() == "Tap again to play row 7 column 7."
        point.tap()
        wait_for_stones(page, 2)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        page.get_by_role("button", name="Hint").click()
        page.locator(".m5-label").first.wait_for(state="attached")
        sizes = page.evaluate(
            """() => [...document.querySelectorAll(".m5-drawing text")].map((text) =>
                parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
        )
        assert len(sizes) > 31 and min(sizes) >= 11, "coordinates and percents can be read"
        chosen = "select => select.scrollWidth <= select.clientWidth"
        assert page.locator("#side").evaluate(chosen)
        rows = page.locator("#buttons button:visible").evaluate_all("all => all.map((one) => one.offsetTop)")
        assert len(rows) == 5 and len(set(rows)) == 1, "the five buttons stand in one row"


@browser_tests
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 900)])
def test_axe_has_no_finding(browser, theme, size):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is missing")
    over = f"index.html#board=9&against=greedy&you=white&moves={letters(BLACK_WINS, 9)}"
    look = {"color_scheme": theme, "viewport": {"width": size[0], "height": size[1]}}
    with served(PLAY) as home, opened(browser, f"{home}/{over}", **look) as page:
        page.get_by_text("What cost White, your color").wait_for()
        page.locator("#falls button").first.click()
        violations = axe.Axe().run(page).response["violations"]
    assert [one["id"] for one in violations] == []


@browser_tests
def test_under_a_sub_path_it_plays_on_without_a_network(browser):
    with served(PLAY.parents[1]) as home, opened(browser, f"{home}/book/play/index.html") as page:
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        page.context.set_offline(True)
        page.reload()
        page.locator("#side").select_option("15")
        click(page, 112)
        wait_for_stones(page, 2)


# A net of one's own -----------------------------------------------------------------------------------------------


def mock5_page(*arguments):
    """What `mock5 page` says, with its exit code."""
    from typer.testing import CliRunner

    from mock5lib.cli import app

    found = CliRunner().invoke(app, ["page", *map(str, arguments)])
    return found.exit_code, found.output


@browser_tests
@pytest.mark.parametrize("folder, side", [("alphazero_tiny/round_20", 6), ("supervised_9x9", 9)])
def test_one_file_with_a_net_of_ones_own_is_played_against_and_gives_hints(browser, tmp_path, folder, side):
    file = tmp_path / "mine.html"
    code, said = mock5_page(ROOT / "data" / "checkpoints" / folder, "--out", file, "--name", "Ada's net")
    assert code == 0 and said.startswith(f"{file}: 0.") or said.startswith(f"{file}: 1.")
    with opened(browser, file.as_uri()) as page:
        assert page.locator("#against option:checked").inner_text() == "Ada's net 64"
        click(page, side * side // 2)
        wait_for_stones(page, 2)
        page.get_by_role("button", name="Hint").click()
        page.locator(".m5-heat").first.wait_for(state="attached")


@browser_tests
def test_the_page_and_the_one_file_run_no_script_of_others_and_send_nothing(browser, tmp_path):
    mock5_page(ROOT / "data" / "checkpoints" / "supervised_9x9", "--out", tmp_path / "mine.html")
    refused = """() => new Promise((done) => {
        const tell = (seen) => done(seen.effectiveDirective);
        document.addEventListener("securitypolicyviolation", tell, { once: true });
        %s
    })"""
    script = "document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran = 1' }));"
    request = "fetch('https://example.org/').catch(() => {});"
    for address in (INDEX, (tmp_path / "mine.html").as_uri()):
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        assert page.evaluate(refused % script) == "script-src-elem" and not page.evaluate("() => window.ran")
        assert page.evaluate(refused % request) == "connect-src"
        context.close()


@browser_tests
def test_points_are_named_by_row_and_column_and_as_players_of_five_in_a_row_do(page):
    for move, side in ((112, 15), (0, 15), (40, 9), (5, 6)):
        text = page.evaluate("([move, side]) => mock5.rules.pointName(move, side)", [move, side])
        ours, _, said = text.partition(" (")
        assert ours == geometry.move_name(Mock5(side, side), move)
        assert typed_point(said[:-1], side, side) == divmod(move, side)


def test_what_cannot_be_put_into_the_page_is_named(tmp_path):
    from mock5lib.nets import make_net, save_checkpoint

    (tmp_path / "card.json").write_text("{")
    other = save_checkpoint(tmp_path / "other", make_net("stack", value=True, seed=0), height=9, width=9)
    three = save_checkpoint(tmp_path / "three", make_net("patterns", value=True, seed=0), height=3, width=3, k=3)
    for net, words in (
        (tmp_path / "nowhere", "there is no such checkpoint"),
        (tmp_path, "card.json: not a card"),
        (other, "other: the page reads the patterns net with a value head, this is"),
        (three, "three: the page has boards for 4 and 5 in a row, this net learned 3."),
    ):
        code, said = mock5_page(net, "--out", tmp_path / "mine.html")
        assert code == 2 and words in said and not (tmp_path / "mine.html").exists()

"""Go's formats: GTP both ways, SGF, records; and GNU Go as a judge of the board, where it is installed."""

import os
import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from crooks import first_free
from typer.testing import CliRunner

from mock5go import records
from mock5go.board import Go
from mock5go.gtp import COMMANDS, GtpAgent, Responder
from mock5go.records import GoRecords, from_sgf, save_sgf, to_sgf
from mock5lib import names
from mock5lib.arena.matches import match
from mock5lib.base.contract import AgentFailure
from mock5lib.base.files import Lock
from mock5lib.cli import app
from mock5lib.game.records import Records
from mock5lib.search.uct_compiled import FastUCT

ALL = bool(os.environ.get("MOCK5_GO_ALL"))
GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed here (apt install gnugo)")
STUB = Path(__file__).with_name("gtp_program.py")


def random_game(rng, size=9, komi=7.5) -> Go:
    game = Go(size, komi)
    while game.winner is None:
        game.apply(int(rng.choice(game.playout_moves())))
    return game


# We answer --------------------------------------------------------------------------------------------------------


def asked(responder: Responder, *lines: str) -> list[str]:
    return [responder.reply(line) for line in lines]


def test_a_program_can_play_a_game_against_us():
    ours = Responder(first_free)
    assert asked(ours, "1 boardsize 5", "2 clear_board", "3 komi 0.5") == ["=1\n\n", "=2\n\n", "=3\n\n"]
    assert asked(ours, "4 play black C3", "5 genmove white") == ["=4\n\n", "=5 A5\n\n"]
    assert ours.reply("list_stones white") == "= A5\n\n" and ours.game.history == [12, 0]
    assert asked(ours, "play b pass", "play w pass", "final_score") == ["=\n\n", "=\n\n", "= W+0.5\n\n"]
    assert ours.reply("undo") == "=\n\n" and ours.game.winner is None
    assert ours.reply("quit") == "=\n\n" and not ours.running


def test_a_color_may_play_twice_and_after_two_passes():
    ours = Responder(first_free)
    asked(ours, "boardsize 5", "play b C3", "play b C4", "play w pass", "play b pass")
    assert ours.game.winner is not None
    assert ours.reply("genmove w") == "= A5\n\n" and ours.game.board[12] == 1


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("", ""),
        ("# a comment", ""),
        ("7", "?7 unknown command"),
        ("play b A5 # there", "="),
        ("PLAY b A5", "? unknown command"),
        ("12 play red A1", "?12 no such color, black or white"),
        ("play b Z1", "? illegal move"),
        ("play b", "? play with 1 arguments"),
        ("boardsize 20", "? unacceptable size"),
        ("boardsize ²", "? boardsize with 0 arguments"),
        ("komi nan", "? komi not a float"),
        ("known_command genmove", "= true"),
        ("known_command dance", "= false"),
        ("protocol_version", "= 2"),
        ("undo", "? cannot undo"),
        ("time_left b 10 0", "="),
        ("\x07name\t", "= mock5 first_free"),
    ],
)
def test_each_line_gets_its_answer(line, answer):
    ours = Responder(first_free)
    asked(ours, "boardsize 5")
    assert ours.reply(line).strip() == answer


def test_undo_takes_back_what_was_played_and_no_more():
    ours = Responder(first_free)
    asked(ours, "boardsize 5", "play b A1", "play b B2", "komi 0.5")
    assert [answer[0] for answer in asked(ours, *["undo"] * 3)] == ["=", "=", "?"]
    assert not any(ours.game.board)


def test_an_agent_that_fails_is_a_refusal():
    def broken(game):
        raise RuntimeError("no\nidea")

    assert Responder(broken).reply("genmove b") == "? RuntimeError: no idea\n\n"
    assert Responder(lambda game: 400).reply("genmove b").startswith("? the agent played an illegal move")
    assert Responder(lambda game: None).reply("genmove b") == "= resign\n\n"


def test_nonsense_never_breaks_the_protocol():
    rng, ours = np.random.default_rng(0), Responder(first_free)
    ours.reply("boardsize 5")
    words = [*(set(COMMANDS) - {"quit"}), "b", "w", "A1", "C3", "pass", "9", "-1", "1e9", "nan", "é", "\x00", "#", "٣"]
    for _ in range(20_000 if ALL else 1500):
        line = " ".join(rng.choice(words, size=rng.integers(0, 5)))
        if rng.random() < 0.2:
            line = bytes(rng.integers(0, 256, size=rng.integers(0, 40)).tolist()).decode("latin-1")
        answer = ours.reply(line.replace("boardsize 9", "boardsize 5"))
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n") and "\n\n" not in answer[:-2])
        assert answer.isascii()
    assert ours.running


# We ask -----------------------------------------------------------------------------------------------------------


def stub(*arguments: str, **options) -> GtpAgent:
    return GtpAgent([sys.executable, str(STUB), *arguments], **options)


def test_a_foreign_program_plays_as_an_agent_and_is_told_only_what_is_new():
    agent, game = stub(), Go(5)
    try:
        for expected in (0, 1, 2, 3):
            move = agent(game)
            assert move == expected
            game.apply(move)
        asked = agent.asked
        agent(game)
        assert agent.asked == asked + 1
        assert agent(Go(5, 0.5)) == 0, "another game"
    finally:
        agent.close()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("die", "died|closed|does not read"),
        ("silent", "gave no answer to 'genmove black' within 1 s"),
        ("refuse", "refused 'genmove black': no idea"),
        ("nonsense", "answered 'Q99', which is no move"),
        ("endless", "gave no answer to 'genmove black' within 1 s"),
        ("floods", "gave no answer to 'genmove black' within 1 s|does not read"),
    ],
)
def test_a_program_that_fails_loses_its_game_and_is_started_anew(how, message):
    slow = how in ("silent", "endless", "floods")
    agent = stub(how, seconds=1.0 if slow else 20.0)
    try:
        for _ in range(1 if slow else 2):
            with pytest.raises(AgentFailure, match=message):
                agent(Go(5))
            assert agent._process is None
    finally:
        agent.close()


def test_noise_between_answers_is_passed_over_and_resignation_understood():
    agent = stub("noisy")
    try:
        assert agent(Go(5)) == 0
    finally:
        agent.close()
    agent = stub("resign")
    try:
        assert agent(Go(5)) is None
    finally:
        agent.close()


def test_what_cannot_be_asked_is_a_sentence():
    with pytest.raises(AgentFailure, match="cannot be started"):
        GtpAgent(["/no/such/program"])(Go(5))
    with pytest.raises(ValueError, match="empty board"):
        stub()(Go(3, board=[1, 0, 0, 0, 0, 0, 0, 0, 0]))
    with pytest.raises(ValueError, match="command"):
        GtpAgent([])


def test_a_go_program_has_a_name_like_any_agent():
    agent = names.agent(f"gtp,seconds=20:{sys.executable} {STUB}", seed=3)
    try:
        assert agent(Go(4)) == 0 and agent.name.startswith("gtp,seconds=20:") and agent.seconds == 20
    finally:
        agent.close()


# SGF --------------------------------------------------------------------------------------------------------------


def test_games_survive_sgf_and_come_back_the_same(tmp_path):
    rng = np.random.default_rng(1)
    for size, komi in ((2, 0.0), (9, 7.5), (19, 6.5)):
        game = random_game(rng, size, komi) if size < 10 else Go(19, komi, history=[0, 361, 360, 18])
        path = save_sgf(tmp_path / f"{size}.sgf", [to_sgf(game, PB="one")])
        read = from_sgf(path.read_bytes())
        assert (read.history, read.komi, read.size) == (game.history, komi, size)
        assert bytes(read.board) == bytes(game.board)
    set_up = Go(5, 0.5, board=[1, 2, *[0] * 23], player=2, history=[24])
    for _ in range(2):  # ours may be written again
        save_sgf(tmp_path / "s.sgf", [to_sgf(set_up)])
    again = from_sgf((tmp_path / "s.sgf").read_bytes())
    assert again.start == set_up.start and again.history == [24]


@pytest.mark.parametrize("content", [b"(a list, not a game)", b"(;GM[4]SZ[15];B[aa])", b"notes", b"("])
def test_games_are_not_written_over_another_file(tmp_path, content):
    (tmp_path / "a.sgf").write_bytes(content)
    with pytest.raises(ValueError, match="a.sgf: is there already.*not overwritten"):
        save_sgf(tmp_path / "a.sgf", [to_sgf(Go(5, history=[0]))])
    assert (tmp_path / "a.sgf").read_bytes() == content


def test_points_of_sgf_are_where_go_players_see_them():
    game = from_sgf("(;GM[1]SZ[9]KM[5.5];B[aa];W[ia];B[ai];W[])")
    assert [game.name_of(move) for move in game.history] == ["A9", "J9", "A1", "pass"]
    assert b"B[aa]" in to_sgf(game)
    assert from_sgf("(;SZ[9]HA[2]AB[cc][gg];W[ee])").player == 1, "after a handicap white begins"
    assert from_sgf("(;SZ[5];B[aa];B[bb])").history == [0, 25, 6], "who moves twice was answered by a pass"


@pytest.mark.parametrize(
    "text",
    ["", "no", "(;GM[4]SZ[15];B[aa])", "(;SZ[40])", "(;SZ[5];B[aa];W[aa])", "(;SZ[5];B[zz])", "(;SZ[9]", "(;KM[x])"],
)
def test_what_is_no_sgf_of_go_is_refused_in_a_sentence(text):
    with pytest.raises(ValueError, match="x.sgf: not SGF, or cut short|not a game of Go that can be read"):
        from_sgf(text, source="x.sgf")


# Records ----------------------------------------------------------------------------------------------------------


def test_records_are_checked_and_survive_their_file(tmp_path):
    rng = np.random.default_rng(0)
    records = GoRecords.from_games([random_game(rng, 5, 2.5) for _ in range(6)], card={"made": "here"})
    again = GoRecords.load(records.save(tmp_path / "r.npz"))
    assert (again.moves == records.moves).all() and (again.winners == records.winners).all()
    assert again.card == {"made": "here"} and again.game(2).winner == records.winners[2] and len(again) == 6
    train, held = again.split(0.34)
    assert len(train) + len(held) == 6 and type(held) is GoRecords
    for wrong in ({"winners": 3 - records.winners}, {"moves": np.where(records.moves == 25, 0, records.moves)}):
        parts = {"moves": records.moves, "lengths": records.lengths, "winners": records.winners} | wrong
        with pytest.raises(ValueError, match="records, game 1"):
            GoRecords(**parts, size=5, komi=2.5)
    (tmp_path / "cut.npz").write_bytes((tmp_path / "r.npz").read_bytes()[:300])
    with pytest.raises(ValueError, match="cut.npz: not records"):
        GoRecords.load(tmp_path / "cut.npz")
    with pytest.raises(FileNotFoundError):
        GoRecords.load(tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"winners": [1, 257]}, "game 2: the winner is given as 257"),
        ({"winners": [1.0, 2.0]}, "the winners are whole numbers, these are float64"),
        ({"lengths": [2**62, 2**62]}, "do not fit together"),
        ({"lengths": [-1, 7]}, "do not fit together"),
        ({"lengths": [[3, 3]]}, "do not fit together"),
        ({"moves": [65536, 25, 25, 1, 25, 25]}, "game 1: move 1: Move 65536 is off the board"),
        ({"moves": [-1, 25, 25, 1, 25, 25]}, "game 1: move 1: Move -1 is off the board"),
        ({"forfeits": [True]}, "do not fit"),
        ({"mistakes": [True]}, "do not fit"),
        ({"komi": float("nan")}, "komi must be a number"),
        ({"size": 10**9}, "size must be between"),
    ],
)
def test_records_that_lie_are_refused(wrong, problem):
    right = dict(moves=[0, 25, 25, 1, 25, 25], lengths=[3, 3], winners=[1, 1], size=5, komi=2.5)
    GoRecords(**right)
    with pytest.raises(ValueError, match=problem):
        GoRecords(**right | wrong)


def test_records_of_one_game_are_not_written_over_those_of_the_other(tmp_path):
    go = GoRecords([0, 25, 25], [3], [1], 5, 2.5)
    five = Records([0, 9, 1, 10, 2, 11, 3, 12, 4], [9], [1], 9, 9)
    foreign = tmp_path / "foreign.npz"
    np.savez(foreign, format=np.array("mine"), moves=np.zeros(3))
    for first, second in ((go.save(tmp_path / "go.npz"), five), (five.save(tmp_path / "five.npz"), go)):
        for path in (first, foreign):
            before = path.read_bytes()
            with pytest.raises(ValueError, match=f"{path.name}: is there already"):
                second.save(path)
            assert path.read_bytes() == before
    go.save(tmp_path / "go.npz")
    five.save(tmp_path / "five.npz")


def test_the_generator_goes_on_after_the_games_that_its_file_holds(tmp_path):
    command, path = [sys.executable, str(STUB), "passes"], tmp_path / "games.npz"
    first = records.generate(path, 2, command, size=5)
    assert GoRecords.load(path) == first and all(first.mistakes[first.offsets[:-1]])
    again = records.generate(path, 4, command, size=5)
    assert GoRecords.load(path) == again and len(again) == 4 and again.select([0, 1]) == first
    assert records.generate(tmp_path / "at_once.npz", 4, command, size=5) == again
    assert len(records.generate(path, 1, command, size=5)) == 4  # what is there stays
    for other in ({"seed": 1}, {"size": 7}, {"komi": 0.5}):
        with pytest.raises(ValueError, match="games.npz: it holds games that were made in another way"):
            records.generate(path, 6, command, **{"size": 5} | other)
    with Lock(path), pytest.raises(BlockingIOError, match="is writing there"):
        records.generate(path, 6, command, size=5)
    assert GoRecords.load(path) == again


def test_a_program_that_fails_leaves_the_games_before_in_the_file(tmp_path, monkeypatch):
    played = records.play_one

    def play_one(program, number, *rest):
        if number == 3:
            raise AgentFailure("died")
        return played(program, number, *rest)

    monkeypatch.setattr(records, "play_one", play_one)
    with pytest.raises(AgentFailure, match="died"):
        records.generate(tmp_path / "games.npz", 5, [sys.executable, str(STUB), "passes"], size=5)
    assert len(GoRecords.load(tmp_path / "games.npz")) == 3


@pytest.mark.parametrize(
    ("program", "problem"),
    [
        ("/bin/true", "died|closed|does not read"),
        ("/no/such", "/no/such cannot be started"),
        ("''", "needs a command|cannot be started|denied"),
        (f"{sys.executable} {STUB} nonsense", "played 'Q99' in game 0"),
        (f"{sys.executable} {STUB} refuse", "refused 'genmove .*': no idea"),
    ],
)
def test_a_program_that_cannot_play_is_one_sentence(tmp_path, program, problem):
    command = ["go", "records", str(tmp_path / "g.npz"), "--games", "2", "--quiet", "--program", program]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2 and re.fullmatch(rf"mock5: .*({problem}).*\n", result.output), result.output


def test_the_stored_games_of_gnu_go_are_whole():
    path = Path(__file__).parents[1] / "data" / "records" / "gnugo_9x9.npz"
    if not path.exists():
        pytest.skip("the games of GNU Go are not stored here")
    records = GoRecords.load(path)
    assert records.size == 9 and len(records) == 3000 and not records.forfeits.any()
    assert records.card["command"].startswith("gnugo --mode gtp --level 1")


# GNU Go -----------------------------------------------------------------------------------------------------------


@needs_gnugo
@pytest.mark.slow
def test_gnu_go_sees_the_same_stones_captures_and_scores():
    program = GtpAgent([GNUGO, "--mode", "gtp", "--chinese-rules", "--level", "0"], seconds=120)
    rng = np.random.default_rng(9)
    try:
        for _ in range(200 if ALL else 8):
            game, taken = random_game(rng), {"black": 0, "white": 0}
            program.set_up(Go(9, 7.5))
            for ply, move in enumerate(game.history):
                mover = ("black", "white")[ply % 2]
                program.ask(f"play {mover} {game.name_of(move)}")
                taken[mover] += len(game._taken[ply])
            for number, color in enumerate(("black", "white"), start=1):
                stones = {game.name_of(p) for p, stone in enumerate(game.board) if stone == number}
                assert set(program.ask(f"list_stones {color}").split()) == stones
                assert int(program.ask(f"captures {color}")) == taken[color]
            lead = game.lead()
            assert program.ask("estimate_score").split()[0] == f"{'B' if lead > 0 else 'W'}+{abs(lead):.1f}"
    finally:
        program.close()


@needs_gnugo
@pytest.mark.slow
def test_gnu_go_plays_a_game_against_uct():
    agent = GtpAgent([GNUGO, *records.GNU_GO.split()[1:]], seed=1)
    try:
        result = match(agent, FastUCT(50, seed=0), 2, game=Go(5, 0.5))
    finally:
        agent.close()
    assert result.wins + result.draws + result.losses == 2 and (result.lengths > 8).all()

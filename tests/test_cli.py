"""The command line: play, match, ladder, records, with words that teach and errors in one line."""

import builtins
import errno
import io
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from crooks import heuristic, last_free
from rich.console import Console
from typer.testing import CliRunner

from mock5lib import Mock5, __version__, agents, names
from mock5lib.base import interrupts
from mock5lib.base.contract import Recipe
from mock5lib.cli import app
from mock5lib.cli.common import board_size, plain_errors
from mock5lib.cli.ladder import ROSTERS, Roster, chosen, groups
from mock5lib.cli.play import TerminalGame, board_text, read_point
from mock5lib.cli.train import kept_in
from mock5lib.course import course_file
from mock5lib.game.records import Records
from mock5lib.gomoku.generator import generate

ROOT = Path(__file__).resolve().parent.parent
GAMES, NET = (str(course_file(f"data/{name}")) for name in ("records/mixed_9x9.npz", "checkpoints/supervised_9x9"))


def run(*arguments, fails=False, **options):
    """What a command prints."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "120"}, **options)
    assert (result.exit_code != 0) == fails, result.output
    return result.output


# Help ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["play", "match", "page", "ladder", "engine", "records", "train", "agents"])
def test_each_command_explains_itself(command):
    text = run(command, "--help")
    assert "Usage" in text and len(text.splitlines()) > 8


def mock5(*arguments, **variables):
    """The command in a process of its own: its exit code, its output and what it printed as errors."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-m", "mock5lib.cli", *map(str, arguments)]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


def test_help_is_printed_where_the_terminal_knows_ascii_only():
    done = mock5("match", "--help", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 0 and "Play a match" in done.stdout and "Traceback" not in done.stderr


def test_a_reader_that_closes_the_pipe_is_no_error():
    command = f"{shlex.quote(sys.executable)} -m mock5lib.cli records info {ROOT}/data/records/mixed_9x9.npz | true"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0 and done.stderr == ""


def test_the_version_and_the_short_help_are_there():
    assert __version__ in run("--version")
    assert run("-h") == run("--help") and run("match", "-h") == run("match", "--help")


def on_cluster(folder):
    run = ["train", "alphazero", str(folder / "run"), "--preset", "tiny", "--device", "cpu", "--iterations", "1"]
    return [*run, "--workers", "1", "--cluster"]


def test_a_cluster_that_is_not_there_is_one_sentence_at_once(tmp_path):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        for kind in ("", "ray://"):
            address = f"{kind}127.0.0.1:{nobody.getsockname()[1]}"
            result = CliRunner().invoke(app, [*on_cluster(tmp_path), address])
            assert result.exit_code == 2 and f"mock5: {address}: no Ray cluster answers there" in result.output


ALPHAZERO, TINY = "train alphazero OUT --iterations 2", "--filters 4 --layers 3"
WRONG = [  # a command, and what its one line says
    ("play gredy", "Did you mean greedy"),
    ("play greedy --k 99999999999999999999", "k must be between 1 and"),
    ("match greedy pt --seconds inf --games 2", "seconds must be a number above 0"),
    ("match greedy nobody --quiet", "There is no agent 'nobody'"),
    ("match greedy pt --games 3", "even number of games"),
    ("match greedy pt --board 9x", "A board is written"),
    ("match greedy policy:data/nothing", "there is no such file"),
    ("match greedy pt --games 2 --records OUT.psq", "records are written as .npz, .bin or .sgf, not as '.psq'"),
    ("ladder --add foo --out OUT", "no agent 'foo'"),
    ("ladder --add x=uct:1 --add x=uct:2 --out OUT", "Two agents that are added have the label 'x'"),
    ("ladder --add \udcff=uct:1 --out OUT", "A label is a text that can be printed"),
    ("train alphazero OUT", "Give a budget"),
    ("train alphazero OUT --minutes nan", "minutes"),
    (f"{ALPHAZERO} --workers 10001", "workers"),
    (f"{ALPHAZERO} --set reuse", "name=value"),
    (f"{ALPHAZERO} --set color=red", "no field 'color'"),
    (f"{ALPHAZERO} --set lr=-1", "lr must be a number above 0"),
    (f"{ALPHAZERO} --preset huge", "A preset is one of"),
    (f"{ALPHAZERO} --device tpu", "device is"),
    *(
        (f"{ALPHAZERO} --workers 1 --cluster '{address}'", f"HOST:PORT, auto or ray://HOST:PORT, got {address!r}")
        for address in ("", "ray://", ":1", "host:1:x")
    ),
    (f"train supervised {GAMES} OUT --device cuda:99", "device"),
    (f"train supervised {GAMES} OUT --split 1.5", "1.5"),
    (f"train supervised {GAMES} OUT --net deep", "deep"),
    ("train supervised CUT OUT", "cut.npz"),
    (f"train reinforce {NET} OUT --device zz", "device"),
    (f"train reinforce {NET} OUT --against me", "'me'"),
    (f"train reinforce {NET} OUT --games 5", "games"),
    ("train reinforce nowhere OUT", "nowhere"),
    (f"train alphago {GAMES} OUT --stages slow", "got 'slow'"),
    (f"train alphago {GAMES} OUT {TINY} --stages value", "run stage 'positions' first"),
    (f"train alphago {GAMES} OUT --games 0", "games must be at least 1"),
    ("train alphago none.npz OUT", "none.npz"),
    ("train alphago CUT OUT", "cut.npz"),
    ("records generate OUT.npz engine:/bin/true --games 1", "true"),
]


@pytest.mark.parametrize(("command", "words"), WRONG)
def test_wrong_input_ends_in_one_line_and_writes_no_result(command, words, tmp_path):
    if "alphago" in command:
        pytest.importorskip("tensorflow")
    (tmp_path / "cut.npz").write_bytes(Path(GAMES).read_bytes()[:200])
    command = command.replace("OUT", str(tmp_path / "out")).replace("CUT", str(tmp_path / "cut.npz"))
    result = CliRunner().invoke(app, shlex.split(command))
    assert result.exit_code == 2 and words in result.output and "Traceback" not in result.output, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "--cluster" in command or {path.name for path in tmp_path.rglob("*")} <= {"cut.npz", "out", ".lock"}


@pytest.mark.parametrize(
    "command",
    [
        "train alphazero FILE --iterations 1",
        f"train reinforce {NET} FILE",
        f"train supervised {GAMES} FILE",
        f"train supervised {GAMES} FILE/new",
        f"train alphago {GAMES} FILE",
        "ladder --only random --only pt --out FILE",
        "match random pt --games 2 --records FILE/games.npz",
        "records generate FILE/games.npz --games 2",
        f"records convert {GAMES} FILE/games.npz",
        "prove FILE",
        "report FILE",
        "records info FILE/games.npz",
    ],
)
def test_a_file_where_a_folder_should_be_is_one_sentence_and_stays(command, tmp_path):
    if "alphago" in command:
        pytest.importorskip("tensorflow")
    (tmp_path / "file").write_text("dear diary")
    result = CliRunner().invoke(app, shlex.split(command.replace("FILE", str(tmp_path / "file"))))
    said = result.stderr.strip().splitlines()[-1]
    assert result.exit_code == 2 and said.startswith("mock5: ") and str(tmp_path / "file") in said, result.output
    assert "Errno" not in said and (tmp_path / "file").read_text() == "dear diary"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_is_said_of_the_file_that_was_to_be_written(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    out = tmp_path / "games.npz"
    result = CliRunner().invoke(app, ["records", "generate", str(out), "--games", "2", "--quiet"])
    assert result.exit_code == 2 and result.stderr == f"mock5: {out}: No space left on device.\n"
    assert not list(tmp_path.iterdir())


def test_without_tensorflow_the_command_says_so(tmp_path, monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **options):
        if name.split(".")[0] in ("keras", "tensorflow"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real(name, *arguments, **options)

    needs_keras = [f"mock5lib.alphago.{name}" for name in ("nets", "games", "train", "pipeline")]
    for module in [name for name in needs_keras if name in sys.modules]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", without)
    assert "need TensorFlow" in run("train", "alphago", GAMES, tmp_path, fails=True)


# Play ---------------------------------------------------------------------------------------------------------------


def session(lines, agent=None, human=1, game=None, **options):
    """A game at the terminal with these lines typed; the session afterwards, and what was shown."""
    typed = iter(lines)

    def ask(prompt):
        line = next(typed, None)
        if line is None:
            raise EOFError
        return line

    console = Console(width=100, record=True, file=open(os.devnull, "w"), force_terminal=False)
    players = {human: None, 3 - human: agent or agents.greedy(0)}
    one = TerminalGame(game or Mock5(9, 9), players, console, ask, **options)
    one.run()
    return one, console.export_text()


WIN = ["00", "01", "02", "03", "04"]
SESSIONS = {  # what is typed, how the game begins → the moves that were played, and what was shown
    "a move and its answer": (["44"], {}, [40, 80], ""),
    "the last column by its letter": (["3a"], {"game": Mock5(11, 11)}, [43, 120], "white (last_free) at A A"),
    "a win": (WIN, {}, [0, 80, 1, 79, 2, 78, 3, 77, 4], "black wins."),
    "a game after a win": ([*WIN, "05", "new", "00"], {}, [0, 80], "The game is over; new starts another one."),
    "white, so that the agent begins": (["8 0"], {"human": 2}, [80, 72, 79], ""),
    "back, with the answer": (["00", "10", "u"], {}, [0, 80], ""),
    "back to the beginning": (["00", "u", "u"], {}, [], "There is no move of yours to take back."),
    "back to the agent's first move": (["u", "10", "u"], {"human": 2}, [80], "There is no move of yours"),
    "the agent takes over": (["00", "swap"], {}, [0, 80, 79], ""),
    "the other color in a new game": (["r", "swap"], {}, [80], ""),
    "nothing": (["", "4 4 4", "00"], {}, [0, 80], "is no point of this board"),
    "a point that is taken": (["00", "00"], {}, [0, 80], "occupied"),
    "resigning": (["r", "new", "r"], {}, [], "white (last_free) wins: black resigned."),
}


@pytest.mark.parametrize("what", SESSIONS)
def test_a_human_types(what):
    lines, options, history, words = SESSIONS[what]
    played, text = session(lines, agent=last_free, **options)
    assert played.game.history == history and words in text


def test_the_spinner_says_when_the_agent_waits_for_the_compiler():
    first, said = numba.njit(lambda moves: moves[0]), []
    session = TerminalGame(Mock5(), {1: None, 2: None}, Console(file=io.StringIO(), force_terminal=True))
    session.console.status = lambda text: nullcontext(SimpleNamespace(update=said.append))
    with session.waiting("slowcoach"):
        first(np.arange(3))
    assert said == ["slowcoach: compiling, once …", "slowcoach is thinking …"]


def test_the_board_shows_stones_and_the_last_move():
    text = board_text(Mock5(3, 4, k=3, history=[0, 5]))
    assert text.plain.splitlines()[1:] == [" 0  ●  ·  ·  · ", " 1  ·  ○  ·  · ", " 2  ·  ·  ·  · "]
    assert [span for span in text.spans if "underline" in str(span.style)]


@pytest.mark.parametrize(
    ("line", "point"),
    [
        *[("4a", (4, 10)), ("4 10", (4, 10)), ("A,B", (10, 11)), (" 0 0 ", (0, 0)), ("a 1", (10, 1))],
        *[("h8", (7, 7)), ("H8", (7, 7)), ("c4", (11, 2)), ("C4", (11, 2)), ("o15", (0, 14)), ("a1", (14, 0))],
        *[("A1", (14, 0)), ("E5", (10, 4)), ("e5", (10, 4)), ("5e", (5, 14)), ("5E", (5, 14))],
    ],
)
def test_points_are_read_as_they_are_shown_or_said(line, point):
    assert read_point(line, Mock5(15, 15)) == point


@pytest.mark.parametrize("side", [9, 15, 36])
def test_a_point_is_typed_by_its_name(side):
    game = Mock5(side)
    assert [read_point(game.name_of(move), game) for move in game.legal_moves()] == [
        divmod(move, side) for move in game.legal_moves()
    ]


@pytest.mark.parametrize("line", ["", "4", "44 4 4", "-1 0", "15 0", "zz", "é1", "A0", "a16"])
def test_what_is_no_point_is_refused(line):
    with pytest.raises(ValueError, match="no point of this board"):
        read_point(line, Mock5(15, 15))


def test_two_agents_are_watched():
    assert "wins" in run("play", "greedy", "random", "--board", "9x10", "--seed", 1)


@pytest.mark.parametrize(("text", "size"), [("9", (9, 9)), ("9x12", (9, 12)), ("9X12", (9, 12)), ("9×12", (9, 12))])
def test_boards_are_written_as_rows_by_columns(text, size):
    assert board_size(text) == size


@pytest.mark.parametrize("text", ["", "x", "9x", "9x9x9", "-9", "nine"])
def test_what_is_no_board_is_refused(text):
    with pytest.raises(ValueError, match="9x12"):
        board_size(text)


# Match ---------------------------------------------------------------------------------------------------------------


def test_a_match_says_how_sure_it_is(tmp_path):
    text = run("match", "greedy", "random", "--games", 10, "--quiet", "--records", tmp_path / "games.npz")
    assert "won 10, drawn 0, lost 0" in text and "Elo difference +inf (+69 to +inf)\n" in text
    assert "stronger with" not in text  # it would count games as independent
    assert len(Records.load(tmp_path / "games.npz")) == 10


# Ladder --------------------------------------------------------------------------------------------------------------


def test_a_small_ladder_is_written_whole(tmp_path):
    players = ["--only", "random", "--only", "greedy", "--only", "UCT 100", "--add", "small=uct:20"]
    arguments = ["ladder", "--quick", *players[:-2], "--only", "small", *players[-2:], "--out", tmp_path]
    text = run(*arguments, "--pairs", 1, "--workers", 1)
    written = {path.name for path in tmp_path.iterdir()}
    assert written >= {"games.jsonl", "table.json", "ladder.md", "ladder.png", "ladder_narrow.png", "cross.png"}
    table = json.loads((tmp_path / "table.json").read_text())
    assert {row["name"] for row in table["ladder"]} == {"random", "greedy", "UCT 100", "small"} and table["games"] == 12
    assert "6/6 round 1" in text and "| 1 | greedy |" in (tmp_path / "ladder.md").read_text()
    before = (tmp_path / "table.json").read_bytes()
    assert "round 1" not in run(*arguments, "--pairs", 1, "--workers", 1)
    assert (tmp_path / "table.json").read_bytes() == before


def test_every_rung_of_the_rosters_is_named_rightly():
    for roster in ROSTERS.values():
        for name in roster.players.values():
            names.parse(name)
            if "runs/ablations" not in name and "gtp:" not in name:  # the ablations' nets are not kept
                names.recipe(name)


def test_a_plan_says_who_meets_whom_and_newcomers_meet_all():
    roster = Roster(9, {name: "random" for name in "abc"}, 1, 2, "x", plan=[(["a", "b"], 3), (["b", "c"], 1)])
    recipes = [Recipe(name, None) for name in ("a", "b", "c", "mine")]
    found = [("".join(one.name[0] for one in group), rounds) for group, rounds in groups(recipes, roster, None)]
    assert found == [("abm", 3), ("bcm", 1)]
    assert groups(recipes, roster, 2) == [(recipes, 2)] and groups(recipes[::2], roster, None) == []
    go = ROSTERS["go_9x9"]
    assert go.game == "Go,komi=7.5" and set().union(*(labels for labels, _ in go.plan)) == set(go.players)


def test_a_go_program_that_is_not_there_is_left_off_the_ladder(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    arguments = ["--only", "random", "--only", "GNU Go, level 1", "--add", "also=random", "--only", "also"]
    text = run("ladder", "--board", "go_9x9", *arguments, "--pairs", 1, "--workers", 1, "--out", tmp_path / "out")
    assert "left out: GNU Go, level 1. gnugo: there is no such program here." in text
    page = (tmp_path / "out/ladder.md").read_text()
    assert page.startswith("# Ladder on 9×9, Go with komi 7.5") and "| also |" in page


def test_players_can_be_added_and_chosen():
    players = {"a": "greedy", "b": "pt"}
    assert chosen(players, ["c=df", "uct,c=1:100"], []) == {**players, "c": "df", "uct,c=1:100": "uct,c=1:100"}
    guest = chosen({}, ["guest: Foo=engine,seconds=1:/opt/foo --n=3", "policy:runs/x=1", "greedy=pt"], [])
    assert guest == {
        "guest: Foo": "engine,seconds=1:/opt/foo --n=3",
        "policy:runs/x=1": "policy:runs/x=1",
        "greedy": "pt",
    }
    assert chosen(players, [], ["b"]) == {"b": "pt"}
    with pytest.raises(ValueError, match="no 'z' on this ladder"):
        chosen(players, [], ["z"])


def test_a_net_whose_files_have_gone_stays_on_the_ladder_with_its_games(tmp_path):
    """The nets of the ablations are not kept, their games are."""
    side = tmp_path / "nets"
    shutil.copytree(ROOT / "data/checkpoints/supervised_9x9", side / "net")
    arguments = ["ladder", "--quick", "--only", "random", "--only", "greedy", "--pairs", 1, "--workers", 1, "--out"]
    run(*arguments, tmp_path / "out", "--add", f"net=policy:{side}/net", "--only", "net")
    before = (tmp_path / "out/table.json").read_bytes()
    shutil.rmtree(side)
    assert "net" in run(*arguments, tmp_path / "out") and (tmp_path / "out/table.json").read_bytes() == before


def test_a_ladder_finds_the_nets_of_the_course_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ["--only", "random", "--only", "supervised net", "--pairs", 1, "--workers", 1, "--out", "out"]
    text = run("ladder", "--quick", *arguments)
    assert "left out" not in text and "1/1 round 1" in text
    page = (tmp_path / "out/ladder.md").read_text()
    assert "`policy:data/checkpoints/supervised_9x9`" in page and str(tmp_path) not in page


# Records -------------------------------------------------------------------------------------------------------------


def test_records_are_made_shown_and_converted(tmp_path):
    path = tmp_path / "games.npz"
    assert "20 games" in run("records", "generate", path, "--games", 20, "--board", "9", "--quiet")
    text = run("records", "info", path)
    assert text.startswith("20 games on 9×9, 5 in a row") and "black: mixed" in text
    shown, game = run("records", "show", path, 2), Records.load(path).game(1)
    assert (shown.count("●"), shown.count("○")) == (game.board.count(1), game.board.count(2))
    run("records", "convert", path, tmp_path / "games.sgf")
    assert Records.load(tmp_path / "games.sgf") == Records.load(path)
    assert "has games 1 to 20" in run("records", "show", path, 21, fails=True)
    run("records", "generate", path, "greedy", "--games", 5, "--board", 9, "--seed", 4, "--randomness", 0.2)
    assert Records.load(path) == generate(5, "greedy", "mixed", 9, 9, randomness=0.2, seed=4)
    assert "randomness" in run("records", "generate", path, "--randomness", 3, fails=True)
    assert "no-file" in run("records", "info", tmp_path / "no-file.npz", fails=True)


def test_a_folder_given_as_records_says_what_it_holds(tmp_path):
    assert "is a folder; it holds no records." in " ".join(run("records", "info", tmp_path, fails=True).split())
    shutil.copy(GAMES, tmp_path / "games.npz")
    assert "is a folder; it holds games.npz." in " ".join(run("records", "info", tmp_path, fails=True).split())


def test_the_games_of_a_tournament_are_records(tmp_path):
    from mock5lib.arena.tournament import Tournament

    Tournament(tmp_path, pairs=2).run([heuristic("greedy"), heuristic("random")])
    assert run("records", "info", tmp_path).startswith("4 games on 9×9")
    run("records", "convert", tmp_path / "games.jsonl", tmp_path / "games.npz")
    assert len(Records.load(tmp_path / "games.npz")) == 4


@pytest.mark.slow
def test_a_ladder_in_a_new_folder_begins_with_the_games_of_the_course(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = run("ladder", "--workers", 1)
    assert "begins with the games of the course's ladder" in text and "written to runs/ladder/9x9" in text
    kept = course_file("data/ladder/9x9/games.jsonl").read_bytes()
    assert (tmp_path / "runs/ladder/9x9/games.jsonl").read_bytes() == kept


# Agents --------------------------------------------------------------------------------------------------------------


def test_the_agents_are_listed_with_their_elo_of_both_boards():
    text = run("agents")
    assert re.search(r"alphazero@200 +2266 +2852 ", text) and re.search(r"alphago@64 +1999 +– ", text)
    assert max(map(len, text.splitlines())) < 120
    rows = {row["name"]: row for row in json.loads(run("agents", "--json"))}
    assert round(rows["expert@64"]["9x9"]) == 2062 and rows["alphago@64"]["15x15"] is None
    assert all(row["9x9"] is not None and names.parse(name) for name, row in rows.items())


def test_the_help_of_a_game_names_a_point_of_its_board():
    text = run("play", "random", "--board", 9, input="q\n")
    assert "48 or 4 8 is row 4, column 8" in text
    large = " ".join(run("play", "random", "--board", 15, input="A1\na 1\nq\n").split())
    assert "7e or 7 14 is row 7, column E; row A, column 1 is a 1" in large and "a1 or A1 is the lower left" in large
    assert "row A" not in text


@pytest.mark.parametrize("command", ["train supervised RECORDS OUT", "match random pt --games 2 --records OUT.npz"])
def test_a_place_that_may_not_be_written_is_named_before_the_work(tmp_path, monkeypatch, command):
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != tmp_path)  # a superuser may write everywhere
    words = command.replace("RECORDS", GAMES).replace("OUT", str(tmp_path / "out")).split()
    text = run(*words, fails=True)
    assert f"{tmp_path}: Permission denied" in text and "won" not in text and list(tmp_path.iterdir()) == []


RUN_STAGES = {
    "": "Nothing was written",
    "config.json": "before the first checkpoint (every 7 rounds)",
    "step-000007": "kept",
}


def test_ctrl_c_says_what_is_kept_only_if_it_is_there(tmp_path):
    with plain_errors(kept_in(tmp_path, 7)):
        for name, words in RUN_STAGES.items():
            (tmp_path / name).mkdir(exist_ok=True)
            assert words in interrupts.kept()

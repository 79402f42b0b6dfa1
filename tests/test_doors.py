"""What strangers bring to the doors is taken, or refused with a sentence: one table for each door."""

import json
import os
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from mock5go.board import Go
from mock5go.records import from_sgf, to_sgf
from mock5lib import Mock5, load_agent, match, names
from mock5lib.alphazero.config import preset, read_field
from mock5lib.arena import Tournament
from mock5lib.base.contract import refusal
from mock5lib.base.files import Lock, check_ours, digest, make_folder, npz_bytes, write_figure, write_whole
from mock5lib.base.runs import RunFolder
from mock5lib.cli import app
from mock5lib.cli.ladder import brought
from mock5lib.cli.play import board_text, plain_stones
from mock5lib.course import course_file
from mock5lib.game import kit
from mock5lib.game.lockstep_compiled import OCCUPIED, sample_moves, sample_visited
from mock5lib.game.records import Records
from mock5lib.game.referee import play_game
from mock5lib.learn.settings import ReinforceSettings
from mock5lib.nets.checkpoints import load_checkpoint, save_checkpoint, weights_bytes
from mock5lib.nets.nets import expert_of, make_net
from mock5lib.search import Search, SearchAgent
from mock5lib.search.result import policies_of
from mock5lib.search.uct import UCT
from mock5lib.search.uct_compiled import FastUCT
from mock5lib.show import PlayPanel
from mock5lib.show.ladder import plot_ladder

OWN = '''
"""Agents of somebody's own."""
from beside import middle

class Center:
    def __init__(self, seed=None):
        self.seed = seed
    def __call__(self, game):
        return middle(game.legal_moves())

def broken(game):
    raise KeyError("lost")

seven = 7
'''


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder with an agent in a file, which imports what stands beside it."""
    (tmp_path / "my_agent.py").write_text(OWN)
    (tmp_path / "beside.py").write_text("def middle(moves):\n    return moves[len(moves) // 2]\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(*words):
    """(exit status, what is printed) of a command."""
    found = CliRunner().invoke(app, list(map(str, words)))
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.exit_code, found.output


# Agents ---------------------------------------------------------------------------------------------------------

WRONG_OPTIONS = {
    "alphazero,temperature=-1@2": "temperature must be a number from 0 to infinity, got '-1'",
    "alphazero,temperature=hot@2": "temperature must be a number from 0 to infinity, got 'hot'",
    "alphazero,nodes=1@2": "nodes must be a whole number from 2 to 10000000 or none, got '1'",
    "alphazero,leaves=0@2": "leaves must be a whole number, at least 1",
    "alphazero,considered=2.5@2": "considered must be a whole number",
    "alphazero,keep_tree=maybe@2": "keep_tree must be true or false",
    "alphazero@99999999999999": "1 to 1,000,000 simulations",
    "uct:99999999999999": "1 to 100,000,000 simulations",
    "uct,c=nan:5": "c must be a number",
    "uct,final=best:5": "final must be one of visits, ratio",
    "uct:0s": "uct takes seconds above 0, and at most 100,000",
    "policy,temperature=nan:data/checkpoints/supervised_9x9": "temperature must be a number",
    "engine,seconds=0:/bin/true": "seconds must be a number above 0",
    "gtp,memory=much:gnugo": "memory must be a whole number",
}


@pytest.mark.parametrize("name", WRONG_OPTIONS)
def test_an_option_is_judged_when_the_name_is_read(name):
    with pytest.raises(ValueError, match="^" + name.split(",")[0].split("@")[0].split(":")[0]) as refused:
        names.parse(name)
    assert WRONG_OPTIONS[name] in str(refused.value)


@pytest.mark.parametrize(
    ("name", "game", "why"),
    [
        ("greedy", Mock5(6, 6, 4), "greedy plays five in a row, not 4"),
        ("mixed", Go(5), "mixed plays five in a row, not Go"),
        ("policy:data/checkpoints/supervised_9x9", Mock5(6, 6, 4), "has learned 5 in a row, not 4"),
        ("alphazero@16", Go(5), "is a net for k in a row, not for Go"),
        ("engine:/bin/true", Mock5(9, 9, 4), "is an engine for five in a row"),
        ("gtp:/bin/true", Mock5(9, 9), "is a Go program, and can't play Mock5"),
    ],
)
def test_an_agent_says_which_games_it_does_not_play(name, game, why):
    assert why in refusal(names.agent(name, 0), game)


@pytest.mark.parametrize(
    ("name", "game"), [("random", Go(5)), ("uct:5", Go(5)), ("uct:5", Mock5(3, 3, 3)), ("greedy", Mock5(7, 9))]
)
def test_and_refuses_no_game_that_it_plays(name, game):
    assert refusal(names.agent(name, 0), game) == ""


def test_a_meeting_that_cannot_be_played_is_refused_before_the_first_game(tmp_path):
    for words in (("match", "uct:5", "greedy"), ("play", "greedy")):
        status, output = said(*words, "--board", "6", "--k", "4")
        assert status == 2 and "greedy plays five in a row, not 4" in output
    status, output = said("match", "random", "random", "--board", "3", "--games", "2")
    assert status == 2 and "Nobody can win here: 5 in a row do not fit on a 3×3 board" in output
    status, output = said("go", "engine", "--agent", "alphazero@16")
    assert status == 2 and "not for Go" in output
    with pytest.raises(ValueError, match="greedy plays five in a row"):
        Tournament(tmp_path, 6, 6, 4, pairs=1).run(["random", "uct:5", "greedy"])
    assert not list(tmp_path.glob("*.jsonl"))


def test_an_agent_prints_as_its_name():
    assert repr(names.agent("uct:1000")) == "<uct:1000>"
    assert repr(names.agent("alphazero@64")) == "<alphazero:data/checkpoints/alphazero_9x9@64>"
    assert repr(names.agent("supervised")) == "<policy:data/checkpoints/supervised_9x9>"
    assert repr(names.agent("engine:/bin/true")) == "<engine:/bin/true>"


def test_names_are_taken_wherever_agents_are(tmp_path):
    result = match("greedy", "random", games=4, game=Mock5(9, 9))
    assert result.names == ("greedy", "random") and result.score == 1
    tournament = Tournament(tmp_path, pairs=1)
    tournament.run(["greedy", "random"])
    assert tournament.names == ["greedy", "random"]
    panel = PlayPanel("greedy", Mock5(9, 9))
    panel.click(40)
    assert panel.name == "greedy" and len(panel.game.history) == 2
    with pytest.raises(ValueError, match="greedy plays five in a row, not 4"):
        PlayPanel({"a": "random", "b": "greedy"}, Mock5(6, 6, 4))
    for wrong, sentence in ((9, "An agent is a name"), (None, "An agent is a name")):
        with pytest.raises(TypeError, match=sentence):
            match(wrong, "random", games=2)
    with pytest.raises(TypeError, match="A game is wanted, such as"):
        match("greedy", "random", games=2, game=9)


def test_white_may_begin():
    game = Mock5(5, 5, 4)
    game.player = 2
    result = match("random", "random", games=4, game=game)
    assert result.games == 4 and result.records is None and not result.forfeits


def test_an_agent_in_a_file_is_an_agent(own):
    agent = names.agent("my_agent.py:Center", seed=3)
    assert agent(Mock5(5, 5)) == 12 and agent.name == "my_agent.py:Center" and agent.seed == 3
    status, output = said("match", "my_agent.py:Center", "random", "--games", "4", "--workers", "2", "--quiet")
    assert status == 0 and "my_agent.py is run: an agent in a file is a program" in output and "4 games" in output
    before = names.fingerprint("my_agent.py:Center")
    (own / "my_agent.py").write_text(OWN + "\n# changed\n")
    assert names.fingerprint("my_agent.py:Center") != before
    for name, sentence in (
        ("my_agent.py:Corner", "my_agent.py has no Corner; it has Center, broken"),
        ("my_agent.py:seven", "seven is no agent, which is a function from a game to a move"),
    ):
        with pytest.raises(ValueError, match=sentence):
            names.agent(name)
    with pytest.raises(FileNotFoundError, match="my_agnt.py: there is no such file"):
        names.agent("my_agnt.py:Center")


def test_games_lost_off_the_board_make_no_rating(own, tmp_path):
    status, output = said("match", "my_agent.py:broken", "random", "--games", "4", "--board", "5", "--quiet")
    assert status == 1 and "Elo" not in output
    first, second = [line for line in output.splitlines() if "is run" not in line][:2]
    assert first.startswith("4 of 4 games were lost off the board")
    assert second == "4 × my_agent.py:broken raised KeyError: 'lost' (my_agent.py, line 12)"
    tournament = Tournament(tmp_path / "ladder", pairs=1)
    tournament.run(["random", "uct:5", names.recipe("my_agent.py:broken", "broken")])
    assert sum(tournament.faults().values()) == 4 and set(tournament.ratings().names) == {"uct:5", "random"}


def test_an_agent_that_ends_the_program_loses(own, tmp_path):
    (own / "quitter.py").write_text("import sys\ndef quit(game):\n    sys.exit(0)\n")
    (own / "never.py").write_text("raise SystemExit(0)\n")
    for options in ((), ("--workers", "2"), ("--seconds", "5")):
        status, output = said("match", "quitter.py:quit", "random", "--games", "2", "--quiet", *options)
        assert status == 1 and "2 × quitter.py:quit tried to end the program" in output
    status, output = said("match", "never.py:any", "random", "--games", "2", "--quiet")
    assert status == 2 and "never.py can't be run: SystemExit" in output


def test_a_game_that_an_agent_breaks_ends_with_a_status_that_says_so(own):
    status, output = said("play", "my_agent.py:broken", "random", "--board", 5)
    said_so = "wins: my_agent.py:broken raised KeyError: 'lost' (my_agent.py, line 12).\n"
    assert status == 1 and said_so in output.replace(" \n", " ")


LEAVES = """
import os
def leave(game):
    os._exit(0)
async def later(game):
    return 3
def each(game):
    yield 3
def forgetful(game):
    game.legal_moves()[0]
"""


def test_an_agent_that_ends_python_has_died_where_it_plays_in_a_process_of_its_own(own):
    (own / "leaves.py").write_text(LEAVES)
    for options in (("--workers", "2"), ("--seconds", "5")):
        status, output = said("match", "leaves.py:leave", "random", "--games", "2", "--quiet", *options)
        assert status == 1 and "2 × leaves.py:leave died (exit code 0)" in output


def test_nor_is_a_forgotten_return_a_resignation_in_the_terminal(own):
    (own / "leaves.py").write_text(LEAVES)
    status, output = said("play", "leaves.py:forgetful", "random", "--board", 5)
    sentence = "white (random) wins: leaves.py:forgetful gave None at its first turn: does it lack a `return`?\n"
    assert status == 1 and sentence in output.replace(" \n", " ")


def test_a_function_that_a_call_only_prepares_is_no_agent(own):
    (own / "leaves.py").write_text(LEAVES)
    for name, has in (("later", "async"), ("each", "yield")):
        status, output = said("match", f"leaves.py:{name}", "random", "--games", "2", "--quiet")
        assert status == 2 and f"{name} is no agent: it has `{has}`" in output
    with pytest.raises(TypeError, match="has `yield`"):
        match(each_point, "random", games=2)


def each_point(game):
    yield from game.legal_moves()


def test_an_agent_that_forgets_its_return_makes_no_rating(own):
    (own / "leaves.py").write_text(LEAVES)
    status, output = said("match", "leaves.py:forgetful", "random", "--games", "4", "--board", "5", "--quiet")
    assert status == 1 and "4 × leaves.py:forgetful gave None at its first turn: does it lack a `return`?" in output

    def tired(game):
        return None if len(game.history) > 4 else game.legal_moves()[0]

    assert not match(tired, "random", games=4, game=Mock5(5, 5)).faults, "later None resigns"


@pytest.mark.parametrize("options", ["seconds=5", "workers=2"])
def test_a_program_without_a_guard_is_told_to_have_one(options, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(f"from mock5lib import match\nmatch('random', 'greedy', games=2, {options})\n")
    found = subprocess.run([sys.executable, program], capture_output=True, text=True)
    assert found.returncode == 1 and found.stderr.endswith('put what it does under `if __name__ == "__main__":`.\n')


def test_what_is_no_file_of_an_agent_is_called_what_it_is(own):
    (own / "folder.py").mkdir()
    (own / "round.py").symlink_to("round.py")
    (own / "gone").symlink_to("nowhere")
    for name, sentence in (
        ("folder.py:a", "folder.py: is a folder; an agent is in a file"),
        ("round.py:a", "round.py: is a link to what is not there"),
        ("policy:gone", "gone: is a link to what is not there"),
    ):
        with pytest.raises(FileNotFoundError, match=sentence):
            names.agent(name)


def no_expert(planes):
    return np.zeros((len(planes), 25)), np.zeros(len(planes))


class OfSets(Mock5):
    __slots__ = ()

    def legal_moves(self):
        return set(super().legal_moves())


class NoUndo(Mock5):
    __slots__ = ()
    undo = None


class Incomplete:
    winner = None

    def legal_moves(self):
        return [0]

    def apply(self, move):
        pass


SUPERVISED = course_file("data/checkpoints/supervised_9x9")
WRONG_ARGUMENTS = {
    "history must be a list of moves, got 5": lambda: Mock5(history=5),
    "A game is wanted, such as": lambda: PlayPanel("greedy", 9),
    "A game is wanted; Mock5 is a class": lambda: PlayPanel("greedy", Mock5),
    "; it has no `copy`, no `player`": lambda: match("random", "random", 2, game=Incomplete()),
    "NoUndo.undo must be a method, got None": lambda: match("random", "random", 2, game=NoUndo(5, 5)),
    "expert_of takes a net, .*, so its `.net`; got a Checkpoint": lambda: expert_of(load_checkpoint(SUPERVISED)),
    r"`nets.expert_of\(net\)` makes one of it": lambda: SearchAgent(make_net("linear"), 16),
    "the folder stands first, then the net": lambda: save_checkpoint(make_net("linear"), "x"),
    r'`t.table\(\)\["ladder"\]` of a Tournament t, got a Tournament': lambda: plot_ladder(Tournament("t")),
    "search takes a list of games": lambda: SearchAgent(no_expert, 4).search(Mock5(5, 5)),
    "Opening 1 must be a list of moves": lambda: match("random", "random", games=2, openings=[0, 1]),
    r"OfSets.legal_moves\(\) must give a list, got a set": lambda: match("random", "random", 2, game=OfSets(5, 5)),
    "folder must be where the tournament is kept": lambda: Tournament(None),
    "rounds must be a whole number, got '2'": lambda: Tournament("t").run(["random", "greedy"], rounds="2"),
    "players must be a list of agents": lambda: Tournament("t").run("greedy"),
    "the moves are a list of whole numbers, got None": lambda: Records(None, [1], [1], 9, 9),
    "Records are made of a list of games, got 5": lambda: Records.from_games(5),
    "Game 1 is not over: play it on": lambda: Records.from_games([Mock5(5, 5, history=[3])]),
    "A search has no option 'foo'; it has rule": lambda: SearchAgent(no_expert, foo=3),
    "A search has no option 'bar'": lambda: Search(no_expert, bar=3),
    "An expert is a function of planes, or has of_positions; got 'greedy'": lambda: SearchAgent("greedy", 4),
    "leaves must be at most 10,000": lambda: SearchAgent(no_expert, leaves=10**9),
    "considered must be at most 10,000": lambda: Search(no_expert, considered=10**9),
}


@pytest.mark.parametrize("sentence", WRONG_ARGUMENTS)
def test_a_wrong_argument_is_answered_with_a_sentence(sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((TypeError, ValueError), match=sentence):
        WRONG_ARGUMENTS[sentence]()


def test_a_click_that_is_no_point_changes_the_status_line_alone():
    panel = PlayPanel("random", Mock5(9, 9))
    for point in ("e5", None, 999):
        panel.click(point)
        assert panel.status.startswith("That move cannot be played. ") and not panel.game.history


def test_numbers_of_numpy_compile_nothing_anew():
    from mock5lib.search.uct_compiled import run_simulations

    FastUCT(20, seed=0, c=1.5)(Mock5(5, 5, 4))
    known = len(run_simulations.signatures)
    agent = FastUCT(np.int32(20), seed=0, c=np.float32(1.5), playouts=np.int16(1))
    agent.search(Mock5(5, 5, 4), np.int32(10))
    FastUCT(20, seed=0, c=2)(Mock5(5, 5, 4))
    assert len(run_simulations.signatures) == known
    options = SearchAgent(no_expert, 4, leaves=np.int32(2), virtual_loss=np.float32(1))
    options(Mock5(5, 5, 4))
    assert {type(value) for value in options._forest.settings} <= {int, float, bool}


def test_many_games_may_come_from_a_generator():
    assert len(FastUCT(5, seed=0).moves(Mock5(5, 5) for _ in range(3))) == 3


def test_a_training_goes_on_only_in_the_game_that_its_net_has_learned(tmp_path):
    net, kept = make_net("linear", value=True), {"height": 9, "width": 9, "k": 5, "exact": True}
    save_checkpoint(tmp_path / "exact", net, **kept)
    words = ("train", "alphazero", tmp_path / "run", "--iterations", 1, "--quiet", "--start")
    for start, more, sentence in (
        ("data/checkpoints/supervised_9x9", (), "supervised_9x9 has learned 5 in a row, not 4."),
        (tmp_path / "exact", ("--preset", "laptop"), "exact has learned that more in a row than k do not win."),
    ):
        status, output = said(*words, start, *more)
        assert status == 2 and sentence in output and not (tmp_path / "run").exists()
    words = ("train", "supervised", "data/records/mixed_9x9.npz", tmp_path / "net", "--quiet", "--start")
    status, output = said(*words, "data/checkpoints/alphazero_tiny/round_60")
    assert status == 2 and "round_60 has learned 4 in a row, not 5." in output


def test_what_a_group_has_put_into_a_folder_climbs_one_ladder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "group").mkdir()
    for name, where in (("ada", 0), ("ben", -1)):
        text = f"def agent(game):\n    return game.legal_moves()[{where}]\n"
        (tmp_path / "group" / f"{name}.py").write_text(text)
    save_checkpoint(tmp_path / "group" / "net", make_net("linear"), height=9, width=9, k=5)
    save_checkpoint(tmp_path / "group" / "deep", make_net("linear", value=True), height=9, width=9, k=5)
    assert brought(Path("group")) == [
        *("ada=group/ada.py:agent", "ben=group/ben.py:agent"),
        *("deep=alphazero:group/deep@64", "net=policy:group/net"),
    ]
    only = [word for label in ("ada", "ben", "net") for word in ("--only", label)]
    words = ("--quick", "--out", "out", "--add", "group", "--pairs", 1, "--workers", 1, "--rounds", 1)
    status, output = said("ladder", *words, *only)
    assert status == 0 and {row["name"] for row in json.loads(Path("out/table.json").read_text())["ladder"]} == {
        *("ada", "ben", "net")
    }
    (tmp_path / "empty").mkdir()
    status, output = said("ladder", "--quick", "--add", "empty")
    assert status == 2 and "empty: holds no agents" in output


def test_two_files_may_import_what_has_one_name(tmp_path):
    for folder, move in (("a", 3), ("b", 4)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "helper.py").write_text(f"move = {move}\n")
        (tmp_path / folder / "me.py").write_text("from helper import move\ndef agent(game):\n    return move\n")
    made = [names.agent(f"{tmp_path / folder / 'me.py'}:agent") for folder in "ab"]
    assert [agent(Mock5(5, 5)) for agent in made] == [3, 4]
    before = names.fingerprint(f"{tmp_path / 'a' / 'me.py'}:agent")
    (tmp_path / "a" / "helper.py").write_text("move = 5\n")
    assert names.fingerprint(f"{tmp_path / 'a' / 'me.py'}:agent") != before, "what it imports beside it counts"
    assert names.fingerprint(f"{tmp_path / 'a' / 'me.py'}:other") != names.fingerprint(
        f"{tmp_path / 'a' / 'me.py'}:agent"
    )


def test_a_training_that_ends_above_a_guess_saves_nothing(tmp_path):
    words = (
        "data/records/mixed_9x9.npz",
        tmp_path / "net",
        "--net",
        "linear",
        "--steps",
        "20",
        "--lr",
        "500",
        "--quiet",
    )
    status, output = said("train", "supervised", course_file(words[0]), *words[1:])
    assert status == 2 and "a learning rate of 500 is too high" in output and not (tmp_path / "net").exists()


def test_a_line_of_a_ladder_that_is_no_meeting_is_named(tmp_path):
    Tournament(tmp_path, pairs=1).run(["greedy", "random"])
    path = tmp_path / "games.jsonl"
    first, meeting = path.read_text().splitlines()
    for wrong in (
        {"agents": ["greedy"]},
        {"round": -1},
        {"games": "ab"},
        {"games": [[1, ["x"], ""]] * 2},
        {"seconds": [None, 1]},
    ):
        path.write_text(f"{first}\n{json.dumps(json.loads(meeting) | wrong)}\n")
        with pytest.raises(ValueError, match="games.jsonl, line 2: not a meeting of 2 games"):
            Tournament.load(tmp_path)
    path.write_text(f"{first}\n{meeting}\n{meeting}\n")
    with pytest.raises(ValueError, match="games.jsonl, line 3: the meeting of line 2 once more"):
        Tournament.load(tmp_path)


def test_an_agent_in_a_file_is_another_one_once_what_it_imports_has_changed(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "mine.py").write_text("import os, brain\nfrom parts.core import move\n\nagent = brain.play\n")
    for file in ("brain.py", "parts/__init__.py", "parts/core.py"):
        (tmp_path / file).write_text("def play(game): ...\n\n\nmove = play\n")
    prints = {names.recipe(f"{tmp_path / 'mine.py'}:agent").print}
    for file in ("brain.py", "parts/core.py"):
        (tmp_path / file).write_text("def play(game):\n    return game.legal_moves()[0]\n\n\nmove = play\n")
        prints.add(names.recipe(f"{tmp_path / 'mine.py'}:agent").print)
    assert len(prints) == 3


def test_a_ladder_knows_what_was_played_by_the_whole_print(tmp_path):
    Tournament(tmp_path, pairs=1).run([names.recipe("uct:1", "x"), "random"])
    with pytest.raises(ValueError, match="x is uct:2 now, and was uct:1 when its games"):
        Tournament(tmp_path, pairs=1).run([names.recipe("uct:2", "x"), "random"])
    Tournament(tmp_path, pairs=1).run([names.recipe("uct:1", "x"), "random"], rounds=2)


def test_a_folder_of_a_run_is_its_best_checkpoint(tmp_path):
    from shutil import copytree

    from mock5lib.course import course_file

    copytree(course_file("data/checkpoints/supervised_9x9"), tmp_path / "run" / "last")
    assert names.agent(f"alphazero:{tmp_path / 'run'}@2", 0)(Mock5(9, 9)) in range(81)


@pytest.mark.parametrize("budget", [{"simulations": -5}, {"simulations": 2.5}, {"seconds": -1}, {"simulations": 0}])
@pytest.mark.parametrize("kind", [UCT, FastUCT])
def test_a_budget_given_at_the_call_is_judged_like_the_constructors(kind, budget):
    with pytest.raises((TypeError, ValueError), match=next(iter(budget))):
        kind(20).search(Mock5(3, 3, 3), **budget)
    with pytest.raises(ValueError, match="at most 100,000,000"):
        FastUCT(20).search(Mock5(3, 3, 3), 2**63 - 1)


# Games ----------------------------------------------------------------------------------------------------------


def edited(**attributes) -> Mock5:
    game = Mock5(9, 9, history=[40, 41])
    for name, value in attributes.items():
        setattr(game, name, value)
    return game


def painted(game: Mock5, where, stone: int) -> Mock5:
    game.cells[where] = stone
    return game


NO_GAMES = {
    "a player that there is not": (lambda: edited(player=10**6), "player to move is 1 or 2, got 1000000"),
    "an endless player": (lambda: edited(player=float("inf")), "player to move is 1 or 2, got inf"),
    "player True": (lambda: edited(player=True), "player to move is 1 or 2, got True"),
    "a stone that there is not": (lambda: painted(Mock5(9, 9), 3, 127), "point 3 holds 127"),
    "a stone below 0": (lambda: painted(Mock5(9, 9), 3, -1), "point 3 holds -1"),
    "a full board": (lambda: painted(Mock5(9, 9), slice(None), 1), "shows a finished game"),
    "a row that nobody made": (lambda: painted(Mock5(9, 9), slice(0, 5), 2), "shows a finished game"),
    "another height": (lambda: edited(height=20), r"now says \(20, 9, 5, False\) and 81 points"),
    "other sides": (lambda: edited(height=3, width=27), r"was made as \(9, 9, 5, False\), and now says \(3, 27"),
    "another k": (lambda: edited(k=0), r"now says \(9, 9, 0, False\)"),
    "a history from elsewhere": (lambda: edited(history=[40, 10**6]), "a point from 0 to 80, got 1000000"),
    "a number": (lambda: 5, "A game is wanted, such as Mock5"),
    "nothing": (lambda: None, "A game is wanted, such as Mock5"),
}


def searches(game):
    """Whatever hands a game to compiled code."""
    from mock5lib.alphago.planes import planes48
    from mock5lib.game.encoders import three_planes
    from mock5lib.gomoku.forced_wins import forced_win
    from mock5lib.gomoku.heuristics import Heuristic
    from mock5lib.search import Search, SearchAgent
    from mock5lib.search.puct import SearchTree

    def expert(planes):
        import numpy as np

        return np.zeros((len(planes), 81)), np.zeros(len(planes))

    yield lambda: FastUCT(20, seed=0).search(game)
    yield lambda: FastUCT(20, seed=0).moves([game])
    yield lambda: UCT(5, seed=0).search(game)
    yield lambda: Heuristic("mixed", 0)(game)
    yield lambda: Heuristic("greedy", 0).moves([game])
    yield lambda: forced_win(game)
    yield lambda: three_planes.encode([game])
    yield lambda: planes48.encode([game])
    yield lambda: Search(expert, 4).run([game])
    yield lambda: SearchAgent(expert, 4)(game)
    if game is not None and game != 5:
        yield lambda: SearchTree(game, expert).run(4)


@pytest.mark.parametrize("kind", NO_GAMES)
def test_what_is_no_game_never_reaches_compiled_code(kind):
    make, sentence = NO_GAMES[kind]
    for number, search in enumerate(searches(make())):
        with pytest.raises((TypeError, ValueError), match=sentence):
            search()
            pytest.fail(f"search {number} took it")


def test_go_is_judged_at_the_same_door():
    sentences = {
        "The player to move is 1 or 2, got 7": lambda game: setattr(game, "player", 7),
        "a point from 0 to 24 or the pass, got 1000000": lambda game: setattr(game, "history", [10**6]),
        "a move that is not legal": lambda game: setattr(game, "history", [7, 7]),
        "not those that the history leads to": lambda game: game.cells.__setitem__(slice(None), 1),
        "komi a number, got 'positional' and nan": lambda game: setattr(game, "komi", float("nan")),
        "ko is positional or simple": lambda game: setattr(game, "ko", "japanese"),
        "size must be between 2 and 19, got -5": lambda game: setattr(game, "size", -5),
        "max_moves must be a whole number, got 3.5": lambda game: setattr(game, "max_moves", 3.5),
    }
    for sentence, change in sentences.items():
        game = Go(5)
        change(game)
        with pytest.raises((TypeError, ValueError), match=sentence):
            FastUCT(5, seed=0).search(game)


OWN_GAME = """
class Ours:  # nobody takes two sticks at the start; the last one wins, or loses in misère
    def __init__(self, sticks=(3,), misere=False):
        self.given, self._misere, self.width, self.actions = tuple(sticks), misere, sum(sticks), 3
        self.height, self.player, self.board, self.history = 1, 1, [1] * self.width, []
    left = property(lambda self: sum(self.board))
    winner = property(lambda self: None if self.left else self.player if self._misere else 3 - self.player)
    max_moves = property(lambda self: self.width)
    def legal_moves(self):
        return [number for number in (1, 2) if number <= self.left]
    def apply(self, move):
        for _ in range(move):
            self.board[self.left - 1] = 0
        self.history.append(move)
        self.player = 3 - self.player
    def undo(self):
        for _ in range(self.history.pop()):
            self.board[self.left] = 1
        self.player = 3 - self.player
    def copy(self):
        other = type(self)(self.given, self._misere)
        other.player, other.board, other.history = self.player, self.board[:], self.history[:]
        return other

class Whole(Ours):
    rules = property(lambda self: {"sticks": self.given, "misere": self._misere})

class Shown(Ours):
    def __init__(self, sticks=(3,), misere=False):
        super().__init__(sticks, misere)
        self.misere = misere
"""


@pytest.fixture
def sticks(tmp_path, monkeypatch):
    """A game in a file, in a folder of its own: the module, and how its games are named."""
    (tmp_path / "sticks.py").write_text(OWN_GAME)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(kit.KNOWN, "Ours", None)
    kit.game_named(f"{tmp_path / 'sticks.py'}:Ours")
    yield sys.modules["sticks"], f"{tmp_path / 'sticks.py'}:"
    del sys.modules["sticks"]


def test_a_game_that_its_rules_do_not_make_anew_is_refused(sticks, tmp_path):
    module, file = sticks
    sentence = "Ours was made with misere=true, but its `rules` don't say so: add a property `rules`"
    for command in (["match", "random", "random", "--games", 2], ["train", "alphazero", tmp_path / "run"]):
        status, output = said(*command, "--game", f"{file}Ours,misere=true")
        assert status == 2 and sentence in " ".join(output.split())
    assert not (tmp_path / "run").exists()
    assert kit.game_named(f"{file}Ours,misere=false").winner is None, "the usual value needs no rules"
    with pytest.raises(ValueError, match=r"Shown\(\*\*rules\) has another misere: False in place of True"):
        kit.bring(module.Shown(misere=True))


def test_a_game_that_was_taken_vouches_for_no_other_of_its_class(sticks):
    module, _ = sticks
    assert match("random", "random", games=2, openings=0, game=module.Ours()).games == 2
    with pytest.raises(ValueError, match="say its arguments in `rules`"):
        match("random", "random", games=2, openings=0, game=module.Ours((1, 2, 3)))
    assert match("random", "random", games=2, openings=0, game=module.Whole((1, 2, 3))).games == 2


def test_a_list_may_be_an_option_of_a_game(sticks):
    game = kit.game_named(f"{sticks[1]}Whole,sticks=[1,2,3],misere=true")
    assert game.given == (1, 2, 3) and game.winner is None and game._misere
    parts = kit.split_options('A,b=[[1,2],[3]],c="d,e",f={"g":1,"h":2}')
    assert parts == ["A", "b=[[1,2],[3]]", 'c="d,e"', 'f={"g":1,"h":2}']


def test_a_run_without_a_checkpoint_says_that_it_has_none_yet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ["--iterations", 1, "--set", "games=2", "--set", "plies=2", "--quiet"]
    with RunFolder("runs/t", json.loads(json.dumps(asdict(preset("tiny")))), file="config.json"):
        pass
    sentence = "runs/t has no checkpoint yet; it keeps the first after 10 rounds"
    for command in (
        ["match", "alphazero:runs/t/last@16", "greedy"],
        ["match", "alphazero:runs/t@16", "greedy"],
        ["page", "runs/t"],
    ):
        status, output = said(*command)
        assert status == 2 and sentence in " ".join(output.split()) and "Train it first" not in output
    (tmp_path / "runs/t/metrics.jsonl").write_text('{"iteration": 1}\n')
    assert sentence in " ".join(said("report", "runs/t")[1].split())
    status, output = said("train", "alphazero", "runs/t", "--preset", "laptop", *options)
    assert status == 2 and " more; name another folder for another run." in output and output.count(" there and ") == 3


def test_a_folder_of_checkpoints_names_those_within(tmp_path):
    for name in ("run/best", "run/last", "nets/one", "nets/two"):
        save_checkpoint(tmp_path / name, make_net("linear"))
    for folder, meant in (("run", "run/last?"), ("nets", f"nets/one or {tmp_path}/nets/two?")):
        with pytest.raises(ValueError, match=re.escape(f"Did you mean {tmp_path}/{meant}")):
            load_agent(tmp_path / folder)


def test_what_a_ladder_can_not_be_is_refused_before_its_folder_is_made(tmp_path):
    for words, sentence in (
        (["--quick", "--board", "15x15"], "--quick has its own board, 9x9"),
        (["--only", "greedy"], "A ladder needs two players, and has 'greedy'"),
        (["--only", "nobody"], "'GNU Go, level 1'"),
    ):
        board = ["--board", "go_9x9"] if "nobody" in words else []
        status, output = said("ladder", *words, *board, "--out", tmp_path / "out")
        assert status == 2 and sentence in output and not (tmp_path / "out").exists()


def test_a_file_beside_is_meant_by_its_name(own):
    with pytest.raises(FileNotFoundError, match=r"mock5lib.agent\('alphazero@16'\) makes it"):
        load_agent("alphazero@16")
    assert "Did you mean my_agent.py:Center or my_agent.py:broken?" in said("match", "my_agent:Center", "random")[1]
    assert said("records", "info", "nope.npz")[1].strip() == "mock5: nope.npz: there is no such file or folder."


# Numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("opponents=uct:100", ("uct:100",)),
        ('opponents=["mixed", "past"]', ("mixed", "past")),
        ("opponents=mixed,uct:5", ("mixed", "uct:5")),
        ('sizes={"reach": 4}', {"reach": 4}),
        ("fpu=none", None),
        ("keep_tree=false", False),
        ("games=32", 32),
        ("lr=1e-3", 1e-3),
    ],
)
def test_a_field_of_a_config_is_read_as_it_is_declared(typed, value):
    name, _, text = typed.partition("=")
    assert read_field(name, text) == value
    assert getattr(preset("laptop", **{name: value}), name) == value


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("foo=1", "no field 'foo'. It has height, width, k"),
        ("simulation=3", "no field 'simulation'. Did you mean simulations"),
        ("lr=hot", "lr must be a number above 0, got 'hot'"),
        ("lr=nan", "lr must be a number above 0, got 'nan'"),
        ("games=1.5", "games must be a whole number, at least 1, got '1.5'"),
        ("noise=2", "noise must be a number from 0 to 1, got '2'"),
        ("keep_tree=1", "keep_tree must be true or false, got '1'"),
        ("sizes=large", "sizes is JSON such as"),
        ("net=deep", "net must be one of"),
    ],
)
def test_and_refused_with_what_it_takes(typed, sentence, tmp_path):
    status, output = said("train", "alphazero", tmp_path / "run", "--iterations", "1", "--set", typed)
    assert status == 2 and sentence in output and not (tmp_path / "run").exists()


def test_the_fields_of_a_config_are_listed():
    status, output = said("train", "alphazero", "--fields", "nowhere")
    assert status == 0 and "lr=0.002" in output and "learning rate (a number above 0)" in output


# The terminal ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "utf-8"])
def test_black_and_white_differ_on_any_terminal(encoding):
    """Code page 437 has no round stones either."""
    text = board_text(Mock5(5, 5, history=[12, 13]), plain_stones(encoding)).plain
    signs = ".XO" if encoding != "utf-8" else "·●○"
    assert text.count(signs[1]) == text.count(signs[2]) == 1 and text.count(signs[0]) == 23
    text.encode(encoding)


def test_python_m_mock5lib_is_the_command():
    found = subprocess.run([sys.executable, "-m", "mock5lib", "--version"], capture_output=True, text=True)
    assert found.returncode == 0 and found.stdout.startswith("mock5 ")


def test_a_net_of_the_course_is_found_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_agent("data/checkpoints/supervised_9x9")(Mock5(9, 9)) in range(81)


def test_and_so_is_what_commands_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for words in (
        ("records", "info", "data/records/mixed_9x9.npz"),
        ("page", "data/checkpoints/alphazero_9x9"),
        ("train", "supervised", "data/records/mixed_9x9.npz", "net", "--net", "linear", "--steps", "1", "--quiet"),
    ):
        status, output = said(*words)
        assert status == 0, output


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a system without this device")
def test_an_output_that_takes_nothing_is_named():
    with open("/dev/full", "w") as full:
        words = [sys.executable, "-m", "mock5lib", "records", "info", "data/records/mixed_9x9.npz"]
        found = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True)
    assert found.returncode == 2 and found.stderr == "mock5: standard output: No space left on device.\n"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("temperature", [0, 1e-310, 1e-30, 1e-3, 1.0, 1e6, 1e30, 1e300, np.inf])
def test_at_no_temperature_is_an_occupied_point_played(temperature, dtype):
    rng = np.random.default_rng(0)
    log_priors = np.full((2000, 9), OCCUPIED, dtype)
    log_priors[:, [2, 5]] = np.log([0.75, 0.25])
    assert set(sample_moves(log_priors, temperature, rng)) <= {2, 5}
    visits = np.zeros((2000, 9), dtype)
    visits[:, [2, 5]] = 0.75, 0.25
    assert set(sample_visited(visits, np.full(2000, 2), temperature, rng)) <= {2, 5}


def test_at_an_endless_temperature_all_that_was_visited_is_equally_likely():
    assert policies_of(np.array([[3, 0, 1]]), np.inf).tolist() == [[0.5, 0, 0.5]]
    for name in ("policy,temperature=inf:data/checkpoints/supervised_9x9", "alphazero,temperature=inf@4"):
        assert names.agent(name, 0)(Mock5(9, 9)) in range(81)


WRONG_NUMBERS = {
    "games must be between 2 and": lambda: match("random", "random", 2**63),
    "seconds must be at most": lambda: match("random", "random", 2, seconds=1e300),
    "A seed is a whole number from 0, a numpy Generator or None, got -1.$": lambda: FastUCT(20, seed=-1),
    "lr must be above 0, at most 1, got 1e": lambda: ReinforceSettings(lr=1e30),
    "exact must be true or false, got 'no'": lambda: Mock5(9, 9, exact="no"),
    "expected a policy, this is 'value_net'": lambda: names.agent("policy:data/checkpoints/alphago_9x9/value.keras"),
    "An agent is a function from a game to a move, got 'greedy'": lambda: play_game(Mock5(5, 5, 4), "greedy", "random"),
    "Mock5 is a class": lambda: play_game(Mock5, UCT(2), UCT(2)),
    "The player to move is 1 or 2, got 0": lambda: match(UCT(2), UCT(2), 2, game=Strange({1: 0, 2: 1})),
    "The winner of a game is None, 0, 1 or 2; Strange says 'black'": lambda: match(
        first_move, first_move, 2, game=Strange({1: 1, 2: 2}, {1: "black", 2: "white"})
    ),
    "written like my_agent.py:NAME": lambda: names.agent("my_agent.py"),
    "games must be a whole number, got '2'": lambda: match("random", "random", "2"),
    "openings must be a number of random moves, or a list": lambda: match("random", "random", 2, openings=2.5),
    "seconds must be a number, got '1'": lambda: match("random", "random", 2, seconds="1"),
    "workers must be a whole number, got '2'": lambda: match("random", "random", 2, workers="2"),
    "FastUCT is a class; make an agent of it first": lambda: match(FastUCT, "random", 2),
    "simulations must be between 1 and": lambda: Search(evenly, 10**12),
    "nodes must be between 2 and": lambda: SearchAgent(evenly, 16, nodes=10**15),
    "A playout gives the winner": lambda: UCT(9, playout=lambda game: None)(Mock5(3, 3, 3)),
    "side must be a whole number, got 'x'": lambda: names.agent("alphazero@4", side="x"),
    "each option is given once": lambda: names.agent("uct,c=1,c=2:5"),
    "can't be read as a command": lambda: names.agent("engine:'"),
}


class Strange:
    """Nim with three stones, which calls players and winners otherwise."""

    def __init__(self, players, winners=None):
        self.players, self.winners, self.stones, self.turn = players, winners or players, 3, 1

    player = property(lambda self: self.players[self.turn])
    winner = property(lambda self: None if self.stones else self.winners[3 - self.turn])

    def legal_moves(self):
        return list(range(min(self.stones, 2)))

    def apply(self, move):
        self.stones, self.turn = self.stones - move - 1, 3 - self.turn

    def copy(self):
        other = Strange(self.players, self.winners)
        other.stones, other.turn = self.stones, self.turn
        return other


def first_move(game):
    return game.legal_moves()[0]


def evenly(planes):
    """An expert that knows nothing."""
    return np.zeros((len(planes), 81)), np.zeros(len(planes))


@pytest.mark.parametrize("sentence", WRONG_NUMBERS)
def test_a_wrong_number_is_told_by_its_name(sentence):
    with pytest.raises((TypeError, ValueError), match=sentence):
        WRONG_NUMBERS[sentence]()


# Files ----------------------------------------------------------------------------------------------------------

GO_READ = {  # a game of Go on 9×9 in SGF: its moves, the stones on the board, who moves next
    ";AB[cc][gg];W[ee];B[ce]": ([40, 38], 4, 2),
    "AB[aa:cc]AW[ii];W[ee]": ([40], 11, 1),
    "AB[aa];AE[aa]AW[bb];B[cc]": ([20], 2, 2),
    "HA[2]AB[cc][gg];W[ee]": ([40], 3, 1),
    "HA[2]AB[cc][gg]": ([], 2, 2),
    "HA[2];B[cc];B[gg];W[ee]": ([20, 81, 60, 40], 3, 1),
    "PL[W]AB[aa]AW[bb];W[ee]": ([40], 3, 1),
    "B[ee];W[cc];B[gg]": ([40, 20, 60], 3, 2),
    ";B[ee]W[cc]": ([40, 20], 2, 1),
    ";W[ee];B[cc]": ([40, 20], 2, 2),
    ";B[ee];W[];B[tt]": ([40, 81, 81], 1, 2),
    ";B[ee];W[];B[];W[]": ([40, 81, 81], 1, 2),
    ";B[ee];W[];B[];W[cc]": ([40, 20], 2, 1),
    ";B[ee];W[];B[];W[];B[cc]": ([40, 81, 20], 2, 2),
    ";B[ee];PL[W];W[cc]": ([40, 20], 2, 1),
    "CA[Big5]PB[\xe9];B[ee]": ([40], 1, 2),
}

GO_REFUSED = {
    ";B[ee];W[R16]": r"move 2, W\[R16\]: a point of a 9×9 board is two letters, aa to ii",
    ";B[jj]": r"move 1, B\[jj\]: a point of a 9×9 board",
    ";B[ee];W[ee]": r"move 2, W\[ee\]: white may not play E5: the point is occupied",
    ";B[ee][cc]": r"move 1, B\[ee\]\[cc\]: one property plays one move",
    ";B[ee];AB[aa];W[cc]": r"after move 1, B\[ee\]: AB\[aa\] sets up stones",
    ";B[ee];W[cc]AE[ee]": r"after move 1, B\[ee\]: AE\[ee\] sets up stones",
    ";B[ee];PL[B];B[cc]": r"after move 1, B\[ee\]: PL\[B\] has a player move twice",
    "HA[2];W[ee]": r"before move 1: HA\[2\], but AB sets up 0 stones",
    "AB[zz];W[ee]": r"before move 1: AB\[zz\] has a point off the board",
    "AB[aa]AW[aa]": "before move 1: AB and AW name the same point",
    "PL[x];B[ee]": r"PL\[x\] is neither B nor W",
    "KM[six];B[ee]": r"KM\[six\] is no number",
    ";b[ee];w[cc]": r"in game 1 the property before \[ee\] has no capital letter",
}


@pytest.mark.parametrize("text", GO_READ)
def test_what_sgf_files_of_go_have_is_read_to_the_last_stone(text):
    game, (moves, stones, player) = from_sgf(f"(;GM[1]SZ[9]{text})"), GO_READ[text]
    assert (game.history, sum(map(bool, game.board)), game.player) == (moves, stones, player)
    again = from_sgf(to_sgf(game))
    assert (again.start, again.history) == (game.start, game.history)


@pytest.mark.parametrize("text", GO_REFUSED)
def test_or_refused_with_the_move_and_the_property(text):
    with pytest.raises(ValueError, match=rf"^my.sgf: .*{GO_REFUSED[text]}"):
        from_sgf(f"(;GM[1]SZ[9]{text})", source="my.sgf")


def test_of_a_collection_one_game_is_read_and_which_one_is_asked():
    two = "(;GM[1]SZ[9];B[ee]) (;GM[1]SZ[9];B[cc];W[cc])"
    with pytest.raises(ValueError, match="^my.sgf: holds 2 games; say which one is wanted, such as number=1"):
        from_sgf(two, source="my.sgf")
    assert from_sgf(two, number=1).history == [40]
    with pytest.raises(ValueError, match="^my.sgf, game 2: .*move 2"):
        from_sgf(two, number=2, source="my.sgf")
    with pytest.raises(ValueError, match="^my.sgf: number must be between 1 and 2, got 3"):
        from_sgf(two, number=3, source="my.sgf")


def test_a_record_keeps_its_rule_and_its_players(tmp_path):
    words = ("--board", "3x5", "--k", "3", "--games", "4", "--openings", "1", "--quiet")
    status, output = said("match", "uct:10", "random", *words, "--records", tmp_path / "m.sgf")
    assert status == 0
    status, output = said("records", "info", tmp_path / "m.sgf")
    assert status == 0 and output.startswith("4 games on 3×5, 3 in a row;") and "ended off the board 0" in output
    assert "match: ['uct:10', 'random']" in output
    assert (tmp_path / "m.sgf").read_text().count("PB[uct:10]PW[random]") == 2
    said("records", "convert", tmp_path / "m.sgf", tmp_path / "again.npz")
    again = Records.load(tmp_path / "again.npz", k=3)
    assert again == Records.load(tmp_path / "m.sgf") and again.card["match"] == ["uct:10", "random"]
    assert again.select([1]).card["players"] == ["uct:10", "random"], "who was black is not known any more"
    with pytest.raises(ValueError, match="m.sgf: its games have k=3, expected 5"):
        Records.load(tmp_path / "m.sgf", k=5)


@pytest.fixture
def threes() -> Records:
    """Two games of three in a row on 3×5, one won by each side."""
    return Records([0, 5, 1, 6, 2, 0, 5, 1, 6, 14, 7], [5, 6], [1, 2], 3, 5, 3, exact=True)


def test_where_a_file_does_not_say_its_rule_the_command_asks(threes, tmp_path):
    threes.save(tmp_path / "t.bin")
    foreign = (threes.save(tmp_path / "t.sgf").read_text()).replace("RU[k=3 exact]", "RU[Renju]")
    (tmp_path / "f.sgf").write_text(foreign)
    asks = {
        ("t.bin",): "does not tell its board; give height and width (--board)",
        ("t.bin", "--board", "3x5"): "was read as five in a row; give k, exact and board if that's wrong (--k,",
        ("f.sgf",): "As 3 in a row its games end as it says; as five in a row 2 of 2 would end undecided. Say which",
        ("t.sgf", "--k", 4): "its games have k=3, expected 4",
        ("t.sgf", "--board", "9"): "games on a 3×5 board, expected 9×9",
        ("f.sgf", "--board", "nine"): "A board is written 9 or 9x12",
    }
    for (name, *words), sentence in asks.items():
        for command in ("info", "show"):
            status, output = said("records", command, tmp_path / name, *words)
            assert status == 2 and sentence in output, output
    rule = ("--k", 3, "--exact")
    for name, words in (("t.bin", ("--board", "3x5", *rule)), ("f.sgf", rule), ("t.sgf", ())):
        status, output = said("records", "convert", tmp_path / name, tmp_path / "out.npz", *words)
        assert status == 0 and Records.load(tmp_path / "out.npz") == threes, output
    with pytest.raises(ValueError, match="f.sgf: doesn't say its rule"):
        Records.load(tmp_path / "f.sgf")
    assert Records.load(tmp_path / "f.sgf", k=5).forfeits.all(), "who says five gets five"


CUT, MORE = "cut short", "with something of another's"
NOT_OURS_WHOLE = {  # what begins as a file of ours does: what is wrong with it, and what is said
    ("t.npz", CUT): lambda data: data[:-40],
    ("t.npz", "other arrays"): lambda data: npz_bytes({"format": np.array("mock5-records-1"), "mine": np.ones(3)}),
    ("t.npz", "another format"): lambda data: npz_bytes({"format": np.array("mine"), "moves": np.ones(3)}),
    ("t.bin", CUT): lambda data: data[:-12],
    ("t.bin", MORE): lambda data: data + b"my notes",
    ("t.sgf", CUT): lambda data: data[:-9],
    ("t.sgf", MORE): lambda data: data.replace(b";B[", b";C[a fine move]B[", 1),
    ("t.sgf", "another's"): lambda data: data.replace(b"RU[k=3 exact]", b"RU[Renju]"),
}


@pytest.mark.parametrize(("name", "kind"), NOT_OURS_WHOLE)
def test_records_are_overwritten_only_if_they_read_as_ours_whole(name, kind, threes, tmp_path):
    data = NOT_OURS_WHOLE[name, kind](threes.save(tmp_path / name).read_bytes())
    threes.save(tmp_path / name)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=f"{name}: is there already and can't be read as .* not overwritten"):
        threes.save(tmp_path / name)
    assert (tmp_path / name).read_bytes() == data


@pytest.mark.parametrize("kind", [CUT, MORE, "lost"])
def test_a_checkpoint_is_overwritten_only_if_it_is_whole_and_alone(kind, tmp_path):
    net, path = make_net("linear"), tmp_path / "net"
    save_checkpoint(path, net)
    save_checkpoint(path, net)
    weights = path / "net.safetensors"
    if kind == CUT:
        weights.write_bytes(weights.read_bytes()[:-8])
    elif kind == MORE:
        (path / "my_notes.txt").write_text("a good one")
    else:
        weights.unlink()
    before = {file.name: file.read_bytes() for file in path.iterdir()}
    with pytest.raises(ValueError, match="my_notes.txt.*not overwritten|net.safetensors: .*not overwritten"):
        save_checkpoint(path, net)
    assert {file.name: file.read_bytes() for file in path.iterdir()} == before


ASKS_TOO_MUCH = {
    "blocks of a net must be a whole number from 0 to 200": {"net": "residual", "blocks": 10**7},
    "channels of a net must be a whole number from 0 to 4096": {"net": "stack", "channels": 10**9},
    "have shape": {"net": "residual", "channels": 4096, "blocks": 200},
    "reach of a net": {"net": "patterns", "reach": 20},
}


@pytest.mark.parametrize("sentence", ASKS_TOO_MUCH)
def test_a_card_may_not_ask_for_what_no_net_needs(sentence, tmp_path):
    card = json.loads((save_checkpoint(tmp_path / "net", make_net("linear")) / "card.json").read_text())
    (tmp_path / "net" / "card.json").write_text(json.dumps(card | {"net": ASKS_TOO_MUCH[sentence]}))
    with pytest.raises(ValueError, match=f"net: .*{sentence}"):
        load_agent(tmp_path / "net")


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_weights_that_are_no_numbers_are_named_where_they_are_loaded(number, tmp_path):
    net = make_net("linear")
    save_checkpoint(tmp_path / "net", net)
    weights = net.state_dict()
    weights["policy.0.bias"].fill_(number)
    data = weights_bytes(weights)
    (tmp_path / "net" / "net.safetensors").write_bytes(data)
    card = json.loads((tmp_path / "net" / "card.json").read_text())
    card["sha256"]["net.safetensors"] = digest(data)
    (tmp_path / "net" / "card.json").write_text(json.dumps(card))
    with pytest.raises(ValueError, match="net.safetensors: the weights 'policy.0.bias' hold NaN or infinity"):
        load_agent(tmp_path / "net")


@pytest.mark.parametrize("edit", [{"player": 2}, {"stone": (8, 8)}])
def test_records_hold_no_games_that_began_elsewhere(edit):
    game = Mock5(9, 9, 3)
    if "stone" in edit:
        game[edit["stone"]] = 1
    game.player = edit.get("player", 1)
    for move in (0, 9, 1, 10, 2):
        game.apply(move)
    with pytest.raises(ValueError, match="Game 1: records hold games from the empty board on, begun by black"):
        Records.from_games([game])


def test_a_picture_is_overwritten_only_if_we_have_drawn_it(tmp_path):
    from matplotlib.figure import Figure

    mine, ours = tmp_path / "mine.png", tmp_path / "ours.png"
    Figure().savefig(mine)
    before = mine.read_bytes()
    with pytest.raises(ValueError, match="mine.png: is there already and does not begin as a picture of ours"):
        write_figure(mine, Figure())
    assert mine.read_bytes() == before
    assert write_figure(ours, Figure()) == write_figure(ours, Figure())


def test_a_net_is_trained_by_the_rule_of_its_records(threes, tmp_path):
    words = ("--net", "linear", "--steps", 1, "--split", 0.5, "--quiet")
    status, output = said("train", "supervised", threes.save(tmp_path / "t.bin"), tmp_path / "net", *words)
    assert status == 2 and "(--board)" in output
    words += ("--board", "3x5", "--k", 3, "--exact")
    status, output = said("train", "supervised", tmp_path / "t.bin", tmp_path / "net", *words)
    assert status == 0 and '"k": 3' in (tmp_path / "net" / "card.json").read_text(), output
    status, output = said("train", "supervised", "data/records/gnugo_9x9.npz", tmp_path / "go", *words[:7])
    assert status == 2 and "holds games of Go" in output


def test_a_winner_that_was_changed_by_hand_is_named(tmp_path):
    Tournament(tmp_path, 3, 3, 3, pairs=1, openings=2).run(["random", "uct:50"])
    file = tmp_path / "games.jsonl"
    head, line = map(json.loads, file.read_text().splitlines())
    game = next(game for game in line["games"] if game[0])
    game[:2] = 3 - game[0], f"{line['agents'][2 - game[0]]} won"
    file.write_text(json.dumps(head) + "\n" + json.dumps(line) + "\n")
    with pytest.raises(ValueError, match="games.jsonl, game .: the winner is given as ., which is not what the board"):
        Tournament.load(tmp_path)


K9 = "(;FF[4]GM[4]CA[UTF-8]SZ[5]RU[k=9]RE[B+];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea])"
PSQ = "Piskvorky 5x5, 11:11, 0\r\n1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,0\na\nb\n-1\n1,0\n"


def test_a_text_is_read_as_other_programs_write_it(tmp_path):
    for name, text in (("a.sgf", K9.replace("k=9", "k=5")), ("a.psq", PSQ)):
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        assert Records.load(tmp_path / name).winners.tolist() == [1]
        (tmp_path / name).write_text(text, encoding="utf-16")
        with pytest.raises(ValueError, match=f"{name}: is written in UTF-16; save it as UTF-8"):
            Records.load(tmp_path / name)


def test_a_row_that_fits_on_no_board_is_not_believed(tmp_path):
    (tmp_path / "k9.sgf").write_text(K9)
    with pytest.raises(ValueError, match="k9.sgf, game 1: nobody can win 9 in a row on a 5×5 board"):
        Records.load(tmp_path / "k9.sgf")


def test_an_empty_file_holds_no_games(tmp_path):
    (tmp_path / "e.bin").write_bytes(b"")
    status, output = said("records", "info", tmp_path / "e.bin", "--board", 9)
    assert status == 2 and "e.bin: holds no games" in output


def test_a_run_that_had_kept_nothing_says_that_it_begins_again(tmp_path):
    about = {"seed": 1}
    for news in ("", f"{tmp_path / 'run'}: had kept no checkpoint yet; it begins again."):
        with RunFolder(tmp_path / "run", about) as run:
            assert run.resume(None) == ([], {}) and run.news == news


@pytest.mark.parametrize("name", ["gnugo_9x9.npz", "gnugo_9x9.sgf", "mixed_9x9.npz"])
def test_the_courses_own_records_can_be_looked_at(name):
    status, output = said("records", "info", f"data/records/{name}")
    assert status == 0 and ("Go with komi 7.5" in output) == name.startswith("gnugo")
    status, output = said("records", "show", f"data/records/{name}", 2)
    assert status == 0 and " won after " in output


def test_a_match_says_its_score_before_anything_about_its_records_can_fail(own, tmp_path):
    words = ("match", "my_agent.py:broken", "random", "--games", "4", "--board", "5", "--quiet", "--records")
    status, output = said(*words, "m.bin")
    assert status == 2 and not list(tmp_path.glob("*.bin"))
    assert output.index("4 games") < output.index("m.bin: a .bin has finished games only, and game 1 was forfeited")
    for name, sentence in (
        ("m.txt", "records are written as .npz, .bin or .sgf"),
        ("my_agent.py/m.npz", "is a file; a folder is needed there"),
    ):
        status, output = said(*words, name)
        assert status == 2 and sentence in output and "4 games" not in output


WRITER = """
import sys
from pathlib import Path
from mock5lib.base.files import replace_folder, write_whole
path, size = Path(sys.argv[1]), int(sys.argv[2])
data = bytes([size % 251]) * size
for _ in range(40):
    write_whole(path / "file", data)
    replace_folder(path / "folder", {"a": data, "b": data})
"""


def test_of_two_writers_of_one_name_each_writes_it_whole(tmp_path):
    (tmp_path / ".file.draft").write_text("my own")
    sizes = (1_000_000, 2_000_000)
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, tmp_path, str(size)]) for size in sizes]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        for name in ("file", "folder/a", "folder/b"):
            if (tmp_path / name).exists():
                try:
                    data = (tmp_path / name).read_bytes()
                except FileNotFoundError:  # its folder has just been moved away
                    continue
                seen.add((len(data), set(data) == {len(data) % 251}))
    assert [writer.returncode for writer in writers] == [0, 0] and seen <= {(size, True) for size in sizes}
    assert (tmp_path / "folder/a").read_bytes() == (tmp_path / "folder/b").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".file.draft", "file", "folder"]
    assert (tmp_path / ".file.draft").read_text() == "my own"


def test_a_command_is_told_that_another_one_writes_its_output(threes, tmp_path):
    source = threes.save(tmp_path / "t.npz")
    outputs = {
        "x.sgf": ("records", "convert", source),
        "y.npz": ("records", "generate"),
        "net": ("train", "supervised", source),
    }
    for name, words in outputs.items():
        with Lock(tmp_path / name):
            status, output = said(*words, tmp_path / name)
        assert status == 2 and f"{name}: another process is writing there" in output, output
    with Lock(tmp_path / "z.npz"):
        status, output = said("match", "random", "random", "--games", "2", "--records", tmp_path / "z.npz")
    assert status == 2 and "z.npz: another process is writing there" in output


def test_what_a_killed_writer_left_is_removed_and_what_it_had_moved_away_comes_back(tmp_path):
    for name in (".a.npz.7-0123abcd.draft", ".net.7-0123abcd.replaced/card.json", ".old.7-0123abcd.removed/x"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    for name in ("a.npz", "net", "old"):
        with Lock(tmp_path / name, whole=True):
            pass
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".lock") == ["net"]
    assert (tmp_path / "net/card.json").read_text() == "x"


NEVER_ENDING = {  # what is in the place of a file: the command that reads it
    "metrics.jsonl": "report .",
    "games.jsonl": "records info .",
    "x.npz": "records info x.npz",
    "x.sgf": "records info x.sgf",
    "x.bin": "records info x.bin --board 9",
    "x.psq": "records info x.psq",
    "y.npz": "train supervised y.npz net",
    "z.npz": "train alphago z.npz out",
}


@pytest.mark.parametrize("name", [name for name in NEVER_ENDING if not name.endswith(".jsonl")])
def test_a_link_that_leads_back_to_itself_is_called_one(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).symlink_to(name)
    status, output = said(*NEVER_ENDING[name].split())
    assert status == 2 and f"{name}: is a link that leads back to itself" in output and "Errno" not in output, output


def test_and_nothing_is_written_to_its_end(tmp_path):
    link = tmp_path / "loop.npz"
    link.symlink_to("loop.npz")
    for write, *more in ((write_whole, b""), (check_ours, b"PK", "records"), (make_folder,)):
        with pytest.raises(ValueError, match="is a link that leads back to itself"):
            write(link, *more)
    assert link.is_symlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes that have names")
@pytest.mark.parametrize("kind", ["pipe", "zero", "huge"])
@pytest.mark.parametrize("name", NEVER_ENDING)
def test_only_files_of_a_sane_size_are_read(name, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name == "metrics.jsonl":
        (tmp_path / "config.json").write_text("{}")
    if kind == "pipe":
        os.mkfifo(name)
    elif kind == "zero":
        os.symlink("/dev/zero", name)
    else:
        with open(name, "wb") as file:
            file.truncate(1 << 40)  # which takes no room on the disk
    status, output = said(*NEVER_ENDING[name].split())
    sentence = "is read up to" if kind == "huge" else "is a pipe or a device, not a file that can be read"
    assert status == 2 and f"{name}: " in output and sentence in output, output

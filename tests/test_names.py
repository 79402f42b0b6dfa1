"""Agents by name: what each name makes, and errors that help."""

import pickle

import pytest

from mock5lib import Mock5, names
from mock5lib.course import course_file
from mock5lib.search.uct_compiled import FastUCT

NET = str(course_file("data/checkpoints/supervised_9x9"))


def test_uct_takes_simulations_or_seconds():
    agent = names.agent("uct:50", seed=0)
    assert isinstance(agent, FastUCT) and agent.simulations == 50 and agent.name == "uct:50"
    assert names.agent("uct:0.5s").seconds == 0.5 and names.agent("uct:2s").seconds == 2
    assert names.agent("uct,c=0.5:10").c == 0.5


def test_names_that_were_kept_mean_what_they_meant():
    old, new = names.agent("mcts:50", seed=3), names.agent("uct,keep_tree=false:50", seed=3)
    game = Mock5(9, 9, history=[40])
    assert old.simulations == 50 and not old.keep_tree and old.name == "mcts:50" and old(game) == new(game)
    assert not names.agent(f"expert,keep_tree=false:{NET}@8").keep_tree


def test_nets_play_with_and_without_search():
    game = Mock5(9, 9)
    policy, expert = names.agent(f"policy:{NET}", seed=0), names.agent(f"expert:{NET}@8", seed=0)
    assert policy(game) in range(81) and expert(game) in range(81)
    assert expert.simulations == 8 and expert.options["forced_moves"] is None
    assert names.agent(f"expert:{NET}").simulations == 64 and names.agent(f"alphazero:{NET}").simulations == 200
    other = names.agent(f"alphazero,c=2.5,forced_moves=false,rule=log-ucb:{NET}@4", seed=0)
    assert other.options == {"forced_moves": False, "c": 2.5, "rule": "log-ucb"}


def test_a_value_can_be_set_for_all_positions():
    game = Mock5(9, 9, history=[40, 41, 31])
    blind, seeing = (names.agent(f"alphazero{option}:{NET}@8", seed=0) for option in (",value=0", ""))
    (result,), (other,) = blind.search([game]), seeing.search([game])
    assert not result.q.any() and result.value == 0 and other.q.any()
    won = Mock5(9, 9, history=[0, 40, 1, 41, 2, 42, 9, 43])  # white threatens two ends: black blocks one, and loses
    assert blind.search([won])[0].value < 0 == blind.search([Mock5(9, 9)])[0].value
    for wrong in ("2", "-1.5", "true", "nan"):
        with pytest.raises(ValueError, match="value must be a number from -1 to 1 or none"):
            names.agent(f"alphazero,value={wrong}:{NET}@8")


def test_a_recipe_travels_and_makes_the_agent_under_its_label():
    recipe = pickle.loads(pickle.dumps(names.recipe("uct:20", "small UCT")))
    assert recipe.name == "small UCT" and recipe.make(3).name == "small UCT" and recipe.make(3).simulations == 20
    assert names.recipe("greedy").name == "greedy" and names.recipe("greedy").make(0).name == "greedy"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("gredy", "no agent 'gredy'. Did you mean greedy"),
        ("alphazer:data/x@3", "Did you mean alphazero:data/…@200"),
        ("", "no agent ''. There are greedy, uct:1000 and alphazero@64, for example. `mock5 agents` lists all"),
        ("alphazero@x", "^alphazero@x: the number of simulations per move stands after the @, as in alphazero@64$"),
        ("supervised@64", "^supervised@64: supervised is a net without a search; write it like supervised$"),
        ("uct", "write it like uct:1000"),
        ("uct:", "write it like uct:1000"),
        ("uct:many", "a number of simulations"),
        ("uct:0", "simulations"),
        ("greedy:3", "write it like greedy"),
        ("greedy,c=3", "greedy has no option 'c'; it has none"),
        ("uct,d=3:100", "uct has no option 'd'; it has c"),
        ("uct,c:100", "written key=value, got 'c'"),
        (f"expert:{NET}@0", "a search has 1 to 1,000,000 simulations a move"),
        (f"expert,rule=best:{NET}@4", "rule"),
        ("engine:", "write it like engine:/path arguments"),
    ],
)
def test_a_wrong_name_is_explained(name, problem):
    with pytest.raises(ValueError, match=problem):
        names.agent(name)


def test_a_missing_file_names_near_ones():
    with pytest.raises(FileNotFoundError, match="there is no such file or folder. In .* there is supervised_9x9"):
        names.agent(f"policy:{NET.replace('supervised', 'supervise')}")
    with pytest.raises(FileNotFoundError, match="nowhere/at/all"):
        names.recipe("policy:nowhere/at/all", "a label")


def test_a_missing_file_is_not_guessed_at_and_a_missing_run_is_to_be_trained(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("guide", "conftest.py"):
        (tmp_path / name).mkdir()
    with pytest.raises(FileNotFoundError, match="^nothere.py: there is no such file or folder.$"):
        names.agent("nothere.py:a")
    with pytest.raises(FileNotFoundError, match="^giude: .* In this folder there is guide.$"):
        names.agent("policy:giude")
    with pytest.raises(FileNotFoundError, match="mock5 train alphazero runs/mine --preset laptop --minutes 13$"):
        names.agent("alphazero:runs/mine/last@64")


def test_a_folder_or_a_file_alone_says_how_its_agent_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("import math\ndef corner(game):\n    return 0\ndef _help():\n    1 / 0\n")
    with pytest.raises(ValueError, match="is written like mine.py:corner, with"):
        names.agent("mine.py")
    (tmp_path / "runs" / "mine" / "last").mkdir(parents=True)
    (tmp_path / "runs" / "mine" / "last" / "card.json").write_text("{}")
    for name in ("runs/mine", "runs/mine@64", "runs/mine/last"):
        with pytest.raises(ValueError, match="A net of yours is written alphazero:runs/mine/last@64.$"):
            names.agent(name)


def test_a_program_that_is_not_here_is_named_before_a_match():
    for kind in ("engine", "gtp"):
        with pytest.raises(FileNotFoundError, match="/no/such: there is no such program here"):
            names.recipe(f"{kind}:/no/such --quiet")


def test_a_short_name_takes_the_net_that_fits_the_board():
    text = "alphazero:data/checkpoints/alphazero_15x15@64"
    assert names.parse("alphazero@64", 15).text == text
    assert names.parse("alphazero,c=2@64", 8).text == "alphazero,c=2:data/checkpoints/alphazero_9x9@64"
    assert names.parse("alphazero", 6, k=4).argument == "data/checkpoints/alphazero_tiny/round_60"
    assert names.parse("uct:1000", 15).text == "uct:1000"
    assert names.agent("expert@8", side=15).name == "expert:data/checkpoints/supervised_15x15@8"
    with pytest.raises(ValueError, match="expert plays 5 in a row, not 4"):
        names.parse("expert", 6, k=4)


def test_the_nets_of_the_course_are_found_from_any_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    agent = names.agent("policy:data/checkpoints/supervised_9x9")
    assert agent.name == "policy:data/checkpoints/supervised_9x9" and agent(Mock5(9, 9)) in range(81)


def test_a_folder_that_is_no_checkpoint_is_named(tmp_path):
    with pytest.raises(ValueError, match="not a checkpoint"):
        names.agent(f"policy:{tmp_path}")


def test_the_fingerprint_follows_the_files(tmp_path):
    assert names.fingerprint("greedy") == "greedy" and names.fingerprint("uct,c=1:100") == "uct,c=1.0:100"
    one = names.fingerprint(f"policy:{NET}")
    assert names.fingerprint(f"expert,fpu=0.2:{NET}@3") == one.replace("policy", "expert,fpu=0.2@3")
    (tmp_path / "net.safetensors").write_bytes(b"other weights")
    assert names.fingerprint(f"policy:{tmp_path}") != one


def test_the_fingerprint_of_alphago_is_that_of_the_nets_it_uses(tmp_path):
    for name in ("strong", "fast", "value"):
        (tmp_path / f"{name}.keras").write_bytes(name.encode())
    one = names.fingerprint(f"alphago:{tmp_path}@8")
    (tmp_path / "other.keras").write_bytes(b"another net")
    assert names.fingerprint(f"alphago:{tmp_path}@8") == one
    assert names.fingerprint(f"alphago,value=other.keras:{tmp_path}@8") != one
    (tmp_path / "value.keras").write_bytes(b"trained on")
    assert names.fingerprint(f"alphago:{tmp_path}@8") != one

"""Runs on disk: nothing in them is ever lost, whatever is damaged, killed, foreign or busy there."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from kills import states_before_each_change

from mock5lib.alphazero import loop as az
from mock5lib.base.files import Lock, replace_folder
from mock5lib.base.runs import RunFolder, last_checkpoint, read_metrics
from mock5lib.game.board import Rules
from mock5lib.learn import policy_gradient as rl
from mock5lib.learn import search_clone as clone
from mock5lib.learn.settings import ReinforceSettings
from mock5lib.nets.nets import make_net

KINDS = ("alphazero", "reinforce", "clone")
SMALL = dict(height=4, width=4, k=3, net="hidden", sizes={"channels": 2, "first": 3}, games=4, plies=5, simulations=6)
SMALL |= dict(
    cheap_simulations=20, full_share=1.0, considered=0, opening_plies=0, search_share=0.0, window=120, fill=20
)
SMALL |= dict(replay_ratio=2, batch_size=16, evaluate_every=2, evaluation_games=2, evaluation_simulations=4)
SMALL |= dict(evaluation_openings=0, opponents=["random", "past"])
LEARN = ReinforceSettings(iterations=3, games=4, lr=0.01, opening_plies=0, seed=1, kl=0.01)
CLONE = clone.CloneSettings(episodes=16, games=4, simulations=4, opening_plies=2, lr=1e-3, seed=3)


def go_on(kind, folder, rounds=None, **changes):
    """The rows of a small run, begun or gone on with, after so many rounds. changes: of its settings."""
    options = dict(folder=folder, keep_every=1)
    if kind == "alphazero":
        config = az.preset("tiny", **SMALL | changes)
        return az.alphazero(config, iterations=rounds or 6, device="cpu", log=None, **options).metrics
    net = make_net("stack", value=kind == "clone", channels=2, layers=2, seed=0).eval()
    if kind == "reinforce":
        settings, rules = replace(LEARN, iterations=rounds or 6, **changes), Rules(3, 3, 3)
        return rl.reinforce(net, "random", settings, rules=rules, progress=False, **options).metrics
    return clone.clone_search(net, replace(CLONE, **changes), stop_after=rounds, progress=False, **options).rows


def timeless(found):
    """Rows without what a clock has measured."""
    if isinstance(found, dict):
        return {name: timeless(part) for name, part in found.items() if "seconds" not in name}
    return [timeless(part) for part in found] if isinstance(found, list) else found


def log_of(folder):
    return next(path for path in (folder / "metrics.jsonl", folder / "log.jsonl") if path.exists())


def tree(folder):
    """Every file of a folder with its content."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def flipped(file, where):
    data = bytearray(file.read_bytes())
    data[int(where * (len(data) - 1))] ^= 1
    file.write_bytes(bytes(data))


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A folder with a run of each kind in today's format."""
    folder = tmp_path_factory.mktemp("begun")
    for kind, rounds in (("alphazero", 4), ("reinforce", 3), ("clone", 2)):
        go_on(kind, folder / kind, rounds)
    return folder


def copy_of(begun, kind, tmp_path):
    return Path(shutil.copytree(begun / kind, tmp_path / kind))


# A run goes on, and another is not written over it -------------------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with a run of each kind that nothing has stopped: its rows and its last weights."""
    folder = tmp_path_factory.mktemp("whole")
    return {kind: (timeless(go_on(kind, folder / kind)), weights_in(folder / kind)) for kind in KINDS}


def weights_in(folder):
    return (last_checkpoint(folder) / "net.safetensors").read_bytes()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lost", [0, 1, 99], ids=["nothing", "the last checkpoint", "all checkpoints"])
def test_a_run_that_was_stopped_goes_on_to_the_rows_and_the_weights_of_one_that_was_not(
    begun, whole, tmp_path, kind, lost
):
    folder = copy_of(begun, kind, tmp_path)
    for step in sorted(folder.glob("step-*"), reverse=True)[:lost]:
        shutil.rmtree(step)
    with log_of(folder).open("a") as log:
        log.write('{"iteration": 5, "sco')  # cut short in the middle of a line
    rows = go_on(kind, folder)
    assert (timeless(rows), weights_in(folder)) == whole[kind] and read_metrics(folder) == rows


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        ("alphazero", {"lr": 0.1, "seed": 3}, "lr is 0.002 there and 0.1 here; seed is 0 there and 3 here"),
        ("reinforce", {"lr": 0.02}, "lr is 0.01 there and 0.02 here"),
        ("clone", {"simulations": 7}, "simulations is 4 there and 7 here"),
    ],
)
def test_a_folder_of_another_run_or_of_something_else_is_refused_and_stays(begun, tmp_path, kind, changes, words):
    folder = copy_of(begun, kind, tmp_path)
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "letter.txt").write_text("hello")
    before = tree(tmp_path)
    with pytest.raises(ValueError, match=words):
        go_on(kind, folder, **changes)
    (tmp_path / "letters" / ".letter.npz.lock").write_text("")  # left by a command that was stopped: no reason
    with pytest.raises(ValueError, match="letters: .*holds no run: 'letter.txt' is there"):
        go_on(kind, tmp_path / "letters")
    (tmp_path / "letters" / ".letter.npz.lock").unlink()
    assert {name: data for name, data in tree(tmp_path).items() if name.name != ".lock"} == {
        name: data for name, data in before.items() if name.name != ".lock"
    }


# Damage ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", ["torn", "missing", "doubled", "foreign"])
def test_a_damaged_log_decides_about_nothing(begun, tmp_path, kind, damage):
    folder = copy_of(begun, kind, tmp_path)
    log, rows = log_of(folder), read_metrics(folder)
    lines = log.read_bytes().splitlines(keepends=True)
    if damage == "missing":
        log.unlink()
    else:
        damaged_lines = {
            "torn": [lines[0], lines[1][:9]],
            "doubled": [lines[0]] * 2,
            "foreign": [b"dear\n", b"diary\n"],
        }
        log.write_bytes(b"".join(damaged_lines[damage]))
    steps = [path.name for path in sorted(folder.glob("step-*"))]
    assert go_on(kind, folder, len(rows) if kind != "clone" else 1)[: len(rows)] == rows
    assert read_metrics(folder)[: len(rows)] == rows
    assert kind == "clone" or [path.name for path in sorted(folder.glob("step-*"))] == steps


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_byte_in_any_file_of_the_checkpoint_stops_the_run_with_the_files_name(begun, tmp_path, kind):
    folder = copy_of(begun, kind, tmp_path)
    step = last_checkpoint(folder)
    for file in sorted(step.iterdir()):
        if file.name == "card.json":  # holds the sums; what is said in it is no part of the run
            continue
        whole = file.read_bytes()
        for where in (0.1, 0.9):
            flipped(file, where)
            before = tree(folder)
            with pytest.raises(ValueError, match="damaged|not there|weights") as caught:
                go_on(kind, folder, 9)
            assert file.name in str(caught.value)
            assert tree(folder) == before
            file.write_bytes(whole)


def test_a_reader_of_the_log_is_told_where_it_is_damaged(begun, tmp_path):
    folder = copy_of(begun, "alphazero", tmp_path)
    lines = log_of(folder).read_bytes().split(b"\n")
    lines[2] = b"z" + lines[2][1:]  # a "{" with one bit flipped
    log_of(folder).write_bytes(b"\n".join(lines))
    with pytest.warns(UserWarning, match="metrics.jsonl, line 3: damaged; 2 rows are left out"):
        assert len(read_metrics(folder)) == 2


# A process that is killed ---------------------------------------------------------------------------------------


def test_a_store_killed_at_any_moment_goes_on_and_leaves_nothing_behind(tmp_path):
    states = states_before_each_change(tmp_path / "run", tmp_path / "kept", lambda: work(tmp_path / "run"))
    assert len(states) > 50
    for folder in states:
        assert work(folder) == [{"iteration": 1}, {"iteration": 2}, {"iteration": 3}, {"iteration": 4}]
        left = {path.name for path in folder.iterdir()}
        left -= {"step-000002"}  # what was to go next
        assert left == {".lock", "metrics.jsonl", "settings.json", "start", "step-000003", "step-000004"}
        assert (folder / "start" / "of").read_bytes() == b"the run"


def work(folder):
    """A run of four rounds in a store, with a checkpoint after each."""
    with RunFolder(folder, {"seed": 0}) as store:
        rows, _ = store.resume(lambda step, state, rows: None)
        if not (folder / "start").exists():
            replace_folder(folder / "start", {"of": b"the run"})
        while len(rows) < 4:
            rows.append({"iteration": len(rows) + 1})
            store.append(rows[-1])
            store.keep(rows, {}, lambda step, files: replace_folder(step, {**files, "card.json": b"{}"}))
    return rows


# Neighbors -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_process_is_told_who_writes_and_changes_nothing(begun, tmp_path, kind):
    folder = copy_of(begun, kind, tmp_path)
    with Lock(folder):
        before = tree(folder)
        with pytest.raises(BlockingIOError, match="another process is writing there"):
            go_on(kind, folder)
        assert tree(folder) == before
    go_on(kind, folder, 1)


def passing_error():
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize("kind", KINDS)
def test_a_disk_that_can_not_be_read_now_is_no_damage(begun, tmp_path, kind, monkeypatch):
    folder = copy_of(begun, kind, tmp_path)
    before, real = tree(folder), Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: passing_error() if path.suffix in (".pt", ".npz") else real(path)
    )
    with pytest.raises(OSError, match="Input/output error"):
        go_on(kind, folder)
    monkeypatch.undo()
    assert tree(folder) == before

"""Runs on disk: nothing in them is ever lost, whatever is damaged, killed, foreign or busy there."""

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from mock5lib.alphazero import loop as az
from mock5lib.alphazero.folder import read_config
from mock5lib.base.files import Lock, heal, replace_folder, write_whole
from mock5lib.base.runs import Store, last_checkpoint, read_metrics
from mock5lib.game.table import Rules
from mock5lib.learn import reinforce as rl
from mock5lib.learn import search_clone as clone
from mock5lib.nets.checkpoints import load_agent
from mock5lib.nets.nets import make_net

OLD = Path(__file__).resolve().parent / "old_runs"
KINDS = ("alphazero", "reinforce", "clone")
LEARN = rl.ReinforceSettings(iterations=3, games=4, lr=0.01, opening_plies=0, seed=1, kl=0.01)
CLONE = clone.CloneSettings(episodes=16, games=4, simulations=4, opening_plies=2, lr=1e-3, seed=3)


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


def go_on(kind, folder, rounds=None, **options):
    """The rows of a run of the old runs' settings, begun or gone on with, after so many rounds."""
    options = dict(folder=folder, keep_every=1, **options)
    if kind == "alphazero":
        config = read_config(OLD / "alphazero")
        return az.alphazero(config, iterations=rounds or 6, device="cpu", log=None, **options).metrics
    net = make_net("stack", value=kind == "clone", channels=2, layers=2, seed=0).eval()
    if kind == "reinforce":
        settings, rules = replace(LEARN, iterations=rounds or 6), Rules(3, 3, 3)
        return rl.reinforce(net, "random", settings, rules=rules, progress=False, **options).metrics
    return clone.clone_search(net, CLONE, stop_after=rounds, progress=False, **options).rows


def test_a_config_nested_without_end_is_an_error_that_names_it(tmp_path):
    (tmp_path / "config.json").write_text('{"game": ' * 100_000)
    with pytest.raises(ValueError, match="config.json: not the config of a run"):
        read_config(tmp_path)


def log_of(folder):
    return next(path for path in (folder / "metrics.jsonl", folder / "log.jsonl") if path.exists())


def plain(rows):
    """Rows without times, with rounded numbers: the stored ones may have been made on another processor."""
    if isinstance(rows, dict):
        return {name: plain(value) for name, value in rows.items() if "seconds" not in name}
    if isinstance(rows, list):
        return [plain(value) for value in rows]
    return pytest.approx(rows, rel=1e-3, abs=1e-5) if isinstance(rows, float) else rows


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


# Runs from before -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_begun_by_older_code_goes_on_to_the_rows_that_it_would_have_had(tmp_path, kind):
    folder = Path(shutil.copytree(OLD / kind, tmp_path / kind))
    expected = [json.loads(line) for line in (OLD / f"{kind}_goes_on_to.jsonl").read_text().splitlines()]
    found = go_on(kind, folder)
    assert found == plain(expected) if kind == "reinforce" else strip(found) == plain(expected)
    assert len(expected) > len(read_metrics(OLD / kind)) and read_metrics(folder) == found
    assert not list(folder.glob("set-aside-*"))


def strip(rows):
    return [{name: value for name, value in row.items() if "seconds" not in name} | bare(row) for row in rows]


def bare(row):
    if "evaluations" not in row:
        return {}
    return {"evaluations": [{k: v for k, v in found.items() if "seconds" not in k} for found in row["evaluations"]]}


@pytest.mark.parametrize("kind", KINDS)
def test_a_checkpoint_without_checksums_is_used_and_one_sentence_says_so(tmp_path, kind, capsys):
    folder = Path(shutil.copytree(OLD / kind, tmp_path / kind))
    go_on(kind, folder)
    said = capsys.readouterr().err
    assert said.count("before checkpoints had checksums") == 1 and "/step-00000" in said, said
    go_on(kind, folder)
    assert "checksums" not in capsys.readouterr().err


def test_doubled_rows_of_older_code_cost_nothing(tmp_path):
    folder = Path(shutil.copytree(OLD / "alphazero", tmp_path / "run"))
    lines = log_of(folder).read_text().splitlines(keepends=True)
    log_of(folder).write_text("".join(line + line for line in lines))
    rows = go_on("alphazero", folder)
    assert [row["iteration"] for row in rows] == [1, 2, 3, 4, 5, 6] and read_metrics(folder) == rows
    assert len(read_metrics(folder / "set-aside-1")) == 6


def test_a_damaged_log_of_older_code_stops_the_run_and_changes_nothing(tmp_path):
    folder = Path(shutil.copytree(OLD / "alphazero", tmp_path / "run"))
    flipped(log_of(folder), 0)
    before = tree(folder)
    with pytest.raises(ValueError, match="metrics.jsonl: line 1 is damaged.*Nothing was changed"):
        go_on("alphazero", folder)
    assert tree(folder) == before


# Damage ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("damage", ["start", "middle", "end", "torn", "missing", "doubled", "foreign"])
def test_a_damaged_log_decides_about_nothing(begun, tmp_path, kind, damage):
    folder = copy_of(begun, kind, tmp_path)
    log, rows = log_of(folder), read_metrics(folder)
    lines = log.read_bytes().splitlines(keepends=True)
    if damage == "missing":
        log.unlink()
    elif damage in ("start", "end"):
        flipped(log, {"start": 0, "end": 1}[damage])
    else:
        damaged_lines = {
            "middle": [lines[0], lines[1].replace(b": ", b": 1", 1), *lines[2:]],
            "torn": [lines[0], lines[1][:9]],
            "doubled": [lines[0]] * 2,
            "foreign": [b"dear\n", b"diary\n"],
        }
        log.write_bytes(b"".join(damaged_lines[damage]))
    damaged = log.read_bytes() if log.exists() else None
    steps = [path.name for path in sorted(folder.glob("step-*"))]
    assert go_on(kind, folder, len(rows) if kind != "clone" else 1)[: len(rows)] == rows
    assert read_metrics(folder)[: len(rows)] == rows
    assert kind == "clone" or [path.name for path in sorted(folder.glob("step-*"))] == steps
    if damage in ("start", "middle", "doubled", "foreign"):
        assert (folder / "set-aside-1" / log.name).read_bytes() == damaged


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_byte_in_any_file_of_the_checkpoint_stops_the_run_with_the_files_name(begun, tmp_path, kind):
    folder = copy_of(begun, kind, tmp_path)
    step = last_checkpoint(folder)
    for file in sorted(step.iterdir()) + sorted((folder / "buffer").glob("*")):
        whole = file.read_bytes()
        for where in (0.1, 0.9):
            flipped(file, where)
            before = tree(folder)
            with pytest.raises(ValueError, match="damaged|not there") as caught:
                go_on(kind, folder, 9)
            assert file.name in str(caught.value) or file.name == "SHA256SUMS"
            assert tree(folder) == before
            file.write_bytes(whole)


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_goes_on_from_an_older_checkpoint_if_asked_to_and_keeps_the_damaged_one(begun, tmp_path, kind, capsys):
    folder = copy_of(begun, kind, tmp_path)
    step, rows = last_checkpoint(folder), read_metrics(folder)
    flipped(step / "optimizer.pt", 0.5)
    kept = tree(step)
    again = go_on(kind, folder, len(rows) if kind != "clone" else 1, from_older=True)
    assert plain_times(again) == plain_times(rows)
    assert tree(folder / "set-aside-1" / step.name) == kept
    assert f"{step.name} can't be used" in capsys.readouterr().err  # though it was asked to be quiet


def plain_times(rows):
    return strip(json.loads(json.dumps(rows)))


def test_the_oldest_file_of_the_buffer_decides_about_nothing(begun, tmp_path):
    folder = copy_of(begun, "alphazero", tmp_path)
    oldest = sorted((folder / "buffer").glob("*"))[0]
    flipped(oldest, 0.5)
    before = tree(folder)
    with pytest.raises(ValueError, match=f"{oldest.name}: damaged.*from its beginning"):
        go_on("alphazero", folder)
    assert tree(folder) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_disk_that_can_not_be_read_now_is_no_damage(begun, tmp_path, kind, monkeypatch):
    folder = copy_of(begun, kind, tmp_path)
    before, real = tree(folder), Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: passing_error() if path.suffix in (".pt", ".npz") else real(path)
    )
    with pytest.raises(OSError, match="Input/output error"):
        go_on(kind, folder, from_older=True)
    monkeypatch.undo()
    assert tree(folder) == before


def passing_error():
    raise OSError(5, "Input/output error")


def test_a_reader_of_the_log_is_told_where_it_is_damaged(begun, tmp_path):
    folder = copy_of(begun, "alphazero", tmp_path)
    lines = log_of(folder).read_bytes().split(b"\n")
    lines[2] = b"z" + lines[2][1:]  # a "{" with one bit flipped
    log_of(folder).write_bytes(b"\n".join(lines))
    with pytest.warns(UserWarning, match="metrics.jsonl, line 3: damaged; 2 rows are left out"):
        assert len(read_metrics(folder)) == 2


def test_a_log_without_checkpoints_is_kept_when_a_run_begins_in_its_folder(tmp_path):
    shutil.copytree(OLD / "alphazero", tmp_path / "run", ignore=shutil.ignore_patterns("step-*", "last", "*.npz"))
    go_on("alphazero", tmp_path / "run", 1)
    assert read_metrics(tmp_path / "run" / "set-aside-1") == read_metrics(OLD / "alphazero")


# A process that is killed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [4, 5])
def test_a_folder_that_was_being_replaced_is_read_and_put_back(begun, tmp_path, rounds):
    """Killed between two renames: `last` is in `.last.old.…`, also when no iteration is left to do."""
    folder = copy_of(begun, "alphazero", tmp_path)
    weights = (folder / "last" / "net.safetensors").read_bytes()
    (folder / ".last.old.abcd1234").mkdir()
    (folder / "last").rename(folder / ".last.old.abcd1234" / "last")
    (folder / ".last.abcd5678").mkdir()
    (folder / ".step-000004.abcd5678").mkdir()
    shutil.rmtree(folder / "best")
    assert load_agent(folder / "last").checkpoint.card["training"]["iteration"] == 4
    go_on("alphazero", folder, rounds)
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]
    assert load_agent(folder / "last").checkpoint.card["training"]["iteration"] == rounds
    assert rounds != 4 or (folder / "last" / "net.safetensors").read_bytes() == weights
    assert json.loads((folder / "step-000004" / "state.json").read_text())["best_at"] in (2, 4)
    assert (folder / "best").exists() == (
        json.loads((folder / "step-000004" / "state.json").read_text())["best_at"] == 4
    )


def test_a_store_killed_at_any_moment_goes_on_and_leaves_nothing_behind(tmp_path):
    """Killed before each event of the file system in turn, from the first on."""
    ended, number = False, 0
    while not ended:
        number += 1
        folder = tmp_path / str(number)
        child = os.fork()
        if not child:
            killed_at(number)
            work(folder)
            os._exit(0)
        ended = os.waitpid(child, 0)[1] == 0
        assert work(folder) == [{"iteration": 1}, {"iteration": 2}, {"iteration": 3}, {"iteration": 4}]
        left = {path.name for path in folder.iterdir()}
        left -= {"set-aside-1", "step-000002"}  # rows from before the first checkpoint; what was to go next
        assert left == {"metrics.jsonl", "settings.json", "start", "step-000003", "step-000004"}
        if not ended:
            assert (folder / "start" / "of").read_bytes() == b"the run"
    assert number > 50


def work(folder):
    """A run of four rounds in a store, with a checkpoint after each."""
    with Store(folder, {"seed": 0}) as store:
        rows, _ = store.resume(lambda step, state, rows: None)
        if not (folder / "start").exists():
            replace_folder(folder / "start", {"of": b"the run"})
        while len(rows) < 4:
            rows.append({"iteration": len(rows) + 1})
            store.append(rows[-1])
            store.keep(rows, {}, replace_folder)
    return rows


def killed_at(number):
    """End this process without any cleaning up before its `number`th change of the file system."""
    left = [number]

    def watch(name, arguments):
        writes = {
            "os.rename",
            "os.remove",
            "os.rmdir",
            "os.mkdir",
            "os.truncate",
            "tempfile.mkstemp",
            "tempfile.mkdtemp",
        }
        if name in writes or (name == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT):
            left[0] -= 1
            if not left[0]:
                os._exit(9)

    sys.addaudithook(watch)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("trace", [".lock", ".settings.json.abcd1234", ".config.json.abcd1234", "settings.json"])
def test_a_run_killed_at_its_very_start_can_be_gone_on_with(begun, tmp_path, kind, trace):
    folder = tmp_path / "run"
    folder.mkdir()
    if trace == "settings.json":
        trace = "config.json" if kind == "alphazero" else trace
        shutil.copy(begun / kind / trace, folder)
    elif trace == ".lock" or ("config" in trace) == (kind == "alphazero"):
        (folder / trace).write_bytes(b"")
    assert len(go_on(kind, folder, 1)) == 1


def test_a_run_killed_at_its_start_by_older_code_can_be_gone_on_with(tmp_path):
    shutil.copytree(OLD / "reinforce" / "start", tmp_path / "run" / "start")
    assert len(go_on("reinforce", tmp_path / "run", 3)) == 3
    shutil.copytree(OLD / "clone" / "start", tmp_path / "other" / "start")  # a checkpoint, but of something else
    with pytest.raises(ValueError, match="holds no run, but 'start'"):
        go_on("reinforce", tmp_path / "other", 3)
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["start"]


# Neighbours -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_process_is_told_who_writes_and_changes_nothing(begun, tmp_path, kind):
    folder = copy_of(begun, kind, tmp_path)
    with Lock(folder):
        before = tree(folder)
        with pytest.raises(BlockingIOError, match=f"process {os.getpid()} on .* is writing there"):
            go_on(kind, folder)
        assert tree(folder) == before
    go_on(kind, folder, 1)


def test_a_lock_ends_with_its_process_however_that_ends(tmp_path):
    script = "from mock5lib.base.files import Lock; Lock(sys.argv[1]).__enter__(); print(1, flush=True); time.sleep(99)"
    command = [sys.executable, "-c", f"import sys, time; {script}", str(tmp_path)]
    other = subprocess.Popen(command, stdout=subprocess.PIPE)
    other.stdout.readline()
    with pytest.raises(BlockingIOError, match=f"process {other.pid} on"), Lock(tmp_path):
        pass
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert (tmp_path / ".lock").exists()
    with Lock(tmp_path):
        assert (tmp_path / ".lock").read_text().startswith(f"process {os.getpid()} on")
    assert not (tmp_path / ".lock").exists()


def test_the_command_that_comes_second_ends_with_code_2_and_one_sentence(begun, tmp_path):
    from typer.testing import CliRunner

    from mock5lib.cli import app

    folder = copy_of(begun, "alphazero", tmp_path)
    sets = [
        f"--set={name}={json.dumps(value)}"
        for name, value in json.loads((OLD / "alphazero" / "config.json").read_text()).items()
    ]
    with Lock(folder):
        before = tree(folder)
        shown = CliRunner().invoke(app, ["train", "alphazero", str(folder), "--iterations", "9", "--quiet", *sets])
        assert shown.exit_code == 2 and "is writing there" in shown.output and shown.output.count("\n") == 1
        assert tree(folder) == before


def test_healing_leaves_what_is_not_ours(tmp_path):
    for name in (".notes.abcd1234", ".last.txt", "last.abcd1234", ".last.old.txt"):
        write_whole(tmp_path / name, b"mine")
    before = tree(tmp_path)
    heal(tmp_path, "last|best")
    assert tree(tmp_path) == before

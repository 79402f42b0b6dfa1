"""Whole commands, killed, doubled, damaged, stopped and lied to: nothing is lost, and one sentence says what is wrong.

Every test waits for a step, a line or a file or a process, never for the clock. Commands run in this process where they
can, so that torch is loaded once; those that are killed, doubled or stopped run in processes of their own.
"""

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path

import pytest
import torch
from kills import states_before_each_change
from typer.testing import CliRunner

from mock5lib.base.files import digest, write_whole
from mock5lib.cli import app

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
slow = pytest.mark.slow

MARK = "MOCK5_TEST"  # in the environment of all that a command starts
PEERS = Path(__file__).parent
SETS = (
    "--threads 1 --device cpu --keep-every 1 --quiet --set simulations=4 --set games=4 --set fill=10 --set batch_size=8"
    " --set evaluate_every=1 --set evaluation_games=2 --set evaluation_simulations=2 --set opponents='[\"random\"]'"
)
COMMANDS = {
    "alphazero": f"train alphazero run --preset tiny --iterations 3 {SETS}",
    "reinforce": "train reinforce net run --against random --iterations 3 --games 4 --evaluate-every 0 --keep-every 1"
    " --opening-plies 0 --quiet",
    "ladder": "ladder --only random --only pt --rounds 3 --pairs 1 --workers 1 --out ladder --quiet",
}
KINDS = tuple(COMMANDS)
GO = f"go records PLACE --games 2 --size 5 --quiet --program '{sys.executable} {PEERS}/gtp_program.py passes'"


def command(folder: Path, text: str) -> tuple[int, str]:
    """Run a `mock5` command in a folder: its exit code, and all it said. What is no sentence of ours is raised."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        result = CliRunner().invoke(app, shlex.split(text))
    finally:
        os.chdir(before)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def process(folder: Path, text: str, *python: str, mark: str = "none") -> subprocess.Popen:
    """The same in a process and a group of its own."""
    return subprocess.Popen(
        [sys.executable, "-u", *python, "-m", "mock5lib.cli", *shlex.split(text)],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), MARK: mark},
    )


def wait_for(happened, running: subprocess.Popen) -> None:
    """Until something has happened; the process must not end before it has."""
    end = time.monotonic() + 300
    while not happened():
        assert running.poll() is None and time.monotonic() < end, running.communicate()
        time.sleep(0.02)


def files(folder: Path) -> dict[str, bytes]:
    """What is there, but for locks."""
    found = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".lock")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def outcome(folder: Path) -> list:
    """What a command has made, without times: it must be the same whatever happened on the way."""
    logs = [data for name, data in sorted(files(folder).items()) if name.endswith(".jsonl")]
    rows = [json.loads(line) for data in logs for line in data.splitlines()]
    nets = [folder / "run" / name / "net.safetensors" for name in ("step-000003", "last", "best")]
    return [timeless(rows), [digest(path.read_bytes()) for path in nets if path.exists()]]


def timeless(found):
    if isinstance(found, dict):
        return {name: timeless(found[name]) for name in found if "seconds" not in name and name != "thinking"}
    return [timeless(value) for value in found] if isinstance(found, list) else found


@pytest.fixture(scope="module")
def begun(tmp_path_factory) -> Path:
    """A folder for each kind in which its command can begin, and one with files to read."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("begun")
    for kind in (*KINDS, "files"):
        (folder / kind).mkdir()
    files = folder / "files"
    for text in (
        "records generate learn.npz --board 7 --games 40 --seed 1 --quiet",
        "train supervised learn.npz net --net linear --steps 2 --quiet",
        COMMANDS["alphazero"].replace("--iterations 3", "--iterations 1"),
    ):
        assert command(files, text)[0] == 0, text
    shutil.copytree(files / "run" / "last", folder / "reinforce" / "net")
    return folder


@pytest.fixture(scope="module")
def whole(begun, tmp_path_factory) -> Path:
    """A folder for each kind in which its command has run to its end."""
    folder = tmp_path_factory.mktemp("whole")
    for kind in KINDS:
        shutil.copytree(begun / kind, folder / kind)
        assert command(folder / kind, COMMANDS[kind])[0] == 0
    return folder


# Killed ----------------------------------------------------------------------------------------------------------


@slow
@pytest.mark.parametrize("kind", KINDS)
def test_killed_at_any_of_eight_moments_the_same_command_goes_on_to_the_same(begun, whole, kind, tmp_path):
    folder = Path(shutil.copytree(begun / kind, tmp_path / "runs"))
    kept = states_before_each_change(folder, tmp_path / "kept", lambda: command(folder, COMMANDS[kind]))
    assert len(kept) >= 8
    for state in [kept[number * (len(kept) - 1) // 7] for number in range(8)]:
        code, said = command(state, COMMANDS[kind])
        drafts = [path for path in state.rglob(".*") if not path.name.endswith(".lock")]
        assert (code, drafts) == (0, []) and outcome(state) == outcome(whole / kind), (state.name, said)


# Doubled ---------------------------------------------------------------------------------------------------------


@slow
@pytest.mark.parametrize(
    ("kind", "short", "long", "log"),
    [
        ("alphazero", "--iterations 3", "--iterations 100000", "run/metrics.jsonl"),
        ("reinforce", "--iterations 3", "--iterations 100000", "run/metrics.jsonl"),
        ("ladder", "--rounds 3", "--rounds 100000", "ladder/games.jsonl"),
    ],
)
def test_of_two_processes_one_writes_and_the_other_is_told_so(begun, kind, short, long, log, tmp_path):
    shutil.copytree(begun / kind, folder := tmp_path / "run")
    first = process(folder, COMMANDS[kind].replace(short, long))
    try:
        wait_for(lambda: (folder / log).exists() and (folder / log).read_bytes().count(b"\n") > 1, first)
        code, said = command(folder, COMMANDS[kind])
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
    assert code == 2 and "is writing there" in said, (code, said)
    rows = [json.loads(line) for line in (folder / log).read_bytes().split(b"\n")[:-1]]
    assert len({json.dumps(row) for row in rows}) == len(rows)
    assert "is writing there" not in command(folder, COMMANDS[kind])[1]  # the lock ended with its process


# Damaged ---------------------------------------------------------------------------------------------------------

DAMAGES = {
    "a bit": lambda data: bytes([data[0] ^ 1]) + data[1:],
    "its end": lambda data: data[: len(data) // 2],
    "all": lambda data: b"",
}


@slow
@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize(
    ("kind", "pattern", "text"),
    [
        ("alphazero", "run/buffer/*", None),
        ("alphazero", "run/config.json", None),
        ("files", "learn.npz", "train supervised learn.npz new --steps 2"),
        ("files", "net/*", "match policy:net random --games 2"),
        ("ladder", "ladder/games.jsonl", None),
    ],
)
def test_a_damaged_file_is_named_and_nothing_is_changed(begun, whole, kind, pattern, text, how, tmp_path):
    if how != "a bit" and pattern.endswith(".jsonl"):
        pytest.skip("a last line cut short is what a kill leaves; the command goes on")
    shutil.copytree(begun / kind if kind == "files" else whole / kind, folder := tmp_path / "runs")
    found = [path for path in sorted(folder.glob(pattern)) if path.name != "card.json"]
    assert found
    for path in found:
        intact = path.read_bytes()
        path.write_bytes(DAMAGES[how](intact))
        before = files(folder)
        code, said = command(folder, text or COMMANDS[kind])
        sentences = [line for line in said.splitlines() if line and "0%|" not in line]  # a bar may have begun
        assert code == 2 and path.name in said and len(sentences) == 1 and files(folder) == before, (path.name, said)
        path.write_bytes(intact)


# Foreign ---------------------------------------------------------------------------------------------------------

PLACES = [  # (command, what is there already)
    *(("match random pt --games 2 --quiet --records PLACE", f"games.{kind}") for kind in ("npz", "sgf", "bin")),
    *(("records convert FILES/learn.npz PLACE", f"games.{kind}") for kind in ("npz", "sgf", "bin")),
    ("report FILES/run --out PLACE", "thesis.html"),
    ("page FILES/net --out PLACE", "thesis.html"),
    ("records generate PLACE --games 4 --quiet", "games.npz"),
    (GO, "games.npz"),
    *(
        (COMMANDS["ladder"].replace("--out ladder", "--out ."), name)
        for name in ("games.jsonl", "table.json", "cross.png")
    ),
    ("train supervised FILES/learn.npz out --net linear --steps 2 --quiet", "out/thesis.txt"),
    ("train reinforce FILES/net out --iterations 1 --quiet", "out/thesis.txt"),
    ("train alphazero out --preset tiny --iterations 1 --quiet", "out/thesis.txt"),
    ("train alphazero out --preset tiny --iterations 1 --quiet", "out/config.json"),
]


@pytest.mark.parametrize(("text", "name"), PLACES)
def test_a_foreign_file_is_named_and_stays(begun, text, name, tmp_path):
    content = b'{"my": "thesis"}\n' if ".json" in name else b"dear diary\nmonday\n"
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(content)
    code, said = command(tmp_path, text.replace("PLACE", name).replace("FILES", str(begun / "files")))
    assert files(tmp_path) == {name: content} and code == 2 and name.partition("/")[0] in said, said


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path):
    (tmp_path / "kept").mkdir()
    link, target = tmp_path / "link.json", tmp_path / "kept" / "file.json"
    link.symlink_to(target)
    for data in (b"1", b"2"):
        assert write_whole(link, data) == target and link.is_symlink() and target.read_bytes() == data


# Stopped by Ctrl-C -----------------------------------------------------------------------------------------------


class Running:
    """A command in a process of its own, what it has said so far, and the processes that it has started."""

    def __init__(self, folder: Path, text: str, *python: str, typed: str = ""):
        self.folder, self.mark, self.said = folder, uuid.uuid4().hex, ""
        self.process = process(folder, text, *python, mark=self.mark)
        pipes = (self.process.stdout, self.process.stderr)
        self.readers = [threading.Thread(target=self.read, args=(pipe,), daemon=True) for pipe in pipes]
        for reader in self.readers:
            reader.start()
        self.process.stdin.write(typed.encode())
        self.process.stdin.flush()

    def read(self, pipe) -> None:
        while data := os.read(pipe.fileno(), 65536):
            self.said += data.decode(errors="replace")

    def processes(self) -> list[str]:
        """The numbers of all that bear the mark, the dead left out. Only Linux shows it."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it has just ended, or is somebody else's
                if self.mark.encode() in (folder / "environ").read_bytes():
                    found.append(folder.name)
        return found


def printed(text: str):
    """The step at which a command has printed something."""
    return lambda running: text in running.said


def imported(module: str):
    """The step at which a module has been loaded; Python prints it."""
    return lambda running: f" {module}\n" in running.said


def lines_in(name: str, count: int = 1):
    """The step at which so many lines are in a file."""
    return lambda running: any(path.read_bytes().count(b"\n") >= count for path in running.folder.glob(name))


def there(name: str):
    """The step at which a file is there."""
    return lambda running: any(running.folder.glob(name))


def started(count: int):
    """The step at which a command has started so many processes."""
    return lambda running: len(running.processes()) > count


TRAIN, LONG = (
    COMMANDS["alphazero"].replace("--iterations 3", "--iterations 100000"),
    "match uct:50000 uct:60000 --board 15",
)
LADDER = "ladder --only random --only pt --rounds 10000 --pairs 1 --out ladder --quiet"
REINFORCE = "train reinforce FILES/net run --against pt --games 8 --iterations 100000"
ALPHAGO = (
    "train alphago FILES/learn.npz nets --filters 4 --layers 3 --fast-steps 20 --strong-steps 100000 --batch-size 8"
)
MOMENTS = {  # (command, what is typed, the step)
    "while NumPy is loaded": ("match random pt", "", imported("numpy._core.multiarray")),
    "while torch is loaded": (TRAIN, "", imported("torch._C")),
    "a search": (LONG, "", printed("0%")),
    "two workers": (f"{LADDER} --workers 2", "", lines_in("ladder/games.jsonl", 3)),
    "two workers that begin": (f"{LONG} --workers 2", "", started(2)),
    "a process for each agent": (f"{LONG} --seconds 9", "", started(2)),
    "self-play": (TRAIN, "", lines_in("run/metrics.jsonl", 2)),
    "self-play by two workers": (f"{TRAIN} --workers 2", "", lines_in("run/metrics.jsonl", 2)),
    "REINFORCE": (REINFORCE, "", lines_in("run/metrics.jsonl", 2)),
    "supervised learning": ("train supervised FILES/learn.npz new --steps 1000000", "", printed("0%")),
    "AlphaGo's pipeline": (ALPHAGO, "", there("nets/fast*")),
    "records": ("records generate games.npz --board 15 --games 3000000", "", printed("0%")),
    "a proof": ("prove FILES/run --cap 100000000 --simulations 400", "", printed("after 0 stones")),
    "a game at the prompt": ("play df", "44\n", printed("move 2:")),
    "a game while an agent thinks": ("play df uct:100000000 --board 15", "", printed("move 1:")),
    "an engine that thinks": ("engine --agent uct:100000000", "START 15\nBEGIN\n", printed("OK")),
    "an engine of Go": ("go engine --agent uct:100", "boardsize 9\n", printed("=")),
}
KEPT = re.compile(r"mock5: stopped\. .*(same command|starts it again)")


@slow
@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_ends_a_command_with_one_sentence_and_leaves_no_process(begun, moment, tmp_path):
    text, typed, step = MOMENTS[moment]
    if "self-play by" in moment:
        pytest.importorskip("ray")
    if "AlphaGo" in moment:
        pytest.importorskip("tensorflow")
    shutil.copytree(begun / "files", tmp_path / "FILES")
    text, python = text.replace("PLACE", "games.npz"), ("-X", "importtime") * ("loaded" in moment)
    running = Running(tmp_path, text, *python, typed=typed)
    wait_for(lambda: step(running), running.process)
    began = time.monotonic()
    os.killpg(running.process.pid, signal.SIGINT)
    code = running.process.wait(60)
    for reader in running.readers:
        reader.join(60)
    said = re.sub("import time:.*\n", "", running.said)
    assert code == 130 and KEPT.search(said), (code, said)
    assert "Traceback" not in said and "Exception" not in said
    while left := running.processes():  # killed ones take a moment on a busy machine
        assert time.monotonic() < began + 300, [Path(f"/proc/{one}/cmdline").read_bytes() for one in left]
    for journal in tmp_path.glob("**/*.jsonl"):
        rows = [json.loads(line) for line in journal.read_bytes().split(b"\n")[:-1]]
        assert "raised" not in str(rows)

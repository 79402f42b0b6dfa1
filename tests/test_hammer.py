"""A hammer: whole commands, killed, damaged, doubled, starved and lied to, with fixed seeds.

Commands run in this process through the `mock5` app, so that torch is loaded once; those that are to be killed, stopped
or doubled run in processes of their own. To see what older code does, copy this file beside its tests and run it there.
"""

import hashlib
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from mock5lib.cli import app

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="signals, locks and mounts of POSIX")]

LINES = int(os.environ.get("MOCK5_PROTOCOL_LINES", 10_000))
FLIPS = int(os.environ.get("MOCK5_FLIPS", 2))  # and as many cuts, of each file
SECONDS = float(os.environ.get("MOCK5_INTERRUPT_SECONDS", 2))  # from Ctrl-C to the end; tests/test_interrupts.py: 0.5
SMALL = (
    "--threads 1 --device cpu --keep-every 1 --quiet --set simulations=4 --set games=4 --set fill=10 --set batch_size=8"
    " --set evaluate_every=1 --set evaluation_games=2 --set evaluation_simulations=2 --set opponents='[\"random\"]'"
)
COMMANDS = {
    "alphazero": f"train alphazero run --preset tiny --iterations 3 {SMALL}",
    "reinforce": "train reinforce start run --against random --iterations 3 --games 4 --evaluate-every 0 --keep-every 1"
    " --opening-plies 0 --quiet",
    "match": "match random pt --games 8 --batch 1 --save games.jsonl --quiet",
    "ladder": "ladder --only random --only pt --rounds 2 --pairs 1 --workers 1 --out ladder --quiet",
}
KINDS = tuple(COMMANDS)
RUNS = KINDS[:2]


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)


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


def process(folder: Path, text: str, **options) -> subprocess.Popen:
    """The same in a process and a group of its own."""
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "mock5lib.cli", *shlex.split(text)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        **options,
    )


@pytest.fixture(scope="module")
def begun(tmp_path_factory) -> dict[str, Path]:
    """For each kind a folder in which its command can begin."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("begun")
    warm_up = COMMANDS["alphazero"].replace("--iterations 3", "--iterations 1").replace(" run ", " first ")
    assert command(folder, warm_up)[0] == 0
    for kind in KINDS:
        (folder / kind).mkdir()
    shutil.copytree(folder / "first" / "last", folder / "reinforce" / "start")
    return {kind: folder / kind for kind in KINDS}


@pytest.fixture(scope="module")
def whole(begun, tmp_path_factory) -> dict[str, Path]:
    """For each kind a folder in which its command has run to its end."""
    folder = tmp_path_factory.mktemp("whole")
    for kind in KINDS:
        shutil.copytree(begun[kind], folder / kind)
        assert command(folder / kind, COMMANDS[kind])[0] == 0
    return {kind: folder / kind for kind in KINDS}


# What is there ---------------------------------------------------------------------------------------------------


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def outcome(folder: Path, kind: str) -> dict:
    """What a command has made, without times: it must be the same whatever happened on the way."""
    if kind in ("match", "ladder"):
        file = folder / ("games.jsonl" if kind == "match" else "ladder/games.jsonl")
        return {"games": [timeless(json.loads(line)) for line in file.read_text().splitlines()]}
    log = next(path for name in ("metrics.jsonl", "log.jsonl") if (path := folder / "run" / name).exists())
    rows = [timeless(json.loads(line)) for line in log.read_text().splitlines()]
    weights = sorted((folder / "run").glob("*/net.safetensors"))
    found = {path.parent.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in weights}
    return {"rows": rows, "last step": found.get("step-000003"), "last": found.get("last"), "best": found.get("best")}


def timeless(found):
    if isinstance(found, dict):
        named = {name: value for name, value in found.items() if "seconds" not in name and name != "thinking"}
        return {name: timeless(value) for name, value in named.items()}
    return [timeless(value) for value in found] if isinstance(found, list) else found


def litter(folder: Path) -> list[str]:
    """Drafts that are left; empty locks may stay."""
    return [str(path.relative_to(folder)) for path in folder.rglob(".*") if not path.name.endswith(".lock")]


# Killed ----------------------------------------------------------------------------------------------------------

WATCH: list = []  # what to call before each change of the file system in the working folder


def listen(name: str, arguments: tuple) -> None:
    if not WATCH or name not in ("open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate"):
        return
    path, writes = arguments[0], os.O_WRONLY | os.O_RDWR
    if name == "open" and not (isinstance(arguments[2], int) and arguments[2] & writes):
        return
    if isinstance(path, int) or os.path.isabs(path) and not os.fspath(path).startswith(os.getcwd()):
        return
    watcher = WATCH.pop()
    try:
        watcher(name)
    finally:
        WATCH.append(watcher)


@contextmanager
def before_each_change(watcher):
    if not hasattr(listen, "hooked"):  # a hook stays until the process ends
        sys.addaudithook(listen)
        listen.hooked = True
    WATCH.append(watcher)
    try:
        yield
    finally:
        WATCH.clear()


def states(folder: Path, text: str, where: Path) -> list[Path]:
    """Run a command and copy its folder before each change: what signal 9 there would leave."""
    kept = []

    def keep(name: str) -> None:
        kept.append(where / f"{len(kept):04d}")
        shutil.copytree(folder, kept[-1])

    with before_each_change(keep):
        assert command(folder, text)[0] == 0
    return kept


@pytest.mark.parametrize("kind", KINDS)
def test_killed_before_any_change_of_the_file_system_the_same_command_goes_on_to_the_same(begun, whole, kind, tmp_path):
    shutil.copytree(begun[kind], tmp_path / "runs")
    expected, wrong = outcome(whole[kind], kind), []
    found = states(tmp_path / "runs", COMMANDS[kind], tmp_path / "states")
    for number, state in enumerate(found):
        code, said = command(state, COMMANDS[kind])
        if code or outcome(state, kind) != expected or litter(state):
            wrong.append((number, code, said[-300:], litter(state)))
        shutil.rmtree(state)
    print(f"{kind}: killed at {len(found)} moments, {len(wrong)} did not go on")
    assert len(found) > 8 and not wrong, f"{len(wrong)} of {len(found)}: {wrong[:3]}"


def test_what_a_kill_leaves_is_what_the_copies_show(begun, whole, tmp_path):
    """A few real kills, with signal 9 and by the same events, of a command in a process of its own."""
    for number in (3, 30):
        shutil.copytree(begun["reinforce"], folder := tmp_path / str(number))
        script = (
            f"import os, sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import test_hammer as h\n"
            f"left = [{number}]\n"
            "def kill(name):\n    left[0] -= 1\n    left[0] or os.kill(os.getpid(), 9)\n"
            "h.torch.set_num_threads(1)\n"
            "with h.before_each_change(kill): h.command(h.Path.cwd(), h.COMMANDS['reinforce'])"
        )
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        assert subprocess.run([sys.executable, "-c", script], cwd=folder, env=env).returncode == -9
        assert command(folder, COMMANDS["reinforce"])[0] == 0
        assert outcome(folder, "reinforce") == outcome(whole["reinforce"], "reinforce")


# Damaged ---------------------------------------------------------------------------------------------------------


def damages(data: bytes, lots: random.Random):
    """A file with a byte flipped at its start, or somewhere; cut short; empty."""
    for number in range(FLIPS):
        flipped = bytearray(data)
        flipped[lots.randrange(len(data)) if number else 0] ^= 1 << lots.randrange(8)
        yield f"flip {number}", bytes(flipped)
    for number in range(FLIPS):
        yield f"cut {number}", data[: lots.randrange(len(data)) if number else 0]


@pytest.mark.parametrize("kind", RUNS)
def test_a_damaged_file_of_a_checkpoint_is_named_and_nothing_is_changed(whole, kind, tmp_path):
    lots, wrong, tried = random.Random(18), [], 0
    for name, data in files(whole[kind]).items():
        if not name.startswith(("run/step-000003/", "run/buffer/")) or name.endswith("card.json"):
            continue
        for how, damaged in damages(data, lots):
            tried += 1
            shutil.copytree(whole[kind], folder := tmp_path / str(tried))
            (folder / name).write_bytes(damaged)
            before = files(folder)
            code, said = command(folder, COMMANDS[kind])
            named = code == 2 and Path(name).name in said and said.count("\n") == 1 and files(folder) == before
            if not named and (code or outcome(folder, kind) != outcome(whole[kind], kind)):  # a byte that means nothing
                wrong.append((name, how, code, said[-300:]))
            shutil.rmtree(folder)
    print(f"{kind}: {tried} damaged files, {len(wrong)} wrong")
    assert tried > 10 and not wrong, f"{len(wrong)} of {tried}: {wrong[:4]}"


FOREIGN = (b"dear diary", b"dear diary\nmonday\n", b"[", b'{"a": 1}', b"\0\1\2", b"\n", b'[{"pair": 0}]\n')


@pytest.mark.parametrize("content", FOREIGN)
@pytest.mark.parametrize("kind", ["match", "ladder"])
def test_a_foreign_file_is_never_written(begun, kind, content, tmp_path):
    file = tmp_path / ("games.jsonl" if kind == "match" else "ladder/games.jsonl")
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(content)
    code, said = command(tmp_path, COMMANDS[kind])
    there = {name: data for name, data in files(tmp_path).items() if not name.endswith(".lock")}
    assert there == {str(file.relative_to(tmp_path)): content} and code == 2 and file.name in said, said


# Doubled ---------------------------------------------------------------------------------------------------------

ENDLESS = {
    "alphazero": ("--iterations 3", "--iterations 100000", "run/metrics.jsonl"),
    "reinforce": ("--iterations 3", "--iterations 100000", "run/metrics.jsonl"),
    "match": ("--games 8", "--games 100000", "games.jsonl"),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_of_two_processes_one_writes_and_the_other_is_told_so(begun, kind, tmp_path):
    shutil.copytree(begun[kind], folder := tmp_path / "run")
    short, long, log = ENDLESS[kind]
    first = process(folder, COMMANDS[kind].replace(short, long))
    try:
        logs = [folder / log, folder / "run/log.jsonl"]
        wait_for(lambda: first.poll() is not None or any(path.exists() and path.stat().st_size for path in logs))
        assert first.poll() is None, first.communicate()
        code, said = command(folder, COMMANDS[kind])
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
    assert code == 2 and "is writing there" in said, (code, said)
    rows = [json.loads(line) for path in logs if path.exists() for line in path.read_bytes().split(b"\n")[:-1]]
    names = [row.get("iteration", row.get("pair")) for row in rows]
    assert names == sorted(set(names)), names
    assert "is writing there" not in command(folder, COMMANDS[kind])[1]  # the lock ended with its process


def wait_for(happened, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happened() and time.monotonic() < end:
        time.sleep(0.01)


# Starved ---------------------------------------------------------------------------------------------------------


@contextmanager
def full_after(size: int, folder: Path):
    """A folder that holds so many bytes: a file system of its own where mounting is allowed, else a limit per file."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "hammer", str(folder)], capture_output=True)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    if mounted.returncode:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size // 8, before[1]))

    def give_room():
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        if not mounted.returncode:
            subprocess.run(["mount", "-o", "remount,size=100M", str(folder)], check=True)

    try:
        yield give_room
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        if not mounted.returncode:
            subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk_ends_in_one_sentence_and_with_room_again_the_command_goes_on(begun, whole, kind, tmp_path):
    expected, full = outcome(whole[kind], kind), sum(map(len, files(whole[kind]).values()))
    started, stopped = sum(map(len, files(begun[kind]).values())), 0
    for part in range(4):
        (disk := tmp_path / str(part)).mkdir()
        with full_after(max(4096, started + 4096 + (full - started) * part // 4), disk) as give_room:
            shutil.copytree(begun[kind], disk, dirs_exist_ok=True)
            code, said = command(disk, COMMANDS[kind])
            stopped += code != 0
            assert code == 0 or (code == 2 and said.count("mock5: ") == 1 and "Traceback" not in said), said
            give_room()
            code, said = command(disk, COMMANDS[kind])
            assert code == 0 and outcome(disk, kind) == expected, said
    print(f"{kind}: 4 sizes of disk, {stopped} too small")
    assert stopped or kind == "match"


# Interrupted -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [0.2, 1.1, 1.7])
def test_an_interrupt_ends_a_compiled_search_at_once(after, tmp_path):
    player = process(tmp_path, "match uct:50000 uct:60000 --board 15 --games 40")
    assert player.stdout.read(1)  # the progress bar: it plays
    time.sleep(after)
    began = time.monotonic()
    os.killpg(player.pid, signal.SIGINT)
    try:
        said = player.communicate(timeout=SECONDS + 3)[0].decode()
    except subprocess.TimeoutExpired:
        said = "ignored"
        os.killpg(player.pid, signal.SIGKILL)
        player.communicate()
    assert (player.returncode, "Traceback" in said) == (130, False), (player.returncode, said[-300:])
    assert time.monotonic() - began < SECONDS


# Lied to ---------------------------------------------------------------------------------------------------------

ANSWER = re.compile(r'(OK|ERROR .*|UNKNOWN .*|MESSAGE .*|DEBUG .*|\d+,\d+|name="[^"]*".*|SWAP|\d+,\d+( \d+,\d+)+)')


def protocol_lines(lots: random.Random, count: int) -> bytes:
    """Lines that a manager, a madman or a broken pipe could send; never END."""
    words = "START RECTSTART BEGIN TURN BOARD DONE INFO RESTART TAKEBACK ABOUT PLAY SWAP2BOARD SUGGESTBOARD YXBOARD X"
    infos = "timeout_turn timeout_match time_left max_memory game_type rule folder evaluate"
    numbers = ("0", "1", "5", "7", "9", "15", "20", "-1", "99", "2147483648", "1" * 40, "1.5", "nan", "", "٣", "0x9")

    def number():
        return lots.choice(numbers) if lots.random() < 0.3 else str(lots.randrange(9))

    def line() -> bytes:
        kind = lots.random()
        if kind < 0.1:
            return bytes(lots.choice((0, 7, 9, 32, 44, 65, 127, 200, 255)) for _ in range(lots.randrange(40)))
        word = lots.choice(words.split())
        word = lots.choice((word, "TURN", "TURN", word.lower(), word + " "))
        rest = {"INFO": f"{lots.choice(infos.split())} {number()}", "START": lots.choice(("9", "5", number()))}
        points = ",".join(number() for _ in range(lots.choice((1, 2, 2, 2, 3))))
        return f"{word} {rest.get(word.strip(), points)}".encode()

    return b"".join(line().replace(b"\n", b"") + b"\n" for _ in range(count))


def test_no_line_brings_the_engine_down_or_out_of_the_protocol(tmp_path):
    lines = b"START 9\nINFO timeout_turn 100\n" + protocol_lines(random.Random(5), LINES) + b"\nDONE\nABOUT\nEND\n"
    engine = process(tmp_path, "engine --agent random", stdin=subprocess.PIPE)
    said = engine.communicate(lines, timeout=60 + LINES / 500)[0].decode()
    strange = [line for line in said.splitlines() if not ANSWER.fullmatch(line)]
    moves = sum(bool(re.fullmatch(r"\d+,\d+", line)) for line in said.splitlines())
    print(f"{LINES} lines, {len(said.splitlines())} answers, {moves} moves")
    assert not strange and engine.returncode == 0 and moves > LINES / 500, strange[:5]


@pytest.mark.parametrize("manner", ["garbage", "refuses", "strays", "dies", "negative", "occupied", "megabytes"])
def test_a_hostile_engine_loses_with_a_reason_and_leaves_nothing_behind(manner, tmp_path):
    peer = Path(__file__).with_name("gomocup_engine.py")
    assert peer.is_file()
    name = f"engine,seconds=0.3:{sys.executable} {peer} {manner}"
    code, said = command(tmp_path, f"match {shlex.quote(name)} random --games 2 --openings 2 --save games.jsonl")
    entry = json.loads((tmp_path / "games.jsonl").read_text())
    assert code == 0 and [winner for winner, *_ in entry["games"]] == [2, 2], said
    assert all(reason != "random won" for _, reason, _ in entry["games"])
    running = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True).stdout
    assert f"{peer} {manner}" not in running

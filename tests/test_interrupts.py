"""Ctrl-C at any moment: "stopped", what was kept, how to go on, exit code 130, at once; no process left, no game lost.

MOCK5_INTERRUPTS=20 tries each command so many times, and `-s` prints how long they took to end.
"""

import contextlib
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

import pytest

from mock5lib import Mock5
from mock5lib.arena.side_by_side import ask
from mock5lib.base import interrupts
from mock5lib.cli.play import load_game
from mock5lib.search.uct import compiled, kernels

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a console of its own cannot be interrupted alone")

SECONDS = float(os.environ.get("MOCK5_INTERRUPT_SECONDS", 15))  # allowed from Ctrl-C to the end; 0.5 on a quiet machine
MOMENTS = int(os.environ.get("MOCK5_INTERRUPTS", 1))  # for each command
MARK = "MOCK5_TEST"  # in the environment of all that a command starts

# The command as its script starts it, telling when it hears Ctrl-C for the first time, and what was loaded by then.
COMMAND = """
import runpy, signal, sys
signals = signal.signal
def told(number, handler):
    before = signals(number, handler)
    if number == signal.SIGINT:
        signal.signal = signals
        print("hears", "numpy" in sys.modules, flush=True)
    return before
signal.signal = told
sys.argv[0] = "mock5"
runpy.run_module("mock5lib.cli", run_name="__main__", alter_sys=True)
"""


def begin(folder, arguments, mark: str = "none", **options) -> subprocess.Popen:
    """Start a command in a terminal's group of its own; it hears Ctrl-C from now on."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), MARK: mark}
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE) | options
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", COMMAND, *arguments],
        cwd=folder,
        text=True,
        start_new_session=True,
        env=environment,
        **pipes,
    )
    heard = process.stdout.readline()
    assert heard == "hears False\n", heard + process.stderr.read()
    return process


def interrupted(folder, arguments, after) -> tuple[int, str, float]:
    """Start a command, interrupt its group once `after` is over: (exit code, what it said, seconds until it ended).

    after: seconds, or a function that waits and is given the process.
    """
    mark = uuid.uuid4().hex
    process = begin(folder, arguments, mark)
    if arguments[0] == "engine":
        process.stdin.write("START 15\nBEGIN\n")
        process.stdin.flush()
    said, readers = [], []
    for pipe in (process.stdout, process.stderr):  # a full pipe would hold the command up
        readers.append(threading.Thread(target=lambda pipe=pipe: said.append(pipe.read()), daemon=True))
        readers[-1].start()
    if callable(after):
        after(process)
    else:
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            pass
    began = time.perf_counter()
    with contextlib.suppress(ProcessLookupError):  # it is over already, and so are all that it started
        os.killpg(process.pid, signal.SIGINT)
    process.wait(60)
    seconds = time.perf_counter() - began
    for reader in readers:
        reader.join(60)
    process.stdin.close()
    assert processes_left(process.pid, mark) == []
    return process.returncode, "".join(said), seconds


def processes_left(group: int, mark: str) -> list[str]:
    """What is still there, a second later, of a group and of those with the mark; the dead don't count."""
    for _ in range(100):
        listed = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,stat=,args="], capture_output=True, text=True).stdout
        rows = [line.split(None, 3) for line in listed.splitlines()]
        left = [row for row in rows if "Z" not in row[2] and (row[1] == str(group) or bears(row[0], mark))]
        if not left:
            return []
        time.sleep(0.01)
    return [" ".join(row) for row in left]


def bears(process: str, mark: str) -> bool:
    """Whether a process has the mark in its environment; only Linux shows it."""
    try:
        return mark.encode() in Path(f"/proc/{process}/environ").read_bytes()
    except OSError:
        return False


RECORDS = "records generate learn.npz --board 7 --games 200 --seed 1"
NET = "train supervised learn.npz net --net linear --steps 2"
RUN = "train alphazero run --preset tiny --iterations 1"
SMALL = "--filters 4 --layers 3 --fast-steps 20 --strong-steps 10 --batch-size 8 --iterations 4 --games 8"
SMALL += " --value-positions 60 --value-epochs 2"

# Name → what is there before, the command, over how many seconds the moments spread, and what comes to an end at last.
COMMANDS = {
    "play": ((), "play uct:200000 uct:300000 --board 15", 5, "play random pt"),
    "match": ((), "match uct:50000 uct:60000 --board 15 --games 4", 5, "match random pt --games 4"),
    "match, kept": ((), "match uct:300 mixed --games 400000 --batch 1 --save games.jsonl", 5, None),
    "match of heuristics": ((), "match mixed pt --games 400000", 4, None),
    "match, 2 workers": ((), "match uct:300 pt --games 40000 --batch 1 --workers 2 --save games.jsonl", 8, None),
    "match, 2 workers in UCT": ((), "match uct:50000 uct:60000 --board 15 --games 4 --batch 1 --workers 2", 6, None),
    "match, a process each": ((), "match uct:50000 uct:60000 --seconds 9 --board 15 --games 4", 6, None),
    "ladder": ((), "ladder --quick --out ladder --pairs 100000", 8, None),
    "ladder, 1 worker": ((), "ladder --only random --only pt --pairs 1000 --afresh --out ladder --workers 1", 4, None),
    "alphazero": ((), "train alphazero run --preset tiny --iterations 100000", 8, None),
    "alphazero, 2 workers": ((), "train alphazero run --preset tiny --iterations 100000 --workers 2", 12, None),
    "reinforce": ((RECORDS, NET), "train reinforce net run --against pt --games 8 --iterations 100000", 6, None),
    "supervised": ((RECORDS,), "train supervised learn.npz new --steps 100000", 6, f"{NET.replace(' net ', ' new ')}"),
    "alphago": ((RECORDS,), f"train alphago learn.npz nets {SMALL}", 12, f"train alphago learn.npz nets {SMALL}"),
    "prove": ((RUN,), "prove run --cap 100000000 --simulations 400", 6, None),
    "records": ((), "records generate games.npz uct:20000 --board 15 --games 20", 5, None),
    "records of heuristics": ((), "records generate games.npz --games 3000000", 4, "records generate games.npz"),
    "records of Go": (
        (),
        f"records go games.npz --games 2000 --size 5 --program '{sys.executable} PEER passes'",
        3,
        None,
    ),
    "records info": ((RECORDS,), "records info learn.npz", 1, "records info learn.npz"),
    "engine": ((), "engine --agent uct:100000000", 4, None),
    "engine of Go": ((), "engine --go --agent uct:100", 3, None),
}
KEPT = re.compile(r"mock5: stopped\. .*(same command|--load FILE|--save FILE|starts it again)")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupted_command_stops_at_once_says_what_is_kept_and_goes_on(tmp_path, name, monkeypatch):
    if "alphazero, " in name:
        pytest.importorskip("ray")
    if name == "alphago":
        pytest.importorskip("tensorflow")
    before, command, span, last = COMMANDS[name]
    with tempfile.TemporaryDirectory(prefix="i", dir="/tmp") as short:
        monkeypatch.setenv("TMPDIR", short)
        for text in before:
            assert run_whole(tmp_path, text) == 0
        moments, codes, delays = random.Random(name), [], []
        for number in range(MOMENTS):
            code, said, seconds = interrupted(tmp_path, split(command), span * (number + moments.random()) / MOMENTS)
            assert "Traceback" not in said and "Exception" not in said, said
            assert code == 0 or (code == 130 and KEPT.search(said)), (code, said)
            assert seconds < SECONDS
            assert not [name for name in os.listdir(short) if name.startswith(("m5", "ray"))]  # torch leaves its own
            assert_nothing_is_lost(tmp_path)
            codes.append(code)
            delays.append(seconds)
        if last:
            assert run_whole(tmp_path, last) == 0
    found = f"{len(codes)} tries, {codes.count(130)} × 130, {codes.count(0)} over already"
    print(f"{name}: {found}; {statistics.median(delays):.2f} s to the end, worst {max(delays):.2f} s")


def split(command: str) -> list[str]:
    peer = str(Path(__file__).with_name("gtp_program.py"))
    return [word.strip("'").replace("PEER", peer) for word in re.findall(r"'[^']*'|\S+", command)]


def run_whole(folder, command: str) -> int:
    return begin(folder, split(command), stdin=subprocess.DEVNULL, stderr=None, stdout=subprocess.PIPE).wait(600)


def assert_nothing_is_lost(folder: Path) -> None:
    """All lines of logs are whole and follow each other, no game was forfeited, and no temporary is left in sight."""
    for journal in (*folder.glob("games.jsonl"), *folder.glob("ladder/games.jsonl")):
        for line in journal.read_bytes().split(b"\n")[:-1]:
            assert b"raised" not in line and json.loads(line), line
    for log in folder.glob("run/metrics.jsonl"):
        numbers = [json.loads(line)["iteration"] for line in log.read_bytes().split(b"\n")[:-1]]
        assert numbers == list(range(1, len(numbers) + 1)), numbers


def test_a_command_hears_an_interrupt_before_it_has_loaded_anything(tmp_path):
    """From the moment on at which `begin` comes back; nothing was loaded then."""
    process = begin(tmp_path, ["match", "random", "pt"])
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and KEPT.search(said) and "Traceback" not in said, said


@pytest.mark.parametrize("how", ["at the prompt", "while an agent thinks"])
def test_an_interrupted_game_is_kept_where_it_was_to_be_saved(tmp_path, how):
    command = "play df uct:100000000 --board 15 --save game.json" if "thinks" in how else "play df --save game.json"
    process = begin(tmp_path, command.split())
    if "prompt" in how:
        process.stdin.write("44\n")
        process.stdin.flush()
    wanted = "move 1:" if "thinks" in how else "move 2:"
    while wanted not in (line := process.stdout.readline()):
        assert line, process.stderr.read()
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and "The game so far is in game.json; --load game.json goes on." in said
    assert len(load_game(tmp_path / "game.json").history) == int(wanted[5])


def test_an_interrupt_after_the_last_word_changes_nothing(tmp_path):
    process = begin(tmp_path, ["match", "random", "pt", "--games", "2"])
    while "stronger with" not in (line := process.stdout.readline()):
        assert line, process.stderr.read()
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode in (0, 130) and "Traceback" not in said, said
    assert process.returncode == 0 or "mock5: stopped" in said


def test_the_first_process_that_is_started_does_not_hear_an_interrupt_either():
    """Python's own helper process, which comes with the first one, opens the ears of whoever starts it."""
    if not os.path.exists("/proc/self/status"):
        pytest.skip("only Linux tells which signals are blocked")
    code = """if __name__ == '__main__':
    import multiprocessing, re, time
    from mock5lib.base.interrupts import children_deaf_to_interrupts
    child = multiprocessing.get_context('spawn').Process(target=time.sleep, args=(60,))
    with children_deaf_to_interrupts():
        child.start()
    print(re.search(r'SigBlk:\\s*(\\w+)', open(f'/proc/{child.pid}/status').read())[1])
    child.kill()"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=begun_here())
    assert int(done.stdout, 16) >> signal.SIGINT - 1 & 1, done.stderr


def test_a_program_that_uses_the_package_keeps_its_own_ctrl_c():
    code = "import mock5lib, signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert done.stdout == "True\n", done.stderr


def test_an_interrupt_ends_a_command_whose_reader_has_gone_to_sleep(tmp_path):
    """As in `mock5 match … | less`: the command waits in the middle of a write, and its stream is held."""
    text = "import sys\nfrom mock5lib.cli.common import plain_errors\nwith plain_errors():\n"
    text += "    print('hears', flush=True)\n    while True:\n        print('x' * 100_000)"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-c", text], **pipes, env=begun_here())
    assert process.stdout.readline() == "hears\n"
    wait_until_blocked(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    assert "mock5: stopped" in process.stderr.read()
    process.stdout.close()
    process.stderr.close()


def test_the_last_words_are_said_though_the_process_is_about_to_end():
    """Two want to say them: the main thread, which is slow here, and the one that ends the process 0.2 s later."""
    text = "import os, time\nfrom mock5lib.base import interrupts\nfrom mock5lib.cli.common import plain_errors\n"
    text += "interrupts.FAREWELL, write = 5, os.write\n"
    text += "def slow(file, data):\n    b'stopped' in data and time.sleep(0.25)\n    return write(file, data)\n"
    text += "os.write = slow\nwith plain_errors('KEPT'):\n    print('hears', flush=True)\n    while True: pass"
    process = subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=begun_here()
    )
    assert process.stdout.readline() == "hears\n"
    process.send_signal(signal.SIGINT)
    assert "mock5: stopped. KEPT" in process.communicate(timeout=60)[1] and process.returncode == 130


def begun_here() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def wait_until_blocked(process: int) -> None:
    """Until its main thread waits for a pipe; elsewhere than on Linux, a second."""
    for _ in range(100):
        file = Path(f"/proc/{process}/wchan")
        if file.exists() and "pipe" in file.read_text():
            return
        time.sleep(0.01)


def test_an_interrupt_inside_an_import_ends_the_command_whatever_is_made_of_it(tmp_path):
    """A module turns any exception into an ImportError, as NumPy's do; the command says "stopped" all the same."""
    (tmp_path / "slow_module.py").write_text(
        "import signal, time\ntry:\n    signal.raise_signal(signal.SIGINT)\n    time.sleep(60)\n"
        "except BaseException:\n    raise ImportError('damaged installation') from None\n"
    )
    text = "from mock5lib.cli.common import plain_errors\nwith plain_errors('All is kept.'):\n    import slow_module"
    env = begun_here()
    env["PYTHONPATH"] = f"{tmp_path}{os.pathsep}{env['PYTHONPATH']}"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=env)
    assert (done.returncode, done.stderr) == (130, "\nmock5: stopped. All is kept.\n")


def test_whatever_an_interrupt_has_become_on_its_way_the_command_is_stopped(tmp_path):
    text = "import signal\nfrom mock5lib.cli.common import plain_errors\nwith plain_errors('All is kept.'):\n"
    text += "    try:\n        signal.raise_signal(signal.SIGINT)\n    except KeyboardInterrupt:\n"
    text += "        raise RuntimeError('a wrapper of a wrapper') from None\n"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=begun_here())
    assert (done.returncode, done.stderr) == (130, "\nmock5: stopped. All is kept.\n")


class Stubborn:
    """An agent whose compiled code was interrupted: numba makes a SystemError of it."""

    name = "stubborn"

    def __call__(self, game):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as interrupt:
            raise SystemError("returned a result with an exception set") from interrupt

    def moves(self, games):
        return [self(game) for game in games]


def test_an_interrupt_that_numba_has_wrapped_loses_no_game_and_is_not_tried_again():
    for agent in (Stubborn(), Stubborn().__call__):
        with pytest.raises(KeyboardInterrupt):
            ask(agent, [Mock5(), Mock5()])
    with pytest.raises(KeyboardInterrupt):
        Mock5().play(Stubborn(), Stubborn())


def test_an_interrupt_waits_while_numba_hands_over_a_result(monkeypatch):
    """The handler may be called in a frame of numba's; there it raises nothing, and the interrupt comes again."""
    again, monkeypatched = [], {"__name__": "numba.core.serialize", "signal": signal}
    monkeypatch.setattr(interrupts._thread, "interrupt_main", lambda: again.append(True))
    with interrupts.stoppable(lambda: None):
        handler = signal.getsignal(signal.SIGINT)
        exec("def hand_over(handler):\n    import sys\n    handler(2, sys._getframe())", monkeypatched)
        monkeypatched["hand_over"](handler)
        time.sleep(0.1)
        assert again == [True]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_slices_make_up_the_whole_and_are_short():
    assert list(kernels.slices(10, 1)) == [10]
    parts = list(kernels.slices(50_000, 225))
    assert sum(parts) == 50_000 and max(parts) * 225 <= kernels.SLICE
    assert list(kernels.slices(3, 10 * kernels.SLICE)) == [1, 1, 1]


def test_a_search_in_slices_is_the_same_search(monkeypatch):
    def found():
        agent, game = compiled.FastUCT(300, seed=3), Mock5(9, 9)
        one, many = agent.search(game), agent.search_many([game, Mock5(7, 9), game])
        return [(result.visits.tolist(), result.q.tolist(), result.move) for result in (one, *many)]

    whole = found()
    monkeypatch.setattr(kernels, "SLICE", 1000)  # 12 simulations
    monkeypatch.setattr(compiled, "SLICE", 1000)
    assert found() == whole


def test_code_is_compiled_before_a_clock_starts(monkeypatch):
    events = []
    monkeypatch.setattr(compiled, "warm_up", lambda: events.append("compiled"))

    def clock():
        events.append("clock")
        return float(len(events))

    compiled.FastUCT(seconds=1, clock=clock)(Mock5(5, 5))
    assert events[0] == "compiled" and events.count("compiled") == 1


def test_warming_up_compiles_all_that_a_timed_search_calls():
    compiled.warm_up.cache_clear()
    agent = compiled.FastUCT(seconds=0.01)
    known = {
        name: len(getattr(compiled, name).signatures) for name in ("run_simulations", "subtree", "root_statistics")
    }
    game = Mock5(9, 9)
    for _ in range(2):
        game.apply(agent(game))
    assert known == {name: len(getattr(compiled, name).signatures) for name in known}
    assert min(known.values()) > 0

"""Ctrl-C at random moments: "stopped", exit code 130, within half a second, no process left, no game lost by it."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from mock5lib import Mock5
from mock5lib.arena.side_by_side import ask
from mock5lib.base import interrupts
from mock5lib.search.uct import compiled, kernels

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a console of its own cannot be interrupted alone")

SECONDS = float(os.environ.get("MOCK5_INTERRUPT_SECONDS", 0.5))  # allowed from Ctrl-C to the end
MOMENTS = int(os.environ.get("MOCK5_INTERRUPTS", 2))  # for each command
ALONE = "import sys; from mock5lib.cli import app; print('begun', flush=True); app(sys.argv[1:])"


def environment() -> dict[str, str]:
    """The environment of a process in another folder that imports this package."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def interrupted(folder, arguments, after) -> tuple[int, str, float]:
    """Start a command in a terminal's group of its own, interrupt the group: (exit code, what it said, seconds).

    after: seconds, or a function that waits.
    """
    command = [sys.executable, "-u", "-c", ALONE, *arguments]
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=environment(),
    )
    assert process.stdout.readline() == "begun\n"
    if arguments[0] == "engine":
        process.stdin.write("START 15\nBEGIN\n")
        process.stdin.flush()
    after() if callable(after) else time.sleep(after)
    assert process.poll() is None, process.stderr.read()
    began = time.perf_counter()
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)
    seconds = time.perf_counter() - began
    assert no_process_left(process.pid)
    return process.returncode, "".join(said), seconds


def no_process_left(group: int) -> bool:
    """Whether all processes of a group are gone within a second; dead ones that nobody has fetched yet don't count."""
    for _ in range(100):
        states = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True).stdout.split("\n")
        if not [line for line in states if line.split()[:1] == [str(group)] and "Z" not in line.split()[1]]:
            return True
        time.sleep(0.01)
    return False


COMMANDS = {
    "match": "match uct:50000 uct:60000 --board 15 --games 4 --save games.jsonl",
    "match of heuristics": "match mixed pt --games 400000",
    "match with workers": "match uct:50000 uct:60000 --board 15 --games 4 --batch 1 --workers 2",
    "play": "play uct:200000 uct:300000 --board 15",
    "records": "records generate games.npz --black uct:20000 --games 20",
    "records of heuristics": "records generate games.npz --games 3000000",
    "train": "train alphazero run --preset tiny --iterations 100000",
    "prove": "prove run --cap 100000000 --simulations 400",
    "engine": "engine --agent uct:100000000",
    "ladder": "ladder --quick --out ladder --pairs 100000",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupted_command_stops_at_once_and_says_so(tmp_path, name):
    lots = random.Random(name)
    if name == "prove":
        run = "train alphazero run --preset tiny --iterations 1 --quiet"
        subprocess.run([sys.executable, "-c", ALONE, *run.split()], cwd=tmp_path, env=environment(), check=True)
    for _ in range(MOMENTS):
        code, said, seconds = interrupted(tmp_path, COMMANDS[name].split(), 1 + 4 * lots.random())
        print(f"{name}: {seconds:.2f} s")
        assert "mock5: stopped" in said and "Traceback" not in said, said
        assert (code, seconds < SECONDS) == (130, True), (code, seconds)
    for line in (tmp_path / "games.jsonl").read_text().splitlines() if (tmp_path / "games.jsonl").exists() else []:
        assert "raised" not in json.dumps(json.loads(line))


def commands_that_name(path: str) -> list[str]:
    found = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True).stdout
    return [command for command in found.splitlines() if path in command]


@pytest.mark.slow
def test_an_interrupted_run_with_workers_leaves_nothing_of_ray(tmp_path, monkeypatch):
    pytest.importorskip("ray")
    with tempfile.TemporaryDirectory(prefix="i", dir="/tmp") as short:
        monkeypatch.setenv("TMPDIR", short)

        def ray_plays():
            for _ in range(1200):
                if any("raylet" in command for command in commands_that_name(short)):
                    return time.sleep(1)
                time.sleep(0.1)

        command = "train alphazero run --preset tiny --iterations 100000 --workers 2"
        code, said, _ = interrupted(tmp_path, command.split(), ray_plays)
        assert code == 130 and "mock5: stopped" in said and "Traceback" not in said, said
        assert commands_that_name(short) == [] and os.listdir(short) == []


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

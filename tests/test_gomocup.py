"""The Gomocup protocol both ways, with managers and engines that behave, and with ones that do not."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from crooks import first_free, last_free

from mock5lib import Mock5, agents, names
from mock5lib.arena import match
from mock5lib.base.contract import AgentFailure
from mock5lib.engines.gomocup import Brain, GomocupAgent, serve
from mock5lib.engines.process import LINE_BYTES, EngineProcess
from mock5lib.engines.time_limit import TimedAgent, quick_move
from mock5lib.search.deadline import AnswersByDeadline
from mock5lib.search.uct_compiled import FastUCT

ENGINE = str(Path(__file__).parent / "gomocup_engine.py")


def talk(*lines, agent=first_free):
    """The answers of a brain to some lines."""
    brain = Brain(agent)
    return [answer for line in lines for answer in brain.reply(line)]


# Our agents as a brain ----------------------------------------------------------------------------------------------


FOUR = "TURN 0,8; TURN 1,8; TURN 2,8; TURN 3,8"
DIALOGUES = {  # what a manager says → the answers of an agent that plays the first free point
    "a game by the book": ("START 20; BEGIN; TURN 5,5; TURN 1,0; END", "OK; 0,0; 1,0; ERROR 1,0 is taken"),
    "column first": ("RECTSTART 9,6; TURN 8,1; TURN 5,6", "OK; 0,0; ERROR 5,6 is off the 9x6 board"),
    "back, and again": (
        "START 9; BEGIN; TAKEBACK 0,0; PLAY 3,3; TURN 0,0; TAKEBACK 8,8; RESTART; BEGIN",
        "OK; 0,0; OK; 3,3; 1,0; ERROR 8,8 is not the last stone; OK; 0,0",
    ),
    "what is no command": ("DANCE 3; DONE; ;    ", "UNKNOWN command DANCE; UNKNOWN command DONE"),
    "on after an error": (
        "START 9; TURN 99,0; BOARD; junk; DONE; TURN 3,3",
        "OK; ERROR 99,0 is off the 9x9 board; ERROR BOARD takes lines x,y,field, got junk; 0,0",
    ),
    "a command inside a board": ("START 9; BOARD; 1,1,2; START 15; TURN 0,0", "OK; OK; 1,0"),
    "won": (f"START 9; BEGIN; {FOUR}; TURN 5,8", "OK; 0,0; 1,0; 2,0; 3,0; 4,0; ERROR the game is over"),
    "lost": (f"START 9; {FOUR}; TURN 4,8", "OK; 0,0; 1,0; 2,0; 3,0; ERROR the game is over"),
}


@pytest.mark.parametrize("what", DIALOGUES)
def test_a_manager_is_answered(what):
    said, answers = DIALOGUES[what]
    assert "; ".join(talk(*said.split("; "))) == answers


def test_a_board_is_taken_over_with_the_right_colors():
    seen = []

    def spy(game):
        seen.append((game.player, game.history, game.copy()))
        return game.legal_moves()[0]

    assert talk("START 9", "BOARD", "4,4,1", "5,4,2", "4,5,1", "5,5,2", "DONE", agent=spy) == ["OK", "0,0"]
    assert seen[-1][0] == 1 and seen[-1][1] == [40, 41, 49, 50]
    assert talk("START 9", "BOARD", "4,4,2", "DONE", agent=spy) == ["OK", "0,0"]
    assert seen[-1][0] == 2 and seen[-1][1] == [40]
    assert talk("START 9", "BOARD", "DONE", agent=spy) == ["OK", "0,0"] and seen[-1][0] == 1


MALFORMED = {  # what a manager says → how each ERROR begins
    "BEGIN; TURN 1,1; RESTART; BOARD": "START comes first; " * 3 + "START comes first",
    "START; START four; START 4; START 99999999": "START takes; START takes; unsupported size 4x4; unsupported size",
    "RECTSTART 9": "RECTSTART takes",
    "START 9; TURN; TURN 1;1; TURN -1,1; TURN 9,0": "TURN takes; TURN takes; TURN takes; 9,0 is off",
    "START 9; BOARD; 1,1; DONE": "BOARD takes lines",
    "START 9; BOARD; 1,1,3; DONE; BOARD; 1,1,1; DONE": "0 own and 0 other; 1 own and 0 other",
    "START 9; BOARD; 1,1,1; 1,1,2; DONE; BOARD; 99,1,2; DONE": "Move 2; 99,1 is off",
    "START 9; INFO timeout_turn soon; INFO rule 4": "INFO timeout_turn; rule 4",
}


@pytest.mark.parametrize("said", MALFORMED)
def test_malformed_commands_are_answered_with_an_error_each(said):
    errors = [answer for answer in talk(*said.split("; ")) if answer != "OK"]
    wanted = MALFORMED[said].split("; ")
    assert len(errors) == len(wanted)
    assert all(error.startswith(f"ERROR {begins}") for error, begins in zip(errors, wanted))


def test_the_exact_rule_is_taken_from_the_manager():
    brain = Brain(first_free)
    for line in ("START 9", "INFO rule 1", "BEGIN"):
        brain.reply(line)
    assert brain.game.exact
    brain.reply("INFO rule 0")
    brain.reply("RESTART")
    assert not brain.game.exact


def test_an_agent_that_fails_is_an_error_and_the_brain_lives():
    def fragile(game):
        raise RuntimeError("no\nidea")

    answers = talk("START 9", "BEGIN", "ABOUT", agent=fragile)
    assert answers[1] == "ERROR RuntimeError: no?idea" and answers[2].startswith("name=")
    assert talk("START 9", "BEGIN", agent=lambda game: None)[1] == "ERROR the agent resigns"
    assert talk("START 9", "BEGIN", agent=lambda game: 999)[1].startswith("ERROR IndexError")


@pytest.mark.slow
def test_no_input_brings_the_brain_down():
    """Each line is answered by lines of the protocol, and the board stays legal."""
    rng, brain = np.random.default_rng(0), Brain(agents.greedy(0))
    words = "START RECTSTART RESTART BEGIN TURN PLAY TAKEBACK BOARD DONE INFO SWAP2BOARD about".split()
    rest = "|9|1,1|3,4,1|-1,5|1000000000000|timeout_turn 0|time_left 5|rule 1|x|é|\x00|٣".split("|")
    for number in range(6000):
        line = f"{rng.choice(words)} {rng.choice(rest)}" if rng.random() < 0.7 else str(rng.choice(rest))
        for answer in brain.reply("START 9" if number % 20 == 0 else line):
            assert "\n" not in answer and "\r" not in answer and len(answer) < 250
            first = answer.split(" ")[0].split("=")[0]
            assert first in ("OK", "ERROR", "UNKNOWN", "MESSAGE", "name") or first.replace(",", "").isdigit(), answer
        if brain.game is not None:
            Mock5(brain.game.height, brain.game.width, history=brain.game.history, exact=brain.game.exact)


def piped(data: bytes, agent=first_free):
    """What a brain writes that reads these bytes."""
    given, feed = os.pipe()
    listen, taken = os.pipe()
    with os.fdopen(feed, "wb") as file:
        file.write(data)
    serve(agent, given, taken)
    os.close(given)
    os.close(taken)
    with os.fdopen(listen, "rb") as file:
        return file.read().decode().split("\n")[:-1]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\r\r\n"])
def test_lines_may_end_in_any_way(end):
    """And answers end with LF alone: some managers for Linux compare the whole line with "OK"."""
    assert piped(end.join(["START 9", "BEGIN", "END", ""]).encode()) == ["OK", "0,0"]


def test_an_oversized_line_is_an_error_and_takes_no_memory():
    huge = b"TURN " + b"1" * 60_000
    assert piped(b"START 9\n" + huge + b"\nBEGIN\n") == ["OK", "ERROR line too long", "0,0"]


def test_the_end_of_the_input_ends_the_brain():
    assert piped(b"START 9\nBEGIN") == ["OK", "0,0"] and piped(b"") == []


# In time --------------------------------------------------------------------------------------------------------------


class Clock:
    """Seconds that pass when somebody says so."""

    def __init__(self):
        self.time = 0.0

    def __call__(self):
        return self.time


class Slow(AnswersByDeadline):
    """A search whose simulations take 10 ms each by a clock of its own."""

    name, keep_tree = "slow", True

    def __init__(self, clock, simulations=1000):
        self.clock, self.simulations, self.total = clock, simulations, 0

    def forget(self):
        self.total = 0

    def __call__(self, game, simulations=None):
        self.clock.time += 0.01 * simulations
        self.total += simulations
        return game.legal_moves()[0]


@pytest.mark.parametrize("milliseconds", [500, 1000, 3000, 30000])
def test_a_search_does_what_fits_into_the_turn(milliseconds):
    clock = Clock()
    agent = Slow(clock)
    brain = Brain(agent, clock)
    for line in ("START 9", f"INFO timeout_turn {milliseconds}"):
        brain.reply(line)
    before = clock.time
    assert brain.reply("BEGIN") == ["0,0"]
    assert clock.time - before <= milliseconds / 1000 and agent.simulations == 1000
    assert agent.total == 1000 if milliseconds == 30000 else 0.3 * milliseconds / 10 < agent.total < 1000


def test_the_time_for_the_whole_game_is_shared_out():
    clock = Clock()
    brain = Brain(Slow(clock, 10**6), clock)
    for line in ("START 9", "INFO timeout_turn 60000", "INFO timeout_match 20000", "BEGIN"):
        brain.reply(line)
    for x, y in [*((4, y) for y in range(4)), *((x, y) for y in (7, 8) for x in range(0, 9, 2))]:
        assert brain.reply(f"TURN {x},{y}")[0][0].isdigit()
    assert 5 < brain.used < 20


def test_time_left_is_believed():
    brain = Brain(first_free)
    for line in ("START 9", "INFO timeout_turn 5000", "INFO timeout_match 100000", "INFO time_left 2500"):
        brain.reply(line)
    assert brain.seconds() == pytest.approx(0.9 * 2.5 / 25 - 0.05)
    brain.reply("INFO time_left 0")
    assert brain.seconds() == 0.02


def test_an_agent_that_is_late_gets_a_quick_move_and_is_not_asked_twice_at_once():
    import threading

    release, calls = threading.Event(), []

    def stubborn(game):
        calls.append(1)
        release.wait(600)
        return 0

    timed = TimedAgent(stubborn)
    game = Mock5(9, 9)
    quick_move(game)  # compiles
    assert timed.move(game, 0.05) == (quick_move(game), False)
    assert timed.move(game, 0.05)[1] is False and len(calls) == 1
    release.set()
    assert timed.move(game, 30.0) == (0, True) and len(calls) == 2


def test_uct_in_chunks_does_all_its_simulations():
    agent = FastUCT(300, seed=0)
    assert TimedAgent(agent).move(Mock5(9, 9), 60.0)[1] and agent.simulations == 300
    assert agent.search(Mock5(9, 9)).root.visits == 300 + 300  # it goes on with the kept tree


def test_memory_limits_the_trees():
    agent = FastUCT(300, seed=0)
    brain = Brain(agent)
    for line in ("START 9", "INFO max_memory 1000000", "BEGIN"):
        brain.reply(line)
    assert agent.max_slots == 1_000_000 // 2 // 40


# Foreign brains as our agents -----------------------------------------------------------------------------------------


def engine(manner, *more, seconds=10.0, tolerance=0.0, **options):
    command = [sys.executable, "-S", "-E", ENGINE, manner, *map(str, more)]
    return GomocupAgent(command, seconds, tolerance, name="engine", **options)


def pid_of(agent) -> int | None:
    """The process of the running engine; None if none runs."""
    return agent._engine and agent._engine.process.pid


@pytest.mark.parametrize(
    "manner", ["well", "cr", "crlf", "talks", "spaced", "strict", "errs", "unknown", "leaves", "narrow"]
)
def test_an_engine_plays_a_match_whatever_its_manners(manner):
    """Among them: it answers ERROR or UNKNOWN and then moves, and it does not know RESTART, or ends at it."""
    agent = engine(manner)
    try:
        result = match(agent, last_free, 4, game=Mock5(9, 9), openings=[[], [40, 41, 42]])
    finally:
        agent.close()
    plain = match(first_free, last_free, 4, game=Mock5(9, 9), openings=[[], [40, 41, 42]])
    assert result.records == plain.records and not result.forfeits


def test_an_engine_plays_boards_that_are_not_square_and_by_the_exact_rule(tmp_path):
    told = tmp_path / "info"
    agent = engine("tells", told, info={"MAX_NODE": 1000}, memory=1 << 40)
    game = Mock5(6, 9, exact=True, history=[8])
    assert agent(game) == (0, 0)
    agent.close()
    lines = told.read_text().splitlines()
    assert {"rule 1", "MAX_NODE 1000", "timeout_turn 10000", f"max_memory {2**31 - 1}"} <= set(lines)


def test_an_engine_that_does_not_answer_restart_is_started_anew():
    agent = engine("deaf", start_seconds=1.0)
    assert agent(Mock5(9, 9, history=[40])) == (0, 0) and agent(Mock5(9, 9, history=[0])) == (0, 1)
    before = pid_of(agent)
    assert agent(Mock5(9, 9, history=[0, 1])) == (0, 2)
    assert pid_of(agent) not in (None, before) and gone(before)
    agent.close()


def test_an_engine_may_take_its_time_to_start_and_to_end(tmp_path):
    agent = engine("slow", tmp_path / "learned", seconds=0.25, tolerance=0.0)
    assert agent(Mock5(9, 9, history=[40])) == (0, 0) and agent(Mock5(9, 9, history=[0])) == (0, 1)
    agent.close()
    assert (tmp_path / "learned").read_text() == "learned"


def test_moves_that_follow_on_are_sent_as_turns_and_others_as_boards(tmp_path):
    heard = tmp_path / "heard"
    agent = engine("hears", heard)

    def sent() -> list[str]:
        """What it has heard since this was asked last."""
        lines = heard.read_text().splitlines()
        heard.write_text("")
        return lines

    game = Mock5(9, 9)
    agent(game)
    assert sent()[-1] == "BEGIN"
    game.apply(0)
    game.apply(80)
    assert agent(game) == (0, 1) and sent() == ["TURN 8,8"]
    other = Mock5(9, 9, history=[40])
    assert agent(other) == (0, 0) and sent() == ["RESTART", "BOARD", "4,4,2", "DONE"]
    assert agent(Mock5(9, 9)) == (0, 0) and sent() == ["RESTART", "BEGIN"]
    agent.close()


@pytest.mark.parametrize(
    ("manner", "reason"),
    [
        ("hangs", "engine gave no move within 0.3 s"),
        ("mute after start", "engine gave no move within 0.3 s"),
        ("garbage", "engine gave no move within 0.3 s; it printed 'I like the center'"),
        ("megabytes", "engine gave no move within 0.3 s"),
        ("lines", "engine gave no move within 0.3 s"),
        ("errors", "engine gave no move within 0.3 s"),
        ("dies", "engine died (exit code 3): out of ideas"),
        ("refuses", "engine gave no move within 0.3 s; it printed 'ERROR I do not feel like it'"),
        ("strays", "engine played an illegal move: There is no row 99"),
        ("negative", "engine played an illegal move: There is no column -1"),
        ("small", "engine refused START 9: ERROR boards of 15 only"),
        ("mute", "engine did not answer START 9 within 1 s"),
    ],
)
def test_an_engine_that_misbehaves_loses_with_the_reason(manner, reason, monkeypatch):
    monkeypatch.setattr("mock5lib.engines.gomocup.END_SECONDS", 0.05)  # what they do at their END is tried elsewhere
    agent = engine(manner, seconds=0.3, start_seconds=1.0 if manner == "mute" else 20.0)
    result = match(agent, last_free, 2, game=Mock5(9, 9))
    pid = pid_of(agent)
    agent.close()
    assert all(outcome.reason.startswith(reason) for outcome in result.outcomes) and result.losses == 2
    assert pid is None or gone(pid)


def test_a_program_that_is_not_there_loses_with_the_reason():
    result = match(GomocupAgent(["/no/such/engine"]), last_free, 2, game=Mock5(9, 9))
    assert all(outcome.reason.startswith("engine cannot be started: No such file") for outcome in result.outcomes)
    assert "/no/such" not in str(result)


def test_an_engine_plays_five_in_a_row_only():
    agent = engine("well")
    with pytest.raises(ValueError, match="five in a row"):
        agent(Mock5(9, 9, k=4))
    with pytest.raises(ValueError, match="from the beginning"):
        agent(Mock5(5, 5, board=[1] + 24 * [0]))


# Nothing is left behind -----------------------------------------------------------------------------------------------


def gone(pid, seconds=20.0):
    """Whether a process ends soon."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state in "ZX":
            return True
        time.sleep(0.02)
    return False


def test_an_engine_that_ignores_its_end_is_killed_with_what_it_started(tmp_path):
    note = tmp_path / "pid"
    agent = engine("orphan", note, seconds=0.5)
    with pytest.raises(AgentFailure):
        agent(Mock5(9, 9))
    assert gone(int(note.read_text()))
    stays = engine("stays")
    assert stays(Mock5(9, 9)) == (0, 0)
    pid = pid_of(stays)
    stays.close()
    assert gone(pid, 1.0)


def test_an_engine_that_nobody_holds_is_ended():
    agent = engine("stays")
    agent(Mock5(9, 9))
    pid = pid_of(agent)
    del agent
    assert gone(pid)


def test_when_this_process_is_killed_the_engine_goes_too():
    script = (
        "import sys, time; from mock5lib import Mock5; from mock5lib.engines.gomocup import GomocupAgent\n"
        f"agent = GomocupAgent([sys.executable, {ENGINE!r}, 'stays']); agent(Mock5(9, 9))\n"
        "print(agent._engine.process.pid, flush=True); time.sleep(600)"
    )
    ours = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    pid = int(ours.stdout.readline())
    ours.kill()
    ours.wait()
    ours.stdout.close()
    assert gone(pid)


def test_the_time_to_start_is_an_option_and_the_result_says_it():
    agent = names.agent(f"engine,start=0.3:{sys.executable} {ENGINE} mute")
    with pytest.raises(AgentFailure, match=r"did not answer START 9 within 0.3 s \(option start\)"):
        agent(Mock5(9, 9))


def python(program: str, **options) -> EngineProcess:
    return EngineProcess([sys.executable, "-S", "-c", program], **options)


def test_a_peer_that_does_not_read_is_noticed():
    engine = python("import time; time.sleep(600)")
    with pytest.raises(AgentFailure, match="does not read"):
        for _ in range(100):
            engine.send("x" * 60_000, seconds=0.2)
    engine.close("END", 0)


def test_a_peer_that_has_ended_is_noticed_whoever_speaks_first():
    for ask in (lambda engine: engine.send("START 9"), lambda engine: list(engine.lines(60))):
        engine = python("import sys; sys.exit('no license')")
        engine.process.wait()
        with pytest.raises(AgentFailure, match=r"died \(exit code 1\): no license"):
            ask(engine)
        engine.close("END", 0)


@pytest.mark.skipif(sys.platform != "linux", reason="address spaces are bounded on Linux")
def test_memory_is_limited_from_the_first_moment():
    """A real engine took twice its limit for a table before it read its first line."""
    engine = python("b = bytearray(1 << 30); print('OK', flush=True)", memory=400 << 20)
    with pytest.raises(AgentFailure, match=r"died \(exit code 1\): MemoryError"):
        list(engine.lines(60))
    engine.close("END", 0)


def test_long_lines_are_cut_and_all_ends_are_ends():
    engine = python(r"import os; os.write(1, b'one\r\ntwo\rthree\n\n' + b'x' * 9000 + b'\nlast\n')")
    found = []
    with pytest.raises(AgentFailure, match="died"):
        for line in engine.lines(60):
            found.append(line)
    engine.close("END", 0)
    assert found == ["one", "two", "three", "x" * LINE_BYTES, "last"]


# Our engine, as others start it ---------------------------------------------------------------------------------------


def test_our_engine_answers_a_manager_and_ends():
    command = [sys.executable, "-m", "mock5lib.cli", "engine", "--agent", "uct:50"]
    script = "START 9\r\nINFO timeout_turn 5000\r\nBEGIN\r\nTURN 99,1\r\nnonsense\r\nABOUT\r\nEND\r\n"
    done = subprocess.run(command, input=script.encode(), capture_output=True, timeout=120)
    answers = done.stdout.decode().split("\n")
    assert done.returncode == 0 and answers[0] == "OK" and answers[1].replace(",", "").isdigit()
    assert answers[2] == "ERROR 99,1 is off the 9x9 board" and answers[3] == "UNKNOWN command nonsense"
    assert answers[4].startswith('name="mock5 uct:50"') and "version=" in answers[4] and "author=" in answers[4]
    assert answers[5:] == [""]


@pytest.mark.slow
def test_our_engine_plays_our_agent_through_two_pipes():
    """The games are those of the two agents in one process: only the pipes are between them."""
    command = [sys.executable, "-m", "mock5lib.cli", "engine", "--agent", "pt", "--seed", "3"]
    guest = GomocupAgent(command, seconds=20, start_seconds=120, name="pt")
    starts = [[], [40, 41, 50]]
    through_pipes = match(guest, agents.df(1), 2, game=Mock5(9, 9), openings=starts[1:])
    guest.close()
    assert not through_pipes.forfeits and through_pipes.games == 2
    home = agents.pt(3)
    record = through_pipes.records
    for number, color in ((0, 1), (1, 2)):
        for ply in range(3, len(record.moves_of(number))):
            position = record.game(number, plies=ply)
            if position.player == color:
                assert home.distribution(position)[record.moves_of(number)[ply]] > 0

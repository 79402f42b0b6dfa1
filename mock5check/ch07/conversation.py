"""The engine of chapter 7's capstone: its file is started as a program, and the check talks to it through pipes."""

import queue
import re
import subprocess
import sys
import threading
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from mock5check.ch07.positions import positions
from mock5lib import Mock5

PATIENCE = 10.0  # seconds for an answer of the engine
# The file is run without the course's packages, wherever they are installed.
ALONE = (
    "import runpy, sys; sys.modules.update(mock5lib=None, mock5check=None); sys.argv = sys.argv[1:]; "
    "runpy.run_path(sys.argv[0], run_name={name!r})"
)


def started(path: Path, name: str = "__main__") -> subprocess.Popen:
    """The file, run in a process of its own with pipes, as a program or as what an import runs."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(
        [sys.executable, "-I", "-c", ALONE.format(name=name), str(path)], text=True, cwd=path.parent, **pipes
    )


def check_import(trial, path: Path) -> None:
    """Imported, the file reads nothing, prints nothing, and comes back."""
    process, call = started(path, "my_engine"), "import my_engine"
    try:
        process.wait(PATIENCE)
        printed, error = process.stdout.read().strip(), process.stderr.read().strip()
        trial.require(process.returncode == 0, f"It ended with {error.splitlines()[-1:]}.", call=call)
        trial.require(not printed, f"It prints {printed.splitlines()[:1]} when it is imported.", call=call)
    except subprocess.TimeoutExpired:
        text = f"It waited for input for {PATIENCE:g} seconds. Imported, the file only defines its functions; "
        trial.fail(f'{text}the loop stands under `if __name__ == "__main__":`.', call=call)
    finally:
        _stop(process, process.stdin, process.stdout, process.stderr)


def _stop(process, *pipes) -> None:
    """End a process, and close the pipes that nobody reads any more."""
    process.kill()
    process.wait()
    for pipe in pipes:
        try:
            pipe.close()
        except OSError:
            pass


class Talk:
    """A conversation with the engine, through its pipes."""

    def __init__(self, trial, path: Path):
        self.trial, self.said = trial, []
        self.process = started(path)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def tell(self, *lines: str) -> None:
        """Send lines that want no answer yet."""
        self.said += [f"> {line}".replace("\r", r"\r\n") for line in lines]
        try:
            for line in lines:
                self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError:
            self.fail("It has ended.")

    def ask(self, *lines: str, due: str = "") -> str:
        """Send lines, and read the one line that answers them; MESSAGE and DEBUG lines are passed over.

        due: what answer is due, for the message where none comes.
        """
        self.tell(*lines)
        return self.heard(due)

    def heard(self, due: str = "") -> str:
        """The next line of the engine that is an answer."""
        passed_over = ""
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                self.fail(f"No answer in {PATIENCE:g} seconds. {due}{passed_over or self._silent()}")
            if line is None:
                self.fail(f"It has ended{self._crash()}. An engine runs on until END.")
            self.said.append(line.rstrip("\n"))
            if not line.upper().startswith(("MESSAGE", "DEBUG")):
                return line.strip()
            passed_over = (
                f"All that came is {line.strip()!r}: a manager passes over lines that begin with MESSAGE or DEBUG, "
                "and waits for the answer itself."
            )

    def _silent(self) -> str:
        """What may be the reason why nothing at all has come."""
        ends = r" A line may end with \r\n." if any("\\r" in line for line in self.said[-12:]) else ""
        answered = any(not line.startswith(">") for line in self.said)
        together = "" if answered else " (Whoever reads ALL input before the first answer waits for its end.)"
        return f"Is each answer a line, and flushed at once?{ends}{together}"

    def _crash(self) -> str:
        """The error that ended the program, with the line of the file, or an empty text."""
        self.process.wait(PATIENCE)
        error = self.process.stderr.read().strip().splitlines()
        if not error:
            return ""
        places = [
            (line.strip().split(", ")[1], after.strip())
            for line, after in pairwise(error)
            if 'my_engine.py", line' in line
        ]
        return f": {error[-1]}" + (f" (in {places[-1][0]} of the file: {places[-1][1]})" if places else "")

    def fail(self, why: str) -> None:
        shown = self.said if len(self.said) <= 12 else ["…", *self.said[-12:]]
        self.trial.fail(why, call="python my_engine.py\n" + "\n".join(shown))

    def require(self, condition, why: str) -> None:
        if not condition:
            self.fail(why)
        self.trial.cases += 1

    def move(self, game, *lines: str, after: str = "") -> int:
        """The move in the answer: x,y of an empty point, as an int. after: what may have spoilt the board."""
        answer = self.ask(*lines)
        found = re.fullmatch(r"(\d+),(\d+)", answer)
        ended = " A line may end with a carriage return and a line feed." if lines[-1].endswith("\r") else ""
        what = (
            f"A move is due here, and the answer is {answer!r}.{ended}"
            if answer[:1].isalpha()
            else (f"{answer!r} is no move. A move is x,y: column, comma, row, counted from 0.")
        )
        self.require(found, what)
        x, y = int(found[1]), int(found[2])
        inside = x < game.width and y < game.height and not game.board[y * game.width + x]
        self.require(inside, f"{answer} is no empty point of this board.{after}")
        return y * game.width + x

    def unknown(self, line: str) -> None:
        """A line that is no command is answered with UNKNOWN."""
        why = "A line whose first word is no command, as a whole, gets UNKNOWN. "
        self.require(self.ask(line, due=why).startswith("UNKNOWN"), why.strip())

    def end(self, line: str) -> None:
        """After END the program is over."""
        self.tell(line)
        try:
            self.require(
                self.process.wait(PATIENCE) == 0, f"It ended with exit status {self.process.returncode}, not 0."
            )
            left = self.lines.get(timeout=PATIENCE)
            self.require(left is None, f"END has no answer, and {(left or '').strip()!r} came.")
        except subprocess.TimeoutExpired:
            ends = r" A line may end with \r\n." * line.endswith("\r")
            self.fail(f"It still runs {PATIENCE:g} seconds after END.{ends}")


def check_engine(trial, path: Path, agent, cases) -> None:
    """Talk to the engine; `cases` are positions with the moves that are right there and the reason."""
    whole_boards = partial(_whole_boards, cases=cases)
    for part in (_first_words, _two_games, whole_boards, _nonsense, _lost, _full, _no_more_input, _half_a_board):
        talk = Talk(trial, path)
        try:
            part(talk, agent)
            if part not in (_no_more_input, _half_a_board):
                talk.end("END\r" if part is _first_words else "END")
        finally:
            _stop(talk.process, talk.process.stdin, talk.process.stderr)  # a thread reads the third


def _first_words(talk, agent) -> None:
    """ABOUT, START, INFO and BEGIN, with an end of line as on Windows."""
    about = talk.ask("ABOUT")
    text = f'ABOUT wants a line with name="…" in it, and the first line that came is {about!r}. '
    talk.require(re.search(r'name="[^"]+"', about), text + "An engine says nothing before it is asked.")
    talk.require(talk.ask("START 15\r") == "OK", "START 15 is answered with OK.")
    talk.tell("INFO timeout_turn 1000", "INFO folder C:/FRIENDS/RESTART")
    again = talk.ask("ABOUT")
    talk.require(again == about, "INFO lines get no answer, and ABOUT its own again.")
    talk.move(Mock5(15, 15), "BEGIN\r")
    for size in (5, 20, 6, 15):
        talk.require(talk.ask(f"START {size}") == "OK", f"START {size} is answered with OK: 5 to 20 are possible.")
        move, wanted = talk.move(Mock5(size, size), "BEGIN"), int(agent(Mock5(size, size)))
        talk.require(
            move == wanted, f"On the empty board of {size} the function plays {wanted % size},{wanted // size}."
        )


def _two_games(talk, agent) -> None:
    """A game with each colour: the same moves as the function's."""
    rng, before = np.random.default_rng(3), None
    for number, begins in enumerate((True, False)):
        talk.require(talk.ask("RESTART" if number else "START 9") == "OK", "START and RESTART are answered with OK.")
        game, order = Mock5(9, 9), rng.permutation(81).tolist()
        command = ["BEGIN"]
        while game.winner is None and len(game.history) < 24:
            if not begins or game.history:
                theirs = next(move for move in order if not game.board[move])
                game.apply(theirs)
                command = [f"TURN {theirs % 9},{theirs // 9}"]
            if game.winner is not None:
                break
            wanted = int(agent(game.copy()))
            move = talk.move(game, *command)
            if move != wanted:
                why = f"The function plays {wanted % 9},{wanted // 9} here. "
                talk.fail(why + _other_board(agent, game, move, before))
            talk.trial.cases += 1
            game.apply(move)
        before = game
    talk.require(talk.ask("START 9") == "OK", "START 9 is answered with OK, also on a board of 9 with stones.")
    wanted = int(agent(Mock5(9, 9)))
    move = talk.move(Mock5(9, 9), "BEGIN")
    talk.require(
        move == wanted, f"START begins a new game. On the empty board the function plays {wanted % 9},{wanted // 9}."
    )


def _other_board(agent, game, move: int, before) -> str:
    """What the engine seems to have on its board instead, if the function then plays this move."""
    mine = list(game.board)
    turned = [mine[i % 9 * 9 + i // 9] if mine[i % 9 * 9 + i // 9] == 3 - game.player else 0 for i in range(81)]
    turned = [theirs or (stone if stone == game.player else 0) for theirs, stone in zip(turned, mine)]
    exchanged = [3 - stone if stone else 0 for stone in mine]
    seen = {
        "That is its move if the opponent's x and y are exchanged: x, the column, comes first.": turned,
        "That is its move if the two colours are exchanged: whose turn is it?": exchanged,
    }
    if before is not None:
        kept = [stone or old for stone, old in zip(mine, before.board)]
        seen["That is its move if the stones of the game before still lie there: RESTART empties the board."] = kept
    for text, board in seen.items():
        try:
            if 0 in board and int(agent(SimpleNamespace(board=board, height=9, width=9, player=game.player))) == move:
                return text
        except Exception:
            continue
    size = " the size of the board after RESTART," * (before is not None)
    return f"Does the engine know where the stones are (x, the column, comes first),{size} and whose turn it is?"


def _whole_boards(talk, agent, cases) -> None:
    """BOARD: a position at once, the engine to move with either colour; afterwards the game goes on."""
    size, game = None, Mock5(9, 9)
    talk.require(talk.ask("START 9") == "OK", "START 9 is answered with OK.")
    wanted = int(agent(game))
    same = talk.move(game, "BOARD", "DONE") == wanted
    talk.require(same, f"On the empty board, without a stone, the function plays {wanted % 9},{wanted // 9}.")
    square = [case for case in cases if case[0].height == case[0].width][::3]
    for number, (game, right, idea) in enumerate(sorted(square, key=lambda case: case[0].width)):
        if size != game.width:  # else the BOARD takes the place of the game before
            size = game.width
            talk.require(talk.ask(f"START {size}") == "OK", f"START {size} is answered with OK.")
        lines = [
            f"{m % size},{m // size},{1 if (i + 1) % 2 == game.player % 2 else 2}" for i, m in enumerate(game.history)
        ]
        if number % 2:  # in any order: the stones of one side first
            lines.sort(key=lambda line: line[-1], reverse=number % 4 == 1)
        end = "\r" * (number % 3 == 1)
        move = talk.move(game, *(line + end for line in ("BOARD", *lines, "DONE")))
        shown = " or ".join(f"{m % size},{m // size}" for m in right)
        colour = (
            "as many stones of both: it is player 1" if game.player == 1 else "one more of the other's: it is player 2"
        )
        talk.require(
            move in right, f"{idea} Right is {shown}. (In a BOARD, a 1 marks the engine's own stones; here {colour}.)"
        )
        wanted = int(agent(game.copy()))
        talk.require(move == wanted, f"The function plays {wanted % size},{wanted // size} in this position.")
        _play_on(talk, agent, game.copy(), move)


def _play_on(talk, agent, game, move: int) -> None:
    """After a BOARD the game goes on: four more moves of each side."""
    rng, size = np.random.default_rng(len(game.history)), game.width
    for _ in range(4):
        game.apply(move)
        if game.winner is not None:
            return
        theirs = int(rng.choice(game.legal_moves()))
        game.apply(theirs)
        if game.winner is not None:
            return
        wanted = int(agent(game.copy()))
        move = talk.move(game, f"TURN {theirs % size},{theirs // size}")
        talk.require(move == wanted, f"After BOARD and TURN the function plays {wanted % size},{wanted // size}.")


def _nonsense(talk, agent) -> None:
    """What can't be followed is answered with ERROR or UNKNOWN, and changes nothing."""
    for line in ("START 4", "START 21", "START", "START big", "START 15,10", "START 15 10", "START -15", "START 7.5"):
        talk.require(talk.ask(line).startswith("ERROR"), f"{line!r} is answered with ERROR: 5 to 20 are possible.")
    talk.require(talk.ask("START 9") == "OK", "START 9 is answered with OK, also after errors.")
    talk.require(talk.ask("START 30").startswith("ERROR"), "'START 30' is answered with ERROR: 5 to 20 are possible.")
    talk.require(talk.ask("RESTART") == "OK", "RESTART is answered with OK, also after errors.")
    same = "The START 30 was refused, so RESTART means a board of 9, and 12,12 is off it: ERROR."
    talk.require(talk.ask("TURN 12,12").startswith("ERROR"), same)
    beginnings = "SEND BEGINNER ENDGAME ABOUTS RESTARTED BOARDING TURN4,4".split()
    for line in ("SING a song", "STARTLE 9", "INFORM me", "TURNS 3,3", *beginnings):
        talk.unknown(line)
    named = talk.ask("", "ABOUT")
    named = talk.heard() if named.startswith("UNKNOWN") else named  # to the empty line
    talk.require("name=" in named, "ABOUT after an empty line, which gets UNKNOWN or no answer.")
    game = Mock5(9, 9)
    game.apply(3 * 9 + 5)
    own = talk.move(game, "TURN 5,3")
    game.apply(own)
    talk.tell("INFO timeout_turn 1000")
    talk.unknown("SING on")
    wrong = ("TURN 5,3", "TURN 9,0", "TURN 0,9", "TURN 3", "TURN -1,2", "TURN a,b", "TURN 3,4,5")
    for line in (f"TURN {own % 9},{own // 9}", *wrong):
        talk.require(talk.ask(line).startswith("ERROR"), f"{line!r}: not an empty point of this board, so ERROR.")
    for line in ("START 4", "START big"):
        talk.require(talk.ask(line).startswith("ERROR"), f"{line!r} is answered with ERROR: 5 to 20 are possible.")
    for stones in (("0,0,1", "0,0,2"), ("0,0,1", "0,0,1", "1,1,2", "2,2,2"), ("0,0,2", "0,0,2")):
        twice = talk.ask("BOARD", *stones, "DONE")
        text = "A BOARD with two stones on one point is answered with ERROR, after DONE, whosever they are."
        talk.require(twice.startswith("ERROR"), text)
        about = talk.ask("ABOUT")
        talk.require("name=" in about, "A BOARD ends with DONE and has ONE answer, also if that is an ERROR.")
    for _ in range(4):
        theirs = next(m for m in range(80, -1, -1) if not game.board[m])
        game.apply(theirs)
        turn, wanted = f"TURN {theirs % 9},{theirs // 9}", int(agent(game.copy()))
        after = " Whatever was answered with ERROR has changed nothing, a refused BOARD neither."
        move = talk.move(game, turn, after=after)
        talk.require(move == wanted, f"After the errors the function plays {wanted % 9},{wanted // 9}.{after}")
        game.apply(move)


def _lost(talk, agent) -> None:
    """The opponent makes five: whatever is said to that, the engine lives on."""
    talk.require(talk.ask("START 9") == "OK", "START 9 is answered with OK.")
    board, own, four = Mock5(9, 9), ("8,8", "8,6", "6,8", "6,4"), ("1,0", "2,0", "3,0", "4,0")
    for mine, theirs in zip(own, four):
        for x, y in (mine.split(","), theirs.split(",")):
            board.apply(int(y) * 9 + int(x))
    stones = [f"{point},1" for point in own] + [f"{point},2" for point in four]
    taken = talk.move(board, "BOARD", *stones, "DONE")
    _goes_on(talk, "TURN 5,0" if taken == 0 else "TURN 0,0", "After a lost game")
    talk.require(talk.move(Mock5(9, 9), "BEGIN") == int(agent(Mock5(9, 9))), "RESTART begins a new game.")


def _full(talk, agent) -> None:
    """The engine takes the last empty point; whatever is said to BEGIN then, it lives on."""
    game = next(game for game in positions() if len(game.history) == 24 and game.width == game.height == 5)
    talk.require(talk.ask("START 5") == "OK", "START 5 is answered with OK.")
    stones = [f"{m % 5},{m // 5},{1 if i % 2 == 0 else 2}" for i, m in enumerate(game.history)]
    talk.move(game, "BOARD", *stones, "DONE")
    _goes_on(talk, "BEGIN", "On a full board")


def _goes_on(talk, line: str, when: str) -> None:
    """After this line, which may have an answer or none, RESTART and ABOUT have theirs."""
    talk.tell(line, "RESTART", "ABOUT")
    goes_on, heard = f"{when} the engine goes on; RESTART and ABOUT have answers. ", []
    while len(heard) < 3 and not any("name=" in line for line in heard):
        heard.append(talk.heard(goes_on))
    talk.require("OK" in heard and "name=" in heard[-1], goes_on.strip())


def _half_a_board(talk, agent) -> None:
    """The manager is gone in the middle of a BOARD."""
    _no_more_input(talk, agent, "BOARD", "0,0,1")


def _no_more_input(talk, agent, *before: str) -> None:
    """The manager is gone: the program ends."""
    talk.require(talk.ask("START 9") == "OK", "START 9 is answered with OK.")
    talk.tell(*before)
    talk.process.stdin.close()
    talk.said.append("(end of input)")
    try:
        talk.process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        talk.fail(f"It still runs {PATIENCE:g} seconds after the end of its input.")

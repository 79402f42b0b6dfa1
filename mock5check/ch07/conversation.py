"""The engine of chapter 7's capstone: its file is started as a program, and the check talks to it through pipes."""

import queue
import re
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import numpy as np

from mock5check.ch07.positions import Position, quiet, tactics
from mock5lib import Mock5

PATIENCE = 10.0  # seconds for an answer of the engine
SHOWN = 12  # lines of the conversation


class Talk:
    """A conversation with the engine, through its pipes."""

    def __init__(self, trial, path: Path):
        self.trial, self.said, self.lines = trial, [], queue.Queue()
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen([sys.executable, "-I", str(path)], text=True, cwd=path.parent, **pipes)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stderr):  # a thread reads the third
            try:
                pipe.close()
            except OSError:
                pass

    def tell(self, *lines: str) -> None:
        """Send lines that want no answer yet."""
        self.said += [f"> {line}".replace("\r", r"\r\n") for line in lines]
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines))
            self.process.stdin.flush()
        except OSError:
            self.fail("It has stopped.")

    def ask(self, *lines: str) -> str:
        """Send lines, and read the one line that answers them; MESSAGE and DEBUG lines are passed over."""
        self.tell(*lines)
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                ends = r" A line may end with \r\n." if any("\r" in line for line in lines) else ""
                self.fail(
                    f"No answer in {PATIENCE:g} seconds. Every command but INFO and END has one: a line, flushed at "
                    f"once, that begins neither with MESSAGE nor with DEBUG.{ends}"
                )
            if line is None:
                self.fail(f"It has stopped{self._crash()}. An engine should run until END.")
            self.said.append(line.rstrip("\n"))
            if not line.upper().startswith(("MESSAGE", "DEBUG")):
                return line.strip()

    def _crash(self) -> str:
        """The error that ended the program, with the line of the file, or an empty text."""
        self.process.wait(PATIENCE)
        error = self.process.stderr.read().strip().splitlines()
        places = [
            (line.strip().split(", ")[1], after.strip())
            for line, after in pairwise(error)
            if 'my_engine.py", line' in line
        ]
        where = f" (in {places[-1][0]} of the file: {places[-1][1]})" if places else ""
        return f": {error[-1]}{where}" if error else ""

    def fail(self, why: str) -> None:
        shown = self.said if len(self.said) <= SHOWN else ["…", *self.said[-SHOWN:]]
        self.trial.fail(why, call="python my_engine.py\n" + "\n".join(shown))

    def require(self, condition, why: str) -> None:
        if not condition:
            self.fail(why)
        self.trial.cases += 1

    def expect(self, beginning: str, *lines: str) -> None:
        """The answer to the last of these lines begins so."""
        self.require(
            self.ask(*lines).startswith(beginning),
            f"The answer to {lines[-1].strip()!r} should begin with {beginning}.",
        )

    def move(self, game, *lines: str, right, why: str) -> int:
        """The move in the answer, x,y, as an int; it is one of those that are right."""
        answer = self.ask(*lines)
        found = re.fullmatch(r"(\d+),(\d+)", answer)
        self.require(found, f"{answer!r} isn't a move. A move is x,y: column, comma, row, counted from 0.")
        x, y = int(found[1]), int(found[2])
        empty = x < game.width and y < game.height and not game.board[y * game.width + x]
        self.require(empty, f"{answer} isn't an empty point of this board.")
        points = " or ".join(f"{move % game.width},{move // game.width}" for move in right)
        self.require(y * game.width + x in right, f"{why} It should be {points}.")
        return y * game.width + x

    def ends(self, *lines: str) -> None:
        """After these lines, or the end of input if there are none, the program is over."""
        self.tell(*lines)
        if not lines:
            self.process.stdin.close()
            self.said.append("(end of input)")
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.fail(
                f"It's still running {PATIENCE:g} seconds later. END, or the end of input, should stop the program."
            )
        left = "".join(iter(lambda: self.lines.get(timeout=PATIENCE), None)).strip()
        self.require(
            not left, f"It says {left!r}, which nobody asked for. Every command has one line of answer, and END none."
        )


def check_engine(trial, path: Path, agent) -> None:
    """Talk to the engine; its moves are the agent's."""

    def played(game) -> list:
        return [int(agent(Position(game)))]

    for part in (_first_words, _three_games, _whole_boards, _errors, _the_end_of_a_game):
        with Talk(trial, path) as talk:
            part(talk, played)
            talk.ends("END\r" if part is _errors else "END")
    with Talk(trial, path) as talk:
        talk.expect("OK", "START 9")
        talk.ends()


def _first_words(talk, played) -> None:
    """ABOUT, START, INFO and BEGIN, with an end of line as on Windows."""
    about = talk.ask("ABOUT")
    text = f'ABOUT wants a line with name="…" in it, and the first line that came is {about!r}. '
    talk.require(re.search(r'name="[^"]+"', about), text + "An engine says nothing until it's asked.")
    for size in (15, 5, 20):
        talk.expect("OK", f"START {size}\r")
        talk.tell("INFO timeout_turn 1000")  # no answer: the next one is the move
        game = Mock5(size, size)
        talk.move(
            game, "BEGIN\r", right=played(game), why=f"This isn't the agent's move on the empty board of size {size}."
        )
        talk.expect("OK", "RESTART\r")
        talk.move(game, "BEGIN\r", right=played(game), why="RESTART should empty the board and keep its size.")


def _three_games(talk, played) -> None:
    """Games with each color: the same moves as the function's. What is said in between changes nothing."""
    order = np.random.default_rng(3).permutation(81).tolist()
    for number, begins in enumerate((True, False, False)):
        talk.expect("OK", ("START 9", "RESTART", "START 9")[number])
        game, command, end = Mock5(9, 9), "BEGIN", "\r" * (number == 1)
        while game.winner is None and len(game.history) < 24:
            if game.history or not begins:
                best = number == 2 and len(game.history) > 1  # the opponent, too, plays as the agent would
                theirs = played(game)[0] if best else next(move for move in order if not game.board[move])
                game.apply(theirs)
                command = f"TURN {theirs % 9},{theirs // 9}"
            if game.winner is None:
                talk.tell("INFO time_left 100000")
                talk.expect("UNKNOWN", "SING a song")
                why = (
                    "The agent itself plays elsewhere here. Does the engine know where the stones are (x, the column, "
                )
                why += "comes first) and whose turn it is? START and RESTART empty the board; the other commands don't."
                game.apply(talk.move(game, command + end, right=played(game), why=why))


def _whole_boards(talk, played) -> None:
    """BOARD: a position at once, the engine to move with either color; afterwards the game goes on."""
    cases = [*tactics()[::3], *((game, played(game), "The agent plays elsewhere.") for game in quiet())]
    for number, (game, right, idea) in enumerate(case for case in cases if case[0].height == case[0].width):
        size = game.width
        talk.expect("OK", f"START {size}")
        stones = [
            f"{move % size},{move // size},{1 if (ply + 1) % 2 == game.player % 2 else 2}"
            for ply, move in enumerate(game.history)
        ]
        stones.sort(key=lambda line: line[-1], reverse=number % 2 == 1)  # the stones of one side first
        color = "both have as many stones, so it is player 1" if game.player == 1 else "it is player 2"
        why = f"{idea} (In a BOARD a 1 marks the engine's own stones; here {color}.)"
        lines, end = ["BOARD", *stones, "DONE"], "\r" * (number % 2)
        game = game.copy()
        for _ in range(3):  # the opponent plays as the agent would
            game.apply(talk.move(game, *(line + end for line in lines), right=right, why=why))
            if game.winner is None:
                game.apply(*played(game))
            if game.winner is not None:
                break
            theirs, right, why = (
                game.history[-1],
                played(game),
                "After BOARD and TURN the agent itself plays elsewhere.",
            )
            lines = [f"TURN {theirs % size},{theirs // size}"]


def _errors(talk, played) -> None:
    """What can't be followed is answered with ERROR or UNKNOWN, and changes nothing."""
    for line in ("START", "START 4", "START 21", "START big"):
        talk.expect("ERROR", line)
    talk.expect("OK", "START 9")
    game = Mock5(9, 9, history=[3 * 9 + 5])
    own = talk.move(game, "TURN 5,3", right=played(game), why="The agent plays elsewhere.")
    game.apply(own)
    for word in ("SING", "ABOUTS", "BEGINNER", "BOARDING", "ENDING", "INFORM", "STARTING", "TURNS"):
        talk.expect("UNKNOWN", f"{word} 1,1")
    for line in ("9,0", "0,9", "-1,0", "1,2,3", "7", "a,b"):
        talk.expect("ERROR", f"TURN {line}")
    talk.expect("ERROR", "START 30")
    for stones in (("0,0,2", "0,0,2"), ("0,0,1", "9,0,2"), ("0,0,1", "0,0,2")):
        talk.require(
            talk.ask("BOARD", *stones, "DONE").startswith("ERROR"),
            "A point of that BOARD is off the board, or given twice. Answer ERROR, after DONE.",
        )
    for move in game.history:
        talk.expect("ERROR", f"TURN {move % 9},{move // 9}")
    game.apply(game.legal_moves()[-1])
    turn = f"TURN {game.history[-1] % 9},{game.history[-1] // 9}"
    talk.move(
        game, turn, right=played(game), why="A command that was answered with ERROR changed the game all the same."
    )
    talk.expect("ERROR", "START 30")
    talk.expect("OK", "RESTART")
    talk.move(Mock5(9, 9), "BEGIN", right=played(Mock5(9, 9)), why="START 30 was an ERROR, so the size is still 9.")


def _the_end_of_a_game(talk, played) -> None:
    """A full board, and a game that is lost: whatever is said then, it is one line, and the engine runs on."""
    full = [f"{i % 5},{i // 5},{1 + (i + i // 5 // 2) % 2}" for i in range(25)]
    four = [f"{x},{y},{whose}" for x, y, whose in zip((1, 2, 3, 4, 0, 3, 6), [4] * 4 + [8] * 3, [2] * 4 + [1] * 3)]
    last = ["2,2", "3,2"]  # the engine takes one of them, the opponent the other
    nearly = [f"{stone[:3]},{3 - int(stone[-1])}" for stone in full if stone[:3] not in last]
    for size, stones, then in ((5, full, ["0,0"]), (5, nearly, last), (9, four, ["0,4", "5,4", "8,0", "8,1"])):
        talk.expect("OK", f"START {size}")
        talk.ask("BOARD", *stones, "DONE")
        for point in then:
            talk.ask(f"TURN {point}")
        talk.expect("OK", "RESTART")
